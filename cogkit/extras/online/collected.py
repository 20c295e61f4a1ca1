"""What people answered in studies on the web, read back as trial rows: see `study.gathering`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cogkit.core.errors import InputError
from cogkit.study.gathering import Collected, Gate, checked
from cogkit.study.rescoring import SOURCE
from cogkit.study.uploads import uploads


def collect(paths: Iterable[Path | str]) -> Collected:
    """Return what people answered, from files or folders of files; whoever does not count is left out with a reason.

    Parameters
    ----------
    paths : paths
        Files as jsPsych, JATOS, DataPipe, cognition.run or the page itself save them: see `uploads.uploads`.

    Raises
    ------
    InputError
        One of the paths is no file or folder, or nobody's answers are in them.
    """
    paths, gate, cut = [*paths], Gate(), {}
    for upload in uploads(paths):
        rows = [
            checked(fields, f"row {number} of {upload.file}", upload.file, line)
            for number, (line, fields) in enumerate(upload.objects, start=1)
            if is_of_a_study(fields)
        ]
        for row in rows:
            gate.add(row)
        if not rows:
            gate.unreadable(upload)
        elif upload.fault:
            cut[upload.file] = upload.fault
    collected = gate.collected(cut=cut)
    if collected.sittings.empty and collected.left_out.empty:
        fix = "answers to a study that cogkit study make wrote"
        raise InputError(f"no row of a study in {', '.join(map(str, paths))}", fix)
    return collected


def is_of_a_study(row: dict[str, Any]) -> bool:
    """Return whether a row is of a study's page; other rows, such as a host's own, are passed over."""
    return row.get("source") == SOURCE and "sitting" in row
