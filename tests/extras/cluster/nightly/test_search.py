"""The search for settings: what it tries and finds, and what another search, a cut or another file do to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from cases import case
from searching import SMALL, read

from cogkit.core.errors import InputError
from cogkit.extras.cluster.search import search

pytestmark = pytest.mark.usefixtures("one_thread")
SETTINGS = ["learning_rate", "entropy", "batch", "clicks", "gamma", "lam"]


def test_a_search_is_a_table_of_its_trials(small_search):
    path, table = small_search
    assert list(table) == ["trial", "state", "skill", *SETTINGS]
    assert table.trial.tolist() == [0, 1, 2] and set(table.state) == {"complete"}  # too few to prune by
    assert table.learning_rate.between(1e-3, 2e-2).all() and table.learning_rate.nunique() == 3
    assert np.isfinite(table.skill).all() and table.skill.nunique() == 3
    assert [list(trial.intermediate_values) for trial in read(path)] == [[0, 1]] * 3
    assert [entry.name for entry in path.parent.iterdir()] == ["small.journal"]


def test_a_journal_of_another_search_is_one_sentence(small_search):
    path, table = small_search
    with pytest.raises(InputError, match=r"wanted the journal of this search.*small.journal .*\(its rules, clicks\)"):
        search(replace(SMALL, clicks=7000, rules=("tree",)), path)
    pd.testing.assert_frame_equal(search(SMALL, path), table)  # which runs nothing more
    assert len(read(path)) == 3


def test_trials_that_do_worse_than_half_of_the_others_are_given_up(tmp_path):
    config = replace(SMALL, trials=9, seed=1)
    table, trials = search(config, tmp_path / "journal"), read(tmp_path / "journal")
    assert len(table) == 9 and set(table.state) == {"complete", "pruned"}
    complete = [trial.intermediate_values[1] for trial in trials[:4]]
    assert set(table.state[:4]) == {"complete"}
    for trial in trials[4:]:
        ends = max(trial.intermediate_values.values()) < np.median(complete)  # the better of two looks
        assert trial.state.name == ("PRUNED" if ends else "COMPLETE")
        complete += [] if ends else [trial.intermediate_values[1]]


def test_a_line_that_was_cut_off_costs_that_line_alone(small_search, tmp_path):
    """As a full disk leaves it, or a machine that went down."""
    path, content = tmp_path / "journal", small_search[0].read_bytes()
    ends = [k for k, letter in enumerate(content) if letter == 10]
    second = [k for k, line in enumerate(content.splitlines()) if b'"values":[' in line][1]
    path.write_bytes(content[: ends[second] - 19])
    after = search(SMALL, path)
    assert len(after) == 3 and (after.iloc[0] == small_search[1].iloc[0]).all()
    pd.testing.assert_frame_equal(search(SMALL, path), after)


FOREIGN = {
    "a line": b"my notes",
    "bytes": bytes(range(256)) * 10,
    "lines of another journal": b'{"op_code":0}\n{"op_code":77}\n',
}


def test_a_file_that_is_no_journal_is_one_sentence_and_stays_as_it_is(tmp_path):
    path = tmp_path / "notes.txt"
    for kind, content in FOREIGN.items():
        path.write_bytes(content)
        with case(kind), pytest.raises(InputError, match="wanted the journal of a search, got .*notes.txt"):
            search(SMALL, path)
        assert path.read_bytes() == content, kind
        assert [entry.name for entry in tmp_path.iterdir()] == ["notes.txt"], kind
    with pytest.raises(InputError, match="wanted the journal of a search"):
        search(SMALL, tmp_path)  # a folder


def test_a_search_of_nothing_is_one_sentence(tmp_path):
    for changes, words in (({"agent": "lsmt-2m"}, "did you mean 'lstm-2m'"), ({"clicks": 1000}, "4096 clicks")):
        with pytest.raises(InputError, match=words):
            replace(SMALL, **changes)
