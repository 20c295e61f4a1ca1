"""``cogkit lab | run | sweep | ship | claims | warm | doctor``, and the commands of extras."""

from __future__ import annotations

import argparse
import ast
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

from jupyter_core.paths import jupyter_config_path, jupyter_path

from cogkit import __version__
from cogkit.app import arguments, doctor, experiments, notebooks, pages
from cogkit.app.arguments import NUMBER, PRESET, PROFILE, folder
from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.core.presets import PRESETS, PROFILES, choose


def main(texts: list[str] | None = None) -> int:
    """Return the exit code: 0 success, 1 findings or failures, 2 bad input (one sentence on stderr)."""
    texts, options = sys.argv[1:] if texts is None else texts, argparse.Namespace()
    try:
        for text in texts:
            if "\0" in text or text.encode(errors="replace").decode() != text:
                raise InputError(repr(text), "an argument that is text in UTF-8")
        _parser().parse_args(texts, options)
        for noun, choices in (("preset", PRESETS), ("profile", PROFILES)):
            if getattr(options, noun, None) is not None:
                choose(getattr(options, noun), choices, noun)
        return options.command(options)
    except InputError as error:
        print(f"cogkit: {error}", file=sys.stderr)
    except OSError as error:  # about a folder that the reader named; any other is a fault of ours
        named = tuple(text for name in ("out", "dir") if (text := getattr(options, name, None)))
        if not str(error.filename).startswith(named):
            raise
        print(f"cogkit: {arguments.unusable(error)}", file=sys.stderr)
    return 2


def lab(options: argparse.Namespace) -> int:
    """Start JupyterLab in place of this process: on a folder, the repository's notebooks, or a copy of them."""
    if not find_spec("jupyterlab"):
        raise InputError("no JupyterLab", "the extra [lab]", "pip install 'cogkit[lab]'")
    root = Path(options.dir).resolve() if options.dir else notebooks.source()
    if options.dir:
        if not any(root.glob("*.ipynb")):
            raise InputError(f"{root} without any", "a folder with notebooks")
        origin = "as they are"
    elif root.name == "notebooks" and Path.cwd().resolve().is_relative_to(root.parent):
        origin = "the repository's own notebooks"
    else:
        root = Path.cwd() / "cogkit-notebooks"
        changes = notebooks.copy_to(root)
        notes = [change for change in changes if change.startswith("kept")]
        copied = [f"copied {len(changes) - len(notes)} files"] * (len(changes) > len(notes))
        origin = ", ".join(copied + notes) or "nothing new to copy"
    print(f"JupyterLab on {root} ({origin}), open to this machine only; Ctrl-C stops it", flush=True)
    settings = {
        "ServerApp.root_dir": root,
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": options.port,
        "ServerApp.allow_root": True,
        "ServerApp.kernel_spec_manager_class": "cogkit.app.kernel.ThisPython",
        "LabApp.default_url": f"/lab/tree/{min(path.name for path in root.glob('*.ipynb'))}",
    }
    os.environ.update(jupyter_folders())
    command = [sys.executable, "-m", "jupyterlab", *(f"--{name}={value}" for name, value in settings.items())]
    os.execv(sys.executable, command + ["--no-browser"] * options.no_browser)


def jupyter_folders() -> dict[str, str]:
    """Return the variables by which Jupyter finds our settings and our extension, after all of the reader's own."""
    ours = str(Path(__file__).with_name("jupyter"))
    paths = {"JUPYTER_CONFIG_PATH": jupyter_config_path(), "JUPYTER_PATH": jupyter_path()}
    return {name: os.pathsep.join([*folders, ours]) for name, folders in paths.items()}


def run(options: argparse.Namespace) -> int:
    """Run notebooks; return 0 if all of them ran, 1 if one failed."""
    values = dict(map(_typed, options.parameter))
    runs = pages.run_all(options.preset, options.out, options.notebooks, values)
    print(f"read them from {Path(options.out) / options.preset / 'index.html'}")
    return 0 if all(result.ok for result in runs) else 1


def sweep(options: argparse.Namespace) -> int:
    """Run cells; return 0 if every result is stored (or, with --verify, stands after a new run), else 1."""
    if options.dask and (options.jobs or options.verify is not None):
        option = "--jobs" if options.jobs else "--verify"
        raise InputError(f"--dask with {option}", "one of the two", "the workers of a scheduler run cells one by one")
    if options.verify is not None:
        run = (options.verify, options.profile, options.preset, options.seed or 0, options.out)
        print(verdict := experiments.verify(*run))
        return int(not verdict.ok)
    if options.seed is not None or not options.patterns:
        got = f"--seed {options.seed} without --verify" if options.patterns else "no pattern"
        raise InputError(
            got, "a pattern of cells such as 'tiles/*', and --seeds, the number of seeds", "or --verify CELL"
        )
    how = {"profile": options.profile, "preset": options.preset, "jobs": options.jobs, "root": options.out}
    how |= {"dask": options.dask, "shard": options.shard}
    return arguments.report(experiments.sweep(options.patterns, seeds=range(options.seeds), **how))


