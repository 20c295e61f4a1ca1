"""A Flamingo of random weights: what it looks at and when, what of it is trained, and that it learns."""

from __future__ import annotations

import copy
import dataclasses

import numpy as np
import pytest
import torch
from mewl import tiny

from cogkit.core.contracts import InputError
from cogkit.data import results
from cogkit.learning import run
from cogkit.mewl import scoring
from cogkit.mewl.learners import pretrained
from cogkit.mewl.learners.pretrained import flamingo, learning
from cogkit.mewl.problems import making, observations

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module", params=[True, False], ids=["resampled", "not"])
def begun(tmp_path_factory, request):
    place = tmp_path_factory.mktemp("models") / "tiny-flamingo"
    folder = tiny.folder_of("flamingo", place, use_resampler=request.param)
    return *learning.begin(pretrained.config("flamingo", "quick", set="shape", batch=10, picture=32), folder), folder


@pytest.fixture(scope="module")
def rows(begun):
    """Three episodes, with pictures of noise."""
    pictures = np.random.default_rng(0).integers(0, 256, (3, 7, 24, 32, 3), np.uint8)
    return begun[1].rows(observations.question(making.episodes_of("shape", n=3), "pixels", pictures))


@pytest.fixture(scope="module")
def network(begun):
    torch.manual_seed(0)
    return begun[1].network().eval()


def numbers(network, base, rows) -> torch.Tensor:
    with torch.no_grad():
        return network(**base.given(rows))


# What it is asked


def test_a_text_has_seven_pictures_with_a_name_each(begun, rows):
    _, base, _ = begun
    episode = making.episodes_of("shape", n=1)[0]
    names = [panel.utterance for panel in episode.trial.panels]
    picture = "<fake_token_around_image><image><fake_token_around_image>"
    for option, ids, mask in zip(episode.trial.options, rows["ids"][0], rows["there"][0], strict=True):
        expected = "<s>" + "".join(f"{picture} {name}</s>" for name in [*names, option])
        assert base.tokenizer.decode(ids[mask]).replace(" ", "") == expected.replace(" ", "")
        assert int((ids == base.image).sum()) == 7 and ids[mask][-1] == base.tokenizer.eos_token_id


def test_a_number_is_a_line_of_the_last_state_of_each_text(begun, rows, network):
    from transformers import AutoImageProcessor, IdeficsModel

    _, base, folder = begun
    model, eyes = IdeficsModel.from_pretrained(folder).eval(), AutoImageProcessor.from_pretrained(folder)
    outputs, line = numbers(network, base, rows), network.score[1]
    for k in range(3):
        pixels = torch.cat([eyes(picture.numpy(), return_tensors="pt") for picture in rows["pictures"][k]])
        for j in range(5):
            ids = rows["ids"][k, j][rows["there"][k, j]].long()
            looks = torch.zeros(1, len(ids), 7)
            count = -1
            for place, token in enumerate(ids.tolist()):
                count += token == base.image
                if count >= 0:
                    looks[0, place, count] = 1
            with torch.no_grad():
                output = model(input_ids=ids[None], pixel_values=pixels[None], image_attention_mask=looks)
                by_hand = line(output.last_hidden_state[0, -1])
            assert abs(float(outputs[k, j]) - float(by_hand)) < 1e-4


def test_what_is_seen_counts_where_it_is_seen_and_nothing_after_the_end_does(begun, rows, network):
    _, base, _ = begun
    before = numbers(network, base, rows)
    for panel in range(7):
        pictures = rows["pictures"].clone()
        pictures[0, panel] = 255 - pictures[0, panel]
        after = numbers(network, base, rows | {"pictures": pictures})
        assert (after[0] - before[0]).abs().max() > 1e-4 and torch.allclose(after[1:], before[1:], atol=1e-5)
    swapped = rows["pictures"][:, [1, 0, 2, 3, 4, 5, 6]]
    assert (numbers(network, base, rows | {"pictures": swapped}) - before).abs().max() > 1e-4

    inputs = base.given(rows)
    more = {
        name: torch.nn.functional.pad(inputs[name], (0, 3), value=filler)
        for name, filler in (("ids", 9), ("there", False))
    }
    with torch.no_grad():
        assert torch.allclose(network(**inputs | more), before, atol=1e-5)
        options = {"ids": inputs["ids"].flip(1), "there": inputs["there"].flip(1)}
        assert torch.allclose(network(**inputs | options), before.flip(1), atol=1e-5)  # each is asked on its own


