"""Training runs of all agents, and their scores (Nie et al. 2020, § 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.bongard import scoring
from cogkit.bongard.learners import agents, ladder, models, pretraining
from cogkit.bongard.learners.agents import AgentConfig
from cogkit.bongard.learners.models import render
from cogkit.bongard.learners.networks.backbone import pixels
from cogkit.bongard.learners.windows import turned
from cogkit.bongard.problems import records, sets
from cogkit.bongard.problems.packed import Packed
from cogkit.bongard.problems.records import A_SIDE, SIDES
from cogkit.bongard.shapes import inventory
from cogkit.core.cost import Spent
from cogkit.core.processes import end_idle
from cogkit.data import results
from cogkit.learning import Fit
from cogkit.learning.context import default_device, precision, products
from cogkit.learning.lifecycle import Lifecycle
from cogkit.learning.supervised import curve_rows, fit_supervised

_LEARNT = 500  # largest number of training problems that are asked again
Pictures = np.ndarray | Packed  # (n, 2, 7, [2,] size, size) uint8: 255 is paper, positives first


def fit(
    config: AgentConfig, seed: int, pictures: Pictures, validation: Pictures | None = None,
    weights: Mapping[str, Tensor] | None = None, **options,
) -> Fit:  # fmt: skip
    """Return the training run of an agent on given pictures. ``options`` go to `learning.Fit`.

    A step is one batch of problems. The metrics are ``loss`` in nats, ``accuracy``, the share of right answers in the
    batch, and at every evaluation ``validation``, the share of right answers about the seventh picture of each side of
    the validation problems. The run keeps the weights that scored best in validation as well as the last weights.
    ``pictures`` are the training problems, (n, 2, 7, size, size) uint8 or (n, 2, 7, 2, size, size), as `render`
    gives them; 255 is paper. Without ``validation`` the last weights are used. ``weights`` are those of the backbone,
    from `pretraining.backbone`, if the config asks for pre-training.

    Examples
    --------
    >>> from cogkit.learning import run
    >>> noise = np.random.default_rng(0).integers(0, 256, (9, 2, 7, 64, 64), np.uint8)
    >>> run(fit(agents.config("protonet", "quick", steps=2), 0, noise, log_every=1)).log.columns.tolist()
    ['step', 'loss', 'accuracy']
    """
    device = default_device(config.half)

    def build() -> models.Network:
        network = models.build(config)
        if weights is not None:
            network.backbone.load_state_dict(weights)
        return network.to(device)

    def loss_fn(network: models.Network, _, rng: np.random.Generator) -> tuple[Tensor, dict[str, float]]:
        batch = pixels(draw(config, pictures, rng), device, config.view == "shapes")
        with products(config.half):
            logits, features = network.course(batch, every=config.queries == "all")
        loss, metrics = answer_loss(logits)
        if config.contrastive:
            loss = loss + config.contrastive * contrastive_loss(features[:, 0].float(), network.head.nearness)
        return loss, metrics

    def validate(network: models.Network, held_out: Pictures) -> dict[str, float]:
        return {"validation": accuracy(models.Agent(network, config), held_out)}

    return fit_supervised(config, seed, len(pictures), build, loss_fn, validate, validation, **options)


def answer_loss(logits: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Return the mean loss in nats of logits (n, 2, 2) about a query of each side, and the ``accuracy``."""
    sides = torch.arange(len(SIDES), device=logits.device).expand(logits.shape[:2])
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), sides.flatten())
    return loss, {"accuracy": (logits.argmax(dim=2) == sides).float().mean().item()}


def draw(config: AgentConfig, pictures: Pictures, rng: np.random.Generator) -> np.ndarray:
    """Return a batch of different problems with shuffled pictures on each side: (batch, 2, 7, ..., size, size).

    The last picture of a side is the query if the agent gets a single query.
    """
    batch = shuffled(pictures, config.recipe.batch, rng)
    if config.flip != "none":
        flips = rng.random(batch.shape[:3] if config.flip == "picture" else (config.recipe.batch, 1, 1)) < 0.5
        batch = np.where(flips.reshape(*flips.shape, *[1] * (batch.ndim - 3)), batch[..., ::-1], batch)
    if config.turn == "picture":
        batch = turned(batch, rng.integers(4, size=batch.shape[:3]))
    return batch


