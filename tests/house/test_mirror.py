"""The tests stand in folders like those of the package, so that the tests of a module are where one looks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = sorted(path.name for path in (ROOT / "cogkit").iterdir() if (path / "__init__.py").exists())
WHOLE = {"test_shipped.py", "test_estimator_input.py"}  # of an instrument as a whole: what it ships, what it refuses


@pytest.mark.parametrize("room", ROOMS)
def test_a_folder_of_tests_is_named_after_a_wing_and_a_loose_file_after_a_module(room) -> None:
    tests, package = ROOT / "tests" / room, ROOT / "cogkit" / room
    files = [path.relative_to(tests) for path in tests.rglob("test_*.py")]
    assert files, f"cogkit/{room} has no tests"
    strangers = [file for file in files if len(file.parts) > 1 and not (package / file.parts[0]).is_dir()]
    if (package / "instrument.py").exists():
        loose = [file for file in files if len(file.parts) == 1 and file.name not in WHOLE]
        strangers += [file for file in loose if not (package / file.name.removeprefix("test_")).exists()]
    assert not strangers, f"tests/{room}: name these after a wing or a module of cogkit/{room}"
