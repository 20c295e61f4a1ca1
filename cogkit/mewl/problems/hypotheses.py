"""The possible meanings of words after each panel: the version space of the ideal observer, and of shortcuts.

A hypothesis is a lexicon: it gives each word a meaning, and no two words have the same one. The first panel that it
does not fit rules it out. The task's exact solver finds what is left after six (Jiang et al. 2023, § 3; facts, § 7).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import permutations

import numpy as np

from cogkit.core.presets import choose
from cogkit.mewl.problems.episodes import PANELS, Trial
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
_Because = Callable[[int, int, int], str]  # row, column, and the panel that rules it out


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
    trial: Trial, words, columns, alive, because: _Because, options=None, *, groups=(), labels=None,
    about: tuple[Sequence[str], object, Callable[[int, int], str]] = ((), np.ones((PANELS + 1, 0)), lambda *_: ""),
) -> Space:  # fmt: skip
    """Return a space from what is alive after each panel; ``about`` are the abouts, those alive, and why one is not."""
    options = options or [module(trial.task).solve(prefix)[1] for prefix in _prefixes(trial)]
    abouts, about_alive, about_because = about
    alive, about_alive, options = (np.array(table, bool) for table in (alive, about_alive, options))

    def why(k: int, reason: Callable[..., str], *place: int) -> str:
        return f"Panel {k}: {reason(*place, k)}." if k <= PANELS else ""

    return Space(
        tuple(labels or words), tuple(columns), tuple(groups), alive,
        tuple(tuple(why(k, because, r, c) for c, k in enumerate(row)) for r, row in enumerate(struck(alive).tolist())),
        tuple(abouts), about_alive,
        tuple(why(k, about_because, p) for p, k in enumerate(struck(about_alive).tolist())), options,
        tuple(_option(option, k, words, columns, alive) if k <= PANELS else ""
              for option, k in zip(trial.options, struck(options).tolist(), strict=True)),
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
    meanings = [
        [[attribute.meant(prefix, place, side) for place in places] for side in range(sides)]
        for prefix in _prefixes(trial)
    ]
    about = [
        [None not in (table[side][place] for side, place in enumerate(frame)) for frame in frames] for table in meanings
    ]
    words = sorted(_words(trial), key=lambda word: _side(trial, word))
    side_of = [_side(trial, word) for word in words]
    columns = [(ATTRIBUTES.index(ATTRIBUTE_OF[value]), value) for value in _VALUES]

    def may(k: int, word: str, side: int, place: int, value: str) -> bool:
        fits = any(possible and frame[side] == place for possible, frame in zip(about[k], frames, strict=True))
        return fits and attribute.may_mean(meanings[k][side][place], word, value)

    alive = [
        [[may(k, word, side, *column) for column in columns] for word, side in zip(words, side_of, strict=True)]
        for k in range(PANELS + 1)
    ]
    subjects = ["the first word is", "the second word is"] if sides == 2 else ["the words are"]

    def lost(side: int, place: int, k: int) -> str:
        panel, before = trial.panels[k - 1], meanings[k - 1][side][place]
        word, value = panel.utterance.split()[side], panel.scene.things[0][place]
        not_about = f"{subjects[side]} not about {ATTRIBUTES[place]}"
        if before.get(word, value) != value:
            return f"{word} was said of {before[word]}, and now of {value}: {not_about}"
        (other,) = (name for name, meaning in before.items() if meaning == value)
        return f"{word} and {other} would both mean {value}: {not_about}"

    def because(row: int, column: int, k: int) -> str:
        (place, value), side, panel = columns[column], side_of[row], trial.panels[k - 1]
        word = panel.utterance.split()[side]
        if word == words[row] and panel.scene.things[0][place] != value:
            return f"{word} is said, and {'no' if place == 0 else 'nothing'} {value} is there"
        if meanings[k][side][place] is None:
            return lost(side, place, k)
        if word != words[row] and panel.scene.things[0][place] == value:
            return f"{word} is said of {value}, which no other word can mean then"
        return f"{subjects[1 - side]} about {ATTRIBUTES[place]}, so {subjects[side]} not"

    def about_because(frame: int, k: int) -> str:
        return next(
            lost(side, place, k) for side, place in enumerate(frames[frame]) if meanings[k][side][place] is None
        )

    labels = [f"{word} …" if side == 0 else f"… {word}" for word, side in zip(words, side_of, strict=True)]
    return _space(
        trial, words, _VALUES, alive, because, groups=_BY_ATTRIBUTE, labels=labels if sides == 2 else words,
        about=([" · ".join(ATTRIBUTES[place] for place in frame) for frame in frames], about, about_because),
    )  # fmt: skip


def _side(trial: Trial, word: str) -> int:
    names = (*trial.utterances, *trial.options)
    return next(name.split().index(word) for name in names if word in name.split())


def _things(trial: Trial) -> list[Thing]:
    return list(dict.fromkeys(thing for scene in trial.scenes for thing in scene.things))


def _object(trial: Trial, _: str) -> Space:
    """Return the space of words that occur in exactly the panels in which their things do."""
    words, things = _words(trial, lambda name: name.split(" and ")), _things(trial)
    in_name = np.array([[word in name.split() for word in words] for name in trial.utterances])
    in_scene = np.array([[thing in panel.scene.things for thing in things] for panel in trial.panels])
    matches = in_name[:, :, None] == in_scene[:, None, :]
    alive = np.logical_and.accumulate(np.concatenate([np.ones_like(matches[:1]), matches]))

    def because(row: int, column: int, k: int) -> str:
        if in_name[k - 1, row]:
            return f"{words[row]} is said, and no {things[column]} is there"
        return f"the {things[column]} is there, and {words[row]} is not said"

    return _space(trial, words, list(map(str, things)), alive, because)


def _number(trial: Trial, _: str) -> Space:
    words, counts = _words(trial), range(1, PANELS + 1)
    lexicons = [{panel.utterance: len(panel.scene.things) for panel in prefix.panels} for prefix in _prefixes(trial)]
    alive = [[[attribute.may_mean(lexicon, word, count) for count in counts] for word in words] for lexicon in lexicons]

    def because(row: int, column: int, k: int) -> str:
        panel = trial.panels[k - 1]
        ending = "" if panel.utterance == words[row] else ", which no other word can mean then"
        return f"{panel.utterance} is said where the number of things is {len(panel.scene.things)}{ending}"

    return _space(trial, words, list(map(str, counts)), alive, because)


def _relation(trial: Trial, _: str) -> Space:
    words = _words(trial, lambda sentence: [relation.read(sentence)[1]])
    statements = [(relation.read(panel.utterance), panel.scene) for panel in trial.panels]
    sentences = (*trial.utterances, *trial.options)  # so that all words have meanings
    stages = [relation.solve(replace(prefix, options=sentences))[0] for prefix in _prefixes(trial)]
    alive = [[[name in may[word] for name in RELATIONS] for word in words] for may in stages]

    def because(row: int, column: int, k: int) -> str:
        (first, word, last), scene = statements[k - 1]
        name = RELATIONS[column]
        if word != words[row]:
            return f"{word} is said, and what it may mean leaves “{IN_WORDS[name]}” to no other word"
        if name not in relation.true(scene, (first, word, last)):
            return f"{word} is said, and the {first} is not {IN_WORDS[name]} the {last}"
        return f"{word} is said, and another word must mean “{IN_WORDS[name]}”"

    return _space(trial, words, [IN_WORDS[name] for name in RELATIONS], alive, because)


def _bootstrap(trial: Trial, _: str) -> Space:
    words, things = _words(trial, lambda sentence: sentence.split()[::2]), _things(trial)
    stages = [list(bootstrap.lexicons(prefix)) for prefix in _prefixes(trial)]
    alive = [
        [[any(attribute.may_mean(lexicon, word, thing) for lexicon in lexicons) for thing in things] for word in words]
        for lexicons in stages
    ]

    def because(row: int, column: int, k: int) -> str:
        word, thing, panel = words[row], things[column], trial.panels[k - 1]
        first, name, last = panel.utterance.split()
        claim = f"“{first} {IN_WORDS[name]} {last}” is said"
        if word not in (first, last):
            return f"{claim}, which leaves {word} other things only"
        if thing not in panel.scene.things:
            return f"{claim}, and no {thing} is there"
        if all(pair[word == last] != thing for pair in bootstrap.ways(panel.scene, name, heed=True)):
            fact = (
                f"the {thing} is {IN_WORDS[name]} nothing"
                if word == first
                else f"nothing is {IN_WORDS[name]} the {thing}"
            )
            return f"{claim}, and {fact}"
        return f"{claim}, and with what was said before that leaves {word} something else"

    options = [bootstrap.possible(trial, lexicons) for lexicons in stages]
    return _space(trial, words, list(map(str, things)), alive, because, options)


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
    alive = [[[value in meanings[word] for value in _VALUES] for word in words] for meanings in stages]
    options = [[bool(meanings[option] & query) for option in trial.options] for meanings in stages]

    def because(row: int, column: int, k: int) -> str:
        panel, value = trial.panels[k - 1], _VALUES[column]
        if panel.utterance != words[row]:
            return f"{panel.utterance} is said where {value} is all that tells its thing, so no other word means it"
        if value not in panel.scene.pointed:
            return f"{words[row]} is said, and what is pointed at is not {_a(value)}"
        count = sum(value in thing for thing in panel.scene.things) - 1
        return f"{words[row]} is said, and {'another one' if count == 1 else 'each other one'} there is {_a(value)} too"

    return _space(trial, words, _VALUES, alive, because, options, groups=_BY_ATTRIBUTE)


def _a(value: str) -> str:
    return f"a {value}" if ATTRIBUTE_OF[value] == "shape" else value


_MAKERS = {
    "object": _object, "number": _number, "relation": _relation, "bootstrap": _bootstrap, "pragmatic": _pragmatic,
}  # fmt: skip


@cache
def _phrases() -> dict[str, tuple[str, str, str]]:
    """Return for each leak what it does, why it keeps an option, and why it drops one."""
    with resources.files("cogkit.mewl.problems").joinpath("shortcuts.csv").open(encoding="utf-8") as file:
        return {name: (what, why_keep, why_drop) for name, what, why_keep, why_drop in list(csv.reader(file))[1:]}


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
        does, why_keep, why_drop = _phrases()[name]
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
        words = set(option.split())
        return text.format(
            next(k for k, utterance in enumerate(trial.utterances, 1) if set(utterance.split()) == words)
        )
    if name == "closure":
        pairs = {(first, last) for first, _, last in map(str.split, trial.utterances)}
        first, last = option.split()[::2]
        forth, back = (relation.in_order(pairs | {pair}) for pair in ((first, last), (last, first)))
        if keep:
            return "no chain of what was heard gainsays it" if back else text.format(first, last)
        return text if forth else f"what was heard puts {last} before {first}"
    return text
