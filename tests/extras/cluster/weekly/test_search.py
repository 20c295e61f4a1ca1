"""The search for settings, killed or interrupted at a random moment: it goes on, and no trial is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys

import pandas as pd
import pytest
import searching
from searching import SMALL, read

from cogkit.extras.cluster.search import search

pytestmark = pytest.mark.usefixtures("one_thread")


def end_when(path, lines: int, sent: signal.Signals) -> None:
    """Run the search in a process of its own, and send it a signal once its journal has so many lines."""
    command = [sys.executable, searching.__file__, str(path)]
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL) as process:
        while not path.exists() or path.read_bytes().count(b"\n") < lines:
            try:
                assert process.wait(0.002) == 0, "the search broke off by itself"
            except subprocess.TimeoutExpired:
                continue
            pytest.fail(f"it ended before it had written {lines} lines")
        os.killpg(process.pid, sent)
    assert process.returncode == -signal.SIGKILL if sent == signal.SIGKILL else process.returncode


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_ended_at_a_random_moment_it_goes_on_and_loses_no_trial(small_search, tmp_path, sent):
    whole, table = small_search
    lines = whole.read_bytes().splitlines()
    first = next(k for k, line in enumerate(lines) if b"learning_rate" in line)
    last = next(k for k, line in enumerate(lines) if b'"trial_id":2' in line and b'"step":0' in line)
    seed = random.SystemRandom().randrange(2**32)  # another moment at every run of the tests
    path, moment = tmp_path / "journal", random.Random(seed).randint(first, last)
    print(f"{sent.name} at line {moment} of {len(lines)}, seed {seed}")
    end_when(path, moment, sent)
    before = read(path)
    finished = [trial for trial in before if trial.state.name == "COMPLETE"]
    broken = [trial for trial in before if trial.state.name != "COMPLETE"]
    # an interrupt that is noticed is told: its trial has failed, and others take its place
    assert {trial.state.name for trial in broken} <= {"RUNNING", *["FAIL"] * (sent == signal.SIGINT)}
    assert len(broken) <= 1 and len(finished) < 3
    after, trials, known = search(SMALL, path), read(path), len(finished)
    assert len(after) == 3 and set(after.state) == {"complete"} and len(trials) == 3 + len(broken)
    pd.testing.assert_frame_equal(after.iloc[:known], table.iloc[:known])  # as if nobody had ended it
    for trial in (trial for trial in broken if trial.state.name == "RUNNING"):
        again = trials[trial.number + 1]
        assert (trials[trial.number].state.name, again.state.name) == ("FAIL", "COMPLETE")
        assert trial.params.items() <= again.params.items()
        if len(trial.params) == 6:  # all its settings were known, so that its number alone is another
            assert after.iloc[known].drop("trial").equals(table.iloc[known].drop("trial"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["journal"]
    pd.testing.assert_frame_equal(search(SMALL, path), after)
