"""Reasoners: they get codes of pictures and nothing else, answer pixels and codes alike, and fit ten problems."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from cogkit.bongard import instrument, scoring
from cogkit.bongard.learners import agents, pretrained, reasoners, sight
from cogkit.bongard.learners.heads.concept_search import CONCEPTS
from cogkit.bongard.learners.lessons import TAUGHT
from cogkit.bongard.learners.networks.sight import PARTS
from cogkit.bongard.learners.sight import SEEN
from cogkit.bongard.problems import rendering, sets
from cogkit.bongard.problems.records import A_SIDE, SIDES, SUPPORT, Question
from cogkit.core.contracts import InputError
from cogkit.data import results
from cogkit.learning import run

pytestmark = pytest.mark.usefixtures("one_thread")
EYES = pretrained.SIGHT.config("quick", problems=4, validated=4, tested=2, steps=2, batch=8, looks=1)
FASTER = {"sight": EYES, "eyes_seed": None}


def planted(n: int, seed: int, first: int = 0, signs: tuple[int, ...] = (-1, 1)) -> np.ndarray:
    """What is seen of n problems: a concept is one of eight numbers, high on one side and low on the other.

    ``first`` is the first of these numbers, and ``signs`` tells whether positives may have low ones.
    """
    rng = np.random.default_rng(seed)
    codes = rng.normal(size=(n, len(SIDES), A_SIDE, SEEN))
    for problem in codes:
        concept, sign = first + rng.integers(8), rng.choice(signs)
        problem[..., concept] = 0.3 * problem[..., concept] + 2 * sign * np.array([[1], [-1]])
    return codes.astype(np.float32)


def agent_of(name: str, codes: np.ndarray, **changes) -> reasoners.Reasoner:
    config = agents.SEEING[name].config("quick", **changes)
    return reasoners.LIFE.to_agent(run(reasoners.fit(config, 0, codes)))


@pytest.mark.parametrize("name", agents.REASONERS)
def test_a_reasoner_fits_ten_problems(name):
    attributes = PARTS["code"] + PARTS["sums"]  # a concept search has words for attributes, but not for the lack of one
    codes = planted(10, 0, attributes, (1,)) if name.startswith("concept") else planted(10, 0)
    agent = agent_of(name, codes, batch=10, steps=60 if name.startswith("snail") else 200, learning_rate=3e-3)
    chances = agent.asked(codes[:, :, :SUPPORT], codes[:, :, SUPPORT])
    assert ((chances > 0.5) == [True, False]).mean() >= 0.95, chances


def test_concepts_are_learnt_and_not_problems():
    agent = agent_of("meta-baseline-on-eyes", planted(500, 1), steps=300, learning_rate=3e-3)
    codes = planted(300, 2)
    chances = agent.asked(codes[:, :, :SUPPORT], codes[:, :, SUPPORT])
    right = ((chances > 0.5) == [True, False]).mean()
    floor = 0.5 + 4 * np.sqrt(0.25 / 600)  # chance, by more than 4 SE of 600 answers
    assert right > floor, right


@pytest.fixture
def untaught(home):
    """A private COGKIT_HOME without eyes, and no eyes in memory."""
    sight.eyes_of.cache_clear()
    yield home
    sight.eyes_of.cache_clear()


def test_pixels_and_codes_get_the_same_answers(untaught):
    config = agents.SEEING["protonet-on-eyes"].config("quick", **FASTER, problems=4, validated=2, batch=4, steps=2)
    agent = reasoners.LIFE.learn(config, "verified", 3)
    problems = sets.problems("val", 3)
    codes, pictures = agent.eyes.seen(problems), rendering.rendered(problems, agent.size)
    assert codes.shape == (3, 2, 7, SEEN) and agent.eyes.seed == 3
    for side in range(2):
        chances = [
            agent.predict(Question(shown[:, :, :SUPPORT], shown[:, side, SUPPORT])) for shown in (pictures, codes)
        ]
        assert np.allclose(*chances, atol=2e-3)  # codes are rounded to half precision
    drawn = scoring.judge(agent, problems)
    given = scoring.judge(agent, problems, images=codes)
    assert np.allclose(drawn.chance, given.chance, atol=2e-3)


def test_codes_are_the_sum_over_shapes_and_are_kept(untaught, monkeypatch):
    eyes = sight.eyes_of(FASTER["sight"], 0)
    both = np.full((3, 512, 512), 255, np.uint8)
    both[:2, 50:120, 50:58] = 0  # a bar, in the first and the second picture
    both[1:, 300:360, 300:400] = 0  # a block, in the second and the third
    bar, pair, block = eyes.look(both)
    assert np.allclose(pair, bar + block, rtol=2e-3, atol=2e-3) and not np.allclose(bar, block, atol=1e-3)
    assert [bar[-1], pair[-1], block[-1]] == [1, 2, 1]
    problems = sets.problems("val", 2)
    codes = eyes.seen(problems)
    (file,) = (untaught / "seen").glob("*.npy")
    before = file.stat().st_size
    assert np.array_equal(eyes.seen(problems), codes) and before >= codes.size * 2
    with torch.no_grad():
        eyes.network.encode[-1].bias += 1
    other = sight.Eyes(eyes.network, eyes.config)  # of other weights
    assert not np.allclose(other.seen(problems), codes, atol=1e-3)
    assert len([*(untaught / "seen").glob("*.npy")]) == 2
    monkeypatch.setattr("cogkit.bongard.problems.rendering.code_of", lambda folder, *_: f"another code of {folder}")
    assert np.array_equal(eyes.seen(problems), other.seen(problems))  # the network of both has the other weights now
    assert len([*(untaught / "seen").glob("*.npy")]) == 4  # codes of other windows


def test_wrong_codes_are_refused():
    config = agents.SEEING["protonet-on-eyes"].config("quick")
    for wrong in (planted(3, 0).astype(float), planted(3, 0)[:, :, :6], planted(3, 0)[..., :5]):
        with pytest.raises(InputError, match=r"float32 \(n, 2, 7, 201\)"):
            reasoners.fit(config, 0, wrong)
    problems = sets.problems("val", 2)
    with pytest.raises(InputError, match="uint8"):
        scoring.judge(instrument.learner("ink-amount"), problems, images=np.zeros((2, 2, 6, 4), np.float32))
    for shape in ((2, 2, 7, 64, 64), (2, 2, 7, SEEN)):  # a learner of pixels takes nothing else
        with pytest.raises(InputError, match="uint8"):
            scoring.judge(instrument.learner("ink-amount"), problems, images=np.zeros(shape, np.float32))
    for changes in ({"agent": "cnn-on-eyes"}, {"steps": 0}, {"asked": "two"}):
        with pytest.raises(InputError):
            agents.SEEING["protonet-on-eyes"].config("quick", **changes)


def test_all_reasoners_of_a_seed_have_the_same_eyes():
    configs = {name: kind.config("lab") for name, kind in agents.SEEING.items()}
    assert {config.sight for config in configs.values()} == {pretrained.SIGHT.config("lab")}
    ids = {cell.id for cell in instrument.cells()}
    assert {"bongard/sight", *(f"bongard/{name}" for name in configs)} <= ids


def test_at_quick_they_look_with_the_eyes_that_come_with_the_package(home):
    for seed in (0, 5):
        for config in (agents.SEEING["anil-on-eyes"].config("quick"), agents.LOOKUP.config("quick")):
            eyes = sight.eyes_for(config, seed)
            assert (eyes.seed, eyes.config) == (0, pretrained.SIGHT.config("lab")) and eyes.manifest.seed == 0
    assert not (home / "agents").exists()  # nothing was taught


def test_an_agent_is_saved_and_read_with_its_answers(tmp_path):
    codes = planted(6, 4)
    agent = agent_of("anil-on-eyes", codes, batch=6, steps=5)
    manifest = results.manifest("bongard/anil-on-eyes", agent.config, "verified", "quick", 0, 1.0)
    again = reasoners.LIFE.read(reasoners.LIFE.save(agent, tmp_path / "a.safetensors", manifest))
    asked = codes[:, :, :SUPPORT], codes[:, :, SUPPORT]
    assert np.array_equal(again.asked(*asked), agent.asked(*asked)) and again.name == "ANIL on taught eyes"


def test_the_door_trains_reasoners_too(untaught):
    fit = instrument.train("anil-on-eyes", **FASTER, problems=4, validated=2, batch=4, steps=2)
    assert run(fit).log.step.max() == 2
    with pytest.raises(InputError, match="set of problems for a reasoner"):
        instrument.train("anil-on-eyes", "sectors")
    with pytest.raises(InputError, match="shipped"):
        instrument.load("anil-on-eyes", preset="quick")


def test_thoughts_are_what_it_saw_weighed_and_answered(untaught):
    config = agents.SEEING["concept-search-on-eyes"].config(
        "quick", **FASTER, problems=4, validated=2, batch=4, steps=2
    )  # fmt: skip
    seer = reasoners.LIFE.learn(config, "verified", 0)
    problems = sets.problems("val", 3)
    made = seer.thoughts(problems, most=4)
    looks = seer.eyes.seen(problems)
    assert np.array_equal(made.chances, scoring.judge(seer, problems, images=looks).chance)
    assert len(made.concepts) == 3 * 4 and set(made.concepts.concept) <= set(CONCEPTS)
    for number, held in made.concepts.groupby("problem"):
        with torch.no_grad():
            support = torch.from_numpy(looks[[number], :, :SUPPORT])
            (weight,) = seer.network.head.weigh(support, support[:, 0])[0].exp().numpy()
        assert weight.sum() == pytest.approx(1, abs=1e-5)
        assert np.allclose(held.posterior, np.sort(weight)[::-1][:4])
        assert np.allclose(held.posterior, [weight[CONCEPTS.index(concept)] for concept in held.concept])
    assert len(made.seen) == 3 * 14 and made.seen.iloc[14 + 7 + 2][["problem", "side", "place"]].tolist() == [
        1, "negative", 2,
    ]  # fmt: skip
    row, numbers = made.seen.iloc[14 + 7 + 2], looks[1, 1, 2]
    assert row.shapes == numbers[-1] and row["arc normal"] == numbers[PARTS["code"] + 5]
    at = PARTS["code"] + PARTS["sums"] + TAUGHT.index("convex")
    told = 1 / (1 + np.exp(-numbers[at])) if row.shapes == 1 else np.nan
    assert np.isclose(row.convex, told, equal_nan=True)
