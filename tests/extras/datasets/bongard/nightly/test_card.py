"""The card and the metadata of a made set of problems."""

from __future__ import annotations

import json

import numpy as np
import pytest
from carded import body, check_again, check_audit, check_floors, check_form, dataset, front, make, records, tables
from PIL import Image

from cogkit.bongard import scoring
from cogkit.bongard.instrument import INSTRUMENT
from cogkit.bongard.problems import GENERATOR, certify, sets
from cogkit.bongard.problems.records import Items
from cogkit.bongard.shapes import inventory
from cogkit.core.identity import item_set
from cogkit.extras.datasets.bongard import card

N, SEED = 15, 3


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    words = ("--n", str(N), "--seed", str(SEED), "--size", "48", "--jobs", "1")
    return make(tmp_path_factory.mktemp("made") / "set", "bongard", *words)


@pytest.fixture(scope="module")
def problems():
    return {spec.name: sets.problem(spec) for spec in sets.specs(n=N, seed=SEED)}


@pytest.fixture(scope="module")
def split(problems):
    return sets.split(problems, (spec.name for spec in sets.specs(seed=SEED)))


def test_form_and_hash(root, problems, split):
    check_form(root, "Bongard-LOGO: A New Benchmark for Human-Level Concept Learning and Reasoning")
    source = inventory.available().source
    name = "bongard" if source == "catalogue" else f"bongard/shapes={source}"
    assert front(root)["cogkit"]["items"] == item_set(name, GENERATOR, "verified", SEED, N)
    assert tables(root)[("split", "items")] == [(part, str(len(names))) for part, names in split.items()]
    faults = [name for name, problem in problems.items() if certify.check(problem, inventory.available())]
    assert f"{N - len(faults)} of {N} problems keep every promise" in body(root) and not faults


def test_problems_of_the_shapes_in_the_package_have_the_plain_name():
    config = {"n": N, "seed": SEED, "profile": "verified", "only": None, "size": 48}
    assert card.items_of({**config, "shapes": "catalogue"}) == item_set("bongard", GENERATOR, "verified", SEED, N)
    assert card.items_of({**config, "shapes": "published"}) != card.items_of({**config, "shapes": "catalogue"})
    assert card.items_of({**config, "shapes": None, "only": "ff"}) == item_set(
        "bongard/only=ff", GENERATOR, "verified", SEED, N
    )


def test_its_own_command_makes_it_again(tmp_path):
    words = ("--n", "12", "--only", "ff", "--profile", "as_published", "--size", "32", "--jobs", "1")
    root = make(tmp_path / "set", "bongard", *words)
    check_again(root, tmp_path / "again")


def test_records_are_the_problems_and_their_pictures(root, problems, split):
    loaded = dataset(root)
    for kind in ("ff", "bd", "hd"):
        own = [problem for problem in problems.values() if problem.kind == kind]
        rows = records(loaded, f"{kind}_problems")
        fields = [(row["name"], tuple(row["concept"]), row["profile"]) for row in rows]
        assert fields == [(problem.name, problem.concept, "verified") for problem in own]
        strings = json.loads((root / kind / f"{kind}_action_programs.json").read_text())
        assert [row["programs"] for row in records(loaded, f"{kind}_programs")] == list(strings.values())
    assert records(loaded, "split") == [split]
    pictures = records(loaded, "pictures")
    assert len(pictures) == N * 14
    for row in pictures[::10]:
        assert (np.asarray(row["picture"].convert("L")) == np.asarray(Image.open(root / row["path"]))).all()


def test_floors_are_those_of_judge_and_summarise(root, problems, split):
    expected = []
    for part, names in split.items():
        for name in INSTRUMENT.references if names else ():
            items = Items(tuple(problems[each] for each in names), "bongard", part)
            answers = scoring.judge(INSTRUMENT.learner(name), items, seed=SEED)
            (row,) = scoring.result_rows(answers, concepts=False)
            expected.append((part, row))
    check_floors(root, expected)


def test_audit(root, capsys):
    check_audit(root, capsys)
