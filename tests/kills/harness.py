"""Kills at random moments: what SIGKILL leaves of a real run, resumed, must be what a run is that nobody ended."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

CLI = [sys.executable, "-m", "cogkit.app.cli"]
_LOOK = 0.01  # seconds between two looks at what a run has made; it is not idle looking
chance = random.SystemRandom()  # other moments at every run of the tests


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return every file below a folder, hidden ones too, and None for each folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


@contextmanager
def group(command: list[str], folder: Path, env: dict | None = None):
    """Start a command in a process group of its own; what it prints goes to a file beside its folder."""
    with folder.with_suffix(".out").open("wb") as out:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True, env=env
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _ended(process: subprocess.Popen, seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _made(folder: Path) -> dict[Path, int]:
    """Return what can be seen four levels deep, and when each file was written: hidden things are unfinished."""
    made = {}
    for place, folders, files in os.walk(folder):  # which leaves out a folder that goes meanwhile
        path = Path(place)
        folders[:] = [name for name in folders if name[0] != "." and len(path.relative_to(folder).parts) < 3]
        made |= {path / name: 0 for name in folders}
        for file in (path / name for name in files if name[0] != "."):
            with suppress(FileNotFoundError):  # it is just being replaced
                made[file] = file.stat().st_mtime_ns
    return made


@contextmanager
def _begun(command: list[str], folder: Path, **options):
    """Start a command, and go on when the first thing in a folder is finished, or it has ended."""
    before = _made(folder)
    with group(command, folder, **options) as process:
        while not _ended(process, _LOOK) and _made(folder) == before:
            pass
        yield process


def undisturbed(command: list[str], folder: Path, **options) -> float:
    """Run a command to its end, and return the seconds from the first thing that it finished."""
    with _begun(command, folder, **options) as process:
        since = time.monotonic()
        assert process.wait() == 0, command
        return time.monotonic() - since


def killed(command: list[str], folder: Path, span: float, **options) -> bool:
    """Kill a command's group at a random moment after the first thing it finished; return False if it ended before."""
    with _begun(command, folder, **options) as process:
        if _ended(process, chance.uniform(0, span)):
            assert process.returncode == 0, folder.with_suffix(".out").read_text()
            return False
        kill_group(process.pid)
        return True


def kill_group(leader: int) -> None:
    """Kill a group, and return when nothing of it runs any more: what was within a rename still comes to its end."""
    members = []
    for member in psutil.process_iter():
        with suppress(ProcessLookupError):
            members += [member] if os.getpgid(member.pid) == leader else []
    os.killpg(leader, signal.SIGKILL)
    for member in members:
        with suppress(psutil.NoSuchProcess):
            while member.is_running() and member.status() != psutil.STATUS_ZOMBIE:
                time.sleep(_LOOK)


def attack(
    kills: int,
    folder: Path,
    command: Callable[[Path], list[str]],
    finish: Callable[[Path], object],
    whole: Callable[[Path], dict],
    done: Callable[[Path], dict],
    **options,
) -> tuple[int, list[str]]:
    """Kill so many runs, resume each, and compare all that is there with a run that nobody ended.

    Return how many were killed, and a sentence for each that lost something.

    Parameters
    ----------
    command : callable
        ``command(folder)``, what is run; asked for anew before each run.
    finish : callable
        ``finish(folder)`` resumes what was killed and checks it; it raises if something is wrong.
    whole : callable
        ``whole(folder)``, all that a finished run has made, by name.
    done : callable
        ``done(folder)``, what a killed run has finished, by name, and the moment at which it was written: it stays.
    """
    span = undisturbed(command(folder / "undisturbed"), folder / "undisturbed", **options)
    expected, lost, count, runs = whole(folder / "undisturbed"), [], 0, 0
    while count < kills:
        here, runs = folder / str(runs), runs + 1
        for _ in range(min(chance.choice([1, 1, 2, 3]), kills - count)):  # a resumed run can be killed too
            count += killed(command(here), here, span, **options)
        before = done(here)
        try:
            finish(here)
            actual = whole(here)
            differ = [name for name in actual.keys() | expected.keys() if actual.get(name, 0) != expected.get(name, 0)]
            again = [name for name, at in before.items() if done(here).get(name) != at]
            assert not differ and not again, f"differ: {sorted(differ)}; made again: {sorted(again)}"
        except Exception as error:  # counted, and told at the end
            lost.append(f"{here}: {type(error).__name__}: {error}")
    return count, lost
