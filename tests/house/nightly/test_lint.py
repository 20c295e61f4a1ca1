"""`.ci/lint` names every fault of a spoilt copy in one pass, and finds none in what is there."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SPOILS = {  # a file, what is written at its end, and what is said of it
    "cogkit/stats/intervals.py": ("from cogkit.tiles.rules import boards\n", "does not lie below it"),
    "cogkit/tiles/rules/drawn.py": ("\n\ndef f():\n    from cogkit import mewl\n", "imports the instrument mewl"),
    "cogkit/app/experiments.py": ("from cogkit.bongard import judge\n", "the front door cogkit.bongard"),
    "cogkit/core/seeding.py": ("import  pickle\n", "pickle runs code out of data"),
    "cogkit/core/presets.py": ("x: int = 'a'\n", "1 type errors, at most 0"),
    "cogkit/data/files.py": ("\n\ndef f(told):\n    return told\n", "told: a noun that says what it holds"),
    "cogkit/data/home.py": (f"raise InputError('a', '{'very ' * 40}long words', 'b')\n", "words, at most 30"),
    "README.md": ("\nWho plays wins, whoever it is. See /home" + "/ada/x.\n", "a path of one machine"),
    "notebooks/pictures/x.py": ("import os, sys\n", "E401"),
    "tests/ui/test_x.py": ("x = 1\n" * 2000, "tests/ui: "),
    "LICENCE.txt": ("a\n", "LICENCE.txt: not at the top level"),
}


@pytest.fixture
def spoilt(clone, tmp_path) -> Path:
    clone = shutil.copytree(clone, tmp_path / "spoilt")  # other tests have the same clone
    for name, (text, _) in SPOILS.items():
        with (clone / name).open("a") as file:
            file.write(text)
    path = clone / "notebooks" / "01_play_tiles.ipynb"
    notebook = json.loads(path.read_text())
    next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")["execution_count"] = 3
    path.write_text(json.dumps(notebook))
    shipped = clone / "cogkit" / "tiles" / "shipped" / "manifests.json"
    content = json.loads(shipped.read_text())
    content["runs"][0]["commit"] = "0" * 40
    shipped.write_text(json.dumps(content))
    for command in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm a"):
        subprocess.run(["git", *command.split()], cwd=clone, check=True)
    return clone


def test_every_fault_is_named_in_one_pass_by_its_file(spoilt):
    done = subprocess.run([sys.executable, spoilt / ".ci" / "lint"], capture_output=True, text=True)
    assert done.returncode == 1 and not done.stderr
    for name, (_, words) in SPOILS.items():
        assert any(words in line for line in done.stdout.splitlines()), (name, words)
    for words in ("01_play_tiles.ipynb: code cell 0: keeps its output", "made by 0000", "would be reformatted"):
        assert words.lower() in done.stdout.lower(), words


def test_it_says_what_is_not_installed(clone, tmp_path):
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin") or sys.executable
    done = subprocess.run([python, "-S", clone / ".ci" / "lint"], capture_output=True, text=True)
    assert done.returncode == 1 and "pip install -e '.[lint]'" in done.stderr
