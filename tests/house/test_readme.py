"""The README is true: its commands are CI's, its table is what the notebooks say, its example runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

from mewl import tiny

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_its_test_command_is_what_ci_runs():
    install, test = (block.strip() for block in blocks("sh"))
    assert install.endswith("cogkit lab") and install.startswith("python3 -m venv .venv")
    steps = (ROOT / ".ci" / "run").read_text().replace(" && ", "\n").splitlines()
    commands = test.split(" && ")
    assert [
        line for line in steps if line in commands
    ] == commands  # those steps, in that order; checks stand between them


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


def test_its_examples_of_agents_run(mirror, monkeypatch, tmp_path):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    tiles, equivalence, bongard, mewl, begun, generalization = blocks("python")[:6]
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
    monkeypatch.chdir(tmp_path)
    tiny.folder_of("bert", tmp_path / "my-bert")
    exec(begun, scope)
    assert {(row["who"], row["n"]) for row in scope["rows"]} == {("BERT, my-bert", 40)}
    *lines, last = generalization.strip().splitlines()
    exec("\n".join(lines), scope)
    assert {"A_c", "P", "S", "L", "GRc"} <= set(eval(last, scope).component)


def test_its_examples_of_learners_boards_and_comparisons_run(mirror, monkeypatch):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    learning, own, boards, comparison = blocks("python")[6:]
    scope: dict = {}
    exec(learning, scope)
    assert {(row["who"], row["n"]) for row in scope["rows"]} == {("LSTM", 25)}
    exec(own, scope)
    assert 2 < scope["log"].guess.tail(100).mean() < 4
    exec(boards, scope)
    assert {(row["who"], row["task"], row["n"]) for row in scope["rows"]} == {
        ("nearest neighbour", "diagonal/abstract", 2)
    }
    exec(comparison, scope)
    assert scope["table"].who.nunique() == 2 and set(scope["table"].task) == {"tree/abstract", "tree/metamer"}


def test_its_pictures_are_there():
    pictures = re.findall(r"!\[.*?\]\((.*?)\)", README)
    assert pictures and all((ROOT / picture).is_file() for picture in pictures)
