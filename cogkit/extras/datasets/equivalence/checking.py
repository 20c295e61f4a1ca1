"""Checks every row of a table of trials before use."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from cogkit.core.errors import InputError
from cogkit.equivalence.problems.records import COLUMNS, OPTIONS, Design, Trials

_SHOWN = COLUMNS[1 : 1 + OPTIONS]
_ANOTHER = "give the design that the file is of, if it is another"


def parse(table: pd.DataFrame, design: Design) -> tuple[Trials | None, list[tuple[str, InputError]]]:
    """Return the trials of a table, or None if it has faults, and the faults with their places.

    Each kind of fault occurs once, with its first row (row 1 is the first trial). A row with a fault is not checked for
    others.
    """
    names, options, members = design.tokens, design.stimuli + design.dummies, design.members
    tokens = np.column_stack([pd.Index(names).get_indexer(table[column]) for column in COLUMNS])
    faults = _Faults(table)

    stimulus = f"a stimulus ({names[0]} to {names[design.stimuli - 1]})"
    either = f"{stimulus} or a dummy ({names[design.stimuli]} to {names[options - 1]})"
    response = f"{', '.join(names[options:-1])} or {names[-1]}"
    kinds = [(0, design.stimuli, stimulus), *[(0, options, either)] * OPTIONS, (options, len(names), response)]
    for number, column, (low, high, kind) in zip(tokens.T, COLUMNS, kinds, strict=True):
        faults.add((number < low) | (number >= high), column, kind, fix=_ANOTHER)

    comparisons = tokens[:, 1 : 1 + OPTIONS]
    ordered = np.sort(comparisons, axis=1)
    repeats = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    faults.add(repeats, "comparisons", "three different comparisons", lambda row: faults.values(row, *_SHOWN))
    dummy = comparisons >= design.stimuli
    same_class = ~dummy & (comparisons // members == tokens[:, :1] // members)
    count, rule = same_class.sum(axis=1), "exactly one comparison of the sample's class"
    stands = np.zeros(len(tokens), bool)  # whether a dummy is the right comparison
    if design.relation == "reject-only":
        stands, rule = (count == 0) & (dummy.sum(axis=1) == 1), f"{rule}, or one dummy in its place"
    faults.add(
        (count != 1) & ~stands, "comparisons", rule,
        lambda row: f"{count[row]} ({faults.values(row, 'sample')} above {faults.values(row, *_SHOWN)})",
    )  # fmt: skip
    place = np.where(stands[:, None], dummy, same_class).argmax(axis=1)
    faults.add(
        tokens[:, 4] != options + place, "response", "the place of the right comparison",
        lambda row: f"{faults.values(row, 'response')} for {faults.values(row, *_SHOWN)}",
    )  # fmt: skip

    sample = tokens[:, 0] % members
    pair = sample * members + tokens[np.arange(len(tokens)), 1 + place] % members
    if "pair" in table:
        numbers = pd.Index(design.pair_names).get_indexer(table["pair"])
        agrees = np.where(stands, (numbers >= 0) & (numbers // members == sample), numbers == pair)
        faults.add(~agrees, "pair", "the letters of the sample and the right comparison")
        pair = numbers
    else:
        wanted = "a column pair, since a dummy stands for the right comparison"
        faults.add(stands, "pair", wanted, lambda row: "none")
    if "type" in table:
        faults.add(
            table["type"].to_numpy() != design.types().ravel()[pair], "type",
            f"the type that the pair has in {design.name}",
            lambda row: f"{faults.values(row, 'type')} for {design.pair_names[pair[row]]}", _ANOTHER,
        )  # fmt: skip
    if faults.entries:
        return None, faults.entries
    return Trials(design, tokens.astype(design.dtype), pair.astype(np.int16)), []


def where(rows: np.ndarray, field: str = "") -> str:
    """Return the place of a fault in words, from its row numbers, which begin at 0.

    Examples
    --------
    >>> where(np.array([3, 7]), ", sample")
    'row 4, sample (and 1 more)'
    """
    return f"row {rows[0] + 1}{field}" + (f" (and {len(rows) - 1} more)" if len(rows) > 1 else "")


class _Faults:
    """The faults of a table, and the rows without a fault so far."""

    def __init__(self, table: pd.DataFrame) -> None:
        self.table, self.entries, self.sound = table, [], np.ones(len(table), bool)

    def values(self, row: int, *columns: str) -> str:
        """Return the values of some columns in a row."""
        values = (self.table[column].iloc[row] for column in columns)
        return ", ".join(str(value) if isinstance(value, str) and value else "nothing" for value in values)

    def add(
        self, bad: np.ndarray, field: str, wanted: str, got: Callable[[int], str] | None = None, fix: str = ""
    ) -> None:
        """Record the bad rows, (n,) bool, except those that already have a fault; ``got`` is by default the value."""
        rows = np.flatnonzero(bad & self.sound)
        if len(rows):
            value = got(rows[0]) if got else self.values(rows[0], field)
            self.entries.append((where(rows, f", {field}"), InputError(value, wanted, fix)))
            self.sound[rows] = False
