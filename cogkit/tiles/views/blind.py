"""The blind trial: one board at a time, abstract or metamer, and the score beside those of shortcuts."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import traitlets

from cogkit.stats import chance_limit, wilson
from cogkit.study.trials import Trials
from cogkit.tiles.people import blind
from cogkit.tiles.rules import RULES
from cogkit.tiles.views import scene
from cogkit.ui.alt import with_alt
from cogkit.ui.figures import Level, dots
from cogkit.ui.files import script
from cogkit.ui.trial_widget import TrialWidget

_LATER = "Your score and those of the other judges come after the last board."
_SIGNS = "✗✓"
_TITLES = {"you": "you"} | {who: who.replace(", pairs", ",<br>pairs") for who in blind.SHORTCUTS}  # of panels


class BlindTrial(TrialWidget):
    """A widget for judging whether a board is abstract or a metamer, by two buttons, by A and M, or by `answer`.

    Every answer is stored before the next board is shown. A review after the last board shows what each one was, and
    why; so the score does not include learning from feedback.

    Parameters
    ----------
    trials : study.trials.Trials, optional
        Where the answers go; an unfinished trial continues where it stopped. Without it they last as long as
        the widget.
    floors : DataFrame, optional
        What shortcuts get, as `blind.floors` gives it: shown beside the reader's score at the end.

    Examples
    --------
    >>> trial = BlindTrial("tree", n=2)
    >>> trial.answer("abstract"), trial.scene["head"][0]
    (None, 'Board 2 of 2')
    """

    _esm = script(__file__, "base.js", "asker.js", "grid.js", "review.js", "blind.js")
    _css = script(__file__, "base.css", "board.css", "blind.css", "review.css")
    label = traitlets.Unicode("Board to judge, 7 rows and 7 columns").tag(sync=True)

    def __init__(self, rule: str, n: int = 20, seed: int = 0, trials: Trials | None = None, floors=None) -> None:
        super().__init__()
        status = self._sit(blind.study_of(rule, n), trials, seed)
        self._floors = None if floors is None else floors[floors.rule == rule]
        self._rule = rule
        self._draw(status or "No answer is stored yet.")

    @property
    def board(self) -> np.ndarray:
        """The board that is shown, (7, 7) uint8; at the end the last one."""
        return self.sitting.items[min(self.sitting.position, len(self.sitting.order) - 1)][0]

    def answer(self, kind: str, rt_s: float | None = None) -> None:
        """Say ``abstract`` or ``metamer`` of the board that is shown, as the buttons do, and go on to the next.

        Raises
        ------
        InputError
            Another answer, one after the last board, or one that could not be stored: then the board stays.
        """
        self.sitting.answer(kind, self._took(rt_s))
        self._draw(self._verdict() if self.over else f"Stored: {kind}.")

    def to_frame(self) -> pd.DataFrame:
        """Return the answers, one row per board: board (from 1), said and, once all are given, was, right and why."""
        rows = self.trials()
        frame = pd.DataFrame({"board": np.arange(1, len(rows) + 1), "said": rows["response"].to_numpy()})
        if self.over:
            frame["was"] = [extra["was"] for extra in rows["extra"]]
            frame["right"] = rows["correct"].to_numpy() == 1
            frame["why"] = [blind.reason(self._rule, *pair) for pair in zip(frame["was"], self._apart(), strict=True)]
        return frame

    def _verdict(self) -> str:
        n_right, n = self._score
        low, high = wilson(n_right, n)
        limit = chance_limit(n)
        verdict = f"{n_right} of {n} right; 95 % interval {100 * low:.0f} to {100 * high:.0f} %."
        return verdict if math.isnan(limit) else f"{verdict} {round(limit * n)} or more would be better than guessing."

    def _apart(self) -> list[np.ndarray]:
        """Return for each board the tiles that keep it from being one of the rule."""
        return [blind.from_the_rule(self._rule, board) for board, _ in self.sitting.items]

    def _review(self) -> dict:
        """Return what each board was, after the last one, in the order in which they were shown."""
        if not self.over:
            return {}
        boards = []
        for row, apart, (board, _) in zip(self.to_frame().itertuples(), self._apart(), self.sitting.items, strict=True):
            text = f"{_SIGNS[row.right]} {row.was}" + (f", you said {row.said}" if row.said != row.was else "")
            ringed = apart.tolist() if row.was == "metamer" else []
            boards.append({"shown": scene.shown_word(board.ravel()), "ringed": ringed, "said": text, "why": row.why})
        return {"title": "What the boards were", "boards": boards}

    @property
    def _score(self) -> tuple[int, int]:
        frame = self.to_frame()
        return int(frame["right"].sum()), len(frame)

    def _beside(self) -> dict:
        if not self.over:
            return {"title": "Your trial", "rows": [], "note": _LATER}
        n_right, n = self._score
        rows = [{"kind": "you", "label": "You", "text": f"{100 * n_right / n:.0f} %"}]
        if self._floors is not None:
            shares = zip(self._floors.kind, self._floors.who, self._floors.value, strict=True)
            rows += [
                {"kind": k, "label": scene.sentence(who), "text": f"{100 * value:.0f} %"} for k, who, value in shares
            ]
        rows.append({"kind": "floor", "label": "Guesses", "text": "50 %"})
        return {"title": "Boards judged right", "rows": rows, "note": "More is better."}

    def _act(self, message: dict) -> None:
        if message.get("board") == self.sitting.position:  # a second press is on a board that is answered already
            self.answer(message.get("answer"), message.get("rt_s"))

    def _draw(self, status: str) -> None:
        """Send the whole scene."""
        n, position = len(self.sitting.order), self.sitting.position
        progress = f"All {n} boards answered" if self.over else f"Board {position + 1} of {n}"
        self._show({
            "board": position,
            "head": [progress, f"Rule: {self._rule}"],
            "prompt": self.sitting.study.prompt,
            "shown": scene.shown_word(self.board.ravel()),
            "status": status,
            "over": self.over,
            "beside": self._beside(),
            "review": self._review(),
        })  # fmt: skip


def scores(floors: pd.DataFrame, yours: pd.DataFrame | None = None) -> go.Figure:
    """Return how well each judge tells abstract boards from metamers: a panel for each judge, a row for each rule.

    ``floors`` and ``yours`` are as `blind.floors` and `blind.your_rows` give them; the reader has a panel with stars.
    """
    table = floors if yours is None else pd.concat([part for part in (yours, floors) if len(part)])
    rules = pd.Categorical(table.rule, sorted(set(table.rule), key=RULES.index))
    figure = dots(
        table.assign(rule=rules, judge=table.who.map(_TITLES)), y="rule", panel="judge", levels=[Level(0.5, "floor")],
        title="Abstract or metamer? Boards judged right", across="share right →", ticks=(0, 0.5, 0.75, 1),
        reach=(min(0.5, float(np.floor(10 * table.low.min()) / 10)) - 0.03, 1.03),
        notes=[f"lines: 95 %; n = {floors.n.max():,} boards a rule, yours fewer", "dashed: guessing"],
    )  # fmt: skip
    numbers = "; ".join(f"{row.who} on {row.rule} {row.value:.3f}" for row in table.itertuples())
    return with_alt(figure, f"Share of boards judged right, guessing is 0.5: {numbers}.")
