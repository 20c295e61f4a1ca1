"""The settings and boards for training agents. Does not import torch, so that listing cells is fast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.core.items import Exposure
from cogkit.data import published
from cogkit.learning.recipe import Recipe, recipe_field
from cogkit.tiles.learners import policies
from cogkit.tiles.metamers import sampling
from cogkit.tiles.problems import records, splits
from cogkit.tiles.rules import PAPER_RULES
from cogkit.tiles.rules.boards import Items, from_bits, to_bits
from cogkit.tiles.rules.game import PROFILES, GameConfig
from cogkit.tiles.rules.support import Support, mixture

_VALIDATION = 12, 200  # least and most validation boards; a twentieth of the boards in between
_SHOWN = "supervised-"
EQUAL = "-2m"
CLICKS = 2_000_000  # the budget of all agents on equal terms
MIXTURE = "mixture/abstract"  # boards of all eight rules, each rule equally likely (S6)
ALL_RULES = ", all rules"  # what the name of an agent of the mixture ends in
TASKS = (*records.CONDITIONS, MIXTURE, *splits.TASKS)


@dataclass(frozen=True)
class AgentConfig:
    """How an agent is trained, by A2C or on the boards themselves.

    Attributes
    ----------
    task : str
        Rule and kind of the boards it trains on, such as ``copy/abstract``, or `MIXTURE`; or a family that it never
        trains on and is tested on, such as ``rectangle/short-side-3`` (see `problems.splits`).
    recipe : Recipe
        Each step plays a batch of boards side by side; ``entropy`` falls with the learning rate, if that is linear.
    clicks : int
        Clicks on each board in a step, the length of a rollout; gradients reach as far back.
    gamma, lam : float
        Discount, and lambda of the generalised advantage.
    entropy, value : float
        Weights of the entropy bonus and of the value loss.
    normalise : bool
        Whether the advantages of a step are standardised.
    reward_scale : float
        Rewards are multiplied by it in the returns: values near 1 keep the value loss from saturating the LSTM.
    units : int
        Width of the network: units of an LSTM, filters of a layer, width of a token.
    metamers : int
        Boards drawn for the pool of a metamer task.
    holdout : str
        What is held out: the ``published`` boards, or a fixed ``half`` of all boards (see `records.pool`).
    agent : str
        Which kind of agent, one of `KINDS`: the name of its policy. After ``supervised-`` the same network is shown the
        hidden board after every click, in place of points.
    validation : {"evenly", "by probability"}
        How the boards that choose the weights are drawn from the different boards of the pool.
    """

    version: ClassVar[int] = 3

    task: str
    recipe: Recipe = recipe_field(
        Recipe(6000, 256, "adam", 1e-2, 0.0, "linear", clip=0.5),
        "learning_rate",
        "clip",
        steps="updates",
        batch="boards",
    )
    clicks: int = 6
    gamma: float = 0.9
    lam: float = 0.6
    entropy: float = 0.05
    value: float = 0.5
    reward_scale: float = 0.1
    units: int = 120
    metamers: int = 100_000
    holdout: str = "published"
    agent: str = field(default="lstm", metadata={"since": 2, "absent": "lstm"})
    validation: str = field(default="evenly", metadata={"since": 2, "absent": "evenly"})
    normalise: bool = field(default=True, metadata={"since": 3, "absent": True})

    def __post_init__(self) -> None:
        presets.choose(self.task, TASKS, "condition")
        presets.choose(self.agent, KINDS, "agent")
        presets.choose(self.holdout, records.HOLDOUTS, "holdout")
        presets.choose(self.validation, ("evenly", "by probability"), "way to draw validation boards")

    @property
    def budget(self) -> int:
        """Clicks in the whole run, on all boards together."""
        return self.recipe.steps * self.recipe.batch * self.clicks

    @property
    def policy(self) -> str:
        """The name of its network."""
        return self.agent.removeprefix(_SHOWN).removesuffix(EQUAL)

    @property
    def supervised(self) -> bool:
        """Whether it is shown the hidden boards, in place of points."""
        return self.agent.startswith(_SHOWN)


def rules_of_play(profile: str, masked: bool = False) -> GameConfig:
    """Return the rules that agents train by: the profile's, but 60 clicks a board and no board waiting for another.

    ``verified`` masks open tiles; ``as_published`` tells of the last click one click late, and masks only for the two
    policies whose originals had masks.

    Examples
    --------
    >>> rules_of_play("as_published").mask, rules_of_play("as_published", masked=True).mask
    (False, True)
    """
    rules = PROFILES[presets.profile(profile)]
    return replace(rules, step_limit=60, evaluation="per board", mask=rules.mask or masked)


def rules_of_test(profile: str, masked: bool = False, limit: int = 120) -> GameConfig:
    """Return the rules that agents are tested by: the profile's, but under ``as_published`` those of their original.

    ``masked`` and ``limit`` are those of the policy.

    Examples
    --------
    >>> rules_of_test("as_published", masked=True, limit=60).step_limit
    60
    """
    rules = PROFILES[presets.profile(profile)]
    return rules if rules.mask else replace(rules, mask=masked, step_limit=limit)


def corrections(rules: GameConfig) -> dict[str, GameConfig]:
    """Return the tests that lead from the paper's test to the corrected one; each changes one thing of the one before.

    Examples
    --------
    >>> tests = corrections(rules_of_test("as_published"))
    >>> list(tests)
    ['boards in turn', 'opened tiles alone charged', 'open tiles masked']
    >>> tests["opened tiles alone charged"].mask, tests["open tiles masked"].mask
    (False, True)
    """
    in_turn = replace(rules, evaluation="per board")
    opened = replace(in_turn, unfinished="actual")
    masked = replace(opened, mask=True)
    return {"boards in turn": in_turn, "opened tiles alone charged": opened, "open tiles masked": masked}


@dataclass(frozen=True)
class Pools:
    """The boards of one task: no board of one part is in another.

    Attributes
    ----------
    validation : Items
        Boards for choosing weights: a twentieth of the different boards, but 12 to 200. They are drawn as the config
        says; drawn evenly, rare boards have more weight than in training.
    """

    train: Support
    validation: Items
    held_out: Items


@lru_cache(maxsize=1)  # drawing metamers takes some seconds, and a run is checked before it trains
def pools(config: AgentConfig, seed: int) -> Pools:
    """Return the boards for training, validating and testing an agent.

    Held-out boards of a rule and of its metamers, published or ours, are in no pool of either kind: an agent may be
    tested on both. With the holdout ``half``, all boards of a pool are from one half, and the tests from the other.

    Raises
    ------
    InputError
        The config holds out the published boards, and they cannot be had.

    Examples
    --------
    >>> made = pools(AgentConfig("pyramid/abstract"), seed=0)
    >>> len(made.validation), len(made.held_out)
    (12, 25)
    """
    if config.task in splits.TASKS:
        parts = splits.of_task(config.task)
        return Pools(parts.train, parts.val, parts.test)
    try:
        pool = _pool(config, seed, config.holdout)
    except published.Unavailable as error:
        fix = f"{error.fix}, or train with holdout='half'"
        raise InputError(error.got, f"{error.wanted}, which training holds out", fix) from None
    fewest, most = _VALIDATION
    rng, n = seeding.stream(seed, f"validation/{config.task}"), np.clip(len(pool) // 20, fewest, most)
    evenly = config.validation == "evenly"
    order = rng.permutation(len(pool))[:n] if evenly else rng.choice(len(pool), n, False, pool.probability)
    picks = pool.bits[np.sort(order)]
    validation = from_bits(picks)
    starts = records.draw_starts(validation, seed, f"validation/{config.task}")
    items = Items(validation, starts, config.task, "generated", "val")
    return Pools(pool.without(validation), items, held_out(config))


def exposures(config: AgentConfig, seed: int) -> Iterator[Exposure]:
    """Yield the boards from which an agent learns, or by which it is chosen, beside its tests: `Instrument.exposures`.

    A board is the same whatever its start tile. A shifted, turned or mirrored copy is another board: the paper's 25
    boards of a rule all have such copies in training.
    """
    made = pools(config, seed)
    boards = np.concatenate([made.train.bits, to_bits(made.validation.boards)])
    yield from (Exposure(f"boards of {items.task}", boards, items) for items in tests(config))


def reachable(config: AgentConfig) -> AgentConfig:
    """Return the config as it can be trained here: without the published boards its holdout is ``half``.

    If so, one printed line says it.

    Examples
    --------
    >>> reachable(AgentConfig("tree/abstract")).holdout
    'published'
    """
    if config.holdout == "published" and config.task not in splits.TASKS:
        return replace(config, holdout=records.reachable(_rules(config)))
    return config


def overlap(config: AgentConfig, seed: int, boards: np.ndarray) -> np.ndarray:
    """Return which boards an agent may have met in training, or been chosen by: (n,) bool.

    They are those of its pools for training and validation. Those of metamers are drawn anew for boards that are not
    held apart, which takes seconds; on another processor, rounding may bring a few others.

    Examples
    --------
    >>> config = AgentConfig("pyramid/abstract")
    >>> [int(overlap(config, 0, boards).sum()) for boards in (held_out(config).boards, records.sample("pyramid", 9, 1))]
    [0, 5]
    """
    if config.task in splits.TASKS:
        made = pools(config, seed)
        return np.isin(to_bits(boards), np.concatenate([made.train.bits, to_bits(made.validation.boards)]))
    holdout = config.holdout
    try:
        apart = _apart(_rules(config), holdout)
    except published.Unavailable:  # nobody has them here
        holdout = "half"
        apart = _apart(_rules(config), holdout)
    words = to_bits(boards)
    unknown = ~np.isin(words, to_bits(apart))
    if config.holdout == "half":
        unknown &= ~records.in_half(words)
    if unknown.any():
        unknown &= np.isin(words, _pool(config, seed, holdout).bits)
    return unknown


def _rules(config: AgentConfig) -> Sequence[str]:
    """Return the rules of a config's boards."""
    return PAPER_RULES if config.task == MIXTURE else [config.task.partition("/")[0]]


