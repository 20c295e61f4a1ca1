"""Answers kept in a file: back bit for bit, and anything else refused by name."""

from __future__ import annotations

import json
import zipfile

import numpy as np
import pytest

from cogkit.core.contracts import InputError
from cogkit.generalization.learners import players, predictions
from cogkit.generalization.learners.predictions import NONE, load
from cogkit.generalization.suites import FitConfig, Suite

ARRAYS = ("truth", "predicted", "relevance", "sizes", "under_shift", "importance", "informative")


@pytest.fixture
def kept(asked, tmp_path):
    return asked.save(tmp_path / "answers.npz")


def contents(path) -> dict[str, np.ndarray]:
    with np.load(path) as file:
        return dict(file)


def test_what_is_kept_comes_back_bit_for_bit(asked, small, tmp_path):
    for answers in (asked, small):
        back = load(answers.save(tmp_path / "answers.npz"))
        assert back.config == answers.config and back.seed == answers.seed and back.names == answers.names
        for name in ARRAYS:
            first, second = getattr(answers, name), getattr(back, name)
            assert first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()


def test_each_answer_stands_at_its_place(asked):
    for task, name in enumerate(asked.names):
        outcome = players.play(asked.config, 0, name)
        n, d = outcome.problem.x_test.shape
        assert (asked.truth[task, :n] == outcome.problem.y_test).all() and (asked.truth[task, n:] == NONE).all()
        assert asked.sizes[task].tolist() == [outcome.problem.n, d, outcome.problem.classes]
        for source, kind in enumerate(("mutual information", "correlation")):
            assert (asked.relevance[source, task, :d] == outcome.relevance[kind]).all()
            assert np.isnan(asked.relevance[source, task, d:]).all()
        known = outcome.problem.truth is not None
        assert np.isnan(asked.informative[task]).all() != known
        if known:
            assert (asked.informative[task, :d] == outcome.problem.truth).all()
        for place, who in enumerate(asked.config.players):
            guesses, answers = asked.predicted[task, place], outcome.answers.get(who)
            if answers is None:
                assert who == "recipe" and name == "Iris 0" and (guesses == NONE).all()
                continue
            assert (guesses[:n] == answers.predicted).all() and (guesses[n:] == NONE).all()
            assert (asked.under_shift[task, place, :, :n] == answers.under_shift).all()
            if known:
                assert (asked.importance[task, place, :d] == answers.importance).all()


def test_accuracy_is_the_share_right(asked):
    accuracies, shifts = asked.accuracy(), asked.accuracy(asked.under_shift[:, :, 0])
    for task in range(len(asked.names)):
        n = (asked.truth[task] != NONE).sum()
        for place, who in enumerate(asked.config.players):
            for table, guesses in ((accuracies, asked.predicted), (shifts, asked.under_shift[:, :, 0])):
                if who == "recipe" and asked.names[task] == "Iris 0":
                    assert np.isnan(table[task, place])
                else:
                    right = sum(
                        int(a == b) for a, b in zip(guesses[task, place, :n], asked.truth[task, :n], strict=True)
                    )
                    assert table[task, place] == pytest.approx(right / n)
    assert (accuracies != shifts).any()


def test_arrays_are_as_wide_as_the_largest_task():
    widths = {
        families: predictions.empty(FitConfig(Suite(2, families)), 0) for families in (("Linear", "Moons"), ("Iris",))
    }
    assert [part.predicted.shape for part in widths.values()] == [(4, 6, 300), (1, 6, 540)]
    assert predictions.empty(FitConfig(Suite(1), components=True), 0).under_shift.shape == (8, 6, 3, 540)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.9, 0.999])
def test_a_file_cut_short_is_named(kept, share, refused):
    content = kept.read_bytes()
    kept.write_bytes(content[: int(share * len(content))])
    with refused(str(kept), "a file of answers on a suite", "delete it and fit again"):
        load(kept)


def _without(held):
    del held["truth"]


def _words(held):
    held["facts"] = np.array("{")


def _other_player(held):
    facts = json.loads(str(held["facts"]))
    facts["config"]["players"][0] = "somebody"
    held["facts"] = np.array(json.dumps(facts))


def _fewer_tasks(held):
    facts = json.loads(str(held["facts"]))
    facts["config"]["suite"]["tasks"] = 1
    held["facts"] = np.array(json.dumps(facts))


def _list(held):
    held["facts"] = np.array("[1, 2]")


def _unknown_field(held):
    facts = json.loads(str(held["facts"]))
    facts["config"]["colour"] = "red"
    held["facts"] = np.array(json.dumps(facts))


def _other_shape(held):
    held["predicted"] = held["predicted"][:, :, :-1]


def _other_kind(held):
    held["relevance"] = held["relevance"].astype(np.float32)


@pytest.mark.parametrize(
    "change",
    [_without, _words, _other_player, _fewer_tasks, _list, _unknown_field, _other_shape, _other_kind],
    ids=lambda change: change.__name__.strip("_"),
)
def test_a_file_of_something_else_is_named(kept, change, refused):
    arrays = contents(kept)
    change(arrays)
    np.savez_compressed(kept, **arrays)
    with refused(str(kept), "delete it and fit again"):
        load(kept)


class Opened:
    """Tells when it is unpickled."""

    def __reduce__(self):
        return (pytest.fail, ("something was unpickled",))


def test_nothing_is_unpickled(kept, refused):
    arrays = contents(kept)
    for name in ("truth", "facts"):
        np.savez_compressed(kept, **(arrays | {name: np.array([Opened()], dtype=object)}))
        with refused(str(kept), "delete it and fit again"):
            load(kept)


@pytest.mark.parametrize("write", ["text", "array", "folder", "nothing", "other zip"])
def test_what_is_no_such_file_is_named(tmp_path, write, refused):
    path = tmp_path / "other.npz"
    if write == "text":
        path.write_text("task,answer\n")
    elif write == "array":
        with path.open("wb") as file:
            np.save(file, np.arange(3))
    elif write == "folder":
        path.mkdir()
    elif write == "other zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("read me", "nothing")
    with refused(str(path)):
        load(path)


def test_a_damaged_byte_is_refused_or_harmless(kept, asked):
    """Every 31st byte turned over: never another error, never other answers."""
    content = kept.read_bytes()
    for place in range(0, len(content), 31):
        kept.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
        try:
            back = load(kept)
        except InputError as error:
            assert str(kept) in str(error)
        else:
            assert all(getattr(back, name).tobytes() == getattr(asked, name).tobytes() for name in ARRAYS)
