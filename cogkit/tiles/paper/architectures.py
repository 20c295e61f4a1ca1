"""The paper's four architectures and ours, from result rows: every trained network is one unit.

Kumar et al. 2023, "Performance of other neural network architectures", Figs 4 and S7, tables S5 to S7.

Differs from the paper: its units are 15 passes of one network, so that its n counts the luck of the network's choices,
and says nothing of another network. Here a unit is a network of its own seed, and its score is the mean of 40 passes.
The people are the published ones.

Arguments of this module: ``rows`` are result rows of one preset and profile, as ``tiles.results()`` gives them, and
``source`` is as in `published.cells`.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.data.facts import facts
from cogkit.stats import Sample, mean_interval, t_test
from cogkit.tiles.learners.agents import ALL_RULES
from cogkit.tiles.paper.published import KINDS, cells, sample
from cogkit.tiles.paper.reported import headline, within
from cogkit.tiles.problems import splits
from cogkit.tiles.rules import PAPER_RULES

EQUAL = ("LSTM, 2 M clicks", "EPN", "Transformer", "CoRelNet", "CoRelNet, colour", "convolutional")
"""The architectures that learnt on equal terms: as many clicks each, and settings from the same search."""
ARCHITECTURES = ("LSTM", *EQUAL)
PEOPLE = "people"

_TASKS = len(PAPER_RULES) * len(KINDS)
# Two networks leave one degree of freedom: their interval is 12.7 standard errors to each side, and tells nothing.
FEWEST = 3
_METRICS = ("z", "blue", "finished", "skill")
_EFFECTS = ("performer:task", "performer:task:abstraction", "agents, metamer - abstract")


def networks(rows: pd.DataFrame, task: str = "") -> pd.DataFrame:
    """Return the scores of each network of `ARCHITECTURES` on the boards of the task that it learnt.

    With a ``task``, such as `agents.MIXTURE`, return the scores of the networks of that task on all boards that they
    were tested on.

    Columns who, rule, kind, seed, z, blue, finished, skill (abstract boards only).

    Examples
    --------
    >>> row = {"cell": "tiles/epn/tree/abstract", "kind": "model", "who": "EPN", "task": "tree/abstract", "seed": 0}
    >>> networks(pd.DataFrame([row | {"metric": "blue", "value": 3.0}])).blue.tolist()
    [3.0]
    """
    known = rows[rows.metric.isin(_METRICS) & ~rows.task.isin(splits.TASKS)]
    known = known.assign(who=known.who.str.removesuffix(ALL_RULES))
    ours = known[(known.kind == "model") & known.who.isin(ARCHITECTURES)]
    learnt = [cell.endswith(f"/{task or tested}") for cell, tested in zip(ours.cell, ours.task, strict=True)]
    ours = ours[np.array(learnt, dtype=bool)]
    names = ["who", "task", "seed"]
    table = ours.pivot(index=names, columns="metric", values="value").reindex(columns=list(_METRICS)).reset_index()
    for place, name in enumerate(("rule", "kind")):
        table.insert(1 + place, name, [task.split("/")[place] for task in table.task])
    return table.drop(columns="task").rename_axis(columns=None)


def balanced(rows: pd.DataFrame) -> pd.DataFrame:
    """Return `networks` of those seeds that have been trained on each of the sixteen tasks.

    So no rule counts for more than another.
    """
    table = networks(rows).dropna(subset="z")
    return table[table.groupby(["who", "seed"]).z.transform("size") == _TASKS].reset_index(drop=True)


def missing(rows: pd.DataFrame, who: str) -> str:
    """Return what to say of an architecture that `balanced` leaves out; nothing for one that it holds."""
    tasks = networks(rows).query("who == @who").dropna(subset="z").groupby("seed").size().max()
    return "" if tasks == _TASKS else "not run" if pd.isna(tasks) else f"not run on {_TASKS - tasks:.0f} of 16 tasks"


def cells_of(rows: pd.DataFrame, source: str | None = None) -> dict[str, pd.DataFrame]:
    """Return the cells of people and of each architecture that has been run, as `published.cells`."""
    groups = balanced(rows).groupby(["who", "rule", "kind"]).z
    ours = groups.agg(n="size", mean="mean", sd="std").fillna({"sd": 0.0}).reset_index()
    people = cells(source)
    people = people[people.who == "person"]
    return {PEOPLE: people} | {
        who: ours[ours.who == who].assign(who="agent") for who in ARCHITECTURES if who in set(ours.who)
    }


def printed(rows: pd.DataFrame, source: str | None = None) -> pd.DataFrame:
    """Return the printed statistics of each architecture beside those of our networks.

    Columns architecture, effect (as in `reported.headline`), printed, printed_df, ours, df, p, n (networks), note. What
    the paper does not have is missing in ``printed``; an architecture without rows has ``not run`` in ``note``.

    Notes
    -----
    Differs from the paper: a cell has a few networks, and not 15 passes of one, whose luck is all that they differ in.
    F grows with the number of units, so a printed F and one of ours are not of one size even where networks do the
    same. What can be compared is the sign of t, the means behind it, and what is significant. The paper's LSTM stands
    beside both of ours.

    Examples
    --------
    >>> from cogkit.core.records import RESULT_COLUMNS
    >>> table = printed(pd.DataFrame(columns=RESULT_COLUMNS), "bundled")
    >>> table.printed[3:9:3].tolist(), table.note.unique().tolist()
    ([888.716, 1176.12352], ['not run'])
    """
    table, out = cells_of(rows, source), []
    text = facts(__file__, "architectures").set_index(["architecture", "effect"])
    for who in ARCHITECTURES:
        tests, n, note = None, 0, missing(rows, who)
        if who in table:
            tests = headline(pd.concat([table[PEOPLE], table[who]], ignore_index=True)).set_index("effect")
            n, seeds = int(table[who].n.sum()), int(table[who].n.iloc[0])
            note = f"{seeds} network{'s' * (seeds > 1)} a task"
        for effect in _EFFECTS:
            numbers = text.loc[who, effect] if (who, effect) in text.index else {"printed": None, "printed_df": ""}
            ours: dict = {"df": ""}
            if tests is not None:
                test = tests.loc[effect]
                df = f"{test.df_resid:.0f}" if pd.isna(test.df) else f"{test.df:.0f}, {test.df_resid:.0f}"
                ours = {"ours": test.value, "df": df, "p": test.p}
            out.append({"architecture": who, "effect": effect, "n": n, "note": note} | dict(numbers) | ours)
    columns = ["architecture", "effect", "printed", "printed_df", "ours", "df", "p", "n", "note"]
    return pd.DataFrame(out, columns=columns).astype({"printed": float, "ours": float, "p": float})


def means(rows: pd.DataFrame, source: str | None = None) -> pd.DataFrame:
    """Return mean z of people and of each architecture that has been run, in each task (Fig. S7A).

    Columns rule, kind, who, player (person | model), value, low, high (95 % t over people, or over networks of other
    seeds; missing for fewer than three), n.

    Examples
    --------
    >>> from cogkit.core.records import RESULT_COLUMNS
    >>> len(means(pd.DataFrame(columns=RESULT_COLUMNS), "bundled"))
    16
    """
    out = []
    for who, table in cells_of(rows, source).items():
        for cell in table.itertuples():
            limits = mean_interval(Sample(cell.n, cell.mean, cell.sd)) if cell.n >= FEWEST else (None, None)
            out.append((cell.rule, cell.kind, who, _player(who), cell.mean, *limits, cell.n))
    columns = ["rule", "kind", "who", "player", "value", "low", "high", "n"]
    return pd.DataFrame(out, columns=columns).astype({"low": float, "high": float})


def comparisons(rows: pd.DataFrame, source: str | None = None) -> pd.DataFrame:
    """Return the comparison of both kinds of boards in each rule, and over all rules under the rule ``all``: Fig. 4.

    Columns rule, who, player (person | model), abstract, metamer (means), difference, t, df, p, low, high, n (of both
    kinds together). Difference and t are metamer minus abstract: above zero, the rule itself was easier, as in Fig. 4.
    The test is the paper's, with one variance. A rule with one network a task has no test.

    Examples
    --------
    >>> from cogkit.core.records import RESULT_COLUMNS
    >>> rows = pd.DataFrame(columns=RESULT_COLUMNS)
    >>> comparisons(rows, "bundled").set_index("rule").t["all"].round(2)
    np.float64(13.81)
    """
    out = []
    for who, table in cells_of(rows, source).items():
        for rule in (*PAPER_RULES, "all"):
            part = table if rule == "all" else table[table.rule == rule]
            abstract, metamer = (sample(part, kind=kind) for kind in KINDS)
            row = {
                "rule": rule, "who": who, "player": _player(who), "abstract": abstract.mean, "metamer": metamer.mean,
                "difference": metamer.mean - abstract.mean, "n": abstract.n + metamer.n,
            }  # fmt: skip
            if min(abstract.n, metamer.n) > 1:
                row |= t_test(metamer, abstract).iloc[0][["t", "df", "p", "low", "high"]].to_dict()
            out.append(row)
    columns = ["rule", "who", "player", "abstract", "metamer", "difference", "t", "df", "p", "low", "high", "n"]
    return pd.DataFrame(out, columns=columns)


def interactions(rows: pd.DataFrame, source: str | None = None) -> pd.DataFrame:
    """Return the performer × task interaction of each architecture that has been run, within each rule (table S6).

    Columns who and those of `reported.within`: ``agents`` is the gain of the networks.
    """
    table = cells_of(rows, source)
    people = table.pop(PEOPLE)
    tables = [within(pd.concat([people, ours], ignore_index=True)).assign(who=who) for who, ours in table.items()]
    columns = ["who", "rule", "f", "df", "df_resid", "p", "people", "agents"]
    return pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)


def _player(who: str) -> str:
    return "person" if who == PEOPLE else "model"
