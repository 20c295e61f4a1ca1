"""Opens every file that another program, another version or a person may have written: JSON, text, tables and arrays.

Each reader takes regular files of a bounded size, and tells whatever is wrong with them in one `InputError`.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import lzma
import os
import re
import stat
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from cogkit.core.errors import InputError, some

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

MOST = 2**26  # bytes of a file, and of what is unpacked from it, unless its reader says otherwise
_ROWS, _COLUMNS = 5_000_000, 1_000  # of a table
_LONG = re.compile(rb"[0-9]{19}")  # a number that may not fit in 64 bits; in most files there is none
_KINDS = {stat.S_ISDIR: "a folder", stat.S_ISFIFO: "a pipe", stat.S_ISSOCK: "a socket"}


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
    with _told(path, wanted):
        status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        what = next((name for is_kind, name in _KINDS.items() if is_kind(status.st_mode)), "a device")
        raise InputError(f"{path}, {what}", wanted)
    if most is not None and status.st_size > most:
        raise InputError(f"{path} of {status.st_size:,} bytes", f"{wanted}, of {most:,} bytes at most")
    return Path(path)


def content(path, most: int | None = MOST, wanted: str = "a file that can be read") -> bytes:
    """Return the bytes of a file; see `regular`."""
    with _told(path, wanted), open(regular(path, most, wanted), "rb") as file:
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
    return _decoded(content(path, most, wanted), path, wanted)


def unpacked(path, most: int = MOST, wanted: str = "a text in UTF-8, packed by xz") -> str:
    """Return the text of a file that is packed by xz; no more than ``most`` bytes are unpacked.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.txt.xz"
    >>> _ = path.write_bytes(lzma.compress("é".encode()))
    >>> unpacked(path)
    'é'
    """
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=most)
    try:
        held = unpacker.decompress(content(path, most, wanted), most + 1)
        if len(held) > most:
            raise InputError(f"{path} of more than {most:,} bytes when unpacked", wanted)
        if not unpacker.eof or unpacker.unused_data:
            raise lzma.LZMAError("its end is missing" if not unpacker.eof else "something follows its end")
    except lzma.LZMAError as error:
        raise InputError(f"{path} ({error})", wanted) from None
    return _decoded(held, path, wanted)


def _decoded(held: bytes, path, wanted: str) -> str:
    """Return bytes in UTF-8 as text, without a byte order mark; `InputError` if they are no such text."""
    try:
        return held.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} ({error.reason} at byte {error.start:,})", wanted) from None


def json(path, shape: Any = dict[str, Any], wanted: str = "a JSON file", most: int = MOST) -> Any:
    """Return what a JSON file holds, of this shape; see `parsed`."""
    return parsed(content(path, most), shape, f"{path}", wanted)


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
    try:
        value = msgspec.json.decode(document, type=shape)
        if _LONG.search(document if isinstance(document, bytes) else document.encode()):
            _bounded(msgspec.json.decode(document), 2 ** (bits - 1))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise InputError(f"{where} ({error})", wanted) from None
    return value


def record(kind: type, fields: Mapping[str, Any], where: str = "", wanted: str = "") -> Any:
    """Return the dataclass that these fields, no more and no less, are of: each has the type that the class says.

    Examples
    --------
    >>> from cogkit.core.errors import Finding
    >>> record(Finding, {"path": "a.csv", "field": "row", "problem": "is empty"}).field
    'row'
    """
    wanted = wanted or f"the fields of {kind.__name__}"
    if not isinstance(fields, Mapping):
        raise InputError(f"{where} ({type(fields).__name__})", wanted)
    if unknown := fields.keys() - {field.name for field in dataclasses.fields(kind)}:
        raise InputError(f"{where} (with the unknown {min(unknown)!r})", wanted)
    try:
        return msgspec.convert(dict(fields), kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise InputError(f"{where} ({error})", wanted) from None


def rows(path, wanted: str = "a table in UTF-8", **dialect: Any) -> list[list[str]]:
    """Return the rows of a file of separated values as text, the header first; ``dialect`` goes to `csv.reader`."""
    try:
        return [*csv.reader(io.StringIO(text(path, wanted=wanted), newline=""), strict=True, **dialect)]
    except csv.Error as error:
        raise InputError(f"{path} ({error})", wanted) from None


def table(path, needed: Sequence[str] = (), optional: Sequence[str] = ()) -> pd.DataFrame:
    """Return the columns of a CSV or Parquet file, as text; nothing is unpickled.

    By default all columns of a CSV file are read.

    Of text.

    Raises
    ------
    InputError
        The file is missing, damaged, too large or without a row, it has another ending, or a column is missing, there
        twice, or not text.
    """
    path, readers = Path(path), {".csv": _csv, ".parquet": _parquet}
    if path.suffix.lower() not in readers:
        raise InputError(path.name, "a file that ends in .csv or .parquet")
    regular(path)
    try:
        frame = readers[path.suffix.lower()](path, needed, optional)
    except InputError:
        raise
    except Exception as error:  # with a damaged file, the readers can raise any exception
        raise InputError(f"{path} ({type(error).__name__}: {error})", f"a whole {path.suffix} file") from None
    if frame.empty:
        raise InputError(f"{path} without a row", "one row or more")
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

    with _told(path, wanted):
        memmap = np.load(regular(path, None, wanted), mmap_mode="r", allow_pickle=False)
    if not isinstance(memmap, np.ndarray):
        raise InputError(f"{path}, a .npz archive", wanted)
    return memmap


def arrays(path, wanted: str = "a whole .npz file", most: int = MOST) -> dict[str, np.ndarray]:
    """Return the arrays of a .npz file by name, ``most`` bytes at most; nothing is unpickled."""
    import numpy as np

    with _told(path, wanted), np.load(regular(path, most, wanted), allow_pickle=False) as archive:
        size = sum(member.file_size for member in archive.zip.infolist())
        if size > most:
            raise InputError(f"{path} with {size:,} bytes", f"{wanted}, of {most:,} bytes at most")
        held = {name: archive[name] for name in archive.files}
        if other := [name for name, part in held.items() if not isinstance(part, np.ndarray)]:
            raise InputError(f"{path} with {other[0]}, which is no array", wanted)
        return held


def tensors(path, wanted: str, framework: str = "numpy") -> tuple[dict[str, Any], dict[str, str]]:
    """Return the arrays of a safetensors file by name, and its metadata.

    ``wanted`` says in an error what the file should hold; ``framework``, ``numpy`` or ``pt``, says whose arrays these
    are.
    """
    from safetensors import safe_open

    with _told(path, wanted), safe_open(regular(path, None, wanted), framework=framework) as file:
        return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}


@contextmanager
def _told(path, wanted: str) -> Iterator[None]:
    """Tell every error as an `InputError`: with a damaged file, the libraries can raise any exception."""
    try:
        yield
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path} ({error.strerror or error})", wanted) from None
    except Exception as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(f"{path} ({reason})", wanted) from None


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
        raise InputError(f"{path} with over {_COLUMNS:,} columns", "a table")
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)  # a row longer than the header
        frame = pd.read_csv(io.StringIO(csv_text), dtype=str, keep_default_na=False, index_col=False)
    return frame[_wanted(path, list(frame.columns), needed, optional)] if needed else frame


def _parquet(path: Path, needed: Sequence[str], optional: Sequence[str]):
    import pyarrow
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        if file.metadata.num_rows > _ROWS:
            raise InputError(f"{path} with {file.metadata.num_rows:,} rows", f"{_ROWS:,} rows at most")
        columns = _wanted(path, file.schema_arrow.names, needed, optional)
        for column in columns:
            kind = file.schema_arrow.field(column).type
            kind = kind.value_type if pyarrow.types.is_dictionary(kind) else kind
            if not (pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind)):
                raise InputError(f"{kind} in {path.name}, {column}", "text")
        return file.read(columns=columns).to_pandas(ignore_metadata=True)


def _wanted(path: Path, columns: list[str], needed: Sequence[str], optional: Sequence[str]) -> list[str]:
    """Return the columns to read from a file."""
    for column in needed:
        if column not in columns:
            raise InputError(f"{some(columns)} in {path.name}", f"a column {column}")
    names = [*needed, *(column for column in optional if column in columns)]
    for column in names:
        if columns.count(column) > 1:
            raise InputError(f"two of them in {path.name}", f"one column {column}")
    return names
