"""Every instrument on the common scale: its players, the components of their results, and why some cannot be.

An instrument declares its chance level, or a function from rows to components, and which values it cannot give. Nothing
is imputed, players are not pooled, and different ``inputs`` are kept apart. `standings` are all players of all
instruments on their tasks, `best` the best of each kind.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit import stats
from cogkit.app import gallery
from cogkit.core import presets, registry
from cogkit.core.errors import InputError, some
from cogkit.core.instruments import Instrument
from cogkit.data import results
from cogkit.data.facts import facts
from cogkit.stats import scale
from cogkit.study.error_consistency import is_errors

ROLES = {  # kinds of players, and what `best` calls the best of each
    "floor": "shortcut", "person": "people", "model": "machine", "observer": "ideal observer", "you": "you",
    "proxy": "proxy",
}  # fmt: skip
NO_CEILING = "no ceiling: "  # how the note of an observer begins that is none on a task
_TASK = ["instrument", "profile", "task"]
PLAYER = [*_TASK, "who", "kind", "inputs"]
_STANDING = [
    *PLAYER, "runs", "n", "accuracy", "chance", "value", "low", "high",
    "floor", "above_floor", "above_floor_low", "above_floor_high", "note",
]  # fmt: skip


def components(rows: pd.DataFrame, trials: pd.DataFrame | None = None, **own) -> pd.DataFrame:
    """Return the components that an instrument's result rows allow.

    The rows are of one instrument, one row per run of a player. Tiles need ``trials``; ``own`` are options of a single
    instrument, such as ``rule`` of equivalence.

    Columns instrument and `stats.scale.COLUMNS`; component is accuracy, A_c, P or another of the instrument's. A
    missing component is NaN, and its note says why.

    Raises
    ------
    InputError
        The rows are of no or several instruments, a run has several rows, a value is no share, or the instrument itself
        refuses.

    Examples
    --------
    >>> from cogkit.core.records import RESULT_COLUMNS
    >>> row = dict.fromkeys(RESULT_COLUMNS, "") | {"instrument": "mewl", "task": "shape", "kind": "model", "seed": 0}
    >>> row |= {"metric": "accuracy", "value": 0.6, "low": None, "high": None, "n": 600}
    >>> components(pd.DataFrame([row])).value.round(3).tolist()
    [0.6, 0.5, 0.1]
    """
    instrument = _instrument(rows)
    rows = rows.fillna({"interval": ""}).astype(dict.fromkeys(("value", "low", "high"), float))
    parts = instrument.components(rows, trials, **own)
    if parts is None:
        parts = scale.of_accuracy(rows, trials, chance=instrument.chance, **own)
    table = pd.DataFrame(list(parts), columns=list(scale.COLUMNS))
    table.insert(0, "instrument", instrument.name)
    return table


def gr_star(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the result rows of GR*; if the instrument cannot give it, an `InputError` says why.

    Examples
    --------
    >>> from cogkit.core.records import RESULT_COLUMNS
    >>> row = dict.fromkeys(RESULT_COLUMNS, "") | {"instrument": "generalization", "metric": "GR*", "value": 0.2}
    >>> gr_star(pd.DataFrame([row])).value.tolist()
    [0.2]
    """
    instrument = _instrument(rows)
    if why := instrument.absent.get("GR*"):
        raise InputError(f"GR* asked of {instrument.name}", "components(rows)", why)
    table = rows[rows.metric == "GR*"]
    if table.empty:
        raise InputError("rows without a GR*", "result rows of generalization under as_published")
    return table.reset_index(drop=True)


def result_rows(*names: str, profile: str = "verified") -> pd.DataFrame:
    """Return the result rows of everybody on the tasks of some instruments, or of all, as the instruments declare them.

    ``profile`` names the rules of our own runs. People are the published ones under both profiles, and the reader, who
    is ``you``. Several sittings of a person are several runs, with seeds of their own. Where a profile has no floors,
    floors and observers of ``verified`` stand in: nothing taught them.
    """
    tables = [results.table([])]
    for instrument in map(registry.instrument, names or gallery.in_order(registry.instruments())):
        rows = _own_rows(instrument, presets.profile(profile))
        if not (rows.kind == "floor").any():
            verified = _own_rows(instrument, "verified")
            marks = verified.kind.isin(["floor", "observer"]) & ~is_errors(verified)
            rows = pd.concat([rows, verified[marks & verified.task.isin(rows.task)]])
        rows = rows.reset_index(drop=True)
        again = rows[rows.kind == "person"].groupby(["task", "who", "metric"]).cumcount()
        seeds = again.reindex(rows.index).fillna(rows.seed).astype(int)
        tables.append(rows.assign(instrument=instrument.name, profile=profile, seed=seeds))
    return pd.concat(tables, ignore_index=True)


