"""Studies as web pages for the tests: jsPsych from its npm package, and folders that are made once a session."""

from __future__ import annotations

import json
import re
import tempfile
from functools import cache
from pathlib import Path

from cogkit.core import registry
from cogkit.extras.online import library, page
from cogkit.study.sitting import Sitting

SMALL = {"tiles": 2, "bongard": 1, "mewl": 3, "equivalence": 1}  # how much there is to do in each


@cache
def package(which: library.Package = library.JSPSYCH) -> Path:
    """Return an npm package as a file: jsPsych, or its plugin."""
    path = Path(tempfile.mkdtemp()) / which.file
    path.write_bytes(library.fetched(which))
    return path


@cache
def folder(name: str, **options) -> Path:
    """Return a folder with the study of an instrument: two forms of its first condition, with little to do."""
    web = registry.part("online", name).study()
    options = {"condition": web.conditions[0], "n": SMALL[name], "seed": 4} | options
    if options.get("host") == "datapipe":
        options["pipe"] = package(library.PIPE)
    return page.make(Path(tempfile.mkdtemp()) / name, web, name, jspsych=package(), **options)


def right(sitting: Sitting):
    """Return the right response to what is in view, from the item itself."""
    presentation = sitting.presentation
    if sitting.study.instrument == "tiles":
        board, start = presentation.item
        red = [
            tile for tile in board.ravel().nonzero()[0].tolist() if tile != start and tile not in presentation.responses
        ]
        return red[0]
    if sitting.study.instrument == "equivalence":
        return f"O_{int(presentation.item.correct[0]) + 1}"
    if sitting.study.instrument == "mewl":
        return presentation.item.trial.options[presentation.item.episode.answer]
    return ("positive", "negative")[(presentation.item.first + len(presentation.responses)) % 2]


def in_script(path) -> dict:
    """Return the form that a script holds."""
    return json.loads(re.search(r"\] = (.*);\n", path.read_text(encoding="utf-8"))[1])
