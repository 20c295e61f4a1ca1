"""A person, a web page, a model and gymnasium get the same items: one hash, and the same content item by item."""

from __future__ import annotations

import fronts
import gymnasium
import numpy as np
import pytest

from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.extras.models import asking
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials

SEED = fronts.SEED


def prompted(what: asking.Asking) -> list[tuple[int, str]]:
    """Return the number of each item, and the first that a model is asked of it."""
    items = asking.asked_items(what)
    firsts = [asking.prompts(what, items[k : k + 1])[0].text for k in range(what.n)]
    assert {prompt.text for prompt in asking.prompts(what)} >= {*firsts}
    return [*enumerate(firsts)]


def test_person_page_and_model_have_identical_items(tmp_path):
    """Those that are quick to draw; all of them, and what Inspect asks, are nightly."""
    fronts.check("tiles", tmp_path, prompted)


def test_the_items_of_a_sitting_are_those_of_a_model_by_their_hash(tmp_path):
    for name, front in fronts.FRONTS.items():
        (tmp_path / name).mkdir()
        sets = {asking.Asking(f"{name}/{task}", seed=SEED, sitting=True).item_set for task in front.tasks}
        assert sets == {fronts.sat(name, tmp_path / name).item_set}, name


def test_gymnasium_plays_the_boards_of_a_sitting(tmp_path):
    items = asking.asked_items(asking.Asking("tiles/pyramid/metamer", seed=SEED, sitting=True))
    study = registry.part("online", "tiles").study().study("pyramid/metamer", None)
    sitting = Sitting.begin(study, SEED, Trials(tmp_path / "a.sqlite"), who="p-1")
    env = gymnasium.make("cogkit.tiles:cogkit/Tiles-v0", items=items)
    for number, (board, start) in enumerate(sitting.items):
        seen, info = env.reset(options={"item": number})
        (first,) = np.flatnonzero(info["action_mask"] == 0)
        assert first == start
        reds = [tile for tile in np.flatnonzero(board.ravel()).tolist() if tile != start]
        for tile in [*np.flatnonzero(board.ravel() == 0).tolist(), *reds]:
            seen, reward, terminated, truncated, _ = env.step(tile)
            assert (reward > 0) == bool(board.ravel()[tile]) and not truncated
            assert terminated == (tile == reds[-1])  # so it has no other red tile
        assert np.array_equal(seen, board)


def test_a_sitting_has_as_many_items_as_it_has():
    with pytest.raises(InputError, match=r"got n=5 for a sitting"):
        asking.Asking("mewl/shape", 5, SEED, sitting=True)
    assert asking.Asking("mewl/shape", 10, SEED, sitting=True) == asking.Asking("mewl/shape", seed=SEED, sitting=True)
