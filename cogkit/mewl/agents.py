"""Who learns words by training, and how much: the configs of every trained agent under each preset. No torch here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from cogkit import presets
from cogkit.contracts import InputError
from cogkit.mewl.episodes import TASKS

SHIPPED = Path(__file__).with_name("shipped")
NAMES = {"slot-transformer": "slot transformer", "caption-transformer": "caption transformer"}
INPUTS = {"slot-transformer": "true slots", "caption-transformer": "captions"}
SETS = {"together": TASKS} | {task: (task,) for task in TASKS}  # one learner for all, as published, or one for each


@dataclass(frozen=True)
class AgentConfig:
    """How an agent is trained: on what, how large, and how long.

    Attributes
    ----------
    agent : str
        Name in `NAMES`.
    set : str
        Name in `SETS`: which tasks it is trained on, all at once.
    episodes, validated, tested : int
        Of each task, trained on, chosen by, and tested on.
    width, layers, heads : int
        Of the transformer.
    dropout : float
    steps, batch : int
        Updates of the weights, and episodes in each.
    learning_rate, weight_decay, clip : float
        Of AdamW; gradients longer than ``clip`` are shortened to it.
    schedule : {"constant", "cycle"}
        The learning rate stays, or rises over a tenth of the steps and falls along a cosine to 0.
    looks : int
        Evaluations in a run; the weights are those of the best.
    """

    agent: str
    set: str = "together"
    episodes: int = 3000
    validated: int = 600
    tested: int = 600
    width: int = 512
    layers: int = 16
    heads: int = 8
    dropout: float = 0.1
    steps: int = 600 * 422
    batch: int = 64
    learning_rate: float = 1e-4
    weight_decay: float = 0.01
    clip: float = 1.0
    schedule: str = "constant"
    looks: int = 600

    def __post_init__(self) -> None:
        for name, allowed in (("agent", NAMES), ("set", SETS), ("schedule", ("constant", "cycle"))):
            presets.choose(getattr(self, name), allowed, name)
        if self.batch < 1 or self.steps < 1:
            raise InputError(f"{self.steps} steps of {self.batch} episodes", "at least one of each")


_SMALL = {
    "width": 64, "layers": 3, "heads": 4, "dropout": 0.0, "learning_rate": 1.5e-3, "schedule": "cycle", "looks": 8,
}  # fmt: skip
_PRESETS = {
    "quick": _SMALL | {"steps": 60, "episodes": 200, "validated": 40, "tested": 40, "looks": 4, "batch": 32},
    "lab": _SMALL | {"steps": 500, "validated": 200},
    "paper": {},
}


def config(agent: str, preset: str, **changes) -> AgentConfig:
    """Return the config of an agent under a preset; ``changes`` are fields to set otherwise.

    Examples
    --------
    >>> config("slot-transformer", "lab", set="shape").episodes
    3000
    """
    presets.choose(agent, NAMES, "agent that is trained")
    settings = _PRESETS[presets.preset(preset)] | changes
    for name in settings:
        presets.choose(name, [each.name for each in fields(AgentConfig)], f"setting of {NAMES[agent]}")
    return AgentConfig(agent, **settings)


def restored(kept: Mapping[str, Any]) -> AgentConfig:
    """Return the config that a manifest holds as plain values; `InputError` where it holds none of an agent.

    Examples
    --------
    >>> from cogkit.data.results import plain
    >>> made = config("slot-transformer", "lab")
    >>> restored(plain(made)) == made
    True
    """
    try:
        return AgentConfig(**kept)
    except TypeError:
        raise InputError(f"the config {dict(kept)}", "one of an agent of mewl") from None


def cell_id(agent: str, set: str = "together") -> str:
    """Return the id of an agent's cell: ``mewl/slot-transformer/shape``."""
    return f"mewl/{presets.choose(agent, NAMES, 'agent that is trained')}/{presets.choose(set, SETS, 'set')}"


def shipped_file(agent: str, set: str = "together", preset: str = "lab", seed: int = 0, folder=SHIPPED) -> Path:
    """Return where the weights of an agent lie in a folder of shipped ones, whether they are there or not.

    Examples
    --------
    >>> shipped_file("slot-transformer", "shape").name
    'slot-transformer-shape-lab-s0.safetensors'
    """
    cell_id(agent, set)
    return Path(folder) / f"{agent}-{set}-{presets.preset(preset)}-s{int(seed)}.safetensors"
