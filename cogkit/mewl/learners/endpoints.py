"""Language models behind an address that speaks as OpenAI's does: scored where it tells probabilities, else asked.

An address that gives logarithms of probabilities of a text it is given (``/completions`` with ``echo``) is scored as
`language.LanguageModel` is; one that gives none is asked for a letter, and its name says so.
"""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.request

import numpy as np

from cogkit.core import presets
from cogkit.core.contracts import InputError
from cogkit.mewl.learners.language import SCORINGS, prompts
from cogkit.mewl.problems.captions import PREFIX
from cogkit.mewl.problems.episodes import OPTIONS, Question

LETTERS = "ABCDE"
_ASK = "Which name fits the last context? Answer with one letter.\n"
_LETTER = re.compile(r"\b([A-E])\b")
_BUSY = (408, 429, 500, 502, 503, 504)
_LARGEST = 10_000_000  # bytes of an answer
_PAUSE = 0.25  # seconds, doubled at every try, where a busy address does not say how long


class Endpoint:
    """A language model at an address, as a learner.

    Parameters
    ----------
    address : str
        As far as ``/v1``.
    model : str
        What it calls the model.
    how : str
        ``option`` or ``whole``, as `language.SCORINGS`, of an address that tells probabilities; or ``letter``.
    key : str
        What stands in the header ``Authorization``; never shown and never stored.
    prefix : str
        Of the prompt.
    seconds : float
        To wait for an answer.
    tries : int
        How often to ask one that is busy.

    Raises
    ------
    InputError
        An address that is none.
    """

    kind, inputs = "model", "captions"

    def __init__(
        self, address: str, model: str, how: str = "option", key: str = "", prefix: str = PREFIX,
        seconds: float = 60.0, tries: int = 4,
    ) -> None:  # fmt: skip
        presets.choose(how, (*SCORINGS, "letter"), "way of asking")
        if not re.match(r"https?://", address):
            raise InputError(repr(address), "an address that begins with http:// or https://")
        self.address, self.model, self.how, self._key = address.rstrip("/"), model, how, key
        self.prefix, self.seconds, self.tries = prefix, seconds, tries
        told = {"whole": "prompt and option", "option": "option alone", "letter": "by letter"}[how]
        self.name = f"{model}, {told}"

    def score(self, question: Question) -> np.ndarray:
        """Return what it gives to each option, (n, 5); of letters 1 for the one it names, or all 0."""
        weigh = self._letter if self.how == "letter" else self._likely
        return np.array([weigh(*each) for each in prompts(question, self.prefix)])

    def _likely(self, text: str, endings: tuple[str, ...]) -> list[float]:
        asked = {"prompt": [text + ending for ending in endings], "max_tokens": 0, "echo": True, "logprobs": 1}
        answer = self._post("/completions", asked | {"temperature": 0})
        try:
            choices = sorted(answer["choices"], key=lambda each: each["index"])
            told = [(each["logprobs"]["token_logprobs"], each["logprobs"]["text_offset"]) for each in choices]
            if len(told) != len(endings):
                raise ValueError(f"{len(told)} choices")
            return [self._weighed(*each, len(text)) for each in told]
        except (KeyError, TypeError, ValueError) as error:
            got = f"an answer of {self.address} without probabilities of the prompt ({error!r:.80})"
            raise InputError(got, "token_logprobs and text_offset of five choices", "ask it by how='letter'") from None

    def _weighed(self, logs: list, offsets: list, begin: int) -> float:
        first = begin if self.how == "option" else 0
        ends = [*offsets[1:], float("inf")]
        own = [float(log) for log, end in zip(logs, ends, strict=True) if log is not None and end > first]
        return float(np.mean(own) if self.how == "option" else np.sum(own))

    def _letter(self, text: str, endings: tuple[str, ...]) -> list[float]:
        listed = "".join(f"{letter}.{ending}\n" for letter, ending in zip(LETTERS, endings, strict=True))
        said = {"role": "user", "content": f"{text} ?\n\n{listed}{_ASK}"}
        answer = self._post("/chat/completions", {"messages": [said], "max_tokens": 16, "temperature": 0})
        try:
            told = answer["choices"][0]["message"]["content"] or ""
            found = _LETTER.search(told)
        except (KeyError, TypeError, IndexError) as error:
            raise InputError(f"an answer of {self.address} without a message ({error!r:.80})", "a letter") from None
        return [float(bool(found) and LETTERS[k] == found[1]) for k in range(OPTIONS)]

    def _post(self, path: str, asked: dict) -> dict:
        body = json.dumps({"model": self.model, **asked}).encode()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        request = urllib.request.Request(self.address + path, body, headers)
        for tried in range(1, self.tries + 1):
            try:
                with urllib.request.urlopen(request, timeout=self.seconds) as answer:
                    found = json.loads(answer.read(_LARGEST))
                break
            except urllib.error.HTTPError as error:
                if error.code not in _BUSY or tried == self.tries:
                    raise InputError(f"{error.code} {error.reason} of {self.address}{path}", "an answer") from None
                time.sleep(float(error.headers.get("Retry-After") or _PAUSE * 2**tried))
            except (OSError, ValueError) as error:
                reason = getattr(error, "reason", error)
                raise InputError(f"no answer of {self.address}{path} ({reason})", "an address that answers") from None
        if not isinstance(found, dict):
            raise InputError(f"a {type(found).__name__} of {self.address}{path}", "a mapping")
        return found
