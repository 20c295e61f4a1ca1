"""Choice scenarios: what a rule settles, counted over its boards; replays in the game; the reader's own choices."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from oracles import frontier

from cogkit.core.errors import InputError
from cogkit.study.sitting import Sitting
from cogkit.study.trials import BEGIN, Trials
from cogkit.tiles import scoring
from cogkit.tiles.learners import floors
from cogkit.tiles.people import scenarios, study
from cogkit.tiles.problems import records
from cogkit.tiles.rules.boards import to_bits
from cogkit.tiles.rules.game import PROFILES
from cogkit.tiles.views import ChoiceTrial
from cogkit.tiles.views import scenarios as draw
from cogkit.ui.alt import describe

SHARES = ["certainly red", "certainly blue", "undetermined"]
find = cache(scenarios.find)


@pytest.fixture
def few() -> list[scenarios.Scenario]:
    return [*find("pyramid"), *find("copy")]


def sit(trials: Trials, boards: int, seed: int = 0) -> str:
    """Finish so many boards of a sitting of the study without a mistake; return its condition."""
    sitting = Sitting.begin(study.STUDY, seed, trials)
    play(sitting, boards)
    return sitting.condition


def play(sitting: Sitting, boards: int) -> None:
    for _ in range(boards):
        board, start = sitting.item
        for tile in np.flatnonzero(board):
            if tile != start:
                sitting.answer(int(tile))


def send(trial: ChoiceTrial, message: dict) -> None:
    """Send a message as the browser does."""
    trial._handle_custom_msg(message, [])


def settled(rule: str, observation) -> list[str]:
    """What all boards of the rule say of each tile that agree with the open tiles and have a red one left."""
    reds, blues = (sum(1 << tile for tile in range(49) if observation[tile] == colour) for colour in (1, 0))
    always, ever = (1 << 49) - 1, 0
    for board in records.support(rule).bits.tolist():
        if board & reds == reds and not board & blues and board != reds:
            always, ever = always & board, ever | board
    words = {(True, True): "certainly red", (False, True): "undetermined", (False, False): "certainly blue"}
    return [
        "open" if (reds | blues) >> tile & 1 else words[bool(always >> tile & 1), bool(ever >> tile & 1)]
        for tile in range(49)
    ]


@pytest.mark.parametrize("rule", scenarios.RULES)
def test_a_scenario_sets_the_rule_against_the_neighbours(use_mirror, rule):
    rule_scenarios = find(rule)
    held_apart = set(to_bits(records.held_apart(rule)).tolist())
    theirs = set(to_bits(records.items(f"{rule}/abstract", "published").boards).tolist())
    for number, scenario in enumerate(rule_scenarios):
        assert (scenario.rule, scenario.number, scenario.name) == (rule, number, f"{rule}/scenario/{number:02d}")
        assert set(scenario.fates) == {*SHARES, "open"}
        assert scenario.fates.tolist() == settled(rule, scenario.observation)
        near = frontier(scenario.observation > 0, set(np.flatnonzero(scenario.observation >= 0)))
        blue = {tile for tile in near if scenario.fates[tile] == "certainly blue"}
        assert scenario.lure == pytest.approx(len(blue) / len(near)) and scenario.lure > 0.5
        (word,) = to_bits(scenario.board[None]).tolist()
        assert word in held_apart and word not in theirs
        opened = {scenario.start, *scenario.clicks}
        assert opened == set(np.flatnonzero(scenario.observation != -1)) and len(opened) == len(scenario.clicks) + 1
        assert all(scenario.observation[tile] == scenario.board.flat[tile] for tile in opened)
    assert [s.lure for s in rule_scenarios] == sorted((s.lure for s in rule_scenarios), reverse=True)
    assert len({s.board.tobytes() for s in rule_scenarios}) == len(rule_scenarios) == 3


class Scribe:
    """A player with a memory, which notes what it is told: it gives tile 48 the chance that its n-th view decides."""

    name, kind = "scribe", "model"

    def __init__(self) -> None:
        self.views = []

    def act(self, view, state):
        state = 0 if state is None else state + 1
        self.views.append((view.board[0].tolist(), int(view.last_action[0]), float(view.last_reward[0])))
        return np.where(view.mask, 0.0, -np.inf) + (np.arange(49) == 48) * np.log(1 + state), state


def test_a_player_follows_every_click_as_in_a_game_of_its_own():
    scenario, player = find("copy")[1], Scribe()
    chance = scenarios.choices(player, scenario, PROFILES["verified"])
    observation, expected, last = [-1] * 49, [], (-1, 0.0)
    observation[scenario.start] = 1
    for tile in (*scenario.clicks, None):
        expected.append((list(observation), *last))
        if tile is not None:
            observation[tile] = int(scenario.board.flat[tile])
            last = (tile, 1.0 if observation[tile] else -1.0)
    assert player.views == expected
    covered = np.array(observation) == -1
    weights = covered * np.where(np.arange(49) == 48, 1 + len(scenario.clicks), 1.0)
    assert covered[48] and chance == pytest.approx(weights / weights.sum())


def test_a_choice_is_one_row_and_no_game(trials, few):
    condition = sit(trials, 25)
    before = study.your_rows(trials, passes=1)
    wins = study.your_wins(trials)
    sitting = scenarios.sit(few, trials)
    first = sitting.item
    red = int(np.flatnonzero(first.fates == "certainly red")[0])
    assert sitting.answer(red, 1.5)
    second = sitting.item
    blue = int(np.flatnonzero(second.fates == "certainly blue")[0])
    assert not sitting.answer(blue, 2.5)
    rows = trials.frame(sitting=sitting.id)
    assert rows["item"].tolist() == [BEGIN, first.name, second.name]
    assert rows["task"].tolist()[1:] == [f"{first.rule}/scenario", f"{second.rule}/scenario"]
    assert rows["response"].tolist()[1:] == [red, blue] and rows["correct"].tolist()[1:] == [1, 0]
    for extra, scenario in zip(rows["extra"][1:], (first, second), strict=True):
        assert extra["phase"] == "scenario" and extra["shown"] == scenario.observation.tolist()
        assert extra["clicks"] == list(scenario.clicks) and "board" not in extra
    assert [extra["fate"] for extra in rows["extra"][1:]] == ["certainly red", "certainly blue"]
    assert scoring.from_trials(rows) == []
    pd.testing.assert_frame_equal(study.your_rows(trials, passes=1), before)
    pd.testing.assert_frame_equal(study.your_wins(trials), wins)
    assert study.finished(trials) == [condition]
    yours = scenarios.your_choices(few, trials)
    assert len(yours) == 2 * 49 and set(yours.who) == {"you"}
    assert yours[yours.chance > 0].tile.tolist() == [red, blue] and yours.chance.sum() == 2
    assert scenarios.your_choices(find("symmetry"), trials).empty  # of another set
    again = scenarios.sit(few, Trials())  # another process
    assert (again.id, again.position) == (sitting.id, 2)
    assert sorted(sitting.items[index].name for index in sitting.order) == sorted(scenario.name for scenario in few)
    assert scenarios.sit(few[:2], trials).id != sitting.id  # other boards are another question
    assert Sitting.open(study.STUDY, trials, seed=5).id != sitting.id


def test_what_is_no_covered_tile_is_refused(few):
    trial = ChoiceTrial(few)
    for tile in (-1, 49, 1.0, "1", None, True, trial.scenario.start):
        with pytest.raises(InputError, match="a covered tile, numbered 0 to 48"):
            trial.choose(tile)
    assert trial.sitting.position == 0 and trial.trials().empty


@pytest.mark.parametrize("played", ["24 boards", "25 free boards", "five of five boards"])
def test_choices_before_twenty_five_boards_stand_apart(trials, few, played):
    if played == "24 boards":
        sit(trials, 24)
    elif played == "25 free boards":
        items = records.items("zigzag/abstract", "generated")
        play(Sitting.begin(study.free(items), 0, trials), 25)
    else:
        play(Sitting.begin(study.FIVE, 3, trials), 5)
    early = ChoiceTrial(few, trials)
    assert "your choices before that are kept apart" in early.scene["prompt"] and not early.scene["closed"]
    first, second = (int(np.flatnonzero(early.observation == -1)[k]) for k in (0, 1))
    early.choose(first)
    yours = scenarios.your_choices(few, trials)
    assert set(yours.who) == {"you, before 25 boards"} and yours[yours.chance > 0].tile.tolist() == [first]
    rows = trials.frame(sitting=early.sitting.id)
    assert set(rows["source"]) == {"generated, before the boards"} and rows["extra"].iloc[1]["after"] == []
    sit(trials, 25)
    late = ChoiceTrial(few, trials)
    assert late.sitting.id != early.sitting.id and late.sitting.position == 0 and "apart" not in late.scene["prompt"]
    late.choose(int(np.flatnonzero(late.observation == -1)[1]))
    assert set(scenarios.your_choices(few, trials).who) == {"you"}


def test_the_widget_takes_one_choice_a_board_and_tells_nothing_before_the_end(trials, few):
    condition = sit(trials, 25)
    trial = ChoiceTrial(few, trials)
    chosen = []
    for number in range(len(few)):
        scene, scenario = trial.scene, trial.scenario
        assert scene["head"] == [f"Board {number + 1} of 6", f"Rule: {scenario.rule}"] and not scene["closed"]
        assert scene["shown"] == "".join({-1: ".", 0: "0", 1: "1"}[sign] for sign in scenario.observation.tolist())
        assert scene["start"] == scenario.start and "fate" not in trial.to_frame()
        assert not any(word in str(trial.get_state(["scene"])) for word in ("certain", "fate", "correct"))
        tile = int(np.flatnonzero(scenario.fates == ("certainly red", "undetermined")[number % 2])[0])
        send(trial, {"click": scenario.start, "game": number})
        assert trial.scene["status"].endswith("is open already; choose a covered one.")
        for _ in range(2):  # the second click is on a board that has its choice
            send(trial, {"click": tile, "game": number, "rt_s": 0.5 + number})
        chosen.append((scenario.rule, scenario.number, tile))
        assert trial.scene["status"].startswith(f"Stored: row {tile // 7 + 1}, column {tile % 7 + 1}.")
    assert trial.over and trial.scene["closed"] and trial.scene["head"] == ["All 6 boards have your choice"]
    frame = trial.to_frame()
    assert list(frame[["rule", "scenario", "tile"]].itertuples(index=False, name=None)) == chosen
    assert frame.fate.tolist() == ["certainly red", "undetermined"] * 3
    rows = trial.trials()
    assert rows["rt_s"].tolist() == [0.5 + number for number in range(6)]
    assert all(extra["after"] == [condition] for extra in rows["extra"])
    send(trial, {"click": 0, "game": 6})
    send(trial, {"next": True})  # the key of other boards
    with pytest.raises(InputError, match="an item to answer"):
        trial.choose(0)
    again = ChoiceTrial(few, trials)
    assert again.over and again.to_frame().equals(frame) and len(trial.trials()) == 6


def test_the_figure_draws_each_players_chances_what_is_certain_and_the_readers_choice(few):
    table = scenarios.table(few, lambda rule: [floors.NearestNeighbour()])
    figure, scenario = draw(table), next(s for s in few if s.name == "copy/scenario/00")
    opened, heat = [np.array(trace.z, float).ravel() for trace in figure.data if trace.type == "heatmap"][-2:]
    chance = table[(table.rule == "copy") & (table.scenario == 0)].chance.to_numpy()
    covered = scenario.observation == -1
    assert np.isnan(opened[covered]).all() and (opened[~covered] == scenario.observation[~covered]).all()
    assert heat[covered] == pytest.approx(chance[covered] / chance.max(), abs=1e-6)
    share = scenarios.shares(table).query("rule == 'copy' and scenario == 0")["certainly red"].item()
    assert f"copy, Nearest neighbour: {share:.0%} certainly red" in describe(figure)
    assert draw(table, pd.DataFrame(columns=table.columns)).to_json() == figure.to_json()
    yours = table[(table.rule == "copy") & (table.scenario == 2)].assign(who="you", kind="you")
    starred = draw(table, yours.assign(chance=(yours.tile == 30) * 1.0))
    stars = [t for t in starred.data if t.type != "heatmap" and t.mode != "text"]
    assert [(list(star.x), list(star.y)) for star in stars if len(star.x)] == [([2], [4])]  # tile 30
