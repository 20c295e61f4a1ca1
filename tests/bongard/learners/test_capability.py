"""The backbone taught one attribute: what its pictures are drawn from, what it learns, and the rows that tell of it."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
import torch
from scipy import stats

from cogkit.bongard.learners import capability, pretrained
from cogkit.bongard.learners.capability import PARTS, Examples, answers, examples, fit, pools
from cogkit.bongard.logo import raster
from cogkit.bongard.shapes import inventory
from cogkit.core.contracts import InputError
from cogkit.learning import run

pytestmark = pytest.mark.usefixtures("one_thread")

SMALL = {"size": 32, "batch": 20, "source": "catalogue"}


def config(**changes):
    return pretrained.config("capability", "quick", **(SMALL | changes))


def test_every_published_shape_with_a_label_is_drawn_from(mirror):
    # § 4 of the facts: positives and negatives of each, the rest not applicable
    for attribute, counts in (("convex", (75, 152)), ("has_two_parts", (263, 354))):
        for part in PARTS:
            sides = pools(config(attribute=attribute, source="published"), part, 0)
            assert tuple(map(len, sides)) == counts
            for label, pool in zip((1, 0), sides, strict=True):
                assert all(shape.attributes[attribute] == label for shape in pool)


def test_held_out_shapes_are_in_one_part_alone(mirror):
    settings = config(held_out="shapes", source="published")
    parts = [pools(settings, part, 0) for part in PARTS]
    for side, count in enumerate((75 - 1, 152)):  # two half discs, of which one is enough
        groups = [{shape.name for shape in part[side]} for part in parts]
        assert sum(map(len, groups)) == len(set.union(*groups)) == count
        assert [len(names) / count for names in groups] == pytest.approx([0.7, 0.1, 0.2], abs=0.01)
        assert groups[0] != {shape.name for shape in pools(settings, "train", 1)[side]}


def test_of_two_shapes_that_draw_one_figure_one_is_held_out(mirror):
    pair = {"sector180", "closed_semi_circle"}  # a half disc, both
    names = [
        shape.name
        for part in PARTS
        for pool in pools(config(held_out="shapes", source="published", attribute="has_curve"), part, 0)
        for shape in pool
    ]
    assert len(pair & set(names)) == 1 and max(Counter(names).values()) == 1
    names = [shape.name for shape in pools(config(source="published", attribute="has_curve"), "test", 0)[0]]
    assert pair <= set(names)


def test_an_attribute_that_no_shape_is_known_by_is_refused():
    with pytest.raises(InputError, match="0 shapes with exist_sector and 0 without"):
        pools(config(attribute="exist_sector"), "train", 0)


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"attribute": "have_two_parts"}, "has_two_parts"), ({"held_out": "problems"}, "hold out")],
)
def test_wrong_settings_are_refused(changes, said):
    with pytest.raises(InputError, match=said):
        config(**changes)


def test_labels_are_those_of_the_shapes_drawn():
    sample = examples(config(trained=40), "train", 0)
    catalogue = inventory.catalogue()
    assert sample.labels.tolist() == [catalogue[name].attributes["convex"] == 1 for name in sample.shapes]
    assert sample.labels.sum() == 40 and len(sample.labels) == 80
    assert (sample.images == raster.images(sample.pictures, 32)).all()


def test_pictures_are_the_same_however_many_are_made_and_of_their_own_in_each_part():
    few, many = (examples(config(tested=n), "test", 3).pictures for n in (4, 9))
    assert many[:8] == few
    samples = [examples(config(tested=9), "test", 4), examples(config(validated=9), "validation", 3)]
    for other in samples:
        assert not set(other.pictures) & set(many)


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_stroke_types_tell_nothing_of_the_label_unless_as_published(profile):
    sample = examples(config(attribute="has_two_parts", trained=1500), "train", 0, profile)
    stamped = np.array([any(action.type != "normal" for action in placed.program) for (placed,) in sample.pictures])
    shares = [stamped[sample.labels == label].mean() for label in (True, False)]
    expected, bear = [], []
    for pool in pools(settings := config(attribute="has_two_parts"), "train", 0):
        bear.append(np.mean([shape.stampable for shape in pool]))
        expected.append(np.mean([shape.stampable * (1 - 0.2 ** len(shape.program)) for shape in pool]))
    assert settings.source == "catalogue" and abs(bear[0] - bear[1]) > 0.02
    if profile == "verified":
        expected = [share * min(bear) / rate for share, rate in zip(expected, bear, strict=True)]
    for share, due in zip(shares, expected, strict=True):
        assert abs(share - due) < 4 * math.sqrt(due * (1 - due) / 1500)


@pytest.fixture(scope="module")
def few():
    """Forty pictures of convex shapes and others, as training and validation."""
    return examples(config(trained=20), "train", 0)


def test_a_step_sees_pictures_and_their_mirrors(few, monkeypatch):
    batches = []
    monkeypatch.setattr(capability, "pixels", lambda images, place: (batches.append(images), true(images, place))[1])
    true = capability_pixels
    run(fit(config(steps=6), 0, few))
    views = {image.tobytes() for batch in batches for image in batch}
    plain, mirrored = ({image.tobytes() for image in images} for images in (few.images, few.images[..., ::-1]))
    assert views <= plain | mirrored and views & (plain - mirrored) and views & (mirrored - plain)
    assert abs(np.mean([image.tobytes() in plain for batch in batches for image in batch]) - 0.5) < 4 * 0.5 / 120**0.5


capability_pixels = capability.pixels


def test_a_few_pictures_are_learnt_and_the_answer_is_the_way_round(few):
    settings = config(steps=80, looks=1, learning_rate=5e-3, reduction=8)
    result = run(fit(settings, 0, few, few))
    network = capability.trained(result.state)
    logits = answers(network, settings, few.images)
    assert ((logits > 0) == few.labels).mean() > 0.9
    last = result.log.iloc[-1]
    assert last.wrong == pytest.approx(((logits > 0) != few.labels).mean())
    chances = np.where(few.labels, 1, -1) * logits
    assert last.surprise == pytest.approx(-np.log(1 / (1 + np.exp(-chances.astype(float)))).mean(), rel=1e-4)


def test_a_run_taken_up_again_is_the_same_bit_for_bit(few, tmp_path):
    settings = config(steps=100, looks=10, trained=20)

    def fit(**options):
        return capability.fit(settings, 1, few, few, **options)

    straight, first = run(fit()), fit(checkpoint=tmp_path / "run")
    first.steps = 50
    run(first)
    again = run(fit(checkpoint=tmp_path / "run"))
    assert again.steps == straight.steps == 100 and again.log.equals(straight.log)
    for module in ("network", "best"):
        expected, weights = (result.state.modules[module].state_dict() for result in (straight, again))
        assert all(torch.equal(weights[key], value) for key, value in expected.items())


def test_images_of_another_size_are_refused(few):
    with pytest.raises(InputError, match="images of shape"):
        fit(config(size=64), 0, few)


class Says(torch.nn.Module):
    """A network that answers yes to the pictures of some numbers, counted through all it is shown."""

    def __init__(self, yes):
        super().__init__()
        self.yes, self.at = yes, 0

    def forward(self, pictures):
        logits = torch.tensor([1.0 if self.at + k in self.yes else -1.0 for k in range(len(pictures))])
        self.at += len(pictures)
        return logits[:, None]


def part(few: Examples, n: int) -> Examples:
    return Examples(few.pictures[:n], few.labels[:n], few.images[:n])


@pytest.mark.parametrize("held_out", ["pictures", "shapes"])
def test_rows_by_hand(few, held_out):
    wrong = {4, 11, 12}
    yes = {k for k in range(30) if few.labels[k] != (k in wrong)}
    settings = config(held_out=held_out, batch=7)
    (row,) = capability.assess(Says(yes), settings, 0, {"test": part(few, 30)})
    assert (row["task"], row["metric"], row["n"], row["who"]) == ("convex/test", "accuracy", 30, "ResNet-15")
    assert row["value"] == pytest.approx(0.9) and f"new {held_out}" in row["source"]
    if held_out == "pictures":
        assert row["interval"] == "95% Wilson, pictures"
        limits = stats.binomtest(27, 30).proportion_ci(method="wilson")
        assert (row["low"], row["high"]) == pytest.approx(tuple(limits))
    else:
        assert row["interval"] == "95% bootstrap, shapes" and row["low"] < 0.9 < row["high"] <= 1


def test_an_interval_over_shapes_is_as_wide_as_shapes_differ(few):
    pictures = [few.pictures[k // 15] for k in range(30)]  # two shapes
    sample = Examples(pictures, np.array([True] * 30), few.images[:30])
    for yes, interval in ((range(15), (0.0, 1.0)), ([*range(6), *range(15, 21)], (0.4, 0.4))):
        (row,) = capability.assess(Says(set(yes)), config(held_out="shapes"), 0, {"test": sample})
        assert (row["value"], row["low"], row["high"]) == pytest.approx((len(yes) / 30, *interval))


def test_a_cell_tells_of_training_and_test():
    rows = capability.run(config(steps=4, looks=1, trained=20, validated=10, tested=15), "verified", 0)
    assert [(row["task"], row["n"]) for row in rows] == [("convex/train", 40), ("convex/test", 30)]
    for row in rows:
        assert (
            row["kind"] == "model" and row["inputs"] == "pixels" and 0 <= row["low"] <= row["value"] <= row["high"] <= 1
        )
    assert rows == capability.run(config(steps=4, looks=1, trained=20, validated=10, tested=15), "verified", 0)


def test_the_papers_numbers():
    for attribute in ("convex", "has_two_parts"):
        settings = pretrained.config("capability", "paper", attribute=attribute)
        assert (settings.trained, settings.size, settings.reduction) == (14_000, 512, 1)
