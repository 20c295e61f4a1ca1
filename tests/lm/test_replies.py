"""Which option a model's words name, if they name one: nothing is guessed, and nothing is counted twice."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogkit.lm.prompts import Prompt
from cogkit.lm.replies import Reply, Said, named, outcomes, places, read
from cogkit.mewl import scoring
from cogkit.mewl.learners.asked import Named, judge
from cogkit.mewl.problems import making
from cogkit.study.answers import OUTCOMES

NAMES = ("pado", "tif", "gup", "tif gup", "wem")
TILES = ("A1", "C4", "C5", "G7")
PAGE = """Let me look at the scenes one by one.

In scene 1 there is a large red cube, and it is called pado. A cube is also in scene 3, where the name is tif gup, so
option A or option D could mean the cube. I don't think that B fits: tif is never said of a sphere. Option E (wem) is
not impossible, but gup stands beside both cylinders.

"""


def asked(options=NAMES, labelled=True, endings=()) -> Prompt:
    return Prompt("0", (("user", "Which name?"),), options, endings, labelled=labelled)


def letters(text: str, end: str = "stop", prompt: Prompt | None = None) -> str:
    """Return what a reply amounts to: the letter of the option it names, or its outcome."""
    reply = read(prompt or asked(), Said(text, end))
    assert (reply.outcome == "answered") == (reply.choice >= 0) and reply.option == reply.choice
    return "ABCDE"[reply.choice] if reply.choice >= 0 else reply.outcome


MARKED = {
    PAGE + "ANSWER: C": "C",
    "It could be pado. Or B.\nANSWER: B\nNo, wait.\n\nANSWER: E": "E",
    "answer: tif gup": "D",
    "Answer: tif": "B",
    "**ANSWER: B**": "B",
    "**ANSWER:** B": "B",
    "**Answer**: (B)": "B",
    "__ANSWER: B__": "B",
    "_Answer:_ B": "B",
    "### ANSWER: `B`": "B",
    "> ANSWER: B.": "B",
    "ANSWER: **gup**!": "C",
    'ANSWER: "tif gup".': "D",
    "ANSWER: ‘B’": "B",
    "ANSWER: B. tif": "B",
    "ANSWER: B) tif": "B",
    "ANSWER: B (tif), since the cube is called so": "B",
    r"ANSWER: \boxed{B}": "B",
    r"$$\text{ANSWER: } \boxed{\text{B}}$$": "B",
    "ANSWER = D": "D",
    "ANSWER:\nB": "B",
    "**ANSWER:**\n\n**B**\n": "B",
    "Final answer:\n\n- tif gup\n\nThat is the name of the cube.": "D",
    "ANSWER:\r\nE\r\n": "E",
    "ANSWER: the second one": "unparsed",
    "ANSWER: maybe": "unparsed",
    "ANSWER: A or B": "unparsed",
    "ANSWER: not B": "unparsed",
    "ANSWER: X": "unparsed",
    "ANSWER:": "unparsed",
    "B is likely.\nANSWER: none of them": "unparsed",
    "B\nANSWER: F": "unparsed",
}
PLAIN = {
    "": "unparsed",
    " \n": "unparsed",
    "b": "B",
    "B": "B",
    "(B)": "B",
    "b)": "B",
    "B.": "B",
    "`B`": "B",
    "'B'": "B",
    "**B**": "B",
    "__B__": "B",
    r"\boxed{B}": "B",
    r"The answer is $\boxed{B}$.": "B",
    r"So it is \boxed{\text{tif gup}}": "D",
    "TIF\n GUP": "D",
    "tif gup": "D",
    "D. tif gup": "D",
    "The answer is **pado**.": "A",
    "The answer is __pado__.": "A",
    "The answer is _B_.": "B",
    "The answer is 'B'.": "B",
    "The answer is ‘B’.": "B",
    "The answer is 'tif gup'.": "D",
    "A closer look shows that the right name is D": "D",
    "A cube is red. I think that it is D.": "D",
    "I choose option A.": "A",
    "Option A fits best.": "A",
    "A, because the cube is red": "A",
    "The second scene's name is wem, so wem.": "E",
    '{"answer": "E"}': "E",
    "<think>It is red, so it is a cube.</think>\n\nE": "E",
    "B is it. Yes, B: tif.": "B",
    "A or B": "unparsed",
    "pado and tif": "unparsed",
    "tif gup, or tif alone": "unparsed",
    "A fits scene 7; B doesn't.": "unparsed",
    "A matches all scenes, B only the first": "unparsed",
    "It is not B": "unparsed",
    "It isn't B.": "unparsed",
    "It cannot be tif gup.": "unparsed",
    "Neither B nor D": "unparsed",
    "Anything except wem": "unparsed",
    "B does not fit.": "unparsed",
    "B is not the name of a cube.": "unparsed",
    "tif gup can't be right": "unparsed",
    "B is wrong.": "unparsed",
    "padox or untif": "unparsed",
    "F": "unparsed",
    "The name has four letters": "unparsed",
    "I can't be sure, but D": "D",
    "I am not certain. B": "B",
    "I'm not sure it is B": "unparsed",
    "I cannot be sure.": "unparsed",
    "I can't be sure, and I cannot answer.": "refused",
    "I cannot answer this.": "refused",
    "I'm sorry, but I can’t help with that.": "refused",
    "I won't choose a name.": "refused",
    "As an AI, I have no eyes.": "refused",
    "It is not possible to determine the name.": "refused",
}
CUT = {
    PAGE: "truncated",
    "": "truncated",
    "The answer is B": "truncated",
    "I cannot": "truncated",
    PAGE + "ANSWER: C": "C",
    PAGE + "ANSWER: C\n\nBecause": "C",
    "ANSWER: tif gup": "D",
    PAGE + "ANSWER:": "truncated",
    PAGE + "ANSWER: ": "truncated",
    PAGE + "ANSWER: The na": "truncated",
    "ANSWER: tif": "truncated",
    "ANSWER: tif.\n\nIt": "B",
    "ANSWER: B. ti": "B",
}


@pytest.mark.parametrize("text", MARKED)
def test_the_last_marked_answer_decides(text):
    assert letters(text) == MARKED[text] and named(asked(), text)[0]


@pytest.mark.parametrize("text", PLAIN)
def test_without_a_mark_one_option_is_named_and_no_other(text):
    assert letters(text) == PLAIN[text]


@pytest.mark.parametrize("text", CUT)
@pytest.mark.parametrize("end", ["length", "max_tokens"])
def test_what_was_cut_off_counts_if_it_was_marked_and_whole(text, end):
    assert letters(text, end) == CUT[text]


@pytest.mark.parametrize("end", ["refusal", "content_filter"])
def test_a_server_that_ends_an_answer_has_refused(end):
    assert letters("ANSWER: B", end) == letters("", end) == "refused"


def test_what_never_came_has_failed():
    assert read(asked(), Said("ANSWER: B", problem="500 of http://here")).outcome == "failed"


@pytest.mark.parametrize(
    ("text", "place"),
    [("C4", 1), ("c4.", 1), ("I turn C4 next", 1), ("ANSWER: **G7**", 3), ("C4, then C5", -1), ("C 4", -1), ("C", -1),
     ("C45", -1), ("A", -1), ("Not A1", -1), ("Column C, row 5: C5", 2)],
)  # fmt: skip
def test_options_without_letters_are_named_in_their_own_words(text, place):
    reply = read(asked(TILES, labelled=False), Said(text))
    assert (reply.choice, reply.outcome) == (place, "answered" if place >= 0 else "unparsed")


def test_an_option_that_is_also_a_letter_is_taken_by_its_words():
    prompt = asked(("B", "A", "C"))
    assert [letters(text, prompt=prompt) for text in ("C", "ANSWER: C.")] == ["C", "C"]
    assert letters("A", prompt=prompt) == "B"


def test_equal_options_name_none():
    assert letters("tif", prompt=asked(("tif", "tif", "gup"))) == "unparsed"
    assert letters("B", prompt=asked(("tif", "tif", "gup"))) == "B"


def test_probabilities_choose_the_likeliest():
    prompt = asked(NAMES, labelled=False, endings=tuple(f" {name}" for name in NAMES))
    reply = read(prompt, Said(logs=(-3.0, -2.0, -5.0, -2.5, -9.0), sizes=(1, 1, 1, 2, 1)))
    assert (reply.outcome, reply.choice) == ("answered", 1)


@pytest.mark.parametrize("log", [float("nan"), float("-inf"), float("inf")])
def test_what_is_no_probability_is_no_answer(log):
    prompt = asked(NAMES[:2], labelled=False, endings=(" pado", " tif"))
    reply = read(prompt, Said(logs=(-1.0, log), sizes=(1, 1)))
    assert (reply.outcome, reply.choice) == ("failed", -1)


@pytest.mark.timeout(30)
@pytest.mark.parametrize("piece", ["pado ", "B", "B ", "B|", "answer: ", "answer ", " ", "n't", "tif\n", "I can"])
def test_a_text_that_never_ends_is_read_in_a_moment(piece):
    assert read(asked(), Said(piece * 50_000, "length")).outcome == "truncated"


# Every text

words = st.sampled_from(
    """the cube is ANSWER: answer = not maybe ** sorry I x. _ it's tifs padox ' 7 F abc \\boxed{ } é İ ſ K""".split()
    + ["\n", "answer ="]
)
texts = st.one_of(st.text(max_size=60), st.lists(words, max_size=12).map(" ".join))
with_options = st.lists(st.one_of(words, st.sampled_from([*NAMES, *"ABCDEbd"])), max_size=12).map(" ".join)
ends = st.sampled_from(["", "stop", "length", "max_tokens", "refusal", "content_filter", "anything"])


def names_one(text: str) -> bool:
    """Whether an option's letter or name stands anywhere in a text, as a piece of its own or of a longer word."""
    folded = text.casefold()
    return bool(re.search(r"(?<![^\W_])[a-e](?![^\W_])", folded)) or any(
        name in folded for name in ("pado", "tif", "gup", "wem")
    )


