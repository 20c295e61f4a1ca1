"""A language model in the tile game: participants who play by plain rules, and games played out beside them by hand."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
from saying import Saying

from cogkit.core.errors import InputError
from cogkit.data import png
from cogkit.extras.models import tiles as lm_tiles
from cogkit.extras.models.lm.prompts import Prompt
from cogkit.extras.models.lm.replies import OUTCOMES, Completion
from cogkit.tiles import scoring
from cogkit.tiles.problems import records
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.boards import Items
from cogkit.ui import theme

COLUMNS = "ABCDEFG"


@cache
def four() -> Items:
    """Return four boards, with four different start tiles."""
    return records.items("copy/abstract", "generated", n=4, seed=5)


def grid_of(text: str) -> list[list[str]]:
    """Return the signs of the grid in a question, row by row."""
    lines = text.split("The grid now:\n")[1].splitlines()
    assert lines[0].split() == list(COLUMNS)
    rows = [line.split() for line in lines[1:8]]
    assert [row[0] for row in rows] == list("1234567") and {len(row) for row in rows} == {8}
    return [row[1:] for row in rows]


def first_covered(prompt: Prompt) -> str:
    """Name the first covered tile, row by row, as read from the text alone."""
    for number, row in enumerate(grid_of(prompt.turns[-1][1]), 1):
        for letter, sign in zip(COLUMNS, row, strict=True):
            if sign == ".":
                return f"{letter}{number}"
    raise AssertionError("nothing is covered")


def played(items: Items, clicks: int = 49) -> list[list[int]]:
    """Return the tiles that a plain loop opens on each board, row by row, until all reds are open."""
    games = []
    for board, start in items:
        left, tiles = int(board.sum()) - 1, []
        for tile in range(49):
            if tile != start and left and len(tiles) < clicks:
                tiles.append(tile)
                left -= int(board.flat[tile])
        games.append(tiles)
    return games


def asked_of(answers, board: int) -> list:
    return [reply for reply in answers.replies[0, board] if reply is not None]


def clicks_of(answers) -> list[list[int]]:
    return [tiles[tiles >= 0].tolist() for tiles in answers.actions[0]]


@pytest.fixture(scope="module")
def row_by_row():
    participant = Saying(lambda prompt: f"I read it row by row.\n\n**ANSWER: {first_covered(prompt)}**")
    return participant, lm_tiles.judge(lm_tiles.Player(participant), four())


def test_a_reader_of_the_text_plays_as_a_plain_loop_does(row_by_row):
    participant, answers = row_by_row
    expected = played(four())
    assert clicks_of(answers) == expected and answers.finished.all() and not answers.missing.any()
    blue = [sum(1 - board.flat[tile] for tile in tiles) for (board, _), tiles in zip(four(), expected, strict=True)]
    assert answers.blue.tolist() == [blue]
    assert len(participant.prompts) == sum(map(len, expected))  # nobody is asked about a board that is over
    assert (answers.who, answers.kind, answers.inputs) == ("a fake, by its words", "model", "board")


def test_every_reply_stands_behind_its_click(row_by_row):
    _, answers = row_by_row
    assert answers.replies.shape == answers.actions.shape
    for at, tile in np.ndenumerate(answers.actions):
        reply = answers.replies[at]
        assert (reply is None) == (tile < 0)
        if reply is not None:
            assert reply.option == tile and reply.prompt.options[reply.choice] == lm_tiles.NAMES[tile]
    trials = answers.to_trials()
    assert len(trials) == sum(map(len, played(four())))
    for tile, extra in zip(trials.response, trials.extra, strict=True):
        assert lm_tiles.NAMES[tile] in extra["text"] and extra["prompt"][0][0] == "user" and extra["phase"] == "judge"
        assert extra["shown"][extra["place"]] == lm_tiles.NAMES[tile]


def test_no_question_tells_what_is_covered_or_the_rule(row_by_row):
    _, answers = row_by_row
    for b, (board, start) in enumerate(four()):
        known, moves = {start}, []
        for tile, reply in zip(clicks_of(answers)[b], asked_of(answers, b), strict=True):
            ((role, text),) = reply.prompt.turns
            assert role == "user"
            for k, sign in enumerate(np.ravel(grid_of(text))):
                assert sign == ("RB"[1 - board.flat[k]] if k in known else ".")
            assert re.findall(r"^\d+\. (\w\d): (\w+), ([+-]\d+)$", text, re.M) == moves
            assert f"Points so far: {sum(int(points) for *_, points in moves)}." in text
            covered = [k for k in range(49) if k not in known]
            assert reply.prompt.options == tuple(lm_tiles.NAMES[k] for k in covered) and reply.order == tuple(covered)
            known.add(tile)
            is_red = bool(board.flat[tile])
            moves.append((lm_tiles.NAMES[tile], "red" if is_red else "blue", "+1" if is_red else "-1"))
    texts = " ".join(reply.prompt.text.lower() for b in range(4) for reply in asked_of(answers, b))
    assert not [word for word in (*RULES, "metamer", "abstract") if word in texts]


def test_a_refusal_ends_the_board_at_once_and_it_is_charged_every_blue_tile():
    def says(prompt):
        return "I'm sorry, I cannot help with that." if "\n2. " in prompt.text else f"ANSWER: {first_covered(prompt)}"

    participant = Saying(says)
    answers = lm_tiles.judge(lm_tiles.Player(participant), four())
    assert clicks_of(answers) == played(four(), clicks=2) and len(participant.prompts) == 3 * 4
    assert answers.missing.all() and not answers.finished.any()
    assert answers.charged.tolist() == [[49.0 - board.sum() for board, _ in four()]]
    assert answers.replies.shape == (1, 4, 3)
    assert [[reply.outcome for reply in asked_of(answers, b)] for b in range(4)] == [["answered"] * 2 + ["refused"]] * 4
    rows = {row["metric"]: (row["value"], row["n"]) for row in scoring.result_rows(answers)}
    shares = {name: (4 / 12 if name == "refused" else 0.0, 12) for name in OUTCOMES[1:]}
    assert {name: rows[name] for name in OUTCOMES[1:]} == shares and rows["finished"] == (0, 4)
    last = answers.to_trials().query("response.isna()")
    assert [(extra["step"], extra["done"], extra["outcome"]) for extra in last.extra] == [(3, True, "refused")] * 4


def test_what_names_no_covered_tile_is_no_answer():
    for says, outcome in (
        (lambda prompt: f"ANSWER: {lm_tiles.NAMES[np.ravel(grid_of(prompt.text)).tolist().index('R')]}", "unparsed"),
        (lambda prompt: "Bananas.", "unparsed"),
        (lambda prompt: Completion("I go through all rows, and", "length"), "truncated"),
        (lambda prompt: Completion(problem="no connection"), "failed"),
        (lambda prompt: Completion("", "content_filter"), "refused"),
    ):
        answers = lm_tiles.judge(lm_tiles.Player(Saying(says)), four())
        assert answers.actions.tolist() == [[[-1]] * 4] and answers.missing.all()
        assert [reply.outcome for reply in answers.replies.ravel()] == [outcome] * 4
        assert answers.charged.tolist() == [[49.0 - board.sum() for board, _ in four()]]
        assert answers.to_trials().response.isna().all()
    with pytest.raises(InputError, match="which may leave a question unanswered: profile='verified'"):
        lm_tiles.judge(lm_tiles.Player(Saying(first_covered)), four(), profile="as_published")
    with pytest.raises(InputError, match="how='text' for pictures"):
        lm_tiles.Player(Saying(first_covered), "mean", pictures=True)


def test_pictures_show_the_open_tiles_and_no_others():
    items = Items(four().boards[:2], four().starts[:2], four().task, four().source)
    player = lm_tiles.Player(Saying(lambda prompt: f"ANSWER: {prompt.options[0]}"), pictures=True)
    answers = lm_tiles.judge(player, items)
    assert answers.inputs == "pixels" and clicks_of(answers) == played(items) and answers.finished.all()
    for b, (board, start) in enumerate(items):
        known = {start}
        for tile, reply in zip(clicks_of(answers)[b], asked_of(answers, b), strict=True):
            (content,) = reply.prompt.pictures
            pixels = png.unpack(content, "RGB", lambda width, height: width == height, "a square")
            corners = pixels[36 + 6 :: 48, 36 + 6 :: 48][:7, :7].reshape(49, 3)  # of each tile, near its upper left
            colours = ["#{:02X}{:02X}{:02X}".format(*corner) for corner in corners.tolist()]
            assert {k for k in range(49) if colours[k] == theme.RED} == {k for k in known if board.flat[k]}
            assert {k for k in range(49) if colours[k] == theme.BLUE} == {k for k in known if not board.flat[k]}
            assert len({colours[k] for k in range(49) if k not in known}) == 1
            known.add(tile)
