"""The command line: ``cogkit lab | run | sweep | ship | make | audit | warm | doctor``."""

from __future__ import annotations

import argparse
import ast
import inspect
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jupyter_core.paths import jupyter_config_path, jupyter_path

from cogkit import __version__
from cogkit.app import doctor, experiments, notebooks, pages
from cogkit.core.contracts import InputError
from cogkit.core.presets import PRESETS, PROFILES, choose

# Options that `make` passes to a maker that accepts them.
_MAKE = ("n", "seed", "profile", "only", "size", "images", "open_hypotheses", "jobs")


def main(arguments: list[str] | None = None) -> int:
    """Return the exit code: 0 success, 1 findings or failures, 2 bad input (one sentence on stderr)."""
    options = _parser().parse_args(arguments)
    try:
        for noun, choices in (("preset", PRESETS), ("profile", PROFILES)):
            if getattr(options, noun, None) is not None:
                choose(getattr(options, noun), choices, noun)
        return options.command(options)
    except InputError as error:
        print(f"cogkit: {error}", file=sys.stderr)
        return 2


def lab(options: argparse.Namespace) -> int:
    """Start JupyterLab in place of this process: on the repository's notebooks inside it, elsewhere on a copy."""
    folder = notebooks.source()
    if folder.name == "notebooks" and Path.cwd().resolve().is_relative_to(folder.parent):
        origin = "the repository's own notebooks"
    else:
        folder = Path.cwd() / "cogkit-notebooks"
        origin = _summary(notebooks.copy_to(folder))
    print(f"JupyterLab on {folder} ({origin}), open to this machine only; Ctrl-C stops it", flush=True)
    settings = {
        "ServerApp.root_dir": folder,
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": options.port,
        "ServerApp.allow_root": True,
        "ServerApp.kernel_spec_manager_class": "cogkit.app.kernel.ThisPython",
        "LabApp.default_url": f"/lab/tree/{min(path.name for path in folder.glob('*.ipynb'))}",
    }
    os.environ.update(jupyter_folders())
    command = [sys.executable, "-m", "jupyterlab", *(f"--{name}={value}" for name, value in settings.items())]
    os.execv(sys.executable, command + ["--no-browser"] * options.no_browser)


def jupyter_folders() -> dict[str, str]:
    """Return the variables by which Jupyter finds our settings and our extension, after all of the reader's own."""
    ours = str(Path(__file__).with_name("jupyter"))
    found = {"JUPYTER_CONFIG_PATH": jupyter_config_path(), "JUPYTER_PATH": jupyter_path()}
    return {name: os.pathsep.join([*folders, ours]) for name, folders in found.items()}


def _summary(changes: list[str]) -> str:
    """Return a short summary of `notebooks.copy_to`: the number of copied files and the names of kept ones."""
    exceptions = [change for change in changes if change.startswith("kept")]
    n_copied = len(changes) - len(exceptions)
    return ", ".join([f"copied {n_copied} files"] * bool(n_copied) + exceptions) or "nothing new to copy"


def run(options: argparse.Namespace) -> int:
    """Run notebooks; return 0 if all of them ran, 1 if one failed."""
    values = dict(map(_typed, options.parameter))
    runs = pages.run_all(options.preset, options.out, options.notebooks, values)
    print(f"read them from {Path(options.out) / options.preset / 'index.html'}")
    return 0 if all(result.ok for result in runs) else 1


def sweep(options: argparse.Namespace) -> int:
    """Run cells; return 0 if every result is stored (or, with --verify, equals a new run), else 1."""
    if options.verify:
        return _report(experiments.verify(options.verify, options.profile, options.preset, root=options.out))
    if not options.patterns:
        raise InputError("no pattern", "a pattern of cells such as 'tiles/*'", "or --verify CELL")
    how = {"profile": options.profile, "preset": options.preset, "jobs": options.jobs, "root": options.out}
    return _report(experiments.sweep(options.patterns, seeds=range(options.seeds), **how))


def ship(options: argparse.Namespace) -> int:
    """Run each cell, write its result rows and weights into the package, and return 0."""
    for cell in experiments.cells(options.cell):
        for path in experiments.ship(cell, options.seeds, options.profile, options.preset, options.out):
            print(path, flush=True)
    return 0


def make(options: argparse.Namespace) -> int:
    """Write a dataset and return 0."""
    makers = _datasets("make")
    maker = makers[choose(options.name, makers, "dataset")]
    takes = inspect.signature(maker).parameters
    arguments = {name: value for name in _MAKE if (value := getattr(options, name)) is not None}
    for name in arguments:
        if name not in takes:
            flags = " or ".join(_flag(option) for option in _MAKE if option in takes)
            raise InputError(repr(_flag(name)), f"an option of {options.name} ({flags})")
    for path in maker(Path(options.out), **arguments):
        print(path)
    return 0


def _datasets(kind: str) -> dict[str, Any]:
    """Return what all instruments declare under ``make`` or ``audit``, by dataset."""
    tools = experiments.instruments().values()
    return {name: entry for instrument in tools for name, entry in getattr(instrument, kind).items()}


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def audit(options: argparse.Namespace) -> int:
    """Check a dataset; return 0 if it is clean, else print each finding and return 1. Other folders are bad input."""
    folder = Path(options.dir)
    if not folder.is_dir():
        raise InputError(options.dir, "a folder with a dataset")
    audits = _datasets("audit")
    for looks_like, examine in audits.values():
        if looks_like(folder):
            return _report(f"{finding.path}: {finding.field}: {finding.problem}" for finding in examine(folder))
    raise InputError(f"{options.dir}, which looks like none", f"a dataset ({', '.join(sorted(audits))})")


