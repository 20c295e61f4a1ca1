"""What ``11_one_scale`` shows: everybody on one map and in one table, shared errors, and which claims survive."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from cogkit.app import gallery
from cogkit.app.scale import NO_CEILING, PLAYER, ROLES, best
from cogkit.data.facts import facts
from cogkit.stats.claims import VERDICTS
from cogkit.study.error_consistency import pairs
from cogkit.ui import tables, theme
from cogkit.ui.figures import bars, consistency
from cogkit.ui.scale_map import Map

_ZEROS = {"chance": "chance", "floor": "shortcut"}
_LIMITS = {"chance": ("value", "low", "high"), "floor": ("above_floor", "above_floor_low", "above_floor_high")}
_PARTS = ["A_c", "P", "S", "L"]
_TONES = dict(zip(VERDICTS, ("#009E73", "#D55E00", "#C8C8C8", "#9A9A9A"), strict=True))  # of the bars


def standings_map(table: pd.DataFrame) -> Map:
    """Return the map of a table of `scale.standings`; the best of each kind are named, and rows lead to notebooks.

    Each player has the highest rung that it has learnt, if it was tested above memory.
    """
    links = gallery.places("scale")
    named = table[PLAYER].merge(best(table)[PLAYER].assign(named=True), "left", PLAYER).named.notna()
    rooms = table.assign(named=named.to_numpy())
    rooms = rooms.merge(gallery.rungs()[["instrument", "who", "rung"]], "left")
    return Map(rooms, links, ROLES)


def standings_table(table: pd.DataFrame, zero: str = "chance") -> tables.Table:
    """Return the best of each kind on every task, in columns, each with its interval.

    Parameters
    ----------
    table : DataFrame
        A table of `scale.standings`, of one profile.
    zero : {"chance", "floor"}
        What 0 stands for: chance, or the best shortcut.
    """
    columns = dict(zip(_LIMITS[zero], ("value", "low", "high"), strict=True))
    first = best(table)[["instrument", "task", "role", *columns]].rename(columns=columns)
    wide = first.set_index(["instrument", "task", "role"]).unstack("role").swaplevel(axis="columns")
    roles = [role for role in ROLES.values() if role in wide.columns.get_level_values(0)]
    order = pd.MultiIndex.from_product([roles, columns.values()])
    rows = table[["instrument", "task"]].drop_duplicates()
    wide = wide.reindex(columns=order).reindex(pd.MultiIndex.from_frame(rows))
    return tables.readable(wide, labels={"value": f"above {_ZEROS[zero]}", "interval": "95 %"})


def names(table: pd.DataFrame) -> tables.Table:
    """Return who is the best of each kind on every task, over how many runs and answers, from `scale.standings`."""
    first = best(table)[["instrument", "task", "role", "who", "inputs", "runs", "n", "note"]]
    return tables.readable(first, labels={"n": "n of a run", "role": "best"})


def gaps(table: pd.DataFrame) -> tables.Table:
    """Return the tasks on which an observer is no ceiling, and why, from `scale.standings`."""
    absent = table[(table.kind == "observer") & table.note.str.startswith(NO_CEILING)]
    rows = absent[["instrument", "task", "who", "profile", "note"]].assign(
        note=absent.note.str.removeprefix(NO_CEILING)
    )
    return tables.readable(rows, labels={"note": "why it is no ceiling"})


def parts(table: pd.DataFrame, standings: pd.DataFrame) -> tables.Table:
    """Return A_c, P, S and L of the best of each kind on every task, each the mean over runs; NA for what is not there.

    ``table`` is one of `scale.everybody`, and ``standings`` those of its players that count.
    """
    values = table[table.component.isin(_PARTS)].groupby([*PLAYER, "component"]).value.mean().unstack("component")
    first = best(standings)[[*PLAYER, "role"]].merge(
        values.reindex(columns=_PARTS), "left", left_on=PLAYER, right_index=True
    )
    summary = first[["instrument", "task", "role", "who"]]
    for name in _PARTS:
        summary = summary.assign(**{name: [f"{value:.2f}" if pd.notna(value) else "NA" for value in first[name]]})
    return tables.readable(summary, labels={"role": "best"})


def climbed() -> tables.Table:
    """Return the table of `gallery.rungs`."""
    table = gallery.rungs()
    table = table.assign(on=[", ".join(split.replace(", ", ": ") for split in splits) for splits in table.on])
    return tables.readable(table, labels={"rung": "highest rung learnt", "runs": "runs of a test"})


def reasons(table: pd.DataFrame) -> tables.Table:
    """Return what each instrument gives to the scale, and what it cannot give, from a table of `scale.available`."""
    rows = []
    for instrument, part in table.groupby("instrument", sort=False):
        there, gaps = part[part["values"] > 0], part[part["values"] == 0]
        why = {reason: ", ".join(names) for reason, names in gaps.groupby("why", sort=False).component}
        explanation = ". ".join(f"{names}: {reason}" for reason, names in why.items())
        rows.append((instrument, ", ".join(there.component), explanation))
    return tables.readable(pd.DataFrame(rows, columns=["instrument", "it gives", "not there, and why"]))


def shared_errors(rows: pd.DataFrame) -> go.Figure:
    """Return a figure of `scale.result_rows`: the pairs of players of each instrument whose errors were compared."""
    table = pairs(rows)
    sizes = ", ".join(f"{name} {n:,}" for name, n in table.groupby("instrument", sort=False).n.max().items())
    note = f"Items: {sizes}; whole clusters of items resampled"
    return consistency(table.rename(columns={"instrument": "group"}), "Do two players err on the same items?", note)


def coverage() -> tables.Table:
    """Return how often our intervals of 95 % hold the truth, by simulation: a row for each rule.

    Columns rule, lowest and mean coverage over all cells of the simulation, width as a multiple of what an interval
    would have that knows how much runs and items differ, and the largest bias of the estimate.
    """
    table = facts(__file__, "coverage").assign(times=lambda rows: rows.width / rows.oracle)
    groups = table.groupby("rule", sort=False)
    summary = groups.agg(
        lowest=("coverage", "min"), mean=("coverage", "mean"), width=("times", "mean"), bias=("bias", "max")
    )
    labels = {"lowest": "lowest coverage", "mean": "mean coverage", "width": "width / oracle", "bias": "largest bias"}
    return tables.readable(summary.reset_index(), 3, labels=labels)


def verdicts(table: pd.DataFrame) -> go.Figure:
    """Return a figure of how many claims of each paper hold, from a table of `claims.claims`."""
    counts = pd.crosstab(table.instrument, table.verdict).reindex(columns=list(VERDICTS), fill_value=0)
    counts = counts.loc[gallery.in_order(table.instrument)[::-1]]
    keys = "   ".join(f"{theme.coloured(tone, '■')} {name}" for name, tone in _TONES.items())
    rows = counts.rename_axis(columns="verdict").stack().rename("value").reset_index()
    return bars(
        rows.assign(text=rows.value.replace(0, "").astype(str)), "instrument", group="verdict", colours=_TONES,
        text="text", stacked=True, upright=False, across="claims", title="What survives?", notes=[keys],
        alt="Claims by verdict", digits=0,
    )  # fmt: skip


def headline(table: pd.DataFrame) -> str:
    """Return in two sentences how many claims have which verdict, from a table of `claims.claims`.

    Those about GR* are counted apart, for they are judged on tasks of ours.

    Examples
    --------
    >>> rows = {"instrument": ["mewl", "generalization"], "verdict": ["open", "holds"]}
    >>> headline(pd.DataFrame(rows)).partition(". ")[2]
    'On tasks of ours, 1 of 1 claims about GR* hold.'
    """
    is_gr_star = table.instrument == "generalization"
    counts = table.verdict[~is_gr_star].value_counts().reindex(list(VERDICTS), fill_value=0)
    papers, known = table.instrument[~is_gr_star].nunique(), table.verdict[is_gr_star]
    holds, refuted, unreached, unsure = counts
    return (
        f"Of {counts.sum()} claims in {papers} papers, {holds} hold, {refuted} do not, {unsure} are open, and for "
        f"{unreached} nobody here has run the paper's own model at its size. "
        f"On tasks of ours, {(known == VERDICTS[0]).sum()} of {len(known)} claims about GR* hold."
    )


def survey(table: pd.DataFrame) -> tables.Fold:
    """Return every claim of a table of `claims.claims`, folded by instrument and verdict, with what it rests on."""
    rooms = [table[table.instrument == name] for name in gallery.in_order(table.instrument)]
    return tables.survey_table(pd.concat(rooms), gallery.places("claims"))
