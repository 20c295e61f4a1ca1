"""Learners that begin from a pretrained model of the reader's own: their configs. No torch here.

Which weights they begin from is a folder, as transformers saves it (extra ``[lm]``): nothing is ever fetched.
`learning.train` trains one.
"""

from __future__ import annotations

from dataclasses import dataclass

from cogkit.core import presets
from cogkit.core.contracts import InputError
from cogkit.mewl.learners.agents import SETS

SCHEDULES = ("constant", "linear")
_EPOCH = 422  # batches of 64 in the nine training sets


@dataclass(frozen=True)
class PretrainedConfig:
    """How a learner is trained, whatever it begins from (Jiang et al. 2023, appendix C).

    Attributes
    ----------
    set : str
        Name in `agents.SETS`: which tasks it is trained on, all at once.
    episodes, validated, tested : int
        Of each task, trained on, chosen by, and tested on.
    steps, batch : int
        Updates of the weights, and episodes in each.
    at_once : int
        Episodes that go through the network together; a batch of more goes in parts, which takes less memory and a
        third more time.
    learning_rate, weight_decay : float
        Of AdamW, which is Adam where nothing decays.
    clip : float or None
        Gradients longer than this are shortened to it; None for any.
    schedule : {"constant", "linear"}
        The learning rate stays, or falls in a straight line to 0.
    looks : int
        Evaluations in a run; the weights are those of the best about validation episodes.
    base, weights : str
        The folder's name and the SHA-256 of its weights, once the learner has begun from them.

    Notes
    -----
    All is computed in single precision, on a GPU where there is one; ``torch.set_float32_matmul_precision("high")``
    makes large models several times as fast there, at the cost of digits.
    """

    set: str = "together"
    episodes: int = 3000
    validated: int = 600
    tested: int = 600
    steps: int = 200 * _EPOCH
    batch: int = 64
    at_once: int = 8
    learning_rate: float = 5e-5
    weight_decay: float = 0.0
    clip: float | None = None
    schedule: str = "linear"
    looks: int = 200
    base: str = ""
    weights: str = ""

    optimiser = "adamw"
    inputs = "pixels"

    def __post_init__(self) -> None:
        presets.choose(self.set, SETS, "set")
        presets.choose(self.schedule, SCHEDULES, "schedule")
        if min(self.batch, self.steps, self.at_once, self.looks) < 1:
            got = f"{self.steps} steps of {self.batch} episodes, {self.at_once} at once, {self.looks} looks"
            raise InputError(got, "at least one of each")

    @property
    def tasks(self) -> tuple[str, ...]:
        """Which tasks it is trained on."""
        return SETS[self.set]


@dataclass(frozen=True)
class ClipConfig(PretrainedConfig):
    """A transformer over frozen features of CLIP, and five numbers read from one token.

    Attributes
    ----------
    text_encoder : bool
        Whether a name is the one vector that CLIP's text encoder makes of it, or its tokens' embeddings.
    longest : int
        Tokens of a name that are kept where there is no text encoder.
    width, layers, heads, feedforward : int
        Of the transformer.
    dropout : float
    picture : int
        Pixels of a picture's width as it is drawn; CLIP's own image processor makes of it what CLIP takes.
    """

    steps: int = 600 * _EPOCH
    at_once: int = 64
    learning_rate: float = 1e-4
    weight_decay: float = 0.01
    clip: float | None = 1.0
    schedule: str = "constant"
    looks: int = 600
    text_encoder: bool = True
    longest: int = 20
    width: int = 512
    layers: int = 6
    heads: int = 8
    feedforward: int = 2048
    dropout: float = 0.1
    picture: int = 320


@dataclass(frozen=True)
class BertConfig(PretrainedConfig):
    """BERT on pairs of what is told and an option, trained whole."""

    inputs = "captions"


@dataclass(frozen=True)
class FlamingoConfig(PretrainedConfig):
    """A language model that looks at pictures by cross-attention, asked once for each option.

    Attributes
    ----------
    dropout : float
        Of the last token's state, before it becomes a number.
    picture : int
        Pixels of a picture's width as it is drawn; the model's own image processor makes of it what the model takes.
    """

    steps: int = 30_000
    batch: int = 96
    looks: int = 106
    dropout: float = 0.1
    picture: int = 224


_SMALL = {"episodes": 40, "validated": 20, "tested": 20, "steps": 40, "batch": 16, "looks": 2}
_MIDDLE = {"episodes": 500, "validated": 100, "tested": 200, "steps": 2000, "batch": 32, "looks": 20}
_HEAD = {"width": 128, "layers": 3, "heads": 4, "feedforward": 512, "picture": 128}
KINDS = {
    "clip": presets.Kind("CLIP", ClipConfig, {"quick": _SMALL | _HEAD, "lab": _MIDDLE | _HEAD, "paper": {}}),
    "bert": presets.Kind("BERT", BertConfig, {"quick": _SMALL, "lab": _MIDDLE, "paper": {}}),
    "flamingo": presets.Kind("Flamingo", FlamingoConfig, {
        "quick": _SMALL | {"picture": 128}, "lab": _MIDDLE | {"picture": 128}, "paper": {},
    }),
}  # fmt: skip


def config(name: str, preset: str, **changes) -> PretrainedConfig:
    """Return the config of ``clip``, ``bert`` or ``flamingo`` under a preset; ``changes`` are fields to set otherwise.

    Examples
    --------
    >>> config("bert", "paper").steps * 64 // 27_000
    200
    >>> config("clip", "lab", text_encoder=False, set="number").tasks
    ('number',)
    """
    return KINDS[presets.choose(name, KINDS, "pretrained learner")].config(preset, **changes)


def name_of(config: PretrainedConfig) -> str:
    """Return which of `KINDS` a config is of.

    Examples
    --------
    >>> name_of(config("flamingo", "quick"))
    'flamingo'
    """
    return next(name for name, kind in KINDS.items() if type(config) is kind.make)


def said_of(config: PretrainedConfig) -> str:
    """Return what a learner is called in tables, but for its weights.

    Examples
    --------
    >>> said_of(config("clip", "quick", text_encoder=False))
    'CLIP without text encoder'
    """
    title = KINDS[name_of(config)].title
    return f"{title} {'with' if config.text_encoder else 'without'} text encoder" if title == "CLIP" else title
