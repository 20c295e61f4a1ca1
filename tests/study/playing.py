"""A program that adds trials as fast as it is let: ``python playing.py DATABASE SITTING COUNT``.

It prints a row's order once `Trials.add` has returned, and nothing else.
"""

from __future__ import annotations

import subprocess
import sys

from cogkit.study.trials import Trials


def row(sitting: str, order: int, **changes) -> dict:
    """A trial row whose every field follows from its sitting and order."""
    return {
        "sitting": sitting, "order": order, "at": f"2026-01-01T00:00:{order % 60:02d}.000+00:00",
        "who": f"p-{sitting}", "kind": "person", "instrument": "game", "task": "odd/even",
        "item": f"odd/even/{order % 25:02d}", "response": order % 49, "correct": order % 2,
        "score": order / 3, "rt_s": 1 / (order + 1), "seed": order * 7, "profile": "verified",
        "preset": "lab", "source": "sitting", "extra": {"board": "é" * (order * 37 % 5000), "step": order},
    } | changes  # fmt: skip


def start(path, sitting: str, count: int) -> subprocess.Popen:
    """Start the program."""
    program = [sys.executable, __file__, str(path), sitting, str(count)]
    return subprocess.Popen(program, stdout=subprocess.PIPE, text=True)


def write_at_once(path, sittings: str, count: int) -> None:
    """Let a program write each sitting at once, and check that no row is lost or there twice."""
    writers = [start(path, sitting, count) for sitting in sittings]
    outputs = [writer.communicate()[0].split() for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * len(sittings)
    assert outputs == [[str(order) for order in range(count)]] * len(sittings)
    frame = Trials(path).frame()
    for sitting in sittings:
        rows = frame[frame.sitting == sitting].to_dict("records")
        assert rows == [row(sitting, order) for order in range(count)]
    assert len(frame) == len(sittings) * count


if __name__ == "__main__":
    trials = Trials(sys.argv[1])
    for order in range(int(sys.argv[3])):
        trials.add(row(sys.argv[2], order))
        print(order, flush=True)
