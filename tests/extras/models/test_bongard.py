"""What a language model is asked, read back from the words of each prompt; and what becomes of its answers."""

from __future__ import annotations

import io
import math
import re
from collections import Counter

import numpy as np
import pytest
from PIL import Image
from saying import Saying

from cogkit.bongard.instrument import INSTRUMENT
from cogkit.bongard.logo.programs import Line
from cogkit.bongard.problems import rendering
from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.attributes import ATTRIBUTES
from cogkit.extras.models import bongard
from cogkit.extras.models.lm.replies import Completion

TESTS = ("FF", "BA", "CM", "NV")
N = 12
SIDES = ("positive", "negative")
STROKE = re.compile(r"(line|arc)\(([^()]*)\)")
HEADING = re.compile(r"Set ([AB]), pictures (with|without) the concept:")
CHANCES = (("CM/concept", 2 / 26), ("FF/stroke", 1 / 9))  # of naming what is right


@pytest.fixture(scope="module")
def problems():
    """``problems(task)``: the first problems of a test."""
    items = {task: INSTRUMENT.items(task, N) for task in TESTS}
    return items.__getitem__


def judged(words, items, task, how="text", pictures=False, seed=0, profile="verified"):
    """Return the answers of a fake, and the fake."""
    fake = Saying(words)
    learner = bongard.Solver(fake, task, how=how, pictures=pictures, seed=seed)
    return bongard.judge(learner, items, profile=profile, seed=seed), fake


# How a reader of the prompt sees it


def strokes(text: str) -> tuple:
    """The strokes of each shape of a line: kind, numbers and type."""
    shapes = []
    for shape in text.split(" | "):
        matches = [(kind, *inside.split(", ")) for kind, inside in STROKE.findall(shape)]
        assert " ".join(f"{kind}({', '.join(rest)})" for kind, *rest in matches) == shape  # and nothing else
        shapes.append(tuple((kind, *map(float, numbers), type_) for kind, *numbers, type_ in matches))
    return tuple(shapes)


def pictures_in(text: str) -> dict[str, list]:
    """The pictures of a prompt by ``with`` and ``without`` the concept, and the ``last``; they are numbered from 1."""
    matches = re.findall(r"^(\d+)\. (.*)$", text, re.MULTILINE)
    assert [int(number) for number, _ in matches] == list(range(1, len(matches) + 1))
    pictures = [strokes(line) for _, line in matches]
    (one, first), (two, second) = HEADING.findall(text)
    assert (one, two) == ("A", "B") and {first, second} == {"with", "without"}
    return {first: pictures[:6], second: pictures[6:12], "last": pictures[12:]}


def letter(text: str, side: str) -> str:
    """The letter of the set with or without the concept."""
    return {kind: name for name, kind in HEADING.findall(text)}[side]


def lettered(text: str) -> dict[str, str]:
    """The options of a prompt by their letters, without what they mean."""
    return {name: option.partition(":")[0] for name, option in re.findall(r"^([A-Z])\. (.*)$", text, re.MULTILINE)}


def drawn(picture) -> tuple:
    """A picture of a problem, as `strokes` would give it, with three decimals."""

    def stroke(action) -> tuple:
        line = isinstance(action, Line)
        numbers = (action.length, action.turn) if line else (action.radius, action.sweep, action.turn)
        return ("line" if line else "arc", *(round(number, 3) for number in numbers), action.type)

    return tuple(tuple(map(stroke, placed.program)) for placed in picture)


def known(items) -> dict:
    """Problems by what a prompt shows of them with the concept."""
    return {frozenset(map(drawn, problem.positives[:6])): problem for problem in items}


def reader(items):
    """Return a reader that knows these problems: it names the set to which the last picture of a prompt belongs."""
    by_support = known(items)

    def words(prompt) -> str:
        pictures = pictures_in(prompt.text)
        is_with = pictures["last"] == [drawn(by_support[frozenset(pictures["with"])].positives[6])]
        return f"ANSWER: {letter(prompt.text, 'with' if is_with else 'without')}"

    return words


def changed_stroke(prompt) -> str:
    """Compare the first picture without the concept with one that has it, stroke by stroke."""
    pictures = pictures_in(prompt.text)
    number = int(re.search(r"picture (\d+) has one of its strokes changed", prompt.text)[1])
    assert number == (1 if letter(prompt.text, "without") == "A" else 7) and not pictures["last"]
    old, new = ([stroke for shape in pictures[side][0] for stroke in shape] for side in ("with", "without"))
    (place,) = [k for k, (before, after) in enumerate(zip(old, new, strict=True), 1) if before != after]
    return f"stroke {place}"


# Prompts


