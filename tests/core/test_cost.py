"""CPU-seconds are those of all threads and child processes of a block, and of nothing before it."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

from cogkit.core import cost
from cogkit.core.cost import Spent
from cogkit.mewl.problems import making

BURN = "import time\nwhile time.process_time() < {}: pass"


def burn(seconds: float) -> None:
    """Keep one thread busy."""
    began = time.thread_time()
    while time.thread_time() - began < seconds:
        pass


def child(seconds: float, then: str = "") -> list[str]:
    """Return the command of a process that takes so many CPU-seconds, and then does something."""
    return [sys.executable, "-S", "-c", f"{BURN.format(seconds)}\n{then}"]


def test_all_threads_count_and_sleep_does_not():
    with Spent() as spent:
        threads = [threading.Thread(target=burn, args=(0.2,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with Spent() as asleep:
        time.sleep(0.5)
    assert spent.seconds >= 0.4 and asleep.seconds < 0.4


def test_child_processes_count_once_they_have_ended_and_while_they_live():
    nested = f"import subprocess, sys; subprocess.run({child(0.3)!r})"
    for command in (child(0.3), [sys.executable, "-S", "-c", nested]):
        with Spent() as spent:
            subprocess.run(command, check=True)
        assert spent.seconds > 0.28
    say = "print(flush=True); input()"
    with Spent() as spent:
        living = subprocess.Popen(child(0.3, say), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        living.stdout.readline()
    assert spent.seconds > 0.28
    with Spent() as later:  # what it took before is not of this block, nor does its end bring it back
        living.communicate("\n")
    assert later.seconds < 0.28


def test_forgotten_data_are_made_again():
    first = making.episodes_of("number", n=2)
    assert making.episodes_of("number", n=2) is first
    cost.forget()
    again = making.episodes_of("number", n=2)
    assert again is not first and again == first
