"""What a class looks like: who solved what, where students are stuck, and where the class stands beside all others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.app import scale
from cogkit.core import registry
from cogkit.core.seeding import stream
from cogkit.data import results
from cogkit.extras.classroom import simulated
from cogkit.extras.classroom.gathered import Gathered
from cogkit.stats import mean_interval, mean_of_rows
from cogkit.study.error_consistency import is_errors
from cogkit.study.gathering import PEOPLE
from cogkit.study.sitting import SHORT
from cogkit.tiles import scoring
from cogkit.tiles.paper import published
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.ui import dots, figures, tables, theme
from cogkit.ui.alt import with_alt
from cogkit.ui.parts import in_words, line

_MORE = {"typed": ", not checked", "open": " (or not begun)"}
_STATES = {"right": ("✓", "#009E73"), "wrong": ("✗", "#E8894A"), "typed": ("✎", "#56B4E9"), "open": ("…", "#B4B4B4")}
_PANELS = {"abstract": "boards made by a rule", "metamer": "look-alikes (metamers)"}
_STUDENT, _SMALL = "a student", {"size": 6, "opacity": 0.5, "line": {"width": 0.5, "color": theme.WHITE}}
_BOARDS = 10  # the first and the last boards of a sitting
_WORST = 3.0  # z; worse ones are drawn here, since a player at random would push all others together
_MOST = 99  # attempts that fit into a cell


def describe(gathered: Gathered) -> str:
    """Return in one or two sentences whether a class is real, for the reader of a figure.

    Examples
    --------
    >>> from cogkit.extras.classroom.gathered import merge
    >>> describe(merge(simulated.hand_ins(n=2))).partition(":")[0]
    'This class is simulated'
    """
    n = len(gathered.students)
    if simulated.is_simulated(gathered.about):
        sorts = f"{', '.join(list(simulated.SHARES)[:-1])} or {list(simulated.SHARES)[-1]}"
        ways = f"Each plays in one of four ways: {sorts}."
        return f"This class is simulated: {n} students, and nobody is a person. {ways}"
    return f"This class is real: {n} student{'s' * (n != 1)} of {gathered.about.title!r} handed in."


def overview(gathered: Gathered) -> tables.Table:
    """Return a small table: how many students, how many sittings count or why they do not, exercises solved.

    Examples
    --------
    >>> from cogkit.extras.classroom.gathered import merge
    >>> overview(merge(simulated.hand_ins(n=2))).frame.iloc[0].tolist()
    ['students', '2']
    """
    rows: list[tuple[str, str]] = [("students", str(len(gathered.students)))]
    for instrument, part in gathered.sittings.groupby("instrument", sort=False):
        counts = part.reason.map(lambda reason: f"left out ({reason})" if reason else "count").value_counts()
        rows.append((f"sittings of {instrument}", ", ".join(f"{n} {what}" for what, n in counts.sort_index().items())))
    if len(solved := _solved(gathered)):
        total = gathered.exercises.exercise.nunique()
        rows.append(("exercises solved (median)", f"{solved.median():g} of {total}"))
    return tables.readable(pd.DataFrame(rows, columns=["what", "how many"]))


def left_out(gathered: Gathered) -> tables.Fold:
    """Return what came and does not count in a fold: whose it is, where, and why.

    Examples
    --------
    >>> from cogkit.extras.classroom.gathered import merge
    >>> left_out(merge(simulated.hand_ins(n=2)))
    What does not count, and why: 0 (closed)
    """
    table = gathered.left_out[["who", "file", "line", "reason"]]
    table = table.assign(file=[Path(file).name for file in table["file"]])
    return tables.folded(f"What does not count, and why: {len(table)}", table)


def _solved(gathered: Gathered) -> pd.Series:
    """Return how many exercises each student solved."""
    return (gathered.exercises.state == "right").groupby(gathered.exercises.student).sum()


def instruments(gathered: Gathered) -> list[str]:
    """Return the instruments of which somebody in a class finished a sitting.

    Examples
    --------
    >>> from cogkit.extras.classroom.gathered import merge
    >>> instruments(merge(simulated.hand_ins(n=2)))
    ['tiles']
    """
    return [str(name) for name in dict.fromkeys(gathered.rows.instrument)]


def students(gathered: Gathered, instrument: str = "tiles") -> pd.DataFrame:
    """Return where each student stands who finished a sitting: student, task, value, low, high, n.

    Values are those of the instrument's main metric: z in tiles, and accuracy elsewhere. A student has a row for each
    task and sitting; ``n`` tells a short sitting of five boards from a whole one.
    """
    rows = gathered.rows
    rows = rows[(rows.instrument == instrument) & (rows.who != PEOPLE) & rows.value.notna()]
    rows = rows[rows.metric == _metric(rows)] if len(rows) else rows
    table = rows[["who", "task", "value", "low", "high", "n"]].rename(columns={"who": "student"})
    return table.astype({"value": float, "low": float, "high": float}).reset_index(drop=True)


def _metric(rows: pd.DataFrame) -> str:
    """Return the main metric of result rows."""
    names = dict.fromkeys(rows.metric)
    return min(names, key=lambda name: (name != "z", name != "accuracy", not name.startswith("accuracy")))


def halves(gathered: Gathered) -> pd.DataFrame:
    """Return each student's mean z on the first ten boards of a finished sitting of tiles, and on the last ten.

    Columns student, first, last. It shows who learns on the way, which a mean over all boards hides. Sittings of fewer
    than twenty boards are left out.
    """
    counted = gathered.sittings[(gathered.sittings.instrument == "tiles") & (gathered.sittings.reason == "")]
    rows = []
    for answers in scoring.from_trials(gathered.trials[gathered.trials.sitting.isin(counted.sitting)]):
        if len(answers.items) >= 2 * _BOARDS:
            z = scoring.z_scores(answers, heuristic(answers.items))[0]
            rows.append((answers.who, z[:_BOARDS].mean(), z[-_BOARDS:].mean()))
    return pd.DataFrame(rows, columns=["student", "first", "last"])


def standing(gathered: Gathered, instrument: str = "tiles") -> go.Figure:
    """Return a figure of where a class stands among everybody: each student, the class's mean, and all other players.

    Published people, floors, the ideal observer, shipped models and the reader stand beside it, on the tasks of the
    class alone. Each task counts for them as often as students sat it.

    Parameters
    ----------
    instrument : str
        One of which a sitting counts; its main metric is shown, see `students`.
    """
    table = students(gathered, instrument)
    metric = _metric(gathered.rows[gathered.rows.instrument == instrument])
    everybody, lower, rng = _everybody(instrument, metric), metric == "z", stream(0, "class/jitter")
    name = "the class" + " (simulated)" * simulated.is_simulated(gathered.about)
    players, crowds = [], []
    panels = table.task.str.rpartition("/")[2].map(_PANELS) if instrument == "tiles" else [instrument] * len(table)
    for panel, part in table.groupby(panels):
        own = part.groupby("student").agg({"value": "mean", "n": "sum"})
        limits = mean_interval(own.value) if len(own) > 1 else (math.nan, math.nan)
        mean = {"who": name, "kind": "person", "value": own.value.mean(), "low": limits[0], "high": limits[1]}
        weights = part.task.value_counts(normalize=True)
        same = everybody[everybody.task.isin(weights.index)]
        beside = _beside(same, weights, registry.instrument(instrument).run_items)
        players.append(pd.concat([pd.DataFrame([mean | {"n": len(own)}]), beside]).assign(panel=panel))
        crowd = own.rename_axis("who").reset_index().assign(kind="person", name=_STUDENT, line=name, panel=panel)
        crowds.append(crowd.assign(shift=rng.uniform(-0.36, 0.36, len(own))))
    rows = pd.concat(players, ignore_index=True).assign(source="")
    is_observer = rows.kind == "observer"
    alone = rows.who[is_observer].nunique() == 1
    names = rows.who.mask(is_observer & alone, theme.WHO["observer"].label)
    standings = dots.standings(rows, ("printed",), names, lower).assign(kind=rows.kind)
    standings = standings.sort_values("line", kind="stable").astype({"line": str})
    short = int((table.n == SHORT).sum()) if instrument == "tiles" else 0
    marked = f"; {short} of the sittings are short ones of five boards" * bool(short)
    spread = f"{metric} of students: {table.value.min():.2f} to {table.value.max():.2f}"
    words = f"{describe(gathered)} Means: {in_words(standings, 'panel', 'name', digits=2)}; {spread}."
    figure = figures.dots(
        pd.concat([standings, *crowds]), "value", "line", panel="panel", group="name", looks={_STUDENT: _SMALL},
        shift="shift", shared=False, wrap=1, digits=2, title=f"{gathered.about.title}: where it stands in {instrument}",
        notes=["● small: a student; ● with a line: the mean of the class, 95 % over its students; ★ you",
               f"{table.student.nunique()} students finished a sitting{marked}; all others on the same tasks"],
        across="z: blue tiles against nearest neighbour (← better)" if lower else dots.BETTER,
        levels=[figures.Level(0)] if lower else [],
        ticks=None if lower else dots.QUARTERS, reach=None if lower else (-0.04, 1.04),
    )  # fmt: skip
    return with_alt(figure, words)


def _everybody(instrument: str, metric: str) -> pd.DataFrame:
    """Return result rows of all players but the class's, one for each run and task."""
    declared = scale.result_rows(instrument)
    tables = [declared, results.shipped(instrument, profile="verified")]
    if instrument == "tiles":  # what is declared has people on boards of the rules alone
        printed = published.rows("bundled")
        tables.append(printed[printed.kind == "person"])
    rows = pd.concat(tables, ignore_index=True)
    rows = rows[(rows.metric == metric) & ~is_errors(rows) & rows.value.notna() & rows.who.isin([*declared.who, "you"])]
    return rows.drop_duplicates(["task", "who", "kind", "inputs", "seed", "value"])


