"""The published painter told as a pen hears it, command by command, and a plain raster of what it drew.

Written from the facts and from nothing of the package's drawing; slow on purpose. `paint` drives a turtle that lays
lines and stamps on any canvas with ``line(start, end)`` and ``stamp(corners)``; `Ink` is one that keeps them, and
`pixels` blackens every pixel that they touch, as Ghostscript does, and scales the raster as the publishers did.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import numpy as np
from PIL import Image
from scipy.ndimage import distance_transform_edt

from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import TYPES, Arc, Line

PEN, OUTLINE = 8.0, 2.5
STAMP_SIZE = {"circle": 0.75, "square": 0.65, "triangle": 0.80}
SHAPES = {
    "circle": [(10 * math.cos(k * math.pi / 10), 10 * math.sin(k * math.pi / 10)) for k in range(20)],
    "square": [(10, -10), (10, 10), (-10, 10), (-10, -10)],
    "triangle": [(10, -5.77), (0, 11.55), (-10, -5.77)],
}


@dataclass
class Ink:
    """Lines (start, end) and stamps (corners), in the order they were laid."""

    laid: list[list[tuple[float, float]]] = field(default_factory=list)
    stamped: list[bool] = field(default_factory=list)

    def line(self, start, end) -> None:
        self.laid.append([start, end])
        self.stamped.append(False)

    def stamp(self, corners) -> None:
        self.laid.append(corners)
        self.stamped.append(True)


class Turtle:
    def __init__(self, canvas, x: float, y: float, heading: float) -> None:
        self.canvas, self.x, self.y, self.heading, self.down = canvas, x, y, heading, True

    def left(self, degrees: float) -> None:
        self.heading += degrees

    def forward(self, distance: float) -> None:
        angle = math.radians(self.heading)
        x, y = self.x + distance * math.cos(angle), self.y + distance * math.sin(angle)
        if self.down:
            self.canvas.line((self.x, self.y), (x, y))
        self.x, self.y = x, y

    def circle(self, radius: float, degrees: float, steps: int) -> None:
        """Go along a circle whose centre is on the left, by chords; backward where the degrees are negative."""
        angle = degrees / steps
        for _ in range(steps):
            self.left(angle / 2)
            self.forward(2 * radius * math.sin(math.radians(angle / 2)))
            self.left(angle / 2)

    def stamp(self, kind: str, size: float) -> None:
        ahead = math.radians(self.heading)
        right = ahead - math.pi / 2
        self.canvas.stamp([
            (
                self.x + size * (px * math.cos(right) + py * math.cos(ahead)),
                self.y + size * (px * math.sin(right) + py * math.sin(ahead)),
            )
            for px, py in SHAPES[kind]
        ])  # fmt: skip


def paint(picture, canvas, stamp_pitch: float = 20, zigzag_pitch: float = 17, magnify: bool = True) -> list[list]:
    """Paint a picture; return for each shape where the turtle was, and looked, at first and after each action."""
    rows = []
    for placed in picture:
        at = placed.at
        grown = at.scale / 180 if magnify else 1
        turtle = Turtle(canvas, at.x, at.y, at.heading)
        rows.append([(at.x, at.y, at.heading)])
        for action in placed.program:
            turtle.left(action.turn)
            turtle.down = action.type not in SHAPES
            pitch = grown * (zigzag_pitch if action.type == "zigzag" else stamp_pitch)
            if isinstance(action, Line):
                _line(turtle, action.type, action.length * at.scale, pitch, grown)
            else:
                _arc(turtle, action, at.scale, pitch, grown)
            rows[-1].append((turtle.x, turtle.y, turtle.heading))
    return rows


def _line(turtle: Turtle, kind: str, length: float, pitch: float, grown: float) -> None:
    if kind == "normal":
        turtle.forward(length)
        return
    repeats = rounded(length / pitch)
    piece = length / repeats
    for _ in range(repeats):
        if kind == "zigzag":
            for turn, share in ((60, 0.5), (-120, 1), (120, 0.5)):
                turtle.left(turn)
                turtle.forward(share * piece)
            turtle.left(-60)
        else:
            turtle.stamp(kind, STAMP_SIZE[kind] * grown)
            turtle.forward(piece)
    if kind in SHAPES:
        turtle.stamp(kind, STAMP_SIZE[kind] * grown)


def _arc(turtle: Turtle, arc: Arc, scale: float, pitch: float, grown: float) -> None:
    radius, left_over = arc.radius * scale, abs(arc.sweep)
    sign = -1 if arc.sweep < 0 else 1
    while True:
        piece = min(90, left_over)
        left_over -= piece
        if arc.type == "normal":
            turtle.circle(radius, sign * piece, 1 + int(min(11 + radius / 6, 59) * piece / 360))
        else:
            repeats = rounded(piece / (pitch / (2 * math.pi * radius) * 360))
            for _ in range(repeats):
                if arc.type == "zigzag":
                    _tooth(turtle, radius, sign * piece / repeats / 2)
                else:
                    turtle.stamp(arc.type, STAMP_SIZE[arc.type] * grown)
                    turtle.circle(radius, sign * piece / repeats, 1)
        if arc.type in SHAPES:
            turtle.stamp(arc.type, STAMP_SIZE[arc.type] * grown)
        if left_over <= 0:
            return


def _tooth(turtle: Turtle, radius: float, half: float) -> None:
    side = 2 * radius * math.sin(math.radians(half / 2))
    for off in (-60, 60):
        turtle.left(half / 2 + off)
        turtle.forward(side)
        turtle.left(-2 * off)
        turtle.forward(side)
        turtle.left(off + half / 2)


def rounded(number: float) -> int:
    return max(1, math.floor(number + 0.5))


RASTER, SIZE = 565, 512  # pixels a side: as the window was exported, and as the pictures were published
ASKED = np.linspace(0, 1, 5)  # where in a pixel, across and down, it is asked whether there is ink


def pixels(ink: Ink, pen: float = PEN, outline: float = OUTLINE) -> np.ndarray:
    """Return (512, 512) uint8: every pixel that ink touches black, a stamp's inside white; then made smaller."""
    black, zoom = np.zeros((RASTER, RASTER), bool), RASTER / SIZE
    for corners, stamped in zip(ink.laid, ink.stamped, strict=True):
        points = [((257.5 + 0.6522 * x) * zoom, (257.8 - 0.6522 * y) * zoom) for x, y in corners]
        half = 0.6522 * zoom * (outline if stamped else pen) / 2
        (left, right), (top, bottom) = [
            (max(0, int(min(p) - half)), min(RASTER, int(max(p) + half) + 1)) for p in zip(*points, strict=True)
        ]
        if left >= right or top >= bottom:
            continue
        part = black[top:bottom, left:right]
        y = np.add.outer(np.arange(top, bottom), ASKED)[:, None, :, None]
        x = np.add.outer(np.arange(left, right), ASKED)[None, :, None, :]
        sides = list(zip(points, points[1:] + points[:1], strict=True)) if stamped else [points]
        if stamped:
            crossed = [
                ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * ((x1 - x0) / (y1 - y0) if y1 != y0 else 0.0))
                for (x0, y0), (x1, y1) in sides
            ]
            part[np.logical_xor.reduce(crossed).any(axis=(2, 3))] = False
        for start, end in sides:
            part |= (_near(x, y, start, end) <= half).any(axis=(2, 3))
    smaller = Image.fromarray(np.where(black, 0, 255).astype(np.uint8)).resize((SIZE, SIZE), Image.Resampling.BICUBIC)
    return np.asarray(smaller)


