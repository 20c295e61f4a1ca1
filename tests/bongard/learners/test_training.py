"""Training of the agents: what a step draws, what is learnt and kept, exact resuming, and the rows a cell gives."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from cogkit.app import experiments
from cogkit.bongard import instrument
from cogkit.bongard.learners import agents, models, training
from cogkit.bongard.learners.heads.anil import ANIL
from cogkit.bongard.learners.heads.nearest_mean import MetaBaseline, ProtoNet
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.packed import Packed
from cogkit.bongard.problems.records import FLIPS
from cogkit.core.contracts import Cell, InputError
from cogkit.data import results
from cogkit.learning import run

SIZE = 32


def blots(n: int, seed: int = 0) -> np.ndarray:
    """Return pictures of n problems: a lying bar somewhere on the positives, a standing one on the negatives."""
    rng = np.random.default_rng(seed)
    images = np.full((n, 2, 7, SIZE, SIZE), 255, np.uint8)
    for index in np.ndindex(n, 2, 7):
        row, column = rng.integers(2, 14, 2)
        bar = images[index] if index[1] == 0 else images[index].T
        bar[row : row + 3, column : column + 16] = 0
    return images


def small(agent: str, **changes) -> agents.AgentConfig:
    """Return a config of a run that takes a second or two."""
    return agents.config(agent, "quick", **{"size": SIZE, "steps": 6, "looks": 3, "batch": 3, **changes})


def weights_for(config: agents.AgentConfig) -> dict[str, torch.Tensor] | None:
    torch.manual_seed(5)
    return models.build(config).backbone.state_dict() if config.pretrained else None


def fit(config: agents.AgentConfig, seed: int = 0, n: int = 9, **options):
    return training.fit(config, seed, blots(n), blots(4, 1), weights_for(config), **options)


@pytest.mark.parametrize("agent", agents.NAMES)
def test_a_run_taken_up_again_is_the_same_bit_for_bit(agent, tmp_path):
    config = small(agent)
    straight = run(fit(config, 2))
    first = fit(config, 2, checkpoint=tmp_path / "run")
    first.steps = 3
    run(first)
    again = run(fit(config, 2, checkpoint=tmp_path / "run"))
    foreign = run(fit(config, 3))
    for module in ("network", "best"):
        expected, weights, other = (result.state.modules[module].state_dict() for result in (straight, again, foreign))
        assert all(torch.equal(weights[name], value) for name, value in expected.items())
        assert not all(torch.equal(other[name], value) for name, value in expected.items())
    assert again.log.equals(straight.log) and again.steps == 6


def test_looking_on_does_not_change_what_is_learnt():
    config = small("set-transformer")
    seen, unseen = run(fit(config, evaluate_every=1, log_every=1)), run(fit(config, evaluate=None, log_every=1))
    assert list(seen.log) == ["step", "loss", "accuracy", "validation"] and list(unseen.log) == [
        "step",
        "loss",
        "accuracy",
    ]
    assert (seen.log.loss == unseen.log.loss).all()


@pytest.mark.parametrize("agent", ["protonet", "cnn"])
def test_the_published_optimiser_trains_as_well(agent):
    config = small(agent, optimiser="sgd", schedule="constant", learning_rate=1e-3, weight_decay=5e-4, asked="one")
    fresh = models.build(config).state_dict()
    done = run(fit(config)).state.modules["network"].state_dict()
    assert done.keys() == fresh.keys() and all(value.isfinite().all() for value in done.values())


def test_it_learns_what_can_be_seen():
    config = small("meta-baseline-sc", steps=60, batch=8, learning_rate=1e-2, looks=2)
    agent = training.to_agent(run(fit(config, n=60)))
    assert training.accuracy(agent, blots(50, 7)) > 0.95


def test_the_weights_of_the_best_look_are_kept(monkeypatch):
    shares = iter([0.4, 0.9, 0.9, 0.3])
    monkeypatch.setattr(training, "accuracy", lambda agent, pictures: next(shares))
    config = small("protonet", steps=4, looks=4)
    running, copies = fit(config), []
    for steps in (1, 2, 3, 4):
        running.steps = steps
        state = run(running).state
        copies.append({name: value.clone() for name, value in state.modules["network"].state_dict().items()})
    weights = training.to_agent(running.result).network.state_dict()
    assert state.scalars["best"] == 0.9 and list(running.result.log.validation) == [0.4, 0.9, 0.9, 0.3]
    assert all(torch.equal(weights[name], value.half().float()) for name, value in copies[1].items())
    unseen = run(fit(config, evaluate=None))
    last = training.to_agent(unseen).network.state_dict()
    assert all(torch.equal(last[name], value.half().float()) for name, value in copies[3].items())


# what a step draws


def labelled(n: int) -> np.ndarray:
    """Return pictures whose first row says problem, side and place, left to right."""
    images = np.zeros((n, 2, 7, SIZE, SIZE), np.uint8)
    for problem, side, place in np.ndindex(n, 2, 7):
        images[problem, side, place, 0, :3] = problem, side, place
    return images


def said(pictures: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what drawn pictures say, and which are mirrored."""
    mirrored = pictures[..., 0, 0] + pictures[..., 0, 1] + pictures[..., 0, 2] == 0
    return np.where(mirrored[..., None], pictures[..., 0, :-4:-1], pictures[..., 0, :3]), mirrored


