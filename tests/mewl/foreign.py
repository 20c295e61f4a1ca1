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
        found = []
        while len(found) < n:
            word = "".join(SYLLABLES[k] for k in self.rng.integers(len(SYLLABLES), size=length))
            found += [word] * (word not in found)
        return found

    def places(self, n: int, slots=None) -> np.ndarray:
        """Return places that are 0.4 or more apart along both directions (within slots: along left and right)."""
        while True:
            low, high = np.array(slots).T if slots else (np.full((2, n), -3.0), np.full((2, n), 3.0))
            at = self.rng.uniform(low.T, high.T)
            axes = [LEFT, BEHIND] if not slots else [LEFT]
            if all(abs((a - b) @ axis) >= 0.4 for axis in axes for a, b in combinations(at, 2)):
                return at

    def scene(self, things, names, pointed=None) -> dict:
        """Return a scene's record, as published."""
        camera = np.array([7.4811, -6.5076, 5.3437]) + self.rng.uniform(-0.5, 0.5, 3)
        forward = -camera / np.linalg.norm(camera)
        right = np.cross(forward, [0, 0, 1])
        right /= np.linalg.norm(right)
        up = np.cross(right, forward)
        objects, places = [], self.places(len(things), None if pointed is None else SLOTS)
        for thing, name, (x, y) in zip(things, names, places, strict=True):
            at = [float(x), float(y), 0.7 if thing[3] == "large" else 0.35]
            u, v, w = (float(axis @ (np.array(at) - camera)) for axis in (right, up, forward))
            pixels = [round(160 + 350 * u / w), round(120 - 350 * v / w), w]
            objects.append({"name": name, **dict(zip(ORDER, thing, strict=True)), "3d_coords": at,
                            "rotation": float(self.rng.uniform(0, 360)), "pixel_coords": pixels})  # fmt: skip
        named = [k for k, name in enumerate(names) if name is not None]
        relations = {
            relation: {
                names[i]: [names[j] for j in named if (places[j] - places[i]) @ axis > 0.2] for i in named
            }
            for relation, axis in DIRECTIONS.items()
        }  # fmt: skip
        directions = {name: [*map(float, axis), 0.0] for name, axis in DIRECTIONS.items()}
        told = {"objects": objects, "directions": directions | {"above": [0, 0, 1], "below": [0, 0, -1]},
                "relationships": relations}  # fmt: skip
        return told if pointed is None else told | {"points_to": pointed}

    def episode(self, task: str) -> dict:
        """Return name, scene and things of six panels and a query, and what else ``info.json`` says."""
        return getattr(self, f"_{task if task not in ORDER else 'attribute'}")(task)

    def _attribute(self, task: str) -> dict:
        values, (a, b, c, *dummies) = self.some(VALUES[task], 3), self.words(5, 2)
        place, lexicon = ORDER.index(task), dict(zip((a, b, c), values, strict=True))
        word = {value: name for name, value in lexicon.items()}
        pool = [each for each in EVERY if each[place] in values]
        while True:
            drawn = self.some(pool, 7)
            groups = [[each for each in drawn[:6] if each[place] == value] for value in values]
            if all(groups) and [
                k for k in range(4) if all(len({each[k] for each in group}) == 1 for group in groups)
            ] == [place]:
                break
        called = [f"{word[each[place]]} #{pool.index(each)}" for each in drawn]
        return self._told(
            {f"{word[each[place]]} #{k}": each for k, each in enumerate(pool)}, lexicon,
            [(name, [each], [name]) for name, each in zip(called, drawn, strict=True)],
            [a, b, c, *dummies], word[drawn[6][place]],
        )  # fmt: skip

    def _object(self, task: str) -> dict:
        words, things = self.words(6, 3), self.some(EVERY, 6)
        triples = self.some(list(combinations(range(6), 3)), 11)
        said = [" and ".join(words[k] for k in triple) for triple in triples]
        scenes = [
            (name, [things[k] for k in triple], [words[k] for k in triple])
            for name, triple in zip(said[:7], triples, strict=False)
        ]
        lexicon = dict(zip(words, things, strict=True))
        return self._told(lexicon, lexicon, scenes, said[6:], said[6])

    def _composite(self, task: str) -> dict:
        (one, two), words = self.some(range(3), 2), self.words(6, 3)
        values = [self.some(VALUES[ORDER[place]], 3) for place in (one, two)]
        every = [(i, j) for i in range(3) for j in range(3)]
        things = {}
        for i, j in every:
            thing = [self.some(VALUES[name], 1)[0] for name in ORDER]
            thing[one], thing[two] = values[0][i], values[1][j]
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
                of = self.some([name for name in names if rows[relation][name]], 1)[0]
                which = self.some(rows[relation][of], 1)[0]
                (other,) = (name for name in rows if name != relation and which in rows[name][of])
                if (word, other) != before:  # what else is so must not be so in both pictures of a word
                    before = word, other
                    scenes.append((f"{which} {word} {of}", things, scene))
                    break
            objects |= dict(zip(names, things, strict=True))
        so, not_so = [], []
        for (which, of), (word, relation) in product(product(names, names), zip(words, meant, strict=True)):
            if which != of:
                right = which in scene["relationships"][relation][of]
                (so if right else not_so).append(f"{which} {word} {of}")
        answer = self.some(so, 1)[0]
        lexicon = dict(zip(words, meant, strict=True))
        told = [*scenes, (answer, things, scene)]
        return self._told(objects, lexicon, told, [answer, *self.some(not_so, 4)], answer)

    def _bootstrap(self, task: str) -> dict:
        words, things, scenes = self.words(6, 3), self.some(EVERY, 6), []
        pairs = self.some(list(combinations(range(6), 2)), 11)
        for a, b in pairs[:7]:
            shown = [things[a], things[b], self.some([each for each in EVERY if each not in things], 1)[0]]
            scene = self.scene(shown, [words[a], words[b], None])
            so = [name for name in DIRECTIONS if words[b] in scene["relationships"][name][words[a]]]
            scenes.append((f"{words[b]} {self.some(so, 1)[0]} {words[a]}", shown, scene))
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
            at = things.index(target)
            scene = self.scene(things, [word if k == at else None for k in range(3)], at)
            objects[word] = target
            scenes.append((word, things, scene, at))
        answer = scenes[6][0]
        options = [answer, *self.some([word for word in words if word != answer], 4)]
        return self._told(objects, lexicon, scenes, options, answer)

    def _told(self, objects, lexicon, scenes, options, answer) -> dict:
        scenes = [(*each, None)[:4] for each in scenes]
        scenes = [
            (name, things, scene if isinstance(scene, dict) else self.scene(things, scene), at)
            for name, things, scene, at in scenes
        ]
        return {"objects": objects, "lexicon": lexicon, "scenes": scenes, "options": self.some(options, 5),
                "answer": answer}  # fmt: skip


def write(folder: Path, made: dict, images: bool = False) -> None:
    """Write the fifteen files of an episode, or eight without pictures."""
    folder.mkdir(parents=True)
    listed = []
    for _, things, _, at in made["scenes"]:
        listed.append({"objects": things} if at is None else {"objects": [*things, ARROW], "arrow_idx": at})
    names = [name for name, *_ in made["scenes"][:6]]
    info = {
        "objects": made["objects"],
        "word-concept": made["lexicon"],
        "context_panels": [{"name": name} | each for name, each in zip(names, listed, strict=False)],
        "question": listed[6] | {"choices": made["options"], "answer": made["answer"]},
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
    made = {}
    for part, first in (("train", 17), ("val", 0), ("test", 3)):
        for k, task in enumerate(TASKS):
            writer = Writer(1000 * seed + 10 * k + first)
            for number in range(first, first + n):
                made[part, task, number] = writer.episode(task)
                write(root / part / task / str(number), made[part, task, number], images)
    return made
