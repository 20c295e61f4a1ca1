"""What a backbone learns before the problems, and what it is tried on beside them: the configs. No torch here."""

from __future__ import annotations

from dataclasses import dataclass

from cogkit.bongard.shapes.attributes import ATTRIBUTES
from cogkit.core import presets
from cogkit.core.contracts import InputError

OPTIMISERS = ("sgd", "adamw")
SCHEDULES = ("constant", "tenths", "cycle")
NUMBERS = ("mixture", "l2")
HELD_OUT = ("pictures", "shapes")
_EPOCHS = 100
_PICTURES = 9300 * 14  # of the published training set


@dataclass(frozen=True)
class BackboneConfig:
    """How a backbone is trained on single pictures. The paper's way of pre-training unless said.

    Attributes
    ----------
    size : int
        Pixels a side.
    reduction : int
        What the widths of ResNet-15 are divided by.
    steps, batch : int
        Updates of the weights, and pictures in each. Every pass through the pictures has an order of its own; a rest
        that fills no batch is left out.
    optimiser : {"sgd", "adamw"}
        SGD has momentum 0.9.
    learning_rate, weight_decay : float
    schedule : {"constant", "tenths", "cycle"}
        The learning rate stays; or falls to a tenth after 20, 40 and 60 % of the steps; or rises in a straight line
        over a tenth of them and falls along a cosine to 0.
    clip : float or None
        Longest gradient of all weights together; None for any.
    looks : int
        Evaluations in a run, where there are validation pictures.
    taken_at : float or None
        The share of the run at which the network is taken, fixed beforehand: the paper's program went on from epoch 80
        of momentum contrast, and 50 of program synthesis. None for the look that was best on validation pictures, or
        the end where there are none.
    half : bool
        Products in bfloat16 where the machine has it, on a GPU where there is one.
    """

    size: int = 512
    reduction: int = 1
    steps: int = _EPOCHS * (_PICTURES // 128)
    batch: int = 128
    optimiser: str = "sgd"
    learning_rate: float = 0.03
    weight_decay: float = 1e-4
    schedule: str = "tenths"
    clip: float | None = None
    looks: int = _EPOCHS
    taken_at: float | None = None
    half: bool = True

    def __post_init__(self) -> None:
        presets.choose(self.optimiser, OPTIMISERS, "optimiser")
        presets.choose(self.schedule, SCHEDULES, "schedule")
        if min(self.batch, self.steps, self.looks) < 1:
            raise InputError(f"{self.steps} steps of {self.batch}, {self.looks} looks", "at least one of each")
        if self.taken_at is not None and not 0 < self.taken_at <= 1:
            raise InputError(f"taken_at={self.taken_at!r}", "a share of the run, over 0 to 1, or None")

    @property
    def fixed(self) -> int | None:
        """After which step the network is taken, where that is fixed beforehand."""
        return None if self.taken_at is None else max(1, round(self.taken_at * self.steps))


@dataclass(frozen=True)
class MoCoConfig(BackboneConfig):
    """Momentum contrast (He et al. 2020): two views of a picture belong together, and to no other picture.

    Attributes
    ----------
    queue : int
        Codes of earlier pictures that a picture is told apart from.
    momentum : float
        How much of the slow encoder stays at a step.
    temperature : float
        Cosines are divided by it.
    jitter : float
        Brightness and contrast of a view are multiplied by up to this much more or less.
    """

    queue: int = 65_536
    momentum: float = 0.999
    temperature: float = 0.07
    jitter: float = 0.4

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.queue < self.batch:
            raise InputError(f"a queue of {self.queue}", f"room for a batch at least, {self.batch}")


@dataclass(frozen=True)
class SynthesisConfig(BackboneConfig):
    """Program synthesis: the actions that drew a picture, named one after the other from its features (appendix C).

    Attributes
    ----------
    numbers : {"mixture", "l2"}
        How lengths and angles are named: by a mixture of Gaussians, or by one number under squared error.
    components : int
        Gaussians a mixture.
    narrowest : float
        Least width of a Gaussian, in shares of the range: without it, a number that recurs would get endless density.
    hidden, layers : int
        Units and layers of the LSTM.
    embedding : int
        Width of the code of an action.
    dropout : float
        Share of units dropped between its layers in training.
    """

    clip: float | None = 10.0
    numbers: str = "mixture"
    components: int = 5
    narrowest: float = 0.03
    hidden: int = 256
    layers: int = 2
    embedding: int = 64
    dropout: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        presets.choose(self.numbers, NUMBERS, "way to name numbers")


@dataclass(frozen=True)
class CapabilityConfig(BackboneConfig):
    """Whether the backbone alone tells pictures of shapes that have an attribute from those that have it not.

    The paper says 14,000 pictures with it and 14,000 without, and not how they fall into training and test, nor whether
    a shape is in both. Here all of those are trained on, and validation and test pictures are made besides. How long it
    trained is not said either.

    Attributes
    ----------
    attribute : str
        ``convex`` and ``has_two_parts`` in the paper.
    held_out : {"pictures", "shapes"}
        What validation and test pictures do not share with training: the pictures alone, drawn anew from the same
        shapes, or the shapes too.
    trained, validated, tested : int
        Pictures with the attribute; there are as many without.
    source : str
        Of the shapes, one of `shapes.SOURCES`.
    """

    steps: int = 50 * (28_000 // 128)
    learning_rate: float = 1e-3
    weight_decay: float = 5e-4
    schedule: str = "constant"
    looks: int = 50
    attribute: str = "convex"
    held_out: str = "pictures"
    trained: int = 14_000
    validated: int = 1_000
    tested: int = 2_000
    source: str = "any"

    def __post_init__(self) -> None:
        super().__post_init__()
        presets.choose(self.attribute, ATTRIBUTES, "attribute")
        presets.choose(self.held_out, HELD_OUT, "thing to hold out")


_ADAM = {"optimiser": "adamw", "learning_rate": 3e-3, "weight_decay": 1e-2, "schedule": "cycle", "half": False}
_SMALL = _ADAM | {"size": 64, "reduction": 16, "batch": 32, "steps": 100, "looks": 2}
_MIDDLE = _ADAM | {"size": 64, "reduction": 8, "batch": 64, "steps": 1200, "looks": 6}
KINDS = {
    "moco": presets.Kind("moco", MoCoConfig, {
        "quick": _SMALL | {"queue": 512, "momentum": 0.99},
        "lab": _MIDDLE | {"steps": 600, "queue": 8192, "momentum": 0.99},
        "paper": {},
    }),
    "synthesis": presets.Kind("synthesis", SynthesisConfig, {
        "quick": _SMALL | {"hidden": 64, "embedding": 32, "dropout": 0.0},
        "lab": _MIDDLE | {"hidden": 128, "dropout": 0.1},
        "paper": {},
    }),
    "capability": presets.Kind("capability", CapabilityConfig, {
        "quick": _SMALL | {"trained": 200, "validated": 50, "tested": 100},
        "lab": _MIDDLE | {"trained": 4000, "validated": 250, "tested": 500},
        "paper": {},
    }),
}  # fmt: skip


def config(name: str, preset: str, **changes) -> BackboneConfig:
    """Return the config of ``moco``, ``synthesis`` or ``capability`` under a preset; ``changes`` are set otherwise.

    Examples
    --------
    >>> config("moco", "paper").queue
    65536
    >>> config("capability", "lab", attribute="has_two_parts").size
    64
    """
    return KINDS[presets.choose(name, KINDS, "training of a backbone")].config(preset, **changes)
