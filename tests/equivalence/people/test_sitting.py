"""A person's sitting: what is asked, by plain counting; what is stored, and what a kill leaves behind."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest

from cogkit.core.contracts import InputError
from cogkit.equivalence import scoring
from cogkit.equivalence.people.study import CHOICES, Plan, from_trials, study_of
from cogkit.equivalence.problems.records import Design
from cogkit.equivalence.views import MatchingToSample, comparisons, figures
from cogkit.study.sitting import SKIP, Sitting
from cogkit.study.trials import BEGIN, Trials
from cogkit.ui.alt import describe

SMALL = Design(members=3, classes=3, negatives="standard")
WRONG = 0.5  # of answers, where a test needs some


@pytest.fixture
def store(home) -> Trials:
    return Trials()


def begin(store: Trials, seed: int = 0, **plan) -> Sitting:
    return Sitting.begin(study_of(Plan(**plan)), seed, store, "p-1")


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


@pytest.mark.parametrize("structure", ["LS", "OTM", "MTO", ("AB", "CB")])
@pytest.mark.parametrize("negatives", ["standard", "biased"])
def test_a_block_asks_every_trained_pair_of_every_class_equally_often(structure, negatives):
    design = Design(structure, negatives=negatives, members=3, classes=4)
    for number in range(3):
        frame = Plan(design, repeats=3).block(seed=5, number=number).frame()
        counts = Counter(zip(frame.pair, frame["sample"].str[1], frame.response, strict=True))
        expected = {(pair, c, f"O_{k}"): 1 for pair in design.trained for c in "1234" for k in (1, 2, 3)}
        assert counts == expected  # each of them once in each place


@pytest.mark.parametrize(("repeats", "classes"), [(1, 3), (2, 4), (4, 5), (5, 3)])
def test_places_are_balanced_whatever_the_number(repeats, classes):
    frame = Plan(Design(members=3, classes=classes), repeats=repeats).block(seed=1, number=0).frame()
    assert set(Counter(zip(frame.pair, frame["sample"], strict=True)).values()) == {repeats}
    counts = frame.response.value_counts()
    assert len(frame) == repeats * 2 * classes and counts.max() - counts.min() <= 1


def test_the_test_asks_every_pair_of_members_and_no_dummy():
    design = Design(relation="select-only", members=3, classes=3)
    frame = Plan(design, each=2).test(seed=3).frame()
    cells = Counter(zip(frame.pair, frame["sample"].str[1], strict=True))
    assert cells == {(a + b, c): 2 for a in "ABC" for b in "ABC" for c in "123"}
    assert frame.type.value_counts().to_dict() == {
        "reflexivity": 18,
        "baseline": 12,
        "symmetry": 12,
        "transitivity": 12,
    }
    names = frame[["sample", "comparison_1", "comparison_2", "comparison_3"]].to_numpy().ravel()
    assert not [name for name in names if name.startswith("Z")]
    assert frame.response.value_counts().to_dict() == {"O_1": 18, "O_2": 18, "O_3": 18}


def test_select_only_and_reject_only_show_dummies_in_training():
    for relation, dummies in (("select-only", 2), ("reject-only", 1)):
        frame = Plan(Design(relation=relation, members=3, classes=3)).block(seed=0, number=0).frame()
        for row in frame.to_dict("records"):
            options = [row[f"comparison_{k}"] for k in (1, 2, 3)]
            assert sum(name.startswith("Z") for name in options) == dummies
            choice = options[int(row["response"][-1]) - 1]
            assert choice.startswith("Z") == (relation == "reject-only")


def test_the_seed_draws_the_order_and_blocks_differ():
    plan = Plan()
    words = [plan.block(seed, number).tokens.tolist() for seed, number in ((0, 0), (0, 0), (0, 1), (1, 0))]
    assert words[0] == words[1] and words[0] != words[2] and words[0] != words[3]
    cut = [plan.block(seed, 0).frame().pair.iloc[0] for seed in range(40)]
    assert set(cut) == {"AB", "BC"}  # not always in the design's order


@pytest.mark.parametrize(
    ("length", "criterion", "needed"), [(18, 0.9, 17), (20, 0.9, 18), (30, 0.9, 27), (18, 1.0, 18), (18, 0.01, 1)]
)
def test_mastery_is_the_criterion_and_not_a_hair_more(length, criterion, needed):
    design = Design(("AB",), members=2, classes=5) if length % 9 else SMALL
    plan = Plan(design, repeats=length // (len(design.trained) * design.classes), criterion=criterion)
    assert plan.length() == length and plan.needed() == needed


def test_training_repeats_until_a_block_is_mastered(store):
    sitting = begin(store)
    for right_answers in (16, 0, 17):  # of 18: 16 are too few
        assert sitting.phase == "training" and sitting.presentation.position == 0
        for k in range(18):
            right = int(sitting.item.correct[0])
            assert answer(sitting, right if k < right_answers else (right + 1) % 3) is (k < right_answers)
    assert sitting.phase == "test" and sitting.passed and [sum(block) for block in sitting.attempts] == [16, 0, 17]
    play(sitting, "test", share=0.5)
    assert sitting.phase == "done" and len(sitting.right) == 54 and len(sitting.answers()) == 3 * 18 + 54
    with pytest.raises(InputError, match="its phase done"):
        answer(sitting, 0)


def test_rows_tell_all_that_was_shown_and_said(store):
    sitting = begin(store, seed=2)
    places = play(sitting, "training", 0.97, seed=8) + play(sitting, "test", WRONG, seed=9)
    rows = store.frame()
    first, answers = rows.iloc[0], rows.iloc[1:]
    assert (first["item"], first["response"], first.task) == (BEGIN, "LS/select-reject/standard", first.response)
    assert answers.response.tolist() == [f"O_{place + 1}" for place in places]
    assert answers.correct.tolist() == [
        float(right_of(item) == place) for item, place in zip(answers["item"], places, strict=True)
    ]
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


def test_skipping_is_asked_for_and_stored(store):
    sitting = begin(store)
    answer(sitting, 0)
    sitting.skip()
    assert sitting.phase == "test" and sitting.skipped and not sitting.passed
    again = Sitting.resume(sitting.study, sitting.id, Trials())
    assert (again.phase, again.skipped, again.position, again.rows) == ("test", True, 0, 3)
    with pytest.raises(InputError, match="nothing to skip"):
        again.skip()
    play(again, "test")
    assert store.frame()["item"].tolist().count(SKIP) == 1 and len(again.answers()) == 55
    (answers,) = from_trials(store.frame())
    assert len(answers.trials) == 54 and answers.right.all()


def test_it_goes_on_from_its_rows_alone_at_every_point(store):
    sitting = begin(store, seed=4, repeats=1, each=1, criterion=0.8)
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


def test_open_goes_on_with_the_same_plan_and_takes_the_next_free_seed(store):
    first = Sitting.open(study_of(), store, 3, "p-1")
    first.answer(CHOICES[0])
    assert Sitting.open(study_of(), store, 9, "p-1") == first
    first.next()
    second = Sitting.open(study_of(Plan(repeats=1)), store, 3, "p-1")
    assert second.id != first.id and second.seed == 3
    assert Sitting.open(study_of(), store, 3, "p-2").id != first.id
    play(first, "training")
    play(first, "test")
    assert Sitting.open(study_of(), store, 3, "p-1").seed == 4


@pytest.mark.parametrize("place", [-1, 3, 1.0, "1", None, True])
def test_a_place_that_is_none_is_refused_and_nothing_stored(place, store):
    task = MatchingToSample(trials=store)
    with pytest.raises(InputError, match="the place of a comparison, 0 to 2"):
        task.answer(place)
    with pytest.raises(InputError, match="a comparison"):
        task.sitting.answer(place)
    assert task.sitting.presentation.position == 0 and len(store.frame()) == 1


def test_an_answer_that_cannot_be_stored_is_not_counted(store):
    sitting = begin(store)
    twin = Sitting.resume(sitting.study, sitting.id, store)  # the same sitting in another window
    answer(twin, 0)
    with pytest.raises(InputError, match="goes on in another window"):
        answer(sitting, 1)
    assert sitting.attempts == [[]] and not sitting.pending and len(store.frame()) == 2


@pytest.mark.parametrize(
    ("plan", "told"),
    [({"repeats": 0}, "1 or more"), ({"each": 2.0}, "1 or more"), ({"criterion": 0}, "above 0"),
     ({"criterion": 90}, "at most 1")],
)  # fmt: skip
def test_plans_that_are_none_are_refused(plan, told):
    with pytest.raises(InputError, match=told):
        Plan(**plan)


def test_strange_sittings_are_refused(store):
    with pytest.raises(InputError, match="a sitting that began in"):
        Sitting.resume(study_of(), "nobody", store)
    sitting = begin(store)
    other = begin(store, seed=1)
    answer(other, 0)
    store.add(store.frame().iloc[-1].to_dict() | {"order": 1, "sitting": sitting.id, "rt_s": None})
    with pytest.raises(InputError, match="the study has changed"):
        Sitting.resume(sitting.study, sitting.id, store)


@pytest.mark.parametrize("design", [
    SMALL, Design("OTM", "reject-only", members=3, classes=3), Design(("AB", "CB"), members=3, classes=4),
])  # fmt: skip
def test_a_persons_answers_are_judged_as_a_models(design, store):
    sitting = begin(store, seed=6, design=design, each=3)
    play(sitting, "training")
    assert from_trials(store.frame()) == []  # no test yet
    places = play(sitting, "test", WRONG)
    (answers,) = from_trials(store.frame())
    assert (answers.who, answers.kind, answers.inputs, answers.speaks) == ("p-1", "person", "symbols", False)
    assert answers.trials.design == design and answers.choices["forced choice"].tolist() == places
    trials = Plan(design, each=3).test(6)
    assert (answers.trials.tokens == trials.tokens).all() and (answers.trials.pair == trials.pair).all()
    # By plain counting from the rows.
    lines = [row for row in store.frame().itertuples() if row.extra["phase"] == "test"]
    by_pair = {}
    for row in lines:
        by_pair.setdefault(row.extra["pair"], []).append(row.correct)
    letters, matrix = "ABC", answers.matrix("forced choice")
    for pair, right in by_pair.items():
        assert matrix[letters.index(pair[0]), letters.index(pair[1])] == pytest.approx(np.mean(right))
    assert len(by_pair) == design.members**2
    rows = {(row["task"], row["metric"]): row for row in scoring.summarise(answers)}
    by_type = {}
    for row in lines:
        by_type.setdefault(row.task, []).append(row.correct)
    for task, right in by_type.items():
        row = rows[task, "accuracy, forced choice"]
        assert row["value"] == pytest.approx(np.mean(right)) and row["n"] == len(right) and row["kind"] == "person"
    assert rows[f"{design.condition}/AB", "accuracy, expected"]["value"] == pytest.approx(np.mean(by_pair["AB"]))


def test_only_people_and_finished_tests_are_judged(store):
    done, half = begin(store), begin(store, seed=1)
    for sitting in (done, half):
        play(sitting, "training")
    play(done, "test")
    for _ in range(53):
        answer(half, 0)
    assert [answers.seed for answers in from_trials(store.frame())] == [0]
    answer(half, 0)
    assert [answers.seed for answers in from_trials(store.frame())] == [0, 1]
    (answers, _) = from_trials(store.frame())
    assert from_trials(answers.to_trials()) == []  # a model's rows are no sitting


def test_what_is_not_a_whole_test_is_no_row_and_the_smallest_is(store):
    """One trial of training, one of the test; then the smallest test there is, every answer of it wrong or right."""
    half, least = begin(store), begin(store, seed=1, design=Design(members=2, classes=3), repeats=1, each=1)
    answer(half, 0)
    assert from_trials(store.frame()) == []
    half.skip()
    answer(half, 0)
    play(least, "training")
    assert from_trials(store.frame()) == []
    play(least, "test")
    (answers,) = from_trials(store.frame())
    rows = pd.DataFrame(scoring.summarise(answers)).assign(kind="you")
    accuracy = rows[rows.metric == "accuracy, forced choice"]
    assert set(accuracy.value) == {1.0} and accuracy.n.min() == 3
    assert "you, " in describe(comparisons.players(rows, rule="forced choice"))
    assert figures.panel(answers.matrix("forced choice"), answers.trials.design, n=3, title="The last sitting").data


def test_the_plan_comes_back_from_its_row(store):
    plan = Plan(Design(("AB", "CB"), "select-only", members=3, classes=5), 2, 4, 0.75)
    sitting = Sitting.begin(study_of(plan), 0, store, "p-1")
    assert store.frame().iloc[0].extra["plan"]["repeats"] == 2 and asdict(plan)["each"] == 4
    assert Plan.of(store.frame().iloc[0].extra["plan"]) == plan
    assert Sitting.open(study_of(plan), store, who="p-1") == sitting
