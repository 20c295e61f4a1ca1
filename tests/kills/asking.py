"""A run that asks a model, killed and run again: no answer that came is asked for again, and none is lost."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from kills import asker
from kills.harness import attack
from lm.speaking import says, serving

from cogkit.extras.models import asking
from cogkit.extras.models.lm.cache import CAME, SENT, CachedModel, CompletionCache

ENV = os.environ | {"NO_PROXY": "*"}


def answer(handler, request) -> None:
    """Say a letter, words without one, or a refusal, after a moment."""
    number = hashlib.sha256(request.text.encode()).digest()[0]
    other = ["A or B", "", "I'm sorry, I cannot say."][number % 3]
    time.sleep(0.05)
    says(other if number < 64 else f"ANSWER: {'ABCDE'[number % 5]}", usage=(100, 10))(handler, request)


class Nobody:
    """The model, which must not be asked any more."""

    name = "m"

    def __init__(self, identity) -> None:
        self.identity = identity

    def complete(self, prompts, begin=lambda number: None):
        assert not prompts, f"{len(prompts)} questions are asked again"
        yield from ()


def whole(here: Path) -> dict:
    """Return the rows of a run that has ended."""
    return {"rows": json.loads((here / "rows.json").read_text())}


def attacked(kills: int, folder: Path) -> tuple[int, list[str]]:
    """Kill so many runs that ask a model."""
    made, before = asker.items(), {}
    prompts = asking.prompts(asker.WHAT, made)
    with serving(answer) as server:
        identity = asker.model(server.url).identity
        texts = {prompt.key(identity): prompt.text for prompt in prompts}

        def command(here: Path) -> list[str]:
            here.mkdir(exist_ok=True)
            before.setdefault(here, Counter(server.counts()))  # another run had the same questions
            files = str(here / "answers.sqlite"), server.url, str(here / "rows.json")
            return [sys.executable, asker.__file__, *files]

        def done(here: Path) -> dict[str, str]:
            responses = CompletionCache(here / "answers.sqlite").get([*texts])
            return {key: responses[key].text for key in responses}

        def finish(here: Path) -> None:
            subprocess.run(command(here), env=ENV, check=True)
            answers = CompletionCache(here / "answers.sqlite")
            log, counts = answers.log(), Counter(server.counts()) - before[here]
            for key, text in texts.items():
                events = log.event[log.key == key].tolist()
                assert events == [SENT] * (len(events) - 1) + [CAME], f"the log says {events} of {key}"
                assert 1 <= counts[text] < len(events), f"{counts[text]} times asked, {events} of {key}"
            again = asking.ask(CachedModel(Nobody(identity), answers), asker.WHAT, made)
            assert asker.rows(again) == whole(here)["rows"], "other rows when it is read again"

        return attack(kills, folder, command, finish, whole, done, env=ENV)
