"""Words for six things, in sentences that state their places in English (§ 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations

import numpy as np

from cogkit.core.seeding import one_of
from cogkit.mewl.problems.drafts import Draft, different_things, scene_of, shuffled
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Panel, Trial
from cogkit.mewl.problems.tasks.attribute import may_mean
from cogkit.mewl.problems.tasks.relation import in_order
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import RELATIONS, Scene, stands
from cogkit.mewl.world.things import Thing

SYLLABLES, WORDS = 3, 6


def generate(rng: np.random.Generator, words: Sequence[str], profile: str) -> Draft:
    """Return a draft: each picture has two named things and one without a name.

    As published, the word that is later in the lexicon comes first in true sentences, and the earlier word in false
    options. ``verified``: the six words form three pairs that always occur together, each twice, so that only places
    distinguish the two words of a pair; and all options use the same four words.
    """
    return (_verified if profile == "verified" else _published)(rng, words, different_things(WORDS, rng))


def _published(rng: np.random.Generator, words: Sequence[str], things: Sequence[Thing]) -> Draft:
    pairs = shuffled(list(combinations(range(WORDS), 2)), rng)
    group = [things[k] for k in {k for pair in pairs[:PANELS] for k in pair}]  # the nameless thing is none of these
    pictures = []
    for first, second in pairs[: PANELS + 1]:
        pair = [things[first], things[second]]
        scene = scene_of([*pair, *different_things(1, rng, [*group, *pair])], rng, "as_published")
        pictures.append((scene, f"{words[second]} {one_of(_relations(scene, 1, 0), rng)} {words[first]}"))
    *panels, (query, answer) = pictures
    distractors = [f"{words[first]} {one_of(RELATIONS, rng)} {words[second]}" for first, second in pairs[PANELS + 1 :]]
    return Draft(panels, query, [answer, *distractors[: OPTIONS - 1]], answer, dict(zip(words, things, strict=True)))


def _relations(scene: Scene, which: int, of: int) -> list[str]:
    return [relation for relation in RELATIONS if stands(scene, which, of, relation)]


def _verified(rng: np.random.Generator, words: Sequence[str], things: Sequence[Thing]) -> Draft:
    lexicon = dict(zip(words, things, strict=True))
    pairs = [words[k : k + 2] for k in range(0, WORDS, 2)]
    while True:
        panels = shuffled([picture for pair in pairs for picture in _two_pictures(pair, lexicon, rng)], rng)
        two = shuffled(pairs, rng)[:2]
        first, last = (one_of(pair, rng) for pair in shuffled(two, rng))
        query, answer = _picture((first, last), lexicon, rng)
        relation = answer.split()[1]
        sentences = [f"{a} {relation} {b}" for first, second in permutations(two) for a in first for b in second]
        options = [answer, *shuffled([sentence for sentence in sentences if sentence != answer], rng)[: OPTIONS - 1]]
        draft = Draft(panels, query, options, answer, lexicon)
        problem = Trial("bootstrap", tuple(Panel(*panel) for panel in panels), query, tuple(options))
        if sum(solve(problem)[1]) == 1 < sum(solve_together(problem)[1]):
            return draft


def _two_pictures(pair: Sequence[str], meant: Mapping[str, Thing], rng: np.random.Generator) -> list[tuple[Scene, str]]:
    """Return two pictures of the things of two words, with two different sentences."""
    pictures = [_picture(shuffled(pair, rng), meant, rng)]
    while len(pictures) < 2:
        scene, sentence = _picture(shuffled(pair, rng), meant, rng)
        pictures += [(scene, sentence)] * (sentence != pictures[0][1])
    return pictures


def _picture(pair: Sequence[str], meant: Mapping[str, Thing], rng: np.random.Generator) -> tuple[Scene, str]:
    """Return a picture of the things of two words and one more thing, and a true sentence."""
    first, last = pair
    things = [meant[first], meant[last], *different_things(1, rng, list(meant.values()))]
    order = shuffled(range(3), rng)
    scene = scene_of([things[k] for k in order], rng, "verified", geometry.agrees)
    return scene, f"{first} {one_of(_relations(scene, order.index(0), order.index(1)), rng)} {last}"


def solve(trial: Trial, heed: bool = True) -> tuple[int, tuple[bool, ...]]:
    """Return the number of possible lexicons, and which options may be true.

    No two words mean the same thing. A word that was never heard may mean any thing of the query that no other word
    means.
    """
    candidates = list(lexicons(trial, heed))
    return len(candidates), possible(trial, candidates, heed)


def solve_together(trial: Trial) -> tuple[int, tuple[bool, ...]]:
    """Return the same as `solve`, for a learner that ignores places and notes only which things occur together."""
    return solve(trial, heed=False)


def ways(scene: Scene, relation: str, heed: bool) -> list[tuple[Thing, Thing]]:
    """Return the pairs of things that a sentence can be about; all pairs of the picture if ``heed`` is False."""
    return [
        (scene.things[i], scene.things[j]) for i, j in permutations(range(len(scene.things)), 2)
        if not heed or stands(scene, i, j, relation)
    ]  # fmt: skip


def lexicons(trial: Trial, heed: bool = True) -> Iterator[dict[str, Thing]]:
    """Yield every lexicon of the heard words under which all sentences can be true; ``heed`` as in `ways`."""
    sentences = list(map(str.split, trial.utterances))
    candidates = [ways(panel.scene, sentence[1], heed) for panel, sentence in zip(trial.panels, sentences, strict=True)]
    order, words = [], set()
    remaining = list(range(len(sentences)))
    while remaining:  # next the sentence with the most words of earlier ones
        k = max(remaining, key=lambda row: len(words & {sentences[row][0], sentences[row][2]}))
        order.append(k)
        remaining.remove(k)
        words |= {sentences[k][0], sentences[k][2]}

    def go(at: int, meant: dict[str, Thing]) -> Iterator[dict[str, Thing]]:
        if at == len(order):
            yield dict(meant)
            return
        first_word, _, last_word = sentences[order[at]]
        first_thing, last_thing, things = meant.get(first_word), meant.get(last_word), set(meant.values())
        for first, second in candidates[order[at]]:
            if first_thing not in (None, first) or last_thing not in (None, second):
                continue
            new = {first_word: first} if first_thing is None else {}
            if last_thing is None:
                new[last_word] = second
            if things.isdisjoint(new.values()):
                yield from go(at + 1, meant | new)

    yield from go(0, {})


def possible(trial: Trial, lexicons: Sequence[Mapping[str, Thing]], heed: bool = True) -> tuple[bool, ...]:
    """Return which options may be true under any of some lexicons; ``heed`` as in `ways`."""
    verdicts = []
    for first, relation, last in map(str.split, trial.options):
        pairs = ways(trial.query, relation, heed)
        verdicts.append(
            any(may_mean(lexicon, first, a) and may_mean(lexicon, last, b) for lexicon in lexicons for a, b in pairs)
        )
    return tuple(verdicts)


def leaks(trial: Trial) -> dict[str, tuple[bool, ...]]:
    """Return the options that the order of words alone leaves, without a look at pictures.

    As published, one of two words always comes first in true sentences, and last in false options. ``closure``: options
    that a chain of sentences supports, or, if there are none, those that no chain contradicts. ``joint``: options that
    can be true while all others are false.
    """
    pairs = {(first, last) for first, _, last in map(str.split, trial.utterances)}
    options = [(first, last) for first, _, last in map(str.split, trial.options)]
    joint = [
        in_order(pairs | {(a, b) if k == right else (b, a) for k, (a, b) in enumerate(options)})
        for right in range(len(options))
    ]
    plain = [in_order(pairs | {pair}) for pair in options]
    surely = [not in_order(pairs | {(last, first)}) for first, last in options]
    closure = surely if any(surely) else plain
    return {"closure": tuple(closure), "joint": tuple(joint if any(joint) else [True] * len(options))}


SOLVERS = {"exact": solve, "together": solve_together}
