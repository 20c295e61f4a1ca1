"""A sheet shows every picture it is given, where it belongs, and how the last two renderers differ."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from PIL import Image

from cogkit.core.contracts import InputError
from cogkit.mewl.problems import making
from cogkit.mewl.views import sheets
from cogkit.mewl.views.pictures import shown, uri
from cogkit.ui.alt import describe


def plain(*shades: int) -> list[np.ndarray]:
    return [np.full((48, 64, 3), shade, np.uint8) for shade in shades]


def test_pictures_stand_in_the_row_of_their_scene_and_the_column_of_their_renderer():
    pictures = {"coarse": plain(10, 20), "fine": plain(60, 100), "other": plain(90, 60)}
    figure = sheets.renderers(pictures, ["six things", "a hand"])
    shades = {}
    for image in figure.layout.images:
        with Image.open(io.BytesIO(base64.b64decode(image.source.split(",")[1]))) as picture:
            shades[int(-image.y), int(image.x)] = np.asarray(picture.convert("RGB")).mean()
    expected = [[10, 60, 90, 128 + 2 * 30], [20, 100, 60, 128 - 2 * 40]]
    for down in range(2):
        for across in range(4):
            assert abs(shades[down, across] - expected[down][across]) < 4  # of what WebP loses
    assert [note.text for note in figure.layout.annotations] == ["coarse", "fine", "other", "other − fine"]
    assert list(figure.layout.yaxis.ticktext) == ["six things", "a hand"]
    assert "six things 30.0, a hand 40.0" in describe(figure)


@pytest.mark.parametrize(
    "drawn",
    [
        {"one": plain(1, 2)},
        {"one": plain(1, 2), "other": plain(1)},
        {"one": plain(1, 2), "other": [*plain(1), np.zeros((24, 32, 3), np.uint8)]},
        {},
    ],
)
def test_what_cannot_be_compared_is_refused(drawn):
    with pytest.raises(InputError, match="2 pictures of one size by each of two renderers"):
        sheets.renderers(drawn, ["six things", "a hand"])


def test_a_sheet_of_episodes_has_their_pictures_and_names_and_no_answer():
    rows = [making.episode(task, 0, part="val") for task in ("shape", "relation")]
    figure = sheets.episodes(rows)
    images = sorted(figure.layout.images, key=lambda image: (-image.y, image.x))
    scenes = [scene for episode in rows for scene in episode.trial.scenes]
    assert [image.source for image in images] == [uri(shown(scene, width=160)) for scene in scenes]
    notes = [note.text for note in figure.layout.annotations]
    texts = [text.replace("<br>", " ") for text in notes if not text.startswith("<b>")]
    assert texts == [name for each in rows for name in (*(panel.utterance for panel in each.trial.panels), "?")]
    assert [text for text in notes if text.startswith("<b>")] == ["<b>shape</b>", "<b>relation</b>"]
    answers = [episode.trial.options[episode.answer] for episode in rows]
    assert answers[1] not in describe(figure) and answers[1] not in texts  # a name that no picture has
