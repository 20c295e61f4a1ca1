"""Trains a pretrained learner and evaluates it (Jiang et al. 2023, appendix C)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from cogkit.core.errors import InputError
from cogkit.learning import Fit, Result, inference, lifecycle, pretrained, run
from cogkit.learning.context import default_device
from cogkit.learning.supervised import fit_supervised
from cogkit.mewl.learners.pretrained import (
    BertConfig,
    ClipConfig,
    FlamingoConfig,
    NounConfig,
    PairConfig,
    PretrainedConfig,
)
from cogkit.mewl.learners.pretrained.bert import Bert
from cogkit.mewl.learners.pretrained.clip import Clip
from cogkit.mewl.learners.pretrained.flamingo import Flamingo
from cogkit.mewl.learners.pretrained.nouns import Nouns, Pairs
from cogkit.mewl.problems import making, observations
from cogkit.mewl.problems.episodes import Episode, Question
from cogkit.mewl.problems.pictures import drawer

Base = Clip | Bert | Flamingo | Nouns | Pairs
Draw = Callable[[Sequence[Episode]], np.ndarray]  # pictures of episodes, (n, 7, height, width, 3) uint8
_BASES = {ClipConfig: Clip, BertConfig: Bert, FlamingoConfig: Flamingo, NounConfig: Nouns, PairConfig: Pairs}
_A_PART = 64  # episodes that are drawn and processed together


def begin(config: PretrainedConfig, folder) -> tuple[PretrainedConfig, Base]:
    """Return the pretrained model of a folder, and the config with its name and digest in it.

    Raises `InputError` if the folder does not hold the config's kind of model, or other weights than the config names.
    """
    base, weights = _BASES[type(config)](folder, config, default_device()), pretrained.digest(folder)
    if config.weights not in ("", weights):
        raise InputError(f"{folder}, whose weights are {weights[:12]}…", f"{config.base}, {config.weights[:12]}…")
    return replace(config, base=Path(folder).resolve().name, weights=weights), base


class Learner(lifecycle.Agent):
    """A network on top of a pretrained model, as a learner.

    ``network`` is that of ``base.network()``, not copied. ``draw`` is how its pictures are drawn, for `scoring.judge`;
    None for a learner that reads captions.
    """

    def __init__(self, network: nn.Module, config: PretrainedConfig, base: Base) -> None:
        super().__init__(network.to(base.device), config)
        self.base = base
        self.inputs, self.tasks = config.inputs, config.tasks
        self.name = config.name
        self.draw: Draw | None = _drawer(config)

    def score(self, question: Question) -> np.ndarray:
        """Return the logarithm of each option's probability, (n, 5) float32."""
        return self.weigh(self.base.rows(question)).numpy()

    def weigh(self, rows: dict[str, Tensor]) -> Tensor:
        """Return the same, given rows from its base."""
        with inference(self.network):
            parts = [self.network(**self.base.prepare_inputs(part)) for part in _parts(rows, self.config.at_once)]
            return torch.cat(parts).log_softmax(dim=1).float().cpu()


Lessons = tuple[dict[str, Tensor], Tensor]  # rows of a base, and the right options


def lessons(base: Base, episodes: Sequence[Episode], draw: Draw | None = None) -> Lessons:
    """Return episodes in the form of a base; ``draw`` makes their pictures, by default as the config says."""
    draw = draw or _drawer(base.config)
    parts = []
    for start in range(0, len(episodes), _A_PART):
        part = episodes[start : start + _A_PART]
        parts.append(base.rows(observations.question(part, base.config.inputs, draw and draw(part))))
    rows = {name: _joined([part_rows[name] for part_rows in parts]) for name in parts[0]}
    return rows, torch.tensor([episode.answer for episode in episodes])


def fit(
    config: PretrainedConfig, base: Base, seed: int, taught: Lessons, validation: Lessons | None = None, **options
) -> Fit:
    """Return the training run of a learner; ``options`` go to `learning.Fit`.

    A step is one batch. Metrics: ``loss`` in nats; ``accuracy``, the share of right answers in the batch; and at every
    evaluation ``validation``, the share of right answers about validation episodes. It selects the best weights. Raises
    `InputError` if there are fewer episodes than a batch.
    """
    every_row, every_answer = taught

    def loss_fn(network: nn.Module, places: np.ndarray, rng: np.random.Generator) -> tuple[Tensor, dict[str, float]]:
        rows = {name: values[torch.from_numpy(places)] for name, values in every_row.items()}
        answers = every_answer[torch.from_numpy(places)].to(base.device)
        if isinstance(base, Nouns):  # whose network knows no order of panels and options
            loss, logits = network.taught(**base.prepare_inputs(rows), answers=answers)
        else:
            logits = _through(network, base, base.varied(rows, rng) if isinstance(base, Clip) else rows, config.at_once)
            loss = nn.functional.cross_entropy(logits, answers)
        return loss, {"accuracy": (logits.argmax(dim=1) == answers).float().mean().item()}

    def validate(network: nn.Module, held_out: Lessons) -> dict[str, float]:
        rows, answers = held_out
        choices = Learner(network, config, base).weigh(rows).argmax(dim=1)
        return {"validation": (choices == answers).float().mean().item()}

    return fit_supervised(
        config, seed, len(every_answer), lambda: base.network().to(base.device), loss_fn, validate, validation,
        **options,
    )  # fmt: skip


def learn(config: PretrainedConfig, folder, profile: str, seed: int, draw: Draw | None = None, **options) -> Learner:
    """Return a learner after training on the episodes of a profile, with the log of its training.

    ``folder`` holds the pretrained model, as transformers saves it, with its tokenizer and, if it sees pictures, its
    image processor. ``draw(episodes) -> (n, 7, height, width, 3) uint8`` is by default `pictures_of`, as wide as the
    config says. ``options`` go to `learning.Fit`. Raises `InputError` if the folder does not hold such a model, or
    transformers is not installed.

    Notes
    -----
    Differs from the paper: we choose the weights on validation episodes, but the paper's program was evaluated on the
    test set during training. Pictures are drawn by our own ray tracer.
    """
    config, base = begin(config, folder)
    training, validation = (
        lessons(base, making.episodes_of_all(config.tasks, part, n, profile), draw)
        for part, n in (("train", config.episodes), ("val", config.validated))
    )  # fmt: skip
    return to_learner(run(fit(config, base, seed, training, validation, **options)), base)


def to_learner(result: Result, base: Base) -> Learner:
    """Return the learner from a run's result. Its weights are rounded as they are in a saved file."""
    return Learner(base.network(), result.config, base).after(result)


def _drawer(config: PretrainedConfig) -> Draw | None:
    return drawer(config.inputs, getattr(config, "picture", None))


def _parts(rows: dict[str, Tensor], size: int) -> Iterator[dict[str, Tensor]]:
    n = len(next(iter(rows.values())))
    return ({name: values[start : start + size] for name, values in rows.items()} for start in range(0, n, size))


def _through(network: nn.Module, base: Base, rows: dict[str, Tensor], at_once: int) -> Tensor:
    """Return the logits of rows. With several parts, the backward pass recomputes the activations."""
    parts = [base.prepare_inputs(part) for part in _parts(rows, at_once)]
    if len(parts) == 1:
        return network(**parts[0])
    return torch.cat([checkpoint(network, use_reentrant=False, **part) for part in parts])


def _joined(parts: list[Tensor]) -> Tensor:
    """Return the parts as one tensor; texts are padded to the longest."""
    longest = max(part.shape[-1] for part in parts)
    return torch.cat([nn.functional.pad(part, (0, longest - part.shape[-1])) for part in parts])
