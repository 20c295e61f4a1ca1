"""The configs of pre-training of the backbone, and of taught eyes. No torch here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from cogkit.bongard.problems.sets import NEW
from cogkit.core import presets
from cogkit.learning.recipe import USUAL, Recipe, recipe_field

NUMBERS = ("mixture", "l2")
SETS = ("all", NEW)  # of problems, on whose shapes eyes are taught
_EPOCHS = 100
_PICTURES = 9300 * 14  # of the published training set
_PRETRAINING = Recipe(_EPOCHS * (_PICTURES // 128), 128, "sgd", 0.03, 1e-4, "tenths", n_evals=_EPOCHS)


@dataclass(frozen=True)
class BackboneConfig:
    """How a backbone is trained on single pictures. Defaults are those of the paper's pre-training.

    Attributes
    ----------
    size : int
        Pixels a side.
    reduction : int
        Divisor of the widths of ResNet-15.
    recipe : Recipe
        Every pass through the pictures has a new order; pictures that do not fill a last batch are left out.
    taken_at : float or None
        The share of the run after which the weights are taken, fixed in advance. The paper's program took them from
        epoch 80 of momentum contrast, and from epoch 50 of program synthesis. None takes the weights that scored best
        in validation, or the last ones if there are no validation pictures.
    half : bool
        Whether products are computed in bfloat16 where the machine has it, on a GPU where there is one.
    """

    size: int = 512
    reduction: int = 1
    recipe: Recipe = recipe_field(_PRETRAINING, *USUAL, "clip")
    taken_at: float | None = None
    half: bool = True

    @property
    def fixed(self) -> int | None:
        """The step after which the network is taken, if it is fixed in advance."""
        return None if self.taken_at is None else max(1, round(self.taken_at * self.recipe.steps))


@dataclass(frozen=True)
class MoCoConfig(BackboneConfig):
    """Momentum contrast (He et al. 2020): two views of a picture are matched, against all other pictures.

    Attributes
    ----------
    queue : int
        Number of codes of earlier pictures in the queue.
    momentum : float
        Share of the slow encoder that stays at a step.
    temperature : float
        Divisor of the cosines.
    jitter : float
        Largest relative change of brightness and contrast in a view.
    """

    queue: int = 65_536
    momentum: float = 0.999
    temperature: float = 0.07
    jitter: float = 0.4


@dataclass(frozen=True)
class SynthesisConfig(BackboneConfig):
    """Program synthesis: the actions of a picture are named in order from its features (appendix C).

    Attributes
    ----------
    numbers : {"mixture", "l2"}
        How lengths and angles are predicted: as a mixture of Gaussians, or as one number under squared error.
    components : int
        Number of Gaussians in a mixture.
    narrowest : float
        Smallest width of a Gaussian, as a share of the range. Without it, a recurring number would get infinite
        density.
    hidden, layers : int
        Units and layers of the LSTM.
    embedding : int
        Width of the code of an action.
    dropout : float
        Share of units dropped between LSTM layers in training.
    """

    recipe: Recipe = recipe_field(replace(_PRETRAINING, clip=10.0), *USUAL, "clip")
    numbers: str = "mixture"
    components: int = 5
    narrowest: float = 0.03
    hidden: int = 256
    layers: int = 2
    embedding: int = 64
    dropout: float = 0.5

    def __post_init__(self) -> None:
        presets.choose(self.numbers, NUMBERS, "way to name numbers")


@dataclass(frozen=True)
class SightConfig:
    """How eyes are taught, on pictures of the training split: to tell strokes, angles and attributes of a shape.

    Attributes
    ----------
    agent : str
        ``sight``.
    size : int
        Pixels a side of the window in which a shape is seen; a multiple of 8.
    widths : tuple of int
        Widths of the convolutions; see `networks.sight.Sight`.
    problems, validated, tested : int or None
        Number of problems whose pictures are used for training, for validation, and for each test and the test on
        training problems. None takes all.
    recipe : Recipe
        Each step sees a batch of windows; the eyes keep the weights with the lowest loss in validation.
    set : str
        One of `SETS`. Eyes of ``new-shapes`` are not taught on any shape of its tests.
    """

    version: ClassVar[int] = 2

    agent: str = "sight"
    size: int = 160
    widths: tuple[int, ...] = (12, 24, 48, 64, 128)
    problems: int | None = None
    validated: int | None = 150
    tested: int | None = 100
    recipe: Recipe = recipe_field(Recipe(50_000, 32, "adamw", 2e-3, 1e-2, "cycle", n_evals=10), *USUAL, "clip")
    set: str = field(default="all", metadata={"since": 2, "absent": "all"}, kw_only=True)

    def __post_init__(self) -> None:
        presets.choose(self.set, SETS, "set of problems for eyes")

    @property
    def name(self) -> str:
        """What its cell is called, ``sight``, and after a set of our own its name."""
        return named(self.agent, self.set)


_ADAM = {"optimiser": "adamw", "learning_rate": 3e-3, "weight_decay": 1e-2, "schedule": "cycle", "half": False}
_QUICK = _ADAM | {"size": 64, "reduction": 16, "batch": 32, "steps": 100, "n_evals": 2}
_LAB = _ADAM | {"size": 64, "reduction": 8, "batch": 64, "n_evals": 6}
KINDS = {
    "moco": presets.Kind("moco", MoCoConfig, {
        "quick": _QUICK | {"queue": 512, "momentum": 0.99},
        "lab": _LAB | {"steps": 600, "queue": 8192, "momentum": 0.99},
        "paper": {},
    }),
    "synthesis": presets.Kind("synthesis", SynthesisConfig, {
        "quick": _QUICK | {"hidden": 64, "embedding": 32, "dropout": 0.0},
        "lab": _LAB | {"steps": 1200, "hidden": 128, "dropout": 0.1},
        "paper": {},
    }),
}  # fmt: skip
SIGHT = presets.Kind("taught eyes", SightConfig, {
    "quick": {
        "size": 64, "widths": (4, 8, 16, 24, 32), "problems": 60, "validated": 12, "tested": 8, "steps": 60,
        "batch": 16, "n_evals": 2,
    },
    "lab": {"problems": 5000, "steps": 4000, "n_evals": 5},
    "paper": {},
})  # fmt: skip


def named(agent: str, set: str) -> str:
    """Return what the cell of eyes, or of a learner on eyes, is called.

    Examples
    --------
    >>> named("sight", "all"), named("sight", "new-shapes")
    ('sight', 'sight/new-shapes')
    """
    return agent if set == "all" else f"{agent}/{set}"


def config(name: str, preset: str, **changes) -> BackboneConfig:
    """Return the config of ``moco`` or ``synthesis`` under a preset. ``changes`` override its fields.

    Examples
    --------
    >>> config("moco", "paper").queue
    65536
    """
    return KINDS[presets.choose(name, KINDS, "training of a backbone")].config(preset, **changes)
