"""Tiles on the web: its study, and a page to play."""

from __future__ import annotations

from cogkit.extras.online.web_study import WebStudy


def study() -> WebStudy:
    """Return the study as a web page; see `study_page`."""
    from cogkit.extras.online.tiles import study_page  # whoever plays does not need it

    return study_page.study()


def page() -> str:
    """Return one HTML file with boards to play; see `play_page`."""
    from cogkit.extras.online.tiles import play_page  # with the players beside each board

    return play_page.page()
