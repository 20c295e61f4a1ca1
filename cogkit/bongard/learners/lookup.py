"""A control: recognise the shape in each picture, and read what it is like from the table of labels.

The shapes of abstract problems come from one catalogue, in training and in tests. A learner could therefore know every
shape by heart, and see no attribute at all. This one does just that. It shows what such a learner would reach.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cogkit.bongard import scoring
from cogkit.bongard.learners import observers, perception
from cogkit.bongard.learners.agents import LookupConfig
from cogkit.bongard.learners.networks.window_network import PLACES
from cogkit.bongard.learners.perception import SEEN
from cogkit.bongard.learners.windows import SIZE
from cogkit.bongard.problems import records, sets
from cogkit.bongard.problems.records import Problem, Question
from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.inventory import Shapes
from cogkit.learning.supervised import telling_rows

TESTS = ("CM", "NV")  # the others have two shapes a picture, or shapes without a name
_UNKNOWN = -1  # the label of an attribute that is not applicable


class ShapeLookup:
    """A learner that names the shape of each picture, and decides by the labels of the named shapes.

    Names are told by a linear discriminant analysis of the eyes' codes and sums. Decisions are those of
    `observers.AttributeOracle`. A picture with two shapes, or none, counts as one without any label.

    Parameters
    ----------
    eyes : sight.Eyes
    problems : sequence of Problem
        Their pictures of one named shape show what each shape looks like; at least two shapes.
    profile : {"verified", "as_published"}
        The rules that say which concepts there are.
    """

    name, kind, inputs = "shape lookup on taught eyes", "model", "pixels"
    supervision, size, input_shape = "names and attributes", SIZE, (SEEN,)

    def __init__(self, eyes: perception.Eyes, problems: Sequence[Problem], profile: str = "verified") -> None:
        self.eyes, self.shapes = eyes, inventory.available()
        self.oracle = observers.attribute_oracle(self.shapes, profile)
        rows, seen = named(problems, eyes.seen(problems), self.shapes)
        self.recogniser = make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()).fit(_told(seen), rows)

    def recognised(self, seen: np.ndarray) -> np.ndarray:
        """Return the number of the shape in each picture among all shapes, (n,), from what is seen (n, 201)."""
        return self.recogniser.predict(_told(seen))

    def predict(self, question: Question) -> np.ndarray:
        """Return the probability that each query belongs to the positive side, (n,)."""
        return self.oracle.predict(Question(self._labels(question.support), self._labels(question.query)))

    def _labels(self, pictures: np.ndarray) -> np.ndarray:
        """Return the labels of the shapes recognised in pictures, or in what the eyes see of them, (..., 26)."""
        seen = self.eyes.looked_at(pictures)
        flat = seen.reshape(-1, SEEN)
        labels = self.shapes.table[self.recognised(flat)]
        return np.where(flat[:, PLACES["shapes"]] == 1, labels, _UNKNOWN).reshape(*seen.shape[:-1], -1)


def named(problems: Sequence[Problem], seen: np.ndarray, shapes: Shapes) -> tuple[np.ndarray, np.ndarray]:
    """Return the pictures with one named shape: the numbers of these shapes, (m,), and what is seen of them, (m, 201).

    ``seen`` is (n, 2, 7, 201), as `sight.Eyes.seen` gives it.
    """
    number = {shape.name: k for k, shape in enumerate(shapes)}
    names = [picture[0].name if len(picture) == 1 else "" for picture in records.pictures(problems)]
    flat = seen.reshape(-1, SEEN)
    rows = [k for k, name in enumerate(names) if name in number and flat[k, PLACES["shapes"]] == 1]
    return np.array([number[names[k]] for k in rows], int), flat[rows]


def _told(seen: np.ndarray) -> np.ndarray:
    return np.concatenate([seen[:, PLACES["code"]], seen[:, PLACES["sums"]]], axis=1)


def run(config: LookupConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of the shape lookup on the two tests of abstract problems.

    ``telling/CM/shape`` and ``telling/NV/shape``: the share of shapes that it names rightly.
    """
    eyes = perception.eyes_for(config, seed)
    learner = ShapeLookup(eyes, sets.problems("train", config.problems, profile), profile)
    problems = {task: sets.problems(task, config.tested, profile) for task in TESTS}
    rules = {"profile": profile, "seed": seed, "shapes": learner.shapes, "look": eyes.seen}
    rows = scoring.assess(learner, problems, source=eyes.source, **rules)
    right = {}
    for task, items in problems.items():
        numbers, seen = named(items, eyes.seen(items), learner.shapes)
        right[f"{task}/shape"] = learner.recognised(seen) == numbers
    shape_rows = telling_rows(right, learner.name, learner.inputs)
    return rows + [row | {"supervision": learner.supervision} for row in shape_rows]