def _beside(rows: pd.DataFrame, weights: pd.Series, items: str) -> pd.DataFrame:
    """Return one row for each player who did all of the tasks, its mean over them with these weights.

    The reader needs one of the tasks alone. Intervals of tasks, over all runs, are combined as those of independent
    means; ``items`` is as in `stats.mean_over_runs`.
    """
    lines = []
    for (who, kind), own in rows.groupby(["who", "kind"], sort=False):
        means = {task: (*mean_of_rows(part, items)[:3], part.n.max()) for task, part in own.groupby("task")}
        tasks = pd.DataFrame.from_dict(means, "index", columns=["value", "low", "high", "n"]).astype(float)
        if len(tasks) < len(weights) and who != "you":
            continue
        share = weights.reindex(tasks.index) / weights.reindex(tasks.index).sum()
        value = float((tasks.value * share).sum())
        below, above = (
            float(np.sqrt(((tasks[end] - tasks.value) * share).pow(2).sum(skipna=False))) for end in ("low", "high")
        )
        low, high, n = value - below, value + above, tasks.n.sum()
        lines.append({"who": who, "kind": kind, "value": value, "low": low, "high": high, "n": n})
    return pd.DataFrame(lines, columns=["who", "kind", "value", "low", "high", "n"])


def headline(gathered: Gathered) -> str:
    """Return how many students are better than nearest neighbour, and how many the class's mean describes."""
    table = students(gathered)
    if table.empty:
        return "Nobody in this class has finished the study of tiles."
    mean, n = table.value.mean(), len(table)
    ahead, described = (table.high < 0).sum(), ((table.low <= mean) & (mean <= table.high)).sum()
    kind = "simulated" if simulated.is_simulated(gathered.about) else "real"
    return (
        f"In this {kind} class of {len(gathered.students)} the mean z is {mean:.2f}. Of {n} sittings, {ahead} are "
        f"better than nearest neighbour with their whole interval, and the interval of {described} holds that mean."
    )


