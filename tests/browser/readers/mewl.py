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

    def kept(self) -> None:
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
    """08: a panel that trains a network, and the figures that it stands in."""

    panel, figure_cell = "panel", "figures.by_inputs(everybody)"

    def partly(self) -> None:
        self.train_a_little()
        self.lab.do(  # the tutorial of 07, its check and one name, as its keys call
            "from cogkit import mewl",
            "sitting = mewl.sit('shape')",
            "[sitting.next() for _ in iter(lambda: sitting.sitting.phase, 'check')]",
            "[sitting.answer(sitting.correct) for _ in range(2)]",
        )

    def kept(self) -> None:
        self.is_still_trained()
        share = self.lab.evaluate("float(yours[(yours.task == task) & (yours.metric == 'accuracy')].value.iloc[0])")
        star, *others = self.stars(self.figure_cell)
        assert star[0] == "x" and star[2] > 0  # in the column of its task
        stars = "[float(x) for t in figures.by_inputs(everybody).data if t.marker.symbol == 'star' for x in t.x]"
        assert share in self.lab.evaluate(stars)
