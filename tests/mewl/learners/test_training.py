"""A network that learns words: what it is given, that order means nothing to it, and that it resumes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from cogkit.core.errors import InputError
from cogkit.learning import run
from cogkit.mewl.learners import agents, training
from cogkit.mewl.problems import making, observations, tokens
from cogkit.mewl.problems.episodes import TASKS, Question

pytestmark = pytest.mark.usefixtures("one_thread")
TINY = {"width": 32, "layers": 2, "steps": 6, "batch": 8, "n_evals": 2}
TRANSFORMERS = [name for name in agents.NAMES if name.endswith("transformer")]


@pytest.fixture(scope="module")
def mixed() -> list:
    """Episodes of every task, three each."""
    return making.episodes_of_all(TASKS, "train", 3)


def made(name: str = "slot-transformer") -> training.Agent:
    torch.manual_seed(0)
    little = {"episodes": 1, "validated": 1, "tested": 1, "steps": 2, "batch": 4, "n_evals": 1}
    changes = dict(TINY) if name in TRANSFORMERS else {}
    if name.startswith("monet"):
        changes["monet"] = agents.MONET.config("quick", **little, pixels=32, size=16, levels=3, channels=8)
    elif name == "cnn-word-learner":
        changes["sight"] = agents.SIGHT.config("quick", **little, channels=8)
    elif name == "caption-word-learner":
        changes["sight"] = agents.READING.config("quick", **little, width=16, layers=1)
    config = agents.config(name, "quick", **changes)
    return training.Agent(training.build(config).eval(), config)


def trial(agent: training.Agent, episodes: list) -> Question:
    draw = agent.draw
    return observations.question(episodes, agent.inputs, draw and draw(episodes))


# Words


def test_words_are_numbered_as_they_are_first_heard_and_known_ones_for_all(mixed):
    names = ("red cube pado blue sphere", "gray cube tif red cube", "pado", "tif and pado", "mu", "left")
    options = ("mu pado", "xo", "tif", "pado", "red")
    question = Question(("relation",), [("A large red metal cube.",) * 7], (names,), (options,))
    (rows,) = tokens.utterances(question)
    new = tokens.NEW
    red, cube, blue, sphere = (tokens.KNOWN[word] for word in ("red", "cube", "blue", "sphere"))
    assert rows[0].tolist() == [red, cube, new, blue, sphere]
    assert rows[1].tolist() == [tokens.KNOWN["gray"], cube, new + 1, red, cube]
    assert rows[4].tolist() == [new + 2, 0, 0, 0, 0] and rows[5].tolist() == [tokens.KNOWN["left"], 0, 0, 0, 0]
    assert rows[6, :2].tolist() == [new + 2, new] and rows[7, 0] == new + 3
    assert tokens.captions(question).shape == (1, 7, 5) and tokens.captions(question).max() < new
    question = observations.question(mixed, "captions")
    assert tokens.captions(question).max() < new
    assert tokens.utterances(question).max() < new + 6  # no task has more new words than six


# What a network makes of it


def test_an_option_keeps_its_score_wherever_it_stands_but_for_its_mark(mixed):
    order = torch.tensor([3, 1, 4, 0, 2])
    for name in TRANSFORMERS:
        agent = made(name)
        with torch.no_grad():
            agent.network.marks.weight.zero_()  # they are all that tells one panel, or one option, from another
        inputs, words = training.tensors(trial(agent, mixed[::3]), agent.inputs)
        before = agent.weigh(inputs, words)
        after = agent.weigh(inputs, torch.cat([words[:, :6], words[:, 6:][:, order]], dim=1))
        assert torch.allclose(before[:, order], after, atol=1e-5), name


def test_an_episode_is_answered_alike_alone_and_in_company(mixed):
    some = mixed[::9]
    for name in agents.NAMES:
        agent = made(name)
        together = agent.score(trial(agent, some))
        alone = np.concatenate([agent.score(trial(agent, [episode])) for episode in some])
        assert np.allclose(together, alone, atol=1e-5) and np.allclose(np.exp(together).sum(axis=1), 1, atol=1e-5)


# Lessons


def test_a_batch_is_shuffled_and_still_right(mixed):
    taught = training.lessons(mixed, "true slots")
    config, rng = agents.config("slot-transformer", "quick", batch=20), np.random.default_rng(0)
    rows = training.draw(config, np.ones(len(taught)), rng)
    inputs, names, answers = training.shuffled(taught, rows, rng)
    assert len(inputs) == len(set(rows.tolist())) == 20 and len(set(answers.tolist())) == 5
    for k in range(20):
        (row,) = [j for j in range(len(mixed)) if torch.equal(taught.observations[j, 6], inputs[k, 6])]
        panels = [next(j for j in range(6) if torch.equal(taught.observations[row, j], inputs[k, p])) for p in range(6)]
        assert sorted(panels) == list(range(6))
        before = [taught.token_ids[row, j].tolist() for j in panels] + taught.token_ids[row, 6:].tolist()
        renamed: dict[int, int] = {}
        for p, words in enumerate(names[k, :6].tolist()):
            for old, new in zip(before[p], words, strict=True):
                assert renamed.setdefault(old, new) == new and (old >= tokens.NEW or old == new)
        right = before[6 + int(taught.answers[row])]
        choice = names[k, 6 + int(answers[k])].tolist()
        assert all(renamed.get(old, new) == new for old, new in zip(right, choice, strict=True))
        assert len(set(renamed.values())) == len(renamed)


@pytest.mark.parametrize("easy", [None, 0.2])
def test_an_easy_episode_is_drawn_as_seldom_as_its_config_says(easy):
    config, rng = agents.config("slot-transformer", "quick", batch=1, easy=easy), np.random.default_rng(1)
    n, unsure = 4000, np.array([0.0, 0.5, 1.0, 1.0])
    shares = np.bincount([training.draw(config, unsure, rng)[0] for _ in range(n)], minlength=4) / n
    weights = np.array([1, 1, 1, 1]) if easy is None else np.array([0.2, 0.6, 1, 1])
    expected = weights / weights.sum()
    assert (np.abs(shares - expected) < 4 * np.sqrt(expected * (1 - expected) / n)).all(), shares


@pytest.mark.parametrize("easy", [None, 0.1])
def test_a_run_is_the_same_again_and_goes_on_from_a_checkpoint(mixed, tmp_path, easy):
    taught = training.lessons(mixed, "true slots")
    config = agents.config("slot-transformer", "quick", **TINY, easy=easy)
    straight = run(training.fit(config, 3, taught, taught))
    half = training.fit(config, 3, taught, taught, checkpoint=tmp_path / "run.ckpt", save_every=3)
    for progress in half:
        if progress.step >= 3:
            half.stop()
    resumed = run(training.fit(config, 3, taught, taught, checkpoint=tmp_path / "run.ckpt"))
    for name in ("network", "best"):
        first, second = (fit.state.modules[name].state_dict() for fit in (straight, resumed))
        assert all(torch.equal(first[key], second[key]) for key in first)


def test_a_config_has_the_published_size_and_a_batch_wants_as_many_episodes(mixed):
    with pytest.raises(InputError, match="2 examples"):
        training.fit(agents.config("slot-transformer", "quick"), 0, training.lessons(mixed[:2], "true slots"))
    config = agents.config("caption-transformer", "paper")
    assert dataclasses.asdict(config)["layers"] == 16 and config.recipe.steps * config.recipe.batch // 27_000 == 600
