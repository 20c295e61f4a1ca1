"""The README is true: its commands are CI's, its table is what the notebooks say, its examples run."""

from __future__ import annotations

import ast
import json
import re
import textwrap
import tomllib
from pathlib import Path

from mewl import tiny

from cogkit.bongard.paper import summary as bongard_summary
from cogkit.data import results
from cogkit.mewl.paper import summary as mewl_summary

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def example(module: str) -> str:
    """Return the code in a module's docstring, below a line with two colons; the README must name the module."""
    assert f"`{module}`" in README
    path = ROOT / module.replace(".", "/")
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    return textwrap.dedent(re.search(r"::\n\n((?: {4}.*\n?|\n)+)", docstring)[1])


def test_it_is_short():
    assert len(README.splitlines()) < 200


def test_its_test_command_is_what_ci_runs():
    install, test = (block.strip() for block in blocks("sh"))
    assert install.endswith("cogkit lab") and install.startswith("python3 -m venv .venv")
    steps = (ROOT / ".ci" / "run").read_text().replace(" && ", "\n").splitlines()
    commands = test.split(" && ")
    assert [
        line for line in steps if line in commands
    ] == commands  # those steps, in that order; checks stand between them


def test_every_way_to_install_takes_the_cpu_build_of_torch_and_asks_its_index_for_nothing_else():
    (index,) = PROJECT["tool"]["uv"]["index"]
    assert index["explicit"] and list(PROJECT["tool"]["uv"]["sources"]) == ["torch"]
    (wanted,) = (line for line in PROJECT["project"]["dependencies"] if line.startswith("torch"))
    for block in blocks("sh"):
        asked = [step for step in block.split(" && ") if index["url"] in step]
        assert len(asked) == 1 and asked[0].split("install ")[1].startswith(f"'{wanted}' --index-url")
        assert "--retries 0" in asked[0] and asked[0].endswith("|| true; }")  # out of reach, it costs seconds
        assert "--extra-index-url" not in block  # pip would ask it for every package


def test_its_table_says_of_each_notebook_what_the_notebook_says_of_itself():
    rows = {row[0]: row[1:] for row in re.findall(r"\| `(\d\d_\w+)` \| (.+?) \| (.+?) \| (.+?) \|", README)}
    paths = sorted((ROOT / "notebooks").glob("*.ipynb"))
    assert list(rows) == [path.stem for path in paths]
    for path in paths:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        about = notebook["metadata"]["cogkit"]
        cost = {preset: f"{c['seconds']} s, {c['mb']} MB" for preset, c in about["cost"].items()}
        assert rows[path.stem] == (about["question"], cost["quick"], cost["lab"])
        first = "".join(notebook["cells"][0]["source"])
        assert f"About {about['cost']['quick']['seconds']} s at quick, {about['cost']['quick']['mb']} MB" in first


def test_what_it_says_of_learners_is_what_the_shipped_rows_say():
    assert mewl_summary.sentence(results.shipped("mewl")) in README
    assert bongard_summary.sentence(results.shipped("bongard")) in README


def test_its_examples_of_agents_run(mirror, monkeypatch):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    tiles, equivalence, bongard, mewl, generalization = blocks("python")
    scope: dict = {}
    exec(tiles, scope)
    assert scope["answers"].finished.all()
    exec(equivalence, scope)
    assert {row["who"] for row in scope["rows"]} == {"First"}
    exec(bongard, scope)
    assert {(row["who"], row["n"]) for row in scope["rows"] if row["task"] == "FF"} == {("Ink", 80)}
    exec(mewl, scope)
    shares = {row["metric"]: (row["who"], round(row["value"], 6), row["n"]) for row in scope["rows"]}
    assert shares["accuracy"] == ("Heard", 0.333333, 40)  # three of five names were heard
    *lines, last = generalization.strip().splitlines()
    exec("\n".join(lines), scope)
    assert {"A_c", "P", "S", "L", "GRc"} <= set(eval(last, scope).component)


def test_the_examples_of_learners_that_it_names_run(mirror, monkeypatch, tmp_path):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    scope: dict = {}
    exec(example("cogkit.tiles.learners.training"), scope)
    assert {(row["who"], row["n"]) for row in scope["rows"]} == {("LSTM", 25)}
    scope = {}
    exec(example("cogkit.learning"), scope)
    assert 2 < scope["log"].guess.tail(100).mean() < 4
    monkeypatch.chdir(tmp_path)
    tiny.folder_of("bert", tmp_path / "my-bert")
    scope = {}
    exec(example("cogkit.mewl.learners.pretrained"), scope)
    assert {(row["who"], row["n"]) for row in scope["rows"]} == {("BERT, my-bert", 40)}


def test_the_examples_of_boards_and_comparisons_that_it_names_run(mirror, monkeypatch):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    scope: dict = {}
    exec(example("cogkit.tiles.rules.boards"), scope)
    assert {(row["who"], row["task"], row["n"]) for row in scope["rows"]} == {
        ("nearest neighbour", "diagonal/abstract", 2)
    }
    scope = {}
    exec(example("cogkit.app.experiments"), scope)
    assert scope["table"].who.nunique() == 2 and set(scope["table"].task) == {"tree/abstract", "tree/metamer"}


def test_its_pictures_are_there():
    pictures = re.findall(r"!\[.*?\]\((.*?)\)", README)
    assert pictures and all((ROOT / picture).is_file() for picture in pictures)
