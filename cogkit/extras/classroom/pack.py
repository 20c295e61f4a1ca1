"""A lesson, packed: notebooks for students, an edition for the teacher, and the same for nbgrader and for Otter."""

from __future__ import annotations

import ast
import copy
import dataclasses
import json
import re
import secrets
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cogkit
from cogkit.app import notebooks
from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.core.records import slug
from cogkit.data.files import whole_folder, write_whole
from cogkit.extras.classroom import notes
from cogkit.extras.classroom.hand_in import ABOUT, About, source_of
from cogkit.extras.classroom.notes import Note

OPENING, HANDING_IN, TALK = 5, 5, 10
"""Minutes of a lesson before the first notebook, to hand in, and to talk about the report."""
LEAST = 10
"""Minutes that a notebook needs at least."""
_AN_EXERCISE = 2  # an exercise takes as long as two sections
_NBGRADER = {"schema_version": 3, "task": False}
_STUB = "# Write your answer in place of the three dots above."


class Slot(NamedTuple):
    """A part of a lesson: from which minute to which, what is done, and in which notebook, if in one."""

    begin: int
    end: int
    what: str
    notebook: str = ""


def plan(names: Sequence[str], minutes: int) -> list[Slot]:
    """Return how the minutes of a lesson are spent: a notebook gets the more, the more sections and exercises it has.

    Raises
    ------
    InputError
        There is too little time for so many notebooks.

    Examples
    --------
    >>> [tuple(slot)[:2] for slot in plan(["01_play_tiles", "02_task_metamers"], 90)]
    [(0, 5), (5, 39), (39, 75), (75, 80), (80, 90)]
    """
    rest = minutes - OPENING - HANDING_IN - TALK
    if rest < LEAST * len(names):
        needed = OPENING + HANDING_IN + TALK + LEAST * len(names)
        fix = "take fewer notebooks"
        raise InputError(f"{minutes} minutes for {len(names)} notebooks", f"{needed} or more", fix)
    weights = [_weight(name) for name in names]
    spare, slots, at = rest - LEAST * len(names), [Slot(0, OPENING, "Open the folder and the first notebook.")], 0.0
    for name, weight in zip(names, weights, strict=True):
        begin, at = slots[-1].end, at + LEAST + spare * weight / sum(weights)
        slots.append(Slot(begin, OPENING + round(at), f"Work through {_title(name)}.", name))
    ends = slots[-1].end
    slots.append(Slot(ends, ends + HANDING_IN, "Hand in."))
    return [*slots, Slot(ends + HANDING_IN, minutes, "Look at the report of the class together.")]


def pack(
    folder: Path | str, names: Sequence[str], *, preset: str = "quick", minutes: int = 90, seed: int | None = None,
    title: str = "", run: bool = True, say: Callable[[str], Any] = print,
) -> About:  # fmt: skip
    """Write a lesson into a new folder, whole or not at all, and return what it is about.

    The folder holds ``student`` (to give to students), ``teacher`` (solutions, common mistakes, and all figures as
    they should look), ``nbgrader`` and ``otter`` (sources for these two), and ``README.md``, which says what to do.

    Parameters
    ----------
    folder : path
    names : sequence of str
        Notebooks, such as ``01``.
    preset : str
    minutes : int
        Of the lesson.
    seed : int, optional
        Of the items, the same for all students; drawn at random by default.
    title : str
        Of the class.
    run : bool
        Whether the teacher's notebooks are run, which takes up to a minute each. Without that, they have no figures.
    say : callable
        Is called with a line of progress.
    """
    paths = notebooks.find(names) if names else []
    presets.preset(preset)
    stems = [path.stem for path in paths]
    if not stems or len(set(stems)) < len(stems):
        raise InputError(f"notebooks {', '.join(names) or 'none'}", "one or more, each once, such as --notebooks 01,02")
    if bare := [stem for stem in stems if not notes.read(stem)]:
        raise InputError(f"{bare[0]}, which has no exercises", "notebooks with exercises", "students have it anyway")
    seed = secrets.randbelow(2**31) if seed is None else seed
    about = About(
        secrets.token_hex(4), title or "A class", tuple(stems), preset, seed, minutes, cogkit.__version__
    )  # fmt: skip
    slots = plan(stems, minutes)
    with whole_folder(Path(folder)) as part:
        for path in paths:
            _write(path, about, slots, part, run, say)
        text = json.dumps(dataclasses.asdict(about), ensure_ascii=False, indent=1) + "\n"
        glossary = notebooks.find(["00"])[0]  # all notebooks link to it
        for place in ("student", "teacher"):
            if glossary.stem not in stems:
                shutil.copy(glossary, part / place)
            write_whole(part / place / ABOUT, text.encode(), alone=True)
            if (pictures := notebooks.source() / "pictures").is_dir():
                shutil.copytree(pictures, part / place / "pictures")
        write_whole(part / "nbgrader" / "nbgrader_config.py", _config(about).encode(), alone=True)
        write_whole(part / "README.md", _readme(about, slots).encode(), alone=True)
    return about


