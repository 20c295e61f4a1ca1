"""What a reader does in the notebook of GR*."""

from __future__ import annotations

from readers.base import Reader


class GRStar(Reader):
    """10: an explorer whose sliders move ranks, and a panel that trains a suite."""

    panel = "panel"

    def partly(self) -> None:
        cell = self.lab.find("explorer = figures.Explorer")
        slider = cell.get_by_role("slider", name="τ alignment for all")
        slider.focus()
        slider.press("Home")
        self.lab.wait_until("explorer.choices.constants.tau", 0.0)
        machines = "explorer.table.query('side == \"machines\"').nsmallest(8, 'rank').task.tolist()"
        expected = self.lab.evaluate(machines)
        self.lab.page.wait_for_function(
            """(expected) => JSON.stringify([...document.querySelectorAll(".ck-ranks tbody td:nth-child(2)")]
                .map((cell) => cell.innerText)) === JSON.stringify(expected)""",
            arg=expected,
        )
        self.train_a_little()

    def check_unchanged(self) -> None:
        self.is_still_trained()
