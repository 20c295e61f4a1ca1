"""The possible meanings of words after each panel: the version space of the ideal observer, and of shortcuts.

A hypothesis is a lexicon: it gives each word a meaning, and no two words have the same one. The first panel that it
does not fit rules it out. The task's exact solver finds what is left after six (Jiang et al. 2023, § 3; facts, § 7).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd

from cogkit.core.presets import choose
from cogkit.data.facts import facts
from cogkit.mewl.problems.episodes import PANELS, Panel, Trial
from cogkit.mewl.problems.tasks import attribute, bootstrap, module, pragmatic, relation
from cogkit.mewl.world.scenes import IN_WORDS, RELATIONS
from cogkit.mewl.world.things import ATTRIBUTE_OF, ATTRIBUTES, VALUES, Thing

READINGS = {  # of pragmatic: how many of the other two things a word must rule out
    "exhaustive": "a word is true of its thing and of no other",
    "informative": "a word is true of its thing and rules out another one",
    "literal": "a word is true of its thing",
}
_VALUES = tuple(ATTRIBUTE_OF)
_BY_ATTRIBUTE = tuple((name, len(values)) for name, values in VALUES.items())
Because = Callable[[Any, Any, int, Panel], str]  # why a panel rules out that a word has a meaning; its number, itself


@dataclass(frozen=True, eq=False)
class Space:
    """The hypotheses that are left after 0, 1, … 6 panels.

    Attributes
    ----------
    rows : tuple of str
        The words: first the heard ones in the order of the panels, then those that only options have.
    columns : tuple of str
        The possible meanings of a word.
    groups : tuple of (str, int)
        Attributes and the number of columns for the values of each; empty if meanings are not values.
    alive : (7, rows, columns) bool
        Whether a lexicon that fits the first k panels gives the word this meaning.
    why : tuple of rows of str
        The panel that rules an entry out, and the reason; empty if it is left.
    abouts : tuple of str
        Attributes, or pairs of them, that all words may be about; empty for tasks without them.
    about : (7, abouts) bool
    about_why : tuple of str
    options : (7, 5) bool
        Whether a lexicon that fits the first k panels makes the option right.
    option_why : tuple of str
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    groups: tuple[tuple[str, int], ...]
    alive: np.ndarray
    why: tuple[tuple[str, ...], ...]
    abouts: tuple[str, ...]
    about: np.ndarray
    about_why: tuple[str, ...]
    options: np.ndarray
    option_why: tuple[str, ...]


@dataclass(frozen=True)
class Shortcut:
    """One of a task's ``leaks``: what it does, which of the five options it keeps, and why."""

    name: str
    does: str
    keeps: tuple[bool, ...]
    why: tuple[str, ...]


def struck(alive: np.ndarray) -> np.ndarray:
    """Return the panel that rules out each entry, 1 to 6, or 7 if none does; ``alive`` has a row for 0 to 6 panels.

    Examples
    --------
    >>> struck(np.array([[True, True]] * 3 + [[True, False]] * 4)).tolist()
    [7, 3]
    """
    return alive.sum(axis=0)


def space(trial: Trial, reading: str = "exhaustive") -> Space:
    """Return the possible meanings of the words of an episode, and the possible options, after each panel.

    ``reading``, one of `READINGS`, is how to read words of ``pragmatic``; the other tasks ignore it.

    Notes
    -----
    A word that is not heard yet may have any meaning that no heard word must have, whatever the number of such words.
    Readings weaker than the exhaustive one treat each word on its own, as their solvers do.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> made = episode("number", 0)
    >>> space(made.trial).options.sum(axis=1).tolist()[-1], space(made.trial).alive[0].all()
    (1, np.True_)
    """
    return _MAKERS.get(trial.task, _attributes)(trial, choose(reading, READINGS, "reading"))


