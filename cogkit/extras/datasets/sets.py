"""A dataset as a folder of files: written completely, resumed after a kill, and checked against its manifest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import cogkit
from cogkit.core.errors import Finding, InputError
from cogkit.data import readers
from cogkit.data.files import clear, write_whole

MANIFEST = "manifest.json"
CARD, METADATA = "README.md", "croissant.json"  # which sets of older versions have not


def write(
    out, cell: str, config: Mapping[str, Any], files: Iterable[tuple[str, bytes, int]], packages: Iterable[str],
    **more: Any,
) -> list[Path]:  # fmt: skip
    """Write a dataset and return its paths, the manifest last.

    A run after a kill, or after damage to a file, writes only the missing and damaged files.

    Parameters
    ----------
    config : mapping
        The settings of the set: ``seed``, and all else that changes its content.
    files : iterable of (str, bytes, int)
        Name, content and number of items of each file; taken one by one.
    packages : iterable of str
        Packages that the content depends on; the manifest names their versions.

    Raises
    ------
    InputError
        The folder holds another dataset, or another file has one of the names.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> [path.name for path in write(folder, "counting/make", {"seed": 0}, [("one.txt", b"1", 1)], ["numpy"])]
    ['one.txt', 'manifest.json']
    """
    out, config = Path(out), dict(config)
    existing, sums, counts = known_files(out, config), {}, {}
    for name, content, count in files:
        sums[name], counts[name] = hashlib.sha256(content).hexdigest(), count
        if digest(out, [name]) == sums[name]:
            clear(out / name)
            continue
        if (out / name).exists() and name not in existing:
            raise InputError(f"another file at {out / name}", "an empty folder", "choose another folder")
        write_whole(out / name, content)
    record = {"cell": cell, "config": config, "seed": config["seed"], "versions": versions(packages)}
    record |= {"counts": counts, "sha256": sums, **more}
    return [*(out / name for name in sums), write_whole(out / MANIFEST, json.dumps(record, indent=1).encode())]


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions that a manifest names: cogkit's, and those of the given packages.

    Examples
    --------
    >>> list(versions(["numpy"]))
    ['cogkit', 'numpy']
    """
    return {"cogkit": cogkit.__version__} | {package: version(package) for package in packages}


def manifest(root: Path) -> dict[str, Any]:
    """Return the manifest of a set; an empty dict if none can be read."""
    return mapping(root / MANIFEST)


def mapping(path: Path) -> dict[str, Any]:
    """Return the mapping in a JSON file; an empty dict if none can be read."""
    try:
        return readers.json(path)
    except InputError:
        return {}


def digest(folder: Path, names: Iterable[str]) -> str:
    """Return the SHA-256 over some files of a folder, in order; an empty string if a file is missing."""
    hasher = hashlib.sha256()
    for name in names:
        try:
            hasher.update(readers.content(folder / name, None))
        except InputError:
            return ""
    return hasher.hexdigest()


def known_files(out, config: Mapping[str, Any]) -> dict[str, str]:
    """Return the checksums of the files of a finished run with the same config; an empty dict if there is none.

    Raises
    ------
    InputError
        The folder holds another dataset.
    """
    if not (Path(out) / MANIFEST).is_file():
        return {}
    record = manifest(Path(out))
    if record.get("config") == config and isinstance(record.get("sha256"), dict):
        return record["sha256"]
    got = f"{out} with {record.get('config', 'another manifest')}"
    raise InputError(got, f"an empty folder, or a dataset of {dict(config)}", "choose another folder")


def audit(folder, names: Iterable[str]) -> list[Finding]:
    """Return the files that are missing from a folder, or differ from its manifest.

    Without a manifest all of ``names`` must exist; with a manifest, those that it lists, the card and the metadata too.

    Examples
    --------
    >>> import tempfile
    >>> [finding.problem for finding in audit(tempfile.mkdtemp(), ["one.txt"])]
    ['is missing']
    """
    folder, names = Path(folder), list(names)
    path, sums, findings = folder / MANIFEST, manifest(folder).get("sha256"), []
    if path.is_file() and not isinstance(sums, dict):
        findings.append(Finding(str(path), "sha256", "is no manifest of a dataset"))
    sums = sums if isinstance(sums, dict) else {}
    names += [name for name in (CARD, METADATA) if name in sums]
    if strangers := sums.keys() - set(names):
        findings.append(Finding(str(path), "sha256", f"names {sorted(strangers)[0]!r}, which no dataset has"))
    for name in (name for name in names if name in sums or not sums):
        if not (folder / name).is_file():
            findings.append(Finding(str(folder / name), "file", "is missing"))
        elif sums and digest(folder, [name]) != sums[name]:
            findings.append(Finding(str(folder / name), "sha256", "is not the file that the manifest names"))
    return findings
