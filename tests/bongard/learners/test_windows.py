"""Windows of shapes, and agents that see shapes in windows in place of whole pictures."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from PIL import Image

from cogkit.bongard import scoring
from cogkit.bongard.learners import agents, models, pretrained, pretraining, training
from cogkit.bongard.learners.networks.backbone import Parted, ResNet15
from cogkit.bongard.learners.windows import cut, shapes_of, windows
from cogkit.bongard.logo import raster
from cogkit.bongard.problems import records, rendering, sets
from cogkit.core.contracts import InputError
from cogkit.learning import run

pytestmark = pytest.mark.usefixtures("one_thread")
SIZE = 64
BLANK = 255


@pytest.fixture(scope="module")
def problems():
    return [problem for task in ("FF", "BA", "CM") for problem in sets.problems(task, 3, source="catalogue")]


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COGKIT_HOME", str(tmp_path))
    return tmp_path


def small(agent: str, **changes) -> agents.AgentConfig:
    return agents.config(agent, "quick", size=32, shown="shapes", **changes)


def cut_alone(problems: list, size: int) -> np.ndarray:
    """Return the windows of problems without a disk."""
    return cut(raster.images(records.pictures(problems), 512), size).reshape(len(problems), 2, 7, 2, size, size)


def learner(agent: str) -> models.Agent:
    """Return an untrained agent whose answers differ, since its normalisation has seen pictures."""
    torch.manual_seed(0)
    network = models.build(small(agent))
    norms = [part for part in network.modules() if isinstance(part, torch.nn.BatchNorm2d)]
    for part in norms:
        part.momentum = 1.0
    with torch.no_grad():
        channels = 14 if agent == "cnn" else 2  # fourteen windows of seven pictures
        network.backbone(torch.rand(40, channels, 32, 32) * 2 - 1)
        (network.backbone if agent == "cnn" else network.backbone.whole).out.weight.mul_(0.02)
    return models.Agent(network.eval(), small(agent))


def test_a_window_is_the_part_of_the_picture_that_it_says():
    ink = np.full((1, 512, 512), 255, np.uint8)
    ink[0, 60:120, 300:330] = 40
    ink[0, 400:403, 20:110] = 90
    found = windows(ink, SIZE)
    assert found.owners.tolist() == [0, 0]
    for pixels, corner, side, value in zip(
        found.pixels, found.corners.astype(int), found.sides.astype(int), (40, 90), strict=True
    ):
        padded = np.pad(ink[0], side, constant_values=255)
        part = padded[corner[1] + side : corner[1] + 2 * side, corner[0] + side : corner[0] + 2 * side]
        assert abs((part < 255).mean() - (pixels < 200).mean()) < 0.06
        assert abs(part.astype(float).mean() - pixels.mean()) < 4 and abs(int(pixels.min()) - value) < 10


def test_ink_of_the_other_shape_stays_out():
    ink = np.full((1, 512, 512), 255, np.uint8)
    ink[0, 100:300, 100:104] = ink[0, 296:300, 100:300] = 0  # an angle
    ink[0, 150:200, 200:250] = 0  # and a block in the middle of its window
    angle, block = windows(ink, 100).pixels
    assert (angle[5:90, 20:] > 250).all() and (block[10:88, 10:88] < 20).all()


def test_paper_has_no_windows_and_other_pictures_are_refused():
    found = windows(np.full((2, 512, 512), 255, np.uint8), SIZE)
    assert len(found) == 0 and found.pixels.shape == (0, SIZE, SIZE)
    with pytest.raises(InputError, match=r"uint8 \(n, 512, 512\).*\(2, 64, 64\)"):
        windows(np.zeros((2, 64, 64), np.uint8), SIZE)


def test_pictures_are_cut_into_their_windows_and_spare_ones_are_blank(problems):
    pictures = raster.images(records.pictures(problems[:4]), 512)
    shapes, found = cut(pictures.reshape(4, 2, 7, 512, 512)), windows(pictures, 160)
    assert shapes.shape == (4, 2, 7, 2, 160, 160) and shapes.dtype == np.uint8
    flat = shapes.reshape(-1, 2, 160, 160)
    for picture, both in enumerate(flat):
        own = found.pixels[found.owners == picture]
        assert 1 <= len(own) <= 2 and np.array_equal(both[: len(own)], own) and (both[len(own) :] == BLANK).all()
    assert cut(pictures[:0], SIZE).shape == (0, 2, SIZE, SIZE)


@pytest.mark.parametrize("size", [32, 40, 80])
def test_smaller_windows_are_means_of_the_largest(problems, size):
    """Pillow's triangle filter in two passes is the same mean, but for rounding between them."""
    pictures = raster.images(records.pictures(problems[:1]), 512)
    for small, large in zip(
        cut(pictures, size).reshape(-1, size, size), cut(pictures).reshape(-1, 160, 160), strict=True
    ):
        expected = Image.fromarray(large).resize((size, size), Image.Resampling.BILINEAR)
        assert np.abs(small.astype(int) - np.asarray(expected)).max() <= 1


