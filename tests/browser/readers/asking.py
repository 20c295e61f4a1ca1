"""What a reader does in the notebook that asks a language model."""

from __future__ import annotations

from readers.base import Reader


class AskAModel(Reader):
    """12: questions beside a recorded model, by the mouse and by keys; then the reader stands in table and figure."""

    sit, figure_cell = "seat = beside.sit", "figures.one_task("

    def widget(self):
        return self.lab.find(self.sit).locator(".ck-duo")

    def at(self, words: str) -> None:
        """Wait until the line above the box says this."""
        self.widget().locator(".ck-facts", has_text=words).wait_for()

    def partly(self) -> None:
        """Two questions: the first wrong, by the mouse; the second right, by a key."""
        widget = self.widget()
        assert len(self.rows()) == 0 and self.lab.evaluate("seat.scene['answer'] is None")
        assert self.lab.evaluate("seat.scene['task']") == "mewl/shape"
        self.at("Question 1 of 20")
        assert widget.locator(".ck-result").is_hidden()
        wrong = (self.lab.evaluate("seat.correct") + 1) % 5
        widget.locator(".ck-option").nth(wrong).click()
        widget.locator(".ck-result table").wait_for()
        widget.get_by_role("button", name="Next").click()
        self.at("Question 2 of 20")
        self.lab.page.keyboard.press(str(self.lab.evaluate("seat.correct") + 1))
        self.at("you: 1 of 2 right")

    def check_unchanged(self) -> None:
        self.at("you: 1 of 2 right")
        assert self.widget().locator(".ck-result table").is_visible()

    def finish(self) -> None:
        """The other questions, all of them right; then the star is where it belongs."""
        self.lab.evaluate("[seat.choose(seat.correct) for _ in range(18)]")
        self.lab.evaluate("seat.next()")
        self.at("All done")
        self.run("figures.players_table(", self.figure_cell)
        (star,) = self.stars(self.figure_cell)
        table = "figures.players(opponent, rows, seat.task)"
        assert star[2] > 0 and self.lab.evaluate(f"{table}.query('kind == \"you\"').value.tolist()") == [0.95]

    def reloaded(self) -> None:
        self.at("All done")
