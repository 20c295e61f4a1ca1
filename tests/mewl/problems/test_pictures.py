"""Pictures of many episodes: the same as one by one, kept on the disk, and never more than may be kept."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.mewl import scoring
from cogkit.mewl.problems import making, pictures
from cogkit.mewl.problems.pictures import pictures_of
from cogkit.mewl.rendering import render as rendering


@pytest.fixture(scope="module")
def episodes():
    return making.episodes_of("shape", "train", 19)


@pytest.fixture
def cache_dir(home):
    return home / "pictures"


@pytest.fixture
def drawn(monkeypatch):
    """The width of each picture that was drawn in this process."""
    widths, render = [], rendering.render
    monkeypatch.setattr(rendering, "render", lambda *trial: widths.append(trial[2]) or render(*trial))
    return widths


def test_each_picture_is_where_it_belongs(episodes, cache_dir):
    images = pictures_of(episodes[:3], 32)
    assert images.shape == (3, 7, 24, 32, 3) and images.dtype == np.uint8
    for episode, row in zip(episodes, images, strict=False):
        for scene, image in zip(episode.trial.scenes, row, strict=True):
            assert (rendering.render(scene, width=32) == image).all()


def test_what_was_drawn_once_is_not_drawn_again_for_fewer_or_more(episodes, cache_dir, drawn):
    first = pictures_of(episodes[:16], 32)
    assert len(drawn) == 16 * 7 and [path.suffix for path in cache_dir.iterdir()] == [".npy"]
    for _ in range(2):
        assert (pictures_of(list(episodes), 32)[:16] == first).all() and len(drawn) == 19 * 7


def test_other_scenes_widths_and_tracers_are_drawn_and_kept_apart(episodes, cache_dir, drawn, monkeypatch):
    batch = episodes[:1]
    moved = dataclasses.replace(batch[0], trial=dataclasses.replace(batch[0].trial, query=episodes[1].trial.query))
    requests = [(batch, 32), (batch, 36), ([moved], 32), (episodes[:2], 32)]
    for k, arguments in enumerate(requests, 1):
        pictures_of(*arguments)
        assert len(list(cache_dir.iterdir())) == k
    before = len(drawn)
    monkeypatch.setattr(rendering, "VERSION", "another")
    pictures_of(batch, 32)
    assert len(drawn) == before + 7 and len(list(cache_dir.iterdir())) == 5


def test_a_spoilt_file_is_drawn_again(episodes, cache_dir, drawn):
    first = pictures_of(episodes[:1], 32)
    (path,) = cache_dir.iterdir()
    path.write_bytes(b"\x93NUMPY\x01\x00 cut off")
    assert (pictures_of(episodes[:1], 32) == first).all() and len(drawn) == 14
    np.save(path, first[:, :, :-1])
    assert (pictures_of(episodes[:1], 32) == first).all() and np.load(path).shape == first.shape


def test_what_was_not_asked_for_the_longest_goes_first(episodes, cache_dir, drawn, monkeypatch):
    a_file = 7 * 24 * 32 * 3 + 128
    monkeypatch.setattr(pictures, "LIMIT", 2 * a_file)
    for k in (0, 1, 0, 2):
        pictures_of([episodes[k]], 32)
    assert len(list(cache_dir.iterdir())) == 2 and len(drawn) == 21
    pictures_of([episodes[0]], 32)
    assert len(drawn) == 21
    pictures_of([episodes[1]], 32)
    assert len(drawn) == 28


def test_two_processes_draw_what_one_draws(episodes, home):
    apart = pictures_of(episodes, 32, jobs=2)
    assert all(
        (rendering.render(scene, width=32) == image).all()
        for episode, row in zip(episodes, apart, strict=True)
        for scene, image in zip(episode.trial.scenes, row, strict=True)
    )


def test_bad_requests_are_refused_before_anything_is_drawn(episodes, cache_dir, drawn):
    with pytest.raises(InputError, match="width 33"):
        pictures_of(episodes, 33)
    assert not drawn and not cache_dir.exists()


def test_a_learner_is_judged_by_pictures_and_by_nothing_else(episodes, home):
    class Looker:
        name, inputs, seen = "looker", "pixels", []

        def score(self, question):
            self.seen.append(question.observations)
            return np.tile(np.arange(5.0), (len(question), 1))

    looker = Looker()
    answers = scoring.judge(looker, episodes, draw=lambda part: pictures_of(part, 32))
    assert answers.inputs == "pixels" and (answers.choices == 4).all()
    assert (np.concatenate(looker.seen) == pictures_of(episodes, 32)).all()
