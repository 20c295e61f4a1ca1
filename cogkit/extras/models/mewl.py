"""A language model on episodes: six scenes with a name each, as captions or pictures (Jiang et al. 2023, § 4.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cogkit.data import png
from cogkit.extras.models.interview import Interview
from cogkit.extras.models.lm.learner import PromptedLearner
from cogkit.extras.models.lm.prompts import Prompt, closing, fingerprint, lettered
from cogkit.mewl import scoring
from cogkit.mewl.instrument import INSTRUMENT
from cogkit.mewl.people.study import sitting
from cogkit.mewl.problems.captions import prompts, scenes_of
from cogkit.mewl.problems.episodes import OPTIONS, Episode, Question
from cogkit.mewl.problems.pictures import drawer

WIDTH = 256  # pixels of a picture
_START = (
    "Six scenes follow. Each has a name in a language that nobody speaks. Find out what its words mean, and choose the "
    "name of the last scene."
)


class Named(PromptedLearner):
    """A language model that names the last scene of an episode.

    Asked for words, it reads the five names with letters, in an order that the seed turns round. Asked for
    probabilities, it gets the prompt of the paper, which ends with ``Name:``, and each name is an ending.

    The parameters are those of `lm.learner.PromptedLearner`; pictures stand in place of captions.
    """

    @property
    def inputs(self) -> str:
        """What it is shown."""
        return "pixels" if self.pictures else "captions"

    def score(self, question: Question) -> np.ndarray:
        """Return the score of each option, (n, 5), with a row of NaN for no answer."""
        if self.how != "text":
            pairs = prompts(question)
            batch = [Prompt(fingerprint(text), (("user", text),), names, names, cue="Name:") for text, names in pairs]
            return self.scores(self.ask(batch), OPTIONS)
        batch, orders = [], []
        for observations, names, options in zip(
            question.observations, question.utterances, question.options, strict=True
        ):
            pictures = tuple(png.pack(scene) for scene in observations) if self.pictures else ()
            scenes = [f"[picture {k}]" for k in range(1, len(observations) + 1)] if pictures else observations
            item = fingerprint(*(pictures or observations), *names, *options)
            order = self.order(item, OPTIONS)
            text = wording(scenes, names, [options[k] for k in order])
            batch.append(Prompt(item, (("user", text),), tuple(options[k] for k in order), (), pictures, True))
            orders.append(order)
        return self.scores(self.ask(batch, orders), OPTIONS)


def judge(learner: Named, items: Sequence[Episode], *, profile: str = "verified", seed: int = 0) -> scoring.Answers:
    """Return a model's answers to episodes of one task, drawn at `WIDTH` if it looks at them; see `scoring.judge`."""
    return scoring.judge(learner, items, profile=profile, seed=seed, draw=drawer(learner.inputs, WIDTH))


def wording(scenes, names, options) -> str:
    """Return the question of an episode, from its seven scenes in words, six names and five options.

    Examples
    --------
    >>> lines = wording(["A cube."] * 7, ["pado"] * 6, ["pado", "tif"]).splitlines()
    >>> lines[2:4], lines[-7:-2]
    (['Scene 1: A cube.', 'Name: pado'], ['Scene 7: A cube.', '', 'Which name fits scene 7?', 'A. pado', 'B. tif'])
    """
    question = f"Which name fits scene {len(scenes)}?\n{lettered(options)}"
    return "\n\n".join([_START, scenes_of(scenes, names), question, closing()])


INTERVIEW = Interview(
    tasks=INSTRUMENT.tasks,
    items=INSTRUMENT.items,
    learner=lambda participant, task, **settings: Named(participant, **settings),
    judge=judge,
    result_rows=scoring.result_rows,
    pictures=INSTRUMENT.tasks,
    sitting=sitting,
)
