"""Trials read from anybody's files: what is right is read, what is not is named."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pandas as pd
import pytest
import torch
from torch.utils.data import DataLoader

from cogkit.core.errors import InputError
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import Design
from cogkit.equivalence.problems.torch_data import TrialDataset
from cogkit.extras.datasets.equivalence import datasets

TEXT = ["sample", "comparison_1", "comparison_2", "comparison_3", "response"]


GOOD = [
    ["A1", "B1", "C2", "C3", "O_1"],
    ["A1", "A2", "A1", "G4", "O_2"],
    ["C4", "Z_11", "Z_31", "F4", "O_3"],
    ["B2", "C1", "D1", "A2", "O_3"],
]


def written(path, rows, columns=TEXT, **more):
    """Return the path of a file of rows, as CSV or Parquet by its name."""
    table = pd.DataFrame(rows, columns=columns).assign(**more)
    if path.suffix.lower() == ".csv":
        table.to_csv(path, index=False)
    else:
        table.to_parquet(path)
    return path


def spoilt(row, column, value):
    rows = [list(values) for values in GOOD]
    rows[row][column] = value
    return rows


def test_a_users_own_trials_are_read(tmp_path):
    """Also as spreadsheets save them: a byte-order mark first, lines that end in CR LF."""
    paths = [written(tmp_path / name, GOOD, note=[1.5, None, 2, 3]) for name in ("a.csv", "a.parquet", "A.CSV")]
    text = "\r\n".join(",".join(row) for row in [TEXT, *GOOD]) + "\r\n"
    paths.append(tmp_path / "spreadsheet.csv")
    paths[-1].write_bytes(b"\xef\xbb\xbf" + text.encode())
    for path in paths:
        trials = datasets.read(path)
        frame = trials.frame()
        assert frame[TEXT].to_numpy().tolist() == GOOD and frame["pair"].tolist() == ["AB", "AA", "CF", "BA"], path
        assert frame["type"].tolist() == ["baseline", "reflexivity", "transitivity", "symmetry"]
        assert (trials.tokens.dtype, trials.pair.dtype) == (np.uint8, np.int16) and trials.design == Design()


def test_what_frame_returns_is_read_back(tmp_path):
    designs = [
        Design("OTM", "reject-only", members=5),
        Design(("AB", "CB", "CD"), "select-only", "standard", 4, 5),
        Design("MTO", "reject-only", "standard", 20, 8),  # 303 tokens
    ]
    for design in designs:
        trials = records.training(design)
        trials.frame().to_csv(tmp_path / "mine.csv", index=False)
        trials.frame().to_parquet(tmp_path / "mine.parquet")
        for path in tmp_path.iterdir():
            copy = datasets.read(path, design)
            assert (copy.tokens == trials.tokens).all() and copy.tokens.dtype == trials.tokens.dtype
            assert (copy.pair == trials.pair).all() and copy.pair.dtype == trials.pair.dtype
            assert (copy.types == "baseline").all() and copy.design == design


STIMULUS, DUMMY = "a stimulus (A1 to G4)", "a dummy (Z_11 to Z_31)"
ANOTHER = ": give the design that the file is of, if it is another"
CLASS = "wanted exactly one comparison of the sample's class, got"


LETTERS = "wanted the letters of the sample and the right comparison, got"
PLACE = "wanted the place of the right comparison"
TYPES = ["baseline", "reflexivity", "symmetry", "symmetry"]
REPEATED = [["A1", "B1", "B1", "C2", "O_1"]] * 3
FAULTS = [
    (spoilt(2, 0, "H4"), {}, f"wanted {STIMULUS}, got H4 in FILE, row 3, sample{ANOTHER}"),
    (spoilt(2, 0, ""), {}, f"wanted {STIMULUS}, got nothing in FILE, row 3, sample{ANOTHER}"),
    (spoilt(0, 2, "C5"), {}, f"wanted {STIMULUS} or {DUMMY}, got C5 in FILE, row 1, comparison_2{ANOTHER}"),
    (spoilt(3, 3, "O_1"), {}, f"wanted {STIMULUS} or {DUMMY}, got O_1 in FILE, row 4, comparison_3{ANOTHER}"),
    (spoilt(1, 4, "O_4"), {}, f"wanted O_1, O_2 or O_3, got O_4 in FILE, row 2, response{ANOTHER}"),
    (spoilt(0, 3, "C2"), {}, "wanted three different comparisons, got B1, C2, C2 in FILE, row 1, comparisons"),
    (spoilt(2, 3, "F1"), {}, f"{CLASS} 0 (C4 above Z_11, Z_31, F1) in FILE, row 3, comparisons"),
    (spoilt(2, 1, "C4"), {}, f"{CLASS} 2 (C4 above C4, Z_31, F4) in FILE, row 3, comparisons"),
    (spoilt(3, 4, "O_1"), {}, f"{PLACE}, got O_1 for C1, D1, A2 in FILE, row 4, response"),
    (REPEATED + GOOD, {}, "different comparisons, got B1, B1, C2 in FILE, row 1, comparisons (and 2 more)"),
    (GOOD, {"pair": ["AB", "AA", "CD", "BA"]}, f"{LETTERS} CD in FILE, row 3, pair"),
    (GOOD, {"pair": ["AB", "", "CF", "BA"]}, f"{LETTERS} nothing in FILE, row 2, pair"),
    (
        GOOD,
        {"type": TYPES},
        f"wanted the type that the pair has in LS, got symmetry for CF in FILE, row 3, type{ANOTHER}",
    ),
]


@pytest.mark.parametrize("name", ["mine.csv", "mine.parquet"])
def test_a_fault_is_told_with_file_row_and_field(tmp_path, name):
    for rows, more, sentence in FAULTS:
        path = written(tmp_path / name, rows, **more)
        with pytest.raises(InputError) as refused:
            datasets.read(path)
        assert str(refused.value).endswith(sentence.replace("FILE", name))


def test_where_a_dummy_stands_for_the_right_comparison_the_pair_must_be_told(tmp_path):
    rows = [["A1", "Z_11", "C2", "C3", "O_1"], ["A1", "C2", "Z_12", "C3", "O_2"]]
    design = Design("OTM", "reject-only")
    path = written(tmp_path / "mine.csv", rows, pair=["AB", "AG"])
    assert datasets.read(path, design).frame()["pair"].tolist() == ["AB", "AG"]
    letters = "letters of the sample and the right comparison, got"
    for bad, other, sentence in [
        ({"pair": ["AB", "AG"]}, Design("OTM"), f"{CLASS} 0 (A1 above Z_11, C2, C3) in mine.csv, row 1, comparisons"),
        ({"pair": ["AB", "CG"]}, design, f"{letters} CG in mine.csv, row 2, pair"),
        ({"pair": ["AB", "AH"]}, design, f"{letters} AH in mine.csv, row 2, pair"),
        ({}, design, "since a dummy stands for the right comparison, got none in mine.csv, row 1"),
    ]:
        with pytest.raises(InputError, match=re.escape(sentence)):
            datasets.read(written(path, rows, **bad), other)
    two = [["A1", "Z_11", "Z_12", "C3", "O_1"]]
    with pytest.raises(InputError, match="or one dummy in its place, got 0 "):
        datasets.read(written(path, two, pair=["AB"]), design)


def columns(change):
    def rewrite(path):
        table = change(pd.DataFrame(GOOD, columns=TEXT))
        table.to_csv(path, index=False) if path.suffix == ".csv" else table.to_parquet(path)

    return rewrite


def pickled(path):
    path.write_bytes(pickle.dumps(pd.DataFrame(GOOD, columns=TEXT)))


def cut(keep):
    return lambda path: path.write_bytes(written(path, GOOD * 50).read_bytes()[:keep])


def two_of_one_name(path):
    import pyarrow
    from pyarrow import parquet

    columns = [pyarrow.array(["A1"])] * 6
    parquet.write_table(pyarrow.Table.from_arrays(columns, names=[*TEXT, "sample"]), path)


HEADER = ",".join(TEXT) + "\n"
NONE = [
    ("mine.csv", lambda path: None, "No such file"),
    ("mine.pkl", pickled, "ends in .csv or .parquet, got mine.pkl"),
    ("mine.parquet", pickled, "a whole .parquet file, got .*mine.parquet"),
    ("mine.csv", lambda path: path.write_text(HEADER), "without a row"),
    ("mine.csv", lambda path: path.write_text(f"{HEADER}A1,B1,C2,C3,O_1,x\n"), "a whole .csv file"),
    ("mine.csv", columns(lambda t: t.drop(columns="response")), "mine.csv .without a column response"),
    ("mine.parquet", columns(lambda t: t.drop(columns="sample")), "mine.parquet .without a column sample"),
    ("mine.parquet", columns(lambda t: t.assign(sample=1)), "mine.parquet .sample holds int64, not text"),
    ("mine.parquet", columns(lambda t: t.iloc[:0]), "mine.parquet"),
    ("mine.parquet", two_of_one_name, "mine.parquet .two columns sample"),
    ("mine.parquet", cut(-9), "a whole .parquet file"),
    ("mine.csv", cut(-7), "wanted a stimulus .* got nothing in mine.csv, row 200, comparison_3"),
    ("mine.csv", cut(-2), "wanted O_1, O_2 or O_3, got O_ in mine.csv, row 200, response"),
]


def test_a_file_that_is_none_is_refused_in_a_sentence(tmp_path):
    for k, (name, spoil, sentence) in enumerate(NONE):
        path = tmp_path / str(k) / name
        path.parent.mkdir()
        spoil(path)
        with pytest.raises(InputError, match=sentence):
            datasets.read(path)


def test_the_dataset_gives_what_is_shown_and_the_next_token_at_each_place():
    trials = records.training(Design("MTO", "select-only", members=4))
    parts = list(DataLoader(TrialDataset(trials), batch_size=100, shuffle=True))
    inputs, targets = (torch.cat(part) for part in zip(*parts, strict=True))
    assert inputs.dtype == targets.dtype == torch.int64 and (inputs[:, 1:] == targets[:, :-1]).all()
    tokens = torch.cat([inputs, targets[:, -1:]], dim=1).tolist()
    assert tokens != trials.tokens.tolist() and sorted(tokens) == sorted(trials.tokens.tolist())
