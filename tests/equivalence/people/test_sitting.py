"""A person's sitting: what is asked, by plain counting; what is stored, and what a kill leaves behind."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.equivalence import scoring
from cogkit.equivalence.people.study import CHOICES, Plan, from_trials, study_of
from cogkit.equivalence.problems.records import NEGATIVES, Design
from cogkit.equivalence.views import MatchingToSample
from cogkit.study.sitting import Sitting
from cogkit.study.trials import BEGIN, Trials

SMALL = Design(members=3, classes=3, negatives="standard")
WRONG = 0.5  # of answers, where a test needs some


def begin(trials: Trials, seed: int = 0, **plan) -> Sitting:
    return Sitting.begin(study_of(Plan(**plan)), seed, trials, "p-1")


def play(sitting: Sitting, phase: str, share: float = 1.0, seed: int = 0) -> list[int]:
    """Answer to the end of a phase, rightly in this share of trials; return the places chosen."""
    rng, places = np.random.default_rng(seed), []
    while sitting.phase == phase:
        right = int(sitting.item.correct[0])
        places.append(right if rng.random() < share else (right + 1 + int(rng.integers(2))) % 3)
        answer(sitting, places[-1])
    return places


def answer(sitting: Sitting, place: int) -> bool:
    """Choose the comparison in a place, and go on from feedback."""
    right = sitting.answer(CHOICES[place])
    if sitting.pending:
        sitting.next()
    return right


def right_of(item: str) -> int:
    """The place of the comparison that ends in the sample's number: its class."""
    sample, *comparisons = item.split(" ")
    (place,) = [k for k, name in enumerate(comparisons) if name[1:] == sample[1:]]
    return place


def test_a_block_asks_every_trained_pair_of_every_class_equally_often():
    for structure, negatives in itertools.product(["LS", "OTM", "MTO", ("AB", "CB")], NEGATIVES):
        design = Design(structure, negatives=negatives, members=3, classes=4)
        expected = {(pair, c, f"O_{k}"): 1 for pair in design.trained for c in "1234" for k in (1, 2, 3)}
        for number in range(3):
            frame = Plan(design, repeats=3).block(seed=5, number=number).frame()
            counts = Counter(zip(frame.pair, frame["sample"].str[1], frame.response, strict=True))
            assert counts == expected, design  # each of them once in each place
    for repeats, classes in ((1, 3), (2, 4), (4, 5), (5, 3)):
        frame = Plan(Design(members=3, classes=classes), repeats=repeats).block(seed=1, number=0).frame()
        assert set(Counter(zip(frame.pair, frame["sample"], strict=True)).values()) == {repeats}
        counts = frame.response.value_counts()
        assert len(frame) == repeats * 2 * classes and counts.max() - counts.min() <= 1


def test_the_test_asks_every_pair_of_members_and_no_dummy():
    frame = Plan(Design(relation="select-only", members=3, classes=3), each=2).test(seed=3).frame()
    cells = Counter(zip(frame.pair, frame["sample"].str[1], strict=True))
    assert cells == {(a + b, c): 2 for a in "ABC" for b in "ABC" for c in "123"}
    sizes = {"reflexivity": 18, "baseline": 12, "symmetry": 12, "transitivity": 12}
    assert frame.type.value_counts().to_dict() == sizes
    names = frame[["sample", "comparison_1", "comparison_2", "comparison_3"]].to_numpy().ravel()
    assert not [name for name in names if name.startswith("Z")]
    assert frame.response.value_counts().to_dict() == {"O_1": 18, "O_2": 18, "O_3": 18}


def test_the_seed_draws_the_order_and_blocks_differ():
    plan = Plan()
    words = [plan.block(seed, number).tokens.tolist() for seed, number in ((0, 0), (0, 0), (0, 1), (1, 0))]
    assert words[0] == words[1] and words[0] != words[2] and words[0] != words[3]
    cut = [plan.block(seed, 0).frame().pair.iloc[0] for seed in range(40)]
    assert set(cut) == {"AB", "BC"}  # not always in the design's order


