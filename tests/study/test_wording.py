"""A sitting in words: what was shown, what was chosen, and nothing that was not yet known."""

from __future__ import annotations

import re

import pytest

from cogkit.core.errors import InputError
from cogkit.core.identity import content_hash
from cogkit.core.study import Study, Wording
from cogkit.study import wording
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials

CHOICE = re.compile(r"<<(.*?)>>")


def worded(presentation):
    *_, response = presentation.responses
    words, keys = f"Is {presentation.item} even? You press", ("yes", "no")
    return Wording(words, keys, keys.index(response), f"({presentation.name})")


def row(presentation, response):
    if response not in ("yes", "no"):
        raise InputError(repr(response), "yes or no")
    return {"response": response, "correct": int((response == "yes") == (presentation.item % 2 == 0))}


STUDY = Study(
    "tiles", lambda seed: "even", lambda condition, seed: [2, 3, 4], row, prompt="Press a key.", wording=worded
)


@pytest.fixture
def trials(tmp_path):
    return Trials(tmp_path / "trials.sqlite")


def test_the_words_are_those_of_the_sitting(trials):
    sitting = Sitting.begin(STUDY, 0, trials, who="p-1")
    assert wording.to_transcript(sitting.id, STUDY, trials) == "Press a key."
    for answer in ("yes", "yes", "no"):
        sitting.answer(answer)
    assert wording.to_transcript(sitting.id, STUDY, trials) == (
        "Press a key.\n\n"
        f"Is 2 even? You press <<yes>>. (even/{content_hash(2)})\n\n"
        f"Is 3 even? You press <<yes>>. (even/{content_hash(3)})\n\n"
        f"Is 4 even? You press <<no>>. (even/{content_hash(4)})"
    )


def test_a_reader_of_a_sitting_sees_no_choice_before_it_is_made(trials):
    sitting = Sitting.begin(STUDY, 0, trials, who="p-1")
    sitting.answer("no")
    sitting.answer("yes")
    parts = wording.story(STUDY.prompt, wording.wordings(sitting.id, STUDY, trials))
    assert [CHOICE.findall(text) for text, _ in parts] == [[], ["no"]]
    assert [answer.options[answer.choice] for _, answer in parts] == ["no", "yes"]
    assert content_hash(2) not in parts[0][0] and parts[1][0].endswith("Is 3 even? You press")


def test_nothing_but_a_choice_looks_like_one():
    answer = Wording("Is <<no>> a word? You say", ("a>>b", "c"), 0, "It <<is>>.")
    ((text, _),) = wording.story("<<Hello>>", [answer])
    assert not CHOICE.findall(text)
    assert CHOICE.findall(text + wording.continuation(answer)) == ["a> >b"]


def test_a_model_has_the_words_that_it_was_asked_and_said(trials):
    common = {"who": "m", "kind": "model", "instrument": "mewl", "task": "shape", "seed": 1, "profile": "verified"}
    common |= {"preset": "lab", "source": "cogkit", "correct": 1, "score": 1.0, "rt_s": None, "at": ""}
    texts = {"text": "I say B.\nANSWER: B"}, {"logs": [-2.0, -1.0], "sizes": [1, 1]}
    for reply, answer in zip(texts, ("I say B.\nANSWER: B", "tif"), strict=True):
        extra = {"prompt": [["user", "A. pado\nB. tif"]], "shown": ["pado", "tif"], "place": 1, **reply}
        row = common | {"sitting": answer, "response": "tif", "extra": extra}
        for order in range(2):
            trials.add(row | {"order": order, "item": f"{order}"})
        words = "\n\n".join([f"A. pado\nB. tif <<{answer}>>"] * 2)
        assert wording.to_transcript(answer, trials=trials) == words


def test_what_has_no_words_says_so(trials):
    sitting = Sitting.begin(STUDY, 0, trials, who="p-1")
    sitting.answer("yes")
    mute = Study("tiles", STUDY.assign, STUDY.items, row)
    cases = {"without words.*give the study": (sitting.id, None), "a sitting in": ("nobody", None)}
    for message, (name, study) in (cases | {"without words": (sitting.id, mute)}).items():
        with pytest.raises(InputError, match=message):
            wording.to_transcript(name, study, trials)
