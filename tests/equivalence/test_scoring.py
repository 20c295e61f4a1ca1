"""From answers to numbers: every share counted again by a plain loop, every rule against what it must do by chance."""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict

import numpy as np
import pytest

from cogkit.core.contracts import RESULT_COLUMNS, TRIAL_COLUMNS, InputError
from cogkit.data import results
from cogkit.equivalence import scoring
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import Design, Question, Trials

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


def counted(trials: Trials, told) -> dict:
    """Return trials, right ones, hallucinations by (sample, comparison, class); ``told(k, place)`` gives two."""
    counts = defaultdict(lambda: [0, 0.0, 0.0])
    for k, (sample, *options, option) in enumerate(trials.tokens.tolist()):
        place = option - (SMALL.stimuli + SMALL.dummies)
        letters = LETTERS[sample % SMALL.members] + LETTERS[options[place] % SMALL.members]
        right, other = told(k, place)
        cell = counts[(*letters, sample // SMALL.members)]
        for part, more in enumerate((1, right, other)):
            cell[part] += more
    return counts


def oracle(rule: str, trials: Trials, chances: np.ndarray) -> dict:
    """The cells under a rule without ties, by the rule's own words."""

    def told(k, place):
        row = chances[k].tolist()
        if rule == "expected":
            return row[place], sum(row[3:])
        best = row.index(max(row if rule == "argmax" else row[:3]))
        return best == place, best > 2

    return counted(trials, told)


@pytest.mark.parametrize("rule", ["argmax", "forced choice", "expected"])
def test_cells_are_those_of_a_plain_loop(trials, chances, rule):
    answers = scoring.judge(Fixed(chances), trials)
    expected = oracle(rule, trials, chances)
    cells = answers.cells(rule)
    assert len(cells) == len(expected) == 27
    for row in cells.itertuples():
        assert (row.n, row.right, row.other) == pytest.approx(
            expected[row.sample, row.comparison, row.class_], rel=1e-5
        )
    matrix = answers.matrix(rule)
    for (row, sample), (column, comparison) in ((a, b) for a in enumerate(LETTERS) for b in enumerate(LETTERS)):
        cells_of_pair = [expected[sample, comparison, c] for c in range(3)]
        share = sum(cell[1] for cell in cells_of_pair) / sum(cell[0] for cell in cells_of_pair)
        assert matrix[row, column] == pytest.approx(share, rel=1e-5)


@pytest.mark.parametrize("rule", ["argmax", "forced choice", "expected"])
def test_rates_of_groups_are_those_of_a_plain_loop(trials, chances, rule):
    expected, types = (
        oracle(rule, trials, chances),
        {"AB": "baseline", "BC": "baseline", "BA": "symmetry", "CB": "symmetry"},
    )
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
    rows = scoring.summarise(scoring.judge(Fixed(chances), trials))
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
    rows = scoring.summarise(scoring.judge(Fixed(chances), trials))
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


def test_what_is_expected_is_what_sampling_comes_to(trials, chances):
    expected = scoring.judge(Fixed(chances), trials).cells("expected")
    seeds = [
        scoring.judge(Fixed(chances), trials, profile="as_published", seed=seed).cells("as published")
        for seed in range(20)
    ]
    right = chances[np.arange(len(trials)), trials.correct]
    se = math.sqrt((right * (1 - right)).sum() * 20)
    assert abs(sum(cells.right.sum() for cells in seeds) - 20 * expected.right.sum()) < 4 * se


def test_a_seed_draws_the_same_again_and_another_does_not(trials, chances):
    first, again, second = (
        scoring.judge(Fixed(chances), trials, profile="as_published", seed=seed) for seed in (1, 1, 2)
    )
    assert (first.choices["as published"] == again.choices["as published"]).all()
    assert (first.choices["as published"] != second.choices["as published"]).any()


def test_best_answers_without_ties_owe_nothing_to_the_seed(trials, chances):
    first, second = (scoring.judge(Fixed(chances), trials, seed=seed) for seed in (1, 2))
    assert all((first.choices[rule] == second.choices[rule]).all() for rule in ("argmax", "forced choice"))


def test_ties_fall_at_random_among_the_tied(trials):
    n = len(trials)
    se = math.sqrt(n / 4)
    answers = scoring.judge(Fixed(np.tile([0.4, 0.1, 0.1, 0.4], (n, 1))), trials)
    first, other = ((answers.choices["argmax"] == answer).sum() for answer in (0, scoring.OTHER))
    assert first + other == n and abs(first - n / 2) < 4 * se
    assert (answers.choices["forced choice"] == 0).all()
    level = scoring.judge(Fixed(np.full((n, 3), 1 / 3)), trials)
    for place in range(3):
        assert abs((level.choices["forced choice"] == place).sum() - n / 3) < 4 * math.sqrt(n * 2 / 9)


def test_a_learner_that_is_asked_in_parts_answers_as_at_once(trials, monkeypatch):
    class Torn:
        def __init__(self):
            self.asked = []

        def choose(self, question):
            self.asked.append(len(question))
            weights = np.column_stack([question.comparisons % 2 + 1, np.full((len(question), 2), 2)])
            return weights / weights.sum(axis=1, keepdims=True)

    parts, whole = Torn(), Torn()
    at_once = scoring.judge(whole, trials)
    monkeypatch.setattr(scoring, "_ASKED", 100)
    in_parts = scoring.judge(parts, trials)
    assert whole.asked == [len(trials)] and parts.asked == [100] * 24 + [30]
    for rule, answers in at_once.choices.items():
        assert len(set(answers.tolist())) > 2 and (in_parts.choices[rule] == answers).all()
    assert (in_parts.right == at_once.right).all() and (in_parts.other == at_once.other).all() and in_parts.speaks


def test_a_forced_choice_among_tiny_chances_takes_the_highest(trials):
    chances = np.tile([3e-7, 1e-8, 2e-7, 1 - 5.1e-7], (len(trials), 1))
    assert (scoring.judge(Fixed(chances), trials).choices["forced choice"] == 0).all()


def test_a_forced_choice_where_no_option_has_a_chance_is_a_guess(trials):
    n = len(trials)
    answers = scoring.judge(Fixed(np.tile([0.0, 0.0, 0.0, 1.0], (n, 1))), trials)
    assert (answers.choices["argmax"] == scoring.OTHER).all()
    for place in range(3):
        assert abs((answers.choices["forced choice"] == place).sum() - n / 3) < 4 * math.sqrt(n * 2 / 9)


def test_a_learner_that_cannot_hallucinate_has_no_such_rows(trials):
    rows = scoring.summarise(scoring.judge(Fixed(np.full((len(trials), 3), 1 / 3)), trials))
    assert {row["metric"] for row in rows} == {"accuracy, argmax", "accuracy, forced choice", "accuracy, expected"}
    pairs = {row["metric"] for row in rows if len(row["task"].split("/")[-1]) == 2}
    assert pairs == {"accuracy, expected"}


def test_errors_that_never_came_have_no_rate(trials):
    sure = np.eye(4)[trials.correct]
    rows = scoring.summarise(scoring.judge(Fixed(sure), trials))
    among = [row for row in rows if row["metric"].startswith("hallucinations among errors")]
    assert among and all(row["value"] is None and row["low"] is None and row["interval"] == "" for row in among)
    assert {row["value"] for row in rows if row["metric"].startswith("accuracy")} == {1.0}


def test_trials_of_training_are_one_group():
    trials = records.training(Design("OTM", "select-only", members=3, classes=3))
    rows = scoring.summarise(scoring.judge(Fixed(np.eye(4)[trials.correct]), trials), trained=True)
    assert {row["task"] for row in rows} == {"OTM/select-only/trained"} and {row["n"] for row in rows} == {540}


def test_a_matrix_is_empty_where_nothing_was_asked():
    trials = records.training(SMALL)
    matrix = scoring.judge(Fixed(np.eye(3)[trials.correct]), trials).matrix("argmax")
    assert np.isnan(matrix).sum() == 7 and matrix[0, 1] == matrix[1, 2] == 1


def exact_limit(n: int) -> float:
    """The smallest share k / n with P(X <= k) of at least .999, chance 1/3, in whole numbers."""
    below, total = 0, 3**n
    for k in range(n + 1):
        below += math.comb(n, k) * 2 ** (n - k)
        if below * 1000 >= total * 999:
            return k / n
    raise AssertionError


def test_the_random_limit_is_exact():
    assert [scoring.random_limit(n) for n in range(1, 80)] == [exact_limit(n) for n in range(1, 80)]
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


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (lambda n: np.full((n, 2), 0.5), "a row a trial and 3 columns or more"),
        (lambda n: np.full((n - 1, 3), 1 / 3), f"({90 * 27}, 3)"),
        (lambda n: np.full(n, 1.0), "a row a trial"),
        (lambda n: None, "of type object"),
        (lambda n: np.full((n, 3), "a"), "numbers"),
        (lambda n: [[1, 0, 0], [1]], "rows of different lengths"),
        (lambda n: np.full((n, 3), np.nan), "negative or not finite"),
        (lambda n: np.full((n, 3), np.inf), "negative or not finite"),
        (lambda n: np.tile([1.5, -0.5, 0.0], (n, 1)), "negative or not finite"),
        (lambda n: np.full((n, 3), 0.5), "divide each row by its sum"),
        (lambda n: np.zeros((n, 4)), "divide each row by its sum"),
    ],
)
def test_bad_chances_give_one_clear_sentence(trials, bad, told):
    with pytest.raises(InputError) as error:
        scoring.judge(Fixed(bad(len(trials))), trials)
    assert told in str(error.value) and str(error.value).startswith("wanted ") and "\n" not in str(error.value)