def ship(options: argparse.Namespace) -> int:
    """Run each cell, write its result rows and weights into the package, and return 0."""
    size, cells = (options.seeds, options.profile, options.preset, options.out), experiments.cells(options.cell)
    paths = chain.from_iterable(experiments.ship(cell, *size) for cell in cells)
    if options.checkpoint and not options.together:
        raise InputError("--checkpoint without --together", "both", "runs that learn alone are shipped one by one")
    if options.together:
        paths = registry.extra("cluster").ship_together(cells, *size, checkpoint=options.checkpoint)
    for path in paths:
        print(path, flush=True)
    return 0


def list_claims(options: argparse.Namespace) -> int:
    """Print every claim of the papers, or write them as a table, and return 0."""
    from cogkit.app import claims  # with pandas, which no other command waits for
    from cogkit.data.files import write_whole

    table = claims.claims(*(choose(name, registry.instruments(), "instrument") for name in options.instruments))
    if options.out:
        write_whole(Path(options.out), table.to_csv(index=False, lineterminator="\n").encode())
    else:
        print(*claims.listed(table), sep="\n")
    return 0


def warm(options: argparse.Namespace) -> int:
    """Compile every loop, keep it on the disk, and return 0."""
    print(f"compiled and kept: the loops of {', '.join(sorted(experiments.warm()))}")
    return 0


def diagnose(options: argparse.Namespace) -> int:
    """Check this machine; return 1 if a check fails, else 0."""
    checks = doctor.examine()
    print(*checks, sep="\n")
    return int(any(check.state == "fail" for check in checks))


def _typed(pair: list[str]) -> tuple[str, Any]:
    """Return a parameter's name and value: a Python literal if the text is one, else the text."""
    name, text = pair
    try:
        return name, ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):  # TypeError: such as "{[]: 1}"
        return name, text


def _parser() -> argparse.ArgumentParser:
    parser = arguments.Parser("cogkit", description="Abstraction in people and machines: a workbench.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(command: Callable, name: str, text: str) -> argparse.ArgumentParser:
        subparser = commands.add_parser(name, help=text, description=text)
        subparser.set_defaults(command=command)
        return subparser

    option = add(lab, "lab", "open the notebooks in JupyterLab").add_argument
    option("--dir", type=folder, help="a folder of notebooks (default: the project's)")
    option("--no-browser", action="store_true", help="print the address instead of opening it")
    option("--port", type=NUMBER["port"], default=8888, help="first port to try (default 8888)")

    option = add(run, "run", "run notebooks without a browser, and write pages to read").add_argument
    option("notebooks", nargs="*", metavar="NOTEBOOK", help="name, number or file; all when left out")
    option("--out", default="results/run", type=folder, help="their folder (default results/run)")
    option("-p", nargs=2, action="append", default=[], dest="parameter", metavar=("NAME", "VALUE"))
    option("--preset", default="quick", help=PRESET.format("quick"))

    option = add(sweep, "sweep", "run experiment cells over seeds on every core; what is stored is kept").add_argument
    option("patterns", nargs="*", metavar="PATTERN", help="cells, such as 'tiles/*/copy/abstract'")
    option("--profile", default="verified", help=PROFILE)
    option("--seeds", type=NUMBER["seeds"], default=1, help="how many seeds, from 0 (default 1)")
    option("--jobs", type=NUMBER["jobs"], help="processes side by side (default: one a core)")
    option("--dask", metavar="ADDRESS", help="run them on the workers of this dask scheduler")
    option("--shard", default="1/1", metavar="K/N", help="only the K-th of N parts of all runs")
    option("--out", default="results", type=folder, help="folder of the store (default results)")
    option("--verify", metavar="CELL", help="run one cell again and compare with what is stored")
    option("--seed", type=NUMBER["seed"], metavar="N", help="the seed to verify (default 0)")
    option("--preset", default="quick", help=PRESET.format("quick"))

    option = add(
        ship, "ship", "run a cell now; its results, and its weights if it has any, come with the package"
    ).add_argument
    option("cell", metavar="CELL", help="a cell or a pattern of cells, such as bongard/protonet/all")
    option("--seeds", type=NUMBER["seed"], nargs="+", default=[0], metavar="N", help="seeds (default 0)")
    option("--profile", default="verified", help=PROFILE)
    option("--preset", default="lab", help=PRESET.format("lab"))
    option("--out", type=folder, metavar="DIR", help="folder to write (default: the instrument's own)")
    option(
        "--together",
        action="store_true",
        help="let all learn as one network, fast on a GPU; writes rows and no weights",
    )
    option("--checkpoint", type=Path, metavar="FILE", help="with --together: go on from this file, if it is there")

    option = add(list_claims, "claims", "list what the papers claim, and what the numbers say to it").add_argument
    option("instruments", nargs="*", metavar="INSTRUMENT", help="whose paper; all when left out")
    option("--out", type=Path, metavar="FILE", help="write a table to this file (CSV) instead")

    for extra in registry.extras().values():
        for command in extra.commands:
            command.arguments(add(command.run, command.name, command.text))

    add(warm, "warm", "compile the loops of every instrument now (a minute), so that nobody waits for them later")
    add(diagnose, "doctor", "check this machine, and say how to mend what is amiss")
    return parser


if __name__ == "__main__":
    sys.exit(main())
