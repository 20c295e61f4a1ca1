"""Matching-to-sample trials: classes of arbitrary stimuli, which pairs are trained, and which are tested.

Carrillo & Betancort (2024), "Experimental Dataset Creation" and Appendix A.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pandas as pd

from cogkit.core.contracts import InputError
from cogkit.core.presets import choose

STRUCTURES = ("LS", "OTM", "MTO")
RELATIONS = ("select-reject", "select-only", "reject-only")
NEGATIVES = ("biased", "standard")
TYPES = ("baseline", "reflexivity", "symmetry", "transitivity")
OPTIONS = 3
PROBED = 6  # trials of each pair and class that a look during training asks
LETTERS = string.ascii_uppercase
COLUMNS = ("sample", "comparison_1", "comparison_2", "comparison_3", "response")


@dataclass(frozen=True)
class Design:
    """Which stimuli there are, which pairs are trained, and against what.

    Attributes
    ----------
    structure : str or tuple of str
        ``"LS"`` (linear series, AB BC CD …), ``"OTM"`` (one to many, AB AC AD …), ``"MTO"`` (many to one, BA CA DA …),
        or trained pairs of one's own, sample first, such as ``("AB", "CB")``; a graph with ``edges`` will do.
    relation : str
        ``"select-reject"``: wrong comparisons are members of other classes. ``"select-only"``: in training they are
        dummies. ``"reject-only"``: in training the right comparison is a dummy.
    negatives : str
        ``"biased"``, as in the paper: wrong comparisons are any members of other classes. ``"standard"``: they have
        the letter of the right one, so that nothing can be learnt by exclusion.
    members, classes : int
        Stimuli a class, and classes.

    Raises
    ------
    InputError
        Fewer than three classes; pairs that are unknown, repeated, reflexive, or do not connect a class.

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
        if not 2 <= self.members <= len(LETTERS):
            raise InputError(f"{self.members} members", f"2 to {len(LETTERS)} members a class, one for each letter")
        if self.classes < OPTIONS:
            raise InputError(
                f"{self.classes} classes", "three or more: each of three comparisons is of a class of its own"
            )
        if isinstance(self.structure, str):
            choose(self.structure, STRUCTURES, "structure, or pairs of your own such as ('AB', 'BC')")
        else:
            edges: Iterable = getattr(self.structure, "edges", self.structure)
            object.__setattr__(self, "structure", tuple("".join(map(str, pair)) for pair in edges))
            self._refuse_bad_pairs()

    def _refuse_bad_pairs(self) -> None:
        letters, used = LETTERS[: self.members], set()
        for pair in self.structure:
            if len(pair) != 2 or pair[0] not in letters or pair[1] not in letters:
                raise InputError(f"the pair {pair!r}", f"two of the members {', '.join(letters)}, sample first")
            if pair[0] == pair[1] or pair in used:
                raise InputError(f"the pair {pair!r} twice" if pair in used else repr(pair), "different pairs of two")
            used.add(pair)
        isolated = [letters[k] for k in np.flatnonzero(~np.isfinite(self.distances()[0]))]
        if isolated:
            raise InputError(
                f"pairs that leave {', '.join(isolated)} unconnected to A", "pairs that connect every member of a class"
            )

    @property
    def name(self) -> str:
        """The structure's name, or its pairs."""
        return self.structure if isinstance(self.structure, str) else "-".join(self.structure)

    @property
    def condition(self) -> str:
        """Structure and relation, as result rows say it; ``standard`` negatives are told."""
        return f"{self.name}/{self.relation}" + ("/standard" if self.negatives == "standard" else "")

    @property
    def trained(self) -> tuple[str, ...]:
        """The trained pairs of letters, sample first."""
        letters = LETTERS[: self.members]
        if self.structure == "LS":
            return tuple(a + b for a, b in zip(letters, letters[1:], strict=False))
        if self.structure == "OTM":
            return tuple("A" + b for b in letters[1:])
        if self.structure == "MTO":
            return tuple(a + "A" for a in letters[1:])
        return tuple(self.structure)

    @property
    def stimuli(self) -> int:
        """Stimuli of all classes; as many tokens from 0 on."""
        return self.members * self.classes

    @property
    def dummies(self) -> int:
        """Dummies: as many as there are members of other classes."""
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
        stimuli = [f"{letter}{k + 1}" for k in range(self.classes) for letter in LETTERS[: self.members]]
        dummies = [f"Z_{k + 11}" for k in range(self.dummies)]
        return (*stimuli, *dummies, *(f"O_{k + 1}" for k in range(OPTIONS)))

    @property
    def dtype(self) -> type[np.integer]:
        """What holds a token: uint8, or int16 for more than 256 tokens."""
        return np.uint8 if len(self.tokens) <= 256 else np.int16

    @property
    def pair_names(self) -> tuple[str, ...]:
        """Every ordered pair of members by number, such as AB; what `Trials.pair` counts."""
        letters = LETTERS[: self.members]
        return tuple(sample + comparison for sample in letters for comparison in letters)

    def links(self) -> np.ndarray:
        """Return which ordered pairs of members are trained, (members, members) bool, sample first."""
        links = np.zeros((self.members, self.members), bool)
        for sample, comparison in self.trained:
            links[LETTERS.index(sample), LETTERS.index(comparison)] = True
        return links

    def distances(self, directed: bool = False) -> np.ndarray:
        """Return how many trained pairs lie between two members, (members, members); inf where no way leads."""
        from scipy.sparse.csgraph import shortest_path  # here: a design is made in every import of the cells

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
        """Return one row an ordered pair of members: what it tests.

        Returns
        -------
        DataFrame
            Columns sample, comparison, type (the paper's four), relation (transitivity split: ``transitivity`` where
            trained pairs lead from sample to comparison, ``equivalence`` where some must be taken backwards), and
            nodes, the members between the two on the shortest way (nodal distance).

        Examples
        --------
        >>> Design("OTM").pairs().query("sample == 'B' and comparison == 'C'").relation.item()
        'equivalence'
        """
        types, along, distance = self.types(), np.isfinite(self.distances(directed=True)), self.distances()
        relation = np.where((types == "transitivity") & ~along, "equivalence", types)
        sample, comparison = np.divmod(np.arange(self.members**2), self.members)
        return pd.DataFrame(
            {
                "sample": [LETTERS[k] for k in sample],
                "comparison": [LETTERS[k] for k in comparison],
                "type": types.ravel(),
                "relation": relation.ravel(),
                "nodes": np.maximum(distance.ravel() - 1, 0).astype(int),
            }
        )


