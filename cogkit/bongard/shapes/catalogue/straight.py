"""Closed shapes of straight lines: polygons, stars, arrows, houses and blades."""

from __future__ import annotations

from collections.abc import Sequence

from cogkit.bongard.shapes.catalogue.pen import Pen, closed, polar


def regular(n: int, wide: float = 1.0) -> Pen:
    """Return a regular polygon of n corners, made so much wider."""
    corners = [polar(1, 360 / n * k) for k in range(n)]
    return closed(complex(corner.real * wide, corner.imag) for corner in corners)


def star(points: int, depth: float, twist: float = 0.0, wide: float = 1.0, radii: Sequence[float] = (1.0,)) -> Pen:
    """Return a star: inner corners at ``depth`` of the radius, turned by ``twist`` degrees; outer radii in turn."""
    corners = []
    for k in range(points):
        corners.append(polar(radii[k % len(radii)], 360 / points * k + 90))
        corners.append(polar(depth, 360 / points * (k + 0.5) + 90 + twist))
    return closed(complex(corner.real * wide, corner.imag) for corner in corners)


def skipping(n: int, step: int) -> Pen:
    """Return the star that goes over n points of a circle by steps of several."""
    return closed(polar(1, 360 / n * k * step + 90) for k in range(n))


def block(cells: Sequence[tuple[float, float]]) -> Pen:
    """Return lines through corners given as x and y."""
    return closed(complex(x, y) for x, y in cells)


def mirrored(half: Sequence[complex]) -> Pen:
    """Return a polygon whose left half is the mirror image of the right one; corners on the axis are not repeated."""
    return closed([*half, *(complex(-c.real, c.imag) for c in reversed(half) if abs(c.real) > 1e-9)])


def turned(half: Sequence[complex]) -> Pen:
    """Return a polygon that comes back to itself when half turned."""
    return closed([*half, *(-corner for corner in half)])


