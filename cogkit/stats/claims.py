"""A paper's claims about its results, each tested on numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import pandas as pd

from cogkit.stats.intervals import mean_interval


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
        ``values(results)``, the numbers that decide, a Series as a rule; raises `Missing` without them.
    holds : callable
        ``holds(values) -> bool``; what it allows for is the margin of the claim.
    people : bool
        Whether it is about people alone, so that no run of ours bears on it.
    least : int
        Runs without which it holds weakly at best.
    power : int
        Runs without which its failure tells nothing: a claim that counts significant tests fails where runs are few.
    """

    sentence: str
    place: str
    formatter: str | Callable[[Any], str]
    values: Callable[[Any], Any]
    holds: Callable[[Any], Any]
    people: bool = False
    least: int = 2
    power: int = 1


@dataclass(frozen=True)
class Evidence:
    """Results that decide on claims.

    Attributes
    ----------
    whole : object
        What ``values`` of the claims get: the results of all runs together.
    runs : sequence
        The same of each run alone; none where there are no runs, as with the answers of people.
    n : str
        What stands behind it, such as ``600 episodes a task``.
    units : int
        Runs, or people, over which the results' own tests go. Then no run is asked alone.
    people : bool
        Whether its people are others than the printed ones.
    """

    whole: Any
    runs: Sequence[Any] = ()
    n: str = ""
    units: int = 0
    people: bool = False


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
    """Return one row for each claim.

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
    >>> claim = Claim("every model is above chance", "Table 1", "lowest: {}", bottom, lambda lowest: lowest.min() > 0.5)
    >>> judge([claim], pd.Series({"SNAIL": 0.6, "ANIL": 0.7}), lambda values: text(values, ".2f")).found.item()
    'lowest: SNAIL 0.60'
    """
    rows = [(claim.sentence, claim.place, *_judged(claim, results, write)[:2]) for claim in claims]
    return pd.DataFrame(rows, columns=["claim", "section", "found", "holds"]).astype({"holds": "boolean"})


def evidence(rows: pd.DataFrame, build: Callable[[pd.DataFrame], Any], n: str = "") -> Evidence:
    """Return the evidence of result rows: of all, and of each seed of models alone beside everybody who is no model.

    ``build(rows)`` gives what ``values`` of the claims get.
    """
    return Evidence(build(rows), [build(part) for part in by_seed(rows).values()], n)


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
    as_published: Evidence | None = None, verified: Evidence | None = None, first: str = "verified",
) -> pd.DataFrame:  # fmt: skip
    """Return what the paper's numbers and ours say to each claim, and a verdict.

    Parameters
    ----------
    claims, write
        As in `judge`.
    printed, as_published, verified : Evidence
        The paper's numbers, and those of our runs under each profile, where there are any.
    first : {"verified", "as_published"}
        Which of our runs decide, if both can tell.

    Returns
    -------
    DataFrame
        Columns claim, section, printed, as_published, verified (what was found in each; empty without evidence),
        verdict (one of `VERDICTS`), by (printed, as_published or verified: what decided), interval (95 % t over runs
        of each number shown, where every run has it), runs (how many could tell), n, note.

    Notes
    -----
    Our runs decide, those under ``verified`` before those under ``as_published``. A claim holds if it does so for all
    runs together and for each alone, and there are as many runs as it asks for. It holds weakly if it does so for all
    together, but for some alone it does not, or there are fewer runs. It does not hold if it fails for all together. It
    cannot be told if half of the runs or more say another thing than all together, or if it fails with fewer runs than
    its tests need.
    Where no run of ours can tell, the paper's own numbers can refute a claim, and not prove it. A claim about people
    alone is decided by their numbers, printed ones if there are no others.

    Examples
    --------
    >>> claim = Claim("every model is above chance", "Table 1", "lowest: {}", bottom, lambda lowest: lowest.min() > 0.5)
    >>> paper, ours = (pd.Series({"SNAIL": share}) for share in (0.6, 0.7))
    >>> write = lambda values: text(values, ".2f")
    >>> table = survey([claim], write, printed=Evidence(paper), verified=Evidence(ours, [ours]))
    >>> table[["printed", "verified", "verdict", "note"]].values.tolist()
    [['lowest: SNAIL 0.60', 'lowest: SNAIL 0.70', 'holds weakly', 'one run']]
    """
    bodies = {"verified": verified, "as_published": as_published, "printed": printed}
    rows = []
    for claim in claims:
        outcomes: dict[str, tuple[str, bool | None, Any]] = dict.fromkeys(bodies, ("", None, None))
        for name, body in bodies.items():
            if body and not (claim.people and name != "printed" and not body.people):
                outcomes[name] = _judged(claim, body.whole, write)
        by = next((name for name in (first, *bodies) if outcomes[name][1] is not None), "")
        body = bodies[by] if by else None
        whole = outcomes[by][1] if by else None
        alone: list[bool] = []
        values = []
        if body is not None and whole is not None and not claim.people:
            judged = [_judged(claim, run, write) for run in body.runs]
            values = [numbers for _, holds, numbers in judged if holds is not None]
            alone = [holds for _, holds, _ in judged if holds is not None] + [whole] * body.units
        verdict, note = _verdict(claim, by, whole, alone)
        row = {"claim": claim.sentence, "section": claim.place} | {name: outcomes[name][0] for name in reversed(bodies)}
        row |= {"verdict": verdict, "by": by, "interval": _over_runs(claim, values, write)}
        rows.append(row | {"runs": len(alone), "n": body.n if body else "", "note": note})
    columns = ["claim", "section", *reversed(bodies), "verdict", "by", "interval", "runs", "n", "note"]
    return pd.DataFrame(rows, columns=columns)


