"""Ways to spoil a file: its bits, length and kind; values of JSON, cells of tables, headers of arrays, stored rows."""

from __future__ import annotations

import io
import json
import os
import random
import re
import socket
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

_DEEP = 100_000
# As text, since some of these are no Python values that `json` would write.
VALUES = (
    "null", "true", "false", "0", "-1", "1", "2", "7", "0.5", "-0.0", "1e308", "-1e308", "1e999", "5e-324", "NaN",
    "Infinity", "-Infinity", "2147483648", "9223372036854775807", "9223372036854775808", "100000000", "1" + "0" * 30,
    "9" * 400, "9" * 5000,
    '""', '"x"', '"0"', '"1e999"', '"nan"', '"\\u0000"', '"\\ud800"', '"\\u202eabc"', '"é漢😀"', '"../../etc/passwd"',
    '"<img src=x onerror=alert(1)>"', '"' + "A" * 100_000 + '"', "[]", "[[]]", "{}", '{"a": {}}', "[null]", '[1, "x"]',
    "[" * _DEEP + "]" * _DEEP, '{"a":' * _DEEP + "1" + "}" * _DEEP, "[" + "0," * 100_000 + "0]",
)  # fmt: skip
LINKS = ("link to /dev/zero", "link to /dev/null", "link to itself")
KINDS = ("gone", "folder", "pipe", "socket", *LINKS, "3 GB of nothing")


def spoil(path: Path, rng: random.Random) -> str:
    """Change the file at ``path`` once, and return what was done."""
    if rng.random() < 0.06:
        kind = rng.choice(KINDS)
        _become(path, kind)
        return kind
    content = path.read_bytes()
    way = rng.choice([*_ways(path, content), _bits, _cut, _bytes])
    path.write_bytes(way(content, rng))
    return way.__name__.strip("_")


def _ways(path: Path, content: bytes) -> list[Callable[[bytes, random.Random], bytes]]:
    """Return the ways for what the file holds, several times each: they go deeper than bits and bytes."""
    if content.startswith(b"SQLite format 3"):
        return [_row] * 6
    if content.startswith(b"PK"):
        return [_member] * 6
    if content.startswith(b"\x93NUMPY"):
        return [_header] * 5
    if path.suffix == ".safetensors":
        return [_safetensors] * 9
    if path.suffix in (".csv", ".tsv"):
        return [_cell] * 6
    try:
        json.loads(content)
    except ValueError:
        lines = content.splitlines()
        return [_line] * 6 if lines and lines[0][:1] in b"[{" else [_word] * 3
    return [_value] * 9


def _become(path: Path, kind: str) -> None:
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as end, tempfile.TemporaryDirectory() as short:  # names of sockets are short
            end.bind(f"{short}/s")
            os.rename(f"{short}/s", path)
    elif kind.startswith("link"):
        path.symlink_to(path if kind.endswith("itself") else kind.removeprefix("link to "))
    elif kind.endswith("nothing"):
        with path.open("wb") as file:
            file.truncate(3 * 2**30)


def _bits(content: bytes, rng: random.Random) -> bytes:
    spoilt = bytearray(content or b"\0")
    for _ in range(rng.choice((1, 1, 2, 8, 64))):
        spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
    return bytes(spoilt)


