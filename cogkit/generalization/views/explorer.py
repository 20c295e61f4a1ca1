"""GR* interactively: a slider for every constant, the resulting ranks, and the task of each point of the map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import traitlets

from cogkit.core import presets
from cogkit.generalization.learners import groups
from cogkit.generalization.learners.groups import Choices
from cogkit.generalization.learners.predictions import Fitted
from cogkit.generalization.metric import relevance
from cogkit.generalization.paper.paper_analyses import MACHINES, PEOPLE
from cogkit.generalization.problems import records
from cogkit.generalization.suites import PLAYERS, SIDES, TABLE, family_of
from cogkit.generalization.views.style import CONSTANTS
from cogkit.ui import widget
from cogkit.ui.files import script

RANGES = {"alpha": (0, 4), "beta": (0, 2), "gamma": (0, 4), "tau": (0, 1), "c0": (0.05, 1)}
OPEN = {  # choices that the paper leaves open, and their labels
    "source": ("Relevance of a column", tuple(relevance.SOURCES)),
    "direction": ("Template over columns", relevance.DIRECTIONS),
    "onto": ("Cosine to [0, 1]", relevance.MAPS),
    "training_rows": ("n counts", ("all rows", "training rows")),  # no and yes
}
_TOP, _DOTS = 8, 150  # ranks in the list; rows drawn for an opened task


class Explorer(widget.Explorer):
    """Change the constants of GR* and see the ranks of tasks change. Open a task to see the parts of its score.

    Nothing is trained: answers and relevance are stored, so a change takes milliseconds. Sliders, buttons and points
    call `set`, `reset`, `show` and `look_at`.

    Notes
    -----
    Keys: on the map, arrows move between tasks in the order of the suite, Home and End to the first and the last, Enter
    or Space opens one. Sliders and lists have the keys of the browser.

    Examples
    --------
    >>> from cogkit.generalization.learners import training
    >>> from cogkit.generalization.suites import FitConfig, Suite
    >>> explorer = Explorer(training.fit_now(FitConfig(Suite(1, ("Moons", "Circles", "Iris"))), 0))
    >>> explorer.set(tau=0.8).table.shape
    (6, 12)
    """

    _esm = script(__file__, "base.js", "asker.js", "transport.js", "frame.js", "explorer.js")
    _css = script(__file__, "base.css", "explorer.css")
    steps = ("change", "reset", "show", "look_at")
    task = traitlets.Dict().tag(sync=True)  # the opened task

    def __init__(self, fitted: Fitted) -> None:
        super().__init__()
        self.fitted, self.choices, self.side = fitted, Choices(), MACHINES
        self._before = groups.wide(groups.score(fitted))
        self.still = {
            "tasks": fitted.names,
            "letters": [TABLE.letter[family_of(name)] for name in fitted.names],
            "key": [[TABLE.letter[family], family] for family in fitted.config.suite.families],
            "sliders": [[name, " ".join(CONSTANTS[name]), *RANGES[name]] for name in RANGES],
            "lists": [[name, words, list(values)] for name, (words, values) in OPEN.items()],
            "sides": list(SIDES.values()),
        }
        self._draw("The paper's settings.")
        self.show(fitted.names[0])

    @property
    def table(self) -> pd.DataFrame:
        """The scores under the current settings, as `groups.score` gives them, and ranks on each side, 1 is best."""
        scores = groups.score(self.fitted, self.choices)
        return scores.assign(rank=scores.groupby("side").gr_star.rank(ascending=False, method="min").astype(int))

    def set(self, **settings) -> Explorer:
        """Change constants (alpha, beta, gamma, tau, c0) or open choices (source, direction, onto, training_rows).

        Raises
        ------
        InputError
            The setting is unknown, or its value is not allowed. Nothing changes then.
        """
        for name in settings:
            presets.choose(name, (*RANGES, *OPEN), "setting")
        constants, others = ({name: settings[name] for name in names if name in settings} for names in (RANGES, OPEN))
        self.choices = replace(self.choices, constants=replace(self.choices.constants, **constants), **others)
        changes = [f"{CONSTANTS[name][0]} {value:g}" for name, value in constants.items()]
        self._draw(", ".join(changes + [f"{OPEN[name][0]}: {self._chosen(name)}" for name in others]) + ".")
        return self

    def change(self, settings: Mapping[str, Any]) -> None:
        """Do what `set` does, for a slider or a list of the page, whose values are words."""
        words = OPEN["training_rows"][1]
        self.set(**{name: value == words[1] if name == "training_rows" else value for name, value in settings.items()})

    def reset(self, _: bool = True) -> Explorer:
        """Return to the paper's settings."""
        self.choices = Choices()
        self._draw("The paper's settings.")
        return self

    def look_at(self, side: str) -> Explorer:
        """List the ranks of another side."""
        self.side = presets.choose(side, SIDES.values(), "side")
        self._draw(f"Ranks of {side}.")
        return self

    def show(self, name: str) -> str:
        """Open a task: relevance of its columns, its rows, and the accuracy of all players. Return the status line."""
        t = self.fitted.names.index(presets.choose(name, self.fitted.names, "task"))
        _, s, classes = self.fitted.sizes[t]
        if name != self.task.get("name"):
            self._problem = records.problem(name, self.fitted.seed, self.fitted.config.suite)
        problem = self._problem
        weights = self.fitted.relevance[:, t, :s]
        share = relevance.shares(weights[list(relevance.SOURCES).index(self.choices.source)])
        first, second = sorted(np.argsort(-share, kind="stable")[:2])
        right = self.fitted.accuracy()[t]
        x, y = problem.x[:_DOTS, [first, second]], problem.y[:_DOTS]
        low, high = x.min(axis=0), x.max(axis=0)
        rows = [
            [player, PLAYERS[player], f"{right[place]:.3f}"]
            for place, player in enumerate(self.fitted.config.players)
            if not np.isnan(right[place])
        ]
        scores = self.table[self.table.task == name].set_index("side")
        n = len(self.fitted.names)
        ranks = ", ".join(f"{side} {scores.loc[side, 'rank']} of {n}" for side in SIDES.values())
        row = scores.iloc[0]
        message = f"{name}: rank {ranks}. D_align {row.alignment:.2f}, D̃ {row.abstraction:.2f}."
        self.task = {
            "name": name, "place": t, "said": message, "columns": list(problem.columns), "rows": rows,
            "shares": (share / share.max()).round(3).tolist(), "rising": self.choices.direction == "increasing",
            "dots": np.column_stack([(x - low) / (high - low), y]).round(3).tolist(),
            "axes": [problem.columns[first], problem.columns[second]],
            "note": f"{problem.n} rows, {s} columns, {classes} classes; right in {len(problem.y_test)} test rows",
        }  # fmt: skip
        return message

    def _draw(self, status: str) -> None:
        table, before = self.table, self._before
        values = groups.wide(table)
        most = float(values.to_numpy().max()) or 1.0
        rho = values.corrwith(before, method="spearman")[list(SIDES.values())]
        between = values.corr("spearman").loc[PEOPLE, MACHINES]
        old = before[self.side].rank(ascending=False, method="min").astype(int)
        top = table[table.side == self.side].nsmallest(_TOP, "rank")
        points = values[[PEOPLE, MACHINES]]
        self.scene = {
            "settings": {name: getattr(self.choices.constants, name) for name in RANGES},
            "open": {name: self._chosen(name) for name in OPEN},
            "points": np.sqrt(points.to_numpy() / most).round(4).tolist(),
            "ticks": [[round(float(np.sqrt(tick / most)), 4), f"{tick:g}"] for tick in _ticks(most)],
            "side": self.side,
            "top": [[int(row.rank), row.task, f"{row.gr_star:.3f}", int(old[row.task])] for row in top.itertuples()],
            "line": f"Between the sides ρ = {between:.2f}. With the ranks at the paper's settings: "
            + ", ".join(f"{side} ρ = {value:.2f}" for side, value in rho.items()),
            "status": status,
            "values": points.map("{:.3f}".format).to_numpy().tolist(),
        }
        if self.task:  # its ranks and its template depend on the settings
            self.show(self.task["name"])

    def _chosen(self, name: str) -> str:
        value = getattr(self.choices, name)
        return OPEN[name][1][int(value)] if name == "training_rows" else value


def _ticks(most: float) -> list[float]:
    """Return round numbers from 0 to ``most`` with enough distance on a square-root scale.

    Examples
    --------
    >>> _ticks(0.53)
    [0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5]
    """
    ticks = [0.0]
    for tick in sorted(digit * 10.0**power for power in range(-3, 2) for digit in (1, 2, 3, 5)):
        if tick <= most and np.sqrt(tick / most) - np.sqrt(ticks[-1] / most) > 0.12:
            ticks.append(round(tick, 4))
    return ticks
