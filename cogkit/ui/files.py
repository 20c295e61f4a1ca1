"""The script and the style that a widget sends: its own files, and the shared ones."""

from __future__ import annotations

from pathlib import Path

SHARED = Path(__file__).parent / "static"


def script(folder: Path, *names: str) -> str:
    """Return several files as one module, or one style, for a widget; list shared parts first in ``names``.

    Indents and comments are removed, because every stored notebook holds the result.

    Parameters
    ----------
    folder : Path
        The widget's own ``static``; a file that is not in it is taken from the shared folder.
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
