"""Sets of problems: their contents, names and splits (Nie et al. 2020, § 3).

The whole set has 12,000 problems: 3,600 free-form, 4,000 basic and 4,400 abstract. A smaller set is a part of it, with
the same names and contents, spread over the concepts as evenly as possible. The set of free-form problems alone, used
in the paper's Table 2, has up to 12,000. Two sets are our own: a small one has basic problems about single sectors, and
one has abstract problems whose shapes are new in the tests.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from cogkit.bongard.problems import abstract, basic, freeform, rendering
from cogkit.bongard.problems.records import KINDS, Problem, parts
from cogkit.bongard.problems.records import name as name_of
from cogkit.bongard.shapes.inventory import Shapes, available
from cogkit.core import presets
from cogkit.core.errors import InputError

SIZES = {"ff": 3600, "bd": 4000, "hd": 4400}
ALONE = 12_000  # free-form problems in a set of nothing else
LONGEST = (("nact9",), ("nact4_5",))  # one stroke more than any other: only for tests, never for training
NOVEL = "has_eight_straight_lines"
TASKS = {  # the part of the split for each task
    "train": "train", "val": "val", "FF": "test_ff", "BA": "test_bd", "CM": "test_hd_comb", "NV": "test_hd_novel",
}  # fmt: skip
TESTS = ("FF", "BA", "CM", "NV")
ABLATION = "free-form only"  # the set of Table 2: free-form problems and no others
SECTORS = "sectors only"  # a set of our own: what a small network begins to learn within half a minute
_VALIDATION = 900 / 10_200  # share of the problems outside the tests
_PARTS = TASKS | {f"{ABLATION}/{task}": part for task, part in (("train", "train"), ("val", "val"), ("FF", "test"))}
_PARTS |= {f"{SECTORS}/{part}": part for part in ("train", "val")}
_SHAPES, _ROUNDS = 24, 20  # of the sectors: the first shapes of the family, and problems about each
NEW = "new-shapes"  # a set of our own: abstract problems of old shapes to train on, and of new ones alone for its tests
NEW_TESTS = tuple(f"{NEW}/{test}" for test in ("AB", "CM", "NV"))  # concepts of training, of CM, and of NV
_PARTS |= {f"{NEW}/{part}": part for part in ("train", "val")} | {test: test for test in NEW_TESTS}
_MANY, _OFTEN = 400, 40  # most problems in each of its tests, and most about a concept
_FIRST = {"old": 100, "new": 1000}  # numbers of its problems of each concept: no random stream serves two problems


@dataclass(frozen=True)
class Spec:
    """The description of one problem of a set, before it is made.

    Attributes
    ----------
    name, kind : str
    concept : tuple of str
        As in `Problem`.
    index : int
        Number of the problem within its kind.
    profile : str
    seed : int
    source : str
        Source of its shapes, one of `shapes.SOURCES`.
    shapes : {"all", "old", "new"}
        Which of these shapes; see `abstract.old_and_new`.
    """

    name: str
    kind: str
    concept: tuple[str, ...]
    index: int
    profile: str = "verified"
    seed: int = 0
    source: str = "any"
    shapes: str = "all"


def specs(
    profile: str = "verified", kinds: Sequence[str] = tuple(KINDS), n: int | None = None, seed: int = 0,
    source: str = "any",
) -> list[Spec]:  # fmt: skip
    """Return the specs of a set of ``n`` problems.

    ``kinds`` are some of `KINDS`; each has its share of the whole set. ``n`` is by default all: 12,000, also for
    free-form problems alone. ``source`` of the shapes is one of `shapes.SOURCES`. Raises `InputError` if ``n`` is 0, or
    more than the set has.

    Examples
    --------
    >>> [spec.name for spec in specs(n=2, kinds=("ff",))]
    ['ff_nact4_0000', 'ff_nact3_3_0000']
    """
    presets.profile(profile)
    kinds = [presets.choose(kind, KINDS, "kind of problem") for kind in dict.fromkeys(kinds)]
    sizes = {kind: SIZES[kind] for kind in kinds} if kinds != ["ff"] else {"ff": ALONE}
    whole = sum(sizes.values())
    n = whole if n is None else n
    if not 1 <= n <= whole:
        raise InputError(f"{n} problems", f"1 to {whole:,}")
    entries: list[Spec] = []
    for kind, count in _shares(sizes, n).items():
        concepts = _concepts(kind, profile, seed, available(source) if kind != "ff" else None)
        for index in _spread(count, len(concepts)):
            number, place = divmod(index, len(concepts))
            name = name_of(kind, concepts[place], number)
            entries.append(Spec(name, kind, concepts[place], index, profile, seed, source))
    return entries


def problem(spec: Spec) -> Problem:
    """Return the problem of a spec.

    Examples
    --------
    >>> problem(specs(n=1, kinds=("ff",))[0]).concept
    ('nact4',)
    """
    if spec.kind == "ff":
        return freeform.problem(spec.index, spec.profile, spec.seed)
    make, shapes = basic.problem if spec.kind == "bd" else abstract.problem, available(spec.source)
    shapes = shapes if spec.shapes == "all" else abstract.old_and_new(shapes)[spec.shapes]
    return make(spec.index, spec.profile, spec.seed, shapes)


def problems(
    task: str, n: int | None = None, profile: str = "verified", seed: int = 0, source: str = "any"
) -> tuple[Problem, ...]:
    """Return the problems of a task, in a shuffled order that is always the same.

    ``task`` is one of `TASKS`; or ``free-form only/`` with ``train``, ``val`` or ``FF``, for the set of Table 2; or
    ``sectors only/`` with ``train`` or ``val``; or ``new-shapes/`` with ``train``, ``val``, ``AB``, ``CM`` or ``NV``.
    ``n`` is a number of problems, from the first on; by default, or if the task has fewer, all are returned.

    Examples
    --------
    >>> [problem.kind for problem in problems("FF", 2)]
    ['ff', 'ff']
    """
    if n is not None and n < 1:
        raise InputError(f"{n} problems", "one problem or more")
    specs = tuple(task_specs(task, profile, seed, source)[:n])
    return made(specs) if len(specs) < rendering.MANY else made.__wrapped__(specs)


@lru_cache(maxsize=16)
def made(specs: tuple[Spec, ...]) -> tuple[Problem, ...]:
    """Return the problems of some specs. They are held in memory, where thousands would take 100 MB."""
    return tuple(chain.from_iterable(rendering.by_parts(_each_problem, specs, None)))


def _each_problem(specs: Sequence[Spec]) -> list[Problem]:
    return [problem(spec) for spec in specs]


def task_specs(task: str, profile: str = "verified", seed: int = 0, source: str = "any") -> list[Spec]:
    """Return the specs of the problems in a task, with the arguments of `problems`."""
    part = _PARTS[presets.choose(task, _PARTS, "task")]
    if task.startswith(ABLATION):
        return _split(("ff",), presets.profile(profile), seed, source)[part]
    if task.startswith(SECTORS):
        return _sectors(presets.profile(profile), seed, available(source).source)[part]
    if task.startswith(NEW):
        return _new_shapes(presets.profile(profile), seed, available(source).source)[part]
    return _split(tuple(KINDS), presets.profile(profile), seed, available(source).source)[part]  # "any" may change


def one_of_each(task: str, profile: str = "verified", seed: int = 0, source: str = "any") -> dict[str, Problem]:
    """Return one problem of each kind in a task, by kind, without making the others; arguments as in `problems`."""
    last = {spec.kind: spec for spec in task_specs(task, profile, seed, source)}
    return {kind: problem(spec) for kind, spec in last.items()}


@lru_cache(maxsize=4)
def _split(kinds: tuple[str, ...], profile: str, seed: int, source: str) -> dict[str, list[Spec]]:
    """Return the specs of each part by hashes of their names, so that the beginning of a part is like the whole."""
    by_name = {spec.name: spec for spec in specs(profile, kinds, None, seed, source)}
    return {part: [by_name[name] for name in sorted(names, key=_hash)] for part, names in split(by_name).items()}


@lru_cache(maxsize=4)
def _sectors(profile: str, seed: int, source: str) -> dict[str, list[Spec]]:
    """Return the specs of basic problems about single sectors; a fifth is for validation."""
    shapes = available(source)
    concepts = basic.concepts(shapes, profile, seed)
    singles = [k for k, names in enumerate(concepts) if len(names) == 1 and shapes[names[0]].super_class == "sector"]
    entries = [
        Spec(name_of("bd", concepts[k], number), "bd", concepts[k], number * len(concepts) + k, profile, seed, source)
        for number in range(_ROUNDS) for k in singles[:_SHAPES]
    ]  # fmt: skip
    entries = sorted(entries, key=lambda spec: _hash(spec.name))
    cut = len(entries) // 5
    return {"val": entries[:cut], "train": entries[cut:]}


@lru_cache(maxsize=4)
def _new_shapes(profile: str, seed: int, source: str) -> dict[str, list[Spec]]:
    """Return the specs of abstract problems of old shapes, for training and validation, and of new ones, for tests.

    The concepts are those of the whole set that the shapes suffice for; no test has an attribute that is not trained,
    but for `NOVEL`.
    """
    whole = _split(tuple(KINDS), profile, seed, source)
    concepts = {part: {spec.concept for spec in entries if spec.kind == "hd"} for part, entries in whole.items()}

    def about(some: set[tuple[str, ...]], age: str, rounds: int = 0) -> list[Spec]:
        every = abstract.concepts(abstract.old_and_new(available(source))[age], profile)
        places = [place for place, concept in enumerate(every) if concept in some]
        rounds = rounds or min(_OFTEN, _MANY // max(1, len(places)))
        return [
            Spec(name_of("hd", every[place], k), "hd", every[place], k * len(every) + place, profile, seed, source, age)
            for k in range(_FIRST[age], _FIRST[age] + rounds) for place in places
        ]  # fmt: skip

    training = {spec.name: spec for spec in about(concepts["train"] | concepts["val"], "old", _ROUNDS)}
    taught = {attribute for spec in training.values() for attribute in spec.concept} | {NOVEL}
    trained = {spec.concept for spec in training.values()}
    tests = zip(NEW_TESTS, (trained, concepts["test_hd_comb"], concepts["test_hd_novel"]), strict=True)
    parts = {part: [training[name] for name in names] for part, names in _with_rest(training, {}, _VALIDATION).items()}
    parts |= {test: about({each for each in some if taught.issuperset(each)}, "new") for test, some in tests}
    return {part: sorted(entries, key=lambda spec: _hash(spec.name)) for part, entries in parts.items()}


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode()).digest()


def split(named: Iterable[str], whole: Iterable[str] | None = None) -> dict[str, list[str]]:
    """Return the names of the problems for training, for validation and for each test, by the rules of the paper.

    - ``test_ff``: the shapes with one stroke more than any others.
    - ``test_bd``: 480 of 4,000 basic problems, all of two shapes.
    - ``test_hd_novel``: every concept with `NOVEL`.
    - ``test_hd_comb``: 20 of the other pairs of attributes, all problems of each.
    - ``val``: 900 of the remaining 10,200 problems.
    - ``train``: the rest.

    The split depends on names alone, not on chance. Free-form problems alone have only ``train``, ``val`` (a tenth) and
    ``test`` (the longest). ``whole`` are the names of a larger set that contains those of the set; the part is then
    split as the larger set is.

    Examples
    --------
    >>> {part: len(found) for part, found in split(spec.name for spec in specs(kinds=("ff",))).items()}
    {'train': 9000, 'val': 1000, 'test': 2000}

    Notes
    -----
    Differs from the paper: the file with the paper's choice of basic problems, pairs of attributes and validation
    problems was not published with the program. Our choice follows the same rules but differs.
    """
    if whole is not None:
        members = set(named)
        return {part: [name for name in entries if name in members] for part, entries in split(whole).items()}
    entries = {name: parts(name)[:2] for name in named}
    longest = [name for name, (_, concept) in entries.items() if concept in LONGEST]
    if all(kind == "ff" for kind, _ in entries.values()):
        return _with_rest(entries, {"test": longest}, 1 / 10)
    basics = [name for name, (kind, _) in entries.items() if kind == "bd"]
    concepts = dict.fromkeys(concept for kind, concept in entries.values() if kind == "hd")
    pairs = [name for name in basics if len(entries[name][1]) == 2]
    combinations = [concept for concept in concepts if len(concept) == 2 and NOVEL not in concept]
    combinations = set(_pick("test_hd_comb", combinations, len(concepts) * 20 / 220))
    tests = {
        "test_ff": longest,
        "test_bd": _pick("test_bd", pairs, len(basics) * 480 / 4000),
        "test_hd_comb": [name for name, (kind, concept) in entries.items() if kind == "hd" and concept in combinations],
        "test_hd_novel": [name for name, (kind, concept) in entries.items() if kind == "hd" and NOVEL in concept],
    }
    return _with_rest(entries, tests, _VALIDATION)


def _with_rest(named: Iterable[str], tests: dict[str, list[str]], share: float) -> dict[str, list[str]]:
    """Return every part of a split; the problems outside the tests are split into ``val``, a share, and ``train``."""
    exclusions = {name for part in tests.values() for name in part}
    rest = [name for name in named if name not in exclusions]
    validation = set(val := _pick("val", rest, len(rest) * share))
    return {"train": [name for name in rest if name not in validation], "val": val} | tests


def _pick(part: str, keys: Sequence[str | tuple[str, ...]], count: float) -> list:
    """Return ``count`` names or concepts for a part of a split; the choice depends on their hashes alone."""
    ranks = {key: _hash(f"{part}/{key if isinstance(key, str) else '-'.join(key)}") for key in keys}
    picks = set(sorted(keys, key=ranks.__getitem__)[: round(count)])
    return [key for key in keys if key in picks]


def _concepts(kind: str, profile: str, seed: int, shapes: Shapes | None) -> tuple[tuple[str, ...], ...]:
    if kind == "ff":
        return freeform.CONCEPTS
    return basic.concepts(shapes, profile, seed) if kind == "bd" else abstract.concepts(shapes, profile)


def _shares(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    """Return the number of problems of each kind among ``n``, in proportion; the largest remainders are rounded up."""
    whole = sum(sizes.values())
    counts = {kind: n * size // whole for kind, size in sizes.items()}
    rests = sorted(sizes, key=lambda kind: -(n * sizes[kind] % whole))
    for kind in rests[: n - sum(counts.values())]:
        counts[kind] += 1
    return counts


def _spread(count: int, concepts: int) -> list[int]:
    """Return ``count`` indices of problems: whole rounds of the concepts, then the rest spread evenly over them."""
    rounds, rest = divmod(count, concepts)
    return [*range(rounds * concepts), *(rounds * concepts + k * concepts // rest for k in range(rest))]
