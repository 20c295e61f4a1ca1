"""MONet: a picture taken apart into slots, by attention that goes from part to part and a code for each.

Burgess et al. 2019 (arXiv 1901.11390), which Jiang et al. 2023, § 4.1, see with.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import interpolate, logsigmoid

_SHARES = (1, 1, 2, 2, 2, 2)  # channels of a U-Net's levels, in those of its first
_INNER = 4  # widths of the layers between pictures and codes, in channels of the first level
_EDGE = 4  # pixels that a decoder's four convolutions take from each side
_MARGIN = 2 * _EDGE
_AT_ONCE = 32  # pictures, where nothing is learned


class Apart(NamedTuple):
    """Pictures taken apart, and what that costs.

    Attributes
    ----------
    masks : (B, S, h, w) Tensor
        Logarithms of how far each slot answers for a pixel; over slots they are shares of 1.
    means : (B, S, 16) Tensor
        Codes.
    painted : (B, S, 3, h, w) Tensor
        What each slot paints.
    surprise, divergence, mismatch : (B,) Tensor
        Of pictures in nats: of pixels given what is painted; of codes from a standard normal distribution; of masks
        from those that codes tell.
    """

    masks: Tensor
    means: Tensor
    painted: Tensor
    surprise: Tensor
    divergence: Tensor
    mismatch: Tensor


class Monet(nn.Module):
    """Attention and a variational autoencoder of parts.

    Parameters
    ----------
    size : int
        Pixels a side, a multiple of 2 to the power of ``levels - 1``, and of 16.
    slots, latent : int
        Parts of a picture, and numbers of a code.
    channels : int
        Of the first level of the U-Net, and of the decoder.
    levels : int
        Of the U-Net, each of half as many pixels a side.
    background, foreground : float
        Spread of pixels about what is painted, in the first slot and in the others; 1 is from black to white.
    """

    def __init__(
        self, size: int, slots: int, latent: int, channels: int, levels: int, background: float, foreground: float
    ) -> None:
        super().__init__()
        self.size, self.slots, self.latent = size, slots, latent
        self.attend = UNet(size, channels, levels)
        self.encode = Encoder(size, latent, channels)
        self.decode = Decoder(latent, channels)
        for layer in self.modules():
            if isinstance(layer, nn.Conv2d | nn.Linear):  # or what codes say would be lost on the way, at first
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
        spread = torch.tensor([background] + [foreground] * (slots - 1))
        self.register_buffer("spread", spread[:, None, None, None], persistent=False)

    def pixels(self, pictures: Tensor) -> Tensor:
        """Return pictures (B, h, w, 3) uint8 as squares (B, 3, size, size) of 0 to 1."""
        shown = pictures.permute(0, 3, 1, 2).float() / 255
        return interpolate(shown, (self.size, self.size), mode="bilinear", antialias=True).contiguous()

    def masks(self, shown: Tensor) -> Tensor:
        """Return logarithms of masks, (B, S, size, size)."""
        left, masks = torch.zeros_like(shown[:, :1]), []
        for _ in range(self.slots - 1):
            attended = self.attend(torch.cat([shown, left], dim=1))
            masks.append(left + logsigmoid(attended))
            left = left + logsigmoid(-attended)
        return torch.cat([*masks, left], dim=1)

    def codes(self, shown: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Return means and logarithms of variances of codes, (B, S, latent) each."""
        each = shown[:, None].expand(-1, self.slots, -1, -1, -1)
        told = self.encode(torch.cat([each, masks[:, :, None]], dim=2).flatten(0, 1))
        return told.unflatten(0, masks.shape[:2]).chunk(2, dim=2)

    @torch.no_grad()
    def told(self, pictures: Tensor) -> Tensor:
        """Return the mean codes of pictures (..., h, w, 3) uint8, (..., S, latent), some at a time."""
        each = map(self.pixels, pictures.flatten(0, -4).split(_AT_ONCE))
        return torch.cat([self.codes(shown, self.masks(shown))[0] for shown in each]).unflatten(0, pictures.shape[:-3])

    def forward(self, pictures: Tensor) -> Apart:
        """Return pictures (B, h, w, 3) uint8 taken apart; codes are drawn in training, and their means otherwise."""
        shown = self.pixels(pictures)
        masks = self.masks(shown)
        means, logs = self.codes(shown, masks)
        drawn = means + (logs / 2).exp() * torch.randn_like(means) if self.training else means
        painted, told = self.decode(drawn.flatten(0, 1), self.size)
        painted, told = painted.unflatten(0, masks.shape[:2]), told.view(masks.shape).log_softmax(dim=1)
        normal = torch.distributions.Normal(painted, self.spread, validate_args=False)
        surprise = -(masks + normal.log_prob(shown[:, None]).sum(dim=2)).logsumexp(dim=1).sum(dim=(1, 2))
        divergence = (means.square() + logs.exp() - 1 - logs).sum(dim=(1, 2)) / 2
        mismatch = (masks.exp() * (masks - told)).sum(dim=(1, 2, 3))
        return Apart(masks, means, painted, surprise, divergence, mismatch)


