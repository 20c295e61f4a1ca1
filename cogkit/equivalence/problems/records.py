"""Matching-to-sample trials: classes of arbitrary stimuli, with trained and tested pairs.

Carrillo & Betancort (2024), "Experimental Dataset Creation" and Appendix A.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

import numpy as np
import pandas as pd

from cogkit.core import items
from cogkit.core.errors import InputError, some
from cogkit.core.identity import content_hash
from cogkit.core.presets import choose

STRUCTURES = ("LS", "OTM", "MTO")
RELATIONS = ("select-reject", "select-only", "reject-only")
NEGATIVES = ("biased", "standard")
TYPES = ("baseline", "reflexivity", "symmetry", "transitivity")
OPTIONS = 3
CHANCE = 1 / OPTIONS
PROBED = 6  # trials of each pair and class in an evaluation during training
LETTERS = string.ascii_uppercase
COLUMNS = ("sample", "comparison_1", "comparison_2", "comparison_3", "response")


@dataclass(frozen=True)
class Design:
    """The stimuli, the trained pairs and their wrong comparisons.

    Attributes
    ----------
    structure : str or tuple of str
        ``"LS"`` (linear series, AB BC CD …), ``"OTM"`` (one to many, AB AC AD …), ``"MTO"`` (many to one, BA CA DA …),
        or other trained pairs, sample first, such as ``("AB", "CB")``; a graph with ``edges`` is possible too.
    relation : str
        ``"select-reject"``: wrong comparisons are members of other classes. ``"select-only"``: in training they are
        dummies. ``"reject-only"``: in training the right comparison is a dummy.
    negatives : str
        ``"biased"``, as in the paper: wrong comparisons are any members of other classes. ``"standard"``: they have
        the letter of the right one, so that nothing can be learned by exclusion.
    members, classes : int
        Number of stimuli in a class, and of classes.

    Raises
    ------
    InputError
        There are fewer than three classes; or pairs are unknown, repeated or reflexive, or do not connect a class.

    Examples
    --------
    >>> Design().trained
    ('AB', 'BC', 'CD', 'DE', 'EF', 'FG')
    >>> Design(("AB", "CB"), members=3).name
    'AB-CB'
    """

    structure: str | tuple[str, ...] = "LS"
    relation: str = "select-reject"
    negatives: str = "biased"
    members: int = 7
    classes: int = 4

    def __post_init__(self) -> None:
        choose(self.relation, RELATIONS, "relation type")
        choose(self.negatives, NEGATIVES, "kind of wrong comparisons")
        if not (2 <= self.members <= len(LETTERS) and self.classes >= OPTIONS):
            got = f"{self.members} members and {self.classes} classes"
            raise InputError(got, f"2 to {len(LETTERS)} members, one for each letter, and {OPTIONS} classes or more")
        if isinstance(self.structure, str):
            choose(self.structure, STRUCTURES, "structure, or pairs of your own such as ('AB', 'BC')")
            return
        edges: Iterable = getattr(self.structure, "edges", self.structure)
        pairs, letters = tuple("".join(map(str, pair)) for pair in edges), self.letters
        object.__setattr__(self, "structure", pairs)
        for pair in pairs:
            if len(pair) != 2 or pair[0] == pair[1] or not {*pair} <= {*letters} or pairs.count(pair) > 1:
                raise InputError(f"the pair {pair!r}", f"different pairs of two of the members {', '.join(letters)}")
        islands = [letter for letter, steps in zip(letters, self.distances()[0], strict=True) if np.isinf(steps)]
        if islands:
            got = f"pairs that leave {some(islands)} unconnected to A"
            raise InputError(got, "pairs that connect every member of a class")

    @property
    def letters(self) -> list[str]:
        """The letters of the members."""
        return list(LETTERS[: self.members])

    @property
    def name(self) -> str:
        """The name of the structure, or its pairs."""
        return self.structure if isinstance(self.structure, str) else "-".join(self.structure)

    @property
    def condition(self) -> str:
        """Structure and relation, as in result rows; ``standard`` negatives are named too."""
        return f"{self.name}/{self.relation}" + ("/standard" if self.negatives == "standard" else "")

    @property
    def trained(self) -> tuple[str, ...]:
        """The trained pairs of letters, sample first."""
        letters = self.letters
        if self.structure == "LS":
            return tuple(a + b for a, b in zip(letters, letters[1:], strict=False))
        if self.structure == "OTM":
            return tuple("A" + b for b in letters[1:])
        if self.structure == "MTO":
            return tuple(a + "A" for a in letters[1:])
        return tuple(self.structure)

    @property
    def stimuli(self) -> int:
        """The number of stimuli in all classes; their tokens are the first, from 0."""
        return self.members * self.classes

    @property
    def dummies(self) -> int:
        """The number of dummies: as many as members of other classes."""
        return self.members * (self.classes - 1)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every token by number: stimuli class by class, dummies, options.

        Examples
        --------
        >>> tokens = Design().tokens
        >>> len(tokens), tokens[:2], tokens[28], tokens[-1]
        (52, ('A1', 'B1'), 'Z_11', 'O_3')
        """
        stimuli = [f"{letter}{k + 1}" for k in range(self.classes) for letter in self.letters]
        dummies = [f"Z_{k + 11}" for k in range(self.dummies)]
        return (*stimuli, *dummies, *(f"O_{k + 1}" for k in range(OPTIONS)))

    @property
    def dtype(self) -> type[np.integer]:
        """The type of a token: uint8, or int16 for more than 256 tokens."""
        return np.uint8 if len(self.tokens) <= 256 else np.int16

    @property
    def pair_names(self) -> tuple[str, ...]:
        """Every ordered pair of members by number, such as AB; `Trials.pair` has these numbers."""
        return tuple(sample + comparison for sample in self.letters for comparison in self.letters)

    def links(self) -> np.ndarray:
        """Return which ordered pairs of members are trained, (members, members) bool, sample first."""
        links = np.zeros((self.members, self.members), bool)
        for sample, comparison in self.trained:
            links[LETTERS.index(sample), LETTERS.index(comparison)] = True
        return links

    def distances(self, directed: bool = False) -> np.ndarray:
        """Return the number of trained pairs between two members, (members, members); inf if there is no path."""
        from scipy.sparse.csgraph import shortest_path  # imported here, because importing the cells makes designs

        return shortest_path(self.links().astype(float), directed=directed, unweighted=True)

    def types(self) -> np.ndarray:
        """Return the type of each ordered pair of members, (members, members) of `TYPES` (Tables A1 to A3)."""
        links = self.links()
        types = np.full(links.shape, "transitivity", dtype="<U12")
        types[links.T] = "symmetry"
        types[links] = "baseline"
        np.fill_diagonal(types, "reflexivity")
        return types

    def pairs(self) -> pd.DataFrame:
        """Return one row for each ordered pair of members, with its type.

        Columns: sample, comparison, type (the paper's four), relation (transitivity divided into ``transitivity``, if
        trained pairs lead from sample to comparison, and ``equivalence``, if some must be reversed), and nodes, the
        number of members between the two on the shortest path (nodal distance).

        Examples
        --------
        >>> Design("OTM").pairs().query("sample == 'B' and comparison == 'C'").relation.item()
        'equivalence'
        """
        types, along, distance = self.types(), np.isfinite(self.distances(directed=True)), self.distances()
        relation = np.where((types == "transitivity") & ~along, "equivalence", types)
        sample, comparison = zip(*self.pair_names, strict=True)
        return pd.DataFrame({
            "sample": sample, "comparison": comparison, "type": types.ravel(), "relation": relation.ravel(),
            "nodes": np.maximum(distance.ravel() - 1, 0).astype(int),
        })  # fmt: skip


