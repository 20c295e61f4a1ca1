"""Who learns, and how much: the configs of every trained agent under each preset. No torch here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cogkit.core import identity, presets
from cogkit.equivalence.problems.records import Design

TRANSFORMERS = {"gpt": "causal", "bert": "none"}  # the paper's two agents differ in this mask alone
SHIPPED = Path(__file__).parents[1] / "shipped"
NAMES = {
    "gpt": "GPT",
    "bert": "BERT",
    "pointer": "pointer transformer",
    "invariant": "invariant transformer",
    "embedding": "shared embedding",
    "separate": "separate embeddings",
    "feed-forward": "feed-forward net",
}


@dataclass(frozen=True)
class AgentConfig:
    """What every trained agent has.

    Attributes
    ----------
    agent : str
        Name in `NAMES`.
    design : Design
        What it is trained on.
    iterations, batch : int
        Steps, and trials a step, drawn with replacement.
    learning_rate : float
        Of AdamW, constant.
    """

    agent: str
    design: Design = field(default_factory=Design)
    iterations: int = 5000
    batch: int = 64
    learning_rate: float = 3e-4


@dataclass(frozen=True)
class TransformerConfig(AgentConfig):
    """A transformer that answers with a token ("Computational Agents Architecture"); the paper's size unless said.

    Attributes
    ----------
    mask : {"causal", "none"}
        What each place may see: those before it, or all. The paper calls the first GPT and the second BERT.
    loss : {"all", "last"}
        Whether every place is trained to name the next token, as in the paper, or the last one alone.
    width, layers, heads, dropout
        Size, and the share of units dropped in training.
    half : bool
        Matrix products in bfloat16 where the machine has it; result rows say which it was.
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
    """A transformer that points at a comparison instead of naming a place.

    Attributes
    ----------
    places : bool
        Whether it can tell the places of the comparisons apart.
    width, layers, heads, dropout, half
        As of `TransformerConfig`.
    """

    places: bool = True
    width: int = 384
    layers: int = 6
    heads: int = 6
    dropout: float = 0.2
    half: bool = True


@dataclass(frozen=True)
class EmbeddingConfig(AgentConfig):
    """A code for each stimulus, learnt by contrast.

    Width and learning rate are the smallest tried that know all trials of training after 20 steps, in each condition of
    the paper. Temperature does not show there; .3 was taken having seen derived relations: with .1 separate codes come
    to a half in LS select-reject, with 1 shared ones fail trials of classes in select-only.

    Attributes
    ----------
    shared : bool
        Whether a stimulus has one code in both roles, as sample and as comparison.
    width : int
        Numbers a code.
    temperature : float
        Cosines are divided by it.
    """

    learning_rate: float = 3e-2
    shared: bool = True
    width: int = 128
    temperature: float = 0.3


@dataclass(frozen=True)
class FeedForwardConfig(AgentConfig):
    """One hidden layer between one-hot tokens and the places.

    Attributes
    ----------
    units : int
        Of the hidden layer.
    """

    learning_rate: float = 3e-3
    units: int = 256


_SMALL = {"width": 128, "layers": 2, "heads": 4, "learning_rate": 1e-3, "half": False}
_SIZES = {"quick": _SMALL | {"iterations": 1000}, "lab": _SMALL, "paper": {}}
_SHORT = {"quick": {"iterations": 300}, "lab": {"iterations": 1500}, "paper": {}}
_KINDS = {
    **{name: (TransformerConfig, {"mask": mask}, _SIZES) for name, mask in TRANSFORMERS.items()},
    "pointer": (PointerConfig, {"places": True}, _SIZES),
    "invariant": (PointerConfig, {"places": False}, _SIZES),
    "embedding": (EmbeddingConfig, {"shared": True}, _SHORT),
    "separate": (EmbeddingConfig, {"shared": False}, _SHORT),
    "feed-forward": (FeedForwardConfig, {}, _SHORT),
}


def config(agent: str, design: Design, preset: str, **changes) -> AgentConfig:
    """Return the config of an agent under a preset; ``changes`` are fields to set otherwise.

    Examples
    --------
    >>> config("bert", Design("OTM"), "lab").mask
    'none'
    >>> config("gpt", Design(), "lab", loss="last").loss
    'last'
    """
    presets.choose(agent, NAMES, "agent that is trained")
    make, own, sizes = _KINDS[agent]
    settings = own | sizes[presets.preset(preset)] | changes
    return presets.fill(make, settings, NAMES[agent], agent, design)


def restored(kept: Mapping[str, Any]) -> AgentConfig:
    """Return the config that a manifest holds as plain values; `InputError` where it holds none of an agent.

    Examples
    --------
    >>> from cogkit.core.identity import plain
    >>> made = config("separate", Design(("AB", "CB"), members=3), "lab")
    >>> restored(plain(made)) == made
    True
    """
    kind, *_ = _KINDS.get(str(kept.get("agent")), (None,))
    return identity.restored(kind, kept, "an agent of equivalence")


def in_the_paper(design: Design) -> bool:
    """Return whether the paper ran a condition."""
    return design.negatives == "biased" and design.relation != "reject-only"


def cell_id(agent: str, design: Design) -> str:
    """Return the id of an agent's cell: ``equivalence/gpt/LS/select-only``; what the paper left out says so first.

    Examples
    --------
    >>> cell_id("bert", Design("MTO", "reject-only"))
    'equivalence/biased/bert/MTO/reject-only'
    """
    first = "equivalence" if in_the_paper(design) else f"equivalence/{design.negatives}"
    return f"{first}/{agent}/{design.name}/{design.relation}"


def shipped_file(agent: str, design: Design, seed: int = 0, folder=SHIPPED) -> Path:
    """Return where the weights of an agent lie in a folder of shipped ones, whether they are there or not.

    Examples
    --------
    >>> shipped_file("gpt", Design("OTM", "select-only", "standard")).name
    'gpt-OTM-select-only-standard-s0.safetensors'
    """
    presets.choose(agent, NAMES, "agent that is trained")
    return Path(folder) / f"{agent}-{design.condition.replace('/', '-')}-s{int(seed)}.safetensors"
