"""What each learner has met of Bongard-LOGO, beside what it is tested on; see `Instrument.exposures`.

No test problem may be a training problem, and no concept of a test one of training: of free-form problems the numbers
of strokes, of basic ones their figures, of abstract ones their attributes together. The attribute that is new in NV may
not occur in training at all, and eyes may not be taught it.

Not counted: a concept of CM joins two attributes that are each taught, and the shapes of BA, CM and NV all occur in
training too, as published, in other places, sizes and directions. So a learner may know a shape by heart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cogkit.bongard.learners.agents import AgentConfig, ReasonerConfig
from cogkit.bongard.learners.lessons import TAUGHT
from cogkit.bongard.learners.pretrained import SightConfig
from cogkit.bongard.problems import sets, stroke_styles
from cogkit.bongard.problems.sets import NOVEL, Spec
from cogkit.bongard.shapes.inventory import available
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
    set_of = getattr(config, "set", "all")
    prefix = {"free-form": f"{sets.ABLATION}/", "sectors": f"{sets.SECTORS}/"}.get(set_of, "")
    tests = (f"{prefix}FF",) if set_of == "free-form" else sets.TESTS
    learnt = _learnt(config, prefix, profile)
    if isinstance(config, ReasonerConfig):
        learnt += _learnt(config.sight, "", "verified")  # under which its eyes are taught
    test = [spec for task in tests for spec in sets.task_specs(task, profile)[: config.tested]]
    yield Exposure("problems", learnt, test)
    yield Exposure("concepts", _concepts(learnt), _concepts(test))
    if set_of != "free-form":
        attributes = {name for spec in learnt if spec.kind == "hd" for name in spec.concept}
        attributes |= {*TAUGHT} if isinstance(config, ReasonerConfig | SightConfig) else set()
        yield Exposure("new attributes", attributes, [NOVEL for spec in test if NOVEL in spec.concept])


def _learnt(config: Any, prefix: str, profile: str) -> list[Spec]:
    """Return the specs of training and of validation, which chooses the weights."""
    parts = (("train", config.problems), ("val", config.validated))
    return [spec for part, n in parts for spec in sets.task_specs(prefix + part, profile)[:n]]


def _concepts(specs: Sequence[Spec]) -> list[tuple[str, ...]]:
    """Return the kind and the concept of each problem; of names of one figure the first counts, in either order."""
    shapes, first = available(), {}
    for number, rows in stroke_styles.repeats(shapes).items():
        first |= {shapes.all[row].name: shapes.all[number].name for row in rows}
    return [(spec.kind, *sorted(first.get(name, name) for name in spec.concept)) for spec in specs]
