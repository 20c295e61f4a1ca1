"""Choice scenarios: a widget that asks for the reader's choices, and the figure of everybody's (Fig. 3B)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import traitlets

from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials
from cogkit.tiles.people import scenarios as data
from cogkit.tiles.people.study import finished
from cogkit.tiles.rules.boards import SIZE, TILES
from cogkit.tiles.rules.game import BLUE, COVERED, RED
from cogkit.tiles.views import scene
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.files import script
from cogkit.ui.parts import marks
from cogkit.ui.trial_widget import TrialWidget, unsaved

_EARLY = "People in the paper chose after their 25 boards; your choices before that are kept apart."
_OPEN = ["•", "<b>–</b>"]  # on open tiles, red and blue
_SIGNS = {data.RED: "○", data.BLUE: "–", data.UNDETERMINED: "?"}


class ChoiceTrial(TrialWidget):
    """A widget that shows partly opened boards, and takes one choice on each, by click, Enter or `choose`.

    Every choice is stored before the next board is shown. There is no feedback, and the chosen tile stays covered.

    Parameters
    ----------
    scenarios : sequence of people.scenarios.Scenario
        Shown in random order.
    trials : study.trials.Trials, optional
        Where the choices go; each scenario is asked once, and a sitting goes on where it stopped. Choices of a reader
        who has not finished a sitting of the study there are kept apart, see `people.scenarios.study_of`. Without
        trials, choices last as long as the widget.

    Examples
    --------
    >>> trial = ChoiceTrial(data.find("copy", 2))
    >>> tile = int((trial.observation < 0).argmax())
    >>> trial.choose(tile), trial.scene["head"][0]
    (None, 'Board 2 of 2')
    """

    _esm = script(__file__, "base.js", "asker.js", "grid.js", "transport.js", "board.js")
    _css = script(__file__, "base.css", "transport.css", "board.css")
    use = traitlets.Unicode("choose").tag(sync=True)
    label = traitlets.Unicode("Board to choose a tile on, 7 rows and 7 columns").tag(sync=True)
    overlay_on = traitlets.Bool(False).tag(sync=True)

    def __init__(self, scenarios: Sequence[data.Scenario], trials: Trials | None = None) -> None:
        super().__init__()
        self._after = [] if trials is None else finished(trials)
        if trials is None:
            self._folder, trials = unsaved()
            self.sitting = Sitting.begin(data.study_of(scenarios), 0, trials, "unsaved")
        else:
            self.sitting = data.sit(scenarios, trials)
        self._draw("" if self.sitting.rows == 1 else "It goes on where you stopped.")

    @property
    def scenario(self) -> data.Scenario:
        """The scenario that is shown, at the end the last one."""
        order = self.sitting.order
        return self.sitting.items[order[min(self.sitting.position, len(order) - 1)]]

    @property
    def observation(self) -> np.ndarray:
        """The board that is shown, (49,) int8: -1 covered, 0 blue, 1 red."""
        return self.scenario.observation

    def choose(self, tile: int, rt_s: float | None = None) -> None:
        """Choose a covered tile, as a click does, and go on to the next board.

        A tile is 7·row + column, 0 to 48.

        Raises
        ------
        InputError
            Every board has its choice; no such tile, one that is open, or a choice that could not be stored: then the
            board stays.
        """
        self.sitting.answer(tile, self._took(rt_s), after=self._after)
        self._draw(f"Stored: {scene.place(tile)}.")

    def to_frame(self) -> pd.DataFrame:
        """Return the choices, one row a board in their order: rule, scenario, tile, and once all are made, its fate."""
        columns = ["rule", "scenario", "tile", "fate"] if self.over else ["rule", "scenario", "tile"]
        rows = self.trials().itertuples()
        names = [(*row.item.split("/scenario/"), int(row.response), row.extra["fate"]) for row in rows]
        frame = pd.DataFrame([name[: len(columns)] for name in names], columns=columns)
        return frame.astype({"scenario": int})

    def _act(self, message: dict) -> None:
        if "click" not in message or self.over:
            self._draw(str(self.scene["status"]))
        elif message.get("game") == self.sitting.position:  # a second click is on a board that has its choice already
            self._click(message["click"], message.get("rt_s"))

    def _click(self, tile: int, rt_s: float | None) -> None:
        if self.observation[tile] == COVERED:
            self.choose(tile, rt_s)
        else:
            self._draw(f"{scene.is_open(tile)} already; choose a covered one.")

    def _draw(self, status: str) -> None:
        """Send the whole scene."""
        n, prompt = len(self.sitting.order), self.sitting.study.prompt
        if self.sitting.study.source == data.BEFORE:
            prompt += f" {_EARLY}"
        if self.over:
            head = [f"All {n} boards have your choice"]
            status = f"{status} Thank you. Run the cell of the figure again to see your choices.".lstrip()
        else:
            head = [f"Board {self.sitting.position + 1} of {n}", f"Rule: {self.scenario.rule}"]
        self._show({
            "game": self.sitting.position,
            "head": head,
            "prompt": "" if self.over else prompt,
            "shown": scene.shown_word(self.observation),
            "start": self.scenario.start,
            "last": -1,
            "status": status or "Click a tile to choose it.",
            "next": {"label": "", "ready": False, "why": ""},
            "closed": self.over,
        })  # fmt: skip


def scenarios(table: pd.DataFrame, yours: pd.DataFrame | None = None) -> go.Figure:
    """Return what players choose: a row of boards for each rule, a board for each player (Fig. 3B).

    ``table`` and ``yours`` are as `people.scenarios.table` and `people.scenarios.your_choices` give them. Of each rule
    one scenario is drawn: the first one with a choice of the reader, or else the most telling one. The reader has a
    column with stars, empty for rules without a choice.
    """
    parts = [part for part in (table, yours) if part is not None and len(part)]
    drawn = {rule: number for part in parts for rule, number in part.groupby("rule", sort=False).scenario.min().items()}
    table = pd.concat(parts)
    table = table[table.scenario == table.rule.map(drawn)]
    players = table.drop_duplicates("who").set_index("who").kind.to_dict()
    key = ", ".join(f"{sign} {fate}" for fate, sign in _SIGNS.items())
    figure = theme.figure(
        "Which tile does a player open next?", 156 + 200 * len(drawn),
        "bright: the player's likeliest tile; below: its chances of each kind of covered tile",
        f"by the rule, a covered tile is {key}", rows=len(drawn), columns=len(players),
        column_titles=[_titled(who, kind) for who, kind in players.items()], horizontal_spacing=0.03,
        vertical_spacing=0.06, margin={"l": 48, "t": 120, "b": 40},
    )  # fmt: skip
    summary, words = data.shares(table).set_index(["rule", "who"])[list(_SIGNS)], []
    for row, rule in enumerate(drawn, 1):
        for column, (who, kind) in enumerate(players.items(), 1):
            cell, part = {"row": row, "col": column}, table[(table.rule == rule) & (table.who == who)]
            if not part.empty:
                _board(figure, part, kind, cell)
                shares = summary.loc[rule, who]
                under = "\u2002".join(f"{_SIGNS[fate]} {share:.0%}" for fate, share in shares.items())
                figure.update_xaxes(title={"text": under, "font": {"size": 11}, "standoff": 4}, **cell)
                description = ", ".join(f"{share:.0%} {fate}" for fate, share in shares.items())
                words.append(f"{rule}, {scene.called(who)}: {description}")
        figure.update_yaxes(title={"text": f"<b>{rule}</b>", "font": {"size": 14}}, row=row, col=1)
    edge = {"range": [-0.5, SIZE - 0.5], "constrain": "domain", "showticklabels": False, "ticks": "", "showline": False}
    figure.update_xaxes(**edge, showgrid=False)
    figure.update_yaxes(**edge | {"range": edge["range"][::-1]}, showgrid=False, zeroline=False)
    for axis in figure.select_yaxes():
        axis.update(scaleanchor=axis.anchor, constraintoward="top")
    return with_alt(figure, f"Partly opened boards, and the chances of each player. {'; '.join(words)}.")


def _titled(who: str, kind: str) -> str:
    name = f"★ {who}" if kind == "you" else scene.called(who)
    return theme.coloured(theme.WHO[kind].colour, f"<b>{name}</b>")


def _board(figure: go.Figure, part: pd.DataFrame, kind: str, cell: dict) -> None:
    """Draw one board: open tiles, the chances of covered ones, and signs for what the rule says of them."""
    y, x = divmod(part.tile.to_numpy(), SIZE)
    observation, chance = part.shown.to_numpy(), part.chance.to_numpy()
    covered, heat = observation == COVERED, chance / chance.max()
    own = kind == "you"
    look = {"xgap": 1, "ygap": 1, "zmin": 0, "zmax": 1, "showscale": False, "hoverinfo": "skip"}
    for colours, tiles, values in (
        ([[0, theme.BLUE], [1, theme.RED]], ~covered, observation),
        ([[0, theme.COVERED], [1, theme.COVERED]] if own else "Cividis", covered, heat),
    ):
        sheet = np.full(TILES, np.nan, np.float32)
        sheet[part.tile[tiles]] = values[tiles]
        figure.add_heatmap(z=sheet.reshape(SIZE, SIZE), colorscale=colours, **look, **cell)
    signs = np.select([observation == RED, observation == BLUE], _OPEN, part.fate.map(_SIGNS))
    dark = np.where(covered & ((heat > 0.5) | own), theme.BLACK, theme.WHITE)
    hover_texts = [
        f"{scene.place(row.tile)}: " + (scene.STATES[row.shown] if row.shown != COVERED else row.fate)
        + ("" if own or row.shown != COVERED else f"<br>chance {row.chance:.1%}")
        for row in part.itertuples()
    ]  # fmt: skip
    marks(
        figure, x, y, {}, "%{customdata}", mode="text", text=signs, textfont={"size": 13, "color": dark},
        customdata=hover_texts, **cell,
    )  # fmt: skip
    if own:
        chosen = chance > 0
        star = theme.mark("you", 15) | {"line": {"color": theme.BLACK, "width": 1}}
        marks(figure, x[chosen], y[chosen], star, "you chose this tile", **cell)
