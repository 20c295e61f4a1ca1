"""A widget that asks: Python draws it whole, and an answer is stored before the next scene is shown."""

from __future__ import annotations

import time

import anywidget
import pandas as pd
import traitlets

from cogkit.core.contracts import Study
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials
from cogkit.ui import session


class TrialWidget(anywidget.AnyWidget):
    """A widget whose ``scene`` Python sends whole, and whose messages are answers.

    A subclass has ``_act(message)``, what a message of the browser does, and ``_draw(status)``, which ends in `_show`.
    """

    sitting: Sitting

    scene = traitlets.Dict().tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self._draws = 0
        self.on_msg(self._receive)

    @property
    def over(self) -> bool:
        """Whether nothing is left to do."""
        return self.sitting.finished and not self.sitting.pending

    def trials(self) -> pd.DataFrame:
        """Return what is stored of this sitting, one trial row each: pages read and answers."""
        return self.sitting.answers()

    def _sit(self, study: Study, trials: Trials | None, seed: int | None, kind: type[Sitting] = Sitting) -> str:
        """Go on with the reader's own sitting, or begin one; return the status line where it goes on, else "".

        Without trials, answers last as long as the widget.
        """
        who = None
        if trials is None:
            (self._folder, trials), who = session.unsaved(), "unsaved"
        self.sitting = kind.open(study, trials, seed, who)
        return "It goes on where you stopped." if self.sitting.rows > 1 else ""

    def _receive(self, _, message, __) -> None:
        try:
            self._act(message)
        except Exception as error:
            self._draw(f"Not stored, so not counted: {error}")
            raise

    def _show(self, scene: dict) -> None:
        """Send a scene, also one like the last: it lets go of what waits. The clock of the next answer starts here."""
        self._draws += 1
        self.scene = {"draw": self._draws} | scene
        self._since = time.monotonic()

    def _took(self, rt_s) -> float:
        """Return how many seconds an answer took: as the browser measured them, else by Python's own clock."""
        return session.seconds(rt_s, self._since)
