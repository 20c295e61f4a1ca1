"""Imports run down the house's list only, and every module weighs what it should."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "cogkit"
MODULES = sorted(PACKAGE.rglob("*.py"))
FLOOR = ("contracts", "seeding", "compiled", "presets", "processes")
TABLES = ("stats", "data")
DRAWING = ("plots", "widgets")
TOP = ("experiments", "exercises", "kernel", "notebooks", "gallery", "pages", "doctor", "cli")
HOUSE = {*FLOOR, *TABLES, *DRAWING, *TOP, "learning"}


def name_of(path: Path, package: Path = PACKAGE) -> str:
    """Return the dotted name of a module's file."""
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def instrument_of(module: str) -> str:
    """Return the instrument that a module belongs to, or an empty string."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] not in HOUSE else ""


def rank(module: str) -> int:
    """Return the height of a module in the house; it may import what is lower, and its own room."""
    parts = module.split(".")
    if len(parts) == 1:
        return 0  # cogkit itself: the version and the path
    room = parts[1]
    if room in FLOOR:
        return 1
    if room in TABLES:
        return 2
    if room == "learning":
        return 3
    if instrument_of(module):
        return 6 if parts[2:3] == ["views"] else 4
    return 5 if room in DRAWING else 7 + TOP.index(room)


def imports(source: str, module: str, is_package: bool, known: Iterable[str]) -> Iterator[str]:
    """Yield every module of the house that a source imports: at any depth, relative, or by name when run."""
    known = set(known)
    here = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "cogkit")
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            base = ".".join([*base, *([node.module] if node.module else [])])
            if base.split(".")[0] == "cogkit":
                for alias in node.names:
                    full = f"{base}.{alias.name}"
                    yield full if full in known else base
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in (
            "import_module",
            "__import__",
        ):
            for argument in node.args[:1]:
                if isinstance(argument, ast.Constant) and str(argument.value).split(".")[0] == "cogkit":
                    yield argument.value


def faults(source: str, module: str, is_package: bool = False, known: Iterable[str] = ()) -> list[str]:
    """Return one sentence for every import that does not run down the list."""
    found = []
    for target in imports(source, module, is_package, known):
        mine, theirs = instrument_of(module), instrument_of(target)
        same_room = module.split(".")[:2] == target.split(".")[:2] and rank(module) >= rank(target)
        rooms = {*module.split(".")[1:2], *target.split(".")[1:2]}
        same_floor = rooms <= set(FLOOR) or rooms == set(DRAWING)
        if mine and theirs and mine != theirs:
            found.append(f"{module} imports the instrument {theirs}")
        elif not (rank(target) < rank(module) or same_room or same_floor):
            found.append(f"{module} imports {target}, which does not lie below it")
    return found


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("cogkit.stats.anova", "from cogkit.data import published", True),
        ("cogkit.data.trials", "def f():\n    from cogkit.learning import fit", True),
        ("cogkit.tiles.game", "class A:\n    def f(self):\n        import cogkit.bongard.programs", True),
        ("cogkit.tiles.game", "from cogkit import bongard", True),
        ("cogkit.tiles.game", "from . import views", True),
        ("cogkit.tiles.game", "from .views import board", True),
        ("cogkit.tiles.game", "from ..plots import theme", True),
        ("cogkit.tiles.game", "import importlib\nimportlib.import_module('cogkit.mewl')", True),
        ("cogkit.tiles", "from cogkit.tiles.views import board", True),
        ("cogkit.tiles", "if True:\n    from .views import board", True),
        ("cogkit.learning.fit", "from cogkit.tiles import game", True),
        ("cogkit.plots.theme", "from cogkit.tiles.views import figures", True),
        ("cogkit.experiments", "from cogkit import cli", True),
        ("cogkit.experiments", "from cogkit.exercises import check", True),
        ("cogkit.contracts", "from cogkit.stats import anova", True),
        ("cogkit.tiles.game", "from cogkit.tiles import boards\nfrom . import boards\nimport numpy", False),
        (
            "cogkit.tiles.views.board",
            "from cogkit.plots import theme\nfrom .. import game\nfrom . import board",
            False,
        ),
        ("cogkit.presets", "from cogkit.contracts import InputError", False),
        ("cogkit.cli", "from cogkit import __version__, experiments", False),
        (
            "cogkit.data.trials",
            "from cogkit.data.home import home\nfrom cogkit.contracts import KINDS",
            False,
        ),
    ],
)
def test_the_walker_sees(module, source, fault):
    known = {"cogkit.bongard", "cogkit.tiles.views", "cogkit.cli", "cogkit.experiments", "cogkit.plots.theme"}
    known |= {"cogkit.tiles.boards", "cogkit.tiles.game", "cogkit.learning.fit", "cogkit.data.published"}
    assert bool(faults(source, module, module == "cogkit.tiles", known)) is fault


def test_imports_run_down_the_list():
    known = {name_of(path) for path in MODULES}
    found = [
        fault
        for path in MODULES
        for fault in faults(path.read_text(), name_of(path), path.name == "__init__.py", known)
    ]
    assert len(MODULES) > 20 and found == []


def loaded(*modules: str) -> set[str]:
    """Return the top-level names that importing these modules adds to a fresh interpreter."""
    code = "import sys; before = set(sys.modules)\n"
    code += "".join(f"import {module}\n" for module in modules)
    code += "print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def below_drawing() -> list[str]:
    return [name for name in map(name_of, MODULES) if rank(name) < 5]


def test_the_weight_test_sees_what_is_loaded():
    assert {"json", "numpy"} <= loaded("json.tool", "numpy")


@pytest.mark.parametrize("module", ["cogkit", "cogkit.contracts", "cogkit.presets"])
def test_loads_the_standard_library_only(module):
    assert loaded(module) - {"cogkit"} <= sys.stdlib_module_names


def test_tables_load_no_torch():
    names = [name for name in map(name_of, MODULES) if rank(name) == 2]
    assert len(names) > 4 and "torch" not in loaded(*names)


def test_drawing_and_listing_load_no_torch():
    names = ["cogkit.plots.live", "cogkit.tiles.views", "cogkit.tiles.instrument", "cogkit.tiles.exercises"]
    assert "torch" not in loaded(*names)  # most notebooks need none


def test_nothing_below_the_views_draws():
    names = below_drawing()
    assert "cogkit.tiles.boards" in names
    assert not loaded(*names) & {"plotly", "ipywidgets", "anywidget", "matplotlib", "IPython"}


def test_an_instrument_loads_without_its_views():
    code = "import sys, cogkit.tiles; print([name for name in sys.modules if '.views' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"
