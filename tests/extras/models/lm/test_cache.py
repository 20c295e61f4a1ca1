"""Answers on the disk: each is asked for once, under a key of everything that it depends on."""

from __future__ import annotations

import dataclasses
import io
import multiprocessing
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from cases import case
from children import end_with
from PIL import Image

from cogkit.core.errors import InputError
from cogkit.data import database, png
from cogkit.extras.models.lm.cache import CAME, FAILED, SENT, CachedModel, CompletionCache
from cogkit.extras.models.lm.prompts import Prompt
from cogkit.extras.models.lm.replies import Completion


def picture(*shades: int) -> bytes:
    """Return a PNG file of one row of pixels."""
    return png.pack(np.array([[[shade] * 3 for shade in shades]], np.uint8))


PROMPT = Prompt("0", (("user", "Which name?"),), ("pado", "tif"), (" pado", " tif"), (picture(9, 8),), labelled=True)
FULL = Completion("ANSWER: A é\u2028\x00", "stop", (-1.5, -0.1), (1, 2), 120, 7, 0.25, 1.5)


class Counting:
    """A participant that repeats the question, or fails; it remembers what it was asked."""

    name = "counting"

    def __init__(self, identity: Mapping | None = None, fails: tuple[str, ...] = ()) -> None:
        self.identity, self.fails, self.texts = identity or {"model": "counting"}, fails, []

    def complete(self, prompts, begin=lambda number: None):
        for number in reversed(range(len(prompts))):  # in any order
            begin(number)
            self.texts.append(prompts[number].text)
            if prompts[number].text in self.fails:
                yield number, Completion(problem="it was busy")
            else:
                yield number, Completion(f"re: {prompts[number].text}", "stop", seconds=2.0)


def prompts(*texts: str) -> list[Prompt]:
    return [Prompt(f"item {text}", (("user", text),), ("pado", "tif")) for text in texts]


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "answers.sqlite"


def replies(participant, questions) -> list[str]:
    pairs = [*participant.complete(questions)]
    assert sorted(number for number, _ in pairs) == list(range(len(questions)))
    return [completion.text or completion.problem for _, completion in sorted(pairs, key=lambda pair: pair[0])]


def events(answers: CompletionCache) -> list[tuple[str, str]]:
    return [*answers.log()[["item", "event"]].itertuples(index=False, name=None)]


def test_what_is_kept_comes_back_as_it_was_and_the_first_answer_stays(file):
    answers = CompletionCache(file)
    for key, completion in (("1", FULL), ("2", Completion()), ("3", Completion("B"))):
        answers.put(key, "m", PROMPT, completion)
        assert CompletionCache(file).get([key, "another"]) == {key: completion}
    answers.put("3", "m", PROMPT, Completion("C"))
    assert answers.get(["3"])["3"].text == "B" and answers.log().event.tolist() == [CAME] * 4


def test_nothing_is_sent_twice(file):
    model, questions = Counting(), prompts("a", "b", "c")
    cache, wanted = CachedModel(model, CompletionCache(file)), ["re: a", "re: b", "re: c"]
    assert cache.missing(questions) == questions and replies(cache, questions) == wanted
    assert not cache.missing(questions) and cache.name == model.name and cache.identity == model.identity
    another = CachedModel(Counting(), CompletionCache(file))
    assert replies(cache, questions) == replies(another, questions) == wanted
    assert replies(cache, [*prompts("d"), *questions]) == ["re: d", *wanted]
    assert model.texts == ["c", "b", "a", "d"]


def test_a_question_that_is_there_twice_is_asked_once_and_other_settings_are_asked_anew(file):
    model, questions, begun = Counting(), prompts("a", "b", "a", "a", "b"), []
    cache = CachedModel(model, CompletionCache(file))
    assert [prompt.text for prompt in cache.missing(questions)] == ["a", "b"]
    completions = dict(cache.complete(questions, begun.append))
    assert [completions[number].text for number in range(5)] == [f"re: {text}" for text in "abaab"]
    assert model.texts == ["b", "a"] and begun == [1, 0]
    other = Counting({"model": "counting", "temperature": 1.0})
    replies(CachedModel(other, cache.answers), prompts("a"))
    assert other.texts == ["a"]


def test_what_failed_is_asked_again(file):
    model = Counting(fails=("b",))
    cache, questions = CachedModel(model, CompletionCache(file)), prompts("a", "b")
    assert replies(cache, questions) == ["re: a", "it was busy"] and [p.text for p in cache.missing(questions)] == ["b"]
    model.fails = ()
    assert replies(cache, questions) == ["re: a", "re: b"] and model.texts == ["b", "a", "b"]
    log = cache.answers.log()  # every event in its order
    wanted = [("b", SENT), ("b", FAILED), ("a", SENT), ("a", CAME), ("b", SENT), ("b", CAME)]
    assert events(cache.answers) == [(f"item {text}", event) for text, event in wanted]
    assert log.detail.tolist() == ["", "it was busy", *[""] * 4] and log["at"].is_monotonic_increasing