@settings(max_examples=600, deadline=None)
@given(texts, ends)
def test_a_text_that_names_no_option_is_never_an_answer(text, end):
    reply = read(asked(), Said(text, end))
    assert reply.outcome in OUTCOMES
    assert (reply.outcome == "answered") == (reply.choice >= 0)
    if not names_one(text):
        assert reply.outcome != "answered" and reply.choice == -1


@settings(max_examples=400, deadline=None)
@given(with_options, st.sampled_from("ABCDE"), ends)
def test_a_marked_letter_is_the_answer_whatever_stands_before_it(text, letter, end):
    reply = read(asked(), Said(f"{text}\nANSWER: {letter}\n", end))
    if end in ("refusal", "content_filter"):
        assert reply.outcome == "refused"
    else:
        assert (reply.outcome, reply.choice) == ("answered", "ABCDE".index(letter))


# Tables of replies


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(with_options, ends, st.booleans()), max_size=20))
def test_every_reply_has_one_outcome(many):
    replies = [read(asked(), Said(text, end, tokens_in=3, cost=0.5, problem="p" * out)) for text, end, out in many]
    table = outcomes(replies).set_index("outcome")
    assert tuple(table.index) == OUTCOMES and table["n"].sum() == len(many)
    assert table["tokens_in"].sum() == 3 * len(many) and table["cost"].sum() == len(many) / 2
    assert np.isclose(table["share"].sum(), bool(many))


