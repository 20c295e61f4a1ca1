"""Scenes as pictures for widgets: first a coarse one, then a sharp one. Each is drawn once and cached."""

from __future__ import annotations

from functools import lru_cache

from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.world.geometry import WIDTH
from cogkit.mewl.world.scenes import Scene
from cogkit.ui import files

_KEPT = 2048  # pictures of each kind; about 2 kB each


@lru_cache(maxsize=_KEPT)
def sharp(scene: Scene, quality: str = "browse", width: int = WIDTH) -> bytes:
    """Return a picture of a scene as a WebP file; earlier pictures come from the cache.

    Parameters and errors are those of `rendering.render`.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> sharp(Scene(EVERY[:1], ((0.0, 0.0),), (0.0,)), width=64)[:4]
    b'RIFF'
    """
    return rendering.webp(rendering.render(scene, quality, width))


@lru_cache(maxsize=_KEPT)
def coarse(scene: Scene, width: int = WIDTH) -> bytes:
    """Return a coarse picture of a scene as a WebP file, for a browser to enlarge: a tenth of the time of `sharp`."""
    return rendering.webp(rendering.coarse(scene, width))


def uri(picture: bytes) -> str:
    """Return a WebP file as an address that an ``img`` can show."""
    return files.uri(picture, "webp")
