"""Every kind of damage to a set of episodes is found where it is, and sound sets are left in peace."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil

import numpy as np
import pytest
from carded import episodes as episodes_at
from cases import case
from mewl import foreign
from PIL import Image
from stored import edit

from cogkit.app import cli
from cogkit.extras.datasets import auditing as shared
from cogkit.extras.datasets.mewl import datasets
from cogkit.extras.datasets.mewl.layout import to_files
from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import TASKS

ROOT = "MEWL_Release_V1"
N = 27  # one episode of each part and task


@pytest.fixture
def root(stored, tmp_path):
    return shutil.copytree(stored / "verified" / ROOT, tmp_path / ROOT)


def faults(root) -> list[tuple[str, str, str]]:
    """Return every finding: its path below the set's folder, field and problem."""
    findings = datasets.audit(root, jobs=1)
    return [(finding.path.removeprefix(str(root)).strip("/"), finding.field, finding.problem) for finding in findings]


def sign(root) -> None:
    """Make the manifest name what lies there, as whoever wanted to deceive would."""

    def resign(manifest) -> None:
        for name in manifest["episodes"]:
            content = b"".join(path.read_bytes() for path in sorted((root / name).glob("*")))
            manifest["episodes"][name] = hashlib.sha256(content).hexdigest()

    edit(root / "manifest.json", resign)


def put(root, episode, part: str, number: int = 0) -> None:
    """Put an episode in the place of another one, as if it were that."""
    folder = root / part / episode.task / str(number)
    shutil.rmtree(folder)
    folder.mkdir()
    as_if = dataclasses.replace(episode, part=part, number=number, profile="verified", seed=0)
    for name, content in to_files(as_if).items():
        (folder / name).write_bytes(content)
    sign(root)


def test_sound_sets_have_no_faults_from_one_process_or_two(stored, monkeypatch, capsys):
    monkeypatch.setattr(shared, "A_TASK", 5)
    for jobs, profile in enumerate(("verified", "as_published"), start=1):
        assert datasets.audit(stored / profile, jobs=jobs) == [] and capsys.readouterr().out == ""


def test_a_changed_a_missing_and_a_strange_file_are_found(root):
    (root / "train/shape/0/question.json").write_text((root / "train/shape/0/question.json").read_text() + " ")
    panel = next(path for path in (root / "val/number/0").iterdir() if path.stem not in ("info", "question"))
    panel.unlink()
    shutil.rmtree(root / "test/object/0")
    (root / "test/color/0/notes.txt").write_text("mine")
    torn = "the files are not those that the manifest names"
    assert sorted(faults(root)) == sorted([
        ("train/shape/0", "sha256", torn),
        ("val/number/0", "sha256", torn),
        ("val/number/0", "file", f"wanted a file that can be read, got {panel} (No such file or directory)"),
        ("test/object/0", "file", "is missing"),
        ("test/color/0", "sha256", torn),
        ("test/color/0/notes.txt", "file", "is none of an episode's"),
    ])  # fmt: skip


def other(doc) -> str:
    """Return a word that the lexicon has and that is not the answer."""
    return next(word for word in doc["word-concept"] if word != doc["question"]["answer"])


def exchange(doc) -> None:
    lexicon = doc["word-concept"]
    lexicon.update(zip(lexicon, [*lexicon.values()][::-1], strict=True))


GONE = object()
CHANGES = [  # file, place of a value, another value, and of each finding: file, field, the beginning of the problem
    ("train/shape/0/info", "question/answer", "nobody", "info | question, answer | wanted one of the five choices"),
    ("val/color/0/info", "context_panels/2/objects/0/1", "pink", "info | context_panels 3, objects 1 | wanted shape, "),
    ("test/bootstrap/0/question", "relationships/front", GONE, "question | relationships, front | is missing"),
    ("test/bootstrap/0/question", "relationships/front/x", [], "question | relationships, front, x | wanted [],"),
    ("test/number/0/question", "objects/0/pixel_coords/0", 5, "question | objects 1, pixel_coords | it is seen at "),
    ("test/number/0/question", "objects/0/3d_coords/2", 0.5, "question | objects 1, 3d_coords | its middle is 0.",
     "question | objects 1, pixel_coords | it is "),
    ("test/material/0/question", "camera", GONE, "question | camera | is missing"),
    ("train/relation/0/info", "cogkit/certificate/floors/text", 0.9, "info | cogkit, certificate, floors | wanted "),
    ("train/relation/0/info", "cogkit/certificate/consistent/exact", 2,
     "info | cogkit, certificate, consistent | wanted {'exact': 1}, got {'exact': 2}"),
    ("train/relation/0/info", "cogkit/seed", 7, "info | cogkit, seed | wanted 0, got 7"),
    ("train/relation/0/info", "cogkit/part", "val", "info | cogkit, part | wanted 'train', got 'val'"),
    ("train/relation/0/info", "cogkit/profile", "as_published", "info | cogkit, profile | wanted 'verified', got"),
    ("train/relation/0/info", "cogkit", GONE, "info | cogkit | is missing"),
]  # fmt: skip