# What is trained


def test_what_is_trained_is_what_the_paper_trained(begun, network):
    _, base, _ = begun
    words = (len(base.tokenizer)) * 32
    cross = 2 * (4 * 32 * 32 + 3 * 32 * 64 + 2 * 32 + 2)  # attention, gated MLP, two norms, two gates; in two layers
    resampler = 3 * 32 + 4 * 32 * 32 + 2 * 32 * 128 + 4 * 2 * 32  # latents, attention, MLP, four norms
    counts = {name: sum(value.numel() for value in part.parameters()) for name, part in network.named_children()}
    if network.resample is None:
        assert counts == {"embed": words, "cross": cross, "score": 33}
    else:
        assert counts == {"embed": words, "cross": cross, "resample": resampler, "score": 33}
    assert all(value.requires_grad for value in network.parameters())
    ids = {id(value) for value in network.parameters()}
    (idefics,) = network._idefics
    parts = {name.partition(".")[0] for name, value in idefics.named_parameters() if id(value) not in ids}
    assert parts == {"layers", "norm", "vision_model"} and not any(
        value.requires_grad for value in idefics.parameters() if id(value) not in ids
    )


def test_copies_share_what_is_frozen_and_nothing_else(begun, rows, network):
    _, base, _ = begun
    twin = copy.deepcopy(network)
    (model,), (its) = network._idefics, twin._idefics[0]
    assert its is not model and its.embed_tokens is twin.embed
    shared = {id(value) for value in model.parameters()} & {id(value) for value in its.parameters()}
    assert shared == {id(value) for value in model.parameters()} - {id(value) for value in network.parameters()}
    with torch.no_grad():
        for value in twin.parameters():
            value.mul_(1.5)
    assert (numbers(twin, base, rows) - numbers(network, base, rows)).abs().max() > 1e-3
    twin.load_state_dict(network.state_dict())
    assert torch.equal(numbers(twin, base, rows), numbers(network, base, rows))


def test_it_learns_while_the_rest_stays_and_is_the_same_once_kept(begun, tmp_path):
    config, base, folder = begun
    config = dataclasses.replace(config, steps=60, looks=2, batch=10, at_once=10, learning_rate=1e-2)
    question, answers = tiny.easy(30, seen=True)
    taught = learning.Lessons(base.rows(question), answers)
    frozen = {name: value.clone() for name, value in base.model.state_dict().items()}
    fit = learning.fit(config, base, 0, taught, taught, log_every=1)
    network = fit.result.state.modules["network"]
    first = {name: value.clone() for name, value in network.state_dict().items()}
    result = run(fit)
    assert all(torch.equal(value, frozen[name]) for name, value in base.model.state_dict().items())
    assert all(torch.equal(value, frozen[name]) for name, value in network._idefics[0].state_dict().items()
               if not name.startswith(("embed_tokens", "gated_cross_attn", "perceiver")))  # fmt: skip
    same = [name for name, value in network.state_dict().items() if torch.equal(value, first[name])]
    assert same == []
    assert result.log.loss.iloc[-5:].mean() < 0.8 * result.log.loss.iloc[:5].mean()

    learner = learning.to_learner(result, base)
    choices = learner.weigh(taught.rows).argmax(dim=1)
    assert tiny.beats_chance(float((choices == taught.answers).float().mean()), len(taught))

    manifest = results.manifest(learning.cell_id(config), config, "verified", "quick", 0, 1.0)
    path = learning.save(learner, tmp_path / "flamingo.safetensors", manifest)
    again = learning.read(path, folder)
    episodes = making.episodes_of("shape", n=2)
    answers = [scoring.judge(agent, episodes, draw=agent.draw) for agent in (learner, again)]
    assert np.array_equal(answers[0].scores, answers[1].scores) and answers[1].who == "Flamingo, tiny-flamingo"


def test_a_tokenizer_without_a_place_for_pictures_is_refused(tmp_path):
    folder = tiny.folder_of("flamingo", tmp_path / "blind")
    (tmp_path / "bert").mkdir()
    source = tiny.folder_of("bert", tmp_path / "bert")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((source / name).read_bytes())
    with pytest.raises(InputError, match=f"no {flamingo.IMAGE}"):
        learning.begin(pretrained.config("flamingo", "quick"), folder)
