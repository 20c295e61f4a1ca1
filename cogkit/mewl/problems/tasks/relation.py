"""Words for three of left, right, front and behind, in sentences whose nouns are known (§ 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations

import numpy as np

from cogkit.mewl.problems.drafts import Draft, one_of, scene_of, shuffled
from cogkit.mewl.problems.episodes import OPTIONS, Asked
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import ACROSS, RELATIONS, Scene, row, stands, true_statements
from cogkit.mewl.world.things import VALUES, Thing

SYLLABLES, WORDS = 3, 3
_THINGS = 3  # a picture
_TRIES = 6  # statements about one picture, before another is drawn
_PAIRS = tuple(permutations(range(_THINGS), 2))
_SAID = tuple((word, which, of) for word in range(WORDS) for which, of in _PAIRS)  # all that can be said of a picture
_TIED = 3  # options at least that shortcuts leave as likely as the right one
Said = tuple[str, str, str]  # which, word, of which


def generate(rng: np.random.Generator, words: Sequence[str], profile: str) -> Draft:
    """Return an episode's making: two pictures a word, which differ in what else is so, and a seventh.

    As published, the two of a word follow one another, and false options are any four. ``verified``: panels are in any
    order, what is said agrees with the picture, and the options are such that neither who looks at no picture nor who
    looks at the query alone is left with fewer than three of them (a search over all sets of five).
    """
    verified = profile == "verified"
    fit = geometry.agrees if verified else None
    meant, panels = dict(zip(words, shuffled(RELATIONS, rng)[:WORDS], strict=True)), []
    for word, relation in meant.items():
        scene, statement, other = _shown(relation, None, rng, profile, fit)
        first = scene, _say(scene, statement, word)
        second = first
        while second[1] == first[1]:
            scene, statement, _ = _shown(relation, other, rng, profile, fit)
            second = scene, _say(scene, statement, word)
        panels += [first, second]
    if verified:
        panels = shuffled(panels, rng)
    while True:
        scene = scene_of(_things(rng), rng, profile, fit)
        so = {_SAID.index((words.index(word), i, j)) for word, name in meant.items() for i, j in _PAIRS
              if stands(scene, i, j, name)}  # fmt: skip
        chosen = _balanced(scene, so, rng) if verified else _any(so, rng)
        if chosen is not None:
            break
    answer, options = chosen
    said = {k: _say(scene, _SAID[k][1:], words[_SAID[k][0]]) for k in options}
    return Draft(panels, scene, list(said.values()), said[answer], meant)


def _things(rng: np.random.Generator) -> list[Thing]:
    """Return three things that differ in colour or shape, so that these name them."""
    named = [(color, shape) for color in VALUES["color"] for shape in VALUES["shape"]]
    chosen = [named[k] for k in rng.choice(len(named), _THINGS, replace=False)]
    return [
        Thing(shape, color, one_of(VALUES["material"], rng), one_of(VALUES["size"], rng)) for color, shape in chosen
    ]


def _shown(relation: str, but: str | None, rng, profile, fit):
    """Return a scene, a true statement of a relation, and what else is so of it, which is not ``but``."""
    while True:
        scene = scene_of(_things(rng), rng, profile, fit)
        there = [(i, j) for i, name, j in true_statements(scene) if name == relation]
        for _ in range(_TRIES):
            of = one_of(sorted({j for _, j in there}), rng)
            which = one_of([i for i, j in there if j == of], rng)
            (other,) = [name for name in ACROSS[relation] if stands(scene, which, of, name)]
            if other != but:
                return scene, (which, of), other


def noun(thing: Thing) -> str:
    """Return what a thing is called in a sentence whose nouns are known."""
    return f"{thing.color} {thing.shape}"


def _say(scene: Scene, statement: tuple[int, int], word: str) -> str:
    which, of = (noun(scene.things[k]) for k in statement)
    return f"{which} {word} {of}"


def _any(so: set[int], rng: np.random.Generator) -> tuple[int, list[int]]:
    answer = one_of(sorted(so), rng)
    return answer, [answer, *shuffled([k for k in range(len(_SAID)) if k not in so], rng)[: OPTIONS - 1]]


@cache
def _sets() -> tuple[np.ndarray, np.ndarray]:
    """Return sets of five things that can be said, (n, 5), and which of each are likeliest to who sees nothing.

    Of all 8,568 sets those of which three or more are. A world is what the words mean and how the things lie; one in
    which not exactly one of the five is so is none.
    """
    sets = np.array(list(combinations(range(len(_SAID)), OPTIONS)))
    counts = _right(_every_world(), sets)
    likeliest = counts == counts.max(axis=1, keepdims=True)
    level = likeliest.sum(axis=1) >= _TIED
    return sets[level], likeliest[level]


@cache
def _every_world() -> np.ndarray:
    """Return what is so in every world, (864, 18) bool: things can lie in 36 ways."""
    orders = list(permutations(range(_THINGS)))
    return np.concatenate([_worlds((across, deep)) for across in orders for deep in orders])


@cache
def _worlds(lie: tuple[Sequence[int], Sequence[int]]) -> np.ndarray:
    """Return what is so, (24, 18) bool, for every meaning that three words can have, of things that lie like this."""
    across, deep = (dict(zip(order, range(_THINGS), strict=True)) for order in lie)
    so = {
        "left": lambda i, j: across[i] < across[j], "right": lambda i, j: across[i] > across[j],
        "front": lambda i, j: deep[i] < deep[j], "behind": lambda i, j: deep[i] > deep[j],
    }  # fmt: skip
    return np.array([[so[meant[word]](i, j) for word, i, j in _SAID] for meant in permutations(RELATIONS, WORDS)])


def _right(worlds: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Return in how many worlds each of a set is the only one that is so: (n, 5)."""
    so = worlds[:, sets]
    return (so & (so.sum(axis=2, keepdims=True) == 1)).sum(axis=0)