def changed(place: str, value):
    """Return a function that puts a value in its place, or removes what is there."""
    *path, last = (int(key) if key.isdigit() else key for key in place.split("/"))

    def change(content) -> None:
        for key in path:
            content = content[key]
        if value is GONE:
            content.pop(last)
        else:
            content[last] = value

    return change


@pytest.mark.parametrize(("file", "change", "wanted"), [
    ("train/shape/0/info", lambda doc: doc["question"].update(answer=other(doc)), "question, answer"),
    ("test/bootstrap/0/question", lambda doc: next(filter(None, doc["relationships"]["left"].values())).clear(),
     "relationships, left, "),
    ("train/relation/0/info", exchange, "context_panels "),
])  # fmt: skip
def test_a_lie_about_what_is_seen_is_found(root, file, change, wanted):
    edit(root / f"{file}.json", change)
    sign(root)
    findings = faults(root)
    assert {path for path, _, _ in findings} == {f"{file}.json"} and findings[0][1].startswith(wanted)
    assert file != "train/shape/0/info" or "the exact solver rules out '" in findings[1][2]


def test_each_kind_of_damage_is_found_with_file_and_field(root):
    for number, (file, place, value, *wanted) in enumerate(CHANGES):
        path, folder, signed = root / f"{file}.json", file.rpartition("/")[0], number % 4
        sound = [(each, each.read_bytes()) for each in (path, root / "manifest.json")]
        edit(path, changed(place, value))
        if signed:
            sign(root)
        findings = faults(root)
        with case((number, file, findings)):
            if not signed:
                findings.remove((folder, "sha256", "the files are not those that the manifest names"))
            for (location, field, problem), expected in zip(findings, wanted, strict=True):
                name, begun, words = expected.split(" | ")
                assert location == f"{folder}/{name}.json" and field == begun and problem.startswith(words)
        for each, content in sound:
            each.write_bytes(content)


def test_a_thing_that_is_moved_is_found_by_its_pixels_and_what_is_said_of_it(root):
    """Two things of a picture change places: what was left is right."""
    path = next(path for path in (root / "val/relation/0").iterdir() if path.stem not in ("info", "question"))

    def swap(doc):
        a, b, _ = doc["objects"]
        a["3d_coords"][:2], b["3d_coords"][:2] = b["3d_coords"][:2], a["3d_coords"][:2]

    edit(path, swap)
    sign(root)
    pairs = {(file, field.split(",")[0]) for file, field, _ in faults(root)}
    assert {(f"val/relation/0/{path.name}", "relationships"), (f"val/relation/0/{path.name}", "objects 1")} <= pairs


def test_an_episode_that_leaves_two_options_or_an_unheard_word_is_a_fault_of_verified_sets(root, made):
    bootstraps, composites = (made(task, "as_published", 120) for task in ("bootstrap", "composite"))
    put(root, next(item for item in bootstraps if item.certificate["consistent"]["exact"] == 2), "train")
    put(root, next(item for item in composites if not set(item.lexicon) <= item.trial.heard), "train")
    findings = faults(root)
    left = [item[2] for item in findings if item[:2] == ("train/bootstrap/0/info.json", "question, choices")]
    assert len(left) == 1 and left[0].startswith("the exact solver leaves 2: ")
    silent = [item[2] for item in findings if item[:2] == ("train/composite/0/info.json", "word-concept")]
    assert [problem for problem in silent if problem.endswith("heard in no panel")]


