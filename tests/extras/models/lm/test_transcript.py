"""A transcript answers as the model did, and a damaged one is told by its line."""

from __future__ import annotations

import hashlib
import json
import lzma
from pathlib import Path

import pytest
from cases import case
from hypothesis import given, settings
from hypothesis import strategies as st

from cogkit.core.errors import InputError
from cogkit.extras.models import asking
from cogkit.extras.models.lm.cache import CachedModel, CompletionCache
from cogkit.extras.models.lm.prompts import Prompt
from cogkit.extras.models.lm.replies import Completion, parse
from cogkit.extras.models.lm.transcript import Recording, read_transcript

PROMPTS = [Prompt(f"item {k}", (("user", f"Which {k}?"),), ("pado", "tif")) for k in range(4)]
STRANGE = 'ANSWER: é\u2028\u2029\x85\x0b\x0c\x1c\r\n\t"\\ \x00 🟥 ﻿'


class Hashed:
    """A participant that answers by the hash of the question: a letter or none, cut off, refused, or a failure."""

    name, identity = "a model, 1.5", {"model": "hashed", "temperature": 0.0, "chat": True}

    def __init__(self, fails: bool = False) -> None:
        self.fails = fails

    def complete(self, prompts, begin=lambda number: None):
        for number, prompt in enumerate(prompts):
            begin(number)
            a, b, *more = hashlib.sha256(prompt.text.encode()).digest()
            if prompt.endings:
                logs = tuple(-byte / 7 for byte in more[: len(prompt.endings)])
                yield number, Completion(logs=logs, sizes=(1, 2, 1, 3, 1), tokens_in=a, seconds=b / 256)
                continue
            texts = [f"{STRANGE}\nANSWER: {'ABCDE'[b % 5]}"] * 5 + ["", "I'm sorry, I cannot say.", "A or B"]
            completion = Completion(
                texts[a % 8], ("stop", "length", "")[a % 3], tokens_in=a, tokens_out=b, cost=a * 1e-7,
                seconds=b / 256, problem="busy" if self.fails and a % 8 == 0 else "",
            )  # fmt: skip
            yield number, completion


def rows(evaluation: asking.Evaluation) -> tuple:
    """Return all that comes of asking, but for the time of day."""
    trials = evaluation.trials().drop(columns="at")
    return evaluation.rows, trials.to_dict("records"), evaluation.outcomes.to_dict("list"), evaluation.run


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> Path:
    """A folder with what a model said, as a text and packed."""
    folder, recording = tmp_path_factory.mktemp("sound"), Recording(Hashed())
    assert [number for number, _ in recording.complete(PROMPTS)] == [0, 1, 2, 3]
    for name in ("said.jsonl", "said.jsonl.xz"):
        recording.write(folder / name)
    return folder


def test_a_transcript_gives_the_rows_of_the_run(tmp_path):
    for how, name in (("text", "said.jsonl"), ("mean", "said.jsonl.xz"), ("sum", "said.jsonl")):
        what = asking.Asking("mewl/shape", 40, 3, how)
        recording = Recording(Hashed())
        live = asking.ask(recording, what)
        assert how != "text" or (live.outcomes.n > 0).tolist() == [True, True, True, True, False]
        path = recording.write(tmp_path / name, note="a test")
        assert rows(asking.ask(read_transcript(path), what)) == rows(live)
        assert len(read_transcript(path)) == 40 and read_transcript(path).name == Hashed.name


def test_a_transcript_of_kept_answers_is_the_same_file_and_a_packed_one_the_same_text(sound, tmp_path):
    cache = CachedModel(Hashed(), CompletionCache(tmp_path / "answers.sqlite"))
    wanted = (sound / "said.jsonl").read_bytes()
    for participant in (cache, cache, CachedModel(read_transcript(sound / "said.jsonl"), cache.answers)):
        recording = Recording(participant)
        assert len([*recording.complete(PROMPTS)]) == 4
        assert recording.write(tmp_path / "again.jsonl").read_bytes() == wanted
    packed = (sound / "said.jsonl.xz").read_bytes()
    assert lzma.decompress(packed) == wanted and len(packed) < len(wanted)
    assert packed == recording.write(tmp_path / "again.jsonl.xz").read_bytes()


def test_what_failed_is_not_in_it_and_fails_again(tmp_path):
    what, recording = asking.Asking("mewl/shape", 24, 3), Recording(Hashed(fails=True))
    live = asking.ask(recording, what)
    failed = [reply.completion.problem == "busy" for reply in live.replies]
    again = asking.ask(read_transcript(recording.write(tmp_path / "said.jsonl")), what)
    assert 0 < sum(failed) < 24 and again.rows == live.rows
    problems = [reply.completion.problem for reply in again.replies if reply.completion.problem]
    assert problems == ["the transcript of a model, 1.5 has no answer to this question"] * sum(failed)


