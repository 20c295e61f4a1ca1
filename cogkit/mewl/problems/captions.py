"""Scenes in words, for learners that read and do not look (Jiang et al. 2023, § 4 and appendix B)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cogkit.mewl.problems.drafts import shuffled
from cogkit.mewl.world.scenes import Scene, row

if TYPE_CHECKING:
    from cogkit.mewl.problems.episodes import Question, Trial

PREFIX = "Please name the target object according to the above context."


def caption(task: str, scene: Scene, rng: np.random.Generator | None = None) -> str:
    """Return the caption of a scene.

    ``rng`` draws a random order of things, and leaves out the hand. By default things keep the order of the scene and,
    as published, a small yellow rubber arrow among them stands for a hand.

    Notes
    -----
    Differs from the paper: there things have the order of the words, so that the n-th word means the n-th thing
    (``object``), and the arrow has values that words may mean (``pragmatic``).

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> caption("number", Scene(EVERY[:2], ((0, 0), (1, 1)), (0, 0)))
    'A large gray rubber cube and a small gray rubber cube.'
    """
    if is_spatial(task):
        return _spatial(scene)
    names = [str(scene.things[k]) for k in mentioned(task, scene, rng)]
    if scene.hand is not None and not rng:
        names.append("small yellow rubber arrow")
    end = "" if scene.hand is None else f" And a finger is pointing to the {scene.pointed}."
    return f"A {' and a '.join(names)}.{end}"


def is_spatial(task: str) -> bool:
    """Return whether the captions of a task say where things are.

    Examples
    --------
    >>> is_spatial("bootstrap"), is_spatial("object")
    (True, False)
    """
    return task in ("relation", "bootstrap")


def mentioned(task: str, scene: Scene, rng: np.random.Generator | None = None) -> tuple[int, ...]:
    """Return the numbers of the things of a scene in the order in which its caption first names them.

    ``rng`` must be in the same state as for `caption`.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> scene = Scene(EVERY[:2], ((0, 0), (1, 1)), (0, 0))
    >>> mentioned("number", scene), sorted(mentioned("number", scene, np.random.default_rng(0)))
    ((0, 1), [0, 1])
    """
    numbers = range(len(scene.things))
    if is_spatial(task):
        front, middle, rear = row(scene, "front")
        return middle, rear, front
    return tuple(shuffled(numbers, rng) if rng else numbers)


def _spatial(scene: Scene) -> str:
    """Return the places of three things: for each direction, the middle one between the other two."""
    front, middle, rear = (scene.things[k] for k in row(scene, "front"))
    left, between, right = (scene.things[k] for k in row(scene, "left"))
    return (
        f"The {middle} is in front of the {rear} and behind the {front}. "
        f"The {between} is on the left of the {right} and on the right of the {left}."
    )


def described(trial: Trial) -> tuple[tuple[str, ...], list[tuple], dict[str, int]]:
    """Return the words that describe the query; those of each panel with its name; and the number of each word heard.

    Panels have the order of their descriptions, whatever order they lie in. A name is the numbers of its words, which
    are counted in this order.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> query, panels, numbers = described(episode("shape", 0).trial)
    >>> len(query), len(panels), panels[0][0] <= panels[1][0], panels[0][1]
    (4, 6, True, (0,))
    """
    spatial = is_spatial(trial.task)
    texts = [_spatial(scene) if spatial else " ".join(sorted(map(str, scene.things))) for scene in trial.scenes]
    pointed = ["" if scene.hand is None else f" at {scene.pointed}" for scene in trial.scenes]
    words = [tuple((text + more).split()) for text, more in zip(texts, pointed, strict=True)]
    numbers: dict[str, int] = {}
    pairs = sorted(zip(words, trial.utterances, strict=False))
    panels = [(text, tuple(numbers.setdefault(word, len(numbers)) for word in name.split())) for text, name in pairs]
    return words[-1], panels, numbers


def outline(trial: Trial) -> tuple:
    """Return what the pictures of an episode hold and which share a word, whatever the words are and where things lie.

    Equal outlines are one episode for all that captions tell of it. A learner may know it by heart in other words, with
    its panels in another order.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> outline(episode("shape", 0).trial) == outline(episode("shape", 1).trial)
    False
    """
    query, panels, _ = described(trial)
    return (trial.task, query, *panels)


def scenes_of(scenes, names) -> str:
    """Return seven scenes in words one below the other, all but the last with their names.

    Examples
    --------
    >>> scenes_of(["A cube.", "A cone."], ["pado"])
    'Scene 1: A cube.\\nName: pado\\n\\nScene 2: A cone.'
    """
    pairs = enumerate(zip(scenes[:-1], names, strict=True), 1)
    blocks = [f"Scene {k}: {scene}\nName: {name}" for k, (scene, name) in pairs]
    return "\n\n".join([*blocks, f"Scene {len(scenes)}: {scenes[-1]}"])


def prompts(question: Question, prefix: str = PREFIX) -> list[tuple[str, tuple[str, ...]]]:
    """Return the published text of each episode: a prompt that ends with ``Name:``, and five endings.

    The pictures of the question are captions. ``prefix`` stands before the prompt; ``""`` for none.

    Examples
    --------
    >>> from cogkit.mewl.problems.episodes import Question
    >>> question = Question(("number",), [("A small red glass cube.",) * 7], (("pado",) * 6,), (("pado", "tif"),))
    >>> text, endings = prompts(question, "")[0]
    >>> text[-38:], endings
    ('Context: A small red glass cube.\\nName:', (' pado', ' tif'))
    """
    start = f"{prefix} " if prefix else ""
    pairs = []
    for captions, names, options in zip(question.observations, question.utterances, question.options, strict=True):
        blocks = [f"Context: {caption}\nName: {name}\n\n" for caption, name in zip(captions[:-1], names, strict=True)]
        text = start + "".join(blocks) + f"Context: {captions[-1]}\nName:"
        pairs.append((text, tuple(f" {option}" for option in options)))
    return pairs
