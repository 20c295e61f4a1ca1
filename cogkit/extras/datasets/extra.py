"""What this extra adds: ``cogkit make`` and ``cogkit audit``."""

from __future__ import annotations

import argparse
import inspect
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from cogkit.app.arguments import Parser, folder, report, whole
from cogkit.core import registry
from cogkit.core.errors import InputError, some
from cogkit.core.instruments import Command, Extra
from cogkit.core.presets import choose

_HEAD = ("split", "rung", "train", "val", "test", "copies", "best floor", "floor", "bound", "family ideal")
_LINE = "{:<44} {:<13} {:>6} {:>4} {:>6} {:>6}  {:<28} {:>5} {:>5}  {:>12}"


def make(options: argparse.Namespace) -> int:
    """Write a dataset and return 0."""
    from cogkit.extras.datasets.dataset import datasets  # brings all instruments, as below

    every = datasets()
    maker = every[choose(options.name, every, "dataset")].make
    arguments = {name: value for name in _own(maker) if (value := getattr(options, name)) is not None}
    for path in maker(Path(options.out), **arguments):
        print(path)
    return 0


def _memory(options: argparse.Namespace) -> int:
    """Print a line for each split, with its best floor of memory; return 1 if a floor is above its bound, else 0."""
    if options.dir is not None:
        raise InputError(f"{options.dir} and --memory", "a folder or --memory", "run the two one after the other")
    every = {name: each for name in registry.names() if (each := registry.instrument(name)).splits()}
    chosen = every if not options.memory else [choose(options.memory, every, "instrument with splits")]
    high = []
    for name in chosen:
        print(f"{name}\n{_LINE.format(*_HEAD)}")
        for split in every[name].splits():
            row = every[name].memory(split)
            print(_LINE.format(*(f"{row[key]:.2f}" if isinstance(row[key], float) else row[key] for key in _HEAD)))
            if row["floor"] > row["bound"]:
                high.append(
                    f"{split}: {row['best floor']} gets {row['floor']:.2f}, and at most {row['bound']} is stated"
                )
    return report(high)


def _own(maker: Callable) -> dict[str, inspect.Parameter]:
    """Return the options of a dataset: the keyword arguments of its maker."""
    return {name: each for name, each in inspect.signature(maker).parameters.items() if each.kind is each.KEYWORD_ONLY}


def audit(options: argparse.Namespace) -> int:
    """Check a dataset; print each finding, or that there is none; return 1 or 0. Other folders are bad input."""
    if options.memory is not None:
        return _memory(options)
    if options.dir is None:
        raise InputError("no folder", "the folder of a dataset, or --memory")
    from cogkit.extras.datasets.dataset import datasets

    folder = Path(options.dir)
    os.listdir(folder)  # a folder that cannot be read looks like no dataset
    every = datasets()
    for name, dataset in every.items():
        if dataset.looks_like(folder):
            status = report(map(str, dataset.audit(folder)))
            if not status:
                print(f"{options.dir}: data of {name}, every check passed")
            return status
    raise InputError(f"{options.dir}, which looks like none", f"a dataset ({some(sorted(every))})")


def _offer(parser: argparse.ArgumentParser, arguments: list[str]) -> None:
    """Give the parser of ``make`` the options of the dataset that it is asked for."""
    from cogkit.extras.datasets.dataset import datasets

    every = datasets()
    pairs = zip(["", *arguments], arguments, strict=False)
    free = [text for before, text in pairs if before != "--out" and not text.startswith("-")]
    name = next((text for text in free if text in every), None)
    if free and name is None:
        choose(free[0], every, "dataset")
    about = f"dataset: {some(every, last=' or ')}"
    parser.add_argument("name", metavar="NAME", help=argparse.SUPPRESS if name else about)
    parser.add_argument("--out", required=True, type=folder, metavar="DIR", help="folder to write")
    if name is None:
        parser.epilog = "cogkit make NAME --help shows the options of a dataset."
        return
    parser.prog = f"{parser.prog} {name}"
    dataset = every[name]
    for option, parameter in _own(dataset.make).items():
        text = dataset.options.get(option, "")
        if parameter.default is not None and parameter.default is not False:
            text = f"{text} (default {parameter.default})"
        flags = [f"--{option.replace('_', '-')}"] + ["--problems"] * (option == "n")
        if str(parameter.annotation) == "bool":
            parser.add_argument(*flags, action="store_true", default=None, help=text)
        elif "int" in str(parameter.annotation):
            parser.add_argument(*flags, type=partial(whole, option), metavar="N", help=text)
        else:
            parser.add_argument(*flags, help=text)


def _make(parser: Parser) -> None:
    parser.prepare = _offer


def _audit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dir", type=folder, metavar="DIR", nargs="?")
    text = "what memory of the training items gets on each split of INSTRUMENT, or of all"
    parser.add_argument("--memory", metavar="INSTRUMENT", nargs="?", const="", help=text)


def warm() -> None:
    """Compile and keep the loops that audit pictures."""
    from cogkit.extras.datasets.mewl import image_audit  # brings scenes
    from cogkit.mewl.rendering import render
    from cogkit.mewl.world.scenes import Scene
    from cogkit.mewl.world.things import EVERY

    scene = Scene(EVERY[:1], ((0.0, 0.0),), (0.0,))
    image_audit.Sight(render.render(scene), scene)


EXTRA = Extra(
    "datasets",
    (
        Command("make", "write a dataset in its published layout", make, _make),
        Command("audit", "check a dataset, or the floors of memory: exit 0 clean, 1 findings", audit, _audit),
    ),
    warm=warm,
)
