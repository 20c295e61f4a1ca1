"""The README is true: its commands are CI's, its table is what the notebooks say, its examples run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cogkit.data import results
from cogkit.mewl.paper import summary as mewl_summary

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROOFS = {  # of each example, by a word that it has: what must hold after it
    "class Mine": "assert answers.finished.all() and len(rows)",
    "class First": "assert set(rows.who) == {'First'}",
    "class Ink": "assert rows[rows.task == 'FF'][['who', 'n']].values.tolist() == [['Ink', 80]]",
    # three of five names were heard
    "class Heard": "assert rows[rows.metric == 'accuracy'].value.round(6).tolist() == [0.333333]",
    "GaussianNB": "assert {'A_c', 'P', 'S', 'L', 'GRc'} <= {*_.component}",
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_its_test_command_is_what_ci_runs():
    install, test = (block.strip() for block in blocks("sh"))
    assert install.endswith("cogkit lab") and install.startswith("python3 -m venv .venv")
    steps = map(str.strip, (ROOT / ".ci" / "run").read_text().replace(" && ", "\n").splitlines())
    commands = test.split(" && ")
    assert [step for step in steps if step in commands] == commands  # in that order; checks stand between them


def test_every_way_to_install_takes_the_cpu_build_of_torch_and_asks_its_index_for_nothing_else():
    (index,) = PROJECT["tool"]["uv"]["index"]
    assert index["explicit"] and list(PROJECT["tool"]["uv"]["sources"]) == ["torch"]
    (wanted,) = (line for line in PROJECT["project"]["dependencies"] if line.startswith("torch"))
    for block in blocks("sh"):
        steps = [step for step in block.split(" && ") if index["url"] in step]
        assert len(steps) == 1 and steps[0].split("install ")[1].startswith(f"'{wanted}' --index-url")
        assert "--retries 0" in steps[0] and steps[0].endswith("|| true; }")  # out of reach, it costs seconds
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
    words = {
        "FF": "right answers about longer free-form shapes", "BA": "about basic shapes",
        "CM": "about new pairs of attributes", "NV": "on the test of a new attribute",
    }  # fmt: skip
    rows = results.shipped("bongard", tasks=[*words], who="concept search on taught eyes").query("metric == 'accuracy'")
    shares = ", ".join(f"{100 * rows[rows.task == test].value.mean():.0f} % {text}" for test, text in words.items())
    runs = rows.groupby("task").size().min()
    assert f"gives {shares} ({runs} runs, {rows.n.min()} to {rows.n.max()} answers a test in each; a guess" in README
    novel = results.shipped(
        "bongard", tasks="NV", who=["search with exact labels", "search with exact labels, all must fit"]
    )
    near, fits = (f"{100 * value:.0f} %" for value in novel.query("metric == 'accuracy' and task == 'NV'").value)
    assert f"which lacks the attribute, gets {near} too, and {fits} if a concept must fit all pictures" in README


@pytest.mark.parametrize("word", PROOFS)
def test_each_example_runs_alone_in_a_process_of_its_own(word, mirror):
    (block,) = [block for block in blocks("python") if word in block]
    *lines, last = block.strip().splitlines()
    code = "\n".join([*lines, last if " = " in last else f"_ = {last}", PROOFS[word]])
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "COGKIT_MIRROR": str(mirror)})


def test_every_example_is_tried():
    assert len(blocks("python")) == len(PROOFS)


def test_its_pictures_are_there():
    pictures = re.findall(r"!\[.*?\]\((.*?)\)", README)
    assert pictures and all((ROOT / picture).is_file() for picture in pictures)
