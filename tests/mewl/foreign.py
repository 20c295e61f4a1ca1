"""Episodes as the published program writes them, written from what is known of its files and from nothing of ours.

No camera, no lamps, no hand among a scene's objects; utterances as file names, ``#k`` and all; ``objects`` that later
panels overwrite; things without a name.
"""

from __future__ import annotations

import json
from itertools import combinations, product
from pathlib import Path

import numpy as np
from PIL import Image

TASKS = ("shape", "color", "material", "object", "composite", "relation", "bootstrap", "number", "pragmatic")
VALUES = {
    "shape": ["cube", "sphere", "cylinder"],
    "color": ["gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow"],
    "material": ["rubber", "metal", "glass"],
    "size": ["large", "small"],
}
ORDER = list(VALUES)
EVERY = [list(each) for each in product(*VALUES.values())]
LEFT, BEHIND = np.array([-0.65631, -0.75449]), np.array([-0.75449, 0.65631])
DIRECTIONS = {"left": LEFT, "right": -LEFT, "front": -BEHIND, "behind": BEHIND}
ARROW = ["arrow", "yellow", "rubber", "small"]
SLOTS = (((-2.25, -0.05), (-3.25, -1.05)), ((-2.25, -0.05), (0.05, 2.25)), ((1.05, 3.25), (0.05, 2.25)))
SYLLABLES = ("sel", "ar", "dy", "sen", "pre", "ver", "pe", "ci", "tu", "ev", "lar", "ments", "com", "ing", "ter")


