"""Training a suite: taken up again and with two processes the same; and its answers kept in a file, bit for bit."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.generalization.learners import players, predictions, training
from cogkit.generalization.learners.predictions import NONE, load
from cogkit.generalization.metric import relevance
from cogkit.generalization.problems.records import problem
from cogkit.generalization.suites import FitConfig, Suite
from cogkit.learning import run

ARRAYS = ("truth", "predicted", "relevance", "sizes", "under_shift", "importance", "informative")


@pytest.fixture
def answers_path(full_fit, tmp_path):
    return full_fit.save(tmp_path / "answers.npz")


def contents(path) -> dict[str, np.ndarray]:
    with np.load(path) as file:
        return dict(file)


def alike(one, two) -> bool:
    pairs = [(getattr(one, name), getattr(two, name)) for name in ARRAYS]
    return all((a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()) for a, b in pairs)


def test_what_is_kept_comes_back_bit_for_bit(full_fit, small, tmp_path):
    for answers in (full_fit, small):
        back = load(answers.save(tmp_path / "answers.npz"))
        assert back.config == answers.config and back.seed == answers.seed and back.names == answers.names
        assert alike(back, answers)


def test_each_answer_stands_at_its_place(full_fit):
    for task, name in enumerate(full_fit.names):
        made, own, weights = players.play(full_fit.config, 0, name)
        n, d = made.x_test.shape
        assert (full_fit.truth[task, :n] == made.y_test).all() and (full_fit.truth[task, n:] == NONE).all()
        assert full_fit.sizes[task].tolist() == [made.n, d, made.classes]
        assert np.array_equal(full_fit.relevance[:, task, :d], list(weights.values()))
        assert np.isnan(full_fit.relevance[:, task, d:]).all()
        assert np.isnan(full_fit.informative[task]).all() == (made.truth is None)
        for place, who in enumerate(full_fit.config.players):
            guesses, answers = full_fit.predicted[task, place], own.get(who)
            if answers is None:
                assert who == "recipe" and name == "Iris 0" and (guesses == NONE).all()
                continue
            assert (guesses[:n] == answers.predicted).all() and (guesses[n:] == NONE).all()
            assert (full_fit.under_shift[task, place, :, :n] == answers.under_shift).all()
            assert answers.importance is None or (full_fit.importance[task, place, :d] == answers.importance).all()


def test_accuracy_is_the_share_right(full_fit):
    for guesses in (full_fit.predicted, full_fit.under_shift[:, :, 0]):
        mask = (full_fit.truth != NONE)[:, None] & (guesses[:, :, :1] != NONE)
        right = ((guesses == full_fit.truth[:, None]) & mask).sum(axis=2)
        with np.errstate(invalid="ignore"):  # nobody was asked for the recipe of Iris
            expected = right / mask.sum(axis=2)
        assert full_fit.accuracy(guesses) == pytest.approx(expected, nan_ok=True) and np.isnan(expected).sum() == 1


def facts(change):
    """Change what a file says of itself."""

    def spoil(held):
        metadata = json.loads(str(held["facts"]))
        change(metadata["config"])
        held["facts"] = np.array(json.dumps(metadata))

    return spoil


FOREIGN = {
    "an array is missing": lambda held: held.pop("truth"),
    "facts are words": lambda held: held.update(facts=np.array("{")),
    "facts are a list": lambda held: held.update(facts=np.array("[1, 2]")),
    "another player": facts(lambda config: config["players"].insert(0, "somebody")),
    "fewer tasks": facts(lambda config: config["suite"].update(tasks=1)),
    "an unknown field": facts(lambda config: config.update(colour="red")),
    "another shape": lambda held: held.update(predicted=held["predicted"][:, :, :-1]),
    "another kind": lambda held: held.update(relevance=held["relevance"].astype(np.float32)),
}


def test_a_file_cut_short_or_of_something_else_is_named(answers_path, tmp_path, refused):
    content, arrays = answers_path.read_bytes(), contents(answers_path)
    for path in (tmp_path, tmp_path / "missing.npz", Path(__file__)):
        with refused(str(path)):
            load(path)
    for share in (0.0, 0.01, 0.5, 0.999):
        answers_path.write_bytes(content[: int(share * len(content))])
        with refused(str(answers_path), "a file of answers on a suite", "delete it and fit again"):
            load(answers_path)
    for case, change in FOREIGN.items():
        change(held := dict(arrays))
        np.savez_compressed(answers_path, **held)
        with refused(str(answers_path), "delete it and fit again"):
            load(answers_path)
            pytest.fail(case)


class Opened:
    """Tells when it is unpickled."""

    def __reduce__(self):
        return (pytest.fail, ("something was unpickled",))


def test_nothing_is_unpickled(answers_path, refused):
    arrays = contents(answers_path)
    for name in ("truth", "facts"):
        np.savez_compressed(answers_path, **(arrays | {name: np.array([Opened()], dtype=object)}))
        with refused(str(answers_path), "delete it and fit again"):
            load(answers_path)


# Training.

FEW = FitConfig(Suite(3, ("Moons", "Circles", "Iris")), players=("naive Bayes", "3 nearest neighbours"))


def trained(config: FitConfig = FEW, **options) -> predictions.Fitted:
    return training.to_fitted(run(training.suite_fit(config, 0, **options)).state, config, 0)


def test_a_run_taken_up_again_is_the_same_bit_for_bit(tmp_path, monkeypatch):
    straight, after = trained(), 4
    fit = training.suite_fit(FEW, 0, checkpoint=tmp_path / "run")
    fit.steps = after
    assert run(fit).steps == after
    names, play = [], players.play
    monkeypatch.setattr(players, "play", lambda config, seed, name: names.append(name) or play(config, seed, name))
    assert alike(trained(checkpoint=tmp_path / "run"), straight)
    assert names == straight.names[after:]  # and nothing is played twice


def test_answers_to_other_items_are_refused(tmp_path):
    path = training.fit_now(FEW, 0).save(tmp_path / "answers.npz")
    arrays = contents(path)
    facts = json.loads(str(arrays.pop("facts"))) | {"items": "0-12345678"}
    np.savez_compressed(path, facts=np.array(json.dumps(facts)), **arrays)
    with pytest.raises(InputError, match="wanted results on the same items, got items 0-12345678 and 1-"):
        load(path)


def test_shuffled_labels_are_the_same_classes_in_another_order(monkeypatch):
    calls, train = [], players.trained
    monkeypatch.setattr(players, "trained", lambda *args: calls.append(args) or train(*args))
    config = FitConfig(Suite(1, ("Iris",)), "shuffled", ("naive Bayes", "RBF support vectors"))
    answers, task = trained(config), problem("Iris 0", 0)
    orders = [args[2] for args in calls]
    assert (orders[0] == orders[1]).all() and (orders[0] != task.y).any()
    assert (np.bincount(orders[0]) == np.bincount(task.y)).all()
    assert (answers.relevance[1, 0, :4] == relevance.correlation(task.x, orders[0])).all()
