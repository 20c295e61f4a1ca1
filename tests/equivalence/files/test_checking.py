"""Trials read from anybody's files: what is right is read, what is not is named."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import torch
from torch.utils.data import DataLoader

from cogkit.core.contracts import InputError
from cogkit.equivalence import scoring
from cogkit.equivalence.files import datasets
from cogkit.equivalence.learners import agents, models
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import Design
from cogkit.equivalence.problems.torch_data import TrialDataset

TEXT = ["sample", "comparison_1", "comparison_2", "comparison_3", "response"]


# What is read: each fault of a foreign file is named with file, row and field.

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


@pytest.mark.parametrize("name", ["mine.csv", "mine.parquet", "MINE.CSV"])
def test_a_users_own_trials_are_read(tmp_path, name):
    trials = datasets.read(written(tmp_path / name, GOOD, note=[1.5, None, 2, 3]))
    assert trials.frame()[TEXT].to_numpy().tolist() == GOOD
    assert trials.frame()["pair"].tolist() == ["AB", "AA", "CF", "BA"]
    assert trials.frame()["type"].tolist() == ["baseline", "reflexivity", "transitivity", "symmetry"]
    assert (trials.tokens.dtype, trials.pair.dtype) == (np.uint8, np.int16) and trials.design == Design()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize(
    "design",
    [
        Design(),
        Design("OTM", "reject-only"),
        Design(("AB", "CB", "CD"), "select-only", "standard", 4, 5),
        Design("MTO", "reject-only", "standard", 20, 8),  # 303 tokens
    ],
)
def test_what_frame_returns_is_read_back(tmp_path, design, suffix):
    trials = records.training(design)
    path = tmp_path / f"mine{suffix}"
    trials.frame().to_csv(path, index=False) if suffix == ".csv" else trials.frame().to_parquet(path)
    copy = datasets.read(path, design)
    assert (copy.tokens == trials.tokens).all() and copy.tokens.dtype == trials.tokens.dtype
    assert (copy.pair == trials.pair).all() and copy.pair.dtype == trials.pair.dtype
    assert (copy.types == "baseline").all() and copy.design == design


STIMULUS, DUMMY = "a stimulus (A1 to G4)", "a dummy (Z_11 to Z_31)"
ANOTHER = ": give the design that the file is of, if it is another"
CLASS = "wanted exactly one comparison of the sample's class, got"


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (spoilt(2, 0, "H4"), f"wanted {STIMULUS}, got H4 in FILE, row 3, sample{ANOTHER}"),
        (spoilt(2, 0, "Z_12"), f"wanted {STIMULUS}, got Z_12 in FILE, row 3, sample{ANOTHER}"),
        (spoilt(2, 0, ""), f"wanted {STIMULUS}, got nothing in FILE, row 3, sample{ANOTHER}"),
        (spoilt(0, 2, "C5"), f"wanted {STIMULUS} or {DUMMY}, got C5 in FILE, row 1, comparison_2{ANOTHER}"),
        (spoilt(3, 3, "O_1"), f"wanted {STIMULUS} or {DUMMY}, got O_1 in FILE, row 4, comparison_3{ANOTHER}"),
        (spoilt(1, 4, "O_4"), f"wanted O_1, O_2 or O_3, got O_4 in FILE, row 2, response{ANOTHER}"),
        (spoilt(1, 4, "A1"), f"wanted O_1, O_2 or O_3, got A1 in FILE, row 2, response{ANOTHER}"),
        (spoilt(0, 3, "C2"), "wanted three different comparisons, got B1, C2, C2 in FILE, row 1, comparisons"),
        (spoilt(0, 2, "B1"), "wanted three different comparisons, got B1, B1, C3 in FILE, row 1, comparisons"),
        (spoilt(2, 3, "F1"), f"{CLASS} 0 (C4 above Z_11, Z_31, F1) in FILE, row 3, comparisons"),
        (spoilt(2, 1, "C4"), f"{CLASS} 2 (C4 above C4, Z_31, F4) in FILE, row 3, comparisons"),
        (
            spoilt(3, 4, "O_1"),
            "wanted the place of the right comparison, got O_1 for C1, D1, A2 in FILE, row 4, response",
        ),
        (
            [["A1", "B1", "B1", "C2", "O_1"]] * 3 + GOOD,
            "wanted three different comparisons, got B1, B1, C2 in FILE, row 1, comparisons (and 2 more)",
        ),
    ],
)
def test_a_fault_is_told_with_file_row_and_field(tmp_path, suffix, rows, sentence):
    path = written(tmp_path / f"mine{suffix}", rows)
    with pytest.raises(InputError) as refused:
        datasets.read(path)
    assert str(refused.value) == sentence.replace("FILE", path.name)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            {"pair": ["AB", "AA", "CD", "BA"]},
            "wanted the letters of the sample and the right comparison, got CD in mine.csv, row 3, pair",
        ),
        (
            {"pair": ["AB", "", "CF", "BA"]},
            "wanted the letters of the sample and the right comparison, got nothing in mine.csv, row 2, pair",
        ),
        (
            {"type": ["baseline", "reflexivity", "symmetry", "symmetry"]},
            f"wanted the type that the pair has in LS, got symmetry for CF in mine.csv, row 3, type{ANOTHER}",
        ),
    ],
)
def test_a_pair_or_type_that_is_told_must_be_right(tmp_path, more, sentence):
    path = written(tmp_path / "mine.csv", GOOD, **more)
    with pytest.raises(InputError) as refused:
        datasets.read(path)
    assert str(refused.value) == sentence


def test_where_a_dummy_stands_for_the_right_comparison_the_pair_must_be_told(tmp_path):
    rows = [["A1", "Z_11", "C2", "C3", "O_1"], ["A1", "C2", "Z_12", "C3", "O_2"]]
    design = Design("OTM", "reject-only")
    path = written(tmp_path / "mine.csv", rows, pair=["AB", "AG"])
    assert datasets.read(path, design).frame()["pair"].tolist() == ["AB", "AG"]
    for bad, other, sentence in [
        ({"pair": ["AB", "AG"]}, Design("OTM"), f"{CLASS} 0 (A1 above Z_11, C2, C3) in mine.csv, row 1, comparisons"),
        ({"pair": ["AB", "CG"]}, design, "got CG in mine.csv, row 2, pair"),
        (
            {},
            design,
            "wanted a column pair, since a dummy stands for the right comparison, got none in mine.csv, row 1",
        ),
        ({"pair": ["AB", "AH"]}, design, "got AH in mine.csv, row 2, pair"),
    ]:
        with pytest.raises(InputError, match=re.escape(sentence)):
            datasets.read(written(path, rows, **bad), other)
    two = [["A1", "Z_11", "Z_12", "C3", "O_1"]]
    with pytest.raises(InputError, match="or one dummy in its place, got 0 "):
        datasets.read(written(path, two, pair=["AB"]), design)


def test_a_file_of_another_size_is_read_by_its_design_alone(tmp_path):
    design = Design("OTM", members=3, classes=5)
    path = tmp_path / "mine.csv"
    records.tests(design).frame().to_csv(path, index=False)
    assert len(datasets.read(path, design)) == len(records.tests(design))
    with pytest.raises(InputError, match=r"got A5 in mine.csv, row \d+, sample .* give the design"):
        datasets.read(path)


def header(text):
    return lambda path: path.write_text(text)


def columns(change):
    def rewrite(path):
        table = change(pd.DataFrame(GOOD, columns=TEXT))
        table.to_csv(path, index=False) if path.suffix == ".csv" else table.to_parquet(path)

    return rewrite


def pickled(path):
    path.write_bytes(pickle.dumps(pd.DataFrame(GOOD, columns=TEXT)))


def cut(keep):
    def rewrite(path):
        written(path, GOOD * 50)
        path.write_bytes(path.read_bytes()[:keep])

    return rewrite


def two_of_one_name(path):
    import pyarrow
    from pyarrow import parquet

    columns = [pyarrow.array(["A1"])] * 6
    parquet.write_table(pyarrow.Table.from_arrays(columns, names=[*TEXT, "sample"]), path)


@pytest.mark.parametrize(
    ("name", "spoil", "sentence"),
    [
        ("mine.csv", lambda path: None, "No such file"),
        ("mine.pkl", pickled, "ends in .csv or .parquet, got mine.pkl"),
        ("mine.csv", pickled, "mine.csv"),
        ("mine.parquet", pickled, "a whole .parquet file, got .*mine.parquet"),
        ("mine.csv", header(""), "a whole .csv file, got .*mine.csv"),
        ("mine.csv", header(",".join(TEXT) + "\n"), "mine.csv without a row"),
        ("mine.csv", header(",".join(TEXT) + "\nA1,B1,C2,C3,O_1,x\n"), "a whole .csv file"),
        ("mine.csv", lambda path: path.write_bytes(b"\xff\xfe\x00s"), "a whole .csv file"),
        (
            "mine.csv",
            columns(lambda t: t.drop(columns="response")),
            "a column response, got sample, comp.* in mine.csv",
        ),
        ("mine.parquet", columns(lambda t: t.drop(columns="sample")), "a column sample, got comp.* in mine.parquet"),
        ("mine.parquet", columns(lambda t: t.assign(sample=1)), "text, got int64 in mine.parquet, sample"),
        ("mine.parquet", columns(lambda t: t.assign(sample=[["A1"]] * 4)), "text, got list.* in mine.parquet, sample"),
        ("mine.parquet", columns(lambda t: t.iloc[:0]), "mine.parquet"),
        ("mine.parquet", two_of_one_name, "one column sample, got two of them in mine.parquet"),
        ("mine.parquet", cut(-9), "a whole .parquet file"),
        ("mine.parquet", cut(100), "a whole .parquet file"),
        ("mine.parquet", cut(0), "a whole .parquet file"),
        ("mine.csv", cut(-7), "wanted a stimulus .* got nothing in mine.csv, row 200, comparison_3"),
        ("mine.csv", cut(-2), "wanted O_1, O_2 or O_3, got O_ in mine.csv, row 200, response"),
    ],
)
def test_a_file_that_is_none_is_told_in_a_sentence(tmp_path, name, spoil, sentence):
    path = tmp_path / name
    spoil(path)
    with pytest.raises(InputError, match=sentence):
        datasets.read(path)


def test_a_file_as_spreadsheets_save_it_is_read(tmp_path):
    """A byte-order mark first, lines that end in CR LF."""
    path = tmp_path / "mine.csv"
    text = "\r\n".join(",".join(row) for row in [TEXT, *GOOD]) + "\r\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert len(datasets.read(path)) == len(GOOD)


class Left:
    """Takes the first comparison."""

    def choose(self, question):
        return np.tile([1.0, 0, 0], (len(question), 1))


def test_trials_that_are_read_are_judged_and_trained_on(tmp_path):
    design = Design(("AB", "CB"), members=3)
    rows = [["A1", "B1", "C2", "C3", "O_1"], ["A1", "A2", "A1", "C4", "O_2"], ["B1", "C1", "C2", "A2", "O_1"]]
    trials = datasets.read(written(tmp_path / "mine.csv", rows), design)
    answers = scoring.judge(Left(), trials)
    assert answers.cells("argmax")[["sample", "comparison", "n", "right"]].values.tolist() == [
        ["A", "A", 1, 0],
        ["A", "B", 1, 1],
        ["B", "C", 1, 1],
    ]
    torch.manual_seed(0)
    network = models.build(agents.config("gpt", "quick", design=design))
    adam = torch.optim.AdamW(network.parameters(), lr=1e-3)
    losses = []
    for _ in range(60):
        for inputs, targets in DataLoader(TrialDataset(trials), batch_size=2, shuffle=True):
            loss = network.loss(torch.cat([inputs[:, :1], targets], dim=1))
            adam.zero_grad()
            loss.backward()
            adam.step()
            losses.append(loss.item())
    result = scoring.judge(models.Agent(network, agents.config("gpt", "quick", design=design)), trials)
    assert result.right.min() > 0.9 > 0.5 > np.mean(losses[-10:])


def test_the_dataset_gives_what_is_shown_and_the_next_token_at_each_place():
    trials = records.training(Design("MTO", "select-only"))
    loader = DataLoader(TrialDataset(trials), batch_size=4096, shuffle=True, generator=torch.Generator().manual_seed(1))
    tokens = []
    for inputs, targets in loader:
        assert inputs.dtype == targets.dtype == torch.int64 and inputs.shape == targets.shape == (len(inputs), 4)
        assert (inputs[:, 1:] == targets[:, :-1]).all()
        tokens.append(torch.cat([inputs, targets[:, -1:]], dim=1).numpy())
    tokens = np.concatenate(tokens)
    assert not (tokens == trials.tokens).all()
    order = [np.lexsort(rows.T) for rows in (tokens, trials.tokens)]
    assert (tokens[order[0]] == trials.tokens[order[1]]).all()


def test_files_load_no_torch():
    code = "import sys, cogkit.equivalence.files.datasets; print('torch' in sys.modules)"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert process.stdout.strip() == "False"