class Writer:
    """Makes episodes: what their files hold, and what whoever reads them should find."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def some(self, values, n: int) -> list:
        return [values[k] for k in self.rng.permutation(len(values))[:n]]

    def words(self, n: int, length: int) -> list[str]:
        words = []
        while len(words) < n:
            word = "".join(SYLLABLES[k] for k in self.rng.integers(len(SYLLABLES), size=length))
            words += [word] * (word not in words)
        return words

    def places(self, n: int, slots=None) -> np.ndarray:
        """Return places that are 0.4 or more apart along both directions (within slots: along left and right)."""
        while True:
            low, high = np.array(slots).T if slots else (np.full((2, n), -3.0), np.full((2, n), 3.0))
            places = self.rng.uniform(low.T, high.T)
            axes = [LEFT, BEHIND] if not slots else [LEFT]
            if all(abs((a - b) @ axis) >= 0.4 for axis in axes for a, b in combinations(places, 2)):
                return places

    def scene(self, things, names, pointed=None) -> dict:
        """Return a scene's record, as published."""
        camera = np.array([7.4811, -6.5076, 5.3437]) + self.rng.uniform(-0.5, 0.5, 3)
        forward = -camera / np.linalg.norm(camera)
        right = np.cross(forward, [0, 0, 1])
        right /= np.linalg.norm(right)
        up = np.cross(right, forward)
        objects, places = [], self.places(len(things), None if pointed is None else SLOTS)
        for thing, name, (x, y) in zip(things, names, places, strict=True):
            point = [float(x), float(y), 0.7 if thing[3] == "large" else 0.35]
            u, v, w = (float(axis @ (np.array(point) - camera)) for axis in (right, up, forward))
            pixels = [round(160 + 350 * u / w), round(120 - 350 * v / w), w]
            objects.append({"name": name, **dict(zip(ORDER, thing, strict=True)), "3d_coords": point,
                            "rotation": float(self.rng.uniform(0, 360)), "pixel_coords": pixels})  # fmt: skip
        numbers = [k for k, name in enumerate(names) if name is not None]
        relations = {
            relation: {
                names[i]: [names[j] for j in numbers if (places[j] - places[i]) @ axis > 0.2] for i in numbers
            }
            for relation, axis in DIRECTIONS.items()
        }  # fmt: skip
        directions = {name: [*map(float, axis), 0.0] for name, axis in DIRECTIONS.items()}
        record = {"objects": objects, "directions": directions | {"above": [0, 0, 1], "below": [0, 0, -1]},
                "relationships": relations}  # fmt: skip
        return record if pointed is None else record | {"points_to": pointed}

    def episode(self, task: str) -> dict:
        """Return name, scene and things of six panels and a query, and what else ``info.json`` says."""
        return getattr(self, f"_{task if task not in ORDER else 'attribute'}")(task)

    def _attribute(self, task: str) -> dict:
        values, (a, b, c, *dummies) = self.some(VALUES[task], 3), self.words(5, 2)
        place, lexicon = ORDER.index(task), dict(zip((a, b, c), values, strict=True))
        word = {value: name for name, value in lexicon.items()}
        pool = [thing for thing in EVERY if thing[place] in values]
        while True:
            things = self.some(pool, 7)
            groups = [[thing for thing in things[:6] if thing[place] == value] for value in values]
            if all(groups) and [
                k for k in range(4) if all(len({thing[k] for thing in group}) == 1 for group in groups)
            ] == [place]:
                break
        called = [f"{word[thing[place]]} #{pool.index(thing)}" for thing in things]
        return self._told(
            {f"{word[thing[place]]} #{k}": thing for k, thing in enumerate(pool)}, lexicon,
            [(name, [thing], [name]) for name, thing in zip(called, things, strict=True)],
            [a, b, c, *dummies], word[things[6][place]],
        )  # fmt: skip

    def _object(self, task: str) -> dict:
        words, things = self.words(6, 3), self.some(EVERY, 6)
        triples = self.some(list(combinations(range(6), 3)), 11)
        names = [" and ".join(words[k] for k in triple) for triple in triples]
        scenes = [
            (name, [things[k] for k in triple], [words[k] for k in triple])
            for name, triple in zip(names[:7], triples, strict=False)
        ]
        lexicon = dict(zip(words, things, strict=True))
        return self._told(lexicon, lexicon, scenes, names[6:], names[6])

    def _composite(self, task: str) -> dict:
        (first, second), words = self.some(range(3), 2), self.words(6, 3)
        values = [self.some(VALUES[ORDER[place]], 3) for place in (first, second)]
        pairs = [(i, j) for i in range(3) for j in range(3)]
        things = {}
        for i, j in pairs:
            thing = [self.some(VALUES[name], 1)[0] for name in ORDER]
            thing[first], thing[second] = values[0][i], values[1][j]
            things[f"{words[i]} {words[3 + j]}"] = thing
        names = self.some(list(things), 9)
        options = [*names[6:], *self.some(names[:6], 2)]
        lexicon = dict(zip(words, [*values[0], *values[1]], strict=True))
        return self._told(things, lexicon, [(name, [things[name]], [name]) for name in names[:7]], options, names[6])

    def _relation(self, task: str) -> dict:
        words, meant, scenes, objects, before = self.words(3, 3), self.some(list(DIRECTIONS), 3), [], {}, None
        for word, relation in [*((word, meant[k]) for k, word in enumerate(words) for _ in range(2)), (None, None)]:
            while True:
                nouns = self.some(list(product(VALUES["color"], VALUES["shape"])), 3)
                things = [
                    [shape, color, *(self.some(VALUES[name], 1)[0] for name in ORDER[2:])] for color, shape in nouns
                ]
                names = [" ".join(noun) for noun in nouns]
                scene = self.scene(things, names)
                if word is None:
                    break
                rows = scene["relationships"]
                landmark = self.some([name for name in names if rows[relation][name]], 1)[0]
                subject = self.some(rows[relation][landmark], 1)[0]
                (other,) = (name for name in rows if name != relation and subject in rows[name][landmark])
                if (word, other) != before:  # what else is so must not be so in both pictures of a word
                    before = word, other
                    scenes.append((f"{subject} {word} {landmark}", things, scene))
                    break
            objects |= dict(zip(names, things, strict=True))
        so, not_so = [], []
        for (subject, landmark), (word, relation) in product(product(names, names), zip(words, meant, strict=True)):
            if subject != landmark:
                right = subject in scene["relationships"][relation][landmark]
                (so if right else not_so).append(f"{subject} {word} {landmark}")
        answer = self.some(so, 1)[0]
        lexicon = dict(zip(words, meant, strict=True))
        entries = [*scenes, (answer, things, scene)]
        return self._told(objects, lexicon, entries, [answer, *self.some(not_so, 4)], answer)

    def _bootstrap(self, task: str) -> dict:
        words, things, scenes = self.words(6, 3), self.some(EVERY, 6), []
        pairs = self.some(list(combinations(range(6), 2)), 11)
        for a, b in pairs[:7]:
            trio = [things[a], things[b], self.some([thing for thing in EVERY if thing not in things], 1)[0]]
            scene = self.scene(trio, [words[a], words[b], None])
            so = [name for name in DIRECTIONS if words[b] in scene["relationships"][name][words[a]]]
            scenes.append((f"{words[b]} {self.some(so, 1)[0]} {words[a]}", trio, scene))
        wrong = [f"{words[a]} {self.some(list(DIRECTIONS), 1)[0]} {words[b]}" for a, b in pairs[7:]]
        lexicon, answer = dict(zip(words, things, strict=True)), scenes[6][0]
        return self._told(lexicon, lexicon, scenes, [answer, *wrong], answer)

    def _number(self, task: str) -> dict:
        words, scenes, objects = self.words(6, 2), [], {}
        for count in [*self.some(range(1, 7), 6), int(self.rng.integers(1, 7))]:
            things = self.some(EVERY, count)
            objects = {f"#{k}": thing for k, thing in enumerate(things)}
            scenes.append((words[count - 1], things, [None] * count))
        answer = scenes[6][0]
        options = [answer, *self.some([word for word in words if word != answer], 4)]
        return self._told(objects, dict(zip(words, range(1, 7), strict=True)), scenes, options, answer)

    def _pragmatic(self, task: str) -> dict:
        words, scenes, objects = self.words(6, 2), [], {}
        lexicon = dict(zip(words, self.some([value for values in VALUES.values() for value in values], 6), strict=True))
        for word in [*self.some(words, 6), self.some(words, 1)[0]]:
            value = lexicon[word]
            place = next(k for k, name in enumerate(ORDER) if value in VALUES[name])
            while True:
                base = self.some(EVERY, 1)[0]
                target, third, other = list(base), list(base), self.some([k for k in range(4) if k != place], 1)[0]
                target[place], third[other] = value, self.some(VALUES[ORDER[other]], 1)[0]
                things = self.some([base, target, third], 3)
                if len(set(map(tuple, things))) == 3:
                    break
            position = things.index(target)
            scene = self.scene(things, [word if k == position else None for k in range(3)], position)
            objects[word] = target
            scenes.append((word, things, scene, position))
        answer = scenes[6][0]
        options = [answer, *self.some([word for word in words if word != answer], 4)]
        return self._told(objects, lexicon, scenes, options, answer)

    def _told(self, objects, lexicon, scenes, options, answer) -> dict:
        scenes = [(*row, None)[:4] for row in scenes]
        scenes = [
            (name, things, scene if isinstance(scene, dict) else self.scene(things, scene), target)
            for name, things, scene, target in scenes
        ]
        return {"objects": objects, "lexicon": lexicon, "scenes": scenes, "options": self.some(options, 5),
                "answer": answer}  # fmt: skip


