"""A paper's claims about its results, each tested on numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

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
