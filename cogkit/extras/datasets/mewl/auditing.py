"""The faults of a set of episodes on the disk, made here or elsewhere: every fault, each once.

The rules depend on the set. A set with a manifest must contain what its manifest says. A ``verified`` set must keep its
promises: one right option by the exact solver, every word heard, no English word, and no word in two parts of the
split. The published rules leave some episodes ambiguous, which is no fault of a set made ``as_published``. A copy
without a manifest must have the published numbers of episodes. There a line for each task, with the field ``published
quirk``, counts ambiguous episodes and gives their rate in a simulation of the published rules, because such episodes
affect training and cannot be corrected.

Faults of any set: an answer that is false in its picture, or that the exact solver rules out; a panel with a false
name; relations and pixels that do not follow from the places of things; two equal scenes; and, if our own tracer drew
the pictures, differences between a picture and its record (`image_audit`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from cogkit.core.errors import Finding, InputError
from cogkit.core.presets import PROFILES, choose
from cogkit.extras.datasets import cards
from cogkit.extras.datasets import sets as files
from cogkit.extras.datasets.auditing import NOTHING, QUIRK, Audit, inspect_all
from cogkit.extras.datasets.folders import UNFINISHED
from cogkit.extras.datasets.mewl.archives import addresses, as_number, contents
from cogkit.extras.datasets.mewl.audit_item import Report, inspect
from cogkit.extras.datasets.mewl.card import items_of
from cogkit.extras.datasets.mewl.layout import Address, plan, roots
from cogkit.mewl.problems.episodes import SIZES, TASKS
from cogkit.mewl.rendering import render
from cogkit.mewl.world import words

# Percent of episodes by the published rules, from an independent simulation.
_LEFT_OPEN = {"object": 0.27, "composite": 0.5, "bootstrap": 5.3}  # several options, or none, can be right
_UNHEARD = {"object": 3.2, "composite": 7.1, "bootstrap": 25.5}  # some word is in no panel


def audit(folder, *, jobs: int | None = None) -> list[Finding]:
    """Return every fault of a set of episodes; ``folder`` is the set's own folder, or its parent."""
    return [finding for root in roots(folder) for finding in _Audit(root).run(jobs)]


class _Audit(Audit):
    """The audit of one set."""

    noun = "episodes"

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.reports: list[Report] = []
        self.plan: list[Address] | None = self.planned(_plan) if self.complete else None

    def check(self, jobs: int | None) -> None:
        self.findings += files.audit(self.root, []) + cards.audit(self.root, items_of)
        self._strangers()
        drawn = str(self.manifest.get("renderer")).startswith(render.NAME)
        config = self.config if self.plan else None
        self.reports = inspect_all(inspect, self._entries(), jobs, self.root, config, drawn)
        self.findings += [Finding(*fault) for report in self.reports for fault in report.faults]
        self._pictures()
        scenes = ((report.address, [(repr(name), digest) for name, digest in report.scenes]) for report in self.reports)
        self.repeats("scene", ((str(address), str(address), parts) for address, parts in scenes))
        if self.plan is not None and self.config["profile"] == "verified":
            self._words()
        elif not self.complete:
            self._published()

    def _strangers(self) -> None:
        """Report files and folders that are not parts, tasks or numbers of episodes."""
        expected = {files.MANIFEST, files.CARD, files.METADATA, UNFINISHED, *words.PARTS}
        strangers = [name for name in contents(self.root) if name not in expected]
        for part in words.PARTS:
            strangers += [f"{part}/{name}" for name in contents(self.root / part) if name not in TASKS]
            for task in TASKS:
                names = contents(self.root / part / task)
                strangers += [f"{part}/{task}/{name}" for name in names if as_number(name) is None]
        for name in strangers:
            self.report("name", "is no part, task or number of an episode", name)

    def _entries(self) -> list[tuple[Address, str | None]]:
        """Return every episode that the manifest asks for or that exists, with its checksum in the manifest."""
        existing = addresses(self.root)
        if self.plan is None:
            return [(address, None) for address in existing]
        planned = dict.fromkeys(self.plan)
        for address in existing:
            if address not in planned:
                self.report("name", "is none of the episodes that the manifest asks for", address)
        return [(address, self.sums.get(str(address), NOTHING)) for address in planned | dict.fromkeys(existing)]

    def _pictures(self) -> None:
        """Report missing or extra pictures, by the manifest, or without one by the other episodes."""
        expected = any(report.pictures for report in self.reports)
        if self.plan is not None:
            expected = self.config["images"] is not None
        for report in self.reports:
            if report.pictures != expected and (self.root / str(report.address)).is_dir():
                problem = "there are none" if expected else "there are some, of which the manifest does not know"
                self.report("images", problem, report.address)

    def _words(self) -> None:
        """Report words that two parts of the split share, and words that are English."""
        first: dict[str, Address] = {}
        for report in self.reports:
            for word in sorted(report.words):
                if first.setdefault(word, report.address).part != report.address.part:
                    self.report("words", f"{word!r} is said in {first[word]} too", report.address)
                if word in words.english():
                    self.report("words", f"{word!r} is English", report.address)

    def _published(self) -> None:
        """Report wrong numbers of episodes in a copy without a manifest, and count its quirks."""
        counts = Counter(report.address[:2] for report in self.reports)
        for part, size in SIZES.items():
            for task in TASKS:
                if counts[part, task] != size:
                    problem = f"{counts[part, task]:,} episodes of {task} instead of the published {size:,}"
                    self.report("counts", problem, f"{part}/{task}")
        for task in TASKS:
            task_reports = [report for report in self.reports if report.address.task == task and report.certificate]
            open_ = [report for report in task_reports if report.certificate["consistent"]["exact"] != 1]
            self._quirk("have not exactly one option that can be right", task, open_, len(task_reports), _LEFT_OPEN)
            unheard = [report for report in task_reports if report.unheard]
            self._quirk("have a word that no panel says", task, unheard, len(task_reports), _UNHEARD)
        by_part = [{word for r in self.reports if r.address.part == part for word in r.words} for part in words.PARTS]
        shared = sorted(word for word, count in Counter(chain.from_iterable(by_part)).items() if count > 1)
        if shared:
            self.report(QUIRK, f"{len(shared):,} words are in more than one part of the split, such as {shared[0]!r}")

    def _quirk(self, what: str, task: str, reports: Sequence[Report], n: int, usual: dict[str, float]) -> None:
        if reports:
            share = f"{100 * len(reports) / n:.1f} %; by the published rules {usual.get(task, 0):g} %"
            first = f"{reports[0].address} is the first"
            self.report(QUIRK, f"{len(reports)} of {n:,} episodes of {task} ({share}) {what}; {first}")


def _plan(config: Any) -> list[Address]:
    """Return the episodes of a config; `InputError`, `KeyError` or `TypeError` if it is not valid."""
    n, _, profile, only, _ = (config[name] for name in ("n", "seed", "profile", "only", "images"))
    choose(profile, PROFILES, "profile")
    if config.get("open_hypotheses", True) is not True:
        raise InputError(f"open hypotheses {config['open_hypotheses']!r}", "true, or nothing of them")
    return plan(n, only)
