"""The paper's claims, in our words, and in how many seeds of our runs each one holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
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
    cells = dict(list(results.groupby(results.cell.str.rsplit("/", n=1).str[-1])))
    values: dict[str, float] = {}
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
    agreement = paper_analyses.agreement(scores, rng).iloc[0]
    values = {"agreement": agreement.rho, "agreement low": agreement.low, "agreement high": agreement.high}
    for row in paper_analyses.families(scores).itertuples():
        values |= {f"Δ {row.family}": row.difference, f"p {row.family}": row.p_adjusted}
        values |= {f"Wilcoxon {row.family}": row.p_wilcoxon}
    spread = paper_analyses.delta(scores).groupby("family").delta.std()
    values |= {f"spread {family}": spread[family] for family in GENERATED if family in spread}
    for row in paper_analyses.beyond_accuracy(scores, rng).itertuples():
        for name, quantity in (("with accuracy", "with_accuracy"), ("partial", "partial_rank")):
            limits = {f" {end}": getattr(row, f"{quantity}_{end}") for end in ("low", "high")}
            values |= {f"{name} {row.side}{end}": v for end, v in ({"": getattr(row, quantity)} | limits).items()}
    values["least rank stability"] = paper_analyses.sweeps(scores).rho.min()
    p = paper_analyses.repaired(scores, rng, _DRAWS).p
    values |= {"p re-pairing": float(p.median()), "re-pairing found": float((p < 0.05).mean())}
    values["agreement after re-pairing accuracies"] = paper_analyses.shared_factor(scores, rng, _DRAWS).rho.median()
    pairs = paper_analyses.matched(scores).groupby("side")[["alignment", "gr_star"]].agg(["mean", "size"])
    for name in _SIDES:
        for column, quantity in (("alignment", "D_align"), ("gr_star", "GR*")):
            present = name in pairs.index
            values[f"Poly less Linear {quantity} {name}"] = pairs.loc[name, (column, "mean")] if present else np.nan
    means = scores.groupby("family").gr_star.mean()
    values |= {f"GR* {family}": means[family] for family in means.index}
    generated = scores[scores.family.isin(GENERATED)].gr_star
    values |= {"GR* least": generated.min(), "GR* most": generated.max()}
    return values


def _of_curves(results: pd.DataFrame, kind: str) -> dict[str, float]:
    """Return GR*, accuracy and f(accuracy) over their first values: while accuracy is still high, and at the end."""
    values = {}
    parts = results.task.str.split("/")
    table = results.assign(level=parts.str[-1].astype(float), place=parts.str[1].where(parts.str.len() == 3, ""))
    for place, part in table.groupby("place"):
        wide = part.groupby(["level", "metric"]).value.mean().unstack()
        ratio = wide / wide.iloc[0]
        plateau = ratio[(ratio.accuracy >= _WHOLE) & (ratio.index > 0)]
        name = f"{kind} {place}".strip()
        last = plateau.iloc[-1] if len(plateau) else ratio.iloc[0] * np.nan
        values |= {f"{name} early GR*": last["GR*"], f"{name} early accuracy": last.accuracy}
        values |= {f"{name} early f": last["f(accuracy)"], f"{name} late GR*": ratio["GR*"].iloc[-1]}
        values |= {f"{name} late accuracy": ratio.accuracy.iloc[-1], f"{name} late f": ratio["f(accuracy)"].iloc[-1]}
    return values


def _of_stream(results: pd.DataFrame) -> dict[str, float]:
    level = results.task.str.rsplit("/", n=1).str[-1].astype(float)
    wide = results.assign(level=level).pivot(index=["who", "level"], columns="metric", values="value").dropna()
    rho = [part["GR*"].corr(part["accuracy on earlier tasks"], "spearman") for _, part in wide.groupby("who")]
    return {"continual": float(np.mean(rho))}


@dataclass(frozen=True)
class _Claim(Claim):
    """A claim about the statistics of one seed: the statistic to show, and the name of the printed number, if any."""

    statistic: str = ""
    of: str = ""


def _claim(
    sentence: str, place: str, statistic: str, holds: Callable[[Mapping[str, float]], bool], of: str = ""
) -> _Claim:  # fmt: skip
    def there(statistics: Mapping[str, float]) -> Mapping[str, float]:
        try:
            holds(statistics)
        except KeyError as gap:
            raise Missing(f"no {gap.args[0]}") from None
        if np.isnan(statistics[statistic]):
            raise Missing(f"no {statistic}")
        return statistics

    def describe(statistics: Mapping[str, float]) -> str:
        return f"{statistic}: {statistics[statistic]:.3g}"

    return _Claim(sentence, place, describe, there, holds, statistic=statistic, of=of)


def _inside(name: str) -> Callable[[Mapping[str, float]], bool]:
    return lambda s: s[f"{name} low"] <= printed()[name] <= s[f"{name} high"]


def _ahead(family: str) -> Callable[[Mapping[str, float]], bool]:
    return lambda s: s[f"Δ {family}"] > 0 and s[f"p {family}"] < printed()[f"p {family}"]


def _early(name: str, other: str, margin: float = 0) -> Callable[[Mapping[str, float]], bool]:
    return lambda s: s[f"{name} early GR*"] < s[f"{name} early {other}"] - margin


_GOES = {"with accuracy": "GR* goes with accuracy", "partial": "GR* goes with D_align at like accuracy"}
_PLACES = {
    "spurious last": "a spurious column (the last)", "spurious first": "a spurious column (the first)",
    "shift": "a shift",
}  # fmt: skip


def _claims() -> list[_Claim]:
    """Return the claims that can be tested, in the paper's order."""
    return [
        _claim("Both sides rank the tasks alike: ρ = .86", "§ 2", "agreement", _inside("agreement"), "agreement"),
        _claim("Linear and Imbalance lie higher than Moons, Circles and Shift", "§ 2", "GR* Circles",
               lambda s: min(s[f"GR* {f}"] for f in _HIGHER) > max(s[f"GR* {f}"] for f in _LOWER)),
        _claim("Iris and Digits lie among the generated tasks", "§ 2", "GR* Iris",
               lambda s: all(s["GR* least"] <= s[f"GR* {f}"] <= s["GR* most"] for f in REAL)),
        *(_claim(f"Machines are ahead in {family}, adjusted p < {printed()[f'p {family}']:g}", "§ 3", f"p {family}",
                 _ahead(family), f"p {family}") for family in GENERATED),
        _claim("Machines are ahead in every family (mean Δ > 0)", "§ 3", "Δ Shift",
               lambda s: min(s[f"Δ {family}"] for family in GENERATED) > 0),
        _claim("Wilcoxon's test confirms all six", "§ 3", "Wilcoxon Shift",
               lambda s: max(s[f"Wilcoxon {family}"] for family in GENERATED) < 0.05),
        _claim("The difference is small in Moons", "§ 3", "Δ Moons",
               lambda s: s["Δ Moons"] <= np.median([s[f"Δ {family}"] for family in GENERATED])),
        _claim("Circles is the most dispersed family", "§ 3", "spread Circles",
               lambda s: s["spread Circles"] >= max(s[f"spread {family}"] for family in GENERATED)),
        _claim("Linear and Poly, structured, show larger differences than Moons and Circles", "§ 3", "Δ Poly",
               lambda s: s["Δ Linear"] + s["Δ Poly"] > s["Δ Moons"] + s["Δ Circles"]),
        _claim(f"Ranks stay close over sweeps of every constant (ρ ≥ {STABLE:g})", "§ 4", "least rank stability",
               lambda s: s["least rank stability"] >= STABLE),
        *(_claim(f"{text}, {name}: ρ = {printed()[f'{quantity} {name}']:.2f}", "§ 4", f"{quantity} {name}",
                 _inside(f"{quantity} {name}"), f"{quantity} {name}")
          for name in _SIDES for quantity, text in _GOES.items()),
        _claim("Shuffled labels bring GR* down (p < 1e-10, to a tenth)", "§ 4", "p label shuffle",
               lambda s: s["p label shuffle"] < 1e-10 and s["shuffled over true"] < 0.1, "p label shuffle"),
        _claim("Re-pairing D_align changes nothing (p > .05 in 95 % of draws)", "§ 4", "p re-pairing",
               lambda s: s["re-pairing found"] <= 0.05, "p re-pairing"),
        _claim("At matched accuracy Poly has more D_align and GR* than Linear, on both sides", "§ 4",
               f"Poly less Linear GR* {PEOPLE}",
               lambda s: min(s[f"Poly less Linear {part} {name}"] for part in ("D_align", "GR*") for name in _SIDES)
               > 0),
        *(claim for name, text in _PLACES.items() for claim in (
            _claim(f"GR* drops before accuracy under {text}", "§ 4", f"{name} early GR*", _early(name, "accuracy")),
            _claim(f"GR* drops before f(accuracy), which is no news of accuracy, under {text}", "ours",
                   f"{name} early f", _early(name, "f", _NEWS)))),
        _claim("Along a stream GR* goes with accuracy on earlier tasks, and is not the same", "§ 4", "continual",
               lambda s: 0 < s["continual"] < 1),
    ]  # fmt: skip


