"""The paper's claims, in our words, and in how many seeds of our runs each one holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache, partial

import numpy as np
import pandas as pd

from cogkit.core import seeding
from cogkit.data.facts import facts
from cogkit.data.results import shipped
from cogkit.generalization.learners import rows
from cogkit.generalization.paper import paper_analyses
from cogkit.generalization.paper.paper_analyses import MACHINES, PEOPLE
from cogkit.generalization.suites import GENERATED, REAL
from cogkit.stats.claims import Claim, Evidence, Missing, survey, text
from cogkit.stats.claims import power as claims_power

NEAR = 0.1  # a correlation counts as the printed one so far to each side
STABLE = 0.85  # ranks count as stable from here on; the paper only says "close"
_SIDES = (PEOPLE, MACHINES)
Statistics = Mapping[str, float]
_HIGHER, _LOWER = ("Linear", "Imbalance"), ("Moons", "Circles", "Shift")
_DRAWS = 200
_WHOLE = 0.98  # share of the first value from which an accuracy "remains high"
_NEEDED, _REACHED = "62 tasks as the paper made them, which it does not say", "62 tasks of a recipe of ours"
_TINY = 1e-12  # by which a number that must be at least so much is above it
_POWERS = "powers of ten that p is below"
_NEWS = 0.01  # share of the first value by which GR* must drop below f(accuracy) to add information


@cache
def printed() -> pd.Series:
    """Return the numbers that the paper prints, by statistic."""
    return facts(__file__, "printed").set_index("statistic").value


def printed_relations() -> pd.DataFrame:
    """Return the printed correlations by side, in the columns of `paper_analyses.beyond_accuracy`.

    Examples
    --------
    >>> printed_relations().with_accuracy.tolist()
    [0.64, 0.54]
    """
    columns = {"with_accuracy": "with accuracy", "partial_rank": "partial"}
    numbers = {name: [printed()[f"{words} {side}"] for side in _SIDES] for name, words in columns.items()}
    return pd.DataFrame({"side": _SIDES} | numbers)


def statistics(results: pd.DataFrame) -> pd.DataFrame:
    """Return all statistics of the paper's analyses, one row per seed.

    The rows are those of the cells of `instrument` under ``as_published``, of one preset and any number of seeds.

    The index is the seed, and each statistic is a column, NaN if the rows of that seed lack data for it. Columns that
    end in ``low`` and ``high`` are 95 % bootstrap limits over tasks.
    """
    seeds = {seed: _of_seed(part, int(seed)) for seed, part in results.groupby("seed")}
    return pd.DataFrame(seeds).T.rename_axis("seed")


def _of_seed(results: pd.DataFrame, seed: int) -> dict[str, float]:
    cells, values = dict(list(results.groupby(results.cell.str.rsplit("/", n=1).str[-1]))), {}
    if "repro62" in cells:
        scores = rows.scores(cells["repro62"])
        values |= of_scores(scores, seeding.stream(seed, "generalization/claims"))
        if "shuffled" in cells:
            test = paper_analyses.label_shuffle(scores, rows.scores(cells["shuffled"])).iloc[0]
            values |= {"p label shuffle": test.p, "shuffled over true": test.ratio}
    for kind in filter(cells.__contains__, ("spurious", "shift")):
        values |= _of_curves(cells[kind], kind)
    return values | (_of_stream(cells["continual"]) if "continual" in cells else {})


def of_scores(scores: pd.DataFrame, rng: np.random.Generator) -> dict[str, float]:
    """Return the statistics of one seed's scores, as of `statistics`."""
    agreement = paper_analyses.agreement(scores, rng).set_axis(["agreement"])
    values = _named(agreement, rho="{}", low="{} low", high="{} high")
    families = paper_analyses.families(scores).set_index("family")
    values |= _named(families, difference="Δ {}", p_adjusted="p {}", p_wilcoxon="Wilcoxon {}")
    spread = paper_analyses.delta(scores).groupby("family").delta.std().to_frame()
    values |= _named(spread.loc[spread.index.isin(GENERATED)], delta="spread {}")
    quantities = {"with_accuracy": "with accuracy {}", "partial_rank": "partial {}"}
    ends = {f"{name}_{end}": f"{words} {end}" for name, words in quantities.items() for end in ("low", "high")}
    values |= _named(paper_analyses.beyond_accuracy(scores, rng).set_index("side"), **quantities, **ends)
    values["least rank stability"] = paper_analyses.sweeps(scores).rho.min()
    p = paper_analyses.repaired(scores, rng, _DRAWS).p
    values |= {"p re-pairing": float(p.median()), "re-pairing found": float((p < 0.05).mean())}
    values["agreement after re-pairing accuracies"] = paper_analyses.shared_factor(scores, rng, _DRAWS).rho.median()
    pairs = paper_analyses.matched(scores).groupby("side")[["alignment", "gr_star"]].mean().reindex(_SIDES)
    values |= _named(pairs, alignment="Poly less Linear D_align {}", gr_star="Poly less Linear GR* {}")
    values |= _named(scores.groupby("family")[["gr_star"]].mean(), gr_star="GR* {}")
    generated = scores[scores.family.isin(GENERATED)].gr_star
    return values | {"GR* least": generated.min(), "GR* most": generated.max()}


