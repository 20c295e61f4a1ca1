"""What a reader does in the notebook of a class."""

from __future__ import annotations

from readers.base import Reader


class AClass(Reader):
    """13: figures of a simulated class; how its students play stands in a closed fold."""

    def partly(self) -> None:
        assert not self.lab.page.get_by_text("z, first ten").first.is_visible()  # nothing is told before it is asked

    def finish(self) -> None:
        page = self.lab.page
        fold = page.locator("summary", has_text="Show how many students play in which way")
        fold.focus()
        fold.press("Enter")
        assert page.locator("details[open] td", has_text="learns on the way").first.is_visible()
        fold.press("Enter")  # a cell that is not run again would leave it open
        assert not page.get_by_text("z, first ten").first.is_visible()
