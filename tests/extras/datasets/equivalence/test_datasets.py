"""`cogkit make mts`: what it writes and leaves alone; and its audit: every fault is a finding, and none a traceback."""

from __future__ import annotations

import itertools
import re
import shutil

import numpy as np
import pandas as pd
from carded import contents
from cases import case

from cogkit.app import cli
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import NEGATIVES, RELATIONS, STRUCTURES, Design
from cogkit.extras.datasets.equivalence import datasets


def faults(folder):
    return [(finding.path.rsplit("/")[-1], finding.field, finding.problem) for finding in datasets.audit(folder)]


def frame(path) -> pd.DataFrame:
    return pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)


def test_the_whole_set_is_made_and_clean(whole, capsys):
    lengths = {path.name: len(frame(path)) for path in whole.iterdir() if path.suffix not in (".json", ".md")}
    expected = {"pair_types.csv": 49, "tests.parquet": 246_960, "tests_standard.csv": 3_528}
    for name in map("_".join, itertools.product(["training"], STRUCTURES, RELATIONS)):
        expected |= {f"{name}.parquet": 30_240, f"{name}_standard.csv": 432}
    assert lengths == expected
    assert datasets.audit(whole) == [] and datasets.looks_like(whole)
    assert cli.main(["audit", str(whole)]) == 0 and capsys.readouterr().out.endswith("every check passed\n")


def test_files_hold_the_trials_of_their_design(whole):
    for structure, relation, negatives in itertools.product(STRUCTURES, RELATIONS, NEGATIVES):
        part = "{}.parquet" if negatives == "biased" else "{}_standard.csv"
        design = Design(structure, relation, negatives)
        path = whole / part.format(f"training_{structure}_{relation}")
        trials, copy = records.training(design), datasets.read(path)
        assert copy.design == design and (copy.tokens == trials.tokens).all() and (copy.pair == trials.pair).all()
        if negatives == "standard":
            names = trials.frame().drop(columns="type")
            assert (frame(path).astype(str).to_numpy() == names.to_numpy()).all()
    for part, negatives in (("tests.parquet", "biased"), ("tests_standard.csv", "standard")):
        trials = records.tests(Design("OTM", negatives=negatives))
        copy = datasets.read(whole / part, trials.design)
        assert (copy.tokens == trials.tokens).all() and (copy.types == trials.types).all()


def test_pair_types_are_the_published_table_and_finer(whole, reference):
    published = pd.read_csv(reference / "stimulus_equivalence" / "pair_types.csv")
    table = pd.read_csv(whole / "pair_types.csv")
    assert list(table)[:5] == list(published) == ["sample", "comparison", "LS", "OTM", "MTO"]
    assert table[list(published)].equals(published)
    for structure in STRUCTURES:
        pairs = Design(structure).pairs()
        assert table[f"{structure}_relation"].tolist() == pairs.relation.tolist()
        assert table[f"{structure}_nodes"].tolist() == pairs.nodes.tolist()


def test_n_keeps_as_many_of_each_pair_and_class(few):
    for path in few.glob("t*"):
        trials = datasets.read(path)
        cells, counts = np.unique(np.stack([trials.pair, trials.classes]), axis=1, return_counts=True)
        assert cells.shape[1] == (49 if path.name.startswith("tests") else 6) * 4 and (counts == 2).all()
        assert len(np.unique(trials.tokens, axis=0)) == len(trials)


def test_the_command_makes_the_set_of_its_seed(few, tmp_path, capsys):
    assert cli.main(["make", "mts", "--out", str(tmp_path / "other"), "--n", "2", "--seed", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 24 and lines[-1].endswith("manifest.json")
    files = contents(tmp_path / "other")
    assert [name for name, content in contents(few).items() if content == files[name]] == ["pair_types.csv"]


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


CUT = "file", "a whole .(parquet|csv) file"
TESTS, STANDARD, TYPES = "tests.parquet", "tests_standard.csv", "pair_types.csv"
FIRST, OTHER, REJECT, STRANGER = (
    f"training_{name}.parquet" for name in "LS_select-reject OTM_select-only OTM_reject-only MTO_select-reject".split()
)
FAULTS = [
    (TESTS, lambda p: p.write_bytes(p.read_bytes()[:300]), *CUT),
    (TESTS, put(4, "sample", "A9"), "row 5, sample", "wanted a stimulus .* got A9"),
    (TESTS, rewrite(lambda t: t.assign(response="O_1")), r"row \d+, response \(and \d+ more\)", "the place"),
    (TESTS, rewrite(lambda t: t.drop(columns="response")), "file", "a column response"),
    (TESTS, rewrite(repeat), r"row 8 \(and 1 more\)", "repeats an earlier row"),
    (STANDARD, rewrite(another_letter), "row 1", "no trial of this set .LS/select-reject/standard"),
    (OTHER, put(0, "pair", "AC"), "row 1, pair", "letters .* got AC"),
    (REJECT, put(0, "pair", "AG"), "row 1", "no trial of this set"),
    (FIRST, lambda p: shutil.copy(p.with_name(STRANGER), p), r"row 1 \(and 47 more\)", "set .LS/select-reject."),
    (FIRST, lambda p: p.unlink(), "file", "is missing"),
    (TYPES, put(3, "OTM", "symmetry"), "row 4, OTM", "is 'symmetry', not 'baseline'"),
    (TYPES, put(3, "LS_nodes", "9"), "row 4, LS_nodes", "is '9', not '2'"),
    (TYPES, put(3, "comparison", "C"), "row 4", "AC is no pair, or stands above already"),
    (TYPES, put(3, "comparison", "C"), "rows", "lack the pair AD"),
    (TYPES, rewrite(lambda t: t.drop(columns="MTO")), "file", "a column MTO"),
    (TYPES, lambda p: p.write_bytes(b""), *CUT),
    ("manifest.json", lambda p: p.write_text("{"), "sha256", "no manifest"),
    ("manifest.json", lambda p: p.write_text('{"sha256": {"../a": "0"}}'), "sha256", "no dataset has"),
]


def test_audit_names_the_file_the_field_and_the_fault(few, tmp_path):
    for k, (file, spoil, field, problem) in enumerate(FAULTS):
        folder = shutil.copytree(few, tmp_path / str(k))
        spoil(folder / file)
        findings = faults(folder)
        entries = [fault[1:] for fault in findings if fault[0] == file]
        with case((file, findings)):
            assert any(re.fullmatch(field, name) and re.search(problem, message) for name, message in entries)
        if file != "manifest.json":
            assert {name for name, found_field, _ in findings if found_field in ("sha256", "file")} == {file}
