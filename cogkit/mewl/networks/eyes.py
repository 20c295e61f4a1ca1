"""What a network sees an episode with: each makes tokens of seven pictures, however they are shown."""

from __future__ import annotations

from torch import Tensor, nn

from cogkit.mewl import slots, tokens

_LONGEST = 48  # words of a caption; those of six things have 35, of three in a row 46


class SlotEyes(nn.Module):
    """Things as they are: a token a slot."""

    def __init__(self, width: int, numbers: int = slots.NUMBERS) -> None:
        super().__init__()
        self.see = nn.Linear(numbers, width)
        nn.init.normal_(self.see.weight, std=width**-0.5)  # a value weighs as much as a word

    def forward(self, shown: Tensor) -> tuple[Tensor, Tensor]:
        """Return tokens of slots (B, 7, S, numbers), and which are not empty; those that all lack are left out."""
        there = shown.any(dim=3)
        most = max(1, int(there.sum(dim=2).max()))
        return self.see(shown[:, :, :most]), there[:, :, :most]


class CaptionEyes(nn.Module):
    """What is told of a picture, word by word."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.words = nn.Embedding(tokens.VOCABULARY, width, padding_idx=tokens.PAD)
        self.places = nn.Embedding(_LONGEST, width)
        for table in (self.words, self.places):
            nn.init.normal_(table.weight, std=width**-0.5)

    def forward(self, told: Tensor) -> tuple[Tensor, Tensor]:
        """Return tokens of captions (B, 7, L) of numbers, and which are words."""
        return self.words(told) + self.places.weight[: told.shape[2]], told != tokens.PAD
