"""The script and the style that a widget sends, its own files and the shared ones; values and files in a page."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any


def script(module: str, *names: str, beside: str | None = None) -> str:
    """Return several files as one module, or one style, for a widget; list shared parts first in ``names``.

    Indents and comments are removed, because every stored notebook holds the result. A widget's own files are in
    ``static`` beside its ``__file__``, all others are the shared ones. A script that builds on another widget finds its
    files ``beside`` that widget's ``__file__``.

    Examples
    --------
    >>> script(__file__, "base.js").splitlines()[0]
    'function filled(node, attributes = {}, children) {'
    """
    folders = [Path(file).parent / "static" for file in (module, beside, __file__) if file]
    paths = (next(folder / name for folder in folders if (folder / name).exists()) for name in names)
    lines = (line.strip() for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def in_script(value: Any) -> str:
    """Return JSON that can stand in a script: nothing in it ends the script.

    Examples
    --------
    >>> in_script({"a": "</script>"})
    '{"a":"\\\\u003c/script>"}'
    """
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def policy(*scripts: str, files: bool = False, **others: str) -> str:
    """Return a content security policy: a page runs these scripts and no other, and asks nobody.

    Parameters
    ----------
    *scripts : str
        Scripts that stand in the page, without their tags, and the values of attributes such as ``onkeydown``.
    files : bool
        Whether the page may also run, show and ask for the files beside it.
    **others : str
        More sources of scripts, pictures and the like, by directive: ``img="https://osf.io"``.

    Examples
    --------
    >>> policy(files=True)[:58]
    "default-src 'none'; script-src 'self' file:; style-src 'un"
    """
    beside = ["'self'", "file:"] if files else []  # a page from a disk has no site that it could be of
    held = [source(text) for text in dict.fromkeys(scripts)]
    sources = {
        "default": ["'none'"], "script": [*beside, *held, *["'unsafe-hashes'"] * bool(held)],
        "style": ["'unsafe-inline'", *beside], "img": ["data:", "blob:", *beside], "font": ["data:", *beside],
        "connect": beside, "media": beside,
    }  # fmt: skip
    rules = (f"{name}-src {' '.join([*parts, others.get(name, '')]).strip()}" for name, parts in sources.items()
             if parts or name in others)  # fmt: skip
    return f"{'; '.join(rules)}; base-uri 'none'; form-action 'none'"


def inline(page: str) -> list[str]:
    """Return the scripts that stand in a page, or a part of one, for its `policy`.

    Examples
    --------
    >>> inline('<script src="a.js"></script><script>b()</script>')
    ['b()']
    """
    return re.findall(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", page, re.S)


def source(text: str) -> str:
    """Return a script or style as a content security policy names it, so that it and nothing else is taken."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def uri(content: bytes, kind: str) -> str:
    """Return a picture file as an address that an ``img`` can show; ``kind`` is its format, such as ``webp``.

    Examples
    --------
    >>> uri(b"RIFF", "webp")
    'data:image/webp;base64,UklGRg=='
    """
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def widget(text: str) -> str:
    """Return a widget's script as a page takes it that has no Python: the widget is a constant, ``widget``, there.

    Examples
    --------
    >>> widget("export default { render() {} };")
    'const widget = { render() {} };'
    """
    return text.replace("export default {", "const widget = {", 1)
