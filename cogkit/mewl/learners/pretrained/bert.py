"""BERT on captions: five pairs of a prompt and an option (Jiang et al. 2023, § 4.2 and appendix C)."""

from __future__ import annotations

import copy

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.learning import pretrained
from cogkit.mewl.learners.pretrained import PretrainedConfig
from cogkit.mewl.problems import captions
from cogkit.mewl.problems.episodes import OPTIONS, Question


class Bert:
    """The BERT of a folder, and its tokenizer.

    ``device`` is the device to compute on.
    """

    def __init__(self, folder, config: PretrainedConfig, device: str = "cpu") -> None:
        self.tokenizer, self.model = pretrained.parts(
            folder, "a BERT with safetensors and a tokenizer",
            {"AutoTokenizer": {}, "BertModel": {"add_pooling_layer": False, "dtype": torch.float32}}, "bert",
        )  # fmt: skip
        self.config, self.device = config, device

    def rows(self, question: Question) -> dict[str, Tensor]:
        """Return tokens of each episode, (n, 5, longest): their numbers, their mask, and their half of the pair.

        Raises `InputError` if a pair has more tokens than the model has places.
        """
        pairs = [(text, option.strip()) for text, options in captions.prompts(question, "") for option in options]
        encoding = self.tokenizer(*map(list, zip(*pairs, strict=True)), return_token_type_ids=True)
        limit = self.model.config.max_position_embeddings
        ids, mask = pretrained.padded(encoding["input_ids"], limit, "take a BERT with more positions")
        types, _ = pretrained.padded(encoding["token_type_ids"])
        arrays = {"ids": ids.astype(np.int32), "there": mask, "second": types.astype(np.int8)}
        return {name: torch.from_numpy(values).reshape(len(question), OPTIONS, -1) for name, values in arrays.items()}

    def prepare_inputs(self, rows: dict[str, Tensor]) -> dict[str, Tensor]:
        """Return the network's input from rows, up to the longest text."""
        longest = int(rows["there"].sum(dim=2).max())
        return {name: values[:, :, :longest].to(self.device) for name, values in rows.items()}

    def network(self) -> BertChoice:
        """Return a new network that begins with the folder's weights."""
        return BertChoice(copy.deepcopy(self.model))


class BertChoice(nn.Module):
    """BERT, and a linear map from its first token's last state to the number of an option.

    ``bert`` is a ``BertModel`` of transformers; it is not copied.
    """

    def __init__(self, bert: nn.Module) -> None:
        super().__init__()
        self.bert, self.score = bert, nn.Linear(bert.config.hidden_size, 1)

    def forward(self, ids: Tensor, there: Tensor, second: Tensor) -> Tensor:
        """Return a number for each option, (B, 5), from tokens (B, 5, L)."""
        flat = (tensor.flatten(0, 1).long() for tensor in (ids, there, second))
        ids_, there_, second_ = flat
        state = self.bert(input_ids=ids_, attention_mask=there_, token_type_ids=second_).last_hidden_state[:, 0]
        return self.score(state).view(len(ids), -1)
