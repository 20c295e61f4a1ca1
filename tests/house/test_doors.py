"""The front doors: each instrument offers the same names with the same parameters, lazily."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest

from cogkit.core import registry
from cogkit.core.errors import InputError

INSTRUMENTS = ("tiles", "bongard", "mewl", "equivalence", "generalization")
NAMES = {"tasks", "items", "learner", "judge", "summarise", "train", "load", "results", "figures", "sit"}
MISSING = {"generalization": {"sit", "train", "load"}}  # no person sits its tasks; it trains all learners at once
LEADING = {  # parameters by position, and some by keyword, that are the same in all five
    "tasks": ([], {}),
    "items": (["task", "n"], {"profile": "verified", "seed": 0, "part": "test"}),
    "learner": (["name", "task"], {}),
    "judge": (["learner", "items"], {"profile": None, "seed": None}),  # those of the items
    "summarise": (["answers"], {}),
    "train": (["name", "task", "preset"], {"profile": "verified", "seed": 0}),
    "load": (["name", "task"], {"seed": 0}),
    "results": (["preset", "profile"], {"tasks": None, "who": None}),
}
HEAVY = {"plotly", "ipywidgets", "anywidget", "torch", "sklearn", "statsmodels", "numba", "PIL", "shapely"}


@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_each_door_offers_the_same_names_and_explains_them(instrument):
    door, names = importlib.import_module(f"cogkit.{instrument}"), NAMES - MISSING.get(instrument, set())
    assert names <= set(door.__all__) <= set(dir(door)) and len(door.__all__) <= 12
    assert inspect.ismodule(door.figures)
    for name in names - {"figures"}:
        assert callable(getattr(door, name)) and f"- ``{name}" in door.__doc__, name
    assert ">>>" in door.__doc__
    with pytest.raises(AttributeError, match="has no attribute 'itmes'"):
        door.itmes  # noqa: B018
    table = registry.instrument(instrument).learners()
    assert table.name.is_unique and set(table.by) <= {"learner", "train or load"} and len(table) > 5
    assert door.learner(table.name[0], door.tasks()[0]) is not None  # a name of the table is one that it knows


@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_the_same_parameters_come_first(instrument):
    door = importlib.import_module(f"cogkit.{instrument}")
    for name in LEADING.keys() - MISSING.get(instrument, set()):
        leading, keywords = LEADING[name]
        parameters = inspect.signature(getattr(door, name)).parameters
        positional = [each.name for each in parameters.values() if each.kind is each.POSITIONAL_OR_KEYWORD]
        assert positional[: len(leading)] == leading, name
        assert {key: parameters[key].default for key in keywords if key in parameters} == keywords, name
        assert all(parameters[key].kind is inspect.Parameter.KEYWORD_ONLY for key in keywords), name


@pytest.mark.parametrize(("instrument", "task", "absent"), [
    ("tiles", "pyramid/abstract", {}), ("bongard", "BA", {}), ("mewl", "shape", {}),
    ("equivalence", "OTM/select-only", {"val": "nothing is validated here"}),
    ("generalization", "Iris 0", dict.fromkeys(("train", "val"), "holds its training rows too")),
])  # fmt: skip
def test_items_of_three_parts_share_none_or_a_sentence_says_that_there_is_none(instrument, task, absent):
    items, names = importlib.import_module(f"cogkit.{instrument}").items, set()
    for part in ("test", "train", "val"):
        if part in absent:
            with pytest.raises(InputError, match=absent[part]):
                items(task, 9, part=part)
        else:
            some = items(task, 9, part=part)
            assert len(some) == 9 and some.part == part and not names & {*some.names} and f"part {part}" in repr(some)
            names |= {*some.names} if instrument != "equivalence" else set()  # its test has the trained pairs too
    with pytest.raises(InputError, match="tests|part"):
        items(task, 9, part="tests")


def test_the_doors_are_light():
    code = f"import sys; import {', '.join(f'cogkit.{name}' for name in INSTRUMENTS)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & {*done.stdout.split()}
