"""Every head against plain arithmetic, one episode at a time, and what all of them owe: no query sees another."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from cases import case
from torch import nn

from cogkit.bongard.learners import agents, models
from cogkit.bongard.learners.heads.anil import ANIL
from cogkit.bongard.learners.heads.cnn import CNN
from cogkit.bongard.learners.heads.metaoptnet import MetaOptNet
from cogkit.bongard.learners.heads.nearest_mean import MetaBaseline, ProtoNet
from cogkit.bongard.learners.heads.set_transformer import SetTransformer
from cogkit.bongard.learners.heads.snail import SNAIL
from cogkit.bongard.learners.heads.wren import WReN
from cogkit.bongard.learners.networks.backbone import ResNet15

pytestmark = pytest.mark.usefixtures("one_thread")
HEADS = {
    "snail": SNAIL, "protonet": ProtoNet, "metaoptnet": MetaOptNet, "anil": ANIL, "meta-baseline": MetaBaseline,
    "wren": WReN, "cnn": CNN, "set-transformer": SetTransformer,
}  # fmt: skip
SYMMETRIC = ("protonet", "metaoptnet", "meta-baseline", "set-transformer")
IN_ANY_ORDER = (*SYMMETRIC, "anil", "wren")
WEIGHTS = {"protonet": 1, "meta-baseline": 1, "metaoptnet": 1, "anil": 258, "cnn": 256 * 128 + 128 + 128 * 2 + 2}


def head(name: str, **settings) -> nn.Module:
    """Return a head in double precision, not in training, whose weights are large enough for its answers to differ."""
    torch.manual_seed(0)
    module = HEADS[name](**settings).double().eval()
    if name in ("anil", "wren", "snail", "set-transformer", "cnn"):
        for weights in module.parameters():
            weights.data.normal_(std=0.3 if weights.dim() < 2 else 1.2 * weights[0].numel() ** -0.5)
    return module


def episodes(n: int = 3, queries: int = 2) -> tuple[torch.Tensor, torch.Tensor]:
    """Return features of n episodes, double: support (n, 2, 6, 128) and query (n, queries, 128)."""
    rng = np.random.default_rng(0)
    support, query = rng.normal(size=(n, 2, 6, 128)) * 0.3, rng.normal(size=(n, queries, 128)) * 0.3
    return torch.from_numpy(support), torch.from_numpy(query)


def pictures(n: int, queries: int) -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(0)
    shapes = (n, 2, 6, 1, 32, 32), (n, queries, 1, 32, 32)
    return tuple(torch.rand(*shape, dtype=torch.double) * 2 - 1 for shape in shapes)


def network(name: str) -> models.Network:
    module = head(name)
    backbone = ResNet15(16, module.channels).double().eval()
    backbone.out.weight.data.mul_(3)
    return models.Network(backbone, module)


# what all owe


def test_a_query_is_answered_alone_and_so_is_an_episode():
    support, query = pictures(2, 2)
    for name in HEADS:
        net = network(name)
        with case(name), torch.no_grad():
            together = net(support, query)
            for episode, place in np.ndindex(2, 2):
                alone = net(support[episode, None], query[episode, None, place, None])
                torch.testing.assert_close(alone[0, 0], together[episode, place], rtol=1e-7, atol=1e-9)
            margin = together[..., 0] - together[..., 1]
            assert margin.std() > 1e-4 * margin.abs().max()  # they do differ


def test_neither_the_order_of_the_sides_nor_that_within_a_side_matters():
    (support, query), rng = episodes(), np.random.default_rng(1)
    moved = torch.stack([support[:, side, rng.permutation(6)] for side in range(2)], dim=1)
    for name in IN_ANY_ORDER:
        with case(name):
            module, logits = head(name), head(name)(support, query)
            torch.testing.assert_close(module(moved, query), logits, rtol=1e-6, atol=1e-9)
            if name in SYMMETRIC:
                torch.testing.assert_close(module(support.flip(1), query), logits.flip(2), rtol=1e-6, atol=1e-9)
                assert (logits[..., 0] - logits[..., 1]).abs().min() > 1e-4


def test_gradients_reach_every_weight():
    support, query = pictures(4, 2)
    for name in HEADS:
        net = network(name).train()
        nn.functional.cross_entropy(net(support, query).flatten(0, 1), torch.arange(2).repeat(4)).backward()
        dead = [part for part, value in net.named_parameters() if value.grad is None or not value.grad.abs().sum()]
        # what every picture, or either order of the sides, adds alike is taken off again
        assert set(dead) <= {"backbone.out.bias", "head.encoder.norm.bias", "head.rule.bias"}, name


def concepts(n: int, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Return episodes in which one direction, always the same, tells the sides: support, and one query a side."""
    both = rng.normal(size=(n, 2, 7, 128))
    both[:, :, :, 0] += np.array([3.0, -3.0])[:, None]
    both = torch.from_numpy(both.astype(np.float32))
    return both[:, :, :6], both[:, :, 6]


