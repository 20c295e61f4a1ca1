"""A sitting of the study of Jiang et al. 2023 (§ 5.2), in words and scenes: a tutorial, its check and the items.

A choice is stored at once and never changes afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

from cogkit.mewl.people import instructions
from cogkit.mewl.people.study import CHECK, TUTORIAL, Item, Plan
from cogkit.mewl.world.scenes import Scene
from cogkit.study import sitting as studies
from cogkit.study.sitting import DONE, FEEDBACK, ITEMS, PRACTICE


@dataclass
class Sitting(studies.Sitting):
    """One person's sitting of `study.study_of`.

    `next` goes on from a page of the tutorial or from feedback; `choose` answers.

    Examples
    --------
    >>> import tempfile
    >>> from cogkit.mewl.people.study import study_of
    >>> from cogkit.study.trials import Trials
    >>> sitting = Sitting.begin(study_of("number"), 0, Trials(tempfile.mkdtemp() + "/trials.sqlite"), who="p-1")
    >>> while sitting.phase == "tutorial":
    ...     sitting.next(rt_s=20.0)
    >>> sitting.phase, sitting.choose(sitting.correct, rt_s=4.5), sitting.phase
    ('check', True, 'answer')
    """

    @property
    def plan(self) -> Plan:
        """The plan of the sitting."""
        return Plan.of(self.condition)

    @property
    def item(self) -> Item | None:
        """The current worked example, check or item; None on a page without one, and at the end."""
        if self.phase == TUTORIAL:
            return next(iter(self.page.examples), None)
        return None if self.phase == DONE else super().item

    @property
    def correct(self) -> int:
        """The right option of the current item, for programs that play."""
        return self.item.episode.answer

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The seven current pictures, the query last; empty on a page without pictures."""
        return self.item.trial.scenes if self.item else ()

    def choose(self, option: int, rt_s: float | None = None) -> bool:
        """Store a choice, and return whether it is right.

        ``option`` is 0 to 4. Raises `InputError` if it is not valid, there is no question, or the choice could not be
        stored; the question then stays open.
        """
        self._wants(PRACTICE, ITEMS)
        return self.answer(self.item.trial.option(option), rt_s)

    def scene(self) -> dict:
        """Return the current page in words. Before the choice is stored, it does not reveal the right option.

        Keys: ``step``, ``phase``, ``head`` (list of str), ``prompt``, ``text`` (list of str: paragraphs of a page, or
        of feedback), ``names`` (of the six pictures), ``options`` (five, or none on a page without a question),
        ``chosen`` and ``right`` (numbers of options, -1 if hidden).
        """
        item, phase = self.item, self.phase
        has_choice = phase == FEEDBACK or (phase == CHECK and self.last is not None)
        has_answer = phase == FEEDBACK or (phase == TUTORIAL and item is not None)
        text = list(self.page.text) if phase == TUTORIAL else []
        text += instructions.explained(item.episode) if phase == FEEDBACK else []
        return {
            "step": self.step, "phase": phase, "head": self._head(), "prompt": self._prompt(), "text": text,
            "names": list(item.trial.utterances) if item else [],
            "options": list(item.trial.options) if item else [],
            "chosen": item.trial.options.index(self.last.responses[-1]) if has_choice else -1,
            "right": item.episode.answer if has_answer else -1,
        }  # fmt: skip

    def _head(self) -> list[str]:
        title = instructions.TITLES[self.plan.task]
        if self.phase in (TUTORIAL, CHECK):
            return [title, f"Tutorial, step {self.pages + 1} of {len(self.instructions) + 1}"]
        if self.failed:
            return [title, "Tutorial, not passed"]
        score = [f"{sum(self.right)} of {len(self.right)} right so far"] * (self.plan.feedback and self.position > 0)
        if self.phase == DONE:
            return [title, "All done", *score]
        return [title, f"Item {self.position + (not self.pending)} of {len(self.order)}", *score]

    def _prompt(self) -> str:
        if self.failed:
            return instructions.PROMPTS["failed"]
        if self.phase == TUTORIAL and self.pages == 0:
            return self.study.prompt
        return instructions.AGAIN if self.phase == CHECK and self.last else instructions.PROMPTS[self.phase]
