"""What a page tells a widget is heard in order, once, and one message at a time."""

from __future__ import annotations

import contextlib
import itertools
import threading

from cases import case

from cogkit.ui.widget import Widget


class Heard(Widget):
    """A widget that notes what it is told, and fails at the word "fail"."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list = []
        self.listen(self._receive)

    def _receive(self, _, message, __) -> None:
        self.heard.append(message)
        if message == {"word": "fail"}:
            raise ValueError("as asked")


def tell(widget, words, order, page="a") -> None:
    for k in order:
        with contextlib.suppress(ValueError):
            widget._handle_custom_msg({"word": words[k], "sent": [page, k]}, [])


def test_messages_are_heard_as_they_were_sent_in_whatever_order_they_arrive():
    words = ["one", "fail", "three", "four"]
    for order in itertools.permutations(range(4)):
        widget = Heard()
        tell(widget, words, order)
        with case(order):
            assert [message["word"] for message in widget.heard] == words


def test_each_page_has_an_order_of_its_own_and_a_message_twice_is_heard_once():
    widget = Heard()
    tell(widget, "abc", [1], page="left")
    tell(widget, "xyz", [0, 1, 1, 0, 2], page="right")
    assert [message["word"] for message in widget.heard] == ["x", "y", "z"]
    tell(widget, "abc", [0, 2], page="left")
    assert [message["word"] for message in widget.heard] == [*"xyz", *"abc"]


def test_what_has_no_number_is_heard_at_once():
    widget = Heard()
    for message in ({"word": "plain"}, {"word": "odd", "sent": [1, "a"]}, {"sent": None}, ["word"], None):
        widget._handle_custom_msg(message, [])
        assert widget.heard[-1] == message


def test_messages_from_two_threads_are_heard_one_at_a_time():
    widget, inside, most = Heard(), [], []

    def receive(_, message, __):
        inside.append(message)
        most.append(len(inside))
        threading.Event().wait(0.001)
        inside.remove(message)

    widget.listen(receive)
    pages = [threading.Thread(target=tell, args=(widget, range(50), range(50), page)) for page in ("left", "right")]
    for page in pages:
        page.start()
    for page in pages:
        page.join()
    assert len(most) == 100 and set(most) == {1}
