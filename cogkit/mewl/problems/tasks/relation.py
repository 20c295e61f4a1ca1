"""Words for three of left, right, front and behind, in sentences with English nouns (§ 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations

import numpy as np

from cogkit.core.seeding import one_of
from cogkit.mewl.problems.drafts import Draft, scene_of, shuffled
from cogkit.mewl.problems.episodes import OPTIONS, Trial
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import ACROSS, RELATIONS, Scene, row, stands, true_statements
from cogkit.mewl.world.things import VALUES, Thing

SYLLABLES, WORDS = 3, 3
_THINGS = 3  # things in a picture
_TRIES = 6  # statements to try about one picture before drawing another
_PAIRS = tuple(permutations(range(_THINGS), 2))
# All possible statements about a picture.
_STATEMENTS = tuple((word, first, last) for word in range(WORDS) for first, last in _PAIRS)
_TIED = 3  # the fewest options, with the right one, that a shortcut must leave as equally likely
Sentence = tuple[str, str, str]  # the first noun, the word, the last noun


def generate(rng: np.random.Generator, words: Sequence[str], profile: str) -> Draft:
    """Return a draft: two pictures for each word, which differ in the other true relation, and a query.

    As published, the two pictures of a word follow one another, and false options are any four. ``verified``: panels
    come in a random order, and sentences also hold in the picture. A search over all sets of five finds options of
    which at least three remain without a look at pictures, and also with a look at the query alone.
    """
    verified = profile == "verified"
    fit = geometry.agrees if verified else None
    lexicon, panels = dict(zip(words, shuffled(RELATIONS, rng)[:WORDS], strict=True)), []
    for word, relation in lexicon.items():
        scene, statement, across = _picture(relation, None, rng, profile, fit)
        first = scene, _say(scene, statement, word)
        second = first
        while second[1] == first[1]:
            scene, statement, _ = _picture(relation, across, rng, profile, fit)
            second = scene, _say(scene, statement, word)
        panels += [first, second]
    if verified:
        panels = shuffled(panels, rng)
    while True:
        scene = scene_of(_things(rng), rng, profile, fit)
        facts = {_STATEMENTS.index((words.index(word), i, j)) for word, name in lexicon.items() for i, j in _PAIRS
              if stands(scene, i, j, name)}  # fmt: skip
        choice = _balanced_options(scene, facts, rng) if verified else _random_options(facts, rng)
        if choice is not None:
            break
    answer, options = choice
    sentences = {k: _say(scene, _STATEMENTS[k][1:], words[_STATEMENTS[k][0]]) for k in options}
    return Draft(panels, scene, list(sentences.values()), sentences[answer], lexicon)


def _things(rng: np.random.Generator) -> list[Thing]:
    """Return three things that differ in colour or shape, so that colour and shape identify each."""
    kinds = [(color, shape) for color in VALUES["color"] for shape in VALUES["shape"]]
    picks = [kinds[k] for k in rng.choice(len(kinds), _THINGS, replace=False)]
    return [Thing(shape, color, one_of(VALUES["material"], rng), one_of(VALUES["size"], rng)) for color, shape in picks]


def _picture(relation: str, but: str | None, rng, profile, fit):
    """Return a scene, a true statement of a relation, and the other true relation, which is not ``but``."""
    while True:
        scene = scene_of(_things(rng), rng, profile, fit)
        pairs = [(i, j) for i, name, j in true_statements(scene) if name == relation]
        for _ in range(_TRIES):
            last = one_of(sorted({j for _, j in pairs}), rng)
            first = one_of([i for i, j in pairs if j == last], rng)
            (across,) = [name for name in ACROSS[relation] if stands(scene, first, last, name)]
            if across != but:
                return scene, (first, last), across


def noun(thing: Thing) -> str:
    """Return the English noun of a thing, such as ``red cube``."""
    return f"{thing.color} {thing.shape}"


def _say(scene: Scene, statement: tuple[int, int], word: str) -> str:
    first, last = (noun(scene.things[k]) for k in statement)
    return f"{first} {word} {last}"


def _random_options(so: set[int], rng: np.random.Generator) -> tuple[int, list[int]]:
    answer = one_of(sorted(so), rng)
    return answer, [answer, *shuffled([k for k in range(len(_STATEMENTS)) if k not in so], rng)[: OPTIONS - 1]]


@cache
def _sets() -> tuple[np.ndarray, np.ndarray]:
    """Return sets of five statements, (n, 5), and which of them are likeliest without a look at pictures.

    Of all 8,568 sets, these have three or more likeliest statements. A world is a meaning for each word and an order of
    the things. Only worlds count in which exactly one of the five is true.
    """
    sets = np.array(list(combinations(range(len(_STATEMENTS)), OPTIONS)))
    counts = _counts(_every_world(), sets)
    likeliest = counts == counts.max(axis=1, keepdims=True)
    level = likeliest.sum(axis=1) >= _TIED
    return sets[level], likeliest[level]


@cache
def _every_world() -> np.ndarray:
    """Return which statements are true in every world, (864, 18) bool; things can lie in 36 ways."""
    orders = list(permutations(range(_THINGS)))
    return np.concatenate([_worlds((across, deep)) for across in orders for deep in orders])


@cache
def _worlds(lie: tuple[Sequence[int], Sequence[int]]) -> np.ndarray:
    """Return which statements are true of things that lie like this, (24, 18) bool, for all meanings of three words."""
    across, deep = (dict(zip(order, range(_THINGS), strict=True)) for order in lie)
    tests = {
        "left": lambda i, j: across[i] < across[j], "right": lambda i, j: across[i] > across[j],
        "front": lambda i, j: deep[i] < deep[j], "behind": lambda i, j: deep[i] > deep[j],
    }  # fmt: skip
    return np.array(
        [[tests[meanings[word]](i, j) for word, i, j in _STATEMENTS] for meanings in permutations(RELATIONS, WORDS)]
    )


def _counts(worlds: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Return the number of worlds in which each statement is the only true one of its set: (n, 5)."""
    truths = worlds[:, sets]
    return (truths & (truths.sum(axis=2, keepdims=True) == 1)).sum(axis=0)


