"""A language model among everybody else: on one task, on the common scale, and by the places that it chooses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.app import gallery, scale
from cogkit.core.errors import InputError
from cogkit.extras.models import asking
from cogkit.extras.models.lm.replies import Reply, places
from cogkit.extras.models.partner import Partner, Sheet
from cogkit.ui import dots, figures, theme
from cogkit.ui.scale_map import Map
from cogkit.ui.tables import Table, readable

_BESIDE = ("floor", "observer", "person", "you")  # who stands beside the model
_NAMES = {"accuracy": "share right", "A_c": "accuracy above chance"}
_KEYS = "◆ the model, ● people, ★ you; strokes: shortcuts (grey) and ideal observers (green)"


def players(partner: Partner, rows: pd.DataFrame, task: str) -> pd.DataFrame:
    """Return the model, and the floors, observers and people on a task, with their shares right.

    Parameters
    ----------
    rows : DataFrame
        Result rows of everybody, such as `app.scale.result_rows` gives, and the reader's own.
    task : str
        As ``instrument/task``. If its rows are divided, as in stimulus equivalence, each part has rows of its own.

    Returns
    -------
    DataFrame
        Columns part, who, kind, inputs, component, value, low, high, n: one row for each run of a player. The component
        is accuracy, or A_c for tasks whose rows have no share right, such as those of GR*.
    """
    instrument, _, own = task.partition("/")
    table = scale.everybody(rows[rows.instrument == instrument])
    here = table.task.map(lambda name: name.startswith(f"{own}/") or _is_of(name, own))
    subset = table[here & (table.kind.isin(_BESIDE) | (table.who == partner.who))]
    subset = subset[subset.component == ("accuracy" if (subset.component == "accuracy").any() else "A_c")]
    part = [name.removeprefix(f"{own}/") if name.startswith(f"{own}/") else own for name in subset.task]
    columns = ["part", "who", "kind", "inputs", "component", "value", "low", "high", "n"]
    return subset.assign(part=part)[columns].reset_index(drop=True)


def _is_of(name: str, task: str) -> bool:
    """Return whether rows of this name tell of a task: of itself, or of the family that it is a member of by number."""
    return name in (task, task.rstrip("0123456789").rstrip())


def players_table(partner: Partner, rows: pd.DataFrame, task: str) -> Table:
    """Return `players` as a house table, the best first; several runs have their mean, and the widest interval."""
    table, name = _named(players(partner, rows, task))
    columns = {"value": "mean", "low": "min", "high": "max", "n": "max"}
    runs = table.groupby(["part", "who", "kind", "inputs"], sort=False).agg(columns).reset_index()
    runs = runs.sort_values(["part", "value"], ascending=[True, False], kind="stable")
    return readable(runs.drop(columns=["part"] * (table.part.nunique() < 2)), labels={"value": name})


def one_task(partner: Partner, rows: pd.DataFrame, task: str) -> go.Figure:
    """Return a figure of `players`: a row for each, a panel for each part of the task."""
    table, name = _named(players(partner, rows, task))
    names = (table.who + " (" + table.inputs + ")").where(table.kind.isin(["model", "person", "you"]), table.who)
    standings = dots.standings(table.assign(source=""), ("printed",), names).sort_values("line", kind="stable")
    edge = 0.09 if standings.part.nunique() > len(dots.QUARTERS) else 0.04
    return figures.dots(
        standings.drop(columns="who"), "share", "line", panel="part", group="name", title=f"Everybody on {task}",
        unit="answers a mark", notes=["lines: 95 %", _KEYS], across=f"{name} (better →)", alt=name.capitalize(),
        reach=(-edge, 1 + edge), ticks=dots.QUARTERS,
    )  # fmt: skip


def _named(table: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return players with the words that readers know, and those for what is measured.

    If there is one observer, it is the ideal observer.
    """
    if table.empty:
        raise InputError("no result on this task", "a task that somebody answered")
    is_observer = table.kind == "observer"
    alone = table.who[is_observer].nunique() == 1
    named = table.assign(who=table.who.mask(is_observer & alone, theme.WHO["observer"].label))
    return named, _NAMES[table.component.iloc[0]]


