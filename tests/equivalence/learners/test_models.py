"""The networks against plain arithmetic, what each place may see, the learner around them, and the file."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pandas as pd
import pytest
import torch
from safetensors.numpy import load_file, save_file

from cogkit.core.contracts import InputError
from cogkit.data.results import manifest
from cogkit.equivalence import scoring
from cogkit.equivalence.learners import agents, models, training
from cogkit.equivalence.learners.networks.transformer import Transformer
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import Design
from cogkit.learning import weights

DESIGN = Design()
POINTING = ("pointer", "invariant", "embedding", "separate", "feed-forward")
SMALL = {"width": 24, "heads": 3}


def network(agent: str = "gpt", design: Design = DESIGN, spread: float = 0.3, **changes) -> torch.nn.Module:
    """Return a small network, not in training, whose weights are large enough for its answers to differ."""
    fits = {name: value for name, value in SMALL.items() if agent in ("gpt", "bert", "pointer", "invariant")}
    torch.manual_seed(0)
    model = models.build(agents.config(agent, "quick", design=design, **fits | changes)).eval()
    for weight in model.parameters():
        torch.nn.init.normal_(weight, std=spread)
    return model


def learner(agent: str = "gpt", design: Design = DESIGN, **changes) -> models.Agent:
    fits = SMALL if agent in ("gpt", "bert", "pointer", "invariant") else {}
    return models.Agent(
        network(agent, design, **changes), agents.config(agent, "quick", design=design, **dict(fits) | changes)
    )


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
            queries, keys, values = (
                inputs @ layer["qkv.weight"][slot * width : (slot + 1) * width][rows].T for slot in range(3)
            )
            scores = queries @ keys.T * size**-0.5
            for place in range(4) if causal else ():
                scores[place, place + 1 :] = -np.inf
            outputs.append(softmax(scores) @ values)
        x = x + np.concatenate(outputs, axis=1) @ layer["out.weight"].T + layer["out.bias"]
        inner = np.maximum(
            layer_norm(x, layer["between.weight"], layer["between.bias"]) @ layer["up.weight"].T + layer["up.bias"], 0
        )
        x = x + inner @ layer["down.weight"].T + layer["down.bias"]
    return layer_norm(x, part["after.weight"], part["after.bias"]) @ part["head.weight"].T + part["head.bias"]


@pytest.mark.parametrize("agent", ["gpt", "bert"])
def test_it_has_exactly_the_papers_weights(agent):
    for relation in records.RELATIONS:
        config = agents.config(agent, "paper", design=Design("OTM", relation))
        assert sum(weight.numel() for weight in models.build(config).parameters()) == 10_682_164
    assert (config.iterations, config.batch, config.learning_rate, config.dropout) == (5000, 64, 3e-4, 0.2)


@pytest.mark.parametrize("agent", ["gpt", "bert"])
def test_the_transformer_is_the_papers(agent):
    model, trials = network(agent), some(8)
    with torch.no_grad():
        outputs = model(whole(trials)[:, :4]).numpy()
    for logits, tokens in zip(outputs, trials.tokens, strict=True):
        expected = by_hand(model, tokens[:4], agent == "gpt")
        assert np.abs(logits - expected).max() < 1e-4 * np.abs(expected).max() and expected.std() > 0.5


@pytest.mark.parametrize("agent", ["gpt", "bert"])
@pytest.mark.parametrize("loss", ["all", "last"])
def test_the_loss_is_that_of_the_places_asked(agent, loss):
    model, trials = network(agent, loss=loss), some(6)
    terms = []
    for row in trials.tokens:
        chances = softmax(by_hand(model, row[:4], agent == "gpt"))
        for place in range(4) if loss == "all" else (3,):
            terms.append(-np.log(chances[place, row[place + 1]]))
    assert model.loss(whole(trials)).item() == pytest.approx(np.mean(terms), rel=1e-4)


def test_shared_beginnings_are_the_plain_forward():
    model, trials = network(width=128, heads=4), some(3000)
    trials = trials[np.r_[np.arange(3000), np.arange(50)]]  # some twice, in any order
    with torch.no_grad():
        plain = model(whole(trials)[:, :4])[:, -1].roll(3, dims=1).softmax(1)
        shared = model.answers(whole(trials)[:, :4]).softmax(1)
    assert (plain - shared).abs().max() <= 1e-5 and plain.std(dim=0).max() > 0.02


def test_answers_have_the_options_first():
    model, trials = network("bert"), some(20)
    with torch.no_grad():
        last, answers = model(whole(trials)[:, :4])[:, -1], model.answers(whole(trials)[:, :4])
    assert torch.allclose(answers[:, :3], last[:, -3:], atol=1e-5)
    assert torch.allclose(answers[:, 3:], last[:, :-3], atol=1e-5)


def test_a_causal_place_sees_no_later_token_and_an_unmasked_one_does():
    tokens = whole(some(30))[:, :4]
    for later in (1, 2, 3):
        changed = tokens.clone()
        changed[:, later] = (changed[:, later] + 1) % 28
        with torch.no_grad():
            causal, free = (
                (model(tokens) - model(changed)).abs().amax(dim=2) for model in map(network, ("gpt", "bert"))
            )
        assert (causal[:, :later] == 0).all() and (causal[:, later:] > 0).all()
        assert (free > 0).all()


def test_the_mask_is_all_that_parts_the_papers_two_agents():
    for preset in ("quick", "lab", "paper"):
        gpt, bert = (agents.config(agent, preset, design=DESIGN) for agent in ("gpt", "bert"))
        assert dataclasses.replace(gpt, agent="bert", mask="none") == bert != gpt
    torch.manual_seed(5)
    first = models.build(agents.config("gpt", "quick", design=DESIGN))
    torch.manual_seed(5)
    second = models.build(agents.config("bert", "quick", design=DESIGN))
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True))
    tokens = whole(some(20))[:, :4]
    for layers, same in ((1, True), (2, False)):  # the last place sees all, but in two layers those before it matter
        with torch.no_grad():
            answers = [network(agent, layers=layers).answers(tokens) for agent in ("gpt", "bert")]
        assert torch.allclose(*answers, rtol=1e-4, atol=1e-4) is same


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
def test_an_agent_answers_in_the_questions_order(agent):
    model, trials = learner(agent), some(1500)  # more than one chunk
    chances = model.choose(trials.question())
    assert chances.dtype == np.float32 and np.abs(chances.sum(1) - 1).max() < 1e-5
    for k in (0, 700, 1499):
        alone = model.choose(trials[[k]].question())
        assert np.abs(alone - chances[k]).max() < 1e-5
    assert model.name == agents.NAMES[agent] and (model.kind, model.inputs) == ("model", "symbols")
    assert len(model.choose(trials[:0].question())) == 0


@pytest.mark.parametrize("agent", agents.NAMES)
def test_who_points_cannot_hallucinate_and_who_names_can(agent):
    trials = some(500)
    answers = scoring.judge(learner(agent), trials)
    assert answers.speaks == (agent not in POINTING)
    assert (answers.other == 0).all() == (agent in POINTING)
    assert learner(agent).choose(trials.question()).shape == (500, 3 if agent in POINTING else 52)


@pytest.mark.parametrize("agent", POINTING)
def test_the_loss_of_a_choice_among_three(agent):
    model, trials = learner(agent), some(40)
    chances = model.choose(trials.question()).astype(float)
    expected = -np.mean([np.log(row[right]) for row, right in zip(chances, trials.correct, strict=True)])
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


@pytest.mark.parametrize("agent", ["embedding", "separate"])
def test_codes_are_compared_by_their_cosine(agent):
    model, trials = network(agent, temperature=0.3), some(30)
    sample, comparison = (getattr(model, role).weight.detach().double().numpy() for role in ("sample", "comparison"))
    with torch.no_grad():
        outputs = model.answers(whole(trials)[:, :4]).numpy()
    for logits, row in zip(outputs, trials.tokens, strict=True):
        for place in range(3):
            a, b = sample[row[0]], comparison[row[1 + place]]
            assert logits[place] == pytest.approx(a @ b / np.sqrt(a @ a * (b @ b)) / 0.3, rel=1e-4, abs=1e-5)


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


def test_the_feed_forward_net_is_one_hidden_layer_over_one_hot_tokens():
    model, trials = network("feed-forward"), some(20)
    part = {name: value.detach().double().numpy() for name, value in model.state_dict().items()}
    assert part["hidden.weight"].shape == (256, 4 * 49)  # 28 stimuli and 21 dummies in each of four places
    with torch.no_grad():
        outputs = model.answers(whole(trials)[:, :4]).numpy()
    for logits, row in zip(outputs, trials.tokens, strict=True):
        inputs = np.zeros(4 * 49)
        for place in range(4):
            inputs[49 * place + row[place]] = 1
        units = np.maximum(part["hidden.weight"] @ inputs + part["hidden.bias"], 0)
        assert np.abs(logits - (part["out.weight"] @ units + part["out.bias"])).max() < 1e-4


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: agents.config("gtp", "lab", design=DESIGN), "did you mean 'gpt'"),
        (lambda: agents.config("gpt", "labs", design=DESIGN), "did you mean 'lab'"),
        (lambda: agents.config("gpt", "lab", design=DESIGN, mask="casual"), r"a mask \(causal or none\).*'causal'"),
        (lambda: agents.config("bert", "lab", design=DESIGN, loss="first"), r"a loss \(all or last\)"),
        (lambda: agents.config("embedding", "lab", layers=2), "a setting of shared embedding .*'layers'"),
        (lambda: training.load("EPS", design=DESIGN), "an? agent that is trained"),
    ],
)
def test_a_wrong_setting_is_one_sentence(make, said):
    with pytest.raises(InputError, match=said):
        make()


LOG = pd.DataFrame({"step": [100, 200], "baseline": [0.5, 1.0], "loss": [2.5, 1.75]})


def saved(path, agent: str = "gpt", design: Design = DESIGN):
    model = learner(agent, design)
    record = manifest(f"equivalence/{agent}/{design.condition}", model.config, "verified", "quick", 7, 1.5)
    model.log = LOG
    return training.save(model, path, record), model, record


@pytest.mark.parametrize("agent", agents.NAMES)
def test_saved_is_read_again_rounded_once(agent, tmp_path):
    design = Design(("AB", "CB"), "select-only", "standard", members=3, classes=3)
    path, model, record = saved(tmp_path / "there" / "agent.safetensors", agent, design)
    copy = training.read(path)
    assert copy.config == model.config and copy.name == model.name and not copy.noise
    assert (copy.log == LOG).all(axis=None) and list(copy.log) == list(LOG)
    assert copy.manifest == record
    for name, value in model.network.state_dict().items():
        assert torch.equal(copy.network.state_dict()[name], value.half().float())
    question = some(100, design).question()
    assert np.abs(copy.choose(question) - model.choose(question)).max() < 0.05
    if agent == "embedding":
        assert copy.network.comparison is copy.network.sample


def spoilt(path, **changes):
    """Write an agent's file with some tensors replaced, or left out where they are None."""
    from safetensors import safe_open

    saved(path)
    with safe_open(path, framework="numpy") as file:
        metadata = file.metadata()
    arrays = load_file(path) | {name.replace("__", "."): array for name, array in changes.items()}
    save_file({name: array for name, array in arrays.items() if array is not None}, path, metadata)


