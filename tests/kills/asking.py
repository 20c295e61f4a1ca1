"""A run that asks a model, killed at random calls: no answer that came is asked for again, and none is lost."""

from __future__ import annotations

import hashlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from kills import asker
from kills.harness import chance
from lm.speaking import Server, says, serving

from cogkit.app import asking
from cogkit.lm.kept import CAME, SENT, Answers, Kept


def words(text: str) -> str:
    """Return what the model says to a question: a letter, words without one, or a refusal."""
    number = hashlib.sha256(text.encode()).digest()[0]
    return ["A or B", "", "I'm sorry, I cannot say."][number % 3] if number < 64 else f"ANSWER: {'ABCDE'[number % 5]}"


class Model:
    """Answers at the server, and rings a bell when so many calls have come."""

    def __init__(self) -> None:
        self.bell, self.calls, self.lock = threading.Event(), 0, threading.Lock()

    def after(self, calls: int) -> threading.Event:
        """Return an event that is set when so many more calls have come, or at once for none."""
        with self.lock:
            self.bell, self.calls = threading.Event(), calls
            if not calls:
                self.bell.set()
            return self.bell

    def __call__(self, handler, request) -> None:
        with self.lock:
            self.calls -= 1
            if self.calls == 0:
                self.bell.set()
        says(words(request.text), usage=(100, 10))(handler, request)


class Runs:
    """A process that starts the runs, see `asker`."""

    def __init__(self, folder: Path) -> None:
        self.told = (folder / "told.txt").open("wb")
        self.process = subprocess.Popen([sys.executable, asker.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.told, env=os.environ | {"NO_PROXY": "*"})  # fmt: skip
        assert self.process.stdout.readline() == b"ready\n"

    def __enter__(self) -> Runs:
        return self

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.told.close()

    def begin(self, file: Path, url: str) -> int:
        """Begin a run, and return the number of its process."""
        self.process.stdin.write(json.dumps([str(file), url, str(file.with_suffix(".json"))]).encode() + b"\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def end(self, seconds: float | None = None) -> int | None:
        """Return the status of the run when it has ended; None if it has not after so many seconds."""
        if seconds is not None and not select.select([self.process.stdout], [], [], seconds)[0]:
            return None
        return int(self.process.stdout.readline())


class Asked:
    """One file of answers from its first question to its last, and all that is known of it."""

    def __init__(self, file: Path, server: Server, prompts) -> None:
        self.file, self.server = file, server
        self.texts = {prompt.key(asker.model(server.url).identity): prompt.text for prompt in prompts}
        self.before = Counter(server.counts())  # another file had the same questions
        self.done: dict[str, int] = {}  # how often each question with an answer on the disk had been asked
        self.flights: Counter = Counter()  # in how many kills each question was on its way
        self.read = 0  # lines of the log
        self.faults: list[str] = []

    def counts(self) -> Counter:
        """Return how often each text was asked for this file."""
        return Counter(self.server.counts()) - self.before

    def look(self) -> None:
        """Read what a killed run has left."""
        answers = Answers(self.file)
        log = answers.log()
        new, self.read = log[self.read :], len(log)
        on_their_way = set(new["key"][new.event == SENT]) - set(new["key"][new.event == CAME])
        self.flights.update(on_their_way)
        if len(on_their_way) > asker.AT_ONCE:
            self.faults.append(f"{len(on_their_way)} questions on their way")
        held, counts = answers.get([*self.texts]), self.counts()
        if lost := self.done.keys() - held.keys():
            self.faults.append(f"{len(lost)} answers lost")
        for key, said in held.items():
            if said.text != words(self.texts[key]):
                self.faults.append(f"another answer: {said}")
            self.done.setdefault(key, counts[self.texts[key]])

    def left(self) -> int:
        """Return how many questions have no answer on the disk."""
        return len(self.texts) - len(self.done)

    def finish(self, expected: list) -> None:
        """Compare all that there is in the end with a run that nobody ended."""
        self.look()
        counts, log = self.counts(), Answers(self.file).log()
        events = log.groupby(["key", "event"]).size().unstack(fill_value=0)
        again = [text for key, text in self.texts.items() if counts[text] != self.done[key]]
        many = [text for key, text in self.texts.items() if not 1 <= counts[text] <= 1 + self.flights[key]]
        if again or many or self.left():
            self.faults.append(f"{len(again)} asked again with an answer, {len(many)} too often, {self.left()} never")
        if set(log.event) != {SENT, CAME} or (events[CAME] != 1).any() or len(events) != len(self.texts):
            self.faults.append(f"the log has {events.sum().to_dict()}")
        if events[SENT].to_dict() != {key: 1 + self.flights[key] for key in self.texts}:
            self.faults.append("the log does not show what was asked again")
        if json.loads(self.file.with_suffix(".json").read_text()) != expected:
            self.faults.append("other rows")


class Nobody:
    """The model, which must not be asked any more."""

    name = "m"

    def __init__(self, identity) -> None:
        self.identity = identity

    def say(self, prompts, begin=lambda number: None):
        assert not prompts, f"{len(prompts)} questions are asked again"
        yield from ()


def attacked(kills: int, folder: Path) -> tuple[int, list[str]]:
    """Kill so many runs that ask a model."""
    made = asker.items()
    prompts, lost, count, number = asking.prompts(asker.WHAT, made), [], 0, 0
    model = Model()
    with serving(model) as server, Runs(folder) as runs:
        since = time.monotonic()
        runs.begin(folder / "undisturbed.sqlite", server.url)
        assert runs.end() == 0, (folder / "told.txt").read_text()
        span = 2 * asker.AT_ONCE * (time.monotonic() - since) / len(prompts)  # twice as long as a question takes
        expected = json.loads((folder / "undisturbed.json").read_text())
        while count < kills:
            number += 1
            asked = Asked(folder / f"{number}.sqlite", server, prompts)
            while True:
                bell = model.after(chance.randint(0, asked.left()))
                process = runs.begin(asked.file, server.url)
                status = None
                if count < kills and asked.left():
                    assert bell.wait(60), "no call came"
                    status = runs.end(chance.uniform(0, span))
                    if status is None:
                        os.kill(process, signal.SIGKILL)
                if status is None:
                    status = runs.end()
                if status == 0:
                    break
                assert status == signal.SIGKILL, (folder / "told.txt").read_text()
                count += 1
                asked.look()
            asked.finish(expected)
            kept = Kept(Nobody(asker.model(server.url).identity), Answers(asked.file))
            if asker.rows(asking.ask(kept, asker.WHAT, made)) != expected:
                asked.faults.append("other rows when it is read again")
            lost += [f"{asked.file}: {fault}" for fault in asked.faults]
    return count, lost
