"""Who learns, and how much: the configs of every trained agent under each preset. No torch here."""

from __future__ import annotations

from dataclasses import dataclass, field

from cogkit import presets
from cogkit.equivalence.problems import Design

TRANSFORMERS = {"gpt": "causal", "bert": "none"}  # the paper's two agents differ in this mask alone
NAMES = {"gpt": "GPT", "bert": "BERT"}


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


_SMALL = {"width": 128, "layers": 2, "heads": 4, "learning_rate": 1e-3, "half": False}
_SIZES = {"quick": _SMALL | {"iterations": 300}, "lab": _SMALL | {"iterations": 3000}, "paper": {}}


def config(agent: str, design: Design, preset: str, **changes) -> AgentConfig:
    """Return the config of an agent under a preset; ``changes`` are fields to set otherwise.

    Examples
    --------
    >>> config("bert", Design("OTM"), "lab").mask
    'none'
    """
    presets.choose(agent, NAMES, "agent that is trained")
    size = _SIZES[presets.preset(preset)] | {"mask": TRANSFORMERS[agent]} | changes
    return TransformerConfig(agent, design, **size)