def test_wrong_names_give_one_clear_sentence(trials):
    with pytest.raises(InputError, match="did you mean 'as_published'"):
        scoring.judge(Fixed(np.full((len(trials), 3), 1 / 3)), trials, profile="published")
    with pytest.raises(InputError, match="answer rule"):
        scoring.judge(Fixed(np.full((len(trials), 3), 1 / 3)), trials).cells("as published")


def test_a_question_holds_no_answer(trials):
    class Spy(Fixed):
        def choose(self, question):
            self.seen = question
            return self.chances

    spy = Spy(np.full((len(trials), 3), 1 / 3))
    scoring.judge(spy, trials)
    assert type(spy.seen) is Question
    fields = {field.name: getattr(spy.seen, field.name) for field in dataclasses.fields(Question)}
    assert set(fields) == set(vars(spy.seen)) == {"sample", "comparisons"}
    assert not any(np.shares_memory(value, trials.tokens) for value in fields.values())
    # The same question whatever the answer was: nothing of the last column is in it.
    turned = Trials(SMALL, trials.tokens.copy(), trials.pair)
    turned.tokens[:, 4] = turned.tokens[::-1, 4]
    for name, value in fields.items():
        assert (getattr(turned.question(), name) == value).all()
    assert (fields["sample"] == trials.tokens[:, 0]).all() and fields["comparisons"].shape == (len(trials), 3)


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
    assert tuple(table.columns) == TRIAL_COLUMNS and len(table) == 200
    names = SMALL.tokens
    for k, row in enumerate(table.itertuples()):
        sample, *options, option = (names[token] for token in trials.tokens[k].tolist())
        best = int(np.argmax(chances[k]))
        response = f"O_{best + 1}" if best < 3 else "none of the options"
        assert (row.item, row.response, row.correct) == (
            " ".join([sample, *options]),
            response,
            int(response == option),
        )
        assert row.extra["options"] == options and row.extra["sample"] == sample and row.extra["rule"] == "argmax"
        pair = sample[0] + options[int(option[-1]) - 1][0]
        assert row.extra["pair"] == pair and row.task.startswith("LS/select-reject/")
    assert table.order.tolist() == list(range(200)) and set(table.instrument) == {"equivalence"}
    assert len(answers.to_trials(limit=10**6)) == len(trials)


def test_rows_fit_the_store_and_come_back(trials, chances, tmp_path):
    rows = []
    for profile in ("verified", "as_published"):
        rows += scoring.summarise(scoring.judge(Fixed(chances), trials, profile=profile, seed=4))
    rows += scoring.summarise(scoring.judge(Fixed(np.eye(4)[trials.correct]), trials))
    store = results.Store(tmp_path)
    store.write(results.manifest("equivalence/fixed/LS/select-reject", SMALL, "verified", "quick", 4, 1.0), rows)
    table = store.load()
    assert list(table.columns) == list(RESULT_COLUMNS) and len(table) == len(rows)
    for row, copy in zip(rows, table.to_dict("records"), strict=True):
        for name, value in row.items():
            same = copy[name] == pytest.approx(value, rel=1e-9) if isinstance(value, float) else copy[name] == value
            assert same or (value is None and math.isnan(copy[name]))  # stored to ten digits
