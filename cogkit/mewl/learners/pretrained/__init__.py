"""The configs of learners that begin from a pretrained model. This module does not import torch.

The weights are in a local folder, as transformers saves it (extra ``[models]``). Nothing is downloaded.
`learning.learn` trains a learner. Here ``my-bert`` is a folder of your own, with the weights as safetensors and with
the tokenizer (and the image processor, if the model looks at pictures)::

    from cogkit import mewl
    from cogkit.mewl.learners import pretrained
    from cogkit.mewl.learners.pretrained import learning

    config = pretrained.config("bert", "quick", set="color")  # or "clip" and "flamingo", which look at pictures
    learner = learning.learn(config, "my-bert", "verified", seed=0)
    rows = mewl.summarise(mewl.judge(learner, mewl.items("color", 40), draw=learner.draw))

Two more kinds, ``nouns`` and ``pairs``, are ours: the BERT stays as it is, and a word learner or one linear map learns
from what it makes of captions.
"""

from __future__ import annotations

from dataclasses import dataclass

from cogkit.core import presets
from cogkit.learning.recipe import USUAL, Recipe, recipe_field
from cogkit.mewl.learners.agents import SETS

_STORED = [name for name in (*USUAL, "clip") if name != "optimiser"]
MINILM = {  # the weights that the cells of MiniLM begin from
    "base": "all-MiniLM-L6-v2", "weights": "6fceb34132ad726946adc26b588445bcb11811d1a28d8a42a03a6dccf63c1369",
}  # fmt: skip
_EPOCH = 422  # batches of 64 in the nine training sets


@dataclass(frozen=True)
class PretrainedConfig:
    """How a learner is trained, with any pretrained model (Jiang et al. 2023, appendix C).

    Attributes
    ----------
    set : str
        Name in `agents.SETS`: the tasks that it is trained on, all together.
    episodes, validated, tested : int
        Episodes of each task for training, validation and test.
    recipe : Recipe
        Each step sees a batch of episodes; the learner keeps the weights that scored best in validation.
    at_once : int
        Episodes that go through the network together. A larger batch goes in parts, which takes less memory and a third
        more time.
    base, weights : str
        The folder's name and the SHA-256 of its weights. They are set when the learner begins from them; a config that
        has them already takes no other weights.

    Notes
    -----
    Everything is computed in single precision, on a GPU if there is one. On a GPU,
    ``torch.set_float32_matmul_precision("high")`` makes large models several times as fast, with fewer exact digits.
    """

    set: str = "together"
    episodes: int = 3000
    validated: int = 600
    tested: int = 600
    recipe: Recipe = recipe_field(
        Recipe(200 * _EPOCH, 64, learning_rate=5e-5, weight_decay=0.0, schedule="linear", n_evals=200), *_STORED
    )
    at_once: int = 8
    base: str = ""
    weights: str = ""

    inputs = "pixels"

    def __post_init__(self) -> None:
        presets.choose(self.set, SETS, "set")

    @property
    def title(self) -> str:
        """Its name in tables, without the name of its weights."""
        return next(kind.title for kind in KINDS.values() if kind.make is type(self))

    @property
    def name(self) -> str:
        """Its name in tables."""
        return self.title + f", {self.base}" * bool(self.base)

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that it is trained on."""
        return SETS[self.set]


@dataclass(frozen=True)
class ClipConfig(PretrainedConfig):
    """A transformer over frozen features of CLIP; one token gives the five numbers.

    Attributes
    ----------
    text_encoder : bool
        Whether a name is one vector from CLIP's text encoder, or the embeddings of its tokens.
    longest : int
        Most tokens of a name, if there is no text encoder.
    width, layers, heads, feedforward : int
        Size of the transformer.
    dropout : float
    picture : int
        Width of a drawn picture in pixels; CLIP's image processor then resizes it.
    """

    recipe: Recipe = recipe_field(Recipe(600 * _EPOCH, 64, learning_rate=1e-4, clip=1.0, n_evals=600), *_STORED)
    at_once: int = 64
    text_encoder: bool = True
    longest: int = 20
    width: int = 512
    layers: int = 6
    heads: int = 8
    feedforward: int = 2048
    dropout: float = 0.1
    picture: int = 320

    @property
    def title(self) -> str:
        return f"{super().title} {'with' if self.text_encoder else 'without'} text encoder"


@dataclass(frozen=True)
class BertConfig(PretrainedConfig):
    """BERT on pairs of a prompt and an option; all of its weights are trained."""

    inputs = "captions"


@dataclass(frozen=True)
class FlamingoConfig(PretrainedConfig):
    """A language model that sees pictures by cross-attention. It scores one option at a time.

    Attributes
    ----------
    dropout : float
        Dropout of the last token's state, before it becomes a number.
    picture : int
        Width of a drawn picture in pixels; the model's image processor then resizes it.
    """

    recipe: Recipe = recipe_field(
        Recipe(30_000, 96, learning_rate=5e-5, weight_decay=0.0, schedule="linear", n_evals=106), *_STORED
    )
    dropout: float = 0.1
    picture: int = 224


@dataclass(frozen=True)
class NounConfig(PretrainedConfig):
    """Our word learner over what a frozen BERT makes of the nouns of each caption; not one of the paper's learners.

    It is as large as the slot word learner. Which tokens are nouns is given by hand.
    """

    recipe: Recipe = recipe_field(Recipe(2400, 24, learning_rate=4e-3, schedule="cycle", clip=1.0, n_evals=8), *_STORED)
    at_once: int = 64

    inputs = "captions"

    @property
    def name(self) -> str:
        return f"{self.base or 'BERT'}, {self.title}"


@dataclass(frozen=True)
class PairConfig(NounConfig):
    """A linear map over what a frozen BERT makes of pairs of a prompt and an option: the paper's BERT without training.

    It says how much of the answer lies in such a BERT already.
    """


_SMALL = {"episodes": 40, "validated": 20, "tested": 20, "steps": 40, "batch": 16, "n_evals": 2}
_MIDDLE = {"episodes": 500, "validated": 100, "tested": 200, "steps": 2000, "batch": 32, "n_evals": 20}
_OURS = {"validated": 200}
_HEAD = {"width": 128, "layers": 3, "heads": 4, "feedforward": 512, "picture": 128}
KINDS = {
    "clip": presets.Kind("CLIP", ClipConfig, {"quick": _SMALL | _HEAD, "lab": _MIDDLE | _HEAD, "paper": {}}),
    "bert": presets.Kind("BERT", BertConfig, {"quick": _SMALL, "lab": _MIDDLE, "paper": {}}),
    "flamingo": presets.Kind("Flamingo", FlamingoConfig, {
        "quick": _SMALL | {"picture": 128}, "lab": _MIDDLE | {"picture": 128}, "paper": {},
    }),
    "nouns": presets.Kind("frozen, with our word learner", NounConfig, {"quick": _SMALL, "lab": _OURS, "paper": {}}),
    "pairs": presets.Kind("frozen, pairs read off by a linear map", PairConfig, {
        "quick": _SMALL, "lab": _OURS, "paper": {},
    }),
}  # fmt: skip


def config(name: str, preset: str, **changes) -> PretrainedConfig:
    """Return the config of a name in `KINDS` under a preset; ``changes`` are fields with other values.

    Examples
    --------
    >>> config("bert", "paper").recipe.steps * 64 // 27_000
    200
    >>> one = config("clip", "lab", text_encoder=False, set="number")
    >>> one.tasks, one.title
    (('number',), 'CLIP without text encoder')
    """
    return KINDS[presets.choose(name, KINDS, "pretrained learner")].config(preset, **changes)
