"""MEWL for a person: a tutorial with a check, then items with six named pictures and a seventh to name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import traitlets

from cogkit.core.errors import InputError
from cogkit.core.study import Study
from cogkit.mewl.people import published as people
from cogkit.mewl.people import study
from cogkit.mewl.people.items import Item
from cogkit.mewl.people.sitting import CHECK, FEEDBACK, TUTORIAL, Sitting
from cogkit.mewl.people.study import ANSWER
from cogkit.mewl.problems import captions
from cogkit.mewl.views import pictures
from cogkit.mewl.world.scenes import Scene
from cogkit.study.trials import Trials
from cogkit.ui.files import script
from cogkit.ui.trial_widget import TrialWidget


class Learn(TrialWidget):
    """Sit the study of the paper: one task, its tutorial, then items that ask which of five names fits a picture.

    Six pictures have their names under them; the question is about the seventh. Pictures are coarse at first and then
    sharp; those of the next item are drawn while the person thinks. Before an answer is stored, neither the page nor
    the texts of the pictures contain the right one. Clicks call the methods `next`, `choose` and `rate`.

    Parameters
    ----------
    task : str, optional
        One of `episodes.TASKS`; by default a random one, because each person does one task.
    seed : int, optional
        Seed of a new sitting; a random one by default, so that people get random items.
    trials : study.trials.Trials, optional
        Storage for the answers; an unfinished sitting continues where it stopped. Without it, answers last as long as
        the widget.
    **options
        ``profile``, ``tests``, ``attention`` and ``feedback`` of a `study.Plan`.

    Raises
    ------
    InputError
        The plan is not valid.

    Notes
    -----
    Keys: 1 to 5 choose a name; arrows move among names, and Enter or Space chooses; Enter goes on. The browser measures
    response times, from the moment when all seven pictures are in view to the choice of a name.

    Examples
    --------
    >>> task = Learn("number", seed=0)
    >>> while task.scene["phase"] == "tutorial":
    ...     said = task.next()
    >>> task.answer(task.correct), task.scene["status"]
    (True, 'Right ✓ Now the items. Item 1 of 12.')
    """

    _esm = script(__file__, "base.js", "asker.js", "sitting.js", "learn.js")
    _css = script(__file__, "base.css", "learn.css")
    sitting: Sitting
    pictures = traitlets.List().tag(sync=True)  # current pictures: seven or none, the query last
    drawing = traitlets.Dict().tag(sync=True)  # how many pictures are not drawn yet: the browser asks for each

    def __init__(
        self, task: str | None = None, seed: int | None = None, trials: Trials | None = None, **options
    ) -> None:  # fmt: skip
        super().__init__()
        status = self._sit(self._study(task, **options), trials, seed, Sitting)
        self._sent: Sequence[Scene] | None = None  # what is in view, and sharp pictures that are drawn or to be drawn
        self._sharp: dict[Scene, str] = {}
        self._to_draw: list[Scene] = []
        self._draw(status or "No answer is stored yet.")

    @property
    def correct(self) -> int:
        """The right name of the current item, 0 to 4, for programs that play."""
        return self.sitting.correct

    def next(self, rt_s: float | None = None) -> str:
        """Go on from a page of the tutorial or from feedback, like Enter; return the status line."""
        self.sitting.next(self._took(rt_s))
        return self._draw(self._end() if self.over else f"{self.sitting.scene()['head'][1]}.")

    def choose(self, option: int, rt_s: float | None = None) -> str:
        """Choose a name, like keys 1 to 5; return the status line.

        The choice is stored at once. Raises `InputError` if the option is not 0 to 4, there is no question, or the
        choice could not be stored; the question then stays open.
        """
        self._store(option, rt_s)
        return self.scene["status"]

    def answer(self, option: int, rt_s: float | None = None) -> bool:
        """Choose a name and store it, after leaving feedback if necessary; return whether it was right."""
        if self.sitting.phase == FEEDBACK:
            self.next()
        return self._store(option, rt_s)

    def again(self) -> str:
        """Begin a new sitting after one that ended in the tutorial, like the button; return the status line.

        The old one is kept, and the new one is marked: ``after practice`` in its log.
        """
        old = self.sitting
        if not old.failed:
            raise InputError("a sitting that goes on", "one that ended in the tutorial", "finish it")
        same = study.of_row({"response": old.condition, "source": old.study.source})
        self.sitting = Sitting.open(same, old.trials, who=old.who)
        return self._draw("A new sitting begins. The one before is kept.")

    def scores(self) -> pd.DataFrame:
        """Return the sitting as a row of `people.log`: accuracy, attention, and whether it is counted."""
        return people.log(self.sitting.trials.frame(sitting=self.sitting.id))

    def _study(self, task: str | None, **options) -> Study:
        return study.study_of(task, **options)

    def _store(self, option: int, rt_s: float | None) -> bool:
        phase, right = self.sitting.phase, self.sitting.choose(option, self._took(rt_s))
        head = f"{self.sitting.scene()['head'][1]}."
        if self.over:
            status = self._end()
        elif phase == CHECK:
            status = f"Right ✓ Now the items. {head}" if right else "Not right ✗ Once more."
        else:  # without feedback the line does not say if the choice was right
            status = ("Right ✓" if right else "Not right ✗") if self.sitting.phase == FEEDBACK else f"Stored. {head}"
        self._draw(status)
        return right

    def _end(self) -> str:
        return "Not right ✗ Your answers are kept." if self.sitting.failed else "Your answers are stored."

    def _act(self, message: dict) -> None:
        if message.get("more"):
            self._sharpen()
        elif message.get("step") != self.sitting.step:
            pass  # a second press, after the answer
        elif message.get("again"):
            self.again()
        elif message.get("next"):
            self.next(message.get("rt_s"))
        elif "option" in message:
            self.choose(message["option"], message.get("rt_s"))

    def _draw(self, status: str) -> str:
        """Send the scene, and new pictures if they have changed; return the status line."""
        scene = self.sitting.scene()
        with self.hold_sync():
            self._lay_out()
            feedback = " ".join(scene["text"]) if scene["phase"] == FEEDBACK else ""
            more = {"status": status, "spoken": feedback, "alts": self._alts(scene), "again": self.sitting.failed}
            self._show(scene | more | self._results())
        return status

    def _alts(self, scene: dict) -> list[str]:
        """Return the texts of the seven pictures; they describe the content only after the right answer is shown."""
        if not self.sitting.scenes:
            return []
        names = enumerate(scene["names"], 1)
        alts = [*(f"Picture {k}, called {name}" for k, name in names), "The picture that is asked about"]
        if scene["right"] < 0:
            return alts
        task, rng = self.sitting.plan.task, np.random.default_rng(0)  # with a generator, captions mention a hand
        texts = [captions.caption(task, s, rng) for s in self.sitting.scenes]
        return [f"{alt}: {words}" for alt, words in zip(alts, texts, strict=True)]

    def _lay_out(self) -> None:
        """Send the current pictures, each in the best quality that is already drawn."""
        scenes = self.sitting.scenes
        if scenes != self._sent:
            ahead = coming.trial.scenes if (coming := self._coming()) else ()
            self._to_draw = [s for s in dict.fromkeys((*scenes, *ahead)) if s not in self._sharp]
            self._sent = scenes
            self._deliver()

    def _coming(self) -> Item | None:
        """Return the next example, check or item with pictures, if there is one."""
        sitting = self.sitting
        if sitting.phase == TUTORIAL:
            later = sitting.instructions[sitting.pages + 1 :]
            return next(iter(later[0].examples), None) if later else sitting.block[0]
        place = sitting.position + (sitting.phase == ANSWER)
        return None if sitting.failed else next((sitting.items[index] for index in sitting.order[place:]), None)

    def _sharpen(self) -> None:
        """Draw one more picture, starting with the current ones; a choice waits for one picture at most."""
        if self._to_draw:
            scene = self._to_draw.pop(0)
            self._sharp[scene] = pictures.uri(pictures.sharp(scene))
            self._deliver()

    def _deliver(self) -> None:
        with self.hold_sync():
            self.pictures = [self._sharp.get(s) or pictures.uri(pictures.coarse(s)) for s in self._sent or ()]
            self.drawing = {"told": self.drawing.get("told", 0) + 1, "left": len(self._to_draw)}

    def _results(self) -> dict:
        """Return what a scene shows of results: at the end a table of kind of item, you, people of the paper."""
        if self.sitting.failed or not self.over:
            return {"table": None}
        paper = people.published().set_index("task").value[self.sitting.plan.task]
        rows = []
        for attention, words, theirs in ((False, "Test items", f"{100 * paper:.1f} %"), (True, "Attention checks", "")):
            mine = study.answers(self.trials(), attention)
            if len(mine):
                share = f"{mine.correct.sum():.0f} of {len(mine)}, {100 * mine.correct.mean():.0f} %"
                rows.append([words, share, theirs])
        return {"table": rows}


def sit(task: str | None = None, **options) -> Learn:
    """Return the user's sitting as a widget: an unfinished one continues, otherwise a new one begins.

    Every answer is stored at once in the user's trials; ``options`` are those of `Learn`.
    """
    return Learn(task, trials=Trials(), **options)