def test_a_batch_holds_no_problem_twice_and_all_of_each():
    config, rng = agents.config("protonet", "paper", size=SIZE, flip="none"), np.random.default_rng(0)
    counts, last, order = np.zeros(12), np.zeros((2, 7)), []
    for _ in range(400):
        batch = training.draw(config, labelled(13)[1:], rng)
        labels, mirrored = said(batch)
        assert batch.shape == (8, 2, 7, SIZE, SIZE) and not mirrored.any()
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


@pytest.mark.parametrize("flip", FLIPS)
def test_pictures_are_mirrored_as_the_config_says(flip):
    config, rng = agents.config("protonet", "paper", size=SIZE, flip=flip), np.random.default_rng(0)
    mirrored = np.stack([said(training.draw(config, labelled(13)[1:], rng))[1] for _ in range(200)])
    share, alike = mirrored.mean(), (mirrored == mirrored[:, :, :1, :1]).mean()
    assert share == 0 if flip == "none" else abs(share - 0.5) < 4 * np.sqrt(0.25 / 1600)
    assert alike == 1 if flip != "picture" else abs(alike - (1 / 14 + 13 / 28)) < 4 * np.sqrt(0.25 / 1600)


def test_pictures_are_turned_one_by_one_if_the_config_says_so():
    config, rng = agents.config("protonet", "paper", size=SIZE, flip="none", turn="picture"), np.random.default_rng(0)
    corner = np.full((9, 2, 7, SIZE, SIZE), 255, np.uint8)
    corner[..., :4, :8] = 0  # a bar at the upper left, which tells four turns and their mirror images apart
    quarters = {np.rot90(corner[0, 0, 0], turns).tobytes(): turns for turns in range(4)}
    draws = [training.draw(config, corner, rng).reshape(-1, SIZE, SIZE) for _ in range(20)]
    turns = np.array([quarters[picture.tobytes()] for picture in np.concatenate(draws)])
    counts, n = np.bincount(turns), len(turns)
    assert len(counts) == 4 and np.abs(counts - n / 4).max() < 4 * np.sqrt(n * 3 / 16)
    assert abs((turns[1:] == turns[:-1]).mean() - 1 / 4) < 4 * np.sqrt(3 / 16 / (n - 1))  # each on its own
    windows = np.stack([corner, np.full_like(corner, 255)], axis=3)
    turned = training.draw(agents.config("protonet", "paper", size=SIZE, turn="picture", shown="shapes"), windows, rng)
    assert turned.shape == (8, 2, 7, 2, SIZE, SIZE) and (turned[:, :, :, 1] == 255).all()


