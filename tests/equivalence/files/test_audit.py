"""The audit of a set of trials: every fault is a finding, and none a traceback."""

from __future__ import annotations

import re
import shutil

import numpy as np
import pandas as pd
import pytest

from cogkit.equivalence.files import datasets

TEXT = ["sample", "comparison_1", "comparison_2", "comparison_3", "response"]


def faults(folder):
    return [(finding.path.rsplit("/")[-1], finding.field, finding.problem) for finding in datasets.audit(folder)]


# The audit of a made set.


def rewrite(change):
    def spoil(path):
        table = change(pd.read_csv(path, dtype=str) if path.suffix == ".csv" else pd.read_parquet(path).astype(str))
        table.to_csv(path, index=False) if path.suffix == ".csv" else table.to_parquet(path, index=False)

    return spoil


def put(row, column, value):
    def change(table):
        table.loc[row, column] = value
        return table

    return rewrite(change)


def repeat(table):
    table.loc[7] = table.loc[2]
    table.loc[9] = table.loc[2]
    return table


def another_letter(table):
    """A wrong comparison that has not the letter of the right one: not of the standard tests."""
    table.loc[0, "comparison_2"] = "G" + table.loc[0, "comparison_2"][1:]
    return table


@pytest.mark.parametrize(
    ("file", "spoil", "field", "problem"),
    [
        ("tests.parquet", lambda p: p.write_bytes(p.read_bytes()[:300]), "file", "a whole .parquet file"),
        ("tests.parquet", lambda p: p.write_bytes(b""), "file", "a whole .parquet file"),
        ("tests.parquet", put(4, "sample", "A9"), "row 5, sample", "wanted a stimulus .* got A9"),
        (
            "tests.parquet",
            rewrite(lambda t: t.assign(response="O_1")),
            r"row \d+, response \(and \d+ more\)",
            "the place",
        ),
        ("tests.parquet", rewrite(lambda t: t.drop(columns="response")), "file", "a column response"),
        ("tests.parquet", rewrite(repeat), r"row 8 \(and 1 more\)", "repeats an earlier row"),
        ("tests_standard.csv", rewrite(another_letter), "row 1", "no trial of this set .LS/select-reject/standard"),
        ("training_OTM_select-only.parquet", put(0, "pair", "AC"), "row 1, pair", "letters .* got AC"),
        (
            "training_OTM_reject-only.parquet",
            put(0, "pair", "BA"),
            "row 1, pair",
            "got BA",
        ),
        ("training_OTM_reject-only.parquet", put(0, "pair", "AG"), "row 1", "no trial of this set"),
        (
            "training_LS_select-reject.parquet",
            lambda p: shutil.copy(p.with_name("training_MTO_select-reject.parquet"), p),
            r"row 1 \(and 47 more\)",
            "no trial of this set .LS/select-reject.",
        ),
        ("training_LS_select-reject.parquet", lambda p: p.unlink(), "file", "is missing"),
        ("pair_types.csv", put(3, "OTM", "symmetry"), "row 4, OTM", "is 'symmetry', not 'baseline'"),
        ("pair_types.csv", put(3, "LS_nodes", "9"), "row 4, LS_nodes", "is '9', not '2'"),
        ("pair_types.csv", put(3, "comparison", "Z"), "row 4", "AZ is no pair, or"),
        ("pair_types.csv", put(3, "comparison", "C"), "row 4", "AC is no pair, or stands above already"),
        ("pair_types.csv", put(3, "comparison", "C"), "rows", "lack the pair AD"),
        ("pair_types.csv", rewrite(lambda t: t.drop(columns="MTO")), "file", "a column MTO"),
        ("pair_types.csv", lambda p: p.write_bytes(b""), "file", "a whole .csv file"),
        ("manifest.json", lambda p: p.write_text("{"), "sha256", "no manifest"),
        ("manifest.json", lambda p: p.write_text('{"sha256": {"../a": "0"}}'), "sha256", "no dataset has"),
    ],
)
def test_audit_names_the_file_the_field_and_the_fault(dataset, file, spoil, field, problem):
    spoil(dataset / file)
    findings = faults(dataset)
    entries = [fault[1:] for fault in findings if fault[0] == file]
    assert any(re.fullmatch(field, entry[0]) and re.search(problem, entry[1]) for entry in entries), findings
    if file != "manifest.json":
        assert {name for name, found_field, _ in findings if found_field in ("sha256", "file")} == {file}


@pytest.mark.parametrize("seed", range(24))
def test_a_randomly_damaged_file_gives_findings_and_no_traceback(dataset, seed):
    rng = np.random.default_rng(seed)
    path = dataset / str(rng.choice(["tests.parquet", "training_MTO_reject-only.parquet", "tests_standard.csv"]))
    content = bytearray(path.read_bytes())
    for place in rng.integers(0, len(content), rng.integers(1, 30)):
        content[place] = (content[place] + rng.integers(1, 256)) % 256
    path.write_bytes(content)
    assert any(finding.path == str(path) for finding in datasets.audit(dataset))


def test_a_folder_of_something_else_does_not_look_like_trials(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"")
    assert not datasets.looks_like(tmp_path)
