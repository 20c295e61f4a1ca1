"""Counts over a set of problems: its strokes, the changes in its negatives, and its faults.

Counts of the authors' own programs are given beside ours, so that readers can check whether we follow their rules.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist

from cogkit.bongard.logo import outlines
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.logo.programs import Action, Arc, Program, write_program
from cogkit.bongard.problems import certify, freeform, sets
from cogkit.bongard.problems.records import Problem
from cogkit.bongard.shapes.inventory import Shapes
from cogkit.core import presets
from cogkit.stats import wilson

SIZES = {"quick": 360, "lab": 1200, "paper": None}  # problems of each profile; None for all
FAULTS = {  # a pattern for the sentences of `certify`
    "two negatives are alike": "draws the same figure as negative",
    "stroke types tell the side": "stroke types tell the side|shows what is asked about|in normal strokes only",
    "a stroke cannot be made out": "under the ink of others|goes on as another",
    "two shapes touch, or nearly": "units apart",
    "a shape leaves the paper": "leaves the paper",
    "a label is in doubt": "nobody knows whether|table and geometry disagree",
}
ELSE = "the concept is wrong"  # any other sentence
STROKES, EDITS, DISTINCT = "strokes of a concept", "what a negative changes", "different negatives of seven"
_COLUMNS = ["group", "value", "count", "n", "share", "low", "high"]


def sample(profile: str, preset: str = "quick", seed: int = 0, source: str = "any") -> list[Problem]:
    """Return problems of a set, of all kinds and spread evenly over its concepts; the preset gives their number.

    Examples
    --------
    >>> len(SIZES), SIZES["paper"] is None
    (3, True)
    """
    size = SIZES[presets.preset(preset)]
    return list(sets.made(tuple(sets.specs(profile, n=size, seed=seed, source=source))))


def faults(problems: Sequence[Problem], shapes: Shapes) -> pd.DataFrame:
    """Return how many problems break a promise of the profile ``verified``, for problems of any profile.

    ``shapes`` are those that the problems are made of. One row for each profile, kind of problem and fault that occurs
    in any profile: profile, kind, fault, count, n (problems), share, and low and high (Wilson, 95 %).
    """
    counts = Counter(
        (problem.profile, problem.kind, fault) for problem in problems
        for fault in set(map(_fault, certify.check(problem, shapes, profile="verified")))
    )  # fmt: skip
    totals = Counter((problem.profile, problem.kind) for problem in problems)
    names = [name for name in (*FAULTS, ELSE) if any(name == fault for _, _, fault in counts)]
    rows = [
        {"profile": profile, "kind": kind, "fault": name, "count": counts[profile, kind, name], "n": n}
        for (profile, kind), n in totals.items() for name in names
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["profile", "kind", "fault", "count", "n"])
    low, high = wilson(table["count"].to_numpy(), table.n.to_numpy()) if len(table) else ([], [])
    return table.assign(share=table["count"] / table.n, low=low, high=high)


def _fault(sentence: str) -> str:
    return next((name for name, pattern in FAULTS.items() if re.search(pattern, sentence)), ELSE)


def repeats(profile: str, n: int = 300, seed: int = 0) -> dict[str, int]:
    """Return how many of the first concepts of four strokes repeat an earlier one.

    ``concepts`` is the number of concepts tested, ``same program`` the number with the program of an earlier one, and
    ``same figure`` the number that draw the figure of an earlier one, with any program.

    Examples
    --------
    >>> repeats("verified", 20)
    {'concepts': 20, 'same program': 0, 'same figure': 0}
    """
    step = len(freeform.CONCEPTS)
    programs = [_concept(step * number, presets.profile(profile), seed) for number in range(n)]
    strings = [tuple(write_program(program)) for program in programs]
    signatures = np.stack([outlines.signature(program) for program in programs])
    alike = np.tril(cdist(signatures, signatures, "chebyshev") < outlines.SAME, -1).any(axis=1)
    return {"concepts": n, "same program": n - len(set(strings)), "same figure": int(alike.sum())}


def _concept(index: int, profile: str, seed: int) -> Program:
    if profile == "verified":  # without the pictures, which take longer
        return freeform.concept(index, seed)[0]
    return freeform.problem(index, profile, seed).positives[0][0].program


def strokes(problems: Iterable[Problem]) -> pd.DataFrame:
    """Return counts of the strokes of free-form concepts, of the changes in their negatives, and of distinct negatives.

    One row for each profile, group and value: profile, group (`STROKES`, `EDITS` or `DISTINCT`), value, count, n,
    share, low and high. Low and high are Wilson's limits for the effective number of strokes or negatives, since those
    of one problem are not independent.
    """
    rows = [
        (problem.profile, number, *entry)
        for number, problem in enumerate(problems) if problem.kind == "ff" for entry in _entries(problem)
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["profile", "problem", "group", "value"])
    tables = [
        _shares(group, part).assign(profile=profile)
        for (profile, group), part in table.groupby(["profile", "group"], sort=False)
    ]
    return pd.concat(tables, ignore_index=True)[["profile", *_COLUMNS]]


def _entries(problem: Problem) -> Iterator[tuple[str, str]]:
    """Yield group and value of each stroke of the concept, of each negative, and of the number of different ones."""
    concept = problem.positives[0]
    yield from ((STROKES, _name_of(action)) for placed in concept for action in placed.program)
    yield from ((EDITS, edit(concept, negative)) for negative in problem.negatives)
    yield DISTINCT, str(len({str([write_program(placed.program) for placed in each]) for each in problem.negatives}))


def _name_of(action: Action) -> str:
    turn = {0: "straight on", 90: "left 90°", 120: "left 120°"}.get(round(action.turn), "")
    name = f"{'arc' if isinstance(action, Arc) else 'line'}, {turn}"
    return name if name in set(released().value) else "any other"


def edit(concept: Picture, negative: Picture) -> str:
    """Return what changes in a negative: ``kind``, ``type``, ``turn``, ``size`` (length, radius, sweep) or ``nothing``.

    Examples
    --------
    >>> made = freeform.problem(0)
    >>> edit(made.positives[0], made.positives[0])
    'nothing'
    """
    for before, after in zip(concept, negative, strict=True):
        for old, new in zip(before.program, after.program, strict=True):
            if old != new:
                ways = {"kind": type(old) is not type(new), "type": old.type != new.type, "turn": old.turn != new.turn}
                return next((way for way, differs in ways.items() if differs), "size")
    return "nothing"


def _shares(group: str, entries: pd.DataFrame) -> pd.DataFrame:
    """Return each value's share of its group, first the values of the released programs in their order.

    Limits are over problems, since problems were sampled.
    """
    values = released().query("group == @group").value.tolist()
    values += sorted(set(entries.value) - set(values))
    hits = pd.crosstab(entries.value, entries.problem).reindex(values, fill_value=0).to_numpy()
    sizes, problems, n = hits.sum(axis=0), hits.shape[1], len(entries)
    share = hits.sum(axis=1) / n
    variance = ((hits - share[:, None] * sizes) ** 2).sum(axis=1) / n**2 * problems / max(problems - 1, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(variance > 0, np.minimum(share * (1 - share) / variance, n), problems)
    low, high = wilson(share * worth, worth)
    columns = (group, values, hits.sum(axis=1), n, share, low, high)
    return pd.DataFrame(dict(zip(_COLUMNS, columns, strict=True)))


@cache
def released() -> pd.DataFrame:
    """Return the same counts of the authors' own programs: columns group, value, share, n.

    Examples
    --------
    >>> released().groupby("group", sort=False).share.sum().round(2).tolist()
    [1.0, 1.0, 1.0]
    """
    with resources.files("cogkit.bongard").joinpath("paper/facts/released.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file, comment="#", dtype={"value": str})
