"""How Sphinx makes the pages: what it would read from a ``conf.py``."""

from __future__ import annotations

from typing import Any

from cogkit import __version__

STATIC, EXTRA = "_shared", "_extra"
"""Folders beside the sources: of style and scripts, and of files that keep their address."""


def anchor(heading: str) -> str:
    """Return the address of a heading within its page, as Jupyter makes it: notebooks link to each other so.

    Examples
    --------
    >>> anchor("Everybody on one scale")
    'Everybody-on-one-scale'
    """
    return heading.strip().replace(" ", "-")


SETTINGS: dict[str, Any] = {
    "project": "cogkit",
    "version": __version__,
    "release": __version__,
    "language": "en",
    "extensions": [
        "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "myst_nb",
        *(f"cogkit.extras.docs.extensions.{name}" for name in ("mathml", "references", "rubrics")),
    ],
    "root_doc": "index",
    "smartquotes": False,  # it would make dashes of options such as --out
    "default_role": "py:obj",
    "autosummary_generate": False,  # the pages are our own
    "autodoc_member_order": "bysource",
    "autodoc_typehints_format": "short",
    "autodoc_preserve_defaults": True,
    "add_module_names": False,
    "maximum_signature_line_length": 88,
    "numpydoc_show_class_members": False,
    "numpydoc_class_members_toctree": False,
    "myst_enable_extensions": ["dollarmath", "amsmath", "deflist"],
    "myst_heading_anchors": 4,
    "myst_heading_slug_func": "cogkit.extras.docs.settings.anchor",
    "nb_execution_mode": "off",
    "nb_code_prompt_show": "Show the code",
    "nb_code_prompt_hide": "Hide the code",
    "nb_ipywidgets_js": {},  # widgets stand as a run left them: no script comes from elsewhere
    "html_theme": "furo",
    "html_title": f"cogkit {__version__}",
    "html_static_path": [STATIC],
    "html_extra_path": [EXTRA],
    "html_css_files": ["cogkit.css"],
    "html_math_renderer": "mathml",
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_show_copyright": False,
    "toc_object_entries_show_parents": "hide",
}  # fmt: skip
