"""What all widgets have in common."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import anywidget
import traitlets

from cogkit.core.errors import InputError


class Widget(anywidget.AnyWidget):
    """A widget whose plain text is its name; its place in memory would tell a reader nothing.

    Examples
    --------
    >>> Widget()
    <Widget>
    """

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"  # stored with a cell's first output, so it must not change

    def _receive(self, _, message, __) -> None:
        """Do what a message asks for, by a subclass's ``_act``; what cannot be done becomes its status line."""
        try:
            self._act(message)
        except InputError as error:
            self._draw(f"Not done: {error}.")

    def listen(self, receive: Callable[[Widget, Any, list], None]) -> None:
        """Call ``receive(widget, message, buffers)`` for the messages of a page, one at a time and as it sent them."""
        self.on_msg(_InOrder(receive))

    def call(self, message: Mapping[str, Any], *names: str) -> bool:
        """Call the method, one of ``names``, that a message has a value for; return whether it has one."""
        name = next((name for name in names if name in message), "")
        if name:
            getattr(self, name)(message[name])
        return bool(name)


class Explorer(Widget):
    """A widget to look around in: a page draws what never changes, and each scene; its messages call methods.

    A message holds the name of one of the ``steps``, a method, with its argument. A subclass has ``_draw(status)``,
    which sends the next scene; what a page asks in vain becomes its status line. The page's frame is ``frame.js``.
    """

    still = traitlets.Dict().tag(sync=True)
    scene = traitlets.Dict().tag(sync=True)
    steps: tuple[str, ...] = ()

    def __init__(self) -> None:
        super().__init__()
        self.listen(self._receive)

    def _act(self, message: Mapping[str, Any]) -> None:
        self.call(message, *self.steps)


class _InOrder:
    """Hands over the messages of each page in the order of the numbers that ``asker.js`` gives them.

    JupyterLab brings the first messages of a widget to the thread of the cells and later ones to another thread, so of
    two quick presses the second can arrive first. It waits here. A message without a number is handed over at once.
    """

    def __init__(self, receive: Callable[[Widget, Any, list], None]) -> None:
        self._receive, self._turn = receive, threading.RLock()
        self._next: dict[str, int] = {}  # by page: the number of the message that is due
        self._early: dict[tuple[str, int], tuple] = {}

    def __call__(self, widget: Widget, message: Any, buffers: list) -> None:
        with self._turn:
            match message:
                case {"sent": [str(page), int(number)], **words}:
                    if number >= self._next.setdefault(page, 0):
                        self._early[page, number] = (widget, words, buffers)
                    self._hand_over(page)
                case _:
                    self._receive(widget, message, buffers)

    def _hand_over(self, page: str) -> None:
        due = self._early.pop((page, self._next[page]), None)
        if due is not None:
            self._next[page] += 1
            try:
                self._receive(*due)
            finally:  # what follows a message that failed is handed over all the same
                self._hand_over(page)
