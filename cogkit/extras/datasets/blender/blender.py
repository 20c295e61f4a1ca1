"""Pictures of scenes by Blender's path tracer, in a process of its own (Jiang et al. 2023, § 3.1).

Blender comes as a module, ``bpy``, for one version of Python. A Python that has it runs `blender_script`, which reads a
scene from its input: bodies, surfaces, lamps and ground as the analytic tracer has them (`lighting.world`).
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cogkit.core.errors import InputError
from cogkit.core.records import Progress
from cogkit.data import readers
from cogkit.data.files import write_whole
from cogkit.data.png import unpack
from cogkit.mewl.rendering import lighting
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.rendering.lighting import GLASS, METAL, RUBBER
from cogkit.mewl.world.geometry import HEIGHT, LENS, WIDTH
from cogkit.mewl.world.scenes import Scene

NAME, VERSION = "Blender Cycles", "1"  # the version goes up when any picture of `blender_script` changes
VARIABLE = "COGKIT_BLENDER"
PROGRAM = Path(__file__).with_name("blender_script.py")
MEND = f"pip install bpy==5.0.1 numpy into a Python 3.11, and let {VARIABLE} name that Python"
_MATERIALS = {RUBBER: "rubber", METAL: "metal", GLASS: "glass"}
_LONGEST = 300  # characters of a program's last message


@dataclass(frozen=True)
class BlenderConfig:
    """How Blender draws.

    Attributes
    ----------
    samples : int
        Paths through each pixel, before a denoiser removes the remaining noise.
    width : int
        Pixels, a multiple of 4 from 32 to 2048; a picture is three quarters as high.
    seed : int
        Seed of the paths.
    threads : int
        Threads that Blender uses.
    patience : float
        Most seconds for a picture, including the start of the process; after that the process is stopped.
    """

    samples: int = 32
    width: int = WIDTH
    seed: int = 0
    threads: int = 1
    patience: float = 900.0

    def __post_init__(self) -> None:
        is_drawn = 1 <= self.samples <= 4096 and self.threads >= 1 and self.seed >= 0 and self.patience > 0
        if not (is_drawn and rendering.SMALLEST <= self.width <= rendering.LARGEST and self.width % 4 == 0):
            widths = f"a width of {rendering.SMALLEST} to {rendering.LARGEST} in steps of 4"
            raise InputError(f"{self}", f"1 to 4096 samples, {widths}, a seed from 0, a thread, and some patience")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a picture."""
        return self.width, self.width * HEIGHT // WIDTH


def interpreter(python=None) -> str:
    """Return the Python that draws: ``python``, or the one in ``COGKIT_BLENDER``, or this one.

    Examples
    --------
    >>> interpreter(sys.executable) == sys.executable
    True
    """
    return str(python or os.environ.get(VARIABLE) or sys.executable)


def description(scene: Scene) -> dict[str, Any]:
    """Return the description of a scene that Blender reads, in types that JSON keeps.

    ``camera``: its place. ``things``: the bodies (rows of `solids`), material, and colour as shares of light of each
    thing; a hand comes last. ``lamps``: the place and direction of each, the side of its square (0 for the sun, which
    has an angle instead), and radiance times area (for the sun, the light on a surface).

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> described = description(Scene(EVERY[:1], ((0.0, 0.0),), (0.0,)))
    >>> described["things"][0]["material"], len(described["lamps"])
    ('rubber', 4)
    """
    rows, _, groups, looks, (*squares, sun) = lighting.world(scene)
    things = [
        {
            "bodies": rows[int(group[4]) : int(group[5])].tolist(), "material": _MATERIALS[int(look[0])],
            "colour": look[1:4].tolist(),
        } for group, look in zip(groups, looks, strict=True)
    ]  # fmt: skip
    lamps = [
        {
            "at": row[:3].tolist(), "toward": row[9:12].tolist(), "side": float(np.sqrt(row[15])), "angle": 0.0,
            "power": row[12:15].tolist(),
        } for row in squares
    ]  # fmt: skip
    distance = float(np.linalg.norm(sun[:3]))
    angle, power = 2 * float(np.sqrt(sun[15] / np.pi)) / distance, (sun[12:15] / distance**2).tolist()
    lamps.append({"at": [0.0, 0.0, 9.0], "toward": sun[9:12].tolist(), "side": 0.0, "angle": angle, "power": power})
    return {"camera": list(map(float, scene.camera)), "things": things, "lamps": lamps}


