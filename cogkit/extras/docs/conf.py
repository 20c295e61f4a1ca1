"""How Sphinx makes the pages. `build` prepares the folder of sources: ``pages``, the notebooks, and pages of papers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cogkit import __version__

project = "cogkit"
version = release = __version__
language = "en"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "myst_nb"]
exclude_patterns = ["README.md"]  # pages include its sections
templates_path = [str(Path(__file__).with_name("templates"))]
smartquotes = False  # it would make dashes of options such as --out
default_role = "py:obj"

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
add_module_names = False
maximum_signature_line_length = 88
numpydoc_show_class_members = False
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 4
myst_heading_slug_func = "cogkit.extras.docs.conf.anchor"
nb_execution_mode = "off"
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
nb_ipywidgets_js: dict[str, Any] = {}  # widgets stand as a run left them: no script comes from elsewhere

html_theme = "furo"
html_title = f"cogkit {__version__}"
html_static_path = ["static"]
html_css_files = ["cogkit.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False


def anchor(heading: str) -> str:
    """Return the address of a heading within its page, as Jupyter makes it: notebooks link to each other so.

    Examples
    --------
    >>> anchor("Everybody on one scale")
    'Everybody-on-one-scale'
    """
    return heading.strip().replace(" ", "-")


def setup(app: Any) -> None:
    """Let formulas be MathML, which browsers draw without a script."""
    app.add_html_math_renderer("mathml", inline_renderers=(_formula, None), block_renderers=(_formula, None))


def _formula(writer: Any, node: Any) -> None:
    from docutils import nodes  # of the extra [docs], as Sphinx is
    from latex2mathml.converter import convert

    is_block = isinstance(node, nodes.math_block)
    formula = convert(node.astext(), display="block" if is_block else "inline")
    writer.body.append(f'<div class="math">{formula}</div>' if is_block else formula)
    raise nodes.SkipNode
