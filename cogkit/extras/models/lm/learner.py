"""What the language learners of all instruments share: they ask a participant, and read what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import softmax

from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.extras.models.lm.cache import Participant
from cogkit.extras.models.lm.prompts import Prompt, rotation
from cogkit.extras.models.lm.replies import Completion, Reply, parse

HOW = {  # what an answer is taken from, and how a learner's name says it
    "text": "by its words",
    "mean": "by likelihood",
    "sum": "by summed likelihood",
    "prior": "by likelihood less the option's own",
}
"""Where an answer comes from: what the model says, or the probability of each option: per token, as a whole, or as a
multiple of its probability without the question."""


class PromptedLearner:
    """A language model as a learner of an instrument, whose own class writes the prompts.

    Scores from words and scores from probabilities are different learners, and their names say so.

    Parameters
    ----------
    participant : Participant
    how : {"text", "mean", "sum", "prior"}
        One of `HOW`: the model's words, or the mean or the sum of the logarithms of the probabilities of an option's
        tokens, or that sum less the sum after the prompt's cue alone. A sum favours short options, and a mean long
        ones, whose last tokens follow from the first. The difference favours neither (Brown et al. 2020, § 2.4;
        Holtzman et al. 2021).
    seed : int
        Seed of the order in which the options are shown.
    pictures : bool
        Whether it sees pictures, in place of words about them. They are asked for words alone.

    Attributes
    ----------
    replies : list of Reply
        What became of the questions of the last call, in their order.
    """

    kind, abstains = "model", True
    inputs: str

    def __init__(self, participant: Participant, how: str = "text", seed: int = 0, pictures: bool = False) -> None:
        if presets.choose(how, HOW, "way of asking") != "text" and pictures:
            raise InputError(f"{how} of pictures", "how='text' for pictures: probabilities are asked of texts alone")
        self.participant, self.how, self.seed, self.pictures = participant, how, seed, pictures
        self.name = f"{participant.name}, {HOW[how]}"
        self.replies: list[Reply] = []

    def ask(self, prompts: Sequence[Prompt], orders: Sequence[Sequence[int]] | None = None) -> list[Reply]:
        """Return the replies to some prompts, in their order, and keep them in ``replies``.

        ``orders`` gives for each prompt the numbers of the options in the order shown; their own order by default.
        """
        bare = list(dict.fromkeys(prompt.bare for prompt in prompts)) if self.how == "prior" else []
        completions = dict(self.participant.complete([*prompts, *bare]))
        own = {prompt: completions[number] for number, prompt in enumerate(bare, len(prompts))}
        self.replies = []
        for number, (prompt, order) in enumerate(zip(prompts, orders or [()] * len(prompts), strict=True)):
            completion = completions[number]
            if bare:
                completion = _with_priors(completion, own[prompt.bare])
            reply = parse(prompt, completion)
            choice = reply.choice
            if reply.outcome == "answered" and self.how != "text":
                choice = int(np.argmax(self._logs(reply.completion)))
            self.replies.append(replace(reply, choice=choice, order=tuple(map(int, order))))
        return self.replies

    def _logs(self, completion: Completion) -> np.ndarray:
        """Return the logarithm of each ending's probability: as a whole, per token, or less that without question."""
        if self.how == "prior":
            return np.subtract(completion.logs, completion.priors)
        return np.array(completion.logs) / (1 if self.how == "sum" else np.maximum(completion.sizes, 1))

    def scores(self, replies: Sequence[Reply], options: int) -> np.ndarray:
        """Return a score for each option as the instrument numbers it, (n, options); a row of NaN for no answer.

        From words 1 for the named option and 0 for the others, from probabilities their logarithms, and minus infinity
        for an option that was not shown.
        """
        scores = np.full((len(replies), options), np.nan)
        for row, reply in zip(scores, replies, strict=True):
            if reply.outcome != "answered":
                continue
            if self.how == "text":
                row[:] = 0
                row[reply.option] = 1
            else:
                row[:] = -np.inf  # of options that were not shown
                row[list(reply.order or range(options))] = self._logs(reply.completion)
        return scores

    def chances(self, replies: Sequence[Reply], options: int) -> np.ndarray:
        """Return the chance of each option, (n, options): rows that sum to 1, or NaN for no answer."""
        scores = self.scores(replies, options)
        return scores if self.how == "text" else softmax(scores, axis=1)

    def order(self, item: str, options: int) -> np.ndarray:
        """Return the order in which to show the options of an item; likelihood sees one option at a time."""
        return rotation(item, options, self.seed) if self.how == "text" else np.arange(options)


def _with_priors(completion: Completion, bare: Completion) -> Completion:
    """Return a completion with the logarithms that its endings have without the question; it fails if they failed."""
    problem = completion.problem or bare.problem
    if not problem and len(bare.logs) != len(completion.logs):
        problem = "no probabilities of the options without the question"
    return replace(completion, priors=bare.logs, problem=problem)
