"""Training, killed and run again: the last checkpoint is there, and the end is that of a run nobody ended."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import practising
import training
from kills.harness import attack

from cogkit.learning import checkpoints, run

STEPS = 200
FITS = {  # the program, the steps from one checkpoint to the next, and the fit that goes on
    "a fit": (lambda path: [training.__file__, path, str(STEPS), "3"], 3, lambda path: training.fit(STEPS, path)),
    "a tile agent": (lambda path: [practising.__file__, path, "4"], 4, practising.fit),
}


def whole(folder) -> dict:
    """Return all of a checkpoint but the seconds that it took, and the names of what is beside it."""
    saved = checkpoints.read(folder / "run.safetensors")
    tensors = {name: (str(tensor.dtype), tensor.numpy().tobytes()) for name, tensor in saved.tensors.items()}
    facts = msgspec.to_builtins(msgspec.structs.replace(saved.facts, seconds=0.0, cpu_seconds=0.0))
    return tensors | facts | {path.name: "a file" for path in folder.iterdir()}


def attacked(name: str, kills: int, folder: Path) -> tuple[int, list[str]]:
    """Kill so many trainings."""
    program, every, resumed = FITS[name]
    began = {}

    def step(here) -> int:
        path = here / "run.safetensors"
        return checkpoints.read(path).facts.step if path.exists() else 0

    def command(here) -> list[str]:
        began[here] = step(here)
        return [sys.executable, *program(str(here / "run.safetensors"))]

    def finish(here) -> None:
        steps = began[here] + here.with_suffix(".out").read_text().count("step\n")
        # the step and the checkpoint under way may be lost, never an earlier one
        assert steps - 2 * every <= step(here) <= steps, (began[here], steps, step(here))
        run(resumed(here / "run.safetensors"))

    return attack(kills, folder, command, finish, whole, lambda here: {})
