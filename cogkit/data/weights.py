"""Files of trained weights: safetensors with the manifest of the run inside, checked before they are used."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cogkit.core.errors import InputError
from cogkit.core.records import Manifest
from cogkit.data import readers
from cogkit.data.files import write_whole


def write(path, tensors: Mapping[str, np.ndarray], manifest: Manifest) -> Path:
    """Write arrays by name to a safetensors file, with the manifest as JSON in its metadata, and return its path."""
    from safetensors.numpy import save  # imported here: a compiled library that only networks need

    arrays = {name: np.asarray(array, order="C") for name, array in tensors.items()}
    return write_whole(path, save(arrays, {"manifest": json.dumps(dataclasses.asdict(manifest))}))


def read(path, wanted: str) -> tuple[dict[str, np.ndarray], Manifest]:
    """Return the arrays of a file by name, and the manifest of the run that made them.

    ``wanted`` says in an error what the file should hold.

    Raises
    ------
    InputError
        The file is missing, truncated, from another program, or holds values that are not finite.
    """
    wanted, fix = f"a safetensors file of {wanted}", "train it again, or reinstall cogkit if it came with it"
    tensors, metadata = readers.tensors(path, wanted, fix=fix)
    with readers.faults(path, wanted, fix):
        if "manifest" not in metadata:
            raise ValueError("a file of another program")
        manifest = readers.record(Manifest, readers.parsed(metadata["manifest"], where=f"the manifest in {path}"))
        wrong = [name for name, array in tensors.items() if array.dtype.kind != "f" or not np.isfinite(array).all()]
        if wrong:
            raise ValueError(f"{wrong[0]} is not finite numbers")
    return tensors, manifest


def fit(path, tensors: Mapping[str, np.ndarray], shapes: Mapping[str, tuple[int, ...]], wanted: str) -> None:
    """Raise `InputError` unless the arrays have these names and shapes; the error names the first wrong one."""
    actual = {name: array.shape for name, array in tensors.items()}
    if wrong := [name for name in sorted({**actual, **shapes}) if actual.get(name) != shapes.get(name)]:
        got, shape = (f"{wrong[0]} of shape {table.get(wrong[0], 'none')}" for table in (actual, shapes))
        raise InputError(f"{path} with {got}", f"{wanted}, {shape}", "it is of another network")


def refuse_deep(config: Mapping[str, Any], tensors: int) -> None:
    """Raise `InputError` if a config asks for more layers than there are tensors: to build them could take hours.

    Examples
    --------
    >>> refuse_deep({"text": {"num_hidden_layers": 10**9}}, 40)
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted no more than the 40 tensors of the file, got num_hidden_layers=1000000000
    """
    for name, value in config.items():
        if isinstance(value, Mapping):
            refuse_deep(value, tensors)
        elif name.endswith(("layers", "levels")) and isinstance(value, int) and value > tensors:
            raise InputError(f"{name}={value}", f"no more than the {tensors} tensors of the file")
