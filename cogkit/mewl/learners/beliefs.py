"""What a learner holds a word to mean, panel by panel: of a word learner its hypotheses, of the ideal observer its own.

A word learner never strikes out a hypothesis, it only believes in it less. The ideal observer strikes out. A probe
tells what the hypotheses of a word learner have come to mean: it shows pictures, and compares how true each hypothesis
is of them with what a person would say of them. Nothing of this is in the network, and it never learns from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from cogkit.core import seeding
from cogkit.learning import inference
from cogkit.mewl.learners import training
from cogkit.mewl.learners.ablation import cut_short
from cogkit.mewl.learners.networks.version_space import Occurrences, Pictures, VersionSpace
from cogkit.mewl.problems import hypotheses, making, observations, slots, tokens
from cogkit.mewl.problems.episodes import PANELS, Episode, Question, Trial
from cogkit.mewl.problems.tasks import relation
from cogkit.mewl.world import placing
from cogkit.mewl.world.scenes import IN_WORDS, RELATIONS, Scene
from cogkit.mewl.world.things import ATTRIBUTE_OF, EVERY, VALUES

LEARNT = ["word", "panels", "hypothesis", "kind", "meaning", "purity", "probability"]
KINDS = ("thing", "pointed", "picture", "relation")  # in the order in which a network has its hypotheses
MIXED = "mixed"  # the meaning of a hypothesis that no concept explains
PURE = 0.5  # a concept that explains less than this share of a hypothesis does not name it
_EPISODES = 40  # of each task of the learner
_PLACES = 2  # of each thing in a picture of its own
Concepts = Mapping[str, np.ndarray]  # how true each concept is of each picture


def has_beliefs(learner: object) -> bool:
    """Return whether a learner is a word learner, trained or not; a transformer has no beliefs to read.

    Examples
    --------
    >>> from cogkit.mewl.learners import agents
    >>> config = agents.config("slot-word-learner", "quick")
    >>> has_beliefs(training.Agent(training.build(config), config)), has_beliefs("a name")
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


def learnt(learner: training.Agent, episode: Episode) -> pd.DataFrame:
    """Return how much a word learner believes in each hypothesis about each heard word, after 0 to 6 panels.

    Panels are left out as `ablation.Fewer` leaves them out. Eyes that see pictures see all of them first, and then the
    slots of a panel are left out, because an empty picture would still be a picture.

    Parameters
    ----------
    learner : training.Agent
        A word learner over true slots, captions or pictures.
    episode : Episode

    Returns
    -------
    DataFrame
        Columns word, panels (0 to 6), hypothesis (its number), kind (one of `KINDS`), meaning and purity (as
        `meanings` finds them), and probability, which adds up to 1 for each word and number of panels. A word
        has no rows for as long as it is neither said in a panel nor in an option: the learner does not know of it.

    Examples
    --------
    >>> from cogkit.mewl.learners import agents
    >>> from cogkit.mewl.problems.making import episode
    >>> config = agents.config("slot-word-learner", "quick", set="number", things=4, scenes=2)
    >>> table = learnt(training.Agent(training.build(config), config), episode("number", 0))
    >>> table.groupby(["word", "panels"]).probability.sum().round(5).unique().tolist()
    [1.0]
    """
    named, words, inputs = meanings(learner), heard(episode.trial), learner.inputs
    question = observations.question([episode], inputs, learner.draw([episode]) if learner.draw else None)
    if inputs in observations.SEEN:
        seen = learner.seen(torch.from_numpy(question.observations)).numpy()
        question, inputs = replace(question, observations=seen), "true slots"
    shorts = [cut_short(question, inputs, panels) for panels in range(PANELS + 1)]
    shares = [_shares(learner, short, inputs) for short in shorts]
    known = [tokens.new_words((*short.utterances[0], *short.options[0])) for short in shorts]
    parts = [
        named.assign(word=word, panels=panels, probability=shares[panels][numbers[word]])
        for word in words for panels, numbers in enumerate(known) if word in numbers
    ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)[LEARNT]


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
    return pd.concat(parts, ignore_index=True)


def _shares(learner: training.Agent, question: Question, inputs: str) -> np.ndarray:
    """Return the probability of each hypothesis about each new word of one question, (words, hypotheses)."""
    network = learner.network
    assert isinstance(network, VersionSpace)
    obs, token_ids = training.tensors(question, inputs)
    device, seen = next(network.parameters()).device, learner.seen(obs)
    with inference(network):
        reading = network.read(seen.to(device), token_ids.to(device))
    return reading.beliefs[0].double().softmax(dim=1).cpu().numpy()


