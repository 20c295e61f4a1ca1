"""Answers on the disk: each is asked for once, under a key of everything that it depends on."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from cogkit.core.contracts import InputError
from cogkit.data import database, png
from cogkit.lm.kept import CAME, FAILED, SENT, Answers, Kept
from cogkit.lm.prompts import Prompt
from cogkit.lm.replies import Said


def picture(*shades: int) -> bytes:
    """Return a PNG file of one row of pixels."""
    return png.pack(np.array([[[shade] * 3 for shade in shades]], np.uint8))


PROMPT = Prompt("0", (("user", "Which name?"),), ("pado", "tif"), (" pado", " tif"), (picture(9, 8),), labelled=True)
FULL = Said("ANSWER: A é\u2028\x00", "stop", (-1.5, -0.1), (1, 2), 120, 7, 0.25, 1.5)


class Counting:
    """A participant that repeats the question, or fails; it remembers what it was asked."""

    name = "counting"

    def __init__(self, identity: Mapping | None = None, fails: tuple[str, ...] = ()) -> None:
        self.identity, self.fails, self.asked = identity or {"model": "counting"}, fails, []

    def say(self, prompts, begin=lambda number: None):
        for number in reversed(range(len(prompts))):  # in any order
            begin(number)
            self.asked.append(prompts[number].text)
            if prompts[number].text in self.fails:
                yield number, Said(problem="it was busy")
            else:
                yield number, Said(f"re: {prompts[number].text}", "stop", seconds=2.0)


def prompts(*texts: str) -> list[Prompt]:
    return [Prompt(f"item {text}", (("user", text),), ("pado", "tif")) for text in texts]


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "answers.sqlite"


def told(participant, asked) -> list[str]:
    pairs = [*participant.say(asked)]
    assert sorted(number for number, _ in pairs) == list(range(len(asked)))
    return [said.text or said.problem for _, said in sorted(pairs, key=lambda pair: pair[0])]


def events(answers: Answers) -> list[tuple[str, str]]:
    return [*answers.log()[["item", "event"]].itertuples(index=False, name=None)]


def test_what_is_kept_comes_back_as_it_was(file):
    answers = Answers(file)
    for said in (FULL, Said(), Said("B")):
        answers.put(f"key of {said.text}", "m", PROMPT, said)
        assert Answers(file).get([f"key of {said.text}", "another"]) == {f"key of {said.text}": said}
    assert answers.get([]) == {}


def test_the_first_answer_stays(file):
    answers = Answers(file)
    answers.put("key", "m", PROMPT, Said("A"))
    answers.put("key", "m", PROMPT, Said("B"))
    assert answers.get(["key"])["key"].text == "A" and answers.log().event.tolist() == [CAME, CAME]


def test_nothing_is_sent_twice(file):
    model, asked = Counting(), prompts("a", "b", "c")
    kept, wanted = Kept(model, Answers(file)), ["re: a", "re: b", "re: c"]
    assert kept.missing(asked) == asked and told(kept, asked) == wanted
    assert not kept.missing(asked) and kept.name == model.name and kept.identity == model.identity
    assert told(kept, asked) == told(Kept(Counting(), Answers(file)), asked) == wanted  # another run too
    assert told(kept, [*prompts("d"), *asked]) == ["re: d", *wanted]
    assert model.asked == ["c", "b", "a", "d"]


def test_a_question_that_is_there_twice_is_asked_once(file):
    model, asked = Counting(), prompts("a", "b", "a", "a", "b")
    begun = []
    kept = Kept(model, Answers(file))
    assert [prompt.text for prompt in kept.missing(asked)] == ["a", "b"]
    pairs = dict(kept.say(asked, begun.append))
    assert {number: said.text for number, said in pairs.items()} == {
        number: f"re: {text}" for number, text in enumerate("abaab")
    }
    assert model.asked == ["b", "a"] and begun == [1, 0]


def test_what_failed_is_asked_again(file):
    model = Counting(fails=("b",))
    kept, asked = Kept(model, Answers(file)), prompts("a", "b")
    assert told(kept, asked) == ["re: a", "it was busy"] and [p.text for p in kept.missing(asked)] == ["b"]
    model.fails = ()
    assert told(kept, asked) == ["re: a", "re: b"] and model.asked == ["b", "a", "b"]


def test_the_log_has_every_event_in_its_order(file):
    model, answers = Counting(fails=("b",)), Answers(file)
    told(Kept(model, answers), prompts("a", "b"))
    told(Kept(model, answers), prompts("a"))
    assert events(answers) == [("item b", SENT), ("item b", FAILED), ("item a", SENT), ("item a", CAME)]
    log = answers.log()
    assert log.detail.tolist() == ["", "it was busy", "", ""] and log["at"].is_monotonic_increasing
    assert log["key"].tolist() == [p.key(model.identity) for p in prompts("b", "b", "a", "a")]
    assert Answers(file.with_name("empty.sqlite")).log().empty


@pytest.mark.parametrize("logs", [(float("nan"), -1.0), (float("-inf"), -1.0)])
def test_what_is_no_probability_is_not_kept(file, logs):
    """A number that JSON does not have would make the answer unreadable for ever."""

    class Wrong(Counting):
        def say(self, prompts, begin=lambda number: None):
            for number, _ in enumerate(prompts):
                begin(number)
                yield number, Said(end="stop", logs=logs, sizes=(1, 1))

    kept = Kept(Wrong(), Answers(file))
    for _ in range(2):
        assert [said.problem[:14] for _, said in kept.say([PROMPT])] == ["logarithms of "]
        assert kept.missing([PROMPT]) == [PROMPT]
    assert [event for _, event in events(kept.answers)] == [SENT, FAILED] * 2


def test_an_answer_is_on_the_disk_the_moment_it_comes(file):
    pairs = Kept(Counting(), Answers(file)).say(prompts("a", "b", "c"))
    for count in range(1, 4):
        next(pairs)
        assert 3 - len(Kept(Counting(), Answers(file)).missing(prompts("a", "b", "c"))) == count


# The key

OTHERS = {
    "item": "1", "turns": (("user", "Which name? "),), "options": ("tif", "pado"), "endings": (" pado", "  tif"),
    "pictures": (picture(9, 7),), "labelled": False,
}  # fmt: skip


def test_the_key_changes_with_every_field():
    identity = {"model": "m", "chat": True, "tokens": 1024, "temperature": 0.0}
    assert OTHERS.keys() == {field.name for field in dataclasses.fields(Prompt)}
    keys = [PROMPT.key(identity), *(dataclasses.replace(PROMPT, **{k: v}).key(identity) for k, v in OTHERS.items())]
    keys += [PROMPT.key(identity | {name: "other"}) for name in identity] + [PROMPT.key(identity | {"top_p": 1.0})]
    for turns in [(("system", "Which"), ("user", "name?")), (("user", "Which"), ("user", "name?")),
                  (("assistant", "Which"), ("user", "name?")), (("user", ""), ("user", "Which name?"))]:  # fmt: skip
        keys.append(dataclasses.replace(PROMPT, turns=turns).key(identity))
    for pictures in [(), (picture(9), picture(8)), (picture(9, 8), picture(9)), (picture(9, 8, 0),)]:
        keys.append(dataclasses.replace(PROMPT, pictures=pictures).key(identity))
    keys += [dataclasses.replace(PROMPT, options=options, endings=()).key(identity) for options in
             [("pado", "tif", ""), ("pado tif",), ('pado", "tif',), ("pado",), ()]]  # fmt: skip
    assert all(a != b for a, b in combinations(keys, 2)) and {len(key) for key in keys} == {64}


def test_the_key_is_the_same_in_every_process():
    """Answers that are paid for are found by it: it must never change."""
    code = "from lm.test_kept import PROMPT; print(PROMPT.key({'b': 0.5, 'a': 'é'}))"
    env = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert done.stdout.strip() == PROMPT.key({"a": "é", "b": 0.5}) == KEY_OF_PROMPT


KEY_OF_PROMPT = "8c7061b4b80d613f5674b919d9f63bd9e18f3d3c6b1ff927cd1db548e7338bf1"


def test_a_picture_is_its_pixels_however_they_are_packed():
    image = Image.open(io.BytesIO(PROMPT.pictures[0]))
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=0)
    assert file.getvalue() != PROMPT.pictures[0]
    assert dataclasses.replace(PROMPT, pictures=(file.getvalue(),)).key({}) == PROMPT.key({})


def test_other_settings_are_asked_anew(file):
    answers, first, second = Answers(file), Counting(), Counting({"model": "counting", "temperature": 1.0})
    told(Kept(first, answers), prompts("a"))
    told(Kept(second, answers), prompts("a"))
    assert first.asked == second.asked == ["a"]


# Files


def test_by_default_it_lies_in_the_readers_home(home):
    assert Answers().path == home / "answers.sqlite" and (home / "answers.sqlite").is_file()


def _other_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE answers (key, said)")
        connection.commit()


def _later_version(path: Path) -> None:
    Answers(path).put("key", "m", PROMPT, FULL)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 7")
        connection.commit()


def _cut(path: Path) -> None:
    Answers(path).put("key", "m", PROMPT, FULL)
    path.write_bytes(path.read_bytes()[:700])


def _spoilt(path: Path) -> None:
    Answers(path).put("key", "m", PROMPT, FULL)
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))


def _spoilt_answer(said) -> None:
    def spoil(path: Path) -> None:
        Answers(path).put("key", "m", PROMPT, FULL)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'said TEXT NOT NULL', 'said')")
            connection.commit()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("UPDATE answers SET said = ?", [said])
            connection.commit()

    return spoil


def _without_a_table(path: Path) -> None:
    Answers(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE answers")
        connection.commit()


WRONG = {
    "a text": lambda path: path.write_text("answers\n" * 900),
    "a short text": lambda path: path.write_text("no"),
    "a folder": lambda path: (path.mkdir(), (path / "a").touch()),
    "a pipe": os.mkfifo,
    "of another program": _other_program,
    "of a later version": _later_version,
    "cut": _cut,
    "spoilt": _spoilt,
    "without a table": _without_a_table,
    "no JSON": _spoilt_answer("{"),
    "another record": _spoilt_answer('{"text": 7}'),
    "a field too many": _spoilt_answer(json.dumps(dataclasses.asdict(FULL) | {"more": 1})),
    "NaN": _spoilt_answer(json.dumps(dataclasses.asdict(FULL) | {"logs": [float("nan")]})),
    "null": _spoilt_answer(None),
    "a number": _spoilt_answer(7),
    "bytes": _spoilt_answer(b"\xff\x00"),
}


@pytest.mark.parametrize("name", WRONG)
def test_another_or_a_damaged_file_is_told_in_a_sentence_and_stays_as_it_is(file, name):
    WRONG[name](file)
    before = file.read_bytes() if file.is_file() else None
    with pytest.raises(InputError) as error:
        Answers(file).get(["key"])
    text = str(error.value)
    assert str(file.name) in text and len(text) <= 300 and text.isprintable()
    assert before is None or file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_an_empty_file_becomes_one_of_ours(file):
    file.touch()
    Answers(file).put("key", "m", PROMPT, FULL)
    assert Answers(file).get(["key"])


@pytest.mark.parametrize("name", ["no folder", "no permission"])
def test_a_place_that_cannot_be_written_is_told(tmp_path, name):
    place = tmp_path / "nowhere" / "answers.sqlite"
    if name == "no permission":
        place = Path("/proc/answers.sqlite")
    with pytest.raises(InputError, match="answers.sqlite"):
        Answers(place)


def test_a_name_with_signs_of_addresses_is_a_name(tmp_path):
    file = tmp_path / "a?mode=ro#b %41.sqlite"
    Answers(file).put("key", "m", PROMPT, FULL)
    assert [path.name for path in tmp_path.iterdir()] == [file.name] and Answers(file).get(["key"])


# Several processes


def test_a_file_that_another_process_makes_meanwhile_is_taken(file, monkeypatch):
    """Between the look for tables and the lock, another process makes them."""
    execute, others = database.Connection.execute, []

    def late(self, *statement):
        if statement[0] == "BEGIN IMMEDIATE" and not others:
            others.append(0)
            Answers(file).put("key", "m", PROMPT, FULL)
        return execute(self, *statement)

    monkeypatch.setattr(database.Connection, "execute", late)
    assert Answers(file).get(["key"]) == {"key": FULL} and others


ASKS = """import sys
from lm.test_kept import Counting, prompts, told
from cogkit.lm.kept import Answers, Kept
sys.stdin.readline()  # all begin together
kept = Kept(Counting(), Answers(sys.argv[1]))
print(told(kept, prompts(*map(str, range(25)))))
"""


def test_two_processes_at_once_lose_nothing(file):
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    pipe = subprocess.PIPE
    running = [subprocess.Popen([sys.executable, "-c", ASKS, str(file)], env=env, stdin=pipe, stdout=pipe, stderr=pipe,
                                text=True) for _ in range(2)]  # fmt: skip
    for process in running:
        process.stdin.write("\n")
        process.stdin.flush()
    for process in running:
        out, err = process.communicate(timeout=120)
        assert out.strip() == str([f"re: {k}" for k in range(25)]), err
    answers, asked = Answers(file), prompts(*map(str, range(25)))
    assert not Kept(Counting(), answers).missing(asked)
    counts = answers.log().groupby(["key", "event"]).size().unstack()
    assert (counts[SENT] == counts[CAME]).all() and counts[SENT].between(1, 2).all() and len(counts) == 25
    with database.connected(file, "ro", "a file") as connection:
        assert connection.execute("SELECT count(*) FROM answers").fetchone() == (25,)