def _apart(rules: Iterable[str], holdout: str) -> np.ndarray:
    return np.concatenate([records.held_apart(rule, holdout) for rule in rules])


@lru_cache(maxsize=1)  # drawing them takes seconds, and agents of other kinds train on the same
def _metamers(rule: str, n: int, seed: int, holdout: str) -> Support:
    metamers = sampling.sample(rule, n, seed, exclude=to_bits(_apart([rule], holdout)))
    bits, counts = np.unique(to_bits(metamers), return_counts=True)
    return Support(bits, counts / counts.sum())


def _pool(config: AgentConfig, seed: int, holdout: str) -> Support:
    """Return the boards of a task without those that a holdout keeps apart."""
    if config.task.endswith("/metamer"):
        return records.remainder(_metamers(_rules(config)[0], config.metamers, seed, holdout), config.holdout)
    parts = [records.support(name) for name in _rules(config)]
    whole = mixture(parts) if config.task == MIXTURE else parts[0]
    return records.remainder(whole.without(_apart(_rules(config), holdout)), config.holdout)


def tests(config: AgentConfig) -> list[Items]:
    """Return the boards that an agent is tested on, once: those of its task, or of all tasks after a mixture.

    With the holdout ``published`` they are the published ones, or our own where those cannot be had.

    Examples
    --------
    >>> len(tests(AgentConfig(MIXTURE)))
    16
    """
    if config.task in splits.TASKS:
        return [splits.of_task(config.task).test]
    kinds = records.KINDS if config.task == MIXTURE else [config.task.partition("/")[2]]
    made = records.half if config.holdout == "half" else records.items
    return [made(f"{rule}/{kind}") for rule in _rules(config) for kind in kinds]


