"""An audit of a picture without its renderer: the things in it, their colours and places, and whether any is missing.

A scene's record says where to look. The audit then reads pixels only, so it notices a picture that differs. It finds:

- the colour of a thing, from the median shares of red, green and blue of its pixels, in linear light. Below a limit of
  saturation it is grey, otherwise the hue decides. Borders of hues lie midway between the colours of the palette, seen
  once (a surface) or through two walls of glass (squared);
- whether a thing is there: its outline is an edge of the picture, or its pixels have its colour;
- the place of a coloured thing: it compares the region of this colour with the expected one, and leaves out other
  things and the light that glass casts on the ground;
- the target of a hand: which of three silhouettes, one for each possible target, has the colour of a hand.

Away from things and their shadows (from lamps and things of the record), the ground is even and nearly grey. An edge or
a colour there belongs to something that the record does not list. The audit does not find: shapes, sizes and materials
beyond outlines; the place of a grey thing, beyond whether it is at its place; things that hide in shadows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy import ndimage

from cogkit.core.compiled import compiled
from cogkit.mewl.rendering.lighting import floor, lamps
from cogkit.mewl.world import geometry
from cogkit.mewl.world.geometry import HEIGHT, LENS, NOTHING, WIDTH, ray
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.solids import FAR, bodies, enclosing
from cogkit.mewl.world.things import RGB, Thing
from cogkit.mewl.world.vectors import plus, times

# Limits. The brackets have measurements from pictures of `datasets.make`, on 2,229 or some 350 things.
GREY = 0.18  # saturation, 1 less three times the least share, of a thing's middle shares [gray ≤ 0.08, others ≥ 0.30]
COLOURED = 0.30  # saturation of a single pixel of a thing
LIT = 0.65  # saturation of a pixel of ground, which things near by light up [≤ 0.58]
EDGE = 12  # bytes between the lightest and the darkest pixel within two pixels
OUTLINE = 0.5  # share of a thing's outline that is an edge [≥ 0.65, of most things all of it]
SPECKS = 40  # pixels of the smallest strange region; the smallest thing that counts has five times as many
ALIKE = 0.5  # overlap of a hand's silhouette with pixels of its colour: both over either [≥ 0.89; other turns ≤ 0.53]
_HAND_HUES, _HAND_COLOURED = (33.0, 62.0), 0.4
_NEAR = 1.8  # distance from the centre of a thing, over the radius of the ball around it
_UNDER, _ASKANCE, _NEAR_LAMP = 4.5, 0.4, 9.0  # units of the ground, a cosine, and units of the ground
_WITHIN = np.ones((7, 7), bool)  # an edge reaches two pixels far, and the rim of a thing is one pixel wide
_STRANGER = Thing("thing", "unknown", "unknown", "unknown")
_BYTES = np.arange(256) / 255
_LINEAR = np.where(_BYTES <= 0.04045, _BYTES / 12.92, ((_BYTES + 0.055) / 1.055) ** 2.4)


def hue(shares) -> np.ndarray:
    """Return the hue of colours (..., 3) in linear light: degrees, red at 0, green at 120, blue at 240.

    Examples
    --------
    >>> hue([(1, 0, 0), (0, 1, 1)]).round().tolist()
    [0.0, 180.0]
    """
    red, green, blue = np.moveaxis(np.asarray(shares, float), -1, 0)
    return np.degrees(np.arctan2(math.sqrt(0.75) * (green - blue), red - (green + blue) / 2)) % 360


def _borders() -> tuple[list[str], np.ndarray]:
    """Return the colours that have a hue, in the order of hues, and where each begins (the first may be negative)."""
    once = {name: float(hue(np.array(rgb) / 255)) for name, rgb in RGB.items() if len(set(rgb)) > 1}
    twice = {name: float(hue((np.array(RGB[name]) / 255) ** 2)) for name in once}
    names = sorted(once, key=once.__getitem__)
    begins = []
    for k, name in enumerate(names):
        before = names[k - 1]
        last, first = max(once[before], twice[before]), min(once[name], twice[name])
        begins.append((last - 360 * (k == 0) + first) / 2)
    return names, np.array(begins)


_NAMES, _BEGINS = _borders()


def named(shares) -> np.ndarray:
    """Return the places in `_NAMES` of the colours of linear light (..., 3)."""
    numbers = np.searchsorted(_BEGINS, hue(shares), side="right") - 1
    return np.where(hue(shares) >= _BEGINS[0] + 360, 0, numbers)


def colour(pixels) -> str:
    """Return the colour of a thing from its pixels, (n, 3) uint8.

    Examples
    --------
    >>> colour(np.array([[173, 35, 35], [250, 240, 240], [120, 30, 28]], np.uint8))
    'red'
    """
    light = _LINEAR[np.asarray(pixels)]
    middle = np.median(light / np.maximum(light.sum(axis=1, keepdims=True), 1e-6), axis=0)
    return "gray" if 1 - 3 * middle.min() < GREY else _NAMES[int(named(middle))]


class Sight:
    """What a picture (240, 320, 3) uint8 of a scene shows, and how it differs from the record.

    Attributes
    ----------
    scene : Scene
        The record that fits the picture: visible things with their visible colours and places, then things that the
        record does not list, and the thing that the hand seems to point at.
    faults : tuple of (str, str)
        The field, such as ``objects 2``, and the problem.
    """

    def __init__(self, picture: np.ndarray, scene: Scene) -> None:
        self.record, self.count = scene, len(scene.things)
        self.picture, self.light = picture, _LINEAR[picture]
        self.shares = self.light / np.maximum(self.light.sum(axis=-1, keepdims=True), 1e-6)
        self.saturation = 1 - 3 * self.shares.min(axis=-1)
        spread = ndimage.maximum_filter(picture, (5, 5, 1)).astype(int) - ndimage.minimum_filter(picture, (5, 5, 1))
        self.edges = spread.max(axis=-1)
        self.ids = geometry.id_map(scene)
        self.shadow, self.tinted = _shadows(scene, self.ids)
        self.ground = self.ids == NOTHING
        self.hues = np.where(self.saturation > COLOURED, named(self.shares), -1)
        things, places, turns, faults = [], [], [], []
        for k, thing in enumerate(scene.things):
            region = self.ids == k
            actual = colour(self.picture[region]) if region.any() else None
            has_outline = self.outlined(region) >= OUTLINE
            has_colour = actual == thing.color != "gray"
            if not has_outline and not has_colour:
                faults.append((f"objects {k + 1}", f"the {thing} is not seen at its place"))
            elif actual != thing.color:
                faults.append((f"objects {k + 1}", f"the {thing} is {actual} in the picture"))
            place = self.place(k, thing, has_outline or has_colour)
            if has_outline or has_colour or place is not None:
                things.append(thing if has_colour or not has_outline else thing._replace(color=actual))
                places.append(place or scene.places[k])
                turns.append(scene.turns[k])
        for left, top, right, bottom in self.strangers():
            area = f"about {left}, {top} to {right}, {bottom}"
            faults.append(("objects", f"something is seen that it does not tell of, {area}"))
            things.append(_STRANGER)
            places.append(_on_ground(scene, (left + right) / 2, bottom))
            turns.append(0.0)
        target = scene.target
        if scene.hand is not None:
            target, fault = self.pointed()
            faults += fault
        self.scene = replace(scene, things=tuple(things), places=tuple(places), turns=tuple(turns), target=target)
        self.faults = tuple(faults)

    def outlined(self, own: np.ndarray) -> float:
        """Return the share of a region's outline that is an edge of the picture."""
        rim = own & ~ndimage.binary_erosion(own, border_value=True)
        return float((self.edges[rim] > EDGE).mean()) if rim.any() else 0.0

    def place(self, k: int, thing: Thing, here: bool) -> tuple[float, float] | None:
        """Return the place on the ground of a coloured thing; None for a grey one, or if too little is visible.

        If the thing is ``here``, at its recorded place, then ground that it lights up does not count.
        """
        if thing.color == "gray":
            return None
        occupied = ndimage.binary_dilation((self.ids != k) & ~self.ground)
        free = ~occupied & ~self.tinted
        matches = free & (self.hues == _NAMES.index(thing.color))
        if here:
            matches &= ~self.ground | (self.saturation > LIT)
        regions, n = ndimage.label(matches, np.ones((3, 3)))
        sizes = np.bincount(regions.ravel(), minlength=n + 1)[1:]
        expected = free & (self.ids == k)
        if expected.sum() < SPECKS or sizes.max(initial=0) < SPECKS:
            return None
        region = np.isin(regions, 1 + np.flatnonzero(sizes > sizes.max() / 4))
        down, across = (
            np.subtract(np.nonzero(region)[axis].mean(), np.nonzero(expected)[axis].mean()) for axis in (0, 1)
        )
        foot = geometry.project(self.record, geometry.feet(self.record)[k])
        return _on_ground(self.record, foot[0] + across, foot[1] + down)

    def strangers(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield the box of each visible region that is not a thing of the scene: left, top, right and bottom."""
        outside = ~ndimage.binary_dilation(~self.ground, _WITHIN)
        mask = outside & ((~self.shadow & (self.edges > EDGE)) | (~self.tinted & (self.saturation > LIT)))
        regions, _ = ndimage.label(mask, np.ones((3, 3)))
        for number, (down, across) in enumerate(ndimage.find_objects(regions), start=1):
            if (regions[down, across] == number).sum() >= SPECKS:
                yield across.start, down.start, across.stop, down.stop

    def pointed(self) -> tuple[int | None, list[tuple[str, str]]]:
        """Return the thing that the hand seems to point at, and the faults."""
        scene = self.record
        free = self.ground | (self.ids == self.count)
        least, most = _HAND_HUES
        hues = hue(self.shares)
        skin = free & (self.saturation > _HAND_COLOURED) & (least < hues) & (hues < most)
        overlaps: list[float] = []
        for target in range(self.count):
            hand = free & (geometry.id_map(replace(scene, target=target)) == self.count)
            overlaps.append((hand & skin).sum() / max((hand | skin).sum(), 1))
        best = int(np.argmax(overlaps))
        if overlaps[best] < ALIKE:
            return scene.target, [("objects, hand", "no hand is seen at its place")]
        if best != scene.target:
            return best, [("points_to", f"the hand is seen to point at {best}, not at {scene.target}")]
        return best, []


def _on_ground(scene: Scene, across: float, down: float) -> tuple[float, float]:
    """Return the place on the ground at a pixel, counted from left and top."""
    right, up, forward = geometry.axes(scene.camera)
    ray = forward + (across - WIDTH / 2) / (LENS * WIDTH) * right + (HEIGHT / 2 - down) / (LENS * WIDTH) * up
    x, y, _ = np.array(scene.camera) - scene.camera[2] / ray[2] * ray
    return float(x), float(y)


def _shadows(scene: Scene, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which pixels show uneven ground, and which show ground that glass may colour: (240, 320) bool each.

    Ground is uneven near a thing, where a thing may shade it from a lamp, right under a lamp, and where the light of a
    lamp ends, because no lamp shines behind itself.
    """
    rows, owners = bodies(scene)
    balls = np.array([enclosing(row) for row in rows]).reshape(-1, 4)
    glass = np.array([owner < len(scene.things) and scene.things[owner].material == "glass" for owner in owners], bool)
    return _shaded(ids, balls, glass, lamps(scene), geometry.view_of(scene))


@compiled
def _shaded(ids, balls, glass, lit, view):
    shadow, tinted = np.zeros(ids.shape, np.bool_), np.zeros(ids.shape, np.bool_)
    for j in range(view.height):
        for i in range(view.width):
            if ids[j, i] != NOTHING:
                continue
            towards = ray(i, j, view)
            distance = floor(view.camera, towards)[0]
            if distance == FAR:
                continue
            x, y, z = plus(view.camera, times(distance, towards))
            for k in range(len(balls)):
                shadow[j, i] |= math.hypot(balls[k, 0] - x, balls[k, 1] - y) < _NEAR * balls[k, 3]
            for lamp in range(len(lit)):
                lx, ly, lz = lit[lamp, 0] - x, lit[lamp, 1] - y, lit[lamp, 2] - z
                length = math.sqrt(lx * lx + ly * ly + lz * lz)
                leaves = -(lx * lit[lamp, 9] + ly * lit[lamp, 10] + lz * lit[lamp, 11]) / length
                shadow[j, i] |= length < _UNDER or (abs(leaves) < _ASKANCE and length < _NEAR_LAMP)
                spread = math.sqrt(lit[lamp, 15] / 2) / length  # half the diagonal of the lamp, as an angle
                for k in range(len(balls)):
                    cx, cy, cz = balls[k, 0] - x, balls[k, 1] - y, balls[k, 2] - z
                    along, radius = (cx * lx + cy * ly + cz * lz) / length, balls[k, 3]
                    wide = 1.05 * (radius + spread * max(along, 0.0))
                    if along > -radius and cx * cx + cy * cy + cz * cz - along * along < wide * wide:
                        shadow[j, i] = True
                        tinted[j, i] |= glass[k]
    return shadow, tinted
