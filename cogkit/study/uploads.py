"""What people send, found and read: by its content, whatever it is called and whatever was done to its form on the way.

Archives are read in memory, so nothing in one can be written anywhere.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from cogkit.core.errors import InputError
from cogkit.data import readers

MOST = 2**28
"""Bytes of a file, and of all that is unpacked from it."""
_MEMBERS, _DEEP = 50_000, 3  # files in an archive, and archives in each other
_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_BETWEEN = re.compile(r"[\s,\x1e\ufeff]*")  # what may stand between two values
_BEGINS = re.compile(r"^[\[{]", re.M)  # a line with which reading may go on after a fault
_DECIMAL = re.compile(r"-?\d+,\d+")  # as a spreadsheet writes a number in many countries


class Upload(NamedTuple):
    """A file that somebody sent.

    Attributes
    ----------
    file : str
        Its path; behind it the name inside an archive.
    objects : list of (int, dict)
        The objects in it, or the rows of its table, each with the line on which it begins.
    fault : str
        Where and why it could not be read to its end; empty if it is whole.
    text : str
        How it begins.
    """

    file: str
    objects: list[tuple[int, dict[str, Any]]]
    fault: str = ""
    text: str = ""


def uploads(paths: Iterable[Path | str]) -> Iterator[Upload]:
    """Yield every file of some files and folders, and of the archives among them (zip and gzip).

    A file holds values of JSON in a row, in lists or not, or a table with commas, semicolons or tabs. Of a file that
    was cut, all that is whole is there.

    Raises
    ------
    InputError
        One of the paths is no file or folder.
    """
    for path in map(Path, paths):
        if path.is_dir():
            for file in sorted(child for child in path.rglob("*") if child.is_file()):
                try:
                    yield from _read(str(file), readers.content(file, MOST))
                except InputError as error:
                    yield Upload(str(file), [], error.got)
        else:
            yield from _read(str(path), readers.content(path, MOST))


def _read(file: str, content: bytes) -> Iterator[Upload]:
    left = [MOST]
    for name, part in _unpacked(file, content, left):
        if isinstance(part, str):
            yield Upload(name, [], part)
            continue
        text, fault = _decoded(part)
        objects, more = _objects(text)
        yield Upload(name, objects, fault or more, text[:200])


def _unpacked(name: str, content: bytes, left: list[int], depth: int = 0) -> Iterator[tuple[str, bytes | str]]:
    """Yield the files in an archive, or a file that is none; in place of one that cannot be unpacked why not.

    ``left`` has the bytes that may still be unpacked.
    """
    try:
        if depth < _DEEP and content.startswith(_GZIP):
            unpacker = zlib.decompressobj(31)
            whole = unpacker.decompress(content, left[0] + 1)
            yield from _unpacked(name, _bounded(whole, left), left, depth + 1)
        elif depth < _DEEP and content.startswith(_ZIP):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                members = [member for member in archive.infolist() if not member.is_dir()]
                if len(members) > _MEMBERS:
                    raise ValueError(f"{len(members):,} files in it, and {_MEMBERS:,} are the most")
                for member in members:
                    with archive.open(member) as file:
                        whole = _bounded(file.read(left[0] + 1), left)
                    yield from _unpacked(f"{name}/{member.filename}", whole, left, depth + 1)
        else:
            yield name, content
    except (OSError, ValueError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error) as error:
        yield name, f"it cannot be unpacked: {error}"


def _bounded(content: bytes, left: list[int]) -> bytes:
    left[0] -= len(content)
    if left[0] < 0:
        left[0] = 0
        raise ValueError(f"more than {MOST:,} bytes when unpacked")
    return content


def _decoded(content: bytes) -> tuple[str, str]:
    """Return a text in UTF-8, UTF-16, or as old programs of Windows write it, and what is wrong with it."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", errors="replace"), ""
    try:
        return content.decode("utf-8-sig"), ""
    except UnicodeDecodeError as error:
        if error.start >= len(content) - 3:
            return content[: error.start].decode("utf-8-sig"), "it ends within a letter"
        return content.decode("cp1252", errors="replace"), ""


def _objects(text: str) -> tuple[list[tuple[int, dict[str, Any]]], str]:
    if text[_after(text, 0) :][:1] in ("[", "{"):
        return _values(text)
    header = text.removeprefix("sep=;").lstrip().partition("\n")[0]
    return _table(text) if "sitting" in header and max(map(header.count, ",;\t")) else ([], "")


def _after(text: str, at: int) -> int:
    """Return where what stands between two values ends."""
    between = _BETWEEN.match(text, at)
    return between.end() if between else at


def _values(text: str) -> tuple[list[tuple[int, dict[str, Any]]], str]:
    """Return the objects of a text of JSON values in a row; lists are opened, so that one may end too early."""
    decoder, objects, fault = json.JSONDecoder(), [], ""
    at = line = depth = 0
    counted = 0
    while (at := _after(text, at)) < len(text):
        if text[at] in "[]":
            depth += 1 if text[at] == "[" else -1
            at += 1
            continue
        line, counted = line + text.count("\n", counted, at), at
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            fault = fault or f"line {line + 1} cannot be read, or is cut"
            found_next = _BEGINS.search(text, at + 1)
            at = found_next.start() if found_next else len(text)
        else:
            if isinstance(value, dict):
                objects.append((line + 1, value))
    return objects, fault or ("its end is missing" if depth > 0 else "")


def _table(text: str) -> tuple[list[tuple[int, dict[str, Any]]], str]:
    """Return the rows of a table whose header names columns."""
    text = text.removeprefix("sep=;").lstrip()
    header = text.partition("\n")[0]
    sign = max(",;\t", key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    objects, fault, names, begins = [], "", [], 1
    try:
        for row in reader:
            if not names:
                names, begins = [name.strip() for name in row], reader.line_num + 1
                continue
            if sign == ";":
                row = [cell.replace(",", ".") if _DECIMAL.fullmatch(cell) else cell for cell in row]
            if len(row) < len(names) and row and not fault:
                fault = f"line {begins} is cut"
            elif row:
                objects.append((begins, dict(zip(names, row, strict=False))))
            begins = reader.line_num + 1
    except csv.Error as error:
        fault = f"line {begins} cannot be read, or is cut: {error}"
    if objects and not text.endswith(("\n", "\r")) and not _is_whole(objects[-1][1].get("extra", "{}")):
        fault = fault or f"line {objects.pop()[0]} is cut"
    return objects, fault


def _is_whole(cell: str) -> bool:
    """Return whether a cell of JSON is not cut."""
    with suppress(InputError):
        return readers.parsed(cell) is not None
    return False