def held_out(config: AgentConfig) -> Items:
    """Return the boards of its task that an agent is tested on; after a mixture, of all rules together.

    Examples
    --------
    >>> len(held_out(AgentConfig("pyramid/abstract", holdout="half")))
    25
    """
    parts = [part for part in tests(config) if config.task != MIXTURE or part.task.endswith("/abstract")]
    boards, starts = (np.concatenate([getattr(part, name) for part in parts]) for name in ("boards", "starts"))
    return Items(boards, starts, config.task, parts[0].source)


_BUDGETS = {"quick": 200_000, "lab": CLICKS, "paper": 25_000_000}  # clicks; 25 million for the paper's 2 million boards
# By policy: its width, and the settings that a search of twelve trials chose, rounded to two digits.
# In five of the six searches the same settings did best.
_USUAL = {"learning_rate": 0.0046, "entropy": 0.064, "batch": 64, "clicks": 10}
_SETTINGS = {
    "lstm-2m": _USUAL,
    "epn": _USUAL,
    "convolutional": {"units": 24} | _USUAL,
    "corelnet": {"units": 256, "learning_rate": 0.0037, "entropy": 0.011, "batch": 128, "clicks": 4, "lam": 0.8},
    "corelnet-colour": {"units": 256} | _USUAL,
    "transformer": {"units": 32} | _USUAL,
    "convolutional-d4": {"units": 4} | _USUAL,  # as for the next, nothing was searched
    "cellular": {"units": 16} | _USUAL,
}