def first_and_last(gathered: Gathered) -> go.Figure:
    """Return a figure of `halves`: each student by the first and the last ten boards."""
    table, title = halves(gathered), f"{gathered.about.title}: the first ten boards and the last ten"
    if table.empty:
        note = "Nobody in this class has finished a sitting of twenty boards or more."
        return with_alt(theme.figure(title, 160, note), f"{describe(gathered)} {note}")
    note = f"n = {len(table)} students; dashed: nearest neighbour; on the dotted line nothing changes"
    if beyond := int((table[["first", "last"]] > _WORST).any(axis=1).sum()):
        note += f"; {beyond} worse than {_WORST:g}, at the edge"
    table = table.assign(x=table["first"].clip(upper=_WORST), y=table["last"].clip(upper=_WORST), kind="person")
    hover = [f"{one.student}<br>first {one.first:.2f}, last {one.last:.2f}" for one in table.itertuples()]
    span = (min([-1.0, *table.x, *table.y]) - 0.5, _WORST + 0.5)
    figure = figures.dots(
        table.assign(hover=hover), "x", "y", looks={"": {"opacity": 0.65}}, reach=span, levels=[figures.Level(0)],
        across="mean z on the first ten boards (← better)", up="mean z on the last ten (better ↓)",
        title=title, notes=[note],
    )  # fmt: skip
    line(figure, span, span, theme.stroke("floor") | {"dash": "dot"})
    figure.add_hline(0, line=theme.stroke("floor"), layer="below")
    figure.update_yaxes(range=span, zeroline=False, showgrid=False)
    better = int((table["last"] < table["first"] - 1).sum())
    words = f"{len(table)} students; {better} are better by more than 1 at the end than at first."
    return with_alt(figure, f"{describe(gathered)} {words}")


def in_lesson_order(gathered: Gathered) -> list[str]:
    """Return the exercises of a class, notebook after notebook as the lesson has them."""
    names = list(dict.fromkeys(gathered.exercises.exercise))
    order = [notebook.partition("_")[0] for notebook in gathered.about.notebooks]
    order += [name.partition("-")[0] for name in names]
    return sorted(names, key=lambda name: order.index(name.partition("-")[0]))


