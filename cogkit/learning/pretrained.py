"""Reads folders with a model, as transformers saves it, and pads tokens. Nothing is downloaded or run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np

from cogkit.core.errors import InputError
from cogkit.data import readers, weights

_HERE = {"local_files_only": True, "trust_remote_code": False}
_ONE, _INDEX = "model.safetensors", "model.safetensors.index.json"


class _Index(msgspec.Struct):
    """Which file of weights holds each tensor of a model."""

    weight_map: Annotated[dict[str, str], msgspec.Meta(min_length=1)]


def parts(folder, wanted: str, classes: Mapping[str, Mapping[str, Any]], kind: str | None = None) -> list:
    """Return the objects that a folder holds: one for each class of transformers, in the same order.

    ``folder`` has ``config.json``, weights as safetensors, and the other files that the classes read; ``wanted`` says
    what it should hold, for error messages. ``classes`` are names of classes in transformers, such as ``AutoTokenizer``
    and ``CLIPModel``, with their arguments. ``kind`` is the ``model_type`` that ``config.json`` must have. Raises
    `InputError` if transformers is not installed; the folder or the model in it is missing; or its weights are pickled,
    truncated or incomplete.
    """
    try:
        import transformers  # an extra, and heavy
    except ImportError:
        raise InputError("no transformers", "the extra [models]", "pip install 'cogkit[models]'") from None

    folder = Path(folder)
    settings = readers.json(folder / "config.json", wanted=f"a folder with {wanted}")
    if kind is not None and settings.get("model_type") != kind:
        raise InputError(f"{folder}, whose config.json is of model_type {settings.get('model_type')!r}", wanted)
    files = _weights(folder, wanted)
    with readers.faults(folder, wanted, "", Exception):  # with a foreign file, parts of transformers raise any
        weights.refuse_deep(settings, sum(map(_tensors, files)))
        return [_read(getattr(transformers, name), "Model" in name, folder, options, wanted)
                for name, options in classes.items()]  # fmt: skip


def digest(folder) -> str:
    """Return the SHA-256 of a folder's weights. A learner that was trained on top of them recognises them by it."""
    sha256 = hashlib.sha256()
    for path in _weights(Path(folder), "a model of transformers"):
        with path.open("rb") as file:
            sha256.update(hashlib.file_digest(file, "sha256").digest())
    return sha256.hexdigest()


def _read(which, is_model: bool, folder: Path, how: Mapping[str, Any], wanted: str):
    if not is_model:
        part = which.from_pretrained(folder, **_HERE, **how)
        if hasattr(part, "tokenize"):
            part("a word, and a sign that it has not met: ☃")  # some broken ones fail here alone
        return part
    from transformers.utils import logging  # as in `parts`

    logging_level = logging.get_verbosity()
    logging.set_verbosity_error()  # otherwise it lists the weights that this use of the model does not need
    try:
        model, report = which.from_pretrained(folder, use_safetensors=True, output_loading_info=True, **_HERE, **how)
    finally:
        logging.set_verbosity(logging_level)
    if report["missing_keys"]:  # transformers would initialise them at random without an error
        raise InputError(f"{folder}, whose weights lack {sorted(report['missing_keys'])[0]}", wanted)
    return model


def _tensors(path: Path) -> int:
    """Return how many tensors a safetensors file holds."""
    from safetensors import safe_open  # as in `parts`

    with safe_open(path, framework="numpy") as file:
        return len(file.keys())


def _weights(folder: Path, wanted: str) -> list[Path]:
    """Return the files of weights: only safetensors in this folder are read."""
    if (folder / _ONE).is_file():
        return [folder / _ONE]
    if not (folder / _INDEX).is_file():
        raise InputError(f"{folder}, without {_ONE}", wanted, "pickled weights are not read: save them as safetensors")
    names = readers.json(folder / _INDEX, _Index, wanted).weight_map.values()
    for name in names:
        if Path(name).name != name or not name.endswith(".safetensors") or not (folder / name).is_file():
            raise InputError(f"{folder / _INDEX} with {name!r}", "names of safetensors files beside it")
    return [folder / name for name in sorted({*names})]


def padded(rows: Sequence[Sequence[int]], limit: int | None = None, fix: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Return tokens as (n, longest) int64, with 0 after the end, and a mask of tokens, (n, longest) bool.

    Raises an `InputError`, with the advice ``fix``, if a row has more tokens than ``limit``.

    Examples
    --------
    >>> padded([[5, 6], [7]])[0].tolist()
    [[5, 6], [7, 0]]
    """
    longest = max(map(len, rows))
    if limit is not None and longest > limit:
        raise InputError(f"a text of {longest} tokens", f"{limit} at most for this model", fix)
    ids = np.zeros((len(rows), longest), np.int64)
    for row, numbers in zip(ids, rows, strict=True):
        row[: len(numbers)] = numbers
    return ids, np.arange(longest) < np.array(list(map(len, rows)))[:, None]
