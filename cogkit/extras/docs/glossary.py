"""The page of the glossary, which stands in the first notebook."""

from __future__ import annotations

from cogkit.extras.docs import saved
from cogkit.extras.docs.outline import Page, rooted

_ABOUT = "The words that all notebooks share, each with a short explanation."


def page() -> Page:
    """Return the page: each term can be linked to."""
    entries = "\n\n".join(f"{term}\n  {rooted(text)}" for term, text in saved.terms().items())
    return Page("glossary", "Glossary", _ABOUT, f"# Glossary\n\n{_ABOUT}\n\n````{{glossary}}\n{entries}\n````\n")