@pytest.mark.parametrize("asked", ["one", "all"])
def test_the_loss_is_that_of_the_queries_asked(asked):
    config = small("meta-baseline-sc", asked=asked, crowd=0.0, steps=1, flip="none", batch=4)
    pictures = blots(4)
    done = run(training.fit(config, 3, pictures, log_every=1))
    fresh = training.fit(config, 3, pictures)
    batch = training.draw(config, pictures, fresh.result.state.rng)
    with torch.no_grad():
        network = fresh.result.state.modules["network"].train()
        features = network.backbone(torch.from_numpy(batch).flatten(0, 2).float()[:, None] / 127.5 - 1)
    features, terms, right = features.double().numpy().reshape(4, 2, 7, 128), [], []
    for problem, query, side in np.ndindex(4, 7, 2):
        if asked == "one" and query != 6:
            continue
        means = [np.delete(features[problem, group], query, axis=0).mean(axis=0) for group in range(2)]
        vector = features[problem, side, query]
        logits = [10 * vector @ mean / np.sqrt(vector @ vector * (mean @ mean)) for mean in means]
        terms.append(np.log(np.exp(logits).sum()) - logits[side])
        right.append(logits[side] > logits[1 - side])
    assert done.log.loss[0] == pytest.approx(np.mean(terms), rel=1e-4)
    assert done.log.accuracy[0] == pytest.approx(np.mean(right))


@pytest.mark.parametrize("head", [ProtoNet(0.3), MetaBaseline(4.0), ANIL()])
def test_the_crowd_is_told_apart_by_what_the_head_measures(head):
    features = np.random.default_rng(0).normal(size=(5, 7, 12)) + np.random.default_rng(1).normal(size=(5, 1, 12))
    terms = []
    for problem, place in np.ndindex(5, 7):
        means = features.mean(axis=1)
        means[problem] = np.delete(features[problem], place, axis=0).mean(axis=0)
        vector = features[problem, place]
        cosines = means @ vector / np.linalg.norm(vector) / np.linalg.norm(means, axis=1)
        distances = ((means - vector) ** 2).sum(axis=1)
        logits = {ProtoNet: -0.3 * distances, MetaBaseline: 4 * cosines, ANIL: 10 * cosines}[type(head)]
        terms.append(np.log(np.exp(logits).sum()) - logits[problem])
    loss = training.crowd_loss(torch.from_numpy(features), head.double().nearness)
    assert loss.item() == pytest.approx(np.mean(terms))


# packed pictures


def test_packed_pictures_train_as_the_pictures_do():
    pictures = np.random.default_rng(0).integers(0, 256, (6, 2, 7, SIZE, SIZE), np.uint8)
    config = small("protonet", steps=2)
    logs = [run(training.fit(config, 0, data, data)).log for data in (pictures, Packed.of(pictures))]
    assert logs[0].equals(logs[1])


# cells


TINY = {"size": SIZE, "steps": 3, "looks": 3, "problems": 12, "validated": 5, "tested": 8, "batch": 4}


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_a_cell_gives_rows_of_every_test_and_the_curve(profile):
    rows = training.LIFE.run(agents.config("protonet", "quick", **TINY), profile, seed=0)
    assert {(row["who"], row["kind"], row["inputs"], row["source"]) for row in rows} == {
        ("ProtoNet", "model", "pixels", "cogkit, 32 px, α = 16, float32")
    }
    accuracy = {row["task"]: row for row in rows if row["metric"] == "accuracy" and "/" not in row["task"]}
    assert set(accuracy) == {"train", *sets.TESTS} and all(row["n"] == 16 for row in accuracy.values())
    curve = [row for row in rows if row["task"] == "val"]
    assert [row["metric"] for row in curve] == [f"accuracy, step {step}" for step in (1, 2, 3)]
    assert all(row["n"] == 10 for row in curve)


