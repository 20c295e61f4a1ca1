"""The script and the style that a widget sends: its own files, and those that all share."""

from __future__ import annotations

from pathlib import Path

SHARED = Path(__file__).parent / "static"


def script(folder: Path, *names: str) -> str:
    """Return files as the one module, or the one style, that a widget sends: shared parts first in ``names``.

    They are neither indented nor commented, for they travel with every stored notebook.

    Parameters
    ----------
    folder : Path
        The widget's own ``static``; a file that is not there is one of those that all share.
    *names : str
        Such as ``base.js`` and ``board.js``.

    Examples
    --------
    >>> script(SHARED, "base.js").splitlines()[0]
    'function make(tag, attributes = {}, ...children) {'
    """
    paths = ((folder if (folder / name).exists() else SHARED) / name for name in names)
    lines = (line.strip() for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))
