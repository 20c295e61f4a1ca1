"""A Flamingo: a frozen language model that looks at pictures by cross-attention (Jiang et al. 2023, § 4.1, appendix C).

The open models of this build that transformers knows are called Idefics.
"""

from __future__ import annotations

import copy
from itertools import chain

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.core.contracts import InputError
from cogkit.mewl.learners.pretrained import FlamingoConfig, folders, pieces
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Question

IMAGE, _AROUND, _END = "<image>", "<fake_token_around_image>", "<end_of_utterance>"


class Flamingo:
    """The Idefics of a folder, its tokenizer and its image processor.

    Parameters
    ----------
    folder : str or Path
    config : FlamingoConfig
    place : str
        Where it computes.

    Raises
    ------
    InputError
        As `folders.parts`, or its tokenizer has no token for a picture, or none for an end.
    """

    def __init__(self, folder, config: FlamingoConfig, place: str = "cpu") -> None:
        wanted = "an Idefics with safetensors, a tokenizer and an image processor"
        self.tokenizer, self.images, self.model = folders.parts(
            folder, wanted,
            {"AutoTokenizer": {}, "AutoImageProcessor": {"backend": "pil"}, "IdeficsModel": {"dtype": torch.float32}},
            "idefics",
        )  # fmt: skip
        self.model.eval().to(place)
        self.config, self.place = config, place
        known = self.tokenizer.get_vocab()
        self.end = _END if _END in known else self.tokenizer.eos_token
        if IMAGE not in known or self.end is None:
            raise InputError(f"{folder}, whose tokenizer has no {IMAGE} or no token for an end", wanted)
        self.around = _AROUND if _AROUND in known else ""
        self.image = known[IMAGE]

    def texts(self, question: Question) -> list[str]:
        """Return what is asked, five texts an episode: a place for each picture, what it is called, and an end."""
        begin, picture = self.tokenizer.bos_token or "", f"{self.around}{IMAGE}{self.around}"
        return [
            begin + "".join(f"{picture} {name}{self.end}" for name in (*said, option))
            for said, options in zip(question.utterances, question.options, strict=True)
            for option in options
        ]

    def rows(self, question: Question) -> dict[str, Tensor]:
        """Return what is held of each episode: tokens (n, 5, longest), where there are any, and its seven pictures.

        Raises
        ------
        InputError
            A text of more tokens than the model has places for.
        """
        told = self.tokenizer(self.texts(question), add_special_tokens=False)["input_ids"]
        ids, there = (torch.from_numpy(of) for of in pieces.padded(told, self.model.config.max_position_embeddings))
        held = {"ids": ids.int(), "there": there}
        return {name: of.reshape(len(question), OPTIONS, -1) for name, of in held.items()} | {
            "pictures": torch.from_numpy(np.ascontiguousarray(question.shown))
        }

    def varied(self, rows: dict[str, Tensor], rng: np.random.Generator) -> dict[str, Tensor]:
        """Return rows as they are: the paper varies nothing in training."""
        return rows

    def given(self, rows: dict[str, Tensor]) -> dict[str, Tensor]:
        """Return what the network takes of rows: no longer than the longest, and pictures as the model takes them."""
        longest = int(rows["there"].sum(dim=2).max())
        told = {name: rows[name][:, :, :longest].to(self.place) for name in ("ids", "there")}
        pictures = list(rows["pictures"].flatten(0, 1).numpy())
        pixels = self.images(pictures, return_tensors="pt", input_data_format="channels_last")
        return told | {"pixels": pixels.unflatten(0, (-1, PANELS + 1)).to(self.place)}

    def network(self) -> FlamingoChoice:
        """Return a fresh network that begins from the folder's weights."""
        return FlamingoChoice(self.model, self.image, self.config.dropout).to(self.place)


class FlamingoChoice(nn.Module):
    """An Idefics, and a number for the option at its end.

    Trained are the embeddings of tokens, the layers of cross-attention, the resampler of what is seen where there is
    one, and the last map to a number; they alone are among the parameters. All else is frozen, never drops out, and is
    shared with whom the network was made from and with its copies.

    Parameters
    ----------
    idefics : IdeficsModel
        Of transformers; what is trained of it is copied.
    image : int
        The token of a picture.
    dropout : float
        Of the last token's state.
    """

    def __init__(self, idefics: nn.Module, image: int, dropout: float) -> None:
        super().__init__()
        idefics = _copied(idefics, {}).requires_grad_(False)
        self._idefics = (idefics,)  # in a tuple, so that torch does not take its parameters for the network's
        self.image = image
        self.embed, self.cross = idefics.embed_tokens, idefics.gated_cross_attn_layers
        self.resample = getattr(idefics, "perceiver_resampler", None)
        self.score = nn.Sequential(nn.Dropout(dropout), nn.Linear(idefics.config.hidden_size, 1))
        self.requires_grad_(True)

    def __deepcopy__(self, memo: dict) -> FlamingoChoice:
        made = self.__new__(type(self))
        memo[id(self)] = made
        idefics = _copied(self._idefics[0], memo)
        made.__dict__ = {name: copy.deepcopy(of, memo) for name, of in self.__dict__.items() if name != "_idefics"}
        made._idefics = (idefics,)
        return made

    def forward(self, ids: Tensor, there: Tensor, pixels: Tensor) -> Tensor:
        """Return a number for each option, (B, 5).

        Parameters
        ----------
        ids, there : (B, 5, L) Tensor
            A text for each option, and where it has tokens.
        pixels : (B, 7, 3, height, width) Tensor
            Seen by all five; a token looks at the picture that was last before it.
        """
        (idefics,) = self._idefics
        ids, there = (of.flatten(0, 1).long() for of in (ids, there))
        places = nn.functional.one_hot((ids == self.image).cumsum(dim=1), PANELS + 2)[..., 1:]  # none before the first
        name = "image_encoder_embeddings" if self.resample is None else "perceiver_embeddings"
        seen = self.seen(pixels).repeat_interleave(OPTIONS, dim=0)
        states = idefics(
            input_ids=ids, attention_mask=there, image_attention_mask=places, use_cache=False, **{name: seen}
        ).last_hidden_state
        last = states[torch.arange(len(ids), device=ids.device), there.sum(dim=1) - 1]
        return self.score(last).view(-1, OPTIONS)

    def seen(self, pixels: Tensor) -> Tensor:
        """Return what is seen of pictures (B, 7, 3, height, width), a few vectors each: (B, 7, vectors, width)."""
        (idefics,) = self._idefics
        with torch.no_grad():
            found = idefics.vision_model(pixel_values=pixels.flatten(0, 1)).last_hidden_state
        if self.resample is not None:
            found = self.resample(found)
        return found.unflatten(0, pixels.shape[:2])


def trained_parts(idefics: nn.Module) -> list[nn.Module]:
    """Return the parts of an Idefics that are trained: embeddings, cross-attention, and the resampler if it has one."""
    found = [idefics.embed_tokens, idefics.gated_cross_attn_layers, getattr(idefics, "perceiver_resampler", None)]
    return [part for part in found if part is not None]


def _copied(idefics: nn.Module, memo: dict) -> nn.Module:
    """Return an Idefics with trained parts of its own, that shares all other tensors."""
    own = {id(value) for part in trained_parts(idefics) for value in part.parameters()}
    every = chain(idefics.parameters(), idefics.buffers())
    memo |= {id(value): value for value in every if id(value) not in own}
    return copy.deepcopy(idefics, memo)
