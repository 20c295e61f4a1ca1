"""The published rules, remade, leave what an independent simulation measured; ours leave what they are meant to."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import TASKS, Episode
from cogkit.mewl.problems.tasks import pragmatic

N = 2000  # as published
ATTRIBUTE = ("shape", "color", "material")


@cache
def measured(task: str, profile: str = "as_published", n: int = N) -> dict[str, np.ndarray]:
    """Return, by quantity, one number an episode: shares of being right, and whether something is so."""
    found: dict[str, list[float]] = {}
    for number in range(n):
        episode = making.episode(task, number, profile)
        consistent, floors = episode.certificate["consistent"], episode.certificate["floors"]
        told = {f"unique {name}": count == 1 for name, count in consistent.items()}
        told |= {f"right {name}": 1 / count for name, count in consistent.items() if count}
        told |= floors | extras(episode)
        for name, value in told.items():
            found.setdefault(name, []).append(float(value))
    return {name: np.array(values) for name, values in found.items()}


def extras(episode: Episode) -> dict[str, float]:
    said = [panel.utterance.split() for panel in episode.asked.panels]
    counts = [sum(word in each for each in said) for word in episode.lexicon]
    told = {"unheard": 0 in counts, "once": 1 in counts}
    if episode.task == "pragmatic":
        for alpha in (1, 4):
            told[f"rational {alpha}"] = pragmatic.rational(episode.asked, alpha).argmax() == episode.answer
    return told


@pytest.fixture(scope="module")
def audit(reference):
    return json.loads((reference / "mewl" / "audit.json").read_text())


def near(values: np.ndarray, percent: float, theirs: int = 1500) -> None:
    """Four standard errors of ours and of theirs, who had 1,500 episodes at least, and a half of the last digit."""
    share = percent / 100
    spread = max(values.std(), np.sqrt(share * (1 - share)) if set(values) <= {0.0, 1.0} else 0)
    assert abs(values.mean() - share) <= 4 * spread * np.sqrt(1 / len(values) + 1 / theirs) + 0.0005, (
        values.mean(),
        share,
    )


@pytest.mark.parametrize("task", TASKS)
def test_as_many_episodes_have_one_right_option_as_measured(task, audit):
    told = audit["exactly_one_consistent_option_pct"]
    names = dict.fromkeys(ATTRIBUTE, "shape/color/material (one dimension per episode)")
    names |= {"relation": "relation (4 relations)", "pragmatic": "pragmatic (uniquely identifying attribute)"}
    found = measured(task)
    near(found["unique exact"], float(told[names.get(task, task)]))
    if task in ATTRIBUTE:
        near(found["unique open"], 91.65)
        near(found["once"], audit["attribute_tasks_some_word_seen_only_once_pct"])
    if task == "pragmatic":
        near(found["unique literal"], told["pragmatic (literal reading)"])
    if task in ("object", "composite", "bootstrap"):
        near(found["unheard"], audit[f"{task}_some_word_unseen_in_context_pct"])


@pytest.mark.parametrize("task", TASKS)
def test_shortcuts_reach_what_was_measured(task, audit):
    told, found = audit["text_only_floor_pct"], measured(task)
    if task == "relation":
        near(found["order"], told["relation_total_order_only"])
        near(found["converse"], told["relation_with_converse_pair"])
        near(found["query"], audit["relation_query_image_and_options_without_context_pct"])
    elif task == "bootstrap":
        near(found["closure"], 42.9)
        near(found["joint"], told["bootstrap_mention_order"])
    else:
        (left,) = found.keys() & {"elimination", "unsaid"}
        near(found[left], told[task])
        assert np.ptp(found[left]) < 1e-9  # the same in every episode


def test_ideal_learners_reach_what_was_measured(audit):
    told = audit["bootstrap_ideal_accuracy_pct"]
    near(measured("bootstrap")["right exact"], told["with_relations"])
    near(measured("bootstrap")["right together"], told["relations_ignored_everywhere"])
    told, found = audit["pragmatic_learner_accuracy_pct"], measured("pragmatic")
    near(found["right literal"], told["literal"])
    near(found["right informative"], told["informative_(excludes_at_least_one)"])
    near(found["rational 1"], told["RSA_alpha1_argmax"])
    assert found["rational 4"].mean() == 1


@pytest.mark.parametrize("task", TASKS)
def test_verified_episodes_have_one_right_option_and_low_floors(task):
    n = 400
    found = measured(task, "verified", n)
    assert found["unique exact"].mean() == 1 and found["unheard"].mean() == 0
    if task in ATTRIBUTE:
        assert found["once"].mean() == 0 and np.allclose(found["elimination"], 1 / 3)
    elif task == "relation":
        assert max(found[name].mean() for name in ("order", "converse", "text", "query")) <= 1 / 3 + 1e-9
    elif task == "bootstrap":
        assert found["unique together"].mean() == 0
        for name in ("closure", "joint"):
            assert abs(found[name].mean() - 0.2) <= 4 * np.sqrt(0.16 / n)
    else:
        (left,) = found.keys() & {"elimination", "unsaid"}
        assert np.allclose(found[left], 0.2)
