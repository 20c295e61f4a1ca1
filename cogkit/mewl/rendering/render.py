"""Pictures of scenes, by an analytic ray tracer (Jiang et al. 2023, § 3.1).

Every pixel is traced once; those that differ from a neighbour, by what they show or by how light it is, are traced
again by several rays. See `tracing` for what a ray meets, `lighting` for lamps and ground, `materials` for surfaces.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PIL import Image

from cogkit.core.contracts import InputError
from cogkit.mewl.rendering import tracing
from cogkit.mewl.rendering.lighting import world
from cogkit.mewl.rendering.materials import encoded
from cogkit.mewl.world.geometry import HEIGHT, LENS, WIDTH, axes
from cogkit.mewl.world.scenes import Scene

NAME, VERSION = "cogkit analytic tracer", "1"  # the version goes up when any picture changes
SMALLEST, LARGEST = 32, 2048  # pixels of width
LIMIT = 10_000  # bytes of a picture in a widget, at the published size
_STEPS = (4, 2, 1)  # every so many pixels are traced, one step after another


@dataclass(frozen=True)
class Quality:
    """How finely a picture is drawn.

    Attributes
    ----------
    samples : int
        Rays through a pixel that differs from its neighbours; a square number.
    shadows : int
        Rays to a lamp that is partly hidden, from each point that a ray meets first.
    contrast : float
        Of bytes on the screen, from which difference on neighbours differ.
    """

    samples: int
    shadows: int
    contrast: float


QUALITIES = {"browse": Quality(4, 16, 8.0), "final": Quality(16, 32, 3.0)}


def render(scene: Scene, quality: str = "browse", width: int = WIDTH) -> np.ndarray:
    """Return a picture of a scene.

    Parameters
    ----------
    scene : Scene
    quality : str
        ``browse`` or ``final``: see `QUALITIES`.
    width : int
        Pixels, a multiple of 4 from 32 to 2048; the picture is three quarters as high.

    Returns
    -------
    (height, width, 3) uint8
        Red, green and blue of an sRGB screen; the same bytes whenever the same machine draws it.

    Raises
    ------
    InputError
        Another quality or width, or a scene whose places, turns or hand are not those of its things.

    Notes
    -----
    Differs from the paper: there Cycles draws meshes with 512 samples a pixel, on a ground whose shape is not told.
    Here bodies are exact, ground, dome and hand are our own, light between dull surfaces is answered by a formula, and
    glass reflects more than its index of refraction says, so that it shines; lamps, camera, and the other parameters of
    surfaces are the published ones.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> render(Scene(EVERY[:1], ((0.0, 0.0),), (0.0,)), width=64).shape
    (48, 64, 3)
    """
    *_, picture = _drawn(scene, quality, width, (1,))
    return picture


def progressive(scene: Scene, quality: str = "browse", width: int = WIDTH) -> Iterator[np.ndarray]:
    """Yield a picture of a scene four times: coarse at first, and as `render` returns it at last.

    Parameters and errors are those of `render`; the first takes a sixteenth of the rays that the third has taken.
    """
    return _drawn(scene, quality, width, _STEPS)


def png(picture: np.ndarray) -> bytes:
    """Return a picture (height, width, 3) uint8 as a PNG file, which loses nothing.

    Examples
    --------
    >>> png(np.zeros((48, 64, 3), np.uint8))[:4]
    b'\\x89PNG'
    """
    buffer = io.BytesIO()
    _image(picture).save(buffer, "PNG")
    return buffer.getvalue()


def webp(picture: np.ndarray) -> bytes:
    """Return a picture (height, width, 3) uint8 as a WebP file for a widget, of `LIMIT` bytes at the published size.

    A larger picture may take as many more as it has more pixels; where even the lowest quality takes more, it is given.

    Examples
    --------
    >>> webp(np.zeros((48, 64, 3), np.uint8))[:4]
    b'RIFF'
    """
    image, most = _image(picture), LIMIT * max(1.0, picture.shape[0] * picture.shape[1] / (WIDTH * HEIGHT))
    for quality in (90, 80, 65, 45, 20):
        buffer = io.BytesIO()
        image.save(buffer, "WEBP", quality=quality, method=4)
        if buffer.tell() <= most:
            break
    return buffer.getvalue()


def _image(picture: np.ndarray) -> Image.Image:
    picture = np.asarray(picture)
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8 or 0 in picture.shape:
        raise InputError(f"{picture.shape} {picture.dtype}", "a picture (height, width, 3) uint8", "make it by render")
    return Image.fromarray(picture)


def _drawn(scene: Scene, quality: str, width: int, steps: tuple[int, ...]) -> Iterator[np.ndarray]:
    """Return an iterator of pictures, having looked at the input first."""
    check(scene, quality, width)
    return _pictures(scene, QUALITIES[quality], int(width), steps)


def check(scene: Scene, quality: str = "browse", width: int = WIDTH) -> None:
    """Raise `InputError` where `render` would: at a quality or a width there is not, or a scene that is not whole."""
    if quality not in QUALITIES:
        raise InputError(f"quality {quality!r}", f"one of {', '.join(QUALITIES)}")
    if not isinstance(width, int | np.integer) or not SMALLEST <= width <= LARGEST or width % 4:
        raise InputError(f"width {width!r}", f"a multiple of 4 from {SMALLEST} to {LARGEST} pixels")
    _whole(scene)


def _whole(scene: Scene) -> None:
    """Raise InputError where a scene cannot be drawn."""
    n = len(scene.things)
    if not n == len(scene.places) == len(scene.turns):
        got = f"{n} things, {len(scene.places)} places and {len(scene.turns)} turns"
        raise InputError(got, "a scene with a place and a turn for every thing")
    if scene.hand is not None and (scene.target is None or not 0 <= scene.target < n):
        raise InputError(f"target {scene.target}", f"the number of a thing, 0 to {n - 1}, for the hand to point at")
    numbers = [*scene.camera, *(scene.hand or ()), *scene.turns]
    numbers += [number for part in (*scene.places, *scene.lamps) for number in part]
    if not all(map(math.isfinite, numbers)):
        raise InputError("a number that is not finite", "places, turns, camera and lamps of a scene that are finite")
    x, y, z = scene.camera
    if z <= 0 or math.hypot(x, y) < 1e-6:
        raise InputError(f"camera at {scene.camera}", "a camera above the ground and not right above its middle")


def _pictures(scene: Scene, how: Quality, width: int, steps: tuple[int, ...]) -> Iterator[np.ndarray]:
    height, done = width * HEIGHT // WIDTH, 0
    arguments = world(scene), np.array(scene.camera, float), axes(scene.camera), LENS * width
    light, ids = np.zeros((height, width, 3)), np.full((height, width), np.int16(-1))
    for step in steps:
        tracing.once(*arguments, light, ids, how.shadows, step, done)
        done = step
        coarse = np.repeat(np.repeat(encoded(light[::step, ::step]), step, axis=0), step, axis=1)
        yield coarse[:height]
    tracing.again(*arguments, light, ids, edges(coarse, ids, how.contrast), how.shadows, how.samples)
    yield encoded(light)


def edges(picture: np.ndarray, seen: np.ndarray, contrast: float) -> np.ndarray:
    """Return which pixels show something else than one of their four neighbours, or differ by more: (h, w) bool."""
    mask, picture = np.zeros(seen.shape, bool), picture.astype(np.int16)
    for axis in (0, 1):
        changes = np.diff(seen, axis=axis) != 0
        changes |= np.abs(np.diff(picture, axis=axis)).max(axis=-1) > contrast
        for part in (slice(None, -1), slice(1, None)):
            mask[(part, slice(None)) if axis == 0 else (slice(None), part)] |= changes
    return mask
