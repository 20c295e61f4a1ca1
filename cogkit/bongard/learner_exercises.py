"""The exercises of the notebook on learners: each answer is judged by problems that it has not seen."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.bongard import scoring
from cogkit.bongard.logo import geometry
from cogkit.bongard.logo.pictures import Placed
from cogkit.bongard.logo.programs import Action, Arc, Line, Program, validate
from cogkit.bongard.problems.records import A_SIDE, SIDES, SUPPORT
from cogkit.core import seeding
from cogkit.stats import wilson
from cogkit.study.exercises import Exercises, misfit

EXERCISES = Exercises(__file__)

_ASKED, _EYES, _APART = 1000, 16, 0.4  # questions, features of a picture, and how far apart the sides lie
_SHAPES, _TABLES = 12, 5  # that a function is tried on
_POINTS, _NEAR = 400, 0.02  # along a shape; how far off they may lie, in sizes of the shape
_FEATURES = 5


@EXERCISES("06-own-head", "head(support, query)")
def _own_head(head) -> bool | str:
    support, query, positive = _planted(seeding.stream(20_250, "exercise"))
    chance = np.asarray(head(support, query), dtype=float)
    if chance.shape != (_ASKED,) or not ((chance >= 0) & (chance <= 1)).all():
        return f"it returns an answer of shape {chance.shape}, not {_ASKED} chances from 0 to 1"
    far = ((query[:, None, None] - support) ** 2).sum(axis=-1).min(axis=2)  # to the most similar picture of each side
    floor = ((far[:, 0] < far[:, 1]) == positive).mean()
    right = np.where(chance == 0.5, 0.5, (chance > 0.5) == positive)
    low, _ = wilson(right.sum(), _ASKED)
    if low <= floor:
        share = f"it is right in {right.mean():.2f} of {_ASKED} questions (95 %: from {low:.2f})"
        return f"{share}, and a learner that looks at the one most similar picture in {floor:.2f}"
    return True


def _planted(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return features of pictures whose sides lie about centres of their own, the queries, and which are positive."""
    centres = rng.normal(0, _APART, (_ASKED, len(SIDES), _EYES))
    support = centres[:, :, None] + rng.normal(size=(_ASKED, len(SIDES), SUPPORT, _EYES))
    positive = rng.random(_ASKED) < 0.5
    query = np.where(positive[:, None], centres[:, 0], centres[:, 1]) + rng.normal(size=(_ASKED, _EYES))
    return support, query, positive


@EXERCISES("06-mirrored")
def _mirrored(answer) -> bool | str:
    mirror, alike = answer
    if fault := misfit(mirror, "mirror(program)"):
        return fault
    rng = seeding.stream(20_251, "exercise")
    for program in (_program(rng) for _ in range(_SHAPES)):
        reflected = _points(program) * [-1, 1]
        if not _same(_points(validate(mirror(program))), reflected):
            same = ", but the shape itself" * _same(_points(mirror(program)), _points(program))
            return f"what it draws for a shape of {len(program)} strokes is not the mirror image{same}"
    right = abs(float(alike) - 2 * 0.5**A_SIDE) < 1e-4
    return right or f"{float(alike):.3g} is not the chance that all seven are of one hand"


def _program(rng: np.random.Generator) -> Program:
    """Return a shape of lines and arcs without a symmetry."""
    strokes: list[Action] = [Line(1.0), Line(0.4, 120.0)]
    for _ in range(rng.integers(1, 4)):
        turn, sweep = float(rng.choice([0, 60, 90, -90])), float(rng.choice([90, 180]))
        strokes.append(Line(rng.uniform(0.4, 1), turn) if rng.random() < 0.5 else Arc(0.5, sweep, turn))
    return tuple(strokes)


