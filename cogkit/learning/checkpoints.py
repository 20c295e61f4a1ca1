"""Checkpoints: a learner's state in one safetensors file, written completely and checked before use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from cogkit.core.contracts import InputError
from cogkit.data.files import write_whole

FORMAT = 1


@dataclass
class State:
    """The values that change from step to step. A learner's own state class may add fields that ``setup`` makes.

    Only these five fields are saved. To resume, ``setup`` makes a fresh state, and the saved values are copied into
    its tensors and arrays, so objects that share their memory continue to share it.

    Attributes
    ----------
    rng : numpy.random.Generator
        The only source of numpy randomness within a step (PCG64, as `seeding.stream` makes it).
    modules : dict of str to torch.nn.Module
    optimisers : dict of str to torch.optim.Optimizer
    arrays : dict of str to Tensor or ndarray
        Anything else that persists between steps, such as boards in play; shapes are fixed.
    scalars : dict of str to int, float, str, bool or None
    """

    rng: np.random.Generator
    modules: dict[str, nn.Module] = field(default_factory=dict)
    optimisers: dict[str, torch.optim.Optimizer] = field(default_factory=dict)
    arrays: dict[str, Tensor | np.ndarray] = field(default_factory=dict)
    scalars: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Checkpoint:
    """The content of a file: tensors by name, and everything else as plain JSON values."""

    tensors: Mapping[str, Tensor]
    facts: Mapping[str, Any]


def write(path, state: State, extra: Mapping[str, Tensor], facts: Mapping[str, Any]) -> Path:
    """Write ``state``, ``extra`` and ``facts`` to a file and return it; a kill leaves the old file unchanged.

    Parameters
    ----------
    path : str or Path
    extra : mapping of str to Tensor
    facts : mapping
        Plain JSON values.
    """
    tensors = _own_tensors(state) | dict(extra)
    optimisers = {}
    for name, optimiser in state.optimisers.items():
        snapshot = optimiser.state_dict()
        optimisers[name] = {"param_groups": snapshot["param_groups"], "state": {}}
        for index, entries in snapshot["state"].items():
            optimisers[name]["state"][index] = {k: v for k, v in entries.items() if not torch.is_tensor(v)}
            tensor_entries = {k: v for k, v in entries.items() if torch.is_tensor(v)}
            tensors |= {f"optimisers/{name}/{index}/{key}": value for key, value in tensor_entries.items()}
    header = {"format": FORMAT, "rng": state.rng.bit_generator.state}
    header |= {"scalars": state.scalars, "optimisers": optimisers}
    # cloned, because safetensors refuses weights that share their memory
    copies = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    return write_whole(path, save(copies, {"cogkit": json.dumps(header | dict(facts))}))


def read(path) -> Checkpoint:
    """Return the content of a checkpoint; `InputError` if it is truncated, not ours, or of another format."""
    fix = "delete it to start again"
    try:
        with safe_open(path, framework="pt") as file:
            text = (file.metadata() or {}).get("cogkit")
            tensors = {name: file.get_tensor(name) for name in file.keys()}
    except (OSError, SafetensorError) as error:
        raise InputError(f"{path} ({error})", "a whole checkpoint", fix) from None
    if text is None:
        raise InputError(f"{path}, a file of another program", "a checkpoint of cogkit.learning", fix)
    facts = json.loads(text)
    if facts.get("format") != FORMAT:
        raise InputError(f"{path} of format {facts.get('format')}", f"a checkpoint of format {FORMAT}", fix)
    return Checkpoint(tensors, facts)


def restore(state: State, saved: Checkpoint, path) -> None:
    """Copy ``saved`` into a fresh ``state``; raise `InputError` if it does not fit."""
    targets = _own_tensors(state)
    sources = {name: value for name, value in saved.tensors.items() if name.startswith(("modules/", "arrays/"))}
    fresh, record = ({name: f"{tuple(t.shape)} {t.dtype}" for name, t in of.items()} for of in (targets, sources))
    fresh |= {f"optimisers/{name}": "present" for name in state.optimisers}
    record |= {f"optimisers/{name}": "present" for name in saved.facts["optimisers"]}
    for name in sorted(fresh.keys() | record.keys()):
        if fresh.get(name) != record.get(name):
            got = f"{name} {record.get(name, 'absent')} in {path}"
            raise InputError(got, fresh.get(name, "none"), "it is of another learner: delete it")
    with torch.no_grad():
        for name, tensor in targets.items():
            tensor.copy_(sources[name])  # these tensors share memory with the state's modules and arrays
    for name, optimiser in state.optimisers.items():
        record = saved.facts["optimisers"][name]
        entries = {int(index): dict(plain) for index, plain in record["state"].items()}
        weights = [weight for group in optimiser.param_groups for weight in group["params"]]
        for key, tensor in saved.tensors.items():
            if key.startswith(f"optimisers/{name}/"):
                index, entry = key.removeprefix(f"optimisers/{name}/").split("/", 1)
                of = weights[int(index)]
                if tensor.shape == of.shape:  # a fused optimiser reads both in memory order
                    tensor = torch.empty_like(of, dtype=tensor.dtype, device=tensor.device).copy_(tensor)
                entries[int(index)][entry] = tensor
        optimiser.load_state_dict({"state": entries, "param_groups": record["param_groups"]})
    state.rng.bit_generator.state = saved.facts["rng"]
    state.scalars.clear()
    state.scalars.update(saved.facts["scalars"])


def _own_tensors(state: State) -> dict[str, Tensor]:
    """Return the state's module and array tensors by name, sharing its memory."""
    tensors = {f"arrays/{name}": torch.as_tensor(array) for name, array in state.arrays.items()}
    for name, module in state.modules.items():
        tensors |= {f"modules/{name}/{key}": value for key, value in module.state_dict().items()}
    return tensors
