"""A widget that asks: Python draws it whole, and an answer is stored before the next scene is shown."""

from __future__ import annotations

import time

import anywidget
import traitlets

from cogkit.ui import session


class Asking(anywidget.AnyWidget):
    """A widget whose ``scene`` Python sends whole, and whose messages are answers.

    A subclass has ``_act(message)``, what a message of the browser does, and ``_draw(status)``, which ends in `_show`.
    """

    scene = traitlets.Dict().tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self._draws = 0
        self.on_msg(self._receive)

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