def test_the_same_faults_are_none_of_a_set_made_as_published(tmp_path):
    """It is long enough to have some."""
    datasets.make(tmp_path, n=70, only="bootstrap", profile="as_published", jobs=1)
    episodes = episodes_at(tmp_path / ROOT)
    unique = np.mean([episode.certificate["consistent"]["exact"] == 1 for episode in episodes])
    unheard = np.mean([not set(episode.lexicon) <= episode.trial.heard for episode in episodes])
    assert datasets.audit(tmp_path, jobs=1) == [] and 0 < unheard and 0 < 1 - unique


def test_an_episode_that_is_there_twice_is_found_and_so_are_its_words(root):
    put(root, making.episode("number", 0), "test")
    *shared, (path, field, problem) = sorted(faults(root), key=lambda finding: finding[1] != "words")
    assert (path, field) == ("test/number/0", "duplicate")
    assert " of train/number/0, and 6 more are like others" in problem
    assert len(shared) == 6 and all(finding[2].endswith("is said in train/number/0 too") for finding in shared)


def test_words_of_another_part_and_english_ones_are_found(root):
    theirs = min(json.loads((root / "train/pragmatic/0/info.json").read_text())["word-concept"])
    folder = root / "test/pragmatic/0"
    name = next(iter(json.loads((folder / "info.json").read_text())["word-concept"]))
    for word, problem in (("banana", "'banana' is English"), (theirs, " is said in train/pragmatic/0 too")):
        for path in list(folder.iterdir()):
            path.write_text(path.read_text().replace(f'"{name}"', f'"{word}"'))
            if path.stem == name:
                path.rename(path.with_stem(word))
        name = word
        sign(root)
        ((path, field, message),) = faults(root)
        assert (path, field) == ("test/pragmatic/0", "words") and message.endswith(problem)


def picture(path, size=(320, 240)) -> None:
    image = Image.new("RGB", size, (90, 90, 90))
    image.paste((200, 0, 0), (5, 5, 20, 20))
    image.save(path)


def draw(folder) -> list:
    """Put a picture beside every scene."""
    paths = [path.with_suffix(".png") for path in folder.glob("*.json") if path.stem != "info"]
    for path in paths:
        picture(path)
    return sorted(paths)


def test_pictures_that_are_missing_broken_blank_of_another_size_or_nobodys_are_found(root):
    edit(root / "manifest.json", lambda content: content["config"].update(images="browse"))
    for folder in root.glob("*/*/0"):
        files = draw(folder)
    sign(root)
    assert faults(root) == []
    missing, broken, blank, small, *_ = files
    missing.unlink()
    broken.write_bytes(broken.read_bytes()[:-20])
    Image.new("RGB", (320, 240)).save(blank)
    picture(small, (240, 320))
    picture(folder / "more.png")
    for path in draw(root / "val/shape/0"):
        path.unlink()
    sign(root)
    prefix = folder.relative_to(root).as_posix()
    problems = {file: problem for file, _, problem in faults(root)}
    assert problems.pop(f"{prefix}/{broken.name}").startswith("wanted a whole PNG file, got ")
    assert problems == {
        f"{prefix}/{missing.name}": f"wanted a picture of 320×240, got {missing} (No such file or directory)",
        f"{prefix}/{blank.name}": "shows nothing: all its pixels are alike",
        f"{prefix}/{small.name}": "wanted a picture of 320×240, got 240×320 pixels",
        f"{prefix}/more.png": "is none of an episode's",
        "val/shape/0": "there are none",
    }


def test_strange_folders_numbers_and_pictures_are_found(root):
    draw(root / "val/shape/0")
    sign(root)
    assert faults(root) == [("val/shape/0", "images", "there are some, of which the manifest does not know")]
    (root / "train/shape/007").mkdir()
    (root / "train/colour").mkdir()
    (root / "notes").write_text("")
    shutil.copytree(root / "val/shape/0", root / "val/shape/9")
    findings = faults(root)
    strange = "is no part, task or number of an episode"
    assert {finding[0] for finding in findings if finding[2] == strange} == {"train/shape/007", "train/colour", "notes"}
    assert ("val/shape/9", "name", "is none of the episodes that the manifest asks for") in findings
    assert ("val/shape/9", "duplicate") in {finding[:2] for finding in findings}


