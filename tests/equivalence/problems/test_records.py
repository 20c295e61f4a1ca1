"""Designs and trials, against the article's own construction, the published tables, and plain loops."""

from __future__ import annotations

import csv
import itertools
from dataclasses import fields

import networkx as nx
import numpy as np
import pytest
from cases import case
from hypothesis import given, settings
from hypothesis import strategies as st

from cogkit.core.errors import InputError
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import NEGATIVES, OPTIONS, RELATIONS, STRUCTURES, Design, Question

COUNTS = {  # biased: facts § 1
    "biased": {"baseline": 30_240, "reflexivity": 35_280, "symmetry": 30_240, "transitivity": 151_200},
    "standard": {"baseline": 432, "reflexivity": 504, "symmetry": 432, "transitivity": 2_160},
}
TRAINED = {
    "LS": ("AB", "BC", "CD", "DE", "EF", "FG"),
    "OTM": ("AB", "AC", "AD", "AE", "AF", "AG"),
    "MTO": ("BA", "CA", "DA", "EA", "FA", "GA"),
}


def counted(trials) -> dict[str, int]:
    return dict(zip(*np.unique(trials.types, return_counts=True), strict=True))


def codes(trials) -> np.ndarray:
    """Return a number for each row of tokens of the paper's size, different for different rows."""
    return trials.tokens.astype(np.int64) @ 64 ** np.arange(5)


def rows(trials) -> list[tuple[int, ...]]:
    return list(map(tuple, trials.tokens.tolist()))


def named(table) -> list[tuple]:
    return list(table.itertuples(index=False, name=None))


def test_trials_of_each_type_are_as_many_as_published_and_the_same_in_every_condition():
    for negatives, counts in COUNTS.items():
        first = records.tests(Design(negatives=negatives))
        assert (first.tokens.dtype, first.pair.dtype) == (np.uint8, np.int16) and len(first) == sum(counts.values())
        for structure, relation in itertools.product(STRUCTURES, RELATIONS):
            trials = records.tests(Design(structure, relation, negatives))
            with case(trials.design.condition):
                assert counted(trials) == counts and (trials.tokens == first.tokens).all()


def test_tests_of_any_size_are_a_plain_filter():
    """Standard ones are those of one letter; their comparisons are of three classes. The last are the article's own."""
    small = itertools.product([(2, 3), (3, 3), (4, 4), (2, 5)], NEGATIVES)
    for (members, classes), negatives in (*small, ((7, 4), "biased")):
        design = Design(members=members, classes=classes, negatives=negatives)
        expected = set()
        for sample, *options in itertools.product(design.tokens[: members * classes], repeat=4):
            matches = [name[1] == sample[1] for name in options]
            letters, numbers = ({name[part] for name in options} for part in (0, 1))
            fits = negatives == "biased" or (len(letters) == 1 and len(numbers) == 3)
            if len(set(options)) == 3 and sum(matches) == 1 and fits:
                place = matches.index(True)
                expected.add((sample, *options, f"O_{place + 1}", sample[0] + options[place][0]))
        result = named(records.tests(design).frame().drop(columns="type"))
        assert set(result) == expected and len(result) == len(expected), (members, classes, negatives)


def plain_training(design: Design) -> list[tuple[str, ...]]:
    """Return the trials by name in their order: class, pair, place of the right one, first and second wrong one."""
    letters, classes = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: design.members], range(design.classes)
    dummies = [f"Z_{k}" for k in range(11, 11 + design.members * (design.classes - 1))]
    trials = []
    for class_ in classes:
        wrong_classes = [(class_ + step) % design.classes for step in range(1, design.classes)]
        for number, (sample, right) in enumerate(sorted(design.trained)):
            wrong = [letter + str(wrong_class + 1) for wrong_class in wrong_classes for letter in letters]
            if design.relation == "select-only":
                wrong = dummies
            if design.negatives == "standard":
                wrong = wrong[letters.index(right) :: design.members]
            for place in range(3):
                for k, two in enumerate(itertools.permutations(wrong, 2)):
                    options = list(two)
                    instead = dummies[(k + number) % len(dummies)]
                    options.insert(place, instead if design.relation == "reject-only" else right + str(class_ + 1))
                    trials.append((sample + str(class_ + 1), *options, f"O_{place + 1}", sample + right, "baseline"))
    return trials


