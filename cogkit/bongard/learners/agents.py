"""The configs of every trained agent of Bongard-LOGO under each preset. This module does not import torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from cogkit.bongard.learners import pretrained
from cogkit.bongard.learners.pretrained import BackboneConfig, SightConfig
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import FLIPS
from cogkit.core import imports, presets
from cogkit.core.errors import InputError
from cogkit.learning.recipe import USUAL, Recipe, recipe_field

SETS = {  # Table 1, the ablation of Table 2, a warm-up, and one whose tests have new shapes; how their tasks begin
    "all": "", "free-form": f"{sets.ABLATION}/", "sectors": f"{sets.SECTORS}/", sets.NEW: f"{sets.NEW}/",
}  # fmt: skip
PRETRAINED = {"meta-baseline-moco": "moco", "meta-baseline-ps": "synthesis"}  # by what, as `pretrained.KINDS`
SUPERVISION = {"meta-baseline-moco": "answers and pictures", "meta-baseline-ps": "answers and programs"}
_EPOCHS = 100  # as in the paper; an epoch has as many problems as fit into 9000


@dataclass(frozen=True)
class AgentConfig:
    """How an agent is trained: its problems, its backbone and its length of training. Defaults are the paper's.

    Attributes
    ----------
    agent : str
        Name in `NAMES`.
    set : str
        Name in `SETS`: which problems.
    problems, validated, tested : int or None
        Numbers of problems for training, validation and testing, evenly spread over each part of the split. None takes
        all.
    size : int
        Pixels a side.
    reduction : int
        Divisor of the widths of the backbone.
    pretrained : BackboneConfig or None
        How the backbone is pre-trained, for the agents in `PRETRAINED`.
    standardised : bool
        Whether features are standardised by the mean and spread of the support.
    recipe : Recipe
        Each step sees a batch of problems, none of them twice; the agent keeps the weights that scored best in
        validation.
    queries : {"one", "all"}
        How queries are chosen in training. ``one``: one random picture of each side is the query. ``all``: each picture
        is the query in turn, and the other six are shown.
    contrastive : float
        Weight of a second training loss, which the paper does not have. It rewards features by which a positive picture
        is recognised as part of its own problem, among all problems of the batch.
    flip : {"problem", "picture", "none"}
        What is mirrored in training, with probability one half. ``problem`` mirrors all pictures of a problem together,
        ``picture`` mirrors each picture independently (as published), ``none`` mirrors nothing. Mirroring a single
        picture changes its concept where left and right matter.
    half : bool
        Whether products are computed in bfloat16 where the machine has it, on a GPU where there is one.
    view : {"whole", "shapes"}
        Whether the backbone sees whole pictures (as in the paper), or each shape of a picture in a window of its own;
        its features are then added up. ``size`` is that of the picture or of the window. No label is needed to cut the
        shapes out; see `windows`.
    turn : {"none", "picture"}
        What is turned in training. ``picture`` turns each picture by no, one, two or three right angles, at random: the
        problems draw shapes in any direction, so that no concept depends on it.
    """

    version: ClassVar[int] = 2

    agent: str
    set: str = "all"
    problems: int | None = None
    validated: int | None = None
    tested: int | None = None
    size: int = 512
    reduction: int = 1
    pretrained: BackboneConfig | None = None
    standardised: bool = False
    recipe: Recipe = recipe_field(Recipe(_EPOCHS * 1125, 8, "sgd", 1e-3, 5e-4, n_evals=_EPOCHS), *USUAL)
    queries: str = "one"
    contrastive: float = 0.0
    flip: str = "problem"
    half: bool = True
    view: str = field(default="whole", metadata={"since": 2, "absent": "whole"}, kw_only=True)
    turn: str = field(default="none", metadata={"since": 2, "absent": "none"}, kw_only=True)

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            presets.choose(getattr(self, name), choices, name)


@dataclass(frozen=True)
class ProtoNetConfig(AgentConfig):
    """ProtoNet.

    Attributes
    ----------
    scale : float
        Scale of the distances at the start; it is learnt.
    """

    scale: float = 1.0


@dataclass(frozen=True)
class MetaBaselineConfig(AgentConfig):
    """Meta-Baseline. Its variants differ in how the backbone is pre-trained.

    Attributes
    ----------
    temperature : float
        Scale of the cosines at the start; it is learnt.
    """

    temperature: float = 10.0


@dataclass(frozen=True)
class MetaOptNetConfig(AgentConfig):
    """MetaOptNet.

    Attributes
    ----------
    c : float
        Upper limit of the weight of a picture in the support vector machine.
    scale : float
        Scale of the scores at the start; it is learnt.
    """

    c: float = 0.1
    scale: float = 1.0


@dataclass(frozen=True)
class ANILConfig(AgentConfig):
    """ANIL.

    Attributes
    ----------
    inner_steps : int
        Number of gradient steps on an episode's support.
    rate : float
        Step size.
    second_order : bool
        Whether gradients pass through these steps.
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
        In training, up to this many pictures at the front of the row are left blank.
    """

    blanked: int = 0


@dataclass(frozen=True)
class MLPConfig(AgentConfig):
    """WReN-Bongard and CNN-Baseline.

    Attributes
    ----------
    width : int
        Width of the layers that decide.
    """

    width: int = 128


@dataclass(frozen=True)
class CNNConfig(MLPConfig):
    """CNN-Baseline, which sees each side as one stack of pictures."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, required in (("queries", "one"), ("contrastive", 0.0), ("standardised", False)):
            if (value := getattr(self, name)) != required:
                raise InputError(f"{name}={value!r}", repr(required), "CNN-Baseline has no features of single pictures")


