"""Every part loads what it needs and no more: a kernel without torch takes 200 MB and three seconds less."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[3] / "cogkit"
INSTRUMENTS = ("tiles", "bongard", "mewl", "equivalence", "generalization")
FIRST_BOARD = """
import os, tempfile
os.environ["COGKIT_HOME"] = tempfile.mkdtemp()
from cogkit import tiles
board = tiles.sit()
for tile in range(49):
    if not board.scene["next"]["ready"] and board.scene["shown"][tile] == ".":
        board.click(tile)
assert board.scene["next"]["ready"]
"""


def loaded(code: str) -> set[str]:
    """Return every module that a fresh interpreter has after some code."""
    code += "\nimport sys; print(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def modules(*folders: str) -> list[str]:
    paths = (path for folder in folders for path in (PACKAGE / folder).rglob("*.py") if path.stem != "torch_data")
    names = (path.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".") for path in paths)
    return [name.removesuffix(".__init__") for name in names]


def test_errors_and_records_load_the_standard_library_alone():
    names = loaded("import cogkit.core.instruments, cogkit.core.presets")
    assert {name.split(".")[0] for name in names} - {"cogkit"} <= {*sys.stdlib_module_names, "__main__"} | {
        name for name in loaded("") if "." not in name
    }


def test_tables_and_problems_load_no_torch_and_draw_nothing():
    names = modules("stats", "data", *(f"{instrument}/problems" for instrument in INSTRUMENTS))
    assert len(names) > 60
    tops = {name.split(".")[0] for name in loaded(f"import {', '.join(names)}")}
    assert not tops & {"torch", "plotly", "ipywidgets", "anywidget", "matplotlib", "IPython"}


def test_doors_views_and_exercises_load_no_torch_and_no_tests_of_statistics():
    rooms = [f"cogkit.{name}.{wing}" for name in INSTRUMENTS for wing in ("instrument", "views", "exercises")]
    listed = "from cogkit.core import registry; registry.instruments(); list(registry.modules('exercises'))"
    assert "torch" not in loaded(f"import cogkit.ui.live, {', '.join(rooms)}\n{listed}")
    lighter = [room for room in rooms if "generalization" not in room]  # whose scikit-learn brings scipy.stats
    assert "scipy.stats" not in loaded(f"import {', '.join(lighter)}")


def test_the_first_board_is_played_without_torch():
    assert "torch" not in loaded(FIRST_BOARD)


def test_an_exercise_is_checked_without_the_other_instruments():
    checked = "from cogkit import mewl; mewl.items; from cogkit.app import exercises; exercises.check('07-none', 1)"
    everything = loaded(checked)  # there is no such exercise, so all are looked through
    one = loaded(checked.replace("07-none", "08-eliminate"))
    assert "cogkit.mewl.exercises" in one and "cogkit.tiles.exercises" in everything - one


def test_an_instrument_loads_without_its_views():
    assert not [name for name in loaded("import cogkit.tiles") if ".views" in name]
