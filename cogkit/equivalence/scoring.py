"""From a learner to numbers: one path for people, floors, observers, models (Carrillo & Betancort 2024, "Results")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cogkit.core import presets, seeding
from cogkit.core.contracts import TRIAL_COLUMNS, InputError
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import LETTERS, OPTIONS, Design, Trials
from cogkit.stats import mean_interval

OTHER = OPTIONS  # an answer that is none of the three options: a hallucination
MASTERY, SOFT_MASTERY = 0.9, 0.7
RULES = {
    "as_published": ("as published",),
    "verified": ("argmax", "forced choice", "expected"),
}
_TIE, _ROUNDING = 1e-6, 1e-3


@dataclass(frozen=True, eq=False)
class Answers:
    """What a learner answered in every trial, compact.

    Attributes
    ----------
    trials : Trials
    given : mapping of str to (n,) uint8
        By rule: the place answered, 0 to 2, or 3 for what is no option. ``as published`` is one draw from all answers
        with the noise that the learner has; ``argmax`` its best answer; ``forced choice`` its best option.
    right, other : (n,) float32
        Its chance of the right answer, and of one that is no option: what is ``expected`` without drawing.
    speaks : bool
        Whether it can answer with what is no option at all.
    """

    who: str
    kind: str
    inputs: str
    trials: Trials
    profile: str
    seed: int
    given: Mapping[str, np.ndarray]
    right: np.ndarray
    other: np.ndarray
    speaks: bool

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules there are numbers for."""
        return tuple(self.given) + (() if "as published" in self.given else ("expected",))

    def cells(self, rule: str) -> pd.DataFrame:
        """Return one row a pair of members and class: n trials, and how many were right, and none of the options.

        Returns
        -------
        DataFrame
            Columns sample, comparison, type, relation, nodes, class_, n, right, other; the last two are sums of
            chances under the rule ``expected``.
        """
        presets.choose(rule, self.rules, "answer rule")
        trials, design = self.trials, self.trials.design
        if rule == "expected":
            right, other = self.right, self.other
        else:
            right, other = self.given[rule] == trials.correct, self.given[rule] == OTHER
        key, cells = trials.pair.astype(np.int64) * design.classes + trials.classes, design.members**2 * design.classes
        counts = {
            name: np.bincount(key, weights, cells)
            for name, weights in (("n", None), ("right", right), ("other", other))
        }
        pairs = design.pairs()
        table = pairs.loc[pairs.index.repeat(design.classes)].reset_index(drop=True)
        table = table.assign(class_=np.tile(np.arange(design.classes), len(pairs)), **counts)
        return table[table.n > 0].reset_index(drop=True)

    def matrix(self, rule: str) -> np.ndarray:
        """Return the share of right answers by sample (row) and comparison, (members, members); NaN where untested."""
        sums = self.cells(rule).groupby(["sample", "comparison"])[["right", "n"]].sum()
        letters = list(LETTERS[: self.trials.design.members])
        return (sums.right / sums.n).unstack().reindex(index=letters, columns=letters).to_numpy()

    def to_trials(self, limit: int = 10_000) -> pd.DataFrame:
        """Return at most ``limit`` trial rows, one a trial, in the schema that people's answers have."""
        rule = next(iter(self.given))
        shown, design = self.trials[: min(limit, len(self.trials))], self.trials.design
        rows = []
        for k, row in enumerate(shown.frame().to_dict("records")):
            answer = int(self.given[rule][k])
            response = f"O_{answer + 1}" if answer < OPTIONS else "none of the options"
            options = [row[f"comparison_{place + 1}"] for place in range(OPTIONS)]
            extra = {"sample": row["sample"], "options": options, "pair": row["pair"], "phase": "judge", "rule": rule}
            right = int(response == row["response"])
            task, item = f"{design.condition}/{row['type']}", " ".join([row["sample"], *options])
            rows.append((
                f"{self.who}-{self.seed}", k, None, self.who, self.kind, "equivalence", task, item, response, right,
                float(right), None, self.seed, self.profile, None, "cogkit", extra,
            ))  # fmt: skip
        return pd.DataFrame(rows, columns=list(TRIAL_COLUMNS))


def judge(learner, trials: Trials, profile: str = "verified", seed: int = 0) -> Answers:
    """Return what a learner answers in every trial.

    Parameters
    ----------
    learner : object
        ``choose(question) -> chances``, (n, 3) or more: a column for each place of a comparison, then one for each
        answer that is no option; each row sums to 1. Its ``name``, ``kind`` and ``inputs`` stand in result rows. One
        with ``as_published(seed)`` is asked as the paper's program asked it.
    trials : Trials
        It sees `Trials.question` alone.
    profile : {"verified", "as_published"}
        Best answer and best option, or one draw from all its answers.
    seed : int
        Of the draws, and of how ties fall.

    Raises
    ------
    InputError
        Chances of another shape, negative, or not summing to 1.

    Examples
    --------
    >>> class Left:
    ...     def choose(self, question):
    ...         return np.tile([1.0, 0.0, 0.0], (len(question), 1))
    >>> from cogkit.equivalence.problems import records
    >>> round(float(judge(Left(), records.tests(records.Design(negatives="standard"))).right.mean()), 3)
    0.333
    """
    presets.profile(profile)
    who = getattr(learner, "name", type(learner).__name__)
    if profile == "as_published" and hasattr(learner, "as_published"):
        learner = learner.as_published(seed)
    chances = _checked(learner.choose(trials.question()), len(trials))
    rng = seeding.stream(seed, f"answers/{who}/{trials.design.condition}")
    options, other = chances[:, :OPTIONS], chances[:, OPTIONS:].sum(axis=1)
    if profile == "as_published":
        below = options.cumsum(axis=1)
        drawn = rng.random(len(chances)) * (below[:, -1] + other)
        given = {"as published": (drawn[:, None] >= below).sum(axis=1)}
    else:
        given = {"argmax": np.minimum(_best(chances, rng), OTHER), "forced choice": _best(options, rng)}
    return Answers(
        who,
        getattr(learner, "kind", "model"),
        getattr(learner, "inputs", "symbols"),
        trials,
        profile,
        seed,
        {rule: answer.astype(np.uint8) for rule, answer in given.items()},
        options[np.arange(len(chances)), trials.correct].astype(np.float32),
        other.astype(np.float32),
        chances.shape[1] > OPTIONS,
    )


