"""The files of a set of episodes, as published: their places and contents (Jiang et al. 2023, § 3 and appendix A).

``{train,val,test}/{task}/{number}/`` contains ``info.json``, the scene of the query as ``question.json``, the scene of
each panel as ``{its name}.json``, and a picture for each scene, if there are pictures. The name of a panel's file is
the panel's utterance, with its spaces. If needed, a last word that begins with ``#`` follows; readers drop it:

- shape, color, material: always, as published, with the number of the thing among all that have one of the three
  values;
- composite, ``verified``: two of four names occur twice, and the second time ``#2`` follows. In the other tasks all
  panels have different names (otherwise `panel_names` would number them too).

Unlike the published files, ``info.json`` has ``cogkit`` (profile, seed, number, part, certificate), a scene has
``camera`` and ``lamps``, and only pixels are rounded, so that each episode can be restored exactly. A hand is the last
of a scene's objects, an arrow as in ``info.json``. In a composite episode, ``objects`` has only the combinations that
occur.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from cogkit.core.errors import InputError
from cogkit.core.presets import choose
from cogkit.extras.datasets.sets import manifest
from cogkit.mewl.problems.episodes import PANELS, SIZES, TASKS, Episode
from cogkit.mewl.problems.tasks.relation import noun
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import POINTER, RELATIONS, Scene, true_statements
from cogkit.mewl.world.things import ATTRIBUTES, VALUES, Thing
from cogkit.mewl.world.words import PARTS

NAME = "MEWL_Release_V1"
CELL = "mewl/make"
INFO, QUESTION = "info", "question"
ARROW = Thing("arrow", "yellow", "rubber", "small")  # stands for a hand in a list of things
MOST = 1_000_000  # most episodes of a set
_ROUND = (*PARTS, *(["train"] * 4))  # five for training to one each of the others, in every seven episodes
_UP = {"above": [0, 0, 1], "below": [0, 0, -1]}


class Address(NamedTuple):
    """The part, task and number of an episode.

    Examples
    --------
    >>> str(Address("train", "shape", 7))
    'train/shape/7'
    """

    part: str
    task: str
    number: int

    def __str__(self) -> str:
        return f"{self.part}/{self.task}/{self.number}"


def roots(folder) -> list[Path]:
    """Return a list with the set's own folder: the folder itself, or the one with the published name in it.

    A manifest, or a folder of a part and a task, identifies a set. The list is empty if there is none.
    """
    folder = Path(folder)
    for root in (folder, folder / NAME):
        if manifest(root).get("cell") == CELL or any((root / part / task).is_dir() for part in PARTS for task in TASKS):
            return [root]
    return []


def plan(n: int | None = None, only: str | None = None) -> list[Address]:
    """Return the addresses of a set of ``n`` episodes.

    A larger set contains every smaller set, in each part of the split. ``n`` is by default 4,200 for each task, as
    published; ``only`` is one task, by default all nine.

    Examples
    --------
    >>> [str(address) for address in plan(4, "shape")]
    ['train/shape/0', 'val/shape/0', 'test/shape/0', 'train/shape/1']
    """
    tasks = TASKS if only is None else (choose(only, TASKS, "task"),)
    n = len(tasks) * sum(SIZES.values()) if n is None else n
    if type(n) is not int or not 1 <= n <= MOST:
        raise InputError(f"{n} episodes", f"1 to {MOST:,}")
    return [_address(tasks[k % len(tasks)], k // len(tasks)) for k in range(n)]


def _address(task: str, k: int) -> Address:
    turn, at = divmod(k, len(_ROUND))
    part = _ROUND[at]
    before = _ROUND[:at].count(part)
    return Address(part, task, turn * _ROUND.count(part) + before)


def panel_names(episode: Episode) -> list[str]:
    """Return the names of the files of the six panels.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> names = panel_names(episode("composite", 0))
    >>> len(set(names)), sorted(name[-3:] for name in names if "#" in name)
    (6, [' #2', ' #2'])
    """
    return _titles(episode)[:PANELS]


def _titles(episode: Episode) -> list[str]:
    """Return the names of the panels, and the one that the query would have as a panel."""
    question = episode.trial
    texts = [*question.utterances, question.options[episode.answer]]
    if episode.task in ATTRIBUTES:
        pool = _pool(episode)
        return [f"{text} #{pool.index(scene.things[0])}" for text, scene in zip(texts, question.scenes, strict=True)]
    repeats = [texts[: k + 1].count(text) for k, text in enumerate(texts[:PANELS])]
    return [f"{text} #{count}" if count > 1 else text for text, count in zip(texts, [*repeats, 1], strict=True)]


def utterance(name: str) -> str:
    """Return the utterance of a panel from the name of its file.

    Examples
    --------
    >>> utterance("pado #131"), utterance("pado and kimob and zelu")
    ('pado', 'pado and kimob and zelu')
    """
    text, _, last = name.rpartition(" ")
    return text if text and last.startswith("#") else name


def to_files(episode: Episode) -> dict[str, bytes]:
    """Return the files of an episode by their names, without pictures.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> list(to_files(episode("number", 0)))[-2:], len(to_files(episode("number", 0)))
    (['question.json', 'info.json'], 8)
    """
    titles, scenes = _titles(episode), episode.trial.scenes
    names, labels = titles[:PANELS], [_names_of(episode, *pair) for pair in zip(titles, scenes, strict=True)]
    records = dict(zip([*names, QUESTION], map(record, scenes, labels), strict=True))
    records[INFO] = _info(episode, names, scenes, labels)
    return {f"{name}.json": json.dumps(content, separators=(",", ":")).encode() for name, content in records.items()}


def _pool(episode: Episode) -> list[Thing]:
    """Return the things that have one of the three values that the words of an episode are about."""
    values = VALUES | {episode.task: tuple(episode.lexicon.values())}
    return [Thing(*combination) for combination in product(*values.values())]


def _names_of(episode: Episode, title: str, scene: Scene) -> list[str | None]:
    """Return the name of each thing of a scene, or None."""
    if episode.task in (*ATTRIBUTES, "composite"):
        return [title]
    if episode.task == "relation":
        return list(map(noun, scene.things))
    if episode.task == "pragmatic":
        return [title if k == scene.target else None for k in range(len(scene.things))]
    words = {meaning: word for word, meaning in episode.lexicon.items()}
    return list(map(words.get, scene.things))  # in number, things have no names


def record(scene: Scene, names: Sequence[str | None]) -> dict[str, Any]:
    """Return the content of a scene's file.

    ``names`` are those of its things; ``relationships`` leaves out things without a name.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> told = record(Scene(EVERY[:2], ((0.0, 0.0), (2.0, 0.0)), (0.0, 0.0)), ["pado", "kimob"])
    >>> told["objects"][0]["pixel_coords"][:2], told["relationships"]["right"]
    ([160, 100], {'pado': ['kimob'], 'kimob': []})
    """
    middles, things, turns = geometry.centres(scene).tolist(), [*scene.things], [*scene.turns]
    if scene.hand is not None:
        middles.append([*scene.hand, POINTER])
        things.append(ARROW)
        turns.append(scene.heading)
    rows = zip(things, [*names, None], middles, turns, geometry.project(scene, middles).tolist(), strict=False)
    content = {
        "objects": [
            {
                "name": name, "shape": thing.shape, "size": thing.size, "material": thing.material,
                "color": thing.color, "3d_coords": middle, "rotation": turn,
                "pixel_coords": [round(across), round(down), depth],
            }
            for thing, name, middle, turn, (across, down, depth) in rows
        ],
        "directions": {name: [x, y, 0] for name, (x, y) in scene.directions.items()} | _UP,
        "relationships": relationships(scene, names),
    }  # fmt: skip
    if scene.target is not None:
        content["points_to"] = scene.target
    return content | {"camera": scene.camera, "lamps": scene.lamps}


def relationships(scene: Scene, names: Sequence[str | None]) -> dict[str, dict[str, list[str]]]:
    """Return the names of the things that stand in each relation to each thing with a name."""
    relations = {relation: {name: [] for name in names if name is not None} for relation in RELATIONS}
    for i, relation, j in true_statements(scene):
        if names[i] is not None and names[j] is not None:
            relations[relation][names[j]].append(names[i])
    return relations


def _info(episode: Episode, names, scenes: Sequence[Scene], labels) -> dict[str, Any]:
    problem = episode.trial
    *panels, question = (
        {"objects": [*scene.things, ARROW], "arrow_idx": scene.target}
        if scene.hand is not None else {"objects": scene.things} for scene in scenes
    )  # fmt: skip
    return {
        "objects": _objects(episode, scenes, labels),
        "word-concept": episode.lexicon,
        "context_panels": [{"name": name} | panel for name, panel in zip(names, panels, strict=True)],
        "question": question | {"choices": problem.options, "answer": problem.options[episode.answer]},
        "cogkit": {
            "profile": episode.profile, "seed": episode.seed, "number": episode.number, "part": episode.part,
            "certificate": episode.certificate,
        },
    }  # fmt: skip


def _objects(episode: Episode, scenes: Sequence[Scene], labels) -> Mapping[str, Thing]:
    """Return the objects of ``info.json``; a later thing replaces an earlier one with the same name."""
    task, lexicon = episode.task, episode.lexicon
    if task in ATTRIBUTES:
        words = {value: word for word, value in lexicon.items()}
        place = ATTRIBUTES.index(task)
        return {f"{words[thing[place]]} #{k}": thing for k, thing in enumerate(_pool(episode))}
    if task in ("object", "bootstrap"):
        return lexicon
    if task == "number":
        return {f"#{k}": thing for k, thing in enumerate(thing for scene in scenes for thing in scene.things)}
    pairs = (
        pair for scene, names in zip(scenes, labels, strict=True) for pair in zip(names, scene.things, strict=True)
    )
    return {name: thing for name, thing in pairs if name is not None}
