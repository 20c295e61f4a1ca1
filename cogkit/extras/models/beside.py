"""A reader and a language model answer the same questions: after each answer, the widget shows what the model chose."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pandas as pd
import traitlets

from cogkit.core.errors import InputError
from cogkit.core.study import Presentation, Study
from cogkit.data import results
from cogkit.extras.models.partner import Partner, Question, Sheet, result_rows
from cogkit.study.sitting import ITEMS, Sitting
from cogkit.study.trials import BEGIN, Trials, pseudonym
from cogkit.ui.files import script
from cogkit.ui.trial_widget import TrialWidget, unsaved

INSTRUMENT, SOURCE = "asking", "beside a language model"
"""What trial rows call these sittings: a person who reads a task as text sits no instrument's own study."""
_END = "These were all questions of this task. Choose another one above."
_VERDICT = ("Not right ✗", "Right ✓")


def study_of(sheet: Sheet) -> Study:
    """Return the study of a sheet: its questions one after the other, with feedback.

    A sitting belongs to it if it has the same questions, whichever model answers them.
    """
    what = sheet.asking
    plan = {"seed": what.seed, "n": what.n, "how": what.how, "items": what.item_set}
    return Study(
        INSTRUMENT, lambda seed: sheet.task, lambda condition, seed: sheet.questions, _answered,
        feedback=(ITEMS,), phases={ITEMS: "answer"}, source=SOURCE, plan=plan,
    )  # fmt: skip


def _answered(presentation: Presentation, option: str) -> dict[str, Any]:
    question: Question = presentation.item
    place = question.options.index(option)
    correct = int(place in question.right)
    return {"response": option, "correct": correct, "score": float(correct),
            "extra": {"place": place, "question": question.prompt.item}}  # fmt: skip