def meanings(learner) -> pd.DataFrame:
    """Return what each hypothesis of a word learner has come to mean, as far as the probe can tell.

    Hypotheses about things are asked about each of the 144 things alone: do they fit the things of one value, of two
    values of an attribute, or one thing? All others are asked about pictures and sentences of the learner's own tasks:
    do they go with how many things there are, with a value of some thing or of the thing that is pointed at, or with
    how two things lie to each other? Hypotheses about things are asked about these pictures, too.

    Parameters
    ----------
    learner : training.Agent
        A word learner.

    Returns
    -------
    DataFrame
        Columns hypothesis (its number), kind (one of `KINDS`), meaning (the concept that goes with it best, or `MIXED`
        if none explains at least `PURE`), and purity: the share of a hypothesis' variance over all pictures that the
        best concept explains, 1 if it is true of exactly the pictures of the concept, to the same degree.

    Notes
    -----
    What the probe does not ask, it cannot find. So ``mixed`` says that no concept of the probe goes with a hypothesis,
    and not that the hypothesis means nothing.

    Examples
    --------
    >>> from cogkit.mewl.learners import agents
    >>> config = agents.config("slot-word-learner", "quick", set="shape", things=3, scenes=2)
    >>> meanings(training.Agent(training.build(config), config)).kind.value_counts()[["thing", "picture"]].tolist()
    [3, 2]
    """
    network, episodes = learner.network, making.episodes_of_all(learner.tasks, "train", _EPISODES)
    scenes = list(dict.fromkeys(scene for episode in episodes for scene in episode.trial.scenes))
    with inference(network):
        alone, things = _things(network)
        some, pointed, whole = _told(network, scenes)
        sentence_truth, relations = _sentences(network, [each for each in episodes if each.task == "relation"])
    pictures, hands = _concepts(scenes), np.array([scene.hand is not None for scene in scenes])
    pointing = _pointing([scene for scene in scenes if scene.hand is not None])
    probes: list[tuple] = [((truth, pictures), (truth[hands], pointing)) for truth in (some, pointed, whole)]
    probes[0] = (alone, things), *probes[0]
    best = [_best(*each) for each in (*probes, ((sentence_truth, relations),))]
    names, shares = (np.concatenate(column) for column in zip(*best, strict=True))
    kinds = np.repeat(KINDS, network.kinds)
    return pd.DataFrame({"hypothesis": range(len(kinds)), "kind": kinds, "meaning": names, "purity": shares})


def explained(truth: np.ndarray, concepts: Concepts) -> np.ndarray:
    """Return the share of the variance of hypotheses that each concept explains, (hypotheses, concepts).

    A concept explains nothing of a hypothesis that is less true where the concept is more true, and nothing explains a
    hypothesis that is equally true everywhere.

    Parameters
    ----------
    truth : (pictures, hypotheses) array
        How true each hypothesis is of each picture, in any unit.
    concepts : mapping of str to (pictures,) array

    Examples
    --------
    >>> explained(np.array([[0.9], [0.1], [0.1]]), {"red": np.array([1, 0, 0]), "not red": np.array([0, 1, 1])})
    array([[1., 0.]])
    """
    sides = truth, np.stack(list(concepts.values()), axis=1).astype(float)
    spread = [side - side.mean(axis=0) for side in sides]
    sizes = [np.linalg.norm(side, axis=0) for side in spread]
    units = [side / np.where(size > 1e-9, size, np.inf) for side, size in zip(spread, sizes, strict=True)]
    return np.round((units[0].T @ units[1]).clip(0, 1) ** 2, 9)


def _best(*probes: tuple[np.ndarray, Concepts]) -> tuple[np.ndarray, np.ndarray]:
    """Return for each hypothesis the concept that explains it best in any of some sets of pictures, and its share."""
    names, shares = [], []
    for truth, concepts in probes:
        if len(truth) > 1 and concepts:
            names += list(concepts)
            shares.append(explained(truth, concepts))
    if not names:
        count = probes[0][0].shape[1]
        return np.full(count, MIXED), np.zeros(count)
    table = np.concatenate(shares, axis=1)
    purity = table.max(axis=1)
    return np.where(purity >= PURE, np.array(names)[table.argmax(axis=1)], MIXED), purity


def _truth(evidence: Tensor) -> np.ndarray:
    """Return evidence (logarithms) as how true hypotheses are, relative to where each is most true."""
    logs = evidence.double()
    return (logs - logs.amax(dim=0)).exp().cpu().numpy() if len(logs) else logs.cpu().numpy()


