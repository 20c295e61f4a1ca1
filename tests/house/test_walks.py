"""A walk through the house goes down: from a notebook's call to its row, the program climbs back at most once.

A walk is the calls between modules while something runs. It climbs where a module calls one that stands higher in the
house. Three kinds of call are no climbs: making a config or an agent from a class that was handed down, an object's
call to its own methods, and a function handed to the bootstrap or to the fan-out over processes. Judging climbs to the
learner that it asks, and training to the steps of the instrument whose run it is. Nothing else climbs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from test_imports import PACKAGE, instrument_of, name_of, rank

from cogkit.learning import run

HANDED = {("stats", "scoring"), ("core", "problems")}  # to the bootstrap, and to the fan-out
MAKERS = ("__init__", "__post_init__", "<lambda>")
WALKS = {  # by instrument: a learner, the number of items, and a short run of training
    "tiles": ("random", 2, ("lstm", "copy/abstract"), {"updates": 2}),
    "bongard": ("program-oracle", 2, ("protonet",), {"steps": 2, "problems": 16, "validated": 4, "tested": 2}),
    "mewl": ("elimination", 2, ("slot-transformer", "shape"), {"steps": 2, "episodes": 40, "tested": 10}),
    "equivalence": ("associative", None, ("embedding",), {"iterations": 2}),
    "generalization": ("majority class", None, None, {}),
}


def climbs(action: Callable[[], object]) -> set[tuple[str, str]]:
    """Return from which room to which higher one the calls of an action go, each as (lower, higher)."""
    modules: dict[str, str] = {}
    rooms = set()

    def module(frame) -> str:
        file = frame.f_code.co_filename
        if file not in modules:
            path = Path(file)
            modules[file] = name_of(path) if path.is_relative_to(PACKAGE) else ""
        return modules[file]

    def note(frame, event, _) -> None:
        name = module(frame) if event == "call" else ""
        if not name or frame.f_code.co_name in MAKERS:
            return
        caller = frame.f_back
        while caller is not None and not module(caller):  # over torch, pandas and so on
            caller = caller.f_back
        if caller is None or rank(name) <= rank(module(caller)):
            return
        owner = frame.f_locals.get("self")
        if owner is None or owner is not caller.f_locals.get("self"):
            rooms.add((room(module(caller)), room(name)))

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return rooms - HANDED


def room(module: str) -> str:
    """Return the wing that a module stands in, or its shared room."""
    parts = module.split(".")
    return parts[2] if instrument_of(module) and len(parts) > 2 else parts[1]


@pytest.mark.parametrize("instrument", WALKS)
def test_from_an_item_to_its_rows_only_the_learner_is_above(instrument) -> None:
    name, n, _, _ = WALKS[instrument]
    door = import_module(f"cogkit.{instrument}")
    task = door.tasks()[0]

    def walk() -> None:
        door.summarise(door.judge(door.learner(name, task), door.items(task, *(() if n is None else (n,)))))

    walk()  # what is imported or compiled at its first use is no part of the walk
    assert climbs(walk) <= {("scoring", "learners")}


@pytest.mark.parametrize("instrument", [name for name, walk in WALKS.items() if walk[2]])
def test_a_fit_climbs_to_its_own_steps_and_its_rows_to_the_learner(instrument) -> None:
    _, _, which, changes = WALKS[instrument]
    door, life = import_module(f"cogkit.{instrument}"), import_module(f"cogkit.{instrument}.learners.training").LIFE
    fits = []
    fit = climbs(lambda: fits.append(run(door.train(*which, **changes))))
    assert fit - {("scoring", "learners")} == {("learning", "learners")}  # validation asks the learner, too
    assert climbs(partial(life.assess, life.to_agent(fits[0]), "verified", 0)) <= {("scoring", "learners")}