def _write(path: Path, about: About, slots: list[Slot], folder: Path, run: bool, say: Callable[[str], Any]) -> None:
    """Write all editions of one notebook."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    known, name = notes.read(path.stem), path.name
    editions = {
        "student": _student(notebook, about, slots, path.stem),
        f"nbgrader/source/{_assignment(about)}": _nbgrader(notebook, about, slots, path.stem, known),
        "otter": _otter(notebook, about, slots, path.stem, known),
    }
    for place, edition in editions.items():
        write_whole(folder / place / name, _text(edition), alone=True)
    teacher = _text(_teacher(notebook, about, slots, path.stem, known))
    target = folder / "teacher" / name
    write_whole(target, teacher, alone=True)
    if not run:
        return
    from cogkit.app import pages  # with nbconvert and plotly

    with tempfile.TemporaryDirectory(prefix="cogkit-class-") as home:
        source = Path(home) / name
        source.write_bytes(teacher)
        free = {"hands_free": True} if "hands_free" in notebooks.parameters(source) else {}
        done = notebooks.execute(source, target, free, env={"COGKIT_HOME": home})
    if not done.ok:
        raise InputError(f"{name}, which fails in {done.error}", "notebooks that run", "see what cogkit doctor says")
    pages.write_page(target, about.notebooks)
    say(pages.row(done))


def _text(notebook: dict) -> bytes:
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


def _markdown(text: str, ident: str) -> dict:
    return {"cell_type": "markdown", "id": ident, "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(text: str, ident: str, **metadata: Any) -> dict:
    lines = text.splitlines(keepends=True)
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": ident,
        "metadata": metadata,
        "outputs": [],
        "source": lines,
    }


def _raw(text: str, ident: str) -> dict:
    return {"cell_type": "raw", "id": ident, "metadata": {}, "source": text.splitlines(keepends=True)}


def _student(notebook: dict, about: About, slots: list[Slot], name: str) -> dict:
    """Return the edition for students: the settings of the class, the plan of the lesson, and the end to hand in."""
    edition = copy.deepcopy(notebook)
    for cell in edition["cells"]:
        if "parameters" in cell["metadata"].get("tags", ()):
            cell["source"] = _set(source_of(cell), {"preset": about.preset, "seed": about.seed})
        if exercise := cell["metadata"].get("exercise"):
            cell["metadata"]["nbgrader"] = _graded(exercise, solution=True)
        elif call := _call(cell):
            cell["metadata"]["nbgrader"] = _graded(f"{call[0]}-check", grade=True)
    edition["cells"].insert(1, _markdown(_plan_text(about, slots, name), "class-plan"))
    if name == about.notebooks[-1]:
        edition["cells"] += [
            _markdown(_HAND_IN, "class-hand-in"),
            _code("from cogkit.extras.classroom import panel\n\npanel.HandIn()", "class-hand-in-panel"),
        ]
    return edition


_HAND_IN = """## Hand in

