"""The strokes of a shape as a planar graph: where they meet, at which angles, and which faces they enclose.

Everything is measured at a scale of one, without stroke types. Designers rounded their numbers, so ends may miss each
other by a little. Strokes that touch in the picture are therefore joined first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import shapely
from scipy.sparse.csgraph import connected_components
from shapely.geometry.base import BaseGeometry

from cogkit.bongard.logo.geometry import path, starts
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line, Program
from cogkit.core.errors import InputError

JOIN = 0.04  # nearer strokes touch, since the pen is 8 units wide at a scale of 200
STEP = 3.0  # degrees of an arc from point to point
SLACK = 3.0  # degrees: an angle this near to 0, 90 or 180 counts as that angle
CORNER = 12.0  # degrees: an outline turns by more at a corner, and by less along an arc
BEND = 0.02  # a side of a face is straight if it leaves its chord by less, in chords
_GRID = 1e-4  # nearer points count as one when strokes are cut at their crossings
_SAME = 0.01  # nearer places along a stroke count as one crossing
_DOT = 1e-3  # shorter strokes cannot be seen
_SLIVER = 1e-3  # smaller faces come from rounding


@dataclass(frozen=True, eq=False)
class Figure:
    """A shape with its strokes joined.

    Attributes
    ----------
    program : tuple of Action
    strokes : list of (m, 2) array
        Centre lines. Where one stroke ends on another, the other has a point there.
    ends : (k, 2) int array
        Nodes at the beginning and end of each stroke.
    nodes : (n, 2) array
        Places where strokes begin or end.
    ways : list of list of float
        For each node, the directions in which strokes leave it, in degrees; two for a stroke that passes through.
    """

    program: Program
    strokes: list[np.ndarray]
    ends: np.ndarray
    nodes: np.ndarray
    ways: list[list[float]]

    @cached_property
    def lines(self) -> list[shapely.LineString]:
        """The strokes as shapely lines."""
        return [shapely.LineString(stroke) for stroke in self.strokes]

    @cached_property
    def linework(self) -> BaseGeometry:
        """All strokes as one geometry, cut where they meet; a line drawn twice is in it once."""
        return shapely.union_all(self.lines, grid_size=_GRID)

    @cached_property
    def faces(self) -> list[shapely.Polygon]:
        """The faces that the strokes enclose, by area, the largest first."""
        polygons = shapely.get_parts(shapely.polygonize(list(shapely.get_parts(self.linework))))
        return sorted((face for face in polygons if face.area > _SLIVER), key=lambda face: -face.area)

    @cached_property
    def size(self) -> float:
        """The largest distance between two points of the figure."""
        corners = shapely.get_coordinates(self.linework.convex_hull)
        return float(_apart(corners, corners).max())

    @cached_property
    def crossings(self) -> list[tuple[np.ndarray, float]]:
        """Places where two strokes cross between their ends, each with the angle in degrees."""
        crossings = []
        for (line, stroke), (other_line, other_stroke) in combinations(zip(self.lines, self.strokes, strict=True), 2):
            parts = shapely.get_parts(line.intersection(other_line))
            for place in shapely.get_coordinates(parts[shapely.get_type_id(parts) == shapely.GeometryType.POINT]):
                if _apart(self.nodes, place[None]).min() > _SAME:
                    crossings.append((place, _between(_direction(stroke, place), _direction(other_stroke, place))))
        return crossings

    @property
    def loose_ends(self) -> int:
        """Number of ends of the figure that touch nothing, 0 to 2."""
        first, last = self.ends[0, 0], self.ends[-1, 1]
        return 0 if first == last else sum(len(self.ways[node]) < 2 for node in (first, last))

    @cached_property
    def angles(self) -> np.ndarray:
        """Angles of 0 to 180 degrees between any two strokes that meet or cross."""
        at_nodes = [_between(*pair) for ways in self.ways for pair in combinations(ways, 2)]
        at_crossings = [angle for _, angle in self.crossings]
        return np.array(at_nodes + at_crossings + [180.0 - angle for angle in at_crossings])

    @cached_property
    def junctions(self) -> int:
        """Number of nodes where one stroke goes straight on and another one meets it."""
        count = 0
        for ways in self.ways:
            directions = [way for k, way in enumerate(ways) if all(_between(way, other) > 1 for other in ways[:k])]
            count += len(directions) > 2 and any(_between(*pair) > 180 - SLACK for pair in combinations(directions, 2))
        return count

    @cached_property
    def line_counts(self) -> tuple[int, int]:
        """The least and the greatest number of straight lines.

        The least counts strokes along one line as one. The greatest cuts a line wherever another stroke meets it. A
        line drawn twice counts once.
        """
        lines = [k for k, action in enumerate(self.program) if isinstance(action, Line)]
        if not lines:
            return 0, 0
        links = np.zeros((len(lines),) * 2, bool)
        for (i, line), (j, other_line) in combinations(enumerate(lines), 2):
            links[i, j] = self._goes_on(line, other_line)
        middles = np.concatenate([self._middles(self.strokes[k]) for k in lines])
        return connected_components(links)[0], connected_components(_apart(middles, middles) < _SAME)[0]

    def _goes_on(self, one: int, other: int) -> bool:
        """Return whether two lines touch and lie on one line."""
        (start, end), points = self.strokes[one][[0, -1]], self.strokes[other]
        angle = _between(_towards(start, end), _towards(*points[[0, -1]]))
        is_aligned = np.abs(_across(points, start, end)).max() < JOIN
        return bool(
            min(angle, 180 - angle) < SLACK and is_aligned and self.lines[one].distance(self.lines[other]) < _SAME
        )

    def _middles(self, line: np.ndarray) -> np.ndarray:
        """Return the middles of the pieces of a line after cuts at every stroke that meets it."""
        start, end = line[[0, -1]]
        length = np.hypot(*(end - start))
        places = np.array([*self.nodes, *(place for place, _ in self.crossings)])
        positions = (places - start) @ (end - start) / length
        on_line = (np.abs(_across(places, start, end)) < _SAME) & (positions > _SAME) & (positions < length - _SAME)
        cuts = np.array([0.0, *np.sort(positions[on_line]), length])
        pieces = np.flatnonzero(np.diff(cuts) > _SAME)
        return start + ((cuts[pieces] + cuts[pieces + 1]) / 2 / length)[:, None] * (end - start)


def figure(program: Program) -> Figure:
    """Return the figure of a program.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Line
    >>> square = figure((Line(1.0), Line(1.0, 90.0), Line(1.0, 90.0), Line(1.0, 90.0)))
    >>> len(square.faces), square.loose_ends, square.line_counts
    (1, 0, (4, 4))
    """
    placed = Placed(program, Placement(scale=1.0))
    drawn = zip(starts(placed), path(placed, STEP), strict=True)
    drawn = [(action, heading, stroke) for (action, _, heading), stroke in drawn if action.length > _DOT]
    if not drawn:
        raise InputError("a program that draws no more than a dot", f"a stroke longer than {_DOT:g}")
    program, headings, strokes = zip(*drawn, strict=True)
    join = min(JOIN, 0.4 * min(action.length for action in program))  # so that every stroke remains
    tips = np.array([stroke[[0, -1]] for stroke in strokes]).reshape(-1, 2)
    n, node_of_tip = connected_components(_apart(tips, tips) < join)
    nodes = np.array([tips[node_of_tip == node].mean(axis=0) for node in range(n)])
    ends = node_of_tip.reshape(-1, 2)
    strokes = [_stretched(stroke, *nodes[pair]) for stroke, pair in zip(strokes, ends, strict=True)]
    ways: list[list[float]] = [[] for _ in range(n)]
    for (first, last), action, heading in zip(ends, program, headings, strict=True):
        sweep = action.sweep if isinstance(action, Arc) else 0.0
        backward = 180.0 if sweep < 0 else 0.0
        ways[first].append(heading + backward)
        ways[last].append(heading + sweep + backward + 180.0)
    for node, place in enumerate(nodes):
        for k, stroke in enumerate(strokes):
            if node not in ends[k] and shapely.LineString(stroke).distance(shapely.Point(place)) < join:
                index = _segment(stroke, place)
                strokes[k] = np.insert(stroke, index, place, axis=0)
                back, ahead = strokes[k][index - 1], strokes[k][index + 1]
                ways[node] += [_towards(back, ahead), _towards(ahead, back)]
    return Figure(program, strokes, ends, nodes, ways)


def sides(face: shapely.Polygon) -> list[np.ndarray]:
    """Return the sides of a face, corner to corner; without corners, the whole outline is one side.

    Examples
    --------
    >>> len(sides(shapely.box(0, 0, 1, 1)))
    4
    """
    ring = shapely.get_coordinates(face.exterior)[:-1]
    ring = ring[np.hypot(*(np.roll(ring, -1, 0) - ring).T) > _SLIVER]
    edges = np.roll(ring, -1, 0) - ring
    turn = np.degrees(np.angle((edges @ [1, 1j]) / (np.roll(edges, 1, 0) @ [1, 1j])))
    corners = np.flatnonzero(np.abs(turn) > CORNER)
    if not len(corners):
        return [ring]
    stops = np.append(corners[1:], corners[0] + len(ring))
    return [ring[np.arange(a, b + 1) % len(ring)] for a, b in zip(corners, stops, strict=True)]


def bend(side: np.ndarray) -> float:
    """Return the greatest distance of a side from its chord, in lengths of the chord."""
    chord = np.hypot(*(side[-1] - side[0]))
    return float(np.abs(_across(side, side[0], side[-1])).max() / chord) if chord > _GRID else np.inf


def _apart(these: np.ndarray, those: np.ndarray) -> np.ndarray:
    return np.hypot(*(these[:, None] - those[None]).transpose(2, 0, 1))


def _across(places: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the signed distance of places from the line through two points."""
    x, y = (end - start) / np.hypot(*(end - start))
    return (places - start) @ [-y, x]


def _towards(start: np.ndarray, end: np.ndarray) -> float:
    return float(np.degrees(np.arctan2(end[1] - start[1], end[0] - start[0])))


def _between(one: float, other: float) -> float:
    """Return the angle of 0 to 180 degrees between two directions."""
    return abs((one - other + 180.0) % 360.0 - 180.0)


def _direction(stroke: np.ndarray, place: np.ndarray) -> float:
    """Return the direction of a stroke at a place on it."""
    index = _segment(stroke, place)
    return _towards(stroke[index - 1], stroke[index])


def _segment(stroke: np.ndarray, place: np.ndarray) -> int:
    """Return the index of the next point of a stroke after a place on it."""
    distances = np.append(0.0, np.cumsum(np.hypot(*np.diff(stroke, axis=0).T)))
    index = int(np.searchsorted(distances, shapely.LineString(stroke).project(shapely.Point(place))))
    return min(max(index, 1), len(stroke) - 1)


def _stretched(stroke: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return a stroke stretched to begin and end at the given nodes."""
    share = np.linspace(0.0, 1.0, len(stroke))[:, None]
    return stroke + (start - stroke[0]) * (1 - share) + (end - stroke[-1]) * share
