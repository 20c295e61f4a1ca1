"""The cards of the gallery: what they say of a notebook and of the reader, and that nothing in them can run."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import cogkit
from cogkit.app.gallery import gallery
from cogkit.core.contracts import Study
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials

HOSTILE = "<script>alert('x')</script><img src=x onerror=alert(1)> \" onload='y' & </section>"
STUDY = Study(
    "tiles", lambda seed: "any", lambda condition, seed: [0, 1, 2],
    lambda shown, response: {"response": response, "correct": 1, "done": False},
)  # fmt: skip
PICTURE = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(2)'><script>alert(3)</script></svg>"


class Tags(HTMLParser):
    """Collects every tag with its attributes, and the text outside the style."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data) -> None:
        if self.tags and self.tags[-1][0] != "style":
            self.text.append(data)


@pytest.fixture
def folder(tmp_path, monkeypatch, home) -> Path:
    """A notebook folder in place of the project's own: cogkit looks for it beside the package."""
    monkeypatch.setattr(cogkit, "__file__", str(tmp_path / "site" / "cogkit" / "__init__.py"))
    folder = tmp_path / "site" / "cogkit" / "_notebooks"
    (folder / "pictures").mkdir(parents=True)
    return folder


def write(folder: Path, name: str, title: str | list[str] = "# A title", **about) -> None:
    source = title if isinstance(title, list) else [title]
    cells = [{"cell_type": "markdown", "metadata": {}, "source": source}]
    metadata = {"cogkit": about} if about else {}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    (folder / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def play(answers: int, instrument: str = "tiles", **options) -> Sitting:
    sitting = Sitting.begin(replace(STUDY, instrument=instrument), 0, Trials(), **options)
    for _ in range(answers):
        sitting.answer(1)
    return sitting


def cards(shown) -> list[str]:
    return shown.split('<section class="cogkit-card">')[1:]


def test_the_projects_own_notebooks_have_cards(home):
    view = gallery()
    frame = view.to_frame()
    assert frame.columns.tolist() == ["notebook", "question", "cost", "you"] and "00_start_here" in set(frame.notebook)
    assert frame.question.str.len().min() > 10  # each asks something
    images = [attributes["src"] for tag, attributes in Tags(view._repr_html_()).tags if tag == "img"]
    assert len(images) == len(frame) and all(len(source) > 500 for source in images)  # and has a picture


def test_hostile_text_stays_text(folder):
    write(folder, "01_x", f"# {HOSTILE}", question=HOSTILE, instrument=HOSTILE, cost={
        HOSTILE: {"seconds": HOSTILE, "mb": HOSTILE}})  # fmt: skip
    write(folder, "02_<img src=x onerror=alert(4)>\"'&", "# two")
    (folder / "pictures" / "01_x.svg").write_bytes(PICTURE)
    play(2, instrument=HOSTILE, who=HOSTILE)
    page = Tags(gallery()._repr_html_())
    assert {tag for tag, _ in page.tags} == {"style", "div", "section", "img", "h3", "a", "p"}
    allowed = {"class", "src", "alt", "href"}
    assert all(set(attributes) <= allowed for _, attributes in page.tags)
    sources = [attributes["src"] for tag, attributes in page.tags if tag == "img"]
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    # An SVG in an <img> runs no script; it is there as it was written, and nowhere else.
    assert base64.b64decode(sources[0].split(",", 1)[1]) == PICTURE
    text = "".join(page.text)
    assert text.count(HOSTILE) >= 3 and "alert(3)" not in text


def test_a_pseudonym_is_shown_nowhere(folder):
    write(folder, "01_x", instrument="tiles")
    play(1, who=HOSTILE)
    view = gallery()
    assert "script" not in view._repr_html_().split("</style>")[1] and HOSTILE not in repr(view)


@pytest.mark.parametrize("name", ["01_x", "02 with spaces", "03_a#b?c%41", "javascript:alert(1)", "zwölf"])
def test_a_link_leads_to_the_notebook_beside(folder, name):
    write(folder, name)
    (link,) = [attributes["href"] for tag, attributes in Tags(gallery()._repr_html_()).tags if tag == "a"]
    assert unquote(link) == f"{name}.ipynb"
    assert not {"#", "?", ":", " "} & set(link)  # nothing but a name


def test_a_card_says_what_the_notebook_says_of_itself(folder):
    cost = {"quick": {"seconds": 12, "mb": 310}, "lab": {"seconds": 80, "mb": 500}}
    write(folder, "02_b", ["## Second things\n", "more"], question="Why two?", instrument="tiles", cost=cost)
    write(folder, "01_a", "# First", question="Why one?")
    view = gallery()
    first, second = view.cards
    assert (first.name, first.title, first.cost, first.done) == ("01_a", "First", "not measured yet", "")
    assert (second.title, second.question) == ("Second things", "Why two?")
    assert second.cost == "quick: 12 s, 310 MB · lab: 80 s, 500 MB"
    assert second.done == "Nothing of yours yet."
    one, two = cards(view._repr_html_())
    assert "Why one?" in one and "Why two?" in two and 'href="02_b.ipynb"' in two
    assert "Why two?" in repr(view) and view.to_frame().question.tolist() == ["Why one?", "Why two?"]


@pytest.mark.parametrize("source", [[], [""], ["\n", "# Late"], ""])
def test_a_notebook_without_metadata_or_title_still_gives_a_card(folder, source):
    write(folder, "01_bare", source)
    (card,) = gallery().cards
    assert (card.name, card.question, card.cost, card.done) == ("01_bare", "", "not measured yet", "")
    assert card.title in ("01_bare", "Late")
    assert len(cards(gallery()._repr_html_())) == 1


def test_a_notebook_without_cells_still_gives_a_card(folder):
    (folder / "01_empty.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    assert gallery().cards[0].title == "01_empty"


def test_it_counts_the_readers_answers_and_sittings(folder):
    write(folder, "01_x", instrument="tiles")
    write(folder, "02_y", instrument="blocks")
    play(0)  # begun, and nothing answered
    assert gallery().cards[0].done == "Nothing of yours yet."
    for answers in (3, 2):
        last = play(answers)
    day = Trials().frame()["at"].iloc[-1][:10]
    done = gallery().cards
    assert done[0].done == f"You: 5 trials in 2 sittings, last on {day}."
    assert done[1].done == "Nothing of yours yet."
    last.answer(1)
    assert gallery().cards[0].done.startswith("You: 6 trials in 2 sittings")


def test_players_rows_are_not_the_readers(folder):
    write(folder, "01_x", instrument="tiles")
    play(1)
    row = Trials().frame().iloc[-1].to_dict() | {"sitting": "m", "kind": "model", "correct": None, "score": None}
    Trials().add(row | {"rt_s": None})
    assert gallery().cards[0].done.startswith("You: 1 trial")