def test_the_ablation_is_free_form_alone():
    rows = training.LIFE.run(agents.config("cnn", "quick", set="free-form", **TINY), "verified", seed=0)
    assert {row["task"] for row in rows if row["metric"] == "accuracy"} >= {
        f"{sets.ABLATION}/train", f"{sets.ABLATION}/FF"
    }  # fmt: skip
    assert all(row["task"].startswith(sets.ABLATION) for row in rows)


def test_who_learnt_sectors_alone_takes_all_tests():
    rows = training.LIFE.run(agents.config("protonet", "quick", set="sectors", **TINY), "verified", seed=0)
    accuracy = {row["task"] for row in rows if row["metric"] == "accuracy"}
    assert {task for task in accuracy if task.count("/") == 0} == set(sets.TESTS)
    assert f"{sets.SECTORS}/train" in accuracy and "train" not in accuracy
    assert {row["task"] for row in rows if "step" in row["metric"]} == {f"{sets.SECTORS}/val"}


@pytest.mark.parametrize("agent", agents.PRETRAINED)
def test_a_backbone_is_trained_before(agent, monkeypatch):
    calls, real = [], training.pretraining.backbone

    def backbone(config, seed, images, pictures, validation):
        calls.append((config, images.shape, len(pictures), validation[0].shape, len(validation[1])))
        return real(config, seed, images, pictures, validation)

    monkeypatch.setattr(training.pretraining, "backbone", backbone)
    brief = {"size": SIZE, "reduction": 16, "half": False, "steps": 3, "batch": 8}
    config = agents.config(
        agent, "quick", **TINY | {"problems": 20},
        pretrained=agents.pretrained.config(agents.PRETRAINED[agent], "quick", **brief),
    )  # fmt: skip
    assert len(training.LIFE.run(config, "verified", seed=0)) > 5
    assert calls == [(config.pretrained, (280, SIZE, SIZE), 280, (70, SIZE, SIZE), 70)]


def test_weights_of_the_backbone_are_those_given():
    config = small("meta-baseline-moco", learning_rate=0.0)
    weights = weights_for(config)
    state = fit(config).result.state
    for name, value in weights.items():
        assert torch.equal(state.modules["network"].backbone.state_dict()[name], value)


def test_what_is_shipped_is_what_was_told(tmp_path):
    config = agents.config("protonet", "quick", **TINY)
    cell = Cell("bongard/protonet/all", instrument.agent, {"quick": config}, instrument.keep)
    path, result = experiments.ship(cell, [1], preset="quick", folder=tmp_path)
    agent = training.read(path)
    assert path == tmp_path / "protonet-all-quick-s1.safetensors" and result.parent == tmp_path / cell.id
    assert agent.manifest.cell == "bongard/protonet/all" and agent.manifest.seed == 1 and len(agent.log) == 3
    again = {row["task"]: row["value"] for row in training.assess(agent, "verified", 1)}
    table = results.load(tmp_path)
    assert set(table.task) >= set(again) and (table.seed == 1).all()
    for row in table[table.metric == "accuracy"].to_dict("records"):
        assert row["value"] == pytest.approx(again[row["task"]], rel=1e-9)  # stored to ten digits


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: fit(small("protonet", size=64)),
            r"uint8 \(n, 2, 7, 64, 64\), 3 problems or more, got .*\(9, 2, 7, 32",
        ),
        (lambda: fit(small("protonet"), n=2), r"3 problems or more, got pictures of uint8 \(2,"),
        (lambda: training.fit(small("protonet"), 0, blots(4) / 2), "got pictures of float64"),
        (lambda: training.fit(small("protonet"), 0, blots(4), blots(4)[:0]), "1 problems or more"),
        (lambda: training.fit(small("meta-baseline-ps"), 0, blots(4)), "Meta-Baseline-PS without weights"),
        (lambda: training.fit(small("anil"), 0, blots(4), weights={}), "ANIL with weights"),
    ],
)
def test_what_cannot_be_trained_on_is_one_sentence(make, said):
    with pytest.raises(InputError, match=said):
        make()
