"""What language models of the package have answered: each transcript, asked again, gives the rows that are shipped."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pandas as pd
import pytest
from cases import case
from shipping import CLEAN

from cogkit.core import identity
from cogkit.data import results
from cogkit.extras.models import asking
from cogkit.extras.models.lm.transcript import Recording, read_transcript

INSTRUMENTS = ("bongard", "equivalence", "generalization", "mewl", "tiles")


@pytest.mark.parametrize("name", INSTRUMENTS)
def test_every_file_is_a_transcript_and_gives_its_shipped_rows(name, tmp_path):
    paths = asking.recordings(name)
    (folder,) = {path.parent for path in paths}
    assert {*folder.rglob("*.*")} == {*paths}
    for path in paths:
        with case(path.name):
            check(path, results.Shipped(folder.parent), results.Store(tmp_path))


def check(path: Path, store: results.Shipped, fresh: results.Store) -> None:
    """Ask a transcript for the rows that were shipped with it."""
    speaker = read_transcript(path)
    recording = Recording(speaker)
    shipped = [run for run in store.runs() if run[0].config.get("model") == speaker.identity]
    assert sorted(manifest.config["task"] for manifest, _ in shipped) == sorted(speaker.about["tasks"])
    for manifest, rows in shipped:
        assert CLEAN.fullmatch(manifest.commit) and manifest.device and manifest.seconds > 0
        assert manifest.seed == manifest.config["seed"] != asking.DEVELOPMENT
        evaluation = asking.ask(recording, identity.restored(asking.Run, manifest.config))
        assert identity.plain(evaluation.run) == dict(manifest.config)
        made = dataclasses.replace(manifest, config=evaluation.run)
        again = results.read(fresh.write(made, evaluation.rows))[1]
        # quantiles of another version of SciPy differ in the tenth digit
        pd.testing.assert_frame_equal(pd.DataFrame(again), pd.DataFrame(rows), rtol=1e-8)
        assert manifest.seconds == pytest.approx(sum(reply.completion.seconds for reply in evaluation.replies))
    assert len(recording.answers) == len(speaker)  # no answer that nobody asks for
