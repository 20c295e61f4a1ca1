"""The front doors: each instrument offers the same names, lazily, and nothing inside goes through its own door."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path

import pytest
from test_imports import INSTRUMENTS, PACKAGE, loaded

NAMES = {"tasks", "items", "learner", "judge", "summarise", "train", "load", "results", "figures", "sit"}
MISSING = {"generalization": {"sit"}}  # no person sits its tasks
LEADING = {  # parameters by position, and some by keyword, that are the same in all five
    "tasks": ([], {}),
    "items": (["task", "n"], {"profile": "verified", "seed": 0}),
    "learner": (["name", "task"], {"profile": "verified", "seed": 0}),
    "judge": (["learner", "items"], {"profile": "verified", "seed": 0}),
    "summarise": (["answers"], {}),
    "train": (["name", "task", "preset"], {"profile": "verified", "seed": 0}),
    "load": (["name", "task"], {"seed": 0}),
    "results": (["preset", "profile"], {"tasks": None, "who": None}),
}
HEAVY = {"plotly", "ipywidgets", "anywidget", "torch", "sklearn", "statsmodels", "numba", "PIL", "shapely"}


def names_of(instrument: str) -> set[str]:
    return NAMES - MISSING.get(instrument, set())


def door_of(instrument: str):
    return importlib.import_module(f"cogkit.{instrument}")


def typed(instrument: str) -> dict[str, tuple[str, str]]:
    """Return where a type checker finds each name: the module that it is imported from, and the name there."""
    tree = ast.parse((PACKAGE / instrument / "__init__.py").read_text())
    (block,) = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {
        alias.asname or alias.name: (str(node.module), alias.name)
        for node in imports
        for alias in node.names
        if (alias.asname or alias.name) in NAMES
    }


@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_each_door_offers_the_same_names(instrument):
    door = door_of(instrument)
    assert names_of(instrument) <= set(door.__all__) and len(door.__all__) <= 12
    assert set(door.__all__) <= set(dir(door))
    for name in names_of(instrument) - {"figures"}:
        assert callable(getattr(door, name)), name
    assert inspect.ismodule(door.figures)
    with pytest.raises(AttributeError, match="has no attribute 'itmes'"):
        door.itmes  # noqa: B018


@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_a_type_checker_finds_what_is_found_when_it_runs(instrument):
    places = typed(instrument)
    assert set(places) == names_of(instrument)
    for name, (module, other) in places.items():
        place = importlib.import_module(module)
        assert getattr(place, other, None) is getattr(door_of(instrument), name), name


@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_no_name_is_also_a_module(instrument):
    paths = (PACKAGE / instrument).iterdir()
    assert not {path.stem if path.suffix == ".py" else path.name for path in paths} & set(door_of(instrument).__all__)


@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_the_same_parameters_come_first(instrument):
    for name, (leading, keywords) in LEADING.items():
        parameters = inspect.signature(getattr(door_of(instrument), name)).parameters
        positional = [
            parameter.name for parameter in parameters.values() if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        ]
        assert positional[: len(leading)] == leading, name
        assert {key: parameters[key].default for key in keywords if key in parameters} == keywords, name
        assert all(parameters[key].kind is inspect.Parameter.KEYWORD_ONLY for key in keywords), name


@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_a_door_says_what_each_name_is_and_gives_an_example(instrument):
    text = inspect.getdoc(door_of(instrument)) or ""
    assert ">>>" in text
    for name in names_of(instrument):
        assert f"- ``{name}" in text, name


def through_its_door(path: Path) -> list[str]:
    """Return the names that a module takes from the door of an instrument, at any depth."""
    offered = {f"cogkit.{instrument}": set(door_of(instrument).__all__) for instrument in INSTRUMENTS}
    return [
        f"{path.name}: {alias.name}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and not node.level
        for alias in node.names
        if alias.name in offered.get(str(node.module), ())
    ]


def test_nothing_in_the_package_goes_through_a_door(tmp_path):
    example = tmp_path / "example.py"
    example.write_text("def f():\n    from cogkit.tiles import judge, scoring\n")
    assert through_its_door(example) == ["example.py: judge"]
    assert [name for path in PACKAGE.rglob("*.py") for name in through_its_door(path)] == []


def test_a_door_is_light():
    light = {instrument: loaded(f"cogkit.{instrument}") & HEAVY for instrument in INSTRUMENTS}
    assert light == {instrument: set() for instrument in INSTRUMENTS}