def _space(
    trial: Trial, words: Sequence[str], meanings: Sequence, stages: Sequence, may: Callable[[Any, str, Any], object],
    because: Because, options: Sequence | None = None, *, labels: Sequence[str] = (), names: Sequence[str] = (),
    abouts: tuple[Sequence[str], Any, Callable[..., str]] = ((), np.ones((PANELS + 1, 0)), lambda *_: ""),
) -> Space:  # fmt: skip
    """Return a space from what is known after 0 to 6 panels.

    ``may(stage, word, meaning)`` is whether the word may have the meaning at one of the ``stages``. ``labels`` are the
    words, and ``names`` the meanings, as people read them. ``abouts`` are attributes, whether each is alive at each
    stage, and why one is not.
    """
    alive = np.array([[[bool(may(stage, word, it)) for it in meanings] for word in words] for stage in stages])
    right = np.array(options or [module(trial.task).solve(prefix)[1] for prefix in _prefixes(trial)], bool)
    names, about = tuple(names or map(str, meanings)), np.array(abouts[1], bool)

    def why(k: int, reason: Callable[..., str], *what: object) -> str:
        return f"Panel {k}: {reason(*what)}." if k <= PANELS else ""

    def table(word: str, row: list[int]) -> tuple[str, ...]:
        panels = (*trial.panels, None)  # the last is of a meaning that is left
        return tuple(why(k, because, word, it, k, panels[k - 1]) for it, k in zip(meanings, row, strict=True))

    return Space(
        tuple(labels or words), names, _BY_ATTRIBUTE if names == _VALUES else (), alive,
        tuple(map(table, words, struck(alive).tolist())),
        tuple(abouts[0]), about, tuple(why(k, abouts[2], p, k) for p, k in enumerate(struck(about).tolist())), right,
        tuple(_option(option, k, words, names, alive) if k <= PANELS else ""
              for option, k in zip(trial.options, struck(right).tolist(), strict=True)),
    )  # fmt: skip


def _option(option: str, k: int, words: Sequence[str], columns: Sequence[str], alive: np.ndarray) -> str:
    """Return why an option is ruled out: the meanings that its words can still have."""
    terms = [word for word in dict.fromkeys(option.split()) if word in words]
    claims = []
    for word in terms:
        meanings = [name for name, may in zip(columns, alive[k, words.index(word)], strict=True) if may]
        few = 0 < len(meanings) <= (3 if len(terms) == 1 else 1)
        meaning = " or ".join(meanings) if few else f"one of {len(meanings)}" if meanings else "nothing here"
        claims.append(f"{word} can only mean {meaning}")
    return f"Panel {k}: by then {'; '.join(claims)}. The last picture does not fit."


def _words(trial: Trial, words_of: Callable[[str], Iterable[str]] = str.split) -> list[str]:
    names = (*trial.utterances, *trial.options)
    return list(dict.fromkeys(word for name in names for word in words_of(name)))


def _prefixes(trial: Trial) -> list[Trial]:
    """Return the question with its first 0, 1, … 6 panels."""
    return [replace(trial, panels=trial.panels[:k]) for k in range(PANELS + 1)]


