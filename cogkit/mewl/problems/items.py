"""Episodes as items: a sequence that knows its task, and shows the query of each episode."""

from __future__ import annotations

from typing import Any

from cogkit.core import items
from cogkit.core.identity import hashed
from cogkit.mewl.rendering import render


class Items(items.Entries):
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

    def name(self, index: int) -> str:
        """Return the name of an episode in its dataset, and the hash of what it holds."""
        return hashed(self.entries[index].name, self.entries[index])

    def row(self, index: int) -> dict[str, Any]:
        """Return an episode's number, its options and the right one."""
        episode, options = self.entries[index], self.entries[index].trial.options
        return {"number": episode.number, "options": ", ".join(options), "answer": options[episode.answer]}

    def png(self, index: int) -> bytes:
        return render.png(render.render(self.entries[index].trial.scenes[-1], width=96))
