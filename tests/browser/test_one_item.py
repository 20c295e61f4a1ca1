"""The first thing that a person does: one item played, then Run All; no cell of any notebook fails on so little."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from cogkit.app import notebooks
from cogkit.study.trials import BEGIN, Trials
from cogkit.tiles.people import blind


def wait_for(widget, words: str) -> None:
    """Wait until the line above a widget says this."""
    widget.locator(".ck-head", has_text=words).wait_for()


def one_board(lab, board) -> None:
    reds = "[int(tile) for tile in items.boards[0].ravel().nonzero()[0] if tile != items.starts[0]]"
    clicks = lab.evaluate(reds)
    lab.click_on(board, clicks, len(clicks))
    board.get_by_text("Board done with 0 blue.").wait_for()


def one_problem(lab, solve) -> None:
    solve.get_by_role("button", name="Begin").focus()
    lab.page.keyboard.press("Enter")
    for query in (1, 2):
        wait_for(solve, f"Picture {query} of 2")
        for key in ("ArrowLeft", "3"):
            lab.page.keyboard.press(key)
    solve.get_by_text("One of the two was right").wait_for()


def one_name(lab, learn) -> None:
    for step in (1, 2, 3):
        wait_for(learn, f"Tutorial, step {step} of 4")
        learn.get_by_role("button", name="Next").click()
    for place in ("Tutorial, step 4 of 4", "Item 1 of 12"):
        wait_for(learn, place)
        right = lab.evaluate("sitting.correct")
        learn.locator(".ck-option").nth(right).click()
    wait_for(learn, "Item 2 of 12")


def one_trial(lab, matching) -> None:
    right = lab.evaluate("task.correct")
    matching.locator(".ck-comparisons button").nth(right).click()
    wait_for(matching, "1 right so far")


class Played(NamedTuple):
    """What is played in a notebook: the widget's cell and mark, what a person does, and the rows that it leaves."""

    cell: str
    widget: str
    play: Callable
    phases: Mapping[str, int]
    later: tuple[str, ...] = ()


NOTEBOOKS = {
    "01_play_tiles": Played(
        "board = figures.TileBoard(items, trials", ".cogkit-board", one_board, {"free": 0}, ("04_people_and_agents",)
    ),
    "05_bongard_logo": Played(
        "task = bongard.sit", ".ck-solve", one_problem, {"instructions": 1, "answer": 2}, ("06_bongard_learners",)
    ),
    "07_word_learning": Played(
        "sitting = mewl.sit", ".ck-learn", one_name, {"tutorial": 3, "check": 1, "answer": 1}, ("08_word_learners",)
    ),
    "09_stimulus_equivalence": Played("task = equivalence.sit", ".ck-matching", one_trial, {"training": 1}),
}


def runs(path: Path, folder: Path, home: Path) -> None:
    """Run a notebook as ``cogkit run`` does, for a reader with this home."""
    run = notebooks.execute(path, folder / path.name, {"preset": "quick"}, env={"COGKIT_HOME": str(home)})
    assert run.ok, run.error


@pytest.mark.timeout(600)  # two notebooks, the first of them run twice
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_one_item_then_run_all(name, reader, server, tmp_path):
    played = NOTEBOOKS[name]
    reader.visit(f"reader/{name}.ipynb")
    assert reader.run_to(played.cell), reader.errors()
    widget = reader.find(played.cell).locator(played.widget)
    widget.wait_for()
    played.play(reader, widget)
    assert reader.run_all(), reader.errors()
    assert reader.errors() == []
    rows = Trials(server.home / "trials.sqlite").frame(kind="person")
    answers = rows[rows["item"] != BEGIN]
    assert answers["sitting"].nunique() == 1
    phases = [extra["phase"] for extra in answers["extra"]]
    assert {phase: phases.count(phase) for phase in phases} == {
        phase: count or len(answers) for phase, count in played.phases.items()
    }
    for later in played.later:
        runs(server.root / "reader" / f"{later}.ipynb", tmp_path, server.home)


@pytest.mark.parametrize("boards", [20, 1])  # half a trial, and a whole one of one board
def test_one_board_of_the_blind_trial_then_the_notebook(boards, mirror, tmp_path):
    (tmp_path / "home").mkdir()
    sitting = blind.sit("zigzag", boards, trials=Trials(tmp_path / "home" / "trials.sqlite"), who="p-1")
    sitting.answer("abstract")
    (path,) = [path for path in notebooks.find() if path.stem == "02_task_metamers"]
    runs(path, tmp_path, tmp_path / "home")
