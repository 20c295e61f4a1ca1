"""Every notebook in a person's hands: opened, run, used, run again, finished, reloaded and opened on another day.

One kernel a notebook, from an empty home, nothing trained or answered in the reader's place. COGKIT_SCREENSHOTS names a
folder for pictures of whole notebooks.
"""

from __future__ import annotations

import os
from itertools import product

import looking
import pytest
from lab import DARK, LIGHT
from readers import asking, bongard, classroom, equivalence, generalization, mewl, scale, start, tiles

READERS = {
    "00_start_here": start.StartHere,
    "01_play_tiles": tiles.PlayTiles,
    "02_task_metamers": tiles.Metamers,
    "03_tile_agents": tiles.TileAgents,
    "04_people_and_agents": tiles.PeopleAndAgents,
    "05_bongard_logo": bongard.BongardLogo,
    "06_bongard_learners": bongard.BongardLearners,
    "07_word_learning": mewl.WordLearning,
    "08_word_learners": mewl.WordLearners,
    "09_stimulus_equivalence": equivalence.StimulusEquivalence,
    "10_gr_star": generalization.GRStar,
    "11_one_scale": scale.OneScale,
    "12_ask_a_model": asking.AskAModel,
    "13_a_class": classroom.AClass,
}
WIDE, NARROW = (1280, 800), (1024, 768)
SECONDS = 2.0  # cells that took longer are run again from the bottom to the top in the whole matrix alone
WIDGETS = ".jp-Notebook .jp-OutputArea-output :is(.cogkit-widget, .cogkit-run)"
# The left part of the window, where the file browser stands.
FILES = "() => { const {shell} = window.jupyterapp; shell.expandLeft(); return !shell.leftCollapsed; }"
TALL = """() => {
    const cells = document.querySelectorAll(".jp-Notebook .jp-Cell");
    cells[0].scrollIntoView();
    return cells[cells.length - 1].getBoundingClientRect().bottom + 80;
}"""


class Onlooker:
    """Looks at the page after each step, and remembers what is wrong, so that one run tells everything."""

    def __init__(self, lab, name: str, whole: bool) -> None:
        self.lab, self.name, self.whole, self.faults = lab, name, whole, []

    def use(self, size: tuple[int, int], theme: str) -> None:
        self.lab.resize(*size)
        if self.lab.page.evaluate("document.body.dataset.jpThemeLight") != str(theme == LIGHT).lower():
            self.lab.use_theme(theme)

    def look(self, step: str, *views: tuple[tuple[int, int], str]) -> None:
        """Note whatever is cut, sideways, an error or a barrier in these views, or in all in the whole matrix."""
        views = tuple(product((WIDE, NARROW), (LIGHT, DARK))) if self.whole else views
        self.faults += [f"{step}: error: {error}" for error in self.lab.errors()]
        self.faults += [f"{step}: {problem}" for problem in self.lab.problems]
        self.lab.problems.clear()
        for size, theme in views:
            self.use(size, theme)
            faults = looking.cut(self.lab) + looking.barriers(self.lab) + looking.figures(self.lab)
            self.faults += [f"{step}, {size[0]} px, {theme.split()[1].lower()}: {fault}" for fault in faults]
            self.picture(f"{step}_{size[0]}_{theme.split()[1].lower()}", size)
        self.use(*(views[-1] if views and not self.whole else (WIDE, LIGHT)))

    def picture(self, step: str, size: tuple[int, int]) -> None:
        """Keep a picture of the whole notebook, not of the window alone, where somebody wants it."""
        if os.environ.get("COGKIT_SCREENSHOTS"):
            height = min(round(self.lab.page.evaluate(TALL)), 16_000)
            self.lab.resize(size[0], height)
            self.lab.page.evaluate(TALL)  # back to the top
            looking.picture(self.lab.page, f"person_{self.name}_{step}")
            self.lab.resize(*size)


def run_upwards(lab, most: float) -> list[str]:
    """Run every cell that takes at most so long again, the last one first; return what fails."""
    faults = []
    for number, (seconds, source) in reversed(list(enumerate(zip(lab.seconds(), lab.cells(), strict=True)))):
        if seconds <= most and not lab.run_cell(number):
            faults.append(f"cell {number}, run again: {lab.errors()}: {source}")
    return faults


def drawn(lab, count: int) -> None:
    """Wait until so many widgets are there: what is saved before would be without the others."""
    lab.page.wait_for_function(
        "([widgets, count]) => document.querySelectorAll(widgets).length === count",
        arg=[WIDGETS, count],
        timeout=180_000,
    )


def work_through(name: str, lab, whole: bool) -> None:
    """Do with a notebook what a person does, and look at it after each step: ``whole`` in each width and theme."""
    onlooker = Onlooker(lab, name, whole)
    person = READERS[name](lab, lab.server.home)
    lab.visit(f"reader/{name}.ipynb")
    assert lab.page.evaluate(FILES)
    assert lab.page.locator(".jp-Notebook h1").first.is_visible()
    onlooker.faults += person.look_first()
    onlooker.look("opened")

    assert lab.run_all(), lab.errors()
    onlooker.look("run", (WIDE, LIGHT))
    person.partly()
    answers = person.rows()
    assert lab.run_all(), lab.errors()
    assert person.rows().equals(answers), "a second Run All answered for the reader, or lost an answer"
    person.check_unchanged()
    onlooker.look("again")

    person.finish()
    answers = person.rows()
    onlooker.faults += run_upwards(lab, 600 if whole else SECONDS)
    assert person.rows().equals(answers)
    onlooker.look("finished", (WIDE, LIGHT))
    count = lab.page.locator(WIDGETS).count()
    lab.reload()
    drawn(lab, count)
    person.reloaded()
    onlooker.look("reloaded")
    lab.reopen()
    drawn(lab, count)
    asleep = lab.page.locator(".ck-asleep:visible").all_inner_texts()
    assert len(asleep) == count and all("Run this cell" in text for text in asleep)
    onlooker.look("reopened", (NARROW, DARK))
    person.leave()
    lab.leave()  # an empty page has a new theme at once
    onlooker.use(WIDE, LIGHT)
    if onlooker.faults:
        pytest.fail("\n".join([f"{len(onlooker.faults)} faults", *onlooker.faults]), pytrace=False)
