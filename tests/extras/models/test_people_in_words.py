"""People's sittings in words, of every instrument, and how well a model predicts them."""

from __future__ import annotations

import math
import re

import pytest
from saying import Saying

from cogkit.bongard.people.study import study_of as problems
from cogkit.core.errors import InputError
from cogkit.equivalence.people.study import CHOICES, Plan
from cogkit.equivalence.people.study import study_of as matching
from cogkit.extras.models import people
from cogkit.extras.models.lm.replies import Completion
from cogkit.mewl.people.study import beside_of
from cogkit.mewl.people.study import study_of as names
from cogkit.study.sitting import INSTRUCTIONS, Sitting
from cogkit.study.trials import Trials
from cogkit.tiles.people.study import STUDY as BOARDS
from cogkit.tiles.people.study import free
from cogkit.tiles.problems import records

CHOICE = re.compile(r"<<(.*?)>>")


def first_name(presentation):
    return presentation.item.trial.options[0]


def covered(presentation):
    board, start = presentation.item
    return next(tile for tile in range(49) if tile != start and tile not in presentation.responses)


STUDIES = {
    "bongard": (lambda: problems(1), lambda presentation: "positive", 6, "the first group"),
    "equivalence": (lambda: matching(Plan(repeats=1, each=1)), lambda presentation: CHOICES[0], 9, None),
    "mewl": (lambda: names("color", tests=2), first_name, 4, None),
    "mewl, beside learners": (lambda: beside_of("shape", tests=2), first_name, 2, None),
    "tiles": (lambda: BOARDS, covered, 60, None),
}  # a study, how a person answers, after how many answers she stops, and the words of each if they are all the same


@pytest.fixture
def trials(tmp_path):
    return Trials(tmp_path / "trials.sqlite")


def sit(name, trials):
    """Sit a study, and return the sitting."""
    study, respond, n, _ = STUDIES[name]
    sitting, answered = Sitting.begin(study(), 3, trials, who="p-1"), 0
    while answered < n and not sitting.finished:
        if sitting.pending or sitting.stage == INSTRUCTIONS:
            sitting.next()
            continue
        sitting.answer(respond(sitting.presentation))
        answered += 1
    return sitting


@pytest.mark.parametrize("name", STUDIES)
def test_every_answer_of_a_sitting_is_a_choice_in_its_words_and_none_before_it_tells_what_is_right(name, trials):
    sitting = sit(name, trials)
    for own in map(people.study_of(sitting.id, trials).wording, sitting.met[:3]):
        assert "Right." not in own.text and "Wrong:" not in own.text and "It is" not in own.text
        assert len(set(own.options)) == len(own.options) > 1 and 0 <= own.choice < len(own.options)
    rows = sitting.answers()
    rows = rows[rows.correct.notna()]
    text = people.to_transcript(sitting.id, trials)
    choices = CHOICE.findall(text)
    assert len(choices) == len(rows) > 1
    if name.startswith("mewl"):
        assert choices == rows.response.tolist()
    elif name == "tiles":
        assert choices == ["ABCDEFG"[int(tile) % 7] + str(int(tile) // 7 + 1) for tile in rows.response]
        assert re.findall(r"It is (\w+)", text) == ["red" if right else "blue" for right in rows.correct]
    elif name == "bongard":
        assert choices == [STUDIES[name][3]] * len(rows)
        pairs = re.findall(r"The first picture belongs to (the \w+ group), and the second to (the \w+ group)", text)
        sides = [{"positive": "the first group", "negative": "the second group"}[e["side"]] for e in rows.extra]
        assert [side for pair in pairs for side in pair] == sides
    else:
        trained = [extra["phase"] == "training" for extra in rows.extra]
        assert text.count("Right.") == int(rows.correct[trained].sum())
        assert text.count("Wrong: ") == sum(trained) - int(rows.correct[trained].sum())


def test_free_play_and_strangers_are_told_in_a_sentence(trials):
    sitting = Sitting.begin(free(records.items("copy/abstract")), 0, trials, who="p-1")
    with pytest.raises(InputError, match="a sitting of a study"):
        people.to_transcript(sitting.id, trials)
    with pytest.raises(InputError, match="a sitting in"):
        people.to_transcript("nobody", trials)
    assert people.latest(trials, "p-1") == ""


def test_how_probable_a_model_finds_what_a_person_does(trials):
    sitting = sit("mewl, beside learners", trials)  # she always takes the first of five names
    sure = Saying(lambda prompt: Completion(logs=(-2.0, *[-3.0] * 4), sizes=(1,) * 5))
    table = people.predicted(sure, sitting.id, trials)
    expected = 1 - math.log(math.e + 4)
    assert table.model.tolist() == pytest.approx([expected] * 2)
    assert table.floor.tolist() == pytest.approx([-math.log(5)] * 2)
    assert [prompt.text.count("<<") for prompt in sure.prompts] == [1, 2]
    assert all(prompt.text.endswith(" <<") for prompt in sure.prompts)
