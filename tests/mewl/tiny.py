"""Pretrained models of a few thousand random weights, as transformers saves them, and episodes easy to learn."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import torch

from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import Episode, Question

PAINTS = {
    "rono": (220, 30, 30),
    "galu": (30, 200, 30),
    "bemi": (40, 40, 230),
    "yeso": (230, 220, 20),
    "nato": (10, 10, 10),
}
_SIDE = 16  # pixels that their eyes take
_SMALL = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}


def folder_of(kind: str, place: Path, seed: int = 0, **changes) -> Path:
    """Return a folder with a model: ``clip``, ``bert`` or ``flamingo``; ``changes`` go to the config of the last."""
    torch.manual_seed(seed)
    {"clip": _clip, "bert": _bert, "flamingo": _flamingo}[kind](place, **changes)
    return place


def _clip(place: Path) -> None:
    from transformers import CLIPConfig, CLIPModel

    tokens = _tokenizer("<|begin|>", "<|end|>", "<|begin|> $A <|end|>")
    ends = {"bos_token_id": tokens.bos_token_id, "eos_token_id": tokens.eos_token_id}
    text = (
        _SMALL | ends | {"vocab_size": len(tokens), "max_position_embeddings": 40, "pad_token_id": ends["eos_token_id"]}
    )
    vision = _SMALL | {"image_size": _SIDE, "patch_size": 8}
    config = CLIPConfig(text_config=text, vision_config=vision, projection_dim=24, initializer_factor=4.0)
    CLIPModel(config).save_pretrained(place)
    tokens.save_pretrained(place)
    _images(place, "CLIPImageProcessor", {"shortest_edge": _SIDE}, crop_size={"height": _SIDE, "width": _SIDE})


def _bert(place: Path) -> None:
    from transformers import BertConfig, BertForPreTraining

    tokens = _tokenizer("[CLS]", "[SEP]", "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1")
    still = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "initializer_range": 0.1}
    config = BertConfig(vocab_size=len(tokens), max_position_embeddings=512, **_SMALL, **still)
    BertForPreTraining(config).save_pretrained(place)
    tokens.save_pretrained(place)


def _flamingo(place: Path, **changes) -> None:
    from transformers import IdeficsConfig, IdeficsForVisionText2Text

    tokens = _tokenizer("<s>", "</s>", "<s> $A")
    count = len(tokens)
    tokens.add_special_tokens({"additional_special_tokens": ["<fake_token_around_image>", "<image>"]})
    vision = {"embed_dim": 32, "image_size": _SIDE, "patch_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
              "intermediate_size": 64, "initializer_range": 0.2}  # fmt: skip
    perceiver = {"use_resampler": True, "resampler_n_latents": 3, "resampler_depth": 1, "resampler_n_heads": 2,
                 "resampler_head_dim": 16}  # fmt: skip
    settings = _SMALL | {"alpha_initializer": "ones", "initializer_range": 0.1, "use_resampler": True} | changes
    config = IdeficsConfig(vocab_size=count, additional_vocab_size=2, vision_config=vision, perceiver_config=perceiver,
                           pad_token_id=0, bos_token_id=tokens.bos_token_id, eos_token_id=tokens.eos_token_id,
                           **settings)  # fmt: skip
    IdeficsForVisionText2Text(config).save_pretrained(place)
    tokens.save_pretrained(place)
    _images(place, "IdeficsImageProcessor", {"height": _SIDE, "width": _SIDE}, image_size=_SIDE)


def _tokenizer(begin: str, end: str, single: str, pair: str | None = None):
    """Return a fast tokenizer of pieces of captions; what begins and ends a text is its own."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    pieces = Tokenizer(models.BPE())
    pieces.pre_tokenizer, pieces.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=330, special_tokens=["<pad>", begin, end], initial_alphabet=alphabet)
    pieces.train_from_iterator(
        ["Context: A large red metal cube and a small blue rubber sphere.\nName: pado"] * 3, trainer
    )
    specials = [(token, pieces.token_to_id(token)) for token in (begin, end)]
    pieces.post_processor = processors.TemplateProcessing(single, pair, specials)
    return PreTrainedTokenizerFast(
        tokenizer_object=pieces, bos_token=begin, eos_token=end, cls_token=begin, sep_token=end, pad_token="<pad>"
    )


def _images(place: Path, name: str, size: dict, **more) -> None:
    """Write what an image processor reads, as published folders have it."""
    settings = {"image_processor_type": name, "size": size, "do_resize": True, "do_rescale": True, "do_normalize": True}
    settings |= {"image_mean": [0.48, 0.46, 0.41], "image_std": [0.27, 0.26, 0.28], "resample": 3} | more
    (place / "preprocessor_config.json").write_text(json.dumps(settings))


def painted_episodes(n: int) -> list[Episode]:
    """Return episodes in which the query is called by its paint, see `paint`, and options are always in one order."""
    episodes = []
    for k, episode in enumerate(making.episodes_of("shape", "train", n)):
        question = dataclasses.replace(episode.trial, options=tuple(PAINTS))
        episodes.append(dataclasses.replace(episode, trial=question, answer=k % len(PAINTS)))
    return episodes


def paint(episodes) -> np.ndarray:
    """Return pictures (n, 7, 24, 32, 3): panels grey, each of its own, and the query in the paint of its answer."""
    images = np.empty((len(episodes), 7, 24, 32, 3), np.uint8)
    for pictures, episode in zip(images, episodes, strict=True):
        pictures[:6] = np.linspace(60, 200, 6)[:, None, None, None]
        pictures[6] = PAINTS[episode.trial.options[episode.answer]]
    return images


def easy(n: int, seen: bool) -> tuple[Question, torch.Tensor]:
    """Return questions and answers: right options and wrong ones never meet, and all else is alike, seen or told."""
    rng = np.random.default_rng(0)
    right, wrong = ("pado pado", "large pado"), ["mu mu", "xo mu", "mu xo", "xo xo", "xo small", "mu small"]
    options = [tuple(map(str, rng.permutation([rng.choice(right), *rng.permutation(wrong)[:4]]))) for _ in range(n)]
    answers = [next(k for k, name in enumerate(row) if name in right) for row in options]
    inputs = np.full((n, 7, 24, 32, 3), 90, np.uint8) if seen else [("A cube.",) * 7] * n
    return Question(("shape",) * n, inputs, (("mu",) * 6,) * n, tuple(options)), torch.tensor(answers)


def beats_chance(accuracy: float, n: int) -> bool:
    """Return whether a share of n answers is over one in five by more than four standard errors."""
    return accuracy > 0.2 + 4 * (0.2 * 0.8 / n) ** 0.5
