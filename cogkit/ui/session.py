"""Shared code of widgets that take answers: a place for unsaved answers, and response times."""

from __future__ import annotations

import math
import tempfile
import time
from pathlib import Path

from cogkit.study.trials import Trials


def unsaved() -> tuple[tempfile.TemporaryDirectory, Trials]:
    """Return a temporary folder and a trials database in it; the folder is deleted with its Python object."""
    folder = tempfile.TemporaryDirectory()
    return folder, Trials(Path(folder.name) / "trials.sqlite")


def seconds(rt_s, since: float) -> float:
    """Return a browser's response time if it is valid, else Python's time since ``since``; rounded to 0.1 ms.

    Examples
    --------
    >>> seconds(1.23456, since=0.0), seconds(-1, since=time.monotonic()) < 1
    (1.2346, True)
    """
    if not (isinstance(rt_s, int | float) and math.isfinite(rt_s) and rt_s >= 0):
        rt_s = time.monotonic() - since
    return round(float(rt_s), 4)
