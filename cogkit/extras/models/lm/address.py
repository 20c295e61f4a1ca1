"""A model behind an address with OpenAI's interface: many questions at once, patience with limits, and a price.

``/chat/completions`` is asked by default, ``/completions`` for a model that only completes, and for probabilities.
"""

from __future__ import annotations

import base64
import math
import os
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any

import httpx

from cogkit.core.errors import InputError, one_line
from cogkit.data import readers
from cogkit.extras.models.lm.prompts import CUE, Prompt
from cogkit.extras.models.lm.replies import Completion

KEY = "COGKIT_LM_KEY"
"""The environment variable that holds the key of an address."""
_BUSY = (408, 409, 425, 429, 500, 502, 503, 504, *range(520, 525), 529)
_CLOSED = (401, 402, 403, 404, 405)  # no other question will fare better
_LARGEST = 10_000_000  # bytes of an answer
_PAUSE = 0.5  # seconds, doubled at every try, if a busy address does not say how long to wait
_ROUNDING = 1e-3  # the logarithm of a probability may lie above 0 by this
_PICTURE = re.compile(r"\[picture (\d+)\]")
_LEAST = 8  # letters of a key that is looked for in answers
_COUNTED = ("tokens_in", "tokens_out", "cost", "seconds")
_LETTERS_A_TOKEN = 3.0  # fewer than in English, so that an estimate is not too low
_TOKENS_A_PICTURE = 1_500


class Stopped(InputError):
    """Asking was stopped because it would have cost more than it may; every answer until then is kept."""


@dataclass(frozen=True)
class Prices:
    """What a million tokens cost, of prompts (``tokens_in``) and of answers (``tokens_out``), in any currency.

    Examples
    --------
    >>> Prices(1.0, 4.0).of(500_000, 250_000)
    1.5
    """

    tokens_in: float = 0.0
    tokens_out: float = 0.0

    def __post_init__(self) -> None:
        for price in (self.tokens_in, self.tokens_out):
            if not (math.isfinite(price) and price >= 0):
                raise InputError(f"a price of {price}", "a price of a million tokens, 0 or more")

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """Return what so many tokens cost."""
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1e6