SPOILT = {
    "missing": (lambda path: None, "a safetensors file of an agent of stimulus equivalence"),
    "text": (lambda path: path.write_text("no agent\n" * 50), "a safetensors file"),
    "cut": (lambda path: path.write_bytes(saved(path)[0].read_bytes()[:-1]), "a safetensors file"),
    "a layer too few": (lambda path: spoilt(path, head__bias=None), "without head.bias"),
    "a layer too many": (lambda path: spoilt(path, twin=np.zeros(3, np.float16)), "which has no twin"),
    "another number of tokens": (
        lambda path: spoilt(path, head__bias=np.zeros(40, np.float16)), r"head.bias of shape \(52,\)"
    ),
    "not a number": (lambda path: spoilt(path, head__bias=np.full(52, np.nan, np.float16)), "not finite"),
    "another instrument": (
        lambda path: weights.write(
            path, torch.nn.Linear(2, 2), LOG, manifest("a/b", {"task": "copy"}, "verified", "quick", 0, 1.0)
        ),
        "wanted one of an agent of stimulus equivalence, got the config",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", SPOILT)
def test_a_file_that_holds_no_agent_is_one_sentence(kind, tmp_path):
    path = tmp_path / "agent.safetensors"
    write, match = SPOILT[kind]
    write(path)
    with pytest.raises(InputError, match=match) as caught:
        training.read(path)
    assert "\n" not in str(caught.value)


def test_what_is_not_shipped_is_named():
    with pytest.raises(InputError, match="gpt-LS-select-reject-s99 .*wanted|wanted an agent that is shipped .*s99"):
        training.load("gpt", design=DESIGN, seed=99)
    with pytest.raises(InputError, match="wanted an agent that is shipped"):
        training.load("gpt", design=Design(members=3))  # no such size is, whatever the file is called
