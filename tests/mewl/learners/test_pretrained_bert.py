"""BERT on captions: a tiny one of random weights, whose numbers are worked out again pair by pair."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from mewl import tiny
from torch import nn

from cogkit.core.contracts import InputError
from cogkit.data import results
from cogkit.learning import run
from cogkit.mewl import scoring
from cogkit.mewl.learners import pretrained
from cogkit.mewl.learners.pretrained import learning
from cogkit.mewl.problems import making, observations

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.folder_of("bert", tmp_path_factory.mktemp("models") / "tiny-bert")


@pytest.fixture(scope="module")
def begun(folder):
    return learning.begin(pretrained.config("bert", "quick", set="shape", batch=10, at_once=10), folder)


def test_pairs_are_six_blocks_with_the_query_and_an_option(begun):
    _, base = begun
    question = observations.question(making.episodes_of("shape", n=2), "captions")
    rows = base.rows(question)
    for k in range(2):
        captions, names, options = question.shown[k], question.utterances[k], question.options[k]
        blocks = [f"Context: {caption}\nName: {name}\n\n" for caption, name in zip(captions[:6], names, strict=True)]
        text = "".join(blocks) + f"Context: {captions[6]}\nName:"
        for j, option in enumerate(options):
            mask, second = rows["there"][k, j], rows["second"][k, j].bool()
            first = base.tokenizer.decode(rows["ids"][k, j][mask & ~second])
            assert first.replace(" ", "") == f"[CLS]{text}[SEP]".replace(" ", "")
            assert base.tokenizer.decode(rows["ids"][k, j][second]).replace(" ", "") == f"{option}[SEP]"


def test_a_number_is_a_line_of_the_first_state_of_each_pair(begun, folder):
    from transformers import BertModel

    _, base = begun
    question = observations.question(making.episodes_of("shape", n=2), "captions")
    torch.manual_seed(0)
    network, bert = base.network().eval(), BertModel.from_pretrained(folder).eval()
    rows = base.rows(question)
    with torch.no_grad():
        outputs = network(**base.given(rows))
    for k in range(2):
        for j in range(5):
            n = int(rows["there"][k, j].sum())
            ids, second = (rows[name][k, j, :n].long()[None] for name in ("ids", "second"))
            with torch.no_grad():
                state = bert(input_ids=ids, token_type_ids=second).last_hidden_state[0, 0]
                by_hand = float(network.score.weight[0] @ state + network.score.bias[0])
            assert abs(float(outputs[k, j]) - by_hand) < 1e-4


def test_too_long_a_text_is_refused(begun):
    _, base = begun
    base.model.config.max_position_embeddings, before = 100, base.model.config.max_position_embeddings
    try:
        with pytest.raises(InputError, match="100 at most for this model.*take a BERT with more positions"):
            base.rows(observations.question(making.episodes_of("shape", n=1), "captions"))
    finally:
        base.model.config.max_position_embeddings = before


def test_a_batch_in_parts_leads_to_the_same_gradients(begun):
    _, base = begun
    question, answers = tiny.easy(3, seen=False)
    rows = base.rows(question)
    network = base.network().eval()  # nothing drops out
    gradients = []
    for at_once in (3, 2):
        network.zero_grad()
        nn.functional.cross_entropy(learning._through(network, base, rows, at_once), answers).backward()
        gradients.append({name: value.grad.clone() for name, value in network.named_parameters()})
    largest = max(float(value.abs().max()) for value in gradients[0].values())
    assert largest > 1e-3
    for name, value in gradients[0].items():
        assert torch.allclose(value, gradients[1][name], rtol=1e-3, atol=1e-5 * largest), name


def test_it_is_trained_whole_learns_and_is_the_same_once_kept(begun, folder, tmp_path):
    config, base = begun
    config = dataclasses.replace(config, steps=14, looks=2, learning_rate=1e-2)
    question, answers = tiny.easy(30, seen=False)
    taught = learning.Lessons(base.rows(question), answers)
    frozen = {name: value.clone() for name, value in base.model.state_dict().items()}
    result = run(learning.fit(config, base, 0, taught, taught, log_every=1))
    last = result.state.modules["network"].bert.state_dict()
    keys = [name for name in last if name.endswith("key.bias")]  # which no softmax feels
    changed = [name for name in last if not torch.equal(last[name], frozen[name])]
    assert set(last) - set(keys) <= set(changed)
    assert all(torch.equal(value, frozen[name]) for name, value in base.model.state_dict().items())
    assert result.log.loss.iloc[-3:].mean() < 0.8 * result.log.loss.iloc[:3].mean()

    learner = learning.to_learner(result, base)
    choices = learner.weigh(taught.rows).argmax(dim=1)
    assert tiny.beats_chance(float((choices == taught.answers).float().mean()), len(taught))

    manifest = results.manifest(learning.cell_id(config), config, "verified", "quick", 0, 1.0)
    again = learning.read(learning.save(learner, tmp_path / "bert.safetensors", manifest), folder)
    episodes = making.episodes_of("shape", n=2)
    answers = [scoring.judge(agent, episodes) for agent in (learner, again)]
    assert np.array_equal(answers[0].scores, answers[1].scores)
    assert answers[1].who == "BERT, tiny-bert" and answers[1].inputs == "captions" and answers[1].kind == "model"
