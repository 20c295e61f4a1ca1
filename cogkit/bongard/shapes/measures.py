"""The numbers behind the attributes of a shape: counts, angles, areas and widths of the figure its strokes form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import shapely
from scipy.spatial import cKDTree

from cogkit.bongard.logo.geometry import to_xy
from cogkit.bongard.logo.programs import Arc, Line, Program
from cogkit.bongard.shapes.planar_graph import BEND, SLACK, Figure, bend, figure, sides

_ROOM = 1e-3  # how far a neck may leave its face, because corners are rounded to a grid
_COMPLEX = np.array([1, 1j])  # times x and y


def measures(program: Program) -> dict[str, float]:
    """Return the numbers behind the attributes of a program.

    - ``parts``: number of enclosed faces.
    - ``sharpest``, ``widest``: angles between strokes that meet, in degrees.
    - ``balance``: the smaller of two areas over the larger.
    - ``hollow``: the share of its convex hull that a single face leaves empty.
    - ``mirror``, ``half_turn``: distance of the best image from the shape, in sizes of the shape.
    - ``slim``: the short over the long side of the best-fitting box.
    - ``waist``: the widest circle inside, in sizes of the shape.
    - ``neck``: width of the slimmer side of a neck, in widths of the neck.
    - ``regular``, ``sector``: the share by which sides and radii of the best face differ.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Line
    >>> values = measures((Line(1.0), Line(0.5, 90.0), Line(1.0, 90.0), Line(0.5, 90.0)))
    >>> values["fewest_lines"], values["parts"], values["sharpest"], round(values["slim"], 3)
    (4, 1, 90.0, 0.5)
    """
    return dict(_measured(tuple(replace(action, type="normal") for action in program)))


@lru_cache(maxsize=4096)  # a calibration, a count and a catalogue ask for the same shapes
def _measured(program: Program) -> dict[str, float]:
    shape = figure(program)
    angles = shape.angles[(shape.angles > SLACK) & (shape.angles < 180 - SLACK)]
    areas = [face.area for face in shape.faces]
    outlines = [sides(face) for face in shape.faces]
    side_counts = [len(outline) if max(map(bend, outline)) < BEND else 0 for outline in outlines]
    circles = [shapely.maximum_inscribed_circle(face, tolerance=0.003) for face in shape.faces]
    mirror, half_turn = _symmetry(shape)
    return {
        "arcs": sum(isinstance(action, Arc) for action in program),
        "lines": sum(isinstance(action, Line) for action in program),
        "fewest_lines": shape.line_counts[0],
        "most_lines": shape.line_counts[1],
        "loose_ends": shape.loose_ends,
        "sharpest": float(angles.min(initial=180.0)),
        "widest": float(angles.max(initial=0.0)),
        "angles": len(angles),
        "crossings": len(shape.crossings) + shape.junctions,
        "parts": len(areas),
        "balance": areas[1] / areas[0] if len(areas) == 2 else 0.0,
        "hollow": 1 - areas[0] / shape.linework.convex_hull.area if len(areas) == 1 else 1.0,
        "mirror": mirror,
        "half_turn": half_turn,
        "slim": _slimness(shape),
        "waist": max(2 * circle.length for circle in circles) / shape.size if circles else np.inf,
        "neck": _neck(shape.faces[0]) if len(areas) == 1 else 0.0,
        "triangles": side_counts.count(3),
        "quadrangles": side_counts.count(4),
        "regular": min(map(_irregularity, outlines), default=np.inf),
        "sector": min(map(_off_sector, outlines), default=np.inf),
    }


def _slimness(shape: Figure) -> float:
    box = shapely.get_coordinates(shape.linework.minimum_rotated_rectangle)[:3]
    short, long = sorted(np.hypot(*np.diff(box, axis=0).T)) if len(box) == 3 else (0.0, 1.0)
    return float(short / long)


def _symmetry(shape: Figure, step: float = 2.0) -> tuple[float, float]:
    """Return the distance of the best mirror image, and of the image after a half turn, in sizes of the shape.

    Axes go through the centroid. The search tries axes in steps, then finer steps around the three best. Distances are
    measured to points on the strokes, and for the last four axes to the strokes themselves.
    """
    points, tree = _places(shape, 72), cKDTree(to_xy(_places(shape, 400)))

    def mirrored(axes: np.ndarray) -> np.ndarray:
        return np.conj(points) * np.exp(2j * np.radians(axes))[:, None]

    def best(axes: np.ndarray, n: int) -> np.ndarray:
        images = to_xy(mirrored(axes))
        distance = tree.query(images[:, ::8])[0].max(axis=1)  # at most the distance of all points
        most = tree.query(images[np.argsort(distance)[:n]])[0].max()
        distance[distance <= most] = tree.query(images[distance <= most])[0].max(axis=1)
        return axes[np.argsort(distance)[:n]]

    axes = best(np.arange(0, 180, step), 3)[:, None] + np.linspace(-step, step, 11)
    images = np.vstack([mirrored(best(axes.ravel(), 4)), -points]) + shape.linework.centroid.coords[0] @ _COMPLEX
    distances = shapely.distance(shapely.points(to_xy(images)), shape.linework).max(axis=1) / shape.size
    return float(distances[:-1].min()), float(distances[-1])


def _places(shape: Figure, n: int) -> np.ndarray:
    """Return about n places on the strokes of a shape, relative to its centroid, as complex numbers."""
    points = []
    for part in shapely.get_parts(shape.linework):
        shares = np.linspace(0, 1, max(3, round(n * part.length / shape.linework.length)))
        points.append(shapely.get_coordinates(shapely.line_interpolate_point(part, shares, normalized=True)))
    return (np.concatenate(points) - shape.linework.centroid.coords[0]) @ _COMPLEX


def _neck(face: shapely.Polygon) -> float:
    """Return the width of a face on the slimmer side of its neck, in widths of the neck; 0 if it has no neck.

    A neck lies between two bays. A bay is a part of the convex hull outside the face. The neck runs between the nearest
    points of the deeper halves of two bays, and must not leave the face.
    """
    ring = shapely.get_coordinates(face.exterior)[:-1]
    depth = shapely.distance(shapely.points(ring), face.convex_hull.exterior)
    bays, best, roomy = _bays(depth, 0.03 * np.sqrt(face.area)), 0.0, face.buffer(_ROOM)
    for bay, other_bay in ((a, b) for k, a in enumerate(bays) for b in bays[:k]):
        distances = np.abs((ring[bay] @ [1, 1j])[:, None] - (ring[other_bay] @ [1, 1j])[None])
        i, j = np.unravel_index(distances.argmin(), distances.shape)
        i, j = sorted((bay[i], other_bay[j]))
        chord, width = ring[j] - ring[i], distances.min()
        if roomy.covers(shapely.LineString(ring[[i, j]])):
            halves = ring[i : j + 1], np.concatenate([ring[j:], ring[: i + 1]])
            best = max(best, min(np.ptp(half @ chord) / width**2 for half in halves))
    return float(best)


def _bays(depth: np.ndarray, least: float) -> list[np.ndarray]:
    """Return the points in the deeper half of each bay deeper than ``least``, as indices into a ring of depths."""
    outside = np.flatnonzero(depth < 1e-6)
    runs = [np.arange(a + 1, b) % len(depth) for a, b in pairwise([*outside, outside[0] + len(depth)])]
    return [run[depth[run] >= 0.5 * depth[run].max()] for run in runs if len(run) and depth[run].max() > least]


def _irregularity(outline: list[np.ndarray]) -> float:
    """Return how much the sides and the corners' distances from the middle differ; for a round outline its radii."""
    corners = outline[0] if len(outline) == 1 else np.array([side[0] for side in outline])
    if len(corners) < 3 or (len(outline) > 1 and max(map(bend, outline)) > BEND):
        return np.inf
    radii = _spread(np.hypot(*(corners - corners.mean(axis=0)).T))
    return radii if len(outline) == 1 else max(radii, _spread([np.hypot(*(side[-1] - side[0])) for side in outline]))


def _off_sector(outline: list[np.ndarray]) -> float:
    """Return how much the distances from the one bent side of three to the opposite corner differ, or infinity."""
    arcs = [k for k, side in enumerate(outline) if bend(side) > BEND]
    if len(outline) != 3 or len(arcs) != 1:
        return np.inf
    apex = outline[(arcs[0] + 1) % 3][-1]
    return _spread(np.hypot(*(outline[arcs[0]] - apex).T))


def _spread(values: Iterable[float]) -> float:
    values = np.asarray(values)
    return float(np.ptp(values) / values.mean())
