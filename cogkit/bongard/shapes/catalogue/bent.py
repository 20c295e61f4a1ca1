"""Shapes with arcs: sectors, moons, arches, petals, waves, drops and figures with a neck."""

from __future__ import annotations

from collections.abc import Sequence

from cogkit.bongard.shapes.catalogue.pen import Pen, closed, polar


def sector(angle: float) -> Pen:
    """Return a piece of a disc, cut from its centre."""
    return Pen(0).to(1).about(0, angle).to(0)


def cap(angle: float) -> Pen:
    """Return a piece of a disc, cut by one line."""
    return Pen(1).about(0, angle).to(1)


def band(angle: float, inner: float) -> Pen:
    """Return a piece of a ring."""
    return Pen(1).about(0, angle).to(polar(inner, angle)).about(0, -angle).to(1)


def lens(left: float, right: float) -> Pen:
    """Return two arcs over one chord; negative ones bend inward."""
    return Pen(-1).bow(1, left).bow(-1, right)


def petals(sweeps: Sequence[float], corners: Sequence[complex]) -> Pen:
    """Return arcs from corner to corner and back to the first."""
    pen = Pen(corners[0])
    for sweep, corner in zip(sweeps, [*corners[1:], corners[0]], strict=True):
        pen.bow(corner, sweep)
    return pen


def ring(n: int) -> list[complex]:
    """Return the corners of a regular polygon."""
    return [polar(1, 360 / n * k + 90) for k in range(n)]


def chain(*arcs: tuple[complex, float]) -> Pen:
    """Return arcs one after the other, each by the place it leads to and its sweep."""
    pen = Pen(0)
    for place, sweep in arcs:
        pen.bow(place, sweep)
    return pen


