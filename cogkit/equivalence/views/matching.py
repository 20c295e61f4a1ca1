"""Matching to sample for a person: training with feedback up to mastery, then a test without feedback."""

from __future__ import annotations

import pandas as pd

from cogkit.core import presets
from cogkit.equivalence.people.study import CHOICES, Plan, from_trials, study_of
from cogkit.equivalence.problems.records import OPTIONS, Design
from cogkit.equivalence.scoring import MASTERY
from cogkit.equivalence.views.shapes import shapes
from cogkit.study.sitting import DONE, ITEMS, PRACTICE
from cogkit.study.trials import Trials
from cogkit.ui.files import script
from cogkit.ui.trial_widget import TrialWidget

BLOCKS = 8  # the number of last training blocks beside the trial
PROMPTS = {
    PRACTICE: "Which of the three goes with the shape above? Press 1, 2 or 3, or click. At first you can only guess.",
    ITEMS: "The same question, now also about shapes that were never paired in training. No feedback.",
    DONE: "That was the last trial; thank you.",
}
_RELATIONS = {
    "baseline": "Trained pairs",
    "reflexivity": "Reflexivity, each with itself",
    "symmetry": "Symmetry, trained pairs backwards",
    "transitivity": "Transitivity, along trained pairs",
    "equivalence": "Equivalence, both at once",
}


