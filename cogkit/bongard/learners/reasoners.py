"""Reasoners: heads that decide by what taught eyes see. They are trained on answers, and their eyes stay as they are.

Differs from the paper, whose learners have no eyes that were taught attributes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch import Tensor, nn

from cogkit.bongard.learners import agents, models, perception
from cogkit.bongard.learners.agents import ReasonerConfig
from cogkit.bongard.learners.heads.concept_search import CONCEPTS, ConceptSearch
from cogkit.bongard.learners.models import Chooser, Network
from cogkit.bongard.learners.networks.backbone import FEATURES
from cogkit.bongard.learners.perception import SEEN
from cogkit.bongard.learners.training import accuracy, answer_loss, examined, shuffled
from cogkit.bongard.learners.windows import SIZE
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import SIDES, SUPPORT, Problem, Question
from cogkit.data import results
from cogkit.learning import Fit, inference
from cogkit.learning.lifecycle import Lifecycle
from cogkit.learning.supervised import curve_rows, fit_supervised

HEADS = {f"{name}-on-eyes": head for name, head in (models.HEADS | {"concept-search": ConceptSearch}).items()}


def build(config: ReasonerConfig) -> Network:
    """Return a new network of a config; in place of pictures it takes what eyes see of them.

    Examples
    --------
    >>> network = build(agents.SEEING["protonet-on-eyes"].config("quick"))
    >>> network(torch.zeros(5, 2, 6, 201), torch.zeros(5, 1, 201)).shape
    torch.Size([5, 1, 2])
    """
    head = HEADS[config.agent]()
    if isinstance(head, ConceptSearch):
        return Network(nn.Identity(), head)
    adapt = nn.Sequential(nn.Linear(SEEN, config.width), nn.ReLU(), nn.Linear(config.width, FEATURES))
    return Network(nn.Identity(), head, standardised=True, adapt=adapt)


class Reasoner(Chooser):
    """A trained reasoner as a learner, which also takes what its eyes see of pictures; see `perception.Eyes.looked_at`.

    ``eyes`` are those of its config and seed.
    """

    size, supervision = SIZE, "answers and attributes"
    input_shape = (SEEN,)  # shape of what is seen of a picture, which `scoring.judge` may give in place of its pixels

    def __init__(self, network: nn.Module, config: ReasonerConfig) -> None:
        super().__init__(network, config)
        self.name = agents.REASONERS[config.agent]

    @property
    def eyes(self) -> perception.Eyes:
        """The eyes, taught now if they are not at hand; see `perception.eyes_of`."""
        return perception.eyes_for(self.config, self.seed)

    def predict(self, question: Question) -> np.ndarray:
        """Return the probability that each query belongs to the positive side, (n,) float32."""
        return super().predict(Question(*map(self.eyes.looked_at, (question.support, question.query))))


@dataclass(frozen=True, eq=False)
class Thoughts:
    """What a concept search makes of n problems.

    Attributes
    ----------
    seen : DataFrame
        What the eyes tell of each picture: columns problem (its number), side, place, then those of
        `perception.reported`.
    concepts : DataFrame
        The concepts with the largest posterior, the largest first: columns problem, concept (a tuple of attributes, or
        `FIGURE` alone), posterior.
    chances : (n, 2) float32
        The probability of "positive" for the seventh picture of each side.
    """

    seen: pd.DataFrame
    concepts: pd.DataFrame
    chances: np.ndarray


class Searcher(Reasoner):
    """A trained concept search as a learner. It tells what it saw, and which concepts it holds."""

    def thoughts(self, problems: Sequence[Problem], most: int = 3) -> Thoughts:
        """Return what it makes of some problems, with the ``most`` likely concepts of each."""
        looks = self.eyes.seen(problems)
        head, support = self.network.head, torch.from_numpy(looks[:, :, :SUPPORT])
        assert isinstance(head, ConceptSearch)
        with inference(self.network):
            posterior = head.weigh(support, support[:, 0, :1])[0].exp().numpy()
        first = np.argsort(-posterior, axis=1, kind="stable")[:, :most]
        rows = [
            {"problem": k, "concept": CONCEPTS[place], "posterior": float(posterior[k, place])}
            for k, places in enumerate(first.tolist()) for place in places
        ]  # fmt: skip
        number, side, place = (each.ravel() for each in np.indices(looks.shape[:3]))
        where = pd.DataFrame({"problem": number, "side": np.array(SIDES)[side], "place": place})
        seen = pd.concat([where, perception.reported(looks.reshape(-1, SEEN))], axis=1)
        return Thoughts(seen, pd.DataFrame(rows, columns=["problem", "concept", "posterior"]), self.chances(looks))


def _agent(network: nn.Module, config: ReasonerConfig) -> Reasoner:
    return (Searcher if HEADS[config.agent] is ConceptSearch else Reasoner)(network, config)


def fit(config: ReasonerConfig, seed: int, seen: np.ndarray, validation: np.ndarray | None = None, **options) -> Fit:
    """Return the training run of a reasoner on what eyes see of problems; ``options`` go to `learning.Fit`.

    A step is one batch of problems. Metrics are those of `training.fit`. ``seen`` is (n, 2, 7, 201) float32, as
    `sight.Eyes.seen` gives it.
    """

    def loss_fn(network: Network, _, rng: np.random.Generator) -> tuple[Tensor, dict[str, float]]:
        batch = torch.from_numpy(shuffled(seen, config.recipe.batch, rng))
        return answer_loss(network.course(batch, every=config.queries == "all")[0])

    def validate(network: Network, held_out: np.ndarray) -> dict[str, float]:
        return {"validation": accuracy(Reasoner(network, config), held_out)}

    return fit_supervised(config, seed, len(seen), lambda: build(config), loss_fn, validate, validation, **options)


def train(config: ReasonerConfig, seed: int, profile: str = "verified", **options) -> Fit:
    """Return the training run of a reasoner on the problems of a profile; ``options`` go to `learning.Fit`.

    The eyes look at the pictures before this returns, and are taught before, if they are not at hand.
    """
    eyes = perception.eyes_for(config, seed)
    parts = (
        (agents.task_of(config.set, "train"), config.problems),
        (agents.task_of(config.set, "val"), config.validated),
    )
    return fit(config, seed, *(eyes.seen(sets.problems(part, n, profile)) for part, n in parts), **options)


def assess(agent: Reasoner, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a reasoner on the tests of its set, and on some of its training problems."""
    eyes = agent.eyes
    return examined(agent, profile, seed, eyes.source, eyes.seen)


def curve(agent: Reasoner) -> list[dict]:
    """Return the training log as result rows: the share of right answers in validation at every evaluation."""
    task = agents.task_of(agent.config.set, "val")
    return curve_rows(agent.log, agent, task, 2 * len(sets.task_specs(task)[: agent.config.validated]))


REGISTRY = Lifecycle(
    "a reasoner of Bongard-LOGO", results.shipped_folder("bongard"), "{config.name}-{preset}-s{seed}", agents.SEEING,
    lambda name, preset, **changes: agents.SEEING[name].config(preset, **changes), build, _agent, train, assess,
    curve,
)  # fmt: skip
