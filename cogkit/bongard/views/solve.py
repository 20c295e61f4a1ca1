"""Problems for a person to solve: instructions, two queries per problem with a confidence, and then feedback."""

from __future__ import annotations

import io
import time

import pandas as pd
import traitlets
from PIL import Image

from cogkit.bongard.logo import raster
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.people import instructions, sitting, study
from cogkit.bongard.people import published as people
from cogkit.bongard.people.sitting import DONE, FEEDBACK, GROUPS, INSTRUCTIONS, LEVELS, Sitting
from cogkit.bongard.people.study import ANSWER, EACH
from cogkit.bongard.problems.records import SIDES, SUPPORT
from cogkit.bongard.views import style
from cogkit.study.trials import Trials
from cogkit.ui import files
from cogkit.ui.files import script
from cogkit.ui.trial_widget import TrialWidget

SIZE = 256  # pixels of an enlarged picture: smaller ones do not show the stroke types
_LARGER = "Point at a picture, or go to it by Tab and arrows, to see it larger."
HINTS = {INSTRUCTIONS: _LARGER, ANSWER: _LARGER}
LEGENDS = [[GROUPS[0], "all have the concept"], [GROUPS[1], "none has it"]]  # above the groups
STILL = {
    "groups": LEGENDS, "levels": [[words, f"{100 * level:.0f} %"] for level, words in LEVELS.items()], "hints": HINTS,
}  # fmt: skip
ALTS = [[f"{group}, picture {place + 1} of {SUPPORT}" for place in range(SUPPORT)] for group in GROUPS]
ALTS.append([f"Picture {query + 1} of {sitting.QUERIES} that are asked about" for query in range(sitting.QUERIES)])
_RIGHT = ("Neither was right ✗", "One of the two was right", "Both right ✓")


