"""The concept search on planted concepts, and what it owes: its weights sum to one, shorter concepts come first."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from cogkit.bongard.learners.heads.concept_search import CONCEPTS, FIGURE, ConceptSearch
from cogkit.bongard.learners.lessons import TAUGHT
from cogkit.bongard.learners.networks.window_network import PLACES
from cogkit.bongard.learners.perception import SEEN

pytestmark = pytest.mark.usefixtures("one_thread")
SURE = 6.0  # log odds of eyes that are sure


def looks(has: np.ndarray) -> torch.Tensor:
    """What sure eyes see of pictures of one shape: ``has`` says which attributes it has, (..., 25)."""
    seen = np.zeros((*has.shape[:-1], SEEN), np.float32)
    seen[..., PLACES["attributes"]] = np.where(has, SURE, -SURE)
    seen[..., PLACES["shapes"]] = 1
    return torch.from_numpy(seen)


@torch.no_grad()
def searched(seen: torch.Tensor) -> tuple[list[tuple[str, ...]], float]:
    """Return the likeliest concept of each problem (n, 2, 7, 201), and the share of right answers."""
    head = ConceptSearch().eval()
    weight, _ = head.weigh(seen[:, :, :6], seen[:, :, 6])
    torch.testing.assert_close(weight.exp().sum(dim=1), torch.ones(len(seen)))
    chances = head(seen[:, :, :6], seen[:, :, 6]).exp()
    torch.testing.assert_close(chances.sum(dim=2), torch.ones(len(seen), 2))
    return [CONCEPTS[k] for k in weight.argmax(dim=1)], float((chances.argmax(dim=2) == torch.arange(2)).float().mean())


@pytest.mark.parametrize("concept", [("convex",), ("has_curve", "necked")])
def test_a_planted_concept_is_found(concept):
    """Positives have it; negatives lack it, one half each attribute of a pair; the other attributes are coins."""
    rng, columns = np.random.default_rng(3), [TAUGHT.index(name) for name in concept]
    has = rng.random((40, 2, 7, len(TAUGHT))) < 0.5
    lacking = np.array(columns)[rng.integers(len(columns), size=(40, 7))]
    for k in columns:
        has[:, 0, :, k], has[:, 1, :, k] = True, lacking != k
    first, right = searched(looks(has))
    # twelve coins agree with a single attribute in one of 4,096 problems, and 24 others are there to agree
    assert np.mean([set(guess) == set(concept) for guess in first]) >= 0.8
    assert right > 0.5 + 4 * np.sqrt(0.25 / 80)


def test_a_figure_without_a_name_is_found_by_likeness():
    """Positives share a code, and all attributes are coins."""
    rng = np.random.default_rng(4)
    seen = looks(rng.random((40, 2, 7, len(TAUGHT))) < 0.5)
    seen[..., PLACES["code"]] = torch.from_numpy(rng.normal(size=(40, 2, 7, 128)).astype(np.float32))
    seen[:, 0, :, PLACES["code"]] = 6 * seen[:, 0, :1, PLACES["code"]]
    torch.manual_seed(0)
    first, right = searched(seen)
    assert np.mean([guess == (FIGURE,) for guess in first]) >= 0.5 and right > 0.5 + 4 * np.sqrt(0.25 / 80)