def test_shapes_of_problems_are_cut_once_and_kept(problems, home, monkeypatch):
    expected = cut_alone(problems, SIZE)
    shapes = shapes_of(problems, SIZE)
    assert shapes.shape == expected.shape and np.array_equal(shapes[:], expected)
    monkeypatch.setattr(raster, "images", lambda *_: pytest.fail("drawn again"))
    assert np.array_equal(shapes_of(problems, SIZE)[[2, 1]], expected[[2, 1]])
    assert shapes_of(problems, 32).shape == (len(problems), 2, 7, 2, 32, 32)
    paths = [*(home / "rendered").iterdir()]
    assert len(paths) == 3  # at both sizes asked for, and at the largest, from which they are made
    for path in paths:
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    monkeypatch.undo()
    monkeypatch.setenv("COGKIT_HOME", str(home))
    assert np.array_equal(shapes_of(problems, SIZE)[:], expected)  # a spoilt file is made anew


def test_processes_cut_many_problems_and_hand_them_over_on_the_disk(problems, tmp_path, monkeypatch):
    monkeypatch.setattr(rendering, "_A_TASK", 4)
    found = []
    for jobs in (1, 2):
        monkeypatch.setenv("COGKIT_HOME", str(tmp_path / str(jobs)))
        found.append(shapes_of(problems, 32, jobs))
        assert len([*(tmp_path / str(jobs) / "rendered").iterdir()]) == 4  # four problems, four, one, and all at 32 px
    assert np.array_equal(found[0][:], found[1][:])
    expected = cut_alone(problems, 48)
    monkeypatch.setattr(raster, "images", lambda *_: pytest.fail("drawn again"))
    assert np.array_equal(shapes_of(problems, 48)[:], expected)  # from the largest, which are there


def test_other_code_that_cuts_cuts_again(problems, home, monkeypatch):
    shapes_of(problems[:1], 32)
    monkeypatch.setattr(rendering, "code_of", lambda folder, *_: f"another code of {folder}")
    shapes_of(problems[:1], 32)
    assert len([*(home / "rendered").iterdir()]) == 4


