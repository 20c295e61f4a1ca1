"""The concept search against Bayes' rule, concept by concept and picture by picture, and on planted concepts."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from cogkit.bongard.learners.heads.concept_search import ATTRIBUTES, CONCEPTS, FIGURE, ConceptSearch
from cogkit.bongard.learners.lessons import TAUGHT
from cogkit.bongard.learners.networks.sight import PARTS

pytestmark = pytest.mark.usefixtures("one_thread")
STARTS = dict(zip(PARTS, np.cumsum([0, *PARTS.values()]), strict=False))
SURE = 6.0  # log odds of eyes that are sure


def place(part: str) -> slice:
    return slice(STARTS[part], STARTS[part] + PARTS[part])


def looks(n: int, pictures: tuple[int, ...], seed: int = 0) -> torch.Tensor:
    """What is seen of pictures of one shape or two, (n, *pictures, 201) double."""
    rng = np.random.default_rng(seed)
    seen = rng.normal(size=(n, *pictures, sum(PARTS.values())))
    seen[..., place("shapes")] = rng.integers(1, 3, size=(n, *pictures, 1))
    return torch.from_numpy(seen)


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


@pytest.fixture
def head() -> ConceptSearch:
    """A head in double precision with weights of every size."""
    torch.manual_seed(0)
    module = ConceptSearch().double().eval()
    for weights in module.parameters():
        weights.data += 0.3 * torch.randn_like(weights)
    return module


def test_weights_and_answers_are_those_of_bayes_rule(head):
    support, query = looks(2, (2, 6)), looks(2, (3,), 1)
    with torch.no_grad():
        weight, _ = head.weigh(support, query)
        answers = head(support, query)
    scale, shift = head.scale.exp().tolist(), head.shift.tolist()
    trust, word, figure = head.trust.exp().tolist(), head.word.item(), head.figure.item()
    first, second = (head.likeness.space[k] for k in (0, 2))
    layers = [[part.detach().numpy() for part in (layer.weight, layer.bias)] for layer in (first, second)]

    def has(picture: np.ndarray, concept: tuple[str, ...]) -> float:
        told, shapes = picture[place("attributes")], picture[place("shapes")][0]
        chance = 1.0
        for k in (TAUGHT.index(name) for name in concept):
            chance *= sigmoid(scale[k] * told[k] / shapes + shift[k])
        return chance

    def alike(twelve: list[np.ndarray], sides: list[list[np.ndarray]], picture: np.ndarray) -> float:
        mean, spread = np.mean(twelve, axis=0), np.sqrt(np.var(twelve, axis=0) + 1e-5)

        def put(x: np.ndarray) -> np.ndarray:
            (w1, b1), (w2, b2) = layers
            return w2 @ np.maximum(w1 @ ((x - mean) / spread) + b1, 0) + b2

        means, own = [np.mean([put(x) for x in side], axis=0) for side in sides], put(picture)
        cosines = [own @ each / np.linalg.norm(own) / np.linalg.norm(each) for each in means]
        return sigmoid(head.likeness.temperature.item() * (cosines[0] - cosines[1]))

    for problem in range(2):
        sides = [list(side) for side in support[problem].numpy()]
        log_weight, chances = [], []
        for concept in CONCEPTS:
            attributes, twelve = concept != (FIGURE,), [*sides[0], *sides[1]]
            evidence = 0.0
            for side, pictures in enumerate(sides):
                for number, picture in enumerate(pictures):
                    left = [list(each) for each in sides]
                    del left[side][number]
                    told = has(picture, concept) if attributes else alike(twelve, left, picture)
                    evidence += math.log(told if side == 0 else 1 - told)
            cost = word * len(concept) if attributes else figure
            log_weight.append(trust[0 if attributes else 1] * evidence - cost)
            asked = query[problem].numpy()
            chances.append([
                has(x, concept) if attributes else alike(twelve, sides, x) for x in asked
            ])  # fmt: skip
        expected = np.exp(np.array(log_weight) - max(log_weight))
        expected /= expected.sum()
        assert np.allclose(weight[problem].exp(), expected, atol=1e-6)
        positive = expected @ np.array(chances)
        assert np.allclose(answers[problem].exp(), np.stack([positive, 1 - positive], axis=1), atol=1e-6)


def test_every_attribute_and_every_pair_is_a_concept():
    assert len(ATTRIBUTES) == 25 + 300 and len(set(map(frozenset, ATTRIBUTES))) == 325
    assert CONCEPTS == (*ATTRIBUTES, (FIGURE,))


@pytest.mark.parametrize("concept", [("convex",), ("has_curve", "necked")])
def test_a_planted_concept_is_found(concept):
    """Positives have it; negatives lack it, one half each attribute of a pair; the other attributes are coins."""
    rng, columns = np.random.default_rng(3), [TAUGHT.index(name) for name in concept]
    has = rng.random((40, 2, 7, len(TAUGHT))) < 0.5
    for k in columns:
        has[:, 0, :, k] = True
    lacking = np.array(columns)[rng.integers(len(columns), size=(40, 7))]
    for k in columns:
        has[:, 1, :, k] = lacking != k
    seen = np.zeros((40, 2, 7, sum(PARTS.values())), np.float32)
    seen[..., place("attributes")] = np.where(has, SURE, -SURE)
    seen[..., place("shapes")] = 1
    given = torch.from_numpy(seen)
    head = ConceptSearch().eval()
    with torch.no_grad():
        weight, _ = head.weigh(given[:, :, :6], given[:, :, 6])
        chances = head(given[:, :, :6], given[:, :, 6]).exp()[..., 0].numpy()
    first = [CONCEPTS[k] for k in weight.argmax(dim=1)]
    # twelve coins agree with a single attribute in one of 4,096 problems, and 24 others are there to agree
    assert np.mean([set(found) == set(concept) for found in first]) >= 0.8
    assert ((chances > 0.5) == [True, False]).mean() > 0.5 + 4 * np.sqrt(0.25 / 80)


def test_of_two_concepts_that_fit_the_shorter_description_comes_first():
    seen = torch.zeros(1, 2, 6, sum(PARTS.values()))
    seen[..., place("shapes")] = 1
    seen[..., STARTS["attributes"] + 1] = 40.0  # the second attribute is there on both sides, so that it tells nothing
    seen[..., STARTS["attributes"]] = torch.tensor([SURE, -SURE])[:, None]
    head = ConceptSearch().eval()
    with torch.no_grad():
        weight, _ = head.weigh(seen, seen[:, 0, :1])
    one, pair = CONCEPTS.index(TAUGHT[:1]), CONCEPTS.index(TAUGHT[:2])
    assert weight.argmax() == one and float(weight[0, one] - weight[0, pair]) == pytest.approx(
        head.word.item(), abs=0.01
    )


def test_attributes_are_withheld_in_training_alone():
    support, query = looks(300, (2, 6)).float(), looks(300, (1,), 1).float()
    head, blind = ConceptSearch(withheld=0.3), ConceptSearch(withheld=1.0)
    with torch.no_grad():
        weight, _ = head.train().weigh(support, query)
        assert torch.allclose(weight.exp().sum(dim=1), torch.ones(300), atol=1e-5)
        gone = weight.isinf().float()
        single, pairs = gone[:, :25].mean(), gone[:, 25:325].mean()
        assert abs(single - 0.3) < 4 * np.sqrt(0.3 * 0.7 / (300 * 25)) and not gone[:, 325].any()
        # the pairs of a problem share their 25 attributes: one attribute is in 24 of 300 pairs
        assert abs(pairs - (1 - 0.7**2)) < 4 * 2 * 0.7 * np.sqrt(0.3 * 0.7 / (300 * 25))
        assert (blind.train().weigh(support, query)[0][:, 325] == 0).all()
        assert not blind.eval().weigh(support, query)[0].isinf().any()
