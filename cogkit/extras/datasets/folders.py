"""A dataset with one folder per item: items are written in parallel, each complete, and a killed run can resume."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import joblib
from tqdm import tqdm

from cogkit.core.errors import InputError
from cogkit.core.processes import side_by_side
from cogkit.data import readers
from cogkit.data.files import clear, lock, opened, write_whole, writing
from cogkit.extras.datasets import sets

UNFINISHED = ".making"  # holds unfinished work until the set is complete
_ASKED, _SUMS = "asked.json", "sums.jsonl"
_OURS = re.compile(r"(\.)?(asked\.json|sums\.jsonl)(?(1)\.[0-9a-f]+\.part)|.+-\d+(-old)?")  # what stands in it


def make(
    root: Path, cell: str, config: Mapping[str, Any], packages: Iterable[str], noun: str,
    write: Callable[..., tuple], items: Mapping[str, tuple], jobs: int | None = None,
    summary: Callable[[dict[str, tuple]], tuple[Iterable, dict]] = lambda outputs: ((), {}), **details: Any,
) -> list[Path]:  # fmt: skip
    """Write a set and return the paths of its own files, the manifest last.

    A run after a kill, or after damage to an item, writes only what is missing or damaged.

    Parameters
    ----------
    cell, config, packages
        As in `sets.write`.
    noun : str
        The field of the manifest that holds the checksums, such as ``problems``.
    write : callable
        Module-level ``write(root, *item, checksum) -> (checksum, ...)``, which uses `put` (in a worker process); the
        argument is the checksum that an earlier run noted, or None.
    items : mapping of str to tuple
        The arguments of ``write`` by the name of each item.
    summary : callable
        ``summary(outputs) -> (files, fields)``: the set's own files, as in `sets.write`, and further fields of the
        manifest, from what ``write`` returned for each item.
    **details
        Further fields of the manifest on which the content depends.

    Raises
    ------
    InputError
        The folder holds another set, or other files; another run makes the set; or it cannot be written.
    """
    bench, packages = root / UNFINISHED, list(packages)
    request = {"config": dict(config), "versions": sets.versions(packages), **details}
    _known(root, request, noun)  # what is refused is not touched
    with _alone(bench):
        sums, outputs = _begin(root, request, noun), {}
        tasks = ((write, name, (root, *item, sums.get(name))) for name, item in items.items())
        with (bench / _SUMS).open("ab", buffering=0) as journal, side_by_side(jobs):
            results = joblib.Parallel(return_as="generator_unordered")(joblib.delayed(_run)(*task) for task in tasks)
            for name, output in tqdm(results, total=len(items), desc=root.name):
                outputs[name] = output
                with writing(bench / _SUMS):
                    journal.write(json.dumps([name, output[0]]).encode() + b"\n")
        if hasattr(os, "sync"):  # items are not flushed one by one; a power cut must not leave a manifest without them
            os.sync()
        outputs = {name: outputs[name] for name in items}
        files, fields = summary(outputs)
        checksums = {name: output[0] for name, output in outputs.items()}
        paths = sets.write(root, cell, request["config"], files, packages, **details, **fields, **{noun: checksums})
        shutil.rmtree(bench)
    return paths


@contextmanager
def _alone(bench: Path) -> Iterator[None]:
    """Make the folder of unfinished work, and let no other run make the same set meanwhile."""
    with writing(bench, "a folder that can be written"):
        bench.mkdir(parents=True, exist_ok=True)
    with opened(bench) as handle:
        is_free = True
        if handle is not None:
            with suppress(OSError):  # a file system without locks
                is_free = lock(handle) and os.fstat(handle).st_nlink > 0  # else the other run has just ended
        if not is_free:
            raise InputError(f"{bench.parent}, which another run is making", "one run at a time", "wait for its end")
        yield


def _known(root: Path, request: dict, noun: str) -> dict[str, str]:
    """Return the checksums of items that an earlier run wrote for the same request; refuse a folder of other files."""
    bench, sums = root / UNFINISHED, {}
    sets.known_files(root, request["config"])
    clear(root / sets.MANIFEST)
    manifest, before = sets.manifest(root), sets.mapping(bench / _ASKED)
    others = [path for path in bench.glob("*") if not _OURS.fullmatch(path.name)]
    if before.get("config", request["config"]) != request["config"]:
        others.append(bench / _ASKED)
    elif not before and root.is_dir() and not (root / sets.MANIFEST).is_file():
        others += [path for path in root.iterdir() if path != bench]
    if others:
        raise InputError(f"other files in {others[0].parent}", "an empty folder", "choose another folder")
    if before == request:
        sums = _journal(bench / _SUMS)
    if all(manifest.get(name) == value for name, value in request.items()) and isinstance(manifest.get(noun), dict):
        sums = manifest[noun] | sums
    return sums


def _begin(root: Path, request: dict, noun: str) -> dict[str, str]:
    """Clear up what a killed run was at, note what this run makes, and return the checksums of `_known`."""
    sums, bench = _known(root, request, noun), root / UNFINISHED
    for leftover in bench.glob("*/"):
        with suppress(OSError):  # moved first: a process left from the killed run must not finish half of it
            shutil.rmtree(leftover.rename(leftover.with_name(f"{leftover.name}-0")), ignore_errors=True)
    write_whole(bench / _ASKED, json.dumps(request).encode())
    write_whole(bench / _SUMS, "".join(json.dumps(pair) + "\n" for pair in sums.items()).encode())
    return sums


def _journal(path: Path) -> dict[str, str]:
    """Return the checksums in a journal, without broken lines."""
    sums: dict[str, str] = {}
    with suppress(InputError):
        for line in readers.content(path).splitlines():
            with suppress(InputError):
                sums |= [readers.parsed(line, tuple[str, str])]
    return sums


def _run(write: Callable[..., tuple], name: str, arguments: tuple) -> tuple[str, tuple]:
    return name, write(*arguments)


def put(
    root: Path, item: str, names: Iterable[str], contents: Callable[[], Mapping[str, bytes]], checksum: str | None
) -> str:
    """Write the folder of an item unless it is complete, and return the SHA-256 over its files, in order.

    At any moment the folder is complete or does not exist. The checksum is over the files ``names``; ``checksum`` is
    what an earlier run noted, if any. ``contents()`` is called only if files must be written.
    """
    folder = root / item
    if checksum is not None and sets.digest(folder, names) == checksum:
        return checksum
    files = contents()
    part = root / UNFINISHED / f"{item.replace('/', '-')}-{os.getpid()}"
    old = part.with_name(f"{part.name}-old")
    with writing(folder, "a folder that can be written"):
        try:
            part.mkdir()  # without its parent: a process left from a killed run must not start a new one
            for name, content in files.items():
                if "/" in name:
                    (part / name).parent.mkdir(exist_ok=True)
                (part / name).write_bytes(content)
            folder.parent.mkdir(parents=True, exist_ok=True)
            if folder.exists():
                os.rename(folder, old)
            os.rename(part, folder)
        finally:
            for leftover in (part, old):
                shutil.rmtree(leftover, ignore_errors=True)
    return hashlib.sha256(b"".join(files.values())).hexdigest()
