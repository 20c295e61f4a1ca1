"""Scores of learners, the same for people, floors, observers and models (Carrillo & Betancort 2024, "Results")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.core.instruments import BaseLearner
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import OPTIONS, Design, Question, Trials
from cogkit.stats import mean_interval
from cogkit.study import answers as shared

INPUTS = ("symbols",)
OTHER = OPTIONS  # an answer that is none of the three options: a hallucination
NONE = OTHER + 1  # no answer
MASTERY, SOFT_MASTERY = 0.9, 0.7
RULES = {"as_published": ("as published",), "verified": ("argmax", "forced choice", "expected")}
_TIE, _ROUNDING = 1e-6, 1e-3
_SUMS = ["n", "right", "other"]  # columns of `Answers.cells`
_ASKED = 2**15  # trials that a learner is asked at once: chances of all 246,960 can take 51 MB


class Learner(BaseLearner, Protocol):
    """A learner of relations; ``inputs`` are symbols.

    If it has a method ``as_published(seed) -> Learner``, that profile uses the returned learner, as the paper's program
    did.
    """

    def choose(self, question: Question) -> ArrayLike:
        """Return probabilities, (n, 3) or wider, rows summing to 1: first the comparisons, then other answers."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers(shared.Answers):
    """A learner's answers to every trial.

    Attributes
    ----------
    items : Trials
    choices : mapping of str to (n,) uint8
        For each rule, the chosen place: 0 to 2, or 3 for a hallucination, or 4 for no answer. ``as published`` is one
        draw from all answers, with the learner's noise; ``argmax`` is its best answer; ``forced choice`` its best
        option.
    right, other : (n,) float32
        Its probability of the right answer, and of a hallucination: the rule ``expected``, without drawing.
    speaks : bool
        Whether it can hallucinate at all.
    """

    instrument = "equivalence"
    choices: Mapping[str, np.ndarray]
    right: np.ndarray
    other: np.ndarray
    speaks: bool

    @property
    def missing(self) -> np.ndarray:
        """Which trials have no answer, (n,) bool."""
        return next(iter(self.choices.values())) == NONE

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules with numbers."""
        return tuple(self.choices) + (() if "as published" in self.choices else ("expected",))

    def cells(self, rule: str) -> pd.DataFrame:
        """Return one row for each pair of members and class: numbers of trials, right answers and hallucinations.

        Columns: sample, comparison, type, relation, nodes, class_, n, right, other. Under the rule ``expected``, the
        last two are sums of probabilities.
        """
        trials = self.items
        if rule == "expected":
            correct, outside = self.right, self.other
        else:
            correct, outside = self.choices[rule] == trials.correct, self.choices[rule] == OTHER
        outcomes = pd.DataFrame({"n": np.ones(len(trials)), "right": correct, "other": outside}, dtype=float)
        sums = (
            outcomes.groupby([trials.pair, trials.classes]).sum().rename_axis(["pair", "class_"]).reset_index(level=1)
        )
        return trials.design.pairs().join(sums, how="inner").reset_index(drop=True)

    def matrix(self, rule: str) -> np.ndarray:
        """Return the share of right answers by sample (row) and comparison, (members, members); NaN where untested."""
        sums, letters = self.cells(rule).groupby(["sample", "comparison"])[_SUMS].sum(), self.items.design.letters
        return (sums.right / sums.n).unstack().reindex(index=letters, columns=letters).to_numpy()

    def _trials(self) -> Iterator[dict]:
        """Yield one row for each trial, answered by the first rule."""
        (rule, places), design = next(iter(self.choices.items())), self.items.design
        names, pairs, types = design.tokens, design.pair_names, design.types().ravel().tolist()
        for k, (pair, answer) in enumerate(zip(self.items.pair.tolist(), places.tolist(), strict=True)):
            sample, *options, right = (names[token] for token in self.items.tokens[k])
            response = {OTHER: "none of the options", NONE: None}.get(answer, f"O_{answer + 1}")
            extra = {"sample": sample, "options": options, "pair": pairs[pair], "phase": "judge", "rule": rule}
            yield {
                "task": f"{self.task}/{types[pair]}", "item": " ".join([sample, *options]), "response": response,
                "correct": int(response == right), "extra": extra | self.reply_record(k),
            }  # fmt: skip


def judge(learner: Learner, items: Trials, *, profile: str | None = None, seed: int | None = None) -> Answers:
    """Return a learner's answers to every trial.

    Parameters
    ----------
    items : Trials
        It sees only `Trials.question`.
    profile : {"verified", "as_published"}, optional
        Best answer and best option, or one draw from all its answers; by default that of the items.
    seed : int, optional
        Seed of the draws, and of the choice among ties; by default that of the items.

    Raises
    ------
    InputError
        Probabilities have another shape, are negative, or do not sum to 1.

    Examples
    --------
    >>> class Left:
    ...     def choose(self, question):
    ...         return np.tile([1.0, 0.0, 0.0], (len(question), 1))
    >>> from cogkit.equivalence.problems import records
    >>> round(float(judge(Left(), records.tests(records.Design(negatives="standard"))).right.mean()), 3)
    0.333
    """
    rules = shared.rules_of(items, profile, seed)
    is_published = rules["profile"] == "as_published"
    description, n, task = shared.described(learner, *INPUTS, INPUTS), len(items), items.design.condition
    if is_published and (as_published := getattr(learner, "as_published", None)):
        learner = as_published(rules["seed"])
    rng = seeding.stream(rules["seed"], f"answers/{description['who']}/{task}")
    options, outside, best, replies = [], [], [], []
    size = n if is_published else _ASKED  # noise begins anew at every call
    for start in range(0, max(n, 1), max(size, 1)):
        chances = _chances(learner, items[start : start + size])
        options.append(chances[:, :OPTIONS].copy())
        outside.append(chances[:, OPTIONS:].sum(axis=1))
        replies.append(shared.replies(learner, len(chances)))
        if not is_published:
            best.append(_best(chances, rng))
    options, outside, speaks = np.concatenate(options), np.concatenate(outside), chances.shape[1] > OPTIONS
    absent = np.isnan(options[:, 0])
    if is_published:
        below = options.cumsum(axis=1)
        draws = rng.random(n) * (below[:, -1] + outside)
        places = {"as published": (draws[:, None] >= below).sum(axis=1)}
    else:
        places = {"argmax": np.minimum(np.concatenate(best), OTHER), "forced choice": _best(options, rng)}
    return Answers(
        **description, **rules, task=task, items=items,
        choices={rule: np.where(absent, NONE, answer).astype(np.uint8) for rule, answer in places.items()},
        right=np.where(absent, 0, options[np.arange(n), items.correct]).astype(np.float32),
        other=np.where(absent, 0, outside).astype(np.float32), speaks=speaks,
        replies=shared.joined(replies),
    )  # fmt: skip


def _chances(learner: Learner, items: Trials) -> np.ndarray:
    """Return a learner's chances of every answer, (n, choices), after checks."""
    n = len(items)
    chances = shared.checked(
        learner.choose(items.question()), (n, OPTIONS), "chances",
        f"a row a trial and {OPTIONS} columns or more, ({n}, {OPTIONS})", wider=True, over=_ROUNDING,
        missing=shared.abstains(learner),
    )  # fmt: skip
    if (np.abs(chances.sum(axis=1) - 1) > _ROUNDING).any():
        raise InputError("chances that do not sum to 1", "every row to sum to 1", "divide each row by its sum")
    return chances


