"""Messages: one line, short, with the first fault and the fix; whole after a trip between processes."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from cases import case

from cogkit.core.errors import Finding, InputError, one_line, some
from cogkit.core.presets import choose
from cogkit.data.published import Unavailable
from cogkit.extras.datasets.fields import FieldError

NASTY = ("\n", "\r\n", "\0", "\x1b[31m", "\u2028", "\u202e", "\ud800", "\x85")
ERRORS = [
    InputError("a" * 10**6, "b" * 10**6, "mend it"),
    InputError("short", "w" * 10**6, "mend it"),
    InputError("g" * 10**6, "short", "mend it"),
    InputError("".join(NASTY) * 1000, "one\nline", "mend it"),
    Unavailable("x" * 1000, "a file", "mend it"),
    FieldError("/a/" * 2000, "place " * 500, {"a": ["\n"] * 10**5}, "a number"),
]


def test_a_message_has_one_line_of_at_most_300_characters_and_keeps_the_fix() -> None:
    for number, error in enumerate(ERRORS):
        text = str(error)
        with case(number):
            assert len(text) <= 300 and text.isprintable()
            assert text.startswith("wanted ") and ", got " in text
            assert isinstance(error, FieldError) or text.endswith(": mend it")


def test_what_does_not_print_is_escaped() -> None:
    for sign in NASTY:
        escaped = one_line(f"a{sign}b")
        assert escaped.isprintable() and escaped.startswith("a\\") and escaped.endswith("b")
        assert one_line(escaped) == escaped


def fail(error: InputError) -> None:
    raise error


def test_errors_come_back_whole_from_another_process() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for error in ERRORS:
            copy = pickle.loads(pickle.dumps(error))
            back = pool.submit(fail, error).exception()
            for other in (copy, back):
                assert type(other) is type(error) and str(other) == str(error) and vars(other) == vars(error)


def test_a_list_names_the_first_and_counts_the_rest() -> None:
    assert some([]) == "" and some(["a"]) == "a" and some("ab", last=" and ") == "a and b"
    assert some(range(1000), 4) == "0, 1, 2, 3, … and 996 more"
    assert len(some(["x" * 1000] * 1000)) < 600
    with pytest.raises(InputError, match="… and 484 more"):
        choose("nothing" * 10**5, [f"name-{k}" for k in range(500)], "name")


def test_findings_are_lines_too() -> None:
    finding = Finding("/a\n" * 1000, "field\n" * 1000, "is\n" * 1000)
    assert finding.path == "/a\n" * 1000
    for text in (str(finding), finding.field, finding.problem):
        assert len(text) <= 300 and text.isprintable()
    assert str(Finding("a.json", "size", "is none")) == "a.json: size: is none"
