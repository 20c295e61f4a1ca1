"""An extension of Sphinx that shows the parts of a module's docstring as numpydoc shows those of a function's.

numpydoc leaves modules alone. Their ``Examples`` would else be sections of the page, each with the same address.
"""

from __future__ import annotations

import re
from typing import Any


def setup(app: Any) -> dict[str, bool]:
    """Ask here for every docstring, before others do."""
    app.connect("autodoc-process-docstring", _process, priority=1)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _process(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    if what == "module":
        lines[:] = rubrics("\n".join(lines)).split("\n")


def rubrics(text: str) -> str:
    """Return a docstring whose underlined titles are rubrics, which are no sections.

    Examples
    --------
    >>> print(rubrics("Notes\\n-----\\nIt is."))
    .. rubric:: Notes
    <BLANKLINE>
    It is.
    """
    return re.sub(r"^(\w[\w ]*)\n-{3,}$\n?", r".. rubric:: \1\n\n", text, flags=re.MULTILINE)
