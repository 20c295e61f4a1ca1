"""One scale for all instruments: accuracy above chance.

- A_c = (Acc - g) / (1 - g): accuracy above the chance level g, as a share of the possible gain; at least 0.
- P = A' (√A' - √(1 - A'))², A' = (1 + A_c) / 2: it rises with A_c, from 0 at chance to 1 for no error.

The limits of each value come from its result row, or from Wilson's formula if the share is a count. Both components
rise with accuracy, so their limits are the transformed limits of accuracy. Nothing is imputed: a missing value is NaN,
and its note says why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from cogkit.core.errors import InputError, some
from cogkit.stats.intervals import wilson

RUN = ("task", "who", "kind", "inputs", "seed")  # these columns identify one run of one player
COLUMNS = (*RUN, "component", "value", "low", "high", "interval", "n", "chance", "note")
FEW = 100  # answers; below that a note says how many there are
NOWHERE = (np.nan, np.nan)
_FLAT = 1e-9  # an interval this narrow has no width
_PRINTED = 3  # decimals that a printed share is taken to have at least
_MOST = 10  # decimals that are looked at
_EXACT = 1e-12
_MEANS = ("all", "average", "avg", "mean")
_ONE_PERSON = r"you|[0-9a-f]{8}"  # the reader, or a pseudonym


def above_chance(accuracy, chance) -> np.ndarray:
    """Return signed (Acc - g) / (1 - g): 0 at chance, 1 for perfect, below 0 for worse than chance.

    Examples
    --------
    >>> above_chance([0.2, 0.6, 1.0], 0.2).round(2)
    array([0. , 0.5, 1. ])
    """
    return (np.asarray(accuracy, dtype=float) - chance) / (1 - chance)


def performance(a_c) -> np.ndarray:
    """Return P of A_c; a negative A_c counts as 0.

    Examples
    --------
    >>> performance([-0.5, 0.0, 0.8, 1.0]).round(3)
    array([0.  , 0.  , 0.36, 1.  ])
    """
    a = (1 + np.clip(a_c, 0, 1)) / 2
    return a * (np.sqrt(a) - np.sqrt(1 - a)) ** 2


def of_accuracy(
    rows: pd.DataFrame, trials: pd.DataFrame | None = None, *, chance: float | Callable[[str], float]
) -> Iterator[dict]:
    """Yield accuracy, A_c and P of result rows with the metric ``accuracy``.

    A person's row may pool several people. An interval from counts is given only for a single person.

    Parameters
    ----------
    rows : DataFrame
        Result rows of one instrument.
    trials : DataFrame, optional
        Not needed for this.
    chance : float or callable
        The chance level, or ``chance(task) -> float``.

    Examples
    --------
    >>> row = {"task": "one of four", "who": "a", "kind": "model", "inputs": "symbols", "seed": 0, "source": ""}
    >>> row |= {"metric": "accuracy", "value": 0.4, "low": np.nan, "high": np.nan, "interval": "", "n": 200}
    >>> [round(part["value"], 3) for part in of_accuracy(pd.DataFrame([row]), chance=1 / 4)]
    [0.4, 0.2, 0.012]
    """
    shares = selected(rows, rows.metric == "accuracy", "accuracy")
    for row, limits, interval, note in with_limits(shares, people_are_groups=True):
        yield from of_share(row, limits, interval, note, chance)


def selected(rows: pd.DataFrame, which: pd.Series, metric: str) -> pd.DataFrame:
    """Return some of the rows.

    Raises
    ------
    InputError
        No rows, several rows of one run, or values outside 0 to 1.
    """
    selection = rows[which]
    if selection.empty:
        raise InputError(f"rows of {some(rows.metric.unique())}", f"result rows with the metric {metric}")
    twice = selection[selection.duplicated([*RUN, "metric"])]
    if len(twice):
        row = twice.iloc[0]
        got = f"several rows of {row.who} on {row.task} with seed {row.seed}"
        raise InputError(got, "one", "take the rows of one preset and one profile")
    off = selection[(selection.value < 0) | (selection.value > 1)]
    if len(off):
        row = off.iloc[0]
        fix = "divide percentages by 100"
        raise InputError(f"{row.value:g} of {row.who} on {row.task}", "shares from 0 to 1", fix)
    return selection


def with_limits(rows: pd.DataFrame, counted: bool = True, people_are_groups: bool = False) -> Iterator[tuple]:
    """Yield each row with low and high of its share, the name of that interval, and a note.

    The row's own limits are used. If it has none, or two equal ones, Wilson's are used if the share is a count.

    Parameters
    ----------
    counted : bool
        Whether shares are counts of n answers, rather than means of chances.
    people_are_groups : bool
        Whether a person's row may pool several people. Answers of one person are dependent, so a count of answers does
        not show how much people differ.
    """
    digits = rows.groupby("source").value.transform(lambda values: max(map(_decimals, values)))
    for (_, row), decimals in zip(rows.iterrows(), digits, strict=True):
        group = people_are_groups and row.kind == "person" and not re.fullmatch(_ONE_PERSON, row.who)
        limits = tuple(np.clip([row.low, row.high], 0, 1))
        if row.high - row.low > _FLAT:
            yield row, limits, row.interval, ""
        elif counted and not group and (n_right := count(row.value, row.n, decimals)) is not None:
            flat = "" if np.isnan(limits).any() else "the row's own interval has no width"
            yield row, wilson(n_right, row.n), "95% Wilson", flat
        elif not np.isnan(limits).any():
            yield row, limits, row.interval, "no spread at all: an interval without width"
        else:
            why = "several people's answers, and no spread over people is published" if group else ""
            why = why or ("a mean alone is published" if counted else "a mean of chances")
            yield row, NOWHERE, "", "not there: the row has no value" if np.isnan(row.value) else f"no interval: {why}"


def count(value: float, n: int, decimals: int) -> int | None:
    """Return how many of n were right, if exactly one count gives the share to its last decimal.

    Examples
    --------
    >>> count(0.208, 600, 3), count(0.208, 30_240, 3), count(0.924, 240, 3)
    (125, None, None)
    """
    if np.isnan(value) or not 1 <= n <= 10.0**decimals:
        return None
    n_right = round(value * n)
    return n_right if abs(value - n_right / n) <= 0.5 * 10.0**-decimals + _EXACT else None


def of_share(
    row: pd.Series, limits, interval: str, note: str, chance: float | Callable[[str], float]
) -> Iterator[dict]:
    """Yield accuracy, A_c and P of one row of `with_limits`; a mean over tasks has no A_c and no P."""
    warning = f"only {row.n} answers" if row.n < FEW else ""
    mean = row.task.rsplit("/", 1)[-1] in _MEANS
    if callable(chance):
        chance = np.nan if mean else chance(row.task)
    yield component(row, "accuracy", row.value, limits, interval, chance, _joined(note, warning))
    if mean:
        for name in ("A_c", "P"):
            why = f"not there: {name} of a mean over tasks is not the mean of {name}"
            yield component(row, name, np.nan, NOWHERE, "", chance, why)
    else:
        above, *new_limits = above_chance([row.value, *limits], chance)
        yield from of_above_chance(row, above, new_limits, interval, chance, note)


def of_above_chance(row, above: float, limits, interval: str, chance: float, note: str = "") -> Iterator[dict]:
    """Yield A_c and P of a signed A_c and its limits."""
    where = "below chance, though its interval is not" if limits[1] >= 0 else "anti-aligned"
    below = f"{where}: A_c is {above:.3f} before it is taken as 0" if above < 0 else ""
    note, interval = _joined(note, below), f"{interval}, mapped" if interval else ""
    yield component(row, "A_c", np.clip(above, 0, 1), np.clip(limits, 0, 1), interval, chance, note)
    yield component(row, "P", float(performance(above)), performance(limits), interval, chance, note)


def component(row, name: str, value: float, limits, interval: str, chance: float, note: str) -> dict:
    """Return one row of the table of components, a dict of `COLUMNS`; ``row`` holds `RUN` and n."""
    low, high = map(float, limits)
    fields = {key: row[key] for key in RUN} | {"component": name, "value": float(value), "low": low, "high": high}
    return fields | {"interval": interval, "n": int(row["n"]), "chance": chance, "note": note}


def _decimals(value: float) -> int:
    # Rounding comes first, because 20.8 / 100 is not exactly 0.208.
    return max(_PRINTED, len(np.format_float_positional(round(value, _MOST), trim="-").partition(".")[2]))


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))