def _arrangement(scene: Scene) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return row(scene, "left"), row(scene, "front")


def _balanced_options(scene: Scene, so: set[int], rng: np.random.Generator) -> tuple[int, list[int]] | None:
    """Return an answer and options of which three or more are equally likely without pictures, and from this one alone.

    None if there are no such options.
    """
    sets, likeliest = _sets()
    right = np.isin(sets, list(so))
    rows = np.flatnonzero((right.sum(axis=1) == 1) & (likeliest & right).any(axis=1))
    counts = _counts(_worlds(_arrangement(scene)), sets[rows])
    best = counts == counts.max(axis=1, keepdims=True)
    rows = rows[(best.sum(axis=1) >= _TIED) & (best & right[rows]).any(axis=1)]
    if not len(rows):
        return None
    pick = one_of(rows, rng)
    return int(sets[pick][right[pick]][0]), sets[pick].tolist()


def read(sentence: str) -> Sentence:
    """Return the two nouns of a sentence with the new word between them.

    Examples
    --------
    >>> read("red cube pado blue sphere")
    ('red cube', 'pado', 'blue sphere')
    """
    color, shape, word, *rest = sentence.split()
    return f"{color} {shape}", word, " ".join(rest)


def true(scene: Scene, sentence: Sentence) -> set[str]:
    """Return the relations that make a sentence true; none if one of its things is not in the picture."""
    names = list(map(noun, scene.things))
    first, _, last = sentence
    if first not in names or last not in names:
        return set()
    i, j = names.index(first), names.index(last)
    return {relation for relation in RELATIONS if i != j and stands(scene, i, j, relation)}


def solve(trial: Trial) -> tuple[dict[str, frozenset[str]], tuple[bool, ...]]:
    """Return the possible relations of each word, and which options may be true; no two words mean the same."""
    may: dict[str, frozenset[str]] = {}
    for panel in trial.panels:
        sentence = read(panel.utterance)
        may[sentence[1]] = may.get(sentence[1], frozenset(RELATIONS)) & true(panel.scene, sentence)
    options = list(map(read, trial.options))
    words = sorted(may.keys() | {word for _, word, _ in options})
    lexicons = [
        dict(zip(words, meanings, strict=True)) for meanings in permutations(RELATIONS, len(words))
        if all(relation in may.get(word, RELATIONS) for word, relation in zip(words, meanings, strict=True))
    ]  # fmt: skip
    facts = [true(trial.query, sentence) for sentence in options]
    fits = tuple(
        any(lexicon[word] in relations for lexicon in lexicons)
        for (_, word, _), relations in zip(options, facts, strict=True)
    )
    return {word: frozenset(lexicon[word] for lexicon in lexicons) for word in words}, fits


def leaks(trial: Trial) -> dict[str, tuple[bool, ...]]:
    """Return the options that remain without a look at pictures, or with a look at the query only.

    All know that one option is true. ``order``: each word puts things in a row, whatever it means. ``converse``: also,
    two of the three words are opposites; keep the options that fit the most pairs. ``text``: options that are right in
    the most worlds (a world is a meaning for each word and an order of things). ``query``: the same, with things as in
    the query.
    """
    options = list(map(read, trial.options))
    words = sorted({read(panel.utterance)[1] for panel in trial.panels} | {word for _, word, _ in options})
    votes = [sum(_acyclic(options, k, pair) for pair in combinations(words, 2)) for k in range(len(options))]
    keeps = {
        "order": tuple(_acyclic(options, k) for k in range(len(options))),
        "converse": tuple(vote == max(votes) for vote in votes),
    }
    names = list(map(noun, trial.query.things))
    if len(words) > WORDS or any(name not in names for first, _, last in options for name in (first, last)):
        return keeps
    statements = np.array(
        [[_STATEMENTS.index((words.index(word), names.index(a), names.index(b))) for a, word, b in options]]
    )
    worlds = {"text": _every_world(), "query": _worlds(_arrangement(trial.query))}
    counts = {name: _counts(table, statements)[0] for name, table in worlds.items()}
    return keeps | {name: tuple((count == count.max()).tolist()) for name, count in counts.items()}


def _acyclic(options: Sequence[Sentence], right: int, opposites: tuple[str, str] | None = None) -> bool:
    """Return whether every word can order things in a row if one option is true and the others are false."""
    above: dict[str, set[tuple[str, str]]] = {}
    for k, (first, word, last) in enumerate(options):
        reverse = (k != right) ^ (opposites is not None and word == opposites[1])
        order = opposites[0] if opposites and word in opposites else word
        above.setdefault(order, set()).add((last, first) if reverse else (first, last))
    return all(map(in_order, above.values()))


def in_order(pairs: set[tuple[str, str]]) -> bool:
    """Return whether things can be put in a row so that the first of every pair comes before the second.

    Examples
    --------
    >>> in_order({("a", "b"), ("b", "c")}), in_order({("a", "b"), ("b", "a")})
    (True, False)
    """
    remaining = set(pairs)
    while remaining:
        last = {after for _, after in remaining} - {before for before, _ in remaining}
        if not last:
            return False
        remaining = {(before, after) for before, after in remaining if after not in last}
    return True


SOLVERS = {"exact": solve}