def test_training_is_a_plain_loop_in_its_order():
    """Stored runs depend on the order: their batches are drawn by number."""
    conditions = list(itertools.product(STRUCTURES, RELATIONS, NEGATIVES))
    designs = [Design(*condition, *size) for condition in conditions for size in ((4, 4), (3, 5))]
    papers = [Design(*condition) for condition in zip(STRUCTURES, RELATIONS, strict=True)]
    larger = [Design("OTM", "select-only", "standard", *size) for size in ((7, 4), (11, 12), (20, 8), (26, 4))]
    for design in [*designs, *papers, *larger]:
        trials = records.training(design)
        with case(design):
            assert named(trials.frame()) == plain_training(design)
            assert len(set(rows(trials))) == len(trials)
            if design.members == 7:
                assert len(trials) == COUNTS[design.negatives]["baseline"]


def test_pair_types_are_the_published_ones_cell_by_cell(reference):
    with (reference / "stimulus_equivalence" / "pair_types.csv").open() as file:
        published = list(csv.DictReader(file))
    agree = 0
    for structure in STRUCTURES:
        types = {(row.sample, row.comparison): row.type for row in Design(structure).pairs().itertuples(index=False)}
        agree += sum(types[row["sample"], row["comparison"]] == row[structure] for row in published)
    assert agree == 3 * len(published) == 147


def plain_pairs(letters: str, trained) -> list[tuple]:
    """Return sample, comparison, type, relation and members in between of each ordered pair, by walks on the graph."""
    along = nx.DiGraph(map(tuple, trained))
    either = along.to_undirected()
    pairs = []
    for sample, comparison in itertools.product(letters, repeat=2):
        if sample == comparison:
            kind = relation = "reflexivity"
        elif sample + comparison in trained:
            kind = relation = "baseline"
        elif comparison + sample in trained:
            kind = relation = "symmetry"
        else:
            kind = "transitivity"
            relation = kind if nx.has_path(along, sample, comparison) else "equivalence"
        steps = nx.shortest_path_length(either, sample, comparison)
        pairs.append((sample, comparison, kind, relation, max(steps - 1, 0)))
    return pairs


def test_relations_and_nodal_distances_are_those_of_walks_on_the_graph():
    for structure, trained in TRAINED.items():
        pairs = Design(structure).pairs()
        assert Design(structure).trained == trained
        assert named(pairs) == plain_pairs("ABCDEFG", trained)
        derived = pairs[pairs.type == "transitivity"]
        split = {"LS": (15, 15), "OTM": (0, 30), "MTO": (0, 30)}[structure]  # LS: forward, backward
        assert tuple((derived.relation == name).sum() for name in ("transitivity", "equivalence")) == split
        assert derived.nodes.max() == {"LS": 5, "OTM": 1, "MTO": 1}[structure]


@st.composite
def connected(draw) -> tuple[int, tuple[str, ...]]:
    """Return members, and trained pairs that connect them: a tree with arrows either way, and some more pairs."""
    members = draw(st.integers(2, 6))
    letters = "ABCDEF"[:members]
    tree = [(letters[draw(st.integers(0, k - 1))], letters[k]) for k in range(1, members)]
    turned = [pair[::-1] if draw(st.booleans()) else pair for pair in tree]
    pairs = ["".join(pair) for pair in itertools.permutations(letters, 2)]
    more = draw(st.lists(st.sampled_from(pairs), max_size=5))
    return members, tuple(draw(st.permutations(sorted({*map("".join, turned), *more}))))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(connected())
def test_pairs_of_ones_own_are_those_of_walks_on_the_graph(drawn):
    members, trained = drawn
    design = Design(trained, members=members, classes=3)
    pairs = named(design.pairs())
    assert pairs == plain_pairs("ABCDEF"[:members], trained)
    assert Design(nx.DiGraph(map(tuple, trained)), members=members).pairs().equals(design.pairs())
    assert Design(list(trained), members=members, classes=3) == design and design.name == "-".join(trained)
    types = {(sample + comparison): kind for sample, comparison, kind, *_ in pairs}
    frame = records.tests(design).frame()
    assert (frame["type"] == frame["pair"].map(types)).all()
    assert set(records.training(design).frame()["pair"]) == set(trained)


