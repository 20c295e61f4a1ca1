"""Folders with a model, as transformers saves it: read from here alone, and with nothing in them that runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cogkit.core.contracts import InputError

_HERE = {"local_files_only": True, "trust_remote_code": False}
_ONE, _INDEX = "model.safetensors", "model.safetensors.index.json"


def parts(folder, wanted: str, classes: Mapping[str, Mapping[str, Any]], kind: str | None = None) -> list:
    """Return what a folder holds: one object of each class of transformers, in their order.

    Parameters
    ----------
    folder : str or Path
        With ``config.json``, weights as safetensors, and whatever else the classes read.
    wanted : str
        What it should hold, as an error says it.
    classes : mapping of str to mapping
        Names in transformers, such as ``AutoTokenizer`` and ``CLIPModel``, and how each is called.
    kind : str, optional
        The ``model_type`` that ``config.json`` must name.

    Raises
    ------
    InputError
        transformers is not installed, there is no such folder or no such model in it, its weights are pickled, broken
        off, or not all there.
    """
    try:
        import transformers  # an extra, and heavy
    except ImportError:
        raise InputError("no transformers", "the extra [lm]", "pip install 'cogkit[lm]'") from None

    folder = Path(folder)
    told = _told(folder / "config.json", wanted)
    if kind is not None and told.get("model_type") != kind:
        raise InputError(f"{folder}, whose config.json is of model_type {told.get('model_type')!r}", wanted)
    _weights(folder, wanted)
    try:
        return [_read(getattr(transformers, name), "Model" in name, folder, how, wanted)
                for name, how in classes.items()]  # fmt: skip
    except InputError:
        raise
    except Exception as error:  # of a foreign file, each part of transformers raises what it likes
        reason = str(error).strip().partition("\n")[0][:160]
        raise InputError(f"{folder} ({reason})", wanted) from None


def digest(folder) -> str:
    """Return the SHA-256 of a folder's weights, by which a learner that was trained on top of them knows them again."""
    found = hashlib.sha256()
    for path in _weights(Path(folder), "a model of transformers"):
        with path.open("rb") as file:
            found.update(hashlib.file_digest(file, "sha256").digest())
    return found.hexdigest()


def _read(which, is_model: bool, folder: Path, how: Mapping[str, Any], wanted: str):
    if not is_model:
        return which.from_pretrained(folder, **_HERE, **how)
    from transformers.utils import logging  # as in `parts`

    before = logging.get_verbosity()
    logging.set_verbosity_error()  # else it lists the weights that are for other uses of the model
    try:
        model, told = which.from_pretrained(folder, use_safetensors=True, output_loading_info=True, **_HERE, **how)
    finally:
        logging.set_verbosity(before)
    if told["missing_keys"]:  # transformers would begin them at random and go on
        raise InputError(f"{folder}, whose weights lack {sorted(told['missing_keys'])[0]}", wanted)
    return model


def _told(path: Path, wanted: str) -> dict:
    """Return what a JSON file of the folder says."""
    if not path.is_file():
        raise InputError(f"{path.parent}, without a {path.name}", f"a folder with {wanted}")
    try:
        found = json.loads(path.read_bytes())
    except ValueError:
        raise InputError(f"{path}, which is no JSON", wanted) from None
    if not isinstance(found, dict):
        raise InputError(f"{path}, which holds no names and values", wanted)
    return found


def _weights(folder: Path, wanted: str) -> list[Path]:
    """Return the files of weights; none is read that is no safetensors or lies elsewhere."""
    if (folder / _ONE).is_file():
        return [folder / _ONE]
    if not (folder / _INDEX).is_file():
        raise InputError(f"{folder}, without {_ONE}", wanted, "pickled weights are not read: save them as safetensors")
    named = _told(folder / _INDEX, wanted).get("weight_map")
    files = sorted(set(map(str, named.values()))) if isinstance(named, dict) else []
    for each in files:
        if Path(each).name != each or not each.endswith(".safetensors") or not (folder / each).is_file():
            raise InputError(f"{folder / _INDEX} with {each!r}", "names of safetensors files beside it")
    if not files:
        raise InputError(f"{folder / _INDEX}, which names no files", wanted)
    return [folder / each for each in files]
