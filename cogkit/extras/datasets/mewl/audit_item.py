"""The audit of one episode on the disk: do its files agree, are its names true, do solvers find the answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cogkit.core.errors import InputError
from cogkit.extras.datasets.auditing import NOTHING
from cogkit.extras.datasets.fields import FieldError
from cogkit.extras.datasets.mewl.archives import assemble, contents, read_image
from cogkit.extras.datasets.mewl.image_audit import Sight
from cogkit.extras.datasets.mewl.layout import INFO, QUESTION, Address, relationships
from cogkit.extras.datasets.mewl.reading import SceneFile, new_words, read_info, read_scene
from cogkit.extras.datasets.sets import digest
from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import Episode, Meaning
from cogkit.mewl.problems.tasks import bootstrap, module, pragmatic, relation
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import Scene, half
from cogkit.mewl.world.things import ATTRIBUTES

_OFF = (2.0, 2.0, 0.05)  # largest errors in pixels and in units of depth if no camera is stored
_ROUNDED = (0.51, 0.51, 1e-6)  # the same if a camera is stored
_NEAR = 1e-6  # units of the ground


@dataclass
class Report:
    """The results for one episode.

    Attributes
    ----------
    address : Address
    faults : list of (str, str, str)
        File, field and problem.
    pictures : bool
        Whether the episode has pictures.
    scenes : list of (str, bytes)
        The name of each scene's file, and a checksum of its things and places.
    words : frozenset of str
        All words to learn.
    unheard : bool
        Whether the lexicon has a word that no panel uses.
    certificate : dict
        The results of solvers and shortcuts; empty if the episode could not be read.
    """

    address: Address
    faults: list[tuple[str, str, str]] = field(default_factory=list)
    pictures: bool = False
    scenes: list[tuple[str, bytes]] = field(default_factory=list)
    words: frozenset[str] = frozenset()
    unheard: bool = False
    certificate: dict[str, dict[str, float]] = field(default_factory=dict)


def inspect(entry: tuple[Address, str | None], root: Path, config: Mapping[str, Any] | None, drawn: bool) -> Report:
    """Return the results for one episode.

    An unreadable file gives its first fault, and a readable one all its faults. ``entry`` is the episode, and the
    SHA-256 of its files in the manifest: None without a manifest, and `NOTHING` if the manifest does not list the
    episode. ``root`` is the set's own folder, and ``config`` the options in its manifest; None for a copy without one.
    Only pictures that our own tracer has ``drawn`` are audited (`image_audit`), because other renderers have other
    lamps, grounds and surfaces.
    """
    return _Inspection(*entry, root, config, drawn).report


class _Inspection:
    """The inspection of one episode."""

    def __init__(
        self, address: Address, checksum: str | None, root: Path, config: Mapping[str, Any] | None, drawn: bool
    ) -> None:
        self.folder, self.address, self.config = root / str(address), address, config
        self.verified = config is not None and config["profile"] == "verified"  # it promises one right option for each
        self.task, self.report = address.task, Report(address)
        self.images: dict[str, np.ndarray] = {}
        files = contents(self.folder)
        if not files:
            self._add("", "file", "is missing")
            return
        info = self._or_none(read_info, self.folder / f"{INFO}.json", self.task)
        self._checksum(files, checksum)
        if info is None:
            return
        names = [*info.names, QUESTION]
        self._files(files, names)
        records = []
        for name, things, target in zip(names, info.things, info.targets, strict=True):
            path = self.folder / f"{name}.json"
            records.append(self._or_none(read_scene, path, things, target, self.task == "pragmatic"))
        for name, record in zip(names, records, strict=True):
            if record is not None:
                self._geometry(name, record)
        if None not in records:
            episode = assemble(address, info, [record.scene for record in records])
            self._episode(episode, names)
            self._provenance(info.provenance)
            if drawn:
                self._pictures(episode, names)

    def _add(self, name: str, field: str, problem: str) -> None:
        self.report.faults.append((str(self.folder / name), field, problem))

    def _or_none(self, read: Callable, *arguments, name: str = "") -> Any:
        """Return what a file holds, or note the error of its reader, of the file ``name`` if it names no field."""
        try:
            return read(*arguments)
        except FieldError as error:
            self.report.faults.append((error.path, error.field, error.problem))
        except InputError as error:
            self._add(name, "file", str(error))
        return None

    def _checksum(self, files: Sequence[str], checksum: str | None) -> None:
        if checksum == NOTHING:
            self._add("", "episodes", "is none of the episodes that the manifest names")
        elif checksum is not None and digest(self.folder, files) != checksum:
            self._add("", "sha256", "the files are not those that the manifest names")
        self.report.pictures = any(name.endswith(".png") for name in files)

    def _files(self, files: Sequence[str], names: Sequence[str]) -> None:
        """Note extra files and broken pictures."""
        pictures = [f"{name}.png" for name in names]
        for name in sorted(set(files) - {f"{INFO}.json", *(f"{name}.json" for name in names), *pictures}):
            self._add(name, "file", "is none of an episode's")
        for name in pictures if self.report.pictures else ():
            image = self._or_none(read_image, self.folder / name, name=name)
            if image is not None and (image == image[0, 0]).all():
                self._add(name, "file", "shows nothing: all its pixels are alike")
            elif image is not None:
                self.images[name] = image

    def _geometry(self, name: str, record: SceneFile) -> None:
        """Note fields of a scene's file that do not follow from the places of things."""
        scene, file = record.scene, f"{name}.json"
        highs = np.array([half(thing) for thing in scene.things])
        for k in np.flatnonzero(np.abs(record.middles[:, 2] - highs) > _NEAR):
            problem = f"its middle is {highs[k]:g} high, not {record.middles[k, 2]:g}"
            self._add(file, f"objects {k + 1}, 3d_coords", problem)
        right = geometry.project(scene, record.middles)
        off = np.abs(record.pixels - right) > (_ROUNDED if record.ours else _OFF)
        for k in np.flatnonzero(off.any(axis=1)):
            problem = f"it is seen at {right[k].round(1).tolist()}, not {record.pixels[k].round(1).tolist()}"
            self._add(file, f"objects {k + 1}, pixel_coords", problem)
        self._relationships(file, record)
        if self.config is not None and not record.ours:
            self._add(file, "camera", "is missing")
        elif record.ours and not geometry.clear(scene):
            self._add(file, "objects", f"not all can be seen with {geometry.VISIBLE} pixels or more")
        strict = self.verified and self.task in ("relation", "bootstrap")
        if strict and not geometry.agrees(scene):
            self._add(file, "relationships", "the picture does not show them")

    def _relationships(self, file: str, record: SceneFile) -> None:
        for direction, expected in relationships(record.scene, record.names).items():
            stored = record.relationships.get(direction) if isinstance(record.relationships, dict) else None
            if not isinstance(stored, dict):
                self._add(file, f"relationships, {direction}", "is missing")
                continue
            for name in [*expected, *(stored.keys() - expected.keys())]:
                entry, correct = stored.get(name, []), sorted(expected.get(name, ()))
                if name not in expected or not isinstance(entry, list) or sorted(map(str, entry)) != correct:
                    self._add(file, f"relationships, {direction}, {name}", f"wanted {correct}, got {entry}"[:200])

    def _episode(self, episode: Episode, names: Sequence[str]) -> None:
        """Note false names, and differences to the solvers' results; store what later checks compare."""
        question, report, file = episode.trial, self.report, f"{INFO}.json"
        for k, panel in enumerate(question.panels, start=1):
            if not is_true(self.task, panel.utterance, panel.scene, episode.lexicon):
                self._add(file, f"context_panels {k}, name", f"{panel.utterance!r} is not so in its picture")
        answer = question.options[episode.answer]
        right = [option for option in question.options if is_true(self.task, option, question.query, episode.lexicon)]
        if answer not in right:
            more = f", {right[0]!r} is" if right else ""
            self._add(file, "question, answer", f"{answer!r} is not so in the picture{more}")
        fits = module(self.task).solve(question)[1]
        if not fits[episode.answer]:
            self._add(file, "question, answer", f"the exact solver rules out {answer!r}")
        elif sum(fits) != 1 and self.verified:
            also = next(option for k, option in enumerate(question.options) if fits[k] and k != episode.answer)
            self._add(file, "question, choices", f"the exact solver leaves {sum(fits)}: {also!r} may be right too")
        report.certificate = making.certificate(question, episode.answer)
        count = report.certificate["consistent"].get("open", 1)
        if count != 1 and "open_hypotheses" in (self.config or {}):
            self._add(file, "question, choices", f"if words may be about any attribute {count} may be right")
        report.scenes = list(zip(names, map(_sum, question.scenes), strict=True))
        heard = {word for panel in question.panels for word in new_words(self.task, panel.utterance)}
        report.words = frozenset(heard).union(*(new_words(self.task, option) for option in question.options))
        report.unheard = not episode.lexicon.keys() <= heard
        if report.unheard and self.verified:
            self._add(file, "word-concept", f"{min(episode.lexicon.keys() - heard)!r} is heard in no panel")

    def _pictures(self, episode: Episode, names: Sequence[str]) -> None:
        """Note differences between pictures and their records, and names that are false in the pictures."""
        question, lexicon = episode.trial, episode.lexicon
        texts = [*question.utterances, question.options[episode.answer]]
        for name, scene, text in zip(names, question.scenes, texts, strict=True):
            picture = f"{name}.png"
            if picture not in self.images:
                continue
            sight = Sight(self.images[picture], scene)
            for place, problem in sight.faults:
                self._add(picture, place, problem)
            if is_true(self.task, text, scene, lexicon) and not is_true(self.task, text, sight.scene, lexicon):
                self._add(picture, "name", f"{text!r} is so by the record and not in the picture")

    def _provenance(self, stored: Mapping[str, Any]) -> None:
        """Note fields in which an episode disagrees with its folder, the manifest and the solvers."""
        config, file = self.config, f"{INFO}.json"
        if not stored:
            if config is not None:
                self._add(file, "cogkit", "is missing")
            return
        fields = {"part": self.address.part, "number": self.address.number}
        if config is not None:
            fields |= {"profile": config["profile"], "seed": config["seed"]}
        fields |= {f"certificate, {kind}": scores for kind, scores in self.report.certificate.items()}
        stored = {**stored, **{f"certificate, {kind}": scores for kind, scores in stored["certificate"].items()}}
        for name, value in fields.items():
            if stored[name] != value:
                self._add(file, f"cogkit, {name}", f"wanted {value!r}, got {stored[name]!r}")


