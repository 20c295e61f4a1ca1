"""The backbone taught one attribute: what its pictures are drawn from, what it learns, and the rows that tell of it."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
import torch
from cases import case
from scipy import stats

from cogkit.bongard.learners import capability, pretrained
from cogkit.bongard.learners.capability import PARTS, Examples, answers, examples, fit, pools
from cogkit.bongard.logo import raster
from cogkit.bongard.shapes import inventory
from cogkit.core.errors import InputError
from cogkit.learning import run

pytestmark = pytest.mark.usefixtures("one_thread")


def config(**changes):
    return pretrained.config("capability", "quick", **({"size": 32, "batch": 20, "source": "catalogue"} | changes))


def test_held_out_shapes_are_in_one_part_alone(mirror):
    settings = config(held_out="shapes", source="published")
    parts = [pools(settings, part, 0) for part in PARTS]
    for side, count in enumerate((75 - 1, 152)):  # two half discs, of which one is enough
        groups = [{shape.name for shape in part[side]} for part in parts]
        assert sum(map(len, groups)) == len(set.union(*groups)) == count
        assert [len(names) / count for names in groups] == pytest.approx([0.7, 0.1, 0.2], abs=0.01)
        assert groups[0] != {shape.name for shape in pools(settings, "train", 1)[side]}


def test_of_two_shapes_that_draw_one_figure_one_is_held_out(mirror):
    pair = {"sector180", "closed_semi_circle"}  # half discs
    settings = {"source": "published", "attribute": "has_curve"}
    held_out = [pools(config(held_out="shapes", **settings), part, 0) for part in PARTS]
    names = Counter(shape.name for sides in held_out for pool in sides for shape in pool)
    assert len(pair & set(names)) == 1 and max(names.values()) == 1
    assert pair <= {shape.name for shape in pools(config(**settings), "test", 0)[0]}


def test_labels_are_those_of_the_shapes_drawn():
    sample, catalogue = examples(config(trained=40), "train", 0), inventory.catalogue()
    assert sample.labels.tolist() == [catalogue[name].attributes["convex"] == 1 for name in sample.shapes]
    assert sample.labels.sum() == 40 and len(sample.labels) == 80
    assert (sample.images == raster.images(sample.pictures, 32)).all()


def test_pictures_are_the_same_however_many_are_made_and_of_their_own_in_each_part():
    few, many = (examples(config(tested=n), "test", 3).pictures for n in (4, 9))
    assert many[:8] == few
    for other in (examples(config(tested=9), "test", 4), examples(config(validated=9), "validation", 3)):
        assert not set(other.pictures) & set(many)


def test_stroke_types_tell_nothing_of_the_label_unless_as_published():
    settings, n = config(attribute="has_two_parts", trained=600), 600
    sides = pools(settings, "train", 0)
    bear = [np.mean([shape.stampable for shape in pool]) for pool in sides]
    types = [np.mean([shape.stampable * (1 - 0.2 ** len(shape.program)) for shape in pool]) for pool in sides]
    equal = [share * min(bear) / rate for share, rate in zip(types, bear, strict=True)]
    assert abs(bear[0] - bear[1]) > 0.02
    for profile, expected in (("verified", equal), ("as_published", types)):
        sample = examples(settings, "train", 0, profile)
        stamped = np.array([any(action.type != "normal" for action in placed.program) for (placed,) in sample.pictures])
        for label, due in zip((True, False), expected, strict=True):
            assert abs(stamped[sample.labels == label].mean() - due) < 4 * math.sqrt(due * (1 - due) / n), profile


@pytest.fixture(scope="module")
def few():
    """Forty pictures of convex shapes and others, as training and validation."""
    return examples(config(trained=20), "train", 0)


def test_a_few_pictures_are_learnt_and_the_answer_is_the_way_round(few):
    settings = config(steps=60, n_evals=1, learning_rate=5e-3)
    result = run(fit(settings, 0, few, few))
    logits, last = answers(capability.trained(result.state), settings, few.images), result.log.iloc[-1]
    assert ((logits > 0) == few.labels).mean() > 0.9
    assert last.wrong == pytest.approx(((logits > 0) != few.labels).mean())
    chances = 1 / (1 + np.exp(-np.where(few.labels, 1, -1) * logits.astype(float)))
    assert last.surprise == pytest.approx(-np.log(chances).mean(), rel=1e-4)


def test_what_cannot_be_is_refused():
    with pytest.raises(InputError, match="has_two_parts"):
        config(attribute="have_two_parts")


class Says(torch.nn.Module):
    """A network that answers yes to the pictures of some numbers, counted through all it is shown."""

    def __init__(self, yes):
        super().__init__()
        self.yes, self.at = yes, 0

    def forward(self, pictures):
        logits = torch.tensor([1.0 if self.at + k in self.yes else -1.0 for k in range(len(pictures))])
        self.at += len(pictures)
        return logits[:, None]


def test_rows_by_hand(few):
    yes = {k for k in range(30) if few.labels[k] != (k in {4, 11, 12})}
    sample = Examples(few.pictures[:30], few.labels[:30], few.images[:30])
    limits = tuple(stats.binomtest(27, 30).proportion_ci(method="wilson"))
    for held_out, interval in (("pictures", "95% Wilson, pictures"), ("shapes", "95% bootstrap, shapes")):
        (row,) = capability.assess(Says(yes), config(held_out=held_out, batch=7), 0, {"test": sample})
        with case(held_out):
            assert (row["task"], row["metric"], row["n"], row["who"]) == ("convex/test", "accuracy", 30, "ResNet-15")
            assert row["value"] == pytest.approx(0.9) and f"new {held_out}" in row["source"]
            assert row["interval"] == interval and row["low"] < 0.9 < row["high"] <= 1
            assert held_out == "shapes" or (row["low"], row["high"]) == pytest.approx(limits)


def test_an_interval_over_shapes_is_as_wide_as_shapes_differ(few):
    pictures = [few.pictures[k // 15] for k in range(30)]  # two shapes
    sample = Examples(pictures, np.array([True] * 30), few.images[:30])
    for yes, interval in ((range(15), (0.0, 1.0)), ([*range(6), *range(15, 21)], (0.4, 0.4))):
        (row,) = capability.assess(Says(set(yes)), config(held_out="shapes"), 0, {"test": sample})
        assert (row["value"], row["low"], row["high"]) == pytest.approx((len(yes) / 30, *interval))


def test_a_cell_tells_of_training_and_test_the_same_each_time():
    settings = config(steps=4, n_evals=1, trained=20, validated=10, tested=15)
    rows = capability.run(settings, "verified", 0)
    assert [(row["task"], row["n"]) for row in rows] == [("convex/train", 40), ("convex/test", 30)]
    assert all(row["inputs"] == "pixels" and 0 <= row["low"] <= row["value"] <= row["high"] <= 1 for row in rows)
    assert rows == capability.run(settings, "verified", 0)
