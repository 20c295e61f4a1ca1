"""Episodes as items: a sequence that knows its task, and shows the query of each episode."""

from __future__ import annotations

from typing import Any

from cogkit.core import items
from cogkit.mewl.problems.episodes import Episode
from cogkit.mewl.rendering import render


class Items(items.Items):
    """Episodes of one task.

    Examples
    --------
    >>> from cogkit import mewl
    >>> episodes = mewl.items("shape", 40)
    >>> episodes
    <40 items of mewl, shape: part test, verified, seed 0, cogkit>
    >>> episodes[:1].to_frame().columns.tolist()
    ['name', 'number', 'options', 'answer']
    """

    def name(self, item: Episode) -> str:
        return f"{item.part}/{item.task}/{item.number}"

    def row(self, item: Episode) -> dict[str, Any]:
        """Return its number, its options and the right one."""
        options = item.trial.options
        return {"number": item.number, "options": ", ".join(options), "answer": options[item.answer]}

    def png(self, item: Episode) -> bytes:
        return render.png(render.render(item.trial.scenes[-1], width=96))
