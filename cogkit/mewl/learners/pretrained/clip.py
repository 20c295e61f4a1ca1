"""A transformer over what a frozen CLIP makes of pictures and names (Jiang et al. 2023, § 4.1 and appendix C)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.mewl.learners.pretrained import ClipConfig, folders, pieces
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Question

_AT_ONCE = 64  # pictures, or texts


class Clip:
    """The CLIP of a folder, frozen: rows of episodes hold its features, and a network of its own looks at those.

    Parameters
    ----------
    folder : str or Path
    config : ClipConfig
    place : str
        Where it computes.
    """

    def __init__(self, folder, config: ClipConfig, place: str = "cpu") -> None:
        self.tokenizer, self.images, self.model = folders.parts(
            folder, "a CLIP with safetensors, a tokenizer and an image processor",
            {"AutoTokenizer": {}, "AutoImageProcessor": {"backend": "pil"}, "CLIPModel": {"dtype": torch.float32}},
            "clip",
        )  # fmt: skip
        self.model.requires_grad_(False).eval().to(place)
        self.config, self.place = config, place

    def rows(self, question: Question) -> dict[str, Tensor]:
        """Return what is held of each episode, by name: features in half precision, or numbers of tokens.

        ``seen`` is (n, 7, features); ``said``, of six names and five options, (n, 11, features) with the text encoder,
        else (n, 11, longest) with ``there``.
        """
        n = len(question)
        texts = [each for row in zip(question.utterances, question.options, strict=True) for part in row
                 for each in part]  # fmt: skip
        seen = self.seen(question.shown.reshape(-1, *question.shown.shape[2:]))
        rows = {"seen": seen.reshape(n, PANELS + 1, -1)}
        if self.config.text_encoder:
            return rows | {"said": self.heard(texts).reshape(n, PANELS + OPTIONS, -1)}
        ids, there = pieces.padded([row[: self.config.longest] for row in self.tokenizer(texts)["input_ids"]])
        room = ((0, 0), (0, self.config.longest - ids.shape[1]))
        told = {name: torch.from_numpy(np.pad(each, room)) for name, each in (("said", ids), ("there", there))}
        return rows | {name: each.reshape(n, PANELS + OPTIONS, -1) for name, each in told.items()}

    @torch.no_grad()
    def seen(self, pictures: np.ndarray) -> Tensor:
        """Return features of pictures (n, height, width, 3) uint8: (n, features) float16."""
        found = []
        for at in range(0, len(pictures), _AT_ONCE):
            part = list(pictures[at : at + _AT_ONCE])
            told = self.images(part, return_tensors="pt", input_data_format="channels_last")
            state = self.model.vision_model(pixel_values=told["pixel_values"].to(self.place)).pooler_output
            found.append(self.model.visual_projection(state).half().cpu())
        return torch.cat(found)

    @torch.no_grad()
    def heard(self, texts: Iterable[str]) -> Tensor:
        """Return what the text encoder makes of texts, (n, features) float16; each different one is looked at once."""
        different, places = np.unique(list(texts), return_inverse=True)
        found = []
        for at in range(0, len(different), _AT_ONCE):
            rows = self.tokenizer(different[at : at + _AT_ONCE].tolist())["input_ids"]
            told = pieces.padded(rows, self.model.config.text_config.max_position_embeddings)
            ids, there = (torch.from_numpy(each).to(self.place) for each in told)
            state = self.model.text_model(input_ids=ids, attention_mask=there.long()).pooler_output
            found.append(self.model.text_projection(state).half().cpu())
        return torch.cat(found)[torch.from_numpy(places)]

    def varied(self, rows: dict[str, Tensor], rng: np.random.Generator) -> dict[str, Tensor]:
        """Return rows with the six panels of each episode in an order of their own, as in training."""
        n = len(rows["seen"])
        order = torch.from_numpy(rng.permuted(np.tile(np.arange(PANELS), (n, 1)), axis=1))
        each = torch.arange(n)[:, None]
        return {name: torch.cat([of[each, order], of[:, PANELS:]], dim=1) for name, of in rows.items()}

    def given(self, rows: dict[str, Tensor]) -> dict[str, Tensor]:
        """Return what the network takes of rows."""
        return {name: of.to(self.place) for name, of in rows.items()}

    def network(self) -> ClipTransformer:
        """Return a fresh network for these features."""
        seen = self.model.config.projection_dim
        if self.config.text_encoder:
            return ClipTransformer(self.config, seen, seen).to(self.place)
        table = self.model.text_model.get_input_embeddings().weight
        return ClipTransformer(self.config, seen, table.shape[1], table.detach()).to(self.place)


class ClipTransformer(nn.Module):
    """Features in a row, a transformer, and a number for each option read from the token before them.

    The row is [beginning], six times [picture, name, separator], [picture asked about, separator], five options.

    Parameters
    ----------
    config : ClipConfig
    seen, said : int
        Features of a picture, and of a name or a token; a linear map takes those that are not as many as ``width``.
    table : Tensor, optional
        Embeddings of tokens, (tokens, said), which stay as they are.

    Notes
    -----
    As published, the five numbers are read from one token, so an option is known by its place alone. Padding after the
    tokens of a name is not attended to; the paper does not say whether it is there.
    """

    def __init__(self, config: ClipConfig, seen: int, said: int, table: Tensor | None = None) -> None:
        super().__init__()
        width = config.width
        self.see, self.hear = (nn.Identity() if of == width else nn.Linear(of, width) for of in (seen, said))
        self.begin, self.between = (nn.Parameter(torch.randn(width) * width**-0.5) for _ in range(2))
        layer = nn.TransformerEncoderLayer(
            width, config.heads, config.feedforward, config.dropout, "gelu", batch_first=True, norm_first=True
        )
        self.attend = nn.TransformerEncoder(layer, config.layers, enable_nested_tensor=False)
        self.score = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, OPTIONS))
        self.register_buffer("table", table, persistent=False)

    def forward(self, seen: Tensor, said: Tensor, there: Tensor | None = None) -> Tensor:
        """Return a number for each option, (B, 5), of features as `Clip.rows` holds them."""
        n = len(seen)
        seen = self.see(seen.float())[:, :, None]
        heard = self.hear(said.float())[:, :, None] if self.table is None else self.hear(self.table[said])
        begin, between = (of.expand(n, 1, -1) for of in (self.begin, self.between))
        tokens, empty = [begin], [torch.zeros(n, 1, dtype=torch.bool, device=seen.device)]
        none = empty[0]
        missing = none[:, :, None].expand(*heard.shape[:3]) if there is None else ~there
        for k in range(PANELS):
            tokens += [seen[:, k], heard[:, k], between]
            empty += [none, missing[:, k], none]
        tokens += [seen[:, PANELS], between, heard[:, PANELS:].flatten(1, 2)]
        empty += [none, none, missing[:, PANELS:].flatten(1, 2)]
        row = torch.cat(tokens, dim=1)
        row = row + waves(row.shape[1], row.shape[2]).to(row)
        attended = self.attend(row, src_key_padding_mask=torch.cat(empty, dim=1))
        return self.score(attended[:, 0])


def waves(places: int, width: int) -> Tensor:
    """Return sines and cosines that tell places apart, (places, width) float32 (Vaswani et al. 2017, § 3.5).

    Examples
    --------
    >>> waves(2, 4)[0].tolist()
    [0.0, 1.0, 0.0, 1.0]
    """
    angles = torch.arange(places)[:, None] * 10_000.0 ** (-torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)[:, :width]
