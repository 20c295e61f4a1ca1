"""A study as a folder that any web server, JATOS or a disk can show: the widgets of the notebooks, run by jsPsych.

The same `Study` that a person sits in a notebook gives items, order, pages, practice and feedback. What the browser
stores is read back by `collected`, which runs the sitting again, answer by answer.
"""

from __future__ import annotations

import hashlib
import html
import io
import json
import re
import uuid
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from itertools import product
from pathlib import Path
from string import Template
from typing import Any

from tqdm import tqdm

from cogkit.core.errors import InputError, some
from cogkit.core.identity import content_hash
from cogkit.core.presets import choose
from cogkit.core.study import Practice, Presentation, Study
from cogkit.data import readers
from cogkit.data.files import unused, whole_folder, write_whole
from cogkit.extras.online import library
from cogkit.extras.online.web_study import WebStudy
from cogkit.study import rescoring
from cogkit.study.sitting import ITEMS, PRACTICE, SHORT, item_names
from cogkit.ui.files import in_script, policy, script, widget

HOSTS = ("download", "post", "datapipe", "jatos", "cognition")
WHO, ITEMS_FILE = "who_counts.txt", "items.json"  # who of the study counts, and the items that travel with it
ORDERS = 200  # orders of the items of a form; each person has one of them, drawn in the browser
_LARGEST = 1_000_000  # bytes of a file of words
_DATA = ("board", "code", "name", "names", "options", "path", "pictures", "types")  # what in a form is no text
_HOLE = re.compile(r"\{\w+\}")  # what stands in a text for what changes


def make(
    out: Path | str, web: WebStudy, name: str, *, condition: str | None = None, n: int | None = None, seed: int = 0,
    forms: int = 2, host: str = "download", address: str = "", experiment: str = "", finish: str = "",
    words: Path | str | None = None, jspsych: Path | str | None = None, pipe: Path | str | None = None,
    pilot: bool = False,
) -> Path:  # fmt: skip
    """Write a study as a web page into a new folder, and return the folder. After an error no folder is left.

    Parameters
    ----------
    out : path
        A new folder, or an empty one.
    web : WebStudy
        What ``study`` of the instrument's module returns.
    name : str
        The instrument's name.
    condition : str, optional
        One of the conditions of ``web``; by default people are spread over all but the ``named`` ones.
    n : int, optional
        How much each person has to do, as the ``study`` of ``web`` says; by default as much as in the paper.
    seed : int
        The first seed. Seed and condition determine the items and their order; each such pair is a *form*.
    forms : int
        Number of forms of each condition, with one seed after another.
    host : {"download", "post", "datapipe", "jatos", "cognition"}
        Who gets the answers.
    address, experiment : str
        The address for ``post``, and the ID of the experiment for ``datapipe``.
    finish : str
        Address of the page after the study, such as a recruiter's.
    words : path, optional
        A JSON file with other words, such as a translation. Begin from ``words.json`` of a folder: under ``texts`` it
        has every text of the study in English with its translation, and before them the words of the page around it.
    jspsych, pipe : path, optional
        The npm packages of jsPsych and, for ``datapipe``, of its plugin for DataPipe; see `library.program`.
    pilot : bool
        Whether every visit is a pilot, as with ``?pilot=1`` in the address: `sitting.shortened`, and it never counts.

    Raises
    ------
    InputError
        The folder is not empty, or an option is not valid.
    """
    out = unused(out)
    conditions = web.conditions
    if condition is not None:
        conditions = [choose(condition, (*web.conditions, *web.named), "condition")]
    _check_host(choose(host, HOSTS, "host"), address, experiment, finish)
    page_words, translated = _words(words)
    programs = {"jspsych.js": library.program(library.JSPSYCH, jspsych)}
    if host == "datapipe":
        programs["plugin-pipe.js"] = library.program(library.PIPE, pipe)
    made = [
        form(web, web.study(chosen, n), seed + k, number)
        for number, (k, chosen) in enumerate(tqdm([*product(range(forms), conditions)], desc="forms", leave=False))
    ]
    first = web.study(conditions[0], n)
    page_words["texts"] = {text: translated.get(text, text) for text in texts(web, first.prompt, made)}
    study = {
        "id": hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()[:16], "instrument": name,
        "prompt": first.prompt, "phases": dict(first.phases), "feedback": list(first.feedback),
        "profile": first.profile, "forms": len(made), "host": host, "finish": finish,
        "address": address, "experiment": experiment, "data": _DATA, "pilot": pilot, "short": SHORT,
    }  # fmt: skip
    own = {each["hash"]: web.packed(first.items(each["condition"], each["seed"])) for each in made if web.packed}
    with whole_folder(out) as part:
        write_whole(part / WHO, rescoring.who_counts(first).encode(), alone=True)
        if own:
            write_whole(part / ITEMS_FILE, json.dumps({"instrument": name, "items": own}).encode(), alone=True)
        if host == "cognition":
            _write_task(part, web, study, page_words, made)
        else:
            _write_page(part, web, study, page_words, made, programs)
        if host == "jatos":
            write_whole(part / f"{out.name}.jzip", _jzip(part, out.name, web.title, study["id"]), alone=True)
    return out


