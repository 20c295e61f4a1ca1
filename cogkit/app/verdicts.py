"""Whether a new run of a cell gives what is stored: the same, numbers within the stored intervals, or others."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cogkit.core.errors import some
from cogkit.core.records import Manifest

_NAMES = ("cell", "instrument", "profile", "preset", "task", "kind", "who", "inputs", "seed", "metric")  # of a row
_INTERVAL = ("low", "value", "high")
_LOGGED = re.compile(r", (step|iteration|click) \d+$")  # how a metric of the training log ends
_MOST = 5  # differences that are printed


@dataclass(frozen=True)
class Difference:
    """One field of one result row in which a new run differs from the stored one.

    Attributes
    ----------
    column : str
        The field; ``rows`` if a whole row is missing or new.
    within : bool
        Whether the interval allows for it.
    """

    row: str
    column: str
    stored: Any
    now: Any
    within: bool = False

    def __str__(self) -> str:
        return f"{self.row}: {self.column} stored {self.stored}, now {self.now}"

    @property
    def size(self) -> float:
        """The difference as a share of the larger number; infinite where one of them is none."""
        if not (_is_number(self.stored) and _is_number(self.now)):
            return math.inf
        return abs(self.now - self.stored) / max(abs(self.stored), abs(self.now))


@dataclass(frozen=True)
class Verdict:
    """What a new run of a cell says about the stored one."""

    stored: Manifest
    now: Manifest
    differences: tuple[Difference, ...]

    @property
    def word(self) -> str:
        """``same``, ``within the interval`` or ``outside``."""
        if not self.differences:
            return "same"
        return "within the interval" if all(each.within for each in self.differences) else "outside"

    @property
    def ok(self) -> bool:
        """Whether the stored result stands."""
        return self.word != "outside"

    def __str__(self) -> str:
        run = self.stored
        head = (
            f"{self.word}: {run.cell}, {run.profile}, {run.preset}, seed {run.seed}; "
            f"stored on {run.device}, now on {self.now.device}"
        )
        largest = sorted(self.differences, key=lambda each: (each.within, -each.size))
        rest = [f"… and {len(largest) - _MOST} more"] * (len(largest) > _MOST)
        return "\n".join([head, *map(str, largest[:_MOST]), *rest])


def differences(stored: Iterable[Mapping[str, Any]], fresh: Iterable[Mapping[str, Any]]) -> list[Difference]:
    """Return every field in which two runs differ; rows belong together by task, player, inputs, metric and so on.

    Numbers are the same to one part in 10⁹. Another processor sums in another order, so that a few answers may fall
    otherwise. A difference in ``value``, ``low`` or ``high`` is therefore ``within`` if each of the two values lies in
    the other run's interval. So is any value in a row of the training log: it tells how the run went, not what came of
    it. Whatever else has no interval cannot be told from a mistake, and is not within: a value without one, a count, a
    text, and a row that only one of the runs has.

    Examples
    --------
    >>> old = {"task": "copy", "who": "LSTM", "metric": "blue", "value": 9.0, "low": 8.0, "high": 10.0}
    >>> for new in ({"value": 9.5}, {"value": 12.0}, {"value": 9.0, "metric": "z"}):
    ...     print([(str(each), each.within) for each in differences([old], [old | new])])
    [('copy, LSTM, blue: value stored 9.0, now 9.5', True)]
    [('copy, LSTM, blue: value stored 9.0, now 12.0', False)]
    [('copy, LSTM, blue: rows stored 1, now 0', False), ('copy, LSTM, z: rows stored 0, now 1', False)]
    """
    old, new = _by_name(stored), _by_name(fresh)
    mismatches = []
    for name in old | new:
        title = some([text for text in (name[_NAMES.index(part)] for part in ("task", "who", "metric")) if text])
        if name not in old or name not in new:
            mismatches.append(Difference(title, "rows", int(name in old), int(name in new)))
            continue
        near = bool(_LOGGED.search(str(old[name].get("metric")))) or _near(old[name], new[name])
        mismatches += [
            Difference(title, column, value, new[name].get(column), near and column in _INTERVAL)
            for column, value in old[name].items()
            if not _same(value, new[name].get(column))
        ]
    return mismatches


def _by_name(rows: Iterable[Mapping[str, Any]]) -> dict[tuple, Mapping[str, Any]]:
    """Return rows by what they are about; rows about the same are numbered."""
    seen, named = Counter(), {}
    for row in rows:
        name = tuple(row.get(part) for part in _NAMES)
        named[*name, seen[name]] = row
        seen[name] += 1
    return named


def _near(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Return whether each of two values lies in the other's interval."""
    bounds: list[Any] = [row.get(name) for row in (old, new) for name in _INTERVAL]
    if not all(map(_is_number, bounds)):
        return False
    old_low, old_value, old_high, new_low, new_value, new_high = bounds
    return old_low <= new_value <= old_high and new_low <= old_value <= new_high


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _same(old: Any, new: Any) -> bool:
    if isinstance(old, int | float) and isinstance(new, int | float):
        return math.isclose(old, new, rel_tol=1e-9)
    missing = (old is None, new is None or new != new)  # NaN is stored as null
    return all(missing) or old == new
