"""Language models on captions: how likely one finds each name after six others (Jiang et al. 2023, § 4.2).

A model is loaded from a folder of the reader's own (extra ``[lm]``): nothing is fetched, nothing pickled is read, and
no code that lies beside weights is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cogkit.core import presets
from cogkit.core.contracts import InputError
from cogkit.mewl.learners.pretrained import folders, pieces
from cogkit.mewl.problems.captions import PREFIX
from cogkit.mewl.problems.episodes import Question

SCORINGS = {  # of what the logarithms of probabilities are taken, and how they become one number
    "whole": "sum over prompt and option, as published",
    "option": "mean over the option alone",
}
_AT_ONCE = 8  # prompts
_SHORTER = "take a shorter prefix"


def prompts(question: Question, prefix: str = PREFIX) -> list[tuple[str, tuple[str, ...]]]:
    """Return what a model is given of each episode: a prompt that ends with ``Name:``, and five endings.

    Parameters
    ----------
    question : Question
        Of captions.
    prefix : str
        What stands before it; ``""`` for nothing.

    Examples
    --------
    >>> asked = Question(("number",), [("A small red glass cube.",) * 7], (("pado",) * 6,), (("pado", "tif"),))
    >>> text, endings = prompts(asked, "")[0]
    >>> text[-38:], endings
    ('Context: A small red glass cube.\\nName:', (' pado', ' tif'))
    """
    begun = f"{prefix} " if prefix else ""
    found = []
    for told, said, options in zip(question.shown, question.utterances, question.options, strict=True):
        blocks = [f"Context: {caption}\nName: {name}\n\n" for caption, name in zip(told[:-1], said, strict=True)]
        text = begun + "".join(blocks) + f"Context: {told[-1]}\nName:"
        found.append((text, tuple(f" {option}" for option in options)))
    return found


class LanguageModel:
    """A causal language model as a learner.

    Parameters
    ----------
    model, tokenizer
        Of transformers; the tokenizer a fast one, which knows the places of its tokens.
    name : str
    scoring : str
        One of `SCORINGS`. ``whole`` favours short names; ``option`` does not.
    prefix : str
        Of the prompt.
    """

    kind, inputs = "model", "captions"

    def __init__(self, model, tokenizer, name: str, scoring: str = "option", prefix: str = PREFIX) -> None:
        presets.choose(scoring, SCORINGS, "scoring")
        if not getattr(tokenizer, "is_fast", False):
            raise InputError("a slow tokenizer", "a fast one, with a tokenizer.json beside the weights")
        self.model, self.tokenizer, self.prefix = model.eval(), tokenizer, prefix
        self.scoring, self.name = scoring, f"{name}, {'prompt and option' if scoring == 'whole' else 'option alone'}"

    def score(self, question: Question) -> np.ndarray:
        """Return what it gives to each option, (n, 5): sums or means of logarithms of probabilities, in nats."""
        asked = prompts(question, self.prefix)
        every = [(text, ending) for text, endings in asked for ending in endings]
        found = [each for k in range(0, len(every), _AT_ONCE) for each in self._weighed(every[k : k + _AT_ONCE])]
        return np.array(found).reshape(len(asked), -1)

    def _weighed(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        import torch  # who scores with floors alone needs none

        texts, first = [text + ending for text, ending in pairs], self.tokenizer.bos_token
        rows = [self.tokenizer((first or "") + each, return_offsets_mapping=True, add_special_tokens=False)
                for each in texts]  # fmt: skip
        limit = getattr(self.model.config, "max_position_embeddings", None)
        ids, there = map(torch.from_numpy, pieces.padded([row["input_ids"] for row in rows], limit, _SHORTER))
        with torch.no_grad():
            place = next(self.model.parameters()).device
            logits = self.model(input_ids=ids.to(place), attention_mask=there.long().to(place)).logits.float().cpu()
        likely = logits[:, :-1].log_softmax(dim=2).gather(2, ids[:, 1:, None])[..., 0]
        found = []
        for k, (row, (text, _)) in enumerate(zip(rows, pairs, strict=True)):
            ends = [end for _, end in row["offset_mapping"]][1:]  # of all tokens but the first, which nothing foretells
            begin = len(first or "") + len(text) if self.scoring == "option" else 0
            own = likely[k, : len(ends)][torch.tensor([end > begin for end in ends])]
            found.append(float(own.mean() if self.scoring == "option" else own.sum()))
        return found


def causal(folder, scoring: str = "option", prefix: str = PREFIX) -> LanguageModel:
    """Return the causal language model that a folder holds: GPT-2, OPT, Llama and the like, as transformers saves them.

    Parameters
    ----------
    folder : str or Path
        With ``config.json``, ``tokenizer.json`` and weights as safetensors.
    scoring, prefix
        As of a `LanguageModel`.

    Raises
    ------
    InputError
        No such folder, no such model in it, or transformers is not installed.
    """
    tokenizer, model = folders.parts(
        folder, "a causal language model with safetensors and a tokenizer",
        {"AutoTokenizer": {}, "AutoModelForCausalLM": {}},
    )  # fmt: skip
    return LanguageModel(model, tokenizer, Path(folder).name, scoring, prefix)
