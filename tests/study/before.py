"""What version 0.1 stored, in ``before.json``: sittings that are not finished, and the studies that they are of."""

from __future__ import annotations

import json
from pathlib import Path

from cogkit.bongard.people.study import study_of as problems
from cogkit.equivalence.people.study import Plan
from cogkit.equivalence.people.study import study_of as matching
from cogkit.mewl.people.study import study_of as names
from cogkit.study.trials import Trials
from cogkit.tiles.people import blind

WHO = "3fa9c2d1"
STUDIES = {
    "tiles": lambda: blind.study_of("tree", 3),
    "bongard": lambda: problems(2),
    "mewl": lambda: names("number", tests=3, attention=1, feedback=True),
    "equivalence": lambda: matching(Plan(repeats=1, each=1)),
}


def rows_before(instrument: str) -> list[dict]:
    """Return the rows of one instrument's sitting."""
    rows = json.loads(Path(__file__).with_name("before.json").read_text(encoding="utf-8"))
    return [row for row in rows if row["instrument"] == instrument]


def stored_before(path: Path, *instruments: str) -> Trials:
    """Return a new database with these rows."""
    store = Trials(path)
    for instrument in instruments or STUDIES:
        for row in rows_before(instrument):
            store.add(row)
    return store
