"""A network of your own is one file: it is found by its name, trained, judged, and has cells, in a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys

from cogkit.tiles.learners import policies

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
