"""The index of the documentation for language models, in the form of ``llms.txt``."""

from __future__ import annotations

from collections.abc import Iterable

from cogkit.extras.docs.outline import Section


def text(title: str, summary: str, sections: Iterable[Section]) -> str:
    """Return a title, a summary, and below each section's heading a link to each page with what it is about.

    Examples
    --------
    >>> from cogkit.extras.docs.outline import Page
    >>> print(text("cogkit", "A workbench.", [Section("Own", (Page("own/agent", "Add an agent", "How."),))]))
    # cogkit
    <BLANKLINE>
    > A workbench.
    <BLANKLINE>
    ## Own
    <BLANKLINE>
    - [Add an agent](own/agent.html): How.
    <BLANKLINE>
    """
    parts = [f"# {title}", f"> {summary}"]
    for section in sections:
        links = [f"- [{page.title}]({page.name}.html): {page.about}" for page in (*section.pages, *section.hidden)]
        parts += [f"## {section.title}", "\n".join(links)]
    return "\n\n".join(parts) + "\n"
