"""Addresses, good and bad: what one says is read or told in a sentence, and never waited for without end."""

from __future__ import annotations

import base64
import json
import math
import threading

import anyio
import numpy as np
import pytest
from cases import case
from lm.speaking import PIECES, by_text, chat, in_turn, likelihoods, raw, says, serving, slow, status, tells

from cogkit.core.errors import InputError
from cogkit.data import png
from cogkit.extras.models.lm.address import KEY, Address, messages
from cogkit.extras.models.lm.cache import CachedModel, CompletionCache
from cogkit.extras.models.lm.prompts import Prompt
from cogkit.extras.models.lm.replies import Completion, parse
from cogkit.extras.models.lm.transcript import Recording

SECRET = "sk-proj-T0pSecret/9_8-7+6="
NOBODY = "http://127.0.0.1:9/v1"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
LENGTH = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"


def prompt(text: str = "Which name?", **fields) -> Prompt:
    return Prompt("0", (("user", text),), fields.pop("options", ("pado", "tif")), labelled=True, **fields)


def likely(text: str = "A cube. Name:", endings: tuple[str, ...] = (" pado", " tif gup")) -> Prompt:
    return Prompt("0", (("user", text),), endings, endings)


def address(url: str, **settings) -> Address:
    """Return an address that is given up soon."""
    return Address(url, "m", **({"seconds": 20.0, "tries": 3, "longest_wait": 0.0} | settings))


def answers(participant, prompts) -> list[Completion]:
    """Return what came back for each prompt, in their order; everything comes back, once."""
    pairs = [*participant.complete(prompts)]
    assert sorted(number for number, _ in pairs) == list(range(len(prompts)))
    return [completion for _, completion in sorted(pairs, key=lambda pair: pair[0])]


def choice(logs, places) -> dict:
    """Return the content of an answer with probabilities."""
    return {"choices": [{"index": 0, "logprobs": {"token_logprobs": logs, "text_offset": places}}]}


def answer(url: str, question: Prompt | None = None, **settings) -> Completion:
    return answers(address(url, **settings), [question or prompt()])[0]


def each(serve, acts, **settings):
    """Return a server that does one act for each question, and what came back for each, by its name."""
    server = serve(by_text(acts))
    came = answers(address(server.url, **settings), [prompt(name) for name in acts])
    return server, dict(zip(acts, came, strict=True))


def is_a_sentence(text: str) -> bool:
    return bool(text) and len(text) <= 300 and text.isprintable()


# What an answer says


def test_an_answer_is_taken_as_it_came_and_settings_are_sent_as_they_are(serve):
    server = serve(says("I think.\nANSWER: B", "stop", (120, 7)))
    turns = (("system", "Be brief."), ("user", "One?"), ("assistant", "ANSWER: A"), ("user", "Two?"))
    completion = answer(server.url + "/", Prompt("0", turns, ("a", "b")), temperature=None, tokens=7, prices=(2.0, 10))
    assert (completion.text, completion.end, completion.problem) == ("I think.\nANSWER: B", "stop", "")
    assert (completion.tokens_in, completion.tokens_out) == (120, 7) and completion.seconds > 0
    assert completion.cost == pytest.approx(310e-6)
    many = [{"role": role, "content": text} for role, text in turns]
    assert server.bodies == [{"model": "m", "max_tokens": 7, "messages": many}]
    (request,) = server.requests
    assert request.path == "/v1/chat/completions" and "authorization" not in map(str.lower, request.headers)
    # A model that completes finds the beginning of its answer.
    server = serve(status(200, {"choices": [{"text": " B", "finish_reason": "stop"}]}))
    assert answer(server.url, chat=False, tokens=9).text == " B" and server.requests[0].path == "/v1/completions"
    fields = {"model": "m", "temperature": 0.0, "max_tokens": 9, "prompt": "Which name?\n\nANSWER:", "stop": ["\n"]}
    assert server.bodies == [fields]