@dataclass(frozen=True, eq=False)
class Question:
    """What a learner is shown of trials: no answer, and not what they test.

    Attributes
    ----------
    sample : (n,) integer
        Token of the sample.
    comparisons : (n, 3) integer
        Tokens of the three comparisons in their places.
    """

    sample: np.ndarray
    comparisons: np.ndarray

    def __len__(self) -> int:
        return len(self.sample)


@dataclass(frozen=True, eq=False)
class Trials:
    """Trials of a design, compact.

    Attributes
    ----------
    design : Design
    tokens : (n, 5) uint8, or int16 for more than 256 tokens
        Sample, three comparisons, and the option that is right.
    pair : (n,) int16
        The pair of members it is about: sample × members + comparison. A dummy that stands for the right comparison
        does not change it.
    """

    design: Design
    tokens: np.ndarray
    pair: np.ndarray

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, which) -> Trials:
        return Trials(self.design, self.tokens[which], self.pair[which])

    def question(self) -> Question:
        """Return what a learner is shown; a copy, so that no answer lies behind it and nothing can be written over."""
        return Question(self.tokens[:, 0].copy(), self.tokens[:, 1:4].copy())

    @property
    def correct(self) -> np.ndarray:
        """The place of the right comparison, 0 to 2, (n,) int64."""
        return self.tokens[:, 4].astype(np.int64) - (self.design.stimuli + self.design.dummies)

    @property
    def classes(self) -> np.ndarray:
        """The class of the sample, from 0, (n,) int64."""
        return self.tokens[:, 0].astype(np.int64) // self.design.members

    @cached_property
    def types(self) -> np.ndarray:
        """The paper's type of each trial, (n,) str."""
        return self.design.types().ravel()[self.pair]

    def frame(self) -> pd.DataFrame:
        """Return one row a trial by the names of its tokens, with pair and type.

        Examples
        --------
        >>> training(Design()).frame().iloc[0].tolist()
        ['A1', 'B1', 'A2', 'B2', 'O_1', 'AB', 'baseline']
        """
        names = np.array(self.design.tokens, dtype=object)
        table = pd.DataFrame({column: names[self.tokens[:, k]] for k, column in enumerate(COLUMNS)})
        return table.assign(pair=np.array(self.design.pair_names, dtype=object)[self.pair], type=self.types)