def write(folder: Path, made: dict, images: bool = False) -> None:
    """Write the fifteen files of an episode, or eight without pictures."""
    folder.mkdir(parents=True)
    panels = []
    for _, things, _, target in made["scenes"]:
        panels.append({"objects": things} if target is None else {"objects": [*things, ARROW], "arrow_idx": target})
    names = [name for name, *_ in made["scenes"][:6]]
    info = {
        "objects": made["objects"],
        "word-concept": made["lexicon"],
        "context_panels": [{"name": name} | panel for name, panel in zip(names, panels, strict=False)],
        "question": panels[6] | {"choices": made["options"], "answer": made["answer"]},
    }
    (folder / "info.json").write_text(json.dumps(info))
    for name, (_, _, scene, _) in zip([*names, "question"], made["scenes"], strict=True):
        (folder / f"{name}.json").write_text(json.dumps(scene))
        if images:
            picture = Image.new("RGB", (320, 240), (128, 128, 128))
            picture.paste((len(name), 0, 0), (10, 10, 60 + len(name), 60))
            picture.save(folder / f"{name}.png")


def write_set(root: Path, n: int = 1, seed: int = 0, images: bool = False) -> dict[tuple[str, str, int], dict]:
    """Return what was written of a set with ``n`` episodes of each part and task, by part, task and number."""
    episodes = {}
    for part, first in (("train", 17), ("val", 0), ("test", 3)):
        for k, task in enumerate(TASKS):
            writer = Writer(1000 * seed + 10 * k + first)
            for number in range(first, first + n):
                episodes[part, task, number] = writer.episode(task)
                write(root / part / task / str(number), episodes[part, task, number], images)
    return episodes
