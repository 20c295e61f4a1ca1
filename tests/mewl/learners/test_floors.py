"""The published rules, remade, leave what an independent simulation measured; ours leave what they are meant to."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from cogkit.mewl.problems.episodes import Episode

N = 600  # as published
ATTRIBUTE = ("shape", "color", "material")


@pytest.fixture(scope="module")
def measured(made):
    """A function that returns, by quantity, one number an episode: shares of being right, and whether it is so."""

    @cache
    def of(task: str, profile: str = "as_published", n: int = N) -> dict[str, np.ndarray]:
        lists: dict[str, list[float]] = {}
        for episode in made(task, profile, n):
            consistent, floors = episode.certificate["consistent"], episode.certificate["floors"]
            measures = {f"unique {name}": count == 1 for name, count in consistent.items()}
            measures |= {f"right {name}": 1 / count for name, count in consistent.items() if count}
            for name, value in (measures | floors | extras(episode)).items():
                lists.setdefault(name, []).append(float(value))
        return {name: np.array(values) for name, values in lists.items()}

    return of


def extras(episode: Episode) -> dict[str, float]:
    utterances = [panel.utterance.split() for panel in episode.trial.panels]
    counts = [sum(word in words for words in utterances) for word in episode.lexicon]
    return {"unheard": 0 in counts, "once": 1 in counts}


@pytest.fixture(scope="module")
def audit(reference):
    return json.loads((reference / "mewl" / "audit.json").read_text())


def near(values: np.ndarray, percent: float, theirs: int = 1500) -> None:
    """Four standard errors of ours and of theirs, who had 1,500 episodes at least, and a half of the last digit."""
    share = percent / 100
    spread = max(values.std(), np.sqrt(share * (1 - share)) if set(values) <= {0.0, 1.0} else 0)
    assert abs(values.mean() - share) <= 4 * spread * np.sqrt(1 / len(values) + 1 / theirs) + 0.0005


def test_as_many_episodes_have_one_right_option_as_measured(task, audit, measured):
    printed = audit["exactly_one_consistent_option_pct"]
    names = dict.fromkeys(ATTRIBUTE, "shape/color/material (one dimension per episode)")
    names |= {"relation": "relation (4 relations)", "pragmatic": "pragmatic (uniquely identifying attribute)"}
    values = measured(task)
    near(values["unique exact"], float(printed[names.get(task, task)]))
    if task in ATTRIBUTE:
        near(values["unique open"], 91.65)
        near(values["once"], audit["attribute_tasks_some_word_seen_only_once_pct"])
    if task == "pragmatic":
        near(values["unique literal"], printed["pragmatic (literal reading)"])
    if task in ("object", "composite", "bootstrap"):
        near(values["unheard"], audit[f"{task}_some_word_unseen_in_context_pct"])


def test_shortcuts_reach_what_was_measured(task, audit, measured):
    printed, values = audit["text_only_floor_pct"], measured(task)
    if task == "relation":
        near(values["order"], printed["relation_total_order_only"])
        near(values["converse"], printed["relation_with_converse_pair"])
        near(values["query"], audit["relation_query_image_and_options_without_context_pct"])
    elif task == "bootstrap":
        near(values["closure"], 42.9)
        near(values["joint"], printed["bootstrap_mention_order"])
    else:
        (left,) = values.keys() & {"elimination", "unsaid"}
        near(values[left], printed[task])
        assert np.ptp(values[left]) < 1e-9  # the same in every episode


def test_verified_episodes_have_one_right_option_and_low_floors(task, measured):
    n = 200
    values = measured(task, "verified", n)
    assert values["unique exact"].mean() == 1 and values["unheard"].mean() == 0
    if task in ATTRIBUTE:
        assert values["once"].mean() == 0 and np.allclose(values["elimination"], 1 / 3)
    elif task == "relation":
        assert max(values[name].mean() for name in ("order", "converse", "text", "query")) <= 1 / 3 + 1e-9
    elif task == "bootstrap":
        assert values["unique together"].mean() == 0
        for name in ("closure", "joint"):
            assert abs(values[name].mean() - 0.2) <= 4 * np.sqrt(0.16 / n)
    else:
        (left,) = values.keys() & {"elimination", "unsaid"}
        assert np.allclose(values[left], 0.2)
