"""Instructions before each type of problem: its concepts, and worked examples (Nie et al. 2020, § 3.3).

The authors did not publish their own pages; these are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cogkit.bongard.logo.programs import Action, Arc, Line
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import Problem
from cogkit.bongard.shapes import inventory
from cogkit.core.study import Page
from cogkit.data.facts import texts
from cogkit.study.sitting import INSTRUCTIONS

KIND = {"FF": "ff", "BA": "bd", "abstract": "hd"}
_TEXTS = texts(__file__)
PROMPT, PROMPTS, TITLES, GLOSSARY = (_TEXTS[name] for name in ("prompt", "prompts", "titles", "glossary"))
_COUNTS = ("", "one stroke", *(f"{n} strokes" for n in "two three four five six seven eight nine".split()))


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

    ``training`` is the source of the examples, so that none of them is asked later; ``before`` is the number of
    problems before the page.
    """
    specs = [spec for spec in training if spec.kind == KIND[task]]
    # A name such as ``bird8`` says less than a name without a number.
    specs = sorted(specs, key=lambda spec: any(letter.isdigit() for name in spec.concept for letter in name))
    selection = [next(spec for spec in specs if _two(spec.concept) == two) for two in (False, True)]
    examples = tuple(worked(sets.problem(spec), spec.source) for spec in selection)
    glossary = GLOSSARY if task == "abstract" else {}
    return Page(f"{INSTRUCTIONS}/{task}", TITLES[task], tuple(_TEXTS["texts"][task]), task, before, examples, glossary)


def _two(concept: tuple[str, ...]) -> bool:
    return len(concept) == 2 or (concept[0].startswith("nact") and "_" in concept[0])


def worked(problem: Problem, source: str) -> Example:
    explain = {"ff": _free_form, "bd": _basic, "hd": _abstract}[problem.kind]
    return Example(problem, explain(problem, source))


def _free_form(problem: Problem, source: str) -> tuple[str, str]:
    picture, other = problem.positives[0], problem.negatives[0]
    shapes_ = " and ".join(_COUNTS[len(placed.program)] for placed in picture)
    shape, number, old, new = next(
        (shape, k + 1, first, second)
        for shape, placed, changed in zip(("first", "second"), picture, other, strict=False)
        for k, (first, second) in enumerate(zip(placed.program, changed.program, strict=True))
        if first != second
    )
    position = "" if len(picture) == 1 else f" of the {shape} shape"
    return (
        f"First group: always the same drawing, of {shapes_}.",
        f"First picture of the second group: stroke {number}{position} {_change(old, new)}.",
    )


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
    labels = inventory.available(source)[problem.negatives[0][0].name].attributes
    missing = next(name for name in problem.concept if labels[name] != 1)
    concept = "; and ".join(GLOSSARY[name] for name in problem.concept)
    return f"First group: {concept}.", f"First picture of the second group: not so that {GLOSSARY[missing]}."