@dataclass(frozen=True, eq=False)
class Question:
    """The part of trials that a learner sees, without answers and types.

    Attributes
    ----------
    sample : (n,) integer
        Token of the sample.
    comparisons : (n, 3) integer
        Tokens of the three comparisons, by place.
    """

    sample: np.ndarray
    comparisons: np.ndarray

    def __len__(self) -> int:
        return len(self.sample)


@dataclass(frozen=True, eq=False, repr=False)
class Trials(items.Items):
    """Trials of a design, in compact form.

    Attributes
    ----------
    design : Design
    tokens : (n, 5) uint8, or int16 for more than 256 tokens
        Sample, three comparisons, and the right option.
    pair : (n,) int16
        The pair of members: sample × members + comparison. It is the same if a dummy replaces the right comparison.
    part : str
        ``test``, or ``train`` for trials that are trained.
    """

    instrument: ClassVar[str] = "equivalence"
    source: ClassVar[str] = "cogkit"
    design: Design
    tokens: np.ndarray
    pair: np.ndarray
    part: str = "test"

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def task(self) -> str:
        """The condition of the design."""
        return self.design.condition

    @property
    def contents(self) -> list[int]:
        """Sample and comparisons of each trial as one number."""
        return (self.tokens[:, :4].astype(np.int64) @ len(self.design.tokens) ** np.arange(4)).tolist()

    def name(self, index: int) -> str:
        """Return what a trial is called: its sample and its comparisons."""
        return " ".join(self.design.tokens[token] for token in self.tokens[index, :4])

    @property
    def hash(self) -> str:
        """As in `items.Items`; of 250,000 trials the bytes are hashed."""
        return content_hash([self.design, self.tokens.tobytes().hex()])

    def to_frame(self) -> pd.DataFrame:
        """Return `frame` with the name of each trial before it."""
        table = self.frame()
        table.insert(0, "name", self.names)
        return table

    def __getitem__(self, which) -> Trials:
        return Trials(self.design, self.tokens[which], self.pair[which], self.part)

    def question(self) -> Question:
        """Return the learner's part; it is a copy, so that a learner cannot read answers or change trials."""
        return Question(self.tokens[:, 0].copy(), self.tokens[:, 1:4].copy())

    @property
    def correct(self) -> np.ndarray:
        """The place of the right comparison, 0 to 2, (n,) int64."""
        return self.tokens[:, 4].astype(np.int64) - (self.design.stimuli + self.design.dummies)

    @property
    def classes(self) -> np.ndarray:
        """The class of the sample, from 0, (n,) int64."""
        return self.tokens[:, 0].astype(np.int64) // self.design.members

    @property  # kept, it would take 13 MB for the paper's trials
    def types(self) -> np.ndarray:
        """The paper's type of each trial, (n,) str."""
        return self.design.types().ravel()[self.pair]

    def relations(self) -> set[tuple[int, int]]:
        """Return the sample of each trial with its right comparison, as tokens; *reject-only* trains dummies."""
        right = self.tokens[np.arange(len(self)), 1 + self.correct]
        return {*zip(self.tokens[:, 0].tolist(), right.tolist(), strict=True)}

    def frame(self) -> pd.DataFrame:
        """Return one row for each trial, with the names of its tokens, pair and type.

        Examples
        --------
        >>> training(Design()).frame().iloc[0].tolist()
        ['A1', 'B1', 'A2', 'B2', 'O_1', 'AB', 'baseline']
        """
        names = np.array(self.design.tokens, dtype=object)
        table = pd.DataFrame({column: names[self.tokens[:, k]] for k, column in enumerate(COLUMNS)})
        return table.assign(pair=np.array(self.design.pair_names, dtype=object)[self.pair], type=self.types)


