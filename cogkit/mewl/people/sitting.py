"""A person's way through the study of Jiang et al. 2023 (§ 5.2): a tutorial with a check, then the items of one task.

The database alone holds a sitting: where it stands follows from its stored rows, so that it goes on after any kill. A
choice is stored at once, and changed by nothing afterwards.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace

import pandas as pd

from cogkit.core.contracts import InputError, Study
from cogkit.core.seeding import stream
from cogkit.mewl.people import instructions, study
from cogkit.mewl.people.study import ANSWER, CHECK, INSTRUMENT, TRIES, TUTORIAL, Item, Plan
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.world.scenes import Scene
from cogkit.study import sitting as studies
from cogkit.study.trials import BEGIN, Trials, pseudonym

FEEDBACK, DONE = "feedback", "done"  # and TUTORIAL, CHECK and ANSWER: the phases of a sitting
_PROMPTS = {
    TUTORIAL: "Read on when you are ready.",
    CHECK: instructions.CHECKED,
    ANSWER: "Which name fits the last picture?",
    FEEDBACK: "So it was:",
    DONE: "That was the last one; thank you.",
}
_FAILED = "That was not it again. The sitting ends here; you can begin a new one."


def study_of(plan: Plan) -> Study:
    """Return the study with one condition: everybody gets this plan.

    Examples
    --------
    >>> study_of(Plan("color", 3)).assign(None)
    'verified/color/3/10+2'
    """
    return replace(study.STUDY, assign=lambda rng: plan.condition)


@dataclass
class Sitting:
    """One person's sitting; made by `begin`, `resume` or `open`.

    `next` leaves a page of the tutorial, or feedback; `choose` answers.

    Attributes
    ----------
    run : study.sitting.Sitting
        What is stored: the order of the items and where in it the person is.
    plan : study.Plan
    pages : int
        How many pages of the tutorial are behind the person.
    tries : list of bool
        Which answers to the tutorial's check were right.
    right : list of bool
        Which answers to the items were, oldest first.
    told : Item or None
        What feedback is about.
    chosen : int
        The option last chosen, to the item that feedback is about or to the check; -1 where there is none.

    Examples
    --------
    >>> import tempfile
    >>> sitting = Sitting.begin("number", seed=0, store=Trials(tempfile.mkdtemp() + "/trials.sqlite"), who="p-1")
    >>> while sitting.phase == "tutorial":
    ...     sitting.next(rt_s=20.0)
    >>> sitting.phase, sitting.choose(sitting.correct, rt_s=4.5), sitting.phase
    ('check', True, 'answer')
    """

    run: studies.Sitting
    plan: Plan
    pages: int = 0
    tries: list[bool] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    told: Item | None = None
    chosen: int = -1
    steps: tuple[instructions.Page, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        self.steps = instructions.pages(self.plan.task, self.plan.profile)

    @classmethod
    def begin(
        cls, task: str | None = None, seed: int | None = None, store: Trials | None = None, who: str | None = None,
        **options,
    ) -> Sitting:  # fmt: skip
        """Return a new sitting, its beginning stored.

        Parameters
        ----------
        task : str, optional
            One of `episodes.TASKS`; drawn from the seed by default, as people have one task each.
        seed : int, optional
            Draws the items and their order; a random one by default, so that people get items at random.
        store : study.trials.Trials, optional
            Where the rows go; the reader's own database by default.
        who : str, optional
            The reader's own pseudonym by default.
        **options
            ``profile``, ``tests``, ``attention`` and ``feedback`` of a `study.Plan`.
        """
        seed = secrets.randbelow(2**31) if seed is None else int(seed)
        task = TASKS[stream(seed, f"{INSTRUMENT}/task").integers(len(TASKS))] if task is None else task
        plan = Plan(task, seed, **options)
        run = studies.Sitting.begin(study_of(plan), INSTRUMENT, seed, store, who, profile=plan.profile)
        return cls(run, plan)

    @classmethod
    def resume(cls, sitting: str, store: Trials | None = None) -> Sitting:
        """Return a sitting as it stood after its last stored row, from the database alone.

        Raises
        ------
        InputError
            No such sitting has begun there, or its answers are not to the items that its condition has now.
        """
        store = store or Trials()
        rows = store.begun(sitting, instrument=INSTRUMENT)
        plan = Plan.of(rows["response"].iloc[0])
        found = cls(studies.Sitting.resume(study_of(plan), sitting, store), plan)
        for row in rows.iloc[1:].itertuples():
            found._recall(row)
        return found

    @classmethod
    def open(
        cls, task: str | None = None, seed: int | None = None, store: Trials | None = None, who: str | None = None,
        **options,
    ) -> Sitting:  # fmt: skip
        """Return a person's own last sitting of this kind if it is not done, else a new one: for a notebook cell.

        A sitting whose items cannot be had any more, since episodes are made otherwise now, is left as it is.

        Parameters
        ----------
        task, seed, store, who, **options
            As for `begin`; without a task, a sitting of any.
        """
        wanted = Plan(task or TASKS[0], 0, **options)  # refused before anything is opened
        store, who = store or Trials(), who or pseudonym()
        begun = store.frame(instrument=INSTRUMENT, who=who, item=BEGIN, kind="person")
        for sitting, condition in begun[["sitting", "response"]].iloc[::-1].itertuples(index=False):
            plan = Plan.of(condition)
            if plan != replace(wanted, task=task or plan.task, draw=plan.draw):
                continue
            try:
                last = cls.resume(sitting, store)
            except InputError:  # its items cannot be had any more
                break
            if not (last.run.finished or last.failed):
                return last
            break
        return cls.begin(task, seed, store, who, **options)

    @property
    def phase(self) -> str:
        """``tutorial``, ``check``, ``answer``, ``feedback`` or ``done``."""
        if self.told:
            return FEEDBACK
        if self.run.finished or self.failed:
            return DONE
        if self.pages < len(self.steps) - 1:
            return TUTORIAL
        return ANSWER if any(self.tries) else CHECK

    @property
    def failed(self) -> bool:
        """Whether the check of the tutorial was answered wrong as often as it may be: then there are no items."""
        return len(self.tries) >= TRIES and not any(self.tries)

    @property
    def item(self) -> Item | None:
        """What is in view: a worked example, the check, an item; None on a page without, and at the end."""
        if self.phase in (TUTORIAL, CHECK):
            return self.steps[self.pages].item
        return self.told or (None if self.phase == DONE else self.run.current)

    @property
    def correct(self) -> int:
        """The right option of what is in view: for a player that is a program."""
        return self.item.episode.answer

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The seven pictures in view, the query last; none on a page without."""
        if self.item is None:
            return ()
        return (*(panel.scene for panel in self.item.asked.panels), self.item.asked.query)

    @property
    def step(self) -> str:
        """A name for what is in view; another one as soon as something else is."""
        return f"{self.run.rows}/{self.phase}"

    def next(self, rt_s: float | None = None) -> None:
        """Go on from a page of the tutorial, which is stored, or from feedback, which is not.

        Parameters
        ----------
        rt_s : float, optional
            Seconds on the page.
        """
        if self.phase == FEEDBACK:
            self.told, self.chosen = None, -1
            return
        self._wants(TUTORIAL)
        self.run.record(**study.read(self.plan.task, self.pages, rt_s))
        self.pages += 1

    def choose(self, option: int, rt_s: float | None = None, confidence: float | None = None) -> bool:
        """Return whether an option is right, once the choice is stored.

        Parameters
        ----------
        option : int
            Which of the five, 0 to 4.
        rt_s : float, optional
            Seconds that it took.
        confidence : float, optional
            The chance that one gives to being right, 0.2 to 1.

        Raises
        ------
        InputError
            No such option or confidence, nothing to answer, or a choice that could not be stored: then it stays to be
            made.
        """
        self._wants(CHECK, ANSWER)
        row = study.answered(self.item, option, len(self.run.order), self.phase, rt_s, confidence)
        self.run.record(**row)
        self._count(row["extra"]["phase"], int(option), bool(row["correct"]))
        return bool(row["correct"])

    def answers(self) -> pd.DataFrame:
        """Return what is stored after the beginning, one trial row each, oldest first: pages read and answers."""
        return self.run.trials.frame(sitting=self.run.id).iloc[1:].reset_index(drop=True)

    def scene(self) -> dict:
        """Return what is in view, in words; nothing of what is right before the choice is stored.

        Returns
        -------
        dict
            ``step``, ``phase``, ``head`` (list of str), ``prompt``, ``text`` (list of str: paragraphs of a page, or
            what feedback tells), ``names`` (of the six pictures), ``options`` (five, or none on a page without),
            ``chosen`` and ``right`` (a number each, -1 where it is not told).
        """
        item, phase = self.item, self.phase
        solved = phase == FEEDBACK or (phase == TUTORIAL and item is not None)
        return {
            "step": self.step, "phase": phase, "head": self._head(), "prompt": self._prompt(), "text": self._text(),
            "names": [panel.utterance for panel in item.asked.panels] if item else [],
            "options": list(item.asked.options) if item else [],
            "chosen": self.chosen if phase in (CHECK, FEEDBACK) else -1,
            "right": item.episode.answer if solved else -1,
        }  # fmt: skip

    def _head(self) -> list[str]:
        title = instructions.TITLES[self.plan.task]
        if self.phase in (TUTORIAL, CHECK):
            return [title, f"Tutorial, step {self.pages + 1} of {len(self.steps)}"]
        if self.failed:
            return [title, "Tutorial, not passed"]
        of, done = len(self.run.order), self.run.position
        score = [f"{sum(self.right)} of {len(self.right)} right so far"] * (self.plan.feedback and done > 0)
        if self.phase == DONE:
            return [title, "All done", *score]
        return [title, f"Item {done + (not self.told)} of {of}", *score]

    def _prompt(self) -> str:
        if self.failed:
            return _FAILED
        if self.phase == TUTORIAL and self.pages == 0:
            return study.PROMPT
        return instructions.AGAIN if self.phase == CHECK and self.tries else _PROMPTS[self.phase]

    def _text(self) -> list[str]:
        if self.phase == FEEDBACK:
            return list(instructions.explained(self.told.episode))
        return list(self.steps[self.pages].text) if self.phase == TUTORIAL else []

    def _count(self, phase: str, option: int, right: bool) -> None:
        """Note a stored choice."""
        if phase == CHECK:
            self.tries.append(right)
            self.chosen = -1 if right else option
            return
        self.right.append(right)
        if self.plan.feedback:
            self.told, self.chosen = self.run.current, option
        if self.run.done:
            self.run.advance()

    def _recall(self, row) -> None:
        """Go through a stored row again."""
        self.told, self.chosen = None, -1
        phase = row.extra["phase"]
        if phase == TUTORIAL:
            self.pages += 1
            return
        expected = self.steps[-1].item if phase == CHECK else self.run.items[self.run.order[row.extra["position"]]]
        if row.item != expected.name or row.extra["options"] != list(expected.asked.options):
            fix = "begin a new sitting: episodes are made otherwise now"
            raise InputError(f"an answer to {row.item}", f"one to {expected.name} with its five names", fix)
        right = row.correct == 1
        if phase == CHECK:
            self._count(CHECK, row.extra["choice"], right)
            return
        self.right.append(right)
        if self.plan.feedback:
            self.told, self.chosen = expected, row.extra["choice"]

    def _wants(self, *phases: str) -> None:
        if self.phase not in phases:
            wanted = {TUTORIAL: "a page of the tutorial or feedback", CHECK: "a question"}[phases[0]]
            raise InputError(f"a sitting in its phase {self.phase}", f"{wanted} in view")
