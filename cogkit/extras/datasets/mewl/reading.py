"""Reading and checking of the JSON files of an episode; each error names file and field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy

from cogkit.core.errors import InputError
from cogkit.core.presets import PROFILES
from cogkit.extras.datasets.fields import Field
from cogkit.extras.datasets.mewl.layout import ARROW, INFO, QUESTION, utterance
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
_NOBODY = tuple(sum(side) / 2 for side in HAND_SLOT)
_NOUN = f"(?:{'|'.join(VALUES['color'])}) (?:{'|'.join(VALUES['shape'])})"
_FORMS = {  # of the names of each task; one new word in the others
    "object": "WORD and WORD and WORD",
    "composite": "WORD WORD",
    "bootstrap": f"WORD (?:{'|'.join(RELATIONS)}) WORD",
    "relation": rf"(?!(.+) [^ ]+ \1$){_NOUN} WORD {_NOUN}",
}


class EpisodeFile(NamedTuple):
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
    provenance : dict
        Profile, seed, part, number and certificate, if this package made the episode.
    """

    names: tuple[str, ...]
    things: tuple[tuple[Thing, ...], ...]
    targets: tuple[int | None, ...]
    options: tuple[str, ...]
    answer: int
    lexicon: dict[str, Meaning]
    provenance: dict[str, Any]


class SceneFile(NamedTuple):
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


def new_words(task: str, text: Any) -> tuple[str, ...]:
    """Return the words of a name that must be learnt; none if the name does not have the form of its task.

    Examples
    --------
    >>> new_words("bootstrap", "pado left kimob"), new_words("relation", "red cube pado blue cube")
    (('pado', 'kimob'), ('pado',))
    >>> new_words("object", "pado")
    ()
    """
    form = _FORMS.get(task, "WORD").replace("WORD", "([^ ]+)")
    match = re.fullmatch(form, text) if isinstance(text, str) and text.isprintable() else None
    words = [word for word in match.groups() if word] if match else []
    return tuple(words) if len(set(words)) == len(words) else ()


def read_info(path: Path, task: str) -> EpisodeFile:
    """Return the content of ``info.json`` of an episode, or raise an `InputError` that names file and field."""
    info = Field.read(path)
    lexicon = {word: _meaning(task, field) for word, field in info["word-concept"].mapping().items()}
    for field in info["objects"].mapping().values():
        _thing(field)
    panels, question = info["context_panels"].items(PANELS), info["question"]
    names = tuple(_name(panel["name"], lexicon, task) for panel in panels)
    if len(set(names)) < PANELS:
        raise info["context_panels"].error("six names", list(names))
    things, targets = zip(*(_listing(scene, task) for scene in [*panels, question]), strict=True)
    options: list[str] = []
    for option in question["choices"].items(OPTIONS):
        if not new_words(task, option.value) or option.value in options:
            raise option.error(f"five different names such as {task} has")
        options.append(option.value)
    answer = question["answer"].one_of(options, "one of the five choices")
    if not all(word in lexicon for word in new_words(task, answer)):
        raise question["answer"].error("words of word-concept")
    return EpisodeFile(
        names, things, targets, tuple(options), options.index(answer), lexicon, _provenance(info["cogkit"])
    )


def _name(field: Field, lexicon: Mapping, task: str) -> str:
    name = field.value
    words = new_words(task, utterance(name)) if isinstance(name, str) else ()
    if not words or set(name) & set("/\\") or name in (INFO, QUESTION):
        raise field.error(f"a name such as {task} has")
    if any(word not in lexicon for word in words):
        raise field.error("words of word-concept")
    return name


def _listing(scene: Field, task: str) -> tuple[tuple[Thing, ...], int | None]:
    """Return the things in the list of a scene, and the number of the one that a hand points at."""
    rows = scene["objects"].items()
    if task == "pragmatic" and rows[-1].value == list(ARROW):
        rows.pop()
    things = tuple(map(_thing, rows))
    counts = range(1, PANELS + 1) if task == "number" else [1 if task in (*ATTRIBUTES, "composite") else 3]
    if len(things) not in counts:
        number = f"{counts[0]}" if len(counts) == 1 else "1 to 6"
        raise scene["objects"].error(f"{number} of {task}", f"{len(things)}")
    return things, _target(scene["arrow_idx"]) if task == "pragmatic" else None


def _target(field: Field) -> int | None:
    return None if field.value is None else field.one_of(range(3), "0, 1 or 2")


def _meaning(task: str, field: Field) -> Meaning:
    if task in ("object", "bootstrap"):
        return _thing(field)
    if task == "number":
        return field.one_of(range(1, PANELS + 1))
    if task == "composite":  # its files do not give the attribute, but all values differ
        return field.one_of(ATTRIBUTE_OF)
    return field.one_of(RELATIONS if task == "relation" else VALUES.get(task, ATTRIBUTE_OF))


def _thing(field: Field) -> Thing:
    values = [item.value for item in field.items(len(ATTRIBUTES))]
    try:
        return thing(values)
    except (InputError, TypeError) as error:
        requirement = error.wanted if isinstance(error, InputError) else "four words"
        raise field.error(f"{', '.join(ATTRIBUTES)}: {requirement}") from None


