"""The decoder: from the features of a picture to its program (Nie et al. 2020, appendix C and figure 6)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from cogkit.bongard.learners.pretrained import SynthesisConfig
from cogkit.bongard.logo.programs import TYPES, Program
from cogkit.bongard.logo.tokens import ARC, KINDS, LENGTH, LINE, PAD, SLOTS, START, STOP, Tokens, decode


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


def mixture_best(parameters: Tensor, narrowest: float) -> Tensor:
    """Return the mean of the mixture component at which the density is highest, (...)."""
    means = parameters.chunk(3, dim=-1)[1]
    nll = mixture_nll(parameters[..., None, :], means, narrowest)
    return means.gather(-1, nll.argmin(dim=-1, keepdim=True)).squeeze(-1)


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

    def nll(self, features: Tensor, tokens: Tokens) -> Tensor:
        """Return minus the log probability of every part of every action, (n, 20, 5); 0 where there is no such part.

        The input at each action is the true actions before it (teacher forcing). Where a number is predicted as a
        single value, the squared error replaces the log density.
        """
        outputs = self.named(features, tokens)
        kinds, types, numbers = tokens.kinds[:, 1:], tokens.types[:, 1:], tokens.numbers[:, 1:]
        losses = [_cross_entropy(outputs[0], kinds), _cross_entropy(outputs[1], types)]
        for slot, output in enumerate(outputs[2:]):
            target = numbers[..., slot]
            losses.append(
                mixture_nll(output, target, self.narrowest) if self.mixture else (output.squeeze(-1) - target) ** 2
            )
        return torch.stack(losses, dim=-1).where(present(kinds), 0.0)

    def loss(self, features: Tensor, tokens: Tokens) -> Tensor:
        """Return the mean of `nll` over all actions, including ``and`` and ``stop``, summed over their parts."""
        return self.nll(features, tokens).sum() / (tokens.kinds[:, 1:] != PAD).sum()

    def named(self, features: Tensor, tokens: Tokens) -> list[Tensor]:
        """Return each head's outputs for the actions after ``start``, given the true earlier ones, (n, 20, outputs)."""
        codes = self._known(tokens)
        before = codes[:, :-1, -1]
        inputs = features[:, None].expand(-1, before.shape[1], -1)
        state, _ = self.lstm(torch.cat([inputs, before], dim=-1))
        return [head(torch.cat([state, codes[:, 1:, part]], dim=-1)) for part, head in enumerate(self.heads)]

    def read(self, slot: int, output: Tensor) -> Tensor:
        """Return the single number that the output of a number head stands for, (...)."""
        return mixture_best(output, self.narrowest) if self.mixture else output.squeeze(-1)

    @torch.no_grad()
    def write(self, features: Tensor) -> Tokens:
        """Return the likeliest tokens at each step, given only the tokens written before."""
        n, device = len(features), features.device
        kinds = torch.full((n, LENGTH), PAD, device=device)
        types, numbers = torch.zeros_like(kinds), torch.zeros(n, LENGTH, len(SLOTS), device=device)
        kinds[:, 0], memory, ends = START, None, torch.zeros(n, dtype=torch.bool, device=device)
        tokens = Tokens(kinds, types, numbers)
        for at in range(1, LENGTH):
            before = self._known(tokens[:, at - 1 : at])[:, 0, -1]
            state, memory = self.lstm(torch.cat([features, before], dim=-1)[:, None], memory)
            for part, head in enumerate(self.heads):
                code = self._known(tokens[:, at : at + 1])[:, 0, part]
                output = head(torch.cat([state[:, 0], code], dim=-1))
                if part == 0:
                    kinds[:, at] = output.argmax(dim=-1).where(~ends, PAD)
                elif part == 1:
                    types[:, at] = output.argmax(dim=-1)
                else:
                    numbers[:, at, part - 2] = self.read(part - 2, output)
            mask = present(kinds[:, at])
            types[:, at] *= mask[:, 1]
            numbers[:, at] *= mask[:, 2:]
            ends |= kinds[:, at] == STOP
        return tokens

    def programs(self, features: Tensor) -> list[tuple[Program, ...] | None]:
        """Return the programs that `write` writes for pictures, or None where the tokens are no picture."""
        return _read(self.write(features))

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


@torch.no_grad()
def measure(decoder: ProgramDecoder, features: Tensor, tokens: Tokens) -> dict[str, float]:
    """Return measures of how well programs are named.

    ``nll`` is `ProgramDecoder.loss`. Given the true earlier actions: ``kinds`` and ``types`` are shares of right
    answers; ``size error``, ``sweep error`` and ``turn error`` are mean distances as shares of the range. Without them:
    ``valid`` is the share of outputs that are a picture; ``exact`` is the share with every kind and type right; ``exact
    error`` is the mean distance of all numbers in these. A measure is NaN where there is nothing to average.
    """
    outputs, mask = decoder.named(features, tokens), present(tokens.kinds[:, 1:])
    measures = {"nll": decoder.loss(features, tokens).item()}
    for part, (name, targets) in enumerate({"kinds": tokens.kinds, "types": tokens.types}.items()):
        measures[name] = _mean(outputs[part].argmax(dim=-1) == targets[:, 1:], mask[..., part])
    for slot, name in enumerate(SLOTS):
        errors = decoder.read(slot, outputs[2 + slot]) - tokens.numbers[:, 1:, slot]
        measures[f"{name} error"] = _mean(errors.abs(), mask[..., 2 + slot])
    guess = decoder.write(features)
    measures["valid"] = sum(picture is not None for picture in _read(guess)) / len(tokens)
    exact = ((guess.kinds == tokens.kinds) & (guess.types == tokens.types)).all(dim=1)
    errors = (guess.numbers - tokens.numbers)[exact][:, 1:].abs()
    return measures | {"exact": exact.float().mean().item(), "exact error": _mean(errors, mask[exact][..., 2:])}


def _read(written: Tokens) -> list[tuple[Program, ...] | None]:
    return decode(Tokens(*(part.cpu().numpy() for part in (written.kinds, written.types, written.numbers))))


def _mean(values: Tensor, there: Tensor) -> float:
    return values[there].float().mean().item()


def _perceptron(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


def _cross_entropy(logits: Tensor, wanted: Tensor) -> Tensor:
    return functional.cross_entropy(logits.movedim(-1, 1), wanted, reduction="none")
