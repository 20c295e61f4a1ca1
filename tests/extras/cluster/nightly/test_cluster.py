"""Cells on the workers of real dask schedulers: the same rows as here, whatever is killed, and one sentence if not."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from children import start
from clusters import Cluster, children, end, kill, until
from sixth_package import installed

import cogkit
from cogkit.app import cli, experiments
from cogkit.core.errors import InputError
from cogkit.data.results import load
from cogkit.extras.cluster import workers as cluster

SPINS, SEEDS = "counting/spinner/*", range(12)  # two dozen runs of a tenth of a second


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """A cluster with two workers, for tests that leave it as it is."""
    with Cluster(tmp_path_factory.mktemp("two")) as made:
        made.scheduler()
        made.workers(2)
        yield made


@pytest.fixture
def own(tmp_path):
    """A cluster of a test's own, without any process yet."""
    (tmp_path / "cluster").mkdir()
    with Cluster(tmp_path / "cluster") as made:
        yield made


@pytest.fixture(scope="module")
def expected(tmp_path_factory) -> dict:
    """What a sweep by joblib stores of the spinning cells."""
    root = tmp_path_factory.mktemp("here")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(installed())
        assert experiments.sweep(SPINS, preset="lab", seeds=SEEDS, jobs=1, root=root) == []
    return whole(root)


def whole(root: Path) -> dict:
    """Return all that a store holds by name, unfinished files too, but for what each run cost."""
    texts = {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}
    runs = {name: json.loads(text) for name, text in texts.items()}
    for run in runs.values():
        del run["manifest"]["seconds"]
    return runs


def begin(root: Path, address: str, least: int) -> Future:
    """Return a sweep of the spinning cells that goes on in a thread, when it has stored so many results."""
    thread = ThreadPoolExecutor(1)
    run = thread.submit(experiments.sweep, SPINS, preset="lab", seeds=SEEDS, root=root, dask=address)
    thread.shutdown(wait=False)
    until(lambda: run.done() or len([*root.rglob("*.json")]) >= least)
    assert not run.done()
    return run


def test_workers_give_the_rows_of_a_local_sweep_in_one_file_a_cell(two, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    assert experiments.sweep("tiles/random/*", root=there, dask=two.address) == []
    assert "IO loop" not in {thread.name for thread in threading.enumerate()}  # the client is closed
    assert experiments.sweep("tiles/random/*", root=here, jobs=1) == []
    assert whole(there) == whole(here) and len(whole(there)) == len(experiments.cells("tiles/random/*")) == 16


def test_what_is_stored_is_not_asked_for_and_a_failing_cell_is_one_line(two, sixth, tmp_path, capsys):
    command = ["sweep", "counting/*", "--dask", two.address.removeprefix("tcp://"), "--out", str(tmp_path)]
    assert cli.main(command) == 1
    output = capsys.readouterr().out
    assert output.startswith("counting/broken/left, seed 0: ZeroDivisionError: the cell's own mistake")
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    assert len(stamps) == 2 and cli.main(command) == 1 and capsys.readouterr().out == output
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")} == stamps


def test_a_killed_worker_costs_no_result(own, sixth, expected, tmp_path):
    own.scheduler()
    nanny = own.workers(2)
    run = begin(tmp_path / "store", own.address, 3)
    os.kill(children(nanny)[0], signal.SIGKILL)
    assert run.result() == [] and whole(tmp_path / "store") == expected
    assert not load(tmp_path / "store").duplicated(["cell", "seed", "metric"]).any()


def test_a_scheduler_may_die_and_come_back_while_a_sweep_runs(own, sixth, expected, tmp_path):
    scheduler, workers = own.scheduler(), own.workers()
    run = begin(tmp_path / "store", own.address, 3)
    kill(scheduler)
    workers.wait()  # they end with their scheduler
    assert not run.done()
    own.scheduler()
    own.workers()
    assert run.result() == [] and whole(tmp_path / "store") == expected


def test_a_worker_with_other_code_or_several_threads_is_refused(own, sixth, tmp_path, capsys):
    own.scheduler()
    for threads, code, message in (
        (1, "cogkit.__version__ = '0.1.9'", "got cogkit 0.1.9 "),
        (1, "cogkit.__path__[:] = []", "No module named 'cogkit.extras"),
        (2, "", "--nthreads 2 at tcp://127.0.0.1:"),
    ):
        (tmp_path / "sitecustomize.py").write_text(f"import cogkit\n{code}")
        workers = own.workers(threads=threads, path=str(tmp_path))
        assert cli.main(["sweep", SPINS, "--dask", own.address, "--out", str(tmp_path / "store")]) == 2
        sentence = capsys.readouterr().err.splitlines()[-1]
        assert sentence.startswith("cogkit: wanted ") and message in sentence
        assert f"cogkit {cogkit.__version__}" in sentence and sentence.endswith(": start it again from the same commit")
        end(workers)
    assert not (tmp_path / "store").exists()


def test_an_address_is_of_this_machine_or_encrypted(sixth, tmp_path, capsys):
    wanted = "cogkit: wanted a scheduler on this machine, such as tcp://127.0.0.1:8786, or one with encry"
    others = "10.0.0.7:8786 127.0.0.1.example.org:8786 tcp://127.0.0.1:1@10.0.0.7:8786 http://127.0.0.1:8786 [".split()
    for address in others:
        assert cli.main(["sweep", SPINS, f"--dask={address}", "--out", str(tmp_path / "store")]) == 2
        assert capsys.readouterr().err.splitlines()[-1].startswith(wanted), address
    assert not (tmp_path / "store").exists()
    with pytest.raises(InputError, match="wanted certificates for tls://10.0.0.7:8786, got none: set DASK_"):
        experiments.sweep(SPINS, root="nowhere", dask="tls://10.0.0.7:8786")
    for address in ("127.0.0.1", "tcp://127.9.9.9:8786", "localhost:8786", "[::1]:8786", "tls://a:1"):
        assert cluster.address_of(address).partition("://")[2].startswith(address.partition("://")[2] or address)


@pytest.mark.parametrize("shards", [["1/2", "2/2"], ["1/1", "1/1"]])
def test_sweeps_that_race_on_one_store_lose_and_double_nothing(shards, expected, own, tmp_path):
    root = tmp_path / "store"
    command = [sys.executable, "-m", "cogkit.app.cli", "sweep", SPINS, "--preset", "lab", "--seeds", str(len(SEEDS))]
    command += ["--jobs", "1", "--out", str(root), "--shard"]
    racing = [start([*command, shard], env=own.env) for shard in shards]
    assert [process.wait() for process in racing] == [0, 0]
    assert whole(root) == expected and not load(root).duplicated(["cell", "seed", "metric"]).any()
