"""A sixth instrument is found without an edit; a sweep keeps what is done."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from cogkit.app import cli, exercises, experiments
from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.core.identity import item_set
from cogkit.core.items import Exposure
from cogkit.data.results import Store


def stored(root: Path) -> list[Path]:
    return sorted(root.rglob("*.json"))


def test_a_sixth_instrument_is_found_only_when_its_package_is_installed(request):
    for there in (False, True):
        assert ("counting" in registry.instruments()) == there and ("90-seven" in exercises.exercises()) == there
        if not there:
            request.getfixturevalue("sixth")
    names = [f"counting/{name}" for name in ("broken/left", "spinner/left", "spinner/right")]
    assert [cell.id for cell in experiments.cells("counting/spinner/*")] == names[1:]
    cells = experiments.cells("counting/spinner/right", "counting/*", "counting/spinner/*")
    assert [cell.id for cell in cells] == names  # each once, by id
    with pytest.raises(InputError, match="counting/spinner/left"):
        experiments.cells("counting/spinner/right", "counting/spinner/lefft")
    with pytest.raises(InputError, match="preset of counting/spinner/left"):
        experiments.sweep("counting/spinner/left", preset="paper")


def test_an_extra_of_another_package_adds_its_command(sixth, capsys):
    assert cli.main(["abacus", "3"]) == 0 and capsys.readouterr().out == "ooo\n"


def test_a_sweep_takes_one_pattern_or_several_and_runs_a_cell_once(sixth, tmp_path):
    def runs(patterns):
        return experiments.sweep(patterns, seeds=[4], jobs=1, root=tmp_path)

    assert runs("counting/spinner/left") == []
    (first,) = stored(tmp_path)
    stamp = first.stat().st_mtime_ns
    assert runs(["counting/spinner/*", "counting/spinner/left", "counting/spinner/right"]) == []
    assert len(stored(tmp_path)) == 2 and first.stat().st_mtime_ns == stamp


def test_shards_are_disjoint_complete_and_the_same_on_every_machine(sixth, tmp_path):
    runs = [(f"counting/spinner/{name}", seed) for name in ("left", "right") for seed in range(4)]
    shard_runs: list[tuple] = []
    for parts in (1, 3):
        for part in range(parts):
            root = tmp_path / f"{part} of {parts}"
            shard = f"{part + 1}/{parts}"
            assert experiments.sweep("counting/spinner/*", seeds=range(4), jobs=1, root=root, shard=shard) == []
            own = [(manifest.cell, manifest.seed) for manifest, _ in Store(root).runs()]
            shard_runs += own
            for cell, seed in own:
                run = dict(zip("0123", (cell, "verified", "quick", seed), strict=True))
                text = json.dumps(run, separators=(",", ":"))
                assert int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) % parts == part
    assert sorted(shard_runs) == sorted(runs * 2)


def test_verify_wants_a_stored_result_and_sees_an_edited_number(sixth, tmp_path):
    (cell,) = experiments.cells("counting/spinner/left")
    experiments.run_cell(cell, "verified", "quick", 0, Store(tmp_path))
    (path,) = stored(tmp_path)
    edited = json.loads(path.read_text())
    edited["alike"]["value"] += 1e-6
    path.write_text(json.dumps(edited))
    assert experiments.verify(cell.id, root=tmp_path).word == "outside"  # it has no interval
    path.unlink()
    with pytest.raises(InputError, match=r"got none .*: sweep it first"):
        experiments.verify(cell.id, root=tmp_path)


def test_verify_says_of_a_control_that_only_its_rows_are_left():
    with pytest.raises(InputError, match="mewl/parts/data, of which only rows are left: it was run once"):
        experiments.verify("mewl/parts/data")


def test_verify_compares_no_results_on_different_items(sixth, tmp_path, monkeypatch):
    problems = ModuleType("counting.problems")
    monkeypatch.setitem(sys.modules, problems.__name__, problems)
    (cell,) = experiments.cells("counting/spinner/left")
    problems.GENERATOR = 1
    manifest, _ = experiments.run_cell(cell, "verified", "quick", 0, Store(tmp_path))
    assert manifest.items == item_set("counting", 1, "verified", 0)
    assert experiments.verify(cell.id, root=tmp_path).ok
    problems.GENERATOR = 2
    with pytest.raises(
        InputError, match="wanted results on the same items, got items 1-.* and 2-.*: run what is older"
    ):
        experiments.verify(cell.id, root=tmp_path)


def test_one_failing_cell_does_not_lose_the_others(sixth, tmp_path, capsys):
    assert cli.main(["sweep", "counting/*", "--jobs", "1", "--out", str(tmp_path)]) == 1
    assert "counting/broken/left, seed 0: ZeroDivisionError: the cell's own mistake" in capsys.readouterr().out
    assert len(stored(tmp_path)) == 2


def test_a_sweep_refuses_a_learner_that_is_tested_on_what_it_was_trained_on(sixth, tmp_path, capsys, monkeypatch):
    """Under either profile, before the run, with one sentence; the runs without a leak are stored."""

    def exposures(config, profile, seed):
        return [Exposure("sums", [1, 2], [5]), Exposure("numbers", range(seed * 10), [4, 12, 12])]

    monkeypatch.setattr(registry.instrument("counting"), "exposures", exposures, raising=False)
    for profile in ("verified", "as_published"):
        command = ["sweep", "counting/spinner/left", "--jobs", "1", "--seeds", "3", "--profile", profile]
        assert cli.main([*command, "--out", str(tmp_path / profile)]) == 1
        leaks = [line for line in capsys.readouterr().out.splitlines() if "trained on" in line]
        assert len(leaks) == 2 and "got 1 test numbers of counting/spinner/left, seed 1, that" in leaks[0]
        assert "got 3 test numbers of counting/spinner/left, seed 2, that it is trained on, such as 4" in leaks[1]
        assert [manifest.seed for manifest, _ in Store(tmp_path / profile).runs()] == [0]
    (cell,) = experiments.cells("counting/spinner/left")
    with pytest.raises(InputError, match=r"wanted a test that is new to the learner, got .*: hold them out"):
        next(experiments.ship(cell, [1], "verified", "quick", tmp_path / "shipped"))
