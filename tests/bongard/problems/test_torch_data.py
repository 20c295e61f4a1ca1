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
from cogkit.core.errors import InputError

SIZE = 32


@pytest.fixture(scope="module")
def problems():
    return [freeform.problem(k, "as_published") for k in range(6)]


@pytest.fixture(scope="module")
def images(problems):
    """The pictures, one by one, (6, 2, 7, size, size)."""
    arrays = [[[raster.image(picture, SIZE) for picture in side] for side in problem.sides] for problem in problems]
    return np.array(arrays)


def epochs(dataset: Problems, item: int, n: int):
    """Yield what is shown and asked of an item in n epochs."""
    for dataset.epoch in range(n):
        yield tuple(tensor.numpy() for tensor in dataset[item])


def test_six_of_each_side_are_shown_and_the_last_is_asked_about(problems, images):
    dataset = Problems(problems, SIZE)
    assert len(dataset) == 6
    for k, tensors in enumerate(dataset[k] for k in range(6)):
        support, query = (((tensor.numpy() + 1) * 127.5).round().astype(np.uint8) for tensor in tensors)
        assert tensors[0].dtype == tensors[1].dtype == torch.float32
        assert (support == images[k][:, :6]).all() and (query == images[k][:, 6]).all()
    with pytest.raises(IndexError):
        dataset[6]
    for source in (problems, images):
        support, query = Problems(source, SIZE, normalised=False)[2]
        assert support.dtype == query.dtype == torch.uint8
        assert (support.numpy() == images[2][:, :6]).all() and (query.numpy() == images[2][:, 6]).all()


def test_another_array_or_option_is_a_sentence(problems):
    with pytest.raises(InputError, match=r"\(n, 2, 7, size, size\) of uint8"):
        Problems(np.zeros((2, 2, 7, 32, 32)))
    with pytest.raises(InputError):
        Problems(problems, flip="each")


def test_a_random_query_is_any_of_a_side_and_the_others_are_shown_in_order(problems, images):
    pairs = set()
    for support, query in epochs(Problems(problems, SIZE, query="random", normalised=False), 1, 40):
        for side in (0, 1):
            (place,) = [k for k in range(7) if (images[1, side, k] == query[side]).all()]
            assert (support[side] == np.delete(images[1, side], place, axis=0)).all()
            pairs.add((side, place))
    assert len(pairs) == 14  # a missing one would be an accident of 14 × (6/7)⁴⁰ < 0.03, and the seed is fixed


@pytest.mark.parametrize(("flip", "together"), [("none", True), ("problem", True), ("picture", False)])
def test_pictures_are_mirrored_together_or_each_on_its_own(problems, images, flip, together):
    dataset, turned, n = Problems(problems, SIZE, flip=flip, normalised=False), [], 30
    for support, query in epochs(dataset, 3, n):
        sides = np.concatenate([support, query[:, None]], axis=1)
        mirrored = (sides == images[3][..., ::-1]).all(axis=(-2, -1))
        assert (mirrored | (sides == images[3]).all(axis=(-2, -1))).all()
        turned.append(mirrored)
    turned = np.array(turned)
    assert (turned == turned[:, :1, :1]).all() == together
    draws = n if together else 14 * n
    assert not turned.any() if flip == "none" else abs(turned.mean() - 0.5) <= 4 * 0.5 / draws**0.5
    assert (dataset.pictures(3) == images[3]).all()  # what is kept is not mirrored


def test_lots_depend_on_seed_epoch_and_item_alone(problems):
    def items(seed: int, epoch: int) -> torch.Tensor:
        dataset = Problems(problems, SIZE, query="random", flip="picture", seed=seed)
        dataset.epoch = epoch
        return torch.stack([dataset[k][1] for k in (5, 0, 3)])

    first = items(1, 2)
    assert torch.equal(first, items(1, 2))
    assert not torch.equal(first, items(1, 3)) and not torch.equal(first, items(2, 2))


def test_a_picture_is_drawn_once_and_no_more_is_kept_than_memory_allows(problems, images, drawn):
    dataset = Problems(problems, SIZE)
    for _ in range(3):
        dataset[0], dataset[-1]
    assert drawn == [14, 14]
    few = Problems(problems, SIZE, memory=int(2.5 * 14 * SIZE * SIZE))
    for _ in range(2):
        assert all((few.pictures(k) == images[k]).all() for k in range(6))
    assert len(drawn) == 2 + 6 + 4


def test_workers_give_the_same_items_and_keep_what_they_draw_for_all(problems, images, drawn):
    options = {"query": "random", "flip": "problem", "seed": 4}
    alone = list(DataLoader(Problems(problems, SIZE, **options), batch_size=2))
    del drawn[:]
    dataset = Problems(problems, SIZE, **options)
    loader = DataLoader(dataset, batch_size=2, num_workers=2, multiprocessing_context="fork")
    for batch, expected in zip(loader, alone, strict=True):
        assert batch[0].shape == (2, 2, 6, SIZE, SIZE) and all(map(torch.equal, batch, expected))
    assert all((dataset.pictures(k) == images[k]).all() for k in range(6)) and drawn == []


def test_a_dataset_travels_without_its_pictures(problems):
    dataset = Problems(problems, SIZE, query="random", seed=3)
    dataset.epoch = 2
    before = dataset[4]
    data = pickle.dumps(dataset)
    assert len(data) < 14 * SIZE * SIZE * 6
    assert all(map(torch.equal, pickle.loads(data)[4], before))
