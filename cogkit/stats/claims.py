"""A paper's claims about its results, each tested on numbers.

A claim has one or several parts, each with a margin, by how much it holds, and it says how many parts must hold: every
one, some, most. It is decided by what it is about alone: the paper's own model at the paper's own size, the paper's
people, or the numbers that the paper prints.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import pandas as pd
from scipy import special  # without scipy.stats, which takes 50 MB

VERDICTS = HOLDS, REFUTED, UNREACHED, OPEN = "holds", "does not hold", "not at our size", "open"
FEWEST = 3  # runs that can decide
_LEVEL = 0.025  # on each side
_MOST = 8  # parts of a claim whose intervals are all written
_TINY = 1e-12  # by which a number that must be at least so much is above it


class Missing(LookupError):
    """A claim needs a number that is not there."""


@dataclass(frozen=True)
class Claim:
    """One claim of a paper.

    Attributes
    ----------
    formatter : str or callable
        How to write the numbers: ``highest: {}`` for numbers with their names, or ``formatter(values) -> str``.
    values : callable
        ``values(results)``, the numbers that are shown, a Series as a rule; raises `Missing` without them.
    margins : callable
        ``margins(values) -> Series``, by how much each part of the claim holds; at 0 or below it does not.
    need : str
        Of how many parts the claim must hold: ``every``, ``some``, ``most``, or a number.
    about : {"model", "people", "numbers"}
        Whom it is about; ``numbers`` if it is arithmetic on what the paper prints, which has no spread.
    """

    sentence: str
    place: str
    formatter: str | Callable[[Any], str]
    values: Callable[[Any], Any]
    margins: Callable[[Any], pd.Series]
    need: str = "every"
    about: Literal["model", "people", "numbers"] = "model"

    def holds(self, values: Any) -> bool:
        """Return whether these numbers, taken as they are, bear the claim out."""
        margins = self.margins(values)
        return bool((margins > 0).sum() >= wanted(self.need, len(margins)))


@dataclass(frozen=True)
class Evidence:
    """Results that bear on claims.

    Attributes
    ----------
    whole : object
        What ``values`` of the claims get: the results of all runs together.
    runs : sequence
        The same of each run alone.
    draws : sequence
        Without runs: the same as it might have come out, with as many people or runs as are printed. The spread of
        these is the error of ``whole``.
    n : str
        What stands behind it, such as ``600 episodes a task``.
    about : mapping
        What it can decide claims about (``model``, ``people``, ``numbers``), and of how many runs or people it is.
    """

    whole: Any
    runs: Sequence[Any] = ()
    draws: Sequence[Any] = ()
    n: str = ""
    about: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Shares:
    """Shares of players by task, which many claims are about. Whatever asks for one that is not there gets `Missing`.

    Attributes
    ----------
    scores : Series
        Indexed by player and task.
    tasks : tuple of str
        Those that count if none are named.
    """

    scores: pd.Series
    tasks: ClassVar[tuple[str, ...]]

    def table(self, whos: Sequence[str], tasks: Iterable[str] = ()) -> pd.DataFrame:
        """Return the shares of players, a row for each, by task."""
        return self._found(self.scores, whos, tasks, "{1} of {0}")

    def of(self, who: str, tasks: Iterable[str] = ()) -> pd.Series:
        """Return the shares of one player, by task."""
        return self.table([who], tasks).iloc[0]

    def all(self, whos: Sequence[str], *tasks: str) -> pd.Series:
        """Return the shares of players, by player and task."""
        return self.table(whos, tasks).stack()

    def means(self, whos: Sequence[str]) -> pd.Series:
        """Return the mean share of the tasks, by player."""
        return self.table(whos).mean(axis=1)

    def best(self, whos: Sequence[str], tasks: Iterable[str] = ()) -> pd.Series:
        """Return the highest share among players, by task."""
        return self.table(whos, tasks).max()

    def _found(self, values: pd.Series, whos: Sequence[str], tasks: Iterable[str], what: str) -> pd.DataFrame:
        tasks = tuple(tasks) or self.tasks
        rows = {who: {task: values.get((self._key(who), task)) for task in tasks} for who in whos}
        for who, row in rows.items():
            for task, value in row.items():
                if value is None:
                    raise Missing(f"no {what.format(who, task)}")
        return pd.DataFrame.from_dict(rows, "index")

    def _key(self, who: str) -> str:
        """Return how the index of ``scores`` names a player."""
        return who


def judge(claims: Iterable[Claim], results: Any, write: Callable[[pd.Series], str]) -> pd.DataFrame:
    """Return one row for each claim, with what these results say as they are; `survey` tests the claims.

    Parameters
    ----------
    claims : iterable of Claim
    results : object
        What ``values`` of the claims get.
    write : callable
        ``write(values) -> str``, the numbers with their names, such as a `text` of them.

    Returns
    -------
    DataFrame
        Columns claim, section, found, holds. Without a number that the claim needs, ``holds`` is missing and ``found``
        names the number.

    Examples
    --------
    >>> claim = Claim("every model is above chance", "Table 1", "{}", lambda s: s, lambda s: s - 0.5)
    >>> judge([claim], pd.Series({"SNAIL": 0.6, "ANIL": 0.7}), lambda values: text(values, ".2f")).found.item()
    'SNAIL 0.60, ANIL 0.70'
    """
    rows = [(claim.sentence, claim.place, *_judged(claim, results, write)[:2]) for claim in claims]
    return pd.DataFrame(rows, columns=["claim", "section", "found", "holds"]).astype({"holds": "boolean"})


def evidence(
    rows: pd.DataFrame, build: Callable[[pd.DataFrame], Any], n: str = "", *, decides: bool = False
) -> Evidence:
    """Return the evidence of result rows: of all, and of each seed of models alone beside everybody who is no model.

    ``build(rows)`` gives what ``values`` of the claims get. ``decides`` says whether they are runs of the paper's own
    models at its size.
    """
    runs = [build(part) for part in by_seed(rows).values()]
    return Evidence(build(rows), runs, n=n, about={"model": len(runs)} if decides else {})


def by_seed(rows: pd.DataFrame) -> dict[int, pd.DataFrame]:
    """Return result rows by the seed of models, each with the rows of everybody who is no model.

    Examples
    --------
    >>> rows = pd.DataFrame({"kind": ["model", "model", "floor"], "seed": [0, 1, 0]})
    >>> {seed: len(part) for seed, part in by_seed(rows).items()}
    {0: 2, 1: 2}
    """
    model = rows.kind == "model"
    return {int(seed): rows[~model | (rows.seed == seed)] for seed in sorted({*rows.seed[model]})}


def survey(
    claims: Iterable[Claim], write: Callable[[pd.Series], str], *, printed: Evidence | None = None,
    ours: Evidence | None = None, changed: Evidence | None = None, needed: str = "", reached: str = "",
) -> pd.DataFrame:  # fmt: skip
    """Return what the paper's numbers and ours say to each claim, and a verdict.

    Parameters
    ----------
    claims, write
        As in `judge`.
    printed, ours, changed : Evidence
        What the paper prints or has published; our runs of the paper's own model at its own size; and our other runs,
        which are shown and decide nothing.
    needed, reached : str
        What a run must be to decide a claim about a model, and what our runs are, in words.

    Returns
    -------
    DataFrame
        Columns claim, section, printed, ours, changed (what was found in each; empty without evidence), verdict (one of
        `VERDICTS`), by (whose numbers decide: printed or ours), needed, reached (of a claim about a model), interval
        (95 %, of the margin of each part), runs, n, note.

    Notes
    -----
    Each part has a t test of its margin on both sides, at .025 each: over at least three runs on fixed items, or by the
    error of numbers of people. That k of m parts hold is shown where (m - k + 1) times the k-th smallest p is at most
    .025 (Benjamini & Heller 2008). So *every* part must pass, without a correction, and *some* part must pass after
    Holm's. A claim does not hold if the opposite is shown in the same way: that m - k + 1 of the parts fail.

    The paper's own numbers cannot prove what the paper says of its models. They can refute it, if they are of three
    runs or more. What nobody has run at the paper's size is not decided: not at our size. All else is open.

    Examples
    --------
    >>> claim = Claim("every model is above chance", "Table 1", "{}", lambda s: s, lambda s: s - 0.5)
    >>> runs = [pd.Series({"SNAIL": share}) for share in (0.70, 0.72, 0.71)]
    >>> ours = Evidence(runs[2], runs, about={"model": 3})
    >>> row = survey([claim], lambda values: text(values, ".2f"), ours=ours).iloc[0]
    >>> row.verdict, row.interval, row.runs
    ('holds', 'SNAIL [0.19, 0.23]', np.int64(3))
    """
    nothing = Evidence(None)
    bodies = {"printed": printed or nothing, "ours": ours or nothing, "changed": changed or nothing}
    rows = []
    for claim in claims:
        there = {name: body for name, body in bodies.items() if body is not nothing}
        relevant = {name: body for name, body in there.items() if name != "changed" or claim.about == "model"}
        readings = dict.fromkeys(bodies, ("", None, None)) | {
            name: _judged(claim, body.whole, write) for name, body in relevant.items()
        }
        able = [
            name for name in ("ours", "printed") if readings[name][1] is not None and claim.about in bodies[name].about
        ]
        row, model = {"verdict": OPEN, "by": "", "interval": "", "runs": 0, "n": ""}, claim.about == "model"
        for name in able:
            if refuting := name == "printed" and model:  # the paper's own numbers can say that its words are wrong
                if readings[name][1]:
                    continue
            verdict, table = decide(claim, bodies[name])
            if refuting and verdict != REFUTED:
                continue
            row = {
                "verdict": verdict, "by": name, "interval": _interval(claim, table, write),
                "runs": int(table.runs.min()), "n": bodies[name].n,
            }  # fmt: skip
            break
        if model and not row["by"]:
            row["verdict"] = UNREACHED
        texts = {name: words for name, (words, _, _) in readings.items()}
        sizes = {"needed": needed * model, "reached": reached * model}
        note = _note(claim, row, {name: outcome for name, (_, outcome, _) in readings.items()})
        rows.append({"claim": claim.sentence, "section": claim.place} | texts | row | sizes | {"note": note})
    columns = ["claim", "section", *bodies, "verdict", "by", "needed", "reached", "interval", "runs", "n", "note"]
    return pd.DataFrame(rows, columns=columns)


def decide(claim: Claim, evidence: Evidence) -> tuple[str, pd.DataFrame]:
    """Return the verdict of evidence on a claim, and its parts: columns margin, low, high, runs, above and below.

    The last two are the p values of the tests that the margin is above and below 0.
    """
    whole = claim.margins(claim.values(evidence.whole))
    if evidence.runs:
        table = pd.DataFrame(_of_runs(claim, evidence.runs)).reindex(whole.index)
        margin, runs = table.mean(axis=1), table.notna().sum(axis=1)
        se = table.std(axis=1, ddof=1) / np.sqrt(runs)
    else:
        margin, runs = whole, pd.Series(evidence.about[claim.about], whole.index)
        se = 0.0 * whole if claim.about == "numbers" else _drawn(claim, evidence.draws).std(axis=1, ddof=1)
    parts = _tested(margin, se, runs - 1.0).assign(runs=runs)  # the error of a single run is unknown
    enough = claim.about == "numbers" or (parts.runs >= FEWEST).all()
    return (_verdict(claim, parts) if enough else OPEN), parts


def power(claims: Iterable[Claim], truth: Evidence, simulated: Sequence[Evidence] = ()) -> pd.DataFrame:
    """Return how often our test of each claim would say *holds*, and *does not hold*, if what is printed is true.

    Parameters
    ----------
    claims : iterable of Claim
    truth : Evidence
        The printed numbers; its ``draws`` stand for what other people would have given.
    simulated : sequence of Evidence
        Instead of those, runs as they would come out around the printed numbers.

    Returns
    -------
    DataFrame
        Columns claim, says_holds, says_not. Claims that it cannot be asked of are left out: those without printed
        numbers, and arithmetic.

    Examples
    --------
    >>> claim = Claim("A is above a half", "1", "{}", lambda s: s, lambda s: s - 0.5, about="people")
    >>> draws = [pd.Series({"A": 0.6 + error}) for error in (-0.01, 0.0, 0.01)]
    >>> power([claim], Evidence(pd.Series({"A": 0.6}), draws=draws, about={"people": 9})).says_holds.item()
    1.0
    """
    rows = []
    for claim in claims:
        if claim.about == "numbers":
            continue
        with contextlib.suppress(Missing, KeyError):
            if simulated:
                verdicts = [decide(claim, body)[0] for body in simulated]
            else:
                margins, df = _drawn(claim, truth.draws), truth.about[claim.about] - 1.0
                se = margins.std(axis=1, ddof=1)
                verdicts = [_verdict(claim, _tested(column, se, df)) for _, column in margins.items()]
            shares = [float(np.mean([verdict == word for verdict in verdicts])) for word in (HOLDS, REFUTED)]
            rows.append((claim.sentence, *shares))
    return pd.DataFrame(rows, columns=["claim", "says_holds", "says_not"])


def _drawn(claim: Claim, draws: Sequence[Any]) -> pd.DataFrame:
    """Return the margins of the parts of a claim, a row each, by draw."""
    return pd.DataFrame({k: claim.margins(claim.values(draw)) for k, draw in enumerate(draws)})


def wanted(need: str, parts: int) -> int:
    """Return of how many of some parts a claim must hold."""
    return {"every": parts, "some": 1, "most": parts // 2 + 1}.get(need) or int(need)


def _of_runs(claim: Claim, runs: Sequence[Any]) -> dict[int, pd.Series]:
    """Return the margins of each run that has the numbers of a claim."""
    margins = {}
    for number, run in enumerate(runs):
        with contextlib.suppress(Missing):
            margins[number] = claim.margins(claim.values(run))
    return margins


def _tested(margin: pd.Series, se: pd.Series, df) -> pd.DataFrame:
    """Return margins with their limits, and p of the tests that they are above and below 0."""
    known, df = se > 0, pd.Series(df, margin.index, dtype=float).clip(lower=1)
    t = (margin / se.where(known)).where(known, np.sign(margin) * np.inf)
    t = t.where(margin != 0, 0.0)
    half = special.stdtrit(df.clip(upper=1e9), 1 - _LEVEL) * se
    above, below = (np.where(t == 0, 0.5, special.stdtr(df.clip(upper=1e9), sign * t)) for sign in (-1, 1))
    table = {"margin": margin, "low": margin - half, "high": margin + half, "above": above, "below": below}
    return pd.DataFrame(table, margin.index)


def _verdict(claim: Claim, parts: pd.DataFrame) -> str:
    """Return what the tests of the parts say to a claim."""
    m = len(parts)
    k = wanted(claim.need, m)
    if _shown(parts.above, k):
        return HOLDS
    return REFUTED if _shown(parts.below, m - k + 1) else OPEN


def _shown(p: pd.Series, k: int) -> bool:
    """Return whether it is shown that k of some hypotheses are true (Benjamini & Heller 2008, § 2, by Bonferroni)."""
    m = len(p)
    return bool(k <= m and (m - k + 1) * np.sort(p)[k - 1] <= _LEVEL) if k else True


def _judged(claim: Claim, results: Any, write: Callable[[pd.Series], str]) -> tuple[str, bool | None, Any]:
    """Return what was found, whether the claim holds, and the values that decide; None twice if it cannot be told."""
    try:
        values = claim.values(results)
    except Missing as gap:
        return str(gap), None, None
    summary = claim.formatter.format(write(values)) if isinstance(claim.formatter, str) else claim.formatter(values)
    return summary, claim.holds(values), values


class _Interval(NamedTuple):
    """Two limits that are written in the format of a number."""

    low: float
    high: float

    def __format__(self, form: str) -> str:
        return f"[{self.low:{form}}, {self.high:{form}}]"


def _interval(claim: Claim, parts: pd.DataFrame, write: Callable[[pd.Series], str]) -> str:
    """Return the limits of the margins of all parts, or of the one that decides where there are many."""
    if claim.about == "numbers" or parts[["low", "high"]].isna().any(axis=None):
        return ""
    if len(parts) > _MOST:
        k = wanted(claim.need, len(parts))
        parts = parts.sort_values("margin", ascending=False).iloc[[k - 1]]
    limits = [_Interval(*ends) for ends in parts[["low", "high"]].itertuples(index=False)]
    return write(pd.Series(limits, parts.index))


def _note(claim: Claim, row: dict, outcomes: dict[str, bool | None]) -> str:
    """Return what a verdict rests on, and what else the numbers say as they are."""
    if claim.about != "model":
        return "" if row["by"] else "the numbers are not there"
    notes = [{1: "one run", 2: "two runs"}.get(row["runs"], "")] if row["by"] else []
    for name, whose in (("printed", "the paper's own numbers"), ("changed", "ours, changed,")):
        if outcomes[name] is not None and name != row["by"]:
            notes.append(f"{whose} {'agree' if outcomes[name] else 'do not agree'} as they are")
    return "; ".join(filter(None, notes))


def _joined(*labels: Any) -> str:
    return " ".join(map(str, labels))


def text(values: pd.Series, form: str, name: Callable[..., str] = _joined) -> str:
    """Return numbers with their names, which ``name`` makes of the labels in the index; ``none`` for no number.

    Examples
    --------
    >>> text(pd.Series({"FF": 0.6634, "BA": 0.7}), ".1%")
    'FF 66.3%, BA 70.0%'
    """
    labels = [label if isinstance(label, tuple) else (label,) for label in values.index]
    return ", ".join(f"{name(*label)} {value:{form}}" for label, value in zip(labels, values, strict=True)) or "none"


def top(values: pd.Series) -> pd.Series:
    """Return the highest of some numbers, with its name."""
    return values[[values.idxmax()]]


def bottom(values: pd.Series) -> pd.Series:
    """Return the lowest of some numbers, with its name."""
    return values[[values.idxmin()]]


def at_least(values, limit=0.0):
    """Return the margins of numbers that may be a limit itself."""
    return values - limit + _TINY


def around(values: pd.Series, centre, reach: float) -> pd.Series:
    """Return the margins of numbers that must lie near others: two for each, below and above."""
    return pd.concat(
        [at_least(values, centre - reach), at_least(centre + reach, values)], keys=["from below", "from above"]
    )


def differences(first: pd.Series, others: pd.Series) -> pd.Series:
    """Return each of some numbers minus each of some others, as the margins of *these are higher than those*.

    Examples
    --------
    >>> differences(pd.Series({"a": 2.0}), pd.Series({"b": 0.5, "c": 1.0})).tolist()
    [1.5, 1.0]
    """
    names = [" ".join(map(str, name)) if isinstance(name, tuple) else str(name) for name in first.index]
    return pd.concat([number - others for number in first], keys=names)
