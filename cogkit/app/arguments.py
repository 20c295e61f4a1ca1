"""Arguments of commands: a parser that says what is wrong in one sentence, and kinds of values that it takes."""

from __future__ import annotations

import argparse
import math
import os
import re
import stat
from collections.abc import Callable, Iterable
from functools import partial
from typing import NoReturn

from cogkit.core.errors import MOST, InputError, one_line

LIMITS = {  # of whole numbers
    "seed": (0, 2**63 - 1), "seeds": (1, 10**6), "jobs": (1, 1024), "port": (1, 65535), "n": (1, 10**6),
    "tokens": (1, 10**6), "forms": (1, 1000),
}  # fmt: skip


def whole(name: str, text: str) -> int:
    """Return a whole number within the limits of its option."""
    least, most = LIMITS.get(name, (1, 10**12))
    if not re.fullmatch(r"[0-9]{1,19}", text) or not least <= int(text) <= most:
        raise refused(InputError(repr(text), f"a whole number, {least} to {most:,}"))
    return int(text)


def positive(text: str) -> float:
    """Return a number of 0 or more."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise refused(InputError(repr(text), "a number, 0 or more"))
    return number


def folder(text: str) -> str:
    """Return the name of a folder that there is, or may come to be."""
    try:
        if not text or not stat.S_ISDIR(os.stat(text).st_mode):
            raise refused(InputError(f"the file {text}" if text else "none", "the name of a folder"))
    except FileNotFoundError:
        pass
    except OSError as error:  # a name that is too long, or that leads through a file
        raise refused(unusable(error)) from None
    return text


def unusable(error: OSError) -> InputError:
    """Return what is wrong with a folder that the reader named."""
    return InputError(f"{error.filename} ({error.strerror})", "a folder that can be used", "choose another one")


def refused(error: InputError) -> argparse.ArgumentTypeError:
    """Return an error as argparse reports it."""
    return argparse.ArgumentTypeError(str(error))


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one sentence; ``prepare(parser, arguments)`` may add to it on use."""

    prepare: Callable[[argparse.ArgumentParser, list[str]], None] | None = None

    def error(self, message: str) -> NoReturn:
        help_text = f"; see {self.prog} --help"
        self.exit(2, f"{one_line(f'{self.prog}: {message}', MOST - len(help_text))}{help_text}\n")

    def parse_known_args(self, args=None, namespace=None):
        if self.prepare:
            self.prepare(self, list(args or ()))
        options, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unknown: {' '.join(rest)}")
        return options, rest


PRESET = "how much: quick, lab or paper (default {})"
PROFILE = "which rules: verified or as_published"
NUMBER = {name: partial(whole, name) for name in LIMITS}
"""The type of each whole number, for ``add_argument``."""


def report(sentences: Iterable[str]) -> int:
    """Print each sentence; return 1 if there was one."""
    sentences = list(sentences)
    print(*sentences, sep="\n", end="\n" if sentences else "")
    return int(bool(sentences))
