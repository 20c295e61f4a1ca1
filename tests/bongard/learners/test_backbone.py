"""The backbone against a plain reading of the paper."""

from __future__ import annotations

import pytest
import torch
from cases import case
from torch import nn

from cogkit.bongard.learners.networks.backbone import FEATURES, WIDTHS, Parted, ResNet15

pytestmark = pytest.mark.usefixtures("one_thread")


def by_hand(weights: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """The paper's network in evaluation, layer by layer: LeakyReLU before the maximum, as it was published."""

    def convolution(x, name):
        kernel = weights[f"{name}.0.weight"]
        x = nn.functional.conv2d(x, kernel, padding=kernel.shape[-1] // 2)
        part = {key: weights[f"{name}.1.{key}"][:, None, None] for key in
                ("running_mean", "running_var", "weight", "bias")}  # fmt: skip
        return (x - part["running_mean"]) / (part["running_var"] + 1e-5).sqrt() * part["weight"] + part["bias"]

    def leaky(x):
        return torch.where(x > 0, x, 0.1 * x)

    for block in range(5):
        inner = x
        for layer in (0, 2, 4):
            inner = convolution(inner, f"blocks.{block}.layers.{layer}")
            inner = leaky(inner) if layer < 4 else inner
        x = leaky(inner + convolution(x, f"blocks.{block}.shortcut"))
        half = x.shape[-1] // 2 * 2
        x = x[..., :half, :half].unfold(2, 2, 2).unfold(3, 2, 2).amax(dim=(4, 5))
    return x.mean(dim=(2, 3)) @ weights["out.weight"].T + weights["out.bias"]


def stirred(network: nn.Module) -> nn.Module:
    """Return a network whose normalisation is not the identity."""
    for part in network.modules():
        if isinstance(part, nn.BatchNorm2d):
            for tensor in (part.weight.data, part.bias.data, part.running_mean, part.running_var):
                tensor.uniform_(0.5, 1.5)
    return network


def test_at_full_width_it_has_the_papers_weights_and_the_reduction_divides_every_width():
    expected, before = 512 * 128 + 128, 1
    for width in (32, 64, 128, 256, 512):
        expected += 9 * before * width + 2 * 9 * width * width + before * width + 4 * 2 * width
        before = width
    assert sum(weights.numel() for weights in ResNet15().parameters()) == expected == 8_100_032  # 8.10 M in the facts
    for reduction in (1, 2, 4, 8, 16):  # the factors of figure 5
        network = ResNet15(reduction, channels=7)
        widths = [block.layers[0][0].weight.shape[0] for block in network.blocks]
        assert widths == [width // reduction for width in WIDTHS] and network.out.out_features == FEATURES == 128
        assert network.blocks[0].layers[0][0].weight.shape[1] == 7


def test_it_is_the_papers_network():
    for size, reduction in ((32, 4), (83, 16)):
        torch.manual_seed(size)
        network = stirred(ResNet15(reduction)).double().eval()
        pictures = torch.rand(2, 1, size, size, dtype=torch.double) * 2 - 1
        with case(size), torch.no_grad():
            features, expected = network(pictures), by_hand(network.state_dict(), pictures)
            assert features.shape == (2, 128) and features.std() > 1e-3
            torch.testing.assert_close(features, expected, rtol=1e-9, atol=1e-11)


def test_features_of_a_picture_are_the_sum_over_its_shapes():
    torch.manual_seed(0)
    whole = ResNet15(reduction=16).eval()
    shapes = torch.rand(5, 2, 32, 32) * 2 - 1
    shapes[1, 1] = shapes[2, 0] = shapes[4] = 1.0  # spare
    shapes[3, 1] = 0.4  # spare too, in another light
    with torch.no_grad():
        each = [whole(shapes[at][None, None])[0] for at in ((0, 0), (0, 1), (1, 0), (2, 1), (3, 0))]
        expected = torch.stack([each[0] + each[1], *each[2:], torch.zeros(128)])
        torch.testing.assert_close(Parted(whole)(shapes), expected, atol=1e-4, rtol=1e-4)
