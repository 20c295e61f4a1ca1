"""The article's claims about its results, in our words, tested on result rows (Nie et al. 2020, § 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from cogkit.bongard.paper.reported import PEOPLE as N_PEOPLE
from cogkit.bongard.paper.reported import RUNS, result_rows
from cogkit.bongard.problems.sets import ABLATION, TESTS
from cogkit.core.records import slug
from cogkit.core.seeding import stream
from cogkit.data.facts import facts
from cogkit.data.results import shipped
from cogkit.stats.claims import (
    Claim,
    Evidence,
    Missing,
    Shares,
    around,
    at_least,
    differences,
    evidence,
    judge,
    survey,
    text,
    top,
)  # fmt: skip
from cogkit.stats.claims import power as claims_power

MEMORY, METRIC, OPTIMISATION = ("SNAIL",), ("ProtoNet",), ("MetaOptNet", "ANIL")
BASELINES = ("Meta-Baseline-SC", "Meta-Baseline-MoCo")
META = (*MEMORY, *METRIC, *OPTIMISATION, *BASELINES)
NOT_META = ("WReN-Bongard", "CNN-Baseline")
METHODS = (*META, *NOT_META)  # of Table 1
SYMBOLS = "Meta-Baseline-PS"
PEOPLE = ("experts", "amateurs")
TYPES = ("FF", "BA", "abstract")  # of problems, as people have them
ABSTRACT = ("CM", "NV")
TASKS = ("train", *TESTS)
_NEEDED = "112,500 updates of 8 problems (900,000) by SGD on pictures of 512 px, ResNet-15 at its width, three runs"
_REACHED = "changed: 1,000 updates, other optimisers, windows of 48 px, an eighth of the width, another loss"
_DRAWS = 200  # of the printed numbers, for their error
SIZED, ALPHAS = ("ProtoNet", "Meta-Baseline-SC"), (1, 2, 4, 8, 16)  # of Fig. 5
_MARGIN = 0.05  # the difference that "only marginally", "around" and "similarly" allow here
_POINT = 0.01
_points = partial(text, form=".3f")  # shares, or differences of shares: FF 0.663, BA 0.733


@dataclass(frozen=True)
class _Shares(Shares):
    """The means over seeds, by player and task, and the printed spread."""

    spreads: pd.Series

    tasks = TESTS

    def __call__(self, who: str, task: str) -> float:
        return self.of(who, [task]).item()

    def spread(self, whos: Sequence[str], tasks: Iterable[str]) -> pd.DataFrame:
        """Return the printed spreads of players by task."""
        return self._found(self.spreads, whos, tasks, "spread of {0} on {1}")

    def _key(self, who: str) -> str:
        return slug(who)

    def losses(self, whos: Sequence[str]) -> pd.Series:
        """Return the share in training minus the mean of the tests, by player."""
        table = self.table(whos, TASKS)
        return table["train"] - table[list(TESTS)].mean(axis=1)

    def leads(self, people: str, methods: Sequence[str]) -> pd.Series:
        """Return the lead of people over the best of some methods, for each test."""
        best = self.best(methods)
        return pd.Series({task: self(people, "abstract" if task in ABSTRACT else task) for task in TESTS}) - best

    def gains(self, whos: Sequence[str], task: str, others: Sequence[str]) -> pd.Series:
        """Return the share on one task minus the best share on the others, by player."""
        table = self.table(whos, (task, *others))
        return table[task] - table[list(others)].max(axis=1)

    def widths(self, who: str, tasks: Sequence[str] = TESTS) -> pd.Series:
        """Return the mean of some tasks for each available width of a method's backbone, from the widest."""
        names = {f"α = {alpha}": slug(f"{who}, α = {alpha}") for alpha in ALPHAS}
        means = {
            width: sum(self.scores[name, task] for task in tasks) / len(tasks)
            for width, name in names.items()
            if all((name, task) in self.scores for task in tasks)
        }
        if len(means) < 2:
            raise Missing(f"no {tasks[0]} of {who} in two widths")
        return pd.Series(means)


def claims(rows: pd.DataFrame, metric: str = "accuracy") -> pd.DataFrame:
    """Return the article's claims about its results, each tested on result rows.

    ``rows`` are of one preset and profile, as `data.results.load` or `reported.result_rows` give them. Seeds are
    averaged. Methods and groups of people have the names of the article. ``metric`` is ``accuracy`` or ``accuracy, as
    published``; rows of people always have ``accuracy``.

    Columns: claim, section (of the article), found, holds. ``holds`` is missing where the rows lack a number that the
    claim needs; ``found`` then says which number.

    Notes
    -----
    Differs from the paper: its own tables do not support everything that it says. Among the methods that learn to
    learn, Meta-Baseline-MoCo loses most from training to tests, not the optimisation methods. On NV, Meta-Baseline-PS
    is above amateurs. The words around, marginally and much mean five points here, and half of that for means over
    tests. The words as good as others mean one point.

    Examples
    --------
    >>> table = claims(result_rows())  # the last three are of figures and words without a number
    >>> int(table.holds.sum()), table.holds.isna().tolist()[-4:]
    (27, [False, True, True, True])
    """
    return judge(_CLAIMS, _results(rows, metric), _points)


