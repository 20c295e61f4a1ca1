"""A browser of problems: select a set by type and concept, open a picture, and see its programs."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import traitlets

from cogkit.bongard.logo.pictures import Placed
from cogkit.bongard.logo.programs import write_program
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import A_SIDE, KINDS, SIDES
from cogkit.bongard.shapes import attributes, inventory
from cogkit.bongard.views import style
from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.ui.files import script
from cogkit.ui.widget import Explorer

SIZE = 256  # pixels of a picture on the page
_MEASURED = "Attributes measured from the strokes; open are those that are measured with more errors."
_TABLE = "Attributes as labelled in the {} shapes; open are those that do not apply to a shape."


class Browser(Explorer):
    """Browse the problems of a set: seven pictures with the concept, seven without it.

    A problem is made on request. Its concept is shown on request: before that, neither the page nor the texts of the
    pictures reveal it. ``problem`` is the current one. Clicks call `browse`, `go`, `turn`, `any`, `look_at` and
    `reveal`. ``kind`` is a key of `problems.KINDS`; ``n``, ``seed`` and ``source`` are settings of the set, see
    `sets.specs`.

    Notes
    -----
    Keys: arrows, Home and End move between the pictures, Enter or Space opens one; N and P go to the next and the
    previous problem, A to a random one, C shows the concept.

    Examples
    --------
    >>> browser = Browser("ff", n=40, source="catalogue")
    >>> browser.turn()
    'Problem 2 of 12.'
    >>> browser.reveal()
    'The concept: the free-form shape of 5 strokes.'
    """

    _esm = script(__file__, "base.js", "asker.js", "transport.js", "pen.js", "frame.js", "browser.js")
    _css = script(__file__, "base.css", "look.css", "browser.css")
    steps = ("change", "turn", "go", "any", "reveal", "look")
    choices = traitlets.Dict().tag(sync=True)  # the concepts of this type
    pictures = traitlets.List().tag(sync=True)  # of the problem, two sides of seven

    def __init__(
        self, kind: str = "ff", profile: str = "verified", n: int | None = None, seed: int = 0, source: str = "any"
    ) -> None:
        super().__init__()
        self.known = inventory.available(source)
        self._rng = seeding.stream(seed, "bongard/browser")
        self._set = {"n": n, "seed": seed, "source": self.known.source}
        self.kind = self.profile = self.concept = ""
        self.still = {
            "kinds": [[key, words.capitalize()] for key, words in KINDS.items()],
            "profiles": [["verified", "verified"], ["as_published", "as published"]],
        }
        self.browse(kind=kind, profile=profile)

    def browse(self, kind: str | None = None, concept: str | None = None, profile: str | None = None) -> str:
        """Go to the first problem of a type, concept and profile; by default each stays. Return the status line.

        ``concept`` is part of a problem's concept: a configuration of strokes (``nact3_5``), a shape, or an attribute;
        "" selects every problem of the type. If anything is unknown, it raises `InputError` and changes nothing.
        """
        kind = presets.choose(self.kind if kind is None else kind, KINDS, "type of problem")
        profile = presets.profile(self.profile if profile is None else profile)
        same = (kind, profile) == (self.kind, self.profile)
        pool = self._pool if same else [spec for spec in sets.specs(profile, **self._set) if spec.kind == kind]
        concepts = dict.fromkeys(name for spec in pool for name in spec.concept)
        if concept is None:
            concept = self.concept if kind == self.kind and self.concept in concepts else ""
        if concept:
            presets.choose(concept, concepts, f"concept of {KINDS[kind]} problems of this set")
        specs = [spec for spec in pool if not concept or concept in spec.concept]
        self._pool, self._specs, self.kind, self.profile, self.concept = pool, specs, kind, profile, concept
        if not same:
            self.choices = {"all": f"any of {len(concepts):,}", "groups": self._groups(concepts)}
        return self.go(1)

    def change(self, choice: Mapping[str, str]) -> str:
        """Do what `browse` does, for a list of the page."""
        return self.browse(**choice)

    def go(self, number: int) -> str:
        """Go to a problem by its number in the list, from 1. Return the status line."""
        if number not in range(1, len(self._specs) + 1):
            raise InputError(f"problem {number}", f"a number between 1 and {len(self._specs)}")
        self._at, self._open, self._shows_concept = int(number) - 1, None, False
        self.problem = sets.problem(self._specs[self._at])
        self.pictures = [[style.uri(picture, SIZE) for picture in side] for side in self.problem.sides]
        return self._draw(f"Problem {number} of {len(self._specs):,}.")

    def turn(self, by: int = 1) -> str:
        """Go forwards or back by some problems, within the list. Return the status line."""
        return self.go(min(max(self._at + 1 + int(by), 1), len(self._specs)))

    def any(self, _: bool = True) -> str:
        """Go to a random problem. Return the status line."""
        return self.go(int(self._rng.integers(len(self._specs))) + 1)

    def look_at(self, side: int, place: int) -> str:
        """Show a large picture of a side (0 positive, 1 negative), with its programs. Return the status line."""
        if side not in (0, 1) or place not in range(A_SIDE):
            raise InputError(f"side {side}, place {place}", f"side 0 or 1 and a place between 0 and {A_SIDE - 1}")
        self._open = (int(side), int(place))
        return self._draw(f"{style.where(*self._open)} is opened below.")

    def look(self, spot: tuple[int, int]) -> str:
        """Do what `look_at` does, for a picture of the page."""
        return self.look_at(*spot)

    def reveal(self, visible: bool = True) -> str:
        """Show or hide the concept. Return the status line."""
        self._shows_concept = bool(visible)
        return self._draw(f"The concept: {style.concept(self.problem)}." if visible else "The concept is hidden.")

    def to_frame(self) -> pd.DataFrame:
        """Return a table of what is drawn, one row for each shape.

        Columns side, picture and shape (from 1), name, strokes, x, y, heading, scale, program.
        """
        rows = [
            {
                "side": SIDES[side], "picture": place + 1, "shape": number, "name": part.name,
                "strokes": len(part.program), "x": part.at.x, "y": part.at.y, "heading": part.at.heading,
                "scale": part.at.scale, "program": write_program(part.program),
            }
            for side, seven in enumerate(self.problem.sides)
            for place, picture in enumerate(seven)
            for number, part in enumerate(picture, start=1)
        ]  # fmt: skip
        return pd.DataFrame(rows)

    def _groups(self, known: Mapping[str, None]) -> list:
        """Return the concepts to choose from: shapes in groups by their super class, others in one group."""
        if self.kind != "bd":
            return [["", [[name, style.condition(self.kind, name)] for name in known]]]
        grouped: dict[str, list] = {}
        for name in sorted(known):
            grouped.setdefault(self.known[name].super_class, []).append(name)
        return [[label, names] for label, names in grouped.items()]

    def _draw(self, status: str) -> str:
        problem, solved = self.problem, self._shows_concept
        self.scene = {
            "kind": self.kind, "profile": self.profile, "concept": self.concept, "status": status,
            "place": self._at + 1, "count": len(self._specs),
            "told": style.concept(problem) if solved else "", "name": problem.name if solved else "",
            "alts": [[style.alt(problem, side, place, solved) for place in range(A_SIDE)] for side in (0, 1)],
            "opened": self._large_picture() if self._open else None,
        }  # fmt: skip
        return status

    def _large_picture(self) -> dict:
        side, place = self._open
        picture = self.problem.sides[side][place]
        parts = [self._shape_facts(part, number) for number, part in enumerate(picture, start=1)]
        return {
            "side": side, "place": place, "strokes": style.strokes(picture), "view": style.frame(picture),
            "alt": style.alt(self.problem, side, place, self._shows_concept), "shapes": parts,
            "note": _MEASURED if self.kind == "ff" else _TABLE.format(self.known.source),
        }  # fmt: skip

    def _shape_facts(self, part: Placed, number: int) -> dict:
        """Return what is shown about one shape. Its name may be the concept, so it waits until the concept is shown."""
        title = f"Shape {number}, {len(part.program)} strokes"
        measured = {} if part.name else attributes.compute(part.program)
        labels = {name: label if name in attributes.CERTIFIED else -1 for name, label in measured.items()}
        labels = self.known[part.name].attributes if part.name else labels
        concept = set(self.problem.concept) if self._shows_concept else set()
        yes, unknown = (
            [[style.attribute(name), name in concept] for name, label in labels.items() if label == value]
            for value in (1, -1)
        )
        return {
            "title": f"{title}: {part.name}" if self._shows_concept and part.name else title,
            "actions": [[style.words(action), style.write(action)] for action in part.program],
            "yes": yes, "open": unknown,
        }  # fmt: skip