class MatchingToSample(TrialWidget):
    """A sample above, three comparisons below: choose by keys 1 to 3, by mouse, or by calling `answer` and `next`.

    In training, feedback follows every answer. A block with enough right answers leads to the test, which has no
    feedback. An answer is stored before the feedback. The browser gets only shapes and invented names, and the right
    place only with the feedback, so the page never reveals a class.

    Parameters
    ----------
    design : Design, optional
        By default three classes of three in a linear series.
    seed : int
        Seed of trials, their order, and shapes; see `Sitting.open`.
    trials : study.trials.Trials, optional
        Storage for the answers; an unfinished sitting continues where it stopped. Without it, answers last as long as
        the widget.
    **times
        ``repeats``, ``each`` and ``criterion`` of the `Plan`.

    Raises
    ------
    InputError
        The plan is not valid, or it has more stimuli and dummies than there are shapes.

    Notes
    -----
    Keys: 1 to 3 choose; arrows, Home and End move, Enter or Space chooses. After feedback, each of these goes on; after
    a right answer, the widget goes on automatically. The browser measures response times, from the drawing of a trial.

    Examples
    --------
    >>> task = MatchingToSample(repeats=1)
    >>> task.answer(task.correct), task.scene["status"]
    (True, 'Right ✓')
    >>> task.next()
    >>> task.scene["head"][:2]
    ['Training, block 1', 'Trial 2 of 6']
    """

    _esm = script(__file__, "base.js", "asker.js", "matching.js")
    _css = script(__file__, "base.css", "matching.css")

    def __init__(self, design: Design | None = None, seed: int = 0, trials: Trials | None = None, **times) -> None:
        super().__init__()
        self.plan = Plan(**times) if design is None else Plan(design, **times)
        count = self.plan.design.stimuli + self.plan.design.dummies
        shapes(count, 0)  # raises before anything is stored
        status = self._sit(study_of(self.plan), trials, seed)
        self._shapes = shapes(count, self.sitting.seed)
        if self.sitting.pending:  # feedback from before is not shown again
            self.sitting.next()
        self._draw(status or "No answer is stored yet.")

    @property
    def correct(self) -> int:
        """The place of the right comparison in the next trial, 0 to 2, for programs that play."""
        return int(self.sitting.presentation.item.correct[0])

    def answer(self, place: int, rt_s: float | None = None) -> bool:
        """Choose a comparison, like its key, after leaving feedback if necessary; return whether it was right.

        Places are 0 to 2 from the left: key 1 is place 0. Raises `InputError` if the place is not valid, the test is
        over, or the answer could not be stored; the trial then stays.
        """
        presets.choose(str(place), map(str, range(OPTIONS)), "place of a comparison")
        sitting, presentation = self.sitting, self.sitting.presentation
        if sitting.pending:
            sitting.next()
        correct = sitting.answer(CHOICES[int(place)], self._took(rt_s))
        stored = f"Stored: your answer to trial {presentation.position + 1}."
        self._draw(self._feedback(correct) if sitting.pending else self._verdict() if self.over else stored)
        return correct

    def next(self) -> None:
        """Go on from feedback, like a key; without feedback nothing happens."""
        if not self.sitting.pending:
            return
        is_last = self._ends
        self.sitting.next()
        begins = f"Block {len(self.sitting.attempts)} begins."
        if self.sitting.stage == ITEMS:
            begins = f"The test begins: {len(self.sitting.items)} trials."
        self._draw(begins if is_last else "")

    def skip(self) -> None:
        """Leave training before mastery, like the button; this is stored too."""
        self.sitting.skip()
        self._draw("Training left before mastery. The test begins.")

    def _act(self, message: dict) -> None:
        if message.get("trial") != self.sitting.rows:
            return  # a second press, after the answer
        if "answer" in message and not self.sitting.pending:
            self.answer(message["answer"], message.get("rt_s"))
        elif message.get("next"):
            self.next()
        elif message.get("skip"):
            self.skip()

    @property
    def _ends(self) -> bool:
        """Whether the current feedback is about the last trial of a block."""
        feedback = self.sitting.feedback
        return feedback is not None and feedback.position == feedback.of - 1

    def _feedback(self, right: bool) -> str:
        sitting, plan, feedback = self.sitting, self.plan, self.sitting.feedback
        status = "Right ✓" if right else f"Not that one ✗ The right one is ringed: {int(feedback.item.correct[0]) + 1}."
        if not self._ends:
            return status
        score = f"{sum(sitting.attempts[feedback.attempt])} of {plan.length()} right"
        follows = "Mastered: the test" if sitting.passed else f"{plan.needed()} are needed: another block"
        return f"{status} Block {feedback.attempt + 1} done: {score}. {follows} comes next."

    def _results(self) -> pd.DataFrame:
        """Return the number of right answers, by relation in the order of `_RELATIONS`: columns right, n."""
        (answers,) = from_trials(self.trials())
        sums = answers.cells("forced choice").groupby("relation")[["right", "n"]].sum().astype(int)
        return sums.reindex([name for name in _RELATIONS if name in sums.index])

    def _verdict(self) -> str:
        results = self._results()
        new, old = results.drop(index="baseline").sum(), results.loc["baseline"]
        return f"{new.right} of {new.n} right where nothing was trained, {old.right} of {old.n} on the trained pairs."

    def _beside(self) -> dict:
        sitting, length, minimum = self.sitting, self.plan.length(), self.plan.needed()
        if self.over:
            rows = [_bar(_RELATIONS[name], *counts) for name, *counts in self._results().itertuples()]
            rows.append(_bar("Guesses", 1, OPTIONS, "floor"))
            count = len(sitting.attempts)
            after = "training was skipped" if sitting.skipped else f"{count} block{'s' * (count > 1)} of training"
            note = f"More is better; the line is mastery, {100 * MASTERY:.0f} %."
            return {"title": f"Your test, after {after}", "rows": rows, "note": note, "mastery": MASTERY}
        scores = [sum(block) for block in sitting.attempts if len(block) == length]
        rows = [_bar(f"Block {k}", correct, length) for k, correct in enumerate(scores, 1)]
        note = f"A block with {minimum} of {length} right, the line, ends the training."
        note = "Your score comes after the last trial." if sitting.stage == ITEMS else note
        return {"title": "Blocks of training", "rows": rows[-BLOCKS:], "note": note, "mastery": minimum / length}

    def _head(self) -> list[str]:
        sitting, feedback = self.sitting, self.sitting.feedback
        if feedback is None and sitting.stage != PRACTICE:
            n = len(sitting.items)
            return ["All done", f"{n} test trials"] if self.over else ["Test", f"Trial {sitting.position + 1} of {n}"]
        number = feedback.attempt if feedback else len(sitting.attempts) - 1
        block, length = sitting.attempts[number], self.plan.length()
        trial = f"Trial {len(block) + (feedback is None)} of {length}"
        needed = f"{self.plan.needed()} of {length} needed"
        return [f"Training, block {number + 1}", trial, f"{sum(block)} right so far", needed]

    def _draw(self, status: str) -> None:
        """Send the whole scene."""
        sitting, feedback = self.sitting, self.sitting.feedback
        trial = None if self.over and not feedback else sitting.item
        cards = [] if trial is None else [self._shapes[token]._asdict() for token in trial.tokens[0, :4]]
        outcome = {"given": CHOICES.index(feedback.responses[-1]), "right": int(trial.correct[0])} if feedback else None
        self._show({
            "trial": sitting.rows, "head": self._head(), "status": status, "beside": self._beside(),
            "prompt": PROMPTS[PRACTICE if outcome else sitting.stage], "can_skip": sitting.stage == PRACTICE,
            "sample": cards[0] if cards else None, "comparisons": cards[1:], "told": outcome,
            "waits": bool(outcome) and (self._ends or outcome["given"] != outcome["right"]),
            "training": bool(outcome) or sitting.stage == PRACTICE,
        })  # fmt: skip


def _bar(label: str, right: int, n: int, kind: str = "you") -> dict:
    return {"kind": kind, "label": label, "text": f"{right} of {n}", "share": right / n}


def sit(design: Design | None = None, **options) -> MatchingToSample:
    """Return the user's sitting as a widget: an unfinished one continues, otherwise a new one begins.

    Every answer is stored at once in the user's trials; ``options`` are those of `MatchingToSample`.
    """
    return MatchingToSample(design, trials=Trials(), **options)
