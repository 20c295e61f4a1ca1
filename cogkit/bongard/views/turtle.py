"""A program drawn stroke by stroke: each action in words, and the movement of the pen."""

from __future__ import annotations

import traitlets

from cogkit.bongard.logo import geometry
from cogkit.bongard.logo.pictures import Placed
from cogkit.bongard.views import style
from cogkit.ui.files import script
from cogkit.ui.player import Player

SPEEDS = (0.5, 1.0, 2.0, 4.0)  # strokes a second


class Turtle(Player):
    """Watch a pen draw a program: play it, step through it, or go to any action.

    All strokes are sent at once, so moving between them needs no kernel. A picture stays where it was placed on its
    paper; a program alone, or its published strings, fills the frame. Raises an `InputError` that names the faulty
    action if ``drawn`` cannot be drawn.

    Notes
    -----
    Keys: arrows move by one stroke, Home goes to the empty paper, End to the whole drawing, Space plays. If the system
    asks for reduced motion, strokes appear at once.

    Examples
    --------
    >>> turtle = Turtle(["line_normal_1.000-0.500", "arc_zigzag_0.500_0.625-0.750"])
    >>> turtle.show(2)
    'Stroke 2 of 2: left 90°, zigzag arc 90° at radius 0.5. Heading 180°.'
    """

    _esm = script(__file__, "base.js", "transport.js", "pen.js", "turtle.js")
    _css = script(__file__, "base.css", "transport.css", "look.css", "turtle.css")
    still = traitlets.Dict().tag(sync=True)  # constants: strokes, their words, the frame
    noun, start = "stroke", "the empty paper"
    position = traitlets.Int(0).tag(sync=True)  # strokes drawn
    speed = traitlets.Enum(SPEEDS, 1.0).tag(sync=True)

    def __init__(self, drawn, title: str = "A program") -> None:
        self.picture = style.as_picture(drawn)
        placed = isinstance(drawn, Placed) or isinstance(drawn[0], Placed)
        rows = style.strokes(self.picture)
        self._headings = [heading for part in self.picture for heading in geometry.trace(part)[1:, 2]]
        first = self.picture[0].at
        super().__init__(
            still={
                "title": title,
                "view": style.paper() if placed else style.frame(self.picture),
                "strokes": rows,
                "start": [round(first.x, 1), round(-first.y, 1), round(-first.heading, 2)],
                "said": [self._sentence(k, rows) for k in range(len(rows) + 1)],
            }
        )

    @property
    def last(self) -> int:
        """The number of strokes."""
        return len(self.still["strokes"])

    @property
    def status(self) -> str:
        """The last action of the pen, as in the line under the drawing."""
        return self.still["said"][self.position]

    def _sentence(self, position: int, rows: list[dict]) -> str:
        if position == 0:
            heading = style.number(self.picture[0].at.heading % 360)
            return f"The pen is put down, heading {heading}° (0° is right, 90° up)."
        begins = position - 1 == len(self.picture[0].program) and len(self.picture) > 1
        anew = "the pen is put down anew; " if begins else ""
        heading = style.number(self._headings[position - 1] % 360)
        return f"Stroke {position} of {len(rows)}: {anew}{rows[position - 1]['words']}. Heading {heading}°."
