"""Contact sheets: whole episodes on one page, to see whether words and pictures agree."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from cogkit.core.contracts import InputError
from cogkit.mewl.problems.episodes import PANELS, Episode
from cogkit.mewl.problems.observations import scenes
from cogkit.mewl.rendering import render as rendering
from cogkit.ui.theme import INK, QUIET, WHO

COLUMNS = PANELS + 1
_GAP, _LINE, _SMALL = 8, 17, 13  # pixels
_PAPER, _LETTERS = "white", 26  # letters of a caption's line, at the width of a picture of 200 pixels


def sheet(episodes: Sequence[Episode], images: np.ndarray | None = None, width: int = 200) -> Image.Image:
    """Return a contact sheet: a row an episode, with six panels and what is said of them, the query and its options.

    The right option is marked, and above each row stands what its words mean.

    Parameters
    ----------
    episodes : sequence of Episode
    images : (n, 7, height, width, 3) uint8, optional
        Their pictures, as `archives.Archive.images` reads them; drawn when left out.
    width : int
        Of a picture on the sheet, in pixels: 100 to 320.

    Raises
    ------
    InputError
        No episode, pictures of another number, or another width.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> sheet([episode("shape", 0)], np.zeros((1, 7, 240, 320, 3), np.uint8)).size[0]
    1464
    """
    if not episodes or (images is not None and np.shape(images)[:2] != (len(episodes), COLUMNS)):
        got = "none" if images is None else f"{np.shape(images)[0]} times pictures"
        raise InputError(f"{len(episodes)} episodes and {got}", f"one episode or more, and {COLUMNS} pictures of each")
    if width not in range(100, 321):
        raise InputError(f"width {width}", "100 to 320 pixels")
    rows = [_row(each, None if images is None else images[k], width) for k, each in enumerate(episodes)]
    whole = Image.new("RGB", (rows[0].width, sum(row.height for row in rows)), _PAPER)
    for k, row in enumerate(rows):
        whole.paste(row, (0, sum(above.height for above in rows[:k])))
    return whole


def alt(episodes: Sequence[Episode]) -> str:
    """Return what a contact sheet shows, in words: of every episode what is said of what, and what is right.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> alt([episode("number", 0)])[:47]
    'Contact sheet of 1 episode. number, train 0: pa'
    """
    told = [f"Contact sheet of {len(episodes)} episode{'s' * (len(episodes) > 1)}."]
    for episode in episodes:
        asked = episode.asked
        panels = "; ".join(f"panel {k}, {_shown(panel.scene)}: {panel.utterance}"
                           for k, panel in enumerate(asked.panels, start=1))  # fmt: skip
        told.append(
            f"{_title(episode)}: {panels}; the query, {_shown(asked.query)}, of {', '.join(asked.options)}: "
            f"{asked.options[episode.answer]} is right."
        )
    return " ".join(told)


def _title(episode: Episode) -> str:
    return f"{episode.task}, {episode.part} {episode.number}"


def _shown(scene) -> str:
    pointed = "" if scene.target is None else f", a hand pointing at the {scene.pointed}"
    return ", ".join(map(str, scene.things)) + pointed


def _row(episode: Episode, images: np.ndarray | None, width: int) -> Image.Image:
    asked, height = episode.asked, width * 3 // 4
    letters = max(1, _LETTERS * width // 200)
    names = [wrap(panel.utterance, letters) for panel in asked.panels]
    options = [
        wrap(f"{'right: ' if k == episode.answer else ''}{option}", letters) for k, option in enumerate(asked.options)
    ]
    means = wrap(", ".join(f"{word} = {meaning}" for word, meaning in episode.lexicon.items()), COLUMNS * letters)
    under = max(max(map(len, names)), sum(map(len, options))) * _LINE
    top = _GAP + (1 + len(means)) * _LINE + _GAP // 2
    page = Image.new("RGB", (COLUMNS * (width + _GAP) + _GAP, top + height + _GAP + under + _GAP), _PAPER)
    pen, large, small = ImageDraw.Draw(page), ImageFont.load_default(_SMALL + 2), ImageFont.load_default(_SMALL)
    pen.text((_GAP, _GAP), f"{_title(episode)} ({episode.profile})", INK, large)
    for k, line in enumerate(means, start=1):
        pen.text((_GAP, _GAP + k * _LINE), line, INK, small)
    pictures = map(rendering.render, scenes(episode)) if images is None else images
    for k, picture in enumerate(pictures):
        left = _GAP + k * (width + _GAP)
        page.paste(Image.fromarray(np.asarray(picture)).resize((width, height), Image.Resampling.LANCZOS), (left, top))
        at = top + height + _GAP // 2
        if k < PANELS:
            for line in names[k]:
                pen.text((left, at), line, INK, small)
                at += _LINE
            continue
        pen.rectangle((left - 3, top - 3, left + width + 2, top + height + 2), outline=INK, width=2)
        for number, lines in enumerate(options):
            for line in lines:
                if number == episode.answer:
                    pen.rectangle((left, at + 2, left + 4, at + _LINE - 2), WHO["observer"].colour)
                pen.text((left + _GAP, at), line, INK if number == episode.answer else QUIET, small)
                at += _LINE
    return page
