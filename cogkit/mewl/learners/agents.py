"""The configs of every trained agent under each preset. This module does not import torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from cogkit.core import imports, presets
from cogkit.learning.recipe import USUAL, Recipe, recipe_field
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.problems.families import FAMILIES

SEEN_FIRST = ("number", "pragmatic")  # tasks whose pictures teach eyes: up to six things of any kind, and a hand
READ_FIRST = (*SEEN_FIRST, "relation")  # tasks whose captions teach a reader: also how things lie to each other
SETS = {"together": TASKS} | {task: (task,) for task in (*TASKS, *FAMILIES)}
"""The tasks of a learner: all nine together, as published; one of them; or one without a family, its test."""


@dataclass(frozen=True)
class AgentConfig:
    """How an agent is trained: its data and the length of training.

    Attributes
    ----------
    agent : str
        Name in `NAMES`.
    set : str
        Name in `SETS`: the tasks that it is trained on, all together.
    episodes, validated, tested : int
        Episodes of each task for training, validation and test.
    recipe : Recipe
        Each step sees a batch of episodes; the agent keeps the weights that scored best in validation.
    easy : float or None
        How often a training episode is drawn that the agent was sure to name rightly the last time, for once that it
        was sure to name it wrongly. None draws all alike.
    """

    version: ClassVar[int] = 2
    supervision = "answers"  # what it is taught from, in the words of `records.SUPERVISION`

    agent: str
    set: str = "together"
    episodes: int = 3000
    validated: int = 600
    tested: int = 600
    recipe: Recipe = recipe_field(Recipe(600 * 422, 64, learning_rate=1e-4, clip=1.0, n_evals=600), *USUAL, "clip")
    easy: float | None = field(default=None, metadata={"since": 2, "absent": None}, kw_only=True)

    def __post_init__(self) -> None:
        presets.choose(self.agent, NAMES, "agent")
        presets.choose(self.set, SETS, "set")


@dataclass(frozen=True)
class TransformerConfig(AgentConfig):
    """A transformer over the pictures and words of an episode.

    Attributes
    ----------
    width, layers, heads : int
        Size of the transformer.
    dropout : float
    """

    width: int = 512
    layers: int = 16
    heads: int = 8
    dropout: float = 0.1


@dataclass(frozen=True)
class WordLearnerConfig(AgentConfig):
    """A version space that learns; not one of the paper's networks.

    Attributes
    ----------
    width : int
        Of hidden layers.
    rounds : int
        How often the utterances are read.
    things, scenes : int
        Hypotheses about some thing in the picture, and about the picture as a whole.
    pointers, pointed : int
        Ways of pointing at a thing, and hypotheses about the thing of each.
    namings, relations : int
        Ways of naming two things, and hypotheses about the relation of each two.
    """

    width: int = 128
    rounds: int = 2
    things: int = 128
    scenes: int = 64
    pointers: int = 4
    pointed: int = 32
    namings: int = 8
    relations: int = 8


@dataclass(frozen=True)
class SightConfig:
    """How eyes are taught to find things in pictures and to tell what they are: their size and the length of training.

    Attributes
    ----------
    agent : str
        ``sight``.
    pixels : int
        Width of the pictures, a multiple of 32.
    channels : int
        Of the first layer of each of its two parts.
    episodes, validated : int
        Episodes of each of `SEEN_FIRST` whose pictures are for training and validation.
    tested : int
        Episodes of each of the nine tasks whose pictures are for test.
    recipe : Recipe
        Each step sees a batch of pictures; the eyes keep the weights that scored best in validation.
    """

    agent: str = "sight"
    pixels: int = 128
    channels: int = 32
    episodes: int = 640
    validated: int = 16
    tested: int = 32
    recipe: Recipe = recipe_field(Recipe(2000, 24, learning_rate=3e-3, schedule="cycle", n_evals=3), *USUAL, "clip")


@dataclass(frozen=True)
class ReadingConfig:
    """How a reader is taught to tell from captions which things there are: its size and the length of training.

    Attributes
    ----------
    agent : str
        ``reading``.
    width, layers, heads : int
        Size of its transformer.
    episodes, validated : int
        Episodes of each of `READ_FIRST` whose captions are for training and validation.
    tested : int
        Episodes of each of the nine tasks whose captions are for test.
    recipe : Recipe
        Each step sees a batch of captions; the reader keeps the weights that scored best in validation.
    """

    agent: str = "reading"
    width: int = 96
    layers: int = 3
    heads: int = 4
    episodes: int = 3000
    validated: int = 40
    tested: int = 80
    recipe: Recipe = recipe_field(
        Recipe(3000, 64, learning_rate=2e-3, schedule="cycle", clip=1.0, n_evals=3), *USUAL, "clip"
    )


@dataclass(frozen=True)
class SeeingWordLearnerConfig(WordLearnerConfig):
    """A word learner that sees pictures. It learns words from true slots, and its eyes learn from true attributes.

    Attributes
    ----------
    sight : SightConfig
        How its eyes are taught. All learners of one seed share them.
    """

    supervision = "answers and attributes"

    sight: SightConfig = SightConfig()

    @property
    def pixels(self) -> int:
        return self.sight.pixels


@dataclass(frozen=True)
class ReadingWordLearnerConfig(WordLearnerConfig):
    """A word learner that reads captions. It learns words from true slots, and its reader learns from true attributes.

    Attributes
    ----------
    sight : ReadingConfig
        How its reader is taught. All learners of one seed share it.
    """

    supervision = "answers and attributes"

    sight: ReadingConfig = ReadingConfig()


WithTaughtEyes = SeeingWordLearnerConfig | ReadingWordLearnerConfig


@dataclass(frozen=True)
class CNNConfig(TransformerConfig):
    """CNN transformer.

    Attributes
    ----------
    pixels : int
        Width of the pictures.
    channels : int
        Channels of the first map of its eyes.
    naming : int
        Steps before all others, of ``batch`` pictures each, in which its eyes learn to find and to name the true
        things. Then the eyes are frozen. With 0, the eyes learn together with the rest, from answers alone.

    Notes
    -----
    Differs from the paper: no network of the paper learns from the true things in a picture. Under ``paper`` it is the
    same here. Under ``quick`` and ``lab``, eyes learn from them, because there are few episodes.
    """

    pixels: int = 128
    channels: int = 64
    naming: int = 0

    @property
    def supervision(self) -> str:
        return "answers and attributes" if self.naming else "answers"


def _later(default: Any, absent: Any) -> Any:
    return field(default=default, metadata={"since": 2, "absent": absent})


@dataclass(frozen=True)
class MonetConfig:
    """How a MONet is trained: its size and the length of training. Defaults are the paper's (Jiang et al. 2023, § 4.1).

    Attributes
    ----------
    agent : str
        ``monet``.
    pixels : int
        Width of the pictures.
    episodes, validated, tested : int
        Episodes of each of the nine tasks whose pictures are for training and validation; for test, episodes of each
        task with one thing in a picture.
    size : int
        Pixels a side, to which pictures are resized; a multiple of 16.
    slots, latent : int
        Number of parts of a picture, and of numbers in a code.
    channels, levels : int
        Channels of the first level of its U-Net, and number of levels, as in Burgess et al. 2019, who have six levels
        at 128 pixels.
    background, foreground : float
        Standard deviation of pixels around the painted ones, in the first slot and in the others, as in the same work.
    beta, gamma : float
        Weights of the losses of codes and masks, as in the same work.
    recipe : Recipe
        Each step sees a batch of pictures; the MONet keeps the weights that scored best in validation.
    """

    version: ClassVar[int] = 2

    agent: str = _later("monet", "")
    pixels: int = _later(128, 0)  # in version 1, the width and the episodes were those of its agent
    episodes: int = _later(3000, 0)
    validated: int = _later(6, 0)
    tested: int = _later(60, 0)
    size: int = 128
    slots: int = 7
    latent: int = 16
    channels: int = 32
    levels: int = 6
    background: float = 0.09
    foreground: float = 0.11
    beta: float = 0.5
    gamma: float = 0.5
    recipe: Recipe = recipe_field(
        Recipe(600 * 27_000 * 7 // 64, 64, learning_rate=1e-5, weight_decay=0.0, n_evals=600), *USUAL, "clip"
    )


@dataclass(frozen=True)
class WithMonet:
    """A learner that gets the slots of a MONet, which has learnt to take pictures apart, without names.

    Attributes
    ----------
    monet : MonetConfig
        How its eyes were trained. All learners of one seed share them.
    """

    supervision = "answers and pictures"

    monet: MonetConfig = MonetConfig()

    @property
    def pixels(self) -> int:
        return self.monet.pixels


@dataclass(frozen=True)
class MonetAgentConfig(WithMonet, TransformerConfig):
    """MONet transformer."""


@dataclass(frozen=True)
class MonetWordLearnerConfig(WithMonet, WordLearnerConfig):
    """A word learner over the slots of a MONet."""


_BRIEF = {"learning_rate": 1.5e-3, "schedule": "cycle"}
_QUICK = _BRIEF | {"steps": 60, "batch": 32, "n_evals": 4, "episodes": 200, "validated": 40, "tested": 40}
_LAB = _BRIEF | {"steps": 500, "n_evals": 8, "validated": 200}
_SMALL = {"width": 64, "layers": 3, "heads": 4, "dropout": 0.0}
_FAST = {"learning_rate": 4e-3, "schedule": "cycle", "batch": 24}
_WORDS_QUICK = _QUICK | _FAST | {"steps": 250, "episodes": 600}
_WORDS_LAB = _FAST | {"steps": 2400, "n_evals": 8, "validated": 200}
# drawing a picture costs more than everything else
_DRAWN_QUICK = {"batch": 16, "episodes": 100, "validated": 20, "tested": 40}
_DRAWN_LAB = {"episodes": 1200, "validated": 200, "tested": 600}
_DRAWN_TOGETHER = {"episodes": 200, "validated": 33, "tested": 100}
_TOGETHER = {"steps": 4000, "easy": 0.1}  # most episodes are then of tasks that are not learnt yet
_SIGHT_QUICK = {"pixels": 64, "channels": 16, "episodes": 50, "validated": 4, "tested": 2, "steps": 200}
_READING_QUICK = {"width": 64, "layers": 2, "episodes": 100, "validated": 10, "tested": 4, "steps": 300}
_MONET_SMALL = {"size": 32, "levels": 4, "learning_rate": 1e-3, "schedule": "cycle", "batch": 4}
_MONET_QUICK = _MONET_SMALL | {
    "pixels": 48, "channels": 8, "episodes": 8, "validated": 2, "tested": 8, "steps": 20, "n_evals": 2,
}  # fmt: skip
_MONET_LAB = _MONET_SMALL | {  # the weights of the losses are for 16 times fewer pixels
    "pixels": 64, "channels": 16, "episodes": 96, "steps": 12_000, "n_evals": 8,
    "beta": 0.03, "gamma": 0.05, "background": 0.06, "foreground": 0.06,
}  # fmt: skip
EYES = {  # what is taught once for all learners of a seed: title, config, and settings under quick, lab and paper
    name: presets.Kind(title, make, dict(zip(presets.PRESETS, sizes, strict=True)))
    for name, title, make, *sizes in (
        ("sight", "taught eyes", SightConfig, _SIGHT_QUICK, {"steps": 2800}, {"episodes": 3000, "steps": 20_000}),
        ("reading", "a taught reader", ReadingConfig, _READING_QUICK, {}, {"steps": 10_000}),
        ("monet", "a MONet", MonetConfig, _MONET_QUICK, _MONET_LAB, {}),
    )
}
SIGHT, READING, MONET = EYES.values()


@dataclass(frozen=True)
class _Kind(presets.Kind):
    """An agent.

    Attributes
    ----------
    inputs : str
        One of `observations.INPUTS`.
    eyes : dict
        The eyes that it gets its slots from, under the field of its config that holds theirs of the same preset.
    together : dict
        What differs under ``lab`` where it learns all tasks together.
    """

    inputs: str = "true slots"
    eyes: dict[str, presets.Kind] = field(default_factory=dict)
    together: dict[str, Any] = field(default_factory=dict)

    def settings(self, size: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        is_whole = size == "lab" and changes.get("set", "together") == "together"
        eyes = {name: kind.config(size) for name, kind in self.eyes.items()}
        return super().settings(size, {**eyes, **(self.together if is_whole else {}), **changes})


_CNN_QUICK = _DRAWN_QUICK | {"pixels": 48, "channels": 16, "naming": 200}
_CNN_LAB = _DRAWN_LAB | {"pixels": 64, "channels": 16, "naming": 700}
# name, title, config; settings under quick, lab and paper; inputs, eyes, and what differs where tasks are together
_AGENTS: tuple[tuple[Any, ...], ...] = (
    ("slot-transformer", "slot transformer", TransformerConfig,
     _SMALL | _QUICK, _SMALL | _LAB, {}, "true slots"),
    ("caption-transformer", "caption transformer", TransformerConfig,
     _SMALL | _QUICK, _SMALL | _LAB, {}, "captions"),
    ("cnn-transformer", "CNN transformer", CNNConfig,
     _SMALL | _QUICK | _CNN_QUICK, _SMALL | _LAB | _CNN_LAB, {}, "pixels", {}, _DRAWN_TOGETHER),
    ("monet-transformer", "MONet transformer", MonetAgentConfig,
     _SMALL | _QUICK | _DRAWN_QUICK, _SMALL | _LAB | _DRAWN_LAB, {}, "learned slots", {"monet": MONET},
     _DRAWN_TOGETHER),
    ("slot-word-learner", "slot word learner", WordLearnerConfig,
     _WORDS_QUICK, _WORDS_LAB, _FAST, "true slots", {}, _TOGETHER),
    ("caption-word-learner", "caption word learner", ReadingWordLearnerConfig,
     _WORDS_QUICK, _WORDS_LAB, _FAST, "captions", {"sight": READING}, _TOGETHER),
    ("cnn-word-learner", "CNN word learner", SeeingWordLearnerConfig,
     _WORDS_QUICK, _WORDS_LAB | {"tested": 240}, _FAST, "pixels", {"sight": SIGHT}, _TOGETHER | {"tested": 40}),
    ("monet-word-learner", "MONet word learner", MonetWordLearnerConfig,
     _WORDS_QUICK | _DRAWN_QUICK, _WORDS_LAB | _DRAWN_LAB, _FAST, "learned slots", {"monet": MONET},
     _TOGETHER | _DRAWN_TOGETHER),
    *((name, name, AgentConfig, _QUICK, _LAB, {}) for name in imports.files("cogkit.mewl.learners.own")),
)  # fmt: skip
KINDS = {
    name: _Kind(title, make, {"quick": quick, "lab": lab, "paper": paper}, {"agent": name}, *own)
    for name, title, make, quick, lab, paper, *own in _AGENTS
}
NAMES = {name: kind.title for name, kind in KINDS.items()}


def config(agent: str, preset: str, **changes) -> AgentConfig:
    """Return the config of an agent under a preset; ``changes`` are fields with other values.

    Examples
    --------
    >>> config("slot-transformer", "lab", set="shape").episodes
    3000
    >>> config("cnn-transformer", "paper").naming
    0
    """
    return KINDS[presets.choose(agent, KINDS, "agent that is trained")].config(preset, **changes)


def words_of(config: WithTaughtEyes) -> WordLearnerConfig:
    """Return the config of the slot word learner that learns the same words, with the test episodes of its preset.

    Examples
    --------
    >>> words_of(config("cnn-word-learner", "lab", set="shape")) == config("slot-word-learner", "lab", set="shape")
    True
    """
    own: dict[str, Any] = {entry.name: getattr(config, entry.name) for entry in fields(WordLearnerConfig)}
    own["agent"] = "slot-word-learner"
    words = WordLearnerConfig(**own)
    usual = KINDS["slot-word-learner"].configs(set=config.set).values()
    return next((one for one in usual if replace(one, tested=words.tested) == words), words)


def cell_id(agent: str, set: str = "together") -> str:
    """Return the id of an agent's cell: ``mewl/slot-transformer/shape``."""
    return f"mewl/{agent}/{set}"
