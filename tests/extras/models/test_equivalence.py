"""A language model in matching to sample: what it reads, what it could work out from that, and what is made of it."""

from __future__ import annotations

import re
from collections import Counter
from os.path import commonprefix

import numpy as np
import pytest
from saying import Numbered

from cogkit.core.errors import InputError
from cogkit.equivalence import scoring
from cogkit.equivalence.instrument import INSTRUMENT
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import OPTIONS, TYPES, Design
from cogkit.extras.models import equivalence as lm_equivalence
from cogkit.extras.models.lm.replies import Completion

LINE = re.compile(r"^Sample: (\w+)\. Comparisons: (\w+), (\w+), (\w+)\. Right: (\w+)\.$", re.M)
LAST = re.compile(r"^Sample: (\w+)\. Which comparison is right\?\nA\. (\w+)\nB\. (\w+)\nC\. (\w+)$", re.M)
SELECTING = [task for task in INSTRUMENT.tasks() if "reject-only" not in task]
REJECTING = [task for task in INSTRUMENT.tasks() if "reject-only" in task]


def read(prompt):
    """Return the training trials in a prompt, the sample of the test trial, and its comparisons."""
    (match,) = LAST.findall(prompt.text)
    return LINE.findall(prompt.text), match[0], match[1:]


def connected(prompt, number=0):
    """Answer by the graph of samples and right comparisons."""
    lines, sample, options = read(prompt)
    return letter([(first, right) for first, *_, right in lines], sample, options)


def letter(pairs, sample, options):
    """Return the answer that names the one comparison connected with the sample; no words if there is not one."""
    groups = {}
    for first, second in pairs:
        whole = groups.get(first, {first}) | groups.get(second, {second})
        groups |= dict.fromkeys(whole, whole)
    places = [place for place, option in enumerate(options) if option in groups.get(sample, {sample})]
    return f"ANSWER: {'ABC'[places[0]]}" if len(places) == 1 else ""


def told_apart(lines):
    """Return for each name what it was told apart from, and beside which names it was wrong; right are dummies."""
    apart, beside = {}, {}
    for first, *comparisons, right in lines:
        wrong = {name for name in comparisons if name != right}
        for name in wrong:
            apart.setdefault(first, set()).add(name)
            apart.setdefault(name, set()).add(first)
            beside.setdefault(name, set()).update(wrong - {name})
    return apart, beside


def by_exclusion(prompt, number=0):
    """Answer by pairs of a sample and what it never rejected, though it rejected all that stands beside it."""
    lines, sample, options = read(prompt)
    apart, beside = told_apart(lines)
    samples = {first for first, *_ in lines}
    pairs = [(first, name) for first in samples for name in beside if beside[name] <= apart[first]]
    return letter([(first, name) for first, name in pairs if name not in apart[first]], sample, options)


def by_likeness(prompt, number=0):
    """Answer by what was told apart: not from the sample, and from the same names as the sample."""
    lines, sample, options = read(prompt)
    apart, _ = told_apart(lines)
    ranks = [(option != sample, option in apart[sample], -len(apart[sample] & apart[option])) for option in options]
    return f"ANSWER: {'ABC'[ranks.index(min(ranks))]}"


def answers_of(task, answer, n=100, seed=0, how="text"):
    participant = Numbered(answer)
    learner = lm_equivalence.Matcher(participant, task, how=how, seed=seed)
    trials = lm_equivalence.items(task, n, seed=seed)
    return scoring.judge(learner, trials, seed=seed), participant.prompts


def test_the_training_trials_connect_every_class():
    for task in SELECTING:
        answers, _ = answers_of(task, connected)
        assert answers.right.tolist() == [1] * 100 and set(answers.items.types) == set(TYPES), task
        rows = {row["task"].rsplit("/", 1)[1]: row for row in scoring.result_rows(answers) if "argmax" in row["metric"]}
        assert [rows[name]["value"] for name in TYPES] == [1] * 4


@pytest.mark.parametrize("task", REJECTING)
def test_what_is_told_apart_is_enough_where_right_comparisons_are_dummies(task):
    for seed in range(2):
        answers, _ = answers_of(task, by_exclusion if "standard" in task else by_likeness, n=100, seed=seed)
        assert answers.right.tolist() == [1] * 100


