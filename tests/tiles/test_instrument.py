"""The instrument as the house meets it: its cells, what they run, and the players that need no training."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cogkit.app import experiments
from cogkit.app.experiments import compare
from cogkit.core.errors import InputError
from cogkit.core.items import overlap
from cogkit.core.presets import changed
from cogkit.data import results
from cogkit.tiles import scoring
from cogkit.tiles.instrument import INSTRUMENT
from cogkit.tiles.learners import agents
from cogkit.tiles.problems import records
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.boards import from_bits, to_bits

TASKS = [f"{rule}/{kind}" for rule in RULES for kind in ("abstract", "metamer")]
FLOORS = ("random", "majority", "nearest-neighbour", "never-finishes")
PLAYERS = {"bayes-greedy": "observer"} | dict.fromkeys(FLOORS, "floor")
# Kinds of agents on equal terms: each policy, learning from points, and shown the boards.
POLICIES = "lstm-2m epn transformer corelnet corelnet-colour convolutional convolutional-d4 cellular".split()
EQUAL = [f"{how}{name}" for name in POLICIES for how in ("", "supervised-")]
FAMILIES = [
    "copy/offset-1-and-4", "symmetry/long-side-5", "rectangle/short-side-3", "connected/wider-than-a-line",
    "tree/beyond-a-chain", "pyramid/width-3", "cross/diagonal", "zigzag/step-1",
]  # fmt: skip
NEW_RULES = ["corner-under-mirror", "hook-under-copy", "tee-under-half-turn"]
NEW_RULES += [f"motif-{name}" for name in ("corner", "hook", "stair")]
NEW_RULES += [f"operator-{name}" for name in ("copy", "mirror", "half-turn", "quarter-turn", "triple", "framed")]
HELD_OUT = [*FAMILIES, *(f"{rule}/never-trained" for rule in RULES), *(f"grammar/{name}" for name in NEW_RULES)]


def test_cells_are_players_and_agents_by_tasks_and_one_network_a_rule():
    ids = [cell.id for cell in INSTRUMENT.cells()]
    expected = {f"tiles/conditional/{rule}" for rule in RULES}
    expected |= {f"tiles/{name}/{task}" for name in FLOORS for task in TASKS}
    expected |= {f"tiles/bayes-greedy/{rule}/abstract" for rule in RULES}
    learnt = [*TASKS, "mixture/abstract", *HELD_OUT]
    expected |= {f"tiles/{name}/{task}" for name in ["lstm", "lstm-program", *EQUAL] for task in learnt}
    expected |= {f"tiles/memory/{task}" for task in [*HELD_OUT, *(f"{rule}/abstract" for rule in RULES)]}
    expected |= {f"tiles/rule-learner/{task}" for task in HELD_OUT} | {"tiles/errors"}
    expected |= {"tiles/transfer/lstm", "tiles/transfer/memory"}
    assert set(ids) == expected and len(ids) == len(expected) == 8 + 4 * 16 + 8 + 18 * (17 + 28) + 36 + 28 + 3
    assert {cell.id for cell in experiments.cells("tiles/*")} == expected


def test_an_agent_of_a_family_trains_without_it_and_is_tested_on_it():
    config = agents.config("lstm-2m", "quick", task="rectangle/short-side-3")
    test, train, val = (INSTRUMENT.items(config.task, part=part) for part in ("test", "train", "val"))
    narrow = [(min(np.ptp(k) + 1 for k in np.nonzero(board)) == 3) for board in test.boards]
    assert all(narrow) and len(test) == 120 and {test.rung, train.rung, val.rung} == {"interpolation"}
    assert agents.held_out(config).names == test.names and agents.reachable(config) == config
    for exposure in INSTRUMENT.exposures(config, "verified", 0):
        assert len(list(exposure.train)) == 441 - 125 and not overlap(exposure.train, exposure.test)
    assert agents.overlap(config, 0, np.concatenate([train.boards, val.boards])).all()
    assert not agents.overlap(config, 0, test.boards).any()


def test_players_are_built_by_name_for_a_task():
    assert set(INSTRUMENT.references) == set(PLAYERS)
    for name, kind in PLAYERS.items():
        player = INSTRUMENT.learner(name, "tree/abstract")
        assert player.kind == kind and player.name.lower().replace(" ", "-") == name  # so that a row names its cell
        assert scoring.judge(player, records.items("tree/abstract", "generated", n=3)).blue.shape == (1, 3)


@pytest.mark.parametrize(
    ("cell", "profile"),
    [("tiles/bayes-greedy/pyramid/abstract", "verified"), ("tiles/never-finishes/tree/metamer", "as_published")],
)
def test_a_players_cell_runs(use_mirror, cell, profile, tmp_path):
    (entry,) = experiments.cells(cell)
    manifest, rows = experiments.run_cell(entry, profile, "quick", 5, results.Store(tmp_path))
    _, player, task = cell.split("/", 2)
    config = {"class": "PlayConfig", "version": 1, "task": task, "player": player, "passes": 4}
    assert manifest.config == config
    table = results.load(tmp_path)
    metrics = ["blue", "z", "finished"] + ["skill"] * cell.endswith("/abstract")
    assert table.metric.tolist() == metrics and set(table.n) == {25} and set(table.source) == {"published"}
    assert table.value.tolist() == pytest.approx([row["value"] for row in rows])
    assert table.set_index("metric").value.finished == (profile == "verified")
    assert experiments.verify(cell, profile, "quick", 5, tmp_path).word == "same"


def test_an_agents_cell_trains_and_tests_one(use_mirror, tmp_path):
    (cell,) = experiments.cells("tiles/supervised-lstm-2m/zigzag/metamer")
    small = changed(cell.configs["quick"], steps=12, batch=32, metamers=3000)
    small = replace(cell, configs={"quick": small})
    manifest, rows = experiments.run_cell(small, "verified", "quick", 2, results.Store(tmp_path))
    table = results.load(tmp_path)
    assert table.metric.tolist() == ["blue", "z", "finished"]
    assert set(table.who) == {"LSTM, 0.0038 M clicks, shown boards"}  # 12 updates of 32 boards and 10 clicks
    assert set(table.source) == {"published"} and set(table.n) == {25} and set(table.kind) == {"model"}
    assert set(table.supervision) == {"boards"} and table.value.iloc[2] == 1
    assert manifest.config["updates"] == 12 and manifest.profile == "verified"
    _, again = experiments.run_cell(small, "verified", "quick", 2)
    assert experiments.differences(rows, again) == []


def test_a_wrong_name_is_one_sentence(use_mirror):
    for call, words in (
        (lambda: compare("tiles/randon/copy/abstract"), "did you mean 'tiles/random/copy/abstract'"),
        (lambda: INSTRUMENT.learner("bayes", "copy/abstract"), "wanted a player"),
        (lambda: compare("tiles/random/copy/abstract", passes=0), "passes over"),
    ):
        with pytest.raises(InputError, match=words):
            call()


def test_an_agent_that_would_be_tested_on_a_board_of_its_pool_is_refused(use_mirror, monkeypatch):
    (cell,) = experiments.cells("tiles/lstm/pyramid/abstract")
    config = cell.configs["quick"]
    (exposure,) = INSTRUMENT.exposures(config, "verified", 0)
    every = {*records.support("pyramid").bits.tolist()}
    assert {*exposure.train} == every - {*to_bits(records.held_apart("pyramid")).tolist()}
    assert overlap(exposure.train, exposure.test) == []
    boards = from_bits(exposure.train[:3])
    leaky = replace(exposure.test, boards=boards, starts=boards.reshape(3, -1).argmax(1))
    monkeypatch.setattr(agents, "tests", lambda config: [leaky])
    with pytest.raises(InputError, match=r"got 3 test boards of pyramid/abstract of tiles/lstm/pyramid/abstract, seed"):
        experiments.run_cell(cell, "verified", "quick", 0)
