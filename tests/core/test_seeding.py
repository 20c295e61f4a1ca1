"""Seeding: one counter-based hash, the same in numpy, in numba and in the school arithmetic below."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from cogkit.core.seeding import item_key, item_uniforms, item_word, stream, to_unit

WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio


class Naive:
    """The oracle: items drawn one by one in Python's own integers, written from the definition."""

    @staticmethod
    def mix(z: int) -> int:
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
        return z ^ (z >> 31)

    def words(self, key: int, item: int, n: int):
        """The SplitMix64 generator, started at a hash of key and item number."""
        state = self.mix(key ^ self.mix((item + 1) * GOLDEN % WORD))
        for _ in range(n):
            state = (state + GOLDEN) % WORD
            yield self.mix(state)

    def uniforms(self, key: int, item: int, n: int) -> list[float]:
        return [(word // 2**11) / 2**53 for word in self.words(key, item, n)]


def test_the_oracle_is_splitmix64():
    """The first outputs for seed 1234567, as published with the algorithm (Rosetta Code, "SplitMix64")."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [Naive.mix((1234567 + (k + 1) * GOLDEN) % WORD) for k in range(4)] == published
    assert item_word(np.uint64(1234567), np.arange(4, dtype=np.uint64)).tolist() == published


ITEMS = [0, 1, 2, 41, 10**6, 2**32, 2**63, 2**64 - 1]


def test_numpy_equals_the_oracle():
    for seed, name in ((0, "boards"), (1, "boards"), (2**40, "starts"), (10**30, "é")):
        key = int(item_key(seed, name))
        expected = [Naive().uniforms(key, item, 7) for item in ITEMS]
        assert item_uniforms(seed, name, ITEMS, 7).tolist() == expected
        assert [item_uniforms(seed, name, item, 7).tolist() for item in ITEMS] == expected
        square = item_uniforms(seed, name, np.array(ITEMS, dtype=np.uint64).reshape(2, 4), 3)
        assert square.shape == (2, 4, 3) and square[1, 2].tolist() == expected[6][:3]


def test_golden_values():
    """Pinned: whoever changes them changes every board that anybody has made with a seed."""
    assert int(item_key(0, "boards")) == 7781056860356107766
    assert item_uniforms(0, "boards", [0, 1, 41], 3).tolist() == [
        [0.6660627143486697, 0.36046404850556046, 0.8242968487309299],
        [0.7413828159905381, 0.8220838744516488, 0.0526855410934014],
        [0.03598725940440051, 0.6119107874367807, 0.4986283568182017],
    ]
    assert item_uniforms(12, "starts", 2**40, 2).tolist() == [0.1873921471244886, 0.91582838142067]
    assert stream(0, "order").integers(2**32, size=3).tolist() == [3346500686, 1368001492, 3718301130]
    assert stream(7, "order").random(2).tolist() == [0.06321956907378501, 0.31076150348152054]


def test_streams_do_not_depend_on_the_process():
    program = "from cogkit.core.seeding import stream, item_uniforms\n"
    program += "print(stream(3, 'a').random(), item_uniforms(3, 'a', 5, 1)[0])"
    command = [sys.executable, "-c", program]
    outputs = {subprocess.check_output(command, env={"PYTHONHASHSEED": salt}) for salt in ("1", "2")}
    assert outputs == {f"{stream(3, 'a').random()} {item_uniforms(3, 'a', 5, 1)[0]}\n".encode()}


N = 1_000_000


@pytest.fixture(scope="module")
def many():
    return item_uniforms(20, "uniformity", np.arange(N // 4), 4)


def test_neighbours_are_independent(many):
    """Neither the draws of one item, nor one draw of neighbouring items or seeds, go together."""
    seeds = np.array([item_uniforms(seed, "uniformity", 0, 1)[0] for seed in range(2000)])
    pairs = [(many[:, a], many[:, b]) for a in range(4) for b in range(a)]
    pairs += [(many[1:, a], many[:-1, a]) for a in range(4)]
    pairs += [(many[:-1:2, 0], item_uniforms(21, "uniformity", np.arange(0, N // 4 - 1, 2), 1)[:, 0])]
    pairs += [(seeds[1:], seeds[:-1])]
    for first, second in pairs:
        product = (first - 0.5) * (second - 0.5)  # of independent uniforms: mean 0, variance 1/144
        assert abs(product.mean()) < 4 / 12 / np.sqrt(len(product))


def test_the_top_53_bits_make_the_unit():
    words = np.array([0, 2**11 - 1, 2**11, 2**63, 2**64 - 1], dtype=np.uint64)
    assert to_unit(words).tolist() == [0.0, 0.0, 2**-53, 0.5, 1 - 2**-53]