def everybody(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the components of `result_rows`: columns instrument, profile, and `stats.scale.COLUMNS`.

    Examples
    --------
    >>> everybody(result_rows("mewl")).query("who == 'ideal learner' and component == 'A_c'").value.min()
    np.float64(1.0)
    """
    tables = []
    for (_, profile), part in rows[~is_errors(rows)].groupby(["instrument", "profile"], sort=False):
        table = components(part)
        tables.append(table.assign(profile=profile, kind=table.kind.mask(table.who == "you", "you")))
    columns = ["instrument", "profile", *scale.COLUMNS]
    return pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)


def _own_rows(instrument: Instrument, profile: str) -> pd.DataFrame:
    rows = instrument.all_rows(profile)
    return results.shipped(instrument.name, profile=profile) if rows is None else rows


def standings(table: pd.DataFrame) -> pd.DataFrame:
    """Return where everybody stands on each task: one row for each player of a table of `everybody`.

    A task that a single player was asked is left out, because nobody stands beside it.

    Returns
    -------
    DataFrame
        Columns instrument, profile, task, who, kind, inputs, runs, n (of one run), accuracy, chance; value, low and
        high, which are A_c; floor, the highest A_c of a floor on this task; above_floor, above_floor_low and
        above_floor_high, the share of the way from that floor to 1; note. What is not there is NaN, and the note says
        why. An observer that is no ceiling on a task, by the table ``facts/no_ceiling.csv``, has no value there.

    Notes
    -----
    Several runs of a player have their mean, with the interval of `stats.mean_over_runs`. The limits above the floor
    allow for the floor's own interval, so they are wide.

    Examples
    --------
    >>> table = standings(everybody(result_rows("mewl"))).set_index(["task", "who"])
    >>> bool(table.loc[("shape", "ideal learner"), "value"] > table.loc[("shape", "text alone"), "value"])
    True
    """
    players, among = [], table[PLAYER].drop_duplicates().groupby(_TASK).size()
    for names, runs in table.groupby(PLAYER, sort=False):
        player = dict(zip(PLAYER, names, strict=True))
        if among[tuple(player[name] for name in _TASK)] < 2:
            continue
        above, accuracy = (runs[runs.component == name] for name in ("A_c", "accuracy"))
        value, low, high = _over_runs(above, accuracy, registry.instrument(player["instrument"]).run_items)
        notes = list(dict.fromkeys(filter(None, above.note)))
        if len(above) == 1 and player["kind"] == "model":
            notes.append("one run")
        players.append({
            **player, "runs": len(above), "n": above.n.max(), "accuracy": accuracy.value.mean(),
            "chance": above.chance.mean(), "value": value, "low": low, "high": high, "note": "; ".join(notes),
        })  # fmt: skip
    return _above_floor(_without_ceiling(pd.DataFrame(players))) if players else pd.DataFrame(columns=_STANDING)


def _without_ceiling(table: pd.DataFrame) -> pd.DataFrame:
    """Return standings without the places of observers that are no ceiling on a task; their notes say why."""
    why = table.merge(facts(__file__, "no_ceiling", str), "left").reason
    absent = why.notna()
    table[["value", "low", "high"]] = table[["value", "low", "high"]].mask(absent)
    return table.assign(note=table.note.mask(absent, NO_CEILING + why))


def _over_runs(above: pd.DataFrame, accuracy: pd.DataFrame, items: str) -> tuple[float, float, float]:
    """Return A_c over runs, and its limits: those of accuracy mapped, where accuracy counts answers."""
    counted = len(accuracy) == len(above) and accuracy.interval.str.contains("Wilson").all()
    if len(above) < 2 or not counted or accuracy.chance.nunique() != 1:
        mean = stats.mean_of_rows(above.assign(interval=""), items)
        return mean.value, mean.low, mean.high
    mean = stats.mean_of_rows(accuracy, items)
    limits = np.clip(scale.above_chance([mean.low, mean.high], accuracy.chance.iloc[0]), 0, 1)
    return float(above.value.mean(skipna=False)), float(limits[0]), float(limits[1])


def _above_floor(table: pd.DataFrame) -> pd.DataFrame:
    """Return standings with the columns about the floor of each task."""
    floors = table[(table.kind == "floor") & table.value.notna()].sort_values("value")
    names = {"value": "floor", "low": "least", "high": "most"}
    highest = floors.drop_duplicates(_TASK, keep="last")[[*_TASK, *names]].rename(columns=names)
    table = table.merge(highest, on=_TASK, how="left")
    bare = table.kind.eq("floor") & table.value.eq(table.floor)  # the floor beside itself has no interval
    bare |= table.floor >= 1
    for name, value, floor in (("", "value", "floor"), ("_low", "low", "most"), ("_high", "high", "least")):
        above = (table[value] - table[floor]) / (1 - table[floor]).where(table[floor] < 1)
        table[f"above_floor{name}"] = above.mask(bare) if name else above
    for where, why in (
        (table.floor.isna(), "no floor has this task"),
        (table.floor >= 1, "the shortcut makes no error"),
    ):
        table["note"] = table.note.mask(where, [f"{note}; {why}" if note else why for note in table.note])
    return table[_STANDING]


def best(table: pd.DataFrame) -> pd.DataFrame:
    """Return the best player of each kind on each task: columns as in `standings`, and role, of the values of `ROLES`.

    Machines and proxies count only if they are given what people are given, where there are people. The best of several
    is the best on these very items, which flatters a kind with many players. So it has no interval; `standings` has the
    interval of each player.

    Examples
    --------
    >>> best(standings(everybody(result_rows("mewl")))).query("task == 'relation' and role == 'shortcut'").who.item()
    'query alone'
    """
    people = table[table.kind == "person"].groupby("instrument").inputs.agg(set).to_dict()
    same_inputs = [name in people.get(room, {name}) for room, name in zip(table.instrument, table.inputs, strict=True)]
    beside = table[pd.Series(same_inputs, table.index, dtype=bool) | ~table.kind.isin(["model", "proxy"])]
    first = beside.dropna(subset="value").sort_values("value", ascending=False, kind="stable")
    first = first.assign(role=first.kind.map(ROLES))
    among = first.groupby([*_TASK, "role"]).who.transform("size")
    limits = ["low", "high", "above_floor_low", "above_floor_high"]
    first[limits] = first[limits].where(among == 1)
    return first.drop_duplicates([*_TASK, "role"]).sort_index().reset_index(drop=True)


def available(table: pd.DataFrame) -> pd.DataFrame:
    """Return which components each instrument gives: columns instrument, component, values (how many), and why not.

    ``table`` is one of `everybody`. Components are those of any instrument in it, and GR*; ``why`` is empty if there
    are values.

    Examples
    --------
    >>> available(everybody(result_rows("mewl"))).query("component == 'GR*'")["values"].item()
    0
    """
    rows = []
    for name, part in table.groupby("instrument", sort=False):
        instrument = registry.instrument(str(name))
        for component in [*table.component.unique(), "GR*"]:
            rows_of = part[part.component == component]
            there = int(rows_of.value.notna().sum())
            if component == "GR*" and "GR*" not in instrument.absent:
                there = len(results.Shipped(results.shipped_folder(instrument.name)).load(metric="GR*"))
            notes = rows_of.note[rows_of.note.str.startswith("not there: ")].str.removeprefix("not there: ")
            why = instrument.absent.get(component) or next(iter(notes), "the instrument does not measure it")
            rows.append((name, component, there, "" if there else why))
    return pd.DataFrame(rows, columns=["instrument", "component", "values", "why"])


def _instrument(rows: pd.DataFrame) -> Instrument:
    names = list(rows.instrument.unique())
    if len(names) != 1:
        raise InputError(f"rows of {some(names) or 'nobody'}", "result rows of one instrument at a time")
    return registry.instrument(names[0])
