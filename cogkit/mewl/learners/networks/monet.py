"""MONet: attention divides a picture into slots, one after another, and an autoencoder gives each slot a code.

Burgess et al. 2019 (arXiv 1901.11390); used by Jiang et al. 2023, § 4.1.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import interpolate, logsigmoid

from cogkit.mewl.learners.agents import MonetConfig

_SHARES = (1, 1, 2, 2, 2, 2)  # channels of a U-Net's levels, as multiples of the first level's
_INNER = 4  # widths of the layers between pictures and codes, as multiples of the first level's channels
_EDGE = 4  # pixels that a decoder's four convolutions cut from each side
_MARGIN = 2 * _EDGE


class Apart(NamedTuple):
    """Pictures divided into slots, and the terms of the loss.

    Attributes
    ----------
    masks : (B, S, h, w) Tensor
        Logarithms of each slot's share of a pixel; the shares of all slots add up to 1.
    means : (B, S, 16) Tensor
        Codes.
    painted : (B, S, 3, h, w) Tensor
        The picture that each slot paints.
    surprise, divergence, mismatch : (B,) Tensor
        Terms of the loss, in nats per picture: the surprise of the pixels, given the paintings; the divergence of the
        codes from a standard normal distribution; the divergence of the masks from those that the decoder gives.
    """

    masks: Tensor
    means: Tensor
    painted: Tensor
    surprise: Tensor
    divergence: Tensor
    mismatch: Tensor


class Monet(nn.Module):
    """Attention that divides a picture, and a variational autoencoder of its parts; see `MonetConfig`."""

    AT_ONCE = 32  # pictures in a batch, outside of training

    def __init__(self, config: MonetConfig) -> None:
        super().__init__()
        self.config, self.size, self.slots = config, config.size, config.slots
        self.attend = UNet(config.size, config.channels, config.levels)
        self.encode = Encoder(config.size, config.latent, config.channels)
        self.decode = Decoder(config.latent, config.channels)
        for layer in self.modules():
            if isinstance(layer, nn.Conv2d | nn.Linear):  # otherwise the signal of the codes would be too weak at first
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
        spread = torch.tensor([config.background] + [config.foreground] * (config.slots - 1))
        self.register_buffer("spread", spread[:, None, None, None], persistent=False)

    def pixels(self, pictures: Tensor) -> Tensor:
        """Return pictures (B, h, w, 3) uint8 as squares (B, 3, size, size) of 0 to 1."""
        images = pictures.permute(0, 3, 1, 2).float() / 255
        return interpolate(images, (self.size, self.size), mode="bilinear", antialias=True).contiguous()

    def masks(self, images: Tensor) -> Tensor:
        """Return logarithms of masks, (B, S, size, size)."""
        rest, masks = torch.zeros_like(images[:, :1]), []
        for _ in range(self.slots - 1):
            logits = self.attend(torch.cat([images, rest], dim=1))
            masks.append(rest + logsigmoid(logits))
            rest = rest + logsigmoid(-logits)
        return torch.cat([*masks, rest], dim=1)

    def codes(self, images: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Return means and logarithms of variances of codes, (B, S, latent) each."""
        copies = images[:, None].expand(-1, self.slots, -1, -1, -1)
        output = self.encode(torch.cat([copies, masks[:, :, None]], dim=2).flatten(0, 1))
        return output.unflatten(0, masks.shape[:2]).chunk(2, dim=2)

    @torch.no_grad()
    def extract(self, pictures: Tensor) -> Tensor:
        """Return the mean codes of pictures (..., h, w, 3) uint8, (..., S, latent), computed in batches."""
        batches = map(self.pixels, pictures.flatten(0, -4).split(self.AT_ONCE))
        codes = torch.cat([self.codes(batch, self.masks(batch))[0] for batch in batches])
        return codes.unflatten(0, pictures.shape[:-3])

    def forward(self, pictures: Tensor) -> Apart:
        """Return pictures (B, h, w, 3) uint8 divided into slots; codes are sampled in training, else their means."""
        images = self.pixels(pictures)
        masks = self.masks(images)
        means, logs = self.codes(images, masks)
        samples = means + (logs / 2).exp() * torch.randn_like(means) if self.training else means
        paintings, mask_logs = self.decode(samples.flatten(0, 1), self.size)
        paintings, mask_logs = paintings.unflatten(0, masks.shape[:2]), mask_logs.view(masks.shape).log_softmax(dim=1)
        normal = torch.distributions.Normal(paintings, self.spread, validate_args=False)
        nll = -(masks + normal.log_prob(images[:, None]).sum(dim=2)).logsumexp(dim=1).sum(dim=(1, 2))
        divergence = (means.square() + logs.exp() - 1 - logs).sum(dim=(1, 2)) / 2
        mismatch = (masks.exp() * (masks - mask_logs)).sum(dim=(1, 2, 3))
        return Apart(masks, means, paintings, nll, divergence, mismatch)

    def losses(self, pictures: Tensor, *_) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the loss of pictures (B, h, w, 3) uint8, and its terms without their weights: means in nats."""
        apart = self(pictures)
        loss = apart.surprise + self.config.beta * apart.divergence + self.config.gamma * apart.mismatch
        return loss.mean(), {name: getattr(apart, name).mean() for name in ("surprise", "divergence", "mismatch")}


class UNet(nn.Module):
    """Where to attend next, given the picture and the part of it that no slot explains yet."""

    def __init__(self, size: int, channels: int, levels: int) -> None:
        super().__init__()
        sizes = [channels * share for share in _SHARES[:levels]]
        self.down = nn.ModuleList(_block(*widths) for widths in zip([4, *sizes], sizes, strict=False))
        widths = zip(sizes[::-1], [*sizes[-2::-1], channels], strict=True)
        self.up = nn.ModuleList(_block(2 * width, into) for width, into in widths)
        smallest = sizes[-1] * (size >> levels - 1) ** 2
        inner = _INNER * channels
        self.between = nn.Sequential(
            nn.Flatten(), nn.Linear(smallest, inner), nn.ReLU(), nn.Linear(inner, inner), nn.ReLU(),
            nn.Linear(inner, smallest), nn.ReLU(),
        )  # fmt: skip
        self.end = nn.Conv2d(channels, 1, 1)

    def forward(self, features: Tensor) -> Tensor:
        """Return logits (B, 1, h, w) from pixels and the unexplained rest, together (B, 4, h, w)."""
        levels = []
        for level, block in enumerate(self.down):
            features = block(interpolate(features, scale_factor=0.5) if level else features)
            levels.append(features)
        features = self.between(features).view(features.shape)
        for level, block in enumerate(self.up):
            features = block(
                torch.cat([interpolate(features, scale_factor=2.0) if level else features, levels.pop()], dim=1)
            )
        return self.end(features)


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

    def forward(self, inputs: Tensor) -> Tensor:
        """Return means and logarithms of variances, (B, 2 latent), of (B, 4, h, w)."""
        return self.layers(inputs)


class Decoder(nn.Module):
    """From a code to a picture and a mask: every pixel gets the same code, and its own position."""

    def __init__(self, latent: int, channels: int) -> None:
        super().__init__()
        sizes = [latent + 2] + [channels] * 4
        layers = [layer for k in range(4) for layer in (nn.Conv2d(sizes[k], sizes[k + 1], 3), nn.ReLU())]
        self.layers = nn.Sequential(*layers, nn.Conv2d(channels, 4, 1))

    def forward(self, codes: Tensor, size: int) -> tuple[Tensor, Tensor]:
        """Return pictures (B, 3, size, size) and logits of masks (B, 1, size, size)."""
        wide = size + _MARGIN
        along = torch.linspace(-1, 1, wide, device=codes.device)
        positions = torch.stack(torch.meshgrid(along, along, indexing="ij")).expand(len(codes), -1, -1, -1)
        output = self.layers(torch.cat([codes[:, :, None, None].expand(-1, -1, wide, wide), positions], dim=1))
        return output[:, :3].sigmoid(), output[:, 3:]


def _block(channels: int, into: int) -> nn.Module:
    convolution = nn.Conv2d(channels, into, 3, padding=1, bias=False)
    return nn.Sequential(convolution, nn.InstanceNorm2d(into, affine=True), nn.ReLU())