def _named(table: pd.DataFrame, **words: str) -> dict[str, float]:
    """Return numbers of a table, each by the words of its column, which the name of its row goes into."""
    return {form.format(row): table.loc[row, column] for column, form in words.items() for row in table.index}


def _of_curves(results: pd.DataFrame, kind: str) -> dict[str, float]:
    """Return GR*, accuracy and f(accuracy) over their first values, while accuracy is still high."""
    values = {}
    parts = results.task.str.split("/")
    table = results.assign(level=parts.str[-1].astype(float), place=parts.str[1].where(parts.str.len() == 3, ""))
    for place, part in table.groupby("place"):
        wide = part.groupby(["level", "metric"]).value.mean().unstack()
        ratio = wide / wide.iloc[0]
        plateau = ratio[(ratio.accuracy >= _WHOLE) & (ratio.index > 0)]
        last = plateau.iloc[-1] if len(plateau) else ratio.iloc[0] * np.nan
        name = f"{kind} {place}".strip()
        values |= {f"{name} early {quantity}": value for quantity, value in last.rename({"f(accuracy)": "f"}).items()}
    return values


def _of_stream(results: pd.DataFrame) -> dict[str, float]:
    level = results.task.str.rsplit("/", n=1).str[-1].astype(float)
    wide = results.assign(level=level).pivot(index=["who", "level"], columns="metric", values="value").dropna()
    rho = [part["GR*"].corr(part["accuracy on earlier tasks"], "spearman") for _, part in wide.groupby("who")]
    return {"continual": float(np.mean(rho))}


def _of(s: Statistics, quantity: str, families: Iterable[str] = GENERATED) -> list[float]:
    """Return a quantity of each family."""
    return [s[f"{quantity} {family}"] for family in families]


# By how much the parts of a claim hold, by its name in the table of claims; ``about`` is its last column.
_MARGINS: dict[str, Callable[[Statistics, str], dict[str, float]]] = {
    "near": lambda s, about: {
        "from below": s[about] - printed()[about] + NEAR, "from above": printed()[about] + NEAR - s[about]
    },
    "ahead": lambda s, about: {"Δ": s[f"Δ {about}"], _POWERS: _below(printed()[f"p {about}"], s[f"p {about}"])},
    "higher": lambda s, _: {
        f"{high} above {low}": s[f"GR* {high}"] - s[f"GR* {low}"] for high in _HIGHER for low in _LOWER
    },
    "among": lambda s, _: {f"{name} above the least": s[f"GR* {name}"] - s["GR* least"] for name in REAL}
    | {f"{name} below the most": s["GR* most"] - s[f"GR* {name}"] for name in REAL},
    "positive": lambda s, about: {name: s[name] for name in about.split("; ")},
    "significant": lambda s, about: {name: _below(0.05, s[name]) for name in about.split("; ")},
    "small": lambda s, about: {about: np.median(_of(s, "Δ")) - s[f"Δ {about}"] + _TINY},
    "dispersed": lambda s, about: {
        f"than {name}": s[f"spread {about}"] - s[f"spread {name}"] for name in GENERATED if name != about
    },
    "structured": lambda s, _: {
        "together": sum(_of(s, "Δ", ("Linear", "Poly"))) - sum(_of(s, "Δ", ("Moons", "Circles")))
    },
    "stable": lambda s, _: {"least": s["least rank stability"] - STABLE + _TINY},
    "lost": lambda s, _: {_POWERS: _below(1e-10, s["p label shuffle"]), "share left": 0.1 - s["shuffled over true"]},
    "unmoved": lambda s, _: {"found": 0.05 - s["re-pairing found"] + _TINY},
    "before accuracy": lambda s, about: {"lead": s[f"{about} early accuracy"] - s[f"{about} early GR*"]},
    "before f": lambda s, about: {"lead": s[f"{about} early f"] - _NEWS - s[f"{about} early GR*"]},
    "related": lambda s, _: {"above none": s["continual"], "below one": 1 - s["continual"]},
}  # fmt: skip


