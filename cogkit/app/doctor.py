"""Checks of this machine for the notebooks: one line per check, with a fix for each problem."""

from __future__ import annotations

import importlib.metadata
import shutil
import sys
from collections.abc import Iterable
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from cogkit.core.errors import InputError, one_line
from cogkit.data.home import home

if TYPE_CHECKING:
    import pandas as pd

FREE_MEMORY, FREE_DISK = 1.0, 2.0  # GB: one notebook at quick; its results and the compiled loops


@dataclass(frozen=True)
class Check:
    """The result of one check: ``state`` is ok, warn or fail, and ``fix`` says how to solve the problem."""

    state: str
    name: str
    detail: str
    fix: str = ""

    def __repr__(self) -> str:
        return f"{self.state:<5}{self.name}: {self.detail}" + (f" — {self.fix}" if self.fix else "")


def examine() -> list[Check]:
    """Return the results of all checks in order; a check that raises an error is reported, and the rest run."""
    checks = []
    for check in (_python, _packages, _compiled, _memory, _disk, _published, _trials, _browser):
        try:
            checks += check()
        except Exception as error:  # a faulty machine must not stop the checks; an InputError says how to fix it
            text, fix = one_line(f"{type(error).__name__}: {error}"), "please report this line"
            problem = (str(error), "") if isinstance(error, InputError) else (text, fix)
            checks.append(Check("fail", check.__name__.strip("_"), *problem))
    return checks


def frame() -> pd.DataFrame:
    """Return the results of all checks as a table, one row per check.

    Examples
    --------
    >>> frame().columns.tolist()
    ['state', 'what', 'found', 'how to mend it']
    """
    import pandas as pd  # heavy, and the command line needs none

    return pd.DataFrame(examine()).set_axis(["state", "what", "found", "how to mend it"], axis=1)


def judge(state: bool, name: str, detail: str, fix: str, otherwise: str = "fail") -> list[Check]:
    """Return one line: ok if ``state`` is true, else ``otherwise`` with the fix.

    Examples
    --------
    >>> print(*judge(False, "disk", "0.1 GB free", "make room", "warn"))
    warn disk: 0.1 GB free — make room
    """
    return [Check("ok", name, detail) if state else Check(otherwise, name, detail, fix)]


def _python() -> list[Check]:
    return judge(sys.version_info >= (3, 11), "Python", sys.version.split()[0], "install Python 3.11 or later")


def packages(lines: Iterable[str]) -> list[Check]:
    """Return a line for each requirement that is missing or out of range, or one line if there is none.

    Examples
    --------
    >>> print(*packages(["numpy<1"]))  # doctest: +ELLIPSIS
    warn numpy: ... — pip install 'numpy<1'
    """
    from packaging.requirements import Requirement  # comes with plotly

    wrong, count = [], 0
    for requirement in map(Requirement, lines):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        count, version = count + 1, ""
        with suppress(importlib.metadata.PackageNotFoundError):
            version = importlib.metadata.version(requirement.name)
        if not version or not requirement.specifier.contains(version, prereleases=True):
            fix = f"pip install '{requirement.name}{requirement.specifier}'"
            wrong += [Check("warn" if version else "fail", requirement.name, version or "missing", fix)]
    return wrong or [Check("ok", "packages", f"{count}, all in the tested ranges")]


def _packages() -> list[Check]:
    return packages(importlib.metadata.requires("cogkit") or ())


def _half(number):
    return number / 2


def _compiled() -> list[Check]:
    import numba  # compiles: seconds

    try:
        probe = numba.njit(cache=True)(_half)  # cached where the tile loops are: beside this package if possible
        probe(1.0)
    except (RuntimeError, OSError) as error:
        fix = "set NUMBA_CACHE_DIR to a folder of yours, or every kernel compiles its loops again"
        return [Check("warn", "compiled loops", f"not kept ({error})", fix)]
    detail = f"numba {numba.__version__}, kept in {probe.stats.cache_path}; `cogkit warm` compiles all of them now"
    return [Check("ok", "compiled loops", detail)]


def _memory() -> list[Check]:
    import psutil  # a compiled package; only here

    free = psutil.virtual_memory().available / 1e9
    fix = "close other notebooks' kernels"
    return judge(free >= FREE_MEMORY, "memory", f"{free:.1f} GB free", fix, "warn")


def _disk() -> list[Check]:
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    return judge(free >= FREE_DISK, "disk", f"{free:.1f} GB free here", "make room", "warn")


def _published() -> list[Check]:
    from cogkit.data import published

    name = "abstract_neural_metamers/data/copy_sample.npy"
    fix = "set COGKIT_MIRROR to a copy; without it the notebooks use bundled tables and their own boards"
    try:
        with redirect_stderr(StringIO()):  # what it says on the way is told below
            published.fetch(name)
    except InputError as error:
        return [Check("warn", "published data", str(error), fix)]
    return [Check("ok", "published data", f"from the {published.source(name)}")]


def _trials() -> list[Check]:
    from cogkit.study import trials

    store = trials.Trials()
    odd, detail = store.unreadable(), f"{len(store.frame())} rows in {home()}"
    if odd:
        detail += f", and {len(odd)} that cannot be read: {', '.join(odd[:5])}"
    return judge(not odd, "trials database", detail, "they stay as they are, and nothing counts them", "warn")


def _browser() -> list[Check]:
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
    fix = "only the browser tests need it: apt-get install chromium"
    return judge(bool(path), "Chromium", path or "not found", fix, "warn")
