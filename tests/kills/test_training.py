"""Training, killed and run again: the last checkpoint is there, and the end is that of a run nobody ended."""

from __future__ import annotations

import sys

import msgspec
import practising
import pytest
import training
from kills.harness import attack, campaign

from cogkit.learning import checkpoints, run

pytestmark = pytest.mark.usefixtures("one_thread")
STEPS = 200
FITS = {
    "a fit": (lambda path, every: [training.__file__, str(path), str(STEPS), str(every)],
              lambda path: training.fit(STEPS, path)),
    "a tile agent": (lambda path, every: [practising.__file__, str(path), str(every)], practising.fit),
}  # fmt: skip


def whole(folder) -> dict:
    """Return all of a checkpoint but the seconds that it took, and the names of what is beside it."""
    saved = checkpoints.read(folder / "run.safetensors")
    tensors = {name: (str(tensor.dtype), tensor.numpy().tobytes()) for name, tensor in saved.tensors.items()}
    facts = msgspec.to_builtins(msgspec.structs.replace(saved.facts, seconds=0.0, cpu_seconds=0.0))
    return tensors | facts | {path.name: "a file" for path in folder.iterdir()}


@campaign(20)
@pytest.mark.parametrize(("name", "every"), [("a fit", 3), ("a tile agent", 4)])
def test_killed_training_goes_on_as_if_nobody_had_ended_it(name, every, kills, tmp_path, record_property):
    program, resumed = FITS[name]
    began = {}

    def step(folder) -> int:
        path = folder / "run.safetensors"
        return checkpoints.read(path).facts.step if path.exists() else 0

    def command(folder) -> list[str]:
        began[folder] = step(folder)
        return [sys.executable, *program(folder / "run.safetensors", every)]

    def finish(folder) -> None:
        told = began[folder] + folder.with_suffix(".out").read_text().count("step\n")
        # the step and the checkpoint under way may be lost, never an earlier one
        assert told - 2 * every <= step(folder) <= told, (began[folder], told, step(folder))
        run(resumed(folder / "run.safetensors"))

    attack(name, kills, tmp_path, command, finish, whole, lambda folder: {}, record_property)
