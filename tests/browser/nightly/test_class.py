"""A student of a class in JupyterLab: an exercise is tried, and handed in by keyboard alone."""

from __future__ import annotations

import shutil

import looking
import pytest

from cogkit.extras.classroom import hand_in, pack
from cogkit.study.uploads import uploads

CELLS = (
    "from cogkit.app import exercises\nfrom cogkit.extras.classroom import panel",
    "corner = ...",
    'exercises.check("01-corner", corner)',
    "corner = 35",
    'exercises.check("01-corner", corner)',
    "panel.HandIn()",
)


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    """A lesson of one notebook, as students get it."""
    folder = tmp_path_factory.mktemp("class") / "lesson"
    pack.pack(folder, ["01"], seed=3, title="Abstraction 101", run=False)
    return folder / "student"


@pytest.mark.parametrize("width, theme", [(1280, "JupyterLab Light"), (1024, "JupyterLab Dark")])
def test_a_student_hands_in_by_keyboard_alone(width, theme, lesson, lab, server):
    place = f"lesson-{width}"
    shutil.copytree(lesson, server.root / place)
    page = lab.run_cells(*CELLS, folder=place)
    lab.resize(width)
    lab.use_theme(theme)
    cell = lab.find("panel.HandIn()")
    assert not list((server.root / place).glob("hand-in-*"))  # to run all cells hands nothing in
    cell.locator("input").focus()
    page.keyboard.type("Ada <b>")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    cell.locator("[role=status]", has_text="Written: ").wait_for()
    (path,) = (server.root / place).glob("hand-in-*")
    handed, fault = hand_in.read(*uploads([path]))
    assert fault == "" and handed.name == "Ada <b>"
    assert [(attempt.exercise, attempt.passed, attempt.answer) for attempt in handed.attempts] == [
        ("01-corner", False, "35")  # an answer that is not there yet is no attempt
    ]
    assert "0 of 3 exercises solved, 1 attempt, 0 rows" in cell.locator("[role=status]").inner_text()
    assert looking.barriers(lab) == []
    page.keyboard.press("Enter")  # twice is the same file, written anew
    lab.settle("() => true")
    assert len(list((server.root / place).glob("hand-in-*"))) == 1