@dataclass(frozen=True)
class SetTransformerConfig(AgentConfig):
    """The set transformer.

    Attributes
    ----------
    width, layers, heads, dropout
        Size of the transformer, and the share of its units that is dropped in training.
    dropped, mislabelled : float
        Shares of the support that are hidden in training, and that get the wrong side.
    """

    width: int = 128
    layers: int = 2
    heads: int = 4
    dropout: float = 0.1
    dropped: float = 0.1
    mislabelled: float = 0.05


@dataclass(frozen=True)
class ReasonerConfig:
    """A head that decides by what taught eyes see of each picture. The eyes no longer change.

    Attributes
    ----------
    agent : str
        Name in `REASONERS`.
    sight : SightConfig
        The eyes; one network for each seed, shared by all reasoners.
    eyes_seed : int or None
        The seed of the eyes; None takes that of the run. ``quick`` looks with the eyes that come with the package.
    problems, validated, tested : int or None
        As in `AgentConfig`.
    width : int
        Units between what is seen of a picture and the head, which sees all relative to the support. The concept search
        has none of these.
    recipe, queries
        As in `AgentConfig`.
    """

    version: ClassVar[int] = 2

    agent: str
    sight: SightConfig = SightConfig()
    problems: int | None = None
    validated: int | None = None
    tested: int | None = None
    width: int = 256
    recipe: Recipe = recipe_field(Recipe(10_000, 32, "adamw", 1e-3, 1e-2, "cycle", n_evals=10), *USUAL)
    queries: str = "all"
    eyes_seed: int | None = field(default=None, metadata={"since": 2, "absent": None})

    def __post_init__(self) -> None:
        presets.choose(self.agent, REASONERS, "reasoner")
        presets.choose(self.queries, _CHOICES["queries"], "queries")

    @property
    def set(self) -> str:
        """The set of problems that it is trained on: that of its eyes, which know no other shapes than it does."""
        return self.sight.set

    @property
    def name(self) -> str:
        """What its cell is called, see `pretrained.named`."""
        return pretrained.named(self.agent, self.set)


