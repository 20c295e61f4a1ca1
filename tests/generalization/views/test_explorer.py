"""The explorer without a browser: what a slider, a list and a point call."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from cogkit.generalization.learners import groups
from cogkit.generalization.learners.groups import Choices
from cogkit.generalization.metric.gr_star import Constants
from cogkit.generalization.views import Explorer


@pytest.fixture
def explorer(small) -> Explorer:
    return Explorer(small)


def test_it_begins_at_the_papers_settings(explorer, scores):
    table = explorer.table.drop(columns="rank")
    assert table.equals(scores) and explorer.choices == Choices()
    points = np.array(explorer.scene["points"])
    wide = groups.wide(scores)[["human proxies", "machines"]].to_numpy()
    assert points == pytest.approx(np.sqrt(wide / wide.max()), abs=1e-4) and points.max() == 1


def test_constants_change_ranks_and_reset_brings_them_back(explorer, small, scores):
    explorer.set(tau=0.8, gamma=2)
    expected = groups.score(small, Choices(constants=Constants(tau=0.8, gamma=2.0)))
    assert np.allclose(explorer.table.gr_star, expected.gr_star)
    machines = explorer.table[explorer.table.side == "machines"].set_index("task")
    assert (machines["rank"] == stats.rankdata(-machines.gr_star, method="min")).all()
    top = machines.sort_values("rank").index[:8].tolist()
    assert [row[1] for row in explorer.scene["top"]] == top
    before = scores[scores.side == "machines"].gr_star
    rho = stats.spearmanr(before, expected[expected.side == "machines"].gr_star).statistic
    assert f"machines ρ = {rho:.2f}" in explorer.scene["line"]
    assert "τ 0.8" in explorer.scene["status"] and "γ 2" in explorer.scene["status"]
    assert explorer.reset().table.drop(columns="rank").equals(scores)


def test_an_opened_task_shows_its_own_numbers(explorer, small):
    text = explorer.show("Circles 1")
    place, task = small.names.index("Circles 1"), explorer.task
    assert text.startswith("Circles 1: rank ") and task["name"] == "Circles 1" and task["place"] == place
    right = (small.predicted[place, :, :180] == small.truth[place, :180]).mean(axis=1)
    players = (("naive Bayes", "proxy"), ("RBF support vectors", "model"))
    assert task["rows"] == [[*who, f"{share:.3f}"] for who, share in zip(players, right, strict=True)]
    dots = np.array(task["dots"])
    assert dots[:, :2].min() == 0 and dots[:, :2].max() == 1 and set(dots[:, 2]) == {0, 1}
    assert max(task["shares"]) == 1 and task["columns"] == ["x", "y"] and not task["rising"]


def test_settings_that_cannot_be_are_refused_and_change_nothing(explorer, refused):
    wrong = {"delta": (1, "setting"), "c0": (0, "c0 = 0"), "source": ("guess", "relevance")}
    for name, (value, message) in wrong.items():
        with refused(message):
            explorer.set(**{"tau": 0.5, name: value})
    with refused("task"):
        explorer.show("Linear 99")
    with refused("side"):
        explorer.look_at("humans")
    assert explorer.choices == Choices()


def test_messages_of_the_page_do_what_the_methods_do_and_others_nothing(explorer, scores):
    def send(message):
        explorer.comm.handle_msg({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})

    for message in ({"change": {"tau": "much"}}, {"change": {"delta": 1}}, "text", {"show": "x"}, {"open": "x"}, {}):
        send(message)
    assert explorer.scene["status"].startswith("Not done: ")
    assert explorer.table.drop(columns="rank").equals(scores) and explorer.task["name"] == "Linear 0"
    for message in ({"change": {"tau": 0.5}}, {"show": "Moons 2"}, {"look_at": "human proxies"}):
        send(message)
    assert explorer.choices == Choices(constants=Constants(tau=0.5))
    assert explorer.task["name"] == "Moons 2" and explorer.side == "human proxies"
    send({"reset": True})
    assert explorer.choices == Choices()