def progress(gathered: Gathered) -> go.Figure:
    """Return a map of students and exercises: solved, not solved or open, with the number of attempts.

    Students are ordered by how many exercises they solved, the exercises as in the lesson, by notebook.
    """
    names = in_lesson_order(gathered)
    solved = _solved(gathered)
    order = sorted(solved.index, key=lambda student: (-solved[student], student))
    table = gathered.exercises.drop_duplicates(["student", "exercise"], keep="last").set_index(["student", "exercise"])
    table = table.reindex(pd.MultiIndex.from_product([order, names])).fillna({"state": "open", "attempts": 0})
    table = table.rename_axis(["student", "exercise"]).reset_index().astype({"attempts": int})
    counts = table.attempts.astype(str)
    glyphs = table.state.map({state: glyph for state, (glyph, _) in _STATES.items()})
    texts = (glyphs + " " + counts.where(table.attempts.between(1, _MOST), "")).str.strip()
    hover = table.student + "<br>" + table.exercise + ": " + table.state + ", attempts: " + counts
    keys = "   ".join(
        f"{theme.coloured(tone, '■')} {glyph} {state}{_MORE.get(state, '')}" for state, (glyph, tone) in _STATES.items()
    )
    figure = figures.heatmap(
        table.assign(text=texts, hover=hover), "exercise", "student", "state", text="text", height=20 * len(order),
        colours={state: tone for state, (_, tone) in _STATES.items()}, title=f"{gathered.about.title}: who solved what",
        notes=[f"{keys}; numbers: attempts", f"{len(order)} students, those who solved most on top"],
        margin={"b": 132, "l": 84},
    )  # fmt: skip
    figure.update_traces(textfont={"color": theme.BLACK, "size": 11})
    figure.update_xaxes(tickangle=-90)
    shares = (table.state == "right").groupby(table.exercise, sort=False).mean()
    words = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
    return with_alt(figure, f"{describe(gathered)} Share of students who solved each exercise: {words}.")


def stuck(gathered: Gathered) -> tables.Table:
    """Return a table of the exercises: who solved them, how often they tried, what they were told, who is stuck there.

    Students are stuck at the last exercise that they touched, if they did not solve it. The attempts are the median
    over students who tried. The text is what the check said most often to a wrong answer.
    """
    rows, names, table = [], in_lesson_order(gathered), gathered.exercises
    touched = table[(table.attempts > 0) | (table.state != "open")]
    touched = touched.assign(place=touched.exercise.map(names.index)).sort_values(["student", "place"], kind="stable")
    last = touched.drop_duplicates("student", keep="last")
    for name in names:
        own, here = table[table.exercise == name], last[(last.exercise == name) & (last.state != "right")].student
        tried = own[own.attempts > 0]
        rows.append({
            "exercise": name, "share right": (own.state == "right").mean(),
            "share not begun": ((own.state == "open") & (own.attempts == 0)).mean(),
            "attempts (median)": f"{tried.attempts.median():g}" if len(tried) else "",
            "said most often to wrong answers": _most(own.said), "stuck here": len(here),
            "they are": ", ".join(here),
        })  # fmt: skip
    return tables.readable(pd.DataFrame(rows))


def _most(messages: Sequence[str]) -> str:
    """Return the sentence that comes most often, without what all such sentences have."""
    counts = pd.Series([text for text in messages if text], dtype=object).value_counts(sort=True)
    if counts.empty:
        return ""
    text = min(counts.index[counts == counts.max()])
    return f"{text.removeprefix('Not yet: ').partition(' Hint: ')[0]} ({counts.max()}×)"


def sorts(gathered: Gathered) -> tables.Fold:
    """Return a closed table of the sorts of students in a simulated class; of a real one, that nobody knows them."""
    if not simulated.is_simulated(gathered.about):
        text = "This class is real, so nobody knows its mixture. For one that is known, leave the folder empty."
        return tables.Fold(text, f"<p>{text}</p>")
    who = simulated.mixture(gathered.about.seed, len(gathered.students))
    solved = _solved(gathered)
    table = who.merge(halves(gathered), "left", "student").assign(solved=who.student.map(solved))
    lines = []
    for sort in simulated.SHARES:
        own = table[table.sort == sort]
        lines.append({
            "they play": sort, "students": len(own), "finished": int(own["first"].notna().sum()),
            "z, first ten": own["first"].mean(), "z, last ten": own["last"].mean(),
            "exercises solved": f"{own.solved.mean():.1f}" if len(own) else "",
        })  # fmt: skip
    return tables.folded("Show how many students play in which way", pd.DataFrame(lines))
