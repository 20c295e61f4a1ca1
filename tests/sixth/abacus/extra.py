"""What this extra adds: ``cogkit abacus``."""

from __future__ import annotations

from cogkit.core.instruments import Command, Extra


def beads(options) -> int:
    """Print as many beads as were asked for, and return 0."""
    print("o" * options.n)
    return 0


EXTRA = Extra("abacus", (Command("abacus", "print beads", beads, lambda parser: parser.add_argument("n", type=int)),))
