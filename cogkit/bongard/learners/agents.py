"""Who learns Bongard-LOGO, and how much: the configs of every trained agent under each preset. No torch here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from cogkit.bongard.learners import pretrained
from cogkit.bongard.learners.pretrained import BackboneConfig
from cogkit.bongard.problems.records import FLIPS, KINDS
from cogkit.core import presets
from cogkit.core.contracts import InputError

NAMES = {
    "snail": "SNAIL",
    "protonet": "ProtoNet",
    "metaoptnet": "MetaOptNet",
    "anil": "ANIL",
    "meta-baseline-sc": "Meta-Baseline-SC",
    "meta-baseline-moco": "Meta-Baseline-MoCo",
    "meta-baseline-ps": "Meta-Baseline-PS",
    "wren": "WReN-Bongard",
    "cnn": "CNN-Baseline",
    "set-transformer": "set transformer",
}
SETS = {"all": tuple(KINDS), "free-form": ("ff",)}  # Table 1, and the ablation of Table 2
PRETRAINED = {"meta-baseline-moco": "moco", "meta-baseline-ps": "synthesis"}  # by what, as `pretrained.KINDS`
_EPOCHS = 100  # the paper's, each of as many problems as fit into 9000


@dataclass(frozen=True)
class AgentConfig:
    """How an agent is trained: on what, with what eyes, and how long. The paper's unless said.

    Attributes
    ----------
    agent : str
        Name in `NAMES`.
    set : str
        Name in `SETS`: which kinds of problems.
    problems, validated, tested : int or None
        Problems trained on, chosen by, and tested on in each part of the split, evenly spread over it; None for all.
    size : int
        Pixels a side.
    reduction : int
        What the widths of the backbone are divided by.
    pretrained : BackboneConfig or None
        How the backbone is trained before, for the agents in `PRETRAINED`.
    standardised : bool
        Whether features are taken relative to the support's mean and spread.
    steps, batch : int
        Updates of the weights, and problems in each, no problem twice in one.
    asked : {"one", "all"}
        In training, one random picture of each side is the query, or each in turn while the other six are shown.
    crowd : float
        Weight of a second loss in training, which the paper has not: by its features, every positive picture is to be
        found among the positives of its own problem, not of another one in the batch.
    flip : {"problem", "picture", "none"}
        What is mirrored in training, one time out of two: all pictures of a problem, each on its own, as published, or
        nothing. A mirrored picture alone has another concept where left and right matter.
    optimiser : {"sgd", "adamw"}
        SGD has momentum 0.9.
    learning_rate, weight_decay : float
    schedule : {"constant", "cycle"}
        The learning rate stays, or rises in a straight line over a tenth of the steps and falls along a cosine to 0.
    looks : int
        Evaluations in a run; the weights are those of the best.
    half : bool
        Products in bfloat16 where the machine has it, on a GPU where there is one.
    """

    agent: str
    set: str = "all"
    problems: int | None = None
    validated: int | None = None
    tested: int | None = None
    size: int = 512
    reduction: int = 1
    pretrained: BackboneConfig | None = None
    standardised: bool = False
    steps: int = _EPOCHS * 1125
    batch: int = 8
    asked: str = "one"
    crowd: float = 0.0
    flip: str = "problem"
    optimiser: str = "sgd"
    learning_rate: float = 1e-3
    weight_decay: float = 5e-4
    schedule: str = "constant"
    looks: int = _EPOCHS
    half: bool = True

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            presets.choose(getattr(self, name), choices, name)
        if self.batch < 1 or self.steps < 1:
            raise InputError(f"{self.steps} steps of {self.batch} problems", "at least one of each")


_CHOICES = {
    "agent": NAMES, "set": SETS, "asked": ("one", "all"), "flip": FLIPS,
    "optimiser": ("sgd", "adamw"), "schedule": ("constant", "cycle"),
}  # fmt: skip


@dataclass(frozen=True)
class ProtoNetConfig(AgentConfig):
    """ProtoNet.

    Attributes
    ----------
    scale : float
        Of distances, at the start; it is learnt.
    """

    scale: float = 1.0


@dataclass(frozen=True)
class MetaBaselineConfig(AgentConfig):
    """Meta-Baseline, whose variants differ in how the backbone is trained before.

    Attributes
    ----------
    temperature : float
        Of cosines, at the start; it is learnt.
    """

    temperature: float = 10.0


@dataclass(frozen=True)
class MetaOptNetConfig(AgentConfig):
    """MetaOptNet.

    Attributes
    ----------
    c : float
        The most that a picture counts in the support vector machine.
    scale : float
        Of its scores, at the start; it is learnt.
    """

    c: float = 0.1
    scale: float = 1.0


@dataclass(frozen=True)
class ANILConfig(AgentConfig):
    """ANIL.

    Attributes
    ----------
    inner_steps : int
        Of descent on an episode's own support.
    rate : float
        Their size.
    second_order : bool
        Whether gradients reach through them.
    """

    inner_steps: int = 1
    rate: float = 0.4
    second_order: bool = False


@dataclass(frozen=True)
class SNAILConfig(AgentConfig):
    """SNAIL.

    Attributes
    ----------
    blanked : int
        In training, up to so many pictures from the front of the row are left blank.
    """

    blanked: int = 0


@dataclass(frozen=True)
class MLPConfig(AgentConfig):
    """WReN-Bongard and CNN-Baseline.

    Attributes
    ----------
    width : int
        Of the layers that decide.
    """

    width: int = 128


@dataclass(frozen=True)
class CNNConfig(MLPConfig):
    """CNN-Baseline, which sees whole sides at once."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, required in (("asked", "one"), ("crowd", 0.0), ("standardised", False)):
            if (value := getattr(self, name)) != required:
                raise InputError(
                    f"{name}={value!r}", f"{required!r}", "CNN-Baseline has no features of single pictures"
                )


