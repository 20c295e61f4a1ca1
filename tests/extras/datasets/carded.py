"""A made set as its readers meet it: the command that makes it, its card, and what mlcroissant reads of it."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
import yaml

from cogkit.app import cli
from cogkit.extras.datasets.mewl import archives

if TYPE_CHECKING:
    import mlcroissant

FLOOR = ("split", "floor", "metric", "value", "interval", "n")
ROOT = Path(__file__).resolve().parents[3]


def episodes(root: Path) -> list:
    """Return every episode of a set of MEWL, as its files say."""
    return [archives.episode(root, address) for address in archives.addresses(root)]


def record(root, name: str) -> str:
    """Return the line of a stored problem of Bongard-LOGO."""
    path = root / name[:2] / f"{name[:2]}_placements.jsonl"
    return next(line for line in path.read_text().splitlines() if name in line)


def make(folder: Path, *words: str) -> Path:
    """Run ``cogkit make``, and return the set's own folder."""
    assert cli.main(["make", words[0], "--out", str(folder), *words[1:]]) == 0
    (manifest,) = folder.rglob("manifest.json")
    return manifest.parent


def front(root: Path) -> dict[str, Any]:
    """Return the front matter of a card."""
    text = (root / "README.md").read_text("utf-8")
    assert text.startswith("---\n")
    return yaml.safe_load(text.split("---\n")[1])


def body(root: Path) -> str:
    """Return the Markdown of a card."""
    return (root / "README.md").read_text("utf-8").split("---\n", 2)[2]


def tables(root: Path) -> dict[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the rows of every table of a card, by its header."""
    rows, header = {}, None
    for line in body(root).splitlines():
        if not line.startswith("|"):
            header = None
            continue
        cells = tuple(re.sub(r"\\(.)", r"\1", cell.strip()) for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        if header is None:
            header, rows[cells] = cells, []
        elif set(cells) != {"---"}:
            rows[header].append(cells)
    return rows


def command(root: Path) -> list[str]:
    """Return the words of the command that a card gives, after ``cogkit make``."""
    (line,) = re.findall(r"This command makes it again: `(.+)`", body(root))
    cogkit, verb, name, out, folder, *options = shlex.split(line)
    assert (cogkit, verb, out, folder) == ("cogkit", "make", "--out", "DIR")
    return [name, *options]


def exchange(one: Path, other: Path) -> None:
    """Let two folders change places."""
    aside = one.with_name("x")
    for old, new in ((one, aside), (other, one), (aside, other)):
        old.rename(new)


def files(folder: Path) -> dict[str, Path]:
    """Return every file of a folder by its path there."""
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}


def times(folder: Path) -> dict[str, int]:
    """Return when every file was written."""
    return {name: path.stat().st_mtime_ns for name, path in files(folder).items()}


def contents(folder: Path) -> dict[str, bytes]:
    """Return what is in every file of a folder, by its path there."""
    return {name: path.read_bytes() for name, path in files(folder).items()}


@contextmanager
def offline() -> Iterator[None]:
    """Let nothing be fetched."""
    with mock.patch.object(socket.socket, "connect", side_effect=AssertionError("it asked the network")):
        yield


def dataset(root: Path) -> mlcroissant.Dataset:
    """Return the set as mlcroissant reads it, without an error and without the network."""
    import mlcroissant  # of the nightly tier alone

    with offline():
        loaded = mlcroissant.Dataset(jsonld=root / "croissant.json")
    assert not loaded.metadata.ctx.issues.errors
    assert all("datePublished" in warning for warning in loaded.metadata.ctx.issues.warnings)  # a card knows no day
    return loaded


def records(loaded: mlcroissant.Dataset, name: str) -> list[dict[str, Any]]:
    """Return the records of a table, with texts as text."""
    with offline():
        rows = list(loaded.records(name))
    return [{field.removeprefix(f"{name}/"): _text(value) for field, value in row.items()} for row in rows]


def _text(value: Any) -> Any:
    if isinstance(value, list):
        return [_text(entry) for entry in value]
    return value.decode() if isinstance(value, bytes) else value


def check_form(root: Path, title: str) -> None:
    """Check what holds of every card: its sums, its paper, and that its own command gives the same set."""
    metadata, manifest = (json.loads((root / name).read_text()) for name in ("croissant.json", "manifest.json"))
    sums = {file["contentUrl"]: file["sha256"] for file in metadata["distribution"] if "sha256" in file}
    names = manifest["sha256"].keys() - {"README.md", "croissant.json"}
    assert sums == {name: hashlib.sha256((root / name).read_bytes()).hexdigest() for name in names}
    assert {"README.md", "croissant.json"} <= manifest["sha256"].keys()
    head = front(root)
    assert head["license"] == "bsd-3-clause" and metadata["license"].endswith("/BSD-3-Clause.html")
    assert head["cogkit"]["items"] == metadata["identifier"] and f"`{metadata['identifier']}`" in body(root)
    papers = yaml.safe_load((ROOT / "CITATION.cff").read_text())["references"]
    (paper,) = (paper for paper in papers if paper["title"] == title)
    for text in (metadata["citeAs"], body(root)):
        names = [author["family-names"] for author in paper["authors"]]
        assert all(str(part) in text for part in (title, paper["year"], paper.get("doi", ""), *names))


def check_again(root: Path, folder: Path) -> None:
    """Check that the command of a card makes the very same files."""
    assert contents(make(folder, *command(root))) == contents(root)


def check_floors(root: Path, expected: list[tuple[str, dict[str, Any]]]) -> None:
    """Check the floors of card and metadata against result rows, each with its split."""
    lines = tables(root)[FLOOR]
    stored = records(dataset(root), "floors")
    assert len(lines) == len(stored) == len(expected) > 0
    for line, record, (split, row) in zip(lines, stored, expected, strict=True):
        limits = f"{row['low']:.3f} to {row['high']:.3f} ({row['interval']})" if row["interval"] else "none"
        who = f"{row['who']} ({row['kind']})"
        assert line == (split, who, row["metric"], f"{row['value']:.3f}", limits, str(row["n"]))
        row |= {"split": split}
        for name in ("split", "who", "kind", "metric", "interval", "n"):
            assert record[name] == row[name], name
        for name in ("value", "low", "high") if row["interval"] else ():
            assert record[name] == pytest.approx(row[name], abs=1e-6), name


def check_audit(root: Path, capsys) -> None:
    """Check that the audit passes, and that it sees a card, or metadata, that are about other items."""
    capsys.readouterr()
    assert cli.main(["audit", str(root)]) == 0 and capsys.readouterr().out.endswith("every check passed\n")
    own = front(root)["cogkit"]["items"]
    for name in ("README.md", "croissant.json"):
        path, before = root / name, (root / name).read_bytes()
        path.write_bytes(before.replace(own.encode(), b"1-00000000"))
        assert cli.main(["audit", str(root)]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert {line.removeprefix(f"{path}: ").partition(":")[0] for line in lines} == {"items", "sha256"}, lines
        assert any(own in line and "1-00000000" in line for line in lines)
        path.write_bytes(before)
    assert cli.main(["audit", str(root)]) == 0
