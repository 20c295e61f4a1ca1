"""What a reader meets in notebooks and in the README is plain English: short sentences of common words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import prose
import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
GRADES = {"README.md": 11}  # of school, at most; 10 elsewhere
PAGES = [*NOTEBOOKS, ROOT / "README.md"]
PACKAGE = ROOT / "cogkit"
RIDDLES = ("gainsay", "empty-handed", "interval and all", "whoever", "thereof", "hangs on")


@pytest.mark.parametrize(
    ("text", "grade", "middle", "longest"),
    [  # 0.39 words a sentence + 11.8 syllables a word - 15.59, counted by hand
        ("The cat sat on the mat.", 0.39 * 6 + 11.8 * 6 / 6 - 15.59, 6, 6),
        ("The cat sat. The dog ran away!", 0.39 * 7 / 2 + 11.8 * 8 / 7 - 15.59, 3.5, 4),
        ("# A *plain* title\n\nIt has `code(1)` and $x^2$ in it.", 0.39 * 9 / 2 + 11.8 * 10 / 9 - 15.59, 4.5, 6),
    ],
)
def test_the_measure_is_the_one_of_flesch_and_kincaid(text, grade, middle, longest):
    reading = prose.reading(text)
    assert reading.grade == pytest.approx(grade) and (reading.median, reading.longest) == (middle, longest)


def test_code_tables_and_formulas_are_no_prose():
    text = "One two.\n\n```python\nx = 1\n```\n\n| a b | c d |\n|---|---|\n| e f | g h |\n\n$$a b$$\n"
    assert prose.sentences(text) == ["One two."]


def test_items_of_a_list_are_read_one_by_one():
    assert prose.sentences("* One two\n* Three four. Five six, e.g. seven.") == [
        "One two", "Three four.", "Five six, e.g seven.",
    ]  # fmt: skip


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_reads_easily(path):
    reading = prose.reading(prose.prose(path))
    assert reading.long == [], f"sentences of more than {prose.LONGEST} words"
    assert reading.median <= prose.MEDIAN
    assert reading.grade <= GRADES.get(path.name, 10)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_has_no_riddles(path):
    sentences = prose.sentences(prose.prose(path))
    subjects = [text for text in sentences if re.match(r"Who(ever)? ", text) and not text.rstrip("*_").endswith("?")]
    assert subjects == [] and [text for text in sentences for word in RIDDLES if word in text.lower()] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_how_to_read_a_figure_takes_three_sentences(path):
    blocks = prose.blocks(prose.prose(path))
    helps = [block for block in blocks if block.startswith("How to read this")]
    assert [text for text in helps if len(prose.sentences(text)) > 4] == []  # the first is the words themselves


@pytest.mark.parametrize("path", NOTEBOOKS[1:], ids=lambda path: path.stem)
def test_a_notebook_begins_with_what_it_is_for(path):
    first = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
    assert "**Afterwards you will be able to say" in first and "**If you have only ten minutes" in first


SHOWN = {  # what a reader meets outside of Markdown, by where it stands
    **{f"exercises, {path.stem}, {path.parent.name}": [path] for path in sorted(PACKAGE.glob("*/*exercises.json"))},
    **{
        f"widgets, {folder.name}": [*folder.glob("views/*.py"), *folder.glob("people/*.py"), *folder.rglob("*.js")]
        for folder in sorted(PACKAGE.iterdir()) if (folder / "views").is_dir()
    },
    "widgets, shared": [*(PACKAGE / "ui").rglob("*.py"), *(PACKAGE / "ui").rglob("*.js")],
    "pages and feedback": [*(PACKAGE / "app").glob("*.py"), PACKAGE / "study" / "exercises.py"],
}  # fmt: skip
FOLDERS = sorted(path for path in PACKAGE.iterdir() if (path / "__init__.py").is_file())


def reads_easily(texts: list[str]) -> None:
    reading = prose.reading("\n\n".join(texts))
    assert reading.long == [], f"sentences of more than {prose.LONGEST} words"
    assert reading.median <= prose.MEDIAN and reading.grade <= 10


@pytest.mark.parametrize("where", SHOWN)
def test_what_widgets_and_exercises_say_reads_easily(where):
    texts = [text for path in SHOWN[where] for text in prose.texts(path)]
    assert texts, "nothing is said here: the measure has lost its way"
    reads_easily(texts)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_errors_read_easily(folder):
    reads_easily([text for path in folder.rglob("*.py") for text in prose.errors(path)])


def test_sentences_in_code_are_found_with_it_for_each_value(tmp_path):
    python, script = tmp_path / "a.py", tmp_path / "a.js"
    said = 'say(f"{n} boards are left to do.", "no sentence", "Well done, dear reader!")'
    python.write_text(f'"""A docstring is no text here."""\n{said}')
    script.write_text('// "A comment that is left out."\nsay("Click a tile to open it.", `Only ${n} tiles are left.`)')
    assert prose.texts(python) == ["it boards are left to do.", "Well done, dear reader!"]
    assert prose.texts(script) == ["Click a tile to open it.", "Only it tiles are left."]
    python.write_text('raise InputError(f"{n} boards", "at least one", "ask for more")')
    assert prose.errors(python) == ["wanted at least one, got it boards: ask for more"]


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("*/*exercises.json")), ids=lambda path: path.parent.name)
def test_a_hint_is_not_the_answer(path):
    for name, told in json.loads(path.read_text(encoding="utf-8")).items():
        numbers, result = (set(re.findall(r"\d[\d.,]*", told[part])) for part in ("hint", "why"))
        assert not numbers & result, name
