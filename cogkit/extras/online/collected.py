"""What people answered in studies on the web, read back as trial rows: see `study.gathering`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.core.identity import content_hash
from cogkit.data import readers
from cogkit.extras.online import page
from cogkit.study.gathering import Collected, Gate, checked
from cogkit.study.rescoring import SOURCE
from cogkit.study.uploads import uploads


def collect(paths: Iterable[Path | str], study: Path | str | None = None) -> Collected:
    """Return what people answered, from files or folders of files; whoever does not count is left out with a reason.

    Parameters
    ----------
    paths : paths
        Files as jsPsych, JATOS, DataPipe, cognition.run or the page itself save them: see `uploads.uploads`.
    study : path, optional
        The folder that ``cogkit study make`` wrote. Its items are needed where this computer makes others, because it
        has no copy of the published files that they were made of.

    Raises
    ------
    InputError
        One of the paths is no file or folder, nobody's answers are in them, or the folder is of no study.
    """
    paths, gate, cut, items = [*paths], Gate(), {}, {} if study is None else items_of(Path(study))
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
    collected = gate.collected(cut=cut, items=items)
    if collected.sittings.empty and collected.left_out.empty:
        fix = "answers to a study that cogkit study make wrote"
        raise InputError(f"no row of a study in {', '.join(map(str, paths))}", fix)
    return collected


class _Made(msgspec.Struct):
    """The file of items in a study's folder."""

    instrument: str
    items: dict[str, Any]


def items_of(folder: Path) -> dict[str, Any]:
    """Return the sets of items that travel with a study, by their hash; none where every computer makes the same."""
    if not (folder / page.WHO).is_file():
        raise InputError(f"{folder}", "the folder of a study, as cogkit study make writes it")
    path, wanted = folder / page.ITEMS_FILE, "the items of a study, as cogkit study make writes them"
    if not path.exists():
        return {}
    made = readers.json(path, _Made, wanted)
    with readers.faults(path, wanted, "copy the study's folder again", AttributeError):
        web = registry.parts("online")[made.instrument].study()
        items = {name: web.unpacked(values) for name, values in made.items.items()}
        if other := [name for name, own in items.items() if content_hash(list(own)) != name]:
            raise ValueError(f"its items {other[0]} are changed")
    return items


def is_of_a_study(row: dict[str, Any]) -> bool:
    """Return whether a row is of a study's page; other rows, such as a host's own, are passed over."""
    return row.get("source") == SOURCE and "sitting" in row
