"""The paper's claims, in our words, and in how many seeds of our runs each one holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache

import numpy as np
import pandas as pd

from cogkit.core import seeding
from cogkit.data.facts import facts
from cogkit.data.results import shipped
from cogkit.generalization.learners import rows
from cogkit.generalization.paper import paper_analyses
from cogkit.generalization.paper.paper_analyses import MACHINES, PEOPLE
from cogkit.generalization.suites import GENERATED, REAL
from cogkit.stats.claims import Claim, Evidence, Missing, survey
from cogkit.stats.intervals import mean_interval

STABLE = 0.85  # ranks count as stable from here on; the paper only says "close"
_SIDES = (PEOPLE, MACHINES)
Statistics = Mapping[str, float]
_HIGHER, _LOWER = ("Linear", "Imbalance"), ("Moons", "Circles", "Shift")
_DRAWS = 200
_WHOLE = 0.98  # share of the first value from which an accuracy "remains high"
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
        values |= _of_scores(scores, seeding.stream(seed, "generalization/claims"))
        if "shuffled" in cells:
            test = paper_analyses.label_shuffle(scores, rows.scores(cells["shuffled"])).iloc[0]
            values |= {"p label shuffle": test.p, "shuffled over true": test.ratio}
    for kind in filter(cells.__contains__, ("spurious", "shift")):
        values |= _of_curves(cells[kind], kind)
    return values | (_of_stream(cells["continual"]) if "continual" in cells else {})


def _of_scores(scores: pd.DataFrame, rng: np.random.Generator) -> dict[str, float]:
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


# What a claim says of the statistics of one seed, by its name in the table of claims; ``about`` is its last column.
_PREDICATES: dict[str, Callable[[Statistics, str], bool]] = {
    "inside": lambda s, about: s[f"{about} low"] <= printed()[about] <= s[f"{about} high"],
    "ahead": lambda s, about: s[f"Δ {about}"] > 0 and s[f"p {about}"] < printed()[f"p {about}"],
    "higher": lambda s, _: min(_of(s, "GR*", _HIGHER)) > max(_of(s, "GR*", _LOWER)),
    "among": lambda s, _: all(s["GR* least"] <= value <= s["GR* most"] for value in _of(s, "GR*", REAL)),
    "positive": lambda s, about: min(s[name] for name in about.split("; ")) > 0,
    "significant": lambda s, about: max(s[name] for name in about.split("; ")) < 0.05,
    "small": lambda s, about: s[f"Δ {about}"] <= np.median(_of(s, "Δ")),
    "dispersed": lambda s, about: s[f"spread {about}"] >= max(_of(s, "spread")),
    "structured": lambda s, _: sum(_of(s, "Δ", ("Linear", "Poly"))) > sum(_of(s, "Δ", ("Moons", "Circles"))),
    "stable": lambda s, _: s["least rank stability"] >= STABLE,
    "lost": lambda s, _: s["p label shuffle"] < 1e-10 and s["shuffled over true"] < 0.1,
    "unmoved": lambda s, _: s["re-pairing found"] <= 0.05,
    "before accuracy": lambda s, about: s[f"{about} early GR*"] < s[f"{about} early accuracy"],
    "before f": lambda s, about: s[f"{about} early GR*"] < s[f"{about} early f"] - _NEWS,
    "related": lambda s, _: 0 < s["continual"] < 1,
}


def _claim(row: pd.Series) -> Claim:
    """Return a claim of the table; one without a predicate cannot be tested."""

    def holds(s: Statistics) -> bool:
        return _PREDICATES[row.holds](s, row.about)

    def values(s: Statistics) -> Statistics:
        try:
            holds(s)
        except KeyError as gap:
            raise Missing(f"no {gap.args[0]}" if row.holds else "nothing is said to be optimal") from None
        if np.isnan(s[row.statistic]):
            raise Missing(f"no {row.statistic}")
        return s

    return Claim(row.claim, row["where"], lambda s: f"{row.statistic}: {s[row.statistic]:.3g}", values, holds)


def claims(results: pd.DataFrame) -> pd.DataFrame:
    """Return every claim of the paper and how often it holds, one row per claim.

    The rows are as for `statistics`.

    Columns claim (in our words), printed (NaN if the paper prints no number), holds (number of seeds in which it
    holds), n (number of seeds with the data for it). The last row is the claim that cannot be tested.
    """
    table, records = statistics(results), []
    for row in facts(__file__, "claims").itertuples():
        verdicts = []
        for _, seed in table.iterrows():
            with suppress(KeyError):
                verdicts.append(bool(_PREDICATES[row.holds](seed, row.about)))
        records.append((row.claim, printed().get(row.statistic, np.nan), sum(verdicts), len(verdicts)))
    return pd.DataFrame(records, columns=["claim", "printed", "holds", "n"])


def verdicts() -> pd.DataFrame:
    """Return what the runs that come with the package say to each claim: `stats.claims.survey`.

    All runs together are the medians of their statistics. ``printed`` is the number that the paper prints, if it does.

    Examples
    --------
    >>> verdicts().set_index("claim").note["Circles is the most dispersed family"]
    ''
    """
    rows_of = shipped("generalization", profile="as_published")
    table, tested = statistics(rows_of), facts(__file__, "claims")
    runs = [seed for _, seed in table.iterrows()]
    n = f"{rows_of.task[rows_of.cell == 'generalization/repro62'].nunique()} tasks a run"
    evidence = Evidence(table.median(), runs, n)
    verdict_table = survey([_claim(row) for _, row in tested.iterrows()], str, as_published=evidence)
    numbers = [printed().get(name) for name in tested.statistic]
    limits = [mean_interval(table[name].dropna()) if name else () for name in tested.statistic]
    return verdict_table.assign(
        printed=["" if number is None else f"{number:.3g}" for number in numbers],
        interval=["[{:.3g}, {:.3g}]".format(*ends) if ends else "" for ends in limits],
    )
