"""SQLite files that any number of kernels and processes share, also on network drives."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from cogkit.core.errors import InputError
from cogkit.data.readers import faults

_PATIENCE = 60.0  # seconds that a statement waits for other kernels
_PAUSE = 0.02  # seconds, at most, between two tries


class Connection(sqlite3.Connection):
    """A connection whose statements wait for other kernels, and try again after moments of random length.

    SQLite's own waiting is not fair: among several writers one can find the file locked at each of its tries.
    """

    def execute(self, *statement) -> sqlite3.Cursor:
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                return super().execute(*statement)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(random.uniform(0, _PAUSE))
            except UnicodeDecodeError:  # SQLite quotes the file in its complaint
                raise sqlite3.DatabaseError("its tables are damaged") from None


def marks(path: Path, mode: str) -> tuple[int, int]:
    """Return the application id and the version in a file; ``mode`` goes into its address, such as ``mode=rw``."""
    uri = f"{path.as_uri()}?{mode}"
    with closing(sqlite3.connect(uri, uri=True, timeout=0, factory=Connection)) as connection:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        return application, connection.execute("PRAGMA user_version").fetchone()[0]


@contextmanager
def connected(path: Path, mode: str, wanted: str) -> Iterator[sqlite3.Connection]:
    """Open a connection that commits each statement to the disk, and tell what fails as `InputError`.

    The journal is SQLite's default one, because the write-ahead log fails on network drives. ``wanted`` is what the
    file should be, for the error.
    """
    uri = f"{path.as_uri()}?mode={mode}"
    try:
        options = {"uri": True, "timeout": 0, "isolation_level": None, "factory": Connection}
        with closing(sqlite3.connect(uri, **options)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            yield connection
    except sqlite3.DatabaseError as error:
        raise InputError(f"{path} ({error})", wanted) from None


def create(path: Path, tables: tuple[str, ...], application: int, version: int, wanted: str) -> None:
    """Make the tables of a file that has none, and mark it; a file that has tables is left as it is."""
    signs = f"PRAGMA application_id = {application}", f"PRAGMA user_version = {version}"
    with connected(path, "rwc", wanted) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            # two kernels may get here at once: the second one waits, and the tables exist then
            for statement in ("BEGIN IMMEDIATE", *tables, *signs, "COMMIT"):
                connection.execute(statement)


def identify(path: Path, application: int, version: int, wanted: str, fix: str) -> None:
    """Raise `InputError` unless a file is ours and of this version, without changing a byte of it."""
    with faults(path, f"{wanted} of version {version}", fix):
        # "immutable" takes no lock and replays no journal, so it cannot change a database of another program. If
        # it fails because another kernel commits to ours, the read with a lock below decides.
        try:
            pragmas = marks(path, "immutable=1")
        except sqlite3.DatabaseError:
            pragmas = marks(path, "mode=rw")
        if pragmas != (application, version):
            raise ValueError(f"version {pragmas[1]}" if pragmas[0] == application else "a database of another program")
