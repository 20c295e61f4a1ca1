"""What a sitting stores of a page and of an answer, without a sitting."""

from __future__ import annotations

from cogkit.core.contracts import Presentation
from cogkit.mewl.people import study


def read(task: str, rt_s: float) -> dict:
    """Return the row of the first page of a tutorial, but for what is the sitting's own."""
    extra = {"phase": "tutorial"}
    return {"item": f"tutorial/{task}/0", "task": task, "response": "read", "rt_s": rt_s, "extra": extra}


def answered(item, off: int = 0, phase: str = "answer", rt_s=None, condition="verified/number/0/10+2") -> dict:
    """Return the row of an answer that is ``off`` places from the right one."""
    name = item.trial.options[(item.episode.answer + off) % 5]
    row = study.answered(Presentation("items", condition, item, item.name, 0, 12), name)
    return row | {"rt_s": rt_s, "extra": row["extra"] | {"phase": phase}}
