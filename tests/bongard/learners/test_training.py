"""Training of the agents: what a step draws, exact resuming, and the rows a cell gives."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from cases import case
from learners.bars import SIZE, TINY, fit, same, small, taken_up

from cogkit.bongard.learners import agents, training
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import FLIPS
from cogkit.learning import run

pytestmark = pytest.mark.usefixtures("one_thread")


def test_a_run_taken_up_again_is_the_same_bit_for_bit(tmp_path):
    """The agent with noise of all kinds; all others do so every night."""
    config = small("set-transformer")
    straight, again = taken_up(partial(fit, config, 2), tmp_path / "run", 3)
    foreign = run(fit(config, 3))
    for module in ("network", "best"):
        assert same(straight, again, module) and not same(straight, foreign, module)
    assert again.log.equals(straight.log) and again.steps == 6


# what a step draws


@pytest.fixture(scope="module")
def labelled() -> np.ndarray:
    """Pictures of problems 1 to 12, whose first row says problem, side and place, left to right."""
    images = np.zeros((13, 2, 7, SIZE, SIZE), np.uint8)
    for index in np.ndindex(13, 2, 7):
        images[index][0, :3] = index
    return images[1:]


def labels_of(pictures: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what drawn pictures say, and which are mirrored."""
    mirrored = pictures[..., 0, 0] + pictures[..., 0, 1] + pictures[..., 0, 2] == 0
    return np.where(mirrored[..., None], pictures[..., 0, :-4:-1], pictures[..., 0, :3]), mirrored


def test_a_batch_holds_no_problem_twice_and_all_of_each(labelled):
    config, rng = agents.config("protonet", "paper", size=SIZE, flip="none"), np.random.default_rng(0)
    counts, last, order = np.zeros(12), np.zeros((2, 7)), []
    for _ in range(400):
        labels, mirrored = labels_of(training.draw(config, labelled, rng))
        assert labels.shape == (8, 2, 7, 3) and not mirrored.any()
        assert len(set(labels[:, 0, 0, 0])) == 8 and (labels[..., 0] == labels[:, :1, :1, 0]).all()
        assert (labels[:, 0, :, 1] == 0).all() and (labels[:, 1, :, 1] == 1).all()
        assert (np.sort(labels[..., 2], axis=2) == np.arange(7)).all()
        counts[labels[:, 0, 0, 0] - 1] += 1
        for side in range(2):
            np.add.at(last[side], labels[:, side, -1, 2], 1)
        order.append((labels[:, 0, -1, 2] == labels[:, 1, -1, 2]).mean())
    # 400 draws of 8 of 12, and 3200 queries of 7: within four standard errors
    assert np.abs(counts - 400 * 8 / 12).max() < 4 * np.sqrt(400 * 8 / 12 * 4 / 12)
    assert np.abs(last - 3200 / 7).max() < 4 * np.sqrt(3200 / 7 * 6 / 7)
    assert abs(np.mean(order) - 1 / 7) < 4 * np.sqrt(6 / 49 / 3200)  # the two sides on their own


def test_pictures_are_mirrored_as_the_config_says(labelled):
    for flip in FLIPS:
        config, rng = agents.config("protonet", "paper", size=SIZE, flip=flip), np.random.default_rng(0)
        mirrored = np.stack([labels_of(training.draw(config, labelled, rng))[1] for _ in range(200)])
        share, alike = mirrored.mean(), (mirrored == mirrored[:, :, :1, :1]).mean()
        with case(flip):
            assert share == 0 if flip == "none" else abs(share - 0.5) < 4 * np.sqrt(0.25 / 1600)
            assert alike == 1 if flip != "picture" else abs(alike - (1 / 14 + 13 / 28)) < 4 * np.sqrt(0.25 / 1600)


def test_a_cell_gives_rows_of_every_test_and_the_curve():
    rows = training.REGISTRY.run(agents.config("protonet", "quick", **TINY), "verified", seed=0)
    (learner,) = {(row["who"], row["kind"], row["inputs"], row["source"]) for row in rows}
    assert learner == ("ProtoNet", "model", "pixels", "cogkit, 32 px, α = 16, float32")
    accuracy = {row["task"]: row for row in rows if row["metric"] == "accuracy" and "/" not in row["task"]}
    assert set(accuracy) == {"train", *sets.TESTS} and all(row["n"] == 6 for row in accuracy.values())
    curve = [(row["metric"], row["n"]) for row in rows if row["task"] == "val"]
    assert curve == [(f"accuracy, step {step}", 6) for step in (1, 2, 3)]
