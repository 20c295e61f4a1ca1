"""``cogkit lab | run | sweep | ship | ask | make | audit | study | page | collect | docs | warm | doctor``."""

from __future__ import annotations

import argparse
import ast
import inspect
import math
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from jupyter_core.paths import jupyter_config_path, jupyter_path

from cogkit import __version__
from cogkit.app import doctor, experiments, notebooks, pages
from cogkit.core.contracts import MOST, InputError, one_line, some
from cogkit.core.presets import PRESETS, PROFILES, choose
from cogkit.data.files import unused, whole_folder, write_whole

_LIMITS = {  # of whole numbers
    "seed": (0, 2**63 - 1), "seeds": (1, 10**6), "jobs": (1, 1024), "port": (1, 65535), "n": (1, 10**6),
    "tokens": (1, 10**6), "forms": (1, 1000),
}  # fmt: skip
_ENTRY = re.compile(r"^(\w+) : (.+)\n((?: {4}.+(?:\n|$))+)", re.MULTILINE)  # of a docstring: name, type and meaning


def main(arguments: list[str] | None = None) -> int:
    """Return the exit code: 0 success, 1 findings or failures, 2 bad input (one sentence on stderr)."""
    arguments, options = sys.argv[1:] if arguments is None else arguments, argparse.Namespace()
    try:
        for text in arguments:
            if "\0" in text or text.encode(errors="replace").decode() != text:
                raise InputError(repr(text), "an argument that is text in UTF-8")
        _parser().parse_args(arguments, options)
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
        print(f"cogkit: {_unusable(error)}", file=sys.stderr)
    return 2


def lab(options: argparse.Namespace) -> int:
    """Start JupyterLab in place of this process: on a folder, the repository's notebooks, or a copy of them."""
    folder = Path(options.dir).resolve() if options.dir else notebooks.source()
    if options.dir:
        if not any(folder.glob("*.ipynb")):
            raise InputError(f"{folder} without any", "a folder with notebooks")
        origin = "as they are"
    elif folder.name == "notebooks" and Path.cwd().resolve().is_relative_to(folder.parent):
        origin = "the repository's own notebooks"
    else:
        folder = Path.cwd() / "cogkit-notebooks"
        changes = notebooks.copy_to(folder)
        kept = [change for change in changes if change.startswith("kept")]
        copied = [f"copied {len(changes) - len(kept)} files"] * (len(changes) > len(kept))
        origin = ", ".join(copied + kept) or "nothing new to copy"
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


def run(options: argparse.Namespace) -> int:
    """Run notebooks; return 0 if all of them ran, 1 if one failed."""
    values = dict(map(_typed, options.parameter))
    runs = pages.run_all(options.preset, options.out, options.notebooks, values)
    print(f"read them from {Path(options.out) / options.preset / 'index.html'}")
    return 0 if all(result.ok for result in runs) else 1


def sweep(options: argparse.Namespace) -> int:
    """Run cells; return 0 if every result is stored (or, with --verify, stands after a new run), else 1."""
    if options.dask and (options.jobs or options.verify is not None):
        given = "--jobs" if options.jobs else "--verify"
        raise InputError(f"--dask with {given}", "one of the two", "the workers of a scheduler run cells one by one")
    if options.verify is not None:
        run = (options.verify, options.profile, options.preset, options.seed or 0, options.out)
        print(verdict := experiments.verify(*run))
        return int(not verdict.ok)
    if options.seed is not None:
        got = f"--seed {options.seed} without --verify"
        raise InputError(got, "--seeds, the number of seeds from 0", "or --verify CELL")
    if not options.patterns:
        raise InputError("no pattern", "a pattern of cells such as 'tiles/*'", "or --verify CELL")
    how = {"profile": options.profile, "preset": options.preset, "jobs": options.jobs, "root": options.out}
    how |= {"dask": options.dask, "shard": options.shard}
    return _report(experiments.sweep(options.patterns, seeds=range(options.seeds), **how))


def ship(options: argparse.Namespace) -> int:
    """Run each cell, write its result rows and weights into the package, and return 0."""
    if options.together:
        size = (options.seeds, options.profile, options.preset, options.out)
        for path in experiments.ship_together(experiments.cells(options.cell), *size):
            print(path, flush=True)
        return 0
    for cell in experiments.cells(options.cell):
        for path in experiments.ship(cell, options.seeds, options.profile, options.preset, options.out):
            print(path, flush=True)
    return 0


