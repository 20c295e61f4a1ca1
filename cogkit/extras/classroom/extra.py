"""What this extra adds: ``cogkit class``."""

from __future__ import annotations

import argparse

from cogkit.app.arguments import NUMBER, folder
from cogkit.core.instruments import Command, Extra


def classroom(options: argparse.Namespace) -> int:
    """Do what a teacher or a student asks for, and return the exit code."""
    from cogkit.extras.classroom import command

    return command.ACTIONS[options.action](options)


def _classroom(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=text, description=text)

    action = add("pack", "write a lesson: notebooks for students, a teacher's edition, sources for nbgrader and Otter")
    action.add_argument("--notebooks", default="01,02,04", metavar="LIST", help="such as 01,02,04 (the default)")
    action.add_argument("--minutes", type=NUMBER["n"], default=90, help="of the lesson (default 90)")
    action.add_argument("--seed", type=NUMBER["seed"], help="of the items of all students (default: drawn)")
    action.add_argument("--title", default="", help="of the class")
    action.add_argument("--without-figures", action="store_true", help="do not run the teacher's edition")
    action.add_argument("--preset", default="quick", help="quick, lab or paper (default quick)")
    action.add_argument("--out", required=True, type=folder, metavar="DIR", help="a new folder")

    action = add("hand-in", "write one file with your answers and trials; nothing is sent")
    action.add_argument("--notebooks", default=".", type=folder, metavar="DIR", help="the lesson (default: here)")
    action.add_argument("--name", default="", help="your name, if you want it in the file")
    action.add_argument("--out", type=folder, metavar="DIR", help="where to write (default: beside the notebooks)")

    action = add("collect", "check and merge what students handed in")
    action.add_argument("dir", type=folder, metavar="DIR", help="the folder with their files")
    action.add_argument("--out", required=True, type=folder, metavar="DIR", help="a new folder")
    action.add_argument("--lesson", type=folder, metavar="DIR", help="what cogkit class pack wrote (default: nearby)")
    action.add_argument("--show", default="", metavar="NAME", help="let the notebooks show the class as NAME")
    action.add_argument("--strict", action="store_true", help="write nothing if a file or an answer is faulty")
    action.add_argument("--verbose", action="store_true", help="list every file that was passed over")

    action = add("report", "write one page about a class")
    action.add_argument("dir", type=folder, metavar="DIR", help="a folder that cogkit class collect wrote")
    action.add_argument("--preset", default="quick", help="quick, lab or paper (default quick)")
    action.add_argument("--out", default="report", type=folder, metavar="DIR", help="a new folder (default report)")


EXTRA = Extra(
    "classroom",
    (
        Command(
            "class", "pack a lesson, hand in, collect what was handed in, and report on a class", classroom, _classroom
        ),
    ),
)
