"""What a reader does in the notebook of all instruments."""

from __future__ import annotations

from readers.base import Reader


class OneScale(Reader):
    """11: a map with filters, tables in folds, and claims in folds; nothing is played here."""

    def partly(self) -> None:
        page = self.lab.page
        rooms, rows = page.locator(".ck-map .ck-room:visible"), page.locator(".ck-map .ck-row:visible")
        everybody = rows.count()
        page.get_by_label("Instrument").select_option("mewl")
        assert rooms.count() == 1 and rows.count() == 9
        page.get_by_label("What it sees").select_option("captions")
        seen = page.locator(".ck-map i:visible").evaluate_all("(marks) => marks.map((mark) => mark.dataset.inputs)")
        assert set(seen) == {"captions"}
        page.get_by_label("What it sees").select_option("")
        page.get_by_label("Instrument").select_option("")
        assert rows.count() == everybody

        box = page.get_by_role("checkbox", name="machine")
        box.focus()
        box.press("Space")
        assert page.locator(".ck-map i.ck-model:visible").count() == 0
        box.press("Space")
        assert page.locator(".ck-map i.ck-model:visible").count() > 0
        before = page.locator(".ck-map i.ck-person").first.bounding_box()
        zero = page.get_by_label("0 stands for")
        zero.focus()
        zero.press("ArrowDown")
        assert zero.input_value() == "floor"
        page.wait_for_function(
            "(x) => document.querySelector('.ck-map i.ck-person').getBoundingClientRect().x !== x", arg=before["x"]
        )
        assert page.locator(".jp-Notebook.jp-mod-editMode").count() == 0

    def finish(self) -> None:
        page = self.lab.page
        fold = page.locator("summary", has_text="mewl: 27 claims")
        fold.focus()
        fold.press("Enter")
        verdict = page.locator("details[open] summary", has_text="does not hold").first
        verdict.click()
        claim = page.locator("details[open] details[open] summary", has_text="people's mean over the tasks is 0.732")
        claim.click()
        assert page.get_by_text("people-s-mean-over-the-tasks-is-0-732").is_visible()
        for opened in (claim, verdict, fold):  # a cell that is not run again would leave them open
            opened.click()

    def leave(self) -> None:
        """A row of the map opens its notebook at its place."""
        page = self.lab.page
        page.locator(".ck-map a.ck-row", has_text="pragmatic").click()
        path = "window.jupyterapp.shell.currentWidget?.context?.path"
        page.wait_for_function(f"() => {path} === 'reader/08_word_learners.ipynb'")
        heading = page.locator(".jp-Notebook:visible h2", has_text="Compare with people")
        heading.wait_for()
        page.wait_for_function(
            "(h) => { const box = h.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }",
            arg=heading.element_handle(),
        )
