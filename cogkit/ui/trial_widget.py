"""A widget that asks questions: Python sends complete scenes, and stores an answer before the next scene."""

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
    """A widget with a ``scene`` that Python sends complete; messages from the browser are answers.

    A subclass has ``_act(message)``, which handles a message, and ``_draw(status)``, which ends with `_show`.
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
        """Return the stored trial rows of this sitting: pages read and answers."""
        return self.sitting.answers()

    def _sit(self, study: Study, trials: Trials | None, seed: int | None, kind: type[Sitting] = Sitting) -> str:
        """Continue the reader's sitting, or begin one; return a status line if it continues, else "".

        Without trials, answers exist only as long as the widget.
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
        """Send a scene, even one equal to the last, so that the browser stops waiting, and start the clock."""
        self._draws += 1
        self.scene = {"draw": self._draws} | scene
        self._since = time.monotonic()

    def _took(self, rt_s) -> float:
        """Return the response time in seconds: from the browser if valid, else from Python's clock."""
        return session.seconds(rt_s, self._since)