def _cut(content: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(content) + 1)
    if rng.random() < 0.7:
        return content[:place]
    return content[:place] + content[place + rng.randrange(1, 1 + max(1, len(content) // 3)) :]


def _bytes(content: bytes, rng: random.Random) -> bytes:
    place, more = rng.randrange(len(content) + 1), rng.choice((b"\0", b"\xff\xfe", b"\n", b"\r", b'"', b"\xef\xbb\xbf"))
    return rng.choice((
        content[:place] + more * rng.choice((1, 1, 100)) + content[place:],
        content[:place] + rng.randbytes(rng.randrange(1, 200)) + content[place:],
        content + content[: rng.randrange(len(content) + 1)],
        rng.randbytes(rng.randrange(2000)),
    ))  # fmt: skip


def _value(content: bytes, rng: random.Random) -> bytes:
    """Change one value, name or length somewhere in a text of JSON."""
    held, mark = json.loads(content), "@value@"
    places: list[tuple[Any, Any]] = []
    left = [held]
    while left:
        node = left.pop()
        entries = dict(node) if isinstance(node, dict) else dict(enumerate(node)) if isinstance(node, list) else {}
        places += [(node, key) for key in entries]
        left += entries.values()
    if not places or rng.random() < 0.03:
        return rng.choice(VALUES).encode()
    # by name first: a long list of numbers must not hide the fields beside it
    node, key = rng.choice(rng.choice([[p for p in places if isinstance(p[0], dict)] or places, places]))
    match rng.randrange(6):
        case 0:
            del node[key]
        case 1 if isinstance(node, dict):
            node[rng.choice(("", "x", "\x00", "class", "more"))] = node.pop(key)
        case 2 if isinstance(node, list):
            node.insert(key, node[key])
        case 3 if isinstance(node[key], str) and node[key]:
            word = node[key]
            node[key] = rng.choice((word[:-1], word * 2, word.upper(), f" {word}", word[0], word.replace("1", "2")))
        case 4 if isinstance(node[key], int | float) and not isinstance(node[key], bool):
            node[key] = rng.choice((-node[key], node[key] + 1, node[key] * 1000, float(node[key]) / 3, f"{node[key]}"))
        case _:
            node[key] = mark
    return json.dumps(held).replace(f'"{mark}"', rng.choice(VALUES)).encode()


def _line(content: bytes, rng: random.Random) -> bytes:
    """Change a value in one of several lines of JSON, or the lines."""
    lines = content.splitlines()
    place = rng.randrange(len(lines))
    try:
        lines[place] = _value(lines[place], rng)
    except ValueError:
        del lines[place]
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines or [b""]))
    return b"\n".join(lines)


def _word(content: bytes, rng: random.Random) -> bytes:
    words = re.split(rb"(\s+)", content)
    texts = [json.loads(value) for value in VALUES if value.startswith('"')]
    words[rng.randrange(len(words))] = rng.choice(texts).encode("utf-8", "surrogatepass")
    return b"".join(words)


def _cell(content: bytes, rng: random.Random) -> bytes:
    """Change a cell, a row or the header of a table."""
    mark = b"\t" if b"\t" in content.partition(b"\n")[0] else b","
    rows = [line.split(mark) for line in content.split(b"\n")]
    row = rng.choice(rows[: 1 if rng.random() < 0.25 else None])
    match rng.randrange(6):
        case 0:
            del row[rng.randrange(len(row))]
        case 1:
            row.insert(rng.randrange(len(row) + 1), rng.choice(row))
        case 2:
            rows.insert(rng.randrange(len(rows)), list(row))
        case 3:
            rows.remove(row)
        case 4:
            row *= rng.choice((2, 3000))
        case _:
            words = (b"", b'"', b"NaN", b"inf", b"-1", b"1e999", b"=1+1", b"\xff", b"\0", "漢".encode())
            row[rng.randrange(len(row))] = rng.choice((*words, b"9" * 400, b"A" * 200_000))
    return b"\n".join(map(mark.join, rows))


def _header(content: bytes, rng: random.Random) -> bytes:
    """Change what a .npy file says of its array."""
    size = int.from_bytes(content[8:10], "little")
    header = content[10 : 10 + size].decode("latin-1").rstrip()
    shapes = ("(999999999999, 7, 7)", "(-1,)", "()", "(0,)", "(1e9,)", f"({'1,' * 40})", "None", "'x'", "(2**62, 9)")
    kinds = ("|O", "<U9999999", "<f2", ">f8", "|V0", "x", "<i8", "|b1", "<c16", "<M8[s]", "[('a', '<f8')]")
    header = rng.choice((
        re.sub(r"'shape': \([^)]*\)", lambda _: f"'shape': {rng.choice(shapes)}", header),
        re.sub(r"'descr': '[^']*'", lambda _: f"'descr': {rng.choice(kinds)!r}", header),
        rng.choice(("{}", "[" * 9000, "__import__('os')", "{'a': 1}", header.replace("False", "True"), header[:-1])),
    ))  # fmt: skip
    text = header.encode("latin-1") + b"\n"
    return content[:8] + len(text).to_bytes(2, "little") + text + content[10 + size :]


def _member(content: bytes, rng: random.Random) -> bytes:
    """Change one file of an archive, or add one that unpacks to a gigabyte."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(sorted(files))
    match rng.randrange(6):
        case 0:
            del files[name]
        case 1:
            files[f"{rng.choice(('../', 'x', ''))}{name}"] = files.pop(name)
        case 2:
            files[name] = files[rng.choice(sorted(files))]
        case 3 if files[name].startswith(b"\x93NUMPY"):
            files[name] = _header(files[name], rng)
        case 4 if rng.random() < 0.05:
            files[name] = files[name] + bytes(2**30)
        case _:
            files[name] = _in_text(files[name], rng)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, held in files.items():
            archive.writestr(name, held)
    return out.getvalue()


def _in_text(held: bytes, rng: random.Random) -> bytes:
    """Change JSON that stands as a text of numpy in a .npy file, or else its bits."""
    size = 10 + int.from_bytes(held[8:10], "little")
    try:
        text = _value(held[size:].decode("utf-32-le").rstrip("\0").encode(), rng).decode("utf-8", "replace")
    except ValueError:
        return _bits(held, rng)
    header = f"{{'descr': '<U{len(text)}', 'fortran_order': False, 'shape': (), }}\n".encode()
    return held[:8] + len(header).to_bytes(2, "little") + header + text.encode("utf-32-le")


def _safetensors(content: bytes, rng: random.Random) -> bytes:
    """Change the names, shapes, places and metadata in the header of a safetensors file."""
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    metadata = header.get("__metadata__", {})
    if metadata and rng.random() < 0.75 and max(metadata.values(), key=len)[:1] == "{":
        key = max(metadata, key=lambda name: len(metadata[name]))
        metadata[key] = _value(metadata[key].encode(), rng).decode("utf-8", "replace")
        text = json.dumps(header).encode()
    else:
        text = _value(json.dumps(header).encode(), rng)
    return len(text).to_bytes(8, "little") + text + content[8 + size :]


def _row(content: bytes, rng: random.Random) -> bytes:
    """Change a cell of a database, its version, or its tables."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.sqlite")
        path.write_bytes(content)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            table = "trials" if "trials" in tables else rng.choice(tables)
            names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            ids = [row[0] for row in connection.execute(f"SELECT rowid FROM {table}")]
            name, row = rng.choice(names), rng.choice(ids)
            match rng.randrange(8):
                case 0:
                    marks = ("application_id = 7", "user_version = 99", "user_version = 0")
                    connection.execute(f"PRAGMA {rng.choice(marks)}")
                case 1:
                    connection.execute(f"DELETE FROM {table} WHERE rowid = ?", [row])
                case 2:
                    renamed = f'ALTER TABLE {table} RENAME COLUMN "{name}" TO other'
                    connection.execute(rng.choice((f"DROP TABLE {table}", f"DELETE FROM {table}", renamed)))
                case 3 | 4 if record := next((name for name in ("extra", "said") if name in names), ""):
                    text = connection.execute(f"SELECT {record} FROM {table} WHERE rowid = ?", [row]).fetchone()[0]
                    spoilt = _value(text.encode(), rng).decode("utf-8", "replace")
                    connection.execute(f"UPDATE {table} SET {record} = ? WHERE rowid = ?", [spoilt, row])
                case _:
                    numbers = (None, 0, -1, 2**62, 1e308, float("inf"))
                    value = rng.choice((*numbers, "", "x", "\0", "9" * 400, "A" * 100_000, b"\xff\0", "<b>"))
                    try:
                        connection.execute(f'UPDATE {table} SET "{name}" = ? WHERE rowid = ?', [value, row])
                    except sqlite3.DatabaseError:  # the table itself refuses it
                        connection.execute(f"DELETE FROM {table} WHERE rowid = ?", [row])
            connection.commit()
        return path.read_bytes()
