"""A causal language model in a local folder: what it says, or how probable it finds each option.

The folder is as transformers saves it (extra ``[models]``). Nothing is downloaded, no pickled file is read, and no code
from the folder is run.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch

from cogkit.core.errors import InputError
from cogkit.extras.models.lm.cache import Participant
from cogkit.extras.models.lm.gguf import folder_of
from cogkit.extras.models.lm.prompts import CUE, Prompt
from cogkit.extras.models.lm.replies import Completion
from cogkit.learning import pretrained

_DIGITS = 3  # of the logarithm of a probability: those that follow differ between processors


class Local(Participant):
    """A causal language model and its tokenizer, from transformers, as a participant.

    What one prompt or ending shares with the one before it, such as a long list of examples, is not computed again.
    Logarithms of probabilities are rounded to a thousandth, so that a transcript of them takes little room.

    Parameters
    ----------
    model, tokenizer
        The tokenizer must be a fast one, because it knows the places of its tokens.
    name : str
    digest : str
        The SHA-256 of the weights, by which kept answers recognise the model.
    chat : bool
        Whether prompts go through the tokenizer's chat template; otherwise the model continues their text.
    tokens : int
        The longest answer in words.

    Raises
    ------
    InputError
        The tokenizer is a slow one or has no chat template, or a prompt is longer than the model can read.
    """

    def __init__(self, model, tokenizer, name: str, digest: str = "", chat: bool = False, tokens: int = 16) -> None:
        if not getattr(tokenizer, "is_fast", False):
            raise InputError("a slow tokenizer", "a fast one, with a tokenizer.json beside the weights")
        if chat and not getattr(tokenizer, "chat_template", None):
            raise InputError(f"{name}, which has no chat template", "a model that was made for chats", "chat=False")
        self.model, self.tokenizer, self.name = model.eval(), tokenizer, name
        self.digest, self.chat, self.tokens = digest, chat, tokens
        self._ids: list[int] = []  # the tokens that the cache holds
        self._cache: Any = None

    @property
    def identity(self) -> Mapping[str, Any]:
        """The model, by its weights, and the settings that its answers depend on."""
        return {"model": self.name, "weights": self.digest, "chat": self.chat, "tokens": self.tokens}

    def answer(self, prompt: Prompt) -> Completion:
        """Return what the model says, or how probable it finds each ending."""
        start = time.monotonic()
        if prompt.pictures:
            raise InputError(f"pictures for {self.name}", "questions in words for a causal language model")
        fields = self._likely(prompt) if prompt.endings else self._spoken(prompt)
        return Completion(seconds=round(time.monotonic() - start, 2), **fields)

    def _likely(self, prompt: Prompt) -> dict[str, Any]:
        """Return the fields of an answer by probabilities."""
        bos, text = self.tokenizer.bos_token or "", prompt.text
        rows = []
        for ending in prompt.endings:
            row = self.tokenizer(bos + text + ending, return_offsets_mapping=True, add_special_tokens=False)
            own = [end > len(bos) + len(text) for _, end in row["offset_mapping"]]
            rows.append((tuple(row["input_ids"]), own.index(True)))
        self._fits(max(len(ids) for ids, _ in rows))
        after = cache(self._after)  # endings that begin alike are read once
        logs, sizes = [], []
        for ids, first in rows:
            own = range(first, len(ids))
            logs.append(round(math.fsum(float(after(ids[:k])[ids[k]]) for k in own), _DIGITS))
            sizes.append(len(own))
        return {"end": "stop", "logs": tuple(logs), "sizes": tuple(sizes), "tokens_in": len(rows[0][0])}

    def _spoken(self, prompt: Prompt) -> dict[str, Any]:
        """Return the fields of an answer in words: the likeliest token, again and again."""
        if self.chat:
            turns = [{"role": role, "content": text} for role, text in prompt.turns]
            ids = self.tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_dict=True)["input_ids"]
        else:
            text = f"{self.tokenizer.bos_token or ''}{prompt.text}\n\n{CUE}"
            ids = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        self._fits(len(ids) + self.tokens)
        ends, tokens, text, end = self._ends(), [], "", "length"
        while end == "length" and len(tokens) < self.tokens:
            token = int(self._after([*ids, *tokens]).argmax())
            if token not in ends:
                tokens.append(token)
            text = self.tokenizer.decode(tokens, skip_special_tokens=True)
            if token in ends or (not self.chat and "\n" in text.lstrip()):
                end = "stop"
        return {"text": text, "end": end, "tokens_in": len(ids), "tokens_out": len(tokens)}

    def _after(self, ids: Sequence[int]):
        """Return the logarithms of the probabilities of the next token, and leave the cache at these tokens."""
        from transformers import DynamicCache  # an extra's

        same = min(len(os.path.commonprefix([self._ids, list(ids)])), len(ids) - 1)  # the last one is always read
        if self._cache is None or not same:
            self._cache, same = DynamicCache(), 0
        elif same < len(self._ids):
            self._cache.crop(same - len(self._ids))
        new = torch.tensor([list(ids[same:])], device=self.model.device)
        with torch.no_grad():
            out = self.model(input_ids=new, cache=self._cache, use_cache=True, logits_to_keep=1)
        self._ids = list(ids)
        return out.logits[0, -1].float().log_softmax(dim=0).cpu()

    def _ends(self) -> set[int]:
        """Return the tokens that end an answer."""
        ends = getattr(self.model.generation_config, "eos_token_id", None)
        ends = [self.tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])]
        return {end for end in ends if end is not None}

    def _fits(self, tokens: int) -> None:
        """Raise `InputError` if a text is longer than the model can read."""
        limit = getattr(self.model.config.get_text_config(), "max_position_embeddings", None)
        if limit is not None and tokens > limit:
            raise InputError(f"a text of {tokens} tokens", f"{limit} at most for this model", "show it fewer examples")


def local(folder: Path | str, chat: bool = False, tokens: int = 16) -> Local:
    """Return the causal language model of a folder: GPT-2, OPT, Llama, Gemma and others.

    ``folder`` has ``config.json``, ``tokenizer.json`` and weights as safetensors, or it is a file that ends with
    ``.gguf`` (`gguf.folder_of`). ``chat`` and ``tokens`` are as in `Local`. The model computes on the graphics card if
    PyTorch finds one. Raises `InputError` if the folder is missing, it holds no such model, or transformers is not
    installed.
    """
    path = Path(os.path.abspath(folder))  # a name that is too long makes Path.resolve raise
    name, folder = (path.stem, folder_of(path)) if path.suffix == ".gguf" else (path.name, path)
    tokenizer, model = pretrained.parts(
        folder, "a causal language model with safetensors and a tokenizer",
        {"AutoTokenizer": {}, "AutoModelForCausalLM": {}},
    )  # fmt: skip
    model = model.to("cuda" if torch.cuda.is_available() else "cpu")
    return Local(model, tokenizer, name, pretrained.digest(folder), chat, tokens)
