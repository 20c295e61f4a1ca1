"""A language model plays the tile game: it reads the grid, or looks at it, and names one covered tile at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from cogkit.data import png
from cogkit.extras.models.interview import Interview
from cogkit.extras.models.lm.learner import PromptedLearner
from cogkit.extras.models.lm.prompts import CUE, Prompt, closing, fingerprint
from cogkit.tiles import scoring
from cogkit.tiles.instrument import INSTRUMENT
from cogkit.tiles.people.study import sitting
from cogkit.tiles.problems.text import COLUMNS, LEGEND, NAMES, NAMING, grid
from cogkit.tiles.rules.boards import SIZE, TILES, Items
from cogkit.tiles.rules.game import BLUE, COVERED, NO_ACTION, RED, VIEW_FIELDS, View

Clicks = tuple[tuple[int, int], ...]  # tiles in the order of opening, each with its points

_WORDS = {RED: "red", BLUE: "blue"}
_RULES = f"""\
This is a game on a grid of {SIZE} columns and {SIZE} rows of tiles. Some tiles are red and all others are blue. The \
red tiles form a two-dimensional pattern. At first one red tile is open, and all other tiles are covered.

You open one covered tile at a time. A red tile scores one point, a blue tile costs one, and the last red tile scores \
ten. The game ends when all red tiles are open. Find them with as few blue tiles as you can.

{NAMING}"""
_SEEN = (
    "In the picture of the grid, a grey square is a covered tile, a red square with a dot is an open red tile, and a "
    "blue square with a dash is an open blue tile."
)
_QUESTION = "Which covered tile do you open next?"

_SIDE, _EDGE = 48, 36  # pixels of a tile, and of the edge with letters and numbers
_PAPER, _INK, _MARK = "#FFFFFF", "#222222", "#FFFFFF"
_FILL = {COVERED: "#BDBDBD", RED: "#D55E00", BLUE: "#0072B2"}


class Player(PromptedLearner):
    """A language model that plays the tile game, each board on its own.

    It may name a covered tile and no other: what is open already is no answer. A question without an answer ends the
    board.

    Parameters are those of `lm.learner.PromptedLearner`: ``pictures`` show it the grid as a picture, in place of signs.

    Notes
    -----
    Each question is one turn: the rules, the tiles opened so far, then the grid. A conversation would repeat the grid
    at every click, and soon be several times as long. Here each click adds one line, and all that stands before the
    grid only grows at its end: a cache of what was read before needs to read the last line and the grid alone.
    """

    choose = "argmax"

    def act(self, view: View, state: Sequence[Clicks] | None) -> tuple[np.ndarray, list[Clicks]]:
        """Return the score of each tile of each game, (n, 49), and the clicks so far of each.

        A game without an answer has a row of NaN, and so has one without a tile to choose, which is not asked. The
        scores are those of `lm.learner.PromptedLearner.scores`.
        """
        board, tile, points, mask = (np.asarray(getattr(view, field)) for field in VIEW_FIELDS)
        covered = (board == COVERED) & mask
        games = np.flatnonzero(covered.any(axis=1)).tolist()
        clicks: list[Clicks] = [()] * len(covered) if state is None else list(state)
        for game in games:
            if tile[game] != NO_ACTION:
                clicks[game] = (*clicks[game], (int(tile[game]), int(points[game])))
        options = [np.flatnonzero(covered[game]).tolist() for game in games]
        batch = [self._prompt(board[game], clicks[game], own) for game, own in zip(games, options, strict=True)]
        scores = np.full(covered.shape, np.nan)
        scores[games] = self.scores(self.ask(batch, options), TILES)
        return scores, clicks

    def _prompt(self, board: np.ndarray, clicks: Clicks, options: Sequence[int]) -> Prompt:
        pictures = (png.pack(picture(board)),) if self.pictures else ()
        text = wording(board, clicks, self.pictures)
        text += f" {closing('the name of the tile')}" if self.how == "text" else f"\n\n{CUE}"
        names = tuple(NAMES[tile] for tile in options)
        endings = () if self.how == "text" else tuple(f" {name}" for name in names)
        return Prompt(fingerprint(text, *pictures), (("user", text),), names, endings, pictures, cue=CUE)


def judge(learner: Player, items: Items, *, profile: str = "verified", seed: int = 0) -> scoring.Answers:
    """Return what a model did on each board, with ``pixels`` as its inputs if it saw pictures; see `scoring.judge`."""
    answers = scoring.judge(learner, items, profile=profile, seed=seed)
    return replace(answers, inputs="pixels") if learner.pictures else answers


def wording(board: np.ndarray, clicks: Clicks, pictures: bool = False) -> str:
    """Return the question of one board, from the view of it, (49,), and the clicks so far.

    Examples
    --------
    >>> print(wording(np.array([1, 0] + [-1] * 47), [(1, -1)])[-256:-143])
    Tiles that you opened, and their points:
    1. B1: blue, -1
    <BLANKLINE>
    The grid now:
      A B C D E F G
    1 R B . . . . .
    2 . . . .
    """
    blocks = [f"{_RULES} {_SEEN if pictures else LEGEND}"]
    if clicks:
        lines = [
            f"{n}. {NAMES[tile]}: {_WORDS[int(board[tile])]}, {points:+d}" for n, (tile, points) in enumerate(clicks, 1)
        ]
        blocks.append("\n".join(["Tiles that you opened, and their points:", *lines]))
    blocks.append("The grid now:\n" + ("[picture 1]" if pictures else grid(board)))
    blocks.append(f"Points so far: {sum(points for _, points in clicks)}. {_QUESTION}")
    return "\n\n".join(blocks)


def picture(board: np.ndarray) -> np.ndarray:
    """Return a view of one board, (49,), as pixels: (height, width, 3) uint8.

    Examples
    --------
    >>> picture(np.full(49, COVERED)).shape
    (372, 372, 3)
    """
    width = _EDGE + SIZE * _SIDE
    image = Image.new("RGB", (width, width), _PAPER)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(_EDGE * 2 / 3)
    for k, letter in enumerate(COLUMNS):
        middle = _EDGE + k * _SIDE + _SIDE / 2
        pen.text((middle, _EDGE / 2), letter, _INK, font, "mm")
        pen.text((_EDGE / 2, middle), str(k + 1), _INK, font, "mm")
    for tile, state in enumerate(board.tolist()):
        row, column = divmod(tile, SIZE)
        left, top = _EDGE + column * _SIDE, _EDGE + row * _SIDE
        pen.rectangle((left + 1, top + 1, left + _SIDE - 2, top + _SIDE - 2), _FILL[state])
        x, y = left + _SIDE / 2, top + _SIDE / 2
        if state == RED:
            pen.ellipse((x - 8, y - 8, x + 8, y + 8), _MARK)
        elif state == BLUE:
            pen.rectangle((x - 10, y - 2, x + 10, y + 2), _MARK)
    return np.asarray(image)


INTERVIEW = Interview(
    tasks=INSTRUMENT.tasks,
    items=INSTRUMENT.items,  # boards of our own: a language model may have read the paper's files
    learner=lambda participant, task, **settings: Player(participant, **settings),
    judge=judge,
    result_rows=scoring.result_rows,
    pictures=INSTRUMENT.tasks,
    sitting=sitting,
    n=25,
)