SECTORS = {
    **{f"slice_{angle}": sector(angle) for angle in (35, 50, 75, 105, 135, 160, 215, 255, 285, 310)},
    **{f"cap_{angle}": cap(angle) for angle in (125, 165, 235, 275)},
    "band_50": band(50, 0.45),
    "band_100": band(100, 0.6),
    "band_150": band(150, 0.5),
    "band_200": band(200, 0.68),
    "slice_skewed": Pen(-0.35j).to(1).about(0, 100).to(-0.35j),
}
MOONS = {
    "moon_new": lens(200, -150),
    "moon_slim": lens(230, -203),
    "moon_quarter": lens(200, -85),
    "moon_wide": lens(260, -110),
    "moon_gibbous": lens(170, 60),
    "lens_slim": lens(45, 45),
    "lens": lens(85, 85),
    "lens_broad": lens(140, 140),
    "lens_uneven": lens(60, 130),
    "egg": lens(180, 130),
    "claw": Pen(-1).bow(1, 190).to(0.45 + 0.3j).bow(-1, -80),
}
ARCHES = {
    "door": Pen(0).to(1, 1 + 1j).bow(1j, 180).to(0),
    "door_low": Pen(0).to(1.5, 1.5 + 0.9j).bow(0.9j, 80).to(0),
    "door_pointed": Pen(0).to(1, 1 + 0.8j).bow(0.5 + 1.65j, 55).bow(0.8j, 55).to(0),
    "door_half": Pen(0).to(1, 1 + 0.6j).bow(1.6j, 90).to(0),
    "stadium": Pen(0).to(1.5).bow(1.5 + 1j, 180).to(1j).bow(0, 180),
    "stadium_slim": Pen(0).to(4.2).bow(4.2 + 0.8j, 180).to(0.8j).bow(0, 180),
    "stadium_cut": Pen(0).to(2.2).bow(2.2 + 1j, 180).to(1j, 0),
    "barrel": Pen(0).bow(1.5, 50).to(1.5 + 1j).bow(1j, 50).to(0),
    "tunnel": Pen(1).to(1 + 0.6j).about(0.6j, 180).to(-1, -0.5, -0.5 + 0.6j).about(0.6j, -180).to(0.5, 1),
    "bridge": Pen(-1.4).to(-0.8).about(0, -180).to(1.4, 1.4 + 1.2j, -1.4 + 1.2j, -1.4),
    "bridge_flat": Pen(-1.6).to(-1).bow(1, -85).to(1.6, 1.6 + 1.05j, -1.6 + 1.05j, -1.6),
    "horseshoe": Pen(polar(1, -65)).about(0, 310),
    "horseshoe_feet": Pen(polar(1, -60) + 0.5).to(polar(1, -60)).about(0, 300).to(polar(1, 240) - 0.5),
    "arch_open": Pen(1 - 0.45j).to(1).about(0, 180).to(-1 - 0.45j),
    "arch_pointed_open": Pen(0.8 - 0.7j).to(0.8).bow(1.3j, 50).bow(-0.8, 50).to(-0.8 - 0.7j),
}
PETALS = {
    "trefoil": petals([215] * 3, ring(3)),
    "quatrefoil": petals([200] * 4, ring(4)),
    "cinquefoil": petals([190] * 5, ring(5)),
    "sixfoil": petals([170] * 6, ring(6)),
    "triangle_bowed": petals([75] * 3, ring(3)),
    "square_bowed": petals([55] * 4, ring(4)),
    "triangle_hollow": petals([-50] * 3, ring(3)),
    "square_hollow": petals([-70] * 4, ring(4)),
    "pentagon_hollow": petals([-85] * 5, ring(5)),
    "square_pillow": petals([80, -45] * 2, ring(4)),
    "square_tied": petals([75, 75, -50, -50], ring(4)),
    "clover_stalk": petals([195] * 3, ring(3)).to(0.2 + 2.35j),
    "hexagon_wavy": petals([70, -70] * 3, ring(6)),
    "flame": petals([100, -60, 60], [0, 1, 0.8 + 1.8j]),
}
WAVES = {
    "ess": chain((1, 190), (2, -190)),
    "ess_flat": chain((1, 100), (2, -100)),
    "ess_uneven": chain((0.6, 200), (2, -150)),
    "wave_three": chain((1, 150), (2, -150), (3, 150)),
    "wave_four": chain((1, 130), (2, -130), (3, 130), (4, -130)),
    "wave_growing": chain((0.6, 160), (1.5, -160), (2.8, 160)),
    "humps_two": chain((1, -180), (2, -180)),
    "humps_three": chain((1, -150), (2, -150), (3, -150)),
    "humps_uneven": chain((0.7, -160), (2, -160)),
    "hook_bent": chain((1, 70), (1.3 + 1.1j, 120), (0.5 + 1.5j, 120)),
    "coil_two": Pen(0).about(0.5, 180).about(0.25, 180),
    "coil_three": Pen(0).about(1, 180).about(0.65, 180).about(0.9, 180),
    "coil_four": Pen(0).about(1, 180).about(0.7, 180).about(0.95, 180).about(0.75, 180),
    "bird": chain((1, -110), (2.3, -100)),
}
DROPS = {
    "drop": Pen(-2.1j).to(polar(1, -28.437)).about(0, 236.874).to(-2.1j),
    "drop_short": Pen(-1.35j).to(polar(1, -42.2057)).about(0, 264.4114).to(-1.35j),
    "cone": Pen(-1.9j).to(0.75).bow(-0.75, 180).to(-1.9j),
    "cone_brimmed": Pen(-1.6j).to(0.55, 0.9).bow(-0.9, 170).to(-0.55, -1.6j),
    "mushroom": Pen(-0.3 - 0.9j).to(0.3 - 0.9j, 0.3, 1).bow(-1, 165).to(-0.3, -0.3 - 0.9j),
    "bell": Pen(-1).to(1).bow(0.45 + 1.1j, -65).bow(-0.45 + 1.1j, 170).bow(-1, -65),
    "heart": Pen(-1.3j).to(1 + 0.25j).bow(0.25j, 170).bow(-1 + 0.25j, 170).to(-1.3j),
    "spade": Pen(1.4j).bow(-0.95, -40).bow(0, 180).bow(0.95, 180).bow(1.4j, -40),
    "pear": Pen(-0.8).bow(0.8, 215).bow(0.35 + 1.35j, -50).bow(-0.35 + 1.35j, 170).bow(-0.8, -50),
    "shield": Pen(-0.9 + 0.8j).to(-0.9).bow(-1.3j, 55).bow(0.9, 55).to(0.9 + 0.8j, -0.9 + 0.8j),
    "leaf": Pen(0).bow(1.7 + 0.5j, 70).bow(0, 105).to(-0.5 - 0.35j),
    "wing": Pen(0).to(1.9).bow(0.7 + 0.85j, 75).bow(0, -60),
    "fin": Pen(0).to(1.6).bow(1.25 + 1.3j, -70).bow(0, 80),
    "boat": Pen(-1.4).bow(1.4, 75).to(0.15 + 0.2j, 0.15 + 1.5j, -0.55 + 0.35j, -1.4),
}
NECKED = {
    "hourglass": closed([-1 - 1.2j, 1 - 1.2j, 0.3, 1 + 1.2j, -1 + 1.2j, -0.3]),
    "hourglass_stout": closed([-1 - 0.9j, 1 - 0.9j, 0.42, 1 + 0.9j, -1 + 0.9j, -0.42]),
    "hourglass_bottom_heavy": closed([-1.2 - 1.3j, 1.2 - 1.3j, 0.26, 0.65 + 0.7j, -0.65 + 0.7j, -0.26]),
    "hourglass_slanted": closed([-1.2 - 1.1j, 0.9 - 1.1j, 0.26 - 0.05j, 1.2 + 1.1j, -0.9 + 1.1j, -0.26 + 0.05j]),
    "hourglass_odd": closed([-1.1 - 1.2j, 1 - 0.9j, 0.35 - 0.1j, 0.8 + 1.1j, -0.7 + 1.3j, -0.2 + 0.15j]),
    "apple_core": Pen(-1 - 1j).to(1 - 1j).bow(1 + 1j, -120).to(-1 + 1j).bow(-1 - 1j, -120),
    "apple_core_wide": Pen(-1.2 - 0.8j).to(1.2 - 0.8j).bow(0.8 + 0.8j, -140).to(-0.8 + 0.8j).bow(-1.2 - 0.8j, -140),
    "spool": Pen(-1 - 1.3j).to(
        1 - 1.3j, 0.35 - 0.6j, 0.35 + 0.6j, 1 + 1.3j, -1 + 1.3j, -0.35 + 0.6j, -0.35 - 0.6j, -1 - 1.3j
    ),
    "spool_slanted": closed(
        [-1.3 - 1.2j, 0.5 - 1.2j, 0.1 - 0.5j, 0.5 + 0.5j, 1.3 + 1.2j, -0.5 + 1.2j, -0.1 + 0.5j, -0.5 - 0.5j]
    ),
    "vase": Pen(-0.6 - 1.2j)
    .to(0.6 - 1.2j)
    .bow(0.3 + 0.5j, 120)
    .to(0.75 + 1.1j, -0.75 + 1.1j, -0.3 + 0.5j)
    .bow(-0.6 - 1.2j, 120),
    "goblet": Pen(-0.8 - 1.2j)
    .to(0.8 - 1.2j, 0.2 - 0.35j)
    .bow(0.8 + 1.2j, 80)
    .to(-0.8 + 1.2j)
    .bow(-0.2 - 0.35j, 80)
    .to(-0.8 - 1.2j),
    "bone": Pen(-0.25 - 0.5j).bow(0.25 - 0.5j, 290).to(0.25 + 0.5j).bow(-0.25 + 0.5j, 290).to(-0.25 - 0.5j),
    "skittle": Pen(-0.25 + 0.3j)
    .bow(0.25 + 0.3j, 300)
    .bow(0.25 + 0.8j, -60)
    .bow(-0.25 + 0.8j, 270)
    .bow(-0.25 + 0.3j, -60),
    "flask": Pen(-0.28 + 0.4j).bow(0.28 + 0.4j, 305).to(0.28 + 1j, 0.65 + 1.5j, -0.65 + 1.5j, -0.28 + 1j, -0.28 + 0.4j),
}
FAMILIES = {
    "sector": SECTORS, "moon": MOONS, "arch": ARCHES, "petal": PETALS, "wave": WAVES, "drop": DROPS, "necked": NECKED,
}  # fmt: skip