def test_a_prompt_is_twelve_programs_and_the_last_and_otherwise_always_the_same(problems):
    rest, names = set(), set(inventory.available().by_name)
    for task in TESTS:
        _, fake = judged(lambda prompt: "", problems(task), task)
        expected, counts, beginnings = Counter(), Counter(), []
        for problem in problems(task):
            support = [Counter(map(drawn, side[:6])) for side in problem.sides]
            expected.update((str(support), drawn(side[6])) for side in problem.sides)
        for prompt in fake.prompts:
            assert prompt.turns == (("user", prompt.text),) and not prompt.pictures and not prompt.endings
            assert prompt.labels == ("A", "B") and prompt.options == ("set A", "set B")
            view = pictures_in(prompt.text)
            counts[str([Counter(view["with"]), Counter(view["without"])]), *view["last"]] += 1
            rest.add(re.sub(r"^\d+\. .*$", "", prompt.text, flags=re.MULTILINE))
            beginnings.append(prompt.text.split("One more picture:")[0])
        assert counts == expected and set(expected.values()) == {1}  # every question once, and no other
        assert beginnings[::2] == beginnings[1::2] and len(set(beginnings)) == N  # both of a problem follow each other
    assert len(rest) == 2  # one text for each set that comes first
    names |= {name.replace("_", sign) for name in ATTRIBUTES for sign in "_ "}
    for text in rest:
        assert not re.search(r"\b(ff|bd|hd|nact\w*|FF|BA|CM|NV|\d{4})\b", text)
        assert not [name for name in names if re.search(rf"\b{re.escape(name)}\b", text) and len(name) > 4]


def test_pictures_are_the_drawings(problems):
    items = problems("BA")[:2]
    images, seen_last = rendering.pictures_of(items, bongard.SIZE)[:], Counter()
    answers, fake = judged(lambda prompt: "", items, "BA", pictures=True)
    for prompt in fake.prompts:
        assert re.findall(r"\[picture (\d+)\]", prompt.text) == [str(k) for k in range(1, 14)]
        assert not STROKE.search(prompt.text) and len(prompt.pictures) == 13
        seen = [np.asarray(Image.open(io.BytesIO(content))) for content in prompt.pictures]
        first = ["with", "without"].index(HEADING.findall(prompt.text)[0][1])
        (number,) = [k for k in range(2) if np.array_equal(images[k, first, 0], seen[0])]
        for place, side in enumerate((first, 1 - first)):
            assert np.array_equal(images[number, side, :6], seen[6 * place : 6 * place + 6])
        (side,) = [side for side in (0, 1) if np.array_equal(images[number, side, 6], seen[12])]
        seen_last[number, side] += 1
    assert answers.inputs == "pixels" and seen_last == Counter(np.ndindex(2, 2))


# Answers


def test_a_reader_that_knows_is_always_right(problems):
    for task in TESTS:
        answers, _ = judged(reader(problems(task)), problems(task), task)
        assert answers.right.all() and answers.task == task and answers.who == "a fake, by its words"
        row, *rest = bongard.result_rows(answers)
        assert (row["task"], row["metric"], row["value"], row["n"]) == (task, "accuracy", 1, 2 * N)
        assert {row["value"] for row in rest if row["metric"] in ("refused", "unparsed", "truncated", "failed")} == {0}


def test_whoever_always_takes_one_set_is_right_once_a_problem(problems):
    for task in TESTS:
        for place in "AB":
            answers, _ = judged(lambda prompt, place=place: f"ANSWER: {place}", problems(task), task, seed=3)
            assert answers.right.sum(axis=1).tolist() == [1] * N
            assert abs(answers.right[:, 0].mean() - 0.5) < 4 * math.sqrt(0.25 / N)
    items = INSTRUMENT.items("BA", 3, profile="as_published")  # in whose batches some would be asked again
    answers, fake = judged(lambda prompt: "ANSWER: A", items, "BA", profile="as_published")
    assert answers.names == tuple(problem.name for problem in items) and len(fake.prompts) == 6


def test_a_trial_row_has_the_prompt_that_was_asked_and_its_answer(problems):
    def words(prompt):
        return f"ANSWER: {'AB'[int(prompt.item, 16) % 3 % 2]}" if int(prompt.item, 16) % 5 else "No idea."

    trials = judged(words, problems("BA"), "BA")[0].to_trials()
    by_name = {problem.name: problem for problem in problems("BA")}
    assert len(trials) == 2 * N and {"A", "B"} <= {extra["text"][-1] for extra in trials.extra}
    for row in trials.to_dict("records"):
        problem, extra = by_name[row["item"].split("/")[0]], row["extra"]
        ((role, text),) = extra["prompt"]
        pictures, side = pictures_in(text), SIDES.index(extra["side"])
        assert role == "user" and pictures["last"] == [drawn(problem.sides[side][6])]
        assert Counter(pictures["with"]) == Counter(map(drawn, problem.positives[:6]))
        answer = extra["text"].removeprefix("ANSWER: ")
        named = {letter(text, "with"): "positive", letter(text, "without"): "negative"}.get(answer)
        assert row["correct"] == (named == extra["side"])
        assert row["response"] == named or (named is None and np.isnan(row["response"]))
        assert extra["outcome"] == ("unparsed" if named is None else "answered")
        assert extra["shown"] == ["set A", "set B"] and extra["pictures"] == 0


# Probabilities


