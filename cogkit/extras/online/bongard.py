"""The study of Bongard-LOGO as a web page: the problems of the notebooks, described in the browser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from cogkit.bongard.logo.pictures import Picture, Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.people import instructions, sitting
from cogkit.bongard.people.sitting import LEVELS
from cogkit.bongard.people.study import TYPES, Item, study_of
from cogkit.bongard.problems.records import Problem
from cogkit.bongard.views import solve
from cogkit.bongard.views.solve import ALTS, LEGENDS, STILL, uri
from cogkit.core.study import Page, Presentation, Study
from cogkit.extras.online.web_study import WebStudy
from cogkit.ui.files import script


def study() -> WebStudy:
    """Return the study as `WebStudy` describes it.

    Problems hold their answers on the page, because the study tells them after each problem.
    """
    return WebStudy(
        "Two groups of pictures", ("verified",), of,
        script(__file__, "base.js", "asker.js", "sitting.js", "solve.js", "bongard.js", beside=solve.__file__),
        script(solve.__file__, "base.css", "solve.css"), _item, _page, _still, packed, unpacked,
    )  # fmt: skip


def of(condition: str, n: int | None = None) -> Study:
    """Return the study under the rules of a profile with ``n`` problems of each type; 20 by default.

    Examples
    --------
    >>> of("verified", 2).assign(0).partition("/")[0]
    'verified'
    """
    return study_of(profile=condition) if n is None else study_of(n, condition)


def packed(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Return the items of a sitting as values that JSON holds."""
    return [asdict(item) for item in items]


def unpacked(values: Iterable[Mapping[str, Any]]) -> tuple[Item, ...]:
    """Return the items that `packed` wrote.

    Examples
    --------
    >>> items = of("verified", 1).items("verified/7", 0)
    >>> unpacked(packed(items)) == items
    True
    """
    return tuple(Item(**{**item, "problem": _problem(item["problem"])}) for item in values)


def _problem(values: Mapping[str, Any]) -> Problem:
    positives, negatives = (tuple(map(_picture, values[side])) for side in ("positives", "negatives"))
    fields = {**values, "concept": tuple(values["concept"]), "positives": positives, "negatives": negatives}
    return Problem(**fields)


def _picture(values: Iterable[Mapping[str, Any]]) -> Picture:
    return tuple(
        Placed(
            tuple((Arc if "radius" in action else Line)(**action) for action in placed["program"]),
            Placement(**placed["at"]), placed["name"],
        ) for placed in values
    )  # fmt: skip


def _still(condition: str, seed: int) -> dict:
    return {
        "prompts": instructions.PROMPTS, "types": list(TYPES), "groups": LEGENDS, "alts": ALTS, "levels": list(LEVELS),
        "still": STILL,
    }  # fmt: skip


def _page(page: Page) -> dict:
    pictures = [[[uri(picture) for picture in six] for six in two] for two in sitting.worked(page)]
    return sitting.told_of(page) | {"type": list(TYPES).index(page.task), "pictures": pictures}


def _item(presentation: Presentation) -> dict:
    item = presentation.item
    return {
        "title": instructions.TITLES[item.task],
        "pictures": [[uri(picture) for picture in group] for group in sitting.pictures_of(item)],
        "sides": [item.first, 1 - item.first], "words": list(instructions.worked(item.problem, "any").words),
    }  # fmt: skip
