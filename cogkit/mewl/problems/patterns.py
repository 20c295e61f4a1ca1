"""Kinds of wrong choices, the same for people and for machines (Jiang et al. 2023, § 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from cogkit.mewl.problems.episodes import OPTIONS, Episode
from cogkit.mewl.problems.tasks import bootstrap, pragmatic, relation
from cogkit.mewl.world.scenes import CONVERSE
from cogkit.mewl.world.things import ATTRIBUTES
from cogkit.stats import wilson

UNHEARD = "word never heard"  # this kind goes before all others
_COUNTED = ("one word wrong", "two words wrong", "three words wrong")


def kind(episode: Episode, option: int) -> str:
    """Return the kind of error of an option (0 to 4) of an episode, one of `KINDS` of its task, or ``right``.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> made = episode("number", 0)
    >>> kind(made, made.answer)
    'right'
    """
    trial, name = episode.trial, episode.trial.option(option)
    if option == episode.answer:
        return "right"
    if UNHEARD in KINDS[episode.task] and not trial.heard.issuperset(set(name.split()) - _PLAIN):
        return UNHEARD
    return _TASKS[episode.task][1](episode, name, trial.options[episode.answer])


_PLAIN = frozenset(("left", "right", "front", "behind", "and"))  # English in names of ``bootstrap`` and ``object``


def _value(episode: Episode, option: str, answer: str) -> str:
    """Return the kind of a heard word for another value.

    One of its pictures may resemble the query in the other attributes more than any picture of the right word does.
    """
    query, attributes = episode.trial.query.things[0], [name for name in ATTRIBUTES if name != episode.task]

    def alike(word: str) -> int:
        things = [panel.scene.things[0] for panel in episode.trial.panels if panel.utterance == word]
        return max(sum(getattr(query, name) == getattr(thing, name) for name in attributes) for thing in things)

    return "of a picture more alike" if alike(option) > alike(answer) else "another known word"


def _wrong_words(episode: Episode, option: str, answer: str) -> str:
    wrong = set(option.split(" and ")) - set(answer.split(" and "))
    return _COUNTED[len(wrong) - 1]


def _phrase(episode: Episode, option: str, answer: str) -> str:
    if option in episode.trial.utterances:
        return "name of a picture"
    off = [a != b for a, b in zip(option.split(), answer.split(), strict=True)]
    return "both words wrong" if all(off) else "first word wrong" if off[0] else "second word wrong"


def _statement(episode: Episode, option: str, answer: str) -> str:
    (first, word, last), (right_first, right_word, right_last) = relation.read(option), relation.read(answer)
    if {first, last} != {right_first, right_last}:
        return "about other things"
    if (first, last) == (right_last, right_first) and word == right_word:
        return "reversed"
    means, right = episode.lexicon[word], episode.lexicon[right_word]
    if (first, last) == (right_first, right_last) and means == CONVERSE[right]:
        return "opposite word"
    return "another word"


def _place(episode: Episode, option: str, answer: str) -> str:
    (first, _, last), (right_first, _, right_last) = option.split(), answer.split()
    if (first, last) == (right_first, right_last):
        return "another place"
    if (first, last) == (right_last, right_first):
        return "reversed"
    problem = episode.trial
    if bootstrap.solve_together(problem)[1][problem.options.index(option)]:
        return "fits but for the places"
    return "does not fit"


def _count(episode: Episode, option: str, answer: str) -> str:
    return "off by one" if abs(episode.lexicon[option] - episode.lexicon[answer]) == 1 else "off by more"


def _pointed(episode: Episode, option: str, answer: str) -> str:
    scene, value = episode.trial.query, episode.lexicon[option]
    if value in pragmatic.excluding(scene, 1):
        return "true, rules out one"
    if value in scene.pointed:
        return "true of all"
    return "of another thing" if any(value in thing for thing in scene.things) else "of nothing there"


_VALUE = (UNHEARD, "of a picture more alike", "another known word"), _value
_TASKS: dict[str, tuple[tuple[str, ...], Callable[[Episode, str, str], str]]] = {
    "shape": _VALUE,
    "color": _VALUE,
    "material": _VALUE,
    "object": ((UNHEARD, *_COUNTED), _wrong_words),
    "composite": ((UNHEARD, "name of a picture", "first word wrong", "second word wrong", "both words wrong"), _phrase),
    "relation": (("reversed", "opposite word", "another word", "about other things"), _statement),
    "bootstrap": ((UNHEARD, "reversed", "another place", "fits but for the places", "does not fit"), _place),
    "number": (("off by one", "off by more"), _count),
    "pragmatic": (("true, rules out one", "true of all", "of another thing", "of nothing there"), _pointed),
}
KINDS = {task: kinds for task, (kinds, _) in _TASKS.items()}


def errors(episodes: Sequence[Episode], choices: Sequence[int]) -> pd.DataFrame:
    """Return which wrong names were chosen, and how often such names would be chosen at random.

    Episodes are of any tasks; one may come more than once. ``choices`` are the option chosen in each, 0 to 4. Columns:
    task, kind (in the order of `KINDS`; kinds that were neither chosen nor on offer are left out), chosen (count),
    errors (all errors of the task), share (of the errors), low, high (Wilson interval), at_random (mean share of this
    kind among the wrong options, over the episodes answered wrong).

    Notes
    -----
    A kind above ``at_random`` shows a preference. ``word never heard`` below it means a preference for heard words;
    ``fits but for the places`` above it means that places were ignored; the true kinds of ``pragmatic`` above it mean
    that a word need only be true.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> made = [episode("number", k) for k in range(20)]
    >>> errors(made, [(each.answer + 1) % 5 for each in made]).chosen.sum()
    np.int64(20)
    """
    rows = []
    for episode, choice in zip(episodes, choices, strict=True):
        wrong = [kind(episode, k) for k in range(OPTIONS) if k != episode.answer]
        for name in KINDS[episode.task] if choice != episode.answer else ():
            rows.append((episode.task, name, kind(episode, choice) == name, wrong.count(name) / len(wrong)))
    table = pd.DataFrame(rows, columns=["task", "kind", "chosen", "at_random"])
    result = table.groupby(["task", "kind"], sort=False).agg(
        chosen=("chosen", "sum"), errors=("chosen", "size"), at_random=("at_random", "mean")
    )  # fmt: skip
    result = result[(result.chosen > 0) | (result.at_random > 0)].reset_index()
    low, high = wilson(result.chosen, result.errors) if len(result) else ((), ())
    result = result.assign(share=result.chosen / result.errors, low=low, high=high)
    return result[["task", "kind", "chosen", "errors", "share", "low", "high", "at_random"]]
