"""torch's compiler: training does without it, and whoever asks for it gets it."""

from __future__ import annotations

import subprocess
import sys

TRAIN = """
import sys
import torch
from cogkit.learning import Fit, State, run
def setup(config, rng):
    network = torch.nn.Linear(2, 1)
    kinds = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}
    return State(rng, {"network": network}, {name: kind(network.parameters(), 0.1) for name, kind in kinds.items()})
def step(state):
    for optimiser in state.optimisers.values():
        optimiser.zero_grad()
        loss = state.modules["network"](torch.ones(3, 2)).square().mean()
        loss.backward()
        optimiser.step()
    return {"loss": loss.item()}
for steps in (4, 8):  # the second run reads the optimisers from the checkpoint
    log = run(Fit(setup, step, {}, steps=steps, seed=0, checkpoint=sys.argv[1])).log
"""
ASKED = """
compiled = torch.compile(lambda x: 2 * x + 1, backend="eager")
print(compiled(torch.ones(1)).item(), "torch._dynamo.eval_frame" in sys.modules)
step(setup({}, None))
"""


def output(code: str, path) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_training_does_without_the_compiler_and_gives_the_same(tmp_path):
    tell = "print('sympy' in sys.modules, *log.loss)"
    light = output(TRAIN + tell, tmp_path / "a")[0].split(" ")
    full = output(f"import torch._dynamo\n{TRAIN}{tell}", tmp_path / "b")[0].split(" ")  # loaded before, it stays
    assert (light[0], full[0]) == ("False", "True") and light[1:] == full[1:] and len(full) == 1 + 8


def test_whoever_compiles_gets_the_compiler(tmp_path):
    assert output(f"{TRAIN}\n{ASKED}", tmp_path / "a") == ["3.0 True"]
