"""A widget that asks questions: Python sends complete scenes, and stores an answer before the next scene."""

from __future__ import annotations

import math
import tempfile
import time
from pathlib import Path

import pandas as pd
import traitlets

from cogkit.core.errors import one_line
from cogkit.core.study import Study
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials
from cogkit.ui.widget import Widget


class TrialWidget(Widget):
    """A widget with a ``scene`` that Python sends complete; messages from the browser are answers.

    Methods that a click calls take ``rt_s``, the seconds that the browser measured; without it Python's clock counts.

    A subclass has ``_act(message)``, which handles a message, and ``_draw(status)``, which ends with `_show`. The clock
    of response times starts with each scene; if scenes have a ``step``, it starts with each new step.
    """

    sitting: Sitting

    scene = traitlets.Dict().tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self._draws, self._in_view, self._since = 0, None, 0.0
        self.listen(self._receive)

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
            (self._folder, trials), who = unsaved(), "unsaved"
        self.sitting = kind.open(study, trials, seed, who)
        return "It goes on where you stopped." if self.sitting.rows > 1 else ""

    def _receive(self, _, message, __) -> None:
        try:
            self._act(message)
        except Exception as error:
            self._draw(one_line(f"Not stored, so not counted: {error}"))
            raise

    def _is_new(self, scene: dict) -> bool:
        return self._in_view is None or scene.get("step") != self._in_view

    def _show(self, scene: dict) -> None:
        """Send a scene, even one equal to the last, so that the browser stops waiting, and start the clock."""
        self._draws += 1
        self.scene = {"draw": self._draws} | scene
        if self._is_new(scene):
            self._in_view, self._since = scene.get("step"), time.monotonic()

    def _took(self, rt_s: float | None) -> float:
        """Return the response time in seconds: from the browser if valid, else from Python's clock."""
        if not (isinstance(rt_s, int | float) and math.isfinite(rt_s) and rt_s >= 0):
            rt_s = time.monotonic() - self._since
        return round(float(rt_s), 4)


def unsaved() -> tuple[tempfile.TemporaryDirectory, Trials]:
    """Return a temporary folder and a trials database in it; the folder is deleted with its Python object."""
    folder = tempfile.TemporaryDirectory()
    return folder, Trials(Path(folder.name) / "trials.sqlite")
