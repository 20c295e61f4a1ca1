"""Addresses, good and bad: what one says is read or told in a sentence, and never waited for without end."""

from __future__ import annotations

import base64
import json
import math
import threading
from collections import Counter
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from lm.speaking import (
    PIECES,
    by_text,
    chat,
    completes,
    in_turn,
    likelihoods,
    raw,
    says,
    serving,
    slow,
    status,
    tells,
)

from cogkit.core.contracts import InputError
from cogkit.data import png
from cogkit.lm.address import _BUSY, _CLOSED, KEY, Address, Prices, Stopped, messages
from cogkit.lm.kept import Answers, Kept
from cogkit.lm.prompts import Prompt
from cogkit.lm.replies import Said, outcomes, read
from cogkit.lm.transcript import Recording

SECRET = "sk-proj-T0pSecret/9_8-7+6="
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def prompt(text: str = "Which name?", **fields) -> Prompt:
    return Prompt("0", (("user", text),), fields.pop("options", ("pado", "tif")), labelled=True, **fields)


def likely(text: str = "A cube. Name:", endings: tuple[str, ...] = (" pado", " tif gup")) -> Prompt:
    return Prompt("0", (("user", text),), endings, endings)


def address(url: str, **settings) -> Address:
    """Return an address that is given up soon."""
    return Address(url, "m", **({"seconds": 20.0, "tries": 3, "longest_wait": 0.0} | settings))


def answers(participant, prompts) -> list[Said]:
    """Return what came back for each prompt, in their order; everything comes back, once."""
    pairs = [*participant.say(prompts)]
    assert sorted(number for number, _ in pairs) == list(range(len(prompts)))
    return [said for _, said in sorted(pairs, key=lambda pair: pair[0])]


def answer(url: str, asked: Prompt | None = None, **settings) -> Said:
    return answers(address(url, **settings), [asked or prompt()])[0]


def is_a_sentence(text: str) -> bool:
    return bool(text) and len(text) <= 300 and text.isprintable()


# What an answer says


def test_an_answer_is_taken_as_it_came(serve):
    server = serve(says("I think.\nANSWER: B", "stop", (120, 7)))
    said = answer(server.url, prices=Prices(2.0, 10.0))
    assert (said.text, said.end, said.tokens_in, said.tokens_out, said.problem) == (
        "I think.\nANSWER: B", "stop", 120, 7, ""
    )  # fmt: skip
    assert said.cost == pytest.approx(310e-6) and 0 < said.seconds < 20
    (request,) = server.requests
    assert request.path == "/v1/chat/completions" and "authorization" not in {name.lower() for name in request.headers}
    assert request.body == {
        "model": "m", "temperature": 0.0, "max_tokens": 1024, "messages": [{"role": "user", "content": "Which name?"}]
    }  # fmt: skip


def test_settings_are_sent_as_they_are(serve):
    server = serve(says())
    turns = (("system", "Be brief."), ("user", "One?"), ("assistant", "ANSWER: A"), ("user", "Two?"))
    answer(server.url + "/", Prompt("0", turns, ("a", "b")), temperature=None, tokens=7)
    (body,) = server.bodies
    assert body == {
        "model": "m", "max_tokens": 7,
        "messages": [{"role": role, "content": text} for role, text in turns],
    }  # fmt: skip


def test_a_model_that_completes_finds_the_beginning_of_its_answer(serve):
    server = serve(completes(" B"))
    said = answer(server.url, chat=False, tokens=9)
    assert said.text == " B" and server.requests[0].path == "/v1/completions"
    assert server.bodies[0] == {
        "model": "m", "temperature": 0.0, "max_tokens": 9, "prompt": "Which name?\n\nANSWER:", "stop": ["\n"]
    }  # fmt: skip


@pytest.mark.parametrize(
    ("content", "text", "end"),
    [
        (chat([{"type": "text", "text": "ANS"}, {"type": "text", "text": "WER: B"}]), "ANSWER: B", "stop"),
        (chat(["ANSWER: ", {"type": "x"}, "B"]), "ANSWER: B", "stop"),
        (chat(None), "", "stop"),
        (chat(None, "tool_calls", tool_calls=[{"id": 1}]), "", "tool_calls"),
        (chat(None, "stop", refusal="I can't help with that."), "I can't help with that.", "refusal"),
        (chat("ANSWER: B", refusal=None), "ANSWER: B", "stop"),
        (chat("", "content_filter"), "", "content_filter"),
        (chat("Let me", "length"), "Let me", "length"),
        (chat("ANSWER: B", None), "ANSWER: B", ""),
        (chat("ANSWER: B", reasoning_content="It is C."), "ANSWER: B", "stop"),
        (chat("", "length", reasoning="So it is C, ANSWER: C"), "", "length"),
        (chat("\x00 é \u2028"), "\x00 é \u2028", "stop"),
        ({"choices": [{"message": {}}]}, "", ""),
        ({"choices": [{"message": {"content": "B"}}, {"message": {"content": "C"}}]}, "B", ""),
    ],
)
def test_answers_of_other_servers_are_read_too(serve, content, text, end):
    said = answer(serve(status(200, content)).url)
    assert (said.text, said.end, said.problem) == (text, end, "")


