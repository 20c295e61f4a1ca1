"""The card and the metadata of a made set of each dataset."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import numpy as np
import pandas as pd
import pytest
from carded import body, check_again, check_audit, check_floors, check_form, dataset, front, make, records, tables
from PIL import Image

from cogkit.bongard import scoring as bongard_scoring
from cogkit.bongard.instrument import INSTRUMENT as BONGARD
from cogkit.bongard.problems import certify, sets
from cogkit.bongard.problems.records import Items
from cogkit.bongard.shapes import inventory
from cogkit.core.identity import item_set
from cogkit.equivalence import scoring as equivalence_scoring
from cogkit.equivalence.instrument import INSTRUMENT as EQUIVALENCE
from cogkit.equivalence.problems.records import STRUCTURES, TYPES, Design
from cogkit.extras.datasets.bongard import card
from cogkit.extras.datasets.equivalence import datasets as trials
from cogkit.extras.datasets.mewl.layout import panel_names, plan
from cogkit.mewl import scoring as mewl_scoring
from cogkit.mewl.instrument import INSTRUMENT as MEWL
from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import TASKS
from cogkit.tiles import scoring as tiles_scoring
from cogkit.tiles.instrument import INSTRUMENT as TILES
from cogkit.tiles.problems.records import CONDITIONS, FILES, check

SEED = 3
GENERATOR = 1  # of each of the four, today
WORDS = {"tiles": "--n 4", "mts": "--n 1", "bongard": "--n 15 --size 48 --jobs 1", "mewl": "--n 30 --jobs 1"}
TITLES = {
    "tiles": "Disentangling Abstraction from Statistical Pattern Matching in Human and Machine Learning",
    "mts": "Testing Stimulus Equivalence in Transformer-Based Agents",
    "bongard": "Bongard-LOGO: A New Benchmark for Human-Level Concept Learning and Reasoning",
    "mewl": "MEWL: Few-shot multimodal word learning with referential uncertainty",
}
FEW = {  # options that choose other items, and what these are called
    "mewl": ("--n 3 --only number --images browse --jobs 1", "mewl/only=number", "verified", 3),
    "bongard": ("--n 12 --only ff --profile as_published --size 32 --jobs 1", "bongard/only=ff", "as_published", 12),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Return a function that makes the set of a dataset, once."""
    return cache(
        lambda name: make(tmp_path_factory.mktemp("made") / "set", name, *WORDS[name].split(), "--seed", str(SEED))
    )


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return cache(lambda name: make(tmp_path_factory.mktemp("few") / "set", name, *FEW[name][0].split()))


@cache
def problems() -> dict:
    return {spec.name: sets.problem(spec) for spec in sets.specs(n=15, seed=SEED)}


@cache
def split() -> dict[str, list[str]]:
    return sets.split(problems(), (spec.name for spec in sets.specs(seed=SEED)))


@cache
def episodes() -> dict:
    return {str(at): making.episode(at.task, at.number, "verified", SEED, at.part) for at in plan(30)}


def frame(path) -> pd.DataFrame:
    return pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path).astype(str)


def name_of_items(name: str) -> str:
    source = inventory.available().source
    bongard = "bongard" if source == "catalogue" else f"bongard/shapes={source}"
    return {"mts": "equivalence", "bongard": bongard}.get(name, name)


@pytest.mark.parametrize("name", WORDS)
def test_form_and_hash(root, name):
    parts = {
        "tiles": dict.fromkeys(CONDITIONS, 4),
        "mts": {file: len(frame(root("mts") / file)) for file in trials.FILES},
        "bongard": {part: len(names) for part, names in split().items()},
        "mewl": Counter(each.rpartition("/")[0] for each in episodes()),
    }
    check_form(root(name), TITLES[name])
    items = item_set(name_of_items(name), GENERATOR, "verified", SEED, int(WORDS[name].split()[1]))
    assert front(root(name))["cogkit"]["items"] == items
    assert dict(tables(root(name))[("split", "items")]) == {part: str(n) for part, n in parts[name].items()}


@pytest.mark.parametrize("name", WORDS)
def test_audit(root, name, capsys):
    check_audit(root(name), capsys)


@pytest.mark.parametrize("name", FEW)
def test_options_that_choose_other_items_give_another_hash_and_the_command_makes_them_again(few, tmp_path, name):
    _, items, profile, n = FEW[name]
    assert front(few(name))["cogkit"]["items"] == item_set(items, GENERATOR, profile, 0, n)
    check_again(few(name), tmp_path / "again")


@pytest.mark.parametrize("name", ["tiles", "mts"])
def test_its_own_command_makes_it_again(root, tmp_path, name):
    check_again(root(name), tmp_path / "again")


def test_problems_of_the_shapes_in_the_package_have_the_plain_name():
    config = {"n": 15, "seed": SEED, "profile": "verified", "only": None, "size": 48}
    assert card.items_of({**config, "shapes": "catalogue"}) == item_set("bongard", GENERATOR, "verified", SEED, 15)
    assert card.items_of({**config, "shapes": "published"}) != card.items_of({**config, "shapes": "catalogue"})


def test_checks_have_the_numbers_of_these_items(root):
    text = body(root("tiles"))
    fits = {task: check(task.split("/")[0], TILES.items(task, 4, seed=SEED).boards).sum() for task in CONDITIONS}
    chance = sum(fit for task, fit in fits.items() if task.endswith("metamer"))
    assert "32 of 32 boards of the kind abstract satisfy their rule." in text
    assert f"{chance} of 32 metamers satisfy the rule by chance." in text
    assert not [name for name, problem in problems().items() if certify.check(problem, inventory.available())]
    assert "15 of 15 problems keep every promise" in body(root("bongard"))
    assert "one right option in 30 of 30 episodes" in body(root("mewl"))


