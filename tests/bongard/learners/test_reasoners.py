"""Reasoners: they get codes of pictures and nothing else, answer pixels and codes alike, and learn concepts."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from learners.eyes import EYES, agent_of, planted, taught

from cogkit.bongard import scoring
from cogkit.bongard.instrument import INSTRUMENT
from cogkit.bongard.learners import agents, perception, pretrained, reasoners
from cogkit.bongard.learners.heads.concept_search import CONCEPTS
from cogkit.bongard.learners.networks.window_network import PARTS
from cogkit.bongard.learners.perception import SEEN
from cogkit.bongard.problems import rendering, sets
from cogkit.bongard.problems.records import SUPPORT, Question
from cogkit.core import identity
from cogkit.core.errors import InputError

pytestmark = pytest.mark.usefixtures("one_thread")


def test_concepts_are_learnt_and_not_problems():
    agent = agent_of("meta-baseline-on-eyes", planted(500, 1), steps=100, learning_rate=5e-3)
    right = ((agent.chances(planted(300, 2)) > 0.5) == [True, False]).mean()
    assert right > 0.5 + 4 * np.sqrt(0.25 / 600), right  # chance, by more than 4 SE of 600 answers


def test_pixels_and_codes_get_the_same_answers_and_thoughts_are_those_of_the_answers(home):
    perception.eyes_of.cache_clear()  # no eyes in memory, and none in this home
    agent, problems = taught("concept-search-on-eyes", 3), sets.problems("val", 2)
    codes, pictures = agent.eyes.seen(problems), rendering.pictures_of(problems, agent.size)[:]
    assert codes.shape == (2, 2, 7, SEEN) and agent.eyes.seed == 3
    for side in range(2):
        pixels, seen = (agent.predict(Question(inputs[:, :, :SUPPORT], inputs[:, side, SUPPORT])) for inputs in
                        (pictures, codes))  # fmt: skip
        assert np.allclose(pixels, seen, atol=2e-3)  # codes are rounded to half precision
    answers = scoring.judge(agent, problems, images=codes)
    assert np.allclose(scoring.judge(agent, problems).chance, answers.chance, atol=2e-3)
    made = agent.thoughts(problems, most=4)
    assert np.array_equal(made.chances, answers.chance)
    with torch.no_grad():
        support = torch.from_numpy(codes[:, :, :SUPPORT])
        weights = agent.network.head.weigh(support, support[:, 0])[0].exp().numpy()
    assert made.concepts.groupby("problem").size().tolist() == [4, 4]
    for (number, held), weight in zip(made.concepts.groupby("problem"), weights, strict=True):
        assert np.allclose(held.posterior, np.sort(weight)[::-1][:4]), number
        assert np.allclose(held.posterior, [weight[CONCEPTS.index(concept)] for concept in held.concept])
    row, numbers = made.seen.iloc[14 + 7 + 2], codes[1, 1, 2]
    assert len(made.seen) == 2 * 14 and row[["problem", "side", "place"]].tolist() == [1, "negative", 2]
    assert row.shapes == numbers[-1] and row["arc normal"] == numbers[PARTS["code"] + 5]


def test_codes_are_the_sum_over_shapes_and_are_kept(home, monkeypatch):
    torch.manual_seed(0)
    eyes = perception.Eyes(perception.build(EYES).eval(), EYES)
    eyes.network.encode[-1].weight.data *= 100  # so that what is seen of shapes differs
    both = np.full((3, 512, 512), 255, np.uint8)
    both[:2, 50:120, 50:58] = 0  # a bar, in the first and the second picture
    both[1:, 300:360, 300:400] = 0  # a block, in the second and the third
    bar, pair, block = eyes.look(both)
    assert np.allclose(pair, bar + block, rtol=2e-3, atol=2e-3) and not np.allclose(bar, block, atol=1e-3)
    assert [bar[-1], pair[-1], block[-1]] == [1, 2, 1]
    problems, folder = sets.problems("val", 1), home / "seen"
    codes = eyes.seen(problems)
    (file,) = folder.glob("*.npy")
    assert np.array_equal(eyes.seen(problems), codes) and file.stat().st_size >= codes.size * 2
    with torch.no_grad():
        eyes.network.encode[-1].bias += 1
    other = perception.Eyes(eyes.network, eyes.config)  # of other weights
    assert not np.allclose(other.seen(problems), codes, atol=1e-3) and len([*folder.glob("*.npy")]) == 2
    monkeypatch.setattr(rendering, "code_of", lambda folder, *_: f"another code of {folder}")
    other.seen(problems)
    assert len([*folder.glob("*.npy")]) == 3  # codes of other windows


def test_what_cannot_be_is_refused():
    with pytest.raises(InputError, match="set of problems for a reasoner"):
        INSTRUMENT.train("anil-on-eyes", "sectors")


def test_all_reasoners_of_a_seed_have_the_same_eyes(home):
    configs = {name: kind.config("lab") for name, kind in agents.SEEING.items()}
    assert {config.sight for config in configs.values()} == {pretrained.SIGHT.config("lab")}
    assert {"bongard/sight", *(f"bongard/{name}" for name in configs)} <= {cell.id for cell in INSTRUMENT.cells()}
    eyes = perception.eyes_for(agents.SEEING["anil-on-eyes"].config("quick"), 5)  # those that come with the package
    assert (eyes.seed, eyes.config) == (0, pretrained.SIGHT.config("lab")) and eyes.manifest.seed == 0
    assert not (home / "agents").exists()  # nothing was taught


def test_eyes_and_reasoners_of_new_shapes_are_taught_on_old_shapes_alone(home, monkeypatch):
    parts, problems = [], sets.problems
    monkeypatch.setattr(sets, "problems", lambda task, *rest: parts.append(task) or problems(task, *rest))
    agent = taught("concept-search-on-eyes", 3, set=sets.NEW)
    assert parts == ["new-shapes/train", "new-shapes/val"] * 2  # of the eyes, then of the search
    assert agent.config.set == agent.eyes.config.set == sets.NEW and agent.eyes.seed == 3
    configs = {cell.id: cell.configs for cell in INSTRUMENT.cells()}
    for name in ("sight", "concept-search-on-eyes"):
        usual, own = configs[f"bongard/{name}"]["lab"], configs[f"bongard/{name}/new-shapes"]["lab"]
        assert (usual.set, own.set, usual.name, own.name) == ("all", sets.NEW, name, f"{name}/new-shapes")
    stored = reasoners.REGISTRY.load("concept-search-on-eyes").manifest.config
    assert identity.plain(configs["bongard/concept-search-on-eyes"]["lab"]) == stored  # as before there were sets
