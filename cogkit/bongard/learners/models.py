"""From a config to a network, and from a trained network to a learner."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.bongard.learners import agents
from cogkit.bongard.learners.agents import AgentConfig
from cogkit.bongard.learners.heads.anil import ANIL
from cogkit.bongard.learners.heads.cnn import CNN
from cogkit.bongard.learners.heads.head import Head, standardised
from cogkit.bongard.learners.heads.metaoptnet import MetaOptNet
from cogkit.bongard.learners.heads.nearest_mean import MetaBaseline, ProtoNet
from cogkit.bongard.learners.heads.set_transformer import SetTransformer
from cogkit.bongard.learners.heads.snail import SNAIL
from cogkit.bongard.learners.heads.wren import WReN
from cogkit.bongard.learners.networks.backbone import WIDTHS, Parted, ResNet15, pixels
from cogkit.bongard.learners.windows import MOST, SIZE, cut, shapes_of
from cogkit.bongard.problems.packed import Packed
from cogkit.bongard.problems.records import A_SIDE, SUPPORT, Problem, Question
from cogkit.bongard.problems.rendering import pictures_of
from cogkit.core import imports
from cogkit.learning import inference, lifecycle
from cogkit.learning.context import default_device, products

_VALUES = {"cpu": 2**19, "cuda": 2**27}  # values of the widest layer at once, which fit a CPU's cache or a GPU's memory
_AT_ONCE = 64  # problems, of which little is known
HEADS = {
    "snail": SNAIL, "protonet": ProtoNet, "metaoptnet": MetaOptNet, "anil": ANIL, "meta-baseline": MetaBaseline,
    "meta-baseline-sc": MetaBaseline, "meta-baseline-moco": MetaBaseline, "meta-baseline-ps": MetaBaseline,
    "wren": WReN, "cnn": CNN, "set-transformer": SetTransformer,
}  # fmt: skip


class Network(nn.Module):
    """A backbone that computes features, and a head that decides.

    ``standardised`` gives the head features relative to the support (see `head.standardised`). ``adapt`` is a network
    from these features to those that the head gets.
    """

    def __init__(
        self, backbone: nn.Module, head: Head, standardised: bool = False, adapt: nn.Module | None = None
    ) -> None:
        super().__init__()
        self.backbone, self.head, self.standardised = backbone, head, standardised
        self.adapt = adapt or nn.Identity()
        others = [[k for k in range(A_SIDE) if k != query] for query in range(A_SIDE)]
        self.register_buffer("others", torch.tensor(others), persistent=False)

    def forward(self, support: Tensor, query: Tensor) -> Tensor:
        """Return logits (B, Q, 2) of pictures (B, 2, 6, 1, S, S) and (B, Q, 1, S, S), the positive side first."""
        return self._decide(*self.head.see(self.backbone, support, query))

    def course(self, pictures: Tensor, every: bool = False) -> tuple[Tensor, Tensor | None]:
        """Return logits of whole problems (B, 2, 7, 1, S, S), and the features of every picture (B, 2, 7, F).

        With ``every``, each pair of pictures is the query in turn: logits are (B · 7, 2, 2), and each picture is seen
        once. Otherwise the seventh pair is the query, and logits are (B, 2, 2). A head that sees stacks returns no
        features.
        """
        if self.head.channels != 1:
            return self(pictures[:, :, :SUPPORT], pictures[:, :, SUPPORT]), None
        features = self.backbone(pictures.flatten(0, 2)).unflatten(0, pictures.shape[:3])
        if not every:
            return self._decide(features[:, :, :SUPPORT], features[:, :, SUPPORT]), features
        support = features[:, :, self.others].transpose(1, 2).flatten(0, 1)
        return self._decide(support, features.transpose(1, 2).flatten(0, 1)), features

    def _decide(self, support: Tensor, query: Tensor) -> Tensor:
        # heads compute in single precision, whatever the precision of the backbone
        with torch.autocast(query.device.type, enabled=False):
            support, query = (part.to(torch.promote_types(part.dtype, torch.float32)) for part in (support, query))
            support, query = standardised(support, query) if self.standardised else (support, query)
            return self.head(self.adapt(support), self.adapt(query))


def build(config: AgentConfig) -> Network:
    """Return an untrained network of a config.

    Examples
    --------
    >>> network = build(agents.config("protonet", "paper"))
    >>> sum(weights.numel() for weights in network.parameters())
    8100033
    """
    make = HEADS.get(config.agent) or imports.of_file("cogkit.bongard.learners.own", config.agent, "Head")
    head = make(**agents.of_head(config))
    if config.view == "whole":
        return Network(ResNet15(config.reduction, head.channels), head, config.standardised)
    if head.channels > 1:  # the windows of all pictures in one stack
        return Network(ResNet15(config.reduction, MOST * head.channels), head, config.standardised)
    return Network(Parted(ResNet15(config.reduction)), head, config.standardised)


class Chooser(lifecycle.Agent):
    """A trained network as a learner. A subclass says what of each picture the network gets."""

    network: Network
    inputs, half = "pixels", False

    def predict(self, question: Question) -> np.ndarray:
        """Return the probability that each query belongs to the positive side, (n,) float32."""
        return self._chances(question.support, question.query[:, None])[:, 0]

    def chances(self, pictures: np.ndarray | Packed) -> np.ndarray:
        """Return what `predict` gives for the seventh picture of each side of whole problems: (n, 2) float32.

        Pictures are (n, 2, 7, size, size) uint8, or (n, 2, 7, *input_shape).
        """
        parts = [pictures[rows] for rows in self._parts(len(pictures), 2 * A_SIDE)]
        return np.concatenate([self._chances(part[:, :, :SUPPORT], part[:, :, SUPPORT]) for part in parts])

    def _chances(self, support: np.ndarray, query: np.ndarray) -> np.ndarray:
        """Return probabilities (n, Q) from pictures (n, 2, 6, ...) and (n, Q, ...)."""
        chances = np.empty(query.shape[:2], np.float32)
        for rows in self._parts(len(query), 2 * A_SIDE):
            logits = self._asked(self.network, self._inputs(support[rows]), self._inputs(query[rows]))
            chances[rows] = logits.softmax(dim=2)[:, :, 0].cpu().numpy()
        return chances

    def _parts(self, n: int, pictures: int) -> list[slice]:
        """Return slices of n rows, each with ``pictures`` pictures, that fit into memory."""
        return [slice(at, at + _AT_ONCE) for at in range(0, n, _AT_ONCE)]

    def _inputs(self, images: np.ndarray) -> Tensor:
        """Return what is known of pictures as input of the network."""
        return torch.from_numpy(images)

    def _asked(self, network: nn.Module, *inputs: Tensor) -> Tensor:
        """Return the output of a network for tensors, outside training."""
        with inference(self.network), products(self.half):
            return network(*inputs).float()


class Agent(Chooser):
    """A trained network that sees pictures.

    The network is moved to the device on which it computes, not copied. Pictures are ``size`` pixels a side. An agent
    that sees shapes also takes the windows that `windows.cut` makes of them, whose shape is ``input_shape``.
    """

    def __init__(self, network: Network, config: AgentConfig) -> None:
        super().__init__(network.to(default_device(config.half)), config)
        self.name, self.half = agents.NAMES[config.agent], config.half
        windows = SIZE, (MOST, config.size, config.size)
        self.size, self.input_shape = windows if config.view == "shapes" else (config.size, None)
        self.supervision = agents.SUPERVISION.get(config.agent, "answers")

    def features(self, images: np.ndarray) -> np.ndarray:
        """Return the features of the backbone, (n, 128) float32, for pictures (n, size, size) or (n, *input_shape)."""
        parts = [self._inputs(images[rows]) for rows in self._parts(len(images), 1)]
        return np.concatenate([self._asked(self.network.backbone, part).cpu().numpy() for part in parts])

    def _parts(self, n: int, pictures: int) -> list[slice]:
        """Return slices of n rows, each with ``pictures`` pictures, that fit into memory."""
        widest = WIDTHS[0] * self.config.size**2 * (self.input_shape or (1,))[0]
        at_once = max(1, _VALUES[self._device] * self.config.reduction // (widest * pictures))
        return [slice(at, at + at_once) for at in range(0, n, at_once)]

    def render(self, problems: Sequence[Problem]) -> Packed:
        """Return what the agent is shown of problems: `rendering.pictures_of` them, or `windows.shapes_of` them."""
        return render(self.config, problems)

    def _inputs(self, images: np.ndarray) -> Tensor:
        """Return images as input of the network: (..., 1, size, size), or (..., 2, size, size) if it sees shapes."""
        if self.input_shape is None:
            return pixels(images, self._device)
        windows = images if images.shape[-3:] == self.input_shape else cut(images, self.config.size)
        return pixels(windows, self._device, parted=True)

    @property
    def _device(self) -> str:
        return default_device(self.half)


def render(config: AgentConfig, problems: Sequence[Problem], jobs: int | None = 1) -> Packed:
    """Return what the agents of a config are shown of problems: whole pictures, or the shapes in them."""
    return (pictures_of if config.view == "whole" else shapes_of)(problems, config.size, jobs)
