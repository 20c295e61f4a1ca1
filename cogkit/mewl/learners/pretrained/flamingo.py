"""A Flamingo: a frozen language model that sees pictures by cross-attention (Jiang et al. 2023, § 4.1, appendix C).

In transformers, the open models of this kind are called Idefics.
"""

from __future__ import annotations

import copy
from itertools import chain

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.core.errors import InputError
from cogkit.learning import pretrained
from cogkit.mewl.learners.pretrained import FlamingoConfig
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Question

IMAGE, _AROUND, _END = "<image>", "<fake_token_around_image>", "<end_of_utterance>"


class Flamingo:
    """The Idefics of a folder, its tokenizer and its image processor.

    ``device`` is the device to compute on. Raises `InputError` as `pretrained.parts`; or if the tokenizer has no token
    for a picture, or none for an end.
    """

    def __init__(self, folder, config: FlamingoConfig, device: str = "cpu") -> None:
        content = "an Idefics with safetensors, a tokenizer and an image processor"
        self.tokenizer, self.images, self.model = pretrained.parts(
            folder, content,
            {"AutoTokenizer": {}, "AutoImageProcessor": {"backend": "pil"}, "IdeficsModel": {"dtype": torch.float32}},
            "idefics",
        )  # fmt: skip
        self.model.eval().to(device)
        self.config, self.device = config, device
        vocabulary = self.tokenizer.get_vocab()
        self.end = _END if _END in vocabulary else self.tokenizer.eos_token
        if IMAGE not in vocabulary or self.end is None:
            raise InputError(f"{folder}, whose tokenizer has no {IMAGE} or no token for an end", content)
        self.around = _AROUND if _AROUND in vocabulary else ""
        self.image = vocabulary[IMAGE]

    def texts(self, question: Question) -> list[str]:
        """Return five texts for each episode: for every picture a token for it, its name and an end token."""
        begin, picture = self.tokenizer.bos_token or "", f"{self.around}{IMAGE}{self.around}"
        return [
            begin + "".join(f"{picture} {name}{self.end}" for name in (*names, option))
            for names, options in zip(question.utterances, question.options, strict=True)
            for option in options
        ]

    def rows(self, question: Question) -> dict[str, Tensor]:
        """Return the data of each episode: tokens (n, 5, longest), their mask, and seven pictures.

        Raises `InputError` if a text has more tokens than the model has places.
        """
        lists = self.tokenizer(self.texts(question), add_special_tokens=False)["input_ids"]
        ids, mask = (torch.from_numpy(a) for a in pretrained.padded(lists, self.model.config.max_position_embeddings))
        arrays = {"ids": ids.int(), "there": mask}
        tensors = {name: values.reshape(len(question), OPTIONS, -1) for name, values in arrays.items()}
        return tensors | {"pictures": torch.from_numpy(np.ascontiguousarray(question.observations))}

    def prepare_inputs(self, rows: dict[str, Tensor]) -> dict[str, Tensor]:
        """Return the network's input from rows: tokens up to the longest text, and preprocessed pictures."""
        longest = int(rows["there"].sum(dim=2).max())
        inputs = {name: rows[name][:, :, :longest].to(self.device) for name in ("ids", "there")}
        pictures = list(rows["pictures"].flatten(0, 1).numpy())
        pixels = self.images(pictures, return_tensors="pt", input_data_format="channels_last")
        return inputs | {"pixels": pixels.unflatten(0, (-1, PANELS + 1)).to(self.device)}

    def network(self) -> FlamingoChoice:
        """Return a new network that begins with the folder's weights."""
        return FlamingoChoice(self.model, self.image, self.config.dropout)


class FlamingoChoice(nn.Module):
    """An Idefics that gives a number for the option at the end of a text.

    The trained parts are the embeddings of tokens, the layers of cross-attention, the resampler of picture features (if
    there is one) and the last map to a number. Only these are among the parameters. All other weights are frozen, have
    no dropout, and are shared with the model that the network was made from and with the network's copies. The trained
    parts of ``idefics``, from transformers, are copied. ``image`` is the token of a picture; ``dropout`` is that of the
    last token's state.
    """

    def __init__(self, idefics: nn.Module, image: int, dropout: float) -> None:
        super().__init__()
        idefics = _copied(idefics, {}).requires_grad_(False)
        self._idefics = (idefics,)  # in a tuple, so that torch does not take its parameters for the network's
        self.image = image
        self.embed, self.cross = idefics.embed_tokens, idefics.gated_cross_attn_layers
        self.resample = getattr(idefics, "perceiver_resampler", None)
        idefics.config.use_resampler = False  # `seen` resamples: once for the five texts that share the pictures
        self.score = nn.Sequential(nn.Dropout(dropout), nn.Linear(idefics.config.hidden_size, 1))
        self.requires_grad_(True)

    def __deepcopy__(self, memo: dict) -> FlamingoChoice:
        twin = self.__new__(type(self))
        memo[id(self)] = twin
        idefics = _copied(self._idefics[0], memo)
        twin.__dict__ = {name: copy.deepcopy(part, memo) for name, part in self.__dict__.items() if name != "_idefics"}
        twin._idefics = (idefics,)
        return twin

    def forward(self, ids: Tensor, there: Tensor, pixels: Tensor) -> Tensor:
        """Return a number for each option, (B, 5).

        ``ids`` and ``there`` (B, 5, L) are a text for each option, and a mask of its tokens. ``pixels`` (B, 7, 3,
        height, width) are the pictures for all five texts; a token attends to the last picture before it.
        """
        (idefics,) = self._idefics
        ids, there = (tensor.flatten(0, 1).long() for tensor in (ids, there))
        places = nn.functional.one_hot((ids == self.image).cumsum(dim=1), PANELS + 2)[..., 1:]  # none before the first
        features = self.seen(pixels).repeat_interleave(OPTIONS, dim=0)
        inputs = {"input_ids": ids, "attention_mask": there, "image_attention_mask": places}
        states = idefics(**inputs, image_encoder_embeddings=features, use_cache=False).last_hidden_state
        state = states[torch.arange(len(ids), device=ids.device), there.sum(dim=1) - 1]
        return self.score(state).view(-1, OPTIONS)

    def seen(self, pixels: Tensor) -> Tensor:
        """Return features of pictures (B, 7, 3, height, width), a few vectors each: (B, 7, vectors, width)."""
        (idefics,) = self._idefics
        with torch.no_grad():
            features = idefics.vision_model(pixel_values=pixels.flatten(0, 1)).last_hidden_state
        if self.resample is not None:
            features = self.resample(features)
        return features.unflatten(0, pixels.shape[:2])


def trained_parts(idefics: nn.Module) -> list[nn.Module]:
    """Return the parts of an Idefics that are trained: embeddings, cross-attention, and the resampler if it has one."""
    parts = [idefics.embed_tokens, idefics.gated_cross_attn_layers, getattr(idefics, "perceiver_resampler", None)]
    return [part for part in parts if part is not None]


def _copied(idefics: nn.Module, memo: dict) -> nn.Module:
    """Return a copy of an Idefics: its trained parts are copied, and all other tensors are shared."""
    ids = {id(value) for part in trained_parts(idefics) for value in part.parameters()}
    tensors = chain(idefics.parameters(), idefics.buffers())
    memo |= {id(value): value for value in tensors if id(value) not in ids}
    return copy.deepcopy(idefics, memo)
