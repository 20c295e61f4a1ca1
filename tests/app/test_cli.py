"""The command line: fast help, one sentence for bad input, exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cogkit.app import cli, doctor
from cogkit.core import identity
from cogkit.data import results
from cogkit.equivalence.learners import training
from cogkit.tiles.learners import agents as tile_agents

SIXTH = Path(__file__).parents[1] / "sixth"
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SIXTH), os.environ.get("PYTHONPATH", "")])}


def test_the_command_line_alone_loads_nothing_heavy():
    code = "import sys, cogkit.app.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"numpy", "pandas", "torch", "plotly", "papermill", "jupyterlab", "joblib"} & set(loaded)


@pytest.mark.parametrize("command", [["run"], ["sweep", "tiles/*"]])
def test_a_wrong_preset_is_one_sentence(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main([*command, "--preset", "papre"]) == 2
    output = capsys.readouterr()
    assert output.err == ("cogkit: wanted a preset (quick, lab or paper), got 'papre': did you mean 'paper'?\n")
    assert output.out == "" and list(tmp_path.iterdir()) == []


def test_the_installed_command_exits_with_2_and_no_traceback():
    done = subprocess.run(
        [sys.executable, "-m", "cogkit.app.cli", "run", "--preset", "papre"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["sweep", "tiles/*", "--profile", "verifed"], "did you mean 'verified'"),
        (["sweep"], "a pattern of cells"),
        (["sweep", "counting/*", "countin/*"], "got 'countin/*'"),
        (["ship", "counting/spinner/lefft"], "counting/spinner/left"),
        (["ship", "counting/spinner/left", "--preset", "papre"], "did you mean 'paper'"),
        (["run", "99_nothing"], "a notebook"),
        (["make", "countin", "--out", "x"], "did you mean 'counting'"),
        (
            ["make", "counting", "--out", "x", "--only", "ff"],
            "cogkit make counting: unknown: --only ff; see cogkit make counting --help",
        ),
        (["make", "bongard", "--out", "x", "--profile", "verifed"], "did you mean 'verified'"),
        (["audit", "no-such-folder"], "a folder with a dataset"),
        (["audit", "."], "a dataset (bongard, counting"),
    ],
)
def test_bad_input_is_a_sentence_and_writes_nothing(arguments, wanted, sixth, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    try:
        status = cli.main(arguments)
    except SystemExit as ended:  # bad usage
        status = ended.code
    assert status == 2 and wanted in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [[], ["sweep", "x", "--seeds", "0"], ["lab", "--port", "high"], ["bake"]])
def test_bad_usage_exits_with_2_and_names_the_help(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    told = capsys.readouterr().err
    assert ended.value.code == 2 and told.startswith("cogkit") and told.endswith(" --help\n")


def test_any_other_error_is_a_traceback(sixth, monkeypatch, tmp_path):
    (tmp_path / "count.txt").write_bytes(b"\xff\xfe")  # the sample audit does not expect bytes that are no text
    with pytest.raises(UnicodeDecodeError):
        cli.main(["audit", str(tmp_path)])


def test_make_then_audit(sixth, tmp_path, capsys):
    assert cli.main(["make", "counting", "--out", str(tmp_path / "set"), "--n", "3"]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "set" / "count.txt")
    assert (tmp_path / "set" / "count.txt").read_text() == "0 1 2"
    assert cli.main(["audit", str(tmp_path / "set")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'set'}: data of counting, every check passed\n"
    assert cli.main(["make", "counting", "--out", str(tmp_path / "own")]) == 0
    capsys.readouterr()
    assert (tmp_path / "own" / "count.txt").read_text() == "0 1 2 3 4"  # the number of the set's own
    assert cli.main(["make", "counting", "--out", str(tmp_path / "own"), "--problems", "2"]) == 0
    capsys.readouterr()
    assert (tmp_path / "own" / "count.txt").read_text() == "0 1"
    (tmp_path / "set" / "count.txt").write_text("0 2")
    assert cli.main(["audit", str(tmp_path / "set")]) == 1
    assert capsys.readouterr().out == "count.txt: numbers: do not count up from 0\n"


def test_sweep_takes_several_patterns(sixth, tmp_path):
    command = ["sweep", "counting/spinner/left", "counting/spinner/*", "--jobs", "1", "--out", str(tmp_path)]
    assert cli.main(command) == 0
    assert len(list(tmp_path.rglob("*.json"))) == 2


def ship(*arguments: str) -> list[Path]:
    """Return the files that ``cogkit ship`` prints, run as a process that knows the sixth instrument."""
    command = [sys.executable, "-m", "cogkit.app.cli", "ship", *arguments]
    done = subprocess.run(command, env=ENV, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [Path(line) for line in done.stdout.splitlines()]


def test_ship_writes_the_weights_of_a_network_and_rows_that_they_give(tmp_path):
    cell = "equivalence/embedding/LS/select-only"
    weights, result = ship(cell, "--preset", "quick", "--seeds", "3", "--out", str(tmp_path))
    assert weights.name == "embedding-LS-select-only-s3.safetensors" and result.parent == tmp_path / cell
    agent, (manifest, rows) = training.read(weights), results.read(result)
    assert agent.manifest == manifest and (manifest.cell, manifest.preset, manifest.seed) == (cell, "quick", 3)
    fresh = training.assess(agent, "verified", 3) + training.curve(agent)
    assert [row["value"] for row in rows] == pytest.approx([row["value"] for row in fresh], abs=1e-6, nan_ok=True)
    assert {path for path in tmp_path.rglob("*.*")} == {weights, result}


def test_ship_takes_several_cells_and_seeds_and_rows_alone_where_there_are_no_weights(tmp_path):
    files = ship("counting/spinner/*", "--preset", "quick", "--seeds", "1", "4", "--out", str(tmp_path))
    cells = [(results.read(path)[0].cell, results.read(path)[0].seed) for path in files]
    assert cells == [(f"counting/spinner/{name}", seed) for name in ("left", "right") for seed in (1, 4)]


def test_ship_trains_cells_as_one_network(tmp_path):
    cells = [f"tiles/corelnet/{rule}/abstract" for rule in ("cross", "tree")]
    how = ("--preset", "quick", "--seeds", "1", "4", "--together", "--out", str(tmp_path))
    files = ship("tiles/corelnet/[ct]r*/abstract", *how)
    stored = [results.read(path) for path in files]
    assert [(one.cell, one.seed) for one, _ in stored] == [(cell, seed) for cell in cells for seed in (1, 4)]
    for manifest, rows in stored:
        assert manifest.device.endswith(", 4 learners as one network")
        assert manifest.config == identity.plain(tile_agents.config("corelnet", "quick", task=manifest.cell[15:]))
        assert {"blue", "z"} <= {row["metric"] for row in rows}
    assert len({rows[0]["value"] for _, rows in stored}) == 4
    assert {*tmp_path.rglob("*.*")} == {*files}


@pytest.mark.parametrize(
    "pattern, fault",
    [("tiles/[el]*/tree/abstract", "differ in their tasks alone"), ("tiles/random/*", "as one network")],
)
def test_ship_refuses_cells_that_are_not_of_one_network(pattern, fault, tmp_path, capsys):
    assert cli.main(["ship", pattern, "--together", "--out", str(tmp_path)]) == 2
    assert fault in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_doctor_lists_every_check_and_survives_a_broken_database(home, capsys):
    home.mkdir()
    (home / "trials.sqlite").write_text("this is not a database, and long enough to be looked at as one" * 20)
    assert cli.main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert all(line.split()[0] in ("ok", "warn", "fail") for line in lines)
    (broken,) = [line for line in lines if line.startswith("fail")]
    assert broken.startswith("fail trials") and "trials.sqlite" in broken
    text = "\n".join(lines)
    for name in ("Python", "packages", "compiled loops", "memory", "disk", "published", "Chromium"):
        assert name in text


def test_doctor_finds_nothing_to_fail_where_the_tests_pass(home, mirror, monkeypatch, capsys):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    assert cli.main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("ok   trials database: 0 rows")]
    assert not [line for line in lines if line.startswith("fail")]


def test_doctor_names_the_package_out_of_range():
    lines = ["numpy<1", "no-such-package>=2", "pytest; extra == 'test'"]
    old, missing = map(str, doctor.packages(lines))
    assert old.startswith("warn numpy") and old.endswith("pip install 'numpy<1'")
    assert missing == "fail no-such-package: missing — pip install 'no-such-package>=2'"
