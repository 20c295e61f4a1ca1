"""Pictures of somebody else's, unpacked only when they are whole and of the size wanted."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
from PIL import Image

from cogkit.core.contracts import InputError


def unpacked(content: bytes, mode: str, fits: Callable[[int, int], bool], wanted: str) -> np.ndarray:
    """Return the pixels of a PNG file, uint8; every checksum in it is checked.

    Parameters
    ----------
    content : bytes
    mode : str
        ``L`` for grey pixels, (height, width), or ``RGB`` for (height, width, 3).
    fits : callable
        ``fits(width, height) -> bool``, asked before a pixel is unpacked.
    wanted : str
        What an error says of a size that does not fit.

    Raises
    ------
    InputError
        No whole PNG file, or another size.

    Examples
    --------
    >>> unpacked(b"none", "L", lambda width, height: True, "any picture")
    Traceback (most recent call last):
    cogkit.core.contracts.InputError: wanted a whole PNG file, got 4 bytes that are none (cannot identify image file)
    """
    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
            width, height = image.size
            image.verify()  # before a pixel is unpacked: a broken or a false header goes no further
        if fits(width, height):
            with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
                return np.asarray(image.convert(mode))
    except Exception as error:  # Pillow lets many kinds of error through
        reason = str(error).partition("\n")[0].partition(" <")[0]
        raise InputError(f"{len(content)} bytes that are none ({reason})", "a whole PNG file") from None
    raise InputError(f"{width}×{height} pixels", wanted)
