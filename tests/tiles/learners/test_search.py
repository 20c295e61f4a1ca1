"""The search for settings: what it tries and finds, and what a kill, another search or another file do to it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import optuna
import pandas as pd
import pytest
import searching
from searching import SMALL

from cogkit.core.contracts import InputError
from cogkit.learning import run
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, observers, training
from cogkit.tiles.learners.search import SearchConfig, best, search
from cogkit.tiles.problems.yardstick import heuristic

pytestmark = pytest.mark.usefixtures("one_thread")
SETTINGS = ["learning_rate", "entropy", "boards", "clicks", "gamma", "lam"]


@pytest.fixture(scope="module")
def found(tmp_path_factory, one_thread):
    """A search that nobody ended: its journal and its table."""
    path = tmp_path_factory.mktemp("search") / "here" / "small.journal"
    return path, search(SMALL, path)


def read(path) -> list[optuna.trial.FrozenTrial]:
    """Return the trials in a journal, as optuna itself reads it."""
    storage = optuna.storages.JournalStorage(optuna.storages.journal.JournalFileBackend(str(path)))
    return optuna.load_study(study_name="tiles", storage=storage).trials


def test_a_search_is_a_table_of_its_trials(found):
    path, table = found
    assert list(table) == ["trial", "state", "skill", *SETTINGS]
    assert table.trial.tolist() == [0, 1, 2] and set(table.state) == {"complete"}  # too few to prune by
    assert table.learning_rate.between(1e-3, 2e-2).all() and table.learning_rate.nunique() == 3
    assert table.entropy.between(3e-3, 1e-1).all() and table.entropy.nunique() == 3
    for name, choices in (("boards", {64, 128, 256}), ("clicks", {4, 6, 10, 16}), ("gamma", {0.8, 0.9, 0.95}),
                          ("lam", {0.6, 0.8, 0.95})):  # fmt: skip
        assert set(table[name]) <= choices
    assert np.isfinite(table.skill).all() and table.skill.nunique() == 3
    assert [list(trial.intermediate_values) for trial in read(path)] == [[0, 1]] * 3
    assert [entry.name for entry in path.parent.iterdir()] == ["small.journal"]


def test_a_trial_is_worth_the_skill_of_agents_trained_as_it_says(found):
    row = found[1].iloc[1]
    settings = {name: row[name] for name in SETTINGS} | {"boards": int(row.boards), "clicks": int(row.clicks)}
    updates = 6000 // (settings["boards"] * settings["clicks"])
    config = agents.config("lstm-2m", "lab", task="pyramid/abstract", updates=updates, **settings)
    fit = training.train(config, 5)
    agent, items = training.to_agent(run(fit)), agents.pools(config, 5).validation
    blue, ideal = (
        scoring.judge(player, items, passes=20, seed=5).blue.mean(axis=0).sum()
        for player in (agent, observers.BayesGreedy.of("pyramid"))
    )
    nearest = heuristic(items, seed=5).mean.sum()
    assert fit.result.steps == updates and row.skill == pytest.approx((nearest - blue) / (nearest - ideal))


def test_the_same_call_again_runs_nothing_more(found):
    path, table = found
    content = path.read_bytes()
    pd.testing.assert_frame_equal(search(SMALL, path), table)
    trials = [line for line in path.read_bytes()[len(content) :].splitlines() if b'"trial_id"' in line]
    assert path.read_bytes().startswith(content) and not trials and len(read(path)) == 3


def test_a_journal_of_another_search_is_one_sentence(found):
    path, table = found
    for field, value in (("clicks", 7000), ("agent", "corelnet"), ("rules", ("tree",)), ("looks", 3), ("seed", 6)):
        with pytest.raises(InputError, match=rf"small.journal of another search \(its {field}\)") as error:
            search(replace(SMALL, **{field: value}), path)
        assert "wanted the journal of this search" in str(error.value) and "\n" not in str(error.value)
    pd.testing.assert_frame_equal(search(SMALL, path), table)


def test_trials_that_do_worse_than_half_of_the_others_are_given_up(tmp_path):
    config = replace(SMALL, trials=9, seed=1)
    table, told = search(config, tmp_path / "journal"), read(tmp_path / "journal")
    assert len(table) == 9 and set(table.state) == {"complete", "pruned"}
    complete = [trial.intermediate_values[1] for trial in told[:4]]
    assert set(table.state[:4]) == {"complete"}
    for trial in told[4:]:
        ends = max(trial.intermediate_values.values()) < np.median(complete)  # the better of two looks
        assert trial.state.name == ("PRUNED" if ends else "COMPLETE")
        complete += [] if ends else [trial.intermediate_values[1]]
    assert best(table)["learning_rate"] == table.learning_rate[table[table.state == "complete"].skill.idxmax()]


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
def test_ended_at_a_random_moment_it_goes_on_and_loses_no_trial(found, tmp_path, sent):
    whole, table = found
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
    after, told, known = search(SMALL, path), read(path), len(finished)
    assert len(after) == 3 and set(after.state) == {"complete"} and len(told) == 3 + len(broken)
    pd.testing.assert_frame_equal(after.iloc[:known], table.iloc[:known])  # as if nobody had ended it
    for trial in (trial for trial in broken if trial.state.name == "RUNNING"):
        again = told[trial.number + 1]
        assert (told[trial.number].state.name, again.state.name) == ("FAIL", "COMPLETE")
        assert trial.params.items() <= again.params.items()
        if len(trial.params) == 6:  # all its settings were known, so that its number alone is another
            assert after.iloc[known].drop("trial").equals(table.iloc[known].drop("trial"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["journal"]
    pd.testing.assert_frame_equal(search(SMALL, path), after)


@pytest.mark.parametrize("where", ["relative", "absolute"])
def test_a_lock_that_a_kill_left_behind_does_not_hold_it_up_for_ever(found, tmp_path, monkeypatch, where):
    """optuna locks a journal while it writes a line, by a link beside it."""
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "deep" / "journal"
    path.write_bytes(found[0].read_bytes())
    given = path.relative_to(tmp_path) if where == "relative" else path
    os.symlink(given, f"{path}.lock")
    pd.testing.assert_frame_equal(search(SMALL, given), found[1])


@pytest.mark.parametrize("cut", [1, 20])
def test_a_line_that_was_cut_off_costs_that_line_alone(found, tmp_path, cut):
    """As a full disk leaves it, or a machine that went down."""
    path, content = tmp_path / "journal", found[0].read_bytes()
    ends = [k for k, letter in enumerate(content) if letter == 10]
    second = [k for k, line in enumerate(content.splitlines()) if b'"values":[' in line][1]
    path.write_bytes(content[: ends[second] + 1 - cut])
    after = search(SMALL, path)
    assert len(after) == 3 and (after.iloc[0] == found[1].iloc[0]).all()
    pd.testing.assert_frame_equal(search(SMALL, path), after)


FOREIGN = {
    "a line": b"my notes",
    "a whole line": b"my notes\n",
    "lines": b"my notes\nof today\n" * 40,
    "numbers": b"3\n4\n5\n",
    "another program": b'{"event": "start"}\n{"event": "end"}\n',
    "one object": b'{"event": "start"}',
    "bytes": bytes(range(256)) * 10,
    "zeros": bytes(5000),
    "lines of another journal": b'{"op_code":0}\n{"op_code":77}\n',
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_file_that_is_no_journal_is_one_sentence_and_stays_as_it_is(kind, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_bytes(FOREIGN[kind])
    with pytest.raises(InputError, match="wanted the journal of a search, got .*notes.txt") as error:
        search(SMALL, path)
    assert "\n" not in str(error.value) and path.read_bytes() == FOREIGN[kind]
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(InputError, match="wanted the journal of a search"):
        search(SMALL, tmp_path)  # a folder


def test_a_search_of_nothing_is_one_sentence(tmp_path):
    wrong = [
        ({"agent": "lsmt-2m"}, "wanted an agent .*did you mean 'lstm-2m'"),
        ({"rules": ("pyramid", "recangle")}, "wanted a rule .*did you mean 'rectangle'"),
        ({"rules": ()}, "at least one rule"),
        ({"looks": 0}, "one look"),
        ({"trials": 0}, "one trial"),
        ({"clicks": 1000}, "4096 clicks"),
    ]
    for changes, words in wrong:
        with pytest.raises(InputError, match=words) as error:
            replace(SMALL, **changes)
        assert "\n" not in str(error.value)


def test_without_optuna_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(InputError, match=r'pip install "cogkit\[search\]"'):
        search(SearchConfig("lstm"), tmp_path / "journal")
    assert not any(tmp_path.iterdir())


def test_the_best_is_the_complete_trial_of_highest_skill():
    rows = [
        (0, "complete", 0.1, 0.001, 0.01, 64, 4, 0.8, 0.6),
        (1, "pruned", 0.9, 0.002, 0.02, 128, 6, 0.9, 0.8),
        (2, "complete", 0.5, 0.003, 0.03, 256, 16, 0.95, 0.95),
        (3, "complete", -2.0, 0.004, 0.04, 64, 10, 0.8, 0.6),
    ]
    settings = best(pd.DataFrame(rows, columns=["trial", "state", "skill", *SETTINGS]))
    assert settings == dict(zip(SETTINGS, (0.003, 0.03, 256, 16, 0.95, 0.95), strict=True))
    config = agents.config("epn", "lab", **settings)
    assert (config.boards, config.clicks, config.lam) == (256, 16, 0.95) and type(config.boards) is int
