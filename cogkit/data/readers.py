"""Opens every file that another program, another version or a person may have written: JSON, text, tables and arrays.

Each reader takes regular files of a bounded size. `faults` tells whatever is wrong with them in one `InputError`.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import lzma
import os
import re
import sqlite3
import stat
import struct
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from cogkit.core.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

MOST = 2**26  # bytes of a file, and of what is unpacked from it, unless its reader says otherwise
_ROWS, _COLUMNS = 5_000_000, 1_000  # of a table
_LONG = re.compile(rb"[0-9]{19}")  # a number that may not fit in 64 bits; in most files there is none


_DAMAGE = (  # what readers and parsers raise at a file that is damaged, or of another form
    OSError, ValueError, TypeError, LookupError, ArithmeticError, EOFError, MemoryError, RuntimeError, SyntaxError,
    Warning, csv.Error, lzma.LZMAError, msgspec.MsgspecError, sqlite3.Error, struct.error, tokenize.TokenError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip


@contextmanager
def faults(where, wanted: str, fix: str = "", *own: type[Exception]) -> Iterator[None]:
    """Tell what readers and parsers raise as an `InputError` about a file, or a place in one.

    ``own`` are errors of a library that reads this file.
    """
    try:
        yield
    except InputError:
        raise
    except (*_DAMAGE, *own) as error:
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0] or type(error).__name__
        raise InputError(f"{where} ({reason})", wanted, fix) from None


def regular(path, most: int | None = MOST, wanted: str = "a file that can be read") -> Path:
    """Return the path of a regular file of at most ``most`` bytes; None sets no limit.

    To open a pipe or a device could wait for ever, or never end.

    Raises
    ------
    InputError
        There is no such file, or it is something else, or larger.

    Examples
    --------
    >>> regular(Path("nowhere.json"))
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted a file that can be read, got nowhere.json (No such file or directory)
    """
    with faults(path, wanted):
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("a folder" if stat.S_ISDIR(status.st_mode) else "no regular file")
        if most is not None and status.st_size > most:
            raise ValueError(f"{status.st_size:,} bytes, and {most:,} are the most")
    return Path(path)


def content(path, most: int | None = MOST, wanted: str = "a file that can be read") -> bytes:
    """Return the bytes of a file; see `regular`."""
    with faults(path, wanted), open(regular(path, most, wanted), "rb") as file:
        return file.read(most)


def text(path, most: int = MOST, wanted: str = "a text file in UTF-8") -> str:
    """Return the text of a file in UTF-8, without a byte order mark.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.txt"
    >>> _ = path.write_bytes("\\ufeffé".encode())
    >>> text(path)
    'é'
    """
    with faults(path, wanted):
        return content(path, most, wanted).decode("utf-8-sig")


def unpacked(path, wanted: str = "a text in UTF-8, packed by xz") -> str:
    """Return the text of a file that is packed by xz; no more than `MOST` bytes are unpacked.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.txt.xz"
    >>> _ = path.write_bytes(lzma.compress("é".encode()))
    >>> unpacked(path)
    'é'
    """
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST)
    with faults(path, wanted):
        held = unpacker.decompress(content(path), MOST + 1)
        if len(held) > MOST:
            raise ValueError(f"more than {MOST:,} bytes when unpacked")
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError("its end is missing" if not unpacker.eof else "something follows its end")
        return held.decode("utf-8-sig")


def json(path, shape: Any = dict[str, Any], wanted: str = "a JSON file") -> Any:
    """Return what a JSON file holds, of this shape; see `parsed`."""
    return parsed(content(path), shape, f"{path}", wanted)


def parsed(
    document: bytes | str, shape: Any = dict[str, Any], where: str = "", wanted: str = "JSON", bits: int = 64
) -> Any:  # fmt: skip
    """Return what a text in JSON holds: finite numbers, and whole ones of at most so many bits.

    ``shape`` is a type as msgspec reads it: ``dict[str, Any]``, a `msgspec.Struct`, a dataclass, … ``where`` is the
    file, or the place, for the error.

    Raises
    ------
    InputError
        It is no JSON, or of another shape.

    Examples
    --------
    >>> parsed('{"n": [1, "x"]}', dict[str, list[int]], "a.json")
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted JSON, got a.json (Expected `int`, got `str` - at `$[...][1]`)
    """
    with faults(where, wanted):
        value = msgspec.json.decode(document, type=shape)
        if _LONG.search(document if isinstance(document, bytes) else document.encode()):
            _bounded(msgspec.json.decode(document), 2 ** (bits - 1))
        return value


def record(kind: type, fields: Mapping[str, Any], where: str = "", wanted: str = "") -> Any:
    """Return the dataclass that these fields, no more and no less, are of: each has the type that the class says.

    Examples
    --------
    >>> from cogkit.core.errors import Finding
    >>> record(Finding, {"path": "a.csv", "field": "row", "problem": "is empty"}).field
    'row'
    """
    with faults(where, wanted or f"the fields of {kind.__name__}"):
        if unknown := dict(fields).keys() - {field.name for field in dataclasses.fields(kind)}:
            raise ValueError(f"with the unknown {min(unknown)!r}")
        return msgspec.convert(dict(fields), kind)


def rows(path, wanted: str = "a table in UTF-8", **dialect: Any) -> list[list[str]]:
    """Return the rows of a file of separated values as text, the header first; ``dialect`` goes to `csv.reader`."""
    with faults(path, wanted):
        return [*csv.reader(io.StringIO(text(path, wanted=wanted), newline=""), strict=True, **dialect)]


def table(path, needed: Sequence[str] = (), optional: Sequence[str] = ()) -> pd.DataFrame:
    """Return the columns of a CSV or Parquet file, as text; nothing is unpickled.

    By default all columns of a CSV file are read.

    Raises
    ------
    InputError
        The file is missing, damaged, too large or without a row, it has another ending, or a column is missing, there
        twice, or not text.
    """
    path, readers = Path(path), {".csv": _csv, ".parquet": _parquet}
    if path.suffix.lower() not in readers:
        raise InputError(path.name, "a file that ends in .csv or .parquet")
    with faults(path, f"a whole {path.suffix} file"):
        frame = readers[path.suffix.lower()](regular(path), needed, optional)
        if frame.empty:
            raise ValueError("without a row")
        return frame


def array(path, wanted: str = "a whole .npy file of numbers") -> np.ndarray:
    """Return the array of a .npy file as a memory map, so that a false header cannot claim more than the file holds.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> path = Path(tempfile.mkdtemp()) / "a.npy"
    >>> np.save(path, np.arange(3))
    >>> array(path).tolist()
    [0, 1, 2]
    """
    import numpy as np  # imported here and below: the command line reads JSON alone

    with faults(path, wanted):
        memmap = np.load(regular(path, None, wanted), mmap_mode="r", allow_pickle=False)
        if not isinstance(memmap, np.ndarray):
            raise ValueError("a .npz archive")
        return memmap


def arrays(path) -> dict[str, np.ndarray]:
    """Return the arrays of a .npz file by name, `MOST` bytes at most; nothing is unpickled."""
    import numpy as np

    with faults(path, "a whole .npz file"), np.load(regular(path), allow_pickle=False) as archive:
        size = sum(member.file_size for member in archive.zip.infolist())
        if size > MOST:
            raise ValueError(f"{size:,} bytes when unpacked, and {MOST:,} are the most")
        held = {name: archive[name] for name in archive.files}
        if other := [name for name, part in held.items() if not isinstance(part, np.ndarray)]:
            raise ValueError(f"{other[0]} is no array")
        return held


def tensors(path, wanted: str, framework: str = "numpy", fix: str = "") -> tuple[dict[str, Any], dict[str, str]]:
    """Return the arrays of a safetensors file by name, and its metadata.

    ``wanted`` says in an error what the file should hold; ``framework``, ``numpy`` or ``pt``, says whose arrays these
    are.
    """
    from safetensors import SafetensorError, safe_open

    path = regular(path, None, wanted)
    with faults(path, wanted, fix, SafetensorError), safe_open(path, framework=framework) as file:
        return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}


def _bounded(value: Any, limit: int) -> None:
    """Raise `ValueError` if a whole number in a JSON value is out of -limit to limit."""
    left = [value]
    while left:
        match left.pop():
            case int(number) if abs(number) >= limit:
                raise ValueError(f"a whole number of {number.bit_length()} bits")
            case list(entries):
                left += entries
            case dict(entries):
                left += entries.values()


def _csv(path: Path, needed: Sequence[str], optional: Sequence[str]):
    import pandas as pd

    csv_text = text(path, wanted="a whole .csv file in UTF-8")
    if csv_text.partition("\n")[0].count(",") >= _COLUMNS:
        raise ValueError(f"over {_COLUMNS:,} columns")
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)  # a row longer than the header
        frame = pd.read_csv(io.StringIO(csv_text), dtype=str, keep_default_na=False, index_col=False)
    return frame[_wanted(list(frame.columns), needed, optional)] if needed else frame


def _parquet(path: Path, needed: Sequence[str], optional: Sequence[str]):
    import pyarrow
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        if file.metadata.num_rows > _ROWS:
            raise ValueError(f"{file.metadata.num_rows:,} rows, and {_ROWS:,} are the most")
        columns = _wanted(file.schema_arrow.names, needed, optional)
        for column in columns:
            kind = file.schema_arrow.field(column).type
            kind = kind.value_type if pyarrow.types.is_dictionary(kind) else kind
            if not (pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind)):
                raise ValueError(f"{column} holds {kind}, not text")
        return file.read(columns=columns).to_pandas(ignore_metadata=True)


def _wanted(columns: list[str], needed: Sequence[str], optional: Sequence[str]) -> list[str]:
    """Return the columns to read from a file."""
    names = [*needed, *(column for column in optional if column in columns)]
    if faulty := [column for column in names if columns.count(column) != 1]:
        raise ValueError(f"{'two columns' if faulty[0] in columns else 'without a column'} {faulty[0]}")
    return names