def _seen(network: VersionSpace, scenes: Sequence[Scene]) -> tuple[Tensor, Tensor]:
    """Return the numbers of the slots of pictures, (1, n, S, numbers), and which are filled."""
    device = next(network.parameters()).device
    return network.eyes(torch.from_numpy(slots.of(scenes))[None].to(device))


def _things(network: VersionSpace) -> tuple[np.ndarray, Concepts]:
    """Return how true hypotheses are of every thing alone, and the concepts of things."""
    rng = seeding.stream(0, "mewl/probing")
    things = EVERY * _PLACES
    numbers, _ = _seen(network, [placing.place([thing], rng) for thing in things])
    truth = _truth(logsigmoid(network.things(numbers[0, :, 0])))
    concepts = {
        name: np.array([bool(set(values) & {*thing}) for thing in things]) for name, values in _values().items()
    }
    return truth, concepts | {str(thing): np.array([other == thing for other in things]) for thing in EVERY}


def _told(network: VersionSpace, scenes: Sequence[Scene]) -> list[np.ndarray]:
    """Return how true hypotheses about some thing, about the one pointed at and about the whole are of pictures."""
    numbers, mask = _seen(network, scenes)
    some = network.things(numbers).masked_fill(~mask[..., None], -torch.inf)
    evidence = (
        logsigmoid(some.logsumexp(dim=2)), network.pointed(numbers, mask),
        network.scenes(network.scenes.sums(numbers, mask)),
    )  # fmt: skip
    return [_truth(part[0]) for part in evidence]


def _values() -> dict[str, tuple[str, ...]]:
    """Return every value, and every two values of one attribute that has more, by their names."""
    pairs = (pair for values in VALUES.values() if len(values) > 2 for pair in combinations(values, 2))
    return {value: (value,) for value in ATTRIBUTE_OF} | {" or ".join(pair): pair for pair in pairs}


def _concepts(scenes: Sequence[Scene]) -> Concepts:
    """Return of which pictures it is true that there are so many things, or some thing of a value."""
    counts = np.array([len(scene.things) for scene in scenes])
    ranges = combinations(range(1, PANELS + 2), 2)  # from few to fewer than many
    concepts = {_counted(few, many - 1): (counts >= few) & (counts < many) for few, many in ranges}
    for name, values in _values().items():
        concepts[name] = np.array([any(set(values) & {*thing} for thing in scene.things) for scene in scenes])
    return {name: truth for name, truth in concepts.items() if truth.any() and not truth.all()}


def _pointing(scenes: Sequence[Scene]) -> Concepts:
    """Return how well each value picks out what a hand points at: 1 if no other thing has it, 0 if its thing has not.

    So much of its evidence a rational speaker would give to a hypothesis about this value, see `version_space.Pointed`.
    """
    return {
        f"pointed at: {value}": np.array(
            [(value in scene.pointed) / max(1, sum(value in thing for thing in scene.things)) for scene in scenes]
        )
        for value in ATTRIBUTE_OF
    }


def _counted(few: int, many: int) -> str:
    """Return a number of things in words, or a range of numbers."""
    if few == many:
        return "1 thing" if few == 1 else f"{few} things"
    if many == PANELS:
        return f"{few} or more things"
    return f"{few} {'or' if many == few + 1 else 'to'} {many} things"


def _sentences(network: VersionSpace, episodes: Sequence[Episode]) -> tuple[np.ndarray, Concepts]:
    """Return how true hypotheses about relations are of the sentences of episodes, and which relations hold."""
    if not episodes:
        return np.empty((0, network.kinds[-1])), {}
    question = observations.question(episodes, "true slots")
    device = next(network.parameters()).device
    slot_vectors, token_ids = (part.to(device) for part in training.tensors(question, "true slots"))
    numbers, mask = network.eyes(slot_vectors)
    occurrences = Occurrences.of(token_ids)
    literal = network.things(numbers)
    pictures = Pictures(*(part.flatten(0, 1) for part in (numbers, mask, literal))).take(occurrences.pictures)
    beliefs = torch.zeros(len(token_ids), tokens.MOST_NEW, sum(network.kinds), device=device)
    evidence, _ = network.sentences(occurrences, pictures, beliefs)  # no other word of a sentence is new
    holds = []
    for which, number in zip(occurrences.episodes.tolist(), occurrences.utterances.tolist(), strict=True):
        trial = episodes[which].trial
        sentence = relation.read((*trial.utterances, *trial.options)[number])
        holds.append(relation.true(trial.scenes[min(number, PANELS)], sentence))
    return _truth(evidence), {IN_WORDS[name]: np.array([name in those for those in holds]) for name in RELATIONS}