def _lie(scene: Scene) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return row(scene, "left"), row(scene, "front")


def _balanced(scene: Scene, so: set[int], rng: np.random.Generator) -> tuple[int, list[int]] | None:
    """Return an answer and options that leave who sees nothing, and who sees this picture alone, with three or more."""
    sets, likeliest = _sets()
    right = np.isin(sets, list(so))
    rows = np.flatnonzero((right.sum(axis=1) == 1) & (likeliest & right).any(axis=1))
    counts = _right(_worlds(_lie(scene)), sets[rows])
    best = counts == counts.max(axis=1, keepdims=True)
    rows = rows[(best.sum(axis=1) >= _TIED) & (best & right[rows]).any(axis=1)]
    if not len(rows):
        return None
    chosen = one_of(rows, rng)
    return int(sets[chosen][right[chosen]][0]), sets[chosen].tolist()


def read(sentence: str) -> Said:
    """Return which, the word, and of which.

    Examples
    --------
    >>> read("red cube pado blue sphere")
    ('red cube', 'pado', 'blue sphere')
    """
    color, shape, word, *of = sentence.split()
    return f"{color} {shape}", word, " ".join(of)


def true(scene: Scene, said: Said) -> set[str]:
    """Return the relations for which a sentence is so; none where a thing is not in the picture."""
    names = list(map(noun, scene.things))
    which, _, of = said
    if which not in names or of not in names:
        return set()
    i, j = names.index(which), names.index(of)
    return {relation for relation in RELATIONS if i != j and stands(scene, i, j, relation)}


def solve(asked: Asked) -> tuple[dict[str, frozenset[str]], tuple[bool, ...]]:
    """Return which relations each word may mean, and which options may be so; no two words mean one relation."""
    may: dict[str, frozenset[str]] = {}
    for panel in asked.panels:
        said = read(panel.utterance)
        may[said[1]] = may.get(said[1], frozenset(RELATIONS)) & true(panel.scene, said)
    options = list(map(read, asked.options))
    words = sorted(may.keys() | {word for _, word, _ in options})
    lexicons = [
        dict(zip(words, meant, strict=True)) for meant in permutations(RELATIONS, len(words))
        if all(relation in may.get(word, RELATIONS) for word, relation in zip(words, meant, strict=True))
    ]  # fmt: skip
    so = [true(asked.query, said) for said in options]
    fits = tuple(any(each[word] in named for each in lexicons) for (_, word, _), named in zip(options, so, strict=True))
    return {word: frozenset(each[word] for each in lexicons) for word in words}, fits


def leaks(asked: Asked) -> dict[str, tuple[bool, ...]]:
    """Return what is left to who looks at no picture, or only at the query, knowing that one option is so.

    ``order``: each word orders things in a row, whatever it means. ``converse``: and one pair of the three words is of
    opposites; options that fit most of the three pairs there can be. ``text``: options that are right in most worlds,
    where a world is what the words mean and how things lie. ``query``: likewise, with things as the query shows them.
    """
    options = list(map(read, asked.options))
    words = sorted({read(panel.utterance)[1] for panel in asked.panels} | {word for _, word, _ in options})
    votes = [sum(_acyclic(options, k, pair) for pair in combinations(words, 2)) for k in range(len(options))]
    found = {
        "order": tuple(_acyclic(options, k) for k in range(len(options))),
        "converse": tuple(vote == max(votes) for vote in votes),
    }
    there = list(map(noun, asked.query.things))
    if len(words) > WORDS or any(name not in there for which, _, of in options for name in (which, of)):
        return found
    said = np.array([[_SAID.index((words.index(word), there.index(a), there.index(b))) for a, word, b in options]])
    counts = {
        "text": _right(_every_world(), said)[0],
        "query": _right(_worlds(_lie(asked.query)), said)[0],
    }
    return found | {name: tuple((count == count.max()).tolist()) for name, count in counts.items()}


def _acyclic(options: Sequence[Said], right: int, opposites: tuple[str, str] | None = None) -> bool:
    """Return whether every word can be an order of things if one option is so and the others are not."""
    above: dict[str, set[tuple[str, str]]] = {}
    for k, (which, word, of) in enumerate(options):
        turned = (k != right) ^ (opposites is not None and word == opposites[1])
        order = opposites[0] if opposites and word in opposites else word
        above.setdefault(order, set()).add((of, which) if turned else (which, of))
    return all(map(in_order, above.values()))


def in_order(pairs: set[tuple[str, str]]) -> bool:
    """Return whether things can stand in a row so that the first of every pair comes before the second.

    Examples
    --------
    >>> in_order({("a", "b"), ("b", "c")}), in_order({("a", "b"), ("b", "a")})
    (True, False)
    """
    left = set(pairs)
    while left:
        last = {after for _, after in left} - {before for before, _ in left}
        if not last:
            return False
        left = {(before, after) for before, after in left if after not in last}
    return True


SOLVERS = {"exact": solve}
