"""Every head against plain arithmetic, one episode at a time, and what all of them owe: no query sees another."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from cases import case
from scipy import optimize
from torch import nn

from cogkit.bongard.learners import agents, models
from cogkit.bongard.learners.heads.anil import ANIL
from cogkit.bongard.learners.heads.cnn import CNN
from cogkit.bongard.learners.heads.head import standardised
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


def episodes(n: int = 3, asked: int = 2) -> tuple[torch.Tensor, torch.Tensor]:
    """Return features of n episodes, double: support (n, 2, 6, 128) and query (n, asked, 128)."""
    rng = np.random.default_rng(0)
    support, query = rng.normal(size=(n, 2, 6, 128)) * 0.3, rng.normal(size=(n, asked, 128)) * 0.3
    return torch.from_numpy(support), torch.from_numpy(query)


def pictures(n: int, asked: int) -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(0)
    shapes = (n, 2, 6, 1, 32, 32), (n, asked, 1, 32, 32)
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
            which = torch.tensor([0, 0, 1, 1])  # several queries of one support
            sharing = net(support, query.flatten(0, 1)[:, None], which)
            torch.testing.assert_close(sharing, together.flatten(0, 1)[:, None])
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
        asked, sums = query[episode, place], []
        for side, examples in enumerate(support[episode]):
            mean, seven = examples.mean(dim=0), [*examples, asked]
            distance, cosine = (asked - mean).square().sum(), asked @ mean / asked.norm() / mean.norm()
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


def crammer_singer(support: np.ndarray, c: float) -> np.ndarray:
    """The dual as Lee et al. state it, 24 numbers and all constraints, by a general solver: alpha (12, 2)."""
    labels = np.repeat(np.eye(2), 6, axis=0)
    kernel = support @ support.T + np.eye(12)

    def value(flat):
        alpha = flat.reshape(12, 2)
        return 0.5 * np.einsum("ik,ij,jk->", alpha, kernel, alpha) - (alpha * labels).sum()

    def slope(flat):
        return (kernel @ flat.reshape(12, 2) - labels).ravel()

    solution = optimize.minimize(
        value, np.zeros(24), jac=slope, method="SLSQP", options={"ftol": 1e-15, "maxiter": 1000},
        bounds=[(None, c * right) for right in labels.ravel()],
        constraints={"type": "eq", "fun": lambda flat: flat.reshape(12, 2).sum(axis=1),
                     "jac": lambda flat: np.kron(np.eye(12), np.ones(2))},
    )  # fmt: skip
    assert solution.success
    return solution.x.reshape(12, 2)


def test_metaoptnet_is_the_dual_solved_by_another():
    rng, module = np.random.default_rng(3), head("metaoptnet", scale=1.3)
    for spread, shift in ((0.03, 0.0), (0.3, 0.0), (0.3, 0.2), (2.0, 0.3)):
        support, query = rng.normal(size=(1, 2, 6, 128)) * spread, rng.normal(size=(1, 3, 128)) * spread
        support[:, 0] += shift
        logits = module(torch.from_numpy(support), torch.from_numpy(query)).detach().numpy()
        for examples, queries, found in zip(support.reshape(1, 12, 128), query, logits, strict=True):
            expected = 1.3 * (queries @ examples.T) @ crammer_singer(examples, 0.1)
            assert np.abs(found - expected).max() < 1e-4 * np.abs(expected).max() + 1e-7, (spread, shift)


def test_gradients_of_metaoptnet_are_those_of_differences():
    rng, module = np.random.default_rng(5), head("metaoptnet")
    for spread in (0.1, 1.0, 4.0):  # all weights at the top, some of them, and most at 0
        support, query = (torch.from_numpy(rng.normal(size=size) * spread) for size in ((1, 2, 6, 3), (1, 2, 3)))
        torch.autograd.gradcheck(module, (support.requires_grad_(), query), eps=1e-7)


def test_cnn_sees_each_side_with_the_query_on_top():
    (support, query), stacks = pictures(2, 3), []
    HEADS["cnn"]().see(lambda given: stacks.append(given) or torch.zeros(len(given), 128), support, query)
    for (episode, place, side), stack in zip(np.ndindex(2, 3, 2), stacks[0], strict=True):
        assert torch.equal(stack, torch.cat([support[episode, side], query[episode, place, None]])[:, 0])


def snail_by_hand(module: SNAIL, row: torch.Tensor) -> torch.Tensor:
    """SNAIL of one row of 13 places: attention to the places so far, and gated convolutions with one place before."""
    for layer, distance in zip(module.layers, (None, 1, 2, 4, 8, None, 1, 2, 4, 8, None), strict=True):
        if distance is None:
            queries, keys, values = layer.query(row), layer.key(row), layer.value(row)
            later = torch.ones(13, 13, dtype=torch.bool).triu(1)
            scores = (queries @ keys.T / keys.shape[1] ** 0.5).masked_fill(later, -torch.inf)
            new = scores.softmax(dim=1) @ values
        else:
            before = torch.cat([torch.zeros_like(row[:distance]), row])[:13]
            earlier, own = layer.gated.weight.unbind(2)
            value, gate = (before @ earlier.T + row @ own.T + layer.gated.bias).chunk(2, dim=1)
            new = value.tanh() * gate.sigmoid()
        row = torch.cat([row, new], dim=1)
    return module.out(row[-1])


def test_snail_by_hand():
    module, (support, query) = head("snail"), episodes(2, 2)
    sizes = [(layer.key.out_features, layer.value.out_features) for layer in module.layers[::5]]
    assert sizes == [(64, 32), (256, 128), (512, 256)]
    logits, labels = module(support, query), torch.eye(2).double().repeat_interleave(6, dim=0)
    for episode, place in np.ndindex(2, 2):
        row = torch.cat([support[episode].flatten(0, 1), labels], dim=1)
        last = nn.functional.pad(query[episode, place], (0, 2))  # without a label
        torch.testing.assert_close(logits[episode, place], snail_by_hand(module, torch.cat([row, last[None]])))


# noise in training


def test_snail_blanks_the_front_of_the_row_in_training_alone():
    module, (support, query) = head("snail", blanked=12), episodes(40, 1)
    plain = module(support, query)
    torch.testing.assert_close(module(support, query), plain)
    same = (module.train()(support, query) - plain).abs().amax(dim=(1, 2)) < 1e-9
    assert 0 < same.sum() < 20  # one in 13 keeps all, 3 of 40: 20 would be ten spreads off


def test_the_set_transformer_leaves_out_and_mislabels_in_training_alone():
    def noisy(dropped, mislabelled):
        return head("set-transformer", dropout=0.0, dropped=dropped, mislabelled=mislabelled)

    (support, query), plain = episodes(30, 1), noisy(0.0, 0.0)
    calm = plain(support, query)
    torch.testing.assert_close(plain.train()(support, query), calm)
    for settings in ((0.5, 0.0), (0.0, 0.3)):
        module = noisy(*settings)
        torch.testing.assert_close(module(support, query), calm)
        assert (module.train()(support, query) - calm).abs().amax(dim=(1, 2)).gt(1e-6).float().mean() > 0.9
    module, changed = noisy(1.0, 0.0).train(), support.clone()
    changed[:, :, 1:] += 1  # what is left out is not seen at all
    torch.testing.assert_close(module(changed, query), module(support, query))
    changed[:, :, 0] += 1
    assert (module(changed, query) - module(support, query)).abs().min() > 1e-6
    torch.testing.assert_close(noisy(0.0, 1.0).train()(support, query), calm.flip(2))  # all on the wrong side


def test_standardised_features_know_no_shift_nor_scale():
    support, query = episodes()
    parts = standardised(support, query)
    torch.testing.assert_close(standardised(support * 30 + 5, query * 30 + 5), parts, rtol=1e-3, atol=1e-3)
    torch.testing.assert_close(parts[0].mean(dim=(1, 2)), torch.zeros(3, 128).double())
    torch.testing.assert_close(parts[0].var(dim=(1, 2), unbiased=False), torch.ones(3, 128).double(), rtol=0, atol=0.01)


def test_every_agent_has_its_head_with_as_many_weights_as_the_paper_says():
    for agent in agents.NAMES:
        name = agent if agent in HEADS else "meta-baseline"
        module = models.build(agents.config(agent, "quick")).head
        assert type(module) is HEADS[name], agent
        assert WEIGHTS.get(name) in (None, sum(weights.numel() for weights in module.parameters())), agent
