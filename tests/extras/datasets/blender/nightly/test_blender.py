"""Blender's process: whole pictures or none, whatever that process does. Blender itself only where it is named.

Tests that draw by Blender itself are collected where COGKIT_BLENDER names a Python that has it.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from PIL import Image

from cogkit.core.errors import InputError
from cogkit.extras.datasets.blender import blender
from cogkit.extras.datasets.blender.blender import BlenderConfig
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import Thing

SMALL = BlenderConfig(samples=1, width=64)
BALL = Thing("sphere", "red", "rubber", "large")
SCENES = [Scene((BALL,), ((0.5 * k, 0.0),), (0.0,)) for k in range(3)]
# What a process does that is called as Blender's Python is: -P, the program, and a file; the job is its input.
START = f"""#!{sys.executable}
import json, os, sys, time
from pathlib import Path
from PIL import Image
path, job, home = Path(sys.argv[3]), json.load(sys.stdin), Path(__file__).parent
(home / "pid").write_text(str(os.getpid()))
turn = len(list(home.glob("turn*")))
(home / ("turn" + str(turn))).touch()
def draw(shade, size=(job["width"], job["height"])):
    print("Saved: something")
    Image.new("RGB", size, (shade, 0, 0)).save(path)
"""
WELL = "draw(10 * turn)"
HALF = "if turn:\n    path.write_bytes(b'half')\n    time.sleep(600)\ndraw(7)"


@pytest.fixture
def process(tmp_path):
    """A function that makes a program of some lines, to be called in place of a Python that has Blender."""

    def made(lines: str, name: str = "python") -> str:
        path = tmp_path / name
        path.write_text(START + textwrap.dedent(lines))
        path.chmod(0o755)
        return str(path)

    return made


def gone(folder) -> bool:
    """Return whether the process has ended: by its number, or before it could write that down."""
    try:
        os.kill(int((folder / "pid").read_text()), 0)
    except (ProcessLookupError, FileNotFoundError):
        return True
    return False


def drawn(folder) -> dict[str, int]:
    """Return the red of every picture in a folder, which must hold nothing else and nothing half."""
    colours = {}
    for path in folder.iterdir():
        with Image.open(path) as image:
            colours[path.name] = image.convert("RGB").getpixel((0, 0))[0]
    return colours


def names() -> list[str]:
    return [blender.file_name(scene, SMALL) for scene in SCENES]


def test_a_missing_blender_is_one_sentence_that_says_how_to_mend_it(tmp_path, monkeypatch, process):
    monkeypatch.setenv(blender.VARIABLE, str(tmp_path / "python"))
    with pytest.raises(InputError, match="pip install bpy==5.0.1"):
        next(blender.draw(SCENES, tmp_path / "out", SMALL))
    bare = process(f"os.execv({sys.executable!r}, [{sys.executable!r}, '-S', *sys.argv[1:]])")  # no packages at all
    with pytest.raises(InputError, match=r"No module named 'bpy'.*ended with 1.*pip install bpy==5.0.1"):
        next(blender.draw(SCENES, tmp_path / "out", SMALL))
    assert blender.interpreter() == bare and not (tmp_path / "out").exists()


def test_pictures_are_drawn_once(tmp_path, process):
    python, out = process(WELL), tmp_path / "out"
    reports = list(blender.draw(SCENES[:2], out, SMALL, python))
    assert [(report.step, report.total) for report in reports] == [(1, 2), (2, 2)]
    (report,) = blender.draw(SCENES, out, SMALL, python)
    assert (report.step, report.total) == (3, 3) and drawn(out) == dict(zip(names(), (0, 10, 20), strict=True))
    assert list(blender.draw(SCENES, out, SMALL, "/nowhere/python")) == []
    assert blender.read(out / names()[1], SMALL).shape == (48, 64, 3)


FAILING = {  # after the first picture: what a process does, and the words about it
    "dies": ("sys.exit('\\nno memory left\\n')", r"no memory left .*ended with 1\)"),
    "is killed": ("os.kill(os.getpid(), 9)", r"nothing said .*ended with -9\)"),
    "no file": ("sys.exit()", "No such file"),
    "another size": ("draw(7, (8, 8))", "64 × 48 by Blender, got 8×8"),
    "garbage": ("path.write_bytes(b'none')", "cannot identify"),
    "cut short": ("draw(7)\n    path.write_bytes(path.read_bytes()[:60])", "a whole PNG file"),
    "takes too long": ("time.sleep(600)", "none from .* in 3 s.*more patience"),
}


@pytest.mark.parametrize(("lines", "message"), FAILING.values(), ids=FAILING)
def test_a_process_that_fails_leaves_whole_pictures_only(tmp_path, process, lines, message):
    python, out = process(f"if turn:\n    {lines}\nelse:\n    draw(7)"), tmp_path / "out"
    with pytest.raises(InputError, match=message):
        list(blender.draw(SCENES, out, replace(SMALL, patience=3) if "sleep" in lines else SMALL, python))
    assert drawn(out) == {names()[0]: 7} and gone(tmp_path)


def test_an_interrupt_in_the_middle_leaves_whole_pictures_only(tmp_path, process):
    code = f"""
        import pickle
        from cogkit.extras.datasets.blender import blender
        scenes, config = pickle.loads({pickle.dumps((SCENES, SMALL))!r})
        list(blender.draw(scenes, {str(tmp_path / "out")!r}, config, {process(HALF)!r}))
    """
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stderr=subprocess.DEVNULL) as parent:
        while not (tmp_path / "turn1").exists():
            time.sleep(0.05)
        parent.send_signal(signal.SIGINT)
    assert parent.returncode != 0 and gone(tmp_path) and drawn(tmp_path / "out") == {names()[0]: 7}


if os.environ.get(blender.VARIABLE):

    @pytest.mark.timeout(1800)
    def test_blender_draws_things_where_geometry_has_them(tmp_path):
        kinds = product(("cube", "sphere", "cylinder"), ("large", "small"))
        red = tuple(Thing(shape, "red", "rubber", size) for shape, size in kinds)
        places = ((-2.0, -2.0), (2.5, 2.5), (0.2, 0.2), (2.5, -1.0), (-1.0, 2.5), (0.5, -2.4))
        six = Scene(red, places, (0.1, 0.2, 0.3, 0.4, 0.5, 0.6), (7.7, -6.1, 5.6))
        corners = ((-1.5, -2.0), (-1.0, 1.5), (2.0, 1.5))
        pointed = Scene(red[:3], corners, (0.1, 0.2, 0.3), hand=(2.0, -2.0), target=1)
        config = BlenderConfig(samples=4, seed=3, patience=1500)
        assert len(list(blender.draw([six, pointed], tmp_path, config))) == 2
        for scene in (six, pointed):
            picture = blender.read(tmp_path / blender.file_name(scene, config), config).astype(int)
            coloured = 1 - picture.min(axis=2) / np.maximum(picture.max(axis=2), 1) > 0.3
            ids = geometry.id_map(scene)
            n = len(scene.things) + (scene.hand is not None)
            for number, (left, top, right, bottom) in enumerate(geometry.boxes(ids, n)):
                body = ids == number
                near = np.zeros_like(body)
                near[max(top - 3, 0) : bottom + 3, max(left - 3, 0) : right + 3] = True
                theirs = coloured & near & (body | (ids == geometry.NOTHING))
                middles = np.array([np.mean(np.nonzero(mask), axis=1) for mask in (body, theirs)])
                assert np.abs(middles[0] - middles[1]).max() < 0.5, (number, middles)
                assert abs(theirs.sum() / body.sum() - 1) < 0.1 and (body & theirs).sum() > 0.93 * body.sum()

else:
    warnings.warn(f"no picture is drawn by Blender: {blender.VARIABLE} names no Python that has bpy", stacklevel=1)
