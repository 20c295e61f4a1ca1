"""A dataset with one folder per item: items are written in parallel, each complete, and a killed run can resume.

`begin` lists the items that exist, `run` writes the rest, the caller writes the manifest, and `end` clears up.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
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


def begin(root: Path, config: Mapping[str, Any], packages: Iterable[str], noun: str, **more: Any) -> dict[str, str]:
    """Return the checksums of items that an earlier run wrote with the same config and versions.

    Parameters
    ----------
    root : Path
        The set's own folder.
    config : mapping
        What the set is made from.
    packages : iterable of str
        What the content depends on.
    noun : str
        The field of the manifest that holds the checksums, such as ``problems``.
    **more
        Further fields of the manifest on which the content depends.

    Raises
    ------
    InputError
        The folder holds another set, or other files.
    """
    config = dict(config)
    sets.known_files(root, config)
    bench, request = root / UNFINISHED, {"config": config, "versions": sets.versions(packages), **more}
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


def run(
    root: Path, write: Callable[..., tuple], tasks: Iterable[tuple], total: int, jobs: int | None = None
) -> dict[str, tuple]:
    """Return the outputs of each item by its name, once all are written; the journal notes each item at once.

    Parameters
    ----------
    root : Path
        The set's own folder, begun.
    write : callable
        Module-level ``write(*task) -> (name, checksum, ...)``; it writes the item and returns (in a worker process).
    tasks : iterable of tuple
    total : int
        How many tasks.
    jobs : int, optional
        Parallel processes; by default one per core.
    """
    outputs = {}
    with (root / UNFINISHED / _SUMS).open("a", encoding="utf-8") as journal:
        for name, *output in tqdm(_side_by_side(write, tasks, jobs), total=total, desc=root.name):
            outputs[name] = tuple(output)
            journal.write(json.dumps([name, output[0]]) + "\n")
            journal.flush()
    if hasattr(os, "sync"):  # items are not flushed one by one; a power cut must not leave a manifest without them
        os.sync()
    return outputs


def _side_by_side(write: Callable[..., tuple], tasks: Iterable[tuple], jobs: int | None) -> Iterator[tuple]:
    with side_by_side(jobs):
        yield from joblib.Parallel(return_as="generator_unordered")(joblib.delayed(write)(*task) for task in tasks)


def end(root: Path) -> None:
    """Remove the unfinished work, once the manifest is written."""
    shutil.rmtree(root / UNFINISHED)


def digest(folder: Path, names: Iterable[str]) -> str:
    """Return the SHA-256 over some files of a folder, in order; an empty string if a file is missing.

    Examples
    --------
    >>> digest(Path("nowhere"), ["one.txt"])
    ''
    """
    hasher = hashlib.sha256()
    for name in names:
        try:
            hasher.update((folder / name).read_bytes())
        except OSError:
            return ""
    return hasher.hexdigest()


def put(root: Path, item: str, contents: Mapping[str, bytes]) -> str:
    """Write the folder of an item with all its files, and return the SHA-256 over the files, in order.

    At any moment the folder is complete or does not exist.

    Parameters
    ----------
    root : Path
        The set's own folder, begun.
    item : str
        The item's folder, below ``root``.
    contents : mapping of str to bytes
        Its files.

    Raises
    ------
    InputError
        The folder cannot be written, or the disk is full.
    """
    folder = root / item
    part = root / UNFINISHED / f"{item.replace('/', '-')}-{os.getpid()}"
    old = part.with_name(f"{part.name}-old")
    try:
        part.mkdir()  # without its parent: a process left from a killed run must not start a new one
        for name, content in contents.items():
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
    return hashlib.sha256(b"".join(contents.values())).hexdigest()
