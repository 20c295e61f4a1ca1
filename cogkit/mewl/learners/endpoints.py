"""Language models behind an address with OpenAI's interface, scored by probabilities or by the letter they answer.

Some addresses give logarithms of probabilities of a given text (``/completions`` with ``echo``). They are scored like
`language.LanguageModel`. Other addresses are asked for a letter, and the learner's name says so.
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
from cogkit.data import foreign
from cogkit.mewl.learners.language import SCORINGS, prompts
from cogkit.mewl.problems.captions import PREFIX
from cogkit.mewl.problems.episodes import OPTIONS, Question

LETTERS = "ABCDE"
_ASK = "Which name fits the last context? Answer with one letter.\n"
_LETTER = re.compile(r"\b([A-E])\b")
_BUSY = (408, 429, 500, 502, 503, 504)
_LARGEST = 10_000_000  # bytes of an answer
_PAUSE = 0.25  # seconds, doubled at every try, if a busy address does not say how long to wait


class Endpoint:
    """A language model at an address, as a learner.

    ``address`` ends with ``/v1``. ``how`` is ``option`` or ``whole`` of `language.SCORINGS`, if the address gives
    probabilities; otherwise ``letter``. ``key`` is for the header ``Authorization``; it is never shown and never
    stored. ``prefix`` stands before the prompt. ``seconds`` is the longest time to wait for an answer, ``tries`` how
    often to ask a busy address. Raises `InputError` if the address is not valid.
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
        way = {"whole": "prompt and option", "option": "option alone", "letter": "by letter"}[how]
        self.name = f"{model}, {way}"

    def score(self, question: Question) -> np.ndarray:
        """Return the score of each option, (n, 5). With letters, the named option has 1 and all others 0."""
        weigh = self._letter if self.how == "letter" else self._likely
        return np.array([weigh(*pair) for pair in prompts(question, self.prefix)])

    def _likely(self, text: str, endings: tuple[str, ...]) -> list[float]:
        request = {"prompt": [text + ending for ending in endings], "max_tokens": 0, "echo": True, "logprobs": 1}
        answer = self._post("/completions", request | {"temperature": 0})
        try:
            choices = sorted(answer["choices"], key=lambda choice: choice["index"])
            logs = [(choice["logprobs"]["token_logprobs"], choice["logprobs"]["text_offset"]) for choice in choices]
            if len(logs) != len(endings):
                raise ValueError(f"{len(logs)} choices")
            return [self._weighed(*scores, len(text)) for scores in logs]
        except (KeyError, TypeError, ValueError) as error:
            got = f"an answer of {self.address} without probabilities of the prompt ({error!r:.80})"
            raise InputError(got, "token_logprobs and text_offset of five choices", "ask it by how='letter'") from None

    def _weighed(self, logs: list, offsets: list, begin: int) -> float:
        start = begin if self.how == "option" else 0
        ends = [*offsets[1:], float("inf")]
        values = [float(log) for log, end in zip(logs, ends, strict=True) if log is not None and end > start]
        return float(np.mean(values) if self.how == "option" else np.sum(values))

    def _letter(self, text: str, endings: tuple[str, ...]) -> list[float]:
        choices = "".join(f"{letter}.{ending}\n" for letter, ending in zip(LETTERS, endings, strict=True))
        message = {"role": "user", "content": f"{text} ?\n\n{choices}{_ASK}"}
        answer = self._post("/chat/completions", {"messages": [message], "max_tokens": 16, "temperature": 0})
        try:
            reply = answer["choices"][0]["message"]["content"] or ""
            letter = _LETTER.search(reply)
        except (KeyError, TypeError, IndexError) as error:
            raise InputError(f"an answer of {self.address} without a message ({error!r:.80})", "a letter") from None
        return [float(bool(letter) and LETTERS[k] == letter[1]) for k in range(OPTIONS)]

    def _post(self, path: str, fields: dict) -> dict:
        body = json.dumps({"model": self.model, **fields}).encode()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        request = urllib.request.Request(self.address + path, body, headers)
        for attempt in range(1, self.tries + 1):
            try:
                with urllib.request.urlopen(request, timeout=self.seconds) as answer:
                    content = answer.read(_LARGEST)
                break
            except urllib.error.HTTPError as error:
                if error.code not in _BUSY or attempt == self.tries:
                    raise InputError(f"{error.code} {error.reason} of {self.address}{path}", "an answer") from None
                time.sleep(float(error.headers.get("Retry-After") or _PAUSE * 2**attempt))
            except (OSError, ValueError) as error:
                reason = getattr(error, "reason", error)
                raise InputError(f"no answer of {self.address}{path} ({reason})", "an address that answers") from None
        return foreign.parsed(content, where=f"an answer of {self.address}{path}", wanted="a mapping in JSON")
