"""The card and the metadata of a made set of episodes."""

from __future__ import annotations

import numpy as np
import pytest
from carded import body, check_again, check_audit, check_floors, check_form, dataset, front, make, records, tables
from PIL import Image

from cogkit.core.identity import item_set
from cogkit.extras.datasets.mewl.layout import panel_names, plan
from cogkit.mewl import scoring
from cogkit.mewl.instrument import INSTRUMENT
from cogkit.mewl.problems import GENERATOR, making
from cogkit.mewl.problems.episodes import TASKS

N, SEED = 30, 2


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return make(tmp_path_factory.mktemp("made") / "set", "mewl", "--n", str(N), "--seed", str(SEED), "--jobs", "1")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    words = ("--n", "3", "--only", "number", "--images", "browse", "--jobs", "1")
    return make(tmp_path_factory.mktemp("drawn") / "set", "mewl", *words)


def episodes(n: int = N, only: str | None = None, seed: int = SEED) -> dict:
    return {str(at): making.episode(at.task, at.number, "verified", seed, at.part) for at in plan(n, only)}


def test_form_and_hash(root):
    check_form(root, "MEWL: Few-shot multimodal word learning with referential uncertainty")
    assert front(root)["cogkit"]["items"] == item_set("mewl", GENERATOR, "verified", SEED, N)
    counts = {}
    for name in episodes():
        split = name.rpartition("/")[0]
        counts[split] = counts.get(split, 0) + 1
    assert tables(root)[("split", "items")] == [(split, str(count)) for split, count in counts.items()]
    assert f"one right option in {N} of {N} episodes" in body(root)


def test_options_that_choose_other_episodes_give_another_hash(drawn):
    assert front(drawn)["cogkit"]["items"] == item_set("mewl/only=number", GENERATOR, "verified", 0, 3)


def test_its_own_command_makes_it_again(drawn, tmp_path):
    check_again(drawn, tmp_path / "again")


def test_records_are_the_episodes(root):
    made, rows = episodes(), records(dataset(root), "episodes")
    assert {row["path"] for row in rows} == {f"{name}/info.json" for name in made} and len(rows) == N
    for row in rows:
        episode = made[row["path"].removesuffix("/info.json")]
        assert (row["part"], row["task"], row["number"]) == (episode.part, episode.task, episode.number)
        assert row["panels"] == panel_names(episode) and row["options"] == list(episode.trial.options)
        assert row["answer"] == episode.trial.options[episode.answer]


def test_records_are_the_pictures(drawn):
    rows = records(dataset(drawn), "pictures")
    assert len(rows) == 3 * 7
    for row in rows:
        assert (np.asarray(row["picture"]) == np.asarray(Image.open(drawn / row["path"]))).all()


def test_floors_are_those_of_judge_and_summarise(root):
    groups: dict[str, list] = {}
    for name, episode in episodes().items():
        groups.setdefault(name.rpartition("/")[0], []).append(episode)
    expected = []
    for split, members in groups.items():
        task = split.rpartition("/")[2]
        for name in INSTRUMENT.references:
            learner = INSTRUMENT.learner(name)
            if learner.kind in ("floor", "observer") and task in getattr(learner, "tasks", TASKS):
                with np.errstate(all="ignore"):
                    rows = scoring.result_rows(scoring.judge(learner, members, seed=SEED))
                expected.append((split, rows[0]))
                assert (rows[0]["metric"], rows[0]["task"]) == ("accuracy", task)
    check_floors(root, expected)


def test_audit(root, capsys):
    check_audit(root, capsys)
