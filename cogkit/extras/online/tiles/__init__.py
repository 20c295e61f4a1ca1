"""Tiles on the web: its study, and a page to play."""

from cogkit.core import imports

__getattr__, __dir__ = imports.lazy(__name__, {"study": "study_page", "page": "play_page"})
