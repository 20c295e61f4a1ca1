"""The printed numbers of the article, and our rows beside them (Nie et al. 2020, Tables 1 to 3 and Appendix C)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from cogkit.bongard.learners.agents import SUPERVISION
from cogkit.bongard.problems.sets import ABLATION
from cogkit.core.presets import choose
from cogkit.core.records import RESULT_COLUMNS, slug
from cogkit.data.facts import facts
from cogkit.data.rows import placed
from cogkit.stats import Sample, mean_interval
from cogkit.stats.intervals import next_run, within

PRINTED = "Nie et al. 2020"
LATER = "arXiv 2309.03468"
RUNS, PEOPLE = 3, 12
PROBLEMS = {"train": 9000, "FF": 600, "BA": 480, "CM": 400, "NV": 320, f"{ABLATION}/FF": 2000}  # drawn per run
_TABLES = {  # file, and prefix of the task names
    "Table 1": ("table1", ""),
    "Table 2": ("table2", f"{ABLATION}/"),
    "Appendix C": ("capability", ""),
    "later": ("later", ""),
}
_APPENDIX = "Meta-Baseline-PS"  # only in Table 3, which otherwise repeats Table 1


def published(*tables: str) -> pd.DataFrame:
    """Return the printed numbers, one per row.

    Tables: ``Table 1`` (with Meta-Baseline-PS, from Table 3), ``Table 2``, ``Appendix C`` (the backbone's capability),
    ``later`` (the strongest verified result of others); all of them by default.

    Columns: table, who, family (of methods), kind, task, value (a share), sd (NaN if there is none), n (runs or people;
    0 if it is not given), source. Tasks are ``train``, ``FF``, ``BA``, ``CM``, ``NV``, and for people ``abstract``, a
    mix of CM and NV.

    Notes
    -----
    The article does not explain its ±. Here it is taken as the standard deviation of three runs, or of six people. The
    article prints no numbers for the model sizes (Fig. 5).

    Examples
    --------
    >>> table = published("Table 1").set_index(["who", "task"])
    >>> table.loc[("Meta-Baseline-PS", "NV"), ["value", "sd"]].tolist()
    [0.715, 0.005]
    """
    parts = []
    for table in tables or _TABLES:
        name, before = _TABLES[choose(table, _TABLES, "printed table")]
        long = facts(__file__, name, str).melt(["who", "family"], var_name="task", value_name="printed")
        long = long[long.printed != ""]
        number = long.printed.str.split(" ± ", expand=True).reindex(columns=[0, 1]).astype(float)
        people = long.family == "people"
        parts.append(long[["who", "family"]].assign(
            table=np.where(long.who == _APPENDIX, "Table 3", table), kind=np.where(people, "person", "model"),
            task=before + long.task, value=(number[0] / 100).round(6), sd=(number[1] / 100).round(6),
            n=np.where(people, PEOPLE // 2, np.where(number[1].isna(), 0, RUNS)),
            source=LATER if table == "later" else PRINTED,
        ))  # fmt: skip
    columns = ["table", "who", "family", "kind", "task", "value", "sd", "n", "source"]
    return pd.concat(parts, ignore_index=True)[columns]


def result_rows(*tables: str) -> pd.DataFrame:
    """Return the printed numbers as result rows, for code that reads our rows.

    Intervals are Student's, from three runs or six people, cut at 1. ``n`` is the number of people. For methods it is
    the number of answers in a run, two per problem, and 0 if it is not given.

    Examples
    --------
    >>> rows = result_rows("Table 1")
    >>> rows[rows.kind == "person"].who.unique().tolist()
    ['experts', 'amateurs']
    """
    table = published(*tables)
    person = table.kind == "person"
    answers = 2 * table.task.map(PROBLEMS)
    spread = [
        mean_interval(Sample(max(n, 1), value, sd if n else 0.0))
        for n, value, sd in table[["n", "value", "sd"]].fillna(0).itertuples(index=False)
    ]
    rows = table.assign(
        cell=[f"bongard/{slug(name)}/{task.replace(' ', '-')}"
              for name, task in zip(table.who, table.task, strict=True)],
        instrument="bongard", profile="as_published", preset="paper", inputs="pixels", seed=0, metric="accuracy",
        low=[low for low, _ in spread], high=np.minimum([high for _, high in spread], 1.0),
        interval=np.where(table.sd.isna(), "", np.where(person, "95% t, people", "95% t, runs")),
        n=answers.where(~person & (table.n > 0), table.n).fillna(0).astype(int),
        source=table.source + ", " + table.table.str.replace("later", "README"),
        supervision=["" if human else SUPERVISION.get(slug(name), "answers")
                     for name, human in zip(table.who, person, strict=True)],
    )  # fmt: skip
    return placed(rows)[list(RESULT_COLUMNS)]


def beside(rows: pd.DataFrame, tables: Iterable[str] = ("Table 1",), metric: str = "accuracy") -> pd.DataFrame:
    """Return our runs beside the printed numbers, for all players and tasks that both have.

    ``rows`` come from `data.results.load`. Seeds are averaged, and players are matched by name. ``metric`` is
    ``accuracy`` (every test problem, both queries) or ``accuracy, as published`` (batches with repetition).

    Columns: table, who, task, published, published_sd; for our runs profile, preset, ours (mean over seeds), sd (over
    seeds), seeds, low and high (95 % limits for one more run, from `stats.limits.next_run`; NaN for one seed), gap
    (ours minus published), within (whether the printed number lies between the limits). A number without a run of ours
    is one row with seeds 0. A number with runs under several profiles or presets has a row for each.

    Examples
    --------
    >>> beside(result_rows("Table 1")).gap.abs().max()
    np.float64(0.0)
    """
    printed = published(*tables).assign(key=lambda table: table.who.map(slug))
    printed = printed.rename(columns={"value": "published", "sd": "published_sd"})
    printed = printed[["table", "who", "task", "published", "published_sd", "key"]]
    runs = rows[(rows.metric == metric) & rows.value.notna()]
    runs = runs.assign(key=runs.who.map(slug)).astype({"value": float})
    groups = runs.groupby(["key", "task", "profile", "preset"], sort=False).value
    means = groups.agg(ours="mean", sd="std", seeds="size").reset_index()
    joined = printed.merge(means, "left", on=["key", "task"]).drop(columns="key")
    joined["seeds"] = joined.seeds.fillna(0).astype(int)
    low, high = next_run(joined.ours, joined.sd, joined.seeds)
    joined = joined.assign(low=low, high=high, gap=joined.ours - joined.published)
    return joined.assign(within=within(joined.published, joined.low, joined.high))
