"""`cogkit make mts`, the audit of its files, and trials read from anybody's."""

from __future__ import annotations

import csv
import pickle
import re
import shutil
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import torch
from torch.utils.data import DataLoader

from cogkit import cli
from cogkit.contracts import InputError
from cogkit.equivalence import agents, datasets, models, problems, scoring
from cogkit.equivalence.problems import RELATIONS, STRUCTURES, Design
from cogkit.equivalence.torch_data import TrialDataset

TEXT = ["sample", "comparison_1", "comparison_2", "comparison_3", "response"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    datasets.make(folder)
    return folder


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    folder = tmp_path_factory.mktemp("few")
    datasets.make(folder, n=2, seed=3)
    return folder


@pytest.fixture
def dataset(few, tmp_path):
    return shutil.copytree(few, tmp_path / "dataset")


def faults(folder):
    return [(finding.path.rsplit("/")[-1], finding.field, finding.problem) for finding in datasets.audit(folder)]


def contents(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def frame(path) -> pd.DataFrame:
    return pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)


def test_the_whole_set_is_made_and_clean(whole, capsys):
    lengths = {path.name: len(frame(path)) for path in whole.iterdir() if path.suffix != ".json"}
    wanted = {"pair_types.csv": 49, "tests.parquet": 246_960, "tests_standard.csv": 3_528}
    for structure in STRUCTURES:
        for relation in RELATIONS:
            wanted[f"training_{structure}_{relation}.parquet"] = 30_240
            wanted[f"training_{structure}_{relation}_standard.csv"] = 432
    assert lengths == wanted
    assert datasets.audit(whole) == [] and datasets.looks_like(whole)
    assert cli.main(["audit", str(whole)]) == 0 and capsys.readouterr().out == ""


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("structure", STRUCTURES)
def test_files_hold_the_trials_of_their_design(whole, structure, relation):
    for part, negatives in (("{}.parquet", "biased"), ("{}_standard.csv", "standard")):
        design = Design(structure, relation, negatives)
        path = whole / part.format(f"training_{structure}_{relation}")
        trials, found = problems.training(design), datasets.read(path)
        assert found.design == design and (found.tokens == trials.tokens).all() and (found.pair == trials.pair).all()
        names = trials.frame().drop(columns="type")
        assert (frame(path).astype(str).to_numpy() == names.to_numpy()).all()
        tests = datasets.read(whole / part.format("tests"), design)
        assert (tests.tokens == problems.tests(design).tokens).all() and (
            tests.types == problems.tests(design).types
        ).all()


def test_pair_types_are_the_published_table_and_finer(whole, reference):
    with (reference / "stimulus_equivalence" / "pair_types.csv").open() as file:
        published = list(csv.DictReader(file))
    with (whole / "pair_types.csv").open() as file:
        ours = list(csv.DictReader(file))
    columns = list(published[0])
    assert list(ours[0])[: len(columns)] == columns == ["sample", "comparison", "LS", "OTM", "MTO"]
    assert [{name: row[name] for name in columns} for row in ours] == published
    for row in ours:
        ahead = ord(row["comparison"]) - ord(row["sample"])
        if row["LS"] == "transitivity":
            assert row["LS_relation"] == ("transitivity" if ahead > 0 else "equivalence")
        else:
            assert row["LS_relation"] == row["LS"]
        assert int(row["LS_nodes"]) == max(abs(ahead) - 1, 0)
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
    other = contents(tmp_path / "other")
    assert [name for name, content in contents(few).items() if content == other[name]] == ["pair_types.csv"]


def test_the_command_makes_the_whole_set_unless_told_otherwise(whole, few, tmp_path, capsys):
    assert cli.main(["make", "mts", "--out", str(tmp_path / "a")]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 22 and said[-1].endswith("manifest.json") and contents(tmp_path / "a") == contents(whole)
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


def test_a_killed_run_is_taken_up_where_it_was(tmp_path, few):
    """SIGKILL the real command once five files are there; what is whole stays, the rest is made."""
    folder = tmp_path / "died"
    command = [sys.executable, "-m", "cogkit.cli", "make", "mts", "--out", str(folder), "--n", "2", "--seed", "3"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while process.poll() is None and len(list(folder.glob("[!.]*"))) < 5:
        pass
    process.kill()
    assert process.wait() in (0, -signal.SIGKILL)
    written = {path: path.stat().st_mtime_ns for path in folder.glob("[!.]*") if path.name != "manifest.json"}
    assert len(written) >= 5
    datasets.make(folder, n=2, seed=3)
    assert all(path.stat().st_mtime_ns == at for path, at in written.items())
    assert {name: content for name, content in contents(folder).items() if name[0] != "."} == contents(few)


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
    trials = problems.training(design)
    path = tmp_path / f"mine{suffix}"
    trials.frame().to_csv(path, index=False) if suffix == ".csv" else trials.frame().to_parquet(path)
    found = datasets.read(path, design)
    assert (found.tokens == trials.tokens).all() and found.tokens.dtype == trials.tokens.dtype
    assert (found.pair == trials.pair).all() and found.pair.dtype == trials.pair.dtype
    assert (found.types == "baseline").all() and found.design == design


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
    problems.tests(design).frame().to_csv(path, index=False)
    assert len(datasets.read(path, design)) == len(problems.tests(design))
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
        ("mine.csv", lambda path: None, "no file at"),
        ("mine.pkl", pickled, "ends in .csv or .parquet, got mine.pkl"),
        ("mine.csv", pickled, "mine.csv"),
        ("mine.parquet", pickled, "a whole .parquet file, got mine.parquet, which cannot be read"),
        ("mine.csv", header(""), "a whole .csv file, got mine.csv, which cannot be read"),
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
    network = models.build(agents.config("gpt", design, "quick"))
    adam = torch.optim.AdamW(network.parameters(), lr=1e-3)
    losses = []
    for _ in range(60):
        for inputs, targets in DataLoader(TrialDataset(trials), batch_size=2, shuffle=True):
            loss = network.loss(torch.cat([inputs[:, :1], targets], dim=1))
            adam.zero_grad()
            loss.backward()
            adam.step()
            losses.append(loss.item())
    learnt = scoring.judge(models.Agent(network, agents.config("gpt", design, "quick")), trials)
    assert learnt.right.min() > 0.9 > 0.5 > np.mean(losses[-10:])


def test_the_dataset_gives_what_is_shown_and_the_next_token_at_each_place():
    trials = problems.training(Design("MTO", "select-only"))
    loader = DataLoader(TrialDataset(trials), batch_size=4096, shuffle=True, generator=torch.Generator().manual_seed(1))
    seen = []
    for inputs, targets in loader:
        assert inputs.dtype == targets.dtype == torch.int64 and inputs.shape == targets.shape == (len(inputs), 4)
        assert (inputs[:, 1:] == targets[:, :-1]).all()
        seen.append(torch.cat([inputs, targets[:, -1:]], dim=1).numpy())
    seen = np.concatenate(seen)
    assert not (seen == trials.tokens).all()
    order = [np.lexsort(rows.T) for rows in (seen, trials.tokens)]
    assert (seen[order[0]] == trials.tokens[order[1]]).all()


def test_files_load_no_torch():
    code = "import sys, cogkit.equivalence.datasets; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "False"


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
    found = faults(dataset)
    told = [fault[1:] for fault in found if fault[0] == file]
    assert any(re.fullmatch(field, said[0]) and re.search(problem, said[1]) for said in told), found
    if file != "manifest.json":
        assert {name for name, found_field, _ in found if found_field in ("sha256", "file")} == {file}


@pytest.mark.parametrize("seed", range(24))
def test_a_randomly_damaged_file_gives_findings_and_no_traceback(dataset, seed):
    rng = np.random.default_rng(seed)
    path = dataset / str(rng.choice(["tests.parquet", "training_MTO_reject-only.parquet", "tests_standard.csv"]))
    content = bytearray(path.read_bytes())
    for at in rng.integers(0, len(content), rng.integers(1, 30)):
        content[at] = (content[at] + rng.integers(1, 256)) % 256
    path.write_bytes(content)
    assert any(finding.path == str(path) for finding in datasets.audit(dataset))


def test_a_folder_of_something_else_does_not_look_like_trials(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"")
    assert not datasets.looks_like(tmp_path)
