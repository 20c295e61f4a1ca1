"""Files that the papers' authors published: fetched at a fixed commit, checked by SHA-256, kept in a cache.

``COGKIT_MIRROR=DIR`` reads the same relative paths from a folder and never uses the network. ``COGKIT_OFFLINE=1`` uses
only the cache. When one source fails and the next one is used, a line is printed once.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import NamedTuple, TypeVar

from cogkit.core.errors import InputError
from cogkit.core.presets import choose
from cogkit.data.home import place
from cogkit.data.readers import faults

T = TypeVar("T")
_TIMEOUT_S = 5  # for the connection, and for each pause after it
_PATIENCE_S = 300  # after a failed connection, the network is not tried again for this long
_said: set[str] = set()
_failed: dict[str, float] = {}  # why the network failed, and when


class Unavailable(InputError):
    """A published file that is in no mirror, not in the cache, and cannot be fetched from the network."""


class _File(NamedTuple):
    sha256: str
    url: str


@functools.cache
def _registry() -> dict[str, _File]:
    files, base = {}, {}
    for line in resources.files("cogkit.data").joinpath("published_files.txt").read_text("utf-8").splitlines():
        match line.split():
            case ["@", folder, repository, commit]:
                base[folder] = f"https://raw.githubusercontent.com/{repository}/{commit}"
            case [sha256, name] if not line.startswith("#"):
                folder, path = name.split("/", 1)
                files[name] = _File(sha256, f"{base[folder]}/{path}")
    return files


def source(name: str) -> str:
    """Return the source that `fetch` would use now: ``"mirror"``, ``"cache"`` or ``"network"``.

    A file just fetched from the network is in the cache. This function does not use the network.

    Raises
    ------
    InputError
        The name is not registered.
    """
    file = _file(name)
    if _mirror():
        return "mirror"
    return "cache" if _cached(name, file) else "network"


def fetch(name: str) -> Path:
    """Return the path of a published file whose SHA-256 is right, from the mirror, the cache or the network.

    Parameters
    ----------
    name : str
        A registered name, such as ``"abstract_neural_metamers/data/copy_sample.npy"``.

    Raises
    ------
    Unavailable
        No mirror is set, the file is not in the cache, and it cannot be fetched from the network.
    InputError
        The name is not registered; or the file in the mirror or from the network is missing or is not the
        published one (it is then not kept).
    """
    file = _file(name)
    if mirror := _mirror():
        path = mirror / name
        wanted, fix = f"the published {name}, with SHA-256 {file.sha256[:12]}…", "complete the mirror, or unset it"
        with faults(f"COGKIT_MIRROR={mirror}", wanted, fix):
            if (digest := _sha256(path)) != file.sha256:
                raise ValueError(f"truncated or changed, with SHA-256 {digest[:12]}…")
        return path
    return _cached(name, file) or _download(name, file)


def or_else(read: Callable[[], T], otherwise: Callable[[], T], line: str) -> T:
    """Return what ``read`` gives from published files; where they cannot be had, print a line, and call ``otherwise``.

    Examples
    --------
    >>> or_else(lambda: 1, lambda: 2, "two stands in for one")
    1
    """
    try:
        return read()
    except Unavailable as error:
        announce(f"{line} ({error.got})")
        return otherwise()


def announce(line: str) -> None:
    """Print one line on stderr about a change of source, once per process."""
    if line not in _said:
        _said.add(line)
        print(f"cogkit: {line}", file=sys.stderr, flush=True)


def _file(name: str) -> _File:
    files = _registry()
    return files[choose(name, files, "name of a published file")]


def _mirror() -> Path | None:
    folder = os.environ.get("COGKIT_MIRROR")
    if not folder:
        return None
    if not Path(folder).is_dir():
        raise InputError(f"COGKIT_MIRROR={folder}", "a folder with the published files", "unset it to do without")
    return Path(folder)


def _cache() -> Path:
    return place("user_cache_dir") / "published"  # it moves with cogkit's folder


def _cached(name: str, file: _File) -> Path | None:
    path = _cache() / name
    if not path.is_file():
        return None
    if _sha256(path) == file.sha256:
        return path
    announce(f"the cached {name} is not the published file any more (SHA-256); it is fetched again")
    return None


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _download(name: str, file: _File) -> Path:
    if reason := _refusal():
        raise _unavailable(name, reason)
    import pooch  # imported here: it loads a logger and requests; a mirror needs neither
    import requests

    folder, origin = name.split("/")[0], file.url.removesuffix(name.split("/", 1)[1])
    announce(f"no mirror is set and {folder} is not all in the cache; fetching from {origin}")
    pooch.get_logger().setLevel("WARNING")  # the line above says it all
    path, downloader = _cache() / name, pooch.HTTPDownloader(timeout=_TIMEOUT_S)
    try:
        pooch.retrieve(file.url, f"sha256:{file.sha256}", path.name, path.parent, downloader=downloader)
    except requests.HTTPError as error:  # the host answers, so other files may be available
        raise _unavailable(name, str(error)) from None
    except requests.RequestException as error:
        _failed[f"no connection to {file.url.split('/')[2]} ({type(error).__name__})"] = time.monotonic()
        raise _unavailable(name, _refusal()) from None
    except (OSError, ValueError) as error:
        got, wanted = f"{path} ({getattr(error, 'strerror', None) or error})", f"the published {name} in the cache"
        raise InputError(got, wanted, "it was truncated or changed on the way, or set COGKIT_HOME to another") from None
    return path


def _refusal() -> str:
    """Return why the network is not used, or an empty string."""
    if os.environ.get("COGKIT_OFFLINE") == "1":
        return "COGKIT_OFFLINE=1"
    recent = [reason for reason, failure_time in _failed.items() if time.monotonic() - failure_time < _PATIENCE_S]
    return recent[-1] if recent else ""


def _unavailable(name: str, reason: str) -> Unavailable:
    got = f"no mirror, no copy in the cache, and {reason}"
    return Unavailable(got, f"the published {name}", "connect once, or set COGKIT_MIRROR to a folder with the files")
