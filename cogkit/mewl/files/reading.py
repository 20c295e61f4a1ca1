"""Reading and checking of the JSON files of an episode; each error names file and field."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cogkit.core.contracts import InputError
from cogkit.core.presets import PROFILES
from cogkit.data.sets import read_json
from cogkit.mewl.files.layout import ARROW, INFO, QUESTION, utterance
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Meaning
from cogkit.mewl.world import geometry
from cogkit.mewl.world.placing import HAND_SLOT, MOVED
from cogkit.mewl.world.scenes import CAMERA, RECORDED, RELATIONS, Scene, directions
from cogkit.mewl.world.things import ATTRIBUTE_OF, ATTRIBUTES, VALUES, Thing, thing
from cogkit.mewl.world.words import PARTS

WIDEST = 5.0  # largest coordinate, in units from the middle of the ground
ROUNDED = 1e-3  # tolerance for directions, which are recorded with five digits
_ASKEW = 0.1  # tolerance for directions if the camera is estimated from pixels
_SPREAD = {"pixel": 0.3, "depth": 0.001, "camera": 0.3}  # standard deviations of whole pixels, depths, and the camera
_STEPS, _STEP = 6, 1e-4
_NOBODY = tuple(sum(side) / 2 for side in HAND_SLOT)


class FieldError(InputError):
    """Bad input in a file: the file, the field, and the problem."""

    def __init__(self, path, field: str, value: Any, wanted: str) -> None:
        text = repr(value) if isinstance(value, str) else str(value)
        text = text if len(text) <= 80 else f"{text[:79]}…"
        self.path, self.field, self.value, self.problem = str(path), field, value, f"wanted {wanted}, got {text}"
        super().__init__(f"{text} ({field} in {path})", wanted)

    def __reduce__(self):
        return type(self), (self.path, self.field, self.value, self.wanted)


class Told(NamedTuple):
    """The content of an episode's ``info.json``.

    Attributes
    ----------
    names : tuple of str
        Names of the six panels.
    things : tuple
        Things of the six panels and of the query, without hands.
    targets : tuple of int or None
        Targets of hands in the six panels and the query.
    options : tuple of str
    answer : int
    lexicon : dict
    made : dict
        Profile, seed, part, number and certificate, if this package made the episode.
    """

    names: tuple[str, ...]
    things: tuple[tuple[Thing, ...], ...]
    targets: tuple[int | None, ...]
    options: tuple[str, ...]
    answer: int
    lexicon: dict[str, Meaning]
    made: dict[str, Any]


class Seen(NamedTuple):
    """The content of a scene's file.

    Attributes
    ----------
    scene : Scene
    names : tuple of str or None
        Names of its things.
    middles : array, (n, 3)
        Centres of its things, in the world.
    pixels : array, (n, 3)
        The centres in the picture, and their depths.
    relationships : Any
        As in the file, unchecked.
    ours : bool
        Whether the file has the camera.
    """

    scene: Scene
    names: tuple[str | None, ...]
    middles: np.ndarray
    pixels: np.ndarray
    relationships: Any
    ours: bool


def learnt(task: str, text: Any) -> tuple[str, ...]:
    """Return the words of a name that must be learnt; none if the name does not have the form of its task.

    Examples
    --------
    >>> learnt("bootstrap", "pado left kimob"), learnt("relation", "red cube pado blue cube"), learnt("object", "pado")
    (('pado', 'kimob'), ('pado',), ())
    """
    words = text.split(" ") if isinstance(text, str) else [""]
    targets: Sequence[str] = words
    if task == "relation":
        nouns = [word for k, word in enumerate(words) if k != 2]
        right = [word in VALUES[name] for word, name in zip(nouns, ("color", "shape") * 2, strict=False)]
        targets = words[2:3] if right == [True] * 4 and len(words) == 5 and nouns[:2] != nouns[2:] else ()
    elif task == "bootstrap":
        targets = words[::2] if len(words) == 3 and words[1] in RELATIONS else ()
    elif task == "object":
        targets = words[::2] if words[1::2] == ["and"] * 2 and len(words) == 5 else ()
    elif len(words) != (2 if task == "composite" else 1):
        targets = ()
    return tuple(targets) if len(set(targets)) == len(targets) and all(words) and " ".join(words).isprintable() else ()


def read_info(path: Path, task: str) -> Told:
    """Return the content of ``info.json`` of an episode, or raise an `InputError` that names file and field."""
    content = read_json(path)
    lexicon = {
        word: _meaning(task, meaning, path, f"word-concept, {word}")
        for word, meaning in _mapping(content.get("word-concept"), path, "word-concept").items()
    }
    listing = _mapping(content.get("objects"), path, "objects")
    for name, values in listing.items():
        _thing(values, path, f"objects, {name}")
    panels = _list(content.get("context_panels"), PANELS, path, "context_panels")
    question = _mapping(content.get("question"), path, "question")
    names = tuple(_name(panel, lexicon, task, path, f"context_panels {k}") for k, panel in enumerate(panels, start=1))
    if len(set(names)) < PANELS:
        raise FieldError(path, "context_panels", list(names), "six names")
    places = [*(f"context_panels {k}" for k in range(1, PANELS + 1)), "question"]
    scenes = [_listed(scene, task, path, place) for scene, place in zip([*panels, question], places, strict=True)]
    options = tuple(_list(question.get("choices"), OPTIONS, path, "question, choices"))
    for k, option in enumerate(options, start=1):
        if not learnt(task, option) or option in options[: k - 1]:
            raise FieldError(path, f"question, choices {k}", option, f"five different names such as {task} has")
    answer = question.get("answer")
    if answer not in options:
        raise FieldError(path, "question, answer", answer, "one of the five choices")
    if not all(word in lexicon for word in learnt(task, answer)):
        raise FieldError(path, "question, answer", answer, "words of word-concept")
    things, targets = zip(*scenes, strict=True)
    return Told(names, things, targets, options, options.index(answer), lexicon, _made(content, path))


def _name(panel: Any, lexicon: Mapping, task: str, path: Path, place: str) -> str:
    name = _mapping(panel, path, place).get("name")
    words = learnt(task, utterance(name)) if isinstance(name, str) else ()
    if not isinstance(name, str) or not words or set(name) & set("/\\") or name in (INFO, QUESTION):
        raise FieldError(path, f"{place}, name", name, f"a name such as {task} has")
    for word in words:
        if word not in lexicon:
            raise FieldError(path, f"{place}, name", name, "words of word-concept")
    return name


def _listed(told: Mapping, task: str, path: Path, place: str) -> tuple[tuple[Thing, ...], int | None]:
    """Return the things in the list of a scene, and the number of the one that a hand points at."""
    values = _list(told.get("objects"), None, path, f"{place}, objects")
    hand = task == "pragmatic" and values[-1:] == [list(ARROW)]
    rows = enumerate(values[:-1] if hand else values, start=1)
    things = tuple(_thing(row, path, f"{place}, objects {k}") for k, row in rows)
    counts = range(1, PANELS + 1) if task == "number" else [1 if task in (*ATTRIBUTES, "composite") else 3]
    if len(things) not in counts:
        number = f"{counts[0]}" if len(counts) == 1 else "1 to 6"
        raise FieldError(path, f"{place}, objects", f"{len(things)}", f"{number} of {task}")
    return things, _target(told.get("arrow_idx"), path, f"{place}, arrow_idx") if task == "pragmatic" else None


def _target(value: Any, path: Path, place: str) -> int | None:
    if value is not None and (type(value) is not int or value not in range(3)):
        raise FieldError(path, place, value, "0, 1 or 2")
    return value


def _meaning(task: str, value: Any, path: Path, place: str) -> Meaning:
    if task in ("object", "bootstrap"):
        return _thing(value, path, place)
    allowed: Sequence = tuple(ATTRIBUTE_OF)  # composite files do not give the attribute, but all values differ
    if task == "number":
        allowed = range(1, PANELS + 1)
    elif task in (*ATTRIBUTES, "relation"):
        allowed = RELATIONS if task == "relation" else VALUES[task]
    if isinstance(value, bool | float) or value not in allowed:
        raise FieldError(path, place, value, f"one of {', '.join(map(str, allowed))}")
    return value


def _thing(values: Any, path: Path, place: str) -> Thing:
    try:
        return thing(_list(values, len(ATTRIBUTES), path, place))
    except (InputError, TypeError) as error:
        if isinstance(error, FieldError):
            raise
        requirement = error.wanted if isinstance(error, InputError) else "four words"
        raise FieldError(path, place, values, f"{', '.join(ATTRIBUTES)}: {requirement}") from None


def _made(told: Mapping, path: Path) -> dict[str, Any]:
    if "cogkit" not in told:
        return {}
    fields = _mapping(told["cogkit"], path, "cogkit")
    choices = {"profile": f"one of {', '.join(PROFILES)}", "part": f"one of {', '.join(PARTS)}"}
    checks = {
        "profile": fields.get("profile") in PROFILES, "part": fields.get("part") in PARTS,
        "seed": type(fields.get("seed")) is int, "number": type(fields.get("number")) is int,
        "certificate": _is_certificate(fields.get("certificate")),
    }  # fmt: skip
    for name, fine in checks.items():
        if not fine:
            otherwise = "consistent options and floors by name" if name == "certificate" else "a whole number"
            raise FieldError(path, f"cogkit, {name}", fields.get(name), choices.get(name, otherwise))
    return {name: fields[name] for name in checks}


def _is_certificate(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"consistent", "floors"} and all(
        isinstance(table, dict) and all(type(score) in (int, float) for score in table.values())
        for table in value.values()
    )  # fmt: skip


def read_scene(path: Path, things: Sequence[Thing], target: int | None = None, hand: bool = False) -> Seen:
    """Return the content of a scene's file, or raise an `InputError` that names file and field.

    Parameters
    ----------
    path : Path
    things : sequence of Thing
        The things in ``info.json``; the file must list the same.
    target : int, optional
        The number of the thing that a hand points at, if ``info.json`` has it.
    hand : bool
        Whether there is a hand.
    """
    content = read_json(path)
    rows, hand_place = _list(content.get("objects"), None, path, "objects"), None
    rows = [_mapping(row, path, f"objects {k}") for k, row in enumerate(rows, start=1)]
    if hand and rows[-1].get("shape") == ARROW.shape:
        hand_place = tuple(_numbers(rows.pop().get("3d_coords"), path, f"objects {len(rows) + 1}, 3d_coords")[:2])
    objects, names, places, turns, pixels = [], [], [], [], []
    for k, row in enumerate(rows, start=1):
        place = f"objects {k}"
        if not isinstance(row.get("name"), str | None):
            raise FieldError(path, f"{place}, name", row["name"], "a name or null")
        names.append(row.get("name"))
        objects.append(_thing([row.get(name) for name in ATTRIBUTES], path, place))
        places.append(_numbers(row.get("3d_coords"), path, f"{place}, 3d_coords"))
        turns.append(_number(row.get("rotation"), path, f"{place}, rotation"))
        pixels.append(_numbers(row.get("pixel_coords"), path, f"{place}, pixel_coords", 1000))
    if sorted(objects) != sorted(things):
        in_file, in_info = ("; ".join(map(str, group)) for group in (objects, things))
        raise FieldError(path, "objects", in_file, f"those of {INFO}.json ({in_info})")
    if hand:
        # This file may list things in another order.
        expected = None if target is None else objects.index(things[target])
        target = _target(content.get("points_to", expected), path, "points_to")
        if target is None or expected not in (None, target):
            raise FieldError(path, "points_to", target, f"what {INFO}.json says ({expected})")
        hand_place = hand_place or _NOBODY
    camera, lamps, recorded = _looked(content, path, np.array(places), np.array(pixels))
    ground = tuple((x, y) for x, y, _ in places)
    scene = Scene(tuple(objects), ground, tuple(turns), camera, lamps, hand_place, target, recorded)
    return Seen(
        scene, tuple(names), np.array(places), np.array(pixels), content.get("relationships"), "camera" in content
    )


def _looked(told: Mapping, path: Path, places: np.ndarray, pixels: np.ndarray):
    """Return camera and lamps of a scene, and whether its directions belong to a camera that has not moved."""
    axes = _mapping(told.get("directions"), path, "directions")
    stored = {name: _numbers(axes.get(name), path, f"directions, {name}", 1.01) for name in RELATIONS}
    lamps: Any = ((0.0, 0.0, 0.0),) * 3
    if "camera" in told:
        camera = tuple(_numbers(told["camera"], path, "camera", math.inf))
        if max(abs(a - b) for a, b in zip(camera, CAMERA, strict=True)) > MOVED:
            raise FieldError(path, "camera", told["camera"], f"{CAMERA}, each moved by {MOVED} or less")
        lamps = _list(told.get("lamps"), 3, path, "lamps")
        lamps = tuple(tuple(_numbers(lamp, path, f"lamps {k}")) for k, lamp in enumerate(lamps, start=1))
        recorded, right, tolerance = stored["left"][:2] == list(RECORDED["left"]), directions(camera), 1e-9
    else:
        camera = seen_from(places, pixels)
        recorded, right, tolerance = _apart(stored, RECORDED) <= ROUNDED, directions(camera), _ASKEW
    if not recorded and _apart(stored, right) > tolerance:
        raise FieldError(path, "directions", stored, "those of its camera, or those that are recorded as published")
    return camera, lamps, recorded


def _apart(said: Mapping[str, Sequence[float]], right: Mapping[str, Sequence[float]]) -> float:
    return max(abs(a - b) for name in RELATIONS for a, b in zip(said[name], right[name], strict=False))


def seen_from(places, pixels) -> tuple[float, float, float]:
    """Return the likeliest place of a camera that sees world points (n, 3) at these pixels and depths (n, 3).

    The camera looks at the origin from near its published place (Gauss-Newton steps). If no such camera fits, the
    result is the published place.

    Examples
    --------
    >>> scene = Scene((), (), (), camera=(7.7, -6.1, 5.0))
    >>> points = np.array([(-1.0, 2.0, 0.7), (2.0, -1.5, 0.35)])
    >>> np.round(seen_from(points, geometry.project(scene, points)), 1).tolist()
    [7.7, -6.1, 5.0]
    """
    start, camera = np.array(CAMERA), np.array(CAMERA)
    weight = 1 / np.tile([_SPREAD["pixel"], _SPREAD["pixel"], _SPREAD["depth"]], len(places))

    def off(at: np.ndarray) -> np.ndarray:
        errors = geometry.project(Scene((), (), (), tuple(at)), places) - pixels
        return np.concatenate([errors.ravel() * weight, (at - start) / _SPREAD["camera"]])

    for _ in range(_STEPS):
        now = off(camera)
        slope = np.stack([(off(camera + step) - now) / _STEP for step in np.eye(3) * _STEP], axis=1)
        move = np.linalg.lstsq(slope, -now)[0]
        camera = camera + np.clip(move, -MOVED, MOVED)
        if np.abs(move).max() < _STEP:
            break
    return tuple(camera.tolist()) if np.abs(camera - start).max() <= 2 * MOVED else CAMERA


def _mapping(value: Any, path: Path, place: str) -> dict:
    if not isinstance(value, dict):
        raise FieldError(path, place, value, "a mapping of names")
    return value


def _list(value: Any, length: int | None, path: Path, place: str) -> list:
    if not isinstance(value, list) or not value or length not in (None, len(value)):
        raise FieldError(path, place, value, f"a list of {length or 'one or more'}")
    return value


def _number(value: Any, path: Path, place: str, limit: float = math.inf) -> float:
    if type(value) not in (int, float) or not math.isfinite(value) or abs(value) > limit:
        raise FieldError(path, place, value, "a number" if limit == math.inf else f"a number of {limit:g} or less")
    return value


def _numbers(value: Any, path: Path, place: str, limit: float = WIDEST) -> list[float]:
    return [_number(item, path, place, limit) for item in _list(value, 3, path, place)]
