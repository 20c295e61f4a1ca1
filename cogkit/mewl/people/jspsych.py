"""The study of people as a web page: a folder that runs in jsPsych 8 (Jiang et al. 2023, § 5.2).

`people.from_jspsych` reads the data that it collects.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from string import Template

from cogkit.core.contracts import InputError
from cogkit.data import foreign
from cogkit.data.facts import texts
from cogkit.data.files import whole_folder, write_whole
from cogkit.mewl.people import instructions, study
from cogkit.mewl.people.study import Item, Plan
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.world.scenes import Scene

FORMAT, VERSION = "cogkit mewl study", 1
JSPSYCH = "8.3.0"
_SOURCE = f"https://unpkg.com/jspsych@{JSPSYCH}/dist/index.browser.min.js"
_INTEGRITY = "sha384-PPMNzYQfqrWFhrOxhpwxXmKK+LDH//fBCLsvA/JIRHOfiuOcZ2j8wJhqo87V4R4B"
_LARGEST = 5_000_000  # bytes of a copy of the library
_KINDS = {b"\x89PNG": "png", b"RIFF": "webp", b"\xff\xd8\xff": "jpg"}


def export(
    folder, task: str, forms: int = 1, seed: int = 0, *, profile: str = "verified", tests: int = study.TESTS,
    attention: int = study.CHECKS, library=None, post: str = "", finish: str = "",
    draw: Callable[[Scene], bytes] | None = None,
) -> Path:  # fmt: skip
    """Return a new folder with the study of one task as a web page. If an error occurs, no folder is left.

    The folder has ``index.html``, which opens from a disk or any web server, ``study.js``, ``study.css`` and
    ``images/``. It also has ``timeline.json``: the same content for other jsPsych programs. No file holds the right
    answers, except those of the tutorial.

    Parameters
    ----------
    folder : str or Path
        A new one, or an empty one.
    task : str
        One of `episodes.TASKS`: each person does one task.
    forms : int
        Number of sets of items. Each person gets one at random, or number k with ``index.html?form=k``.
    seed : int
        Draws the items of the first form; the other forms use the next seeds.
    profile, tests, attention
        As in a `study.Plan`.
    library : str or Path, optional
        ``index.browser.min.js`` of jsPsych 8. It is copied into the folder, which then works without a network. By
        default the page loads jsPsych 8.3.0 from unpkg.com, and refuses any other content.
    post : str
        Address that gets the answers as JSON, by POST. By default, and if that fails, the browser saves them as a file.
    finish : str
        Address of the page after the study, such as a recruiter's.
    draw : callable, optional
        ``draw(scene) -> bytes`` of a PNG, WebP or JPEG file of 320 × 240 pixels; our own pictures by default.

    Raises
    ------
    InputError
        The folder is not empty, the task is unknown, the library is not jsPsych 8, or an address is not valid.

    Notes
    -----
    As in the paper: a tutorial, then test items and attention checks, shuffled, without feedback. A person has a random
    pseudonym, or the one in the address, ``index.html?who=...`` (64 letters, digits, ``-`` and ``_`` at most).

    Examples
    --------
    >>> import tempfile
    >>> made = export(tempfile.mkdtemp(), "shape", tests=1, attention=1, draw=lambda scene: b"\\x89PNG")
    >>> sorted(path.name for path in made.iterdir())
    ['images', 'index.html', 'study.css', 'study.js', 'timeline.json']
    """
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}, which is there", "a new or an empty folder", "choose another name")
    if isinstance(forms, bool) or not isinstance(forms, int) or not 1 <= forms <= 1000:
        raise InputError(f"forms={forms!r}", "a whole number of forms, 1 to 1000")
    plans = [Plan(task, seed + k, profile, tests, attention) for k in range(forms)]
    for name, address in (("post", post), ("finish", finish)):
        if address and not re.match(r"https?://|/(?!/)|\./", address):
            raise InputError(f"{name}={address!r}", "an address that begins with http://, https://, / or ./")
    program = None if library is None else _library(Path(library))
    with whole_folder(folder) as part:
        content = _content(plans, _Pictures(part / "images", draw or _picture)) | {"post": post, "finish": finish}
        if program is not None:
            write_whole(part / "jspsych.js", program)
        for name in ("study.js", "study.css"):
            write_whole(part / name, _template(name).encode())
        write_whole(part / "timeline.json", json.dumps(content, indent=1, ensure_ascii=False).encode())
        write_whole(part / "index.html", _page(content, program is not None).encode())
    return folder


def _content(plans: list[Plan], pictures: _Pictures) -> dict:
    """Return the content of the page, in the order of `instructions.pages` and `study.items`."""
    plan = plans[0]
    pages = []
    for page in instructions.pages(plan.task, plan.profile):
        example = _solution(page.examples[0], pictures) if page.examples else None
        pages.append({"title": page.title, "text": list(page.text), "item": example})
    check = _solution(instructions.check(plan.task, plan.profile), pictures)
    pages.append({"title": f"{instructions.TITLES[plan.task]}: a try", "text": [instructions.CHECKED], "item": check})
    forms = [
        {"condition": p.condition, "draw": p.draw,
         "items": [_question(item, pictures) for item in study.items(p.condition)]}
        for p in plans
    ]  # fmt: skip
    return {
        "format": FORMAT, "version": VERSION, "task": plan.task, "profile": plan.profile, "tries": study.TRIES,
        "title": instructions.TITLES[plan.task], "prompt": instructions.PROMPT,
        "words": texts(__file__) | {"again": instructions.AGAIN}, "pages": pages, "forms": forms,
    }  # fmt: skip


def _question(item: Item, pictures: _Pictures) -> dict:
    trial = item.trial
    files = [pictures.add(scene) for scene in trial.scenes]
    names = list(trial.utterances)
    return {"name": item.name, "pictures": files, "names": names, "options": list(trial.options)}


def _solution(item: Item, pictures: _Pictures) -> dict:
    return _question(item, pictures) | {"right": item.episode.answer}


class _Pictures:
    """Picture files, numbered in the order of use, so that a file's name does not reveal an attention check."""

    def __init__(self, folder: Path, draw: Callable[[Scene], bytes]) -> None:
        self.folder, self.draw, self.count = folder, cache(draw), 0

    def add(self, scene: Scene) -> str:
        """Return the address of a new file with the picture of a scene."""
        content = self.draw(scene)
        kind = next((ending for magic, ending in _KINDS.items() if content.startswith(magic)), None)
        if kind is None:
            raise InputError(f"a picture that begins with {content[:4]!r}", "the bytes of a PNG, WebP or JPEG file")
        name = f"{self.count:05d}.{kind}"
        write_whole(self.folder / name, content, alone=True)
        self.count += 1
        return f"images/{name}"


def _picture(scene: Scene) -> bytes:
    return rendering.png(rendering.render(scene, "browse"))


def _template(name: str) -> str:
    return resources.files("cogkit.mewl.people").joinpath(f"templates/{name}").read_text(encoding="utf-8")


def _page(content: dict, copied: bool) -> str:
    """Return the page with its whole content inside, so that it needs no server."""
    source = "jspsych.js" if copied else _SOURCE
    guard = "" if copied else f' integrity="{_INTEGRITY}" crossorigin="anonymous"'
    study_json = json.dumps(content, ensure_ascii=True).replace("<", "\\u003c")  # otherwise a name could end the script
    library = f'<script src="{source}"{guard}></script>'
    return Template(_template("jspsych.html")).substitute(
        title=html.escape(content["title"]), library=library, study=study_json
    )


def _library(path: Path) -> bytes:
    """Return the content of a copy of jsPsych, after checking it."""
    content = foreign.content(path, _LARGEST)
    if b"initJsPsych" not in content or b"jsPsychModule" not in content:
        fix = "it is index.browser.min.js in the folder dist of the package jspsych"
        raise InputError(f"{path}, which is none", "the program of jsPsych 8 for browsers", fix)
    return content
