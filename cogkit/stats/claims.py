"""A paper's claims about its results, each tested on numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pandas as pd


class Missing(LookupError):
    """A claim needs a number that is not there."""


@dataclass(frozen=True)
class Claim:
    """One claim of a paper.

    Attributes
    ----------
    found : str or callable
        How to write the numbers: ``highest: {}`` for numbers with their names, or ``found(values) -> str``.
    values : callable
        ``values(results)``, the numbers that decide, a Series as a rule; raises `Missing` without them.
    holds : callable
        ``holds(values) -> bool``.
    """

    sentence: str
    place: str
    found: str | Callable[[Any], str]
    values: Callable[[Any], Any]
    holds: Callable[[Any], Any]


@dataclass(frozen=True)
class Shares:
    """Shares of players by task, which many claims are about. Whatever asks for one that is not there gets `Missing`.

    Attributes
    ----------
    scores : Series
        Indexed by player and task.
    tasks : tuple of str
        Those that count if none are named.
    """

    scores: pd.Series
    tasks: ClassVar[tuple[str, ...]]

    def table(self, whos: Sequence[str], tasks: Iterable[str] = ()) -> pd.DataFrame:
        """Return the shares of players, a row for each, by task."""
        return self._found(self.scores, whos, tasks, "{1} of {0}")

    def of(self, who: str, tasks: Iterable[str] = ()) -> pd.Series:
        """Return the shares of one player, by task."""
        return self.table([who], tasks).iloc[0]

    def all(self, whos: Sequence[str], *tasks: str) -> pd.Series:
        """Return the shares of players, by player and task."""
        return self.table(whos, tasks).stack()

    def means(self, whos: Sequence[str]) -> pd.Series:
        """Return the mean share of the tasks, by player."""
        return self.table(whos).mean(axis=1)

    def best(self, whos: Sequence[str], tasks: Iterable[str] = ()) -> pd.Series:
        """Return the highest share among players, by task."""
        return self.table(whos, tasks).max()

    def _found(self, values: pd.Series, whos: Sequence[str], tasks: Iterable[str], what: str) -> pd.DataFrame:
        tasks = tuple(tasks) or self.tasks
        rows = {who: {task: values.get((self._key(who), task)) for task in tasks} for who in whos}
        for who, row in rows.items():
            for task, value in row.items():
                if value is None:
                    raise Missing(f"no {what.format(who, task)}")
        return pd.DataFrame.from_dict(rows, "index")

    def _key(self, who: str) -> str:
        """Return how the index of ``scores`` names a player."""
        return who


def judge(claims: Iterable[Claim], results: Any, write: Callable[[pd.Series], str]) -> pd.DataFrame:
    """Return one row for each claim.

    Parameters
    ----------
    claims : iterable of Claim
    results : object
        What ``values`` of the claims get.
    write : callable
        ``write(values) -> str``, the numbers with their names, such as a `text` of them.

    Returns
    -------
    DataFrame
        Columns claim, section, found, holds. Without a number that the claim needs, ``holds`` is missing and ``found``
        names the number.

    Examples
    --------
    >>> claim = Claim("every model is above chance", "Table 1", "lowest: {}", bottom, lambda lowest: lowest.min() > 0.5)
    >>> judge([claim], pd.Series({"SNAIL": 0.6, "ANIL": 0.7}), lambda values: text(values, ".2f")).found.item()
    'lowest: SNAIL 0.60'
    """
    rows = []
    for claim in claims:
        try:
            values = claim.values(results)
            found = claim.found.format(write(values)) if isinstance(claim.found, str) else claim.found(values)
            holds = bool(claim.holds(values))
        except Missing as gap:
            found, holds = str(gap), None
        rows.append((claim.sentence, claim.place, found, holds))
    return pd.DataFrame(rows, columns=["claim", "section", "found", "holds"]).astype({"holds": "boolean"})


def text(values: pd.Series, form: str, name: Callable[..., str] = str) -> str:
    """Return numbers with their names, which ``name`` makes of the labels in the index; ``none`` for no number.

    Examples
    --------
    >>> text(pd.Series({"FF": 0.6634, "BA": 0.7}), ".1%")
    'FF 66.3%, BA 70.0%'
    """
    labels = [label if isinstance(label, tuple) else (label,) for label in values.index]
    return ", ".join(f"{name(*label)} {value:{form}}" for label, value in zip(labels, values, strict=True)) or "none"


def top(values: pd.Series) -> pd.Series:
    """Return the highest of some numbers, with its name."""
    return values[[values.idxmax()]]


def bottom(values: pd.Series) -> pd.Series:
    """Return the lowest of some numbers, with its name."""
    return values[[values.idxmin()]]
