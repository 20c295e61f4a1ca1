"""What a learner holds a word to mean, panel by panel: of a word learner its hypotheses, of the ideal observer its own.

A word learner never strikes out a hypothesis, it only believes in it less. The ideal observer strikes out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import torch

from cogkit.learning import inference
from cogkit.mewl.learners import models, probing
from cogkit.mewl.learners.ablation import cut_short
from cogkit.mewl.learners.networks.version_space import VersionSpace
from cogkit.mewl.problems import hypotheses, observations, tokens
from cogkit.mewl.problems.episodes import PANELS, Episode, Question, Trial

LEARNT = ["word", "panels", "hypothesis", "kind", "meaning", "purity", "probability"]
POSSIBLE = ["word", "panels", "meaning", "probability"]


def has_beliefs(learner: object) -> bool:
    """Return whether a learner is a word learner, trained or not; a transformer has no beliefs to read.

    Examples
    --------
    >>> from cogkit.mewl.learners import agents
    >>> config = agents.config("slot-word-learner", "quick")
    >>> has_beliefs(models.Agent(models.build(config), config)), has_beliefs("a name")
    (True, False)
    """
    return isinstance(getattr(learner, "network", None), VersionSpace)


def heard(trial: Trial) -> tuple[str, ...]:
    """Return the new words of six panels, in the order in which they are first heard.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> made = episode("relation", 0)
    >>> len(heard(made.trial)), set(heard(made.trial)) == set(made.lexicon)
    (3, True)
    """
    return tuple(tokens.new_words([panel.utterance for panel in trial.panels]))


def learnt(learner: models.Agent, episode: Episode) -> pd.DataFrame:
    """Return how much a word learner believes in each hypothesis about each heard word, after 0 to 6 panels.

    Panels are left out as `ablation.Fewer` leaves them out. Eyes that see pictures see all of them first, and then the
    slots of a panel are left out, because an empty picture would still be a picture.

    Parameters
    ----------
    learner : models.Agent
        A word learner over true slots, captions or pictures.
    episode : Episode

    Returns
    -------
    DataFrame
        Columns word, panels (0 to 6), hypothesis (its number), kind (one of `probing.KINDS`), meaning and purity (as
        `probing.meanings` finds them), and probability, which adds up to 1 for each word and number of panels. A word
        has no rows for as long as it is neither said in a panel nor in an option: the learner does not know of it.

    Examples
    --------
    >>> from cogkit.mewl.learners import agents
    >>> from cogkit.mewl.problems.making import episode
    >>> config = agents.config("slot-word-learner", "quick", set="number", things=4, scenes=2)
    >>> table = learnt(models.Agent(models.build(config), config), episode("number", 0))
    >>> table.groupby(["word", "panels"]).probability.sum().round(5).unique().tolist()
    [1.0]
    """
    meanings, words, parts = probing.meanings(learner), heard(episode.trial), []
    question, inputs = _question(learner, episode)
    for panels in range(PANELS + 1):
        short = cut_short(question, inputs, panels)
        known = tokens.new_words((*short.utterances[0], *short.options[0]))
        shares = _shares(learner, short, inputs)
        parts += [
            meanings.assign(word=word, panels=panels, probability=shares[known[word]])
            for word in words if word in known
        ]  # fmt: skip
    table = pd.concat(parts)[LEARNT]
    return table.sort_values(["word", "panels"], key=_placed(words), kind="stable", ignore_index=True)


def possible(episode: Episode) -> pd.DataFrame:
    """Return what each heard word can still mean for the ideal observer, after 0 to 6 panels.

    Parameters
    ----------
    episode : Episode

    Returns
    -------
    DataFrame
        Columns word, panels (0 to 6), meaning, and probability: 0 for a meaning that is struck out, and the same for
        each of the others, which `hypotheses.space` has.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> table = possible(episode("number", 0))
    >>> [table[table.panels == panels].probability.round(2).max().item() for panels in (0, 6)]
    [0.17, 1.0]
    """
    space, words = hypotheses.space(episode.trial), heard(episode.trial)
    shares = space.alive / space.alive.sum(axis=2, keepdims=True).clip(min=1)  # nothing is left of some unheard words
    rows = [row.strip(" …") for row in space.rows]
    parts = [
        pd.DataFrame({
            "word": word, "panels": panels, "meaning": space.columns, "probability": shares[panels, rows.index(word)]
        })
        for word in words for panels in range(PANELS + 1)
    ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)[POSSIBLE]


def _question(learner: models.Agent, episode: Episode) -> tuple[Question, str]:
    """Return what the learner is shown of an episode, and which kind of input this is; pictures are told as slots."""
    images = learner.draw([episode]) if learner.draw else None
    question = observations.question([episode], learner.inputs, images)
    if learner.inputs not in observations.SEEN:
        return question, learner.inputs
    seen = learner.seen(torch.from_numpy(question.observations)).numpy()
    return Question(question.tasks, seen, question.utterances, question.options), "true slots"


def _shares(learner: models.Agent, question: Question, inputs: str) -> np.ndarray:
    """Return the probability of each hypothesis about each new word of one question, (words, hypotheses)."""
    network = learner.network
    assert isinstance(network, VersionSpace)
    obs, token_ids = models.tensors(question, inputs)
    device, seen = next(network.parameters()).device, learner.seen(obs)
    with inference(network):
        reading = network.read(seen.to(device), token_ids.to(device))
    return reading.beliefs[0].double().softmax(dim=1).cpu().numpy()


def _placed(words: tuple[str, ...]) -> Callable[[pd.Series], pd.Series]:
    """Return a key for `sort_values` that puts words in this order."""
    return lambda column: column.map(words.index) if column.name == "word" else column