def job(scene: Scene, config: BlenderConfig) -> dict[str, Any]:
    """Return the job for the program: a scene in the form of `description`, and how to draw it."""
    width, height = config.size
    return description(scene) | {
        "width": width, "height": height, "lens": LENS, "samples": config.samples, "seed": config.seed,
        "threads": config.threads, "dome": list(lighting.DOME),
        "ground": {
            "behind": list(lighting.BEHIND), "bend": lighting.BEND, "bow": lighting.BOW, "height": -lighting.LIFT,
            "share": lighting.FLOOR,
        },
    }  # fmt: skip


def file_name(scene: Scene, config: BlenderConfig) -> str:
    """Return the name of a picture's file: a hash (16 hex digits) of everything that the picture depends on.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> len(file_name(Scene(EVERY[:1], ((0.0, 0.0),), (0.0,)), BlenderConfig()))
    20
    """
    fields = {name: value for name, value in asdict(config).items() if name not in ("threads", "patience")}
    picture = description(scene) | {"window": None}  # as version 1.0 has it, which could draw a part
    canonical = json.dumps([VERSION, fields, picture], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16] + ".png"


def draw(scenes: Sequence[Scene], folder, config: BlenderConfig = BlenderConfig(), python=None) -> Iterator[Progress]:
    """Draw scenes into a folder, each by a Blender process, and yield after each; skip pictures that exist already.

    Each scene gets a PNG in ``folder``, with the name of `file_name`, written whole or not at all. Missing folders are
    created. ``python`` is as in `interpreter`. Raises `InputError` if no Python has Blender, or its process fails,
    takes too long or draws no picture; the message quotes its last words. Earlier pictures stay.

    Notes
    -----
    Differs from the paper: 32 samples and a denoiser instead of 512 and none; ground, dome and hand are our own, and
    edges are rounded by less than a pixel. Blender is 5.0 in place of 3.3.
    """
    folder, start = Path(folder), time.perf_counter()
    pictures = {file_name(scene, config): scene for scene in scenes}
    missing = {name: scene for name, scene in pictures.items() if not (folder / name).exists()}
    done = len(pictures) - len(missing)
    for count, (name, scene) in enumerate(missing.items(), 1):
        picture = _drawn(scene, config, interpreter(python))
        write_whole(folder / name, rendering.png(picture))  # without the date that Blender writes
        yield Progress(done + count, len(pictures), {"seconds": (time.perf_counter() - start) / count})


def read(path, config: BlenderConfig) -> np.ndarray:
    """Return the picture of a file, (height, width, 3) uint8; raise `InputError` if it has another size."""
    size, wanted = config.size, "a picture of {} × {} by Blender".format(*config.size)
    return unpack(readers.content(path, wanted=wanted), "RGB", lambda *actual: actual == size, wanted)


def _drawn(scene: Scene, config: BlenderConfig, python: str) -> np.ndarray:
    """Return the picture of a scene from one run of the program."""
    with tempfile.TemporaryDirectory(prefix="cogkit-") as scratch:
        path, fix = Path(scratch) / "picture.png", MEND
        try:
            process = subprocess.run(
                [python, "-P", str(PROGRAM), str(path)], input=json.dumps(job(scene, config)), capture_output=True,
                timeout=config.patience, encoding="utf-8", errors="replace",
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            got, fix = f"none from {python} in {config.patience:g} s", "give it more patience or fewer samples"
        except OSError as error:
            got = f"{python} ({error.strerror})"
        else:
            if not process.returncode:
                return read(path, config)
            last = [*filter(str.strip, process.stderr.splitlines())] or ["nothing said"]
            got = f"{last[-1].strip()[:_LONGEST]} ({python}, ended with {process.returncode})"
        raise InputError(got, "a picture by Blender", fix)
