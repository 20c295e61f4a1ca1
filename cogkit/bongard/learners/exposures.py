"""What each learner has met of Bongard-LOGO, beside what it is tested on; see `Instrument.exposures`.

No test problem may be a training problem, and no concept of a test one of training: of free-form problems the numbers
of strokes, of basic ones their figures, of abstract ones their attributes together. The attribute that is new in NV may
not occur in training at all, and eyes may not be taught it. Where a test has new shapes, none of these may occur in
training; in one of these tests shapes are all that is new, so that its concepts do not count.

Not counted: a concept of CM joins two attributes that are each taught, and the shapes of BA, CM and NV all occur in
training too, as published, in other places, sizes and directions. So a learner may know a shape by heart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cogkit.bongard.learners import agents
from cogkit.bongard.learners.agents import AgentConfig, ReasonerConfig
from cogkit.bongard.learners.lessons import TAUGHT
from cogkit.bongard.learners.pretrained import SightConfig
from cogkit.bongard.problems import abstract, sets, stroke_styles
from cogkit.bongard.problems.sets import NEW, NOVEL, Spec
from cogkit.bongard.shapes.inventory import Shapes, available
from cogkit.core.items import Exposure


def exposures(config: Any, profile: str) -> Iterator[Exposure]:
    """Yield what the learner of a config, or its eyes, met in training and validation, beside its tests.

    A spec makes one problem, and each problem is drawn from a stream of its own, so specs are compared.

    Examples
    --------
    >>> from cogkit.bongard.learners import agents
    >>> [exposure.what for exposure in exposures(agents.config("protonet", "quick"), "verified")]
    ['problems', 'concepts', 'new attributes']
    """
    if not isinstance(config, AgentConfig | ReasonerConfig | SightConfig):
        return
    learnt = _learnt(config, profile)
    if isinstance(config, ReasonerConfig):
        learnt += _learnt(config.sight, "verified")  # under which its eyes are taught
    tests = {task: sets.task_specs(task, profile)[: config.tested] for task in agents.tests_of(config.set)}
    test = [spec for specs in tests.values() for spec in specs]
    yield Exposure("problems", learnt, test)
    concepts = [spec for task, specs in tests.items() if task != f"{NEW}/AB" for spec in specs]
    yield Exposure("concepts", _concepts(learnt), _concepts(concepts))
    if config.set == NEW:
        yield Exposure("shapes", _figures(learnt), _figures(test))
    if config.set != "free-form":
        attributes = {name for spec in learnt if spec.kind == "hd" for name in spec.concept}
        attributes |= {*TAUGHT} if isinstance(config, ReasonerConfig | SightConfig) else set()
        yield Exposure("new attributes", attributes, [NOVEL for spec in test if NOVEL in spec.concept])


def _learnt(config: Any, profile: str) -> list[Spec]:
    """Return the specs of training and of validation, which chooses the weights."""
    parts = (("train", config.problems), ("val", config.validated))
    return [spec for part, n in parts for spec in sets.task_specs(agents.task_of(config.set, part), profile)[:n]]


def _figures(specs: Sequence[Spec]) -> list[str]:
    """Return every shape that problems may show, by the name of the first shape that draws its figure."""
    shapes = available()
    drawn = {
        age: shapes if age == "all" else abstract.old_and_new(shapes)[age] for age in {spec.shapes for spec in specs}
    }
    first = _firsts(shapes)
    return [first.get(shape.name, shape.name) for part in drawn.values() for shape in part]


def _firsts(shapes: Shapes) -> dict[str, str]:
    """Return the name of the first shape of its figure, by the name of each that draws it again."""
    repeats = stroke_styles.repeats(shapes)
    return {shapes.all[row].name: shapes.all[number].name for number, rows in repeats.items() for row in rows}


def _concepts(specs: Sequence[Spec]) -> list[tuple[str, ...]]:
    """Return the kind and the concept of each problem; of names of one figure the first counts, in either order."""
    first = _firsts(available())
    return [(spec.kind, *sorted(first.get(name, name) for name in spec.concept)) for spec in specs]
