"""The page of tiles: one HTML file on which anybody plays boards of the eight rules, the floor and the ideal beside."""

from __future__ import annotations

import html
from importlib import resources
from string import Template
from typing import Any

import numpy as np

from cogkit import __version__
from cogkit.tiles.learners import standards
from cogkit.tiles.learners.observers import BayesGreedy
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import Yardstick
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.rules.game import Game
from cogkit.tiles.views import board, scene
from cogkit.ui.files import in_script, script, source, widget

# From rules that are seen soon, on boards of few clicks, to those that take longer.
ORDER = ("pyramid", "cross", "rectangle", "zigzag", "symmetry", "tree", "copy", "connected")
ROUND, ROUNDS = 5, 2  # boards before the rule is told, and how often
PASSES, SEED = 100, 0  # games of the ideal observer on each board; of the boards and of all games
PAPER = {
    "name": "Kumar et al. 2023, PLoS Computational Biology 19(8): e1011316",
    "address": "https://doi.org/10.1371/journal.pcbi.1011316",
}
TITLE = "Tiles: can you find the rule?"


def page() -> str:
    """Return the text of the HTML file: script, style and data stand in it, and its policy lets it ask nobody.

    It takes some seconds, because floor and ideal observer play every board.
    """
    static = resources.files("cogkit.extras.online.tiles").joinpath("static")
    style = script(__file__, "base.css", "board.css", "page.css", beside=board.__file__)
    files = ("base.js", "asker.js", "sitting.js", "grid.js", "board.js", "web.js", "model.js", "page.js")
    program = f"(() => {{\n{widget(script(__file__, *files, beside=board.__file__))}\n}})();"
    policy = (
        f"default-src 'none'; script-src {source(program)}; style-src {source(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return Template(static.joinpath("page.html").read_text(encoding="utf-8")).substitute(
        policy=policy, title=html.escape(TITLE), style=style, content=in_script(content()), script=program
    )


def content() -> dict[str, Any]:
    """Return what the page holds of every rule, in values that JSON can hold.

    Under ``rules``, in the order of the page: name, words, and ``rounds`` of boards. A board has its colours, its
    start, the ``rows`` of others that stand beside it, and in ``chance`` how probably red each covered tile is to the
    ideal observer at the beginning, in thousandths. A round has ``rows`` too, of the sums over its boards.
    """
    games = {rule: _games(rule) for rule in ORDER}
    rules = [{"name": rule, "words": scene.IN_WORDS[rule], "rounds": _rounds(*own)} for rule, own in games.items()]
    floor = f"{games[ORDER[0]][1].runs:,}"  # as many for each rule
    note = (
        f"Fewer is better. The nearest neighbour knows no rule: mean of {floor} games, ± one standard deviation. "
        f"The ideal observer knows the rule: mean of {PASSES} games."
    )
    return {
        "version": __version__, "seed": SEED, "games": [floor, str(PASSES)], "paper": PAPER, "note": note,
        "rules": rules,
    }  # fmt: skip


def _games(rule: str) -> tuple[Items, Yardstick, np.ndarray]:
    """Return the boards of a rule with what the nearest neighbour and the ideal observer do on them."""
    items = records.items(f"{rule}/abstract", "generated", n=ROUND * ROUNDS, seed=SEED)
    yardstick, ideal = standards.standards(items, PASSES, SEED)
    assert ideal is not None  # the boards have a rule
    return items, yardstick, ideal


def _rounds(items: Items, yardstick: Yardstick, ideal: np.ndarray) -> list[dict[str, Any]]:
    """Return the rounds of a rule from its boards and what others do on them."""
    chance, _ = BayesGreedy.of(items.task.partition("/")[0]).posterior(Game(items.boards, items.starts).shown)
    boards = [
        {
            "board": "".join(map(str, board.ravel())), "start": start, "chance": scene.per_mille(chance[k]),
            "rows": _rows(yardstick.mean[k], yardstick.sd[k], ideal[k]),
        }
        for k, (board, start) in enumerate(zip(items.boards, items.starts.tolist(), strict=True))
    ]  # fmt: skip
    rounds = []
    for first in range(0, len(boards), ROUND):
        part = slice(first, first + ROUND)
        sd = np.sqrt((yardstick.sd[part] ** 2).sum())  # games on different boards are independent
        rounds.append({"boards": boards[part], "rows": _rows(yardstick.mean[part].sum(), sd, ideal[part].sum())})
    return rounds


def _rows(heuristic: float, sd: float, ideal: float) -> list[dict[str, Any]]:
    """Return the rows of others that stand below a person's own, as on the board of the notebooks."""
    expected = {"heuristic": float(heuristic), "heuristic_sd": float(sd), "ideal": float(ideal)}
    return scene.comparison("", ("you", "", ""), 0, expected)["rows"][1:]
