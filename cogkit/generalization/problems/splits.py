"""What is new in the test rows of the GR* tasks."""

from __future__ import annotations


def place(task: str) -> tuple[str, str]:
    """Return split and rung of result rows about a task.

    Test rows are drawn as those in training are, but for the tasks and the curves whose columns shift between the two.

    Examples
    --------
    >>> place("Moons 3"), place("shift/0.4")
    (('new rows', 'iid'), ('shifted columns', 'extrapolation'))
    """
    kind = task.split("/")[0].split(" ")[0].lower()
    if kind in ("shift", "spurious"):
        return ("shifted columns" if kind == "shift" else "a spurious column"), "extrapolation"
    return ("", "") if kind == "all" else ("new rows", "iid")
