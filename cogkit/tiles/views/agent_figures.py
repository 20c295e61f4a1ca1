"""Figures of agents that learn: learning curves, other boards, and other tests."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from cogkit.tiles.views.scene import called
from cogkit.tiles.views.training import LEVELS
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.figures import Level, dots, lines
from cogkit.ui.parts import name_ends, span

_BOARDS = {"blue": ("boards it trains on", "solid"), "validation": ("boards it has not seen", "dot")}
_HOLLOW = {"symbol": "diamond-open"}
_Z, _NEAREST = "z (fewer blue tiles, better ←)", Level(0, "floor")


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
    tables, looks, ends = [], {}, []
    for name, log in logs.items():
        both = log.reindex(columns=["clicks", *_BOARDS]).dropna(subset="blue")
        points = both.dropna() if both.validation.notna().any() else both
        colour, width = (theme.WHO["yours" if name == "yours" else "model"].colour, 2 if name == "yours" else 1.2)
        for metric, (boards, dash) in _BOARDS.items():
            line = f"{name}, {boards}"
            looks[line] = {"color": colour, "width": width, "dash": dash, "mode": "lines"}
            tables.append(pd.DataFrame({"who": line, "clicks": points.clicks / 1e6, "value": points[metric]}))
        for end in points.tail(1).itertuples():
            ends.append(f"{name} ends at {end.blue:.2f} blue tiles on training boards")
            ends[-1] += f" and {end.validation:.2f} on validation boards" * (end.validation == end.validation)
    table = pd.concat(tables)
    highest = max([0.0, *table.value.dropna(), *references.values()])
    figure = lines(
        table, "clicks", looks=looks, levels=[Level(value, kind) for kind, value in references.items()], named=False,
        title=f"Learning {task}: {len(logs)} agent{'s' * (len(logs) != 1)}", margin={"r": 165}, height=300, digits=2,
        notes=["solid: boards it trains on, dotted: validation boards; one line an agent"], reach=(0, 1.05 * highest),
        across="million clicks (ten times as many at each tick)", up="blue tiles a board (fewer is better ↓)",
    )  # fmt: skip
    names = [(value, f"{LEVELS[kind]} {value:.1f}", theme.WHO[kind].colour) for kind, value in references.items()]
    name_ends(figure, names, highest / 18, size=11)  # the height of a letter
    figure.update_xaxes(type="log", dtick=1)
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
    table = table.assign(kind="model", line=pd.Categorical(tests, list(dict.fromkeys(tests))))
    return dots(
        table, y="line", panel="rule", wrap=4, group="tested" if mixed else "trained", looks={"metamer": _HOLLOW},
        levels=[_NEAREST], title=title, digits=2, across=_Z, alt=f"z, {first} → tested on",
        notes=[f"{first} → tested on; dashed: nearest neighbour", f"lines: 95 % over n = {span(table.n)} boards"],
    )  # fmt: skip


def against_the_rule(table: pd.DataFrame) -> go.Figure:
    """Return how many tiles a board players open although the rule had excluded them: a panel a rule, a row a player.

    ``table`` is as `violations.violations`, of one rule or several.
    """
    notes = "no board of the rule that fits the open tiles has red there", f"n = {span(table.n)} boards, 95 % intervals"
    return dots(
        table.assign(line=table.who.map(called)), y="line", panel="rule", wrap=4, title="Tiles opened against the rule",
        notes=notes, across="tiles a board (fewer is better ←)", alt="Tiles a board", digits=2,
    )  # fmt: skip


def stuck(pinned: pd.DataFrame, never: pd.DataFrame, ours: pd.DataFrame) -> go.Figure:
    """Return what can repeat the pinned scores: a panel for each pinned cell, a row for each player and test.

    ``pinned`` is as `published.pinned`; ``never`` are result rows of a player that never finishes, under the published
    test; ``ours`` is as `transfer.blocking` for our networks, and ``task``.
    """
    printed = pinned.assign(task=pinned.rule + "/" + pinned.kind)
    rows = {  # from the top: where the rows are, their values, and their kind
        "the paper's repeated score": (printed, "constant", "printed"),
        "a player that never finishes": (never[never.metric == "z"], "value", "floor"),
        "our network, the paper's test": (ours[ours.profile == "as_published"], "z", "model"),
        "our network, corrected test": (ours[ours.profile == "verified"], "z", "model"),
    }
    table = pd.concat([
        pd.DataFrame({"line": name, "task": part.task, "value": part[column].astype(float), "kind": kind})
        for name, (part, column, kind) in rows.items()
    ])  # fmt: skip
    cells = pd.Categorical(table.task.str.replace("/", ", "), printed.task.str.replace("/", ", "))
    return dots(
        table.assign(cell=cells, printed=table.kind == "printed"), y="line", panel="cell", wrap=2, group="line",
        looks={"our network, the paper's test": _HOLLOW}, levels=[_NEAREST], title="What repeats the pinned scores?",
        notes=["dashed: nearest neighbour"], across=_Z, alt="z", digits=2,
    )  # fmt: skip
