"""Matching to sample as a person plays it: trained with feedback to mastery, then tested without."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cogkit.equivalence.people import people_trials
from cogkit.equivalence.people.sitting import DONE, TEST, TRAINING, Plan, Sitting
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import OPTIONS, Design
from cogkit.equivalence.scoring import MASTERY
from cogkit.equivalence.views.shapes import shapes
from cogkit.study.trials import Trials
from cogkit.ui import session
from cogkit.ui.files import script
from cogkit.ui.trial_widget import Asking

STATIC = Path(__file__).parent / "static"
BLOCKS = 8  # so many blocks of training stand beside the trial, the last ones
_PROMPTS = {
    TRAINING: "Which of the three goes with the shape above? Press 1, 2 or 3, or click. At first you can only guess.",
    TEST: "The same question, now also about shapes that were never paired in training. No feedback.",
    DONE: "That was the last trial; thank you.",
}
_RELATIONS = {
    "baseline": "Trained pairs",
    "reflexivity": "Reflexivity, each with itself",
    "symmetry": "Symmetry, trained pairs backwards",
    "transitivity": "Transitivity, along trained pairs",
    "equivalence": "Equivalence, both at once",
}


@dataclass(frozen=True)
class _Told:
    """What feedback shows: the trial that was answered, the answer, and what that came to."""

    trial: records.Trials
    given: int
    block: int
    ends: bool

    @property
    def right(self) -> int:
        return int(self.trial.correct[0])


class MatchingToSample(Asking):
    """A sample above, three comparisons below: choose by keys 1 to 3, by mouse, or by calling `answer` and `next`.

    In training every answer is followed by feedback; a block with enough right ones leads to the test, which has none.
    An answer is stored before anything is told. The browser gets shapes and made-up names alone, and the right place
    only with the feedback: nothing in the page gives a class away.

    Parameters
    ----------
    design : Design, optional
        By default three classes of three in a linear series.
    seed : int
        Of trials, their order, and shapes; see `Sitting.open`.
    trials : study.trials.Trials, optional
        Where the answers go; a sitting that was not finished goes on where it stopped. Without it they last as long as
        the widget.
    **times
        ``repeats``, ``each`` and ``criterion`` of the `Plan`.

    Raises
    ------
    InputError
        A plan that is none, or more stimuli and dummies than there are shapes.

    Notes
    -----
    Keys: 1 to 3 choose; arrows, Home and End move, Enter or Space chooses; after feedback each of these goes on, and
    after a right answer it goes on by itself. Response times are the browser's, from the drawing of the trial.

    Examples
    --------
    >>> task = MatchingToSample(repeats=1)
    >>> task.answer(task.correct), task.scene["status"]
    (True, 'Right ✓')
    >>> task.next()
    >>> task.scene["head"][:2]
    ['Training, block 1', 'Trial 2 of 6']
    """

    _esm = script(STATIC, "base.js", "asker.js", "matching.js")
    _css = script(STATIC, "base.css", "matching.css")

    def __init__(self, design: Design | None = None, seed: int = 0, trials: Trials | None = None, **times) -> None:
        super().__init__()
        plan = Plan(**times) if design is None else Plan(design, **times)
        count = plan.design.stimuli + plan.design.dummies
        shapes(count, 0)  # refused before anything is stored
        who = None
        if trials is None:
            (self._folder, trials), who = session.unsaved(), "unsaved"
        self.sitting = Sitting.open(plan, seed, trials, who)
        self._shapes = shapes(count, self.sitting.seed)
        self._told: _Told | None = None
        begun = self.sitting.rows > 1
        self._draw("It goes on where you stopped." if begun else "Click a shape, or come here by Tab, to use the keys.")

    @property
    def correct(self) -> int:
        """The place of the right comparison in the next trial to answer, 0 to 2: for a player that is a program."""
        return int(self.sitting.current.correct[0])

    @property
    def over(self) -> bool:
        """Whether every trial is answered."""
        return self.sitting.phase == DONE

    def answer(self, place: int, rt_s: float | None = None) -> bool:
        """Choose a comparison as its key does, from feedback on going on first; return whether it was right.

        Parameters
        ----------
        place : int
            0 to 2 from the left: of key 1 it is 0.
        rt_s : float, optional
            Seconds since the trial was drawn, as the browser measured them; without it Python's own clock.

        Raises
        ------
        InputError
            No such place, an answer after the last trial, or one that could not be stored: then the trial stays.
        """
        sitting = self.sitting
        trial = sitting.current
        phase, block, position = sitting.phase, len(sitting.blocks) - 1, sitting.position
        ends = position == len(sitting.trials) - 1
        right = sitting.answer(place, self._took(rt_s))
        self._told = _Told(trial, int(place), block, ends) if phase == TRAINING else None
        if self._told:
            self._draw(self._feedback(right))
        else:
            self._draw(self._verdict() if self.over else f"Stored: your answer to trial {position + 1}.")
        return right

    def next(self) -> None:
        """Go on from feedback, as a key does; without feedback nothing happens."""
        if self._told is None:
            return
        ended, self._told = self._told.ends, None
        if not ended:
            self._draw("")
        elif self.sitting.phase == TEST:
            self._draw(f"The test begins: {len(self.sitting.trials)} trials.")
        else:
            self._draw(f"Block {len(self.sitting.blocks)} begins.")

    def skip(self) -> None:
        """Leave training before mastery, as the button does; it is stored that you did."""
        self.sitting.skip()
        self._told = None
        self._draw("Training left before mastery. The test begins.")

    def trials(self) -> pd.DataFrame:
        """Return the answers of this sitting, one trial row each, as they are stored."""
        return self.sitting.answers()

    def _act(self, message: dict) -> None:
        if message.get("trial") != self.sitting.rows:
            return  # a second press, on a trial that is answered already
        if "answer" in message and self._told is None:
            self.answer(message["answer"], message.get("rt_s"))
        elif message.get("next"):
            self.next()
        elif message.get("skip"):
            self.skip()

    def _feedback(self, right: bool) -> str:
        told, plan = self._told, self.sitting.plan
        said = "Right ✓" if right else f"Not that one ✗ The right one is ringed: {told.right + 1}."
        if not told.ends:
            return said
        done = f"{said} Block {told.block + 1} done: {sum(self.sitting.blocks[told.block])} of {plan.length()} right."
        if self.sitting.phase == TEST:
            return f"{done} Mastered: the test comes next."
        return f"{done} {plan.needed()} are needed: another block comes next."

    def _results(self) -> pd.DataFrame:
        """Return how many of the answers were right, by relation in the order of `_RELATIONS`: columns right, n."""
        (answers,) = people_trials.from_trials(self.trials())
        sums = answers.cells("forced choice").groupby("relation")[["right", "n"]].sum().astype(int)
        return sums.reindex([name for name in _RELATIONS if name in sums.index])

    def _verdict(self) -> str:
        found = self._results()
        emerged = found.drop(index="baseline").sum()
        trained = found.loc["baseline"]
        return (
            f"{emerged.right} of {emerged.n} right where nothing was trained, {trained.right} of {trained.n} on the "
            "trained pairs."
        )

    def _beside(self) -> dict:
        sitting = self.sitting
        if self.over:
            rows = [
                {"kind": "you", "label": _RELATIONS[name], "text": f"{right} of {n}", "share": right / n}
                for name, right, n in self._results().itertuples()
            ]
            rows.append({"kind": "floor", "label": "Guesses", "text": "1 of 3", "share": 1 / OPTIONS})
            after = "after training was skipped" if sitting.skipped else f"after {_blocks(len(sitting.blocks))}"
            note = f"More is better; the line is mastery, {100 * MASTERY:.0f} %."
            return {"title": f"Your test, {after}", "rows": rows, "note": note, "mastery": MASTERY}
        whole = [sum(block) for block in sitting.blocks if len(block) == sitting.plan.length()]
        rows = [
            {"kind": "you", "label": f"Block {k + 1}", "text": f"{right} of {sitting.plan.length()}",
             "share": right / sitting.plan.length()}
            for k, right in enumerate(whole)
        ]  # fmt: skip
        later = "Your score comes after the last trial."
        ends = f"A block with {sitting.plan.needed()} of {sitting.plan.length()} right, the line, ends the training."
        note = later if sitting.phase == TEST else ends
        return {
            "title": "Blocks of training",
            "rows": rows[-BLOCKS:],
            "note": note,
            "mastery": sitting.plan.needed() / sitting.plan.length(),
        }

    def _head(self) -> list[str]:
        sitting, told = self.sitting, self._told
        if told is None and sitting.phase != TRAINING:
            n = len(sitting.trials)
            return ["All done", f"{n} test trials"] if self.over else ["Test", f"Trial {sitting.position + 1} of {n}"]
        number = told.block if told else len(sitting.blocks) - 1
        block, length = sitting.blocks[number], sitting.plan.length()
        return [
            f"Training, block {number + 1}",
            f"Trial {len(block) + (told is None)} of {length}",
            f"{sum(block)} right so far",
            f"{sitting.plan.needed()} of {length} needed",
        ]

    def _draw(self, status: str) -> None:
        """Send the whole scene."""
        sitting, told = self.sitting, self._told
        trial = told.trial if told else None if self.over else sitting.current
        shown = [] if trial is None else [self._shapes[token]._asdict() for token in trial.tokens[0, :4]]
        self._show({
            "trial": sitting.rows,
            "head": self._head(),
            "prompt": _PROMPTS[TRAINING if told else sitting.phase],
            "sample": shown[0] if shown else None,
            "comparisons": shown[1:],
            "told": {"given": told.given, "right": told.right} if told else None,
            "waits": bool(told and (told.ends or told.given != told.right)),
            "training": bool(told) or sitting.phase == TRAINING,
            "can_skip": sitting.phase == TRAINING,
            "status": status,
            "beside": self._beside(),
        })  # fmt: skip


def _blocks(n: int) -> str:
    return f"{n} block{'' if n == 1 else 's'} of training"