def _kind(agent: str) -> presets.Kind:
    """Return a kind of agent on equal terms: as many clicks as any other, and settings that the same search chose."""
    own = _SETTINGS.get(agent.removeprefix(_SHOWN), {})
    a_step = own.get("batch", AgentConfig.recipe.batch) * own.get("clicks", AgentConfig.clicks)
    sizes = {size: {"steps": clicks // a_step} for size, clicks in _BUDGETS.items()}
    own = own | {"agent": agent, "validation": "by probability"}
    return presets.Kind(f"an agent {agent}", AgentConfig, sizes, own)


KINDS = {
    "lstm": presets.Kind("an LSTM agent", AgentConfig, {
        # many small updates: within half a minute it plays better than the nearest neighbour on most rules
        "quick": {"steps": 1200, "batch": 96, "learning_rate": 0.015, "metamers": 10_000},
        "lab": {"steps": 6000},
        "paper": {"steps": 16_000},  # about the 2 million boards of the text
    }),
    # One environment, RMSprop, no mask and no standardised advantages. The paper searched settings for each task; these
    # lie within the ranges of its 17 files: 2 to 10 clicks, rates of .0003 to .006, .001 to .06 of the value loss.
    "lstm-program": presets.Kind("an LSTM agent as its program", AgentConfig, {
        "quick": {"steps": 5_000}, "lab": {"steps": 50_000}, "paper": {"steps": CLICKS // 4},
    }, {
        "agent": "lstm-program", "batch": 1, "clicks": 4, "optimiser": "rmsprop", "schedule": "constant",
        "learning_rate": 0.001, "entropy": 0.001, "value": 0.01, "lam": 1.0, "reward_scale": 1.0, "normalise": False,
        "validation": "by probability",
    }),
}  # fmt: skip
_POLICIES = [name for name in policies.names() if not name.startswith("lstm")]
KINDS |= {agent: _kind(agent) for name in ["lstm" + EQUAL, *_POLICIES] for agent in (name, _SHOWN + name)}


def config(agent: str, preset: str, **changes) -> AgentConfig:
    """Return how an agent is trained under a preset; ``changes`` are fields to set otherwise, and its ``task``.

    Examples
    --------
    >>> config("lstm", "quick", task="copy/abstract").recipe.steps
    1200
    """
    return KINDS[presets.choose(agent, KINDS, "agent")].config(preset, **{"task": "copy/abstract"} | changes)
