"""Programs as tokens and back, the densities of numbers, and the decoder: its chances, its writing, its measures."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from cases import case
from hypothesis import given, settings
from hypothesis import strategies as st

from cogkit.bongard.learners import pretrained
from cogkit.bongard.learners.networks import decoder
from cogkit.bongard.learners.networks.decoder import ProgramDecoder, measure, tensors
from cogkit.bongard.logo import tokens
from cogkit.bongard.logo.programs import TYPES, Arc, Line, parse_program, write_program
from cogkit.bongard.logo.tokens import AND, ARC, LINE, PAD, START, STOP, Tokens, decode, encode
from cogkit.bongard.shapes import inventory
from cogkit.core.contracts import InputError

pytestmark = pytest.mark.usefixtures("one_thread")
TRIANGLE = parse_program(["line_circle_1.000-0.500", "line_circle_1.000-0.833", "line_circle_1.000-0.833"])
BOW = parse_program(["arc_normal_0.500_0.625-0.750", "line_zigzag_0.700-0.250"])
DRAWN = [(TRIANGLE, BOW), (BOW,), (TRIANGLE,)]

sizes, angles = st.floats(0.0006, 1.0), st.floats(-180.0, 180.0)
lines = st.builds(Line, sizes, angles, st.sampled_from(TYPES))
arcs = st.builds(Arc, sizes, st.floats(-360.0, 360.0), angles, st.sampled_from(TYPES))
programs = st.lists(lines | arcs, min_size=1, max_size=9).map(tuple)
drawings = st.lists(programs, min_size=1, max_size=2).map(tuple)


def as_written(drawn):
    """Return programs as anybody reads them from the published strings."""
    return [tuple(parse_program(write_program(program)) for program in shapes_) for shapes_ in drawn]


@given(st.lists(drawings, min_size=1, max_size=4))
@settings(deadline=None, max_examples=40)
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
    assert code.numbers[0, [2, 5]].tolist() == pytest.approx(np.array([[1.0, 0.0, 0.833], [0.5, 0.625, 0.75]]))
    assert not code.numbers[:, 0].any() and not code.numbers[0, 7:].any() and not code.numbers[0, 4].any()


def test_what_has_no_room_is_refused():
    assert encode([((Line(1.0),) * 9, (Line(0.5),) * 9)]).kinds[0, -1] == STOP
    rows = [
        ((), "no actions in picture 2"),
        (((),), "0 actions"),
        (((Line(1.0),) * 20,), "20 actions"),
        (((Line(1.0),) * 9, (Line(1.0),) * 10), "9 [+] 10 actions"),
        (((Line(1.0),),) * 3, "1 [+] 1 [+] 1 actions"),
    ]
    for drawn, sentence in rows:
        with pytest.raises(InputError, match=sentence):
            encode([(TRIANGLE,), drawn])


def test_tokens_that_say_no_picture_are_none():
    rows = [
        [START, LINE, LINE], [LINE, LINE, STOP], [START, STOP], [START, LINE, AND, STOP], [START, AND, LINE, STOP],
        [START, LINE, AND, LINE, AND, LINE, STOP], [START, LINE, PAD, LINE, STOP], [START, START, LINE, STOP],
    ]  # fmt: skip
    kinds = np.array([row + [PAD] * (tokens.LENGTH - len(row)) for row in rows])
    code = Tokens(kinds, np.zeros_like(kinds), np.full((*kinds.shape, 3), 0.5, np.float32))
    assert decode(code) == [None] * len(rows)


def test_what_follows_stop_is_not_read_and_numbers_are_brought_into_range():
    code = encode([((Arc(0.5, 0.0, 0.0),),)])
    code.kinds[0, 3:] = LINE
    code.numbers[0, 1] = [-2.0, 1.7, np.nan]
    assert decode(code) == [((Arc(0.001, 360.0, -180.0),),)]


def mixture(k: int) -> tuple[torch.Tensor, torch.distributions.MixtureSameFamily]:
    """Return six mixtures of k Gaussians: as numbers of a network, and as torch has them."""
    raw = torch.from_numpy(np.random.default_rng(9).normal(size=(6, 3 * k)))
    logits, means, widths = raw.chunk(3, dim=-1)
    widths = torch.nn.functional.softplus(widths) + 0.01
    weights, parts = torch.distributions.Categorical(logits=logits), torch.distributions.Normal(means, widths)
    return raw, torch.distributions.MixtureSameFamily(weights, parts)


def test_the_density_of_a_mixture_is_that_of_torch():
    for k in (1, 5):
        raw, mixed = mixture(k)
        at = torch.linspace(-1, 1, 6).double()
        torch.testing.assert_close(decoder.mixture_nll(raw, at, 0.01), -mixed.log_prob(at))
    far = decoder.mixture_nll(torch.tensor([0.0, 0.0, 0.5, 0.5, -30.0, -30.0]), torch.tensor(1.0), 0.01)
    assert far.item() == pytest.approx(0.5 * 50**2 + math.log(0.01) + 0.5 * math.log(2 * math.pi), rel=1e-4)


def test_the_best_number_is_the_mean_of_highest_density():
    raw, mixed = mixture(5)
    means, heaviest = mixed.component_distribution.mean, mixed.mixture_distribution.logits.argmax(dim=1)
    best = mixed.log_prob(means.T).T.argmax(dim=1)
    assert (best != heaviest).any()  # a heavy wide one is not taken for it
    torch.testing.assert_close(decoder.mixture_best(raw, 0.01), means[torch.arange(6), best])


def small(numbers="mixture"):
    config = pretrained.config(
        "synthesis", "quick", numbers=numbers, hidden=12, embedding=6, components=3, narrowest=0.02
    )
    torch.manual_seed(0)
    return ProgramDecoder(config, features=4).eval()


def test_only_the_parts_of_an_action_count_and_an_action_is_told_those_before_and_none_after():
    network, features = small(), torch.randn(3, 4)
    with torch.no_grad():
        losses = network.nll(features, tensors(encode(DRAWN)))
        assert losses.shape == (3, 20, 5)
        present = [
            [3 + 1 + 2 + 1, 5, 5, 1, 5],
            [2 + 1, 2, 2, 1, 2],
            [3 + 1, 3, 3, 0, 3],
        ]  # of stop, kinds alone
        assert (losses != 0).sum(dim=1).tolist() == present
        assert network.loss(features, tensors(encode(DRAWN))).item() == pytest.approx(losses.sum().item() / 14)
        base = losses[2]
        other = network.nll(features[2:], tensors(encode([((*TRIANGLE[:2], Arc(0.2, 90.0)),)])))[0]
        shift = network.nll(features[2:] + 1, tensors(encode([(TRIANGLE,)])))[0]
    torch.testing.assert_close(base[:2], other[:2])
    assert (base[2:4, 0] != other[2:4, 0]).all() and not torch.equal(base[0], shift[0])


def test_what_is_written_is_likeliest_at_every_step_given_what_was_written():
    for numbers in ("mixture", "l2"):
        network, features = small(numbers), 3 * torch.randn(20, 4)
        with case(numbers), torch.no_grad():
            for weights in (network.heads[0][-1].weight, *network.lstm.parameters()):
                weights *= 8  # so that pictures differ
            network.heads[0][-1].bias.copy_(torch.tensor([-9.0, -9.0, 0.0, 0.0, 0.0, 0.0]))
            code = network.write(features)
            logits, kinds = network.named(features, code), code.kinds[:, 1:]
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


def test_measures_by_hand():
    """Of a decoder that says what it was told to say."""
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
    fixed = SimpleNamespace(
        loss=lambda *_: torch.tensor(1.5), named=lambda *_: logits + numbers, write=lambda _: code,
        read=lambda slot, given: given.squeeze(-1),
    )  # fmt: skip
    expected = {"nll": 1.5, "kinds": 6 / 7, "types": 3 / 5, "size error": 0.1, "sweep error": 0.25, "turn error": 0.0,
                "valid": 0.5, "exact": 0.5, "exact error": 0.1 / 5}  # fmt: skip
    assert measure(fixed, torch.zeros(2, 4), true) == pytest.approx(expected)
    code.kinds[:] = PAD  # with nothing exact there is no error of it
    measures = measure(fixed, torch.zeros(2, 4), true)
    assert measures["valid"] == measures["exact"] == 0 and math.isnan(measures["exact error"])
