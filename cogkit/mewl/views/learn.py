"""MEWL as a person sits it: a tutorial with a check, then six named pictures and a seventh to name, item by item."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import traitlets

from cogkit.mewl.people import published as people
from cogkit.mewl.people import study
from cogkit.mewl.people.items import Item
from cogkit.mewl.people.sitting import ANSWER, CHECK, FEEDBACK, TUTORIAL, Sitting
from cogkit.mewl.problems import captions, observations
from cogkit.mewl.views import pictures
from cogkit.mewl.world.scenes import Scene
from cogkit.study.trials import Trials
from cogkit.ui.files import script
from cogkit.ui.trial_widget import TrialWidget

STATIC = Path(__file__).parent / "static"
LEVELS = {0.2: "a guess", 0.4: "unsure", 0.6: "fairly sure", 0.8: "sure", 1.0: "certain"}  # chance of being right
_NEXT = "or press Enter"
_CHOOSE = "Keys: 1 to 5 choose a name, or ↑ ↓ and Enter"
_VERDICT = ("Not right ✗", "Right ✓")


class Learn(TrialWidget):
    """Sit the study of the paper: one task, its tutorial, then items that ask which of five names fits a picture.

    Six pictures have their names under them; the seventh is asked about. Pictures are coarse at first and then sharp;
    those of the next item are drawn while one thinks. Before an answer is stored neither the page nor the texts of the
    pictures give it away. `next`, `choose` and `rate` are what a click calls.

    Parameters
    ----------
    task : str, optional
        One of `episodes.TASKS`; drawn by default, as people have one task each.
    seed : int, optional
        Of a new sitting; a random one by default, so that people get items at random.
    trials : study.trials.Trials, optional
        Where the answers go; a sitting that was not finished goes on where it stopped. Without it they last as long as
        the widget.
    confidence : bool
        Whether to ask how sure one is of each name. The paper's people were not asked.
    **options
        ``profile``, ``tests``, ``attention`` and ``feedback`` of a `study.Plan`.

    Raises
    ------
    InputError
        A plan that is none.

    Notes
    -----
    Keys: 1 to 5 choose a name; arrows move among names, Enter or Space chooses; A to E say how sure one is, where that
    is asked; Enter goes on. Response times are the browser's, from when all seven pictures are in view to the choice
    of a name.

    Examples
    --------
    >>> task = Learn("number", seed=0)
    >>> while task.scene["phase"] == "tutorial":
    ...     said = task.next()
    >>> task.answer(task.correct), task.scene["status"]
    (True, 'Right ✓ Now the items. Item 1 of 12.')
    """

    _esm = script(STATIC, "base.js", "asker.js", "learn.js")
    _css = script(STATIC, "base.css", "learn.css")
    still = traitlets.Dict().tag(sync=True)  # what never changes: words of levels and keys
    pictures = traitlets.List().tag(sync=True)  # of what is in view: seven or none, that asked about last
    drawing = traitlets.Dict().tag(sync=True)  # how many pictures are still to be drawn: the browser asks for each

    def __init__(
        self, task: str | None = None, seed: int | None = None, trials: Trials | None = None, confidence: bool = False,
        **options,
    ) -> None:  # fmt: skip
        super().__init__()
        resumed = self._sit(study.study_of(task, **options), trials, seed, Sitting)
        self._asks_how_sure = bool(confidence)
        self._pending, self._took_s = -1, 0.0  # a name that is chosen and waits for how sure one is of it
        self._in_view, self._laid, self._since = "", None, 0.0
        self._drawn: dict[Scene, str] = {}
        self._to_draw: list[Scene] = []
        answering = _CHOOSE + ("; then A to E how sure." if confidence else ".")
        self.still = {
            "levels": [[words, f"{100 * level:.0f} %"] for level, words in LEVELS.items()] if confidence else [],
            "hints": {TUTORIAL: _NEXT, CHECK: _CHOOSE + ".", ANSWER: answering, FEEDBACK: _NEXT},
        }
        self._draw(resumed or "Click here, or come here by Tab, to use the keys.")

    @property
    def correct(self) -> int:
        """The right name of what is in view, 0 to 4: for a player that is a program."""
        return self.sitting.correct

    def next(self, rt_s: float | None = None) -> str:
        """Leave a page of the tutorial or feedback, as Enter does; return the status line.

        Parameters
        ----------
        rt_s : float, optional
            Seconds on the page, as the browser measured them; without it Python's own clock.
        """
        self.sitting.next(self._took(rt_s))
        return self._draw(self._end() if self.over else f"{self.sitting.scene()['head'][1]}.")

    def choose(self, option: int, rt_s: float | None = None) -> str:
        """Choose a name, as keys 1 to 5 do; return the status line.

        It is stored at once; where it is asked how sure one is, by `rate`, and until then another may be chosen.

        Parameters
        ----------
        option : int
            Which of the five, 0 to 4.
        rt_s : float, optional
            As in `next`.

        Raises
        ------
        InputError
            No such name, nothing to answer, or a choice that could not be stored: then it stays to be made.
        """
        took = self._took(rt_s)
        if not (self._asks_how_sure and self.sitting.phase == ANSWER):
            self._store(option, took)
            return self.scene["status"]
        name = self.sitting.option(option)  # refuses one that is none
        self._pending, self._took_s = int(option), took
        return self._draw(f"“{name}”. How sure are you? A to E.")

    def rate(self, confidence: float) -> bool:
        """Store the chosen name with how sure one is of it, as keys A to E do; return whether it was right.

        Parameters
        ----------
        confidence : float
            The chance that one gives to being right, 0.2 to 1.

        Raises
        ------
        InputError
            No name is chosen, or an answer that could not be stored: then it stays to be given.
        """
        return self._store(self._pending, self._took_s, confidence)

    def answer(self, option: int, confidence: float | None = None, rt_s: float | None = None) -> bool:
        """Choose a name and store it, from feedback on going on first; return whether it was right."""
        if self.sitting.phase == FEEDBACK:
            self.next()
        return self._store(option, self._took(rt_s), confidence)

    def scores(self) -> pd.DataFrame:
        """Return the sitting as a line of `people.log`: share right, attention, and whether it is counted."""
        return people.log(self.sitting.trials.frame(sitting=self.sitting.id))

    def _store(self, option: int, took: float, confidence: float | None = None) -> bool:
        phase = self.sitting.phase
        right = self.sitting.choose(option, took, confidence)
        self._draw(self._said(phase, right))
        return right

    def _said(self, phase: str, right: bool) -> str:
        """Return the status line after a choice; of an item without feedback it does not tell."""
        if self.over:
            return self._end()
        here = f"{self.sitting.scene()['head'][1]}."
        if phase == CHECK:
            return f"Right ✓ Now the items. {here}" if right else "Not right ✗ Once more."
        return _VERDICT[right] if self.sitting.phase == FEEDBACK else f"Stored. {here}"

    def _end(self) -> str:
        return "Not right ✗" if self.sitting.failed else "Your answers are stored."

    def _act(self, message: dict) -> None:
        if message.get("more"):
            self._sharpen()
            return
        if message.get("step") != self.sitting.step:
            return  # a second press, on what is answered already
        if message.get("next"):
            self.next(message.get("rt_s"))
        elif "option" in message:
            self.choose(message["option"], message.get("rt_s"))
        elif "level" in message and self._asks_how_sure and self.sitting.phase == ANSWER:
            self._rate(list(LEVELS)[message["level"]])

    def _rate(self, confidence: float) -> None:
        if self._pending < 0:
            self._draw("First choose a name: 1 to 5.")
        else:
            self.rate(confidence)

    def _draw(self, status: str) -> str:
        """Send the scene, and pictures if others are in view; return the status line."""
        scene = self.sitting.scene()
        fresh, since = scene["step"] != self._in_view, self._since
        if fresh:
            self._in_view, self._pending = scene["step"], -1
        scene["chosen"] = self._pending if self._pending >= 0 else scene["chosen"]
        with self.hold_sync():
            self._lay_out()
            told = " ".join(scene["text"]) if scene["phase"] == FEEDBACK else ""
            sure = bool(self._asks_how_sure and scene["phase"] == ANSWER)
            more = {"status": status, "spoken": told, "sure": sure, "alts": self._alts(scene)}
            self._show(scene | more | {"table": self._table() if self.over else None})
        if not fresh:
            self._since = since  # choosing again does not set the clock back
        return status

    def _alts(self, scene: dict) -> list[str]:
        """Return the texts of the seven pictures: what is in them once it is told what is right, and not before."""
        if not self.sitting.scenes:
            return []
        alts = [f"Picture {k}, called {name}" for k, name in enumerate(scene["names"], 1)]
        alts.append("The picture that is asked about")
        if scene["right"] < 0:
            return alts
        task, rng = self.sitting.plan.task, np.random.default_rng(0)  # with one, a hand is told as such
        said = [captions.caption(task, each, rng) for each in self.sitting.scenes]
        return [f"{alt}: {words}" for alt, words in zip(alts, said, strict=True)]

    def _lay_out(self) -> None:
        """Send the pictures of what is in view, each as fine as it is drawn by now."""
        scenes = self.sitting.scenes
        if scenes == self._laid:
            return
        self._laid = scenes
        self.pictures = [self._drawn.get(each) or pictures.uri(pictures.coarse(each)) for each in scenes]
        ahead = observations.scenes(coming.episode) if (coming := self._coming()) else ()
        self._to_draw = [each for each in dict.fromkeys((*scenes, *ahead)) if each not in self._drawn]
        self._tell()

    def _coming(self) -> Item | None:
        """Return what is in view after this, if it has pictures."""
        sitting = self.sitting
        if sitting.phase == TUTORIAL:
            later = sitting.instructions[sitting.pages + 1 :]
            return next(iter(later[0].examples), None) if later else sitting.block[0]
        place = sitting.position + (sitting.phase == ANSWER)
        return None if sitting.failed else next((sitting.items[index] for index in sitting.order[place:]), None)

    def _sharpen(self) -> None:
        """Draw one more picture, of what is in view first; a choice waits for one at most."""
        if not self._to_draw:
            return
        scene = self._to_draw.pop(0)
        self._drawn[scene] = pictures.uri(pictures.shown(scene))
        with self.hold_sync():
            if scene in self._laid:
                sharp = [self._drawn.get(each, was) for each, was in zip(self._laid, self.pictures, strict=True)]
                self.pictures = sharp
            self._tell()

    def _tell(self) -> None:
        self.drawing = {"told": self.drawing.get("told", 0) + 1, "left": len(self._to_draw)}

    def _table(self) -> list[list[str]] | None:
        """Return the share right beside the published people's: what, you, people of the paper."""
        if self.sitting.failed:
            return None
        paper = people.published().set_index("task").value[self.sitting.plan.task]
        rows = []
        for attention, words, theirs in ((False, "Test items", f"{100 * paper:.1f} %"), (True, "Attention checks", "")):
            mine = study.answers(self.trials(), attention)
            if len(mine):
                share = f"{mine.correct.sum():.0f} of {len(mine)}, {100 * mine.correct.mean():.0f} %"
                rows.append([words, share, theirs])
        return rows


def sit(task: str | None = None, **options) -> Learn:
    """Return the reader's own sitting as a widget: the last one goes on if it is not finished, else a new one begins.

    Every answer is stored at once among the reader's trials; ``options`` are those of `Learn`.
    """
    return Learn(task, trials=Trials(), **options)
