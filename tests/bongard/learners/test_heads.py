"""Every head against plain arithmetic, one episode at a time, and what all of them owe: no query sees another."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy import optimize
from torch import nn

from cogkit.bongard.learners import agents, models
from cogkit.bongard.learners.heads.anil import ANIL
from cogkit.bongard.learners.heads.cnn import CNN
from cogkit.bongard.learners.heads.head import standardised
from cogkit.bongard.learners.heads.metaoptnet import MetaOptNet, box_minimum
from cogkit.bongard.learners.heads.nearest_mean import MetaBaseline, ProtoNet
from cogkit.bongard.learners.heads.set_transformer import SetTransformer
from cogkit.bongard.learners.heads.snail import SNAIL
from cogkit.bongard.learners.heads.wren import WReN
from cogkit.bongard.learners.networks.backbone import ResNet15

HEADS = {
    "snail": SNAIL, "protonet": ProtoNet, "metaoptnet": MetaOptNet, "anil": ANIL, "meta-baseline": MetaBaseline,
    "wren": WReN, "cnn": CNN, "set-transformer": SetTransformer,
}  # fmt: skip
ON_FEATURES = tuple(name for name in HEADS if name != "cnn")
SYMMETRIC = ("protonet", "metaoptnet", "meta-baseline", "set-transformer")
IN_ANY_ORDER = (*SYMMETRIC, "anil", "wren")


def head(name: str, **settings) -> nn.Module:
    """Return a head in double precision, not in training, whose weights are large enough for its answers to differ."""
    torch.manual_seed(0)
    module = HEADS[name](**settings).double().eval()
    if name in ("anil", "wren", "snail", "set-transformer", "cnn"):
        for weights in module.parameters():
            weights.data.normal_(std=0.3 if weights.dim() < 2 else 1.2 * weights[0].numel() ** -0.5)
    return module


def episodes(n: int = 3, asked: int = 2, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return features of n episodes, double: support (n, 2, 6, 128) and query (n, asked, 128)."""
    rng = np.random.default_rng(seed)
    support, query = rng.normal(size=(n, 2, 6, 128)) * 0.3, rng.normal(size=(n, asked, 128)) * 0.3
    return torch.from_numpy(support), torch.from_numpy(query)


