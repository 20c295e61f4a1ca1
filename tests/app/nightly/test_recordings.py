"""What language models of the package have answered: each transcript, asked again, gives the rows that are shipped."""

from __future__ import annotations

import dataclasses

import pandas as pd
import pytest
from shipping import CLEAN

from cogkit.app import asking, experiments
from cogkit.core import identity
from cogkit.data import results
from cogkit.lm.transcript import Recording, recorded

INSTRUMENTS = ("bongard", "equivalence", "generalization", "mewl", "tiles")
PATHS = [path for name in experiments.instruments() for path in asking.recordings(name)]


def test_every_file_is_a_transcript_or_a_result():
    assert {path.parents[2].name for path in PATHS} == set(INSTRUMENTS)
    for folder in {path.parent for path in PATHS}:
        assert {*folder.rglob("*.*")} == {*folder.glob("*.jsonl.xz"), *folder.rglob("*.json")}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parents[2].name}-{path.name.partition('.')[0]}")
def test_a_transcript_gives_its_shipped_rows(path, tmp_path):
    speaker = recorded(path)
    recording, store, fresh = Recording(speaker), results.Store(path.parent), results.Store(tmp_path)
    shipped = [(manifest, rows) for manifest, rows in store.runs() if manifest.config["model"] == speaker.identity]
    assert sorted(manifest.config["task"] for manifest, _ in shipped) == sorted(speaker.about["tasks"])
    for manifest, rows in shipped:
        assert CLEAN.fullmatch(manifest.commit) and manifest.device and manifest.seconds > 0
        assert manifest.seed == manifest.config["seed"] != asking.DEVELOPMENT
        asked = asking.ask(recording, identity.restored(asking.Run, manifest.config))
        assert identity.plain(asked.run) == dict(manifest.config)
        made = dataclasses.replace(manifest, config=asked.run)
        again = results.read(fresh.write(made, asked.rows))[1]
        # quantiles of another version of SciPy differ in the tenth digit
        pd.testing.assert_frame_equal(pd.DataFrame(again), pd.DataFrame(rows), rtol=1e-8)
        assert store.path(manifest.cell, manifest.profile, manifest.preset, manifest.seed, manifest.config).is_file()
        assert manifest.seconds == pytest.approx(sum(reply.said.seconds for reply in asked.replies))
    assert len(recording.answers) == len(speaker)  # no answer that nobody asks for