@pytest.mark.parametrize(
    ("usage", "counted"),
    [(None, (0, 0)), (5, (0, 0)), ({}, (0, 0)), ({"prompt_tokens": -1, "completion_tokens": 2**60}, (0, 0)),
     ({"prompt_tokens": "12", "completion_tokens": True}, (0, 0)), ({"prompt_tokens": 3}, (3, 0)),
     ({"prompt_tokens": 3, "completion_tokens": 90, "completion_tokens_details": {"reasoning_tokens": 89}}, (3, 90))],
)  # fmt: skip
def test_tokens_that_nobody_counted_are_none(serve, usage, counted):
    said = answer(serve(status(200, chat() | {"usage": usage})).url)
    assert (said.tokens_in, said.tokens_out) == counted and said.problem == ""


def _nested(depth: int, inside: str = '"B"') -> str:
    return '{"choices": [{"message": {"content": ' + "[" * depth + inside + "]" * depth + "}}]}"


BROKEN = {
    "an empty answer": b"",
    "a web page": b"<!DOCTYPE html><html><body>Sign in</body></html>",
    "no UTF-8": b'{"choices": [{"message": {"content": "\xff\xfe"}}]}',
    "half of one": json.dumps(chat())[:40].encode(),
    "two of them": json.dumps(chat()).encode() * 2,
    "half a sign": chat("\ud83d"),
    "NaN": b'{"choices": [{"message": {"content": "B"}}], "usage": {"prompt_tokens": NaN}}',
    "an infinite number": b'{"choices": [{"message": {"content": "B"}}], "x": 1e999}',
    "a number of a thousand digits": b'{"choices": [{"message": {"content": "B"}}], "x": ' + b"9" * 1000 + b"}",
    "lists in a hundred thousand lists": _nested(100_000).encode(),
    "objects in a hundred thousand objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "lists in six hundred lists": _nested(600).encode(),
    "a list": b"[]",
    "null": b"null",
    "a text": b'"ANSWER: A"',
    "nothing in it": b"{}",
    "an error in place of it": {"error": {"message": "the model is overloaded"}},
    "no choices": {"choices": []},
    "choices of null": {"choices": None},
    "choices that are a text": {"choices": "ANSWER: A"},
    "choices that are named": {"choices": {"0": {"message": {"content": "B"}}}},
    "a choice of null": {"choices": [None]},
    "a choice that is a text": {"choices": ["B"]},
    "no message": {"choices": [{"text": "B"}]},
    "a message of null": {"choices": [{"message": None}]},
    "a message that is a text": {"choices": [{"message": "B"}]},
    "a number for content": chat(7),
    "an object for content": chat({"text": "B"}),
    "a part with a number": chat([{"type": "text", "text": 7}]),
    "a number for a refusal": chat("B", refusal=7),
    "a list of numbers for the end": chat("B", end=[7]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_answer_is_told_in_a_sentence(serve, name):
    server = serve(status(200, BROKEN[name]))
    said = answer(server.url, key=SECRET)
    assert is_a_sentence(said.problem) and server.url in said.problem and not said.text
    assert read(prompt(), said).outcome == "failed" and len(server.requests) == 1


def test_lists_in_a_few_lists_are_read(serve):
    assert answer(serve(status(200, _nested(5))).url).text == "B"


def test_an_answer_of_twenty_megabytes_is_not_read_to_its_end(serve):
    said = answer(serve(says("B" * 20_000_000)).url)
    assert said.problem == "an answer of more than 10,000,000 bytes" and not said.text


# Addresses that fail, or want to be asked again


@pytest.mark.parametrize("code", _BUSY)
def test_a_busy_address_is_asked_again(serve, code):
    server = serve(in_turn(status(code), status(500, "oh"), says("ANSWER: B")))
    assert answer(server.url).text == "ANSWER: B" and len(server.requests) == 3


@pytest.mark.parametrize("code", [500, 429])
def test_an_address_that_stays_busy_is_given_up_in_a_sentence(serve, code):
    server = serve(status(code, "<html>\n<h1>Sorry,\tno</h1>\n" + "x" * 9_000))
    said = answer(server.url, tries=4)
    assert is_a_sentence(said.problem) and len(server.requests) == 4 and not said.text
    assert said.problem.startswith(f"{code} of {server.url}: <html>") and said.problem.endswith("(asked 4 times)")


@pytest.mark.parametrize("code", [301, 204, 400, 413, 418, 422, 501])
def test_what_this_question_cannot_have_is_told_at_once(serve, code):
    server = serve(status(code, b"" if code == 204 else "too long"))
    said = answer(server.url)
    assert is_a_sentence(said.problem) and f"{code} of {server.url}" in said.problem and len(server.requests) == 1


@pytest.mark.parametrize("code", _CLOSED)
def test_an_address_that_no_question_can_pass_ends_the_run_in_a_sentence(serve, code):
    server = serve(status(code, {"error": f"no such model, {SECRET}"}))
    with pytest.raises(InputError) as told:
        answer(server.url, key=SECRET)
    assert is_a_sentence(str(told.value)) and f"{code} of {server.url}" in str(told.value) and KEY in str(told.value)
    assert SECRET not in str(told.value) and len(server.requests) == 1


def test_answers_on_their_way_are_kept_when_the_run_ends(serve, tmp_path):
    """One question is refused for good while seven others are being answered: those are paid for."""
    refused = threading.Event()

    def act(handler, request):
        if request.text == "Q3":
            status(402, "no money left")(handler, request)
            refused.set()
        else:
            assert refused.wait(20)
            says("ANSWER: A")(handler, request)

    server, prompts = serve(act), [prompt(f"Q{k}") for k in range(20)]
    kept = Kept(address(server.url, at_once=8), Answers(tmp_path / "answers.sqlite"))
    with pytest.raises(InputError, match="no money left"):
        answers(kept, prompts)
    assert len(server.requests) == 8 and len(kept.missing(prompts)) == 20 - 7


def test_nobody_there_is_told():
    with pytest.raises(InputError, match=r"no server at http://127.0.0.1:9/v1 \(.*: start the server") as told:
        answer("http://127.0.0.1:9/v1")
    assert is_a_sentence(str(told.value))


def test_an_address_that_is_gone_after_some_answers_may_come_back(serve):
    with serving(says()) as server:
        model = address(server.url, at_once=1)
        answers(model, [prompt("Q0")])
    said = answers(model, [prompt("Q1")])[0]
    assert said.problem.startswith(f"no answer of {server.url} (ConnectError") and "(asked 3 times)" in said.problem


SEVERED = {
    "before the answer": (b"",),
    "in the middle of a header": (b"HTTP/1.1 200 OK\r\nContent-Le",),
    "in the middle of the answer": (b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", b'{"choices": ['),
    "in the middle of a piece": (CHUNKED, b'10\r\n{"cho'),
    "a piece of no size": (CHUNKED, b'zz\r\n{"choices": []}\r\n0\r\n\r\n'),
    "a negative size": (CHUNKED, b"-5\r\nhello\r\n0\r\n\r\n"),
    "a false length": (b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", b"{}"),
    "no HTTP": (b"\x16\x03\x01\x00\xa5hello\r\n\r\n",),
    "a status of words": (b"HTTP/1.1 OK\r\n\r\n",),
    "false compression": (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",),
    "a header without end": (b"HTTP/1.1 200 OK\r\nX: ", b"x" * 300_000),
}


@pytest.mark.parametrize("name", SEVERED)
def test_a_connection_that_breaks_is_tried_again_and_told(serve, name):
    server = serve(in_turn(raw(*SEVERED[name]), says("ANSWER: B")))
    assert answer(server.url).text == "ANSWER: B" and len(server.requests) == 2
    server = serve(raw(*SEVERED[name]))
    said = answer(server.url)
    assert is_a_sentence(said.problem) and said.problem.endswith("(asked 3 times)") and len(server.requests) == 3
    assert read(prompt(), said).outcome == "failed"


LENGTH = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
SLOW = {
    "of a known length": (LENGTH, [b" "] * PIECES),
    "of an unknown length": (b"HTTP/1.1 200 OK\r\n\r\n", [b" "] * PIECES),
    "in pieces": (CHUNKED, [b"1\r\n \r\n"] * PIECES),
    "in its headers": (b"HTTP/1.1 200 OK\r\nX: ", [b"x"] * PIECES),
    "in the size of a piece": (CHUNKED, [b"0"] * PIECES),
    "of promises": (b"", [b"HTTP/1.1 100 Continue\r\n\r\n"] * PIECES),
    "that says nothing for long": (LENGTH, [b""] * 40 + [b" "] * PIECES),
}


@pytest.mark.parametrize("name", SLOW)
def test_an_answer_that_drips_is_not_waited_for(serve, name):
    server = serve(slow(*SLOW[name]))
    said = answer(server.url, seconds=0.3, tries=2)
    assert is_a_sentence(said.problem) and "ReadTimeout" in said.problem and said.problem.endswith("(asked 2 times)")
    assert len(server.requests) == 2 and server.idle() and server.patient == 0


def test_an_answer_that_drips_is_in_nobodys_way(serve):
    """Questions after one that was given up are answered, however few may be on their way."""
    drips = slow(b"HTTP/1.1 200 OK\r\nX: ", [b"x"] * PIECES)
    server = serve(by_text({"Q0": drips, "Q1": says(), "Q2": says()}))
    told = answers(address(server.url, seconds=1.0, tries=1, at_once=1), [prompt(f"Q{k}") for k in range(3)])
    assert [bool(said.problem) for said in told] == [True, False, False]


# How long to wait


@pytest.mark.parametrize(
    ("asked", "headers", "seconds"),
    [
        ("7", {}, 7), ("0", {}, 0), ("1.5", {}, 1.5), ("-3", {}, 0), ("1e9", {}, 60), ("inf", {}, 60),
        ("9" * 400, {}, 60), ("NaN", {}, None), ("soon", {}, None), ("", {}, None),
        (format_datetime(NOW + timedelta(seconds=42), True), {"Date": format_datetime(NOW, True)}, 42),
        (format_datetime(NOW - timedelta(hours=1), True), {"Date": format_datetime(NOW, True)}, 0),
        (format_datetime(NOW + timedelta(days=400), True), {"Date": format_datetime(NOW, True)}, 60),
        (format_datetime(NOW, True), {}, None),
        (format_datetime(NOW, True), {"Date": "yesterday"}, None),
        ("Thu, 32 Dec 2026 25:00:00 GMT", {"Date": format_datetime(NOW, True)}, None),
        ("Fri, 01 Jan 99999 00:00:00 GMT", {"Date": format_datetime(NOW, True)}, None),
        ("Sun, 01 Mar 2026 12:00:42 -0000", {"Date": format_datetime(NOW, True)}, None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("code", [429, 503])
def test_a_busy_address_says_how_long_to_wait(serve, monkeypatch, asked, headers, seconds, code):
    paused, pause = [], Address._pause

    def noted(self, attempt, told=None):
        paused.append(pause(self, attempt, told))
        return 0.0

    monkeypatch.setattr(Address, "_pause", noted)
    server = serve(in_turn(status(code, "busy", Retry_After=asked, **headers), says()))
    assert answer(server.url, longest_wait=60.0).text == "ANSWER: A"
    assert len(paused) == 1 and (0.25 <= paused[0] <= 0.5 if seconds is None else paused[0] == seconds)


def test_pauses_double_and_have_an_end():
    asked = address("http://127.0.0.1:9/v1", longest_wait=20.0)
    for attempt in range(5):
        pauses = {asked._pause(attempt) for _ in range(50)}
        assert 0.25 * 2**attempt <= min(pauses) < max(pauses) <= 0.5 * 2**attempt
    assert asked._pause(12) == asked._pause(5_000) == 20.0


@pytest.mark.parametrize("act", [status(500), raw(b"")])
def test_nobody_waits_after_the_last_try(serve, monkeypatch, act):
    pauses = []
    monkeypatch.setattr(Address, "_pause", lambda *_: pauses.append(0) or 0.0)
    assert answer(serve(act).url, tries=3).problem and len(pauses) == 2


# Models that want something else

NO_LIMIT = json.dumps({"error": {
    "message": "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "type": "invalid_request_error", "param": "max_tokens", "code": "unsupported_parameter", "more": "x" * 400,
}}, indent=2)  # fmt: skip


def reasons(handler, request) -> None:
    """A model that reasons: it wants another name of the limit, and thinks before it answers."""
    if "max_completion_tokens" in request.body:
        says("ANSWER: A", "stop", (20, 700), reasoning_content="Hm.")(handler, request)
    else:
        status(400, NO_LIMIT)(handler, request)


def test_a_limit_by_another_name_is_found_once(serve):
    server = serve(reasons)
    model = address(server.url, tokens=800, at_once=1, tries=1)
    for said in answers(model, [prompt(f"Q{k}") for k in range(5)]):
        assert (said.text, said.tokens_out, said.problem) == ("ANSWER: A", 700, "")
    assert ["max_tokens" in body for body in server.bodies] == [True] + [False] * 5
    assert {body.get("max_completion_tokens", 800) for body in server.bodies} == {800}


def test_questions_that_were_on_their_way_together_find_it_too(serve):
    together = threading.Barrier(4)

    def act(handler, request):
        if "max_tokens" in request.body:
            together.wait(20)
        reasons(handler, request)

    server = serve(act)
    told = answers(address(server.url, at_once=4), [prompt(f"Q{k}") for k in range(8)])
    assert [said.problem for said in told] == [""] * 8 and len(server.requests) == 12


def test_a_limit_that_is_wrong_by_either_name_is_told(serve):
    server = serve(status(400, "max_tokens is too large: use max_completion_tokens of 10 at most"))
    said = answer(server.url, tries=5)
    assert "too large" in said.problem and len(server.requests) == 2


# Pictures


def _picture(shade: int) -> bytes:
    import numpy as np

    return png.pack(np.full((8, 8, 3), shade, np.uint8))


def test_pictures_stand_in_their_places(serve):
    server, pictures = serve(says()), tuple(map(_picture, (10, 200)))
    answer(server.url, prompt("First [picture 2], then\n[picture 1] and what?", pictures=pictures))
    parts = server.bodies[0]["messages"][0]["content"]
    assert [part["type"] for part in parts] == ["text", "image_url", "text", "image_url", "text"]
    assert [part["text"] for part in parts[::2]] == ["First", ", then", "and what?"]
    for part, picture in zip(parts[1::2], pictures[::-1], strict=True):
        kind, _, data = part["image_url"]["url"].partition(",")
        assert kind == "data:image/png;base64" and base64.b64decode(data) == picture
    assert messages(prompt("no picture"))[0]["content"] == "no picture"


def test_a_model_without_eyes_is_named(serve):
    server = serve(status(400, "x" * 900 + "Invalid content type: image_url is not supported" + "y" * 900))
    said = answer(server.url, prompt("[picture 1]", pictures=(_picture(1),)))
    assert said.problem.startswith("m takes no pictures (400 of") and is_a_sentence(said.problem)
    assert "pictures" not in answer(server.url).problem


def test_a_model_that_completes_gets_no_pictures(serve):
    server = serve(completes(" A"))
    with pytest.raises(InputError, match="pictures"):
        answer(server.url, prompt("[picture 1]", pictures=(_picture(1),)), chat=False)
    assert not server.requests


# Probabilities


def test_probabilities_are_those_of_the_endings(serve):
    server, asked = serve(tells), likely()
    said = answer(server.url, asked)
    for log, size, ending in zip(said.logs, said.sizes, asked.endings, strict=True):
        assert math.isclose(log, -sum(map(ord, ending)) / 100) and size == len(ending)
    settings = {"model": "m", "temperature": 0.0, "max_tokens": 1, "echo": True, "logprobs": 1}
    assert server.bodies == [settings | {"prompt": asked.text + ending} for ending in asked.endings]
    assert {request.path for request in server.requests} == {"/v1/completions"}


@pytest.mark.parametrize("more", [[], [-0.25]], ids=["nothing new", "a new token"])
def test_a_token_over_the_edge_counts_for_the_ending(serve, more):
    """The text "ab" goes on with "cd" or "c": tokens a, bc and d, or a and bc."""
    acts = {"abcd": _choice([None, -1.0, -2.0, *more], [0, 1, 3, *[4] * len(more)]),
            "abc": _choice([None, -1.5, *more], [0, 1, *[3] * len(more)])}  # fmt: skip
    server = serve(by_text({text: status(200, content) for text, content in acts.items()}))
    said = answer(server.url, likely("ab", ("cd", "c")))
    assert (said.logs, said.sizes) == ((-3.0, -1.5), (2, 1))


@pytest.mark.parametrize(
    "choice",
    [{"text": "x"}, {"logprobs": None}, {"logprobs": {"content": []}},
     {"logprobs": {"token_logprobs": [], "text_offset": []}},
     {"logprobs": {"token_logprobs": [-1.0], "text_offset": [0]}},
     {"logprobs": {"token_logprobs": [-1.0], "text_offset": [18]}}],
    ids=["a text", "null", "the form of chats", "no token", "the new token", "the new token in its place"],
)  # fmt: skip
def test_an_address_without_probabilities_says_so(serve, choice):
    with pytest.raises(InputError, match="without probabilities of the prompt.*--how text") as told:
        answer(serve(status(200, {"choices": [choice]})).url, likely())
    assert is_a_sentence(str(told.value))


@pytest.mark.parametrize("reason", ["`echo` is not supported", {"error": "unknown field: logprobs"}])
def test_an_address_that_refuses_to_give_probabilities_is_asked_once(serve, reason):
    server = serve(status(400, reason))
    with pytest.raises(InputError, match="400 of .*--how text") as told:
        answers(address(server.url, at_once=1), [likely(f"Name {k}:") for k in range(5)])
    assert is_a_sentence(str(told.value)) and len(server.requests) == 1


def _choice(logs, places) -> dict:
    return {"choices": [{"index": 0, "logprobs": {"token_logprobs": logs, "text_offset": places}}]}


GOOD = [0, 5, 13]
ODD = {
    "none": {"choices": []},
    "two": {"choices": _choice([None, -1.0, -2.0], GOOD)["choices"] * 2},
    "fewer logs than tokens": _choice([None, -1.0], GOOD),
    "more logs than tokens": _choice([None, -1.0, -2.0, -3.0], GOOD),
    "no token of the ending": _choice([None, -1.0, -2.0], [0, 20, 30]),
    "words for logs": _choice([None, -1.0, "low"], GOOD),
    "NaN in words": _choice([None, -1.0, "NaN"], GOOD),
    "infinity in words": _choice([None, -1.0, "-inf"], GOOD),
    "null for the last": _choice([None, -1.0, None], GOOD),
    "a sum that is too large": _choice([None, -1.0, *[-1e308] * 5], [0, 5, *range(13, 18)]),
    "a probability over 1": _choice([None, -1.0, 5.0], GOOD),
    "logs in a text": _choice("abc", GOOD),
    "logs by name": _choice({"a": 1, "b": 2, "c": 3}, GOOD),
    "places in a text": _choice([None, -1.0, -2.0], "abc"),
    "places by name": _choice([None, -1.0, -2.0], {"a": 1, "b": 2, "c": 3}),
    "places of words": _choice([None, -1.0, -2.0], ["a", "b", "c"]),
    "a number of logs": _choice(5, GOOD),
    "a list for both": {"choices": [{"logprobs": [1, 2]}]},
    "a text": {"choices": ["a"]},
}


@pytest.mark.parametrize("name", ODD)
def test_probabilities_that_are_none_are_told(serve, name):
    said = answer(serve(status(200, ODD[name])).url, likely())
    assert is_a_sentence(said.problem) and not said.logs and read(likely(), said).outcome == "failed"


def test_an_ending_that_fails_fails_the_question_and_is_paid(serve):
    """The first ending is answered, the second never: no probability is left, and what the first cost is counted."""
    first = {"choices": likelihoods("A cube. Name: pado"), "usage": {"prompt_tokens": 6, "completion_tokens": 1}}
    server = serve(by_text({"A cube. Name: pado": status(200, first), "A cube. Name: tif gup": status(500, "busy")}))
    model = address(server.url, prices=Prices(1e6, 1e6))
    (said,) = answers(model, [likely()])
    assert is_a_sentence(said.problem) and not said.logs
    assert (said.tokens_in, said.tokens_out, said.cost, model.spent) == (6, 1, 7.0, 7.0)
    assert server.counts() == {"A cube. Name: pado": 1, "A cube. Name: tif gup": 3}


# Keys


@pytest.mark.parametrize("where", ["argument", "environment", "with a line end"])
def test_a_key_is_sent_and_never_shown(serve, monkeypatch, where):
    server = serve(says())
    if where != "argument":
        monkeypatch.setenv(KEY, SECRET + "\r\n" * (where == "with a line end"))
    model = address(server.url, key=SECRET if where == "argument" else "")
    assert answers(model, [prompt()])[0].text == "ANSWER: A"
    assert {name.lower(): value for name, value in server.requests[0].headers.items()}["authorization"] == (
        f"Bearer {SECRET}"
    )
    assert SECRET not in repr(model) + str(model) + json.dumps(dict(model.identity)) + model.name


@pytest.mark.parametrize("key", ["se\ncret-key-of-mine", "ключ-который-никто", "se\x00cret-key-of-mine"])
def test_a_key_that_cannot_be_sent_is_told_without_it(key):
    with pytest.raises(InputError) as told:
        address("http://127.0.0.1:9/v1", key=key)
    assert KEY in str(told.value) and not any(piece in str(told.value) for piece in ("cret", "ключ", "mine"))


def test_a_key_that_the_server_repeats_is_stored_nowhere(serve, tmp_path):
    """A server that answers with all that it was told, in every way that there is."""

    def echoes(handler, request) -> None:
        told = f"Authorization: Bearer {SECRET}"
        {
            "text": says(f"ANSWER: A {told}"), "end": says("ANSWER: A", told), "page": status(200, f"<p>{told}"),
            "object": says({"told": told}), "busy": status(500, told), "bad": status(400, {"error": told}),
            "long": status(422, "x" * (2000 - len(told) + 9) + told + "x" * 50),
            "severed": raw(f"HTTP/1.1 200 OK\r\n{told}\r\n{told[:30]}".encode()),
            "false": raw(f"HTTP/1.1 {told}\r\n\r\n".encode()),
        }[request.text](handler, request)  # fmt: skip

    names = ["text", "end", "page", "object", "busy", "bad", "long", "severed", "false"]
    file = tmp_path / "answers.sqlite"
    recording = Recording(Kept(address(serve(echoes).url, key=SECRET, at_once=2), Answers(file)))
    told = answers(recording, [prompt(name) for name in names])
    assert [bool(said.problem) for said in told] == [False] * 2 + [True] * 7
    recording.write(tmp_path / "transcript.jsonl", by="a test")
    stored = repr(told) + (tmp_path / "transcript.jsonl").read_text()
    stored += "".join(path.read_bytes().decode("latin-1") for path in tmp_path.iterdir())
    parts = [SECRET[:k] for k in range(12, len(SECRET))]
    assert "ANSWER: A" in stored and not [part for part in parts if part in stored]


@pytest.mark.parametrize(
    "url",
    ["http://me:hunter22@127.0.0.1:9/v1", "http://hunter22@127.0.0.1:9/v1", "https://127.0.0.1:9/v1?key=hunter22",
     "https://127.0.0.1:9/v1?hunter22", "https://127.0.0.1:9/v1#hunter22"],
)  # fmt: skip
def test_an_address_with_a_secret_in_it_is_refused_without_it(url):
    with pytest.raises(InputError, match=f"127.0.0.1.*{KEY}") as told:
        Address(url, "m")
    assert "hunter22" not in str(told.value)


@pytest.mark.parametrize(
    "url", ["", "here", "ftp://here/v1", "http://", "//here", "http://[::1", "http://h:port/v1", 7]
)
def test_what_is_no_address_is_told(url):
    with pytest.raises(InputError, match="http://") as told:
        Address(url, "m")
    assert is_a_sentence(str(told.value))


@pytest.mark.parametrize("name", ["at_once", "tokens", "tries"])
def test_settings_below_one_are_told(name):
    with pytest.raises(InputError, match=f"{name}=0"):
        Address("http://127.0.0.1:9/v1", "m", **{name: 0})


# Many at once


def test_as_many_are_on_their_way_as_may_be(serve):
    """Each answer waits until four questions are there: fewer would never be answered."""
    together = threading.Barrier(4)

    def act(handler, request):
        together.wait(20)
        says("ANSWER: B")(handler, request)

    server = serve(act)
    begun = []
    pairs = address(server.url, at_once=4).say([prompt(f"Q{k}") for k in range(16)], begun.append)
    assert {number: said.text for number, said in pairs} == dict.fromkeys(range(16), "ANSWER: B")
    assert server.most_within == 4 and len(server.requests) == 16 and begun == list(range(16))


def test_more_than_a_hundred_may_be_on_their_way(serve):
    together = threading.Barrier(101)

    def act(handler, request):
        together.wait(30)
        says()(handler, request)

    server = serve(act)
    assert not [
        s for s in answers(address(server.url, at_once=101), [prompt(f"Q{k}") for k in range(101)]) if s.problem
    ]
    assert server.most_within == 101


def test_each_question_is_begun_before_it_is_sent_and_the_next_only_when_there_is_room(serve):
    server, begun = serve(says()), []
    for count, (number, _) in enumerate(
        address(server.url, at_once=1).say([prompt(f"Q{k}") for k in range(5)], begun.append)
    ):
        assert begun == list(range(count + 1)) and number == count and len(server.requests) == count + 1


def test_who_stops_listening_stops_the_asking(serve):
    server = serve(says())
    pairs = address(server.url, at_once=2).say([prompt(f"Q{k}") for k in range(50)])
    next(pairs)
    pairs.close()
    assert len(server.requests) <= 4 and not [t for t in threading.enumerate() if t.name.startswith("cogkit-lm")]


def test_every_question_of_a_mixed_run_has_its_outcome(serve):
    cut = b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"
    plan = [
        *[(says(f"Hm.\n**ANSWER: {letter}**"), "answered") for letter in "ABABABABABABAB"],
        *[(in_turn(status(429, Retry_After="0"), status(503), says("ANSWER: A")), "answered")] * 3,
        *[(in_turn(raw(cut), says("ANSWER: A")), "answered")] * 2,
        (says("ANSWER: B", "length"), "answered"),
        (says([{"type": "text", "text": "tif"}]), "answered"),
        *[(says(""), "unparsed")] * 3,
        (says("pado or tif"), "unparsed"),
        (says(None), "unparsed"),
        *[(says("I'm sorry, I can't."), "refused")] * 2,
        (says("", "content_filter"), "refused"),
        (says(None, refusal="No."), "refused"),
        *[(says("The cube", "length"), "truncated")] * 3,
        (says("", "length"), "truncated"),
        (status(500), "failed"),
        (status(429), "failed"),
        (status(400, "context length exceeded"), "failed"),
        (status(200, "<html>"), "failed"),
        (raw(b""), "failed"),
        (status(200, {"error": "overloaded"}), "failed"),
    ]  # fmt: skip
    assert len(plan) == 40
    server = serve(by_text({f"Q{k}": act for k, (act, _) in enumerate(plan)}))
    prompts = [prompt(f"Q{k}") for k in range(40)]
    replies = [read(p, said) for p, said in zip(prompts, answers(address(server.url, at_once=5), prompts), strict=True)]
    assert [reply.outcome for reply in replies] == [outcome for _, outcome in plan]
    table = outcomes(replies).set_index("outcome")["n"].to_dict()
    assert table == Counter(outcome for _, outcome in plan) == {
        "answered": 21, "unparsed": 5, "refused": 4, "truncated": 4, "failed": 6
    }  # fmt: skip
    assert len(server.requests) == 40 + 3 * 2 + 2 + 3 * 2  # those that were asked again, three times at most
    assert all(is_a_sentence(reply.said.problem) for reply in replies if reply.outcome == "failed")


# What it costs


def words(text: str) -> int:
    """Return a number of tokens as real tokenizers would have: one for four letters."""
    return math.ceil(len(text) / 4)


def counts(longest: bool):
    """Return an act that counts tokens, and answers with as many as it may or with five."""

    def act(handler, request):
        body = request.body
        if "prompt" in body:
            tokens_in = words(body["prompt"])
        else:
            turns = [turn["content"] for turn in body["messages"]]
            parts = [part for turn in turns for part in (turn if isinstance(turn, list) else [{"text": turn}])]
            tokens_in = sum(words(part["text"]) if "text" in part else 765 for part in parts)
        usage = {"prompt_tokens": tokens_in, "completion_tokens": body["max_tokens"] if longest else 5}
        choices = [{"text": "A", "message": {"content": "ANSWER: A"}}]
        if body.get("echo"):
            choices = likelihoods(body["prompt"])
            usage["completion_tokens"] = 1
        handler.send(200, json.dumps({"choices": choices, "usage": usage}).encode(), {})

    return act


KINDS = {
    "chat": ({}, [prompt("Which name fits the red cube? " * k) for k in range(1, 12)]),
    "turns": ({}, [Prompt("0", (("system", "Be brief. " * k), ("user", "?")), ("a", "b")) for k in range(1, 9)]),
    "completes": ({"chat": False}, [prompt("Which name fits the red cube? " * k) for k in range(1, 12)]),
    "pictures": ({}, [prompt("Look: [picture 1] or [picture 2]?", pictures=(b"1", b"2"))] * 3),
    "endings": ({}, [likely("A small red glass cube. Name:" * k, (" pado", " tif gup" * 9)) for k in range(1, 9)]),
}  # fmt: skip


@pytest.mark.parametrize("longest", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_an_estimate_is_never_exceeded(serve, kind, longest):
    settings, prompts = KINDS[kind]
    model = address(serve(counts(longest)).url, tokens=40, prices=Prices(3.0, 15.0), **settings)
    tokens_in, tokens_out, cost = model.estimate(prompts)
    told = answers(model, prompts)
    assert not [said.problem for said in told if said.problem]
    assert (
        0 < sum(said.tokens_in for said in told) <= tokens_in < 3 * sum(said.tokens_in for said in told)
        or kind == "pictures"
    )
    assert sum(said.tokens_in for said in told) <= tokens_in and sum(said.tokens_out for said in told) <= tokens_out
    assert model.spent == pytest.approx(sum(said.cost for said in told)) and 0 < model.spent <= cost


def test_prices_are_of_a_million_tokens():
    assert Prices(2.0, 8.0).of(1_500_000, 250_000) == 5.0 and Prices().of(10**9, 10**9) == 0
    for price in (-1.0, math.nan, math.inf):
        with pytest.raises(InputError, match="price"):
            Prices(0.0, price)


@pytest.mark.parametrize("at_once", [1, 4])
@pytest.mark.parametrize(
    ("act", "room", "least", "most"),
    [
        (counts(longest=True), 10.5, 10, 11),  # each costs nearly as much as it may
        (counts(longest=False), 3.0, 12, 14),  # each costs 99 where it might have cost 633
        (says(usage=None), 10.5, 10, 10),  # nobody knows what each has cost: the most that it may
    ],
)
def test_asking_stops_before_it_costs_more_and_keeps_what_it_has(serve, tmp_path, at_once, act, room, least, most):
    server, prompts = serve(act), [prompt(f"Which name fits the red cube {k:02}?") for k in range(20)]
    one = address(server.url, tokens=40, prices=Prices(3.0, 15.0)).estimate(prompts[:1])[2]
    model = address(server.url, tokens=40, prices=Prices(3.0, 15.0), most=room * one, at_once=at_once)
    kept = Kept(model, Answers(tmp_path / "answers.sqlite"))
    with pytest.raises(Stopped, match="all answers so far are kept") as told:
        answers(kept, prompts)
    assert is_a_sentence(str(told.value)) and model.spent <= model.most
    assert least <= len(server.requests) <= most and len(kept.missing(prompts)) == 20 - len(server.requests)
    model.most = None
    assert len(answers(kept, prompts)) == 20 and len(server.requests) == 20  # what was kept was not asked again


def test_what_can_cost_too_much_alone_is_not_sent(serve):
    server = serve(says())
    with pytest.raises(Stopped):
        answer(server.url, prices=Prices(1e6, 1e6), most=1.0)
    assert not server.requests
    assert answer(server.url, prices=Prices(), most=0.0).text == "ANSWER: A"  # what costs nothing may be asked