def pictures(n: int = 3, asked: int = 2, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(seed)
    return torch.rand(n, 2, 6, 1, 32, 32) * 2 - 1, torch.rand(n, asked, 1, 32, 32) * 2 - 1


def network(name: str, **settings) -> models.Network:
    module = head(name, **settings).float()
    backbone = ResNet15(16, module.channels).eval()
    backbone.out.weight.data.mul_(3)
    return models.Network(backbone, module)


# what all owe


@pytest.mark.parametrize("name", HEADS)
def test_a_query_is_answered_alone_and_so_is_an_episode(name):
    net, (support, query) = network(name).double(), [part.double() for part in pictures(3, 4)]
    with torch.no_grad():
        together = net(support, query)
        for episode in range(3):
            for place in range(4):
                alone = net(support[episode : episode + 1], query[episode : episode + 1, place : place + 1])
                torch.testing.assert_close(alone[0, 0], together[episode, place], rtol=1e-7, atol=1e-9)
    assert together.shape == (3, 4, 2)
    margin = together[..., 0] - together[..., 1]
    assert margin.std() > 1e-4 * margin.abs().max()  # they do differ


@pytest.mark.parametrize("name", HEADS)
def test_several_queries_of_one_support_are_what_each_would_be(name):
    net, (support, query) = network(name).double(), [part.double() for part in pictures(2, 5)]
    which = torch.tensor([0, 1, 1, 0, 1])
    with torch.no_grad():
        logits = net(support, query[0][:, None], which)
        expected = net(support[which], query[0][:, None])
    torch.testing.assert_close(logits, expected)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_exchanged_sides_exchange_the_logits(name):
    support, query = episodes()
    module = head(name)
    logits, exchanged = module(support, query), module(support.flip(1), query)
    torch.testing.assert_close(exchanged, logits.flip(2), rtol=1e-6, atol=1e-9)
    assert (logits[..., 0] - logits[..., 1]).abs().min() > 1e-4


@pytest.mark.parametrize("name", IN_ANY_ORDER)
def test_the_order_within_a_side_does_not_matter(name):
    support, query = episodes()
    module, rng = head(name), np.random.default_rng(1)
    moved = torch.stack([support[:, side, rng.permutation(6)] for side in range(2)], dim=1)
    torch.testing.assert_close(module(moved, query), module(support, query), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", HEADS)
def test_gradients_reach_every_weight(name):
    net, (support, query) = network(name).train(), pictures(4, 2)
    sides = torch.arange(2).repeat(4)
    nn.functional.cross_entropy(net(support, query).flatten(0, 1), sides).backward()
    dead = [part for part, weights in net.named_parameters() if weights.grad is None or not weights.grad.abs().sum()]
    # what every picture, or either order of the sides, adds alike is taken off again
    assert set(dead) <= {"backbone.out.bias", "head.encoder.norm.bias", "head.rule.bias"}


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
    for _ in range(100):
        loss = nn.functional.cross_entropy(logits(8).flatten(0, 1), torch.arange(2).repeat(8))
        adam.zero_grad()
        loss.backward()
        adam.step()
    with torch.no_grad():
        right = module.eval() and (logits(200).argmax(dim=2) == torch.arange(2)).float().mean()
    assert right > 0.95


# each by hand


def test_protonet_by_hand():
    module, (support, query) = head("protonet", scale=0.7), episodes()
    logits = module(support, query).detach().numpy()
    for episode, place, side in np.ndindex(3, 2, 2):
        apart = query[episode, place].numpy() - support[episode, side].numpy().mean(axis=0)
        assert logits[episode, place, side] == pytest.approx(-0.7 * (apart @ apart))


def test_meta_baseline_by_hand():
    module, (support, query) = head("meta-baseline"), episodes()
    logits = module(support, query).detach().numpy()
    for episode, place, side in np.ndindex(3, 2, 2):
        a, b = query[episode, place].numpy(), support[episode, side].numpy().mean(axis=0)
        assert logits[episode, place, side] == pytest.approx(10 * (a @ b) / math.sqrt((a @ a) * (b @ b)))


@pytest.mark.parametrize("second_order", [False, True])
@pytest.mark.parametrize("steps", [1, 3])
def test_anil_takes_the_steps_of_autograd(steps, second_order):
    module, (support, query) = head("anil", inner_steps=steps, second_order=second_order), episodes()
    support.requires_grad_()
    sides = torch.arange(2).repeat_interleave(6)
    expected = []
    for examples, queries in zip(support, query, strict=True):
        weight, bias = module.linear.weight, module.linear.bias
        for _ in range(steps):
            loss = nn.functional.cross_entropy(examples.flatten(0, 1) @ weight.T + bias, sides)
            step = torch.autograd.grad(loss, (weight, bias), create_graph=second_order)
            weight, bias = weight - 0.4 * step[0], bias - 0.4 * step[1]
        expected.append(queries @ weight.T + bias)
    expected, logits = torch.stack(expected), module(support, query)
    torch.testing.assert_close(logits, expected)
    probe = torch.randn_like(logits)
    leaves = (module.linear.weight, module.linear.bias, *([support] if second_order else []))
    gradients = [torch.autograd.grad((output * probe).sum(), leaves) for output in (logits, expected)]
    for one, other in zip(*gradients, strict=True):
        torch.testing.assert_close(one, other)
    assert second_order or not logits.grad_fn or torch.autograd.grad(
        module(support, query).sum(), support, allow_unused=True
    )[0] is None  # of first order, the support teaches nothing  # fmt: skip


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


@pytest.mark.parametrize(("spread", "shift"), [(0.03, 0.0), (0.3, 0.0), (0.3, 0.2), (2.0, 0.3)])
def test_metaoptnet_is_the_dual_solved_by_another(spread, shift):
    rng = np.random.default_rng(3)
    support, query = rng.normal(size=(4, 2, 6, 128)) * spread, rng.normal(size=(4, 3, 128)) * spread
    support[:, 0] += shift
    module = head("metaoptnet", scale=1.3)
    logits = module(torch.from_numpy(support), torch.from_numpy(query)).detach().numpy()
    for episode in range(4):
        flat = support[episode].reshape(12, 128)
        expected = 1.3 * (query[episode] @ flat.T) @ crammer_singer(flat, 0.1)
        assert np.abs(logits[episode] - expected).max() < 1e-4 * np.abs(expected).max() + 1e-7


def boxes(kind: str) -> tuple[torch.Tensor, float]:
    rng = np.random.default_rng(5)
    factors = rng.normal(size=(6, 5, 5)) * {"all free": 0.1, "some": 1.0, "steep": 30.0}[kind]
    curve = factors @ factors.transpose(0, 2, 1) + np.eye(5) * (20.0 if kind == "all free" else 1.0)
    return torch.from_numpy(curve), 0.3


@pytest.mark.parametrize("kind", ["all free", "some", "steep"])
def test_the_minimum_in_a_box_is_where_a_search_of_all_walls_finds_it(kind):
    curve, top = boxes(kind)
    minima = box_minimum(curve, top).numpy()
    walls = set()
    for h, minimum in zip(curve.numpy(), minima, strict=True):
        best, least = None, np.inf
        for state in np.ndindex(*(3,) * 5):  # on the floor, at the top, or free
            state = np.array(state)
            x, free = np.where(state == 1, top, 0.0), state == 2
            x[free] = np.linalg.solve(h[np.ix_(free, free)], 1 - h[np.ix_(free, ~free)] @ x[~free])
            value = 0.5 * x @ h @ x - x.sum()
            if (x >= -1e-12).all() and (x <= top + 1e-12).all() and value < least:
                best, least = x, value
        assert np.abs(minimum - best).max() < 1e-9
        walls |= set(np.where(best < 1e-12, "floor", np.where(best > top - 1e-12, "top", "free")))
    assert walls == {"all free": {"free"}, "some": {"floor", "top", "free"}, "steep": {"floor", "free"}}[kind]


@pytest.mark.parametrize("kind", ["all free", "some", "steep"])
def test_gradients_of_the_minimum_are_those_of_differences(kind):
    curve, top = boxes(kind)
    torch.autograd.gradcheck(lambda h: box_minimum((h + h.transpose(1, 2)) / 2, top), curve.requires_grad_(), eps=1e-7)


def test_wren_by_hand():
    module, (support, query) = head("wren"), episodes()
    part = {name: value.detach().numpy() for name, value in module.state_dict().items()}
    g = np.concatenate([part["first.weight"], part["second.weight"]], axis=1)
    logits = module(support, query).detach().numpy()
    for episode, place in np.ndindex(3, 2):
        sums = []
        for side in range(2):
            seven = [*support[episode, side].numpy(), query[episode, place].numpy()]
            total = np.zeros(128)
            for one in seven:
                for other in seven:
                    hidden = np.maximum(g @ np.concatenate([one, other]) + part["first.bias"], 0)
                    total += np.maximum(part["relation.1.weight"] @ hidden + part["relation.1.bias"], 0)
            sums.append(total)
        hidden = np.maximum(part["decide.0.weight"] @ np.concatenate(sums) + part["decide.0.bias"], 0)
        expected = part["decide.2.weight"] @ hidden + part["decide.2.bias"]
        assert np.allclose(logits[episode, place], expected)


def test_cnn_sees_each_side_with_the_query_on_top():
    class Eyes(nn.Module):
        def forward(self, stacks):
            self.stacks = stacks
            return stacks.mean(dim=(2, 3)).repeat(1, 19)[:, :128]

    module, (support, query), eyes = HEADS["cnn"](), pictures(2, 3), Eyes()
    context, features = module.see(eyes, support, query)
    assert not context.numel() and eyes.stacks.shape == (2 * 3 * 2, 7, 32, 32)
    logits = module(context, features)
    for episode, place in np.ndindex(2, 3):
        stacks = [torch.cat([support[episode, side], query[episode, place][None]])[:, 0] for side in range(2)]
        for side, stack in enumerate(stacks):
            assert torch.equal(eyes.stacks.unflatten(0, (2, 3, 2))[episode, place, side], stack)
        both = torch.cat([stack.mean(dim=(1, 2)).repeat(19)[:128] for stack in stacks])
        torch.testing.assert_close(module.decide(both), logits[episode, place])


def snail_by_hand(part: dict[str, np.ndarray], row: np.ndarray) -> np.ndarray:
    """SNAIL of one row of 13 tokens, place by place: attention 64/32, convolutions over 1, 2, 4 and 8 places, …"""

    def sigmoid(z):
        return 1 / (1 + np.exp(-z))

    x = row
    depths = [None, 0, 1, 2, 3, None, 0, 1, 2, 3, None]  # of convolutions; the others are attention
    for layer, depth in enumerate(depths):
        of = {
            name.removeprefix(f"layers.{layer}."): v for name, v in part.items() if name.startswith(f"layers.{layer}.")
        }
        if depth is None:
            q, k, v = (x @ of[f"{name}.weight"].T + of[f"{name}.bias"] for name in ("query", "key", "value"))
            values = []
            for place in range(13):
                scores = np.exp(k[: place + 1] @ q[place] / np.sqrt(k.shape[1]))
                values.append(scores @ v[: place + 1] / scores.sum())
            x = np.column_stack([x, values])
        else:
            weight, bias = of["gated.weight"], of["gated.bias"]
            new = []
            for place in range(13):
                before = x[place - 2**depth] if place >= 2**depth else np.zeros(x.shape[1])
                z = weight[:, :, 0] @ before + weight[:, :, 1] @ x[place] + bias
                new.append(np.tanh(z[:128]) * sigmoid(z[128:]))
            x = np.column_stack([x, new])
    return part["out.weight"] @ x[-1] + part["out.bias"]


def test_snail_by_hand():
    module, (support, query) = head("snail"), episodes(2, 2)
    part = {name: value.detach().numpy() for name, value in module.state_dict().items()}
    assert part["layers.0.query.weight"].shape == (64, 130) and part["layers.0.value.weight"].shape == (32, 130)
    assert part["layers.10.key.weight"].shape[0] == 512 and part["layers.10.value.weight"].shape[0] == 256
    logits = module(support, query).detach().numpy()
    labels = np.repeat(np.eye(2), 6, axis=0)
    for episode, place in np.ndindex(2, 2):
        row = np.column_stack([support[episode].reshape(12, 128).numpy(), labels])
        row = np.vstack([row, np.append(query[episode, place].numpy(), [0, 0])])
        assert np.allclose(logits[episode, place], snail_by_hand(part, row))


def test_snail_blanks_the_front_of_the_row_in_training_alone():
    module, (support, query) = head("snail", blanked=12), episodes(40, 1)
    plain = module(support, query)
    torch.testing.assert_close(module(support, query), plain)
    same = (module.train()(support, query) - plain).abs().amax(dim=(1, 2)) < 1e-9
    assert 0 < same.sum() < 20  # one in 13 keeps all, 3 of 40: 20 would be ten spreads off
    changed = support.clone()
    changed[:, 1, 5] += 1  # the last to be blanked
    torch.manual_seed(1)
    logits = module(support, query)
    torch.manual_seed(1)
    rows = (module(changed, query) - logits).abs().amax(dim=(1, 2)) > 1e-9
    assert 20 < rows.sum() < 40


def test_the_set_transformer_leaves_out_and_mislabels_in_training_alone():
    support, query = episodes(30, 1)
    plain = head("set-transformer", dropout=0.0, dropped=0.0, mislabelled=0.0)
    calm = plain(support, query)
    torch.testing.assert_close(plain.train()(support, query), calm)
    for settings in ({"dropped": 0.5, "mislabelled": 0.0}, {"dropped": 0.0, "mislabelled": 0.3}):
        module = head("set-transformer", dropout=0.0, **settings)
        torch.testing.assert_close(module(support, query), calm)
        assert (module.train()(support, query) - calm).abs().amax(dim=(1, 2)).gt(1e-6).float().mean() > 0.9
    # what is left out is not seen at all
    module, changed = head("set-transformer", dropout=0.0, dropped=1.0, mislabelled=0.0).train(), support.clone()
    changed[:, :, 1:] += 1
    torch.testing.assert_close(module(changed, query), module(support, query))
    changed[:, :, 0] += 1
    assert (module(changed, query) - module(support, query)).abs().min() > 1e-6
    # told the wrong side of all, it says the opposite
    module = head("set-transformer", dropout=0.0, dropped=0.0, mislabelled=1.0).train()
    torch.testing.assert_close(module(support, query), calm.flip(2))


def test_features_standardised_by_hand():
    support, query = episodes()
    parts = [part.numpy() for part in standardised(support * 3 + 5, query * 3 + 5)]
    for episode in range(3):
        flat = support[episode].numpy().reshape(12, 128) * 3 + 5
        mean, spread = flat.mean(axis=0), np.sqrt(flat.var(axis=0) + 1e-5)
        assert np.allclose(parts[0][episode].reshape(12, 128), (flat - mean) / spread)
        assert np.allclose(parts[1][episode], (query[episode].numpy() * 3 + 5 - mean) / spread)


WEIGHTS = {"protonet": 1, "meta-baseline": 1, "metaoptnet": 1, "anil": 258, "cnn": 256 * 128 + 128 + 128 * 2 + 2}


@pytest.mark.parametrize("name", WEIGHTS)
def test_it_has_as_many_weights_as_the_paper_says(name):
    assert sum(weights.numel() for weights in HEADS[name]().parameters()) == WEIGHTS[name]


def test_every_agent_has_its_head():
    heads = {agent: models.build(agents.config(agent, "quick")).head for agent in agents.NAMES}
    assert {agent: type(module) for agent, module in heads.items()} == {
        name: HEADS[name if name in HEADS else "meta-baseline"] for name in agents.NAMES
    }