def test_tokens_beyond_256_need_two_bytes():
    sizes = {(11, 12): (256, np.uint8), (20, 8): (303, np.int16), (26, 4): (185, np.uint8)}
    for (members, classes), (tokens, dtype) in sizes.items():
        trials = records.training(Design("OTM", "select-only", "standard", members, classes))
        assert len(trials.design.tokens) == tokens and trials.tokens.dtype == dtype
        assert trials.tokens.min() == 0 and trials.tokens.max() == tokens - 1


def test_a_draw_holds_as_many_of_every_pair_and_class_and_none_twice():
    whole = set(codes(records.tests(Design())).tolist())
    for each in (1, 5, 1259):
        trials = records.probe(Design(), each, np.random.default_rng(2))
        cells, counts = np.unique(np.stack([trials.pair, trials.classes]), axis=1, return_counts=True)
        assert cells.shape[1] == 49 * 4 and (counts == each).all()
        numbers = set(codes(trials).tolist())
        assert len(numbers) == len(trials) and numbers <= whole
    every = records.training(Design())
    assert records.draw(every, 1260, np.random.default_rng(0)) is every  # as many as there are


def test_each_trial_of_a_block_is_drawn_as_often():
    """1,000 draws of 2 from 18 trials of each of 24 blocks; a count's standard error is √(n·p·(1 - p))."""
    trials, rng = records.training(Design(negatives="standard")), np.random.default_rng(0)
    index = {code: k for k, code in enumerate(codes(trials).tolist())}
    counts, n, share = np.zeros(len(trials)), 1000, 2 / 18
    for _ in range(n):
        drawn = [index[code] for code in codes(records.draw(trials, 2, rng)).tolist()]
        counts[drawn] += 1
        assert len(np.unique(np.mod(drawn, 18))) > 2  # each block has a draw of its own
    assert counts.sum() == n * 2 * 24
    assert np.abs(counts - n * share).max() <= 4 * np.sqrt(n * share * (1 - share))


def test_a_question_holds_no_answer():
    trials = records.tests(Design())[::1000]
    question = trials.question()
    assert {field.name for field in fields(Question)} == set(vars(question)) == {"sample", "comparisons"}
    assert len(question) == len(trials) == 247
    assert (question.sample == trials.tokens[:, 0]).all() and question.comparisons.shape == (247, OPTIONS)
    assert (question.comparisons == trials.tokens[:, 1:4]).all()
    assert not any(np.shares_memory(value, trials.tokens) for value in vars(question).values())


OWN = "wanted different pairs of two of the members A, B, C, got the pair"
UNCONNECTED = "wanted pairs that connect every member of a class, got pairs that leave"
BAD = [
    ({"structure": "LSS"}, "got 'LSS': did you mean 'LS'?"),
    ({"structure": "AB"}, "or pairs of your own such as ('AB', 'BC') (LS, OTM or MTO), got 'AB'"),
    ({"members": 27}, "2 to 26 members, one for each letter, and 3 classes or more, got 27 members and 4 classes"),
    ({"classes": 2}, "got 3 members and 2 classes"),
    *(({"structure": pairs}, f"{OWN} '{pairs[-1]}'") for pairs in (("AB", "BD"), ("AB", "ABC"), ("AB", "BB"))),
    ({"structure": ("AB", "AB", "BC")}, f"{OWN} 'AB'"),
    ({"structure": ("AB", "BA")}, f"{UNCONNECTED} C unconnected to A"),
    ({"structure": ("BC",)}, f"{UNCONNECTED} B, C unconnected to A"),
]


def test_bad_designs_are_refused_in_a_sentence():
    for arguments, sentence in BAD:
        with case(arguments), pytest.raises(InputError) as refused:
            Design(**{"members": 3, **arguments})
        assert str(refused.value).endswith(sentence), arguments