def _checked(chances, n: int) -> np.ndarray:
    try:
        chances = np.asarray(chances)
    except ValueError:
        raise InputError("chances in rows of different lengths", f"a row a trial, ({n}, {OPTIONS}) or wider") from None
    if chances.dtype.kind not in "fiub":
        raise InputError(f"chances of type {chances.dtype}", "numbers")
    if chances.ndim != 2 or len(chances) != n or chances.shape[1] < OPTIONS:
        raise InputError(f"chances of shape {chances.shape}", f"a row a trial and {OPTIONS} columns or more, ({n}, 3)")
    if not (np.isfinite(chances).all() and (chances >= 0).all()):
        raise InputError("chances that are negative or not finite", "chances of 0 to 1")
    if (np.abs(chances.sum(axis=1) - 1) > _ROUNDING).any():
        raise InputError("chances that do not sum to 1", "every row to sum to 1", "divide each row by its sum")
    return chances


def _best(chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the column of the highest chance, (n,); ties fall at random."""
    best = chances.argmax(axis=1)
    ties = chances >= chances[np.arange(len(chances)), best][:, None] * (1 - _TIE)  # in proportion: all may be tiny
    torn = np.flatnonzero(ties.sum(axis=1) > 1)
    best[torn] = np.where(ties[torn], rng.random((len(torn), chances.shape[1])), -1).argmax(axis=1)
    return best


def random_limit(n: int, level: float = 0.999) -> float:
    """Return the share of right answers under which ``level`` of all random responders stay, in n trials.

    Examples
    --------
    >>> round(random_limit(1260), 4), round(random_limit(5040), 4)
    (0.3746, 0.354)
    """
    from scipy.stats import binom  # here: half a second, and most callers need no limit

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
    found = {name: table[table.type == name] for name in table.type.unique()}
    derived = table[table.type == "transitivity"]
    found |= {f"{name} alone": derived[derived.relation == name] for name in ("transitivity", "equivalence")}
    found |= {f"nodes {k}": derived[derived.nodes == k] for k in sorted(derived.nodes.unique())}
    return {name: rows for name, rows in found.items() if len(rows)}


def summarise(answers: Answers, source: str = "cogkit", trained: bool = False) -> list[dict]:
    """Return result rows: shares of right answers and of hallucinations by type of trial, and by pair of members.

    Parameters
    ----------
    answers : Answers
    source : str
        What the rows say of their making.
    trained : bool
        Whether these are the trials of training; one row tells of them all.

    Returns
    -------
    list of dict
        Metrics ``accuracy, RULE``, ``hallucinations, RULE`` (of all answers) and ``hallucinations among errors, RULE``;
        intervals are over the classes, whose labels are arbitrary, the trials of a class averaged first.
    """
    rows = []
    for rule in answers.rules:
        table = answers.cells(rule)
        told = {"trained": table} if trained else groups(table)
        for group, cells in told.items():
            rows += _rows(answers, source, rule, group, cells, errors=True)
        if not trained and (rule == "expected") != answers.speaks:  # by pair, what would say the same again is left out
            for (sample, comparison), cells in table.groupby(["sample", "comparison"]):
                rows += _rows(answers, source, rule, sample + comparison, cells, errors=False)
    return rows


def assess(learner, design: Design, profile: str, seed: int, source: str = "cogkit") -> list[dict]:
    """Return the result rows of a learner on every trial of a design, tests and training.

    Under ``as_published`` it is asked as the paper's program asked, dropout on and one draw an answer, and by the other
    rules as well; under ``verified`` by those alone.
    """
    rows = []
    for name in ("verified",) if presets.profile(profile) == "verified" else ("as_published", "verified"):
        rows += summarise(judge(learner, records.tests(design), name, seed), source)
        rows += summarise(judge(learner, records.training(design), name, seed), source, trained=True)
    return rows


def _rows(answers: Answers, source: str, rule: str, group: str, cells: pd.DataFrame, errors: bool) -> list[dict]:
    """Return the rows of one group of trials under one rule."""
    sums = cells.groupby("class_")[["n", "right", "other"]].sum()
    known = {
        "task": f"{answers.trials.design.condition}/{group}", "kind": answers.kind, "who": answers.who,
        "inputs": answers.inputs, "n": int(sums.n.sum()), "source": source,
    }  # fmt: skip
    parts = {"accuracy": ("right", sums.n)}
    if answers.speaks and rule != "forced choice":
        parts["hallucinations"] = ("other", sums.n)
        if errors:
            parts["hallucinations among errors"] = ("other", sums.n - sums.right)
    rows = []
    for metric, (part, of) in parts.items():
        total = of.sum()
        value = float(sums[part].sum() / total) if total > 0 else None
        row = {"metric": f"{metric}, {rule}", "value": value, "low": None, "high": None, "interval": ""}
        if len(sums) > 1 and (of > 0).all():
            low, high = mean_interval((sums[part] / of).to_numpy())
            row |= {"low": low, "high": high, "interval": "95% t, classes"}
        rows.append(known | row)
    return rows
