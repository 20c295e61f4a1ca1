"""The notebooks: their folder, a reader's own copy of them, and runs without a browser.

A notebook has one cell tagged ``parameters``. A cell tagged ``exercise`` carries its name in the cell
metadata (``"exercise": "01-first-click"``) and is followed by the cell whose last line is
``exercises.check("01-first-click", …)``. Cells tagged ``headline`` show the numbers that the index page
of ``cogkit run`` repeats.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cogkit
from cogkit.core.errors import InputError, one_line
from cogkit.core.presets import choose
from cogkit.data import readers
from cogkit.data.files import write_whole

STAMP = ".cogkit.json"  # in a reader's folder: the SHA-256 of every notebook when it was copied


@dataclass(frozen=True)
class Run:
    """The cost and the outcome of running one notebook.

    Attributes
    ----------
    cpu_s, wall_s : float
        Seconds of processor time of the kernel and its children; seconds by the clock, kernel start included.
    peak_mb : float
        Highest memory of the kernel and its child processes together, in MB (10⁶ bytes); see `kernel.Meter`.
    size_kb : float
        The executed notebook as stored, in kB (10³ bytes).
    error : str
        Cell and error if not ok; else empty.
    """

    notebook: str
    cpu_s: float
    wall_s: float
    peak_mb: float
    size_kb: float
    ok: bool
    error: str = ""


def source() -> Path:
    """Return the folder of the project's notebooks: the repository's, else the installed package's.

    Examples
    --------
    >>> source().name in ("notebooks", "_notebooks")
    True
    """
    package = Path(cogkit.__file__).resolve().parent
    repository = package.parent / "notebooks"
    if (package.parent / "pyproject.toml").is_file() and repository.is_dir():
        return repository
    return package / "_notebooks"


def find(names: Iterable[str] = ()) -> list[Path]:
    """Return the notebooks with these names (file, name, or number such as ``01``), or all notebooks in order."""
    every = {path.stem: path for path in sorted(source().glob("*.ipynb"))}
    paths = []
    for name in names:
        if name.endswith(".ipynb") and os.path.isfile(name):
            paths.append(Path(name))
        else:
            stem = Path(name).stem
            matches = [full for full in every if full.startswith(stem + "_")]
            paths.append(every[matches[0] if len(matches) == 1 else choose(stem, every, "notebook")])
    return paths or list(every.values())


def copy_to(folder: Path | str, origin: Path | None = None) -> list[str]:
    """Copy notebooks; return a line for each file that was copied, updated, or kept because the reader changed it.

    A file that differs from the last copy belongs to the reader and is never overwritten. The folder is made if needed;
    ``origin`` is by default that of the project's notebooks.
    """
    folder, origin = Path(folder), origin or source()
    stamp = folder / STAMP
    try:
        digests = readers.json(stamp, dict[str, str])
    except InputError:
        digests = {}
    lines = []
    for path in sorted(origin.rglob("*")):
        if not path.is_file() or ".ipynb_checkpoints" in path.parts:
            continue
        name = path.relative_to(origin).as_posix()
        fresh, target = path.read_bytes(), folder / name
        ours = hashlib.sha256(fresh).hexdigest()
        theirs = hashlib.sha256(readers.content(target, None)).hexdigest() if target.exists() else None
        if theirs is None or (theirs == digests.get(name) and theirs != ours):
            lines.append(f"{'copied' if theirs is None else 'updated'} {name}")
            write_whole(target, fresh)
        elif theirs != ours:
            lines.append(f"kept your {name}")
            continue
        digests[name] = ours
    write_whole(stamp, json.dumps(digests, indent=1).encode())
    return lines


def parameters(path: Path | str) -> dict[str, dict[str, str]]:
    """Return the parameters in the ``parameters`` cell as papermill reads them: type, default and help by name."""
    import nbformat
    import papermill  # brings nbclient, click and yaml

    own = nbformat.ValidationError, papermill.PapermillException, AttributeError, NameError, AssertionError
    with readers.faults(path, "a Jupyter notebook", "give the path of an .ipynb file", *own):
        return papermill.inspect_notebook(str(readers.regular(path)))


def check_values(path: Path | str, values: Iterable[str]) -> None:
    """Raise `InputError` if a name is not a parameter of the notebook; papermill would only warn."""
    offer = parameters(path)
    for name in values:
        choose(name, offer, f"parameter of {Path(path).name}")


def execute(
    path: Path | str, out: Path | str, values: Mapping[str, Any] | None = None, env: Mapping[str, str] | None = None
) -> Run:
    """Run one notebook with papermill, in a kernel of this interpreter, and return the `Run`.

    The kernel works in the folder of ``out``; ``env`` is added to this process's environment. A name in ``values`` that
    is no parameter is refused (papermill would only warn).

    Raises
    ------
    InputError
        A parameter is unknown, or there is no notebook at ``path``.
    """
    # Not at the top: papermill and its notebook client are heavy, and needed only here.
    import nbformat
    import papermill

    from cogkit.app import kernel

    path, out = Path(path), Path(out).resolve()
    check_values(path, values or {})
    out.parent.mkdir(parents=True, exist_ok=True)
    began, error = time.perf_counter(), ""
    try:
        papermill.execute_notebook(
            nbformat.read(path, as_version=4), out, dict(values or {}), engine_name=kernel.ENGINE,
            kernel_name="python3", cwd=out.parent, progress_bar=False, env={**os.environ, **(env or {})},
        )  # fmt: skip
    except papermill.PapermillExecutionError as failure:
        error = one_line(f"cell {failure.exec_count}: {failure.ename}: {failure.evalue}".splitlines()[0])
    except (kernel.DeadKernelError, RuntimeError) as failure:
        error = one_line(f"{type(failure).__name__}: {failure}".splitlines()[0])
    wall = time.perf_counter() - began
    cost = nbformat.read(out, as_version=4).metadata.papermill.get("cogkit", {"cpu_s": math.nan, "peak_mb": math.nan})
    return Run(path.stem, cost["cpu_s"], wall, cost["peak_mb"], out.stat().st_size / 1e3, not error, error)
