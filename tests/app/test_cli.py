"""The command line: fast help, one sentence for bad input, exit codes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pandas as pd
import pytest
from cases import case
from children import run
from sixth_package import path_with

from cogkit.app import cli
from cogkit.data import results
from cogkit.equivalence.learners import training


def test_the_installed_command_loads_nothing_heavy_and_exits_with_2_and_one_sentence():
    code = "import sys, cogkit.app.cli as cli; print(*sys.modules); sys.exit(cli.main(['run', '--preset', 'papre']))"
    done = run([sys.executable, "-c", code])
    heavy = {"numpy", "pandas", "torch", "plotly", "papermill", "jupyterlab", "joblib"}
    assert not heavy & set(done.stdout.split()) and done.returncode == 2
    assert done.stderr == "cogkit: wanted a preset (quick, lab or paper), got 'papre': did you mean 'paper'?\n"


BAD = {
    "sweep tiles/* --profile verifed": "did you mean 'verified'",
    "sweep": "a pattern of cells",
    "ship counting/spinner/lefft": "counting/spinner/left",
    "ship tiles/[el]*/tree/abstract --together --out x": "differ in their tasks alone",
    "ship tiles/epn/tree/abstract --checkpoint x": "--checkpoint without --together",
    "ship tiles/random/* --together --out x": "as one network",
    "run 99_nothing": "a notebook",
    "make counting --out x --only ff": "cogkit make counting: unknown: --only ff; see cogkit make counting --help",
    "make bongard --out x --profile verifed": "did you mean 'verified'",
    "audit no-such-folder": "a folder that can be used",
    "audit .": "a dataset (bongard, counting",
    "": " --help\n",
}


def test_bad_input_is_a_sentence_and_writes_nothing(sixth, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for line, wanted in BAD.items():
        try:
            status = cli.main(line.split())
        except SystemExit as ended:  # bad usage
            status = ended.code
        output = capsys.readouterr()
        with case(line):
            assert (status, output.out) == (2, "") and output.err.startswith("cogkit") and wanted in output.err
            assert list(tmp_path.iterdir()) == []


def test_make_then_audit(sixth, tmp_path, capsys):
    """Nothing but the answer is on standard output, though nothing is compiled yet: a script reads it."""
    file = tmp_path / "set" / "count.txt"
    assert cli.main(["make", "counting", "--out", str(file.parent), "--n", "3"]) == 0
    assert capsys.readouterr().out == f"{file}\n" and file.read_text() == "0 1 2"
    code = "import sys; sys.modules['ipykernel'] = sys; from cogkit.app import cli; sys.exit(cli.main(sys.argv[1:]))"
    done = run(
        [sys.executable, "-c", code, "audit", str(file.parent)],
        env=os.environ | {"PYTHONPATH": path_with(), "NUMBA_CACHE_DIR": str(tmp_path)},
    )
    assert (done.returncode, done.stdout) == (0, f"{file.parent}: data of counting, every check passed\n")
    assert done.stderr == "compiling loops for this processor, once (some seconds)…\n"
    file.write_text("0 2")
    assert cli.main(["audit", str(file.parent)]) == 1
    assert capsys.readouterr().out == "count.txt: numbers: do not count up from 0\n"


@pytest.fixture
def ship(capsys):
    """Return a function of ``cogkit ship`` that gives the files that it prints."""

    def shipped(*arguments: str) -> list[Path]:
        assert cli.main(["ship", *arguments]) == 0
        return [Path(line) for line in capsys.readouterr().out.splitlines()]

    return shipped


def test_ship_writes_the_weights_of_a_network_and_rows_that_they_give(ship, tmp_path):
    cell = "equivalence/embedding/LS/select-only"
    weights, result = ship(cell, "--preset", "quick", "--seeds", "3", "--out", str(tmp_path))
    assert weights == tmp_path / "embedding-LS-select-only-s3.safetensors"
    agent, ((manifest, rows),) = training.read(weights), results.Shipped(tmp_path).runs()
    assert agent.manifest == manifest and (manifest.cell, manifest.preset, manifest.seed) == (cell, "quick", 3)
    fresh = training.assess(agent, "verified", 3) + training.curve(agent)
    assert [row["value"] for row in rows] == pytest.approx([row["value"] for row in fresh], abs=1e-6, nan_ok=True)
    assert result == tmp_path / "results.csv"
    assert {*tmp_path.rglob("*.*")} == {weights, result, tmp_path / "manifests.json"}


def test_claims_are_printed_or_written_as_a_table(tmp_path, capsys):
    assert cli.main(["claims", "mewl"]) == 0
    printed = capsys.readouterr().out
    assert "mewl: does not hold: people's mean over the tasks is 0.732 (5.3)\n    printed: people 0.737" in printed
    assert "    needed: the article's model" in printed and "bongard" not in printed
    assert cli.main(["claims", "mewl", "--out", str(tmp_path / "claims.csv")]) == 0
    assert len(pd.read_csv(tmp_path / "claims.csv")) == printed.count("    command: pytest")
    assert cli.main(["claims", "chess"]) == 2 and "chess" in capsys.readouterr().err


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