def _sum(scene: Scene) -> bytes:
    """Return a checksum of the things and their places, without camera and turns."""
    return hashlib.blake2b(repr(sorted(zip(scene.things, scene.places, strict=True))).encode(), digest_size=12).digest()


def is_true(task: str, text: str, scene: Scene, lexicon: Mapping[str, Meaning]) -> bool:
    """Return whether a name is true of a scene under a lexicon; a name with a word outside the lexicon is not true.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> scene = Scene(EVERY[:2], ((0.0, 0.0), (2.0, 0.0)), (0.0, 0.0))
    >>> is_true("number", "pado", scene, {"pado": 2}), is_true("number", "kimob", scene, {"pado": 2})
    (True, False)
    """
    words = new_words(task, text)
    if not words or not all(word in lexicon for word in words):
        return False
    meanings = [lexicon[word] for word in words]
    if task == "object":
        return set(meanings) == set(scene.things)
    if task == "number":
        return meanings == [len(scene.things)]
    if task == "pragmatic":  # the word rules out all other things
        return meanings[0] in pragmatic.excluding(scene, len(scene.things) - 1)
    if task == "relation":
        return meanings[0] in relation.true(scene, relation.read(text))
    if task == "bootstrap":
        return tuple(meanings) in bootstrap.ways(scene, text.split()[1], heed=True)
    return all(value in scene.things[0] for value in meanings) and (
        task not in ATTRIBUTES or meanings[0] == getattr(scene.things[0], task)
    )