_MOST = 8  # numbers of a claim that have intervals
VERDICTS = ("holds", "holds weakly", "does not hold", "cannot be told")


def _judged(claim: Claim, results: Any, write: Callable[[pd.Series], str]) -> tuple[str, bool | None, Any]:
    """Return what was found, whether the claim holds, and the values that decide; None twice if it cannot be told."""
    try:
        values = claim.values(results)
    except Missing as gap:
        return str(gap), None, None
    summary = claim.formatter.format(write(values)) if isinstance(claim.formatter, str) else claim.formatter(values)
    return summary, bool(claim.holds(values)), values


class _Interval(NamedTuple):
    """Two limits that are written in the format of a number."""

    low: float
    high: float

    def __format__(self, form: str) -> str:
        return f"[{self.low:{form}}, {self.high:{form}}]"


def _over_runs(claim: Claim, values: Sequence[Any], write: Callable[[pd.Series], str]) -> str:
    """Return the intervals over runs of the numbers that are shown; "" for one run, or if not every run has them.

    ``values`` are those that decide, of each run that has any.
    """

    def fits(run: Any) -> bool:
        is_numbers = isinstance(run, pd.Series) and pd.api.types.is_numeric_dtype(run)
        return is_numbers and run.index.equals(getattr(values[0], "index", None))

    if not isinstance(claim.formatter, str) or len(values) < 2 or not all(map(fits, values)):
        return ""
    table = pd.concat(values, axis=1).dropna()
    limits = [_Interval(*mean_interval(row)) for _, row in table.iterrows()]
    return write(pd.Series(limits, table.index)) if 0 < len(limits) <= _MOST else ""


def _verdict(claim: Claim, by: str, holds: bool | None, alone: Sequence[bool]) -> tuple[str, str]:
    """Return the verdict and a note on what it rests on."""
    sure, weakly, refuted, open_ = VERDICTS
    if holds is None:
        return open_, "the numbers are not there"
    if claim.people:
        return (sure if holds else refuted), "people as printed" if by == "printed" else ""
    if by == "printed":
        outcome = "it holds" if holds else "it does not hold"
        return (open_ if holds else refuted), f"by the paper's own numbers {outcome}; no run of ours can tell"
    agreeing = sum(each == holds for each in alone)
    note = "one run" if len(alone) == 1 else "" if agreeing == len(alone) else f"so in {agreeing} of {len(alone)} runs"
    if alone and 2 * agreeing <= len(alone):
        return open_, note
    if not holds and 0 < len(alone) < claim.power:
        return open_, f"it fails, which {len(alone)} run{'s' * (len(alone) > 1)} cannot show"
    return (sure if claim.least <= len(alone) == agreeing else weakly) if holds else refuted, note


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


def most(holds: pd.Series) -> bool:
    """Return whether something holds for more than half."""
    return holds.sum() > len(holds) / 2


def top(values: pd.Series) -> pd.Series:
    """Return the highest of some numbers, with its name."""
    return values[[values.idxmax()]]


def bottom(values: pd.Series) -> pd.Series:
    """Return the lowest of some numbers, with its name."""
    return values[[values.idxmin()]]
