"""Figures of agents that learn: learning curves, other boards, and other tests."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.tiles.views.scene import called
from cogkit.tiles.views.training import LEVELS
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import dots
from cogkit.ui.parts import in_words, line, name_ends, span

_CURVES = {"blue": ("boards it trains on", "solid"), "validation": ("boards it has not seen", "dot")}
_YOURS, _ORANGE = "yours", theme.WHO["model"].colour


def learning_curves(logs: Mapping[str, pd.DataFrame], references: Mapping[str, float], task: str = "") -> go.Figure:
    """Return blue tiles a board over training, a line for each agent, on the boards it trains on and on others.

    Parameters
    ----------
    logs : mapping of str to DataFrame
        Training logs with columns clicks, blue and validation, by the agent's name; one named ``yours`` is drawn in the
        reader's colour. Drawn are the steps at which both were taken, or every step if there is no such step.
    references : mapping
        Blue tiles a board of players, by their kind: `training.LEVELS` names them.
    """
    caption = "solid: boards it trains on, dotted: validation boards; one line an agent"
    title = f"Learning {task}: {len(logs)} agent{'s' * (len(logs) != 1)}"
    figure = theme.figure(title, 440, caption, margin={"r": 165, "t": 84})
    ends = []
    for name, log in logs.items():
        look = {"color": theme.WHO["yours"].colour, "width": 2} if name == _YOURS else {"color": _ORANGE, "width": 1.2}
        both = log.reindex(columns=["clicks", *_CURVES]).dropna(subset="blue")
        points = both.dropna() if both.validation.notna().any() else both
        for metric, (boards, dash) in _CURVES.items():
            line(
                figure, points.clicks / 1e6, points[metric], look | {"dash": dash},
                f"{name}, {boards}<br>%{{x:.2f}} million clicks<br>%{{y:.2f}} blue", name=name,
            )  # fmt: skip
        for end in points.tail(1).itertuples():
            ends.append(f"{name} ends at {end.blue:.2f} blue tiles on training boards")
            ends[-1] += f" and {end.validation:.2f} on validation boards" * (end.validation == end.validation)
    names = [(value, f"{LEVELS[kind]} {value:.1f}", theme.WHO[kind].colour) for kind, value in references.items()]
    for kind, value in references.items():
        figure.add_hline(y=value, line=theme.stroke(kind, 1.5))
    highest = max([max(trace.y, default=0) for trace in figure.data] + list(references.values()), default=0)
    name_ends(figure, names, highest / 18, size=11)  # the height of a letter
    figure.update_xaxes(title="million clicks (ten times as many at each tick)", type="log", dtick=1)
    figure.update_yaxes(title="blue tiles a board (fewer is better ↓)", rangemode="tozero")
    levels = "; ".join(f"{kind} {value:.2f}" for kind, value in references.items())
    return with_alt(figure, f"{'; '.join(ends)}. {levels}.")


def transfer(table: pd.DataFrame) -> go.Figure:
    """Return how agents do on both kinds of boards of a rule: a panel a rule, a row for what was learnt and a test.

    Columns are ``who, rule, trained, tested`` (abstract or metamer), ``value, low, high, n``: z of one agent a row, as
    `learners.transfer.both_kinds` or `learners.transfer.of_all_rules` gives them.
    """
    names, mixed = {"abstract": "rule", "metamer": "metamers"}, table.trained.iloc[0] not in ("abstract", "metamer")
    first, title = "learnt", f"Trained on one kind of boards, tested on both: {', '.join(dict.fromkeys(table.who))}"
    if mixed:
        first, title = "agent", f"Trained on {table.trained.iloc[0]}, tested on both kinds of boards"
    tests = (table.who if mixed else table.trained.map(names)) + " → " + table.tested.map(names)
    table = table.assign(share=table.value, shift=0.0, line=pd.Categorical(tests, list(dict.fromkeys(tests))))
    note = f"{first} → tested on; dashed: nearest neighbour<br>lines: 95 % intervals over n = {span(table.n)} boards"
    return dots(
        table, "rule", "line", title, note, "z (fewer blue tiles, better ←)",
        f"z, {first} → tested on. {in_words(table, 'line', 'rule', digits=2)}.", series=["line"], shared=True,
        mark=lambda part: {
            "symbol": "diamond-open" if part.iloc[0]["tested" if mixed else "trained"] == "metamer" else "diamond",
            "color": _ORANGE, "size": 11, "line": {"width": 2, "color": _ORANGE},
        }, chance=0.0, ticks=None, wrap=4,
    )  # fmt: skip


def by_heart(table: pd.DataFrame) -> go.Figure:
    """Return blue tiles on boards that agents trained on and on held-out boards: a row for each rule.

    Columns are ``rule, boards`` (how many the rule has), ``trained, held_out`` (blue tiles), ``low, high`` (of
    held_out), ``n`` (boards held out): one agent a row.
    """
    lines = table.rule + " (" + table.boards.map("{:,}".format) + " boards)"
    trained = table.assign(share=table.trained, n=table.boards, low=np.nan, high=np.nan, kind="training")
    both = pd.concat([trained, table.assign(share=table.held_out, kind="held out")])
    both = both.assign(line=[*lines, *lines], shift=0.0, panel="")
    note = f"one agent a row; ◇ boards that it trained on<br>◆ n = {span(table.n)} held-out boards, 95 % interval"
    figure = dots(
        both, "panel", "line", "Does an agent know boards by heart?", note, "blue tiles a board (fewer is better ←)",
        f"Blue tiles a board. {in_words(both, 'kind', 'rule', digits=1)}.", series=["kind"], ticks=None,
        mark=lambda part: {
            "symbol": "diamond-open" if part.kind.iloc[0] == "training" else "diamond", "color": _ORANGE, "size": 11,
        },
    )  # fmt: skip
    return figure.update_xaxes(rangemode="tozero")


def against_the_rule(table: pd.DataFrame) -> go.Figure:
    """Return how many tiles a board players open although the rule had excluded them: a panel a rule, a row a player.

    ``table`` is as `violations.violations`, of one rule or several.
    """
    table = table.assign(share=table.value, shift=0.0, line=table.who.map(called))
    note = f"no board of the rule that fits the open tiles has red there<br>n = {span(table.n)} boards, 95 % intervals"
    return dots(
        table, "rule", "line", "Tiles opened against the rule", note, "tiles a board (fewer is better ←)",
        f"Tiles a board. {in_words(table, 'line', 'rule', digits=2)}.", series=["line"], shared=True, ticks=None,
        mark=lambda part: {"size": 11, "color": theme.WHO[part.kind.iloc[0]].colour}, wrap=4,
    )  # fmt: skip


def stuck(pinned: pd.DataFrame, never: pd.DataFrame, ours: pd.DataFrame) -> go.Figure:
    """Return what can repeat the pinned scores: a panel for each pinned cell, a row for each player and test.

    ``pinned`` is as `published.pinned`; ``never`` are result rows of a player that never finishes, under the published
    test; ``ours`` is as `transfer.blocking` for our networks, and ``task``.
    """
    z = never[never.metric == "z"]
    tests = [ours[ours.profile == profile] for profile in ("as_published", "verified")]
    printed = pinned.assign(task=pinned.rule + "/" + pinned.kind)
    look = {"color": _ORANGE, "line": {"width": 2, "color": _ORANGE}}
    rows = {  # from the top: where the rows are, their values, and their mark
        "the paper's repeated score": (printed, "constant", {"symbol": "circle-open", "color": theme.INK}),
        "a player that never finishes": (z, "value", {"symbol": "line-ns-open", "color": theme.WHO["floor"].colour}),
        "our network, the paper's test": (tests[0], "z", look | {"symbol": "diamond-open"}),
        "our network, corrected test": (tests[1], "z", look | {"symbol": "diamond"}),
    }
    table = pd.concat([
        pd.DataFrame({"line": name, "task": part.task, "share": part[column].astype(float)})
        for name, (part, column, _) in rows.items()
    ]).assign(low=np.nan, high=np.nan, n=len(printed), shift=0.0)  # fmt: skip
    table = table.assign(
        line=pd.Categorical(table.line, list(rows)),
        cell=pd.Categorical(table.task.str.replace("/", ", "), printed.task.str.replace("/", ", ")),
    ).sort_values(["cell", "line"])
    return dots(
        table, "cell", "line", "What repeats the pinned scores?", "dashed: nearest neighbour",
        "z (fewer blue tiles, better ←)", f"z. {in_words(table, 'line', 'task', digits=2)}.", series=["line"],
        mark=lambda part: {"size": 11, "line": {"width": 2}} | rows[part.line.iloc[0]][2], shared=True, chance=0.0,
        ticks=None, wrap=2,
    )  # fmt: skip
