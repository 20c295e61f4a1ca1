"""A network of one's own by the README's recipe, in a copy of the package: one file, and all else follows."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cogkit

RECIPES = {  # instrument: the folder, the file, the task, the set of its cell, and settings of a small run
    "tiles": ("policies", """
import torch
from torch import nn
from cogkit.tiles.learners import networks

class Policy(networks.Policy):
    title, masked = "plain", True

    def __init__(self, units=16):
        super().__init__(units)
        self.scores, self.value = nn.Linear(49, 49), nn.Linear(49, 1)

    def forward(self, board, action, reward, memory):
        board = board.float()
        return self.scores(board), self.value(board).squeeze(1), ()
""", "pyramid/abstract", "pyramid/abstract", {"steps": 3, "batch": 4}),
    "bongard": ("own", """
from cogkit.bongard.learners.heads.head import Head

class Head(Head):
    def forward(self, support, query):
        return self.nearness(query[:, :, None], support.mean(dim=2)[:, None])

    def nearness(self, features, means):
        return (features * means).sum(dim=-1)
""", "FF", "all", {"steps": 2, "n_evals": 1, "problems": 8, "validated": 4, "tested": 4, "batch": 4}),
    "mewl": ("own", """
import torch
from torch import nn
from cogkit.mewl.learners import networks

class Network(networks.Network):
    def __init__(self, config):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(5))

    def forward(self, slots, words):
        return self.bias.expand(len(slots), 5)
""", "shape", "shape", {"steps": 2, "n_evals": 1, "episodes": 20, "validated": 10, "tested": 10, "batch": 4}),
    "equivalence": ("own", """
import torch
from torch import nn

class Network(nn.Module):
    choices = 3

    def __init__(self, tokens, config):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(3))

    def answers(self, shown):
        return self.bias.expand(len(shown), 3)

    def loss(self, trials):
        return nn.functional.cross_entropy(self.answers(trials[:, :4]), torch.zeros(len(trials), dtype=torch.int64))
""", "LS/select-reject", "LS/select-reject", {"steps": 2, "batch": 4}),
}  # fmt: skip
USE = """
import importlib, json, sys
instrument, task, of_cell, changes = json.loads(sys.argv[1])
from cogkit import experiments
from cogkit.core import registry
from cogkit.learning import run
door = importlib.import_module(f"cogkit.{instrument}")
training = importlib.import_module(f"cogkit.{instrument}.learners.training")
agent = training.to_agent(run(door.train("plain-one", of_cell, **changes)))
answers = door.judge(agent, door.items(task, 8), **({"draw": agent.draw} if instrument == "mewl" else {}))
rows = door.summarise(answers)
known = registry.instrument(instrument).learners()
cells = [cell.id for cell in experiments.cells(f"{instrument}/plain-one/*")]
has_cell = f"{instrument}/plain-one/{of_cell}" in cells
print(json.dumps([rows.who.unique().tolist(), len(rows), "plain-one" in set(known.name), has_cell]))
"""


@pytest.mark.parametrize("instrument", RECIPES)
def test_a_network_is_one_file(instrument, tmp_path):
    folder, text, task, of_cell, changes = RECIPES[instrument]
    copy = shutil.copytree(
        Path(cogkit.__file__).parent, tmp_path / "cogkit", ignore=shutil.ignore_patterns("__pycache__")
    )
    (copy / instrument / "learners" / folder / "plain_one.py").write_text(text)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "COGKIT_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-c", USE, json.dumps([instrument, task, of_cell, changes])]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    who, n, is_known, has_cell = json.loads(done.stdout.splitlines()[-1])
    assert len(who) == 1 and who[0].startswith("plain") and n and is_known and has_cell
