"""A probe of hypotheses: it finds what was put into a network by hand, and says *mixed* where there is nothing."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from cogkit.mewl.learners import probing
from cogkit.mewl.learners.networks.eyes import SlotNumbers
from cogkit.mewl.learners.networks.version_space import Hypotheses, VersionSpace
from cogkit.mewl.problems import slots, tokens

pytestmark = pytest.mark.usefixtures("one_thread")
TASKS = ("number", "pragmatic", "relation")
PLACE = slots.PLACE


def fill(layers: torch.nn.Sequential, inputs: list[dict[int | str, float]], outputs: list[dict[int, float]]) -> None:
    """Set two layers: the weights of each hidden unit, with its ``bias``, and those from units to each hypothesis."""
    first, last = layers[0], layers[-1]
    for unit, weights in enumerate(inputs):
        for place, weight in weights.items():
            if place == "bias":
                first.bias[unit] = weight
            else:
                first.weight[unit, place] = weight
    for hypothesis, weights in enumerate(outputs):
        last.bias[hypothesis] = -10
        for unit, weight in weights.items():
            last.weight[hypothesis, unit] = weight


@pytest.fixture(scope="module")
def planted() -> SimpleNamespace:
    """A word learner whose hypotheses mean what is said here, and the last of most kinds nothing.

    A hypothesis about the thing that is pointed at, which takes all for alike, tells one thing from several: among
    several, each gets a share of it.
    """
    value = {name: place for place, name in enumerate(slots.VALUES)}
    network = VersionSpace(SlotNumbers(), Hypotheses(4, (1, 2), (1, 2), 3), 8).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
        units = [{value[name]: 1.0} for name in ("red", "cube", "sphere", "gray", "blue", "green")]
        colours = {0: 20.0, 3: 20.0, 4: 20.0, 5: 20.0}  # four of eight: no value, nor any two of them
        fill(network.things, [*units, {value["small"]: 1.0}], [{0: 20.0}, {1: 20.0, 2: 20.0}, {6: 20.0}, colours])
        network.scenes.features[0].bias[0] = 1  # of every thing, so that their sum is how many there are
        network.scenes.features[0].weight[0, PLACE + 3] = -1  # a hand is none
        counts = [{0: 1.0, "bias": -2.0}, {0: 1.0, "bias": -3.0}, {0: 1.0, "bias": -4.0}]
        fill(network.scenes.told, counts, [{0: 20.0, 1: -40.0, 2: 20.0}, {1: 20.0}, {}])
        network.pointed.point.weight[0, -1] = 100  # at what the hand points most nearly at
        fill(network.pointed.literal, units, [{0: 20.0}, {}])
        sentences = network.sentences
        for word, place in value.items():
            sentences.words[tokens.KNOWN[word], 0, place] = 50  # a word looks for what it means
        sentences.roles[: tokens.LONGEST - 1, 0, 0] = 1  # the words before the new one set the first pointer
        sentences.roles[tokens.LONGEST :, 0, 1] = 1
        sentences.relations[0, 0, PLACE] = -100
    return SimpleNamespace(network=network, tasks=TASKS)


def test_the_probe_finds_what_was_planted_and_changes_nothing(planted):
    before = {name: value.clone() for name, value in planted.network.state_dict().items()}
    found = probing.meanings(planted)
    assert all(torch.equal(before[name], value) for name, value in planted.network.state_dict().items())
    meanings = {kind: rows.meaning.tolist() for kind, rows in found.groupby("kind", sort=False)}
    assert meanings == {
        "thing": ["red", "cube or sphere", "small", "mixed"], "pointed": ["pointed at: red", "1 thing"],
        "picture": ["3 things", "4 or more things", "mixed"], "relation": ["left of", "mixed"],
    }  # fmt: skip
    assert tuple(meanings) == probing.KINDS and found.hypothesis.tolist() == list(range(11))
    sure = found.purity[found.meaning != "mixed"]
    assert sure.min() > 0.8 and found.purity[found.meaning == "mixed"].max() < probing.PURE
    assert found.purity[0] == pytest.approx(1, abs=1e-3)


def test_what_the_tasks_of_a_learner_do_not_ask_stays_mixed(planted):
    found = probing.meanings(SimpleNamespace(network=planted.network, tasks=("shape",)))
    assert found.meaning[:3].tolist() == ["red", "cube or sphere", "small"]  # of things, whatever the tasks are
    assert set(found.meaning[found.kind.isin(["pointed", "relation"])]) == {"mixed"}


def test_what_a_concept_explains_is_the_square_of_a_correlation():
    rng = np.random.default_rng(0)
    truth, concept = rng.random((50, 3)), rng.random(50) < 0.4
    truth[:, 1] += concept
    truth[:, 2] = 0.3  # equally true everywhere
    found = probing.explained(truth, {"so": concept, "not so": ~concept})
    r = np.array([np.corrcoef(truth[:, k], concept)[0, 1] for k in range(2)])
    np.testing.assert_allclose(found[:2, 0], np.maximum(r, 0) ** 2, atol=1e-8)
    np.testing.assert_allclose(found[:2, 1], np.maximum(-r, 0) ** 2, atol=1e-8)
    assert not found[2].any() and np.allclose(
        found, probing.explained(truth * 1e-6, {"so": concept, "not so": ~concept})
    )