class Beside(TrialWidget):
    """Answer the questions of a task as the model reads them, and see after each answer what the model chose.

    Before an answer is stored, the page holds neither the right option nor the model's. Clicks call the methods
    `choose`, `next` and `turn_to`.

    Parameters
    ----------
    partner : Partner
        Who answers beside the reader, from `partner.choose`.
    trials : study.trials.Trials, optional
        Storage for the answers; each task goes on where it stopped. Without it, answers last as long as the widget.
    task : str, optional
        The task to begin with; by default the one that the reader began last.

    Notes
    -----
    Keys: a number, or the letter of an option, chooses it; arrows move among options, and Enter or Space chooses;
    after an answer, Enter goes on.

    Examples
    --------
    >>> from cogkit.extras.models import partner
    >>> beside = Beside(partner.choose(), task="mewl/number")
    >>> beside.choose(beside.correct), beside.scene["status"][:7]
    (True, 'Right ✓')
    """

    _esm = script(__file__, "base.js", "asker.js", "sitting.js", "beside.js")
    _css = script(__file__, "base.css", "beside.css")
    still = traitlets.Dict().tag(sync=True)  # what never changes: the tasks, and the model's name
    beginning = traitlets.Unicode().tag(sync=True)  # of every question of the task: it can be long

    def __init__(self, partner: Partner, trials: Trials | None = None, task: str = "") -> None:
        super().__init__()
        self._who = pseudonym() if trials else "unsaved"
        if trials is None:
            self._folder, trials = unsaved()
        self._partner, self._trials = partner, trials
        self._sheets: dict[str, Sheet] = {}
        self._sittings: dict[str, Sitting] = {}
        self.still = {"tasks": list(partner.tasks), "model": partner.name}
        begun = [name for name in self._begun().task if name in partner.tasks]
        self.turn_to(task or (begun or partner.tasks)[-1 if begun else 0])

    @property
    def sheet(self) -> Sheet:
        """The questions of the task in view."""
        return self._sheets[self.task]

    @property
    def task(self) -> str:
        """The task in view."""
        return self.sitting.condition

    @property
    def correct(self) -> int:
        """The place of a right option of the next question, for programs that play."""
        return self.sitting.presentation.item.right[0]

    def turn_to(self, task: str) -> str:
        """Go to a task, like the list of tasks; return the status line. What was begun there goes on."""
        if task not in self._sittings:
            self._sittings[task] = self._sitting(task)
        self.sitting = self._sittings[task]
        self.beginning = self.sheet.beginning
        words = "It goes on where you stopped." if self.sitting.rows > 1 else "No answer is stored yet."
        return self._draw(_END if self.over else words)

    def choose(self, place: int, rt_s: float | None = None) -> bool:
        """Choose the option at a place, like its key, after leaving feedback if necessary; return whether it is right.

        The answer is stored at once. Raises `InputError` if there is no such place, or nothing is left to answer.
        """
        if self.sitting.pending:
            self.sitting.next()
        options = self.sitting.presentation.item.options
        if not 0 <= place < len(options):
            raise InputError(f"place {place}", f"0 to {len(options) - 1}")
        correct = self.sitting.answer(options[place], self._took(rt_s))
        self._draw(self._verdict(correct))
        return correct

    def next(self) -> str:
        """Go on from an answer, like Enter; return the status line."""
        self.sitting.next()
        return self._draw(_END if self.over else "")

    def rows(self) -> pd.DataFrame:
        """Return the reader's result rows, of every task that was begun, as ``ask`` and ``summarise`` give them.

        A recorded model has its rows among the shipped ones; those of a model behind an address follow here.
        """
        tables = [results.table([])]
        for task in dict.fromkeys(name for name in self._begun().task if name in self._partner.tasks):
            if begun := self._last(task):
                answered = self._trials.frame(sitting=begun).extra
                tables.append(self._sheet(task).rows([extra["place"] for extra in answered if "place" in extra]))
            if not self._partner.is_recorded:
                tables.append(result_rows(self._sheet(task).answers))
        return pd.concat(tables, ignore_index=True)

    def _sitting(self, task: str) -> Sitting:
        """Return the reader's sitting of a task: the last one, finished or not, or a new one."""
        study = study_of(self._sheet(task))
        if begun := self._last(task):
            with suppress(InputError):  # its rows do not fit, and `open` says so
                sitting = Sitting.resume(study, begun, self._trials)
                if sitting.finished and sitting.pending:
                    sitting.next()
                return sitting
        return Sitting.open(study, self._trials, 0, self._who)

    def _last(self, task: str) -> str:
        """Return the id of the reader's last sitting of a task with these very questions; "" if there is none."""
        plan = study_of(self._sheet(task)).plan
        begun = [row for row in self._begun().to_dict("records") if row["response"] == task]
        return next((row["sitting"] for row in reversed(begun) if row["extra"].get("plan") == plan), "")

    def _sheet(self, task: str) -> Sheet:
        if task not in self._sheets:
            self._sheets[task] = Sheet(self._partner, task)
        return self._sheets[task]

    def _begun(self) -> pd.DataFrame:
        """Return the first row of each sitting of the reader beside a model, oldest first."""
        return self._trials.frame(who=self._who, instrument=INSTRUMENT, source=SOURCE, kind="person", item=BEGIN)

    def _act(self, message: dict) -> None:
        if "task" in message:
            self.turn_to(message["task"])
        elif message.get("step") != self._step:
            return  # a second press, after the answer
        elif "option" in message and not self.sitting.pending:
            self.choose(message["option"], message.get("rt_s"))
        elif message.get("next") and self.sitting.pending:
            self.next()

    @property
    def _step(self) -> str:
        return f"{self.sitting.condition}/{self.sitting.step}"

    def _verdict(self, correct: bool) -> str:
        """Return the status line after an answer."""
        assert self.sitting.feedback is not None  # it follows every answer
        question = self.sitting.feedback.item
        reply, is_right = self.sheet.reply(question), self.sheet.is_right(question)
        if reply.choice < 0:
            return f"{_VERDICT[correct]} The model gave no answer that counts: {reply.outcome}."
        verdict = ("right" if is_right else "not right") + (" too" if correct == is_right else "")
        return f"{_VERDICT[correct]} The model chose “{question.options[reply.choice]}”, which is {verdict}."

    def _draw(self, status: str) -> str:
        """Send the whole scene; return the status line."""
        sheet, feedback, done = self.sheet, self.sitting.feedback, len(self.sitting.right)
        head = ["All done" if self.over else f"Question {done + (feedback is None)} of {len(sheet.questions)}"]
        if done:
            theirs = sum(map(sheet.is_right, sheet.questions[:done]))
            head += [f"★ you: {sum(self.sitting.right)} of {done} right", f"◆ the model: {theirs} of {done} right"]
        scene = {"step": self._step, "task": sheet.task, "head": head, "status": status, "spoken": "",
                 "text": "", "options": [], "labels": [], "answer": None}  # fmt: skip
        if not self.over:
            question: Question = self.sitting.item
            labels = list(question.prompt.labels) or [str(k + 1) for k in range(len(question.options))]
            text = question.prompt.text.removeprefix(sheet.beginning)
            scene |= {"text": text, "options": list(question.options), "labels": labels}
        if feedback is not None:
            question, reply = feedback.item, sheet.reply(feedback.item)
            scene["answer"] = {
                "yours": question.options.index(feedback.responses[-1]), "right": list(question.right),
                "model": reply.choice, "outcome": reply.outcome, "words": reply.completion.text,
                "chances": sheet.chances(question),
            }  # fmt: skip
        self._show(scene)
        return status


def sit(partner: Partner, task: str = "") -> Beside:
    """Return the reader's place beside a model as a widget: what was begun goes on.

    Every answer is stored at once in the reader's trials.
    """
    return Beside(partner, Trials(), task)
