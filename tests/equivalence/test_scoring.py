"""From answers to numbers: every share counted again by a plain loop, every rule against what it must do by chance."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.equivalence import scoring
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import Design, Trials

SMALL = Design(members=3, classes=3)  # 9 pairs, 3 classes, 90 trials each
T2 = 4.302652729911275  # the 97.5 % point of Student's t with 2 degrees of freedom, from a printed table
LETTERS = "ABC"


class Fixed:
    """Gives the chances it was made with."""

    name, kind, inputs = "fixed", "model", "symbols"

    def __init__(self, chances):
        self.chances = chances

    def choose(self, question):
        return self.chances


@pytest.fixture(scope="module")
def trials() -> Trials:
    return records.tests(SMALL)


@pytest.fixture(scope="module")
def chances(trials) -> np.ndarray:
    """Uneven chances of three options and four things that are none."""
    return np.random.default_rng(0).dirichlet([1.5, 1, 1, 0.5, 0.5, 0.3, 0.2], len(trials))


def counted(trials: Trials, outcome) -> dict:
    """Return trials, right ones, hallucinations by (sample, comparison, class); ``outcome(k, place)`` gives two."""
    counts = defaultdict(lambda: [0, 0.0, 0.0])
    for k, (sample, *options, option) in enumerate(trials.tokens.tolist()):
        place = option - (SMALL.stimuli + SMALL.dummies)
        letters = LETTERS[sample % SMALL.members] + LETTERS[options[place] % SMALL.members]
        right, other = outcome(k, place)
        cell = counts[(*letters, sample // SMALL.members)]
        for part, more in enumerate((1, right, other)):
            cell[part] += more
    return counts


def oracle(rule: str, trials: Trials, chances: np.ndarray) -> dict:
    """The cells under a rule without ties, by the rule's own words."""

    def outcome(k, place):
        row = chances[k].tolist()
        if rule == "expected":
            return row[place], sum(row[3:])
        best = row.index(max(row if rule == "argmax" else row[:3]))
        return best == place, best > 2

    return counted(trials, outcome)


@pytest.mark.parametrize("rule", ["argmax", "forced choice", "expected"])
def test_cells_matrix_and_rates_of_groups_are_those_of_a_plain_loop(trials, chances, rule):
    expected = oracle(rule, trials, chances)
    types = {"AB": "baseline", "BC": "baseline", "BA": "symmetry", "CB": "symmetry"}
    groups = defaultdict(list)
    for (sample, comparison, _), cell in expected.items():
        pair = sample + comparison
        group = "reflexivity" if sample == comparison else types.get(pair, "transitivity")
        groups[group].append(cell)
        if pair in ("AC", "CA"):  # with B between; A leads to C, and nothing trained leads back
            groups["nodes 1"].append(cell)
            groups["transitivity alone" if pair == "AC" else "equivalence alone"].append(cell)
        if rule != "expected":
            groups[pair].append(cell)
    answers = scoring.judge(Fixed(chances), trials)
    cells = {row[:2] + row[5:6]: row[6:] for row in answers.cells(rule).itertuples(index=False, name=None)}
    assert set(cells) == set(expected) and len(cells) == 27
    assert all(counts == pytest.approx(expected[cell], rel=1e-5) for cell, counts in cells.items())
    shares = [[sum(expected[a, b, c][1] for c in range(3)) / 270 for b in LETTERS] for a in LETTERS]
    assert answers.matrix(rule) == pytest.approx(np.array(shares), rel=1e-5)
    rows = scoring.result_rows(answers)
    table = {(row["task"].removeprefix("LS/select-reject/"), row["metric"]): row for row in rows}
    assert {group for group, metric in table if metric == f"accuracy, {rule}"} == set(groups)
    for group, cells in groups.items():
        n, right, other = (sum(cell[part] for cell in cells) for part in range(3))
        row = table[group, f"accuracy, {rule}"]
        assert row["n"] == n and row["value"] == pytest.approx(right / n, rel=1e-5)
        if rule == "forced choice":
            assert (group, "hallucinations, forced choice") not in table
            continue
        assert table[group, f"hallucinations, {rule}"]["value"] == pytest.approx(other / n, rel=1e-5)
        if len(group) > 2:  # pairs have no rate among errors
            among = table[group, f"hallucinations among errors, {rule}"]["value"]
            assert among == pytest.approx(other / (n - right), rel=1e-5)


