"""Language models on captions: how probable each name is after six others (Jiang et al. 2023, § 4.2).

A model is loaded from a local folder (extra ``[lm]``). Nothing is downloaded, no pickled file is read, and no code from
the folder is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cogkit.core import presets
from cogkit.core.contracts import InputError
from cogkit.mewl.learners.pretrained import folders
from cogkit.mewl.problems.captions import PREFIX
from cogkit.mewl.problems.episodes import Question

SCORINGS = {  # which logarithms of probabilities are used, and how they become one number
    "whole": "sum over prompt and option, as published",
    "option": "mean over the option alone",
}
_AT_ONCE = 8  # prompts in a batch
_SHORTER = "take a shorter prefix"


def prompts(question: Question, prefix: str = PREFIX) -> list[tuple[str, tuple[str, ...]]]:
    """Return the text of each episode for a model: a prompt that ends with ``Name:``, and five endings.

    The pictures of the question are captions. ``prefix`` stands before the prompt; ``""`` for none.

    Examples
    --------
    >>> question = Question(("number",), [("A small red glass cube.",) * 7], (("pado",) * 6,), (("pado", "tif"),))
    >>> text, endings = prompts(question, "")[0]
    >>> text[-38:], endings
    ('Context: A small red glass cube.\\nName:', (' pado', ' tif'))
    """
    start = f"{prefix} " if prefix else ""
    pairs = []
    for captions, names, options in zip(question.shown, question.utterances, question.options, strict=True):
        blocks = [f"Context: {caption}\nName: {name}\n\n" for caption, name in zip(captions[:-1], names, strict=True)]
        text = start + "".join(blocks) + f"Context: {captions[-1]}\nName:"
        pairs.append((text, tuple(f" {option}" for option in options)))
    return pairs


class LanguageModel:
    """A causal language model as a learner.

    ``model`` and ``tokenizer`` are from transformers. The tokenizer must be a fast one, because it knows the places of
    its tokens. ``scoring`` is one of `SCORINGS`: ``whole`` favours short names, ``option`` does not. ``prefix`` stands
    before the prompt.
    """

    kind, inputs = "model", "captions"

    def __init__(self, model, tokenizer, name: str, scoring: str = "option", prefix: str = PREFIX) -> None:
        presets.choose(scoring, SCORINGS, "scoring")
        if not getattr(tokenizer, "is_fast", False):
            raise InputError("a slow tokenizer", "a fast one, with a tokenizer.json beside the weights")
        self.model, self.tokenizer, self.prefix = model.eval(), tokenizer, prefix
        self.scoring, self.name = scoring, f"{name}, {'prompt and option' if scoring == 'whole' else 'option alone'}"

    def score(self, question: Question) -> np.ndarray:
        """Return the score of each option, (n, 5): sums or means of logarithms of probabilities, in nats."""
        texts = prompts(question, self.prefix)
        pairs = [(text, ending) for text, endings in texts for ending in endings]
        scores = [score for k in range(0, len(pairs), _AT_ONCE) for score in self._weighed(pairs[k : k + _AT_ONCE])]
        return np.array(scores).reshape(len(texts), -1)

    def _weighed(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        import torch  # imported here, since floors do not need it

        texts, bos = [text + ending for text, ending in pairs], self.tokenizer.bos_token
        rows = [self.tokenizer((bos or "") + text, return_offsets_mapping=True, add_special_tokens=False)
                for text in texts]  # fmt: skip
        limit = getattr(self.model.config, "max_position_embeddings", None)
        ids, mask = map(torch.from_numpy, folders.padded([row["input_ids"] for row in rows], limit, _SHORTER))
        with torch.no_grad():
            place = next(self.model.parameters()).device
            logits = self.model(input_ids=ids.to(place), attention_mask=mask.long().to(place)).logits.float().cpu()
        likely = logits[:, :-1].log_softmax(dim=2).gather(2, ids[:, 1:, None])[..., 0]
        scores = []
        for k, (row, (text, _)) in enumerate(zip(rows, pairs, strict=True)):
            ends = [end for _, end in row["offset_mapping"]][1:]  # of all tokens but the first, which is not predicted
            begin = len(bos or "") + len(text) if self.scoring == "option" else 0
            logs = likely[k, : len(ends)][torch.tensor([end > begin for end in ends])]
            scores.append(float(logs.mean() if self.scoring == "option" else logs.sum()))
        return scores


def causal(folder, scoring: str = "option", prefix: str = PREFIX) -> LanguageModel:
    """Return the causal language model of a folder, as transformers saves it: GPT-2, OPT, Llama and others.

    ``folder`` has ``config.json``, ``tokenizer.json`` and weights as safetensors; ``scoring`` and ``prefix`` are as in
    `LanguageModel`. Raises `InputError` if the folder is missing, it holds no such model, or transformers is not
    installed.
    """
    tokenizer, model = folders.parts(
        folder, "a causal language model with safetensors and a tokenizer",
        {"AutoTokenizer": {}, "AutoModelForCausalLM": {}},
    )  # fmt: skip
    return LanguageModel(model, tokenizer, Path(folder).name, scoring, prefix)
