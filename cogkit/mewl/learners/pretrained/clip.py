"""A transformer over a frozen CLIP's features of pictures and names (Jiang et al. 2023, § 4.1 and appendix C)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.learning import pretrained
from cogkit.mewl.learners.pretrained import ClipConfig
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Question

_AT_ONCE = 64  # pictures or texts in a batch


class Clip:
    """The frozen CLIP of a folder. Rows of episodes hold its features, and another network reads these features.

    ``device`` is the device to compute on.
    """

    def __init__(self, folder, config: ClipConfig, device: str = "cpu") -> None:
        self.tokenizer, self.images, self.model = pretrained.parts(
            folder, "a CLIP with safetensors, a tokenizer and an image processor",
            {"AutoTokenizer": {}, "AutoImageProcessor": {"backend": "pil"}, "CLIPModel": {"dtype": torch.float32}},
            "clip",
        )  # fmt: skip
        self.model.requires_grad_(False).eval().to(device)
        self.config, self.device = config, device

    def rows(self, question: Question) -> dict[str, Tensor]:
        """Return the data of each episode, by name: features in half precision, or numbers of tokens.

        ``seen`` is (n, 7, features). ``said`` holds six names and five options: (n, 11, features) with the text
        encoder, otherwise (n, 11, longest) with a mask ``there``.
        """
        n = len(question)
        texts = [text for row in zip(question.utterances, question.options, strict=True) for part in row
                 for text in part]  # fmt: skip
        features = self.seen(question.observations.reshape(-1, *question.observations.shape[2:]))
        rows = {"seen": features.reshape(n, PANELS + 1, -1)}
        if self.config.text_encoder:
            return rows | {"said": self.heard(texts).reshape(n, PANELS + OPTIONS, -1)}
        ids, mask = pretrained.padded([row[: self.config.longest] for row in self.tokenizer(texts)["input_ids"]])
        room = ((0, 0), (0, self.config.longest - ids.shape[1]))
        tensors = {name: torch.from_numpy(np.pad(array, room)) for name, array in (("said", ids), ("there", mask))}
        return rows | {name: values.reshape(n, PANELS + OPTIONS, -1) for name, values in tensors.items()}

    @torch.no_grad()
    def seen(self, pictures: np.ndarray) -> Tensor:
        """Return features of pictures (n, height, width, 3) uint8: (n, features) float16."""
        features = []
        for start in range(0, len(pictures), _AT_ONCE):
            part = list(pictures[start : start + _AT_ONCE])
            inputs = self.images(part, return_tensors="pt", input_data_format="channels_last")
            state = self.model.vision_model(pixel_values=inputs["pixel_values"].to(self.device)).pooler_output
            features.append(self.model.visual_projection(state).half().cpu())
        return torch.cat(features)

    @torch.no_grad()
    def heard(self, texts: Iterable[str]) -> Tensor:
        """Return the text encoder's features of texts, (n, features) float16; equal texts are encoded once."""
        different, places = np.unique(list(texts), return_inverse=True)
        features = []
        for start in range(0, len(different), _AT_ONCE):
            rows = self.tokenizer(different[start : start + _AT_ONCE].tolist())["input_ids"]
            arrays = pretrained.padded(rows, self.model.config.text_config.max_position_embeddings)
            ids, mask = (torch.from_numpy(array).to(self.device) for array in arrays)
            state = self.model.text_model(input_ids=ids, attention_mask=mask.long()).pooler_output
            features.append(self.model.text_projection(state).half().cpu())
        return torch.cat(features)[torch.from_numpy(places)]

    def varied(self, rows: dict[str, Tensor], rng: np.random.Generator) -> dict[str, Tensor]:
        """Return rows with the six panels of each episode shuffled, as in training."""
        n = len(rows["seen"])
        order = torch.from_numpy(rng.permuted(np.tile(np.arange(PANELS), (n, 1)), axis=1))
        numbers = torch.arange(n)[:, None]
        return {name: torch.cat([values[numbers, order], values[:, PANELS:]], dim=1) for name, values in rows.items()}

    def prepare_inputs(self, rows: dict[str, Tensor]) -> dict[str, Tensor]:
        """Return the network's input from rows."""
        return {name: values.to(self.device) for name, values in rows.items()}

    def network(self) -> ClipTransformer:
        """Return a new network for these features."""
        size = self.model.config.projection_dim
        if self.config.text_encoder:
            return ClipTransformer(self.config, size, size)
        table = self.model.text_model.get_input_embeddings().weight
        return ClipTransformer(self.config, size, table.shape[1], table.detach())


class ClipTransformer(nn.Module):
    """Features in a row, a transformer, and a number for each option read from the token before them.

    The row is [beginning], six times [picture, name, separator], [picture asked about, separator], five options.
    ``image_dim`` is the number of features of a picture, ``text_dim`` that of a name or a token; if it is not
    ``width``, a linear map is added. ``table`` (tokens, text_dim) holds frozen embeddings of tokens.

    Notes
    -----
    As published, one token gives the five numbers, so the network knows an option only by its place. Padding after the
    tokens of a name is masked; the paper does not say whether it is.
    """

    def __init__(self, config: ClipConfig, image_dim: int, text_dim: int, table: Tensor | None = None) -> None:
        super().__init__()
        width = config.width
        self.see, self.hear = (
            nn.Identity() if size == width else nn.Linear(size, width) for size in (image_dim, text_dim)
        )
        self.begin, self.between = (nn.Parameter(torch.randn(width) * width**-0.5) for _ in range(2))
        layer = nn.TransformerEncoderLayer(
            width, config.heads, config.feedforward, config.dropout, "gelu", batch_first=True, norm_first=True
        )
        self.attend = nn.TransformerEncoder(layer, config.layers, enable_nested_tensor=False)
        self.score = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, OPTIONS))
        self.register_buffer("table", table, persistent=False)

    def forward(self, seen: Tensor, said: Tensor, there: Tensor | None = None) -> Tensor:
        """Return a number for each option, (B, 5), from features of `Clip.rows`."""
        n = len(seen)
        seen = self.see(seen.float())[:, :, None]
        names = self.hear(said.float())[:, :, None] if self.table is None else self.hear(self.table[said])
        begin, separator = (vector.expand(n, 1, -1) for vector in (self.begin, self.between))
        tokens, empty = [begin], [torch.zeros(n, 1, dtype=torch.bool, device=seen.device)]
        visible = empty[0]
        padding = visible[:, :, None].expand(*names.shape[:3]) if there is None else ~there
        for k in range(PANELS):
            tokens += [seen[:, k], names[:, k], separator]
            empty += [visible, padding[:, k], visible]
        tokens += [seen[:, PANELS], separator, names[:, PANELS:].flatten(1, 2)]
        empty += [visible, visible, padding[:, PANELS:].flatten(1, 2)]
        row = torch.cat(tokens, dim=1)
        row = row + waves(row.shape[1], row.shape[2]).to(row)
        states = self.attend(row, src_key_padding_mask=torch.cat(empty, dim=1))
        return self.score(states[:, 0])


def waves(places: int, width: int) -> Tensor:
    """Return sines and cosines that distinguish places, (places, width) float32 (Vaswani et al. 2017, § 3.5).

    Examples
    --------
    >>> waves(2, 4)[0].tolist()
    [0.0, 1.0, 0.0, 1.0]
    """
    angles = torch.arange(places)[:, None] * 10_000.0 ** (-torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)[:, :width]