@dataclass
class Address:
    """A model at an address, as a participant.

    Attributes
    ----------
    url : str
        The address, which ends with ``/v1``, without a key in it.
    model : str
        The model's name there.
    chat : bool
        Whether it is asked by ``/chat/completions``; otherwise its text goes to ``/completions``.
    key : str
        Sent in the header ``Authorization``; by default what the variable ``COGKIT_LM_KEY`` holds. It is never shown
        and never stored.
    tokens : int
        The longest answer.
    temperature : float or None
        None leaves it to the address; some models accept no other.
    at_once : int
        How many questions are on their way together.
    seconds : float
        The longest time for one try, from its start to the last byte of its answer.
    tries, longest_wait : int, float
        How often a busy address is asked, and the longest wait between two tries, in seconds, whatever it asks for.
    prices : Prices
    most : float or None
        What all questions together may cost.

    Raises
    ------
    InputError
        The address is not valid, or has a key in it. While asking: the address does not know the model or the key, or
        gives no probabilities.
    """

    url: str
    model: str
    chat: bool = True
    key: str = field(default="", repr=False)
    tokens: int = 1024
    temperature: float | None = 0.0
    at_once: int = 8
    seconds: float = 120.0
    tries: int = 6
    longest_wait: float = 60.0
    prices: Prices = Prices()
    most: float | None = None

    def __post_init__(self) -> None:
        try:
            parts = httpx.URL(self.url)
        except (httpx.InvalidURL, TypeError) as error:
            raise InputError(f"{self.url!r} ({error})", "an address that begins with http:// or https://") from None
        if parts.scheme not in ("http", "https") or not parts.host:
            raise InputError(repr(self.url), "an address that begins with http:// or https://")
        if parts.userinfo or parts.query or parts.fragment:
            got = f"the address of {parts.host} with a name, a key or a question in it"
            raise InputError(got, "an address alone", f"set {KEY} to the key")
        for name, value in (("at_once", self.at_once), ("tokens", self.tokens), ("tries", self.tries)):
            if value < 1:
                raise InputError(f"{name}={value}", "1 or more")
        self.url = self.url.rstrip("/")
        self.temperature = None if self.temperature is None else float(self.temperature)  # 0 and 0.0 are one
        self.key = (self.key or os.environ.get(KEY, "")).strip()
        if not (self.key.isascii() and self.key.isprintable()):
            raise InputError("a key with signs that no key has", "letters, digits and signs of ASCII", f"look at {KEY}")
        self.name, self.spent = self.model, 0.0
        self._limit = "max_tokens"  # the name of the field; some models want another
        self._reached = False  # whether the address has ever answered

    @property
    def identity(self) -> Mapping[str, Any]:
        """The model and the settings that its answers depend on; where it is asked is not one of them."""
        return {"model": self.model, "chat": self.chat, "tokens": self.tokens, "temperature": self.temperature}

    def estimate(self, prompts: Sequence[Prompt]) -> tuple[int, int, float]:
        """Return about how many tokens prompts have, the most that answers can have, and the most that both can cost.

        A token is taken as three letters, a picture as 1,500 tokens.
        """
        sizes = [_tokens(prompt, self.tokens) for prompt in prompts]
        tokens_in, tokens_out = (sum(size[k] for size in sizes) for k in (0, 1))
        return tokens_in, tokens_out, self.prices.of(tokens_in, tokens_out)

    def priced(self, prompts: Sequence[Prompt]) -> str:
        """Return the `estimate` in words."""
        tokens_in, tokens_out, cost = self.estimate(prompts)
        price = f"at most {cost:.4g}" if self.prices != Prices() else "no prices were given (--price IN OUT)"
        return f"about {tokens_in:,} tokens of prompts, at most {tokens_out:,} of answers; {price}"

    def complete(
        self, prompts: Sequence[Prompt], begin: Callable[[int], None] = lambda number: None
    ) -> Iterator[tuple[int, Completion]]:
        """Yield the number of each prompt and what came back, as soon as it comes.

        Raises
        ------
        Stopped
            The next question could cost more than is left of ``most``. What is on its way is waited for.
        """
        waiting: dict[Future, int] = {}
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        numbers, stop = iter(range(len(prompts))), threading.Event()
        stopped: InputError | None = None
        pool = ThreadPoolExecutor(self.at_once, thread_name_prefix="cogkit-lm")
        try:
            limits = httpx.Limits(max_connections=None, max_keepalive_connections=self.at_once)
            with httpx.Client(headers=headers, timeout=self.seconds, limits=limits, trust_env=True) as client:
                number = next(numbers, None)
                while True:
                    while stopped is None and number is not None and len(waiting) < self.at_once:
                        under_way = [prompts[n] for n in waiting.values()]
                        cost = self.spent + self.estimate([*under_way, prompts[number]])[2]
                        if self.most is not None and cost > self.most:
                            if waiting:  # which may cost less than they might
                                break
                            got = f"questions that could cost more than {self.most:g} ({self.spent:.4g} are spent)"
                            stopped = Stopped(got, "a price within --max-cost", "raise it: all answers so far are kept")
                            break
                        begin(number)
                        waiting[pool.submit(self._asked, client, prompts[number], stop)] = number
                        number = next(numbers, None)
                    if not waiting:
                        break
                    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                        answered = waiting.pop(future)
                        try:
                            completion = future.result()
                        except InputError as error:  # what is on its way may still come, and be paid
                            stopped = stopped or error
                            continue
                        is_counted = completion.problem or completion.tokens_in or completion.tokens_out
                        self.spent += completion.cost if is_counted else self.estimate([prompts[answered]])[2]
                        yield answered, completion
            if stopped is not None:
                raise stopped
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)

    def _asked(self, client: httpx.Client, prompt: Prompt, stop: threading.Event) -> Completion:
        """Return what comes back for a prompt. Each ending is a request: some servers take one text at a time."""
        if not prompt.endings:
            return self._tried(client, prompt, stop)
        parts: list[Completion] = []
        for option, ending in zip(prompt.options, prompt.endings, strict=True):
            parts.append(self._tried(client, replace(prompt, options=(option,), endings=(ending,)), stop))
            if parts[-1].problem:
                break
        sums: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in _COUNTED}
        if parts[-1].problem:
            return Completion(problem=parts[-1].problem, **sums)
        logs, sizes = (tuple(number for part in parts for number in getattr(part, name)) for name in ("logs", "sizes"))
        return Completion(end="stop", logs=logs, sizes=sizes, **sums)

    def _tried(self, client: httpx.Client, prompt: Prompt, stop: threading.Event) -> Completion:
        """Return what comes back for a prompt with at most one ending, after as many tries as it takes."""
        began, problem = time.monotonic(), ""
        for attempt in range(self.tries):
            if stop.is_set():
                return Completion(problem="nobody waits for it any more")
            limit = self._limit
            try:
                status, headers, content = self._posted(client, prompt, limit)
            except httpx.HTTPError as error:
                if isinstance(error, httpx.ConnectError) and not self._reached:
                    got = f"no server at {self.url} ({self._safe(error)})"
                    raise InputError(
                        got, "an address that answers", "start the server, or look at the address"
                    ) from None
                problem = f"no answer of {self.url} ({type(error).__name__}: {self._safe(error)})"
                if attempt + 1 < self.tries:
                    stop.wait(self._pause(attempt))
                continue
            self._reached = True
            if status == 200:
                if len(content) > _LARGEST:
                    return Completion(problem=f"an answer of more than {_LARGEST:,} bytes")
                try:
                    completion = self._read(prompt, content)
                except _NoProbabilities:
                    raise
                except InputError as error:
                    return Completion(problem=self._safe(error))
                cost = self.prices.of(completion.tokens_in, completion.tokens_out)
                return replace(completion, seconds=time.monotonic() - began, cost=cost)
            reason = content.decode(errors="replace")
            problem = f"{status} of {self.url}: {self._safe(reason) or 'no reason given'}"
            if status in _CLOSED:
                fix = f"look at the model's name and at {KEY}"
                raise InputError(problem, f"an address that answers for {self.model}", fix)
            if status not in _BUSY:
                if limit == "max_tokens" and limit in reason:
                    self._limit = "max_completion_tokens"  # what newer models call it
                    return self._tried(client, prompt, stop)
                if prompt.endings and ("echo" in reason or "logprobs" in reason):
                    raise self._without_probabilities(problem)
                if prompt.pictures and "image" in reason.lower():
                    problem = f"{self.model} takes no pictures ({problem})"
                return Completion(problem=one_line(problem))
            if attempt + 1 < self.tries:
                stop.wait(self._pause(attempt, _seconds(headers.get("Retry-After"), headers.get("Date"))))
        return Completion(problem=one_line(f"{problem} (asked {self.tries} times)"))

    def _posted(self, client: httpx.Client, prompt: Prompt, limit: str) -> tuple[int, Mapping[str, str], bytes]:
        """Return status, headers and content of one try, which is over in time, whatever the server does.

        httpx limits the time of each read, and a server can send its headers byte by byte. So a thread of its own posts
        the question, and is left alone when the time is over; it ends when the client is closed.
        """
        came: Future = Future()

        def post() -> None:
            try:
                came.set_result(self._exchanged(client, prompt, limit))
            except BaseException as error:
                came.set_exception(error)

        threading.Thread(target=post, name="cogkit-try", daemon=True).start()
        try:
            return came.result(self.seconds)
        except TimeoutError:
            raise httpx.ReadTimeout(f"not whole after {self.seconds:g} s") from None

    def _exchanged(self, client: httpx.Client, prompt: Prompt, limit: str) -> tuple[int, Mapping[str, str], bytes]:
        """Return status, headers and content of one try; the content is cut just above the largest that is read.

        The key is taken out of it, because some addresses repeat it.
        """
        path, body = self._body(prompt, limit)
        until, content = time.monotonic() + self.seconds, b""
        with client.stream("POST", self.url + path, json=body) as answer:
            for piece in answer.iter_bytes():
                content += piece
                if len(content) > _LARGEST:
                    break
                if time.monotonic() > until:  # each piece came in time, but all of them together do not
                    raise httpx.ReadTimeout(f"not whole after {self.seconds:g} s")
            if len(self.key) >= _LEAST:
                content = content.replace(self.key.encode(), "…".encode())
            return answer.status_code, answer.headers, content

    def _body(self, prompt: Prompt, limit: str) -> tuple[str, dict[str, Any]]:
        """Return the path and the fields of a question; ``limit`` is the name of the longest answer."""
        if prompt.pictures and (prompt.endings or not self.chat):
            raise InputError(f"pictures for {self.model}, which continues texts", "questions in words", "chat=True")
        settings: dict[str, Any] = {"model": self.model}
        if self.temperature is not None:
            settings["temperature"] = self.temperature
        if prompt.endings:
            text = prompt.text + prompt.endings[0]  # and one token more, because some servers give no answer without
            return "/completions", settings | {"prompt": text, limit: 1, "echo": True, "logprobs": 1}
        settings[limit] = self.tokens
        if not self.chat:
            return "/completions", settings | {"prompt": f"{prompt.text}\n\n{CUE}", "stop": ["\n"]}
        return "/chat/completions", settings | {"messages": messages(prompt)}

    def _read(self, prompt: Prompt, content: bytes) -> Completion:
        """Return what an answer says; `InputError` if it is no answer of this kind."""
        answer = readers.parsed(content, where=f"an answer of {self.url}", wanted="a mapping in JSON")
        usage = answer.get("usage") if isinstance(answer.get("usage"), dict) else {}
        tokens_in, tokens_out = (_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens"))
        counted = partial(Completion, tokens_in=tokens_in, tokens_out=tokens_out)
        try:
            if prompt.endings:
                logs, sizes = self._logs(prompt, answer["choices"])
                return counted(end="stop", logs=logs, sizes=sizes)
            choice = answer["choices"][0]
            end = choice.get("finish_reason") or ""
            if not self.chat:
                return counted(text=_text(choice["text"]), end=_text(end))
            message = choice["message"]
            if message.get("refusal"):
                return counted(text=_text(message["refusal"]), end="refusal")
            return counted(text=_text(message.get("content")), end=_text(end))
        except _NoProbabilities:
            raise
        except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError) as error:
            wanted = "choices with what the model says"
            raise InputError(f"an answer of {self.url} in another form ({error!r:.80})", wanted) from None

    def _logs(self, prompt: Prompt, choices: Sequence[Mapping[str, Any]]) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Return the sum of the logarithms of the probabilities of an ending's tokens, and their number."""
        (choice,) = choices
        logprobs = choice.get("logprobs") or {}
        places, logs = logprobs.get("text_offset"), logprobs.get("token_logprobs")
        if not places or not logs or len(places) == 1:  # one token is that of the answer
            raise self._without_probabilities(f"an answer of {self.url} without probabilities of the prompt")
        begin, end = len(prompt.text), len(prompt.text) + len(prompt.endings[0])
        tokens = zip(logs, places, [*places[1:], end], strict=True)
        own = [float(log) for log, first, last in tokens if first < end and last > begin]
        if not own or not all(-math.inf < log <= _ROUNDING for log in own):
            raise ValueError(f"logarithms of probabilities {own[:3]}")
        return (math.fsum(own),), (len(own),)

    @staticmethod
    def _without_probabilities(got: str) -> _NoProbabilities:
        return _NoProbabilities(got, "token_logprobs and text_offset of the prompt", "ask it by its words: --how text")

    def _pause(self, attempt: int, retry_after: float | None = None) -> float:
        """Return how many seconds to wait: what the address asks for, else twice as long as before; never too long."""
        seconds = _PAUSE * 2.0 ** min(attempt, 60) * random.uniform(0.5, 1.0) if retry_after is None else retry_after
        return min(max(seconds, 0.0), self.longest_wait)

    def _safe(self, text: object) -> str:
        """Return a text in one line, without the key, which some addresses repeat."""
        text = str(text)
        return one_line(text.replace(self.key, "…") if self.key else text)


