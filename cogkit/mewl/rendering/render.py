"""Pictures of scenes, by an analytic ray tracer (Jiang et al. 2023, § 3.1).

One ray traces each pixel. Several more rays trace each pixel that differs from a neighbour in its thing or its
lightness. See `tracing` for rays, `lighting` for lamps and ground, `materials` for surfaces.
"""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image

from cogkit.core.errors import InputError
from cogkit.core.presets import choose
from cogkit.data.png import pack
from cogkit.mewl.rendering import tracing
from cogkit.mewl.rendering.lighting import world
from cogkit.mewl.rendering.materials import encoded
from cogkit.mewl.world.geometry import HEIGHT, WIDTH, view_of
from cogkit.mewl.world.scenes import Scene

NAME, VERSION = "cogkit analytic tracer", "1"  # the version goes up when any picture changes
SMALLEST, LARGEST = 32, 2048  # pixels of width
LIMIT = 10_000  # bytes of a picture in a widget, at the published size
_STEP = 4  # distance between the pixels of a coarse picture


@dataclass(frozen=True)
class Quality:
    """How finely the tracer draws a picture.

    Attributes
    ----------
    samples : int
        Rays through a pixel that differs from its neighbours; a square number.
    shadows : int
        Rays to a partly hidden lamp, from the first point that a ray meets.
    contrast : float
        Neighbours differ if their screen bytes differ by more than this.
    """

    samples: int
    shadows: int
    contrast: float


QUALITIES = {"browse": Quality(4, 16, 8.0), "final": Quality(16, 32, 3.0)}


def render(scene: Scene, quality: str = "browse", width: int = WIDTH) -> np.ndarray:
    """Return a picture of a scene, (height, width, 3) uint8: red, green and blue of an sRGB screen.

    The same machine always draws the same bytes. ``quality`` is ``browse`` or ``final``: see `QUALITIES`. ``width`` is
    a multiple of 4 from 32 to 2048; the picture is three quarters as high. Raises `InputError` for another quality or
    width.

    Notes
    -----
    Differs from the paper: there Cycles draws meshes with 512 samples a pixel, on a ground whose shape is unknown.
    Here bodies are exact; ground, dome and hand are our own; a formula gives the light between dull surfaces; and glass
    reflects more than its index of refraction says, so that it shines. Lamps, camera, and the other parameters of
    surfaces are the published ones.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> render(Scene(EVERY[:1], ((0.0, 0.0),), (0.0,)), width=64).shape
    (48, 64, 3)
    """
    check(quality, width)
    how = QUALITIES[quality]
    light, ids, arguments = _traced(scene, how, int(width))
    tracing.trace(*arguments, edges(encoded(light), ids, how.contrast), how.shadows, how.samples)
    return encoded(light)


def coarse(scene: Scene, width: int = WIDTH) -> np.ndarray:
    """Return every fourth pixel of a picture in both directions, for a sixteenth of the rays and without smooth edges.

    ``width`` is that of the whole picture, as for `render`.
    """
    light, _, _ = _traced(scene, QUALITIES["browse"], width, _STEP)
    return encoded(light[::_STEP, ::_STEP])


def png(picture: np.ndarray) -> bytes:
    """Return a picture (height, width, 3) uint8 as a lossless PNG file.

    Examples
    --------
    >>> png(np.zeros((48, 64, 3), np.uint8))[:4]
    b'\\x89PNG'
    """
    return pack(picture)


def webp(picture: np.ndarray) -> bytes:
    """Return a picture (height, width, 3) uint8 as a WebP file, of at most `LIMIT` bytes at the published size.

    The limit grows with the number of pixels. If even the lowest quality exceeds it, the function returns that one.

    Examples
    --------
    >>> webp(np.zeros((48, 64, 3), np.uint8))[:4]
    b'RIFF'
    """
    image, most = (
        Image.fromarray(picture),
        LIMIT * max(1.0, picture.shape[0] * picture.shape[1] / (WIDTH * HEIGHT)),
    )
    for quality in (90, 80, 65, 45, 20):
        buffer = io.BytesIO()
        image.save(buffer, "WEBP", quality=quality, method=4)
        if buffer.tell() <= most:
            break
    return buffer.getvalue()


def check(quality: str, width: int) -> None:
    """Raise `InputError` as `render` would, for an unknown quality or a wrong width."""
    choose(quality, QUALITIES, "quality")
    if not isinstance(width, int | np.integer) or not SMALLEST <= width <= LARGEST or width % 4:
        raise InputError(f"width {width!r}", f"a multiple of 4 from {SMALLEST} to {LARGEST} pixels")


def _traced(scene: Scene, how: Quality, width: int, step: int = 1) -> tuple[np.ndarray, np.ndarray, tuple]:
    """Return the light of every pixel, or of some, by one ray each; what each meets; and what `tracing.trace` gets."""
    light = np.zeros((width * HEIGHT // WIDTH, width, 3))
    ids = np.full(light.shape[:2], np.int16(-1))
    wanted, arguments = np.zeros(ids.shape, bool), (world(scene), view_of(scene, width), light, ids)
    wanted[::step, ::step] = True
    tracing.trace(*arguments, wanted, how.shadows, 1)
    return light, ids, arguments


def edges(picture: np.ndarray, seen: np.ndarray, contrast: float) -> np.ndarray:
    """Return which pixels differ from one of their four neighbours in their thing or by ``contrast``: (h, w) bool."""
    mask, picture = np.zeros(seen.shape, bool), picture.astype(np.int16)
    for axis in (0, 1):
        changes = np.diff(seen, axis=axis) != 0
        changes |= np.abs(np.diff(picture, axis=axis)).max(axis=-1) > contrast
        for part in (slice(None, -1), slice(1, None)):
            mask[(part, slice(None)) if axis == 0 else (slice(None), part)] |= changes
    return mask