TRIANGLES = {
    "triangle_even": regular(3),
    "triangle_tall": closed([0, 1, 0.5 + 1.35j]),
    "triangle_spire": closed([0, 1, 0.5 + 3.6j]),
    "triangle_roof": closed([0, 2, 1 + 0.9j * 0.8]),
    "triangle_ramp": closed([0, 1.6, 1.6 + 1j]),
    "triangle_ramp_low": closed([0, 1.9, 1.9 + 0.5j]),
    "triangle_sail": closed([0, 1, 0.3 + 1.1j]),
    "triangle_slip": closed([0, 1.1, 1.75 + 1j]),
    "triangle_sliver": closed([0, 1.5, 2 + 0.3j]),
}
QUADRANGLES = {
    "square_even": regular(4),
    "tile": closed([0, 1.55, 1.55 + 1j, 1j]),
    "slab": closed([0, 2.3, 2.3 + 1j, 1j]),
    "plank": closed([0, 6, 6 + 1j, 1j]),
    "rhombus": turned([1.45, 1j]),
    "rhombus_narrow": turned([2.2, 1j]),
    "kite": mirrored([1j * 0.8, 1 + 0j, -1.7j]),
    "kite_blunt": mirrored([0.6j, 1 + 0j, -1.15j]),
    "dart": mirrored([1.5j, 1 - 1j, -0.3j]),
    "dart_flat": mirrored([0.95j, 1.3 - 0.6j, 0.05j]),
    "parallelogram": turned([1 + 0.6j, -0.2 + 0.6j]),
    "parallelogram_low": turned([1.6 + 0.5j, -0.75 + 0.5j]),
    "trapezium": mirrored([0.55 + 1j, 1 + 0j]),
    "trapezium_low": mirrored([0.8 + 0.85j, 1.35 + 0j]),
    "trapezium_right": closed([0, 1.6, 0.9 + 1j, 1j]),
    "trapezium_skew": closed([0, 1.7, 1.45 + 1j, 0.75 + 1j]),
    "quadrangle_odd": closed([0, 1.4 + 0.1j, 1.1 + 1.2j, 0.15 + 0.75j]),
}
POLYGONS = {
    "pentagon_even": regular(5),
    "hexagon_even": regular(6),
    "heptagon_even": regular(7),
    "octagon_even": regular(8),
    "enneagon_even": regular(9),
    "pentagon_odd": closed([0, 1.1 - 0.15j, 1.6 + 0.6j, 0.8 + 1.25j, -0.25 + 0.8j]),
    "pentagon_gem": mirrored([0.55 + 0.45j, 1 + 0j, -1.15j]),
    "hexagon_wide": regular(6, wide=1.9),
    "hexagon_slanted": turned([1.2 + 0.1j, 0.75 + 0.75j, -0.35 + 0.8j]),
    "hexagon_odd": closed([0, 1 - 0.2j, 1.55 + 0.35j, 1.35 + 1.1j, 0.5 + 1.3j, -0.2 + 0.65j]),
    "heptagon_odd": closed([0, 0.8 - 0.2j, 1.45 + 0.15j, 1.6 + 0.8j, 1.1 + 1.35j, 0.3 + 1.3j, -0.25 + 0.7j]),
    "octagon_cut": turned([1 + 0.5j, 0.7 + 1j, -0.7 + 1j, -1 + 0.5j]),
    "octagon_wide": turned([1.7 + 0.35j, 1.1 + 0.9j, -1.1 + 0.9j, -1.7 + 0.35j]),
    "octagon_slanted": turned([1.3 + 0.2j, 0.95 + 0.75j, 0.1 + 0.95j, -0.8 + 0.7j]),
}
BLOCKS = {
    "ell_block": block([(0, 0), (3, 0), (3, 1), (1, 1), (1, 4), (0, 4)]),
    "ell_block_even": block([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]),
    "ell_block_low": block([(0, 0), (4, 0), (4, 0.9), (1.6, 0.9), (1.6, 2), (0, 2)]),
    "tee_block": block([(-0.5, 0), (0.5, 0), (0.5, 2), (1.5, 2), (1.5, 3), (-1.5, 3), (-1.5, 2), (-0.5, 2)]),
    "tee_block_stout": block([(-1, 0), (1, 0), (1, 1), (2, 1), (2, 2), (-2, 2), (-2, 1), (-1, 1)]),
    "you_block": block([(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]),
    "you_block_shallow": block([(0, 0), (4, 0), (4, 1.8), (3, 1.8), (3, 1), (1, 1), (1, 1.8), (0, 1.8)]),
    "jay_block": block([(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 1.9), (0, 1.9)]),
    "zee_block": block([(0, 0), (2, 0), (2, 1), (3, 1), (3, 2), (1, 2), (1, 1), (0, 1)]),
    "zee_block_tall": block([(0, 0), (1, 0), (1, 1.5), (2, 1.5), (2, 4), (1, 4), (1, 2.5), (0, 2.5)]),
    "stairs_block": block([(0, 0), (3, 0), (3, 1), (2, 1), (2, 2), (1, 2), (1, 3), (0, 3)]),
    "podium_block": block([(0, 0), (3, 0), (3, 0.8), (2, 0.8), (2, 1.9), (1, 1.9), (1, 1.3), (0, 1.3)]),
}
STARS = {
    "star_three": star(3, 0.22),
    "star_three_blunt": star(3, 0.38),
    "star_three_lopsided": star(3, 0.26, radii=(1.5, 1.0, 0.8)),
    "star_three_twisted": star(3, 0.3, twist=28),
    "star_four": star(4, 0.28),
    "star_four_blunt": star(4, 0.52),
    "star_four_long": star(4, 0.34, radii=(1.6, 0.9)),
    "star_four_twisted": star(4, 0.36, twist=22),
    "star_four_lopsided": star(4, 0.32, radii=(1.5, 0.8, 0.95, 0.8)),
    "pentagram": skipping(5, 2),
    "heptagram": skipping(7, 2),
    "heptagram_sharp": skipping(7, 3),
    "octagram": skipping(8, 3),
}
ARROWS = {
    "arrow": mirrored([2j, 1 + 0.9j, 0.4 + 0.9j, 0.4 - 1j]),
    "arrow_broad": mirrored([1.3j, 1.5 + 0.1j, 0.6 + 0.1j, 0.6 - 0.9j]),
    "arrow_barbed": mirrored([2j, 1 + 0.5j, 0.3 + 0.9j, 0.3 - 1.2j]),
    "arrow_slim": mirrored([3.2j, 0.5 + 2.2j, 0.2 + 2.2j, 0.2 - 1.4j]),
    "arrow_notched": mirrored([1.8j, 1 + 0.8j, 0.45 + 0.8j, 0.45 - 1.1j, -0.7j]),
    "arrow_lopsided": closed([2j, 1 + 0.8j, 0.4 + 0.8j, 0.4 - 1j, -0.3 - 1j, -0.3 + 0.8j, -0.6 + 0.8j]),
    "arrow_half": closed([2j, 1.1 + 0.8j, 0.5 + 0.8j, 0.5 - 1j, -1j]),
    "chevron": mirrored([1j, 1 + 0j, 1 - 0.9j, 0.1j]),
    "chevron_steep": mirrored([1.5j, 0.9 - 0.6j, 0.35 - 0.6j, 0.55j]),
    "cursor": closed([0, 0.75 - 0.85j, 0.35 - 0.9j, 0.6 - 1.45j, 0.35 - 1.55j, 0.12 - 1.02j, -0.18 - 1.18j]),
    "lightning": turned([0.65 + 0.25j, 0.1 + 0.25j, 0.35 + 1.3j]),
}
HOUSES = {
    "house": mirrored([1.55j, 1 + 0.7j, 1 - 0.7j]),
    "house_steep": mirrored([2.6j, 0.8 + 0.8j, 0.8 - 0.6j]),
    "house_low": mirrored([0.95j, 1.6 + 0.35j, 1.6 - 0.5j]),
    "house_lean_to": closed([0, 1.5, 1.5 + 0.8j, 0.4 + 1.6j, 1.2j]),
    "house_eaves": mirrored([1.5j, 1.3 + 0.6j, 0.9 + 0.6j, 0.9 - 0.7j]),
    "house_barn": mirrored([1.5j, 0.7 + 1.15j, 1.05 + 0.5j, 1.05 - 0.6j]),
    "house_hipped": mirrored([0.45 + 1.25j, 1.2 + 0.45j, 1.2 - 0.6j]),
    "house_chimney": closed(
        [-1 - 0.7j, 1 - 0.7j, 1 + 0.5j, 0.6 + 0.82j, 0.6 + 1.5j, 0.25 + 1.5j, 0.25 + 1.1j, 1.3j, -1 + 0.5j]
    ),
    "house_porch": closed([-1 - 0.7j, 1.7 - 0.7j, 1.7 - 0.1j, 0.9 + 0.35j, 0.9 + 0.6j, 1.35j, -1 + 0.6j]),
    "house_butterfly": mirrored([0.25j, 1.1 + 0.9j, 1.1 - 0.8j]),
}
CROWNS = {
    "crown_two": mirrored([0.1j, 0.6 + 1j, 1 - 0.6j]),
    "crown_three": mirrored([1j, 0.42 + 0.25j, 1 + 1j, 1 - 0.6j]),
    "crown_three_tall": mirrored([1.6j, 0.35 + 0.4j, 0.75 + 1.2j, 0.65 - 0.7j]),
    "crown_three_flared": mirrored([0.8j, 0.4 + 0.1j, 1.4 + 0.85j, 0.8 - 0.6j]),
    "crown_slanted": closed([0, 2, 2.2 + 1.5j, 1.5 + 0.75j, 1 + 1.2j, 0.5 + 0.6j, -0.15 + 0.95j]),
    "saw_two": closed([0, 2, 2 + 1.1j, 1 + 0.5j, 1 + 1.1j, 0.5j]),
    "saw_three": closed([0, 2.4, 2.4 + 1.2j, 1.6 + 0.5j, 1.6 + 1.2j, 0.8 + 0.5j, 0.8 + 1.2j, 0.5j]),
    "battlement": block([(0, 0), (3, 0), (3, 2), (2.1, 2), (2.1, 1.2), (0.9, 1.2), (0.9, 2), (0, 2)]),
    "crown_split": mirrored([0.2 - 0.2j, 0.2 + 0.9j, 1.1 + 1.3j, 0.9 - 0.8j]),
}
BLADES = {
    "needle": closed([0, 5, 5 + 0.7j]),
    "lath": closed([0, 8, 8 + 1j, 1j]),
    "lath_slanted": closed([0, 5, 5.9 + 0.9j, 0.9 + 0.9j]),
    "lath_cut": closed([0, 5.5, 4.5 + 0.9j, 0.5 + 0.9j]),
    "pencil": closed([0, 4.5, 5.5 + 0.5j, 4.5 + 1j, 1j]),
    "shard": closed([0, 2.2 - 0.35j, 5 + 0.1j, 2.9 + 0.45j]),
    "lozenge": turned([4, 0.6j]),
    "spindle": turned([3, 1.8 + 0.5j, -1.8 + 0.5j]),
    "sword": closed([0, 4.2, 5.2 + 0.5j, 4.2 + 1j, 1j, 0.6 + 0.5j]),
    "ladle": closed([0, 3.4, 3.4 - 0.35j, 4.9 - 0.35j, 4.9 + 0.95j, 3.4 + 0.95j, 3.4 + 0.6j, 0.6j]),
    "bolt": turned([3 + 0.1j, 0.35 - 0.5j, 0.2 + 0.05j]),
    "strip_bent": closed([0, 3, 5.4 + 0.7j, 5.2 + 1.3j, 2.9 + 0.65j, 0.65j]),
    "strip_stepped": closed([0, 3, 3 + 0.6j, 6 + 0.6j, 6 + 1.2j, 2.4 + 1.2j, 2.4 + 0.6j, 0.6j]),
}
FAMILIES = {
    "triangle": TRIANGLES, "quadrangle": QUADRANGLES, "polygon": POLYGONS, "block": BLOCKS, "star": STARS,
    "arrow": ARROWS, "house": HOUSES, "crown": CROWNS, "blade": BLADES,
}  # fmt: skip
