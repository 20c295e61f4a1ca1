"""Splits of the GR* tasks: which rows are trained, and what is new in the test rows."""

from __future__ import annotations

from cogkit.core import presets
from cogkit.core.splits import Split
from cogkit.generalization.suites import FAMILIES, Suite

_NEW, _SHIFTED = "new rows", "shifted columns"
_NOTE = "Test rows are drawn as those in training are, so that a near row may give the answer."


def names() -> tuple[str, ...]:
    """Return the names of all splits, one a family.

    Only the family whose columns shift has a rung above ``iid``. No score on the others can tell a rule from memory.

    Examples
    --------
    >>> names()[:2]
    ('Linear, new rows', 'Poly, new rows')
    """
    return tuple(f"{family}, {place(family)[0].partition(', ')[2]}" for family in FAMILIES)


def split(name: str, seed: int = 0) -> Split:
    """Return a split: the tasks of a family, each of which holds rows for training and rows for the test.

    Examples
    --------
    >>> parts = split("Shift, shifted columns")
    >>> parts.rung, len(parts.test)
    ('extrapolation', 10)
    """
    from cogkit.generalization.problems import records  # scikit-learn takes a second to load

    family = presets.choose(name, names(), "split").partition(",")[0]
    problems = tuple(records.problems(Suite(families=(family,)), seed))
    rung = place(family)[1]
    return Split(name, family, rung, problems, (), problems, 1.05, _NOTE * (rung == "iid"))


def place(task: str) -> tuple[str, str]:
    """Return split and rung of result rows about a task.

    Test rows are drawn as those in training are, but for the tasks and the curves whose columns shift between the two.

    Examples
    --------
    >>> place("Moons 3"), place("shift/0.4")
    (('Moons, new rows', 'iid'), ('Shift, shifted columns', 'extrapolation'))
    """
    kind = task.split("/")[0].split(" ")[0]
    if kind == "spurious":
        return "a spurious column", "extrapolation"
    if kind in ("Shift", "shift"):
        return f"Shift, {_SHIFTED}", "extrapolation"
    return (f"{kind}, {_NEW}", "iid") if kind in (*FAMILIES, "continual") else ("", "")