MESSAGES = [  # what a choice holds, and what is read
    (chat([{"type": "text", "text": "ANS"}, {"type": "x"}, {"text": "WER: B"}]), "ANSWER: B", "stop"),
    (chat(None, "tool_calls", tool_calls=[{"id": 1}]), "", "tool_calls"),
    (chat(None, "stop", refusal="I can't help."), "I can't help.", "refusal"),
    (chat("", "length", reasoning="So it is C, ANSWER: C"), "", "length"),
    (chat("\x00 é \u2028"), "\x00 é \u2028", "stop"),
    ({"choices": [{"message": {"content": "B"}}, {"message": {"content": "C"}}]}, "B", ""),
]
USAGES = [None, {"prompt_tokens": None}, {"prompt_tokens": 3, "completion_tokens": 90, "details": {"reasoning": 89}}]


def test_answers_of_other_servers_are_read_too(serve):
    _, came = each(serve, {str(content): status(200, content) for content, _, _ in MESSAGES})
    for content, text, end in MESSAGES:
        with case(content):
            completion = came[str(content)]
            assert (completion.text, completion.end, completion.problem) == (text, end, "")
    _, came = each(serve, {str(usage): status(200, chat() | {"usage": usage}) for usage in USAGES})
    assert [(one.tokens_in, one.tokens_out) for one in came.values()] == [(0, 0), (0, 0), (3, 90)]


HOLDING = b'{"choices": [{"message": {"content": %b}}]}'
BROKEN = [b"", b"<html>", b"[]", HOLDING % b'"\xff\xfe"', HOLDING[:40], HOLDING % b'"B"' * 2]
BROKEN += [HOLDING % (b"[" * n + b"]" * n) for n in (600, 10**5)] + [HOLDING % b'"B", "x": NaN']
BROKEN += [{"choices": choices} for choices in ([], "ANSWER: A", [None], [{}], [{"message": "B"}])]
BROKEN += [*map(chat, (7, {"text": "B"}, "\ud83d")), chat("B", end=[7]), {"error": {"message": "overloaded"}}]
BROKEN += [chat(usage=pair) for pair in ((-1, 0), (0, 2**60), ("12", 0), (True, 0))] + [b" " * 11_000_000]
GOOD = [0, 5, 13]
LOGS = [[None, -1.0], [None, -1.0, -2.0, -3.0], "abc", *([None, -1.0, last] for last in ("low", "-inf", None, 5.0))]
ODD = [*(choice(logs, GOOD) for logs in LOGS), *(choice([None, -1.0, -2.0], places) for places in ([0, 20, 30], "abc"))]
ODD += [choice([None, -1.0, *[-1e308] * 5], [0, 5, *range(13, 18)])]  # their sum is too large
ODD += [{"choices": choices} for choices in ([], ["a"])]


def test_what_is_no_answer_or_no_probability_is_told_in_a_sentence(serve):
    contents = [(prompt, content) for content in BROKEN] + [(likely, content) for content in ODD]
    server = serve(lambda handler, request: status(200, contents[request.number][1])(handler, request))
    prompts = [make() for make, _ in contents]
    came = answers(address(server.url, at_once=1, key=SECRET), prompts)
    for question, (_, content), completion in zip(prompts, contents, came, strict=True):
        with case(content[:60] if isinstance(content, bytes) else content):
            assert is_a_sentence(completion.problem) and server.url in completion.problem
            assert not completion.text and not completion.logs and parse(question, completion).outcome == "failed"
    assert len(server.requests) == len(contents)


# Addresses that fail, or want to be asked again

