"""Imports run down the house's list only, and every module weighs what it should."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "cogkit"
MODULES = sorted(PACKAGE.rglob("*.py"))
FLOORS = (("core",), ("stats", "data"), ("learning",), ("study",), ("ui",), ("lm",), ("app",))  # from the bottom
HOUSE = {room: floor for floor, rooms in enumerate(FLOORS, 1) for room in rooms}
INSTRUMENTS = ("tiles", "bongard", "mewl", "equivalence", "generalization")
ROOF = (
    "instrument",
    "exercises",
    "learner_exercises",
    "asked_exercises",
    "estimator",
    "components",
    "everybody",
)  # seen by the house and by readers
WINGS = (
    "problems",
    "scoring",
    "learners",
    "files",
    "paper",
    "people",
    "views",
    ROOF,
)  # from the bottom, over its nouns
ABSENT = {  # wings that an instrument has not, and why
    ("generalization", "people"): "the paper tested no person, and columns of numbers are no task for one",
    ("generalization", "files"): "its tasks are drawn from seeds, and nobody publishes them as files",
}
VIEWS = 1 + WINGS.index("views")
MOST = 15  # modules of a wing
HIGHEST = 8  # floors of imports in an instrument


def name_of(path: Path, package: Path = PACKAGE) -> str:
    """Return the dotted name of a module's file."""
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def instrument_of(module: str) -> str:
    """Return the instrument that a module belongs to, or an empty string."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] not in HOUSE else ""


def rank(module: str) -> tuple[int, int]:
    """Return the height of a module in the house, and in its instrument; it may import what is lower, or as high."""
    parts = module.split(".")
    if len(parts) == 1:
        return 0, 0  # cogkit itself: the version and the path
    if parts[1] in HOUSE:
        floor = HOUSE[parts[1]]
        return (floor if floor < len(FLOORS) else floor + 1), 0
    if len(parts) == 2:
        return len(FLOORS), len(WINGS) + 1  # the front door is the roof of its instrument
    wings = [wing for wing, names in enumerate(WINGS, 1) if parts[2] in (names if names is ROOF else (names,))]
    return len(FLOORS), (wings or [0])[0]


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
    problems = []
    for target in imports(source, module, is_package, known):
        mine, theirs = instrument_of(module), instrument_of(target)
        if mine and theirs and mine != theirs:
            problems.append(f"{module} imports the instrument {theirs}")
        elif rank(target) > rank(module):
            problems.append(f"{module} imports {target}, which does not lie below it")
        elif rank(target)[0] == rank(module)[0] and module.split(".")[1:2] != target.split(".")[1:2]:
            problems.append(f"{module} imports {target}, which lies beside it")
    return problems


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("cogkit.stats.anova", "from cogkit.data import published", True),
        ("cogkit.data.sets", "def f():\n    from cogkit.learning import fit", True),
        ("cogkit.tiles.rules.game", "class A:\n    def f(self):\n        import cogkit.bongard.logo.programs", True),
        ("cogkit.tiles.rules.game", "from cogkit import bongard", True),
        ("cogkit.tiles.rules.game", "from .. import views", True),
        ("cogkit.tiles.rules.game", "from cogkit.tiles import problems", True),
        ("cogkit.tiles.rules.game", "from cogkit.tiles import items", True),
        ("cogkit.tiles.scoring", "from .views import board", True),
        ("cogkit.tiles.scoring", "from cogkit.tiles.learners import floors", True),
        ("cogkit.tiles.problems.records", "from cogkit.tiles import scoring", True),
        ("cogkit.tiles.learners.floors", "from cogkit.tiles import instrument", True),
        ("cogkit.tiles.rules.game", "import importlib\nimportlib.import_module('cogkit.mewl')", True),
        ("cogkit.learning.fit", "from cogkit.tiles.rules import game", True),
        ("cogkit.learning.fit", "from cogkit.study import trials", True),
        ("cogkit.ui.theme", "from cogkit.tiles.views import figures", True),
        ("cogkit.tiles.instrument", "from cogkit.app import experiments", True),
        ("cogkit.core.contracts", "from cogkit.stats import anova", True),
        ("cogkit.tiles.rules.game", "from cogkit.tiles.rules import boards\nfrom . import boards\nimport numpy", False),
        ("cogkit.tiles.learners.floors", "from cogkit.tiles import scoring\nfrom . import agents", False),
        (
            "cogkit.tiles.views.board",
            "from cogkit.ui import theme\nfrom . import board",
            False,
        ),
        ("cogkit.tiles.instrument", "from cogkit.tiles.learners import floors", False),
        ("cogkit.tiles", "from cogkit.tiles.views import board", False),
        ("cogkit.core.presets", "from cogkit.core.contracts import InputError", False),
        ("cogkit.app.cli", "from cogkit import __version__\nfrom cogkit.app import experiments", False),
        ("cogkit.study.trials", "from cogkit.data.home import home\nfrom cogkit.core.contracts import KINDS", False),
    ],
)
def test_the_walker_sees(module, source, fault):
    modules = {"cogkit.bongard", "cogkit.tiles", "cogkit.tiles.views", "cogkit.tiles.problems", "cogkit.tiles.scoring"}
    modules |= {
        "cogkit.tiles.instrument",
        "cogkit.tiles.rules.boards",
        "cogkit.tiles.rules.game",
        "cogkit.learning.fit",
    }
    modules |= {"cogkit.data.published", "cogkit.app.experiments", "cogkit.ui.theme", "cogkit.study.trials"}
    assert bool(faults(source, module, False, modules)) is fault


def test_imports_run_down_the_list():
    modules = {name_of(path) for path in MODULES}
    problems = [
        fault
        for path in MODULES
        for fault in faults(path.read_text(), name_of(path), path.name == "__init__.py", modules)
    ]
    assert len(MODULES) > 20 and problems == []


def graph() -> dict[str, set[str]]:
    """Return what each module of the house imports from it."""
    modules = {name_of(path): path for path in MODULES}
    return {
        name: {target for target in imports(path.read_text(), name, path.name == "__init__.py", modules)}
        & modules.keys()
        for name, path in modules.items()
    }


def floors(arrows: dict[str, set[str]]) -> int:
    """Return how many floors of rooms there are, one over the other; rooms that import each other share one.

    A room is a module, or a wing with all that is in it.
    """
    heights: dict[str, int] = {}

    def height(room: str, above: tuple[str, ...] = ()) -> int:
        if room not in heights:
            assert room not in above, f"a circle: {' -> '.join([*above, room])}"
            below = [height(other, (*above, room)) for other in arrows[room] if other != room]
            heights[room] = 1 + max(below, default=0)
        return heights[room]

    return max(map(height, arrows))


def rooms_of(instrument: str, modules: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the arrows among the wings of an instrument; its door and its nouns are rooms too."""

    def room(module: str) -> str:
        return ".".join(module.split(".")[2:3])

    arrows: dict[str, set[str]] = {}
    for name, targets in modules.items():
        if instrument_of(name) == instrument and room(name):
            rooms = {room(target) for target in targets if instrument_of(target) == instrument} - {""}
            arrows.setdefault(room(name), set()).update(rooms)
    return arrows