class Fixed:
    """A participant that says one thing to everybody."""

    name, identity = "fixed", {"model": "fixed"}

    def __init__(self, text: str) -> None:
        self.text = text

    def say(self, prompts, begin=lambda number: None):
        for number, _ in enumerate(prompts):
            begin(number)
            yield number, Said(self.text, "stop")


def test_a_model_that_always_takes_the_first_place_is_seen():
    episodes = making.episodes_of("shape", n=40)
    learner = Named(Fixed("ANSWER: A"), seed=1)
    answers = judge(learner, episodes)
    table = places(learner.replies, answers.correct)
    assert table.place.tolist() == [1, 2, 3, 4, 5] and table.n.tolist() == [40] * 5
    assert table.chosen.tolist() == [1, 0, 0, 0, 0] and table.due.sum() == pytest.approx(1)
    assert table.due[0] == answers.score.mean()  # it is right as often as the right option is in the first place
    assert len({reply.option for reply in learner.replies}) == 5  # though it takes all options


def test_places_count_what_was_answered_alone():
    prompt = asked(("x", "y", "z"))
    replies = [Reply(prompt, Said(), "answered", 2, (1, 2, 0)), Reply(prompt, Said(), "unparsed", -1, (0, 1, 2)),
               Reply(prompt, Said(), "answered", 0, ())]  # fmt: skip
    table = places(replies, [1, 0, 2])
    assert table.chosen.tolist() == [0.5, 0, 0.5] and table.due.tolist() == [0.5, 0, 0.5] and set(table.n) == {2}
    assert places([], []).empty and places(replies[1:2], [0]).empty


@pytest.mark.parametrize(("text", "outcome"), [("", "unparsed"), ("I cannot answer this.", "refused")])
def test_forty_answers_that_say_nothing_score_nothing(text, outcome):
    answers = judge(Named(Fixed(text)), making.episodes_of("shape", n=40))
    assert answers.score.sum() == 0 and answers.missing.all() and answers.responses == [None] * 40
    rows = {row["metric"]: row["value"] for row in scoring.summarise(answers)}
    assert rows["accuracy"] == 0 and rows[outcome] == 1
    assert sum(rows[name] for name in OUTCOMES[1:]) == 1
    assert not answers.to_trials()["correct"].any()
