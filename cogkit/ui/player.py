"""A widget that plays something step by step: all steps are sent at once, so moving between them needs no kernel."""

from __future__ import annotations

import traitlets

from cogkit.core.errors import InputError
from cogkit.ui.widget import Widget


class Player(Widget):
    """Play, step, or go to any step. The browser keeps the time and reports the step.

    A subclass has a trait named by ``at``, the current step from 0, and the properties ``last`` and ``status``.
    """

    at, noun, start = "position", "step", "the start"
    playing = traitlets.Bool(False).tag(sync=True)

    @property
    def last(self) -> int:
        """The number of the last step."""
        raise NotImplementedError

    @property
    def status(self) -> str:
        """The current step in words, as in the line under the drawing."""
        raise NotImplementedError

    @traitlets.validate("position", "update")
    def _within(self, proposal):
        if not 0 <= proposal.value <= self.last:
            raise InputError(f"{self.noun} {proposal.value}", f"a number between 0, {self.start}, and {self.last}")
        return proposal.value

    def show(self, step: int) -> str:
        """Go to a step, as a click on it does; 0 is the start. Return its words."""
        self.playing = False
        setattr(self, self.at, int(step))
        return self.status

    def step(self, steps: int = 1) -> str:
        """Go forwards or back by some steps, as far as there are any. Return the words of the new one."""
        return self.show(min(max(getattr(self, self.at) + int(steps), 0), self.last))

    def play(self) -> None:
        """Play from here, or from the start if at the end."""
        if getattr(self, self.at) == self.last:
            setattr(self, self.at, 0)
        self.playing = True

    def pause(self) -> None:
        """Stop playing at this step."""
        self.playing = False