def form(web: WebStudy, study: Study, seed: int, number: int = 0) -> dict[str, Any]:
    """Return what a page gets of one condition and seed: items, orders, pages and practice, in values that JSON holds.

    Parameters
    ----------
    web : WebStudy
    study : Study
        From ``web.study``.
    seed, number : int
        The seed of a sitting, and the number of the form.
    """
    study = rescoring.on_a_page(study)
    assert study.order is not None  # now it has one
    condition = study.assign(seed)
    items = study.items(condition, seed)
    orders = [[*map(int, study.order(seed, len(items)))] for seed in range(ORDERS)]
    pages = [
        {"name": page.name, "task": page.task, "before": page.before, "view": {"title": page.title, **web.page(page)}}
        for page in (study.instructions(condition) if study.instructions else ())
    ]
    used, names = set().union(*orders), item_names(condition, items)
    return {
        "number": number, "condition": condition, "seed": seed, "orders": orders,
        "hash": content_hash(list(items)), "names": names, "plan": dict(study.plan) or None,
        "extra": dict(study.extra), "still": web.still(condition, seed), "pages": pages,
        "items": [
            web.item(Presentation(ITEMS, condition, item, names[k], k, len(items))) if k in used else None
            for k, item in enumerate(items)
        ],
        "practice": _practice(study.practice, web, condition, seed) if study.practice else None,
    }  # fmt: skip


def _practice(practice: Practice, web: WebStudy, condition: str, seed: int) -> dict[str, Any]:
    blocks, names, tries = [], [], practice.tries
    assert tries is not None  # a page cannot hold any number of blocks: `rescoring.on_a_page`
    for attempt in range(tries):
        block, place = practice.items(condition, seed, attempt), f"{condition}/practice {attempt}"
        names.append(item_names(place, block))
        blocks.append([
            web.item(Presentation(PRACTICE, condition, item, name, k, len(block), attempt))
            for k, (item, name) in enumerate(zip(block, names[-1], strict=True))
        ])  # fmt: skip
    return {"needed": practice.needed, "tries": tries, "skip": practice.skip, "blocks": blocks, "names": names}


def _check_host(host: str, address: str, experiment: str, finish: str) -> None:
    """Raise `InputError` if the options of a host are missing or not valid."""
    for option, text in (("post", address), ("finish", finish)):
        is_address = re.match(r"https?://[^\s]+$|/(?!/)[^\s]*$|\./[^\s]*$", text)
        if not is_address and (text or host == option):
            raise InputError(f"{text!r} for --{option}", "an address that begins with http://, https://, / or ./")
    if host == "datapipe" and not re.fullmatch(r"[\w-]{1,64}", experiment, re.ASCII):
        raise InputError(f"the ID {experiment!r}", "--datapipe with the ID of an experiment, which DataPipe shows")


