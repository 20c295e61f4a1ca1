"""What ``cogkit class`` does: pack, hand-in, collect and report."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cogkit.data.files import unused


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
    return 0


def collect(options: argparse.Namespace) -> int:
    """Merge hand-ins into a new folder and return 0; or name every fault, write nothing, and return 1."""
    from cogkit.extras.classroom import gathered
    from cogkit.study import gathering

    out, name = unused(options.out), gathering.checked_name(options.show)
    result = gathered.collect(options.dir)
    if isinstance(result, list):
        for fault in result:
            print(fault, file=sys.stderr)
        print(f"cogkit: nothing was written, because of {len(result)} faults", file=sys.stderr)
        return 1
    gathered.write(result, out)
    gathering.show(result.rows, name)
    counted = int((result.sittings["reason"] == "").sum())
    print(f"{out}: {len(result.students)} students, {len(result.sittings)} sittings, {counted} of them count")
    return 0


def report(options: argparse.Namespace) -> int:
    """Write one page about a class into a new folder, print its path, and return 0."""
    from cogkit.extras.classroom import report

    print(report.write(options.dir, unused(options.out), options.preset))
    return 0


ACTIONS = {"pack": pack, "hand-in": hand_in, "collect": collect, "report": report}
