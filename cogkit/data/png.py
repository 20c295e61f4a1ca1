"""PNG files: packed from pixels, and unpacked only if they are complete and have the right size."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
from PIL import Image

from cogkit.core.errors import InputError


def pack(pixels: np.ndarray) -> bytes:
    """Return a picture as a PNG file: grey (height, width) or colour (height, width, 3), uint8.

    Examples
    --------
    >>> pack(np.zeros((2, 3), np.uint8))[1:4]
    b'PNG'
    """
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


def unpack(content: bytes, mode: str, fits: Callable[[int, int], bool], wanted: str) -> np.ndarray:
    """Return the pixels of a PNG file, uint8, after checking every checksum in it.

    ``mode`` is ``L`` for grey pixels, (height, width), or ``RGB`` for (height, width, 3). ``fits(width, height) ->
    bool`` is called before a pixel is unpacked; ``wanted`` says the size in an error.

    Raises
    ------
    InputError
        The content is no complete PNG file, or has another size.

    Examples
    --------
    >>> unpack(b"none", "L", lambda width, height: True, "any picture")
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted a whole PNG file, got 4 bytes that are none (cannot identify image file)
    """
    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
            width, height = image.size
            image.verify()  # before a pixel is unpacked: a broken or false header stops here
        if fits(width, height):
            with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
                return np.asarray(image.convert(mode))
    except Exception as error:  # Pillow raises many kinds of error
        reason = str(error).partition("\n")[0].partition(" <")[0]
        raise InputError(f"{len(content)} bytes that are none ({reason})", "a whole PNG file") from None
    raise InputError(f"{width}×{height} pixels", wanted)