def _best(chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the column of the highest probability, (n,); ties are decided at random."""
    best = chances.argmax(axis=1)
    ties = chances >= chances[np.arange(len(chances)), best][:, None] * (1 - _TIE)  # relative, since all may be tiny
    torn = np.flatnonzero(ties.sum(axis=1) > 1)
    best[torn] = shared.drawn(ties[torn], rng)
    return best


def random_limit(n: int, level: float = 0.999) -> float:
    """Return the share of right answers in n trials that ``level`` of all random responders do not exceed.

    Examples
    --------
    >>> round(random_limit(1260), 4), round(random_limit(5040), 4)
    (0.3746, 0.354)
    """
    from scipy.stats import binom  # imported here: it takes half a second, and most callers do not need it

    return float(binom.ppf(level, n, 1 / OPTIONS) / n)


def band(share: float, n: int) -> str:
    """Return the paper's band of a share of right answers in n trials: random, above random, soft mastery or mastery.

    Examples
    --------
    >>> [band(share, 5040) for share in (0.35, 0.5, 0.8, 0.95)]
    ['random', 'above random', 'soft mastery', 'mastery']
    """
    if share >= MASTERY:
        return "mastery"
    if share >= SOFT_MASTERY:
        return "soft mastery"
    return "above random" if share > random_limit(n) else "random"


def groups(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the rows of `Answers.cells` by type of trial, by finer relation, and by nodal distance."""
    parts = {name: table[table.type == name] for name in table.type.unique()}
    transitive = table[table.type == "transitivity"]
    parts |= {f"{name} alone": transitive[transitive.relation == name] for name in ("transitivity", "equivalence")}
    parts |= {f"nodes {k}": transitive[transitive.nodes == k] for k in sorted(transitive.nodes.unique())}
    return {name: rows for name, rows in parts.items() if len(rows)}


def summarise(answers: Answers, *, trained: bool = False) -> pd.DataFrame:
    """Return result rows: shares of right answers and hallucinations, by type of trial and by pair of members.

    Parameters
    ----------
    trained : bool
        Whether these are training trials; then one row sums up all of them.

    Returns
    -------
    DataFrame
        Metrics ``accuracy, RULE``, ``hallucinations, RULE`` (of all answers) and ``hallucinations among errors, RULE``.
        Trials of a class are averaged first; intervals are over the classes, because their labels are arbitrary.
    """
    return answers.table(result_rows(answers, trained=trained))


def result_rows(answers: Answers, *, trained: bool = False) -> list[dict]:
    """Return the rows of `summarise` as dicts, without the columns that a runner fills in."""
    rows = []
    for rule in answers.rules:
        table = answers.cells(rule)
        for group, cells in ({"trained": table} if trained else groups(table)).items():
            rows += _rows(answers, rule, group, cells.groupby("class_")[_SUMS].sum(), errors=True)
        if not trained and (rule == "expected") != answers.speaks:  # leaves out rows that would repeat others
            for (sample, comparison), sums in table.groupby(["sample", "comparison"])[_SUMS]:  # a class has one row
                rows += _rows(answers, rule, sample + comparison, sums, errors=False)
    return rows + answers.unanswered(f", {answers.rules[0]}", f"{answers.task}/trained" if trained else "")


def _rows(answers: Answers, rule: str, group: str, sums: pd.DataFrame, errors: bool) -> list[dict]:
    """Return the rows of one group of trials under one rule, from its numbers for each class."""
    n, right, other = (sums[name].to_numpy() for name in _SUMS)
    parts = {"accuracy": (right, n)}
    if answers.speaks and rule != "forced choice":
        parts["hallucinations"] = (other, n)
        if errors:
            parts["hallucinations among errors"] = (other, n - right)
    rows = []
    for metric, (part, totals) in parts.items():
        value = part.sum() / totals.sum() if totals.sum() > 0 else None
        limits = mean_interval(part / totals) if len(sums) > 1 and (totals > 0).all() else None
        names = {"metric": f"{metric}, {rule}", "task": f"{answers.task}/{group}"}
        rows.append(answers.row(value=value, n=n.sum(), limits=limits, interval="95% t, classes", **names))
    return rows


def assess(
    learner: Learner, items: Design, *, profile: str = "verified", seed: int = 0, source: str = ""
) -> list[dict]:
    """Return the result rows of a learner on every trial of a design, tests and training.

    Under ``as_published`` it answers as in the paper's program, with dropout on and one draw for each answer, and also
    by the other rules. Under ``verified`` it answers only by the other rules.
    """
    rows = []
    for rules in ("verified",) if presets.profile(profile) == "verified" else ("as_published", "verified"):
        for trials, in_training in ((records.tests(items), False), (records.training(items), True)):
            rows += result_rows(judge(learner, trials, profile=rules, seed=seed), trained=in_training)
    return shared.sourced(rows, source)
