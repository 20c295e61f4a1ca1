"""What a reader does in the notebooks of Bongard-LOGO."""

from __future__ import annotations

from readers.base import Reader

from cogkit.bongard.problems.sets import TESTS

# What the keys call, from wherever the sitting stands to its end, and each answer right.
PLAYED = """[{"instructions": task.read, "answer": lambda: task.answer(task.correct, 0.9), "feedback": task.next}
    [task.sitting.phase]() for _ in iter(lambda: task.over, True)]"""
SHARES = "[float(share) for t in {}.data if t.marker.symbol == 'star' for share in t.x]"
YOURS = "#CC79A7"  # the colour of a network that the reader has trained
# The first look at the validation problems.
LOOKED = "(root) => /Right, validation/.test(root.innerText)"


class BongardLogo(Reader):
    """05: a sitting of sixty problems, a browser, a turtle and a builder."""

    solve, figure_cell = "task = bongard.sit", "mine = people.collected()"

    def widget(self):
        return self.lab.find(self.solve).locator(".ck-solve")

    def partly(self) -> None:
        """The first problem by keys, its second picture wrong."""
        self.nothing_is_told()
        solve, page = self.widget(), self.lab.page
        assert len(self.rows()) == 0  # what programs play is not kept
        solve.scroll_into_view_if_needed()
        solve.get_by_role("button", name="Begin").focus()
        page.keyboard.press("Enter")
        for query in (0, 1):
            page.wait_for_function(
                "(words) => document.querySelector('.ck-solve .ck-facts').innerText.includes(words)",
                arg=f"Picture {query + 1} of 2",
                polling=10,
            )
            right = ("positive", "negative").index(self.lab.evaluate("task.correct"))
            page.keyboard.press(("ArrowLeft", "ArrowRight")[right ^ query])
            page.keyboard.press("3")
        solve.get_by_text("One of the two was right").wait_for()
        phases = [extra["phase"] for extra in self.rows()["extra"]]
        assert sorted(phases) == ["answer", "answer", "instructions"]
        self.sitting = self.lab.evaluate("task.sitting.id")

    def nothing_is_told(self) -> None:
        """Concepts wait in closed folds, and demonstrations leave the reader's own turtle, shape and browser alone."""
        problems = self.lab.find("made = sets.one_of_each")
        concepts = self.lab.evaluate("[figures.style.concept(problem) for problem in made.values()]")
        text = problems.locator(".jp-OutputArea").inner_text()
        assert len(concepts) == 3 and not any(concept in text for concept in concepts)
        problems.locator("summary").first.click()
        assert all(concept in problems.locator(".jp-OutputArea").inner_text() for concept in concepts)
        assert self.lab.evaluate("turtle.position, len(builder.program), browser.scene['told']") == (0, 4, "")

    def check_unchanged(self) -> None:
        assert self.lab.evaluate("task.sitting.id") == self.sitting

    def finish(self) -> None:
        self.lab.evaluate(PLAYED)
        rows = self.rows()
        answers = rows[rows["response"].isin(["positive", "negative"])]
        assert len(answers) == 3 * 20 * 2 and answers["correct"].sum() == len(answers) - 1
        self.run(self.figure_cell)
        shares = self.lab.evaluate("mine[mine.metric == 'accuracy'].set_index('task').value.to_dict()")
        first, tests = answers["task"].iloc[0], ("FF", "BA", "abstract")
        assert {task: round(share, 9) for task, share in shares.items() if task in tests} == {
            task: 39 / 40 if task == first else 1.0 for task in tests
        }
        figure = "figures.everybody(pd.concat([floors, people.published(), mine]))"
        assert sorted(self.lab.evaluate(SHARES.format(figure))) == [39 / 40, 1.0, 1.0, 1.0]  # abstract in both columns
        assert len(self.stars(self.figure_cell)) == 4


class BongardLearners(Reader):
    """06: a panel that trains a network, and the figures that it stands in."""

    panel, using = "panel", "mine = await panel.learner"

    def partly(self) -> None:
        assert not (self.home / "results").exists()
        assert "a network that we trained" in self.lab.find(self.using).inner_text()
        self.train_a_little(LOOKED)
        self.lab.do(  # one problem of 05, as its keys call
            "from cogkit import bongard",
            "task = bongard.sit()",
            "task.read()",
            "[task.answer(task.correct, 0.9) for _ in range(2)]",
        )

    def check_unchanged(self) -> None:
        self.is_still_trained()
        assert "your network" in self.lab.find(self.using).inner_text()
        shares = self.lab.evaluate("rows[rows.task.isin(tests)].set_index('task').value.to_dict()")
        assert sorted(shares) == sorted(TESTS)
        marks = "[(t.marker.symbol, float(share)) for t in figures.everybody(everybody).data"
        marks = self.lab.evaluate(f"{marks} if t.marker.color == {YOURS!r} for share in t.x]")
        drawn = {sign: sorted(share for symbol, share in marks if symbol == sign) for sign, _ in marks}
        assert drawn == {"diamond": sorted(shares.values()), "star": [1.0]}  # the network's, and the reader's own