# The key

OTHERS = {"item": "1", "turns": (("user", "Which name? "),), "options": ("tif", "pado"), "labelled": False}
OTHERS |= {"endings": (" pado", "  tif"), "pictures": (picture(9, 7),)}


def test_the_key_changes_with_every_field():
    identity = {"model": "m", "chat": True, "tokens": 1024, "temperature": 0.0}
    assert {*OTHERS, "cue"} == {field.name for field in dataclasses.fields(Prompt)}
    assert dataclasses.replace(PROMPT, cue="Name:").key(identity) == PROMPT.key(identity)  # the text ends with it
    others = [{name: value} for name, value in OTHERS.items()]
    others += [{"turns": ((role, "Which"), ("user", "name?"))} for role in ("system", "user", "assistant")]
    others += [{"pictures": pictures} for pictures in ((), (picture(9), picture(8)), (picture(9, 8, 0),))]
    lists = [("pado", "tif", ""), ("pado tif",), ('pado", "tif',), ()]
    others += [{"options": options, "endings": ()} for options in lists]
    keys = [PROMPT.key(identity), *(dataclasses.replace(PROMPT, **fields).key(identity) for fields in others)]
    keys += [PROMPT.key(identity | {name: "other"}) for name in (*identity, "top_p")]
    assert len({*keys}) == len(keys) and {len(key) for key in keys} == {64}


def test_the_key_is_the_same_in_every_process():
    """Answers that are paid for are found by it: it must never change."""
    key = "8c7061b4b80d613f5674b919d9f63bd9e18f3d3c6b1ff927cd1db548e7338bf1"
    assert PROMPT.key({"a": "é", "b": 0.5}) == PROMPT.key({"b": 0.5, "a": "é"}) == key


def test_a_picture_is_its_pixels_however_they_are_packed():
    image = Image.open(io.BytesIO(PROMPT.pictures[0]))
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=0)
    assert file.getvalue() != PROMPT.pictures[0]
    assert dataclasses.replace(PROMPT, pictures=(file.getvalue(),)).key({}) == PROMPT.key({})


# Files


CHANGES = {  # what makes a file of answers another one
    "of another program": "PRAGMA application_id = 7",
    "of a later version": "PRAGMA user_version = 7",
    "without a table": "DROP TABLE answers",
    "no JSON": "UPDATE answers SET said = '{'",
    "no text": "UPDATE answers SET said = x'ff00'",
}


def test_another_or_a_damaged_file_is_told_in_a_sentence_and_stays_as_it_is(tmp_path):
    (tmp_path / "text").write_text("answers\n" * 900)
    os.mkfifo(tmp_path / "pipe")
    CompletionCache(tmp_path / "spoilt").put("key", "m", PROMPT, FULL)
    content = (tmp_path / "spoilt").read_bytes()
    (tmp_path / "spoilt").write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    for name, statement in CHANGES.items():
        CompletionCache(tmp_path / name).put("key", "m", PROMPT, FULL)
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            connection.execute(statement)
            connection.commit()
    files = sorted(tmp_path.iterdir())
    before = [file.read_bytes() if file.is_file() else None for file in files]
    for file in files:
        with case(file.name), pytest.raises(InputError, match=file.name) as error:
            CompletionCache(file).get(["key"])
        assert len(str(error.value)) <= 300 and str(error.value).isprintable()
    assert sorted(tmp_path.iterdir()) == files
    assert [file.read_bytes() if file.is_file() else None for file in files] == before


def test_an_empty_file_becomes_one_of_ours_whatever_its_name(tmp_path):
    file = tmp_path / "a?mode=ro#b %41.sqlite"
    file.touch()
    CompletionCache(file).put("key", "m", PROMPT, FULL)
    assert [path.name for path in tmp_path.iterdir()] == [file.name] and CompletionCache(file).get(["key"])


# Several processes


def ask(file: Path, together) -> None:
    """Ask 25 questions when all others are there."""
    end_with(os.getppid())
    together.wait(120)
    cache = CachedModel(Counting(), CompletionCache(file))
    assert replies(cache, prompts(*map(str, range(25)))) == [f"re: {k}" for k in range(25)]


def test_two_processes_at_once_lose_nothing(file):
    fork = multiprocessing.get_context("fork")
    together = fork.Barrier(2)
    running = [fork.Process(target=ask, args=(file, together), daemon=True) for _ in range(2)]
    for process in running:
        process.start()
    assert [process.join() or process.exitcode for process in running] == [0, 0]
    answers, questions = CompletionCache(file), prompts(*map(str, range(25)))
    assert not CachedModel(Counting(), answers).missing(questions)
    counts = answers.log().groupby(["key", "event"]).size().unstack()
    assert (counts[SENT] == counts[CAME]).all() and counts[SENT].between(1, 2).all() and len(counts) == 25
    with database.connected(file, "ro", "a file") as connection:
        assert connection.execute("SELECT count(*) FROM answers").fetchone() == (25,)
