"""The study of MEWL as a web page: the pictures and names of the notebooks, described in the browser."""

from __future__ import annotations

from cogkit.core.study import Page, Presentation, Study
from cogkit.extras.online.web_study import WebStudy
from cogkit.mewl.people import instructions
from cogkit.mewl.people.items import Item
from cogkit.mewl.people.study import Plan, study_of
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.views import learn, pictures
from cogkit.study.sitting import PRACTICE
from cogkit.ui.files import script

SCRIPT = ("base.js", "asker.js", "sitting.js", "learn.js", "mewl.js")


def study() -> WebStudy:
    """Return the study as `WebStudy` describes it.

    Only worked examples and the check of the tutorial hold the right name; no name of an item tells an attention check.

    Examples
    --------
    >>> len(study().conditions)
    9
    """
    return WebStudy(
        "Learn new words", TASKS, of, script(__file__, *SCRIPT, beside=learn.__file__),
        script(learn.__file__, "base.css", "learn.css"), _item, _page, _still,
    )  # fmt: skip


def of(condition: str, n: int | None = None) -> Study:
    """Return the study of one task with ``n`` test items and two attention checks; ten test items by default.

    Examples
    --------
    >>> of("color", 3).assign(5)
    'verified/color/5/3+2'
    """
    return study_of(condition) if n is None else study_of(condition, tests=n)


def _still(condition: str, seed: int) -> dict:
    words = instructions.PROMPTS | {"again": instructions.AGAIN}
    return {"prompts": words, "title": instructions.TITLES[Plan.of(condition).task], "still": {"levels": []}}


def _page(page: Page) -> dict:
    solved = [_question(item) | {"right": item.episode.answer} for item in page.examples]
    return {"text": list(page.text), "item": solved[0] if solved else None}


def _item(presentation: Presentation) -> dict:
    return _question(presentation.item) | (
        {"right": presentation.item.episode.answer} if presentation.phase == PRACTICE else {}
    )


def _question(item: Item) -> dict:
    trial = item.trial
    sharp = [pictures.uri(pictures.sharp(scene)) for scene in trial.scenes]
    return {"pictures": sharp, "names": list(trial.utterances), "options": list(trial.options)}
