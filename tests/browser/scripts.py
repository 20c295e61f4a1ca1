"""The longer pieces of JavaScript that tests run in a page, each in a file of its own in ``scripts``."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def script(name: str) -> str:
    """Return a piece of JavaScript by its name, mostly a function."""
    return Path(__file__).with_suffix("").joinpath(f"{name}.js").read_text(encoding="utf-8")