def _results(rows: pd.DataFrame, metric: str = "accuracy") -> _Shares:
    plain = sized(rows)
    plain = plain[plain.who == plain.model]
    rows = pd.concat([rows, plain.assign(who=plain.who + ", α = " + plain.alpha.astype(str))])
    table = rows[(rows.metric == metric) | ((rows.kind == "person") & (rows.metric == "accuracy"))]
    table = table[table.value.notna()].assign(who=table.who.map(slug), reach=table.value - table.low)
    groups = table.groupby(["who", "task"])
    return _Shares(groups.value.mean(), groups.reach.mean().dropna())


def verdicts() -> pd.DataFrame:
    """Return what the printed tables and the runs that come with the package say to each claim: `stats.claims.survey`.

    Examples
    --------
    >>> verdicts().set_index("claim").verdict["experts are above amateurs on every type of problem"]
    'open'
    """
    rows, lab = result_rows(), shipped("bongard")
    people = rows[rows.kind == "person"]
    counts = lab.n[lab.task.isin(TESTS) & (lab.kind == "model") & (lab.metric == "accuracy")]
    changed = evidence(pd.concat([lab, people]), _results, f"{counts.min():,} to {counts.max():,} answers a test")
    printed = _printed()
    return survey(_CLAIMS, _points, printed=printed, changed=changed, needed=_NEEDED, reached=_REACHED)


def power() -> pd.DataFrame:
    """Return how often as many people would say that a claim holds, and that it does not: `stats.claims.power`."""
    truth = _printed()
    return claims_power(_CLAIMS, replace(truth, about={"people": truth.about["people"]}))