def _untestable(_) -> None:
    raise Missing("nothing is said to be optimal")


_UNTESTED = Claim(
    "The constants lie near an optimum: not testable, nothing is said to be optimal", "§ 4", "{}", _untestable, bool
)


def claims(results: pd.DataFrame) -> pd.DataFrame:
    """Return every claim of the paper and how often it holds, one row per claim.

    The rows are as for `statistics`.

    Columns claim (in our words), where, printed (NaN if the paper prints no number), statistic (name of our number),
    median, low, high (of our number over seeds: 2.5 and 97.5 %), holds (number of seeds in which it holds), n (number
    of seeds with the data for it). The last row is the claim that cannot be tested.
    """
    table, records = statistics(results), []
    for claim in _claims():
        verdicts = []
        for _, seed in table.iterrows():
            with suppress(KeyError):
                verdicts.append((bool(claim.holds(seed)), seed[claim.statistic]))
        values = [float(value) for _, value in verdicts]
        limits = np.nanquantile(values, [0.5, 0.025, 0.975]) if values else [np.nan] * 3
        records.append({
            "claim": claim.sentence, "where": claim.place, "printed": printed().get(claim.of, np.nan),
            "statistic": claim.statistic, **dict(zip(("median", "low", "high"), limits, strict=True)),
            "holds": sum(verdict for verdict, _ in verdicts), "n": len(verdicts),
        })  # fmt: skip
    return pd.DataFrame([*records, {"claim": _UNTESTED.sentence, "where": _UNTESTED.place, "n": 0}])


def verdicts() -> pd.DataFrame:
    """Return what the runs that come with the package say to each claim: `stats.claims.survey`.

    All runs together are the medians of their statistics. ``printed`` is the number that the paper prints, if it does.

    Examples
    --------
    >>> verdicts().set_index("claim").note["Circles is the most dispersed family"]
    ''
    """
    rows_of = shipped("generalization", profile="as_published")
    table, tested = statistics(rows_of), _claims()
    runs = [seed for _, seed in table.iterrows()]
    n = f"{rows_of.task[rows_of.cell == 'generalization/repro62'].nunique()} tasks a run"
    verdict_table = survey([*tested, _UNTESTED], str, as_published=Evidence(table.median(), runs, n))
    numbers = [printed().get(claim.of) for claim in tested]
    limits = [mean_interval(table[claim.statistic].dropna()) for claim in tested]
    return verdict_table.assign(
        printed=["" if number is None else f"{number:.3g}" for number in [*numbers, None]],
        interval=[*(f"[{low:.3g}, {high:.3g}]" for low, high in limits), ""],
    )
