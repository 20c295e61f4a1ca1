"""Networks that take long to learn, and one of your own: it is one file, found by its name, trained and judged."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from cogkit.core.presets import changed
from cogkit.learning import run
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, floors, models, policies, training

pytestmark = pytest.mark.usefixtures("one_thread")

MINE = """
import torch
from torch import nn
from cogkit.tiles.learners import networks

class Policy(networks.Policy):
    title = "Mine"

    def __init__(self, units=8):
        super().__init__(units)
        self.scores, self.value = nn.Linear(49, 49), nn.Linear(49, 1)

    def forward(self, board, action, reward, memory):
        return self.scores(board.float()), self.value(board.float()).squeeze(1), (memory[0] + 1,)

    def blank(self, n):
        return (torch.zeros(n, 3),)
"""
USE = """
import json, sys
from cogkit.tiles.learners import policies
policies.__path__.append(sys.argv[1])
from cogkit import tiles
from cogkit.app import experiments
from cogkit.core.presets import changed
from cogkit.learning import run
from cogkit.tiles.learners import training

output, boards = {"names": policies.names()}, tiles.items("copy/abstract", 3)
for name in ("mine", "supervised-mine"):
    agent = training.to_agent(run(tiles.train(name, "copy/abstract", steps=2, batch=8)))
    answers = tiles.judge(agent, boards)
    output[name] = [type(agent.network).title, agent.supervision, bool(answers.finished.all())]
    (cell,) = experiments.cells(f"tiles/{name}/copy/abstract")
    quick = changed(cell.configs["quick"], steps=2, batch=8)
    rows = cell.run(quick, "verified", 0)
    output[cell.id] = [quick.agent, sorted({row["who"] for row in rows}), [row["metric"] for row in rows]]
print(json.dumps(output))
"""


def test_a_policy_of_your_own_is_one_file(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    command = [sys.executable, "-c", USE, str(tmp_path)]
    output = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])
    assert output["names"] == sorted([*policies.names(), "mine"])
    for name, who, supervision in (("mine", "Mine", "rewards"), ("supervised-mine", "Mine, shown boards", "boards")):
        assert output[name] == ["Mine", supervision, True]
        assert output[f"tiles/{name}/copy/abstract"] == [name, [who], ["blue", "z", "finished", "skill"]]
    assert "mine" not in policies.names()


@pytest.mark.timeout(600)  # half a minute of training, on a machine of its own
def test_quick_is_worth_watching_it_ends_better_than_the_nearest_neighbour(use_mirror):
    config = agents.config("lstm", "quick", task="rectangle/abstract")
    log = run(training.train(config, 0)).log.dropna()
    floor = scoring.judge(floors.NearestNeighbour(), agents.pools(config, 0).validation, passes=50).blue.mean()
    assert log.validation.iloc[0] > 1.5 * floor and log.validation.tail(3).max() < 0.9 * floor


@pytest.mark.parametrize(("name", "units", "steps"), [("epn", 32, 80), ("transformer", 16, 60), ("corelnet", 64, 100)])
def test_other_networks_learn_ten_boards(name, units, steps, ten):
    settings = {"units": units, "steps": steps, "batch": 48, "clicks": 6, "learning_rate": 0.01}
    config = changed(agents.AgentConfig("rectangle/abstract", agent=name), **settings)
    policy = run(training.train(config, 0, evaluate_every=1000)).state.modules["policy"]
    players = models.Agent(policy, config), floors.Random()
    blue, chance = (scoring.judge(player, ten, passes=20).blue.mean() for player in players)
    assert blue < 0.75 * chance