class _NoProbabilities(InputError):
    """The address gives no probabilities, to no question."""


def messages(prompt: Prompt) -> list[dict[str, Any]]:
    """Return the turns of a prompt as chat messages, pictures in their places.

    Examples
    --------
    >>> messages(Prompt("0", (("user", "Which name?"),), ("pado", "tif")))
    [{'role': 'user', 'content': 'Which name?'}]
    """
    return [{"role": role, "content": _parts(text, prompt.pictures)} for role, text in prompt.turns]


def _parts(text: str, pictures: Sequence[bytes]) -> str | list[dict[str, Any]]:
    pieces = _PICTURE.split(text)
    if len(pieces) == 1:
        return text
    parts: list[dict[str, Any]] = []
    for place, piece in enumerate(pieces):
        if place % 2:
            png = base64.b64encode(pictures[int(piece) - 1]).decode()
            parts.append({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{png}"}})
        elif piece.strip():
            parts.append({"type": "text", "text": piece.strip()})
    return parts


def _tokens(prompt: Prompt, most: int) -> tuple[int, int]:
    """Return about how many tokens a prompt has, and how many its answer may have."""
    letters = sum(len(text) for _, text in prompt.turns)
    if endings := prompt.endings:
        return math.ceil(sum(letters + len(ending) for ending in endings) / _LETTERS_A_TOKEN), len(endings)
    return math.ceil(letters / _LETTERS_A_TOKEN) + _TOKENS_A_PICTURE * len(prompt.pictures), most


def _seconds(retry_after: str | None, date: str | None) -> float | None:
    """Return what a header ``Retry-After`` asks for, in seconds; None if it says nothing that can be read.

    It holds a number, or a date, which counts from the date of the answer: clocks may differ.
    """
    try:
        seconds = float(retry_after or "")
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(retry_after or "") - parsedate_to_datetime(date or "")).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return None if math.isnan(seconds) else seconds


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else 0


def _text(value: Any) -> str:
    """Return a text; of a list of parts, as some servers answer, the texts in it."""
    if isinstance(value, list):
        return "".join(_text(part.get("text") if isinstance(part, dict) else part) for part in value)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{type(value).__name__} in place of a text")
    return value.encode(errors="replace").decode()
