"""CLIP with a transformer on top, and what a folder must hold: tiny models, worked out again by hand."""

from __future__ import annotations

import json
import math
import shutil

import numpy as np
import pandas as pd
import pytest
import torch
from mewl import tiny
from safetensors.torch import load_file, save_file

from cogkit.core.contracts import InputError
from cogkit.data import results
from cogkit.learning import run, weights
from cogkit.lm import folders
from cogkit.mewl import scoring
from cogkit.mewl.learners import pretrained, training
from cogkit.mewl.learners.pretrained import clip, learning
from cogkit.mewl.problems import making, observations

pytestmark = pytest.mark.usefixtures("one_thread")
SMALL = {"width": 32, "layers": 1, "heads": 2, "feedforward": 64, "picture": 32, "set": "shape", "batch": 10}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.folder_of("clip", tmp_path_factory.mktemp("models") / "tiny-clip")


@pytest.fixture(scope="module", params=[True, False], ids=["with text encoder", "without"])
def begun(folder, request):
    return learning.begin(pretrained.config("clip", "quick", text_encoder=request.param, **SMALL), folder)


@pytest.fixture(scope="module")
def taught(begun):
    return learning.lessons(begun[1], tiny.painted_episodes(40), tiny.paint)


# What a folder must hold


def test_a_folder_that_is_not_what_is_wanted_is_told(folder, tmp_path):
    config, broken = pretrained.config("clip", "quick"), tmp_path / "broken"
    with pytest.raises(InputError, match="without a config.json"):
        learning.begin(config, tmp_path)
    with pytest.raises(InputError, match="a BERT with safetensors.*model_type 'clip'"):
        learning.begin(pretrained.config("bert", "quick"), folder)

    shutil.copytree(folder, broken)
    weights = broken / "model.safetensors"
    arrays = load_file(weights)
    torch.save(arrays, broken / "pytorch_model.bin")
    weights.unlink()
    with pytest.raises(InputError, match="pickled weights are not read"):
        learning.begin(config, broken)
    index = broken / "model.safetensors.index.json"
    for elsewhere in ("pytorch_model.bin", f"../{folder.name}/model.safetensors", "absent.safetensors"):
        index.write_text(json.dumps({"metadata": {}, "weight_map": dict.fromkeys(arrays, elsewhere)}))
        with pytest.raises(InputError, match="names of safetensors files beside it"):
            learning.begin(config, broken)
    index.unlink()

    weights.write_bytes((folder / weights.name).read_bytes()[:-1000])
    with pytest.raises(InputError, match="broken.*a CLIP with|a CLIP with.*broken"):
        learning.begin(config, broken)
    lost = arrays.pop("visual_projection.weight")
    save_file(arrays, weights, {"format": "pt"})
    with pytest.raises(InputError, match="lack visual_projection.weight"):
        learning.begin(config, broken)
    save_file(arrays | {"visual_projection.weight": lost}, weights, {"format": "pt"})
    learning.begin(config, broken)
    sizes = json.loads((broken / "config.json").read_text())
    sizes["text_config"]["num_hidden_layers"] = 10**6
    (broken / "config.json").write_text(json.dumps(sizes))
    with pytest.raises(InputError, match="config.json asks for more than"):
        learning.begin(config, broken)
    shutil.copy(folder / "config.json", broken)
    (broken / "preprocessor_config.json").unlink()
    with pytest.raises(InputError, match="an image processor"):
        learning.begin(config, broken)
    (broken / "config.json").write_text("[")
    with pytest.raises(InputError, match="broken/config.json"):
        learning.begin(config, broken)