def texts(web: WebStudy, prompt: str, forms: Sequence[Mapping]) -> list[str]:
    """Return every text of a study in English: those of its pages and items, and those of its widget.

    A text of the widget has numbers in braces for what changes, such as ``Board {0} of {1}``.
    """
    strings = [web.title, prompt]
    for each in forms:
        parts = (each["still"], [page["view"] for page in each["pages"]], each["items"], each["practice"])
        strings += [text for part in parts for text in _texts(part)]
    for marked in re.findall(r"\btr`([^`]+)`", web.script):
        first, *others = re.split(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", marked)
        strings.append(first + "".join(f"{{{k}}}{part}" for k, part in enumerate(others)))
    return list(dict.fromkeys(strings))


def _texts(value: Any, name: str = "") -> Iterator[str]:
    """Yield the texts in a value of a form, which are what people read; all else is data."""
    if isinstance(value, str) and name not in _DATA and value and not value.startswith("data:"):
        yield value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _texts(part, key)
    elif isinstance(value, list) and name not in _DATA:
        for part in value:
            yield from _texts(part, name)


def _words(path: Path | str | None) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the words of the page, ours or those of a file for the keys that it has, and its translations of texts."""
    words = readers.parsed(_file("words.json"))
    if path is None:
        return words, {}
    wanted = "words of a study's page, as words.json in its folder has them"
    shape, ours = dict[str, str | list[str] | dict[str, str]], words | {"texts": {}}
    other = readers.parsed(readers.text(Path(path), _LARGEST), shape, str(path), wanted)
    for key, text in other.items():
        if type(text) is not type(ours.get(key)):
            raise InputError(f"{str(text)[:40]!r} for {key!r} in {path}", wanted)
    translated = other.pop("texts", {})
    for key, text in translated.items():
        holes = set(_HOLE.findall(key))
        if holes != set(_HOLE.findall(text)):
            change = f"a text with {some(sorted(holes))}" if holes else "a text without braces"
            raise InputError(f"{text[:40]!r} for {key[:40]!r} in {path}", change)
    return words | other, translated


def _write_page(
    folder: Path, web: WebStudy, study: Mapping, words: Mapping, forms: Sequence[Mapping],
    programs: Mapping[str, bytes],
) -> None:  # fmt: skip
    """Write every file of the page. Items are scripts, because a page from a disk may read no other files."""
    sources = ["jatos.js"] * (study["host"] == "jatos") + [f"jspsych/{name}" for name in programs]
    head = "\n".join(f'<script src="{source}"></script>' for source in sources)
    page = Template(_file("static/page.html"))
    files = {
        "index.html": page.substitute(
            policy=_policy(study),
            lang=html.escape(words["lang"]),
            title=html.escape(words["texts"][web.title]),
            scripts=head,
        ),
        "study.css": _style(web),
        "study.js": _program(web, study, "window.cogkitWords"),
        "words.js": f"window.cogkitWords = {in_script(words)};\n",
        "words.json": json.dumps(words, indent=1, ensure_ascii=False) + "\n",
        "jspsych/LICENSE.txt": _file("static/LICENSE.txt"),
    }
    for each in forms:
        files[f"forms/{each['number']:03d}.js"] = _form_script(each)
    for name, text in files.items():
        write_whole(folder / name, text.encode(), alone=True)
    for name, program in programs.items():
        write_whole(folder / "jspsych" / name, program, alone=True)


def _policy(study: Mapping) -> str:
    """Return what the page may ask for: its own files, and whoever gets the answers."""
    site = {"datapipe": "https://pipe.jspsych.org", "jatos": "ws: wss:"}.get(study["host"], "")
    return policy(
        files=True, connect=site or "/".join(study["address"].split("/")[:3] if "//" in study["address"] else ())
    )


def _write_task(folder: Path, web: WebStudy, study: Mapping, words: Mapping, forms: Sequence[Mapping]) -> None:
    """Write what cognition.run takes: the code of a task, and a style. It brings jsPsych of its own."""
    parts = [*(_form_script(each) for each in forms), _program(web, study, in_script(words))]
    write_whole(folder / "task.js", "\n".join(parts).encode(), alone=True)
    write_whole(folder / "study.css", _style(web).encode(), alone=True)


def _file(name: str) -> str:
    return resources.files("cogkit.extras.online").joinpath(name).read_text(encoding="utf-8")


def _style(web: WebStudy) -> str:
    """Return the style of the page: the widget's, and ours after it."""
    return f"{web.style}\n{_file('static/page.css')}"


def _program(web: WebStudy, study: Mapping, words: str) -> str:
    """Return the script of the page: the widget and its presenter, the machine, the store, the host and the page."""
    ours = script(__file__, "machine.js", "store.js", "model.js", "hosts.js", "page.js")
    constants = f"const study = {in_script(study)};\nconst words = {words};\nself.cogkitTexts = words.texts;"
    return f"(() => {{\n{constants}\n{widget(web.script)}\n{ours}\n}})();\n"


def _form_script(each: Mapping) -> str:
    number = each["number"]
    place = f"window.cogkitForms[{number}]"
    return f"window.cogkitForms ??= {{}};\n{place} = {in_script(each)};\nwindow.cogkitForm?.({place});\n"


def _jzip(folder: Path, name: str, title: str, study: str) -> bytes:
    """Return a study for JATOS: a zip with its properties (``.jas``) and the folder of its files."""
    own = uuid.uuid5(uuid.NAMESPACE_URL, f"cogkit/{study}")
    properties = readers.parsed(_file("static/jatos.json"))
    data = properties["data"]
    data |= {"uuid": str(own), "title": title, "dirName": name}
    data["componentList"][0] |= {"uuid": str(uuid.uuid5(own, "component")), "title": title}
    data["batchList"][0]["uuid"] = str(uuid.uuid5(own, "batch"))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}.jas", json.dumps(properties))
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.write(path, f"{name}/{path.relative_to(folder).as_posix()}")
    return buffer.getvalue()
