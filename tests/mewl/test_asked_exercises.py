"""The exercises of notebook 12: right and wrong answers, and what the program itself would say."""

from __future__ import annotations

import math

import pytest

from cogkit.app.exercises import check
from cogkit.lm.prompts import Prompt
from cogkit.lm.replies import named
from cogkit.mewl import asked_exercises as own
from cogkit.stats import wilson

PROMPT = Prompt("", (("user", "Which name?"),), own._NAMES, labelled=True)


def test_the_replies_are_read_as_the_program_reads_them():
    assert {text: named(PROMPT, text)[1] for text in own._REPLIES} == own._REPLIES
    assert check("12-reader", lambda text, options: named(PROMPT, text)[1]).passed


@pytest.mark.parametrize(
    "reader",
    [
        lambda text, options: "ABCDE".find(text[:1]),
        lambda text, options: max("ABC".find(text[-1:]), 0),
        lambda text, options: next((k for k, option in enumerate(options) if option in text), -1),
        lambda text, options: next((k for k, letter in enumerate("ABC") if letter in text), -1),
    ],
    ids=["first letter", "silence", "first option", "any letter"],
)
def test_a_reader_that_credits_what_is_no_choice_fails(reader):
    assert not check("12-reader", reader).passed


def softmax(scores: list[float]) -> list[float]:
    weights = [math.exp(score) for score in scores]
    return [weight / sum(weights) for weight in weights]


def test_chances_are_per_token():
    right = lambda logs, sizes: softmax([log / size for log, size in zip(logs, sizes, strict=True)])  # noqa: E731
    assert check("12-per-token", right).passed
    for wrong in (
        lambda logs, sizes: softmax(logs),
        lambda logs, sizes: [log / size for log, size in zip(logs, sizes, strict=True)],
        lambda logs, sizes: right(logs, sizes)[:-1],
    ):
        assert not check("12-per-token", wrong).passed


def test_above_needs_intervals_that_do_not_overlap():
    assert check("12-above", lambda r, n, fr, fn: wilson(r, n)[0] > wilson(fr, fn)[1]).passed
    assert not check("12-above", lambda r, n, fr, fn: r / n > fr / fn).passed
    assert not check("12-above", lambda r, n, fr, fn: wilson(r, n)[0] > fr / fn).passed
    assert not check("12-above", lambda r, n, fr, fn: True).passed
    assert not check("12-above", lambda r, n, fr, fn: False).passed