def test_mastery_is_the_criterion_and_not_a_hair_more():
    lengths = {18: SMALL, 20: Design(("AB",), members=2, classes=5), 30: Design(("AB",), members=2, classes=5)}
    for length, criterion, needed in ((18, 0.9, 17), (20, 0.9, 18), (30, 0.9, 27), (18, 1.0, 18), (18, 0.01, 1)):
        design = lengths[length]
        plan = Plan(design, repeats=length // (len(design.trained) * design.classes), criterion=criterion)
        assert plan.length() == length and plan.needed() == needed


def test_rows_tell_all_that_was_shown_and_said(trials):
    sitting = begin(trials, seed=2)
    places = play(sitting, "training", 0.97, seed=8) + play(sitting, "test", WRONG, seed=9)
    rows = trials.frame()
    first, answers = rows.iloc[0], rows.iloc[1:]
    assert (first["item"], first["response"], first.task) == (BEGIN, "LS/select-reject/standard", first.response)
    assert answers.response.tolist() == [f"O_{place + 1}" for place in places]
    right = [float(right_of(item) == place) for item, place in zip(answers["item"], places, strict=True)]
    assert answers.correct.tolist() == right
    assert answers.score.tolist() == answers.correct.tolist() and answers.order.tolist() == list(range(1, len(rows)))
    assert set(rows.instrument) == {"equivalence"} and set(rows.kind) == {"person"} and set(rows.who) == {"p-1"}
    types = {"AA": "reflexivity", "BB": "reflexivity", "CC": "reflexivity", "AB": "baseline", "BC": "baseline"}
    types |= {"BA": "symmetry", "CB": "symmetry", "AC": "transitivity", "CA": "transitivity"}
    for row in answers.itertuples():
        sample, *options = row.item.split(" ")
        pair = sample[0] + options[right_of(row.item)][0]
        expected = {"sample": sample, "options": options, "pair": pair}
        assert expected.items() <= row.extra.items() and row.task == f"LS/select-reject/standard/{types[pair]}"
        assert Design(**row.extra["design"]) == SMALL
    phases = [extra["phase"] for extra in answers["extra"]]
    assert phases == ["training"] * (len(rows) - 55) + ["test"] * 54
    flags = [extra["done"] for extra in answers["extra"]]
    assert [k for k, last in enumerate(flags) if last] == [*range(17, len(rows) - 55, 18), len(rows) - 2]


def test_it_goes_on_from_its_rows_alone_at_every_point(trials):
    sitting = begin(trials, seed=4, repeats=1, each=1, criterion=0.8)
    while sitting.phase != "done":
        again = Sitting.resume(sitting.study, sitting.id, Trials())
        assert again == sitting and again.presentation == sitting.presentation
        assert [trial.tokens.tolist() for trial in again.block] == [trial.tokens.tolist() for trial in sitting.block]
        sitting = again
        if sitting.pending:
            sitting.next()
        right = int(sitting.item.correct[0])
        sitting.answer(CHOICES[right if sitting.rows > 8 and sitting.rows % 5 < 4 else (right + 1) % 3])
        assert sitting.rows < 100
    assert Sitting.resume(sitting.study, sitting.id).phase == "done" and len(sitting.attempts) > 2


def test_a_place_that_is_none_is_refused_and_nothing_stored(trials):
    task = MatchingToSample(trials=trials)
    for place in (-1, 3, 1.0, None, True):
        with pytest.raises(InputError, match="wanted a place of a comparison"):
            task.answer(place)
        with pytest.raises(InputError, match="a comparison"):
            task.sitting.answer(place)
    assert task.sitting.presentation.position == 0 and len(trials.frame()) == 1


@pytest.mark.parametrize("design", [
    SMALL, Design("OTM", "reject-only", members=3, classes=3), Design(("AB", "CB"), members=3, classes=4),
])  # fmt: skip
def test_a_persons_answers_are_judged_as_a_models(design, trials):
    sitting = begin(trials, seed=6, design=design, each=3)
    play(sitting, "training")
    assert from_trials(trials.frame()) == []  # no test yet
    places = play(sitting, "test", WRONG)
    (answers,) = from_trials(trials.frame())
    assert (answers.who, answers.kind, answers.inputs, answers.speaks) == ("p-1", "person", "symbols", False)
    assert answers.items.design == design and answers.choices["forced choice"].tolist() == places
    plan = Plan(design, each=3).test(6)
    assert (answers.items.tokens == plan.tokens).all() and (answers.items.pair == plan.pair).all()
    by_pair, by_type = defaultdict(list), defaultdict(list)  # by plain counting from the rows
    for row in trials.frame().itertuples():
        if row.extra["phase"] == "test":
            by_pair[row.extra["pair"]].append(row.correct)
            by_type[row.task].append(row.correct)
    matrix = answers.matrix("forced choice")
    for (sample, comparison), right in by_pair.items():
        assert matrix["ABC".index(sample), "ABC".index(comparison)] == pytest.approx(np.mean(right))
    assert len(by_pair) == design.members**2
    rows = {(row["task"], row["metric"]): row for row in scoring.result_rows(answers)}
    for task, right in by_type.items():
        row = rows[task, "accuracy, forced choice"]
        assert row["value"] == pytest.approx(np.mean(right)) and row["n"] == len(right) and row["kind"] == "person"
    assert rows[f"{design.condition}/AB", "accuracy, expected"]["value"] == pytest.approx(np.mean(by_pair["AB"]))


def test_only_people_and_finished_tests_are_judged(trials):
    done, half = begin(trials), begin(trials, seed=1)
    for sitting in (done, half):
        play(sitting, "training")
    play(done, "test")
    for _ in range(53):
        answer(half, 0)
    assert [answers.seed for answers in from_trials(trials.frame())] == [0]
    answer(half, 0)
    assert [answers.seed for answers in from_trials(trials.frame())] == [0, 1]
    (answers, _) = from_trials(trials.frame())
    assert from_trials(answers.to_trials()) == []  # a model's rows are no sitting