def test_intervals_are_over_the_classes(trials, chances):
    expected = oracle("argmax", trials, chances)
    shares = [sum(expected[x, x, c][1] for x in LETTERS) / 270 for c in range(3)]
    mean = sum(shares) / 3
    half = T2 * math.sqrt(sum((share - mean) ** 2 for share in shares) / 2) / math.sqrt(3)
    rows = scoring.result_rows(scoring.judge(Fixed(chances), trials))
    (row,) = (r for r in rows if r["task"].endswith("/reflexivity") and r["metric"] == "accuracy, argmax")
    assert (row["low"], row["high"]) == pytest.approx((mean - half, mean + half))
    assert row["interval"] == "95% t, classes"


def test_sampling_draws_every_answer_as_often_as_its_chance(trials, chances):
    answers = scoring.judge(Fixed(chances), trials, profile="as_published", seed=1)
    assert answers.rules == ("as published",)
    choices, folded = answers.choices["as published"], np.column_stack([chances[:, :3], chances[:, 3:].sum(axis=1)])
    for answer in range(4):
        se = math.sqrt((folded[:, answer] * (1 - folded[:, answer])).sum())
        assert abs((choices == answer).sum() - folded[:, answer].sum()) < 4 * se
    # And where it is likely as well as where it is not, not only in sum.
    for part in np.array_split(np.argsort(folded[:, 0]), 30):
        se = math.sqrt((folded[part, 0] * (1 - folded[part, 0])).sum())
        assert abs((choices[part] == 0).sum() - folded[part, 0].sum()) < 4 * se


def test_a_seed_draws_the_same_again_and_decides_no_best_answer(trials, chances):
    def drawn(profile, seed):
        return scoring.judge(Fixed(chances), trials, profile=profile, seed=seed).choices

    first, again, other = (drawn("as_published", seed)["as published"] for seed in (1, 1, 2))
    assert (first == again).all() and (first != other).any()
    best, too = (drawn("verified", seed) for seed in (1, 2))
    assert all((best[rule] == too[rule]).all() for rule in ("argmax", "forced choice"))


def test_ties_fall_at_random_among_the_tied(trials):
    n = len(trials)
    se = math.sqrt(n / 4)
    answers = scoring.judge(Fixed(np.tile([0.4, 0.1, 0.1, 0.4], (n, 1))), trials)
    first, other = ((answers.choices["argmax"] == answer).sum() for answer in (0, scoring.OTHER))
    assert first + other == n and abs(first - n / 2) < 4 * se
    assert (answers.choices["forced choice"] == 0).all()
    nothing = scoring.judge(Fixed(np.tile([0.0, 0.0, 0.0, 1.0], (n, 1))), trials)  # no option has a chance: a guess
    assert (nothing.choices["argmax"] == scoring.OTHER).all()
    tiny = scoring.judge(Fixed(np.tile([3e-7, 1e-8, 2e-7, 1 - 5.1e-7], (n, 1))), trials)
    assert (tiny.choices["forced choice"] == 0).all()
    level = scoring.judge(Fixed(np.full((n, 3), 1 / 3)), trials)
    for answers, place in itertools.product((level, nothing), range(3)):
        assert abs((answers.choices["forced choice"] == place).sum() - n / 3) < 4 * math.sqrt(n * 2 / 9)


def test_a_learner_that_is_asked_in_parts_answers_every_trial_in_its_place():
    """All 246,960 trials of the paper are more than are asked at once."""

    class Weighing:
        batch_sizes = ()

        def choose(self, question):
            self.batch_sizes += (len(question),)
            weights = np.column_stack([question.comparisons**2 % 31 + 1.0, question.sample % 5 * 7])
            return weights / weights.sum(axis=1, keepdims=True)

    learner, whole = Weighing(), records.tests(Design())
    answers = scoring.judge(learner, whole)
    assert sum(learner.batch_sizes) == len(whole) and max(learner.batch_sizes) < len(whole) / 4
    expected = learner.choose(whole.question())
    np.testing.assert_allclose(answers.right, expected[np.arange(len(whole)), whole.correct], rtol=1e-6)
    np.testing.assert_allclose(answers.other, expected[:, 3], rtol=1e-6)
    chances = expected[np.arange(len(whole)), answers.choices["argmax"]]
    assert (chances == expected.max(axis=1)).all() and len(set(answers.choices["argmax"].tolist())) == 4


