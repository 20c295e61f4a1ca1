"""Contact sheets: a row an episode, the right pictures in their places, the answer marked, all of it in words too."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.core.contracts import InputError
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.views import contact


def flat(n: int) -> np.ndarray:
    """Return n times seven pictures, each of one colour."""
    shades = np.linspace(20, 230, 7 * n).astype(np.uint8).reshape(n, 7, 1, 1, 1)
    return np.broadcast_to(shades, (n, 7, 240, 320, 3)).copy()


def test_pictures_lie_in_their_order_and_the_query_last_in_a_frame(made):
    episodes, images = made("color", "verified", 2), flat(2)
    page = np.asarray(contact.sheet(episodes, images))
    heights = np.flatnonzero((page[:, 100] == images[0, 0, 0, 0]).all(axis=1))
    assert len(heights) == 150
    line = page[heights[75]]
    assert [int(line[8 + 100 + k * 208, 0]) for k in range(7)] == images[0, :, 0, 0, 0].tolist()
    frame = line[8 + 6 * 208 - 3]
    assert (frame == (0x22, 0x22, 0x22)).all() and (line[8 + 5 * 208 - 3] == 255).all()


@pytest.mark.parametrize("task", TASKS)
def test_the_right_option_alone_is_marked(made, task):
    (episode,) = made(task, "verified", 1)
    page = np.asarray(contact.sheet([episode], flat(1)))
    marked = (page == (0x00, 0x9E, 0x73)).all(axis=-1)
    down, across = np.nonzero(marked)
    lines = 1 + np.sum(np.diff(np.unique(down)) > 1)
    below = page.shape[0] - down.min()
    assert across.min() == 8 + 6 * 208 and across.max() - across.min() == 4 and 1 <= lines <= 3 and below > 8


def test_the_words_of_a_sheet_tell_all_of_it(made):
    for task in TASKS:
        (episode,) = made(task, "verified", 1)
        told = contact.alt([episode])
        for panel in episode.asked.panels:
            assert f": {panel.utterance}" in told and all(str(thing) in told for thing in panel.scene.things)
        assert told.endswith(f"{episode.asked.options[episode.answer]} is right.")


def test_what_cannot_be_shown_is_a_sentence(made):
    with pytest.raises(InputError, match="one episode or more"):
        contact.sheet([])
    with pytest.raises(InputError, match="7 pictures of each"):
        contact.sheet(made("color", "verified", 2), flat(1))
    with pytest.raises(InputError, match="100 to 320"):
        contact.sheet(made("color", "verified", 1), flat(1), width=20)
