"""One transformer over the pictures and words of an episode; its eyes are a separate module.

Jiang et al. 2023, § 4.1 and appendix C.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.mewl.learners.networks import Network
from cogkit.mewl.problems import tokens
from cogkit.mewl.problems.episodes import OPTIONS, PANELS

PICTURES = PANELS + 1
_FAINT = 0.5  # size of marks, relative to the tokens that they mark


class EpisodeTransformer(Network):
    """Eyes, words and attention over both; the output is a number for each option.

    The eyes turn a picture into one or more tokens. A word is one token. Each option has one more token, whose last
    state stands for the option's name. The number of an option says how well this state fits the picture that is asked
    about. Tokens of one panel, or of one option, carry the same mark. Tokens of a picture also carry its name. The
    order of the tokens from the eyes has no effect. ``eyes(obs) -> (B, 7, tokens, width), (B, 7, tokens) bool``:
    tokens, and which of them are filled.

    Notes
    -----
    Differs from the paper: its networks read five numbers from one token, and do not add the name to a picture's
    tokens. Keys begin equal to queries, so that attention begins as similarity. With an ordinary initialisation, many
    runs stay at the accuracy of elimination.
    """

    def __init__(self, eyes: nn.Module, width: int, layers: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.eyes = eyes
        self.words = nn.Embedding(tokens.VOCABULARY, width, padding_idx=tokens.PAD)
        self.places = nn.Embedding(tokens.LONGEST, width)
        self.marks = nn.Embedding(PICTURES + OPTIONS, width)
        self.begin = nn.Parameter(torch.randn(width) * width**-0.5)
        self.call = nn.Linear(width, width)
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, dropout, "gelu", batch_first=True, norm_first=True)
        self.attend = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width), enable_nested_tensor=False)
        self.name, self.meant = nn.Linear(width, width), nn.Linear(width, width)
        self.alone = nn.Linear(width, 1)
        for table, size in ((self.words, 1), (self.places, 1), (self.marks, _FAINT)):
            nn.init.normal_(table.weight, std=size * width**-0.5)
        with torch.no_grad():
            for block in self.attend.layers:
                queries, keys, _ = block.self_attn.in_proj_weight.chunk(3)
                keys.copy_(queries)

    def forward(self, obs: Tensor, token_ids: Tensor) -> Tensor:
        """Return a number for each option, (B, 5), from the input of the eyes and from words (B, 11, L)."""
        pictures, mask = self.eyes(obs)
        panels, options = self.marks.weight[:PICTURES], self.marks.weight[PICTURES:]
        words = self.words(token_ids) + self.places.weight[: token_ids.shape[2]]
        names_of = self.call((words * (token_ids != tokens.PAD)[..., None]).sum(dim=2))
        pictures = pictures + panels[:, None]
        pictures = torch.cat([pictures[:, :PANELS] + names_of[:, :PANELS, None], pictures[:, PANELS:]], dim=1)
        utterances = words + torch.cat([panels[:PANELS], options])[:, None]
        names = self.begin + options + names_of[:, PANELS:]
        empty = [torch.zeros_like(token_ids[:, PANELS:, 0]) > 0, (token_ids == tokens.PAD).flatten(1), ~mask.flatten(1)]
        row = torch.cat([names, utterances.flatten(1, 2), pictures.flatten(1, 2)], dim=1)
        states = self.attend(row, src_key_padding_mask=torch.cat(empty, dim=1))
        names, query_mask = states[:, :OPTIONS], mask[:, PANELS, :, None]
        query = (states[:, -mask.shape[2] :] * query_mask).sum(dim=1) / query_mask.sum(dim=1)
        likeness = (self.name(names) * self.meant(query)[:, None]).sum(dim=2) * names.shape[2] ** -0.5
        return self.alone(names)[..., 0] + likeness