def test_rows_that_would_tell_nothing_are_left_out(trials):
    def summary(chances, trials, **options):
        return scoring.result_rows(scoring.judge(Fixed(chances), trials), **options)

    rows = summary(np.full((len(trials), 3), 1 / 3), trials)  # it cannot hallucinate
    assert {row["metric"] for row in rows} == {"accuracy, argmax", "accuracy, forced choice", "accuracy, expected"}
    assert {row["metric"] for row in rows if len(row["task"].split("/")[-1]) == 2} == {"accuracy, expected"}
    rows = summary(np.eye(4)[trials.correct], trials)  # it makes no error
    among = [row for row in rows if row["metric"].startswith("hallucinations among errors")]
    assert among and all(row["value"] is None and row["low"] is None and row["interval"] == "" for row in among)
    assert {row["value"] for row in rows if row["metric"].startswith("accuracy")} == {1.0}
    training = records.training(Design("OTM", "select-only", members=3, classes=3))
    rows = summary(np.eye(4)[training.correct], training, trained=True)
    assert {row["task"] for row in rows} == {"OTM/select-only/trained"} and {row["n"] for row in rows} == {540}


def exact_limit(n: int) -> float:
    """The smallest share k / n with P(X <= k) of at least .999, chance 1/3, in whole numbers."""
    below, total = 0, 3**n
    for k in range(n + 1):
        below += math.comb(n, k) * 2 ** (n - k)
        if below * 1000 >= total * 999:
            return k / n
    raise AssertionError


def test_the_random_limit_is_exact():
    assert [scoring.random_limit(n) for n in range(1, 40)] == [exact_limit(n) for n in range(1, 40)]
    for n, printed in ((1260, 0.3746), (5040, 0.3540)):  # facts § 1
        assert scoring.random_limit(n) == exact_limit(n) and round(exact_limit(n), 4) == printed


def test_bands_begin_where_the_article_says():
    limit = exact_limit(1260)
    bands = {
        0.0: "random", limit: "random", limit + 1e-9: "above random", 0.6999: "above random", 0.7: "soft mastery",
        0.8999: "soft mastery", 0.9: "mastery", 1.0: "mastery",
    }  # fmt: skip
    assert {share: scoring.band(share, 1260) for share in bands} == bands
    assert (scoring.band(0.36, 1260), scoring.band(0.36, 5040)) == ("random", "above random")


BAD = [
    (lambda n: np.full((n, 2), 0.5), "a row a trial and 3 columns or more"),
    (lambda n: np.full((n - 1, 3), 1 / 3), f"({90 * 27}, 3)"),
    (lambda n: np.tile([1.5, -0.5, 0.0], (n, 1)), "negative or not finite"),
    (lambda n: np.full((n, 3), 0.5), "divide each row by its sum"),
    (lambda n: np.zeros((n, 4)), "divide each row by its sum"),
]


def test_bad_chances_are_refused_in_a_sentence(trials):
    for bad, message in BAD:
        with pytest.raises(InputError) as error:
            scoring.judge(Fixed(bad(len(trials))), trials)
        assert message in str(error.value) and str(error.value).startswith("wanted ") and "\n" not in str(error.value)


def test_as_published_asks_the_noisy_learner_if_there_is_one(trials, chances):
    class Noisy(Fixed):
        def as_published(self, seed):
            sure = np.zeros((len(self.chances), 4))
            sure[:, seed] = 1
            return Fixed(sure)

    noisy = Noisy(chances)
    published, verified = scoring.judge(noisy, trials, profile="as_published", seed=2), scoring.judge(noisy, trials)
    assert (published.choices["as published"] == 2).all() and published.who == "fixed"
    assert set(np.unique(verified.choices["argmax"])) == {0, 1, 2, 3}


def test_trial_rows_are_the_answers_one_by_one(trials, chances):
    answers = scoring.judge(Fixed(chances), trials, seed=5)
    table = answers.to_trials(limit=200)
    assert len(table) == 200
    names = SMALL.tokens
    for k, row in enumerate(table.itertuples()):
        sample, *options, option = (names[token] for token in trials.tokens[k].tolist())
        best = int(np.argmax(chances[k]))
        response = f"O_{best + 1}" if best < 3 else "none of the options"
        expected = " ".join([sample, *options]), response, int(response == option)
        assert (row.item, row.response, row.correct) == expected
        assert row.extra["options"] == options and row.extra["sample"] == sample and row.extra["rule"] == "argmax"
        pair = sample[0] + options[int(option[-1]) - 1][0]
        assert row.extra["pair"] == pair and row.task.startswith("LS/select-reject/")