def ask(options: argparse.Namespace) -> int:
    """Ask a language model tasks; return 0 if at least one question of each was answered, else 1."""
    from cogkit.app.asking import command  # brings pandas

    return command.ask(options)


def make(options: argparse.Namespace) -> int:
    """Write a dataset and return 0."""
    makers = _datasets("make")
    maker = makers[choose(options.name, makers, "dataset")]
    arguments = {name: value for name in _own(maker) if (value := getattr(options, name)) is not None}
    for path in maker(Path(options.out), **arguments):
        print(path)
    return 0


def _datasets(kind: str) -> dict[str, Any]:
    """Return what all instruments declare under ``make`` or ``audit``, by dataset."""
    tools = experiments.instruments().values()
    return {name: entry for instrument in tools for name, entry in getattr(instrument, kind).items()}


def _own(maker: Callable) -> dict[str, inspect.Parameter]:
    """Return the options of a dataset: the keyword arguments of its maker."""
    return {name: each for name, each in inspect.signature(maker).parameters.items() if each.kind is each.KEYWORD_ONLY}


def audit(options: argparse.Namespace) -> int:
    """Check a dataset; print each finding, or that there is none; return 1 or 0. Other folders are bad input."""
    folder = Path(options.dir)
    if not folder.exists():
        raise InputError(options.dir, "a folder with a dataset")
    os.listdir(folder)  # a folder that cannot be read looks like no dataset
    audits = _datasets("audit")
    for name, (looks_like, examine) in audits.items():
        if looks_like(folder):
            found = _report(map(str, examine(folder)))
            if not found:
                print(f"{options.dir}: data of {name}, every check passed")
            return found
    raise InputError(f"{options.dir}, which looks like none", f"a dataset ({some(sorted(audits))})")


def classroom(options: argparse.Namespace) -> int:
    """Do what a teacher or a student asks for, and return the exit code."""
    from cogkit.app.classroom import command

    return command.ACTIONS[options.action](options)


def study(options: argparse.Namespace) -> int:
    """Write a study as a web page and return 0."""
    from cogkit.app.studies import command  # brings pandas

    return command.make(options)


def page(options: argparse.Namespace) -> int:
    """Write the page of an instrument into a new folder, say what to do with it, and return 0."""
    pages_of = {name: each.page for name, each in experiments.instruments().items() if each.page}
    build, out = pages_of[choose(options.name, pages_of, "instrument with a page")], unused(options.out)
    with whole_folder(out) as part:
        write_whole(part / "index.html", build().encode(), alone=True)
    print(out / "index.html")
    print("Open it in a browser, or put it on any web server: it is one file, and asks nobody for anything.")
    return 0


def collect(options: argparse.Namespace) -> int:
    """Read what people answered in studies on the web and return 0."""
    from cogkit.app.studies import command  # brings pandas

    return command.gather(options)


def docs(options: argparse.Namespace) -> int:
    """Write the documentation as static pages and return 0."""
    from cogkit.app.docs.build import build  # brings pandas

    print(f"open {build(options.out, options.executed) / 'index.html'}")
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
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):  # TypeError: such as "{[]: 1}"
        return name, text


def _whole(name: str, text: str) -> int:
    """Return a whole number within the limits of its option."""
    least, most = _LIMITS.get(name, (1, 10**12))
    if not re.fullmatch(r"[0-9]{1,19}", text) or not least <= int(text) <= most:
        raise _refused(InputError(repr(text), f"a whole number, {least} to {most:,}"))
    return int(text)