def training(design: Design) -> Trials:
    """Return every trial of the trained pairs, as they are trained: 30,240 in the paper, in every condition.

    A trial of *reject-only* has a dummy in place of the right comparison; which one goes round, so that every dummy
    stands in as often.

    Examples
    --------
    >>> len(training(Design("MTO", "select-only")))
    30240
    """
    return _trials(design, design.links(), design.relation)


def tests(design: Design) -> Trials:
    """Return every trial of every pair of members, wrong comparisons from other classes: 246,960 in the paper.

    The trials are the same for every structure and relation; what the structure changes is their type. Those of the
    trained pairs are among them.

    Examples
    --------
    >>> found = tests(Design(negatives="standard"))
    >>> [int((found.types == name).sum()) for name in TYPES]
    [432, 504, 432, 2160]
    """
    return _trials(design, np.ones((design.members, design.members), bool), "select-reject")


def probe(design: Design, each: int, rng: np.random.Generator) -> Trials:
    """Return ``each`` test trials of every pair and class, or all where there are no more: a quick look."""
    return draw(tests(design), each, rng)


def draw(trials: Trials, each: int, rng: np.random.Generator) -> Trials:
    """Return ``each`` trials of every pair and class, drawn from a whole set, or all where there are no more.

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
    """Return the trials of some pairs of members, ordered by class, pair, place of the right one, wrong ones."""
    members, classes = design.members, design.classes
    a, b = _wrong(design)  # (members or 1, k): class offsets × members + member
    k = a.shape[1]
    sample, target = np.nonzero(wanted)  # (pairs,)
    c = np.arange(classes)[:, None, None]
    shape = (classes, len(sample), k)
    samples = np.broadcast_to(c * members + sample[:, None], shape)
    rights = np.broadcast_to(c * members + target[:, None], shape)
    row = target if len(a) > 1 else np.zeros_like(target)
    if relation == "select-only":
        wrongs = [np.broadcast_to(design.stimuli + part[row], shape) for part in (a, b)]
    else:  # the offset counts classes on from the sample's own, so 0 is the next class
        wrongs = [(c + 1 + part[row] // members) % classes * members + part[row] % members for part in (a, b)]
    if relation == "reject-only":
        rights = design.stimuli + (np.arange(k) + np.arange(len(sample))[:, None]) % design.dummies
        rights = np.broadcast_to(rights, shape)
    tokens = np.empty((classes, len(sample), OPTIONS, k, 5), design.dtype)
    tokens[..., 0] = samples[:, :, None]
    for place in range(OPTIONS):
        free = [1 + place_of for place_of in range(OPTIONS) if place_of != place]
        tokens[:, :, place, :, 1 + place] = rights
        tokens[:, :, place, :, free[0]], tokens[:, :, place, :, free[1]] = wrongs
        tokens[:, :, place, :, 4] = design.stimuli + design.dummies + place
    pair = np.broadcast_to((sample * members + target)[:, None, None], tokens.shape[:-1])
    return Trials(design, tokens.reshape(-1, 5), pair.reshape(-1).astype(np.int16))


@cache
def _wrong(design: Design) -> tuple[np.ndarray, np.ndarray]:
    """Return first and second wrong comparison as class offset × members + member.

    One row serves all pairs with biased negatives; with standard ones there is a row a right member.
    """
    members, n_others = design.members, design.classes - 1
    if design.negatives == "biased":
        a, b = np.nonzero(~np.eye(members * n_others, dtype=bool))
        return a[None], b[None]
    a, b = np.nonzero(~np.eye(n_others, dtype=bool))
    letter = np.arange(members)[:, None]
    return a * members + letter, b * members + letter
