"""Sets of problems: how many of what, by which names, in which part; and which problem a name is."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from cases import case

from cogkit.bongard.problems import records, sets
from cogkit.bongard.shapes import inventory
from cogkit.core.errors import InputError

pytestmark = pytest.mark.usefixtures("use_mirror")
SPLIT = {"train": 9300, "val": 900, "test_ff": 600, "test_bd": 480, "test_hd_comb": 400, "test_hd_novel": 320}
PROFILES = ("as_published", "verified")
KINDS = {"ff": 3600, "bd": 4000, "hd": 4400}
EIGHT = "has_eight_straight_lines"


@pytest.fixture(scope="module", params=PROFILES)
def whole(request):
    return sets.specs(request.param)


def parts(name):
    """Return kind and concept of a name, read plainly."""
    return name[:2], tuple(name[3:-5].split("-"))


def kinds(specs):
    return Counter(spec.kind for spec in specs)


def sizes(split):
    return {part: len(names) for part, names in split.items()}


def test_the_whole_set(whole):
    assert kinds(whole) == KINDS and len({spec.name for spec in whole}) == 12_000
    of = {kind: Counter(spec.concept for spec in whole if spec.kind == kind) for kind in KINDS}
    assert len(of["ff"]) == 12 and set(of["ff"].values()) == {300}
    assert len(of["bd"]) == 4000 and len(of["hd"]) == 220 and set(of["hd"].values()) == {20}
    assert all(parts(spec.name) == (spec.kind, spec.concept) for spec in whole)
    assert {spec.name[-4:] for spec in whole if spec.kind == "hd"} == {f"{k:04d}" for k in range(20)}


def test_a_smaller_set_is_an_evenly_spread_part_of_the_whole(whole):
    for n in (24, 660, 11_999):
        specs = sets.specs(whole[0].profile, n=n)
        with case(n):
            assert len(specs) == n and len(set(specs)) == n and set(specs) <= set(whole)
            for kind, size in KINDS.items():
                assert abs(kinds(specs)[kind] - n * size / 12_000) <= 1
                concepts = list(dict.fromkeys(spec.concept for spec in whole if spec.kind == kind))
                tally = Counter(spec.concept for spec in specs if spec.kind == kind)
                counts = [tally[concept] for concept in concepts]
                assert max(counts) - min(counts) <= 1  # no concept has two problems more than another
                some = [k for k, count in enumerate(counts) if count == max(counts)]
                if len(some) < len(concepts):
                    steps = {later - earlier for earlier, later in itertools.pairwise(some)}
                    assert not steps or max(steps) - min(steps) <= 1  # those with one more lie evenly among the others


def test_some_kinds_alone():
    assert kinds(sets.specs(kinds=("hd", "bd"))) == {"hd": 4400, "bd": 4000}
    assert kinds(sets.specs(kinds=["bd"], n=10)) == {"bd": 10}
    alone = sets.specs("as_published", ("ff",))
    assert len(alone) == 12_000 and set(Counter(spec.concept for spec in alone).values()) == {1000}
    assert [spec for spec in sets.specs("as_published") if spec.kind == "ff"] == alone[:3600]  # the same problems


@pytest.mark.parametrize("source", ["catalogue", "any"])
def test_the_small_set_has_single_sectors_and_none_of_them_in_a_test(source):
    shapes = inventory.available(source)
    train, val = (sets.task_specs(f"sectors only/{part}", source=source) for part in ("train", "val"))
    tally = Counter(spec.concept for spec in (*train, *val))
    assert len(val) * 4 == len(train) and set(tally.values()) == {20}
    assert {shapes[name].super_class for (name,) in tally} == {"sector"}
    names = {spec.name for spec in (*train, *val)}
    assert len(names) == len(train) + len(val) and names.isdisjoint(spec.name for spec in sets.task_specs("BA"))
    problem = sets.problem(val[0])
    assert (problem.kind, problem.concept, problem.name) == ("bd", val[0].concept, val[0].name)


def test_sets_and_names_that_there_are_not():
    for kwargs, words in (({"n": 12_001}, "1 to 12,000"), ({"profile": "quick"}, "profile")):
        with case(kwargs), pytest.raises(InputError, match=words):
            sets.specs(**kwargs)
    for name in ("hd_convex_004", "xx_convex_0004", "hd_convex-necked-has_angle_0000", "hd_convex_0004\n"):
        with case(name), pytest.raises(InputError, match="the name of a problem"):
            records.parts(name)


def test_the_split_has_the_published_sizes_and_rules(whole):
    every = [spec.name for spec in whole]
    split = sets.split(every)
    assert sizes(split) == SPLIT
    assert [len(sets.task_specs(task, whole[0].profile)) for task in sets.TASKS] == [*SPLIT.values()]
    assert sorted(itertools.chain(*split.values())) == sorted(every)  # each name in one part
    of = {part: Counter(map(parts, names)) for part, names in split.items()}
    assert of["test_ff"] == {("ff", ("nact9",)): 300, ("ff", ("nact4_5",)): 300}
    assert all(kind == "bd" and len(concept) == 2 for kind, concept in of["test_bd"])
    assert set(of["test_hd_comb"].values()) == {20} and len(of["test_hd_comb"]) == 20
    assert all(kind == "hd" and len(concept) == 2 and EIGHT not in concept for kind, concept in of["test_hd_comb"])
    assert {key for key in map(parts, every) if EIGHT in key[1]} == set(of["test_hd_novel"])
    assert len(of["test_hd_novel"]) == 16
    trained = {*of["train"], *of["val"]}
    assert not [part for part in of if part.startswith("test") and trained & set(of[part])]  # by concept, not by name
    for attribute in {attribute for _, concept in of["test_hd_comb"] for attribute in concept}:
        assert ("hd", (attribute,)) in of["train"]  # each has been seen by itself
    again = sets.split(reversed(every))  # names alone decide
    assert {part: set(names) for part, names in split.items()} == {part: set(names) for part, names in again.items()}


def test_validation_is_a_fair_sample_of_what_is_left(whole):
    split = sets.split(spec.name for spec in whole)
    rest = [*split["train"], *split["val"]]
    for pick in (lambda name: name[:2], lambda name: len(parts(name)[1])):
        share = Counter(map(pick, rest))
        for key, count in Counter(map(pick, split["val"])).items():
            expected = 900 * share[key] / len(rest)
            assert abs(count - expected) <= 4 * (expected * (1 - share[key] / len(rest))) ** 0.5


def test_a_part_is_split_as_the_whole(whole):
    every, some = [spec.name for spec in whole], [spec.name for spec in sets.specs(whole[0].profile, n=600)]
    split, of_part = sets.split(every), sets.split(some, whole=every)
    assert sum(map(len, of_part.values())) == 600
    assert all(set(of_part[part]) == set(split[part]) & set(some) for part in SPLIT)
    assert sizes(sets.split(some)) == {part: round(size / 20) for part, size in SPLIT.items()}


def test_free_form_problems_alone_are_tested_on_the_longest():
    split = sets.split([spec.name for spec in sets.specs(kinds=("ff",))])
    assert sizes(split) == {"train": 9000, "val": 1000, "test": 2000}
    assert [len(sets.task_specs(f"{sets.ABLATION}/{task}")) for task in ("train", "val", "FF")] == [9000, 1000, 2000]
    assert {parts(name)[1] for name in split["test"]} == {("nact9",), ("nact4_5",)}
    assert not {("nact9",), ("nact4_5",)} & {parts(name)[1] for name in split["train"] + split["val"]}


def test_a_name_says_which_problem_it_is(whole):
    for spec in whole[::397]:
        problem = sets.problem(spec)
        assert (problem.name, problem.kind, problem.concept) == (spec.name, spec.kind, spec.concept)
        assert problem.profile == whole[0].profile
        assert records.name(*records.parts(spec.name)) == spec.name
        assert sets.problem(spec) == problem
