"""What a reader does in the notebooks of MEWL."""

from __future__ import annotations

from readers.base import Reader

# What the keys call, from wherever the sitting stands to its end; each name right.
PLAYED = """[sitting.answer(sitting.correct) if sitting.sitting.phase in ("check", "answer") else sitting.next()
    for _ in iter(lambda: sitting.over, True)]"""


def wait_for(widget, words: str) -> None:
    """Wait until the line above a widget says this."""
    widget.locator(".ck-head", has_text=words).wait_for()


class WordLearning(Reader):
    """07: a sitting of twelve items, and an explorer."""

    learn, figure_cell = "sitting = mewl.sit", "display(figures.readable(people.ordering"

    def widget(self):
        return self.lab.find(self.learn).locator(".ck-learn")

    def partly(self) -> None:
        """The tutorial and its check by mouse, the first item by a key, and wrong."""
        learn = self.widget()
        assert len(self.rows()) == 0  # what programs play is not kept
        assert self.lab.evaluate("explorer.seen, explorer.scene['answer']") == (0, None)  # nor moves the reader's own
        for step in (1, 2, 3):
            wait_for(learn, f"Tutorial, step {step} of 4")
            learn.get_by_role("button", name="Next").click()
        wait_for(learn, "Tutorial, step 4 of 4")
        right = self.lab.evaluate("sitting.correct")
        learn.locator(".ck-option").nth(right).click()
        wait_for(learn, "Item 1 of 12")
        wrong = (self.lab.evaluate("sitting.correct") + 1) % 5
        learn.get_by_role("button").first.focus()
        self.lab.page.keyboard.press(str(wrong + 1))
        wait_for(learn, "Item 2 of 12")
        phases = [extra["phase"] for extra in self.rows()["extra"]]
        assert phases == [*["tutorial"] * 3, "check", "answer"]

    def check_unchanged(self) -> None:
        wait_for(self.widget(), "Item 2 of 12")

    def finish(self) -> None:
        self.lab.evaluate(PLAYED)
        rows = self.rows()
        answers = rows[[extra.get("phase") == "answer" for extra in rows["extra"]]]
        assert len(answers) == 12 and answers["correct"].tolist() == [0, *[1] * 11]
        self.run(self.figure_cell)
        share = answers["correct"][[not extra["attention"] for extra in answers["extra"]]].mean()
        (star,) = self.stars(self.figure_cell)
        assert star[2] > 0 and round(self.lab.evaluate("mine.value.tolist()")[0], 9) == round(share, 9)


class WordLearners(Reader):
    """08: five items beside the learners, and a panel that trains a network."""

    panel, using, figure_cell = "panel", "mine = await", "figures.by_inputs(everybody)"

    def widget(self):
        return self.lab.find("figures.Beside").locator(".ck-learn")

    def partly(self) -> None:
        """One name by the mouse and one by a key, both right; then a little training."""
        assert self.lab.evaluate("len(beside.scores())") == 0
        self.lab.find(self.using).get_by_text("a network that we trained").wait_for()
        widget = self.widget()
        for number in (1, 2):
            wait_for(widget, f"Item {number} of 5")
            assert widget.locator(".ck-others").is_hidden()
            right = self.lab.evaluate("beside.correct")
            if number == 1:
                widget.locator(".ck-option").nth(right).click()
            else:
                self.lab.page.keyboard.press(str(right + 1))
            widget.locator(".ck-others table").wait_for()
            names = widget.locator(".ck-others thead").inner_text().strip().split("\t")[-3:]
            assert names == ["◆ slot transformer", "ideal observer", "text alone"]
            widths = widget.locator(".ck-picture").evaluate_all("(all) => all.map((one) => one.clientWidth)")
            assert min(widths) >= 120
            if number == 1:
                widget.get_by_role("button", name="Next").click()
        self.train_a_little()

    def check_unchanged(self) -> None:
        self.is_still_trained()
        wait_for(self.widget(), "2 of 2 right so far")
        self.lab.find(self.using).get_by_text("use your network, after").wait_for()
        assert [star[1] for star in self.stars("figures.growth(")] == [1]  # both names were right
        share = self.lab.evaluate("float(own[(own.task == task) & (own.metric == 'accuracy')].value.iloc[0])")
        pink = "[float(x) for t in figures.by_inputs(everybody).data if t.marker.color == '#CC79A7' for x in t.x]"
        assert self.lab.evaluate(pink) == [share]  # in the column of its task, and nowhere else
