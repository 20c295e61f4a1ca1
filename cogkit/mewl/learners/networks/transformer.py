"""One transformer over all that is shown and said of an episode; what it sees with is a part of its own.

Jiang et al. 2023, § 4.1 and appendix C.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.mewl.problems import tokens
from cogkit.mewl.problems.episodes import OPTIONS, PANELS

PICTURES = PANELS + 1
_LONGEST = 8  # words of an utterance
_FAINT = 0.5  # marks beside what they mark


class EpisodeTransformer(nn.Module):
    """Eyes, words and attention among them, and a number for each option.

    A picture is one or more tokens, by its eyes; a word is one; each option has one more, that ends as its name, and
    the number of an option is how well its name goes with the picture asked about. What belongs to one panel, or to
    one option, carries the same mark, and what is seen carries what it is called. Nothing depends on the order of the
    tokens that eyes give.

    Parameters
    ----------
    eyes : Module
        ``eyes(shown) -> (B, 7, tokens, width), (B, 7, tokens) bool``, what is seen and where there is something.
    width, layers, heads : int
    dropout : float

    Notes
    -----
    Differs from the paper: its networks end in five numbers read from one token, and none of what is seen is bound to
    what it is called. Attention begins as likeness, since keys begin as queries are; from an ordinary beginning
    many runs stay at what elimination gives.
    """

    def __init__(self, eyes: nn.Module, width: int, layers: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.eyes = eyes
        self.words = nn.Embedding(tokens.VOCABULARY, width, padding_idx=tokens.PAD)
        self.places = nn.Embedding(_LONGEST, width)
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
            for each in self.attend.layers:
                queries, keys, _ = each.self_attn.in_proj_weight.chunk(3)
                keys.copy_(queries)

    def forward(self, shown: Tensor, said: Tensor) -> Tensor:
        """Return a number for each option, (B, 5), of what is shown and of words (B, 11, L)."""
        seen, there = self.eyes(shown)
        panels, options = self.marks.weight[:PICTURES], self.marks.weight[PICTURES:]
        words = self.words(said) + self.places.weight[: said.shape[2]]
        called = self.call((words * (said != tokens.PAD)[..., None]).sum(dim=2))
        seen = seen + panels[:, None]
        seen = torch.cat([seen[:, :PANELS] + called[:, :PANELS, None], seen[:, PANELS:]], dim=1)
        heard = words + torch.cat([panels[:PANELS], options])[:, None]
        names = self.begin + options + called[:, PANELS:]
        empty = [torch.zeros_like(said[:, PANELS:, 0]) > 0, (said == tokens.PAD).flatten(1), ~there.flatten(1)]
        every = torch.cat([names, heard.flatten(1, 2), seen.flatten(1, 2)], dim=1)
        attended = self.attend(every, src_key_padding_mask=torch.cat(empty, dim=1))
        names, asked = attended[:, :OPTIONS], there[:, PANELS, :, None]
        picture = (attended[:, -there.shape[2] :] * asked).sum(dim=1) / asked.sum(dim=1)
        likeness = (self.name(names) * self.meant(picture)[:, None]).sum(dim=2) * names.shape[2] ** -0.5
        return self.alone(names)[..., 0] + likeness