class UNet(nn.Module):
    """Where to look, by what is seen and what is left of the picture to be explained."""

    def __init__(self, size: int, channels: int, levels: int) -> None:
        super().__init__()
        sizes = [channels * share for share in _SHARES[:levels]]
        self.down = nn.ModuleList(_block(*each) for each in zip([4, *sizes], sizes, strict=False))
        self.up = nn.ModuleList(
            _block(2 * of, into) for of, into in zip(sizes[::-1], [*sizes[-2::-1], channels], strict=True)
        )
        smallest = sizes[-1] * (size >> levels - 1) ** 2
        inner = _INNER * channels
        self.between = nn.Sequential(
            nn.Flatten(), nn.Linear(smallest, inner), nn.ReLU(), nn.Linear(inner, inner), nn.ReLU(),
            nn.Linear(inner, smallest), nn.ReLU(),
        )  # fmt: skip
        self.end = nn.Conv2d(channels, 1, 1)

    def forward(self, shown: Tensor) -> Tensor:
        """Return logits (B, 1, h, w) of pixels, and of what is left of them, (B, 4, h, w)."""
        seen = []
        for level, block in enumerate(self.down):
            shown = block(interpolate(shown, scale_factor=0.5) if level else shown)
            seen.append(shown)
        shown = self.between(shown).view(shown.shape)
        for level, block in enumerate(self.up):
            shown = block(torch.cat([interpolate(shown, scale_factor=2.0) if level else shown, seen.pop()], dim=1))
        return self.end(shown)


class Encoder(nn.Module):
    """From a picture and a mask to a code."""

    def __init__(self, size: int, latent: int, channels: int) -> None:
        super().__init__()
        sizes = [4, channels, channels, 2 * channels, 2 * channels]
        layers = [layer for k in range(4) for layer in (nn.Conv2d(sizes[k], sizes[k + 1], 3, 2, padding=1), nn.ReLU())]
        inner = 2 * _INNER * channels
        self.layers = nn.Sequential(
            *layers, nn.Flatten(), nn.Linear(sizes[-1] * (size // 16) ** 2, inner), nn.ReLU(),
            nn.Linear(inner, 2 * latent),
        )  # fmt: skip

    def forward(self, shown: Tensor) -> Tensor:
        """Return means and logarithms of variances, (B, 2 latent), of (B, 4, h, w)."""
        return self.layers(shown)


class Decoder(nn.Module):
    """From a code to a picture and a mask: the same code at every pixel, beside where that is."""

    def __init__(self, latent: int, channels: int) -> None:
        super().__init__()
        sizes = [latent + 2] + [channels] * 4
        layers = [layer for k in range(4) for layer in (nn.Conv2d(sizes[k], sizes[k + 1], 3), nn.ReLU())]
        self.layers = nn.Sequential(*layers, nn.Conv2d(channels, 4, 1))

    def forward(self, codes: Tensor, size: int) -> tuple[Tensor, Tensor]:
        """Return pictures (B, 3, size, size) and logits of masks (B, 1, size, size)."""
        wide = size + _MARGIN
        along = torch.linspace(-1, 1, wide, device=codes.device)
        where = torch.stack(torch.meshgrid(along, along, indexing="ij")).expand(len(codes), -1, -1, -1)
        told = self.layers(torch.cat([codes[:, :, None, None].expand(-1, -1, wide, wide), where], dim=1))
        return told[:, :3].sigmoid(), told[:, 3:]


def _block(channels: int, into: int) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(channels, into, 3, padding=1, bias=False), nn.InstanceNorm2d(into, affine=True), nn.ReLU()
    )