def test_weights_in_several_files_are_read_and_known_again(folder, tmp_path):
    parts = tmp_path / "parts"
    shutil.copytree(folder, parts)
    arrays = load_file(parts / "model.safetensors")
    (parts / "model.safetensors").unlink()
    names = sorted(arrays)
    files = {name: f"model-{k % 2}.safetensors" for k, name in enumerate(names)}
    for file in set(files.values()):
        save_file({name: arrays[name] for name in names if files[name] == file}, parts / file, {"format": "pt"})
    (parts / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": files}))
    config, base = learning.begin(pretrained.config("clip", "quick"), parts)
    assert all(torch.equal(value, arrays[name]) for name, value in base.model.named_parameters())
    assert config.base == "parts" and config.weights == folders.digest(parts) != folders.digest(folder)


# What CLIP makes of pictures and names


def test_features_are_those_of_the_model_called_by_hand(begun, folder):
    from transformers import AutoImageProcessor, AutoTokenizer, CLIPModel

    config, base = begun
    episodes = making.episodes_of("relation", n=2)
    pictures = np.random.default_rng(0).integers(0, 256, (2, 7, 24, 32, 3), np.uint8)
    rows = base.rows(observations.question(episodes, "pixels", pictures))
    model, eyes, tokens = (kind.from_pretrained(folder) for kind in (CLIPModel, AutoImageProcessor, AutoTokenizer))
    for k, episode in enumerate(episodes):
        texts = [panel.utterance for panel in episode.trial.panels] + list(episode.trial.options)
        with torch.no_grad():
            for j in range(7):
                features = model.get_image_features(
                    eyes(pictures[k, j], return_tensors="pt")["pixel_values"]
                ).pooler_output
                assert torch.allclose(rows["seen"][k, j].float(), features[0], rtol=2e-3, atol=2e-3)
            for j, text in enumerate(texts):
                inputs = tokens(text, return_tensors="pt")
                if config.text_encoder:
                    heard = model.get_text_features(**inputs).pooler_output
                    assert torch.allclose(rows["said"][k, j].float(), heard[0], rtol=2e-3, atol=2e-3)
                else:
                    n = int(rows["there"][k, j].sum())
                    assert n == min(20, inputs["input_ids"].shape[1]) and not rows["there"][k, j, n:].any()
                    assert rows["said"][k, j, :n].tolist() == inputs["input_ids"][0, :n].tolist()


def test_tokens_keep_the_embeddings_of_clip_and_padding_means_nothing(folder):
    _, base = learning.begin(pretrained.config("clip", "quick", text_encoder=False, **SMALL), folder)
    rows = learning.lessons(base, tiny.painted_episodes(4), tiny.paint).rows
    network = base.network().eval()
    assert torch.equal(
        network.table, load_file(folder / "model.safetensors")["text_model.embeddings.token_embedding.weight"]
    )
    assert "table" not in network.state_dict()
    padded = rows | {"said": torch.where(rows["there"], rows["said"], 7)}
    assert not torch.equal(padded["said"], rows["said"])
    assert torch.allclose(network(**rows), network(**padded), atol=1e-5)


def test_places_are_sines_and_cosines():
    table = clip.waves(4, 6)
    for place in range(4):
        for k in range(3):
            angle = place / 10_000 ** (2 * k / 6)
            assert math.isclose(table[place, 2 * k], math.sin(angle), abs_tol=1e-6)
            assert math.isclose(table[place, 2 * k + 1], math.cos(angle), abs_tol=1e-6)


def test_a_panel_keeps_its_name_in_any_order_and_only_places_tell_orders_apart(begun, taught):
    _, base = begun
    rows = {name: array[:8] for name, array in taught.rows.items()}
    rows["seen"] = torch.randn(rows["seen"].shape, generator=torch.Generator().manual_seed(0))
    varied = base.varied(rows, np.random.default_rng(0))
    orders = []
    for k in range(8):
        (order,) = [
            [next(j for j in range(6) if torch.equal(rows["seen"][k, j], panel)) for panel in varied["seen"][k, :6]]
        ]
        assert sorted(order) == list(range(6)) and torch.equal(varied["seen"][k, 6], rows["seen"][k, 6])
        for name in rows.keys() - {"seen"}:
            assert torch.equal(varied[name][k, :6], rows[name][k, order])
            assert torch.equal(varied[name][k, 6:], rows[name][k, 6:])
        orders.append(tuple(order))
    assert len(set(orders)) > 4  # of 720

    network = base.network().eval()
    with torch.no_grad():
        outputs = network(**rows)
        assert (network(**varied) - outputs).abs().max() > 1e-3
        same = {
            name: torch.cat([array[:, :1].expand(-1, 6, *array.shape[2:]), array[:, 6:]], dim=1)
            for name, array in rows.items()
        }
        assert torch.equal(network(**base.varied(same, np.random.default_rng(0))), network(**same))
        turned = {name: array if name == "seen" else torch.cat([array[:, :6], array[:, 6:].flip(1)], dim=1)
                  for name, array in rows.items()}  # fmt: skip
        # five numbers are read from one token: an option is its place, and does not take its number along
        assert (network(**turned) - outputs.flip(1)).abs().max() > 1e-3


# Training


def test_it_learns_on_top_of_a_clip_that_stays_as_it_is(begun, taught):
    config, base = begun
    frozen = {name: value.clone() for name, value in base.model.state_dict().items()}
    config = pretrained.config("clip", "quick", text_encoder=config.text_encoder, **SMALL, steps=50, learning_rate=2e-3)
    fit = learning.fit(config, base, 0, taught, taught, log_every=1)
    first = {name: value.clone() for name, value in fit.result.state.modules["network"].state_dict().items()}
    result = run(fit)
    assert all(torch.equal(value, frozen[name]) for name, value in base.model.state_dict().items())
    last = result.state.modules["network"].state_dict()
    assert not any(torch.equal(value, first[name]) for name, value in last.items())
    log = result.log
    assert log.loss.iloc[-10:].mean() < 0.8 * log.loss.iloc[:10].mean()
    learner = learning.to_learner(result, base)
    choices = learner.weigh(taught.rows).argmax(dim=1)
    assert tiny.beats_chance(float((choices == taught.answers).float().mean()), len(taught))


def test_a_learner_is_judged_and_is_the_same_once_kept(folder, tmp_path):
    few = {"episodes": 10, "validated": 4, "tested": 4, "steps": 4, "looks": 2}
    config = pretrained.config("clip", "quick", **SMALL | few)
    learner = learning.learn(config, folder, "verified", 3)
    manifest = results.manifest(learning.cell_id(learner.config), learner.config, "verified", "quick", 3, 1.0)
    path = learning.save(learner, tmp_path / "clip.safetensors", manifest)
    again = learning.read(path, folder)
    assert again.config == learner.config and manifest.cell == "mewl/clip/shape" and list(again.log)[0] == "step"
    episodes = making.episodes_of("shape", "test", 4)
    scores = [scoring.judge(agent, episodes, draw=agent.draw).scores for agent in (learner, again)]
    assert np.array_equal(*scores) and np.allclose(np.exp(scores[0]).sum(axis=1), 1, atol=1e-5)

    rows = training.assess(again, "verified", 3) + training.curve(again)
    assert {row["task"] for row in rows} == {"shape", "train/shape", "val/shape"}
    assert {row["who"] for row in rows} == {"CLIP with text encoder, tiny-clip"}
    assert sum(row["metric"].startswith("accuracy, step") for row in rows) == 2
    with pytest.raises(InputError, match="of other weights"):
        learning.read(path, tiny.folder_of("clip", tmp_path / "other", seed=1))
    with pytest.raises(InputError, match="a pretrained learner"):
        learning.read(folder / "model.safetensors", folder)


def test_configs_hold_the_published_numbers():
    clip_, bert, flamingo = (pretrained.config(name, "paper") for name in pretrained.KINDS)
    assert (clip_.width, clip_.layers, clip_.heads, clip_.feedforward, clip_.dropout, clip_.longest) == (
        512,
        6,
        8,
        2048,
        0.1,
        20,
    )
    assert (clip_.learning_rate, clip_.weight_decay, clip_.clip, clip_.schedule) == (1e-4, 0.01, 1.0, "constant")
    assert (bert.learning_rate, bert.weight_decay, bert.batch, bert.schedule) == (5e-5, 0, 64, "linear")
    assert (flamingo.learning_rate, flamingo.steps, flamingo.batch, flamingo.dropout) == (5e-5, 30_000, 96, 0.1)
    assert [round(config.steps * config.batch / 27_000) for config in (clip_, bert, flamingo)] == [600, 200, 107]
    for wrong in ({"set": "words"}, {"schedule": "cycle"}, {"batch": 0}, {"widht": 1}):
        with pytest.raises(InputError):
            pretrained.config("clip", "lab", **wrong)
    with pytest.raises(InputError, match="bert"):
        pretrained.config("bart", "lab")


def test_a_file_of_another_learner_is_refused(tmp_path):
    log, manifest = (
        pd.DataFrame(),
        results.manifest("mewl/slot-transformer/shape", {"width": 3}, "verified", "quick", 0, 1),
    )
    path = weights.write(tmp_path / "slots.safetensors", torch.nn.Linear(2, 2), log, manifest)
    with pytest.raises(InputError, match="one of a pretrained learner of MEWL"):
        learning.read(path, tmp_path)
