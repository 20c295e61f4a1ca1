"""`cogkit make mts`: what it writes, what it keeps, and what it leaves alone."""

from __future__ import annotations

import csv
import shutil

import numpy as np
import pandas as pd
import pytest

from cogkit.app import cli
from cogkit.core.contracts import InputError
from cogkit.equivalence.files import datasets
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import RELATIONS, STRUCTURES, Design


def faults(folder):
    return [(finding.path.rsplit("/")[-1], finding.field, finding.problem) for finding in datasets.audit(folder)]


def contents(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def frame(path) -> pd.DataFrame:
    return pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)


def test_the_whole_set_is_made_and_clean(whole, capsys):
    lengths = {path.name: len(frame(path)) for path in whole.iterdir() if path.suffix not in (".json", ".md")}
    expected = {"pair_types.csv": 49, "tests.parquet": 246_960, "tests_standard.csv": 3_528}
    for structure in STRUCTURES:
        for relation in RELATIONS:
            expected[f"training_{structure}_{relation}.parquet"] = 30_240
            expected[f"training_{structure}_{relation}_standard.csv"] = 432
    assert lengths == expected
    assert datasets.audit(whole) == [] and datasets.looks_like(whole)
    assert cli.main(["audit", str(whole)]) == 0 and capsys.readouterr().out.endswith("every check passed\n")


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("structure", STRUCTURES)
def test_files_hold_the_trials_of_their_design(whole, structure, relation):
    for part, negatives in (("{}.parquet", "biased"), ("{}_standard.csv", "standard")):
        design = Design(structure, relation, negatives)
        path = whole / part.format(f"training_{structure}_{relation}")
        trials, copy = records.training(design), datasets.read(path)
        assert copy.design == design and (copy.tokens == trials.tokens).all() and (copy.pair == trials.pair).all()
        names = trials.frame().drop(columns="type")
        assert (frame(path).astype(str).to_numpy() == names.to_numpy()).all()
        tests = datasets.read(whole / part.format("tests"), design)
        assert (tests.tokens == records.tests(design).tokens).all() and (
            tests.types == records.tests(design).types
        ).all()


def test_pair_types_are_the_published_table_and_finer(whole, reference):
    with (reference / "stimulus_equivalence" / "pair_types.csv").open() as file:
        published = list(csv.DictReader(file))
    with (whole / "pair_types.csv").open() as file:
        rows = list(csv.DictReader(file))
    columns = list(published[0])
    assert list(rows[0])[: len(columns)] == columns == ["sample", "comparison", "LS", "OTM", "MTO"]
    assert [{name: row[name] for name in columns} for row in rows] == published
    for row in rows:
        distance = ord(row["comparison"]) - ord(row["sample"])
        if row["LS"] == "transitivity":
            assert row["LS_relation"] == ("transitivity" if distance > 0 else "equivalence")
        else:
            assert row["LS_relation"] == row["LS"]
        assert int(row["LS_nodes"]) == max(abs(distance) - 1, 0)
        for structure in ("OTM", "MTO"):  # every two members but A are joined by A alone
            apart = row[structure] == "transitivity"
            assert (row[f"{structure}_relation"], row[f"{structure}_nodes"]) == (
                ("equivalence", "1") if apart else (row[structure], "0")
            )


def test_the_published_table_alone_is_audited_too(reference, tmp_path):
    shutil.copy(reference / "stimulus_equivalence" / "pair_types.csv", tmp_path)
    assert {(field, problem) for name, field, problem in faults(tmp_path) if name == "pair_types.csv"} == set()


def test_n_keeps_as_many_of_each_pair_and_class(few):
    for path in few.glob("t*"):
        trials = datasets.read(path)
        cells, counts = np.unique(np.stack([trials.pair, trials.classes]), axis=1, return_counts=True)
        assert cells.shape[1] == (49 if path.name.startswith("tests") else 6) * 4 and (counts == 2).all()
        assert len(np.unique(trials.tokens, axis=0)) == len(trials)


def test_the_seed_decides_what_is_drawn(few, tmp_path):
    datasets.make(tmp_path / "same", n=2, seed=3)
    datasets.make(tmp_path / "other", n=2, seed=4)
    assert contents(tmp_path / "same") == contents(few)
    files = contents(tmp_path / "other")
    assert [name for name, content in contents(few).items() if content == files[name]] == ["pair_types.csv"]


def test_the_command_makes_the_whole_set_unless_told_otherwise(whole, few, tmp_path, capsys):
    assert cli.main(["make", "mts", "--out", str(tmp_path / "a")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 24 and lines[-1].endswith("manifest.json") and contents(tmp_path / "a") == contents(whole)
    assert cli.main(["make", "mts", "--out", str(tmp_path / "b"), "--n", "2", "--seed", "3"]) == 0
    assert contents(tmp_path / "b") == contents(few)


def test_a_rerun_writes_only_what_is_not_whole(dataset):
    broken, missing = dataset / "tests.parquet", dataset / "training_LS_select-only_standard.csv"
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in dataset.iterdir()}
    broken.write_bytes(broken.read_bytes()[:-5])
    missing.unlink()
    assert {name for name, *_ in faults(dataset)} == {broken.name, missing.name}
    datasets.make(dataset, n=2, seed=3)
    after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in dataset.iterdir()}
    assert {name: content for name, (content, _) in before.items()} == {n: content for n, (content, _) in after.items()}
    rewritten = {name for name in before if before[name][1] != after[name][1]}
    assert rewritten == {broken.name, missing.name, "manifest.json"}


@pytest.mark.parametrize("config", [{}, {"n": 3, "seed": 3}, {"n": 2, "seed": 4}])
def test_another_dataset_is_not_overwritten(dataset, config):
    before = contents(dataset)
    with pytest.raises(InputError, match="an empty folder"):
        datasets.make(dataset, **config)
    assert contents(dataset) == before


def test_a_strangers_file_is_not_overwritten(tmp_path):
    stranger = tmp_path / "pair_types.csv"
    stranger.write_bytes(b"mine")
    with pytest.raises(InputError, match="another file at .*pair_types.csv"):
        datasets.make(tmp_path)
    assert contents(tmp_path) == {"pair_types.csv": b"mine"}


@pytest.mark.parametrize("n", [0, -1])
def test_a_bad_number_of_trials_writes_nothing(tmp_path, n):
    with pytest.raises(InputError, match="1 or more trials of each pair and class, got n="):
        datasets.make(tmp_path / "x", n=n)
    assert not (tmp_path / "x").exists()
