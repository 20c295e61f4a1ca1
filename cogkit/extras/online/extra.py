"""What this extra adds: ``cogkit study``, ``cogkit page`` and ``cogkit collect``."""

from __future__ import annotations

import argparse

from cogkit.app.arguments import NUMBER, folder
from cogkit.core.instruments import Command, Extra


def study(options: argparse.Namespace) -> int:
    """Write a study as a web page and return 0."""
    from cogkit.extras.online import command  # brings pandas, as below

    return command.make(options)


_CONDITION = "only this one; else people are spread over all. A family, such as cross/diagonal, has two steps"


def _study(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("make",), help="make: write the page into a new folder")
    parser.add_argument("name", metavar="NAME", help="tiles, bongard, mewl or equivalence")
    parser.add_argument("--out", required=True, type=folder, metavar="DIR", help="a new folder")
    parser.add_argument("--condition", metavar="NAME", help=_CONDITION)
    parser.add_argument("--n", type=NUMBER["n"], help="how much each person does (default: as in the paper)")
    parser.add_argument("--seed", type=NUMBER["seed"], default=0, help="first seed of items and orders (default 0)")
    parser.add_argument("--forms", type=NUMBER["forms"], default=2, help="sets of items a condition (default 2)")
    host = parser.add_mutually_exclusive_group()
    host.add_argument("--post", default="", metavar="URL", help="an address of yours that gets the answers")
    host.add_argument("--datapipe", default="", metavar="ID", help="an experiment of DataPipe that gets the answers")
    host.add_argument("--jatos", action="store_true", help="write a study for JATOS (.jzip)")
    host.add_argument("--cognition", action="store_true", help="write the code of a task for cognition.run")
    parser.add_argument("--finish", default="", metavar="URL", help="the page that people go on to at the end")
    parser.add_argument("--words", metavar="FILE", help="JSON with other words, such as consent or a translation")
    parser.add_argument("--pilot", action="store_true", help="a short run to try it, which never counts (?pilot=1)")
    parser.add_argument("--library", metavar="FILE", help="the npm package of jsPsych (default: npm brings it)")
    parser.add_argument("--pipe", metavar="FILE", help="the npm package of its plugin for DataPipe (likewise)")


def page(options: argparse.Namespace) -> int:
    """Write the page of an instrument and return 0."""
    from cogkit.extras.online import command

    return command.page_of(options)


def _page(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="tiles")
    parser.add_argument("--out", required=True, type=folder, metavar="DIR", help="a new folder")


def collect(options: argparse.Namespace) -> int:
    """Read what people answered in studies on the web and return 0."""
    from cogkit.extras.online import command

    return command.gather(options)


def _collect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="FILE", help="files, or folders of files")
    parser.add_argument("--out", required=True, type=folder, metavar="DIR", help="a new folder")
    parser.add_argument("--study", metavar="DIR", help="the study's folder, for its items")
    parser.add_argument("--show", default="", metavar="NAME", help="let the notebooks show these people as NAME")
    parser.add_argument("--as", dest="form", metavar="FORM", help="jspsych, xsl or psych101: write that form too")
    parser.add_argument("--strict", action="store_true", help="write nothing if a file or an answer is faulty")
    parser.add_argument("--verbose", action="store_true", help="list every file that was passed over")


EXTRA = Extra(
    "online",
    (
        Command(
            "study", "write the study of an instrument as a web page: cogkit study make tiles --out DIR", study, _study
        ),
        Command("page", "write one HTML file to play in any browser: cogkit page tiles --out DIR", page, _page),
        Command(
            "collect", "read what people answered in studies on the web, and write it as tables", collect, _collect
        ),
    ),
)
