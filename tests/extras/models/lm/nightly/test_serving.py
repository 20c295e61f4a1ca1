"""A server that others wrote, over the loopback: it says what the same model says in its folder.

`transformers serve` answers chats and completions, and gives no probabilities.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import torch
from children import start
from lm import tiny
from tokenizers.processors import TemplateProcessing

from cogkit.extras.models.lm.address import Address
from cogkit.extras.models.lm.local import local
from cogkit.extras.models.lm.prompts import Prompt

pytestmark = pytest.mark.usefixtures("one_thread")
TOKENS = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A model, whose tokenizer begins a text with its sign, and knows chats."""
    torch.manual_seed(3)
    folder, tokenizer = tmp_path_factory.mktemp("models") / "llama", tiny.tokenizer()
    tokenizer.chat_template = tiny.TEMPLATE
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing("<s> $A", special_tokens=[("<s>", 0)])
    tiny.llama().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def url(folder, tmp_path_factory) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [str(Path(sys.executable).with_name("transformers")), "serve", str(folder), "--host", "127.0.0.1"]
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "NO_PROXY": "*"}
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("wb") as out:
        process = start([*command, "--port", port, "--device", "cpu"], stdout=out, stderr=out, env=environment)
    while True:
        with suppress(httpx.TransportError):
            assert httpx.get(f"http://127.0.0.1:{port}/health", trust_env=False).status_code == 200
            break
        with suppress(subprocess.TimeoutExpired):
            pytest.fail(f"the server ended with {process.wait(0.2)}:\n{log.read_text()}")
    yield f"http://127.0.0.1:{port}/v1"
    process.terminate()
    process.wait()


def prompts() -> list[Prompt]:
    texts = ("Context: A small red glass cube.\nName:", "Context: A large blue metal sphere.\nName:", "Which name?")
    return [Prompt(text, (("user", text),), ("pado", "tif")) for text in texts]


@pytest.mark.parametrize("chat", [True, False])
def test_a_server_says_what_the_model_says_in_its_folder(url, folder, chat):
    here, there = local(folder, chat=chat, tokens=TOKENS), Address(url, str(folder), chat=chat, tokens=TOKENS)
    ours, theirs = dict(here.complete(prompts())), dict(there.complete(prompts()))
    for number, completion in ours.items():
        assert completion.text and completion.end == "length" and completion.tokens_out == TOKENS
        assert replace(theirs[number], seconds=0) == replace(completion, seconds=0)
    assert len({completion.text for completion in theirs.values()}) == len(theirs) == 3
