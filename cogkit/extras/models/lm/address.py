"""A model behind an address with OpenAI's interface: many questions at once, patience with limits, and a price.

``/chat/completions`` is asked by default, ``/completions`` for a model that only completes, and for probabilities.
"""

from __future__ import annotations

import base64
import math
import os
import random
import re
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import anyio
import httpx
import msgspec
from anyio.from_thread import start_blocking_portal

from cogkit.core.errors import InputError, one_line
from cogkit.data import readers
from cogkit.extras.models.lm.cache import Begin, Participant, quiet
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
_SUMMED = ("logs", "sizes", "tokens_in", "tokens_out", "cost", "seconds")  # over the endings of a question
_LEAST = 8  # letters of a key that is looked for in answers
_LETTERS_A_TOKEN = 3.0  # fewer than in English, so that an estimate is not too low
_TOKENS_A_PICTURE = 1_500


# What is read of an answer

_Count = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
_Log = Annotated[float, msgspec.Meta(ge=-1e6, le=_ROUNDING)]


class _Part(msgspec.Struct):
    text: str = ""


class _Message(msgspec.Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None


class _Logprobs(msgspec.Struct):
    token_logprobs: list[_Log | None] | None = None
    text_offset: list[int] | None = None


class _Choice(msgspec.Struct):
    message: _Message | None = None
    text: str | None = None
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None

    def words(self) -> tuple[str | None, str]:
        """Return what the model says, None if it cannot be found, and why it ended."""
        if self.message is None:
            return self.text, self.finish_reason or ""
        if self.message.refusal:
            return self.message.refusal, "refusal"
        content = self.message.content or ""
        text = content if isinstance(content, str) else "".join(part.text for part in content)
        return text, self.finish_reason or ""

    def own(self, begin: int, end: int) -> list[float]:
        """Return the logarithms of the probabilities of the tokens from one place to another; none if none came."""
        logs, places = (self.logprobs and (self.logprobs.token_logprobs, self.logprobs.text_offset)) or ((), ())
        if not logs or not places or len(places) == 1:  # one token is that of the answer
            return []
        tokens = zip(logs, places, [*places[1:], end], strict=True)
        own = [log for log, first, last in tokens if first < end and last > begin]
        known = [log for log in own if log is not None]
        if not known or len(known) < len(own):
            raise ValueError("no probability of each token")
        return known


class _Usage(msgspec.Struct):
    prompt_tokens: _Count | None = None
    completion_tokens: _Count | None = None


class _Answer(msgspec.Struct):
    choices: Annotated[list[_Choice], msgspec.Meta(min_length=1)]
    usage: _Usage | None = None


@dataclass
class Address(Participant):
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
    prices : (float, float)
        What a million tokens cost, of prompts and of answers, in any currency.
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
    prices: tuple[float, float] = (0.0, 0.0)
    most: float | None = None

    def __post_init__(self) -> None:
        try:
            parts = httpx.URL(self.url)
        except httpx.InvalidURL:
            parts = httpx.URL("")
        if parts.scheme not in ("http", "https") or not parts.host:
            raise InputError(repr(self.url), "an address that begins with http:// or https://")
        if parts.userinfo or parts.query or parts.fragment:
            got = f"the address of {parts.host} with a name, a key or a question in it"
            raise InputError(got, "an address alone", f"set {KEY} to the key")
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
        tokens_in = tokens_out = 0
        for prompt in prompts:
            letters = sum(len(text) for _, text in prompt.turns)
            letters = sum(letters + len(ending) for ending in prompt.endings) if prompt.endings else letters
            tokens_in += math.ceil(letters / _LETTERS_A_TOKEN) + _TOKENS_A_PICTURE * len(prompt.pictures)
            tokens_out += len(prompt.endings) or self.tokens
        return tokens_in, tokens_out, self._cost(tokens_in, tokens_out)

    def _cost(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.prices[0] + tokens_out * self.prices[1]) / 1e6

    def priced(self, prompts: Sequence[Prompt]) -> str:
        """Return the `estimate` in words."""
        tokens_in, tokens_out, cost = self.estimate(prompts)
        price = f"at most {cost:.4g}" if any(self.prices) else "no prices were given (--price IN OUT)"
        return f"about {tokens_in:,} tokens of prompts, at most {tokens_out:,} of answers; {price}"

    def complete(self, prompts: Sequence[Prompt], begin: Begin = quiet) -> Iterator[tuple[int, Completion]]:
        """Yield the number of each prompt and what came back, as soon as it comes.

        Raises
        ------
        InputError
            The next question could cost more than is left of ``most``. What is on its way is waited for.
        """
        left, failure = deque(enumerate(prompts)), None
        waiting: dict[Future[Completion], tuple[int, float]] = {}  # number, and the most that it can cost
        client = httpx.AsyncClient(
            headers={"Authorization": f"Bearer {self.key}"} if self.key else {}, timeout=None,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=self.at_once),
        )  # fmt: skip
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
            try:
                while waiting or (left and failure is None):
                    while left and failure is None and len(waiting) < self.at_once:
                        number, prompt = left[0]
                        price = self.estimate([prompt])[2]
                        cost = self.spent + price + sum(price for _, price in waiting.values())
                        if self.most is not None and cost > self.most:
                            if not waiting:  # what is on its way may cost less than it might
                                got = f"questions that could cost more than {self.most:g} ({self.spent:.4g} are spent)"
                                fix = "raise it: all answers so far are kept"
                                failure = InputError(got, "a price within --max-cost", fix)
                            break
                        left.popleft()
                        begin(number)
                        waiting[portal.start_task_soon(self._asked, client, prompt)] = number, price
                    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                        number, price = waiting.pop(future)
                        try:
                            completion = future.result()
                        except InputError as error:  # what is on its way may still come, and be paid
                            failure = failure or error
                            continue
                        is_counted = completion.problem or completion.tokens_in or completion.tokens_out
                        self.spent += completion.cost if is_counted else price
                        yield number, completion
                if failure is not None:
                    raise failure
            finally:
                for future in waiting:
                    future.cancel()

    async def _asked(self, client: httpx.AsyncClient, prompt: Prompt) -> Completion:
        """Return what comes back for a prompt. Each ending is a request: some servers take one text at a time."""
        if not prompt.endings:
            return await self._tried(client, prompt)
        whole = Completion(end="stop")
        for option, ending in zip(prompt.options, prompt.endings, strict=True):
            part = await self._tried(client, replace(prompt, options=(option,), endings=(ending,)))
            whole = replace(whole, **{name: getattr(whole, name) + getattr(part, name) for name in _SUMMED})
            if part.problem:
                return replace(whole, end="", logs=(), sizes=(), problem=part.problem)
            if not part.logs:
                raise _silent(f"an answer of {self.url} without probabilities of the prompt")
        return whole

    async def _tried(self, client: httpx.AsyncClient, prompt: Prompt) -> Completion:
        """Return what comes back for a prompt with at most one ending, after as many tries as it takes."""
        began, pause, problem, limit = time.monotonic(), 0.0, "", self._limit
        path, body = self._body(prompt, limit)
        for attempt in range(self.tries):
            if attempt:
                await anyio.sleep(min(pause, self.longest_wait))
            pause = _PAUSE * 2.0 ** min(attempt, 60) * random.uniform(0.5, 1.0)
            try:
                with anyio.fail_after(self.seconds):
                    answer, content = await self._posted(client, path, body)
            except (TimeoutError, httpx.HTTPError) as error:
                reason = self._hidden(f"{type(error).__name__}: {error}")
                reason = f"not whole in {self.seconds:g} s" if isinstance(error, TimeoutError) else reason
                if isinstance(error, httpx.ConnectError) and not self._reached:
                    fix = "start the server, or look at the address"
                    raise InputError(f"no server at {self.url} ({reason})", "an address that answers", fix) from None
                problem = f"no answer of {self.url} ({reason})"
                continue
            self._reached = True
            if answer.status_code == 200:
                return replace(self._read(prompt, content), seconds=time.monotonic() - began)
            problem = f"{answer.status_code} of {self.url}: {content or 'no reason given'}"
            if answer.status_code not in _BUSY:
                if limit == "max_tokens" and limit in content:
                    self._limit = "max_completion_tokens"  # what newer models call it
                    return await self._tried(client, prompt)
                return self._refused(prompt, answer.status_code, problem)
            with suppress(ValueError):
                retry_after = float(answer.headers.get("Retry-After", ""))
                pause = retry_after if retry_after >= 0 else pause
        return Completion(problem=one_line(f"{problem} (asked {self.tries} times)"))

    async def _posted(self, client: httpx.AsyncClient, path: str, body: Mapping) -> tuple[httpx.Response, str]:
        """Return what a server answers to one try, and its content, which is cut just above the largest that is read.

        The key is taken out of it, because some addresses repeat it.
        """
        content = bytearray()
        async with client.stream("POST", self.url + path, json=body) as answer:
            async for piece in answer.aiter_bytes():
                content += piece
                if len(content) > _LARGEST:
                    break
        return answer, self._hidden(content.decode(errors="surrogateescape"))

    def _hidden(self, text: str) -> str:
        return text.replace(self.key, "…") if len(self.key) >= _LEAST else text

    def _refused(self, prompt: Prompt, status: int, problem: str) -> Completion:
        """Return the failure of a question; raise `InputError` if no other question will fare better."""
        if status in _CLOSED:
            fix = f"look at the model's name and at {KEY}"
            raise InputError(problem, f"an address that answers for {self.model}", fix)
        if prompt.endings and ("echo" in problem or "logprobs" in problem):
            raise _silent(problem)
        if prompt.pictures and "image" in problem.lower():
            problem = f"{self.model} takes no pictures ({problem})"
        return Completion(problem=one_line(problem))

    def _body(self, prompt: Prompt, limit: str) -> tuple[str, dict[str, Any]]:
        """Return the path and the fields of a question; ``limit`` is the name of the longest answer."""
        if prompt.pictures and not self.chat:
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

    def _read(self, prompt: Prompt, content: str) -> Completion:
        """Return what an answer says, or a failure if it is no answer of this kind."""
        where, wanted, logs = f"an answer of {self.url}", "choices with what the model says", []
        if len(content) > _LARGEST:
            return Completion(problem=f"{where} of more than {_LARGEST:,} bytes")
        try:
            answer: _Answer = readers.parsed(content, _Answer, where, wanted)
            text, end = answer.choices[0].words()
            if prompt.endings:
                logs = answer.choices[0].own(len(prompt.text), len(prompt.text + prompt.endings[0]))
            elif text is None:
                raise ValueError("no text")
        except InputError as error:
            return Completion(problem=str(error))
        except ValueError as error:
            return Completion(problem=f"{where} in another form ({error})")
        usage = answer.usage or _Usage()
        counts, sums = (usage.prompt_tokens or 0, usage.completion_tokens or 0), (math.fsum(logs),) * bool(logs)
        return Completion(text or "", end, sums, (len(logs),) * len(sums), *counts, self._cost(*counts))


def _silent(got: str) -> InputError:
    """Return the error about an address that gives no probabilities, to no question."""
    return InputError(got, "token_logprobs and text_offset of the prompt", "ask it by its words: --how text")


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
