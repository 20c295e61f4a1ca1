"""Episodes that have one answer even if words may be about any attribute: by trying every lexicon, and as sets."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.extras.datasets.mewl import datasets
from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import Trial
from cogkit.mewl.world.things import ATTRIBUTE_OF

N = 100
OPEN = ("shape", "color", "material")
LEXICONS = np.array(list(product(range(16), repeat=3)))  # every meaning of three words among the sixteen values


def tried(trial: Trial) -> list[bool]:
    """Return which options some lexicon allows, of all 16 to the power of 3 that three heard words can have.

    It is one if its value is in all pictures of its word and in no picture of another; a word never heard names what
    no word that was heard can name.
    """
    heard = sorted({panel.utterance for panel in trial.panels})
    table = np.array([[value in p.scene.things[0] for value in ATTRIBUTE_OF] for p in trial.panels])
    lexicons, fine = LEXICONS[:, : len(heard)], True
    for panel, (k, word) in product(range(6), enumerate(heard)):
        fine &= table[panel, lexicons[:, k]] == (word == trial.panels[panel].utterance)
    query = np.array([value in trial.query.things[0] for value in ATTRIBUTE_OF])
    names = {word for k, word in enumerate(heard) if query[lexicons[fine, k]].any()}
    return [option in names if option in heard else not names for option in trial.options]


def test_every_open_episode_has_one_answer_by_trying_all_lexicons():
    for task, number in product(OPEN, range(N)):
        episode = making.episode(task, number, open_hypotheses=True)
        assert tried(episode.trial) == [k == episode.answer for k in range(5)]
        assert episode.certificate["consistent"] == {"exact": 1, "open": 1}


def test_an_episode_that_is_so_anyway_stays_and_the_others_are_made_anew(made):
    changed = []
    for ordinary in made("color", "verified", N):
        episode = making.episode("color", ordinary.number, open_hypotheses=True)
        unique = sum(tried(ordinary.trial)) == 1
        assert (episode == ordinary) == unique
        changed.append(not unique)
    assert 0 < sum(changed) < N / 4


def test_what_cannot_be_open_is_a_sentence(tmp_path):
    for task, profile in (("number", "verified"), ("shape", "as_published")):
        with pytest.raises(InputError, match="shape, color, material"):
            datasets.make(tmp_path / "x", only=task, profile=profile, open_hypotheses=True)
    assert not (tmp_path / "x").exists()