ends = st.sampled_from(["", "stop", "length", "ü\u2028"])
logs, sizes = st.lists(st.floats(-1e300, 0)).map(tuple), st.lists(st.integers(0, 9)).map(tuple)
counts, amounts = st.integers(0, 2**50), st.floats(0, 1e9)
completions = st.builds(Completion, st.text(max_size=30), ends, logs, sizes, counts, counts, amounts, amounts)


@settings(max_examples=20, deadline=None)
@given(st.lists(completions, min_size=1, max_size=4))
def test_every_answer_comes_back_as_it_was(tmp_path_factory, many):
    class Says(Hashed):
        def complete(self, prompts, begin=lambda number: None):
            yield from enumerate(many[: len(prompts)])

    folder = tmp_path_factory.mktemp("said")
    recording = Recording(CachedModel(Says(), CompletionCache(folder / "answers.sqlite")))
    prompts = PROMPTS[: len(many)]
    assert [one for _, one in recording.complete(prompts)] == many
    path = recording.write(folder / "said.jsonl")
    for participant in (read_transcript(path), recording):
        assert [one for _, one in participant.complete(prompts)] == many


# Damage


DAMAGE = {
    "no line": lambda lines: [],
    "a later version": lambda lines: [lines[0].replace('"version": 1', '"version": 2'), *lines[1:]],
    "no identity": lambda lines: [lines[0].replace("identity", "somebody"), *lines[1:]],
    "a line cut, 3": lambda lines: [*lines[:2], lines[2][:30], *lines[3:]],
    "no key, 2": lambda lines: [lines[0], lines[1].replace('"key"', '"lock"'), *lines[2:]],
    "a number for a text, 4": lambda lines: [*lines[:3], '{"key": "k", "text": 7}', lines[4]],
    "a field too many, 4": lambda lines: [*lines[:3], lines[3].replace("}", ', "more": 1}'), lines[4]],
    "NaN, 4": lambda lines: [*lines[:3], '{"key": "k", "text": "", "cost": NaN}', lines[4]],
    "one question twice, 6": lambda lines: [*lines, lines[2].replace('"text": "', '"text": "not ')],
}


def is_told(path: Path, name: str, *wanted: str) -> None:
    """Check that reading a transcript ends with a sentence that says its name and more."""
    with case(name), pytest.raises(InputError, match="a transcript of a model's answers") as error:
        read_transcript(path)
    text = str(error.value)
    assert len(text) <= 300 and text.isprintable()
    assert all(each in text.replace("first line", "line 1") for each in (path.name, *wanted)), (name, text)


def test_damage_is_told_by_its_line(sound, tmp_path):
    path, lines = tmp_path / "said.jsonl", (sound / "said.jsonl").read_text().removesuffix("\n").split("\n")
    for name, spoil in DAMAGE.items():
        path.write_text("".join(line + "\n" for line in spoil(lines)))
        is_told(path, name, f"line {name.partition(', ')[2] or '1'}")


PACKED = {
    "cut": lambda packed: packed[:-9],
    "too much": lambda packed: lzma.compress(b"\n" * (2**26 + 1), preset=0),
}


def test_a_damaged_packed_transcript_is_told(sound, tmp_path):
    for name, spoil in PACKED.items():
        (tmp_path / "said.jsonl.xz").write_bytes(spoil((sound / "said.jsonl.xz").read_bytes()))
        is_told(tmp_path / "said.jsonl.xz", name)


def test_false_probabilities_in_it_are_no_answer(tmp_path):
    """Too few, too many or none: the question has failed, and the run goes on."""
    prompt = Prompt("0", (("user", "A cube. Name:"),), ("pado", "tif"), (" pado", " tif"))
    path = tmp_path / "said.jsonl"
    head = {"format": "cogkit transcript", "version": 1, "name": "m", "identity": {"model": "m"}}
    wrong = [{"logs": [-1.0] * logs, "sizes": [1] * sizes} for logs, sizes in ((1, 1), (3, 3), (2, 1))]
    for fields in [*wrong, {"text": "ANSWER: A"}]:
        line = {"key": prompt.key({"model": "m"}), **fields}
        path.write_text(json.dumps(head) + "\n" + json.dumps(line) + "\n")
        ((_, completion),) = read_transcript(path).complete([prompt])
        assert parse(prompt, completion).outcome == "failed", fields
