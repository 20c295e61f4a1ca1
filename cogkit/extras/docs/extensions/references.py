"""An extension of Sphinx that finds what docstrings name in backticks, however short the name is.

Docstrings name things as their code does: `Fit`, `files.whole_folder`, `stats.claims.survey`. What cannot be found
stays code.
"""

from __future__ import annotations

from typing import Any


def setup(app: Any) -> dict[str, bool]:
    """Ask here for names that Sphinx does not find."""
    app.connect("missing-reference", _resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _resolve(app: Any, env: Any, node: Any, content: Any) -> Any:
    """Return a link to the one thing whose full name ends in this one; None if there is none, or more than one.

    A small word without a dot is left alone: many things have an argument of that name.
    """
    target = node.get("reftarget", "")
    if node.get("refdomain") != "py" or not ("." in target or target[:1].isupper()):
        return None
    domain = env.get_domain("py")
    matches = domain.find_obj(env, None, None, target, None, 1)
    if len(matches) != 1:
        return None
    ((name, entry),) = matches
    from sphinx.util.nodes import make_refnode  # only Sphinx calls this

    return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content, name)
