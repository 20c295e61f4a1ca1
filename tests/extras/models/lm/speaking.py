"""A server with OpenAI's interface on this machine, which does with every request what a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PACE = 0.02  # seconds between two pieces of a slow answer
PIECES = 400  # of a slow answer: whoever waits for them all waits for eight seconds


@dataclass(frozen=True)
class Request:
    """What a server was asked: ``number`` counts all requests from 0, ``again`` those of the same text before it."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    number: int
    again: int

    @property
    def text(self) -> str:
        """The question: the last turn, or the text to complete."""
        return asked_of(self.body)


def asked_of(body: Mapping[str, Any]) -> str:
    """Return the question in the fields of a request."""
    content = body["messages"][-1]["content"] if "messages" in body else body["prompt"]
    if content and isinstance(content, list) and isinstance(content[0], dict):
        content = "".join(part.get("text", "") for part in content)
    return content if isinstance(content, str) else content[0]


Act = Callable[["Handler", Request], None]


class Handler(BaseHTTPRequestHandler):
    """Counts a request, and lets the server's act answer it."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        server: Server = self.server  # type: ignore[assignment]
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            again = sum(asked_of(body) == request.text for request in server.requests)
            request = Request(self.path, dict(self.headers), body, len(server.requests), again)
            server.requests.append(request)
            server.within += 1
            server.most_within = max(server.most_within, server.within)
        try:
            with suppress(ConnectionError):  # nobody waits for it any more
                server.act(self, request)
        finally:
            with server.lock:
                server.within -= 1
                server.lock.notify_all()

    def send(self, status: int, content: bytes, headers: Mapping[str, str]) -> None:
        """Send a whole answer."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def send_response(self, code: int, message: str | None = None) -> None:
        """Begin an answer, without the headers ``Date`` and ``Server``: tests give their own."""
        self.send_response_only(code, message)

    def log_message(self, *_) -> None:
        pass


class Server(ThreadingHTTPServer):
    """The server: ``act(handler, request)`` answers; ``requests`` holds all that came, in the order of their coming.

    ``most_within`` is how many were there at once; ``patient`` the number of slow answers that somebody waited for.
    """

    def __init__(self, act: Act) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.act, self.lock = act, threading.Condition()
        self.requests: list[Request] = []
        self.within = self.most_within = self.patient = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def bodies(self) -> list[Mapping[str, Any]]:
        return [request.body for request in self.requests]

    def counts(self) -> dict[str, int]:
        """Return how often each text was asked."""
        with self.lock:
            texts = [request.text for request in self.requests]
        return {text: texts.count(text) for text in texts}

    def idle(self) -> bool:
        """Wait until every request has been dealt with, and return whether that took less than a minute."""
        with self.lock:
            return self.lock.wait_for(lambda: not self.within, 60)

    def handle_error(self, *_) -> None:
        pass  # a client that hangs up is no error


def started(act: Act) -> Server:
    """Return a server that runs as long as this process."""
    server = Server(act)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    return server


@contextmanager
def serving(act: Act) -> Iterator[Server]:
    """Run a server as long as the block runs."""
    server = started(act)
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


# What can be done with a request


def status(code: int, content: Any = "", **headers: str) -> Act:
    """Answer with this status and content: bytes, a text, or what goes into JSON."""
    if not isinstance(content, str | bytes):
        content = json.dumps(content)
    content = content if isinstance(content, bytes) else content.encode()
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler, request: handler.send(code, content, headers)


def chat(text: Any = "ANSWER: A", end: Any = "stop", usage: Any = (10, 5), **message: Any) -> dict[str, Any]:
    """Return the content of an answer to ``/chat/completions``."""
    turn = {"role": "assistant", "content": text, **message}
    counted = {"prompt_tokens": usage[0], "completion_tokens": usage[1]} if usage else None
    return {"id": "1", "choices": [{"index": 0, "message": turn, "finish_reason": end}], "usage": counted}


def says(text: Any = "ANSWER: A", end: Any = "stop", usage: Any = (10, 5), **message: Any) -> Act:
    """Answer as a model that chats."""
    return status(200, chat(text, end, usage, **message))


def likelihoods(text: str) -> list[dict[str, Any]]:
    """Return a choice with probabilities: every letter is a token, with one that goes by its code; one token is new."""
    return [
        {"index": 0, "text": f"{text}!", "logprobs": {
            "token_logprobs": [None, *(-ord(letter) / 100 for letter in text[1:]), -0.25],
            "text_offset": list(range(len(text) + 1)),
        }}
    ]  # fmt: skip


def tells(handler: Handler, request: Request) -> None:
    """Answer with probabilities."""
    handler.send(200, json.dumps({"choices": likelihoods(request.text)}).encode(), {})


def raw(*pieces: bytes) -> Act:
    """Write these bytes in place of an answer, and hang up."""

    def act(handler: Handler, request: Request) -> None:
        for piece in pieces:
            handler.wfile.write(piece)
        handler.close_connection = True

    return act


def slow(head: bytes, pieces: Iterable[bytes]) -> Act:
    """Write the first bytes of an answer at once and then a piece now and then, to the end or until nobody listens."""
    pieces = list(pieces)

    def act(handler: Handler, request: Request) -> None:
        server: Server = handler.server  # type: ignore[assignment]
        handler.close_connection, pause = True, threading.Event()
        handler.wfile.write(head)
        for piece in pieces:
            pause.wait(PACE)
            handler.wfile.write(piece)
        server.patient += 1

    return act


def in_turn(*acts: Act) -> Act:
    """Do one after another with the requests of each text, and the last with all that follow."""
    return lambda handler, request: acts[min(request.again, len(acts) - 1)](handler, request)


def by_text(acts: Mapping[str, Act]) -> Act:
    """Do with each text what is told for it."""
    return lambda handler, request: acts[request.text](handler, request)