def _points(program: Program) -> np.ndarray:
    """Return points evenly along a shape, in its own size, about their mean: (400, 2)."""
    way = np.vstack(geometry.path(Placed(program)))
    way = way[np.append(True, np.hypot(*np.diff(way, axis=0).T) > 1e-9)]
    along = np.append(0, np.cumsum(np.hypot(*np.diff(way, axis=0).T)))
    spots = np.linspace(0, along[-1], _POINTS)
    points = np.column_stack([np.interp(spots, along, column) for column in way.T])
    return (points - points.mean(axis=0)) / along[-1]


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two ways are one but for a turn, walked in the same direction or in the other."""
    return min(_apart(one, other), _apart(one, other[::-1])) < _NEAR


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    """Return how far points lie apart on average after the best turn: no reflection is among turns."""
    mine, its = one @ [1, 1j], other @ [1, 1j]
    turn = np.vdot(its, mine)
    return float(np.abs(mine - its * turn / max(abs(turn), 1e-12)).mean()) * 10


@EXERCISES("06-confused", "confused(rows)")
def _confused(answer) -> bool | str:
    rng = seeding.stream(20_253, "exercise")
    for _ in range(_TABLES):
        table = _table(rng)
        shares = table[(table.metric == "accuracy") & table.task.str.contains("/with ")].set_index("task")
        worst, lowest = shares.high.astype(float).idxmin(), shares.value.idxmin()
        reply = answer(table.copy())
        if reply != worst:
            few = f", because it has only {shares.n[lowest]} answers" * (reply == lowest)
            return f"in a made-up table, {reply!r} need not be worse than {worst!r}{few}"
    return True


def _table(rng: np.random.Generator) -> pd.DataFrame:
    """Return result rows made up: the lowest share is one of few answers, and not the worst that is sure."""
    names = rng.permutation(["convex", "necked", "has curve", "symmetric", "thin shape", "closed shape"])
    problems = [*rng.integers(100, 400, len(names) - 1), 4]
    right = [
        rng.binomial(2, share, n) / 2 for share, n in zip(rng.uniform(0.55, 0.9, len(names)), problems, strict=True)
    ]
    right[-1] = np.array([0.5, 0.5, 0.0, 0.5])
    rows = [
        {"task": f"{rng.choice(['CM', 'NV'])}/with {name}", "metric": "accuracy", "value": float(scores.mean())}
        | {"n": 2 * len(scores)} | dict(zip(("low", "high"), scoring.interval(scores), strict=True))
        for name, scores in zip(names, right, strict=True)
    ]  # fmt: skip
    whole = {"task": "CM", "metric": "accuracy", "value": 0.3, "n": 800, "low": 0.27, "high": 0.33}
    drawn = {"task": rows[0]["task"], "metric": "accuracy, as published", "value": 0.1, "n": 8}
    return pd.DataFrame([whole, *rows, drawn]).sample(frac=1, random_state=int(rng.integers(2**31)), ignore_index=True)


@EXERCISES("06-standardise", "standardise(support, query)")
def _standardised(answer) -> bool | str:
    rng = seeding.stream(20_252, "exercise")
    support, query = rng.normal(size=(4, len(SIDES), SUPPORT, _FEATURES)), rng.normal(size=(4, _FEATURES))
    support[:, :, :, 0] = query[:, 0] = 3.0  # a feature that says nothing
    scale, shift = rng.uniform(0.1, 10, (4, _FEATURES)), rng.normal(0, 100, (4, _FEATURES))
    scaled = [np.asarray(part, float) for part in answer(support, query)]
    if [part.shape for part in scaled] != [support.shape, query.shape]:
        return f"it returns shapes {[part.shape for part in scaled]}, not {[support.shape, query.shape]}"
    if not all(np.isfinite(part).all() for part in scaled):
        return "a feature that is the same in all twelve pictures gives numbers that are not finite"
    if np.abs(scaled[0].mean(axis=(1, 2))).max() > 1e-6:
        return "over the twelve pictures of a question the mean of a feature is not 0"
    if np.abs(scaled[0].std(axis=(1, 2))[:, 1:] - 1).max() > 1e-2:
        return "over the twelve pictures of a question the spread of a feature is not 1"
    apart, was = ((part[:, 0] - part[:, 1]).mean(axis=1)[:, 1:] for part in (scaled[0], support))
    if not np.allclose(apart * support.std(axis=(1, 2))[:, 1:], was, atol=1e-2):
        return "the two sides are measured with different means or spreads, so what tells them apart is lost"
    other = answer(support * scale[:, None, None] + shift[:, None, None], query * scale + shift)
    if not np.allclose(other[1][:, 1:], scaled[1][:, 1:], atol=1e-2):
        return "the query is not measured with the support's mean and spread"
    return True
