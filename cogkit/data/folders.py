"""A dataset with one folder per item: items are written in parallel, each complete, and a killed run can resume."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import joblib
from tqdm import tqdm

from cogkit.core.contracts import InputError
from cogkit.core.processes import side_by_side
from cogkit.data import sets
from cogkit.data.files import write_whole

UNFINISHED = ".making"  # holds unfinished work until the set is complete
_ASKED, _SUMS = "asked.json", "sums.jsonl"


def make(
    root: Path, cell: str, config: Mapping[str, Any], packages: Iterable[str], noun: str,
    write: Callable[..., tuple], items: Mapping[str, tuple], jobs: int | None = None,
    summary: Callable[[dict[str, tuple]], tuple[Iterable, dict]] = lambda outputs: ((), {}), **details: Any,
) -> list[Path]:  # fmt: skip
    """Write a set and return the paths of its own files, the manifest last.

    A run after a kill, or after damage to an item, writes only what is missing or damaged.

    Parameters
    ----------
    root : Path
        The set's own folder.
    cell, config, packages
        As in `sets.write`.
    noun : str
        The field of the manifest that holds the checksums, such as ``problems``.
    write : callable
        Module-level ``write(root, *item, checksum) -> (checksum, ...)``, which uses `put` (in a worker process); the
        argument is the checksum that an earlier run noted, or None.
    items : mapping of str to tuple
        The arguments of ``write`` by the name of each item.
    jobs : int, optional
        Parallel processes; by default one per core.
    summary : callable
        ``summary(outputs) -> (files, fields)``: the set's own files, as in `sets.write`, and further fields of the
        manifest, from what ``write`` returned for each item.
    **details
        Further fields of the manifest on which the content depends.

    Raises
    ------
    InputError
        The folder holds another set, or other files; or it cannot be written.
    """
    sums, outputs = _begin(root, dict(config), packages, noun, details), {}
    tasks = ((write, name, (root, *item, sums.get(name))) for name, item in items.items())
    with (root / UNFINISHED / _SUMS).open("a", encoding="utf-8") as journal, side_by_side(jobs):
        results = joblib.Parallel(return_as="generator_unordered")(joblib.delayed(_run)(*task) for task in tasks)
        for name, output in tqdm(results, total=len(items), desc=root.name):
            outputs[name] = output
            journal.write(json.dumps([name, output[0]]) + "\n")
            journal.flush()
    if hasattr(os, "sync"):  # items are not flushed one by one; a power cut must not leave a manifest without them
        os.sync()
    outputs = {name: outputs[name] for name in items}
    files, fields = summary(outputs)
    checksums = {name: output[0] for name, output in outputs.items()}
    paths = sets.write(root, cell, config, files, packages, **details, **fields, **{noun: checksums})
    shutil.rmtree(root / UNFINISHED)
    return paths


def _begin(root: Path, config: dict, packages: Iterable[str], noun: str, details: Mapping[str, Any]) -> dict[str, str]:
    """Return the checksums of items that an earlier run wrote with the same config and versions, and clear up."""
    sets.known_files(root, config)
    bench, request = root / UNFINISHED, {"config": config, "versions": sets.versions(packages), **details}
    manifest, before, sums = sets.manifest(root), sets.mapping(bench / _ASKED), {}
    if before:
        if before.get("config") != config:
            raise InputError(f"{root} with an unfinished {before.get('config')}", f"a folder without one, or {config}")
        sums = _journal(bench / _SUMS) if before == request else {}
    elif root.is_dir() and not (root / sets.MANIFEST).is_file() and any(p.name != UNFINISHED for p in root.iterdir()):
        raise InputError(f"other files in {root}", "an empty folder", "choose another folder")
    if all(manifest.get(name) == value for name, value in request.items()) and isinstance(manifest.get(noun), dict):
        sums = manifest[noun] | sums
    for leftover in bench.glob("*/"):  # unfinished work of a killed run
        shutil.rmtree(leftover, ignore_errors=True)
    write_whole(bench / _ASKED, json.dumps(request).encode())
    write_whole(bench / _SUMS, "".join(json.dumps(pair) + "\n" for pair in sums.items()).encode())
    return sums


def _journal(path: Path) -> dict[str, str]:
    """Return the checksums in a journal, without broken lines."""
    sums = {}
    for line in path.read_text("utf-8", "replace").splitlines() if path.is_file() else []:
        try:
            name, checksum = json.loads(line)
            sums[name] = checksum
        except (ValueError, TypeError):
            continue
    return sums


def _run(write: Callable[..., tuple], name: str, arguments: tuple) -> tuple[str, tuple]:
    return name, write(*arguments)


def put(
    root: Path, item: str, names: Iterable[str], contents: Callable[[], Mapping[str, bytes]], checksum: str | None
) -> str:
    """Write the folder of an item unless it is complete, and return the SHA-256 over its files, in order.

    At any moment the folder is complete or does not exist.

    Parameters
    ----------
    root, item
        The set's own folder, and the item's folder below it.
    names : iterable of str
        The files over which the checksum is taken.
    contents : callable
        It returns the item's files; called only if they must be written.
    checksum : str or None
        The checksum of the complete files, if an earlier run noted it.
    """
    folder = root / item
    if checksum is not None and sets.digest(folder, names) == checksum:
        return checksum
    files = contents()
    part = root / UNFINISHED / f"{item.replace('/', '-')}-{os.getpid()}"
    old = part.with_name(f"{part.name}-old")
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
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{folder} ({reason})", "a folder that can be written", "free the disk") from None
    finally:
        for leftover in (part, old):
            shutil.rmtree(leftover, ignore_errors=True)
    return hashlib.sha256(b"".join(files.values())).hexdigest()
