"""Which option a model's words name, if they name one: nothing is guessed, and nothing is counted twice."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from saying import Saying

from cogkit.extras.models.lm.prompts import Prompt
from cogkit.extras.models.lm.replies import Completion, named, parse, places
from cogkit.extras.models.mewl import Named, judge
from cogkit.mewl.problems import making
from cogkit.study.answers import OUTCOMES

NAMES = ("pado", "tif", "gup", "tif gup", "wem")
TILES = ("A1", "C4", "C5", "G7")
PAGE = """Let me look at the scenes one by one.

In scene 1 there is a large red cube, and it is called pado. A cube is also in scene 3, where the name is tif gup, so
option A or option D could mean the cube. I don't think that B fits: tif is never said of a sphere. Option E (wem) is
not impossible, but gup stands beside both cylinders.

"""


def question(options=NAMES, labelled=True, endings=()) -> Prompt:
    return Prompt("0", (("user", "Which name?"),), options, endings, labelled=labelled)


def letters(text: str, end: str = "stop", prompt: Prompt | None = None) -> str:
    """Return what a reply amounts to: the letter of the option it names, or its outcome."""
    reply = parse(prompt or question(), Completion(text, end))
    assert (reply.outcome == "answered") == (reply.choice >= 0) and reply.option == reply.choice
    return "ABCDE"[reply.choice] if reply.choice >= 0 else reply.outcome


MARKED = {  # what an answer amounts to, and texts between bars
    "B": "Answer: tif | **ANSWER: B** | **ANSWER:** B | **Answer**: (B) | __ANSWER: B__ | _Answer:_ B |"
    " ### ANSWER: `B` | > ANSWER: B. | ANSWER: ‘B’ | ANSWER: B. tif | ANSWER: B) tif | ANSWER: B (tif), I think |"
    " ANSWER: \\boxed{B} | $$\\text{ANSWER: } \\boxed{\\text{B}}$$ | ANSWER:\nB | **ANSWER:**\n\n**B**\n",
    "C": f"ANSWER: **gup**! | {PAGE}ANSWER: C",
    "D": 'answer: tif gup | ANSWER: "tif gup". | ANSWER = D | Final answer:\n\n- tif gup\n\nThat is the cube.',
    "E": "ANSWER:\r\nE\r\n | It could be pado. Or B.\nANSWER: B\nNo, wait.\n\nANSWER: E",
    "unparsed": "ANSWER: the second one | ANSWER: maybe | ANSWER: A or B | ANSWER: not B | ANSWER: X | ANSWER: |"
    " B is likely.\nANSWER: none of them | B\nANSWER: F",
}
PLAIN = {
    "A": "The answer is **pado**. | The answer is __pado__. | I choose option A. | Option A fits best. |"
    " A, because the cube is red",
    "B": "b | B | (B) | b) | B. | `B` | 'B' | **B** | __B__ | \\boxed{B} | The answer is $\\boxed{B}$. |"
    " The answer is _B_. | The answer is 'B'. | The answer is ‘B’. | B is it. Yes, B: tif. | I am not certain. B",
    "D": "So it is \\boxed{\\text{tif gup}} | TIF\n GUP | tif gup | D. tif gup | The answer is 'tif gup'. |"
    " A closer look shows that the right name is D | A cube is red. I think that it is D. | I can't be sure, but D",
    "E": 'The second scene\'s name is wem, so wem. | {"answer": "E"} | <think>It is red: a cube.</think>\n\nE',
    "unparsed": "|  \n | A or B | pado and tif | tif gup, or tif alone | A fits scene 7; B doesn't. |"
    " A matches all scenes, B only the first | It is not B | It isn't B. | It cannot be tif gup. | Neither B nor D |"
    " Anything except wem | B does not fit. | B is not the name of a cube. | tif gup can't be right | B is wrong. |"
    " padox or untif | F | The name has four letters | I'm not sure it is B | I cannot be sure.",
    "refused": "I can't be sure, and I cannot answer. | I cannot answer this. | I'm sorry, but I can’t help with that."
    " | I won't choose a name. | As an AI, I have no eyes. | It is not possible to determine the name.",
}
CUT = {
    "B": "ANSWER: tif.\n\nIt | ANSWER: B. ti",
    "C": f"{PAGE}ANSWER: C | {PAGE}ANSWER: C\n\nBecause",
    "D": "ANSWER: tif gup",
    "truncated": f"| {PAGE} | The answer is B | I cannot | {PAGE}ANSWER: | {PAGE}ANSWER: The na | ANSWER: tif",
}


def wrong(table: dict[str, str], end: str = "stop") -> list[tuple]:
    """Return the rows of a table that do not amount to what it says: text, what it does amount to, what it should."""
    rows = [(text.strip(" "), wanted) for wanted, texts in table.items() for text in texts.split("|")]
    return [(text, letters(text, end), wanted) for text, wanted in rows if letters(text, end) != wanted]


def test_the_last_marked_answer_decides():
    assert not wrong(MARKED)
    assert all(named(question(), text)[0] for texts in MARKED.values() for text in texts.split("|"))


def test_without_a_mark_one_option_is_named_and_no_other():
    assert not wrong(PLAIN)


def test_what_was_cut_off_counts_if_it_was_marked_and_whole():
    assert not wrong(CUT, "length") + wrong(CUT, "max_tokens")


def test_a_server_that_ends_an_answer_has_refused_and_what_never_came_has_failed():
    for end in ("refusal", "content_filter"):
        assert letters("ANSWER: B", end) == letters("", end) == "refused"
    assert parse(question(), Completion("ANSWER: B", problem="500 of http://here")).outcome == "failed"


def test_options_without_letters_are_named_in_their_own_words():
    places = {"C4": 1, "c4.": 1, "I turn C4 next": 1, "ANSWER: **G7**": 3, "Column C, row 5: C5": 2}
    places |= dict.fromkeys(("C4, then C5", "C 4", "C", "C45", "A", "Not A1"), -1)
    replies = {text: parse(question(TILES, labelled=False), Completion(text)) for text in places}
    assert {text: reply.choice for text, reply in replies.items()} == places
    assert {reply.outcome for reply in replies.values() if reply.choice < 0} == {"unparsed"}


def test_an_option_that_is_also_a_letter_is_taken_by_its_words_and_equal_ones_name_none():
    prompt = question(("B", "A", "C"))
    assert [letters(text, prompt=prompt) for text in ("C", "ANSWER: C.", "A")] == ["C", "C", "B"]
    assert [letters(text, prompt=question(("tif", "tif", "gup"))) for text in ("tif", "B")] == ["unparsed", "B"]


def test_probabilities_choose_the_likeliest_and_what_is_none_is_no_answer():
    prompt = question(NAMES[:2], labelled=False, endings=(" pado", " tif"))
    for log, wanted in ((-0.5, ("answered", 1)), (float("nan"), ("failed", -1)), (float("-inf"), ("failed", -1))):
        reply = parse(prompt, Completion(logs=(-1.0, log), sizes=(1, 1)))
        assert (reply.outcome, reply.choice) == wanted


def test_a_text_that_never_ends_is_read_in_a_moment():
    for piece in ("pado ", "B", "B ", "B|", "answer: ", "answer ", " ", "n't", "tif\n", "I can"):
        assert parse(question(), Completion(piece * 20_000, "length")).outcome == "truncated", piece


# Every text

WORDS = r"the cube is ANSWER: answer = not maybe ** sorry I x. _ it's tifs padox ' 7 F abc \boxed{ } é İ ſ K".split()
words = st.sampled_from([*WORDS, "\n", "answer ="])
texts = st.one_of(st.text(max_size=60), st.lists(words, max_size=12).map(" ".join))
with_options = st.lists(st.one_of(words, st.sampled_from([*NAMES, *"ABCDEbd"])), max_size=12).map(" ".join)
ends = st.sampled_from(["", "stop", "length", "max_tokens", "refusal", "content_filter", "anything"])


def names_one(text: str) -> bool:
    """Whether an option's letter or name stands anywhere in a text, as a piece of its own or of a longer word."""
    letter = re.search(r"(?<![^\W_])[a-e](?![^\W_])", text.casefold())
    return bool(letter) or any(name in text.casefold() for name in ("pado", "tif", "gup", "wem"))


