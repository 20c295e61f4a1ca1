"""What a concept search saw in pictures, and which concepts it holds, beside the pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from cogkit.bongard.learners.lessons import STROKES, TAUGHT
from cogkit.bongard.logo.pictures import Picture, Placed
from cogkit.bongard.logo.programs import Program
from cogkit.bongard.problems.records import KINDS, SIDES, SUPPORT, Problem
from cogkit.bongard.views import style
from cogkit.bongard.views.figures import Sheet
from cogkit.bongard.views.learner_figures import question_sheet, told_sides
from cogkit.ui.tables import Table, folded, readable

if TYPE_CHECKING:  # torch, which pages do without
    from cogkit.bongard.learners.reasoners import Thoughts

_SIZE = 84  # pixels of a picture, with room for a caption
_HALF = 0.5


def thoughts(made: Thoughts, problems: Sequence[Problem]) -> list[Sheet]:
    """Return a sheet for each problem, with what was seen below each picture.

    The concept, the concepts that the learner holds, and its answers wait in a closed fold. ``made`` is what
    `reasoners.Searcher.thoughts` makes of these problems.
    """
    return [_sheet(made, number, problem) for number, problem in enumerate(problems)]


def _sheet(made: Thoughts, number: int, problem: Problem) -> Sheet:
    seen = made.seen[made.seen.problem == number]
    rows = seen.to_dict("records")
    captions = {(SIDES.index(row["side"]), row["place"]): lines_and_arcs(row) for row in rows}
    hidden = folded(
        "Show the concept, what it thought, and its answers", f"The concept: {style.conditions(problem)}.",
        held(made, number), *told_sides(problem, made.chances[number].tolist(), "It"), *_attributes(seen),
        "Strokes that it saw, by their kinds:", _kinds(rows),
    )  # fmt: skip
    title = f"{KINDS[problem.kind].capitalize()} problem: what it saw"
    return question_sheet(problem, title, hidden, captions, _SIZE)


def held(made: Thoughts, number: int = 0) -> Table:
    """Return the concepts that the learner holds of a problem, with their posterior, the surest first."""
    rows = made.concepts[made.concepts.problem == number]
    return readable(rows.assign(concept=rows.concept.map(concept_in_words))[["concept", "posterior"]])


def concept_in_words(concept: Iterable[str]) -> str:
    """Return a concept of the search in words.

    Examples
    --------
    >>> concept_in_words(("has_curve", "necked")), concept_in_words(("the same figure",))
    ('has curve and necked', 'the same figure')
    """
    return " and ".join(map(style.attribute, concept))


def strokes_in_words(row: dict) -> str:
    """Return how many strokes of each kind were seen, from a row of `perception.reported`.

    Examples
    --------
    >>> strokes_in_words(dict.fromkeys(STROKES, 0) | {"line normal": 2.1, "arc zigzag": 0.9, "line circle": 0.3})
    '2 lines, 1 zigzag arc'
    """
    parts = []
    for name in STROKES:
        kind, type_ = name.split()
        if count := round(row[name]):
            noun = f"{kind}{'s' * (count > 1)}"
            words = {"normal": noun, "zigzag": f"zigzag {noun}"}.get(type_, f"{noun} of {type_}s")
            parts.append(f"{count} {words}")
    return ", ".join(parts) or "no stroke"


def lines_and_arcs(row: dict) -> str:
    """Return how many lines and arcs were seen, of whatever kind, from a row of `perception.reported`.

    Examples
    --------
    >>> lines_and_arcs(dict.fromkeys(STROKES, 0) | {"line normal": 2.1, "line circle": 0.9, "arc zigzag": 0.9})
    '3 lines, 1 arc'
    """
    counts = {noun: sum(round(row[name]) for name in STROKES if name.startswith(noun)) for noun in ("line", "arc")}
    return ", ".join(f"{n} {noun}{'s' * (n > 1)}" for noun, n in counts.items() if n) or "no stroke"


def _kinds(rows: Sequence[dict]) -> Table:
    """Return the strokes that were seen in each picture of the support."""
    support = [row for row in rows if row["place"] < SUPPORT]
    words = {"picture": [f"{row['side']} {row['place'] + 1}" for row in support]}
    return readable(pd.DataFrame(words | {"strokes": [strokes_in_words(row) for row in support]}))


def _attributes(seen: pd.DataFrame) -> list[str]:
    """Return a sentence on the attributes that most positives were seen to have, if pictures have one shape."""
    one = seen[(seen.shapes == 1) & (seen.side == SIDES[0]) & (seen.place < SUPPORT)]
    if one.empty:
        return []
    counts = (one[list(TAUGHT)] > _HALF).sum()
    common = [f"{style.attribute(name)} ({n} of {len(one)})" for name, n in counts.items() if n > len(one) / 2]
    return [f"Attributes that it saw in most positives: {', '.join(common) or 'none'}."]


def with_query(problem: Problem, drawn: Program | Sequence[str] | Placed | Picture) -> Problem:
    """Return a problem in which a drawing of one's own takes the place of the seventh positive."""
    return replace(problem, positives=(*problem.positives[:SUPPORT], style.as_picture(drawn)))


def own(made: Thoughts, problem: Problem) -> Sheet:
    """Return what a concept search makes of one's own shape: what it saw, and the answer that it gives.

    ``made`` are the thoughts on the ``problem`` alone, which comes from `with_query`.
    """
    (row,) = made.seen[(made.seen.side == SIDES[0]) & (made.seen.place == SUPPORT)].to_dict("records")
    has = [style.attribute(name) for name in TAUGHT if row[name] > _HALF]
    (chance, _), *_ = made.chances.tolist()
    description = f"It saw {strokes_in_words(row)}."
    surely = f"It would say that your shape has: {', '.join(has) or 'none of its attributes'}."
    answer = f"Its chance that your shape is a positive of this problem: {chance:.2f}."
    hidden = folded("Show why", surely, held(made))
    picture = (problem.positives[SUPPORT], f"{description} {answer}", "Your shape")
    return Sheet({"": [picture]}, "Your shape, seen by taught eyes", 216, columns=1, hidden=hidden)