def _attributes(trial: Trial, _: str) -> Space:
    """Return the space of words about one attribute, or of two-word names whose words are about an attribute each."""
    sides = 2 if trial.task == "composite" else 1
    places = range(len(ATTRIBUTES))
    frames = list(permutations(places, sides))
    lexicons = [
        [[attribute.meant(prefix, place, side) for place in places] for side in range(sides)]
        for prefix in _prefixes(trial)
    ]
    about = [
        [None not in (table[side][place] for side, place in enumerate(frame)) for frame in frames] for table in lexicons
    ]
    side_of = {word: side for name in (*trial.options, *trial.utterances) for side, word in enumerate(name.split())}
    words = sorted(_words(trial), key=side_of.__getitem__)
    subjects = ["the first word is", "the second word is"] if sides == 2 else ["the words are"]

    def may(k: int, word: str, value: str) -> bool:
        side, place = side_of[word], ATTRIBUTES.index(ATTRIBUTE_OF[value])
        fits = any(possible and frame[side] == place for possible, frame in zip(about[k], frames, strict=True))
        return fits and attribute.may_mean(lexicons[k][side][place], word, value)

    def lost(side: int, place: int, k: int) -> str:
        panel, before = trial.panels[k - 1], lexicons[k - 1][side][place]
        word, value = panel.utterance.split()[side], panel.scene.things[0][place]
        not_about = f"{subjects[side]} not about {ATTRIBUTES[place]}"
        if before.get(word, value) != value:
            return f"{word} was said of {before[word]}, and now of {value}: {not_about}"
        (other,) = (name for name, meaning in before.items() if meaning == value)
        return f"{word} and {other} would both mean {value}: {not_about}"

    def because(word: str, value: str, k: int, panel: Panel) -> str:
        side, place = side_of[word], ATTRIBUTES.index(ATTRIBUTE_OF[value])
        spoken, seen = panel.utterance.split()[side], panel.scene.things[0][place]
        if spoken == word and seen != value:
            return f"{spoken} is said, and {'no' if place == 0 else 'nothing'} {value} is there"
        if lexicons[k][side][place] is None:
            return lost(side, place, k)
        if spoken != word and seen == value:
            return f"{spoken} is said of {value}, which no other word can mean then"
        return f"{subjects[1 - side]} about {ATTRIBUTES[place]}, so {subjects[side]} not"

    def not_about(frame: int, k: int) -> str:
        return next(lost(*at, k) for at in enumerate(frames[frame]) if lexicons[k][at[0]][at[1]] is None)

    labels = [f"… {word}" if side_of[word] else f"{word} …" for word in words] if sides == 2 else words
    abouts = [" · ".join(ATTRIBUTES[place] for place in frame) for frame in frames], about, not_about
    return _space(trial, words, _VALUES, range(PANELS + 1), may, because, labels=labels, abouts=abouts)


def _things(trial: Trial) -> list[Thing]:
    return list(dict.fromkeys(thing for scene in trial.scenes for thing in scene.things))


def _object(trial: Trial, _: str) -> Space:
    """Return the space of words that occur in exactly the panels in which their things do."""

    def may(prefix: Trial, word: str, thing: Thing) -> bool:
        return all((word in panel.utterance.split()) == (thing in panel.scene.things) for panel in prefix.panels)

    def because(word: str, thing: Thing, k: int, panel: Panel) -> str:
        if word in panel.utterance.split():
            return f"{word} is said, and no {thing} is there"
        return f"the {thing} is there, and {word} is not said"

    words = _words(trial, lambda name: name.split(" and "))
    return _space(trial, words, _things(trial), _prefixes(trial), may, because)


def _number(trial: Trial, _: str) -> Space:
    lexicons = [{panel.utterance: len(panel.scene.things) for panel in prefix.panels} for prefix in _prefixes(trial)]

    def because(word: str, count: int, k: int, panel: Panel) -> str:
        ending = "" if panel.utterance == word else ", which no other word can mean then"
        return f"{panel.utterance} is said where the number of things is {len(panel.scene.things)}{ending}"

    return _space(trial, _words(trial), range(1, PANELS + 1), lexicons, attribute.may_mean, because)


def _relation(trial: Trial, _: str) -> Space:
    sentences = (*trial.utterances, *trial.options)  # so that all words have meanings
    stages = [relation.solve(replace(prefix, options=sentences))[0] for prefix in _prefixes(trial)]

    def because(word: str, name: str, k: int, panel: Panel) -> str:
        first, spoken, last = sentence = relation.read(panel.utterance)
        if spoken != word:
            return f"{spoken} is said, and what it may mean leaves “{IN_WORDS[name]}” to no other word"
        if name not in relation.true(panel.scene, sentence):
            return f"{spoken} is said, and the {first} is not {IN_WORDS[name]} the {last}"
        return f"{spoken} is said, and another word must mean “{IN_WORDS[name]}”"

    words = _words(trial, lambda sentence: [relation.read(sentence)[1]])
    names = [IN_WORDS[name] for name in RELATIONS]
    return _space(trial, words, RELATIONS, stages, lambda may, word, it: it in may[word], because, names=names)


