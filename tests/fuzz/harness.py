"""Loads spoilt files, and counts what came of it."""

from __future__ import annotations

import random
import resource
import shutil
import signal
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil
from mutators import spoil

from cogkit.core.errors import Finding, InputError

SECONDS, WAIT, MEMORY = 30, 300, 2**30  # of the processor, and by the clock: another process may have the cores
GOOD = ("refused", "accepted and equal", "accepted, another content")


@dataclass(frozen=True)
class Campaign:
    """A loader, and how to make what it loads.

    Attributes
    ----------
    make : callable
        ``make(folder)`` writes sound files, of which the campaign spoils one at a time.
    load : callable
        ``load(folder)`` returns all of the content; audits return their findings, none for sound files.
    share : float
        Of the cases that are asked for: loaders that take long get fewer.
    spoils : str
        Which files: a pattern.
    """

    make: Callable[[Path], Any]
    load: Callable[[Path], Any]
    share: float = 1.0
    spoils: str = "**/*"


@dataclass
class Report:
    """The counts of a campaign, and the first case of each fault."""

    counts: Counter = field(default_factory=Counter)
    faults: dict[str, str] = field(default_factory=dict)

    def add(self, outcome: str, case: str) -> None:
        self.counts[outcome] += 1
        if outcome not in GOOD:
            self.faults.setdefault(f"{outcome} {case.rpartition('|')[2][:60]}", case)


class Hung(BaseException):
    """The time for a case is over."""


def run(campaign: Campaign, cases: int, seed: int, folder: Path) -> Report:
    """Spoil one file of the campaign at a time, load, and return the counts."""
    sound, work, report = folder / "sound", folder / "work", Report()
    sound.mkdir()
    campaign.make(sound)
    shutil.copytree(sound, work)
    original = plain(campaign.load(work))
    _restore(sound, work)
    assert plain(campaign.load(work)) == original, "what is loaded twice differs"
    _restore(sound, work)
    files = sorted(path.relative_to(sound) for path in sound.glob(campaign.spoils) if path.is_file())
    for case in range(max(1, round(cases * campaign.share))):
        rng = random.Random(f"{seed}/{case}")
        name = rng.choice(files)
        what = f"case {case}: {spoil(work / name, rng)} of {name}"
        outcome, why = _outcome(campaign, work, original)
        report.add(outcome, f"{what} | {why}")
        _restore(sound, work)
    return report


def _restore(sound: Path, work: Path) -> None:
    """Put every file back: a loader may have written too, such as a journal."""
    shutil.rmtree(work)
    shutil.copytree(sound, work)


def _outcome(campaign: Campaign, work: Path, original: Any) -> tuple[str, str]:
    def ring(*_) -> None:
        raise Hung

    before, room = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, resource.getrlimit(resource.RLIMIT_AS)
    timers = ((signal.ITIMER_PROF, signal.SIGPROF, SECONDS), (signal.ITIMER_REAL, signal.SIGALRM, WAIT))
    old = [signal.signal(number, ring) for _, number, _ in timers]
    for timer, _, seconds in timers:
        signal.setitimer(timer, seconds)
    resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + MEMORY, room[1]))
    try:
        content = campaign.load(work)
    except InputError as error:
        outcome, why = _told(str(error))
    except Hung:
        outcome, why = "hung", traceback.format_exc(limit=-2)
    except MemoryError:
        outcome, why = "over a gigabyte", traceback.format_exc(limit=-2)
    except Exception as error:
        outcome, why = "escaped", f"{type(error).__name__}: {str(error)[:200]}\n{traceback.format_exc(limit=-4)[-900:]}"
    else:
        outcome, why = _accepted(content, original)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, room)
        for (timer, number, _), before_it in zip(timers, old, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, before_it)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    return ("over a gigabyte", f"{grown:,} bytes") if grown > MEMORY else (outcome, why)


def _told(message: str) -> tuple[str, str]:
    fair = len(message) <= 300 and message.isprintable()
    return ("refused" if fair else "told in more than a line"), message[:1000]


def _accepted(content: Any, original: Any) -> tuple[str, str]:
    if isinstance(content, list) and content and all(isinstance(finding, Finding) for finding in content):
        return next(
            (verdict for finding in content if (verdict := _told(finding.problem))[0] != "refused"), ("refused", "")
        )
    if plain(content) == original:
        return "accepted and equal", ""
    strange = _strange(content)
    return ("accepted, not sound", strange) if strange else ("accepted, another content", "")


def _strange(content: Any) -> str:
    """Return what no content of ours has: text that cannot be written, objects that only Python knows."""
    match content:
        case str():
            return "" if content == content.encode(errors="replace").decode() else f"text {content[:40]!r}"
        case dict():
            return next(filter(None, map(_strange, [*content.keys(), *content.values()])), "")
        case list() | tuple():
            return next(filter(None, map(_strange, content)), "")
        case np.ndarray() if content.dtype.hasobject:
            return "an array of objects"
    return ""


def plain(content: Any) -> Any:
    """Return content in a form that can be compared, NaN with NaN too."""
    match content:
        case np.ndarray():
            return (content.shape, str(content.dtype), content.tobytes())
        case pd.DataFrame():
            return (list(content.columns), content.astype(object).where(content.notna(), None).to_numpy().tolist())
        case dict():
            return {name: plain(value) for name, value in content.items()}
        case list() | tuple():
            return [plain(value) for value in content]
        case str() | int() | bool() | bytes() | None:
            return content
    return repr(content)
