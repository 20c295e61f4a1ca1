"""Random numbers: named streams, and a counter-based hash that gives each item the same numbers in any batch.

Every function on 64-bit words below gives the same result in numpy (on ``uint64`` arrays) and under ``numba.njit``
(on scalars). Compiled code uses the same definitions.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(11)
_ONE = np.uint64(1)
_UNIT = 1.0 / (1 << 53)


def stream(seed: int, name: str) -> np.random.Generator:
    """Return the generator of one named stream of a seed.

    The name is hashed by CRC-32. The stream therefore does not depend on Python's hash seed, nor on the order of the
    calls.

    Examples
    --------
    >>> stream(0, "order").integers(100) == stream(0, "order").integers(100)
    np.True_
    """
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(zlib.crc32(name.encode()),))))


def one_of(values: Sequence, rng: np.random.Generator):
    """Return one value at random, all with equal chance."""
    return values[int(rng.integers(len(values)))]


def mix(word):
    """Return SplitMix64's finaliser of a 64-bit word (Steele, Lea & Flood 2014)."""
    word = (word ^ (word >> _S30)) * _MIX_A
    word = (word ^ (word >> _S27)) * _MIX_B
    return word ^ (word >> _S31)


def item_state(key, item):
    """Return the 64-bit state that item number ``item`` (uint64) of a stream's ``key`` starts from."""
    return mix(key ^ mix((item + _ONE) * _GOLDEN))


def item_word(state, draw):
    """Return the 64-bit word of draw number ``draw`` (uint64) of an item's state."""
    return mix(state + (draw + _ONE) * _GOLDEN)


def to_unit(word):
    """Return a float64 in [0, 1) from the top 53 bits of a word."""
    return (word >> _S11) * _UNIT


def item_key(seed: int, name: str) -> np.uint64:
    """Return the 64-bit key of a named stream of a seed (any non-negative integer)."""
    return np.random.SeedSequence(seed, spawn_key=(zlib.crc32(name.encode()),)).generate_state(1, np.uint64)[0]


def item_uniforms(seed: int, name: str, k, n: int) -> np.ndarray:
    """Return the first ``n`` uniforms of each item ``k``, float64 in [0, 1) of shape ``k.shape + (n,)``.

    They do not depend on earlier draws.

    Examples
    --------
    >>> alone = item_uniforms(0, "boards", 41, 3)
    >>> bool((item_uniforms(0, "boards", range(50), 3)[41] == alone).all())
    True
    """
    items = np.asarray(k, dtype=np.uint64)
    state = item_state(item_key(seed, name), items[..., None])
    return to_unit(item_word(state, np.arange(n, dtype=np.uint64)))
