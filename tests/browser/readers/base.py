"""What every reader does, whichever the notebook: trains a little, stores answers, finds the stars of a figure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from playwright.sync_api import TimeoutError
from scripts import script

from cogkit.study.trials import BEGIN, Trials

MOST = 30  # presses of Tab from a cell to a widget below it
PROGRESS = "(root) => root.querySelector('progress')?.value > 0"


@dataclass
class Reader:
    """A reader of one notebook; each step leaves the page to the next.

    Attributes
    ----------
    lab : Lab
        The open page.
    home : Path
        Where the reader's answers are stored.
    """

    lab: Any
    home: Path

    panel, maker = "", "figures.TrainPanel"  # the name of the notebook's training panel, and what makes it

    def look_first(self) -> list[str]:
        """Return what is wrong with the page as it is opened."""
        return []

    def partly(self) -> None:
        """Use each widget, none to its end."""

    def check_unchanged(self) -> None:
        """See that a second Run All left everything as it was."""

    def finish(self) -> None:
        """Bring a short sitting to its end, and run the cells that tell of it."""

    def reloaded(self) -> None:
        """See that a reload left everything as it was."""

    def leave(self) -> None:
        """Go where the notebook leads."""

    def rows(self) -> pd.DataFrame:
        """Return every stored answer, without the rows that only say that a sitting began."""
        rows = Trials(self.home / "trials.sqlite").frame(kind="person")
        return rows[rows["item"] != BEGIN].reset_index(drop=True)

    def run(self, *words: str) -> None:
        """Run the cells whose source holds these words, one after the other."""
        sources = self.lab.cells()
        for each in words:
            (number,) = [n for n, text in enumerate(sources) if each in text]
            assert self.lab.run_cell(number), self.lab.errors()

    def figure(self, words: str):
        """Return the last figure of a cell."""
        return self.lab.find(words).locator(".jp-OutputArea-output:has(.main-svg)").last

    def stars(self, words: str) -> list:
        """Return the reader's stars in the last figure of a cell: subplot, value, width."""
        self.figure(words).locator(".main-svg").first.wait_for()
        return self.figure(words).evaluate(script("stars"))

    def walk(self, words: str, goal: str) -> None:
        """Go by keyboard alone from the top of the notebook to a cell, and into it until the focus is within a goal."""
        page = self.lab.page
        page.locator(".jp-Notebook .jp-Cell").first.click()
        page.keyboard.press("Escape")
        (number,) = [n for n, text in enumerate(self.lab.cells()) if words in text]
        active = "() => window.jupyterapp.shell.currentWidget.content.activeCellIndex"
        while page.evaluate(active) < number:  # JupyterLab passes over collapsed cells
            page.keyboard.press("ArrowDown")
        for _ in range(MOST):
            page.keyboard.press("Tab")
            if page.evaluate("(goal) => document.activeElement.closest(goal) !== null", goal):
                return
        raise AssertionError(f"{MOST} presses of Tab do not reach {goal} in the cell {words!r}")

    def train_a_little(self, condition: str = PROGRESS, by_keyboard: bool = False) -> None:
        """Start the training panel, and stop it as soon as it tells what is wanted, such as a first step."""
        maker, page = f"{self.panel} = {self.maker}", self.lab.page
        root = self.lab.find(maker).locator(".cogkit-run")
        root.scroll_into_view_if_needed()
        assert self.lab.evaluate(f"{self.panel}.trained") is False, "Run All trained in the reader's place"
        if by_keyboard:
            self.walk(maker, ".cogkit-run button")
            assert page.evaluate("() => document.activeElement.textContent") == "Start"
            page.keyboard.press("Enter")
        else:
            root.get_by_role("button", name="Start", exact=True).click()
        try:
            self.lab.page.wait_for_function(
                condition, arg=root.element_handle(), timeout=120_000
            )  # a first step may be long
        except TimeoutError:
            here, there = root.inner_text(), self.lab.evaluate(f"{self.panel}.scene['status'], {self.panel}.running")
            raise AssertionError(f"no step after Start; the page shows {here!r}, the kernel {there}") from None
        if by_keyboard:
            page.keyboard.press("Tab")
            assert page.evaluate("() => document.activeElement.textContent") == "Stop"
            page.keyboard.press("Enter")
        else:
            root.get_by_role("button", name="Stop", exact=True).click()
        self.lab.wait_until(f"{self.panel}.running", False)
        self.steps = self.lab.evaluate(f"{self.panel}.result.steps")
        assert self.steps > 0

    def is_still_trained(self) -> None:
        assert self.lab.evaluate(f"{self.panel}.trained") is True
        assert self.lab.evaluate(f"{self.panel}.result.steps") == self.steps
