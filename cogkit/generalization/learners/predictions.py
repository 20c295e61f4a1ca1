"""Answers of all players on a whole suite, in arrays and in one npz file. Any scoring then takes milliseconds."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from cogkit.core.errors import InputError
from cogkit.core.identity import items_of, plain, restored, same_items
from cogkit.data import readers
from cogkit.data.files import write_whole
from cogkit.generalization import scoring
from cogkit.generalization.metric import relevance
from cogkit.generalization.problems.records import Problem
from cogkit.generalization.suites import PLAYERS, REAL, FitConfig

NONE = 255  # no class: past the last test row, or no such player on the task
SHIPPED = Path(__file__).parents[1] / "shipped" / "repro62-s0.npz"
_WIDEST, _LONGEST = 64, 540  # columns and test rows of Digits, the largest task


@dataclasses.dataclass(frozen=True, eq=False)
class Fitted:
    """All data of a suite for scoring, as arrays: T tasks, L players, S sources, up to M test rows and D columns.

    Attributes
    ----------
    truth : (T, M) uint8
        Classes of the test rows; `NONE` past the last.
    predicted : (T, L, M) uint8
        Answers of each player; `NONE` where there is no answer.
    relevance : (S, T, D) float64
        Relevance of each column, by each of `relevance.SOURCES`; NaN past the last.
    sizes : (T, 3) int64
        Rows, columns and classes of each task.
    under_shift : (T, L, len(SHIFTS), M) uint8
        As ``predicted``, under each of `scoring.SHIFTS`. Without tests under shift, (T, L, 0, M).
    importance : (T, L, D) float64
        Importance of each column for each player. NaN if the recipe does not rate columns, or importance was not
        measured.
    informative : (T, D) float64
        The recipe's rating of each column; NaN if it gives none.
    """

    config: FitConfig
    seed: int
    truth: np.ndarray
    predicted: np.ndarray
    relevance: np.ndarray
    sizes: np.ndarray
    under_shift: np.ndarray
    importance: np.ndarray
    informative: np.ndarray

    @property
    def names(self) -> list[str]:
        """Names of the tasks, in order."""
        return self.config.suite.names

    def places(self, kind: str) -> list[int]:
        """Return where the players of one kind stand among all players."""
        return [place for place, player in enumerate(self.config.players) if PLAYERS[player] == kind]

    def accuracy(self, answers: np.ndarray | None = None) -> np.ndarray:
        """Return the share of right test rows, (T, L); NaN where the task has no such player.

        ``answers``, (T, L, M), are answers in place of ``predicted``, such as those under one shift.
        """
        answers = self.predicted if answers is None else answers
        mask = self.truth != NONE
        right = ((answers == self.truth[:, None]) & mask[:, None]).sum(axis=2) / mask.sum(axis=1)[:, None]
        return np.where(answers[:, :, 0] == NONE, np.nan, right)

    def save(self, path) -> Path:
        """Write everything to an npz file, and return the file."""
        arrays = {name: getattr(self, name) for name in _arrays(self.config)}
        facts = {"config": plain(self.config), "seed": self.seed}
        facts["items"] = items_of("generalization", "verified", self.seed)  # both profiles have the same tasks
        buffer = io.BytesIO()
        np.savez_compressed(buffer, facts=np.array(json.dumps(facts, ensure_ascii=False)), **arrays)
        return write_whole(Path(path), buffer.getvalue())


class _Facts(msgspec.Struct):
    """What a file says about its answers."""

    config: dict[str, Any]
    seed: int
    items: str = ""


def empty(config: FitConfig, seed: int) -> Fitted:
    """Return empty arrays of the right sizes, which `put` fills.

    Examples
    --------
    >>> from cogkit.generalization.suites import Suite
    >>> empty(FitConfig(Suite(2)), 0).predicted.shape
    (14, 6, 540)
    """
    missing = {np.uint8: NONE, np.int64: 0, np.float64: np.nan}
    arrays = {name: np.full(shape, missing[dtype], dtype) for name, (shape, dtype) in _arrays(config).items()}
    return Fitted(config, seed, **arrays)


def put(fitted: Fitted, task: int, problem: Problem, answers: dict[str, scoring.Answers], weights: dict) -> None:
    """Write the answers on one task, and relevance by source, into the arrays, at its place."""
    n, s = len(problem.y_test), problem.s
    fitted.truth[task, :n] = problem.y_test
    fitted.sizes[task] = problem.n, s, problem.classes
    fitted.relevance[:, task, :s] = [weights[name] for name in relevance.SOURCES]
    fitted.informative[task, :s] = np.nan if problem.truth is None else problem.truth
    for player, own in answers.items():
        place = fitted.config.players.index(player)
        fitted.predicted[task, place, :n] = own.predicted
        if own.under_shift is not None:
            fitted.under_shift[task, place, :, :n] = own.under_shift
        fitted.importance[task, place, :s] = np.nan if own.importance is None else own.importance


def shipped() -> Fitted:
    """Return the answers of all players on the 62 tasks of seed 0, with all components, from our own run.

    Examples
    --------
    >>> shipped().accuracy().shape
    (62, 9)
    """
    return load(SHIPPED)


def load(path) -> Fitted:
    """Return what `Fitted.save` wrote. `InputError` names the file if it is anything else. Nothing is unpickled."""
    try:
        arrays = readers.arrays(path)
        facts = readers.parsed(str(arrays.pop("facts", "")), _Facts, "its facts")
        same_items(facts.items, items_of("generalization", "verified", facts.seed))
        config = restored(FitConfig, facts.config)
        held = {name: f"{array.shape} of {array.dtype}" for name, array in arrays.items()}
        layout = {name: f"{shape} of {np.dtype(dtype)}" for name, (shape, dtype) in _arrays(config).items()}
        for name in sorted(held.keys() | layout.keys()):
            if held.get(name) != layout.get(name):
                raise InputError(f"{name} {held.get(name, 'absent')}", layout.get(name, "no such array"))
        return Fitted(config, facts.seed, **arrays)
    except InputError as error:
        raise InputError(f"{path} ({error})", "a file of answers on a suite", "delete it and fit again") from None


def _arrays(config: FitConfig) -> dict[str, tuple[tuple[int, ...], type]]:
    """Return the shape and type of every array."""
    tasks, players = len(config.suite.names), len(config.players)
    generated = not {*config.suite.families} & {*REAL}
    rows, columns = (300, 20) if generated else (_LONGEST, _WIDEST)
    shifts = len(scoring.SHIFTS) if config.components else 0
    return {
        "truth": ((tasks, rows), np.uint8),
        "predicted": ((tasks, players, rows), np.uint8),
        "relevance": ((len(relevance.SOURCES), tasks, columns), np.float64),
        "sizes": ((tasks, 3), np.int64),
        "under_shift": ((tasks, players, shifts, rows), np.uint8),
        "importance": ((tasks, players, columns), np.float64),
        "informative": ((tasks, columns), np.float64),
    }
