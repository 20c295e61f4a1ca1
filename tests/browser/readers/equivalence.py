"""What a reader does in the notebook of stimulus equivalence."""

from __future__ import annotations

from readers.base import Reader

from cogkit.equivalence.problems.records import TYPES


class StimulusEquivalence(Reader):
    """09: a sitting of matching to sample, an explorer, and a panel that trains a network."""

    panel, match, figure_cell = "panel", "task = equivalence.sit", "you = people.study.rows("

    def widget(self):
        return self.lab.find(self.match).locator(".ck-matching")

    def partly(self) -> None:
        """One trial of the first block by mouse, and right."""
        right = self.lab.evaluate("task.correct")
        self.widget().locator(".ck-comparisons button").nth(right).click()
        self.widget().locator(".ck-head", has_text="1 right so far").wait_for()
        assert [extra["phase"] for extra in self.rows()["extra"]] == ["training"]
        self.sitting = self.lab.evaluate("task.sitting.id")
        self.train_a_little()

    def check_unchanged(self) -> None:
        assert self.lab.evaluate("task.sitting.id") == self.sitting
        self.widget().locator(".ck-head", has_text="1 right so far").wait_for()
        self.is_still_trained()

    def finish(self) -> None:
        """What a key calls, to the end of the sitting: two blocks learnt by heart, one mistake in the test."""
        assert all(self.lab.evaluate("[task.answer(task.correct) for _ in range(task.plan.length() - 1)]"))
        assert self.lab.evaluate("task.answer((task.correct + 1) % 3)") is False
        assert all(self.lab.evaluate("[task.answer(task.correct) for _ in range(100) if not task.over]"))
        rows = self.rows()
        answers = rows[[extra.get("phase") == "test" for extra in rows["extra"]]]
        assert len(answers) == 54 and (answers["correct"] == 0).sum() == 1
        self.run(self.figure_cell)
        shares = self.lab.evaluate("you[you.metric == 'accuracy, forced choice'].set_index('task').value.to_dict()")
        types = [shares[f"LS/select-reject/standard/{name}"] for name in TYPES]
        assert sorted(types)[1:] == [1, 1, 1] and min(types) in (11 / 12, 17 / 18)
        assert len(self.stars(self.figure_cell)) >= 4
