"""Checkpoints: a learner's state in one safetensors file, written completely and checked before use."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor, nn

from cogkit.core.errors import InputError
from cogkit.data import readers
from cogkit.data.files import write_whole

FORMAT = 1
_LARGEST = 1e6  # setting of an optimiser, if it does not begin below 1
_BITS = 129  # the state of PCG64 has numbers of 128 bits
_NO_NUMBER = re.compile(r"(?<=:) ?(NaN|-?Infinity)(?=[,}])")  # which Python writes, and JSON does not know


@dataclass
class State:
    """The values that change from step to step. A learner's own state class may add fields that ``setup`` makes.

    Only these five fields are saved. To resume, ``setup`` makes a fresh state, and the saved values are copied into
    its tensors and arrays, so objects that share their memory continue to share it.

    Attributes
    ----------
    rng : numpy.random.Generator
        The only source of numpy randomness within a step (PCG64, as `seeding.stream` makes it).
    optimisers : dict of str to torch.optim.Optimizer
        Of their settings, numbers such as the learning rate may change from step to step, and nothing else.
    arrays : dict of str to Tensor or ndarray
        Anything else that persists between steps, such as boards in play; shapes are fixed.
    scalars : dict of str to int, float, str, bool or None
        Their kinds are fixed, but None may become anything.
    """

    rng: np.random.Generator
    modules: dict[str, nn.Module] = field(default_factory=dict)
    optimisers: dict[str, torch.optim.Optimizer] = field(default_factory=dict)
    arrays: dict[str, Tensor | np.ndarray] = field(default_factory=dict)
    scalars: dict[str, Any] = field(default_factory=dict)


class Optimiser(msgspec.Struct):
    """The plain values of an optimiser's state; its tensors are with the others."""

    param_groups: list[dict[str, Any]]
    state: dict[Annotated[str, msgspec.Meta(pattern="^[0-9]{1,6}$")], dict[str, float | int | bool | None]]


class Facts(msgspec.Struct):
    """What a checkpoint says beside its tensors: where the run stands, and what it depends on."""

    format: Literal[1]
    step: Annotated[int, msgspec.Meta(ge=0)]
    seconds: Annotated[float, msgspec.Meta(ge=0)]
    seed: int
    config: dict[str, Any]
    log: list[str]
    latest: dict[str, float | None]
    rng: dict[str, Any]
    scalars: dict[str, int | float | str | bool | None]
    optimisers: dict[str, Optimiser]
    cpu_seconds: Annotated[float, msgspec.Meta(ge=0)]


@dataclass(frozen=True)
class Checkpoint:
    """The content of a file: tensors by name, and everything else as plain JSON values."""

    tensors: Mapping[str, Tensor]
    facts: Facts


def write(path, state: State, extra: Mapping[str, Tensor], facts: Mapping[str, Any]) -> Path:
    """Write ``state``, ``extra`` and ``facts`` to a file and return it; a kill leaves the old file unchanged.

    ``facts`` are plain JSON values.
    """
    tensors = _own_tensors(state) | dict(extra)
    optimisers = {}
    for name, optimiser in state.optimisers.items():
        snapshot = optimiser.state_dict()
        optimisers[name] = {"param_groups": snapshot["param_groups"], "state": {}}
        for index, entries in snapshot["state"].items():
            optimisers[name]["state"][index] = {k: v for k, v in entries.items() if not torch.is_tensor(v)}
            tensors |= {f"optimisers/{name}/{index}/{k}": v for k, v in entries.items() if torch.is_tensor(v)}
    header = {"format": FORMAT, "rng": state.rng.bit_generator.state}
    header |= {"scalars": state.scalars, "optimisers": optimisers}
    # cloned, because safetensors refuses weights that share their memory
    copies = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    return write_whole(path, save(copies, {"cogkit": json.dumps(header | dict(facts))}))


def read(path) -> Checkpoint:
    """Return the content of a checkpoint; `InputError` if it is truncated, not ours, or of another format."""
    try:
        tensors, metadata = readers.tensors(path, "a whole checkpoint", "pt")
        facts = _NO_NUMBER.sub(" null", metadata.get("cogkit", "{}"))
        wanted = f"a checkpoint of cogkit.learning, of format {FORMAT}"
        return Checkpoint(tensors, readers.parsed(facts, Facts, f"the facts in {path}", wanted, _BITS))
    except InputError as error:
        raise InputError(error.got, error.wanted, "delete it to start again") from None


