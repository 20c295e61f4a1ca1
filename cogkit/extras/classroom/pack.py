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
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

import cogkit
from cogkit.app import notebooks
from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.core.records import slug
from cogkit.data.files import whole_folder, write_whole
from cogkit.extras.classroom import notes
from cogkit.extras.classroom.hand_in import ABOUT, About
from cogkit.extras.classroom.notes import Note

OPENING, HANDING_IN, TALK = 5, 5, 10
"""Minutes of a lesson before the first notebook, to hand in, and to talk about the report."""
LEAST = 10
"""Minutes that a notebook needs at least."""
_AN_EXERCISE = 2  # an exercise takes as long as two sections
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
    [(0, 5), (5, 40), (40, 75), (75, 80), (80, 90)]
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
    title: str = "", run: bool = True,
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
    """
    paths = notebooks.find(names)
    presets.preset(preset)
    stems = [path.stem for path in paths]
    if len(set(stems)) < len(stems) or not all(map(notes.read, stems)):
        raise InputError(f"the notebooks {', '.join(names) or 'all'}", "notebooks with exercises, each once: 01,02")
    seed = secrets.randbelow(2**31) if seed is None else seed
    about = About(secrets.token_hex(4), title or "A class", tuple(stems), preset, seed, minutes, cogkit.__version__)
    slots = plan(stems, minutes)
    with whole_folder(Path(folder)) as part:
        for path in paths:
            _write(path, about, slots, part, run)
        text = json.dumps(dataclasses.asdict(about), ensure_ascii=False, indent=1) + "\n"
        glossary = notebooks.find(["00"])[0]  # all notebooks link to it
        for place in ("student", "teacher"):
            shutil.copy(glossary, part / place)
            shutil.copytree(glossary.with_name("pictures"), part / place / "pictures")
            write_whole(part / place / ABOUT, text.encode(), alone=True)
        write_whole(part / "nbgrader" / "nbgrader_config.py", _config(about).encode(), alone=True)
        write_whole(part / "README.md", _readme(about, slots).encode(), alone=True)
    return about


def _write(path: Path, about: About, slots: list[Slot], folder: Path, run: bool) -> None:
    """Write all editions of one notebook."""
    student, known = _student(nbformat.read(path, as_version=4), about, slots, path.stem), notes.read(path.stem)
    editions = {
        "student": student,
        "teacher": _teacher(copy.deepcopy(student), known),
        f"nbgrader/source/{_assignment(about)}": _nbgrader(copy.deepcopy(student), known),
        "otter": _otter(copy.deepcopy(student), known, f"{about.title}: {_title(path.stem)}"),
    }
    for place, edition in editions.items():
        write_whole(folder / place / path.name, f"{nbformat.writes(edition)}\n".encode(), alone=True)
    if run:
        _run(folder / "teacher" / path.name, about)


def _run(target: Path, about: About) -> None:
    """Run a teacher's notebook in its place, and write its page."""
    from cogkit.app import pages  # with nbconvert and plotly, as in `report`
    from cogkit.extras.classroom import report

    with tempfile.TemporaryDirectory(prefix="cogkit-class-") as home:
        source = shutil.copy(target, home)
        free = {"hands_free": True} if "hands_free" in notebooks.parameters(source) else {}
        print(pages.row(report.run(source, target, free, home, about.notebooks)))


def _student(edition: NotebookNode, about: About, slots: list[Slot], name: str) -> NotebookNode:
    """Return the edition for students: the settings of the class, the plan of the lesson, and the end to hand in."""
    for cell in edition.cells:
        if "parameters" in cell.metadata.get("tags", ()):
            cell.source = _set(cell.source, {"preset": about.preset, "seed": about.seed})
        if exercise := cell.metadata.get("exercise"):
            cell.metadata.nbgrader = _graded(exercise, solution=True)
        elif call := _call(cell):
            cell.metadata.nbgrader = _graded(f"{call[0]}-check", grade=True, locked=True, points=1)
    edition.cells.insert(1, new_markdown_cell(_plan_text(about, slots, name), id="class-plan"))
    if name == about.notebooks[-1]:
        panel = "from cogkit.extras.classroom import panel\n\npanel.HandIn()"
        edition.cells += [
            new_markdown_cell(_HAND_IN, id="class-hand-in"), new_code_cell(panel, id="class-hand-in-panel"),
        ]  # fmt: skip
    return edition


_HAND_IN = """## Hand in

Save all notebooks of the lesson first. Then run the next cell and press its button. It writes one file beside this
notebook: your answers to the exercises, your attempts, and your clicks in the studies. Nothing is sent. Your name is
only in it if you type it. Give the file to your teacher."""


def _graded(name: str, **settings: Any) -> dict:
    """Return what nbgrader wants to know of a cell."""
    common = {"schema_version": 3, "task": False, "grade": False, "solution": False, "locked": False}
    return common | {"grade_id": name} | settings


def _set(source: str, values: Mapping[str, Any]) -> str:
    """Return a cell of parameters with other values."""
    for name, value in values.items():
        source = re.sub(rf"^({name}(?::[^=]*)?= *)([^#\n]*?)( *(?:#.*)?)$", rf"\g<1>{value!r}\3", source, flags=re.M)
    return source.replace("'", '"')


