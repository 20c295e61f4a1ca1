"""Judging: options against plain transcriptions, and numbers against arithmetic done by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.core.records import TRIAL_COLUMNS
from cogkit.tiles import scoring
from cogkit.tiles.learners import floors
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import Yardstick
from cogkit.tiles.rules.boards import Items, decode
from cogkit.tiles.rules.game import PROFILES, Game, GameConfig

BAR = np.zeros((7, 7), int)
BAR[0, :4] = 1
POST = BAR.T.copy()
ITEMS = Items(np.stack([BAR, POST, np.eye(7, dtype=int)]), [0, 0, 24], "lines/abstract", "test")


class Script:
    """Wants tiles in the order of a list, whatever it sees."""

    name, kind, inputs, choose = "script", "model", ("board",), "argmax"

    def __init__(self, order):
        self.order = order

    def act(self, view, state):
        scores = np.zeros(view.board.shape)
        scores[:, self.order] = np.arange(len(self.order), 0, -1)
        return scores, state


def test_actual_blues_are_counted_on_each_board():
    answers = scoring.judge(Script(list(range(49))), ITEMS)
    assert answers.finished.all()
    # Row by row, the blues are those before the last red: none on the bar, 6 in each of 3 rows of the post, and all 42
    # on the diagonal.
    assert answers.blue.tolist() == answers.charged.tolist() == [[0, 18, 42]]


def test_unfinished_boards_are_charged_as_the_profile_says():
    stuck = Script([0])
    open_again = GameConfig(step_limit=5, mask=False)
    assert scoring.judge(stuck, ITEMS, profile=open_again).charged.tolist() == [[0, 0, 0]]
    all_blues = GameConfig(step_limit=5, mask=False, unfinished="all blues")
    assert scoring.judge(stuck, ITEMS, profile=all_blues).charged.tolist() == [[45, 45, 42]]


def test_blocking_books_a_boards_outcome_under_the_next_ones():
    class SolvesOnSecondTry:
        """Wastes the first try at every board, then opens the row-by-row order."""

        kind, inputs, choose = "model", ("board",), "argmax"
        tries = 0

        def act(self, view, state):
            if state is None:
                self.tries += 1
                state = 0
            scores = np.zeros(view.board.shape)
            scores[0, int(ITEMS.starts[0]) if self.tries % 2 else state % 49] = 1
            return scores, state + 1

    answers = scoring.judge(SolvesOnSecondTry(), ITEMS, profile="as_published", passes=4)
    assert answers.played.tolist() == [[0, 0, 1], [1, 2, 2], [0, 0, 1], [1, 2, 2]]
    assert answers.finished.tolist() == [[False, True, False], [True, False, True]] * 2
    # An unfinished try is charged all blues of the board it is booked under, not of the board that was played.
    assert answers.charged[:2].tolist() == [[45, 0, 42], [18, 45, 42]]


class Follows:
    """What it was told of the game before decides where it goes, and its memory keeps that."""

    name, kind, inputs = "follows", "model", ("board", "last_action", "last_reward")

    def act(self, view, state):
        state = view.last_action + (0 if state is None else 5 * state + view.last_reward.astype(int))
        return 3.0 * (np.arange(49) == state[:, None] % 49) - (view.board != -1), state


@pytest.mark.parametrize("step_limit", [40, 60, 90])  # it solves few of the boards, a third, and most
def test_games_of_a_blocked_sequence_are_as_if_played_one_by_one(step_limit):
    items = records.items("tree/abstract", "generated", n=4)
    config = replace(PROFILES["as_published"], step_limit=step_limit)
    answers = scoring.judge(Follows(), items, profile=config, passes=8)
    rng, game = seeding.stream(0, f"judge/follows/{items.task}"), Game(items.boards[:1], items.starts[:1], config)
    board = 0
    for at in np.ndindex(8, 4):
        game.restart([0], items, [board])
        clicks, state = [], None
        while not game.done[0]:
            scores, state = Follows().act(game.view(), state)
            clicks.append(scoring.choose_tiles(scores, game.view().mask, "sample", rng.random(1)).item())
            game.step(clicks[-1:])
        assert answers.actions[at][answers.actions[at] >= 0].tolist() == clicks
        assert (answers.played[at], answers.blue[at], answers.finished[at]) == (board, game.blue[0], game.finished[0])
        board = (board + game.finished[0]) % 4
    assert 0 < answers.finished.mean() < 1


def test_chances_by_hand():
    scores = np.full((1, 49), -np.inf)
    scores[0, [3, 5, 7]] = [0.0, np.log(3), 10.0]
    mask = np.ones((1, 49), bool)
    mask[0, 7] = False
    assert scoring.chances(scores, mask)[0, [3, 5, 7]].tolist() == pytest.approx([0.25, 0.75, 0.0])
    scores[0, 3] = scores[0, 5]
    assert scoring.chances(scores, mask, "argmax")[0, [3, 5]].tolist() == [0.5, 0.5]


def test_sampling_follows_the_softmax_of_the_scores():
    scores = np.log(np.tile([0.5, 0.3, 0.2] + [1e-300] * 46, (n := 20_000, 1)))
    tiles = scoring.choose_tiles(scores, np.ones(scores.shape, bool), "sample", np.random.default_rng(0).random(n))
    for tile, p in enumerate([0.5, 0.3, 0.2]):
        assert abs((tiles == tile).mean() - p) <= 4 * np.sqrt(p * (1 - p) / n)


def test_argmax_breaks_ties_evenly_and_sees_through_rounding():
    scores = np.tile([0.1 + 0.2, 0.3] + [0.0] * 47, (n := 10_000, 1))
    tiles = scoring.choose_tiles(scores, np.ones(scores.shape, bool), "argmax", np.random.default_rng(0).random(n))
    assert set(tiles) == {0, 1}
    assert abs((tiles == 0).mean() - 0.5) <= 4 * np.sqrt(0.25 / n)


def test_impossible_scores_are_named():
    class Broken:
        def act(self, view, state):
            return self.scores, None

    broken = Broken()
    for scores in (np.zeros((1, 48)), np.full((1, 49), np.nan), np.full((1, 49), -np.inf)):
        broken.scores = scores
        with pytest.raises(InputError, match="wanted (one score for each tile|a finite score)"):
            scoring.judge(broken, Items(BAR, [0], "bar/abstract", "test"))
    with pytest.raises(InputError, match="at least one pass"):
        scoring.judge(floors.Random(), ITEMS, passes=0)
    with pytest.raises(InputError, match="always answers.*script, which may leave"):  # where a board comes again
        scoring.judge(Silent([0, 2, 99]), ITEMS, profile="as_published")


class Silent(Script):
    """Goes row by row, and says no more after some clicks of each game; keeps what it was shown."""

    abstains = True
    inputs = ("board", "mask")

    def __init__(self, after):
        super().__init__(list(range(49)))
        self.after, self.seen = np.array(after), []

    def act(self, view, state):
        self.seen.append(view)
        click = 0 if state is None else state
        scores, _ = super().act(view, state)
        return np.where((self.after == click)[:, None], np.nan, scores), click + 1


@pytest.mark.parametrize("unfinished", ["actual", "all blues"])
def test_a_question_without_an_answer_ends_its_board_which_is_charged_every_blue_tile(unfinished):
    learner = Silent([0, 2, 99])
    answers = scoring.judge(learner, ITEMS, profile=GameConfig(unfinished=unfinished))
    clicks = [tiles[tiles >= 0].tolist() for tiles in answers.actions[0]]
    assert clicks == [[], [1, 2], [k for k in range(49) if k != 24]]
    assert answers.missing.tolist() == [[True, True, False]] and answers.finished.tolist() == [[False, False, True]]
    assert answers.blue.tolist() == [[0, 2, 42]] and answers.charged.tolist() == [[45, 45, 42]]
    yardstick = Yardstick(np.array([45.0, 40.0, 42.0]), np.ones(3), 1000)
    assert scoring.z_scores(answers, yardstick).tolist() == [[0, 5, 0]]
    rows = {row["metric"]: row for row in scoring.result_rows(answers, yardstick=yardstick)}
    assert [*rows] == ["blue", "z", "finished", "no answer"] and rows["blue"]["value"] == 44
    assert (rows["no answer"]["value"], rows["no answer"]["n"]) == (pytest.approx(2 / 3), 3)
    assert scoring.wins(answers, yardstick).win.tolist() == [0, 0, 0]
    for click, view in enumerate(learner.seen):  # what is over offers no tile, and what goes on offers the covered ones
        over = np.array([click > 0, click > 2, False])
        assert (view.mask == ((view.board == -1) & ~over[:, None])).all()


def test_a_question_without_an_answer_has_a_trial_row_and_is_read_back():
    answers = scoring.judge(Silent([0, 2, 99] * 2), ITEMS, passes=2)
    trials = answers.to_trials()
    silent = trials[trials.response.isna()]
    assert len(trials) == 2 * (1 + 3 + 48) and silent["item"].tolist() == [ITEMS.name(0), ITEMS.name(1)] * 2
    assert set(silent.correct) == {0} and set(silent.score) == {0}
    assert [(extra["step"], extra["done"]) for extra in silent.extra] == [(1, True), (3, True)] * 2
    again = scoring.from_trials(trials)
    assert len(again) == 2
    for one in again:
        assert one.blue.tolist() == [[0, 2, 42]] and one.finished.tolist() == [[False, False, True]]
        assert one.missing.tolist() == [[True, True, False]] and one.charged.tolist() == [[45, 45, 42]]
    nothing = scoring.from_trials(scoring.judge(Silent([0] * 3), ITEMS).to_trials())[0]
    assert nothing.actions.shape == (1, 3, 0) and nothing.charged.tolist() == [[45, 45, 42]]


def test_only_a_player_that_abstains_may_leave_a_question_unanswered_and_half_a_row_is_a_fault():
    class Insists(Silent):
        abstains = False

    class Halves(Silent):
        def act(self, view, state):
            scores, state = super().act(view, state)
            scores[:, 5:] = 0
            return scores, state

    for learner in (Insists([0, 2, 99]), Halves([0, 2, 99])):
        with pytest.raises(InputError, match="NaN scores"):
            scoring.judge(learner, ITEMS)


class Remembers:
    """Adds up the tiles that it opened, and goes on from there; no two tiles have the same score."""

    name, kind, inputs, choose = "remembers", "model", ("last_action",), "argmax"

    def act(self, view, state):
        state = view.last_action + (0 if state is None else 3 * state)
        return 5.0 * np.arange(49) % 49 + (np.arange(49) == state[:, None] % 49) * 49, state


def test_a_player_with_a_memory_keeps_one_for_each_board_beside_a_board_that_is_over_at_once():
    alone = np.zeros((7, 7), int)
    alone[3, 3] = 1
    items = Items(np.stack([BAR, alone, POST]), [0, 24, 0], "lines/abstract", "test")
    answers = scoring.judge(Remembers(), items, passes=2)
    assert (answers.actions[:, 1] == -1).all() and answers.finished.all()
    for board in (0, 2):
        game, state, clicks = Game(items.boards[[board]], items.starts[[board]], PROFILES["verified"]), None, []
        while not game.done[0]:
            scores, state = Remembers().act(game.view(), state)
            clicks.append(int(np.where(game.view().mask, scores, -np.inf).argmax()))
            game.step(np.array(clicks[-1:]))
        assert [row[row >= 0].tolist() for row in answers.actions[:, board]] == [clicks] * 2


def test_z_and_skill_are_the_formulas():
    answers = scoring.judge(Script(list(range(49))), ITEMS)
    yardstick = Yardstick(np.array([10.0, 10.0, 40.0]), np.array([2.0, 4.0, 8.0]), 1000)
    assert scoring.z_scores(answers, yardstick).tolist() == [[-5.0, 2.0, 0.25]]
    rows = scoring.result_rows(answers, yardstick=yardstick, ideal=np.array([0.0, 2.0, 20.0]))
    by = {row["metric"]: row for row in rows}
    assert set(by) == {"blue", "z", "finished", "skill"}
    assert by["blue"]["value"] == (0 + 18 + 42) / 3 and by["finished"]["value"] == 1
    assert by["skill"]["value"] == pytest.approx((60 - 60) / (60 - 22))
    assert all(row["n"] == 3 and row["low"] <= row["value"] <= row["high"] for row in rows)


def test_trial_rows_replay_to_the_same_games():
    answers = scoring.judge(floors.NearestNeighbour(), ITEMS, passes=2)
    trials = answers.to_trials()
    assert list(trials.columns) == list(TRIAL_COLUMNS)
    assert len(trials) == (answers.actions >= 0).sum()
    assert (1 - trials.correct).sum() == answers.blue.sum()
    for _, clicks in trials.groupby(["sitting", "item"]):
        board = decode(clicks.extra.iloc[0]["board"])
        assert [board.flat[t] for t in clicks.response] == clicks.correct.tolist()
        assert clicks.score.iloc[-1] == 10 and clicks.extra.iloc[-1]["done"]
    assert len(answers.to_trials(limit=7)) == 7


def test_profiles_are_as_the_facts_say():
    assert PROFILES["as_published"] == GameConfig(120, False, "lagged", True, "all blues", "blocking")
    assert PROFILES["verified"] == GameConfig(60, True, "current", False, "actual", "per board")
