"""Open shapes, and shapes of two parts or with lines that cross: chains, spirals, letters, flags, keys, pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cogkit.bongard.shapes.catalogue.pen import Pen, closed, polar, way


def zigzag(n: int, angle: float, lengths: Sequence[float] = (1.0,)) -> Pen:
    """Return n lines with corners of an angle, turned left and right by turns; lengths in turn."""
    places, heading = [0j], (180 - angle) / 2
    for k in range(n):
        places.append(places[-1] + polar(lengths[k % len(lengths)], heading if k % 2 == 0 else -heading))
    return way(places)


def spiral(n: int, turn: float, first: float = 1.0, less: float = 0.1) -> Pen:
    """Return n lines that always turn by the same angle, each shorter than the one before by ``less``."""
    places = [0j]
    for k in range(n):
        places.append(places[-1] + polar(first - less * k, turn * k))
    return way(places)


def pair(one: Pen, other: Pen, share: float, angle: float = 180.0) -> Pen:
    """Return two closed shapes that touch where both begin; the other has a ``share`` of the area and is turned."""
    grown, pen = math.sqrt(share * _area(one) / _area(other)), Pen(0)
    for shape, turn in ((one, 1 + 0j), (other, polar(grown, angle))):
        for move in shape.moves:
            if move.sweep:
                pen.about((move.centre - shape.moves[0].start) * turn, move.sweep)
            else:
                pen.to((move.end - shape.moves[0].start) * turn)
    return pen


def _area(shape: Pen) -> float:
    places = [place for move in shape.moves for place in move.points()[:-1]]
    after = [*places[1:], places[0]]
    return abs(sum((a.conjugate() * b).imag for a, b in zip(places, after, strict=True))) / 2


def disc() -> Pen:
    """Return a circle through the origin, on the right."""
    return Pen(0).about(0.5, 360)


def leaf(angle: float) -> Pen:
    """Return a lens that points at the origin, on the right."""
    return Pen(0).bow(1, angle).bow(0, angle)


def wedge(angle: float) -> Pen:
    """Return a sector with its centre at the origin."""
    return Pen(0).to(polar(1, -angle / 2)).about(0, angle).to(0)


def fan(angle: float, length: float = 1.0) -> Pen:
    """Return a triangle with two even sides that meet at the origin."""
    return closed([0, polar(length, -angle / 2), polar(length, angle / 2)])


def box(width: float = 1.0) -> Pen:
    """Return a rhombus with a corner at the origin, a square at a width of one."""
    return closed([0, 0.5 - 0.5j * width, 1, 0.5 + 0.5j * width])


def moon() -> Pen:
    """Return a half disc with the middle of its straight side at the origin."""
    return Pen(0).to(-0.5j).bow(0.5j, 180).to(0)


ZIGZAGS = {
    "vee_chain": zigzag(2, 40),
    "zed_chain": zigzag(3, 40),
    "zed_chain_wide": zigzag(3, 100),
    "em_chain": zigzag(4, 55),
    "five_chain": zigzag(5, 75),
    "six_chain": zigzag(6, 60),
    "seven_chain": zigzag(7, 90),
    "eight_chain": zigzag(8, 50),
    "nine_chain": zigzag(9, 80),
    "chain_growing": way([0, 0.35 + 0.6j, 0.7, 1.25 + 0.95j, 1.8, 2.5 + 1.3j]),
    "chain_uneven": zigzag(5, 70, (1.0, 0.6)),
    "square_wave_five": way([0, 1j, 1 + 1j, 1, 2, 2 + 1j]),
    "square_wave_seven": way([0, 1.3j, 0.9 + 1.3j, 0.9, 1.8, 1.8 + 1.3j, 2.7 + 1.3j, 2.7]),
    "steps_four": way([0, 1, 1 + 0.8j, 2 + 0.8j, 2 + 1.6j]),
    "steps_six": way([0, 0.8, 0.8 + 0.8j, 1.6 + 0.8j, 1.6 + 1.6j, 2.4 + 1.6j, 2.4 + 2.4j]),
    "saw_open": way([0, 0.9 + 0.9j, 0.9, 1.8 + 0.9j, 1.8, 2.7 + 0.9j, 2.7]),
}
SPIRALS = {
    "spiral_three_five": spiral(5, 120, less=0.15),
    "spiral_three_seven": spiral(7, 120, less=0.11),
    "spiral_four_four": spiral(4, 90, less=0.14),
    "spiral_four_six": spiral(6, 90, less=0.12),
    "spiral_four_eight": spiral(8, 90, less=0.09),
    "spiral_five_seven": spiral(7, 72, less=0.08),
    "spiral_six_eight": spiral(8, 60, less=0.08),
    "spiral_six_six": spiral(6, 60, less=0.1),
    "spiral_long": way([0, 2, 2 + 1.1j, 0.3 + 1.1j, 0.3 + 0.45j, 1.5 + 0.45j]),
    "spiral_slanted": way([0, 1.7 + 0.2j, 1.3 + 1.4j, 0.2 + 1.1j, 0.45 + 0.45j, 1 + 0.6j]),
    "meander": way([0, 1.9, 1.9 + 1.5j, 0.8 + 1.5j, 0.8 + 0.7j, 1.3 + 0.7j]),
    "hook_square": way([0, 1.4j, 1 + 1.4j, 1 + 0.6j]),
}
LETTERS = {
    "letter_ell": way([1.5j, 0, 0.9]),
    "letter_en": way([0, 1.5j, 1.1, 1.1 + 1.5j]),
    "letter_em": way([0, 1.4j, 0.7 + 0.5j, 1.4 + 1.4j, 1.4]),
    "letter_double_u": way([1.3j, 0.45, 0.9 + 0.9j, 1.35, 1.8 + 1.3j]),
    "letter_zed": way([1.4j, 1 + 1.4j, 0, 1]),
    "letter_seven": way([1.4j, 0.9 + 1.4j, 0.3]),
    "letter_four": way([1.1 + 0.45j, 0.45j, 0.75 + 1.6j, 0.75]),
    "letter_tee": way([-0.6 + 1.4j, 0.6 + 1.4j, 1.4j, 0]),
    "letter_eff": way([0, 1.5j, 0.9 + 1.5j, 1.5j, 0.85j, 0.65 + 0.85j]),
    "letter_kay": way([0, 1.5j, 0.7j, 0.8 + 1.5j, 0.7j, 0.85]),
    "letter_ex": way([0, 1.1 + 1.5j, 0.55 + 0.75j, 1.5j, 1.1]),
    "letter_wye": way([-0.6 + 1.4j, 0.65j, 0.6 + 1.4j, 0.65j, 0]),
    "letter_a": way([0, 0.6 + 1.5j, 1.2, 0.92 + 0.7j, 0.28 + 0.7j]),
    "letter_you": Pen(-0.5 + 1j).to(-0.5).bow(0.5, 180).to(0.5 + 1j),
    "letter_jay": Pen(0.8 + 1.5j).to(0.8 + 0.35j).bow(0.1 + 0.35j, -180),
    "letter_see": Pen(polar(1, 52)).about(0, 256),
    "letter_pea": Pen(0).to(1.5j, 0.4 + 1.5j).bow(0.4 + 0.75j, -180).to(0.75j),
    "letter_dee": Pen(0).to(1.4j, 0.35 + 1.4j).bow(0.35, -180).to(0),
    "letter_gee": Pen(polar(1, 50)).about(0, 310).to(0),
    "letter_aitch": way([0, 1.4j, 0.7j, 0.95 + 0.7j, 0.95 + 1.4j, 0.95]),
}
FLAGS = {
    "flag": way([0, 1.8j, 0.95 + 1.8j, 0.95 + 1.1j, 1.1j]),
    "flag_square": way([0, 1.6j, 0.7 + 1.6j, 0.7 + 0.9j, 0.9j]),
    "flag_pennant": way([0, 1.8j, 1 + 1.4j, 1j]),
    "flag_ramp": way([0, 1.8j, 0.9 + 1.05j, 1.05j]),
    "flag_swallow": way([0, 1.8j, 1.1 + 1.8j, 0.7 + 1.4j, 1.1 + 1j, 1j]),
    "flag_round": Pen(0).to(1.7j).bow(0.8j, -180),
    "flag_bowed": Pen(0).to(1.8j).bow(1 + 1.8j, -70).to(1 + 1j).bow(1j, 70),
    "flag_half_mast": way([0, 1.9j, 1.5j, 0.85 + 1.5j, 0.85 + 0.8j, 0.8j]),
    "flag_footed": way([-0.4, 0.4, 0, 1.8j, 0.9 + 1.45j, 1.1j]),
    "flag_two": way([0, 1.8j, 0.9 + 1.8j, 0.9 + 1.25j, 1.25j, 0.65j, 0.6 + 0.65j, 0.6 + 0.2j, 0.2j]),
    "flag_tilted": way([0, 1.8j, 1 + 1.6j, 0.9 + 0.85j, 1.05j]),
    "flag_five": way([0, 1.8j, 0.55 + 1.8j, 1 + 1.4j, 0.55 + 1j, 1j]),
}
KEYS = {
    "key": Pen(0.35j).to(0, 1.3).about(1.75, 360),
    "key_two": way([0.35j, 0, 0.4, 0.4 + 0.35j, 0.4, 1.3]).about(1.75, 360),
    "key_plain": Pen(0).to(1.3).about(1.75, 360),
    "key_square": way([0.35j, 0, 1.3, 1.3 - 0.45j, 2.2 - 0.45j, 2.2 + 0.45j, 1.3 + 0.45j, 1.3]),
    "key_diamond": way([0.35j, 0, 1.2, 1.7 - 0.5j, 2.2, 1.7 + 0.5j, 1.2]),
    "key_triangle": way([0.35j, 0, 1.3, 2.1 - 0.5j, 2.1 + 0.5j, 1.3]),
    "key_leaf": way([0.35j, 0, 1.2]).bow(2.3, 95).bow(1.2, 95),
    "pan": Pen(0).to(1.3).about(1.75 - 0.35j, 360),
    "lollipop_square": way([0, 1.2, 1.2 - 0.5j, 2.2 - 0.5j, 2.2 + 0.5j, 1.2 + 0.5j, 1.2]),
    "spoon": Pen(0).to(1.6).bow(2.5, 75).bow(1.6, 75),
    "fork": way([0, 1.2, 1.2 + 0.45j, 2 + 0.45j, 1.2 + 0.45j, 1.2 - 0.45j, 2 - 0.45j]),
    "hammer": way([0, 1.5, 1.5 + 0.5j, 2 + 0.5j, 2 - 0.7j, 1.5 - 0.7j, 1.5]),
}
PAIRS = {
    "bow_tie": pair(fan(55), fan(55), 1.0),
    "bow_tie_wide": pair(fan(100), fan(100), 0.9),
    "bow_tie_slanted": pair(fan(50), fan(50), 1.0, 140),
    "bow_tie_uneven": pair(fan(60), fan(60), 0.25),
    "bow_tie_odd": pair(fan(40), fan(110), 0.85),
    "squares_two": pair(box(), box(), 1.0),
    "squares_uneven": pair(box(), box(), 0.22),
    "squares_bent": pair(box(), box(), 0.8, 120),
    "diamonds_two": pair(box(0.55), box(0.55), 1.0),
    "diamonds_uneven": pair(box(0.6), box(1.5), 0.3),
    "square_and_triangle": pair(box(), fan(60), 0.8),
    "square_and_chip": pair(box(), fan(70), 0.2),
    "triangle_and_stud": pair(fan(65), box(), 0.2),
    "diamond_and_triangle": pair(box(0.5), fan(80), 0.95, 150),
    "pentagon_and_square": pair(closed([0, 0.6 - 0.55j, 1.2 - 0.4j, 1.2 + 0.4j, 0.6 + 0.55j]), box(), 0.75),
    "pentagon_and_chip": pair(closed([0, 0.5 - 0.6j, 1.1 - 0.5j, 1.1 + 0.5j, 0.5 + 0.6j]), fan(60), 0.2),
    "dart_and_triangle": pair(closed([0, 1 - 0.6j, 0.6, 1 + 0.6j]), fan(45), 1.0),
    "ramp_and_ramp": pair(closed([0, 1, 1 + 0.7j]), closed([0, 1, 1 + 0.7j]), 1.0),
    "ramp_and_rampling": pair(closed([0, 1, 1 + 0.7j]), closed([0, 1, 1 + 0.7j]), 0.2),
    "slabs_two": pair(closed([0, 1.4, 1.4 + 0.6j, 0.6j]), closed([0, 1.4, 1.4 + 0.6j, 0.6j]), 1.0),
    "slabs_uneven": pair(closed([0, 1.4, 1.4 + 0.6j, 0.6j]), closed([0, 1.2, 1.2 + 0.6j, 0.6j]), 0.24),
    "kites_two": pair(closed([0, 0.8 - 0.4j, 1.15, 0.8 + 0.4j]), closed([0, 0.8 - 0.4j, 1.15, 0.8 + 0.4j]), 0.85),
}
ROUND_PAIRS = {
    "eight_even": pair(disc(), disc(), 1.0),
    "eight_uneven": pair(disc(), disc(), 0.28),
    "leaves_two": pair(leaf(84), leaf(84), 1.0),
    "leaves_slanted": pair(leaf(110), leaf(110), 0.9, 130),
    "leaves_uneven": pair(leaf(100), leaf(100), 0.22),
    "leaf_and_disc": pair(leaf(80), disc(), 0.8),
    "leaf_and_pea": pair(leaf(120), disc(), 0.18),
    "disc_and_bud": pair(disc(), leaf(130), 0.22),
    "wedges_two": pair(wedge(70), wedge(70), 1.0),
    "wedges_uneven": pair(wedge(80), wedge(80), 0.24),
    "wedges_odd": pair(wedge(50), wedge(120), 0.8),
}
MIXED_PAIRS = {
    "disc_and_triangle": pair(disc(), fan(60), 0.85),
    "disc_and_chip": pair(disc(), fan(60), 0.2),
    "triangle_and_pea": pair(fan(70), disc(), 0.22),
    "disc_and_square": pair(disc(), box(), 0.9),
    "disc_and_stud": pair(disc(), box(), 0.2),
    "leaf_and_triangle": pair(leaf(100), fan(60), 0.85),
    "leaf_and_square": pair(leaf(95), box(), 0.8),
    "leaf_and_chip": pair(leaf(110), fan(75), 0.22),
    "wedge_and_triangle": pair(wedge(75), fan(75), 0.85),
    "wedge_and_square": pair(wedge(65), box(), 0.75),
    "wedge_and_stud": pair(wedge(90), box(), 0.18),
    "square_and_bud": pair(box(), leaf(100), 0.25),
    "half_and_square": pair(moon(), box(), 0.75),
    "half_and_triangle": pair(moon(), fan(70), 0.25),
    "fish_scaled": pair(leaf(120), fan(80), 0.35),
}
CROSSED = {
    "fish_line": way([0, 2.4 + 0.85j, 2.4, 0.85j, 0]),
    "butterfly": closed([0, 1.6 + 1.3j, 1.6, 1.3j]),
    "butterfly_odd": closed([0, 1.9 + 1.2j, 1.7 + 0.1j, 0.2 + 0.8j]),
    "triangle_overshot": way([-0.4, 1.5, 0.55 + 1.35j, -0.2 - 0.45j]),
    "square_overshot": way([-0.5, 1.2, 1.2 + 1.2j, 1.2j, -0.5j]),
    "pentagon_overshot": way([-0.3 - 0.1j, 1, 1.35 + 0.95j, 0.5 + 1.5j, -0.3 + 0.9j, 0.25 - 0.45j]),
    "loop_tall": way([0, 1.1 + 1.5j, 1.5j, 1.1]),
    "loop_twice": way([0, 1 + 1.2j, 1.2j, 1, 1.8, 1.8 + 1.2j]),
    "ribbon": Pen(-0.55 - 1.4j).to(0.5 + 0.4j).about(0.4j, 180).to(0.55 - 1.4j),
    "ribbon_wide": Pen(-1.2 - 0.7j).to(0.7 + 0.4j).bow(-0.7 + 0.4j, 200).to(1.2 - 0.7j),
    "loop_round": Pen(-1.4).to(0.2).bow(0.2 + 0.9j, 190).bow(0.6 - 0.6j, 110),
    "arcs_crossed": Pen(-1 - 0.5j).bow(0.8 + 0.6j, 110).to(-0.8 + 0.6j).bow(1 - 0.5j, 110),
    "needle_eye": way([0, 1.9 + 0.9j, 2.3 + 0.45j, 1.9, 0.9j]),
    "bow_and_arrow": Pen(-0.9j).bow(0.9j, 120).to(-0.9j, 0, 1.1),
}
FAMILIES = {
    "zigzag": ZIGZAGS, "spiral": SPIRALS, "letter": LETTERS, "flag": FLAGS, "key": KEYS, "pair": PAIRS,
    "round_pair": ROUND_PAIRS, "mixed_pair": MIXED_PAIRS, "crossed": CROSSED,
}  # fmt: skip