def _printed() -> Evidence:
    paper = _results(result_rows())
    draws = [_again(paper, stream(0, f"bongard/claims/{k}")) for k in range(_DRAWS)]
    return Evidence(paper, draws=draws, n="as printed", about={"people": N_PEOPLE // 2, "model": RUNS})


def _again(shares: _Shares, rng: np.random.Generator) -> _Shares:
    """Return printed shares and spreads as other people, or other runs, might have had them."""
    who = shares.spreads.index.get_level_values("who")
    df = np.where(who.isin(PEOPLE), N_PEOPLE // 2, RUNS) - 1
    error = shares.spreads / special.stdtrit(df, 0.975)  # from the half-width of an interval
    scores = shares.scores.add(error * rng.normal(size=len(error)), fill_value=0)
    return _Shares(scores, shares.spreads * np.sqrt(rng.chisquare(df) / df))


def sized(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the agents in the article's Fig. 5, for all widths of their backbones.

    Two more columns: model, one of `SIZED`, and alpha, the divisor of the widths. A name such as ``ProtoNet, α = 16``
    marks a narrower agent than that of the preset. The source of the rows of plain ``ProtoNet`` gives its width.
    """
    parts = rows.who.str.extract(r"^(?P<model>.+?)(?:, α = (?P<alpha>\d+))?$")
    parts["alpha"] = parts.alpha.combine_first(rows.source.str.extract(r"\bα = (\d+)")[0])
    table = rows.assign(**parts)[parts.model.isin(SIZED) & parts.alpha.notna()]
    return table.astype({"alpha": int})


def _itself(numbers: pd.Series) -> pd.Series:
    return numbers


def _most_of(name: str | Sequence[str], values: pd.Series) -> pd.Series:
    """Return how much more some players have than each of the others."""
    names = [name] if isinstance(name, str) else list(name)
    return differences(values[names], values.drop(names))


_ALONE = tuple(f"{ABLATION}/{task}" for task in ("train", "FF"))
_OTHERS = (*MEMORY, *OPTIMISATION)
# By the names in the table of claims: the numbers, and by how much each part of the claim holds.
_TESTS: dict[str, tuple[Callable[[_Shares], Any], Callable[[Any], pd.Series]]] = {
    "experts lead": (lambda s: s.of("experts", TYPES) - s.of("amateurs", TYPES), _itself),
    "experts vary": (lambda s: s.spread(PEOPLE, TYPES), lambda spreads: spreads.iloc[1] - spreads.iloc[0]),
    "largest lead": (
        lambda s: s.of("experts", TYPES) - s.of("amateurs", TYPES), partial(_most_of, "abstract")
    ),
    "experts ahead": (lambda s: s.leads("experts", METHODS), _itself),
    "basic": (lambda s: s.of("experts", ["BA"]), lambda shares: shares - 0.99),
    "others": (lambda s: s.all(["experts"], "FF", "abstract"), lambda shares: shares - 0.9),
    "amateurs ahead": (lambda s: s.leads("amateurs", METHODS), _itself),
    "BA": (lambda s: top(s.all(METHODS, "BA")), lambda best: around(best, 0.70, _MARGIN)),
    "the rest": (lambda s: top(s.all(METHODS, "FF", *ABSTRACT)), lambda best: at_least(0.65 + _MARGIN, best)),
    "meta-learning": (lambda s: (s.table(META) - s.best(NOT_META)).min(axis=1), _itself),
    "WReN overfits": (lambda s: s.losses(METHODS), partial(_most_of, "WReN-Bongard")),
    "WReN at chance": (lambda s: s.of("WReN-Bongard"), lambda shares: at_least(0.5 + _MARGIN, shares)),
    "MoCo trains": (lambda s: s.table(METHODS, ["train"])["train"], partial(_most_of, "Meta-Baseline-MoCo")),
    "MoCo tests": (lambda s: s.best(METHODS) - s.of("Meta-Baseline-MoCo"), lambda gaps: at_least(_POINT, gaps)),
    "MoCo helps": (lambda s: s.of(BASELINES[1], TASKS) - s.of(BASELINES[0], TASKS), partial(_most_of, "train")),
    "basic easier": (lambda s: s.gains(META, "BA", ABSTRACT), lambda gains: gains - _MARGIN),
    "SNAIL": (
        lambda s: s.of("SNAIL"),
        lambda shares: pd.Series({"abstract": shares["CM"] + shares["NV"] - shares["FF"] - shares["BA"]}),
    ),
    "like Meta-Baseline": (
        lambda s: s.means((*METRIC, *BASELINES)),
        lambda means: pd.concat([around(means.drop(who), means[who], _MARGIN / 2) for who in means.index],
                                keys=means.index),
    ),
    "ProtoNet ahead": (lambda s: s.of("ProtoNet") - s.best(_OTHERS), _itself),
    "optimisation": (lambda s: s.losses(META), partial(_most_of, OPTIMISATION)),
    "NV": (lambda s: s.gains((*METHODS, SYMBOLS), "NV", ["CM"]), lambda gains: at_least(gains, -_POINT)),
    "alone, most": (
        lambda s: (s.table(METHODS, _ALONE) - s.table(METHODS, ("train", "FF")).to_numpy()).min(axis=1), _itself
    ),
    "alone, best": (
        lambda s: s.best(METHODS, ("train", _ALONE[0], "FF", _ALONE[1])),
        lambda best: pd.Series({"train": best[_ALONE[0]] - best["train"], "FF": best[_ALONE[1]] - best["FF"]}),
    ),
    "alone, WReN": (lambda s: s("WReN-Bongard", _ALONE[1]) - s.all(META, _ALONE[1]), _itself),
    "alone, experts": (lambda s: s("experts", "FF") - s.all(METHODS, _ALONE[1]), lambda leads: leads - _MARGIN),
    "PS ahead": (lambda s: s.of(SYMBOLS, TASKS) - s.best(METHODS, TASKS), _itself),
    "PS, experts": (lambda s: s.leads("experts", [SYMBOLS]), _itself),
    "PS, amateurs": (lambda s: s.leads("amateurs", [SYMBOLS]), _itself),
    "backbone": (
        lambda s: s.all(["ResNet-15"], "convex/test", "has_two_parts/test"),
        lambda shares: at_least(shares, 1 - _MARGIN),
    ),
    "width": (
        lambda s: {method: s.widths(method, ["train"]) for method in SIZED},
        lambda table: pd.concat({method: -means.diff().dropna() for method, means in table.items()}),
    ),
    "narrow": (
        lambda s: pd.Series({name: s.widths(name).iloc[0] - s.widths(name).iloc[-1] for name in SIZED}),
        partial(_most_of, SIZED[0]),
    ),
    "mixture": (lambda s: s.means((SYMBOLS, f"{SYMBOLS}, L2")), partial(_most_of, SYMBOLS)),
}  # fmt: skip


def _in_words(template: str, values: Any) -> str:
    """Return what decides in words: of a table row by row, or of several tables."""
    if isinstance(values, dict):
        return template.format("; ".join(f"{method}: {_points(means)}" for method, means in values.items()))
    return template.format(*(_points(row) for _, row in values.iterrows()))


def _claim(row: Any) -> Claim:
    """Return a claim of the table."""
    values, margins = _TESTS[row.test]
    is_series = row.test not in ("experts vary", "width")  # `survey` writes named numbers
    formatter = row.found if is_series else partial(_in_words, row.found)
    return Claim(row.claim, row.section, formatter, values, margins, row.need or "every", row.about or "model")


_CLAIMS = [_claim(row) for row in facts(__file__, "claims", str).itertuples()]
