"""Models in one GGUF file, as llama.cpp has them: turned once into a folder that transformers reads."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path

import torch

from cogkit.data import readers
from cogkit.data.home import home
from cogkit.extras import require

_WANTED = "a causal language model in a GGUF file"


def folder_of(path: Path | str) -> Path:
    """Return the folder with the model of a GGUF file as safetensors, and its tokenizer.

    The first call takes about a minute for each 300 million numbers, and four bytes for each on the disk, in the folder
    ``models`` of ``COGKIT_HOME``. The file is recognised by its content, wherever it lies.

    Raises
    ------
    InputError
        The file is no such model, or transformers, gguf or accelerate is not installed (extra ``[models]``).
    """
    path = readers.regular(path, None, _WANTED)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    folder = home() / "models" / f"{path.stem}-{digest[:12]}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f"{folder.name}-", dir=folder.parent))
        try:
            _convert(path, draft)
            draft.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process was first
                raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return folder


def _convert(path: Path, folder: Path) -> None:
    """Write the model of a GGUF file into a folder, with plain numbers of 32 bits."""
    require("models", "accelerate", "gguf", "transformers")
    from transformers import AutoModelForCausalLM, AutoTokenizer  # heavy, and of an extra

    where = {"gguf_file": path.name, "local_files_only": True, "trust_remote_code": False}
    with readers.faults(path, _WANTED):
        tokenizer = AutoTokenizer.from_pretrained(path.parent, **where)
        model = AutoModelForCausalLM.from_pretrained(path.parent, dtype=torch.float32, **where)
    # Its numbers are plain by now, but transformers refuses to save what was packed.
    setattr(model, "hf_quantizer", None)  # noqa: B010 - a torch module, to type checkers, has modules alone
    vars(model.config).pop("quantization_config", None)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