def training(design: Design) -> Trials:
    """Return every training trial of the trained pairs: 30,240 in the paper, in every condition.

    A trial of *reject-only* has a dummy in place of the right comparison. Dummies take turns, so that all of them occur
    equally often.

    Examples
    --------
    >>> len(training(Design("MTO", "select-only")))
    30240
    """
    return replace(_trials(design, design.links(), design.relation), part="train")


def tests(design: Design) -> Trials:
    """Return every trial of every pair of members, with wrong comparisons from other classes: 246,960 in the paper.

    The trials are the same for every structure and relation; only their type changes with the structure. They include
    the trials of the trained pairs.

    Examples
    --------
    >>> found = tests(Design(negatives="standard"))
    >>> [int((found.types == name).sum()) for name in TYPES]
    [432, 504, 432, 2160]
    """
    return _trials(design, np.ones((design.members, design.members), bool), "select-reject")


def probe(design: Design, each: int, rng: np.random.Generator) -> Trials:
    """Return ``each`` test trials of every pair and class, or all if there are fewer, for a quick evaluation."""
    return draw(tests(design), each, rng)


def draw(trials: Trials, each: int, rng: np.random.Generator) -> Trials:
    """Return ``each`` trials of every pair and class, drawn from a complete set, or all if there are fewer.

    Examples
    --------
    >>> len(draw(training(Design()), 2, np.random.default_rng(0)))
    48
    """
    per = len(trials) // (len(np.unique(trials.pair)) * trials.design.classes)
    if each >= per:
        return trials
    blocks = rng.permuted(np.tile(np.arange(per), (len(trials) // per, 1)), axis=1)[:, :each]
    return trials[(blocks + per * np.arange(len(blocks))[:, None]).ravel()]


def _trials(design: Design, wanted: np.ndarray, relation: str) -> Trials:
    """Return the trials of some pairs of members, in the order of class, pair, right place and wrong comparisons."""
    members, classes = design.members, design.classes
    a, b = _wrong(design)  # (members or 1, k): class offsets × members + member
    k = a.shape[1]
    sample, target = np.nonzero(wanted)  # (pairs,)
    c = np.arange(classes)[:, None, None]
    rights = c * members + target[:, None]  # (classes, pairs, 1)
    row = target if len(a) > 1 else np.zeros_like(target)
    if relation == "select-only":
        wrongs = [design.stimuli + part[row] for part in (a, b)]  # (pairs, k)
    else:  # the offset counts classes after the sample's, so 0 is the next class
        wrongs = [(c + 1 + part[row] // members) % classes * members + part[row] % members for part in (a, b)]
    if relation == "reject-only":
        rights = design.stimuli + (np.arange(k) + np.arange(len(sample))[:, None]) % design.dummies
    tokens = np.empty((classes, len(sample), OPTIONS, k, 5), design.dtype)
    tokens[..., 0] = (c * members + sample[:, None])[..., None]
    for place in range(OPTIONS):
        first, second = (1 + other for other in range(OPTIONS) if other != place)
        tokens[:, :, place, :, 1 + place] = rights
        tokens[:, :, place, :, first], tokens[:, :, place, :, second] = wrongs
        tokens[:, :, place, :, 4] = design.stimuli + design.dummies + place
    pair = np.broadcast_to((sample * members + target)[:, None, None], tokens.shape[:-1])
    return Trials(design, tokens.reshape(-1, 5), pair.reshape(-1).astype(np.int16))


@cache
def _wrong(design: Design) -> tuple[np.ndarray, np.ndarray]:
    """Return the first and second wrong comparison as class offset × members + member.

    With biased negatives there is one row for all pairs; with standard ones, a row for each right member.
    """
    members, n_others = design.members, design.classes - 1
    if design.negatives == "biased":
        a, b = np.nonzero(~np.eye(members * n_others, dtype=bool))
        return a[None], b[None]
    a, b = np.nonzero(~np.eye(n_others, dtype=bool))
    letter = np.arange(members)[:, None]
    return a * members + letter, b * members + letter