def test_records_are_the_boards_and_the_rows_of_the_files(root):
    rows = records(dataset(root("tiles")), "boards")
    assert len(rows) == 4 * len(CONDITIONS)
    for row in rows:
        stem, start = FILES[row["kind"]].format(row["rule"]), [row["start_row"], row["start_column"]]
        board = np.array(list(row["board"]), int).reshape(7, 7)
        assert (np.load(root("tiles") / f"{stem}.npy")[row["number"]] == board).all() and board[tuple(start)] == 1
        assert np.load(root("tiles") / f"{stem}_starts.npy")[row["number"]].tolist() == start
    names, loaded = (trials.PAIR_TYPES, *trials.FILES), dataset(root("mts"))
    for name in names:
        assert records(loaded, name.rpartition(".")[0]) == frame(root("mts") / name).to_dict("records"), name
    assert {config["data_files"] for config in front(root("mts"))["configs"]} == set(names)


def test_records_are_the_problems_and_their_pictures(root):
    folder, loaded = root("bongard"), dataset(root("bongard"))
    for kind in ("ff", "bd", "hd"):
        fields = [(row["name"], tuple(row["concept"]), row["profile"]) for row in records(loaded, f"{kind}_problems")]
        own = [problem for problem in problems().values() if problem.kind == kind]
        assert fields == [(problem.name, problem.concept, "verified") for problem in own]
        strings = json.loads((folder / kind / f"{kind}_action_programs.json").read_text())
        assert [row["programs"] for row in records(loaded, f"{kind}_programs")] == list(strings.values())
    assert records(loaded, "split") == [split()]
    pictures = records(loaded, "pictures")
    assert len(pictures) == 15 * 14
    for row in pictures[::10]:
        assert (np.asarray(row["picture"].convert("L")) == np.asarray(Image.open(folder / row["path"]))).all()


def test_records_are_the_episodes_and_their_pictures(root, few):
    rows = records(dataset(root("mewl")), "episodes")
    assert {row["path"] for row in rows} == {f"{name}/info.json" for name in episodes()} and len(rows) == 30
    for row in rows:
        episode = episodes()[row["path"].removesuffix("/info.json")]
        assert (row["part"], row["task"], row["number"]) == (episode.part, episode.task, episode.number)
        assert row["panels"] == panel_names(episode) and row["options"] == list(episode.trial.options)
        assert row["answer"] == episode.trial.options[episode.answer]
    pictures = records(dataset(few("mewl")), "pictures")
    assert len(pictures) == 3 * 7
    for row in pictures:
        assert (np.asarray(row["picture"]) == np.asarray(Image.open(few("mewl") / row["path"]))).all()


def test_floors_of_boards_are_those_of_judge_and_summarise(root):
    expected = []
    for task in CONDITIONS:
        boards = TILES.items(task, 4, seed=SEED)
        for name in TILES.references:
            if name != "bayes-greedy" or task.endswith("/abstract"):
                rows = tiles_scoring.result_rows(tiles_scoring.judge(TILES.learner(name, task), boards, seed=SEED))
                expected += [(task, row) for row in rows if row["metric"] in ("blue", "z")]
    check_floors(root("tiles"), expected)


def test_floors_of_trials_are_those_of_judge_and_summarise(root):
    """Each file of tests has one trial of each pair and class, so all of them were judged."""
    expected = []
    for negatives, name in (("biased", "tests.parquet"), ("standard", "tests_standard.csv")):
        for structure in STRUCTURES:
            design = Design(structure, negatives=negatives)
            tests = trials.read(root("mts") / name, design)
            assert len(tests) == 7 * 7 * 4
            for learner in (EQUIVALENCE.learner(which, design, seed=SEED) for which in EQUIVALENCE.references):
                if learner.kind in ("floor", "observer"):
                    rows = equivalence_scoring.result_rows(equivalence_scoring.judge(learner, tests, seed=SEED))
                    rows = [row for row in rows if row["metric"] == "accuracy, expected"]
                    by_type = {row["task"].rpartition("/")[2]: row for row in rows}
                    metric = "accuracy, expected, {} in {}"
                    expected += [(name, by_type[each] | {"metric": metric.format(each, structure)}) for each in TYPES]
    check_floors(root("mts"), expected)


def test_floors_of_problems_are_those_of_judge_and_summarise(root):
    expected = []
    for part, names in split().items():
        for learner in map(BONGARD.learner, BONGARD.references if names else ()):
            if learner.kind == "model":
                continue
            items = Items(tuple(problems()[each] for each in names), "bongard", part)
            answers = bongard_scoring.judge(learner, items, seed=SEED)
            expected += [(part, row) for row in bongard_scoring.result_rows(answers, concepts=False)]
    check_floors(root("bongard"), expected)


def test_floors_of_episodes_are_those_of_judge_and_summarise(root):
    expected = []
    for part in dict.fromkeys(name.rpartition("/")[0] for name in episodes()):
        members = [episode for name, episode in episodes().items() if name.startswith(f"{part}/")]
        for learner in map(MEWL.learner, MEWL.references):
            task = part.rpartition("/")[2]
            if learner.kind in ("floor", "observer") and task in getattr(learner, "tasks", TASKS):
                with np.errstate(all="ignore"):
                    row, *_ = mewl_scoring.result_rows(mewl_scoring.judge(learner, members, seed=SEED))
                expected.append((part, row))
                assert (row["metric"], row["task"]) == ("accuracy", task)
    check_floors(root("mewl"), expected)
