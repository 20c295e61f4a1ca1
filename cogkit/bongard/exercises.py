"""The exercises of the Bongard-LOGO notebooks; those about learners are in `learner_exercises`.

Each answer is tested by geometry, or on shapes or problems that the reader has not seen, never against a stored key.
"""

from __future__ import annotations

import numpy as np

from cogkit.bongard import learner_exercises, scoring
from cogkit.bongard.logo.programs import validate
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import Question
from cogkit.bongard.shapes import attributes, inventory
from cogkit.core.errors import InputError
from cogkit.study.exercises import Exercises, numbers, unseen

EXERCISES = Exercises(__file__)

_READINGS = (4, 6)  # numbers of lines in the paper's example
_EACH = 25
_SEED = 20_201  # seed of problems that no notebook shows
_ASKED, _RIGHT = 20, 0.8


@EXERCISES("05-two-readings")
def _two_readings(answer) -> bool | str:
    labels = attributes.compute(validate(answer))
    words = [attributes.LINES[count] for count in _READINGS]
    if missing := [word for word in words if labels[f"has_{word}_straight_lines"] != 1]:
        return f"nobody can count {' or '.join(missing)} straight lines in it"
    strokes = len(answer)
    if strokes != _READINGS[0]:
        return f"it has {strokes} strokes, and four are wanted: the larger number must come from where lines meet"
    return True


class _Belongs:
    """The reader's function as a learner that sees programs."""

    name, kind, inputs = "yours", "model", "programs"

    def __init__(self, belongs) -> None:
        self.belongs = belongs

    def predict(self, question: Question) -> np.ndarray:
        return np.array([
            float(bool(self.belongs(*([_programs(picture) for picture in side] for side in support), _programs(query))))
            for support, query in zip(question.support, question.query, strict=True)
        ])  # fmt: skip


def _programs(picture) -> tuple:
    return tuple(placed.program for placed in picture)


@EXERCISES("05-solver", "belongs(positives, negatives, query)")
def _solver(answer) -> bool | str:
    for kind, name in (("ff", "free-form"), ("bd", "basic")):
        specs = sets.specs("verified", (kind,), _EACH, _SEED)
        share = scoring.judge(_Belongs(answer), [sets.problem(spec) for spec in specs], seed=_SEED).score.mean()
        if (verdict := unseen(share, _EACH, f"{name} problems")) is not True:
            return verdict
    return True


@EXERCISES("05-two-parts", "two_parts(program)")
def _two_parts(answer) -> bool | str:
    shapes = [shape for shape in inventory.available() if shape.attributes["has_two_parts"] >= 0]
    held_out = [shape for shape in shapes if shape.super_class not in attributes.CHOSEN]
    verdicts, marks = [], np.array([shape.attributes["has_two_parts"] == 1 for shape in held_out])
    for shape in held_out:
        verdict = answer(shape.program)
        if not isinstance(verdict, bool | np.bool_):
            raise InputError(f"{verdict!r} for {shape.name}", "True or False")
        verdicts.append(bool(verdict))
    share, majority = float(np.mean(marks == verdicts)), max(marks.mean(), 1 - marks.mean())
    if share >= attributes.BAR:
        return True
    fault = "says yes too often" if sum(verdicts) > marks.sum() else "misses parts that people see"
    return (
        f"on {len(held_out)} shapes of new families it agrees with {share:.3f} of the marks, and {attributes.BAR} are "
        f"needed. The commoner mark alone reaches {majority:.3f}, and your function {fault}"
    )


@EXERCISES("05-standard-errors")
def _standard_errors(answer) -> bool | str:
    single = np.sqrt(_RIGHT * (1 - _RIGHT) / (2 * _ASKED))
    return numbers(answer, {"each on its own": single, "the second from the first": np.sqrt(2) * single}, 0.0006)


EXERCISES |= learner_exercises.EXERCISES
