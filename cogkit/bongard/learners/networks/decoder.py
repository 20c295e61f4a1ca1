"""The decoder: from the features of a picture to its program (Nie et al. 2020, appendix C and figure 6)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from cogkit.bongard.learners.pretrained import SynthesisConfig
from cogkit.bongard.logo.programs import TYPES
from cogkit.bongard.logo.tokens import ARC, KINDS, LINE, PAD, SLOTS, Tokens


def tensors(tokens: Tokens, device: str = "cpu") -> Tokens:
    """Return tokens as tensors, the input of a decoder."""
    kinds, types, numbers = (torch.as_tensor(part).to(device) for part in (tokens.kinds, tokens.types, tokens.numbers))
    return Tokens(kinds.long(), types.long(), numbers.float())


def mixture_nll(parameters: Tensor, numbers: Tensor, narrowest: float) -> Tensor:
    """Return minus the log density of numbers under mixtures of k Gaussians.

    ``parameters`` (..., 3 k) are for each Gaussian the logits of the weights, then means, then the softplus inverses of
    the widths; ``narrowest`` is added to all widths.

    Examples
    --------
    >>> one = torch.tensor([0.0, 0.5, 0.0])  # one Gaussian of width .01 + log 2
    >>> round(mixture_nll(one, torch.tensor(0.5), 0.01).item(), 4)
    0.5667
    """
    logits, means, widths = parameters.chunk(3, dim=-1)
    widths = functional.softplus(widths) + narrowest
    away = (numbers[..., None] - means) / widths
    logs = logits.log_softmax(dim=-1) - 0.5 * away**2 - widths.log() - 0.5 * math.log(2 * math.pi)
    return -logs.logsumexp(dim=-1)


class ProgramDecoder(nn.Module):
    """An LSTM that names the actions of a picture in order. The features of the picture are an input at every step.

    The parts of an action are named in order: kind, stroke type, size, sweep, turn. Each part depends on those before
    it, so the probability of a program is the product over all its parts. A size is a length or a radius, depending on
    the kind.
    """

    def __init__(self, config: SynthesisConfig, features: int) -> None:
        super().__init__()
        width, self.mixture, self.narrowest = config.embedding, config.numbers == "mixture", config.narrowest
        self.kind_code = nn.Embedding(len(KINDS), width)
        self.type_code = nn.Embedding(len(TYPES), width)
        self.number_code = nn.Parameter(torch.randn(len(SLOTS), width))
        self.lstm = nn.LSTM(features + width, config.hidden, config.layers, batch_first=True, dropout=config.dropout)
        outputs = [len(KINDS), len(TYPES), *[3 * config.components if self.mixture else 1] * len(SLOTS)]
        self.heads = nn.ModuleList(_perceptron(config.hidden + width, config.hidden, size) for size in outputs)
        for head in self.heads[2:]:
            self._start(head[-1], config.components)

    def loss(self, features: Tensor, tokens: Tokens) -> Tensor:
        """Return minus the log probability of an action, its parts together: the mean over all, ``stop`` among them.

        The input at each action is the true actions before it (teacher forcing). Where a number is predicted as a
        single value, the squared error replaces the log density.
        """
        codes = self._known(tokens)
        before = codes[:, :-1, -1]
        inputs = features[:, None].expand(-1, before.shape[1], -1)  # (n, features) → (n, 20, features)
        state, _ = self.lstm(torch.cat([inputs, before], dim=-1))
        outputs = [head(torch.cat([state, codes[:, 1:, part]], dim=-1)) for part, head in enumerate(self.heads)]
        kinds, types, numbers = tokens.kinds[:, 1:], tokens.types[:, 1:], tokens.numbers[:, 1:]
        losses = [_cross_entropy(outputs[0], kinds), _cross_entropy(outputs[1], types)]
        for output, target in zip(outputs[2:], numbers.unbind(-1), strict=True):
            losses.append(
                mixture_nll(output, target, self.narrowest) if self.mixture else (output.squeeze(-1) - target) ** 2
            )
        return torch.stack(losses, dim=-1).where(present(kinds), 0.0).sum() / (kinds != PAD).sum()

    def _known(self, tokens: Tokens) -> Tensor:
        """Return codes of actions (n, places, 6, width): of no part, of the kind, of kind and type, and so on."""
        numbers = (tokens.numbers[..., None] * self.number_code).unbind(-2)
        parts = [self.kind_code(tokens.kinds), self.type_code(tokens.types), *numbers]
        codes = torch.stack([torch.zeros_like(parts[0]), *parts], dim=-2)
        mask = functional.pad(present(tokens.kinds), (1, 0), value=True)
        return codes.where(mask[..., None], 0.0).cumsum(dim=-2)

    def _start(self, last: nn.Linear, components: int) -> None:
        """Set the bias of a layer: its first numbers lie in the range, and those of a mixture apart from each other."""
        with torch.no_grad():
            if self.mixture:
                last.bias[components : 2 * components] = torch.linspace(0.1, 0.9, components)
                last.bias[2 * components :] = -2.0  # a width of .14
            else:
                last.bias.fill_(0.5)


def present(kinds: Tensor) -> Tensor:
    """Return which parts an action of each kind has, (..., 5): kind, stroke type, size, sweep, turn."""
    action = (kinds == LINE) | (kinds == ARC)
    return torch.stack([kinds != PAD, action, action, kinds == ARC, action], dim=-1)


def _perceptron(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


def _cross_entropy(logits: Tensor, wanted: Tensor) -> Tensor:
    return functional.cross_entropy(logits.movedim(-1, 1), wanted, reduction="none")