def test_floors_are_counted():
    assert floors({"a": {"b", "c"}, "b": {"c"}, "c": {"c"}, "d": set()}) == 3
    with pytest.raises(AssertionError, match="a circle: a -> b -> a"):
        floors({"a": {"b"}, "b": {"a"}})


@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_an_instrument_has_its_wings_and_few_floors(instrument):
    arrows = rooms_of(instrument, graph())
    for wing in (*WINGS[:-1], "instrument", "exercises"):
        assert (wing in arrows) is ((instrument, wing) not in ABSENT), wing
    assert floors(arrows) <= HIGHEST


def test_wings_are_not_crowded():
    wings = Counter(path.parent.relative_to(PACKAGE) for path in MODULES if path.name != "__init__.py")
    assert len(wings) > 30 and {str(wing): n for wing, n in wings.items() if n > MOST} == {}


def loaded(*modules: str) -> set[str]:
    """Return the top-level names that importing these modules adds to a fresh interpreter."""
    code = "import sys; before = set(sys.modules)\n"
    code += "".join(f"import {module}\n" for module in modules)
    code += "print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def below_drawing() -> list[str]:
    return [
        name
        for name in map(name_of, MODULES)
        if rank(name)[0] < HOUSE["ui"] or (instrument_of(name) and rank(name)[1] < VIEWS)
    ]


def test_the_weight_test_sees_what_is_loaded():
    assert {"json", "numpy"} <= loaded("json.tool", "numpy")


@pytest.mark.parametrize("module", ["cogkit", "cogkit.core.contracts", "cogkit.core.presets"])
def test_loads_the_standard_library_only(module):
    assert loaded(module) - {"cogkit"} <= sys.stdlib_module_names


def test_tables_and_problems_load_no_torch():
    rooms = (*[f"cogkit.{room}" for room in FLOORS[1]], *[f"cogkit.{name}.problems" for name in INSTRUMENTS])
    names = [name for name in map(name_of, MODULES) if name.startswith(rooms) and not name.endswith(".torch_data")]
    assert len(names) > 60 and "torch" not in loaded(*names)


def test_drawing_and_listing_load_no_torch():
    names = ["cogkit.ui.live", "cogkit.tiles.views", "cogkit.tiles.instrument", "cogkit.tiles.exercises"]
    assert "torch" not in loaded(*names)  # most notebooks need none


def ran(code: str) -> set[str]:
    """Return every module that a fresh interpreter has after some code."""
    code += "\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_doors_views_and_exercises_load_no_torch_and_no_tests_of_statistics():
    rooms = [f"cogkit.{name}.{wing}" for name in INSTRUMENTS for wing in ("instrument", "views", "exercises")]
    found = "from cogkit.app import experiments; experiments.instruments(); list(experiments.rooms('exercises'))"
    assert "torch" not in ran(f"import {', '.join(rooms)}\n{found}")
    lighter = [room for room in rooms if "generalization" not in room]  # whose scikit-learn brings scipy.stats
    assert "scipy.stats" not in ran(f"import {', '.join(lighter)}")


FIRST_BOARD = """
import os, sys, tempfile
os.environ["COGKIT_HOME"] = tempfile.mkdtemp()
from cogkit import tiles
board = tiles.sit()
for tile in range(49):
    if not board.scene["next"]["ready"] and board.scene["shown"][tile] == ".":
        board.click(tile)
assert board.scene["next"]["ready"]
"""


def test_the_first_board_is_played_without_torch():
    assert "torch" not in ran(FIRST_BOARD)


def test_an_exercise_is_checked_without_the_other_instruments():
    checked = "from cogkit import mewl; mewl.items; from cogkit.app import exercises; exercises.check('07-none', 1)"
    everything = ran(checked)  # there is no such exercise, so all are looked through
    one = ran(checked.replace("07-none", "08-eliminate"))
    assert "cogkit.mewl.exercises" in one and "cogkit.tiles.exercises" in everything - one


def test_nothing_below_the_views_draws():
    names = below_drawing()
    assert "cogkit.tiles.rules.boards" in names
    assert not loaded(*names) & {"plotly", "ipywidgets", "anywidget", "matplotlib", "IPython"}


def test_an_instrument_loads_without_its_views():
    code = "import sys, cogkit.tiles; print([name for name in sys.modules if '.views' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"