def _near(x: np.ndarray, y: np.ndarray, start, end) -> np.ndarray:
    """Return how far points are from a segment."""
    (x0, y0), (x1, y1) = start, end
    length = (x1 - x0) ** 2 + (y1 - y0) ** 2
    along = np.clip(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length, 0, 1) if length else 0.0
    return np.hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0))


def agreement(one: np.ndarray, other: np.ndarray, within: float = 1.5) -> float:
    """Return the share of ink that has ink of the other picture near, of the picture where that is less."""
    dark = one < 128, other < 128
    return min((distance_transform_edt(~b)[a] <= within).mean() for a, b in (dark, dark[::-1]))


def any_picture(seed: int):
    """Return a picture with anything in it: one shape or two, all types, both signs, scales 80 to 320, on the paper."""
    rng = random.Random(seed)
    return tuple(_any_shape(rng) for _ in range(rng.choice((1, 2))))


def _any_shape(rng: random.Random) -> Placed:
    while True:
        program = tuple(_any_action(rng) for _ in range(rng.randint(1, 9)))
        x, y, heading = rng.uniform(-250, 250), rng.uniform(-250, 250), rng.uniform(0, 360)
        placed = Placed(program, Placement(x, y, heading, rng.uniform(80, 320)))
        (rows,) = paint((placed,), Ink())
        if all(abs(value) <= 360 for row in rows for value in row[:2]):
            return placed


def _any_action(rng: random.Random) -> Line | Arc:
    turn, kind = rng.uniform(-180, 180), rng.choice(TYPES)
    if rng.random() < 0.5:
        return Line(rng.uniform(0.07, 1), turn, kind)
    return Arc(rng.uniform(0.07, 0.8), rng.choice((90.0, -90.0, 180.0, rng.uniform(-360, 360))), turn, kind)