def test_a_manifest_of_something_else_is_found(root):
    manifest = json.loads((root / "manifest.json").read_text())
    rows = [({"n": 28}, "file"), ({"n": 26}, "name"), ({"seed": 1}, "cogkit, seed")]
    rows += [(change, "config") for change in ({"n": -1}, {"profile": "x"}, {"only": "x"})]
    changes = [({"config": manifest["config"] | change}, field) for change, field in rows]
    changes += [({"config": []}, "config"), ({"config": {"n": 27}}, "config")]
    changes += [({"episodes": {}}, "episodes"), ({"sha256": 3}, "sha256")]
    for change, field in changes:
        (root / "manifest.json").write_text(json.dumps(manifest | change))
        assert field in {finding[1] for finding in faults(root)}, change


def test_a_published_copy_is_held_to_its_numbers_and_its_quirks_are_counted_apart(tmp_path):
    episodes = foreign.write_set(tmp_path / ROOT, 4, seed=1)
    findings = faults(tmp_path / ROOT)
    counts = {path: problem for path, field, problem in findings if field == "counts"}
    assert counts.keys() == {f"{part}/{task}" for part in ("train", "val", "test") for task in TASKS}
    assert counts["train/shape"] == "4 episodes of shape instead of the published 3,000"
    assert counts["val/number"] == "4 episodes of number instead of the published 600"
    quirks = [problem for _, field, problem in findings if field == "published quirk"]
    silent = sum(
        not set(episode["lexicon"]) <= {word for name, *_ in episode["scenes"][:6] for word in name.split()}
        for (_, task, _), episode in episodes.items() if task == "bootstrap"
    )  # fmt: skip
    (line,) = [line for line in quirks if "bootstrap" in line and "no panel says" in line]
    assert silent and line.startswith(f"{silent} of 12 episodes of bootstrap (")
    assert "by the published rules 25.5 %" in line
    assert [line for line in quirks if "words are in more than one part" in line]
    assert len(findings) == len(counts) + len(quirks)


def test_damage_to_a_published_copy_is_found_too(tmp_path):
    foreign.write_set(tmp_path, 1, images=True)
    sound = faults(tmp_path)
    folder = tmp_path / "val/object/0"
    edit(folder / "question.json", lambda content: content["objects"][0]["pixel_coords"].__setitem__(1, 3))
    edit(tmp_path / "val/shape/0/info.json", lambda content: content["question"].update(answer=other(content)))
    (tmp_path / "test/color/3/question.png").unlink()
    for path in (tmp_path / "train/number/17").glob("*.png"):
        path.unlink()
    new = {finding[:2] for finding in faults(tmp_path) if finding not in sound}
    off = {finding for finding in new if finding[0] == "val/object/0/question.json"}  # the best camera may miss others
    assert off and all(field.startswith("objects ") and field.endswith(", pixel_coords") for _, field in off)
    assert new - off == {
        ("val/shape/0/info.json", "question, answer"), ("test/color/3/question.png", "file"),
        ("train/number/17", "images"),
    }  # fmt: skip


def test_a_set_says_that_it_is_open_and_the_audit_holds_it_to_that(tmp_path, capsys):
    assert cli.main(["make", "mewl", "--out", str(tmp_path), "--n", "9", "--jobs", "1", "--open-hypotheses"]) == 0
    root = tmp_path / "MEWL_Release_V1"
    manifest = json.loads((root / "manifest.json").read_text())
    assert manifest["config"]["open_hypotheses"] is True
    for episode in episodes_at(root):
        wide = {"open_hypotheses": True} if episode.task in ("shape", "color", "material") else {}
        assert episode == making.episode(episode.task, 0, part=episode.part, **wide)
    assert datasets.audit(tmp_path, jobs=1) == []
    several = (making.episode("shape", k) for k in range(200))
    put(root, next(item for item in several if item.certificate["consistent"]["open"] == 2), "train")
    (finding,) = datasets.audit(tmp_path, jobs=1)
    assert finding.field == "question, choices"
    assert finding.problem == "if words may be about any attribute 2 may be right"
    edit(root / "manifest.json", lambda content: content["config"].update(open_hypotheses="yes"))
    assert any("open hypotheses 'yes'" in item.problem for item in datasets.audit(tmp_path, jobs=1))
    capsys.readouterr()
