"""What ``cogkit class`` does: pack, hand-in, collect and report."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from cogkit.core.errors import InputError
from cogkit.data.files import unused

if TYPE_CHECKING:
    from cogkit.extras.classroom.hand_in import About


def pack(options: argparse.Namespace) -> int:
    """Write a lesson into a new folder, say what to do with it, and return 0."""
    from cogkit.extras.classroom import pack

    folder = unused(options.out)
    about = pack.pack(
        folder, [name for name in options.notebooks.split(",") if name], preset=options.preset,
        minutes=options.minutes, seed=options.seed, title=options.title, run=not options.without_figures,
    )  # fmt: skip
    print(f"{folder}: {about.title}, {len(about.notebooks)} notebooks, {about.minutes} minutes, seed {about.seed}")
    print(f"Give {folder}/student to the students; {folder}/README.md says what to do next.")
    return 0


def hand_in(options: argparse.Namespace) -> int:
    """Write the reader's hand-in, say what is in it, and return 0."""
    from cogkit.extras.classroom import hand_in, panel

    folder = Path(options.notebooks)
    print(panel.write_hand_in(hand_in.of_folder(folder, options.name), Path(options.out or folder)))
    if files := panel.read_from(folder):
        print(files)
    return 0


def collect(options: argparse.Namespace) -> int:
    """Merge hand-ins into a new folder; return 0 if everything in them counts, else 1."""
    from cogkit.extras.classroom import gathered
    from cogkit.study import gathering

    out, name = unused(options.out), gathering.checked_name(options.show)
    about = lesson(options)
    result = gathered.collect(options.dir, about)
    if options.strict and gathering.is_faulty(result.collected):
        return 2
    gathered.write(result, out)
    gathering.show(result.rows, name)
    counted = int((result.sittings["reason"] == "").sum())
    print(f"{out}: {len(result.students)} students, {len(result.sittings)} sittings, {counted} of them count")
    return gathering.account(result.collected, options.verbose)


def lesson(options: argparse.Namespace) -> About:
    """Return the class as its pack has it: the folder that is named, or the nearest one here or above the hand-ins."""
    from cogkit.extras.classroom.hand_in import ABOUT, about_of

    if options.lesson:
        folders = [Path(options.lesson)]
    else:
        above = Path(options.dir).resolve()
        folders = [Path.cwd(), Path.cwd() / "lesson", above, *above.parents]
    for folder in folders:
        for place in (folder, folder / "teacher", folder / "student"):
            if (place / ABOUT).exists():
                return about_of(place)
    fix = "name it by --lesson"
    raise InputError(f"no lesson beside {options.dir}", "the folder that cogkit class pack wrote", fix)


def report(options: argparse.Namespace) -> int:
    """Write one page about a class into a new folder, print its path, and return 0."""
    from cogkit.extras.classroom import report

    print(report.write(options.dir, unused(options.out), options.preset))
    return 0


ACTIONS = {"pack": pack, "hand-in": hand_in, "collect": collect, "report": report}