Save all notebooks of the lesson first. Then run the next cell and press its button. It writes one file beside this
notebook: your answers to the exercises, your attempts, and your clicks in the studies. Nothing is sent. Your name is
only in it if you type it. Give the file to your teacher."""


def _graded(name: str, grade: bool = False, solution: bool = False) -> dict:
    points = {"points": 1} if grade else {}
    return {**_NBGRADER, "grade_id": name, "grade": grade, "solution": solution, "locked": grade, **points}


def _set(source: str, values: Mapping[str, Any]) -> list[str]:
    """Return a cell of parameters with other values."""
    for name, value in values.items():
        source = re.sub(rf"^({name}(?::[^=]*)?= *)([^#\n]*?)( *(?:#.*)?)$", rf"\g<1>{value!r}\3", source, flags=re.M)
    return source.replace("'", '"').splitlines(keepends=True)


def _call(cell: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the exercise that the last line of a cell checks, and the code of the answer."""
    source = source_of(cell)
    if cell["cell_type"] != "code" or "exercises.check(" not in source:
        return None
    last = ast.parse(source).body[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and len(last.value.args) == 2:
        name, answer = last.value.args
        if isinstance(name, ast.Constant):
            return str(name.value), ast.unparse(answer)
    return None


def _plan_text(about: About, slots: list[Slot], name: str) -> str:
    (mine,) = (slot for slot in slots if slot.notebook == name)
    rows = "\n".join(
        f"| {slot.begin}–{slot.end} | {'**' if slot == mine else ''}{slot.what}{'**' if slot == mine else ''} |"
        for slot in slots
    )
    instruction = (
        f"You have {mine.end - mine.begin} minutes for this notebook: from minute {mine.begin} to minute {mine.end} of "
        f"the lesson. Go on with the next notebook then, even if you have not finished."
    )
    return f"## {about.title}: the plan of the lesson\n\n{instruction}\n\n| minutes | what you do |\n|---|---|\n{rows}"


def _teacher(notebook: dict, about: About, slots: list[Slot], name: str, known: Mapping[str, Note]) -> dict:
    """Return the edition for the teacher: each exercise solved, with the common mistakes below it."""
    edition = _student(notebook, about, slots, name)
    cells = []
    for cell in edition["cells"]:
        note = known.get(cell["metadata"].get("exercise", ""))
        if note:
            cell["source"] = note.solution.splitlines(keepends=True)
        cells.append(cell)
        call = _call(cell)
        if call and call[0] in known:
            cells.append(_markdown(_mistakes(known[call[0]]), f"mistakes-{call[0]}"))
    edition["cells"] = [cell for cell in cells if cell["id"] != "class-hand-in-panel"]
    return edition


def _mistakes(note: Note) -> str:
    parts = [f"{mistake.why}\n\n```python\n{mistake.code.strip()}\n```" for mistake in note.mistakes]
    return "**For the teacher: common mistakes**\n\n" + "\n\n".join(parts)


def _nbgrader(notebook: dict, about: About, slots: list[Slot], name: str, known: Mapping[str, Note]) -> dict:
    """Return the source for nbgrader: solutions and hidden tests between its marks."""
    edition = _student(notebook, about, slots, name)
    for cell in edition["cells"]:
        exercise = cell["metadata"].get("exercise", "")
        if exercise in known:
            text = f"{source_of(cell)}\n### BEGIN SOLUTION\n{known[exercise].solution.strip()}\n### END SOLUTION"
            cell["source"] = text.splitlines(keepends=True)
        elif call := _call(cell):
            hidden = f"assert exercises.judged({call[0]!r}, {call[1]}).passed"
            text = f"{source_of(cell)}\n### BEGIN HIDDEN TESTS\n{hidden}\n### END HIDDEN TESTS"
            cell["source"] = text.splitlines(keepends=True)
    return edition


def _otter(notebook: dict, about: About, slots: list[Slot], name: str, known: Mapping[str, Note]) -> dict:
    """Return the source for Otter: each exercise a question with a prompt, a solution and a test."""
    edition = _student(notebook, about, slots, name)
    calls = dict(filter(None, map(_call, edition["cells"])))
    title = f"{about.title}: {_title(name)}"
    cells = [_raw(f"# ASSIGNMENT CONFIG\nname: {json.dumps(title)}\nshow_question_points: true", "otter-config")]
    for cell in edition["cells"]:
        cell["metadata"].pop("nbgrader", None)
        exercise = cell["metadata"].get("exercise", "")
        if exercise not in known:
            cells.append(cell)
            continue
        ident = f"otter-{exercise}"
        prompt = f'""" # BEGIN PROMPT\n{source_of(cell).strip()}\n""" # END PROMPT'
        solution = f"# BEGIN SOLUTION NO PROMPT\n{known[exercise].solution.strip()}\n# END SOLUTION"
        cell["source"] = f"{prompt}\n{solution}".splitlines(keepends=True)
        cells += [
            _raw(f"# BEGIN QUESTION\nname: q{exercise.replace('-', '_')}\npoints: 1", f"{ident}-question"),
            _raw("# BEGIN SOLUTION", f"{ident}-begin"), cell, _raw("# END SOLUTION", f"{ident}-end"),
            _raw("# BEGIN TESTS", f"{ident}-tests"),
            _code(f"assert exercises.judged({exercise!r}, {calls[exercise]}).passed", f"{ident}-test"),
            _raw("# END TESTS", f"{ident}-tests-end"), _raw("# END QUESTION", f"{ident}-question-end"),
        ]  # fmt: skip
    edition["cells"] = cells
    return edition


def _config(about: About) -> str:
    return (
        f"c = get_config()\n\nc.CourseDirectory.course_id = {_assignment(about)!r}\n"
        f'c.ClearSolutions.code_stub = {{"python": {_STUB!r}}}\n'
    )


def _readme(about: About, slots: list[Slot]) -> str:
    rows = "\n".join(f"| {slot.begin}–{slot.end} | {slot.what} |" for slot in slots)
    return f"""# {about.title}

{len(about.notebooks)} notebooks, {about.minutes} minutes, preset {about.preset}, seed {about.seed}.
cogkit {about.cogkit} packed it.

| minutes | what students do |
|---|---|
{rows}

1. Give the folder `student` to each student. They open it with `cogkit lab --dir student`.
2. Keep the folder `teacher` to yourself. It holds solutions, common mistakes, and the figures as they should look.
3. At the end each student presses the button of the last cell, or runs `cogkit class hand-in --notebooks student`.
   It writes one file, and sends nothing. Gather these files in a folder, such as `handed-in`.
4. `cogkit class collect handed-in --out class` checks and merges them. It names every fault by file and line.
5. `cogkit class report class --out report` writes one page about the class.

With **nbgrader**, run `nbgrader generate_assignment {_assignment(about)}` inside the folder `nbgrader`.
With **Otter**, run `otter assign otter/{about.notebooks[0]}.ipynb dist`, and so on for each notebook.
"""


def _weight(name: str) -> int:
    (path,) = notebooks.find([name])
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    headings = sum(
        line.startswith("## ") for cell in cells if cell["cell_type"] == "markdown" for line in cell["source"]
    )
    return headings + _AN_EXERCISE * sum("exercise" in cell["metadata"] for cell in cells)


def _assignment(about: About) -> str:
    return slug(about.title) or f"class-{about.id}"  # a title may have no Latin letter


def _title(name: str) -> str:
    return name.partition("_")[2].replace("_", " ").capitalize()