class _Kind(presets.Kind):
    """An agent. Its backbone gets the agent's picture size and reduction where it is pre-trained."""

    def settings(self, size: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        settings = super().settings(size, changes)
        if (name := PRETRAINED.get(settings["agent"])) and not settings.get("pretrained"):
            eyes = {field: settings[field] for field in ("size", "reduction", "half") if field in settings}
            settings["pretrained"] = pretrained.config(name, size, **eyes)
        return settings


class _ReasonerKind(presets.Kind):
    """A reasoner. Its ``set`` is that of its eyes, which are of its preset and its seed if the set is our own."""

    def settings(self, size: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        changes = dict(changes)
        if (chosen := changes.pop("set", "all")) == "all":
            return super().settings(size, changes)
        sight = replace(changes.get("sight", pretrained.SIGHT.config(size)), set=chosen)
        return super().settings(size, {"eyes_seed": None, **changes, "sight": sight})


_ADAM = {
    "queries": "all", "contrastive": 1.0, "optimiser": "adamw", "learning_rate": 3e-3, "weight_decay": 1e-2,
    "schedule": "cycle", "half": False,
}  # fmt: skip
_QUICK = _ADAM | {
    "size": 64, "reduction": 16, "steps": 200, "n_evals": 10, "problems": 384, "validated": 96, "tested": 40,
}  # fmt: skip
_LAB = _ADAM | {
    "view": "shapes", "turn": "picture", "size": 48, "reduction": 8, "steps": 1000, "n_evals": 10, "problems": 4000,
    "validated": 300,
}  # fmt: skip
_STEEP = {"optimiser": "sgd", "learning_rate": 0.1, "weight_decay": 5e-4}  # found faster for means, in validation
_ONE = {"queries": "one"}  # SNAIL's head costs more than its backbone
_SLOW = _ONE | {"learning_rate": 1e-3}  # at three times that SNAIL stays at a guess
_STACKED = _ONE | {"contrastive": 0.0}
_AGENTS = {  # title, config, settings that always hold; what differs under quick, lab and paper
    "snail": ("SNAIL", SNAILConfig, {}, _ONE, _SLOW, {}),
    "protonet": ("ProtoNet", ProtoNetConfig, {}, {}, _STEEP | {"scale": 0.05}, {}),  # with 1, the loss begins too high
    "metaoptnet": ("MetaOptNet", MetaOptNetConfig, {}, {}, {}, {}),
    "anil": ("ANIL", ANILConfig, {}, {}, {}, {}),
    "meta-baseline-sc": ("Meta-Baseline-SC", MetaBaselineConfig, {}, {}, _STEEP, {}),
    "meta-baseline-moco": ("Meta-Baseline-MoCo", MetaBaselineConfig, {}, {}, _STEEP, {}),
    "meta-baseline-ps": ("Meta-Baseline-PS", MetaBaselineConfig, {}, {}, _STEEP, {}),
    "wren": ("WReN-Bongard", MLPConfig, {}, {}, {}, {}),
    "cnn": ("CNN-Baseline", CNNConfig, {}, _STACKED, _STACKED, {"batch": 32, "steps": _EPOCHS * 282}),
    "set-transformer": ("set transformer", SetTransformerConfig, {"standardised": True}, {}, {}, {}),
    **{name: (name, AgentConfig, {}, {}, {}, {}) for name in imports.files("cogkit.bongard.learners.own")},
}
KINDS = {
    name: _Kind(title, make, {"quick": _QUICK | quick, "lab": _LAB | lab, "paper": paper}, {"agent": name} | always)
    for name, (title, make, always, quick, lab, paper) in _AGENTS.items()
}
NAMES = {name: kind.title for name, kind in KINDS.items()}
_CHOICES = {
    "agent": NAMES, "set": SETS, "queries": ("one", "all"), "flip": FLIPS, "view": ("whole", "shapes"),
    "turn": ("none", "picture"),
}  # fmt: skip
REASONERS = {  # of heads that see pictures one by one; the variants of Meta-Baseline differ in their own eyes alone
    f"{head}-on-eyes": f"{NAMES.get(head, 'Meta-Baseline')} on taught eyes"
    for head in ("snail", "protonet", "metaoptnet", "anil", "meta-baseline", "wren", "set-transformer")
} | {"concept-search-on-eyes": "concept search on taught eyes"}
_COSTLY = {  # heads that cost more: none takes more than three minutes
    "snail-on-eyes": {"quick": _ONE, "lab": _ONE | {"steps": 800}},
    "set-transformer-on-eyes": {"quick": _ONE, "lab": _ONE},
}
_ON_EYES = {
    "quick": {
        "sight": pretrained.SIGHT.config("lab"), "eyes_seed": 0, "problems": 120, "validated": 40, "tested": 20,
        "steps": 120, "n_evals": 4, "width": 64,
    },
    "lab": {"sight": pretrained.SIGHT.config("lab"), "problems": 4000, "validated": 300, "steps": 1500},
    "paper": {"sight": pretrained.SIGHT.config("paper")},
}  # fmt: skip
SEEING = {
    name: _ReasonerKind(title, ReasonerConfig, presets.layered(_ON_EYES, _COSTLY.get(name, {})), {"agent": name})
    for name, title in REASONERS.items()
}


def config(agent: str, preset: str, **changes) -> AgentConfig:
    """Return the config of an agent under a preset. ``changes`` override its fields.

    Examples
    --------
    >>> config("protonet", "paper").recipe.steps
    112500
    >>> config("anil", "lab", second_order=True).size
    48
    """
    return KINDS[presets.choose(agent, KINDS, "agent that is trained")].config(preset, **changes)


def under(config: AgentConfig, profile: str) -> AgentConfig:
    """Return a config under a profile: ``as_published`` mirrors each picture of a problem independently.

    Examples
    --------
    >>> under(config("protonet", "lab"), "as_published").flip
    'picture'
    """
    as_published = presets.profile(profile) == "as_published" and config.flip == "problem"
    return replace(config, flip="picture") if as_published else config


def of_head(config: AgentConfig) -> dict[str, Any]:
    """Return the settings of the head: the fields that a config adds to `AgentConfig`.

    Examples
    --------
    >>> of_head(config("metaoptnet", "lab"))
    {'c': 0.1, 'scale': 1.0}
    """
    common = {field.name for field in fields(AgentConfig)}
    return {field.name: getattr(config, field.name) for field in fields(config) if field.name not in common}


def task_of(set: str, part: str) -> str:
    """Return the name in `sets` of a part of a set of problems.

    Examples
    --------
    >>> task_of("all", "val"), task_of("new-shapes", "val")
    ('val', 'new-shapes/val')
    """
    return SETS[set] + part


def tests_of(set: str) -> tuple[str, ...]:
    """Return the tests of those that are trained on a set, by their names in `sets`.

    Examples
    --------
    >>> tests_of("sectors"), tests_of("free-form")
    (('FF', 'BA', 'CM', 'NV'), ('free-form only/FF',))
    """
    return {"free-form": (task_of(set, "FF"),), sets.NEW: sets.NEW_TESTS}.get(set, sets.TESTS)


def cell_id(agent: str, set: str = "all") -> str:
    """Return the id of an agent's cell: ``bongard/protonet/all``."""
    return f"bongard/{presets.choose(agent, NAMES, 'agent that is trained')}/{presets.choose(set, SETS, 'set')}"