def compared(partner: Partner, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the model on the common scale, and the best floor, observer and person on each of its tasks.

    Columns as in `app.scale.standings`; a row for each player.
    """
    table = scale.everybody(rows)
    own = table[table.who == partner.who]
    parts = [own]
    for instrument, task in own[["instrument", "task"]].drop_duplicates().itertuples(index=False):
        here = (table.instrument == instrument) & table.task.map(lambda name, own=task: _is_of(name, own))
        parts.append(table[here & table.kind.isin(_BESIDE)].assign(task=task))
    everybody = scale.standings(pd.concat(parts)).dropna(subset="value")
    best = everybody.sort_values("value", ascending=False, kind="stable")
    best = best.drop_duplicates(["instrument", "profile", "task", "kind"])
    return best.sort_index().reset_index(drop=True)


def on_the_scale(table: pd.DataFrame) -> Map:
    """Return the map of a table of `compared`: every mark has its interval, every row leads to its notebook."""
    return Map(table.assign(named=True), gallery.places("scale"), scale.ROLES)


def headline(partner: Partner, table: pd.DataFrame) -> str:
    """Return on how many tasks of a table of `compared` the model is above the best floor, in one sentence.

    It is above if its interval is, the floor's own interval allowed for.
    """
    own = table[(table.who == partner.who) & table.floor.notna()]
    above = int((own.above_floor_low > 0).sum())
    return (
        f"{partner.name} is above the best shortcut on {above} of {len(own)} tasks, as far as the intervals can tell."
    )


def by_place(partner: Partner, tasks: Sequence[str], items: int = 20) -> Table:
    """Return for each task with lettered options which place the model chose most, and how often.

    Tasks without letters are left out: where a likelihood is asked of each option alone, there are no places. A
    recorded model is asked so many ``items`` of a task; one behind an address no more than beside the reader.
    """
    names, lines = ["task", "options", "place chosen most", "chosen", "if places did not matter", "n"], []
    for task in tasks:
        if asking.prompts(partner.asking(task, 1))[0].labelled:
            answers = partner.ask(task, items) if partner.is_recorded else Sheet(partner, task).answers
            table = places(answers.replies)
            if len(table):
                most = table.loc[table.chosen.idxmax()]
                lines.append((task, len(table), int(most.place), most.chosen, most.due, int(most.n)))
    return readable(pd.DataFrame(lines, columns=names))


def by_length(partner: Partner, tasks: Sequence[str], n: int) -> Table:
    """Return how often a recorded model is right if its likelihoods are taken per token, and if they are summed.

    Both are read from the same answers. *same choice* is the share of questions in which they choose the same option.
    *longest* is how often each chooses an option that no other has more tokens than, beside the share that chance
    would.
    """
    lines = []
    for task in tasks:
        mean, total = (partner.ask(task, n, how) for how in ("mean", "sum"))
        shares = [evaluation.answers.to_trials()["correct"].mean() for evaluation in (mean, total)]
        pairs = zip(mean.replies, total.replies, strict=True)
        same = sum(one.choice == other.choice for one, other in pairs) / len(mean.replies)
        lines.append((task, *shares, same, *longest(mean.replies), longest(total.replies)[0], len(mean.replies)))
    columns = ["right per token", "right by sum", "same choice", "longest per token", "longest by chance"]
    return readable(pd.DataFrame(lines, columns=["task", *columns, "longest by sum", "n"]))


def longest(replies: Sequence[Reply]) -> tuple[float, float]:
    """Return how often an option was chosen that no other has more tokens than, and how often chance would.

    Examples
    --------
    >>> from cogkit.extras.models import partner
    >>> chosen, chance = longest(partner.choose().ask("mewl/shape", 60).replies)
    >>> bool(chosen > chance)
    True
    """
    rows = []
    for reply in replies:
        if reply.choice >= 0:
            is_longest = np.array(reply.completion.sizes) == max(reply.completion.sizes)
            rows.append((is_longest[reply.choice], is_longest.mean()))
    chosen, chance = np.mean(rows, axis=0).tolist()
    return chosen, chance
