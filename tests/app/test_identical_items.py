"""A person, a web page, Inspect and gymnasium get the same items: one hash, and the same content item by item."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pytest
import studied

from cogkit.app import asking, experiments
from cogkit.app.asking import inspecting
from cogkit.app.studies import page
from cogkit.bongard.views.solve import uri
from cogkit.core.contracts import InputError
from cogkit.mewl.views import pictures
from cogkit.study.sitting import ITEMS, Sitting
from cogkit.study.trials import Trials

SEED = 4


class Front(NamedTuple):
    """How the same item looks in three places, as one content: in a sitting, on a page, and for a model."""

    tasks: tuple[str, ...]  # that make up a sitting
    condition: str  # of the web study
    sat: Callable[[Any], Any]
    paged: Callable[[dict], Any]
    asked: Callable[[Any], Any]


@cache
def _drawn(scene) -> str:
    return pictures.uri(pictures.shown(scene))


def _scenes(trial) -> list:
    return [list(map(_drawn, trial.scenes)), list(trial.utterances), list(trial.options)]


def _sides(problem) -> list:
    return [[uri(picture) for picture in side] for side in problem.sides]


def _unturned(item: dict) -> list:
    """The two sides of a problem on a page: six pictures each, then its query."""
    queries = dict(zip(item["sides"], item["pictures"][2], strict=True))
    return [[*item["pictures"][side], queries[side]] for side in (0, 1)]


FRONTS = {
    "tiles": Front(
        ("copy/abstract",), "copy/abstract",
        lambda item: [item[0].ravel().tolist(), int(item[1])],
        lambda item: [[int(tile) for tile in item["board"]], item["start"]],
        lambda items: [items.boards[0].ravel().tolist(), int(items.starts[0])],
    ),
    "bongard": Front(
        ("FF", "BA", "CM", "NV"), "verified",
        lambda item: _sides(item.problem), _unturned, lambda problems: _sides(problems[0]),
    ),
    "mewl": Front(
        ("shape",), "shape",
        lambda item: _scenes(item.trial),
        lambda item: [item["pictures"], item["names"], item["options"]],
        lambda episodes: _scenes(episodes[0].trial),
    ),
    "equivalence": Front(
        ("LS/select-reject/standard",), "LS/select-reject/standard",
        lambda trial: trial.tokens[0, :4].tolist(),
        lambda item: item["cards"],
        lambda trials: trials.tokens[0, :4].tolist(),
    ),
}  # fmt: skip


def digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


@pytest.mark.parametrize("name", FRONTS)
def test_person_page_and_inspect_have_identical_items(name, tmp_path):
    front, web = FRONTS[name], experiments.instruments()[name].web()
    study = web.study(front.condition, None)
    sitting = Sitting.begin(study, SEED, Trials(tmp_path / "trials.sqlite"), who="p-1")
    of_person = [digest(front.sat(sitting.items[k])) for k in sitting.order]

    out = page.make(
        tmp_path / "page", web, name, condition=front.condition, seed=SEED, forms=1, jspsych=studied.package()
    )
    form = studied.in_script(out / "forms" / "000.js")
    of_page = [digest(front.paged(form["items"][k])) for k in form["order"]]
    assert of_page == of_person and form["hash"] == sitting.item_set

    checks = {digest(front.sat(sitting.items[k])) for k in study.checks}
    of_model = []
    for task in front.tasks:
        what = asking.Asking(f"{name}/{task}", seed=SEED, sitting=True)
        made = inspecting.inspect_task(what)
        items, talk = asking.asked_items(what), asking.interview(what.task)
        assert made.version == what.item_set == sitting.item_set and len(made.dataset) == what.n
        for sample in made.dataset:
            single = talk.single(items, sample.metadata["item"])
            assert sample.input == asking.prompts(what, single)[0].text
            of_model.append(digest(front.asked(single)))
    assert sorted(of_model) == sorted(each for each in of_person if each not in checks)
    assert ITEMS in study.phases and len(of_model) == len(of_person) - len(study.checks)


def test_gymnasium_plays_the_boards_of_a_sitting(tmp_path):
    items = asking.asked_items(asking.Asking("tiles/pyramid/metamer", seed=SEED, sitting=True))
    web = experiments.instruments()["tiles"].web()
    sitting = Sitting.begin(web.study("pyramid/metamer", None), SEED, Trials(tmp_path / "a.sqlite"), who="p-1")
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
    with pytest.raises(InputError, match="an instrument with a study of people"):
        asking.Asking("generalization/Linear 0", sitting=True)
    with pytest.raises(InputError, match="condition that people sit"):
        asking.Asking("equivalence/LS/select-reject", sitting=True)
    assert asking.Asking("mewl/shape", 10, SEED, sitting=True) == asking.Asking("mewl/shape", seed=SEED, sitting=True)