def _provenance(field: Field) -> dict[str, Any]:
    if field.value is None:
        return {}
    field["profile"].one_of(PROFILES)
    field["part"].one_of(PARTS)
    for name in ("seed", "number"):
        field[name].of(int, "a whole number")
    tables = field["certificate"].mapping()
    if tables.keys() != {"consistent", "floors"}:
        raise field["certificate"].error("consistent options and floors by name")
    for table in tables.values():
        table.of(dict[str, float], "a number for each name")
    return {name: field[name].value for name in ("profile", "part", "seed", "number", "certificate")}


def read_scene(path: Path, things: Sequence[Thing], target: int | None = None, hand: bool = False) -> SceneFile:
    """Return the content of a scene's file, or raise an `InputError` that names file and field.

    ``things`` are those in ``info.json``; the file must list the same. ``target`` is the number of the thing that a
    hand points at, if ``info.json`` has it; ``hand`` says whether there is a hand.
    """
    content = Field.read(path)
    rows, hand_place = content["objects"].items(), None
    if hand and rows[-1]["shape"].value == ARROW.shape:
        hand_place = tuple(rows.pop()["3d_coords"].numbers(3, WIDEST)[:2])
    names = tuple(row["name"].of(str | None, "a name or null") for row in rows)
    objects = [_thing(Field(path, [row[name].value for name in ATTRIBUTES], row.place)) for row in rows]
    places = np.array([row["3d_coords"].numbers(3, WIDEST) for row in rows])
    turns = tuple(row["rotation"].of(float, "a number") for row in rows)
    pixels = np.array([row["pixel_coords"].numbers(3, 1000) for row in rows])
    if sorted(objects) != sorted(things):
        in_file, in_info = ("; ".join(map(str, group)) for group in (objects, things))
        raise content["objects"].error(f"those of {INFO}.json ({in_info})", in_file)
    if hand:  # this file may list things in another order
        expected = None if target is None else objects.index(things[target])
        pointed = content["points_to"]
        target = expected if pointed.value is None else _target(pointed)
        if target is None or expected not in (None, target):
            raise pointed.error(f"what {INFO}.json says ({expected})")
    camera, lamps, recorded = _view(content, places, pixels)
    scene = Scene(
        tuple(objects), tuple((x, y) for x, y, _ in places.tolist()), turns, camera, lamps,
        (hand_place or _NOBODY) if hand else None, target, recorded,
    )  # fmt: skip
    return SceneFile(scene, names, places, pixels, content["relationships"].value, content["camera"].value is not None)


def _view(content: Field, places: np.ndarray, pixels: np.ndarray):
    """Return camera and lamps of a scene, and whether its directions belong to a camera that has not moved."""
    stored = {name: content["directions"][name].numbers(3, 1.01) for name in RELATIONS}
    lamps: Any = ((0.0, 0.0, 0.0),) * 3
    if content["camera"].value is not None:
        camera = tuple(content["camera"].numbers(3))
        if max(abs(a - b) for a, b in zip(camera, CAMERA, strict=True)) > MOVED:
            raise content["camera"].error(f"{CAMERA}, each moved by {MOVED} or less")
        lamps = tuple(tuple(lamp.numbers(3, WIDEST)) for lamp in content["lamps"].items(3))
        recorded, tolerance = stored["left"][:2] == list(RECORDED["left"]), 1e-9
    else:
        camera = seen_from(places, pixels)
        recorded, tolerance = _distance(stored, RECORDED) <= ROUNDED, _ASKEW
    if not recorded and _distance(stored, directions(camera)) > tolerance:
        raise content["directions"].error("those of its camera, or those that are recorded as published")
    return camera, lamps, recorded


def _distance(stored: Mapping[str, Sequence[float]], right: Mapping[str, Sequence[float]]) -> float:
    return max(abs(a - b) for name in RELATIONS for a, b in zip(stored[name], right[name], strict=False))


def seen_from(places, pixels) -> tuple[float, float, float]:
    """Return the likeliest place of a camera that sees world points (n, 3) at these pixels and depths (n, 3).

    The camera looks at the origin from near its published place (least squares). If no such camera fits, the
    result is the published place.

    Examples
    --------
    >>> scene = Scene((), (), (), camera=(7.7, -6.1, 5.0))
    >>> points = np.array([(-1.0, 2.0, 0.7), (2.0, -1.5, 0.35)])
    >>> np.round(seen_from(points, geometry.project(scene, points)), 1).tolist()
    [7.7, -6.1, 5.0]
    """
    weight = 1 / np.tile([_SPREAD["pixel"], _SPREAD["pixel"], _SPREAD["depth"]], len(places))

    def residuals(camera: np.ndarray) -> np.ndarray:
        errors = geometry.project(Scene((), (), (), tuple(camera)), places) - pixels
        return np.concatenate([errors.ravel() * weight, (camera - CAMERA) / _SPREAD["camera"]])

    camera = scipy.optimize.leastsq(residuals, CAMERA)[0]
    return tuple(camera.tolist()) if np.abs(camera - CAMERA).max() <= 2 * MOVED else CAMERA
