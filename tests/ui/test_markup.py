"""Markup in a string of a reader, a learner or a file stays text in every table, fold and figure."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import plotly.io
import pytest
from bs4 import BeautifulSoup
from cases import case
from markup import HOSTILE, PLAIN, structure, texts

from cogkit.app.exercises import Verdict
from cogkit.bongard.views import figures as sheets
from cogkit.bongard.views import style
from cogkit.core.errors import InputError
from cogkit.study.answers import Answers
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.views import Replay, learning_curves
from cogkit.ui import theme
from cogkit.ui.dots import standings
from cogkit.ui.figures import consistency, dots
from cogkit.ui.live import Line, chart
from cogkit.ui.tables import claims_table, folded, readable

PACKAGE = Path(theme.__file__).parents[1]


def _frame(word: str) -> pd.DataFrame:
    index = pd.Index([word, "b"], name=word)
    frame = pd.DataFrame({word: [word, [word]], "who": [word, None], "kind": word, "p": [0.1, 0.2]}, index=index)
    return frame.rename_axis(columns=word)


HTML = {
    "table": lambda word: readable(_frame(word), labels={"p": word, "who": word}),
    "long table": lambda word: readable(pd.DataFrame({"task": [word] * 30, "value": 0.5, "low": 0.1, "high": word})),
    "claims": lambda word: claims_table(
        pd.DataFrame({"claim": word, "holds": [True, False, None], "found": word, "section": word})
    ),
    "fold": lambda word: folded(word, word, f"{word}\n{word}", _frame(word)),
    "verdict": lambda word: Verdict(word, False, word, word),
    "sheet": lambda word: sheets.Sheet(
        {word: [(style.as_picture(["line_normal_1.000-0.500"]), word, word)]}, word, hidden=folded(word, word)
    ),
}


def test_a_table_holds_the_same_elements_whatever_its_texts_are() -> None:
    for name, made in HTML.items():
        hostile, plain = (made(word)._repr_html_() for word in (HOSTILE, PLAIN))
        with case(name):
            assert structure(hostile) == structure(plain)
            assert " ".join(HOSTILE.split()) in " ".join(texts(hostile).split())


def _consistency(word: str):
    row = {"first": word, "second": word, "group": word, "kappa": 0.5, "kappa_max": 0.9, "low": 0.1, "high": 0.8}
    return consistency(pd.DataFrame([row, row]), word, word)


def _dots(word: str):
    rows = pd.DataFrame([
        {"who": word, "kind": kind, "value": 0.5, "source": word, "low": 0.1, "high": 0.9, "n": 9, "panel": word}
        for kind in ("model", "person")
    ])  # fmt: skip
    table = standings(rows, word)
    return dots(table, "share", "line", panel="panel", group="name", title=word, notes=[word], across=word, alt=word)


def _curves(word: str):
    log = pd.DataFrame({"clicks": [1e6, 2e6], "blue": [9.0, 8.0], "validation": [9.5, 8.5]})
    return learning_curves({word: log}, {"floor": 7.0}, word)


def _live(word: str):
    log = pd.DataFrame({"step": [1, 2], word: [0.5, 0.25]})
    return chart(log, {word: word}, {word: [Line("floor", word, 0.5)]}, word)


FIGURES = {"consistency": _consistency, "dots": _dots, "learning curves": _curves, "live": _live}


def strings(value) -> list[str]:
    """Return every text of plain values, except the words that stand for a figure, which are no part of it."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, part in value.items() if key != "meta" for text in strings(part)]
    return [text for part in value for text in strings(part)] if isinstance(value, list | tuple | np.ndarray) else []


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_holds_no_tags_but_its_own(name) -> None:
    """Of what plotly takes for tags, figures have line breaks, bold words, colours and the end of a hover text."""
    figure = FIGURES[name](HOSTILE)
    stored = strings(figure.to_plotly_json())
    assert any("window.ran=1" in text for text in stored)
    for text in stored:
        for tag in BeautifulSoup(text, "html.parser").find_all(True):
            assert tag.name in ("b", "br", "extra", "span"), text
            assert set(tag.attrs) <= {"style"} and "(" not in tag.attrs.get("style", ""), text
    pages = (plotly.io.to_html(FIGURES[name](word), include_plotlyjs=False) for word in (HOSTILE, PLAIN))
    hostile, plain = ([tag for tag, *_ in structure(page)] for page in pages)
    assert hostile == plain


def test_every_figure_of_the_package_is_of_the_kind_that_escapes() -> None:
    maker = re.compile(r"go\.Figure(Widget)?\(|make_subplots\(")
    made = [path for path in PACKAGE.rglob("*.py") if maker.search(path.read_text(encoding="utf-8"))]
    assert {path.name for path in made} == {"theme.py", "alt.py"}  # the latter in an example
    assert type(theme.figure("a")) is type(theme.figure("a", columns=2)) is theme.Figure


def test_no_script_of_a_widget_writes_markup() -> None:
    scripts = list(PACKAGE.rglob("*.js"))
    sinks = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "srcdoc", "createContextualFragment")
    assert len(scripts) > 20
    assert [(path.name, sink) for path in scripts for sink in sinks if sink in path.read_text(encoding="utf-8")] == []


class Stranger:
    """A learner that calls itself whatever it likes."""

    name, kind = "stranger", HOSTILE


def test_a_kind_that_is_none_is_refused() -> None:
    items = Items(np.eye(7), [0], "diagonal/abstract", "test")
    for make in (
        lambda: Replay(items, [[8, 16]], learner=Stranger()),
        lambda: Replay(items, learner=Stranger()),
        lambda: Answers(who="a", kind=HOSTILE, inputs="board", task="a"),
    ):
        with pytest.raises(InputError, match="wanted a kind of"):
            make()