@pytest.mark.parametrize("task", INSTRUMENT.tasks())
def test_the_lines_are_balanced_trials_of_the_design_and_name_no_class_or_member(task):
    _, prompts = answers_of(task, connected, n=20, seed=5)
    design = Design(*task.split("/"))
    number = {name: token for token, name in enumerate(lm_equivalence.names(design, 5))}
    assert len(number) == design.stimuli + design.dummies
    whole = records.training(design)
    pairs = dict(zip(map(tuple, whole.tokens.tolist()), whole.pair.tolist(), strict=True))
    lines, _, _ = read(prompts[0])
    cells, places, rights = Counter(), Counter(), Counter()
    for sample, *comparisons, right in lines:
        place = comparisons.index(right)
        names = [number[name] for name in (sample, *comparisons)]
        pair = pairs[(*names, design.tokens.index(f"O_{place + 1}"))]  # an error if the design has no such trial
        cells[pair, names[0] // design.members] += 1
        places[pair, names[0] // design.members, place] += 1
        rights[design.tokens[number[right]]] += 1
    trained = [design.pair_names.index(pair) for pair in design.trained]
    assert cells == {(pair, k): lm_equivalence.TIMES for pair in trained for k in range(design.classes)}
    assert len(lines) == 144 and set(places.values()) == {lm_equivalence.TIMES // OPTIONS} and len(places) == 72
    assert all(name.startswith("Z_") == (design.relation == "reject-only") for name in rights)
    for prompt in prompts:
        assert not re.search(r"\d", prompt.text) and "class" not in prompt.text and "equivalen" not in prompt.text
        words = {name for line in LINE.findall(prompt.text) for name in line} | set(prompt.options)
        assert words <= set(number) and not words & set(design.tokens)
    shared = commonprefix([prompt.text for prompt in prompts])
    assert len(LINE.findall(shared)) == 144  # a cache reads the training trials once
    assert len({prompt.item for prompt in prompts}) == len({prompt.text for prompt in prompts})


def test_names_and_trials_are_drawn_by_the_seed():
    assert lm_equivalence.names(Design(), 0) != lm_equivalence.names(Design(), 1)
    assert lm_equivalence.names(Design("OTM", "select-only"), 1) == lm_equivalence.names(Design(), 1)
    with pytest.raises(InputError, match="stimuli and dummies"):
        lm_equivalence.names(Design(members=26, classes=4))
    design = Design("MTO", "select-only")
    tests = lambda design, seed: lm_equivalence.items(design.condition, 50, seed=seed)  # noqa: E731
    for draw in (lm_equivalence.training_trials, tests):
        first, again, other = (draw(design, seed).tokens for seed in (0, 0, 1))
        assert (first == again).all() and (first != other).any()


def test_items_are_balanced():
    """A type's 72 or more cells of pair, class and place come round one after the other."""
    for n in (1, 7, 288, 3000):
        trials = lm_equivalence.items("LS/select-reject", n, seed=n)
        assert len(trials) == n == len(set(map(bytes, trials.tokens)))
        counts = [int((trials.types == name).sum()) for name in TYPES]
        assert max(counts) - min(counts) <= 1
        for name in {name for name, count in zip(TYPES, counts, strict=True) if count}:
            own = trials[trials.types == name]
            of_pairs, of_classes = (np.unique(part, return_counts=True)[1] for part in (own.pair, own.classes))
            cells = np.unique(own.pair * 4 + own.classes, return_counts=True)[1]
            assert np.ptp(of_pairs) <= 1 and np.ptp(of_classes) <= 4 and (np.ptp(cells) <= 1 or n < 288)
            assert np.ptp(np.bincount(own.correct, minlength=OPTIONS)) <= 2 * OPTIONS
    own = lm_equivalence.items("LS/select-reject/standard", 4 * 72)
    own = own[own.types == "baseline"]  # a whole number of rounds
    places = Counter(zip(own.pair.tolist(), own.classes.tolist(), own.correct.tolist(), strict=True))
    assert len(places) == 72 and set(places.values()) == {1}


def test_items_are_all_or_as_many_as_there_are():
    task, every = "LS/select-reject/standard", records.tests(Design(negatives="standard"))
    assert set(map(bytes, lm_equivalence.items(task, len(every)).tokens)) == set(map(bytes, every.tokens))
    for n in (0, len(every) + 1):
        with pytest.raises(InputError, match="trials"):
            lm_equivalence.items(task, n)


def test_the_first_letter_alone_is_right_by_chance():
    n = 600
    answers, _ = answers_of("LS/select-reject", lambda prompt, number: "ANSWER: A", n)
    assert (next(iter(answers.choices.values())) == 0).all()
    assert answers.right.tolist() == (answers.items.correct == 0).tolist()
    assert abs(answers.right.mean() - 1 / 3) <= 4 * np.sqrt(2 / 9 / n)


def test_what_did_not_come_is_told_and_never_right():
    silent = {  # of twelve
        1: Completion("", end="stop"), 2: Completion("I'm sorry, I cannot answer.", end="stop"),
        3: Completion("Well, let me see", end="length"), 4: Completion(problem="429"),
        5: Completion("A or B", end="stop"), 6: Completion("No.", end="content_filter"),
    }  # fmt: skip
    expected = {"refused": 20, "unparsed": 20, "truncated": 10, "failed": 10}
    answers, prompts = answers_of("OTM/select-reject", lambda prompt, k: silent.get(k % 12, connected(prompt)), 120)
    came = np.array([k % 12 not in silent for k in range(120)])
    assert (answers.missing == ~came).all() and (answers.right == came).all()
    assert all((places[~came] == scoring.NONE).all() for places in answers.choices.values())
    rows = scoring.result_rows(answers)
    shares = {row["metric"].split(",")[0]: (row["value"], row["n"]) for row in rows if "accuracy" not in row["metric"]}
    assert shares == {name: (count / 120, 120) for name, count in expected.items()}
    for name in TYPES:
        mask = answers.items.types == name
        values = [row["value"] for row in rows if row["task"].endswith(name) and "accuracy" in row["metric"]]
        assert values and values == pytest.approx([came[mask].mean()] * len(values))
    trials = answers.to_trials()
    assert trials.response.isna().tolist() == (~came).tolist()
    assert trials.correct.tolist() == came.astype(int).tolist()
    assert [extra["prompt"][0][1] for extra in trials.extra] == [prompt.text for prompt in prompts]
    assert Counter(extra["outcome"] for extra in trials.extra) == Counter(expected) + Counter(answered=60)
