"""Training a suite: the same with two processes as with one, taken up again, kept and read, and once more."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from cogkit.core.contracts import InputError
from cogkit.core.identity import unmarked
from cogkit.generalization.learners import groups, players, predictions, training
from cogkit.generalization.metric import relevance
from cogkit.generalization.problems.records import problem
from cogkit.generalization.suites import FitConfig, Suite
from cogkit.learning import run

FEW = FitConfig(Suite(3, ("Moons", "Circles", "Iris")), players=("naive Bayes", "3 nearest neighbours"))
WHOLE = FitConfig(Suite(1, ("Iris",)))  # all six learners


def trained(config: FitConfig = FEW, seed: int = 0, jobs: int = 1, **options) -> predictions.Fitted:
    return training.to_fitted(run(training.suite_fit(config, seed, jobs, **options)).state, config, seed)


def alike(one: predictions.Fitted, two: predictions.Fitted) -> bool:
    return all(
        value.tobytes() == getattr(two, name).tobytes()
        for name, value in vars(one).items()
        if isinstance(value, np.ndarray)
    )


@pytest.fixture(scope="module")
def straight() -> predictions.Fitted:
    return trained()


def test_two_processes_give_what_one_gives(straight):
    assert alike(trained(jobs=2), straight)


def test_two_runs_of_one_seed_give_equal_rows_and_another_seed_others():
    first, again, other = (groups.score(trained(WHOLE, seed)) for seed in (0, 0, 1))
    assert first.equals(again) and not first.equals(other)
    assert (first.task == other.task).all() and len(first) == 2


@pytest.mark.parametrize("after", [1, 4])
def test_a_run_taken_up_again_is_the_same_bit_for_bit(straight, after, tmp_path, monkeypatch):
    fit = training.suite_fit(FEW, 0, checkpoint=tmp_path / "run")
    fit.steps = after
    assert run(fit).steps == after
    names, play = [], players.play
    monkeypatch.setattr(players, "play", lambda config, seed, name: names.append(name) or play(config, seed, name))
    assert alike(trained(checkpoint=tmp_path / "run"), straight)
    assert names == straight.names[after:]  # and nothing is played twice


def test_each_step_is_a_task_and_tells_its_accuracy(straight):
    log = run(training.suite_fit(FEW, 0)).log
    assert log.step.tolist() == list(range(1, 8))
    assert log.accuracy.to_numpy() == pytest.approx(straight.accuracy().mean(axis=1))


def test_answers_are_kept_and_read(straight, tmp_path, monkeypatch):
    answers = training.fit_suite(FEW, 0, folder=tmp_path)
    assert alike(answers, straight) and len(list(tmp_path.iterdir())) == 1

    def play(*_):
        raise AssertionError("trained again")

    monkeypatch.setattr(players, "play", play)
    assert alike(training.fit_suite(FEW, 0, folder=tmp_path), straight)
    for config, seed in ((FEW, 1), (FitConfig(FEW.suite, "shuffled", FEW.players), 0)):
        with pytest.raises(AssertionError, match="trained again"):
            training.fit_suite(config, seed, folder=tmp_path)


def test_by_default_they_lie_in_the_users_folder(home):
    config = FitConfig(Suite(1, ("Iris",)), players=("naive Bayes",))
    training.fit_suite(config, 2)
    (path,) = (home / "generalization").iterdir()
    assert path.name.endswith("-s2.npz") and predictions.load(path).config == config


def test_answers_that_cogkit_0_1_kept_are_found_and_read(straight, tmp_path):
    """Its file names are hashes of the fields alone, and its files say neither classes nor items."""
    training.fit_suite(FEW, 0, folder=tmp_path)
    (path,) = tmp_path.iterdir()
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    facts = json.loads(str(arrays.pop("facts")))
    config = {"suite": {"tasks": 3, "families": ["Moons", "Circles", "Iris"]}, "labels": "true"}
    config |= {"players": ["naive Bayes", "3 nearest neighbours"], "components": False}
    assert unmarked(facts["config"]) == config
    canonical = json.dumps(config, sort_keys=True, separators=(",", ":")).encode()
    old = tmp_path / f"{hashlib.sha256(canonical).hexdigest()[:8]}-s0.npz"
    path.unlink()
    np.savez_compressed(old, facts=np.array(json.dumps({"config": config, "seed": 0})), **arrays)
    assert alike(training.fit_suite(FEW, 0, folder=tmp_path), straight) and [*tmp_path.iterdir()] == [old]
    np.savez_compressed(old, facts=np.array(json.dumps(facts | {"items": "0-12345678"})), **arrays)
    with pytest.raises(InputError, match="wanted results on the same items, got items 0-12345678 and 1-"):
        predictions.load(old)


def test_a_kept_file_that_is_damaged_is_named(tmp_path, refused):
    training.fit_suite(FEW, 0, folder=tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:100])
    with refused(str(path), "delete it and fit again"):
        training.fit_suite(FEW, 0, folder=tmp_path)


def test_shuffled_labels_are_the_same_classes_in_another_order(monkeypatch):
    calls, train = [], players.trained
    monkeypatch.setattr(players, "trained", lambda *args: calls.append(args) or train(*args))
    config = FitConfig(Suite(1, ("Iris",)), "shuffled", ("naive Bayes", "RBF support vectors"))
    answers, task = trained(config), problem("Iris 0", 0)
    orders = [args[2] for args in calls]
    assert (orders[0] == orders[1]).all() and (orders[0] != task.y).any()
    assert (np.bincount(orders[0]) == np.bincount(task.y)).all()
    assert (answers.relevance[1, 0, :4] == relevance.correlation(task.x, orders[0])).all()


def test_a_task_without_a_player_is_passed_over():
    answers = trained(FitConfig(Suite(1, ("Iris", "Moons")), players=("recipe",)))
    assert np.isnan(answers.accuracy()[0, 0]) and answers.accuracy()[1, 0] > 0.9
