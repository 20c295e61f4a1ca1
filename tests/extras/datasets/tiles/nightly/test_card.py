"""The card and the metadata of a made set of boards."""

from __future__ import annotations

import numpy as np
import pytest
from carded import check_again, check_audit, check_floors, check_form, dataset, front, make, records, tables

from cogkit.core.identity import item_set
from cogkit.extras.datasets.tiles.datasets import FILES
from cogkit.tiles import scoring
from cogkit.tiles.instrument import INSTRUMENT
from cogkit.tiles.problems import GENERATOR
from cogkit.tiles.problems.records import CONDITIONS, check

N, SEED = 4, 7


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return make(tmp_path_factory.mktemp("made") / "set", "tiles", "--n", str(N), "--seed", str(SEED))


def test_form_and_hash(root):
    check_form(root, "Disentangling Abstraction from Statistical Pattern Matching in Human and Machine Learning")
    assert front(root)["cogkit"]["items"] == item_set("tiles", GENERATOR, "verified", SEED, N)
    assert tables(root)[("split", "items")] == [(task, str(N)) for task in CONDITIONS]


def test_its_own_command_makes_it_again(root, tmp_path):
    check_again(root, tmp_path / "again")


def test_records_are_the_boards_of_the_files(root):
    rows = records(dataset(root), "boards")
    assert len(rows) == N * len(CONDITIONS)
    for row in rows:
        stem = FILES[row["kind"]].format(row["rule"])
        board = np.array(list(row["board"]), int).reshape(7, 7)
        assert (np.load(root / f"{stem}.npy")[row["number"]] == board).all()
        start = [row["start_row"], row["start_column"]]
        assert np.load(root / f"{stem}_starts.npy")[row["number"]].tolist() == start and board[tuple(start)] == 1


def test_floors_are_those_of_judge_and_summarise(root):
    expected = []
    for task in CONDITIONS:
        boards = INSTRUMENT.items(task, N, seed=SEED)
        for name in INSTRUMENT.references:
            if name != "bayes-greedy" or task.endswith("/abstract"):
                rows = scoring.result_rows(scoring.judge(INSTRUMENT.learner(name, task), boards, seed=SEED))
                expected += [(task, row) for row in rows if row["metric"] in ("blue", "z")]
    check_floors(root, expected)


def test_checks_have_the_numbers_of_these_boards(root):
    text = (root / "README.md").read_text()
    boards = {task: INSTRUMENT.items(task, N, seed=SEED).boards for task in CONDITIONS}
    fits = {task: check(task.split("/")[0], boards[task]).sum() for task in CONDITIONS}
    chance = sum(fit for task, fit in fits.items() if task.endswith("metamer"))
    assert f"{8 * N} of {8 * N} boards of the kind abstract satisfy their rule." in text
    assert f"{chance} of {8 * N} metamers satisfy the rule by chance." in text
    assert sum(fit for task, fit in fits.items() if task.endswith("abstract")) == 8 * N


def test_audit(root, capsys):
    check_audit(root, capsys)
