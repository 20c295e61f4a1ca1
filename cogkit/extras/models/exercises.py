"""The exercises of `12_ask_a_model`: answers from words, answers from likelihoods, and a comparison with a floor."""

from __future__ import annotations

import math

import numpy as np

from cogkit.core import seeding
from cogkit.stats import wilson
from cogkit.study.exercises import Exercises

EXERCISES = Exercises(__file__)

_SEED = 21_203
_LISTS = 20
_NAMES = ("pado", "tif", "lupnan")
_REPLIES = {  # and the place of the option that each names; -1 for none
    "ANSWER: B": 1,
    "The name is **tif**.": 1,
    "": -1,
    "A closer look shows that the name is lupnan.": 2,
    "Because of its shape, nothing fits.": -1,
    "I cannot tell.": -1,
    "It is pado or tif.": -1,
    "It could be pado.\nANSWER: tif": 1,
    "ANSWER: A\nLet me look again.\nANSWER: C": 2,
    "ANSWER:": -1,
    "ANSWER: pado.": 0,
}
_COUNTS = ((73, 200, 200, 600), (120, 200, 200, 600), (40, 200, 200, 600), (9, 10, 5, 10), (180, 200, 20, 40))


@EXERCISES("12-reader", "reader(text, options)")
def _reader(answer) -> bool | str:
    for text, place in _REPLIES.items():
        if (got := answer(text, list(_NAMES))) != place:
            return f"for the reply {text!r} and the options {', '.join(_NAMES)} it returns {got!r}"
    return True


@EXERCISES("12-per-token", "chances(logs, sizes)")
def _per_token(answer) -> bool | str:
    rng = seeding.stream(_SEED, "per token")
    for _ in range(_LISTS):
        n = int(rng.integers(2, 6))
        logs, sizes = (-rng.uniform(1, 20, n)).round(2).tolist(), rng.integers(1, 5, n).tolist()
        weights = [math.exp(log / size) for log, size in zip(logs, sizes, strict=True)]
        expected = np.array(weights) / sum(weights)
        got = np.asarray(answer(logs, sizes), float)
        if got.shape != expected.shape or not np.allclose(got, expected, atol=1e-6):
            words = ", ".join(f"{share:.3f}" for share in np.ravel(got))
            return f"for the logarithms {logs} of options with {sizes} tokens it returns {words}"
    return True


@EXERCISES("12-above", "above(right, n, floor_right, floor_n)")
def _above(answer) -> bool | str:
    for right, n, floor_right, floor_n in _COUNTS:
        expected = bool(wilson(right, n)[0] > wilson(floor_right, floor_n)[1])
        if bool(answer(right, n, floor_right, floor_n)) != expected:
            return f"for {right} of {n} beside a shortcut with {floor_right} of {floor_n} it says the opposite"
    return True
