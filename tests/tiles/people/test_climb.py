"""The sitting on a ladder: which boards, in which order, what is stored, where it goes on, and where its rows stand."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit import tiles
from cogkit.core import registry
from cogkit.study.sitting import Sitting
from cogkit.tiles.people import climb
from cogkit.tiles.people.study import finished, your_rows
from cogkit.tiles.problems import splits
from cogkit.tiles.rules.boards import to_bits


@pytest.mark.parametrize("condition", climb.CONDITIONS)
def test_the_first_half_is_without_the_family_and_the_second_is_of_it(condition):
    boards, rule = climb.items(condition), condition.partition("/")[0]
    of_family = splits.held(rule, to_bits(boards.boards))
    assert of_family.tolist() == [False] * 15 + [True] * 15 and len(set(boards.contents[15:])) == 15
    for seed in range(3):
        order = climb.order(seed, 30)
        assert sorted(order[:15]) == [*range(15)] and sorted(order) == [*range(30)]


def test_half_a_sitting_goes_on_and_each_step_has_rows_of_its_own(trials):
    view = tiles.sit(trials, ladder=True)
    condition = view.sitting.condition
    assert condition in climb.CONDITIONS
    for _ in range(17):  # the red tiles alone
        for tile in np.flatnonzero(view.game.boards[0]):
            if not view.done and view.game.shown[0, tile] == -1:
                view.click(int(tile))
        view.next_board()
    again = tiles.sit(trials, ladder=True)
    assert again.sitting.id == view.sitting.id and again.scene["head"][0] == "Board 18 of 30"
    stored = trials.frame(instrument="tiles")
    study = registry.instrument("tiles").study(stored.iloc[0].to_dict())
    assert Sitting.resume(study, view.sitting.id, trials).position == 17
    rows = your_rows(trials, passes=2)
    n = rows[rows.metric == "blue"].set_index("task").n.to_dict()
    assert n == {f"{condition.partition('/')[0]}/abstract": 15, condition: 2}
    assert rows[rows.metric == "blue"].value.eq(0).all() and {*rows.source} == {"ladder"}
    assert rows.set_index("task").rung.to_dict()[condition] == splits.of_task(condition).rung
    assert not finished(trials) and tiles.sit(trials).sitting.id != view.sitting.id  # the paper's sitting stands apart