def _call(cell: NotebookNode) -> tuple[str, str] | None:
    """Return the exercise that the last line of a cell checks, and the code of the answer."""
    if cell.cell_type != "code" or "exercises.check(" not in cell.source:
        return None
    match ast.parse(cell.source).body[-1]:
        case ast.Expr(ast.Call(args=[ast.Constant(name), answer])):
            return str(name), ast.unparse(answer)
    return None


def _plan_text(about: About, slots: list[Slot], name: str) -> str:
    (mine,) = (slot for slot in slots if slot.notebook == name)
    rows = _rows(slot._replace(what=f"**{slot.what}**") if slot == mine else slot for slot in slots)
    instruction = (
        f"You have {mine.end - mine.begin} minutes for this notebook: from minute {mine.begin} to minute {mine.end} of "
        f"the lesson. Go on with the next notebook then, even if you have not finished."
    )
    return f"## {about.title}: the plan of the lesson\n\n{instruction}\n\n| minutes | what you do |\n|---|---|\n{rows}"


def _rows(slots: Iterable[Slot]) -> str:
    return "\n".join(f"| {slot.begin}–{slot.end} | {slot.what} |" for slot in slots)


def _teacher(edition: NotebookNode, known: Mapping[str, Note]) -> NotebookNode:
    """Return the edition for the teacher: each exercise solved, with the common mistakes below it."""
    cells = []
    for cell in edition.cells:
        if note := known.get(cell.metadata.get("exercise", "")):
            cell.source = note.solution
        cells.append(cell)
        if call := _call(cell):
            mistakes = [f"{why}\n\n```python\n{code.strip()}\n```" for why, code in known[call[0]].mistakes]
            text = "\n\n".join(["**For the teacher: common mistakes**", *mistakes])
            cells.append(new_markdown_cell(text, id=f"mistakes-{call[0]}"))
    edition.cells = [cell for cell in cells if cell.id != "class-hand-in-panel"]
    return edition


def _nbgrader(edition: NotebookNode, known: Mapping[str, Note]) -> NotebookNode:
    """Return the source for nbgrader: solutions and hidden tests between its marks."""
    for cell in edition.cells:
        if note := known.get(cell.metadata.get("exercise", "")):
            cell.source += f"\n### BEGIN SOLUTION\n{note.solution.strip()}\n### END SOLUTION"
        elif call := _call(cell):
            cell.source += f"\n### BEGIN HIDDEN TESTS\n{_test(*call)}\n### END HIDDEN TESTS"
    return edition


def _otter(edition: NotebookNode, known: Mapping[str, Note], title: str) -> NotebookNode:
    """Return the source for Otter: each exercise a question with a prompt, a solution and a test."""
    calls = dict(filter(None, map(_call, edition.cells)))
    cells = [new_raw_cell(f"# ASSIGNMENT CONFIG\nname: {json.dumps(title)}\nshow_question_points: true")]
    for cell in edition.cells:
        cell.metadata.pop("nbgrader", None)
        exercise = cell.metadata.get("exercise", "")
        if exercise not in known:
            cells.append(cell)
            continue
        prompt = f'""" # BEGIN PROMPT\n{cell.source.strip()}\n""" # END PROMPT'
        cell.source = f"{prompt}\n# BEGIN SOLUTION NO PROMPT\n{known[exercise].solution.strip()}\n# END SOLUTION"
        cells += [
            new_raw_cell(f"# BEGIN QUESTION\nname: q{exercise.replace('-', '_')}\npoints: 1"),
            new_raw_cell("# BEGIN SOLUTION"), cell, new_raw_cell("# END SOLUTION"),
            new_raw_cell("# BEGIN TESTS"), new_code_cell(_test(exercise, calls[exercise])), new_raw_cell("# END TESTS"),
            new_raw_cell("# END QUESTION"),
        ]  # fmt: skip
    edition.cells = cells
    return edition


def _test(exercise: str, answer: str) -> str:
    return f"assert exercises.judged({exercise!r}, {answer}).passed"


def _config(about: About) -> str:
    return (
        f"c = get_config()\n\nc.CourseDirectory.course_id = {_assignment(about)!r}\n"
        f'c.ClearSolutions.code_stub = {{"python": {_STUB!r}}}\n'
    )


def _readme(about: About, slots: list[Slot]) -> str:
    text = Template(Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"))
    fields = dataclasses.asdict(about) | {"n": len(about.notebooks), "first": about.notebooks[0]}
    return text.substitute(fields, rows=_rows(slots), assignment=_assignment(about))


def _weight(name: str) -> int:
    (path,) = notebooks.find([name])
    cells = nbformat.read(path, as_version=4).cells
    headings = sum(len(re.findall("^## ", cell.source, re.M)) for cell in cells if cell.cell_type == "markdown")
    return headings + _AN_EXERCISE * sum("exercise" in cell.metadata for cell in cells)


def _assignment(about: About) -> str:
    return slug(about.title) or f"class-{about.id}"  # a title may have no Latin letter


def _title(name: str) -> str:
    return name.partition("_")[2].replace("_", " ").capitalize()