def test_a_probability_is_the_share_of_the_set_with_the_concept(problems):
    sizes = (1, 3)

    def words(prompt):
        number = int(prompt.item, 16)
        return Completion(logs=(-(number % 7) / 2, -(number % 11) / 3), sizes=sizes)

    for how, name in (("mean", "likelihood"), ("sum", "summed likelihood")):
        answers, fake = judged(words, problems("CM"), "CM", how=how)
        assert all(prompt.text.endswith("\n\nANSWER:") and prompt.endings == (" A", " B") for prompt in fake.prompts)
        assert {HEADING.findall(prompt.text)[0][1] for prompt in fake.prompts} == {"with", "without"}
        for row, side in np.ndindex(N, 2):
            prompt = answers.replies[row, side].prompt
            a, b = (log / (size if how == "mean" else 1) for log, size in zip(words(prompt).logs, sizes, strict=True))
            share = 1 / (1 + math.exp(b - a))
            expected = share if letter(prompt.text, "with") == "A" else 1 - share
            assert answers.chance[row, side] == pytest.approx(expected, rel=1e-6)
        assert answers.who == f"a fake, by {name}" and not answers.missing.any()


# Which concept?


def test_who_compares_strokes_names_the_changed_one(problems):
    def words(prompt):
        letters = {option: name for name, option in lettered(prompt.text).items()}
        assert sorted(letters) == [f"stroke {k}" for k in range(1, 10)] and [*letters] == [*prompt.options]
        return f"It differs. ANSWER: {letters[changed_stroke(prompt)]}"

    answers, _ = judged(words, problems("FF"), "FF/stroke")
    row, *rest = bongard.result_rows(answers)
    assert (row["task"], row["metric"], row["value"], row["n"]) == ("FF/stroke", "stroke named", 1, N)
    assert row["interval"] == "95% Wilson" and {row["value"] for row in rest} == {0}


def test_any_attribute_of_the_concept_is_right_and_no_other(problems):
    for task in ("CM", "NV"):
        by_support = known(problems(task))

        def words(prompt, by_support=by_support):
            problem, number = by_support[frozenset(pictures_in(prompt.text)["with"])], int(prompt.item, 16)
            letters = {option: name for name, option in lettered(prompt.text).items()}
            assert sorted(letters) == sorted(name.replace("_", " ") for name in ATTRIBUTES)
            others = [name for name in ATTRIBUTES if name not in problem.concept]
            names = problem.concept if number % 3 else others
            return f"ANSWER: {letters[names[number % len(names)].replace('_', ' ')]}"

        answers, fake = judged(words, problems(task), f"{task}/concept")
        expected = [int(prompt.item, 16) % 3 > 0 for prompt in fake.prompts]
        (row, *_) = bongard.result_rows(answers)
        assert row["metric"] == "concept named" and row["value"] == pytest.approx(np.mean(expected)) and row["n"] == N
        assert 0 < sum(expected) < N
        for trial in answers.to_trials().to_dict("records"):
            ((_, text),) = trial["extra"]["prompt"]
            problem = by_support[frozenset(pictures_in(text)["with"])]
            assert trial["item"] == f"{problem.name}/concept"
            assert trial["extra"]["right"] == [n.replace("_", " ") for n in ATTRIBUTES if n in problem.concept]
            assert trial["response"] == lettered(text)[trial["extra"]["text"][-1]]
            assert trial["correct"] == (trial["response"].replace(" ", "_") in problem.concept)


def test_whoever_always_names_the_first_option_is_right_by_chance(problems):
    for task, chance in CHANCES:
        right, n, firsts = 0, 10 * N, Counter()
        for seed in range(10):
            answers, fake = judged(lambda prompt: "ANSWER: A", problems(task[:2]), task, seed=seed)
            right += answers.score.sum()
            firsts.update(prompt.options[0] for prompt in fake.prompts)
        assert abs(right - n * chance) < 4 * math.sqrt(n * chance * (1 - chance))
        share = 1 / len(fake.prompts[0].options)  # any option comes first as often
        assert max(firsts.values()) < n * share + 4 * math.sqrt(n * share * (1 - share)) and len(firsts) > 0.8 / share


def test_shorter_problems_have_fewer_strokes_to_name():
    items = [problem for problem in INSTRUMENT.items("val", 40) if problem.kind == "ff"][:6]
    counts = [sum(len(placed.program) for placed in problem.positives[0]) for problem in items]
    letters = [f"ANSWER: {'ABCDEFGHI'[min(counts) - 1]}", "None of these."]
    answers, fake = judged(lambda prompt: letters[len(prompt.options) == max(counts)], items, "FF/stroke")
    assert len(set(counts)) > 1 and Counter(len(prompt.options) for prompt in fake.prompts) == Counter(counts)
    assert answers.missing.tolist() == [count == max(counts) for count in counts]
    for reply, options in zip(answers.replies, answers.best, strict=True):
        named = [answers.options[k] for k in np.flatnonzero(options)]
        assert named == ([] if reply.choice < 0 else [reply.prompt.options[reply.choice]])
