"""What the reader has done, told apart by notebook, and the buttons that export and delete it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from galleries import HOSTILE, Tags, write

from cogkit.app import own_data
from cogkit.core.study import Study
from cogkit.study.sitting import ITEMS, Sitting
from cogkit.study.trials import Trials

STUDY = Study(
    "tiles", lambda seed: "any", lambda condition, seed: [0, 1, 2],
    lambda presentation, response: {"response": response, "correct": 1, "done": True}, source="generated",
)  # fmt: skip


def play(answers: int, phase: str = "free", who: str | None = None, **changes) -> Sitting:
    sitting = Sitting.begin(replace(STUDY, phases={ITEMS: phase}, **changes), 0, Trials(), who)
    for _ in range(answers):
        sitting.answer(1)
    return sitting


@pytest.fixture
def tiles(folder) -> Path:
    """Four notebooks: three of tiles and one of another instrument."""
    for name in ("01_play_tiles", "02_task_metamers", "03_tile_agents"):
        write(folder, name, f"# {name}", instrument="tiles")
    write(folder, "04_other", instrument="blocks")
    return folder


def done() -> dict[str, tuple]:
    return {row.notebook: (row.answers, row.sittings, row.stopped) for row in own_data.progress()}


def test_one_notebooks_answers_are_not_anothers(tiles):
    play(2)
    assert done() == {"01_play_tiles": (2, 1, "item 3 of 3 is next")}
    play(3, "blind")
    play(1, "study", source="sitting")
    play(1, source="published")  # free play on the paper's boards
    play(1, "whatever", instrument="blocks")
    assert done() == {
        "01_play_tiles": (3, 2, "item 2 of 3 is next"),
        "02_task_metamers": (3, 1, "finished"),
        "03_tile_agents": (1, 1, "item 2 of 3 is next"),
        "04_other": (1, 1, "item 2 of 3 is next"),
    }


def test_a_sitting_belongs_to_the_notebook_that_it_was_begun_in(tiles, monkeypatch):
    sessions = ("course/03_tile_agents.ipynb", "reader/03_tile_agents-Copy1.ipynb", "course/homework.ipynb")
    for session in sessions:
        monkeypatch.setenv("JPY_SESSION_NAME", session)
        play(1, "blind")
    # the last has a name of the reader's own: its answers are told apart by what they are
    assert {name: sittings for name, (_, sittings, _) in done().items()} == {"02_task_metamers": 1, "03_tile_agents": 2}


def test_the_table_links_to_each_notebook_and_shows_no_pseudonym(tiles):
    play(2, who=HOSTILE)
    write(tiles, "01_play_tiles", f"# {HOSTILE}", instrument="tiles")
    page = Tags(own_data.progress()._repr_html_())
    assert page.all("a", "href") == ["01_play_tiles.ipynb"]
    assert {tag for tag, _ in page.tags} == {"table", "thead", "tbody", "tr", "th", "td", "a"}
    assert "".join(page.text).count(HOSTILE) == 1  # the title
    assert repr(own_data.progress()) == "01_play_tiles: 2 answers in 1 sitting; item 3 of 3 is next."


def test_the_link_leads_to_the_sitting_that_is_half_done(tiles):
    headings, places = ["## Play\n\nSome text.", "## Sit the study"], {"study": "Sit the study"}
    write(tiles, "01_play_tiles", "# Play tiles", headings, instrument="tiles", places=places)
    play(1, "study", source="sitting")
    play(3)
    (row,) = own_data.progress()
    assert (row.answers, row.sittings, row.stopped) == (4, 2, "item 2 of 3 is next")
    assert row.link == "01_play_tiles.ipynb#Sit-the-study"
    sitting = Sitting.open(replace(STUDY, phases={ITEMS: "study"}, source="sitting"), Trials())
    sitting.answer(1), sitting.answer(1)
    assert own_data.progress()[0].link == "01_play_tiles.ipynb#Sit-the-study"
    play(1)
    assert own_data.progress()[0].link == "01_play_tiles.ipynb#Play"


def test_a_sitting_that_was_opened_is_counted_nowhere(tiles):
    play(0), play(2)
    assert done() == {"01_play_tiles": (2, 1, "item 3 of 3 is next")}
    assert [label for label, _ in own_data.OwnData().which.options][0] == "all sittings (1 sitting)"


def test_the_export_holds_every_answer(tiles, tmp_path):
    play(2)
    panel = own_data.OwnData(folder=tmp_path)
    panel.save.click()
    csv, parquet = pd.read_csv(tmp_path / "my_trials.csv"), pd.read_parquet(tmp_path / "my_trials.parquet")
    assert len(csv) == len(parquet) == 3 and list(csv.columns) == list(parquet.columns) == list(Trials().frame())
    assert parquet.response.tolist() == ["any", "1", "1"] and '"position": 1' in csv.extra.iloc[2]
    assert "my_trials.csv" in panel.status.value


def test_nothing_is_deleted_before_the_question_is_answered(tiles):
    first, second = play(1), play(2)
    panel = own_data.OwnData()
    assert panel.question.layout.display == "none"
    panel.sure.click()  # not to be seen, and nothing was asked
    panel.which.value = first.id
    panel.ask.click()
    assert panel.question.layout.display == "" and "Delete" in panel.status.value and len(Trials().frame()) == 5
    panel.which.value = second.id  # another one is chosen: the question is taken back
    panel.sure.click()
    panel.which.value = first.id
    panel.ask.click()
    panel.keep.click()
    assert panel.question.layout.display == "none" and len(Trials().frame()) == 5
    panel.sure.click()  # the answer was no
    assert len(Trials().frame()) == 5
    panel.ask.click()
    panel.sure.click()
    assert set(Trials().frame().sitting) == {second.id} and panel.question.layout.display == "none"
    assert panel.which.value == ""


def test_all_sittings_go_at_once(tiles):
    play(1), play(2)
    panel = own_data.OwnData()
    assert "2 sittings" in panel.which.label
    panel.ask.click()
    panel.sure.click()
    assert Trials().frame().empty and panel.ask.disabled and panel.save.disabled and "5 rows" in panel.status.value
