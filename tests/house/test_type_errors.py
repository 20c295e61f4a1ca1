"""The count of type errors: more than recorded fails, fewer asks for a lower number, and the shared rooms have none."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from type_errors import DOORS, RECORDED, compare, errors_in


def entry(file: str, severity: str = "error") -> dict:
    return {
        "file": f"/a/{file}", "severity": severity, "message": "no", "rule": "r", "range": {"start": {"line": 4}},
    }  # fmt: skip


def test_errors_are_counted_by_folder_and_warnings_are_not():
    files = ("cogkit/mewl/world/words.py", "cogkit/mewl/scoring.py", "cogkit/mewl/__init__.py", "cogkit/__init__.py")
    report = {"generalDiagnostics": [*map(entry, files), entry("cogkit/core/seeding.py", "warning")]}
    errors = errors_in(report, Path("/a"))
    assert {folder: len(lines) for folder, lines in errors.items()} == {"mewl": 2, DOORS: 2}
    assert errors["mewl"][0] == "cogkit/mewl/world/words.py:5: no (r)"


def test_more_errors_fail_and_fewer_ask_for_a_lower_number():
    recorded = {"core": 0, "mewl": 5, "tiles": 5, "ui": 2}
    more, advice = compare(Counter(core=1, mewl=5, tiles=3, views=1, ui=2), recorded)
    assert more == ["core", "views"]
    assert [line for line in advice if "lower the number" in line] == [
        "tiles: 3 type errors, 5 are recorded: lower the number to 3"
    ]


def test_shared_rooms_and_front_doors_have_none():
    assert {RECORDED[folder] for folder in (DOORS, "core", "stats", "data", "learning", "study", "lm")} == {0}


def test_every_folder_is_recorded(root):
    folders = {path.parent.relative_to(root / "cogkit").parts[0] for path in (root / "cogkit").glob("*/**/*.py")}
    assert {*RECORDED} == {DOORS, *folders}
