"""What is new in the test trials of stimulus equivalence."""

from __future__ import annotations

RUNGS = {
    "baseline": "iid", "trained": "iid", "symmetry": "orbit", "transitivity": "composition",
    "transitivity alone": "composition", "equivalence": "composition", "equivalence alone": "composition",
    **{f"nodes {n}": "composition" for n in range(1, 6)},
}  # fmt: skip
"""The rung of each relation: what was trained, its mirror image, or relations put together over so many nodes."""


def place(task: str) -> tuple[str, str]:
    """Return split and rung of result rows about a task, such as ``LS/select-only/symmetry``.

    Rows about all trials of a task, or about one pair of sets, have none, and reflexivity has no rung.

    Examples
    --------
    >>> place("LS/select-only/symmetry"), place("LS/select-only")
    (('symmetry', 'orbit'), ('', ''))
    """
    *before, relation = task.split("/")
    if relation not in RUNGS or len(before) < 2:
        return "", ""
    return relation + ", standard negatives" * ("standard" in before), RUNGS[relation]
