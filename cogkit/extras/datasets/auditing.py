"""What the audits of all sets with one folder per item share: the manifest, the faults, many items side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from cogkit.core.errors import Finding, InputError
from cogkit.core.processes import in_parts
from cogkit.data.published import Unavailable
from cogkit.extras.datasets import sets
from cogkit.extras.datasets.folders import UNFINISHED

NOTHING = ""  # the checksum of an item that the manifest does not list
QUIRK = "published quirk"  # the field of what published rules allow, which is only counted
A_TASK = 20  # items; more processes start only if there are five tasks or more


class Audit:
    """The audit of one set; an instrument's own class adds `check`.

    ``manifest`` is empty if none can be read; ``config`` holds its options, unchecked, or None. ``complete`` says
    whether there is a manifest, as of every set that was made here. ``sums`` are the checksums of its items, which
    ``noun`` says.
    """

    noun = "items"

    def __init__(self, root: Path) -> None:
        self.root, self.manifest = root, sets.manifest(root)
        self.config: Any = self.manifest.get("config")
        self.complete = (root / sets.MANIFEST).is_file()
        sums = self.manifest.get(self.noun)
        self.sums = sums if isinstance(sums, dict) else {}
        self.findings: list[Finding] = []

    def check(self, jobs: int | None) -> None:
        """Report every fault of a set that is finished."""
        raise NotImplementedError

    def run(self, jobs: int | None) -> list[Finding]:
        """Return every fault."""
        unfinished = (self.root / UNFINISHED).is_dir()
        if unfinished:
            fix = "make it with the same options, and it goes on where it was"
            self.report("manifest", f"the set is not finished: {fix}")
        if self.complete or not unfinished:
            self.check(jobs)
        return self.findings

    def report(self, field: str, problem: str, path: object = "") -> None:
        """Add a fault of a file or folder, relative to the set's own, or of the set itself."""
        self.findings.append(Finding(str(self.root / str(path)), field, problem))

    def attempt(self, read: Callable[[], Any], otherwise: Any) -> Any:
        """Return the result of a reader; if it raises an `InputError`, report it and return ``otherwise``."""
        try:
            return read()
        except InputError as error:
            self.report("file", str(error))
            return otherwise

    def planned(self, plan: Callable[[Any], Any]) -> Any:
        """Return what a plan makes of the manifest's config; None, and a fault, if the config is not valid."""
        try:
            return plan(self.config)
        except Unavailable:  # the set may be sound, but without its shapes this cannot be checked
            raise
        except (InputError, KeyError, TypeError, ValueError) as error:
            self.report("config", f"asks for no set ({error})", sets.MANIFEST)
            return None

    def repeats(self, noun: str, items: Iterable[tuple[str, str, Iterable[tuple[str, bytes]]]]) -> None:
        """Report each item with a part that came before; an item is its name, path, and parts with their checksums."""
        first: dict[bytes, str] = {}
        for name, path, parts in items:
            twins = []
            for part, checksum in parts:
                twins += [(part, first[checksum])] if checksum in first else []
                first.setdefault(checksum, f"{part} of {name}")
            if twins:
                more = f", and {len(twins) - 1} more are like others" * (len(twins) > 1)
                self.report("duplicate", f"{twins[0][0]} is the {noun} {twins[0][1]}{more}", path)


def inspect_all(inspect: Callable, entries: Sequence, jobs: int | None, *context) -> list:
    """Return ``inspect(entry, *context)`` for each entry, in order, from ``jobs`` processes (None: one per core)."""
    count = -(-len(entries) // A_TASK)
    batches = in_parts(_batch, entries, A_TASK, 1 if count < 5 else jobs, inspect, context)
    return [report for reports in tqdm(batches, total=count, desc="audit") for report in reports]


def _batch(entries: Sequence, inspect: Callable, context: tuple) -> list:
    return [inspect(entry, *context) for entry in entries]
