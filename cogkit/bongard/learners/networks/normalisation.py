"""Batch normalisation of pictures with few channels: the numbers of torch's version, several times faster on a CPU."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

FEW = 8  # from here on torch's version is fast: the channels of a pixel fill a vector of the processor


class BatchNorm(nn.BatchNorm2d):
    """`nn.BatchNorm2d`, which works on whole rows of a picture where there are few channels.

    Torch takes one pixel at a time when channels come last, and 4 channels leave most of a vector empty. A row of
    pixels fills it. The sums of a channel are then put together from those of its columns. The number of batches is not
    counted: it has no use here, and a large count does not fit into a half-precision file.
    """

    def __init__(self, channels: int) -> None:
        super().__init__(channels)
        self.num_batches_tracked = None

    def _load_from_state_dict(self, state, prefix, metadata, *rest) -> None:
        super()._load_from_state_dict(state, prefix, metadata | {"version": self._version}, *rest)  # has no count

    def forward(self, x: Tensor) -> Tensor:
        """Return (n, channels, height, width), normalised."""
        if self.num_features >= FEW or x.device.type != "cpu" or torch.is_autocast_enabled("cpu"):
            moments = self.running_mean, self.running_var
            return nn.functional.batch_norm(x, *moments, self.weight, self.bias, self.training, self.momentum, self.eps)
        if not self.training:
            scale = self.weight * (self.running_var + self.eps).rsqrt()
            width = x.shape[3]
            shift = (self.bias - self.running_mean * scale).repeat(width)
            return _pictures(torch.addcmul(shift, _rows(x), scale.repeat(width)), x.shape)
        y, mean, variance = _Normalise.apply(x, self.weight, self.bias, self.eps)
        with torch.no_grad():
            count = x.numel() // self.num_features
            self.running_mean.lerp_(mean, self.momentum)
            self.running_var.lerp_(variance * (count / (count - 1)), self.momentum)
        return y


class _Normalise(torch.autograd.Function):
    """Normalise by the mean and variance of the batch, and return both as well."""

    @staticmethod
    def forward(ctx, x: Tensor, weight: Tensor, bias: Tensor, eps: float):
        rows, channels = _rows(x), x.shape[1]
        mean = rows.mean(dim=0).view(-1, channels).mean(dim=0)
        deviations = rows - mean.repeat(x.shape[3])
        squares = torch.linalg.vecdot(deviations, deviations, dim=0).view(-1, channels).sum(dim=0)
        variance = squares * (channels / rows.numel())
        inverse = (variance + eps).rsqrt()
        y = torch.empty_like(x, memory_format=torch.channels_last)  # not a view: later code may work in place
        torch.addcmul(bias.repeat(x.shape[3]), deviations, (weight * inverse).repeat(x.shape[3]), out=_rows(y))
        ctx.save_for_backward(deviations, weight, inverse)
        ctx.mark_non_differentiable(mean, variance)
        return y, mean, variance

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient: Tensor, *_):
        deviations, weight, inverse = ctx.saved_tensors
        rows, (channels, width) = _rows(gradient), (gradient.shape[1], gradient.shape[3])
        shifts = rows.sum(dim=0).view(-1, channels).sum(dim=0)
        products = torch.linalg.vecdot(rows, deviations, dim=0).view(-1, channels).sum(dim=0)
        scale, share = weight * inverse, channels / rows.numel()
        result = rows * scale.repeat(width)
        result.addcmul_(deviations, (-share * scale * inverse.square() * products).repeat(width))
        result.sub_((share * scale * shifts).repeat(width))
        return _pictures(result, gradient.shape), products * inverse, shifts, None


def _rows(x: Tensor) -> Tensor:
    """Return (n · height, width · channels): a view where channels come last."""
    return x.permute(0, 2, 3, 1).reshape(-1, x.shape[3] * x.shape[1])


def _pictures(rows: Tensor, shape: torch.Size) -> Tensor:
    n, channels, height, width = shape
    return rows.view(n, height, width, channels).permute(0, 3, 1, 2)