@settings(max_examples=150, deadline=None)
@given(texts, ends)
def test_a_text_that_names_no_option_is_never_an_answer(text, end):
    reply = parse(question(), Completion(text, end))
    assert reply.outcome in OUTCOMES
    assert (reply.outcome == "answered") == (reply.choice >= 0)
    if not names_one(text):
        assert reply.outcome != "answered" and reply.choice == -1


@settings(max_examples=100, deadline=None)
@given(with_options, st.sampled_from("ABCDE"), ends)
def test_a_marked_letter_is_the_answer_whatever_stands_before_it(text, letter, end):
    reply = parse(question(), Completion(f"{text}\nANSWER: {letter}\n", end))
    if end in ("refusal", "content_filter"):
        assert reply.outcome == "refused"
    else:
        assert (reply.outcome, reply.choice) == ("answered", "ABCDE".index(letter))


# Tables of replies


def test_a_model_that_always_takes_the_first_place_is_seen():
    episodes = making.episodes_of("shape", n=40)
    learner = Named(Saying(lambda prompt: "ANSWER: A"), seed=1)
    answers = judge(learner, episodes)
    table = places(learner.replies)
    assert table.place.tolist() == [1, 2, 3, 4, 5] and table.n.tolist() == [40] * 5
    assert table.chosen.tolist() == [1, 0, 0, 0, 0] and table.due.tolist() == [0.2] * 5 and 0 < answers.score.sum() < 20
    assert len({reply.option for reply in learner.replies}) == 5  # though it takes all options
