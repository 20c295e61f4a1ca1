"""The papers' networks against plain arithmetic, ours by symmetries and what they can fit; training, and files."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pandas as pd
import pytest
import torch

from cogkit.core.errors import InputError
from cogkit.data.results import manifest
from cogkit.equivalence import scoring
from cogkit.equivalence.learners import agents, models, training
from cogkit.equivalence.learners.networks.transformer import Transformer
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import Design
from cogkit.learning import run

DESIGN = Design()
POINTING = ("pointer", "invariant", "embedding", "separate", "feed-forward")
TRANSFORMERS = ("gpt", "bert", "pointer", "invariant")
FAMILIES = ("gpt", "invariant", "embedding", "feed-forward")


def config_of(agent: str, design: Design = DESIGN, **changes) -> agents.AgentConfig:
    """Return the config of a small agent."""
    small = {"width": 24, "heads": 3} if agent in TRANSFORMERS else {}
    return agents.config(agent, "quick", design=design, **small | changes)


def network(agent: str = "gpt", design: Design = DESIGN, **changes) -> torch.nn.Module:
    """Return a small network, not in training, whose weights are large enough for its answers to differ."""
    torch.manual_seed(0)
    model = models.build(config_of(agent, design, **changes)).eval()
    for weight in model.parameters():
        torch.nn.init.normal_(weight, std=0.3)
    return model


def learner(agent: str = "gpt", design: Design = DESIGN, **changes) -> models.Agent:
    return models.Agent(network(agent, design, **changes), config_of(agent, design, **changes))


def some(n: int, design: Design = DESIGN) -> records.Trials:
    tests = records.tests(design)
    return tests[np.random.default_rng(0).permutation(len(tests))[:n]]


def whole(trials: records.Trials) -> torch.Tensor:
    return torch.from_numpy(trials.tokens).long()


def layer_norm(x, weight, bias):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * weight + bias


def softmax(x):
    raised = np.exp(x - x.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def by_hand(made: Transformer, tokens, causal: bool) -> np.ndarray:
    """§ 2 of the facts in float64, one trial and one head at a time: logits (4, tokens)."""
    part = {name: value.detach().double().numpy() for name, value in made.state_dict().items()}
    x = part["token.weight"][tokens] + part["place.weight"]
    heads, width = made.blocks[0].heads, x.shape[1]
    size = width // heads
    for k in range(len(made.blocks)):
        layer = {name.removeprefix(f"blocks.{k}."): value for name, value in part.items() if f"blocks.{k}." in name}
        inputs, outputs = layer_norm(x, layer["before.weight"], layer["before.bias"]), []
        for head in range(heads):
            rows = slice(head * size, (head + 1) * size)
            queries, keys, values = (inputs @ part[rows].T for part in np.split(layer["qkv.weight"], 3))
            scores = queries @ keys.T * size**-0.5
            for place in range(4) if causal else ():
                scores[place, place + 1 :] = -np.inf
            outputs.append(softmax(scores) @ values)
        x = x + np.concatenate(outputs, axis=1) @ layer["out.weight"].T + layer["out.bias"]
        inner = layer_norm(x, layer["between.weight"], layer["between.bias"]) @ layer["up.weight"].T + layer["up.bias"]
        x = x + np.maximum(inner, 0) @ layer["down.weight"].T + layer["down.bias"]
    return layer_norm(x, part["after.weight"], part["after.bias"]) @ part["head.weight"].T + part["head.bias"]


@pytest.mark.parametrize(("agent", "relation"), [("gpt", "select-reject"), ("bert", "reject-only")])
def test_it_has_exactly_the_papers_weights(agent, relation):
    config = agents.config(agent, "paper", design=Design("OTM", relation))
    assert sum(weight.numel() for weight in models.build(config).parameters()) == 10_682_164
    recipe = config.recipe
    assert (recipe.steps, recipe.batch, recipe.learning_rate, config.dropout) == (5000, 64, 3e-4, 0.2)


@pytest.mark.parametrize("agent", ["gpt", "bert"])
def test_the_transformer_and_its_losses_are_the_papers(agent):
    model, trials = network(agent), some(8)
    with torch.no_grad():
        outputs = model(whole(trials)[:, :4]).numpy()
    terms = np.empty((len(trials), 4))
    for logits, row, part in zip(outputs, trials.tokens, terms, strict=True):
        expected = by_hand(model, row[:4], agent == "gpt")
        assert np.abs(logits - expected).max() < 1e-4 * np.abs(expected).max() and expected.std() > 0.5
        part[:] = -np.log(softmax(expected)[np.arange(4), row[1:]])
    assert model.loss(whole(trials)).item() == pytest.approx(terms.mean(), rel=1e-4)
    last = network(agent, loss="last")
    assert last.loss(whole(trials)).item() == pytest.approx(terms[:, 3].mean(), rel=1e-4)


def test_the_mask_is_all_that_parts_the_papers_two_agents():
    for preset in ("quick", "lab", "paper"):
        gpt, bert = (agents.config(agent, preset, design=DESIGN) for agent in ("gpt", "bert"))
        assert dataclasses.replace(gpt, agent="bert", mask="none") == bert != gpt


def test_dropout_is_off_unless_asked_as_published_and_then_of_the_seed():
    agent, question = learner(dropout=0.2), some(200).question()
    calm, again = agent.choose(question), agent.choose(question)
    assert (calm == again).all() and not agent.network.training
    state = torch.get_rng_state()
    noisy = {seed: agent.as_published(seed).choose(question) for seed in (1, 2)}
    assert torch.equal(torch.get_rng_state(), state) and not agent.network.training
    assert (agent.as_published(1).choose(question) == noisy[1]).all()
    for first, second in itertools.combinations([calm, *noisy.values()], 2):
        assert np.abs(first - second).max() > 0.01
    agent.network.train()  # as it is while it is being trained
    assert (agent.choose(question) == calm).all() and agent.network.training


@pytest.mark.parametrize("agent", agents.NAMES)
def test_an_agent_answers_in_the_questions_order_and_hallucinates_only_if_it_names(agent):
    model, trials = learner(agent), some(1500)  # more than one chunk
    chances = model.choose(trials.question())
    assert chances.shape == (1500, 3 if agent in POINTING else 52) and chances.dtype == np.float32
    assert np.abs(chances.sum(1) - 1).max() < 1e-5
    for k in (0, 700, 1499):
        alone = model.choose(trials[[k]].question())
        assert np.abs(alone - chances[k]).max() < 1e-5
    assert model.name == agents.NAMES[agent] and (model.kind, model.inputs) == ("model", "symbols")
    assert len(model.choose(trials[:0].question())) == 0
    answers = scoring.judge(model, trials)
    assert answers.speaks == (agent not in POINTING) and (answers.other == 0).all() == (agent in POINTING)
    if agent in POINTING:
        expected = -np.log(chances[np.arange(1500), trials.correct].astype(float)).mean()
        assert model.network.loss(whole(trials)).item() == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(("agent", "same"), [("invariant", True), ("pointer", False), ("embedding", True)])
def test_comparisons_in_another_order_are_answered_in_that_order(agent, same):
    model, tokens = network(agent).double(), whole(some(50))[:, :4]
    with torch.no_grad():
        answers = model.answers(tokens)
        for order in itertools.permutations(range(3)):
            moved = model.answers(tokens[:, [0, *(1 + place for place in order)]])
            apart = (moved - answers[:, order]).abs().max()
            assert apart < 1e-11 if same or order == (0, 1, 2) else apart > 0.1
    assert answers.std(dim=1).min() > 0.001


def test_one_table_makes_every_relation_symmetric_and_two_do_not():
    pairs = torch.tensor([(a, b) for a in range(28) for b in range(28) if a != b])
    forward = torch.column_stack([pairs, pairs[:, 1:], pairs[:, 1:]])
    reverse = torch.column_stack([pairs.flip(1), pairs[:, :1], pairs[:, :1]])
    tables = {}
    for agent in ("embedding", "separate"):
        model = network(agent)
        with torch.no_grad():
            tables[agent] = (model.answers(forward) - model.answers(reverse)).abs().max()
        assert len(list(model.parameters())) == (1 if agent == "embedding" else 2)
    assert tables["embedding"] < 1e-6 and tables["separate"] > 0.1


def test_a_wrong_setting_is_refused_in_a_sentence():
    wrong = {
        "did you mean 'gpt'": lambda: agents.config("gtp", "lab", design=DESIGN),
        r"a mask \(causal or none\).*'causal'": lambda: config_of("gpt", mask="casual"),
        r"a loss \(all or last\)": lambda: config_of("bert", loss="first"),
        "an? agent that is trained": lambda: training.load("EPS", design=DESIGN),
    }
    for message, make in wrong.items():
        with pytest.raises(InputError, match=message):
            make()


def test_a_saved_agent_has_its_design_again_and_one_table_stays_one(tmp_path):
    design = Design(("AB", "CB"), "select-only", "standard", members=3, classes=3)
    model = learner("embedding", design)
    model.log = pd.DataFrame({"step": [100, 200], "loss": [2.5, 1.75]})
    record = manifest("equivalence/embedding", model.config, "verified", "quick", 7, 1.5)
    copy = training.read(training.save(model, tmp_path / "agent.safetensors", record))
    assert copy.config == model.config and not copy.noise
    assert copy.network.comparison is copy.network.sample
    question = some(100, design).question()
    assert np.abs(copy.choose(question) - model.choose(question)).max() < 0.05


@pytest.mark.parametrize("agent", FAMILIES)
def test_every_kind_of_network_can_fit_ten_trials(agent):
    design = Design("OTM", members=3)
    trials = records.training(design)[:: len(records.training(design)) // 9][:10]
    config = config_of(agent, design, steps=60, batch=32, learning_rate=0.02)
    learner = training.to_agent(run(training.train(config, 0, trials=trials, evaluate=None)))
    assert (scoring.judge(learner, trials).choices["argmax"] == trials.correct).all()


@pytest.mark.parametrize("agent", FAMILIES)
def test_a_run_taken_up_again_is_the_same_bit_for_bit(agent, tmp_path):
    config = config_of(agent, Design(members=3), steps=8)
    straight = run(training.train(config, seed=2))
    first = training.train(config, seed=2, checkpoint=tmp_path / "run")
    first.steps = 3
    run(first)
    again = run(training.train(config, seed=2, checkpoint=tmp_path / "run"))
    other = run(training.train(config, seed=3))
    expected, result, foreign = (fit.state.modules["network"].state_dict() for fit in (straight, again, other))
    assert all(torch.equal(result[name], value) for name, value in expected.items())
    assert not all(torch.equal(foreign[name], value) for name, value in expected.items())
    assert again.log.equals(straight.log) and again.steps == 8


def test_looking_on_fills_the_heatmap_and_does_not_change_what_is_learnt():
    config = config_of("gpt", Design(members=3), steps=4)
    views = [progress.view() for progress in training.train(config, seed=0, evaluate_every=2)]
    assert np.isnan(views[0]).all() and views[0].shape == (3, 3) and ((views[-1] >= 0) & (views[-1] <= 1)).all()
    fit = run(training.train(config, seed=0, evaluate_every=1))
    plain = run(training.train(config, seed=0, evaluate=None))
    assert list(fit.log) == ["step", "loss", *records.TYPES, "hallucinations"]
    assert (fit.log.loss == plain.log.loss).all() and list(plain.log) == ["step", "loss"]


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_a_cell_gives_what_the_agent_reached_and_how_it_came_about(profile):
    design = Design(members=3, classes=3)
    rows = training.REGISTRY.run(config_of("gpt", design, steps=40), profile, seed=0)
    (learner,) = {(row["who"], row["kind"], row["inputs"], row["source"]) for row in rows}
    assert learner == ("GPT", "model", "symbols", "cogkit, float32")
    by_metric = {row["metric"]: row for row in rows if row["task"] == f"{design.condition}/symmetry"}
    assert ("accuracy, as published" in by_metric) == (profile == "as_published")
    metrics = {"accuracy, argmax", "accuracy, forced choice", "accuracy, expected", "hallucinations, argmax"}
    assert metrics <= set(by_metric)
    curve = [metric for metric in by_metric if "iteration" in metric]
    assert [int(metric.split()[-1]) for metric in curve] == list(range(2, 41, 2))
    assert all(by_metric[metric]["n"] == 2 * 3 * 6 for metric in curve)  # pairs, classes, trials asked
    assert by_metric["accuracy, argmax"]["n"] == 2 * 3 * 3 * 6 * 5  # pairs, classes, places, ordered wrong comparisons
