"""Programs as tokens and back, the densities of numbers, and the decoder: its chances, its writing, its measures."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cogkit.bongard.learners import pretrained
from cogkit.bongard.learners.networks import decoder
from cogkit.bongard.learners.networks.decoder import ProgramDecoder, measure, tensors
from cogkit.bongard.logo import tokens
from cogkit.bongard.logo.pictures import Placed
from cogkit.bongard.logo.programs import TYPES, Arc, Line, parse_program, write_program
from cogkit.bongard.logo.tokens import AND, ARC, LINE, PAD, START, STOP, Tokens, decode, encode
from cogkit.bongard.shapes import inventory
from cogkit.core.contracts import InputError

TRIANGLE = parse_program(["line_circle_1.000-0.500", "line_circle_1.000-0.833", "line_circle_1.000-0.833"])
BOW = parse_program(["arc_normal_0.500_0.625-0.750", "line_zigzag_0.700-0.250"])

sizes, angles = st.floats(0.0006, 1.0), st.floats(-180.0, 180.0)
lines = st.builds(Line, sizes, angles, st.sampled_from(TYPES))
arcs = st.builds(Arc, sizes, st.floats(-360.0, 360.0), angles, st.sampled_from(TYPES))
programs = st.lists(lines | arcs, min_size=1, max_size=9).map(tuple)
drawings = st.lists(programs, min_size=1, max_size=2).map(tuple)


def as_written(drawn):
    """Return programs as anybody reads them from the published strings."""
    return [tuple(parse_program(write_program(program)) for program in shapes_) for shapes_ in drawn]


@given(st.lists(drawings, min_size=1, max_size=4))
@settings(deadline=None, max_examples=60)
def test_programs_come_back_as_they_are_published(drawn):
    assert decode(encode(drawn)) == as_written(drawn)


def test_every_published_shape_and_the_longest_pairs_come_back(mirror):
    alone = [shape.program for shape in inventory.published()]
    longest = sorted(alone, key=len)[-20:]
    assert max(map(len, longest)) == 9
    pictures = [(program,) for program in alone] + [(longest[k], longest[-1 - k]) for k in range(10)]
    assert decode(encode(pictures)) == as_written(pictures)


def test_tokens_by_hand():
    code = encode([(TRIANGLE, BOW), (BOW,)])
    assert code.kinds[0].tolist() == [START, LINE, LINE, LINE, AND, ARC, LINE, STOP] + [PAD] * 13
    assert code.kinds[1].tolist() == [START, ARC, LINE, STOP] + [PAD] * 17
    assert code.types[0].tolist() == [0, 2, 2, 2, 0, 0, 1] + [0] * 14
    assert code.numbers[0, 2] == pytest.approx([1.0, 0.0, 0.833]) and code.numbers[0, 5] == pytest.approx(
        [0.5, 0.625, 0.75]
    )
    assert not code.numbers[:, 0].any() and not code.numbers[0, 7:].any() and not code.numbers[0, 4].any()


def test_the_radius_of_an_arc_is_not_dropped():
    pictures = [((Arc(radius, 90.0),),) for radius in (0.25, 0.5)]
    assert encode(pictures).numbers[:, 1, 0].tolist() == [0.25, 0.5] and decode(encode(pictures)) == pictures


@pytest.mark.parametrize(
    ("drawn", "said"),
    [((), "no actions in picture 2"), (((),), "0 actions"), (((Line(1.0),) * 20,), "20 actions"),
     (((Line(1.0),) * 9, (Line(1.0),) * 10), "9 [+] 10 actions"), (((Line(1.0),),) * 3, "1 [+] 1 [+] 1 actions")],
)  # fmt: skip
def test_what_has_no_room_is_refused(drawn, said):
    with pytest.raises(InputError, match=said):
        encode([(TRIANGLE,), drawn])


def test_there_is_room_for_nine_and_nine():
    pictures = [((Line(1.0),) * 9, (Line(0.5),) * 9)]
    assert encode(pictures).kinds[0, -1] == STOP and decode(encode(pictures)) == pictures


@pytest.mark.parametrize(
    "kinds",
    [[START, LINE, LINE], [LINE, LINE, STOP], [START, STOP], [START, LINE, AND, STOP], [START, AND, LINE, STOP],
     [START, LINE, AND, LINE, AND, LINE, STOP], [START, LINE, PAD, LINE, STOP], [START, START, LINE, STOP]],
)  # fmt: skip
def test_tokens_that_say_no_picture_are_none(kinds):
    row = np.array([kinds + [PAD] * (tokens.LENGTH - len(kinds))])
    code = Tokens(row, np.zeros_like(row), np.full((*row.shape, 3), 0.5, np.float32))
    assert decode(code) == [None]


def test_what_follows_stop_is_not_read_and_numbers_are_brought_into_range():
    code = encode([((Arc(0.5, 0.0, 0.0),),)])
    code.kinds[0, 3:] = LINE
    code.numbers[0, 1] = [-2.0, 1.7, np.nan]
    assert decode(code) == [((Arc(0.001, 360.0, -180.0),),)]


def test_only_programs_count_of_a_picture():
    assert tokens.drawn_by([(Placed(TRIANGLE), Placed(BOW)), (Placed(BOW),)]) == [(TRIANGLE, BOW), (BOW,)]


def mixture(k, seed):
    raw = torch.from_numpy(np.random.default_rng(seed).normal(size=(6, 3 * k)))
    weights, means, widths = (part.numpy() for part in raw.chunk(3, dim=-1))
    weights = np.exp(weights) / np.exp(weights).sum(axis=1, keepdims=True)
    return raw, weights, means, np.log1p(np.exp(widths)) + 0.01


@pytest.mark.parametrize("k", [1, 5])
def test_the_density_of_a_mixture_is_that_of_scipy_and_of_torch(k):
    raw, weights, means, widths = mixture(k, seed=k)
    at = np.linspace(-1, 1, 6)
    expected = -np.log((weights * stats.norm.pdf(at[:, None], means, widths)).sum(axis=1))
    losses = decoder.mixture_nll(raw, torch.from_numpy(at), 0.01)
    assert losses.numpy() == pytest.approx(expected, rel=1e-9)
    mixed = torch.distributions.MixtureSameFamily(
        torch.distributions.Categorical(torch.from_numpy(weights)),
        torch.distributions.Normal(torch.from_numpy(means), torch.from_numpy(widths)),
    )
    assert losses.numpy() == pytest.approx(-mixed.log_prob(torch.from_numpy(at)).numpy(), rel=1e-9)


def test_a_mixture_far_away_stays_a_number():
    far = decoder.mixture_nll(torch.tensor([0.0, 0.0, 0.5, 0.5, -30.0, -30.0]), torch.tensor(1.0), 0.01)
    assert far.item() == pytest.approx(0.5 * 50**2 + math.log(0.01) + 0.5 * math.log(2 * math.pi), rel=1e-4)


def test_the_best_number_is_the_mean_of_highest_density():
    raw, weights, means, widths = mixture(5, seed=9)
    density = (weights[:, None] * stats.norm.pdf(means[:, :, None], means[:, None], widths[:, None])).sum(axis=2)
    expected = means[np.arange(6), density.argmax(axis=1)]
    assert (expected != means[np.arange(6), weights.argmax(axis=1)]).any()  # a heavy wide one is not taken for it
    assert decoder.mixture_best(raw, 0.01).numpy() == pytest.approx(expected)


def small(numbers="mixture", **changes):
    config = pretrained.config(
        "synthesis", "quick", numbers=numbers, hidden=12, embedding=6, components=3, narrowest=0.02, **changes
    )
    torch.manual_seed(0)
    return ProgramDecoder(config, features=4).eval()


DRAWN = [(TRIANGLE, BOW), (BOW,), (TRIANGLE,)]


def by_hand(network, feature, drawn, numbers):
    """Return minus the log chance of one picture's programs, an action and a part at a time, the LSTM by formula."""
    target, hidden = encode([drawn]), network.lstm.hidden_size
    states = [(torch.zeros(hidden), torch.zeros(hidden)) for _ in range(network.lstm.num_layers)]
    total = 0.0

    def part(embedding, index):
        return embedding.weight[int(index)]

    for at in range(1, int((target.kinds[0] != PAD).sum())):
        before, kind = int(target.kinds[0, at - 1]), int(target.kinds[0, at])
        code = part(network.kind_code, before)
        if before in (LINE, ARC):
            code = code + part(network.type_code, target.types[0, at - 1])
            size, sweep, turn = target.numbers[0, at - 1].tolist()
            code = code + size * network.number_code[0] + sweep * network.number_code[1] + turn * network.number_code[2]
        x = torch.cat([feature, code])
        for layer, (h, c) in enumerate(states):
            w, u, b, d = (
                getattr(network.lstm, f"{name}_l{layer}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
            )
            i, f, g, o = (w @ x + b + u @ h + d).chunk(4)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            x = o.sigmoid() * c.tanh()
            states[layer] = (x, c)
        context = torch.zeros_like(network.number_code[0])
        total -= network.heads[0](torch.cat([x, context])).log_softmax(0)[kind]
        if kind not in (LINE, ARC):
            continue
        context, type_ = context + part(network.kind_code, kind), int(target.types[0, at])
        total -= network.heads[1](torch.cat([x, context])).log_softmax(0)[type_]
        context = context + part(network.type_code, type_)
        for slot, number in enumerate(target.numbers[0, at].tolist()):
            if slot == 1 and kind == LINE:
                continue
            output = network.heads[2 + slot](torch.cat([x, context]))
            if numbers == "l2":
                total += (output[0] - number) ** 2
            else:
                logits, means, widths = output.chunk(3)
                normal = torch.distributions.Normal(means, torch.nn.functional.softplus(widths) + 0.02)
                total -= (logits.log_softmax(0) + normal.log_prob(torch.tensor(number))).logsumexp(0)
            context = context + number * network.number_code[slot]
    return total.item()


@pytest.mark.parametrize("numbers", ["mixture", "l2"])
def test_the_chance_of_a_program_is_the_product_of_its_parts(numbers):
    network, features = small(numbers), torch.randn(3, 4)
    with torch.no_grad():
        losses = network.nll(features, tensors(encode(DRAWN)))
        expected = [by_hand(network, features[k], DRAWN[k], numbers) for k in range(3)]
        assert losses.shape == (3, 20, 5)
        assert losses.sum(dim=(1, 2)).numpy() == pytest.approx(expected, rel=1e-4)
        actions = 7 + 3 + 4  # and and stop among them
        assert network.loss(features, tensors(encode(DRAWN))).item() == pytest.approx(sum(expected) / actions, rel=1e-4)


def test_an_action_is_told_those_before_and_none_after():
    network, features = small(), torch.randn(1, 4)
    with torch.no_grad():
        base = network.nll(features, tensors(encode([(TRIANGLE,)])))[0]
        other = network.nll(features, tensors(encode([((*TRIANGLE[:2], Arc(0.2, 90.0)),)])))[0]
        shift = network.nll(features + 1, tensors(encode([(TRIANGLE,)])))[0]
    assert (
        torch.equal(base[:2], other[:2]) and not torch.equal(base[2], other[2]) and not torch.equal(base[3], other[3])
    )
    assert not torch.equal(base[0], shift[0])


@pytest.mark.parametrize("numbers", ["mixture", "l2"])
def test_what_is_written_is_likeliest_at_every_step_given_what_was_written(numbers):
    network, features = small(numbers), 3 * torch.randn(40, 4)
    with torch.no_grad():
        for weights in (network.heads[0][-1].weight, *network.lstm.parameters()):
            weights *= 8  # so that pictures differ
        network.heads[0][-1].bias.copy_(torch.tensor([-9.0, -9.0, 0.0, 0.0, 0.0, 0.0]))
        code = network.write(features)
        logits = network.named(features, code)
    kinds = code.kinds[:, 1:]
    presence = decoder.present(kinds)
    assert len({tuple(row) for row in code.kinds.tolist()}) > 3
    went_on = (code.kinds[:, :-1] != STOP).cumprod(dim=1).bool()
    assert torch.equal(logits[0].argmax(-1)[went_on], kinds[went_on]) and (kinds[~went_on] == PAD).all()
    assert torch.equal(logits[1].argmax(-1)[presence[..., 1]], code.types[:, 1:][presence[..., 1]])
    for slot in range(3):
        values, expected = network.read(slot, logits[2 + slot]), code.numbers[:, 1:, slot]
        mask = presence[..., 2 + slot]
        assert torch.allclose(values[mask], expected[mask], atol=1e-5) and not expected[~mask].any()
    plain = Tokens(code.kinds.numpy(), code.types.numpy(), code.numbers.numpy())
    assert network.programs(features) == decode(plain)


class Fixed:
    """A decoder that says what it was told to say."""

    def __init__(self, named, written):
        self.told, self.written = named, written

    def loss(self, features, wanted):
        return torch.tensor(1.5)

    def named(self, features, wanted):
        return self.told

    def read(self, slot, said):
        return said.squeeze(-1)

    def write(self, features):
        return self.written


def test_measures_by_hand():
    true = tensors(encode([(BOW,), (TRIANGLE,)]))
    logits = [torch.nn.functional.one_hot(part[:, 1:], n).float() for part, n in ((true.kinds, 6), (true.types, 5))]
    numbers = [true.numbers[:, 1:, slot : slot + 1].clone() for slot in range(3)]
    logits[0][0, 0] = torch.eye(6)[LINE]  # 1 of 7 kinds wrong
    logits[1][1, :2] = torch.eye(5)[4]  # 2 of 5 types wrong
    numbers[0][0, 0] += 0.5  # of 5 sizes
    numbers[1][0, :2] += 0.25  # of 1 sweep: the line has none
    code = Tokens(true.kinds.clone(), true.types.clone(), true.numbers.clone())
    code.kinds[1, 4] = PAD  # never stops
    code.numbers[0, 1, 1] += 0.1
    measures = measure(Fixed(logits + numbers, code), torch.zeros(2, 4), true)
    expected = {"nll": 1.5, "kinds": 6 / 7, "types": 3 / 5, "size error": 0.1, "sweep error": 0.25, "turn error": 0.0,
              "valid": 0.5, "exact": 0.5, "exact error": 0.1 / 5}  # fmt: skip
    assert measures == pytest.approx(expected)


def test_with_nothing_exact_there_is_no_error_of_it():
    true = tensors(encode([(BOW,)]))
    network = small()
    with torch.no_grad():
        network.heads[0][-1].bias[PAD] = 100.0
    measures = measure(network, torch.zeros(1, 4), true)
    assert measures["valid"] == measures["exact"] == 0.0 and math.isnan(measures["exact error"])
