"""What a reader does in the first notebook."""

from __future__ import annotations

from readers.base import Reader

from cogkit.app.notebooks import find

# The code that stands in the window before anything is scrolled.
CODE_IN_SIGHT = """() => [...document.querySelectorAll(".jp-Notebook .jp-CodeCell .jp-InputArea-editor")]
    .filter((node) => node.checkVisibility() && node.getBoundingClientRect().top < innerHeight)
    .map((node) => node.innerText)"""


class StartHere(Reader):
    """00: cards that lead to every notebook, and what the reader has done."""

    def look_first(self) -> list[str]:
        return [f"code above the fold: {code}" for code in self.lab.page.evaluate(CODE_IN_SIGHT)]

    def links(self):
        return self.lab.page.locator(".jp-MarkdownCell td b a")

    def partly(self) -> None:
        hrefs = "(all) => all.map((a) => new URL(a.href).pathname.split('/').at(-1))"
        names = self.links().evaluate_all(hrefs)
        assert names == [path.name for path in find()][1:]  # to all but this one
        images = self.lab.page.locator(".jp-Notebook img")
        assert images.evaluate_all("(all) => all.every((i) => i.complete && i.naturalWidth > 50)")
        self.lab.do(  # one board of a sitting, as a click in 01 does
            "import numpy as np",
            "from cogkit import tiles",
            "board = tiles.sit(passes=1)",
            "reds = np.flatnonzero(board.items.boards[board.index].ravel())",
            "[board.click(int(n)) for n in reds if n != board.items.starts[board.index]]",
        )

    def finish(self) -> None:
        """The page counts them, once, and a card leads to its notebook."""
        assert f"{len(self.rows())} answers in 1 sitting" in self.lab.page.locator(".jp-Notebook").inner_text()

    def leave(self) -> None:
        page = self.lab.page
        self.links().filter(has_text="Play tiles").click()
        path = "window.jupyterapp.shell.currentWidget?.context?.path"
        page.wait_for_function(f"() => {path} === 'reader/01_play_tiles.ipynb'")
        self.lab.wait()
        assert any(source.startswith("# Play tiles") for source in self.lab.cells())
