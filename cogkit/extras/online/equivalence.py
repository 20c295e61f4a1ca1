"""The study of stimulus equivalence as a web page: the trials of the notebooks, described in the browser."""

from __future__ import annotations

from cogkit.core.study import Presentation, Study
from cogkit.equivalence.people.study import DESIGNS, Plan, study_of
from cogkit.equivalence.views import matching
from cogkit.equivalence.views.matching import PROMPTS
from cogkit.equivalence.views.shapes import shapes
from cogkit.extras.online.web_study import WebStudy
from cogkit.study.sitting import PRACTICE
from cogkit.ui.files import script

SCRIPT = ("base.js", "asker.js", "matching.js", "equivalence.js")


def study() -> WebStudy:
    """Return the study as `WebStudy` describes it.

    A trial of the test holds four shapes and nothing else, so that the page does not tell which one is right.

    Examples
    --------
    >>> study().conditions[0]
    'LS/select-reject/standard'
    """
    return WebStudy(
        "Which goes with which?", tuple(DESIGNS), of, script(__file__, *SCRIPT, beside=matching.__file__),
        script(matching.__file__, "base.css", "matching.css"), _item, still=_still,
    )  # fmt: skip


def of(condition: str, n: int | None = None) -> Study:
    """Return the study of one condition with ``n`` test trials for each pair of each class; 2 by default.

    Examples
    --------
    >>> len(of("LS/select-reject/standard", 1).items("LS/select-reject/standard", 0))
    27
    """
    design = DESIGNS[condition]
    return study_of(Plan(design) if n is None else Plan(design, each=n))


def _still(condition: str, seed: int) -> dict:
    design = DESIGNS[condition]
    cards = [shape._asdict() for shape in shapes(design.stimuli + design.dummies, seed)]
    return {"shapes": cards, "prompts": PROMPTS}


def _item(presentation: Presentation) -> dict:
    cards = {"cards": presentation.item.tokens[0, :4].tolist()}
    return cards | ({"right": int(presentation.item.correct[0])} if presentation.phase == PRACTICE else {})