def _positive(text: str) -> float:
    """Return a number of 0 or more."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise _refused(InputError(repr(text), "a number, 0 or more"))
    return number


def _folder(text: str) -> str:
    """Return the name of a folder that there is, or may come to be."""
    try:
        if not text or not stat.S_ISDIR(os.stat(text).st_mode):
            raise _refused(InputError(f"the file {text}" if text else "none", "the name of a folder"))
    except FileNotFoundError:
        pass
    except OSError as error:  # a name that is too long, or that leads through a file
        raise _refused(_unusable(error)) from None
    return text


def _unusable(error: OSError) -> InputError:
    return InputError(f"{error.filename} ({error.strerror})", "a folder that can be used", "choose another one")


def _refused(error: InputError) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(str(error))


class _Parser(argparse.ArgumentParser):
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


def _offer(parser: argparse.ArgumentParser, arguments: list[str]) -> None:
    """Give the parser of ``make`` the options of the dataset that it is asked for."""
    makers, pairs = _datasets("make"), zip(["", *arguments], arguments, strict=False)
    free = [text for before, text in pairs if before != "--out" and not text.startswith("-")]
    name = next((text for text in free if text in makers), None)
    if free and name is None:
        choose(free[0], makers, "dataset")
    about = f"dataset: {some(makers, last=' or ')}"
    parser.add_argument("name", metavar="NAME", help=argparse.SUPPRESS if name else about)
    parser.add_argument("--out", required=True, type=_folder, metavar="DIR", help="folder to write")
    if name is None:
        parser.epilog = "cogkit make NAME --help shows the options of a dataset."
        return
    parser.prog = f"{parser.prog} {name}"
    entries = {option: texts for option, *texts in _ENTRY.findall(inspect.getdoc(makers[name]) or "")}
    for option, parameter in _own(makers[name]).items():
        _add(parser, parameter, *entries.get(option, ("", "")))


def _add(parser: argparse.ArgumentParser, parameter: inspect.Parameter, values: str, said: str) -> None:
    """Add an option from a keyword argument, and from what the docstring says of its values and its meaning."""
    name, default, kind = parameter.name, parameter.default, str(parameter.annotation)
    text = " ".join(said.replace("`", "").replace("%", "%%").split())
    if default is not None and default is not False:
        text = f"{text.rstrip('.')} (default {default})".strip()
    flags = [f"--{name.replace('_', '-')}"] + ["--problems"] * (name == "n")
    names = re.findall(r"['\"]([\w-]+)['\"]", values)
    if kind == "bool":
        parser.add_argument(*flags, action="store_true", default=None, help=text)
    elif "int" in kind:
        parser.add_argument(*flags, type=partial(_whole, name), metavar="N", help=text)
    else:
        parser.add_argument(*flags, metavar=f"{{{','.join(names)}}}" if names else name.upper(), help=text)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser("cogkit", description="Abstraction in people and machines: a workbench.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    number = {name: partial(_whole, name) for name in _LIMITS}

    def add(command: Any, name: str, text: str) -> _Parser:
        subparser = commands.add_parser(name, help=text, description=text)
        subparser.set_defaults(command=command)
        return subparser

    def add_size(subparser: argparse.ArgumentParser, default: str = "quick") -> None:
        subparser.add_argument("--preset", default=default, help=f"how much: quick, lab or paper (default {default})")

    subparser = add(lab, "lab", "open the notebooks in JupyterLab")
    subparser.add_argument("--dir", type=_folder, help="a folder of notebooks (default: the project's)")
    subparser.add_argument("--no-browser", action="store_true", help="print the address instead of opening it")
    subparser.add_argument("--port", type=number["port"], default=8888, help="first port to try (default 8888)")

    subparser = add(run, "run", "run notebooks without a browser, and write pages to read")
    subparser.add_argument("notebooks", nargs="*", metavar="NOTEBOOK", help="name, number or file; all when left out")
    subparser.add_argument("--out", default="results/run", type=_folder, help="their folder (default results/run)")
    subparser.add_argument("-p", nargs=2, action="append", default=[], dest="parameter", metavar=("NAME", "VALUE"))
    add_size(subparser)

    subparser = add(sweep, "sweep", "run experiment cells over seeds on every core; what is stored is kept")
    subparser.add_argument("patterns", nargs="*", metavar="PATTERN", help="cells, such as 'tiles/*/copy/abstract'")
    subparser.add_argument("--profile", default="verified", help="which rules: verified or as_published")
    subparser.add_argument("--seeds", type=number["seeds"], default=1, help="how many seeds, from 0 (default 1)")
    subparser.add_argument("--jobs", type=number["jobs"], help="processes side by side (default: one a core)")
    subparser.add_argument("--dask", metavar="ADDRESS", help="run them on the workers of this dask scheduler")
    subparser.add_argument("--shard", default="1/1", metavar="K/N", help="only the K-th of N parts of all runs")
    subparser.add_argument("--out", default="results", type=_folder, help="folder of the store (default results)")
    subparser.add_argument("--verify", metavar="CELL", help="run one cell again and compare with what is stored")
    subparser.add_argument("--seed", type=number["seed"], metavar="N", help="the seed to verify (default 0)")
    add_size(subparser)

    subparser = add(ship, "ship", "run a cell now; its results, and its weights if it has any, come with the package")
    subparser.add_argument("cell", metavar="CELL", help="a cell or a pattern of cells, such as bongard/protonet/all")
    subparser.add_argument(
        "--seeds", type=number["seed"], nargs="+", default=[0], metavar="N", help="seeds (default 0)"
    )
    subparser.add_argument("--profile", default="verified", help="which rules: verified or as_published")
    add_size(subparser, "lab")
    subparser.add_argument("--out", type=_folder, metavar="DIR", help="folder to write (default: the instrument's own)")
    subparser.add_argument(
        "--together",
        action="store_true",
        help="let all learn as one network, fast on a GPU; writes rows and no weights",
    )

    subparser = add(
        ask, "ask", "ask a language model the items of an instrument; what was answered is never asked again"
    )
    subparser.add_argument("task", metavar="TASK", help="such as mewl/shape, or a pattern such as 'mewl/*'")
    subparser.add_argument(
        "--model", required=True, metavar="NAME", help="its name at the address, a local folder or a transcript"
    )
    subparser.add_argument(
        "--address", metavar="URL", help="an address of OpenAI's kind; its key goes into COGKIT_LM_KEY"
    )
    subparser.add_argument("--complete", action="store_true", help="a base model, which continues a text: no chat")
    subparser.add_argument("--how", default="text", help="text (default), or mean or sum of the log probabilities")
    subparser.add_argument("--images", action="store_true", help="show pictures in place of words")
    subparser.add_argument(
        "-n", "--n", type=number["n"], default=0, help="items a task (default 200; tiles 25, bongard 50)"
    )
    subparser.add_argument(
        "--seed", type=number["seed"], default=0, help="seed of the items (default 0, the public one)"
    )
    subparser.add_argument("--sitting", action="store_true", help="the items of a person's sitting with this seed")
    subparser.add_argument("--profile", default="verified", help="which rules: verified or as_published")
    subparser.add_argument("--tokens", type=number["tokens"], default=1024, help="longest answer (default 1024)")
    subparser.add_argument("--temperature", type=_positive, default=0.0, help="0 (default) or more")
    subparser.add_argument("--at-once", type=number["jobs"], default=8, metavar="N", help="questions side by side")
    subparser.add_argument("--price", type=_positive, nargs=2, metavar=("IN", "OUT"), help="of a million tokens")
    subparser.add_argument("--max-cost", type=_positive, metavar="X", help="stop before all questions cost more")
    subparser.add_argument("--dry-run", action="store_true", help="count questions and cost, and send nothing")
    subparser.add_argument("--save", metavar="FILE", help="write a transcript that answers again without the model")
    subparser.add_argument("--out", type=_folder, metavar="DIR", help="folder of the results (default: your own)")

    add(make, "make", "write a dataset in its published layout").prepare = _offer
    add(audit, "audit", "check a dataset: exit 0 clean, 1 findings").add_argument("dir", type=_folder, metavar="DIR")
    subparser = add(study, "study", "write the study of an instrument as a web page: cogkit study make tiles --out DIR")
    subparser.add_argument("action", choices=("make",), help="make: write the page into a new folder")
    subparser.add_argument("name", metavar="NAME", help="tiles, bongard, mewl or equivalence")
    subparser.add_argument("--out", required=True, type=_folder, metavar="DIR", help="a new folder")
    subparser.add_argument("--condition", metavar="NAME", help="only this condition; else people are spread over all")
    subparser.add_argument(
        "--n", type=number["n"], default=0, help="how much each person does (default: as in the paper)"
    )
    subparser.add_argument("--seed", type=number["seed"], default=0, help="first seed of items and orders (default 0)")
    subparser.add_argument("--forms", type=number["forms"], default=2, help="sets of items a condition (default 2)")
    subparser.add_argument("--post", metavar="URL", help="an address of yours that gets the answers")
    subparser.add_argument("--datapipe", metavar="ID", help="an experiment of DataPipe that gets the answers")
    subparser.add_argument("--jatos", action="store_true", help="write a study for JATOS (.jzip)")
    subparser.add_argument("--cognition", action="store_true", help="write the code of a task for cognition.run")
    subparser.add_argument("--finish", default="", metavar="URL", help="the page that people go on to at the end")
    subparser.add_argument("--words", metavar="FILE", help="JSON with other words, such as consent or a translation")
    subparser.add_argument("--library", metavar="FILE", help="the npm package of jsPsych (default: npm brings it)")
    subparser.add_argument("--pipe", metavar="FILE", help="the npm package of its plugin for DataPipe (likewise)")

    subparser = add(page, "page", "write one HTML file to play in any browser: cogkit page tiles --out DIR")
    subparser.add_argument("name", metavar="NAME", help="tiles")
    subparser.add_argument("--out", required=True, type=_folder, metavar="DIR", help="a new folder")

    subparser = add(collect, "collect", "read what people answered in studies on the web, and write it as tables")
    subparser.add_argument("paths", nargs="+", metavar="FILE", help="files, or folders of files")
    subparser.add_argument("--out", required=True, type=_folder, metavar="DIR", help="a new folder")
    subparser.add_argument("--show", default="", metavar="NAME", help="let the notebooks show these people as NAME")
    subparser.add_argument("--as", dest="form", metavar="FORM", help="jspsych, xsl or psych101: write that form too")

    _add_class(
        add(classroom, "class", "pack a lesson, hand in, collect what was handed in, and report on a class"), number
    )

    subparser = add(docs, "docs", "write the documentation as static pages: notebooks, API, papers, glossary")
    subparser.add_argument("--out", required=True, type=_folder, metavar="DIR", help="a new folder")
    subparser.add_argument("--executed", type=_folder, metavar="DIR", help="executed notebooks, as cogkit run writes")

    add(warm, "warm", "compile the loops of every instrument now (a minute), so that nobody waits for them later")
    add(diagnose, "doctor", "check this machine, and say how to mend what is amiss")
    return parser


def _add_class(parser: argparse.ArgumentParser, number: dict) -> None:
    """Add the four actions of ``cogkit class``."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=text, description=text)

    action = add("pack", "write a lesson: notebooks for students, a teacher's edition, sources for nbgrader and Otter")
    action.add_argument("--notebooks", default="01,02,04", metavar="LIST", help="such as 01,02,04 (the default)")
    action.add_argument("--minutes", type=number["n"], default=90, help="of the lesson (default 90)")
    action.add_argument("--seed", type=number["seed"], help="of the items of all students (default: drawn)")
    action.add_argument("--title", default="", help="of the class")
    action.add_argument("--without-figures", action="store_true", help="do not run the teacher's edition")
    action.add_argument("--preset", default="quick", help="quick, lab or paper (default quick)")
    action.add_argument("--out", required=True, type=_folder, metavar="DIR", help="a new folder")

    action = add("hand-in", "write one file with your answers and trials; nothing is sent")
    action.add_argument("--notebooks", default=".", type=_folder, metavar="DIR", help="the lesson (default: here)")
    action.add_argument("--name", default="", help="your name, if you want it in the file")
    action.add_argument("--out", type=_folder, metavar="DIR", help="where to write (default: beside the notebooks)")

    action = add("collect", "check and merge what students handed in")
    action.add_argument("dir", type=_folder, metavar="DIR", help="the folder with their files")
    action.add_argument("--out", required=True, type=_folder, metavar="DIR", help="a new folder")
    action.add_argument("--show", default="", metavar="NAME", help="let the notebooks show the class as NAME")

    action = add("report", "write one page about a class")
    action.add_argument("dir", type=_folder, metavar="DIR", help="a folder that cogkit class collect wrote")
    action.add_argument("--preset", default="quick", help="quick, lab or paper (default quick)")
    action.add_argument("--out", default="report", type=_folder, metavar="DIR", help="a new folder (default report)")


if __name__ == "__main__":
    sys.exit(main())