@pytest.mark.parametrize("name", HEADS)
def test_it_learns_what_can_be_learnt(name):
    torch.manual_seed(0)
    eyes, module, rng = nn.Linear(128, 128), HEADS[name](), np.random.default_rng(0)

    def logits(n):
        support, query = (eyes(part) for part in concepts(n, rng))
        if name == "cnn":  # which is given the features of both stacks
            query = torch.stack([support.mean(dim=2) - query[:, place, None] for place in range(2)], dim=1)
        return module(support, query)

    adam = torch.optim.Adam([*eyes.parameters(), *module.parameters()], lr=2e-3)
    for _ in range(25 if name == "snail" else 60):
        loss = nn.functional.cross_entropy(logits(8).flatten(0, 1), torch.arange(2).repeat(8))
        adam.zero_grad()
        loss.backward()
        adam.step()
    with torch.no_grad():
        right = module.eval() and (logits(100).argmax(dim=2) == torch.arange(2)).float().mean()
    assert right > 0.9


# each by hand


def test_means_and_relations_by_hand():
    """ProtoNet, Meta-Baseline and WReN: distances, cosines, and all ordered pairs of a side and the query."""
    (support, query), near, aligned, wren = episodes(), head("protonet", scale=0.7), head("meta-baseline"), head("wren")
    logits = [module(support, query) for module in (near, aligned, wren)]
    for episode, place in np.ndindex(3, 2):
        embedding, sums = query[episode, place], []
        for side, examples in enumerate(support[episode]):
            mean, seven = examples.mean(dim=0), [*examples, embedding]
            distance, cosine = (embedding - mean).square().sum(), embedding @ mean / embedding.norm() / mean.norm()
            assert logits[0][episode, place, side].item() == pytest.approx(-0.7 * distance.item())
            assert logits[1][episode, place, side].item() == pytest.approx(10 * cosine.item())
            pairs = [wren.relation(wren.first(one) + wren.second(other)) for one in seven for other in seven]
            sums.append(torch.stack(pairs).sum(dim=0))
        torch.testing.assert_close(logits[2][episode, place], wren.decide(torch.cat(sums)))


def test_anil_takes_the_steps_of_autograd():
    """Of first order, the support teaches nothing: it has no gradient, here and there."""
    sides = torch.arange(2).repeat_interleave(6)
    for steps, second_order in ((1, False), (3, False), (1, True), (3, True)):
        module, (support, query) = head("anil", inner_steps=steps, second_order=second_order), episodes()
        leaves, expected = (module.linear.weight, module.linear.bias, support.requires_grad_()), []
        for examples, queries in zip(support, query, strict=True):
            weight, bias = module.linear.weight, module.linear.bias
            for _ in range(steps):
                loss = nn.functional.cross_entropy(examples.flatten(0, 1) @ weight.T + bias, sides)
                step = torch.autograd.grad(loss, (weight, bias), create_graph=second_order)
                weight, bias = weight - 0.4 * step[0], bias - 0.4 * step[1]
            expected.append(queries @ weight.T + bias)
        outputs = module(support, query), torch.stack(expected)
        probe = torch.randn_like(outputs[0])
        with case(f"{steps} steps, second order: {second_order}"):
            torch.testing.assert_close(*outputs)
            gradients = [torch.autograd.grad((each * probe).sum(), leaves, allow_unused=True) for each in outputs]
            torch.testing.assert_close(*gradients)
            assert (gradients[0][2] is not None) == second_order


def test_metaoptnet_fulfils_the_conditions_of_the_dual():
    """Lee et al., with C = 0.1: queries that tell the support's pictures apart have as logits its numbers, alpha."""
    rng, top, places = np.random.default_rng(3), 0.1, set()
    for spread, shift in ((0.03, 0.0), (0.3, 0.2), (0.3, 0.0), (2.0, 0.3)):
        pictures = rng.normal(size=(12, 128)) * spread + shift * (np.arange(12) < 6)[:, None]
        support, query = torch.from_numpy(pictures), torch.from_numpy(np.linalg.pinv(pictures).T)
        alpha = head("metaoptnet", scale=1.3)(support.reshape(1, 2, 6, 128), query[None])[0].detach().numpy() / 1.3
        labels = np.repeat(np.eye(2), 6, axis=0)
        right, slope = alpha[labels == 1], (pictures @ pictures.T + np.eye(12)) @ alpha - labels
        downhill = slope[labels == 1] - slope[labels == 0]  # in alpha of the right side, at the cost of the other
        assert np.abs(alpha.sum(axis=1)).max() < 1e-6 and right.min() > -1e-6 and right.max() < top + 1e-6
        low, high = right < 1e-6, right > top - 1e-6
        assert (downhill[low] > -1e-4).all() and (downhill[high] < 1e-4).all(), (spread, shift)
        assert np.abs(downhill[~low & ~high]).max(initial=0) < 1e-4, (spread, shift)
        places |= {name for name, mask in (("low", low), ("high", high), ("between", ~low & ~high)) if mask.any()}
    assert {"high", "between"} <= places


def test_every_agent_has_its_head_with_as_many_weights_as_the_paper_says():
    for agent in agents.NAMES:
        name = agent if agent in HEADS else "meta-baseline"
        module = models.build(agents.config(agent, "quick")).head
        assert type(module) is HEADS[name], agent
        assert WEIGHTS.get(name) in (None, sum(weights.numel() for weights in module.parameters())), agent
