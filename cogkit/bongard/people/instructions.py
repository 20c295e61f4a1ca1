"""Instructions before each type of problem: its concepts, and worked examples (Nie et al. 2020, § 3.3).

The authors did not publish their own pages; these are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.logo.programs import Action, Arc, Line
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import Problem
from cogkit.bongard.shapes import inventory
from cogkit.core.contracts import Page
from cogkit.study.sitting import INSTRUCTIONS

KIND = {"FF": "ff", "BA": "bd", "abstract": "hd"}
TITLES = {"FF": "Free-form shapes", "BA": "Shapes by kind", "abstract": "Attributes"}
_NUISANCE = "Size, place and rotation never matter."
TEXTS = {
    "FF": (
        "A picture holds one shape or two. Each is drawn in one go, stroke after stroke: straight lines and arcs, each "
        "of them plain, a zigzag, or a row of circles, squares or triangles.",
        "All pictures of the first group are the same drawing. In each picture of the second group one stroke is "
        "different: an arc where there should be a line, or the other way round; a turn by another angle before it; or "
        "the same stroke made in another way, such as of squares where there should be circles.",
        f"So look at how every stroke is made, and compare stroke by stroke. {_NUISANCE}",
    ),
    "BA": (
        "A picture holds one shape or two. All pictures of the first group hold the same outline, or the same two.",
        "In each picture of the second group a relative stands in place of a shape: one that looks similar but has "
        "other proportions, other angles or other parts.",
        f"How the strokes are made does not matter here: a square of zigzags is a square. {_NUISANCE}",
    ),
    "abstract": (
        "A picture holds one shape, and nearly every one is different. All shapes of the first group have an attribute "
        "in common, or two. Those of the second group lack it; of two attributes each has one and lacks the other.",
        f"How the strokes are made does not matter here: count a zigzag as a line. {_NUISANCE}",
        "These are the attributes:",
    ),
}
GLOSSARY = {
    "convex": "no dent anywhere: a line between two points of the shape never leaves it",
    "has_curve": "some stroke is curved",
    "has_straight_line": "some stroke is straight",
    "symmetric": "it is its own mirror image about some axis",
    "self_transposed": "it looks the same after half a turn",
    **{
        f"has_{count}_straight_lines": f"it is made of {count} straight lines, crossed ones counted whole or in parts"
        for count in ("three", "four", "five", "six", "seven", "eight")
    },
    "thin_shape": "it is much longer than wide",
    "closed_shape": "its outline has no gap and no loose end",
    "has_acute_angle": "some angle is smaller than a right angle",
    "has_obtuse_angle": "some angle is larger than a right angle",
    "has_angle": "it has a corner",
    "has_line_crossing": "strokes cross, or touch along their way",
    "has_two_parts": "it falls into two parts that meet in a point",
    "balanced_two": "it has two parts, of about the same area",
    "unbalanced_two": "it has two parts, one clearly larger",
    "necked": "it narrows to a neck between wider parts",
    "exist_regular": "a regular polygon is in it: all sides and angles equal",
    "exist_triangle": "a triangle is in it",
    "exist_quadrangle": "a figure of four straight sides is in it",
    "exist_sector": "a sector of a circle is in it, like a slice of cake",
    "symmetric_transposed": "it is its own mirror image, and looks the same after half a turn",
}
_COUNTS = {1: "one stroke", 2: "two strokes", 3: "three strokes", 4: "four strokes", 5: "five strokes",
           6: "six strokes", 7: "seven strokes", 8: "eight strokes", 9: "nine strokes"}  # fmt: skip


@dataclass(frozen=True)
class Example:
    """A solved problem on the page.

    Attributes
    ----------
    problem : Problem
    words : tuple of str
        What the first group has in common, and how the first picture of the second group differs.
    """

    problem: Problem
    words: tuple[str, str]


def page(task: str, training: Sequence[sets.Spec], before: int = 0) -> Page:
    """Return the page of a type. One example has a single shape or attribute, the other has two.

    Parameters
    ----------
    task : str
        ``FF``, ``BA`` or ``abstract``.
    training : sequence of sets.Spec
        Source of the examples, so that none of them is asked later.
    before : int
        Number of problems before the page.
    """
    specs = [spec for spec in training if spec.kind == KIND[task]]
    selection = [min((spec for spec in specs if _two(spec.concept) == two), key=_numbered) for two in (False, True)]
    examples = tuple(worked(sets.problem(spec), spec.source) for spec in selection)
    glossary = GLOSSARY if task == "abstract" else {}
    return Page(f"{INSTRUCTIONS}/{task}", TITLES[task], TEXTS[task], task, before, examples, glossary)


def _two(concept: tuple[str, ...]) -> bool:
    return len(concept) == 2 or (concept[0].startswith("nact") and "_" in concept[0])


def _numbered(spec: sets.Spec) -> bool:
    """Return whether a concept has a name such as ``bird8``, which says less than a name without a number."""
    return any(letter.isdigit() for name in spec.concept for letter in name)


def worked(problem: Problem, source: str) -> Example:
    explain = {"ff": _free_form, "bd": _basic, "hd": _abstract}[problem.kind]
    return Example(problem, explain(problem, source))


def _free_form(problem: Problem, source: str) -> tuple[str, str]:
    picture, other = problem.positives[0], problem.negatives[0]
    shapes_ = " and ".join(_COUNTS[len(placed.program)] for placed in picture)
    number, old, new = next(
        (k + 1, first, second)
        for placed, changed in zip(picture, other, strict=True)
        for k, (first, second) in enumerate(zip(placed.program, changed.program, strict=True))
        if first != second
    )
    position = "" if len(picture) == 1 else f" of the {_which(picture, other)} shape"
    return (
        f"First group: always the same drawing, of {shapes_}.",
        f"First picture of the second group: stroke {number}{position} {_change(old, new)}.",
    )


def _which(picture: Picture, other: Picture) -> str:
    same = [first.program == second.program for first, second in zip(picture, other, strict=True)]
    return "second" if same[0] else "first"


def _change(was: Action, now: Action) -> str:
    """Return how a stroke differs, in words.

    Examples
    --------
    >>> _change(Line(1.0), Line(1.0, type="zigzag"))
    'is a zigzag, not plain'
    """
    if type(was) is not type(now):
        names = {Line: "a line", Arc: "an arc"}
        return f"is {names[type(now)]}, not {names[type(was)]}"
    if was.type != now.type:
        phrases = {"normal": "plain", "zigzag": "a zigzag"}
        words = [phrases.get(action.type, f"made of {action.type}s") for action in (now, was)]
        return f"is {words[0]}, not {words[1]}"
    if was.turn != now.turn:
        return f"begins after a turn of {now.turn:g}°, not of {was.turn:g}°"
    return "has another size"


def _basic(problem: Problem, source: str) -> tuple[str, str]:
    names = [placed.name.replace("_", " ") for placed in problem.positives[0]]
    others = [placed.name.replace("_", " ") for placed in problem.negatives[0]]
    new, old = next((other, name) for other, name in zip(others, names, strict=True) if other != name)
    return (
        f"First group: always {' and '.join(f'“{name}”' for name in names)}.",
        f"First picture of the second group: “{new}” stands in place of “{old}”.",
    )


def _abstract(problem: Problem, source: str) -> tuple[str, str]:
    labels = inventory.known(source)[problem.negatives[0][0].name].attributes
    missing = next(name for name in problem.concept if labels[name] != 1)
    concept = "; and ".join(GLOSSARY[name] for name in problem.concept)
    return f"First group: {concept}.", f"First picture of the second group: not so that {GLOSSARY[missing]}."