def shuffled(pictures: Pictures, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return ``n`` different problems with shuffled pictures on each side, (n, 2, 7, ...)."""
    rows = np.sort(rng.choice(len(pictures), n, replace=False))  # a memory map is read in order
    order = rng.permuted(np.tile(np.arange(A_SIDE), (n, len(SIDES), 1)), axis=2)
    return pictures[rows][np.arange(n)[:, None, None], np.arange(len(SIDES))[:, None], order]


def contrastive_loss(features: Tensor, nearness: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """Return the mean loss in nats about which problem of a batch a positive picture is from.

    ``features`` (B, 7, F) are those of the positives, ``nearness`` is `head.Head.nearness`. Each picture is compared
    with the mean of every problem; the mean of its own problem leaves the picture out.
    """
    n, pictures = features.shape[:2]
    others = (features.sum(dim=1, keepdim=True) - features) / (pictures - 1)
    near, far = nearness(features, others), nearness(features[:, :, None], features.mean(dim=1))
    diagonal = torch.eye(n, dtype=torch.bool, device=features.device)[:, None]
    logits = torch.where(diagonal, near[:, :, None], far)
    problem = torch.arange(n, device=features.device)[:, None].expand(n, pictures)
    return nn.functional.cross_entropy(logits.flatten(0, 1), problem.flatten())


def accuracy(agent, pictures: Pictures) -> float:
    """Return the share of right answers about the seventh picture of each side of whole problems.

    ``agent.chances(pictures)`` gives them, as `models.Agent` does.
    """
    chances = agent.chances(pictures)
    return float(((chances > 0.5) == [True, False]).mean())


def train(config: AgentConfig, seed: int, profile: str = "verified", **options) -> Fit:
    """Return the training run of an agent on the problems of a profile; ``options`` go to `learning.Fit`.

    The problems are drawn before this returns. So is the backbone trained, on the same pictures, where the config says
    so.
    """
    config = agents.under(config, profile)
    arrays, weights, spent = _prepared(config, seed, profile)
    end_idle()  # now that nothing holds the problems themselves
    return fit(config, seed, *arrays, weights, spent=spent, **options)


def _prepared(config: AgentConfig, seed: int, profile: str) -> tuple[list[Packed], dict[str, Tensor] | None, float]:
    """Return pictures of training and of validation, the weights of a backbone trained on them, and its CPU seconds."""
    problems = [sets.problems(task_of(config, part), n, profile) for part, n in
            (("train", config.problems), ("val", config.validated))]  # fmt: skip
    arrays = [render(config, part, jobs=None) for part in problems]
    if not config.pretrained:
        return arrays, None, 0.0
    end_idle()
    images, validation = zip([part.flat for part in arrays], map(records.pictures, problems), strict=True)
    with Spent() as spent:
        weights = pretraining.backbone(config.pretrained, seed, *images, validation)
    return arrays, weights, spent.seconds


def assess(agent: models.Agent, profile: str, seed: int) -> list[dict]:
    """Return the result rows of an agent on the tests of its set, and on some of its training problems."""
    return examined(agent, profile, seed, _source(agent.config), agent.render)


def examined(agent, profile: str, seed: int, source: str, look: Callable) -> list[dict]:
    """Return the result rows of an agent, or a reasoner, on some of its training problems and on the tests of its set.

    About a test with new shapes, one row more says how far it is above memory. ``look`` is as in `scoring.assess`.
    """
    config = agent.config
    counts = {task_of(config, "train"): min(config.problems or _LEARNT, config.tested or _LEARNT, _LEARNT)}
    counts |= dict.fromkeys(agents.tests_of(config.set), config.tested)
    problems = {task: sets.problems(task, n, profile) for task, n in counts.items() if task not in sets.NEW_TESTS}
    rules = {"profile": profile, "seed": seed, "source": source, "look": look}
    rows = scoring.assess(agent, problems, shapes=inventory.available(), **rules)
    for task in sets.NEW_TESTS if config.set == sets.NEW else ():
        rows += ladder.assess(agent, task, config.tested, **rules)
    return rows


def curve(agent: models.Agent) -> list[dict]:
    """Return the training log as result rows: the share of right answers in validation at every evaluation."""
    task = task_of(agent.config, "val")
    facts = {"task": task, "n": 2 * len(sets.task_specs(task)[: agent.config.validated])}
    return curve_rows(agent.log, agent, **facts, source=_source(agent.config))


def task_of(config: AgentConfig, part: str) -> str:
    """Return the name in `sets` of a part of the agent's set of problems."""
    return agents.task_of(config.set, part)


def _source(config: AgentConfig) -> str:
    """Return the source of rows, with the picture size and the precision of the network."""
    dtype = str(precision(config.half)).removeprefix("torch.")
    size = f"{config.size} px" if config.view == "whole" else f"windows of {config.size} px"
    return f"cogkit, {size}, α = {config.reduction}, {dtype}"


REGISTRY = Lifecycle(
    "an agent of Bongard-LOGO", results.shipped_folder("bongard"), "{config.agent}-{config.set}-{preset}-s{seed}",
    agents.KINDS, agents.config, models.build, models.Agent, train, assess, curve,
)  # fmt: skip
learn, load, save = REGISTRY.learn, REGISTRY.load, REGISTRY.save
read, shipped, to_agent = REGISTRY.read, REGISTRY.shipped, REGISTRY.to_agent
