"""From a share of right answers to accuracy, A_c and P, each with the limits that its row allows."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pandas as pd

from cogkit import stats
from cogkit.core.contracts import InputError
from cogkit.generalization.metric import calibrated

WHO = ("task", "who", "kind", "inputs", "seed")  # what one run of one player is told by
FEW = 100  # answers under which a note says so
NOWHERE = (np.nan, np.nan)
_FLAT = 1e-9  # an interval this narrow has no width
_PRINTED = 3  # decimals that a printed share is taken to have at least
_MOST = 10  # decimals that are looked at
_EXACT = 1e-12
_MEANS = ("all", "average", "avg", "mean")
_ONE_PERSON = r"you|[0-9a-f]{8}"  # the reader, or a pseudonym


def of_accuracy(rows: pd.DataFrame, chance: float) -> Iterator[dict]:
    """Yield accuracy, A_c and P of rows with the metric ``accuracy``, in which a person's row may pool several."""
    for row, *limits in limited(asked(rows, rows.metric == "accuracy", "accuracy"), people_are_groups=True):
        yield from three(row, *limits, chance)


def asked(rows: pd.DataFrame, which: pd.Series, metric: str) -> pd.DataFrame:
    """Return some of the rows.

    Raises
    ------
    InputError
        None of them, several of one run, or values that are no shares.
    """
    found = rows[which]
    if found.empty:
        raise InputError(f"rows of {', '.join(rows.metric.unique())}", f"result rows with the metric {metric}")
    twice = found[found.duplicated([*WHO, "metric"])]
    if len(twice):
        first = twice.iloc[0]
        got = f"several rows of {first.who} on {first.task} with seed {first.seed}"
        raise InputError(got, "one", "take the rows of one preset and one profile")
    off = found[(found.value < 0) | (found.value > 1)]
    if len(off):
        first = off.iloc[0]
        fix = "divide percentages by 100"
        raise InputError(f"{first.value:g} of {first.who} on {first.task}", "shares from 0 to 1", fix)
    return found


def limited(rows: pd.DataFrame, counted: bool = True, people_are_groups: bool = False) -> Iterator[tuple]:
    """Yield each row with low and high of its share, what they are, and a note.

    Limits are the row's own; where it has none, or two that are the same, Wilson's if the share is a count.

    Parameters
    ----------
    rows : DataFrame
        Result rows.
    counted : bool
        Whether shares are of answers, so that n of them can be counted, and not means of chances.
    people_are_groups : bool
        Whether a person's row may pool several people: answers of one person hang together, so that no count of
        answers says how far people differ.
    """
    digits = rows.groupby("source").value.transform(lambda values: max(map(_decimals, values)))
    for (_, row), decimals in zip(rows.iterrows(), digits, strict=True):
        group = people_are_groups and row.kind == "person" and not re.fullmatch(_ONE_PERSON, row.who)
        own = tuple(np.clip([row.low, row.high], 0, 1))
        if row.high - row.low > _FLAT:
            yield row, own, row.interval, ""
        elif counted and not group and (right := count(row.value, row.n, decimals)) is not None:
            flat = "" if np.isnan(own).any() else "the row's own interval has no width"
            yield row, stats.wilson(right, row.n), "95% Wilson", flat
        elif not np.isnan(own).any():
            yield row, own, row.interval, "no spread at all: an interval without width"
        else:
            why = "several people's answers, and no spread over people is published" if group else ""
            why = why or ("a mean alone is published" if counted else "a mean of chances")
            yield row, NOWHERE, "", "not there: the row has no value" if np.isnan(row.value) else f"no interval: {why}"


def count(value: float, n: int, decimals: int) -> int | None:
    """Return how many of n were right, if one count alone gives the share to its last decimal.

    Examples
    --------
    >>> count(0.208, 600, 3), count(0.208, 30_240, 3), count(0.924, 240, 3)
    (125, None, None)
    """
    if np.isnan(value) or not 1 <= n <= 10.0**decimals:
        return None
    right = round(value * n)
    return right if abs(value - right / n) <= 0.5 * 10.0**-decimals + _EXACT else None


def three(row: pd.Series, limits, interval: str, note: str, chance: float) -> Iterator[dict]:
    """Yield accuracy, A_c and P of one row of `limited`."""
    few = f"only {row.n} answers" if row.n < FEW else ""
    yield component(row, "accuracy", row.value, limits, interval, chance, _joined(note, few))
    if row.task.rsplit("/", 1)[-1] in _MEANS:
        for name in ("A_c", "P"):
            said = f"not there: {name} of a mean over tasks is not the mean of {name}"
            yield component(row, name, np.nan, NOWHERE, "", chance, said)
    else:
        above, *mapped = calibrated.above_chance([row.value, *limits], chance)
        yield from two(row, above, mapped, interval, chance, note)


def two(row, above: float, limits, interval: str, chance: float, note: str = "") -> Iterator[dict]:
    """Yield A_c and P of a signed A_c and its limits."""
    where = "below chance, though its interval is not" if limits[1] >= 0 else "anti-aligned"
    below = f"{where}: A_c is {above:.3f} before it is taken as 0" if above < 0 else ""
    note, interval = _joined(note, below), f"{interval}, mapped" if interval else ""
    yield component(row, "A_c", np.clip(above, 0, 1), np.clip(limits, 0, 1), interval, chance, note)
    yield component(row, "P", calibrated.performance(above), calibrated.performance(limits), interval, chance, note)


def component(row, name: str, value: float, limits, interval: str, chance: float, note: str) -> dict:
    """Return one row of the table of components; ``row`` holds `WHO` and n."""
    low, high = map(float, limits)
    known = {key: row[key] for key in WHO} | {"component": name, "value": float(value), "low": low, "high": high}
    return known | {"interval": interval, "n": int(row["n"]), "chance": chance, "note": note}


def _decimals(value: float) -> int:
    # Rounded first: 20.8 / 100 is not quite 0.208.
    return max(_PRINTED, len(np.format_float_positional(round(value, _MOST), trim="-").partition(".")[2]))


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))
