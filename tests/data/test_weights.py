"""Files of trained weights: written whole, read back exactly, refused in one sentence when they are not right."""

from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pytest
from safetensors.numpy import save

from cogkit.core.errors import InputError
from cogkit.data import weights
from cogkit.data.results import manifest

MADE = manifest("tiles/lstm/copy/abstract", {"units": 3}, "verified", "quick", 4, 2.5)
ARRAYS = {
    "a.weight": np.arange(6, dtype=np.float16).reshape(2, 3).T,
    "b": np.array([1.5, -2.0], np.float32),
    "c": np.array(0.5, np.float16),
}


def test_written_is_read_again(tmp_path):
    path = weights.write(tmp_path / "there" / "net.safetensors", ARRAYS, MADE)
    arrays, metadata = weights.read(path, "a network")
    assert arrays.keys() == ARRAYS.keys() and metadata == MADE
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype and (arrays[name] == array).all() and arrays[name].shape == array.shape
    assert [entry.name for entry in path.parent.iterdir()] == ["net.safetensors"]
    weights.fit(path, arrays, {"a.weight": (3, 2), "b": (2,), "c": ()}, "a network")


def test_a_failed_write_leaves_the_file_before(tmp_path):
    path = weights.write(tmp_path / "net.safetensors", ARRAYS, MADE)
    content = path.read_bytes()
    with pytest.raises(TypeError):
        weights.write(path, ARRAYS, dataclasses.replace(MADE, config={"no": object()}))
    assert path.read_bytes() == content and [entry.name for entry in tmp_path.iterdir()] == ["net.safetensors"]


def test_a_file_that_is_not_right_is_one_sentence_and_a_pickle_is_not_opened(tmp_path):
    class Trap:
        def __reduce__(self):
            return (tmp_path.joinpath("sprung").touch, ())

    path = weights.write(tmp_path / "net.safetensors", ARRAYS, MADE)
    content = path.read_bytes()
    nans = weights.write(path, ARRAYS | {"b": np.array([np.nan])}, MADE).read_bytes()
    others = nans, pickle.dumps(Trap()), b"text\n" * 90, b"\xff" * 8 + b"{}", save({"w": np.zeros(3)})
    for spoilt in (*others, *(content[:length] for length in range(0, len(content), 37))):
        path.write_bytes(spoilt)
        with pytest.raises(InputError, match="^wanted a safetensors file of a network, got .*net.safetensors"):
            weights.read(path, "a network")
    assert not (tmp_path / "sprung").exists()
    for missing in (tmp_path, tmp_path / "missing.safetensors"):
        with pytest.raises(InputError, match=f"^wanted a safetensors file of a network, got .*{missing.name}"):
            weights.read(missing, "a network")


def test_another_network_is_told_apart(tmp_path):
    fewer, path = {"a.weight": (3, 2)}, tmp_path / "net.safetensors"
    faults = {
        "wanted a network, b of shape none, got .* with b of shape": fewer,
        r"wanted a network, d of shape \(1,\), got .* with d of shape none": fewer | {"b": (2,), "c": (), "d": (1,)},
        r"a.weight of shape \(3, 4\), got .* with a.weight of shape \(3, 2\)": {"a.weight": (3, 4), "b": (2,), "c": ()},
    }
    for message, shapes in faults.items():
        with pytest.raises(InputError, match=message):
            weights.fit(path, ARRAYS, shapes, "a network")
