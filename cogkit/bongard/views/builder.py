"""A builder of shapes: edit strokes by sliders or strings, see the drawing and its attributes."""

from __future__ import annotations

from dataclasses import asdict, replace
from numbers import Real

import traitlets

from cogkit.bongard.logo.pictures import Placed
from cogkit.bongard.logo.programs import TYPES, Action, Arc, Line, Program, parse_program, validate, write_program
from cogkit.bongard.shapes import attributes, inventory
from cogkit.bongard.views import style
from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.ui.files import script
from cogkit.ui.widget import Explorer

MOST = 12  # strokes; the published shapes have at most nine
RANGES = {"turn": (-180, 180, 1), "size": (0.05, 1, 0.01), "sweep": (-360, 360, 1)}
FIELDS = ("kind", "type", *RANGES)
_BEGIN = (Line(0.6), Line(0.6, 90.0), Line(0.6, 90.0), Line(0.6, 90.0))
_SWEEP = 90.0  # default for a line that becomes an arc


class Builder(Explorer):
    """Build a shape: choose a stroke and move its sliders; add, remove and reorder strokes; or type the strings.

    The picture and its attributes update at once. `attributes.compute` measures the attributes. Those that it measures
    well enough to certify labels are listed separately. Clicks call `set`, `add`, `remove`, `move`, `choose`, `start`
    and `paste`. ``program`` is a square by default; ``known`` are the shapes that one can start from, see
    `inventory.available`. ``attributes`` are those measured: 1 has it, 0 does not have it, -1 not applicable. Raises an
    `InputError` that names the faulty action if the program cannot be drawn.

    Notes
    -----
    Strokes are counted from 1 in the list and in error messages. Keys: on the list arrows, Home and End choose; A adds
    a stroke after the chosen one, Delete removes it, < and > move it. Sliders have the keys of the browser.

    Examples
    --------
    >>> builder = Builder((Line(0.5), Line(0.5, 120.0)))
    >>> builder.add().set(1, type="zigzag").strings[0]
    'line_zigzag_0.500-0.500'
    """

    _esm = script(__file__, "base.js", "asker.js", "transport.js", "pen.js", "builder.js")
    _css = script(__file__, "base.css", "look.css", "builder.css")
    steps = ("add", "earlier", "later", "remove", "choose", "start", "paste")
    facts = traitlets.List().tag(sync=True)  # measured attributes, in groups
    answered = traitlets.Int(0).tag(sync=True)  # number of messages handled

    def __init__(self, program: Program = _BEGIN, known: inventory.Shapes | None = None) -> None:
        super().__init__()
        self._known = known or inventory.available()
        self.program, self.chosen, self._written = validate(program), 1, 0
        self.attributes: dict[str, int] = {}
        starts = [members[0].name for members in self._known.super_classes.values()]
        self.still = {"types": TYPES, "ranges": RANGES, "starts": starts, "most": MOST}
        self._draw("Choose a stroke and move its sliders.")
        self._measure()

    @property
    def strings(self) -> list[str]:
        """The shape as published strings."""
        return write_program(self.program)

    def set(self, stroke: int, **fields) -> Builder:
        """Change a stroke.

        Strokes count from 1. Fields: ``kind`` (line or arc), ``type``, ``turn`` and ``sweep`` in degrees, ``size``
        (length or radius). If one is not allowed, it raises `InputError` and changes nothing.
        """
        place = self._place(stroke)
        for name, value in fields.items():
            presets.choose(name, FIELDS, "field of a stroke")
            if name in RANGES and not isinstance(value, Real):
                raise InputError(f"{value!r} as {name} of stroke {stroke}", "a number")
        action = _changed(self.program[place], **fields)
        changes = ", ".join(f"{name} {value}" for name, value in fields.items())
        return self._use(
            (*self.program[:place], action, *self.program[place + 1 :]), place + 1, f"Stroke {stroke}: {changes}."
        )

    def add(self, after: int | None = None, action: Action | None = None) -> Builder:
        """Add a stroke after the chosen one, or after another (0: before all); by default the chosen one 90° left."""
        place = self.chosen if after is None else after if after == 0 else self._place(after) + 1
        action = action or replace(self.program[self.chosen - 1], turn=90.0)
        return self._use(
            (*self.program[:place], action, *self.program[place:]), place + 1, f"Stroke {place + 1} added."
        )

    def remove(self, stroke: int) -> Builder:
        """Remove a stroke."""
        place = self._place(stroke)
        left = (*self.program[:place], *self.program[place + 1 :])
        return self._use(left, max(1, min(stroke, len(left))), f"Stroke {stroke} removed.")

    def earlier(self, stroke: int) -> Builder:
        """Move a stroke before the one before it."""
        return self.move(stroke, -1)

    def later(self, stroke: int) -> Builder:
        """Move a stroke behind the next one."""
        return self.move(stroke, 1)

    def move(self, stroke: int, by: int) -> Builder:
        """Move a stroke later by some places, or earlier if negative, within the program."""
        place = self._place(stroke)
        left = [*self.program[:place], *self.program[place + 1 :]]
        to = min(max(place + int(by), 0), len(left))
        left.insert(to, self.program[place])
        return self._use(tuple(left), to + 1, f"Stroke {stroke} is now stroke {to + 1}.")

    def choose(self, stroke: int) -> str:
        """Choose the stroke for the sliders. Return its action in words."""
        self.chosen = self._place(stroke) + 1
        message = f"Stroke {self.chosen}: {style.words(self.program[self.chosen - 1])}."
        self._draw(message)
        return message

    def start(self, name: str) -> Builder:
        """Start again from a known shape."""
        return self._use(self._known[name].program, 1, f"Begun with {name}.")

    def paste(self, text: str) -> Builder:
        """Start again from published strings, one per line. Quotes, commas and brackets around them are allowed.

        If a string is wrong, it raises an `InputError` that gives the action and the character in it, and changes
        nothing.
        """
        lines = [line.strip(" \t\r\"'[],") for line in str(text).splitlines()]
        return self._use(parse_program([line for line in lines if line]), 1, "Drawn from the strings.")

    def _place(self, stroke: int) -> int:
        if stroke not in range(1, len(self.program) + 1):
            raise InputError(f"stroke {stroke}", f"one of the {len(self.program)} strokes, counted from 1")
        return int(stroke) - 1

    def _use(self, program: Program, chosen: int, status: str) -> Builder:
        if len(program) > MOST:
            raise InputError(f"{len(program)} strokes", f"at most {MOST}")
        self.program, self.chosen = validate(program), chosen
        self._written += 1
        self._draw(status)  # first, because measuring takes longer
        self._measure()
        return self

    def _draw(self, status: str, fault: str = "") -> None:
        picture = (Placed(self.program),)
        rows = style.strokes(picture)
        for row, action in zip(rows, self.program, strict=True):
            row["action"] = _fields(action)
        self.scene = {
            "strokes": rows, "chosen": self.chosen, "view": style.frame(picture), "written": self._written,
            "status": status, "fault": fault, "alt": f"Your shape, {len(rows)} strokes; stroke {self.chosen} is marked",
        }  # fmt: skip

    def _measure(self) -> None:
        before, self.attributes = self.attributes, attributes.compute(self.program)
        new = {name for name, value in self.attributes.items() if before and before[name] != value}
        sure = [name for name in self.attributes if name in attributes.CERTIFIED]
        others = [name for name in self.attributes if name not in attributes.CERTIFIED]
        titles = ("Measured, and certain enough for labels", "Measured, with more errors")
        self.facts = [
            {"title": title, "rows": [[style.attribute(name), self.attributes[name], name in new] for name in names]}
            for title, names in zip(titles, (sure, others), strict=True)
        ]

    def _receive(self, _, message, __) -> None:
        try:
            self._act(message)
        except InputError as error:
            pasted = "paste" in message
            self._draw(
                "The strings cannot be drawn." if pasted else f"Not done: {error}.", f"{error}." if pasted else ""
            )
        finally:
            self.answered += 1

    def _act(self, message: dict) -> None:
        if "set" in message:
            self.set(message.get("stroke"), **{str(message["set"]): message.get("to")})
        else:
            super()._act(message)


def _fields(action: Action) -> dict:
    """Return an action as values for the sliders."""
    values = {"kind": "line", "sweep": 0.0} | asdict(action)
    if isinstance(action, Arc):
        values["kind"] = "arc"
    size = values.pop("radius" if isinstance(action, Arc) else "length")
    return values | {"size": round(size, 4), "turn": round(action.turn, 2), "sweep": round(values["sweep"], 2)}


def _changed(action: Action, **fields) -> Action:
    """Return an action with some fields changed, as a line or an arc. The numbers are not checked."""
    values = _fields(action) | {"size": action.radius if isinstance(action, Arc) else action.length}
    values |= {"turn": action.turn, "sweep": action.sweep if isinstance(action, Arc) else _SWEEP} | fields
    presets.choose(values["kind"], ("line", "arc"), "kind of stroke")
    size, turn, type_ = values["size"], values["turn"], values["type"]
    return Line(size, turn, type_) if values["kind"] == "line" else Arc(size, values["sweep"], turn, type_)
