"""A clock that steps back: no row is lost or out of order, and no duration is negative."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np

from cogkit.app import own_data
from cogkit.study import trials as module
from cogkit.study.trials import BEGIN, Trials
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.views import TileBoard

CORNER, BAR = np.zeros((2, 7, 7), np.uint8)
CORNER[0, :3] = CORNER[1, 0] = BAR[3, 2:5] = 1


class Backwards(datetime):
    """A clock that is a day earlier at each look."""

    at = datetime(2026, 3, 9, tzinfo=UTC)

    @classmethod
    def now(cls, tz=None):
        cls.at -= timedelta(days=1)
        return cls.at


def test_rows_keep_their_order_and_durations_are_those_of_another_clock(tmp_path, home, monkeypatch):
    monkeypatch.setattr(module, "datetime", Backwards)
    monkeypatch.setattr(Backwards, "at", Backwards.at)
    store = Trials(tmp_path / "trials.sqlite")
    for board, start, tiles in ((CORNER, 0, (1, 8, 2, 7)), (BAR, 24, (23, 0, 25))):
        widget = TileBoard(Items([board], [start], "demo/abstract", f"{start}"), trials=store)
        for tile in tiles:
            widget.click(tile)
    frame = store.frame()
    assert frame["response"].tolist() == ["demo/abstract", 1, 8, 2, 7, "demo/abstract", 23, 0, 25]
    assert frame["order"].tolist() == [0, 1, 2, 3, 4, 0, 1, 2, 3]
    assert frame["at"].is_monotonic_decreasing and (frame["rt_s"].dropna() >= 0).all()
    sittings = store.sittings()
    assert sittings["began"].tolist() == frame["at"][frame["item"] == BEGIN].tolist()
    assert sittings["last"].tolist() == [frame["at"][4], frame["at"][8]]
    again = TileBoard(Items([CORNER], [0], "demo/abstract", "0"), trials=store)
    assert not again.over and len(store.frame()) == 9  # the first sitting is finished: the next is another
    (done,) = own_data.progress(store)
    assert (done.answers, done.sittings, done.day) == (7, 2, frame["at"][8][:10])
