"""Nothing that learns meets a board that it is tested on: with the published boards and without, by brute force."""

from __future__ import annotations

from dataclasses import replace

import gymnasium
import numpy as np
import pytest

from cogkit import tiles
from cogkit.core import identity
from cogkit.core.errors import InputError
from cogkit.core.presets import changed
from cogkit.learning import run
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, floors, models, training
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.problems import records
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.boards import Items, to_bits

PARTS = ("train", "val", "test")
TASKS = [f"{rule}/{kind}" for rule in RULES for kind in records.KINDS]
SMALL = changed(AgentConfig("pyramid/abstract"), steps=4, batch=8, clicks=4, units=8, metamers=200)

pytestmark = pytest.mark.usefixtures("one_thread")


def mixed(word: int) -> int:
    """SplitMix64's finaliser, in Python's whole numbers (Steele, Lea & Flood 2014)."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word = (word ^ (word >> shift)) * factor % 2**64
    return word ^ (word >> 31)


def held(word: int) -> bool:
    return mixed(word ^ int(records.seeding.item_key(0, "tiles/half"))) >= 2**63


def words(boards) -> set[int]:
    return set(to_bits(boards).tolist())


def apart(rule: str, sources) -> set[int]:
    """Return the boards of a rule that people play here and shipped agents are tested on."""
    return set.union(*(words(records.items(f"{rule}/{kind}", s).boards) for kind in records.KINDS for s in sources))


@pytest.mark.parametrize("rule", RULES)
def test_a_half_is_about_half_of_a_rule_by_a_hash_of_each_board(rule):
    bits = records.support(rule).bits
    some = bits[:: max(1, len(bits) // 400)]
    assert records.in_half(some).tolist() == [held(int(word)) for word in some]
    assert abs(records.in_half(bits).mean() - 0.5) <= 4 * 0.5 / np.sqrt(len(bits))


@pytest.mark.parametrize("source", ["use_mirror", "offline"])
def test_pools_and_tests_have_no_board_in_common(request, source):
    lines, half = request.getfixturevalue(source), source == "offline"
    for task in TASKS:
        rule = task.partition("/")[0]
        config = agents.reachable(replace(SMALL, task=task))
        assert config.holdout == ("half" if half else "published")
        pools = agents.pools(config, seed=1)
        train, validation = set(pools.train.bits.tolist()), words(pools.validation.boards)
        test = words(pools.held_out.boards)
        assert len(pools.held_out) == 25 and pools.held_out.task == task and len(train) > 20
        assert len(test) == 25 or not half  # two of the published boards of symmetry are there twice
        assert not train & validation and not (train | validation) & test
        assert not half or (all(map(held, test)) and not any(map(held, train | validation)))
        assert half or pools.held_out.hash == records.items(task, "published").hash
        assert not (train | validation) & apart(rule, ["generated"] if half else records.SOURCES)
    assert all("half of all boards" in line or "boards of our own" in line for line in lines or ())


@pytest.mark.parametrize("source", ["use_mirror", "offline"])
def test_a_mixture_meets_no_test_board_of_any_rule(request, source):
    request.getfixturevalue(source)
    config = agents.reachable(replace(SMALL, task=agents.MIXTURE))
    pools, tests = agents.pools(config, seed=0), agents.tests(config)
    assert [items.task for items in tests] == TASKS and config.holdout == {"offline": "half"}.get(source, "published")
    met = np.concatenate([pools.train.bits, to_bits(pools.validation.boards)])
    assert not any(np.isin(to_bits(items.boards), met).any() for items in tests)


def test_a_half_is_the_same_where_the_published_boards_can_be_had(request):
    configs = [replace(SMALL, task=task, holdout="half") for task in ("tree/abstract", "tree/metamer")]
    pools = {}
    for source in ("use_mirror", "offline"):
        request.getfixturevalue(source)
        pools[source] = [agents.pools(config, seed=3) for config in configs]
    for one, other in zip(*pools.values(), strict=True):
        assert (one.train.bits == other.train.bits).all() and (one.train.probability == other.train.probability).all()
        assert one.validation.hash == other.validation.hash and one.held_out.hash == other.held_out.hash


def test_training_that_would_hold_out_what_cannot_be_had_is_refused_and_the_front_door_says_what_it_does(offline):
    for refused in (
        lambda: training.train(SMALL, 0),
        lambda: training.REGISTRY.run(SMALL, "verified", 0),
        lambda: tiles.train("lstm", "pyramid/abstract", steps=1, batch=4, holdout="published"),
    ):
        with pytest.raises(InputError, match="which training holds out, .* or train with holdout='half'"):
            refused()
    offline.clear()
    fit = tiles.train("lstm", "pyramid/abstract", steps=1, batch=4)
    assert fit.config.holdout == "half" and len(offline) == 1 and "a fixed half of all boards" in offline[0]
    train, validation, test = (words(tiles.items("pyramid/abstract", part=part).boards) for part in PARTS)
    assert not train & validation and not (train | validation) & test
    assert not any(map(held, train | validation))


@pytest.mark.parametrize("source", ["use_mirror", "offline"])
def test_an_environment_plays_no_board_that_is_held_out(request, source):
    lines = request.getfixturevalue(source)
    env, seen = gymnasium.make("cogkit.tiles:cogkit/Tiles-v0", rule="pyramid"), set()
    assert lines is None or (len(lines) == 1 and "a fixed half of all boards" in lines[0])
    for seed in range(400):
        env.reset(seed=seed)
        board = [env.step(tile)[0] for tile in range(49)][-1]  # its reds are open, and a game that is over stays so
        seen.add(int(to_bits((board[None] == 1).astype(int))[0]))
    assert len(seen) > 50
    assert not (seen & apart("pyramid", records.SOURCES) if lines is None else any(map(held, seen)))


def test_an_agent_that_trained_without_the_published_boards_is_not_judged_on_them(request):
    request.getfixturevalue("offline")
    agent = training.to_agent(run(tiles.train("lstm", "pyramid/abstract", steps=2, batch=8)))
    rows = training.assess(agent, "verified", 0)
    assert {row["source"] for row in rows} == {"generated"} and {row["n"] for row in rows} == {25}
    assert scoring.judge(agent, tiles.items("pyramid/abstract")).finished.all()  # ours, which no training meets
    request.getfixturevalue("use_mirror")
    theirs = tiles.items("pyramid/abstract")
    ours = apart("pyramid", ["generated"])
    safe = [held(word) or word in ours for word in to_bits(theirs.boards).tolist()]
    n = 25 - sum(safe)
    with pytest.raises(InputError, match=rf"got {n} of 25 boards of pyramid/abstract that the training of LSTM may"):
        scoring.judge(agent, theirs)
    assert scoring.judge(agent, agent.held_out).finished.all()
    part = Items(theirs.boards[safe], theirs.starts[safe], theirs.task, "published")
    assert scoring.judge(agent, part).finished.all() and 5 < len(part) < 20


@pytest.mark.parametrize("kind", records.KINDS)
def test_an_agent_is_judged_on_boards_that_it_held_out_and_on_no_fresh_ones(use_mirror, kind):
    config = replace(SMALL, task=f"zigzag/{kind}")
    agent = models.Agent(models.build(config), config)
    pools = agents.pools(config, 0)
    for other in records.KINDS:
        for source in records.SOURCES:
            assert scoring.judge(agent, records.items(f"zigzag/{other}", source)).finished.all()
    fresh = tiles.items(f"zigzag/{kind}", 60, seed=5)
    met = np.concatenate([pools.train.bits, to_bits(pools.validation.boards)])
    n = int(np.isin(to_bits(fresh.boards), met).sum())
    assert n > 0
    with pytest.raises(InputError, match=rf"got {n} of 60 boards of zigzag/{kind} .*: take its held_out"):
        scoring.judge(agent, fresh)
    boards = pools.train.sample(9, 0)
    train = Items(boards, records.draw_starts(boards, 0), config.task, "generated", "train")
    for learnt in (pools.validation, train):  # which say that they are
        assert scoring.judge(agent, learnt).finished.all()
    assert scoring.judge(floors.Random(), fresh).finished.all()


def test_stored_identities_stand():
    for holdout, expected in (("published", "7951486c"), ("half", "10e09b5e")):
        config = AgentConfig("pyramid/abstract", holdout=holdout)
        assert identity.config_hash(config) == expected
    with pytest.raises(InputError, match="wanted a holdout"):
        AgentConfig("pyramid/abstract", holdout="quarter")