@dataclass(frozen=True)
class SetTransformerConfig(AgentConfig):
    """The set transformer.

    Attributes
    ----------
    width, layers, heads, dropout
        Size of the transformer, and the share of its units dropped in training.
    dropped, mislabelled : float
        Shares of the support that in training are not shown, and told the wrong side.
    """

    width: int = 128
    layers: int = 2
    heads: int = 4
    dropout: float = 0.1
    dropped: float = 0.1
    mislabelled: float = 0.05


_MAKES = {
    "snail": SNAILConfig, "protonet": ProtoNetConfig, "metaoptnet": MetaOptNetConfig, "anil": ANILConfig,
    "meta-baseline-sc": MetaBaselineConfig, "meta-baseline-moco": MetaBaselineConfig,
    "meta-baseline-ps": MetaBaselineConfig, "wren": MLPConfig, "cnn": CNNConfig,
    "set-transformer": SetTransformerConfig,
}  # fmt: skip
_SMALL = {
    "size": 64, "asked": "all", "crowd": 1.0, "optimiser": "adamw", "learning_rate": 3e-3, "weight_decay": 1e-2,
    "schedule": "cycle", "half": False,
}  # fmt: skip
_PRESETS = {
    "quick": _SMALL | {"reduction": 16, "steps": 80, "looks": 4, "problems": 120, "validated": 40, "tested": 40},
    "lab": _SMALL | {"reduction": 8, "steps": 800, "looks": 8, "problems": 4000, "validated": 300},
    "paper": {},
}
_STEEP = {"optimiser": "sgd", "learning_rate": 0.1, "weight_decay": 5e-4}  # found faster for means, in validation
_ONE = {"asked": "one"}  # SNAIL's head costs more than its eyes
_STACKED = _ONE | {"crowd": 0.0}
_OWN = {  # what one agent needs otherwise
    **{name: {"quick": _STEEP, "lab": _STEEP} for name in NAMES if name == "protonet" or name.startswith("meta-")},
    "snail": {"quick": _ONE, "lab": _ONE},
    "cnn": {"quick": _STACKED, "lab": _STACKED, "paper": {"batch": 32, "steps": _EPOCHS * 282}},
}


class _Kind(presets.Kind):
    """An agent, whose backbone sees as it does where it is trained before."""

    def settings(self, size: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        settings = super().settings(size, changes)
        if (name := PRETRAINED.get(settings["agent"])) and not settings.get("pretrained"):
            eyes = {field: settings[field] for field in ("size", "reduction", "half") if field in settings}
            settings["pretrained"] = pretrained.config(name, size, **eyes)
        return settings


KINDS = {
    name: _Kind(
        NAMES[name],
        make,
        {size: settings | _OWN.get(name, {}).get(size, {}) for size, settings in _PRESETS.items()},
        {"agent": name} | ({"standardised": True} if name == "set-transformer" else {}),
    )
    for name, make in _MAKES.items()
}


def config(agent: str, preset: str, **changes) -> AgentConfig:
    """Return the config of an agent under a preset; ``changes`` are fields to set otherwise.

    Examples
    --------
    >>> config("protonet", "paper").steps
    112500
    >>> config("anil", "lab", second_order=True).size
    64
    """
    return KINDS[presets.choose(agent, KINDS, "agent that is trained")].config(preset, **changes)


def under(config: AgentConfig, profile: str) -> AgentConfig:
    """Return a config as a profile has it: ``as_published`` mirrors every picture of a problem on its own.

    Examples
    --------
    >>> under(config("protonet", "lab"), "as_published").flip
    'picture'
    """
    as_published = presets.profile(profile) == "as_published" and config.flip == "problem"
    return replace(config, flip="picture") if as_published else config


def of_head(config: AgentConfig) -> dict[str, Any]:
    """Return the settings that are the head's own: what a config has beyond `AgentConfig`.

    Examples
    --------
    >>> of_head(config("metaoptnet", "lab"))
    {'c': 0.1, 'scale': 1.0}
    """
    common = {field.name for field in fields(AgentConfig)}
    return {field.name: getattr(config, field.name) for field in fields(config) if field.name not in common}


def cell_id(agent: str, set: str = "all") -> str:
    """Return the id of an agent's cell: ``bongard/protonet/all``."""
    return f"bongard/{presets.choose(agent, NAMES, 'agent that is trained')}/{presets.choose(set, SETS, 'set')}"