BUSY = (408, 409, 425, 429, 500, 502, 503, 504, 520, 524, 529)
FOR_GOOD = (301, 204, 400, 413, 418, 422, 501)
CLOSED = (401, 402, 403, 404, 405)
SEVERED = {
    "before the answer": (b"",),
    "in the answer": (LENGTH, b'{"choices": ['),
    "in a piece": (CHUNKED, b'10\r\n{"cho'),
    "no HTTP": (b"\x16\x03\x01\x00\xa5hello\r\n\r\n",),
    "false compression": (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",),
    "a header without end": (b"HTTP/1.1 200 OK\r\nX: ", b"x" * 300_000),
}


def test_who_is_busy_or_breaks_a_connection_is_asked_again_and_one_that_stays_so_is_given_up(serve):
    faults = {str(code): status(code, "<html>\n<h1>Sorry,\tno</h1>\n" + "x" * 9_000) for code in BUSY}
    faults |= {name: raw(*pieces) for name, pieces in SEVERED.items()}
    acts = {name: in_turn(act, says("ANSWER: B")) for name, act in faults.items()}
    server, came = each(serve, acts | {f"{name}, always": act for name, act in faults.items()})
    counts = server.counts()
    for name in faults:
        with case(name):
            assert came[name].text == "ANSWER: B" and (counts[name], counts[f"{name}, always"]) == (2, 3)
            completion = came[f"{name}, always"]
            assert is_a_sentence(completion.problem) and completion.problem.endswith("(asked 3 times)")
            assert name in SEVERED or completion.problem.startswith(f"{name} of {server.url}: <html>")
            assert parse(prompt(), completion).outcome == "failed"


def test_what_this_question_cannot_have_is_told_at_once_and_what_no_question_can_ends_the_run(serve):
    server, came = each(serve, {str(code): status(code, b"" if code == 204 else "too long") for code in FOR_GOOD})
    for code, completion in came.items():
        assert is_a_sentence(completion.problem) and f"{code} of {server.url}" in completion.problem
    assert set(server.counts().values()) == {1}
    for code in CLOSED:
        server = serve(status(code, {"error": f"no such model, {SECRET}"}))
        with case(code), pytest.raises(InputError, match=f"{code} of {server.url}.*{KEY}") as error:
            answer(server.url, key=SECRET)
        assert is_a_sentence(str(error.value)) and SECRET not in str(error.value) and len(server.requests) == 1


def test_answers_on_their_way_are_kept_when_the_run_ends(serve, tmp_path):
    """One question is refused for good while others are being answered: those are paid for.

    A client may read some answers before the refusal, and ask on until then.
    """
    refused = threading.Event()

    def act(handler, request):
        if request.text == "Q3":
            status(402, "no money left")(handler, request)
            refused.set()
        else:
            assert refused.wait(20)
            says("ANSWER: A")(handler, request)

    server, prompts = serve(act), [prompt(f"Q{k}") for k in range(20)]
    cache = CachedModel(address(server.url, at_once=8), CompletionCache(tmp_path / "answers.sqlite"))
    with pytest.raises(InputError, match="no money left"):
        answers(cache, prompts)
    assert 8 <= len(server.requests) < 20 and len(cache.missing(prompts)) == 20 - (len(server.requests) - 1)


def test_nobody_there_is_told_and_who_answered_once_may_come_back():
    with pytest.raises(InputError, match=r"no server at http://127.0.0.1:9/v1 \(.*: start the server") as error:
        answer(NOBODY)
    assert is_a_sentence(str(error.value))
    with serving(says()) as server:
        model = address(server.url, at_once=1)
        answers(model, [prompt("Q0")])
    problem = answers(model, [prompt("Q1")])[0].problem
    assert problem.startswith(f"no answer of {server.url} (ConnectError") and "(asked 3 times)" in problem


SLOW = {
    "of a known length": (LENGTH, [b" "] * PIECES),
    "in its headers": (b"HTTP/1.1 200 OK\r\nX: ", [b"x"] * PIECES),
    "of promises": (b"", [b"HTTP/1.1 100 Continue\r\n\r\n"] * PIECES),
}


def test_an_answer_that_drips_is_not_waited_for_and_in_nobodys_way(serve):
    acts = {name: slow(*pieces) for name, pieces in SLOW.items()}
    server, came = each(serve, acts, seconds=0.3, tries=2)
    for name, completion in came.items():
        with case(name):
            assert is_a_sentence(completion.problem) and "(not whole in 0.3 s)" in completion.problem
            assert completion.problem.endswith("(asked 2 times)")
    assert server.idle() and server.patient == 0
    _, came = each(serve, acts | {"Q": says()}, seconds=0.3, tries=1, at_once=1)
    assert [bool(completion.problem) for completion in came.values()] == [True] * len(SLOW) + [False]


# How long to wait

ASKED = {"7": 7, "0": 0, "1.5": 1.5, "9" * 400: 60, "-3": None, "NaN": None, "soon": None, "": None}


def test_a_busy_address_says_how_long_to_wait_and_else_pauses_double_and_have_an_end(serve, monkeypatch):
    """Nothing is waited for here, but noted."""
    waits: list[float] = []

    async def noted(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(anyio, "sleep", noted)
    acts = {retry_after: in_turn(status(429, "busy", Retry_After=retry_after), says()) for retry_after in ASKED}
    _, came = each(serve, acts, longest_wait=60.0, at_once=1)
    assert {completion.text for completion in came.values()} == {"ANSWER: A"}
    for (retry_after, seconds), wait in zip(ASKED.items(), waits, strict=True):
        with case(retry_after):
            assert 0.25 <= wait <= 0.5 if seconds is None else wait == seconds
    waits.clear()
    assert answer(serve(status(500)).url, tries=9, longest_wait=20.0).problem and len(waits) == 8
    assert all(0.25 * 2**k <= wait <= 0.5 * 2**k for k, wait in enumerate(waits[:6])) and waits[7] == 20.0


# Models that want something else


def test_a_limit_by_another_name_is_found_once(serve):
    message = "'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    wrong, thought = status(400, {"error": {"message": message, "more": "x" * 400}}), says(usage=(20, 700))
    server = serve(lambda *arguments: (thought if "max_completion_tokens" in arguments[1].body else wrong)(*arguments))
    for completion in answers(address(server.url, tokens=800, at_once=1, tries=1), [prompt(f"Q{k}") for k in range(5)]):
        assert (completion.text, completion.tokens_out, completion.problem) == ("ANSWER: A", 700, "")
    assert ["max_tokens" in body for body in server.bodies] == [True] + [False] * 5
    assert {body.get("max_completion_tokens", 800) for body in server.bodies} == {800}
    server = serve(status(400, "max_tokens is too large: use max_completion_tokens of 10 at most"))
    assert "too large" in answer(server.url, tries=5).problem and len(server.requests) == 2


def test_pictures_stand_in_their_places(serve):
    server, pictures = serve(says()), tuple(png.pack(np.full((8, 8, 3), shade, np.uint8)) for shade in (10, 200))
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
    seen = prompt("[picture 1]", pictures=(b"1",))
    problem = answer(server.url, seen).problem
    assert problem.startswith("m takes no pictures (400 of") and is_a_sentence(problem)
    assert "pictures" not in answer(server.url).problem


# Probabilities


def test_probabilities_are_those_of_the_endings(serve):
    server, question = serve(tells), likely()
    completion = answer(server.url, question)
    for log, size, ending in zip(completion.logs, completion.sizes, question.endings, strict=True):
        assert math.isclose(log, -sum(map(ord, ending)) / 100) and size == len(ending)
    settings = {"model": "m", "temperature": 0.0, "max_tokens": 1, "echo": True, "logprobs": 1}
    assert server.bodies == [settings | {"prompt": question.text + ending} for ending in question.endings]
    assert {request.path for request in server.requests} == {"/v1/completions"}


def test_a_token_over_the_edge_counts_for_the_ending(serve):
    """The text "ab" goes on with "cd" or "c": tokens a, bc and d, or a and bc; a new token may stand behind them."""
    for more in ([], [-0.25]):
        both = choice([None, -1.0, -2.0, *more], [0, 1, 3, *[4] * len(more)])
        one = choice([None, -1.5, *more], [0, 1, *[3] * len(more)])
        server = serve(by_text({"abcd": status(200, both), "abc": status(200, one)}))
        completion = answer(server.url, likely("ab", ("cd", "c")))
        assert (completion.logs, completion.sizes) == ((-3.0, -1.5), (2, 1))


def test_an_address_without_probabilities_says_so_and_is_asked_once(serve):
    none = [{"text": "x"}, {"logprobs": {"content": []}}]  # the second is the form of chats
    none += [{"logprobs": {"token_logprobs": [-1.0], "text_offset": [18]}}]  # of the new token alone
    acts = [(status(200, {"choices": [one]}), "without probabilities of the prompt") for one in none]
    for act, wanted in [*acts, (status(400, "`echo` is not supported"), "400 of ")]:
        server = serve(act)
        with pytest.raises(InputError, match=f"{wanted}.*--how text") as error:
            answers(address(server.url, at_once=1), [likely(f"Name {k}:") for k in range(3)])
        assert is_a_sentence(str(error.value)) and len(server.requests) == 1


def test_an_ending_that_fails_fails_the_question_and_is_paid(serve):
    """The first ending is answered, the second never: no probability is left, and what the first cost is counted."""
    first = {"choices": likelihoods("A cube. Name: pado"), "usage": {"prompt_tokens": 6, "completion_tokens": 1}}
    server = serve(by_text({"A cube. Name: pado": status(200, first), "A cube. Name: tif gup": status(500, "busy")}))
    model = address(server.url, prices=(1e6, 1e6))
    (completion,) = answers(model, [likely()])
    assert is_a_sentence(completion.problem) and not completion.logs
    assert (completion.tokens_in, completion.tokens_out, completion.cost, model.spent) == (6, 1, 7.0, 7.0)
    assert server.counts() == {"A cube. Name: pado": 1, "A cube. Name: tif gup": 3}


# Keys and addresses


def test_a_key_that_the_server_repeats_is_stored_nowhere(serve, tmp_path):
    """A server that answers with all that it was told, in every way that there is."""
    header = f"Authorization: Bearer {SECRET}"
    acts = {
        "text": says(f"ANSWER: A {header}"),
        "end": says("ANSWER: A", header),
        "page": status(200, f"<p>{header}"),
        "object": says({"told": header}),
        "busy": status(500, header),
        "bad": status(400, {"error": header}),
        "long": status(422, "x" * (2000 - len(header) + 9) + header + "x" * 50),
        "severed": raw(f"HTTP/1.1 200 OK\r\n{header}\r\n{header[:30]}".encode()),
        "false": raw(f"HTTP/1.1 {header}\r\n\r\n".encode()),
    }
    server = serve(by_text(acts))
    model = address(server.url, key=SECRET, at_once=2)
    assert SECRET not in repr(model) + str(model) + json.dumps(dict(model.identity)) + model.name
    recording = Recording(CachedModel(model, CompletionCache(tmp_path / "answers.sqlite")))
    came = answers(recording, [prompt(name) for name in acts])
    assert [bool(completion.problem) for completion in came] == [False] * 2 + [True] * 7
    headers = {name.lower(): value for name, value in server.requests[-1].headers.items()}
    assert headers["authorization"] == f"Bearer {SECRET}"
    recording.write(tmp_path / "transcript.jsonl", by="a test")
    stored = repr(came) + (tmp_path / "transcript.jsonl").read_text()
    stored += "".join(path.read_bytes().decode("latin-1") for path in tmp_path.iterdir())
    parts = [SECRET[:k] for k in range(12, len(SECRET))]
    assert "ANSWER: A" in stored and not [part for part in parts if part in stored]


def test_what_is_no_address_and_no_key_is_told_without_a_secret():
    wrong = [({"url": url}, "http://") for url in ("", "here", "ftp://h/v1", "http://", "http://[::1", "http://h:p")]
    secrets = ("me:hunter22@127.0.0.1:9/v1", "127.0.0.1:9/v1?key=hunter22", "127.0.0.1:9/v1#hunter22")
    wrong += [({"url": f"http://{rest}"}, KEY) for rest in secrets]
    wrong += [({"key": key}, KEY) for key in ("se\nhunter22", "ключ-hunter22", "se\x00hunter22")]
    for fields, wanted in wrong:
        with case(fields), pytest.raises(InputError) as error:
            Address(**{"url": NOBODY, "model": "m"} | fields)
        text = str(error.value)
        assert is_a_sentence(text) and wanted in text and "hunter22" not in text and "ключ" not in text


# Many at once


def test_as_many_are_on_their_way_as_may_be(serve):
    """Each answer waits until so many questions are there: fewer would never be answered."""
    n = 101
    together = threading.Barrier(n)

    def act(handler, request):
        together.wait(90)
        says("ANSWER: B")(handler, request)

    server, begun = serve(act), []
    pairs = address(server.url, at_once=n, seconds=90.0).complete([prompt(f"Q{k}") for k in range(n)], begun.append)
    assert {number: completion.text for number, completion in pairs} == dict.fromkeys(range(n), "ANSWER: B")
    assert server.most_within == len(server.requests) == n and begun == list(range(n))


def test_each_question_is_begun_before_it_is_sent_and_who_stops_listening_stops_the_asking(serve):
    server, begun, prompts = serve(says()), [], [prompt(f"Q{k}") for k in range(50)]
    for count, (number, _) in enumerate(address(server.url, at_once=1).complete(prompts[:5], begun.append)):
        assert begun == list(range(count + 1)) and number == count and len(server.requests) == count + 1
    pairs = address(server.url, at_once=2).complete(prompts)
    next(pairs)
    pairs.close()
    assert len(server.requests) <= 5 + 4


# What it costs


def test_an_estimate_takes_three_letters_for_a_token_and_the_longest_answers():
    model = Address(NOBODY, "m", tokens=40, prices=(3.0, 15.0))
    chat = Prompt("0", (("system", "Be brief."), ("user", "Which?")), ("a", "b"))
    for question, expected in ((chat, (5, 40)), (prompt("?", pictures=(b"1", b"2")), (3001, 40)), (likely(), (13, 2))):
        assert model.estimate([question]) == (*expected, (3 * expected[0] + 15 * expected[1]) / 1e6)


PAID = [
    (says(usage=(8, 5)), 3.0, 12, 14),  # each costs 99 where it might have cost 633
    (says(usage=None), 10.5, 10, 10),  # nobody knows what each has cost: the most that it may
]


@pytest.mark.parametrize("at_once", [1, 4])
@pytest.mark.parametrize(("act", "room", "least", "most"), PAID)
def test_asking_stops_before_it_costs_more_and_keeps_what_it_has(serve, tmp_path, at_once, act, room, least, most):
    server, prompts = serve(act), [prompt(f"Which name fits the red cube {k:02}?") for k in range(20)]
    one = address(server.url, tokens=40, prices=(3.0, 15.0)).estimate(prompts[:1])[2]
    model = address(server.url, tokens=40, prices=(3.0, 15.0), most=room * one, at_once=at_once)
    cache = CachedModel(model, CompletionCache(tmp_path / "answers.sqlite"))
    with pytest.raises(InputError, match="all answers so far are kept") as error:
        answers(cache, prompts)
    assert is_a_sentence(str(error.value)) and model.spent <= model.most
    assert least <= len(server.requests) <= most and len(cache.missing(prompts)) == 20 - len(server.requests)
    model.most = None
    assert len(answers(cache, prompts)) == 20 and len(server.requests) == 20  # what was kept was not asked again