def warm(options: argparse.Namespace) -> int:
    """Compile every loop, keep it on the disk, and return 0."""
    print(f"compiled and kept: the loops of {', '.join(experiments.warm())}")
    return 0


def diagnose(options: argparse.Namespace) -> int:
    """Check this machine; return 1 if a check fails, else 0."""
    checks = doctor.examine()
    print(*checks, sep="\n")
    return int(any(check.state == "fail" for check in checks))


def _report(sentences: Iterable[str]) -> int:
    """Print each sentence; return 1 if there was one."""
    sentences = list(sentences)
    print(*sentences, sep="\n", end="\n" if sentences else "")
    return int(bool(sentences))


def _typed(pair: list[str]) -> tuple[str, Any]:
    """Return a parameter's name and value: a Python literal if the text is one, else the text."""
    name, text = pair
    try:
        return name, ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return name, text


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number of 1 or more is wanted, not {text!r}")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("cogkit", description="Abstraction in people and machines: a workbench.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(command: Any, name: str, text: str) -> argparse.ArgumentParser:
        subparser = commands.add_parser(name, help=text, description=text)
        subparser.set_defaults(command=command)
        return subparser

    def add_size(subparser: argparse.ArgumentParser) -> None:
        subparser.add_argument("--preset", default="quick", help="how much: quick, lab or paper (default quick)")

    subparser = add(lab, "lab", "open the notebooks in JupyterLab")
    subparser.add_argument("--no-browser", action="store_true", help="print the address instead of opening it")
    subparser.add_argument("--port", type=_count, default=8888, help="first port to try (default 8888)")

    subparser = add(run, "run", "run notebooks without a browser, and write pages to read")
    subparser.add_argument("notebooks", nargs="*", metavar="NOTEBOOK", help="name, number or file; all when left out")
    subparser.add_argument("--out", default="results/run", help="folder of the runs (default results/run)")
    subparser.add_argument("-p", nargs=2, action="append", default=[], dest="parameter", metavar=("NAME", "VALUE"))
    add_size(subparser)

    subparser = add(sweep, "sweep", "run experiment cells over seeds on every core; what is stored is kept")
    subparser.add_argument("patterns", nargs="*", metavar="PATTERN", help="cells, such as 'tiles/*/copy/abstract'")
    subparser.add_argument("--profile", default="verified", help="which rules: verified or as_published")
    subparser.add_argument("--seeds", type=_count, default=1, help="how many seeds, from 0 (default 1)")
    subparser.add_argument("--jobs", type=_count, help="processes side by side (default: one a core)")
    subparser.add_argument("--out", default="results", help="folder of the store (default results)")
    subparser.add_argument("--verify", metavar="CELL", help="run one cell again and compare with what is stored")
    add_size(subparser)

    subparser = add(ship, "ship", "run a cell now; its results, and its weights if it has any, come with the package")
    subparser.add_argument("cell", metavar="CELL", help="a cell or a pattern of cells, such as bongard/protonet/all")
    subparser.add_argument("--seeds", type=int, nargs="+", default=[0], metavar="N", help="which seeds (default 0)")
    subparser.add_argument("--profile", default="verified", help="which rules: verified or as_published")
    subparser.add_argument("--preset", default="lab", help="how much: quick, lab or paper (default lab)")
    subparser.add_argument("--out", metavar="DIR", help="folder to write (default: the instrument's own)")

    subparser = add(make, "make", "write a dataset in its published layout")
    subparser.add_argument("name", metavar="NAME", help="dataset: tiles, mts, bongard or mewl")
    subparser.add_argument("--out", required=True, metavar="DIR", help="folder to write")
    size = "items of each kind, or problems in all (default: as many as the set has of its own)"
    subparser.add_argument("--n", "--problems", type=_count, help=size)
    subparser.add_argument("--seed", type=int, help="seed (default 0)")
    subparser.add_argument("--profile", help="which rules: verified or as_published, where a set has both")
    subparser.add_argument("--only", metavar="KIND", help="one kind or task alone, where a set has several")
    subparser.add_argument("--size", type=_count, metavar="PX", help="pixels a side, where a set has pictures")
    subparser.add_argument("--images", metavar="QUALITY", help="with pictures of this quality, where they are optional")
    wide = "one option is right even if a word may be about any attribute, where a set has such words"
    subparser.add_argument("--open-hypotheses", action="store_true", default=None, help=wide)
    subparser.add_argument("--jobs", type=_count, help="processes side by side, where a set is made by several")

    add(audit, "audit", "check a dataset: exit 0 clean, 1 findings").add_argument("dir", metavar="DIR")
    add(warm, "warm", "compile the loops of every instrument now (a minute), so that nobody waits for them later")
    add(diagnose, "doctor", "check this machine, and say how to mend what is amiss")
    return parser


if __name__ == "__main__":
    sys.exit(main())
