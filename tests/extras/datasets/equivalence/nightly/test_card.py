"""The card and the metadata of a made set of trials."""

from __future__ import annotations

import pandas as pd
import pytest
from carded import check_again, check_audit, check_floors, check_form, dataset, front, make, records, tables

from cogkit.core.identity import item_set
from cogkit.equivalence import scoring
from cogkit.equivalence.instrument import INSTRUMENT
from cogkit.equivalence.problems import GENERATOR
from cogkit.equivalence.problems.records import STRUCTURES, TYPES, Design
from cogkit.extras.datasets.equivalence import datasets

SEED = 5


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return make(tmp_path_factory.mktemp("made") / "set", "mts", "--n", "1", "--seed", str(SEED))


def frame(path) -> pd.DataFrame:
    return pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path).astype(str)


def test_form_and_hash_and_its_own_command_makes_it_again(root, tmp_path):
    check_again(root, tmp_path / "again")
    check_form(root, "Testing Stimulus Equivalence in Transformer-Based Agents")
    assert front(root)["cogkit"]["items"] == item_set("equivalence", GENERATOR, "verified", SEED, 1)
    sizes = {name: str(len(frame(root / name))) for name in datasets.FILES}
    assert dict(tables(root)[("split", "items")]) == sizes


def test_records_are_the_rows_of_the_files(root):
    loaded = dataset(root)
    for name in (datasets.PAIR_TYPES, *datasets.FILES):
        table = frame(root / name)
        assert records(loaded, name.rpartition(".")[0]) == table.to_dict("records"), name
    configs = front(root)["configs"]
    assert {config["data_files"] for config in configs} == {datasets.PAIR_TYPES, *datasets.FILES}


def test_floors_are_those_of_judge_and_summarise(root):
    """Each file of tests has one trial of each pair and class, so all of them were judged."""
    expected = []
    for negatives, name in (("biased", "tests.parquet"), ("standard", "tests_standard.csv")):
        for structure in STRUCTURES:
            design = Design(structure, negatives=negatives)
            trials = datasets.read(root / name, design)
            assert len(trials) == 7 * 7 * 4
            for learner in (INSTRUMENT.learner(which, design, seed=SEED) for which in INSTRUMENT.references):
                if learner.kind in ("floor", "observer"):
                    rows = scoring.result_rows(scoring.judge(learner, trials, seed=SEED))
                    values = {
                        row["task"].rpartition("/")[2]: row for row in rows if row["metric"] == "accuracy, expected"
                    }
                    for type_ in TYPES:
                        metric = f"accuracy, expected, {type_} in {structure}"
                        expected.append((name, values[type_] | {"metric": metric}))
    check_floors(root, expected)


def test_audit(root, capsys):
    check_audit(root, capsys)
