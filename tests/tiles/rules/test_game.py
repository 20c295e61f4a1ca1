"""The game against a plain transcription of its rules, and each option against what the facts say of it."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.rules.game import PROFILES, Game, GameConfig

L_SHAPE = np.zeros((7, 7), int)
L_SHAPE[2:5, 1] = L_SHAPE[4, 1:3] = 1  # reds at tiles 15, 22, 29, 30


def naive_game(board, start, actions, limit):
    """The rules of § 3 of the facts in plain Python: rewards and the state after every click."""
    board, opened, left = np.ravel(board).tolist(), {int(start)}, int(np.sum(board)) - 1
    rewards, blue = [], 0
    for step, tile in enumerate(actions, 1):
        if tile in opened:
            rewards.append(-2)
        elif board[tile]:
            left -= 1
            rewards.append(10 if left == 0 else 1)
        else:
            blue += 1
            rewards.append(-1)
        opened.add(tile)
        if left == 0 or step == limit:
            break
    return rewards, blue, left, opened


def test_every_game_follows_the_plain_rules():
    n, rng = 160, np.random.default_rng(0)
    boards = (rng.random((n, 7, 7)) < 0.2).astype(int)
    boards[:, 3, 3] = boards[:, 0, 0] = 1
    actions = rng.integers(0, 49, (200, n))
    game = Game(boards, np.full(n, 24), GameConfig(step_limit=60, mask=False))
    rewards = []
    for row in actions:
        reward, done = game.step(row)
        rewards.append(reward)
    for k in range(n):
        expected, blue, left, opened = naive_game(boards[k], 24, actions[:, k].tolist(), 60)
        assert [r[k] for r in rewards[: len(expected)]] == expected
        assert not any(r[k] for r in rewards[len(expected) :])
        assert game.score[k] == sum(expected) and game.blue[k] == blue and game.steps[k] == len(expected)
        assert game.finished[k] == (left == 0) and game.done[k]
        assert set(np.flatnonzero(game.shown[k] >= 0).tolist()) == opened
        assert (game.shown[k][list(opened)] == boards[k].ravel()[list(opened)]).all()


def test_a_board_whose_only_red_is_the_start_is_over_at_once():
    board = np.zeros((7, 7))
    board[1, 1] = 1
    assert Game(board, [8]).finished[0]


def last_click(game):
    view = game.view()
    return int(view.last_action[0]), float(view.last_reward[0])


TOLD = {  # of the click before, or one click older and carried into the next board, not cleared at the reset
    "verified": ([(-1, 0), (22, 1), (0, -1), (29, 1), (30, 10)], [(-1, 0), (22, 1)]),
    "as_published": ([(-1, 0), (-1, 0), (22, 1), (0, -1), (29, 1)], [(30, 10), (30, 10)]),
}


def test_what_is_told_is_of_the_click_before_or_lags_and_is_carried_over():
    items = Items(L_SHAPE, [15], "l/abstract", "test")
    for profile, expected in TOLD.items():
        game, traces = Game(items.boards, items.starts, PROFILES[profile]), []
        for clicks in ((22, 0, 29, 30), (22,)):
            trace = [last_click(game)]
            for tile in clicks:
                game.step([tile])
                trace.append(last_click(game))
            traces.append(trace)
            game.restart([0], items, [0])
        assert (*traces,) == expected, profile
        assert game.steps[0] == 0 and game.left[0] == 3


def test_mask_shows_the_covered_tiles_only_where_the_profile_masks():
    game = Game(L_SHAPE, [15])
    game.step([0])
    assert set(np.flatnonzero(~game.view().mask[0])) == {0, 15}
    assert Game(L_SHAPE, [15], PROFILES["as_published"]).view().mask.all()


def test_a_view_cannot_be_written_to_and_holds_only_what_was_asked_for():
    view = Game(L_SHAPE, [15]).view()
    with pytest.raises(ValueError, match="read-only"):
        view.board[0, 0] = 1
    narrow = view.only(["mask"])
    assert narrow.board is None and narrow.last_action is None and narrow.mask is not None
    with pytest.raises(InputError, match="did you mean 'board'"):
        view.only(["bord"])


def test_bad_boards_and_starts_are_named_in_one_sentence():
    for boards, starts, words in (
        (np.zeros((6, 7)), [0], r"7×7 tiles.*got shape \(1, 6, 7\)"),
        (np.full((7, 7), 2), [0], r"0 \(blue\) or 1 \(red\), got 2 at row 0, column 0 of board 0"),
        (np.full((7, 7), np.nan), [0], r"0 \(blue\) or 1 \(red\), got nan"),
        (np.full((7, 7), "1"), [0], "values of type"),
        (np.zeros((7, 7)), [0], "at least one red tile, got no red tile on board 0"),
        (L_SHAPE, [0], "red start tiles between 0 and 48, got 0 for board 0"),
        (L_SHAPE, [49], "between 0 and 48, got 49"),
        (L_SHAPE, [[2, 7]], r"between 0 and 6, got \[2, 7\]"),
        (L_SHAPE, [15, 15], "1 whole tile numbers"),
        ([[0, 1], [1]], [0], "7×7 tiles"),
    ):
        with pytest.raises(InputError, match=words):
            Game(boards, starts)


def test_bad_clicks_and_rules_of_play_are_refused():
    game = Game(L_SHAPE, [15])
    for actions in ([49], [-1], [1.5], [1, 2], 3):
        with pytest.raises(InputError, match="tile"):
            game.step(actions)
    assert game.steps[0] == 0
    for field, value in (("previous_action_reward", "lag"), ("unfinished", "none")):
        with pytest.raises(InputError):
            GameConfig(**{field: value})