class Solve(TrialWidget):
    """Take part in the study of the paper: for each type of problem a page of instructions, then problems.

    Each problem shows six pictures with the concept on the left and six without it on the right. It then asks about two
    more pictures, one from each side, one after the other. Feedback comes after the second answer; before that, neither
    the page nor the texts of the pictures reveal it. Clicks call `read`, `choose`, `rate`, `next` and `pause`. ``each``
    is the number of problems of each type, 1 to 20; the paper's people had 20. ``seed`` is that of a new sitting,
    random by default, so that people get random problems. ``trials`` is where the answers go; a sitting that was not
    finished goes on where it stopped. Without it they last as long as the widget. Raises `InputError` if the number of
    problems is out of range, or the profile is unknown.

    Notes
    -----
    Keys: left and right arrow, or F and S, choose the first and the second group; 1 to 4 give the confidence and store
    the answer; Enter continues, P pauses. Tab goes to the pictures, and arrows move between them. The picture in focus
    or under the pointer is enlarged, because small pictures do not show the stroke types. The browser measures response
    times from the drawing of the picture to the last choice of a side, without pauses.

    Examples
    --------
    >>> task = Solve(each=1, seed=0)
    >>> task.read()
    'Problem 1 of 1.'
    >>> task.answer(task.correct, 0.9), task.scene["status"]
    (True, 'Stored. The second picture.')
    """

    _esm = script(__file__, "base.js", "asker.js", "sitting.js", "solve.js")
    _css = script(__file__, "base.css", "solve.css")
    sitting: Sitting
    still = traitlets.Dict().tag(sync=True)  # constants: names of groups and levels
    pictures = traitlets.List().tag(sync=True)  # of a problem: six, six, two; of a page: six and six for each example

    def __init__(
        self, each: int = EACH, profile: str = "verified", seed: int | None = None, trials: Trials | None = None
    ) -> None:
        super().__init__()
        message = self._sit(study.study_of(each, profile), trials, seed, Sitting)
        self.still = STILL
        self._laid, self._left = None, None
        self._draw(message or "No answer is stored yet.")

    @property
    def correct(self) -> str:
        """The side of the next picture to answer, for a program that plays."""
        return self.sitting.correct

    @property
    def paused(self) -> bool:
        """Whether the clock is stopped, with nothing in view."""
        return self._left is not None

    def read(self, rt_s: float | None = None) -> str:
        """Leave the page of instructions, as its button does. Return the status line."""
        self.sitting.next(self._took(rt_s))
        return self._draw(f"Problem 1 of {self.sitting.each}.")

    def choose(self, side: str, rt_s: float | None = None) -> str:
        """Choose a side for the current picture, as an arrow key does. Return the status line.

        ``positive`` is the first group. The choice can change until it is rated.
        """
        self.sitting.choose(side, self._took(rt_s))
        return self._draw(f"{GROUPS[SIDES.index(side)]}. How sure are you? 1 to 4.")

    def rate(self, confidence: float | None) -> bool:
        """Store the chosen side with a confidence, as the keys 1 to 4 do. Return whether it was right.

        ``confidence`` is the person's probability of being right, 0.5 to 1. Raises `InputError` if no side is chosen,
        or the answer could not be stored; it can then be given again.
        """
        right = self.sitting.rate(confidence)
        both = _RIGHT[sum(self.sitting.right[-sitting.QUERIES :])]
        self._draw(both if self.sitting.phase == FEEDBACK else "Stored. The second picture.")
        return right

    def answer(self, side: str, confidence: float | None = None, rt_s: float | None = None) -> bool:
        """Choose a side and rate it, after leaving feedback if it is in view. Return whether it was right."""
        if self.sitting.phase == FEEDBACK:
            self.next()
        self.choose(side, rt_s)
        return self.rate(confidence)

    def next(self) -> str:
        """Leave feedback, as Enter does. Return the status line."""
        self.sitting.next()
        if self.over:
            return self._draw("Your answers are stored; the table shows them beside the people of the paper.")
        if self.sitting.phase == INSTRUCTIONS:
            return self._draw("Another type of problem: read its page first.")
        return self._draw(f"{self.sitting.scene()['head'][1]}.")

    def pause(self, on: bool = True) -> str:
        """Stop the clock and hide the view, or continue. Return the status line."""
        if on and not self.paused and not self.over:
            self._left = time.monotonic()
        elif not on and self.paused:
            self._since += time.monotonic() - self._left
            self._left = None
        return self._draw("Paused." if self.paused else "It goes on.")

    def scores(self) -> pd.DataFrame:
        """Return scores and times so far, one row for each type; see `people.scores`."""
        return people.scores(self.trials())

    def _act(self, message: dict) -> None:
        if "pause" in message:
            self.pause(bool(message["pause"]))
            return
        if self.paused or message.get("step") != self.sitting.step:
            return  # a second key press for the same answer
        if message.get("read"):
            self.read(message.get("rt_s"))
        elif message.get("next"):
            self.next()
        elif "side" in message:
            self.choose(SIDES[message["side"]], message.get("rt_s"))
        elif not self.sitting.chosen:
            self._draw("First choose a group: ← or →.")
        else:
            self.rate(list(LEVELS)[message["level"]])

    def _draw(self, status: str) -> str:
        """Send the scene to the browser, and pictures if they changed. Return the status line."""
        scene = self.sitting.scene()
        with self.hold_sync():
            if self._is_new(scene):
                self._lay_out(scene["phase"])
            more = {"paused": self.paused, "status": status, "spoken": _spoken(scene["told"])}
            more |= {"alts": self._alts(scene["phase"]), "table": self._table() if self.over else None}
            self._show(scene | more)
        return status

    def _lay_out(self, phase: str) -> None:
        """Send the pictures of the current view, once for each problem."""
        if phase == DONE:
            self.pictures = []
        elif phase == INSTRUCTIONS:
            two_by_two = sitting.worked(self.sitting.page)
            self.pictures = [[[uri(picture) for picture in six] for six in two] for two in two_by_two]
        elif self._laid is not self.sitting.item:
            self._laid = self.sitting.item
            self.pictures = [[uri(picture) for picture in group] for group in sitting.pictures_of(self._laid)]

    def _alts(self, phase: str) -> list[list[str]]:
        """Return texts of the pictures of a problem, with the concept only when feedback is in view."""
        if phase != FEEDBACK:
            return ALTS if phase == ANSWER else []
        concept, sides = style.concept(self.sitting.item.problem), self.sitting.scene()["told"]["sides"]
        return [
            [f"{alt}: {'not ' * side}{concept}" for alt, side in zip(texts, each, strict=True)]
            for texts, each in zip(ALTS, ([0] * SUPPORT, [1] * SUPPORT, sides), strict=True)
        ]

    def _table(self) -> list[list[str]]:
        """Return the answers beside the published people, one row for each type: words, you, experts, amateurs."""
        paper = people.published().pivot(index="task", columns="who", values="value")
        rows = []
        for score in self.scores().itertuples():
            queries = sitting.QUERIES * score.problems
            share = f"{score.right * queries:.0f} of {queries}, {100 * score.right:.0f} %"
            groups = [f"{100 * paper[group][score.task]:.1f} %" for group in people.GROUPS]
            rows.append([instructions.TITLES[score.task], share, *groups])
        return rows


def _spoken(feedback: dict | None) -> str:
    """Return feedback in words, for people who cannot see it."""
    if feedback is None:
        return ""
    sentences = [
        f"Picture {query + 1} belongs to the {GROUPS[side].lower()}: {'right' if side == reply else 'not as you said'}."
        for query, (side, reply) in enumerate(zip(feedback["sides"], feedback["given"], strict=True))
    ]
    return " ".join([*sentences, *feedback["words"]])


def uri(picture: Picture) -> str:
    """Return a picture as a data address of a lossless WebP, half as large as a PNG, for an ``img``."""
    buffer = io.BytesIO()
    Image.fromarray(raster.image(picture, SIZE)).save(buffer, "WEBP", lossless=True)
    return files.uri(buffer.getvalue(), "webp")


def sit(each: int = 20, profile: str = "verified", **options) -> Solve:
    """Return the reader's own sitting as a widget: an unfinished sitting continues, otherwise a new one begins.

    Every answer is stored at once among the reader's trials. ``options`` are those of `Solve`.
    """
    return Solve(each=each, profile=profile, trials=Trials(), **options)