def test_features_of_a_picture_are_the_sum_over_its_shapes():
    torch.manual_seed(0)
    whole = ResNet15(reduction=16).eval()
    shapes = torch.rand(5, 2, 32, 32) * 2 - 1
    shapes[1, 1] = shapes[2, 0] = shapes[4] = 1.0  # spare
    shapes[3, 1] = 0.4  # spare too, in another light
    with torch.no_grad():
        each = [whole(shapes[picture, place][None, None])[0] for picture, place in [(0, 0), (0, 1), (1, 0), (2, 1)]]
        (fourth,) = whole(shapes[3, 0][None, None])
        expected = torch.stack([each[0] + each[1], each[2], each[3], fourth, torch.zeros(128)])
        torch.testing.assert_close(Parted(whole)(shapes), expected, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("agent", agents.NAMES)
def test_an_agent_answers_pictures_and_their_windows_alike(agent, problems, home):
    model = learner(agent)
    assert model.size == 512 and model.input_shape == (2, 32, 32)
    plainly = scoring.judge(model, problems[:4], seed=1)
    shapes = model.shown(problems[:4])
    cut_before = scoring.judge(model, problems[:4], seed=1, images=shapes)
    np.testing.assert_allclose(plainly.chance, cut_before.chance, atol=1e-5)
    assert plainly.chance.std() > 1e-6
    np.testing.assert_allclose(np.sort(model.chances(shapes[:]).ravel()), np.sort(plainly.chance.ravel()), atol=1e-4)
    with pytest.raises(InputError, match=r"images of shape \(4, 2, 7, 2, 16, 16\)"):
        scoring.judge(model, problems[:4], images=np.zeros((4, 2, 7, 2, 16, 16), np.uint8))


def test_features_are_those_of_shapes(problems, home):
    model = learner("protonet")
    pictures = raster.images(records.pictures(problems[:1]), 512)
    np.testing.assert_allclose(model.features(pictures), model.features(cut(pictures, 32)), atol=1e-5)
    assert model.features(pictures).shape == (14, 128)


@pytest.mark.parametrize("agent", ["protonet", "snail", "cnn"])
def test_packed_windows_train_as_plain_ones_do_and_whole_pictures_are_refused(agent, problems, home):
    config = small(agent, batch=3, steps=3)
    shapes = shapes_of(problems, 32)
    weights = [
        run(training.fit(config, 0, given)).state.modules["network"].state_dict() for given in (shapes, shapes[:])
    ]
    assert all(torch.equal(value, weights[1][name]) for name, value in weights[0].items())
    with pytest.raises(InputError, match=r"\(n, 2, 7, 2, 32, 32\)"):
        training.fit(config, 0, np.zeros((9, 2, 7, 32, 32), np.uint8))


def test_it_learns_what_can_be_seen_in_shapes(home):
    """Positives have a bar that lies, negatives one that stands, each beside a block."""
    rng = np.random.default_rng(0)
    shapes = np.full((24, 2, 7, 2, 32, 32), BLANK, np.uint8)
    for place in np.ndindex(24, 2, 7):
        at, which = rng.integers(4, 24), rng.integers(2)
        bar = shapes[place][which] if place[1] else shapes[place][which].T
        bar[4:28, at : at + 4] = 0
        shapes[place][1 - which][8:24, 8:24] = 0
    config = small("protonet", batch=8, steps=60, looks=1, flip="none")
    log = run(training.fit(config, 0, shapes, log_every=1)).log
    assert log.accuracy.tail(10).mean() > 0.95


@pytest.mark.parametrize("agent", [name for name in agents.NAMES if name not in agents.PRETRAINED])
def test_every_kind_fits_ten_problems(agent, home):
    """With the optimiser of `lab`. CNN-Baseline gets more width and time: its first layer sees fourteen windows.

    Set Transformer gets more time too: after 60 steps it has not always the same answers without dropout.
    """
    lab = agents.config(agent, "lab")
    own = {name: getattr(lab, name) for name in ("optimiser", "learning_rate", "weight_decay", *agents.of_head(lab))}
    own |= {"reduction": 4, "steps": 200} if agent == "cnn" else {"steps": {"set-transformer": 100}.get(agent, 60)}
    shapes = shapes_of(sets.problems("train", 10, source="catalogue"), 32)
    result = run(training.fit(small(agent, batch=10, flip="none", **own), 0, shapes, log_every=5))
    assert result.log.accuracy.tail(4).mean() >= 0.9
    assert training.accuracy(training.to_agent(result), shapes) >= 0.9


@pytest.mark.parametrize("name", ["moco", "synthesis"])
def test_backbones_are_trained_before_on_windows(name, problems, home):
    own = {"queue": 16} if name == "moco" else {}
    config = pretrained.config(name, "quick", size=32, steps=2, batch=8, looks=1, **own)
    shapes, pictures = shapes_of(problems, 32), records.pictures(problems)
    weights = pretraining.backbone(config, 0, shapes.flat, pictures, (shapes.flat[:20], pictures[:20]))
    agent = {"moco": "meta-baseline-moco", "synthesis": "meta-baseline-ps"}[name]
    network = models.build(small(agent, pretrained=config))
    assert weights.keys() == network.backbone.state_dict().keys()
    fit = training.fit(small(agent, pretrained=config, steps=1, batch=2), 0, shapes, weights=weights)
    assert run(fit).log.loss.notna().all()
