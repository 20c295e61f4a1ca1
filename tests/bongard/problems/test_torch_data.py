"""Problems as a PyTorch dataset: what is shown and asked, mirrored and kept."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader

from cogkit.bongard.logo import raster
from cogkit.bongard.problems import freeform
from cogkit.bongard.problems.torch_data import Problems
from cogkit.core.contracts import InputError

SIZE = 32


@pytest.fixture(scope="module")
def problems():
    return [freeform.problem(k, "as_published") for k in range(6)]


@pytest.fixture(scope="module")
def images(problems):
    """The pictures, one by one, (6, 2, 7, size, size)."""
    arrays = [[[raster.image(picture, SIZE) for picture in side] for side in problem.sides] for problem in problems]
    return np.array(arrays)


def grey(tensor) -> np.ndarray:
    return ((tensor.numpy() + 1) * 127.5).round().astype(np.uint8)


def test_six_of_each_side_are_shown_and_the_last_is_asked_about(problems, images):
    dataset = Problems(problems, SIZE)
    assert len(dataset) == 6
    for k, (support, query) in enumerate(dataset[k] for k in range(6)):
        assert support.shape == (2, 6, SIZE, SIZE) and query.shape == (2, SIZE, SIZE)
        assert support.dtype == query.dtype == torch.float32
        assert (grey(support) == images[k][:, :6]).all() and (grey(query) == images[k][:, 6]).all()
    with pytest.raises(IndexError):
        dataset[6]


def test_whole_numbers_and_an_array_of_pictures(problems, images):
    for source in (problems, images):
        support, query = Problems(source, SIZE, normalised=False)[2]
        assert support.dtype == query.dtype == torch.uint8
        assert (support.numpy() == images[2][:, :6]).all() and (query.numpy() == images[2][:, 6]).all()


def test_ink_is_minus_one_and_paper_is_one():
    black = np.zeros((1, 2, 7, SIZE, SIZE), np.uint8)
    black[..., 1] = 255
    for array in Problems(black)[0]:
        assert (array[..., 1] == 1).all() and (array[..., 0] == -1).all()


@pytest.mark.parametrize(
    "array", [np.zeros((2, 2, 7, 32, 32)), np.zeros((2, 7, 32, 32), np.uint8), np.zeros(3, np.uint8)]
)
def test_another_array_is_a_sentence(array):
    with pytest.raises(InputError, match=r"\(n, 2, 7, size, size\) of uint8"):
        Problems(array)


@pytest.mark.parametrize("option", [{"query": "first"}, {"flip": "each"}, {"size": 3}])
def test_another_option_is_a_sentence(problems, option):
    with pytest.raises(InputError):
        Problems(problems, **option)


def test_a_random_query_is_any_of_a_side_and_the_others_are_shown_in_order(problems, images):
    dataset = Problems(problems, SIZE, query="random", normalised=False)
    pairs = set()
    for epoch in range(40):
        dataset.epoch = epoch
        support, query = (tensor.numpy() for tensor in dataset[1])
        for side in (0, 1):
            (place,) = [k for k in range(7) if (images[1, side, k] == query[side]).all()]
            assert (support[side] == np.delete(images[1, side], place, axis=0)).all()
            pairs.add((side, place))
    assert len(pairs) == 14  # a missing one would be an accident of 14 × (6/7)⁴⁰ < 0.03, and the seed is fixed


def mirrored(found: np.ndarray, original: np.ndarray) -> np.ndarray:
    """Return which pictures are mirrored; each must be the original or its mirror image."""
    turned = (found == original[..., ::-1]).all(axis=(-2, -1))
    assert (turned | (found == original).all(axis=(-2, -1))).all() and not (original == original[..., ::-1]).all()
    return turned


@pytest.mark.parametrize(("flip", "together"), [("none", True), ("problem", True), ("picture", False)])
def test_pictures_are_mirrored_together_or_each_on_its_own(problems, images, flip, together):
    dataset, turned = Problems(problems, SIZE, flip=flip, normalised=False), []
    for epoch in range(30):
        dataset.epoch = epoch
        support, query = (tensor.numpy() for tensor in dataset[3])
        sides = np.concatenate([support, query[:, None]], axis=1)
        turned.append(mirrored(sides, images[3]))
    turned = np.array(turned)
    assert (turned == turned[:, :1, :1]).all() == together
    share = turned.mean()
    assert share == 0 if flip == "none" else 0.1 < share < 0.9
    assert (dataset.pictures(3) == images[3]).all()  # what is kept is not mirrored


def test_lots_depend_on_seed_epoch_and_item_alone(problems):
    def items(seed: int, epoch: int) -> torch.Tensor:
        dataset = Problems(problems, SIZE, query="random", flip="picture", seed=seed)
        dataset.epoch = epoch
        return torch.stack([dataset[k][1] for k in (5, 0, 3)])

    first = items(1, 2)
    assert torch.equal(first, items(1, 2))
    assert not torch.equal(first, items(1, 3)) and not torch.equal(first, items(2, 2))


@pytest.fixture
def drawn(monkeypatch):
    """The pictures that were drawn in this process, counted."""
    counts, draw = [], raster.images
    monkeypatch.setattr(raster, "images", lambda pictures, size: counts.append(len(pictures)) or draw(pictures, size))
    return counts


def test_a_picture_is_drawn_once(problems, drawn):
    dataset = Problems(problems, SIZE)
    for _ in range(3):
        dataset[0], dataset[-1]
    assert drawn == [14, 14]


def test_no_more_is_kept_than_memory_allows(problems, images, drawn):
    dataset = Problems(problems, SIZE, memory=int(2.5 * 14 * SIZE * SIZE))
    for _ in range(2):
        assert all((dataset.pictures(k) == images[k]).all() for k in range(6))
    assert len(drawn) == 6 + 4


def test_workers_give_the_same_items_and_keep_what_they_draw_for_all(problems, images, drawn):
    dataset = Problems(problems, SIZE, query="random", flip="problem", seed=4)
    alone = list(DataLoader(Problems(problems, SIZE, query="random", flip="problem", seed=4), batch_size=2))
    del drawn[:]
    loader = DataLoader(dataset, batch_size=2, num_workers=2, multiprocessing_context="fork")
    for (support, query), (examples, question) in zip(loader, alone, strict=True):
        assert (
            support.shape == (2, 2, 6, SIZE, SIZE) and torch.equal(support, examples) and torch.equal(query, question)
        )
    assert all((dataset.pictures(k) == images[k]).all() for k in range(6)) and drawn == []


def test_a_dataset_travels_without_its_pictures(problems, images):
    dataset = Problems(problems, SIZE, query="random", seed=3)
    dataset.epoch = 2
    support, query = dataset[4]
    data = pickle.dumps(dataset)
    assert len(data) < 14 * SIZE * SIZE * 6
    again = pickle.loads(data)
    assert all(torch.equal(tensor, original) for tensor, original in zip(again[4], (support, query), strict=True))