def _bootstrap(trial: Trial, _: str) -> Space:
    stages = [list(bootstrap.lexicons(prefix)) for prefix in _prefixes(trial)]

    def may(lexicons: list[dict[str, Thing]], word: str, thing: Thing) -> bool:
        return any(attribute.may_mean(lexicon, word, thing) for lexicon in lexicons)

    def because(word: str, thing: Thing, k: int, panel: Panel) -> str:
        first, name, last = panel.utterance.split()
        claim = f"“{first} {IN_WORDS[name]} {last}” is said"
        if word not in (first, last):
            return f"{claim}, which leaves {word} other things only"
        if thing not in panel.scene.things:
            return f"{claim}, and no {thing} is there"
        if all(pair[word == last] != thing for pair in bootstrap.ways(panel.scene, name, heed=True)):
            pair = (f"the {thing}", "nothing") if word == first else ("nothing", f"the {thing}")
            return f"{claim}, and {pair[0]} is {IN_WORDS[name]} {pair[1]}"
        return f"{claim}, and with what was said before that leaves {word} something else"

    words = _words(trial, lambda sentence: sentence.split()[::2])
    options = [bootstrap.possible(trial, lexicons) for lexicons in stages]
    return _space(trial, words, _things(trial), stages, may, because, options)


def _pragmatic(trial: Trial, reading: str) -> Space:
    least, words = 2 - list(READINGS).index(reading), _words(trial)
    may = {panel.utterance: pragmatic.excluding(panel.scene, least) for panel in trial.panels}
    query = pragmatic.excluding(trial.query, least)
    stages = []
    for prefix in _prefixes(trial):
        names = set(prefix.utterances)
        # Only the exhaustive reading leaves each word one meaning, which no other word can then have.
        fixed = frozenset().union(*(may[word] for word in names if reading == "exhaustive"))
        stages.append({word: may[word] if word in names else frozenset(_VALUES) - fixed for word in words})
    options = [[bool(meanings[option] & query) for option in trial.options] for meanings in stages]

    def because(word: str, value: str, k: int, panel: Panel) -> str:
        if panel.utterance != word:
            return f"{panel.utterance} is said where {value} is all that tells its thing, so no other word means it"
        if value not in panel.scene.pointed:
            return f"{word} is said, and what is pointed at is not {_a(value)}"
        count = sum(value in thing for thing in panel.scene.things) - 1
        return f"{word} is said, and {'another one' if count == 1 else 'each other one'} there is {_a(value)} too"

    return _space(trial, words, _VALUES, stages, lambda may, word, value: value in may[word], because, options)


def _a(value: str) -> str:
    return f"a {value}" if ATTRIBUTE_OF[value] == "shape" else value


_MAKERS = {
    "object": _object, "number": _number, "relation": _relation, "bootstrap": _bootstrap, "pragmatic": _pragmatic,
}  # fmt: skip


@cache
def _phrases() -> pd.DataFrame:
    """Return for each leak what it does, why it keeps an option, and why it drops one."""
    return facts(__file__, "shortcuts", str).set_index("name")


def shortcuts(trial: Trial) -> tuple[Shortcut, ...]:
    """Return the options of an episode that each leak of its task keeps after all six names.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> [(each.name, sum(each.keeps)) for each in shortcuts(episode("shape", 0).trial)]
    [('elimination', 3)]
    """
    rows = []
    for name, keeps in module(trial.task).leaks(trial).items():
        does, why_keep, why_drop = _phrases().loc[name]
        if name == "joint" and all(keeps):
            why_keep = "the order of words does not tell it from the others"
        why = [
            f"{'Kept' if keep else 'Dropped'}: {_reason(trial, name, option, keep, why_keep if keep else why_drop)}."
            for option, keep in zip(trial.options, keeps, strict=True)
        ]
        rows.append(Shortcut(name, does, tuple(map(bool, keeps)), tuple(why)))
    return tuple(rows)


def _reason(trial: Trial, name: str, option: str, keep: bool, text: str) -> str:
    if name in ("elimination", "unsaid") and "{}" in text:
        names = [set(utterance.split()) for utterance in trial.utterances]
        return text.format(names.index(set(option.split())) + 1)
    if name == "closure":
        pairs = {(first, last) for first, _, last in map(str.split, trial.utterances)}
        first, last = option.split()[::2]
        forth, back = (relation.in_order(pairs | {pair}) for pair in ((first, last), (last, first)))
        if keep:
            return "no chain of what was heard gainsays it" if back else text.format(first, last)
        return text if forth else f"what was heard puts {last} before {first}"
    return text