def _below(limit: float, p: float) -> float:
    """Return how many powers of ten a p value lies below a limit."""
    return float(np.log10(limit / max(p, 1e-300)))


def _claim(row: pd.Series) -> Claim:
    """Return a claim of the table; one without margins cannot be tested."""

    def margins(s: Statistics) -> pd.Series:
        return pd.Series(_MARGINS[row.margins](s, row.about))

    def values(s: Statistics) -> Statistics:
        try:
            missing = margins(s).isna().any() or np.isnan(s[row.statistic])
        except KeyError as gap:
            raise Missing(f"no {gap.args[0]}" if row.margins else "nothing is said to be optimal") from None
        if missing:
            raise Missing(f"no {row.statistic}")
        return s

    about = "model" if row.margins else "numbers"
    return Claim(
        row.claim, row["where"], lambda s: f"{row.statistic}: {s[row.statistic]:.3g}", values, margins, about=about
    )


def outcomes(row: pd.Series, statistics: Iterable[Statistics]) -> list[bool]:
    """Return whether a claim of the table holds, for each of some statistics that have its numbers."""
    claim, held = _claim(row), []
    for each in statistics:
        with suppress(Missing):
            held.append(claim.holds(claim.values(each)))
    return held


def claims(results: pd.DataFrame) -> pd.DataFrame:
    """Return every claim of the paper and how often it holds, one row per claim.

    The rows are as for `statistics`.

    Columns claim (in our words), printed (NaN if the paper prints no number), holds (number of seeds in which it
    holds), n (number of seeds with the data for it). The last row is the claim that cannot be tested.
    """
    table, records = statistics(results), []
    for _, row in facts(__file__, "claims").iterrows():
        held = outcomes(row, [seed for _, seed in table.iterrows()])
        records.append((row.claim, printed().get(row.statistic, np.nan), sum(held), len(held)))
    return pd.DataFrame(records, columns=["claim", "printed", "holds", "n"])


def verdicts() -> pd.DataFrame:
    """Return what the runs that come with the package say to each claim: `stats.claims.survey`.

    The verdicts are *on our tasks*: the paper does not say how its 62 tasks are made, and we chose a recipe with its
    printed numbers in sight. So they are not counted with those of the other papers. ``printed`` is the number that the
    paper prints, if it does.

    Examples
    --------
    >>> verdicts().set_index("claim").runs["Circles is the most dispersed family"]
    np.int64(20)
    """
    rows_of = shipped("generalization", profile="as_published")
    table, tested = statistics(rows_of), facts(__file__, "claims")
    n = f"{rows_of.task[rows_of.cell == 'generalization/repro62'].nunique()} tasks a run"
    ours = Evidence(table.median(), [seed for _, seed in table.iterrows()], n=n, about={"model": len(table)})
    verdict_table = survey(
        [_claim(row) for _, row in tested.iterrows()],
        partial(text, form=".3g"),
        ours=ours,
        needed=_NEEDED,
        reached=_REACHED,
    )
    numbers = [printed().get(name) for name in tested.statistic]
    return verdict_table.assign(
        printed=["" if number is None else f"{number:.3g}" for number in numbers],
        by=verdict_table.by.replace("ours", "ours, on our tasks"),
    )


def power(repetitions: int = 400) -> pd.DataFrame:
    """Return how often as many seeds would say that a claim holds, and that it does not: `stats.claims.power`.

    Only of claims with a printed number. Each such statistic lies around it as ours does around its mean.
    """
    table, tested = statistics(shipped("generalization", profile="as_published")), facts(__file__, "claims")
    known = [name for name in printed().index.intersection(table.columns) if not name.startswith("p ")]
    simulated = []
    for number in range(repetitions):
        rows = table.iloc[seeding.stream(number, "generalization/claims").integers(len(table), size=len(table))].copy()
        rows[known] += printed()[known] - table[known].mean()
        runs = [seed for _, seed in rows.iterrows()]
        simulated.append(Evidence(rows.median(), runs, about={"model": len(runs)}))
    about = tested[(tested.margins == "near") & tested.about.isin(known)]
    return claims_power([_claim(row) for _, row in about.iterrows()], simulated[0], simulated)