def restore(state: State, saved: Checkpoint, path) -> None:
    """Copy ``saved`` into a fresh ``state``; raise `InputError` if it does not fit."""
    targets = _own_tensors(state)
    sources = {name: value for name, value in saved.tensors.items() if name.startswith(("modules/", "arrays/"))}
    fresh, record = ({name: f"{tuple(t.shape)} {t.dtype}" for name, t in of.items()} for of in (targets, sources))
    fresh |= {f"optimisers/{name}": "present" for name in state.optimisers}
    record |= {f"optimisers/{name}": "present" for name in saved.facts.optimisers}
    fix = "it is of another learner: delete it"
    for name in sorted(fresh.keys() | record.keys()):
        if fresh.get(name) != record.get(name):
            raise InputError(f"{name} {record.get(name, 'absent')} in {path}", fresh.get(name, "none"), fix)
    with readers.faults(path, "the state of a run", fix), torch.no_grad():
        for name, tensor in targets.items():
            tensor.copy_(sources[name])  # these tensors share memory with the state's modules and arrays
        for name, optimiser in state.optimisers.items():
            _restore_optimiser(name, optimiser, saved)
        state.rng.bit_generator.state = saved.facts.rng
        for name, value in state.scalars.items():
            state.scalars[name] = _scalar(name, saved.facts.scalars.get(name, ...), value)
    for name in saved.facts.scalars.keys() - state.scalars.keys():  # which steps added
        state.scalars[name] = saved.facts.scalars[name]


def _restore_optimiser(name: str, optimiser: torch.optim.Optimizer, saved: Checkpoint) -> None:
    facts, groups = saved.facts.optimisers[name], optimiser.state_dict()["param_groups"]
    if not _alike(facts.param_groups, groups):
        raise ValueError(f"{name} has other groups of parameters, or other settings")
    entries: dict[int, dict[str, Any]] = {int(index): dict(plain) for index, plain in facts.state.items()}
    weights = [weight for group in optimiser.param_groups for weight in group["params"]]
    for key, tensor in saved.tensors.items():
        if key.startswith(f"optimisers/{name}/"):
            index, entry = key.removeprefix(f"optimisers/{name}/").split("/", 1)
            of = weights[int(index)]
            if tensor.shape == of.shape:  # a fused optimiser reads both in memory order
                tensor = torch.empty_like(of, dtype=tensor.dtype, device=tensor.device).copy_(tensor)
            elif tensor.numel() > 1:
                raise ValueError(f"{key} has shape {tuple(tensor.shape)}")
            entries[int(index)][entry] = tensor
    if len({frozenset(entry) for entry in entries.values()}) > 1:
        raise ValueError(f"{name} lacks values of some weights")
    optimiser.load_state_dict({"state": entries, "param_groups": facts.param_groups})


def _scalar(name: str, saved: Any, fresh: Any) -> Any:
    """Return a saved scalar, if it could come from a fresh one."""
    if saved is None and isinstance(fresh, float):  # JSON does not know NaN
        return math.nan
    same = fresh is None or type(saved) is type(fresh) or (_is_number(saved) and _is_number(fresh))
    if saved is ... or not same:
        raise ValueError(f"{name} is absent or of another kind")
    return saved


def _alike(saved: Any, fresh: Any) -> bool:
    """Return whether an optimiser's settings could come from fresh ones: only numbers change, within their range."""
    match fresh:
        case dict():
            same = isinstance(saved, dict) and saved.keys() == fresh.keys()
            places = same and saved.get("params") == fresh.get("params")
            return places and all(_alike(saved[key], fresh[key]) for key in fresh.keys() - {"params"})
        case list() | tuple():
            return isinstance(saved, list) and len(saved) == len(fresh) and all(map(_alike, saved, fresh))
    if not _is_number(fresh):
        return type(saved) is type(fresh) and saved == fresh
    return _is_number(saved) and 0 <= saved < (1 if 0 <= fresh < 1 else _LARGEST)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _own_tensors(state: State) -> dict[str, Tensor]:
    """Return the state's module and array tensors by name, sharing its memory."""
    tensors = {f"arrays/{name}": torch.as_tensor(array) for name, array in state.arrays.items()}
    for name, module in state.modules.items():
        tensors |= {f"modules/{name}/{key}": value for key, value in module.state_dict().items()}
    return tensors
