"""The documentation as static pages: whole, linked, and asking no other host for anything."""

from __future__ import annotations

import json
import os
import re
import sys
from importlib import import_module
from inspect import ismodule
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from children import run
from executed import ran
from markup import HOSTILE

from cogkit.extras.docs import build

ROOT = Path(__file__).parents[4]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
DOORS = ("tiles", "bongard", "mewl", "equivalence", "generalization")
RAN = "01_play_tiles"  # the notebook that stands in the documentation as a run left it
WORD = "blue tiles of a player"


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """The documentation, as the command writes it, where no other host can be reached."""
    folder = tmp_path_factory.mktemp("docs")
    (folder / "runs").mkdir()
    nbformat.write(ran(WORD + HOSTILE), folder / "runs" / f"{RAN}.ipynb")
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
    command = [sys.executable, "-m", "cogkit.app.cli", "docs", "--out", "site", "--executed", "runs"]
    done = run(command, cwd=folder, env={**os.environ, **nowhere, "COGKIT_OFFLINE": "1"})
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.endswith("open site/index.html\n"), done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["runs", "site"]
    return folder / "site"


@pytest.fixture(scope="module")
def soups(built) -> dict[str, BeautifulSoup]:
    """Every page as a parser reads it, by its address."""
    paths = sorted(built.rglob("*.html"))
    return {path.relative_to(built).as_posix(): BeautifulSoup(path.read_text("utf-8"), "html.parser") for path in paths}


def anchors(page: BeautifulSoup) -> set[str]:
    return {str(tag[name]) for name in ("id", "name") for tag in page.find_all(attrs={name: True})}


def words(tag: Tag) -> str:
    """Return the text of an element without the signs that link to it."""
    return " ".join(tag.get_text().replace("¶", "").split())


def main_part(page: BeautifulSoup) -> Tag:
    return page.select_one("article[role=main]")


def test_every_local_link_leads_somewhere(built, soups):
    broken, checked = [], 0
    known = {name: anchors(page) for name, page in soups.items()}
    for name, page in soups.items():
        for tag in page.find_all(attrs={"href": True}) + page.find_all(attrs={"src": True}):
            address = urlsplit(str(tag.get("href") or tag["src"]))
            if address.scheme or address.netloc:
                continue
            checked += 1
            here = (built / name).parent / unquote(address.path) if address.path else built / name
            target = Path(os.path.normpath(here))
            if not target.is_file() or not target.is_relative_to(built):
                broken.append((name, address.path))
            elif address.fragment and tag.name == "a":
                there = target.relative_to(built).as_posix()
                if unquote(address.fragment) not in known[there]:
                    broken.append((name, f"{there}#{address.fragment}"))
    assert checked > 10_000 and broken == []


FETCHING = dict.fromkeys("script img iframe source video audio embed input track".split(), "src")
FETCHING |= dict.fromkeys(("link", "image", "use"), "href") | {"object": "data"}


def from_elsewhere(text: str) -> list[str]:
    """Return what a style sheet would fetch from another host."""
    addresses = re.findall(r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)", text)
    return [address for pair in addresses for address in pair if re.match(r"(?:[a-z]+:)?//", address)]


def test_no_page_asks_another_host(built, soups):
    requests, checked = [], 0
    for name, page in soups.items():
        for kind, attribute in FETCHING.items():
            for tag in page.find_all(kind, attrs={attribute: True}):
                checked += 1
                address = urlsplit(str(tag[attribute]))
                if address.netloc or address.scheme not in ("", "data"):
                    requests.append((name, tag[attribute]))
        styles = [tag.get_text() for tag in page.find_all("style")]
        styles += [str(tag["style"]) for tag in page.find_all(attrs={"style": True})]
        requests += [(name, address) for text in styles for address in from_elsewhere(text)]
        requests += [(name, "srcset") for _ in page.find_all(attrs={"srcset": True})]
        requests += [(name, "refresh") for _ in page.find_all("meta", attrs={"http-equiv": "refresh"})]
    for path in built.rglob("*.css"):
        requests += [(path.name, address) for address in from_elsewhere(path.read_text("utf-8"))]
    assert checked > 1000 and requests == []
    assert not any("mathjax" in str(tag.get("src")).lower() for page in soups.values() for tag in page("script"))


def test_every_notebook_stands_on_its_page(soups):
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text("utf-8"))["cells"]
        page = main_part(soups[f"notebooks/{path.stem}.html"])
        note = words(page.select_one(".admonition.note"))
        assert "cogkit lab" in {code.get_text() for code in page.select("code")}
        if path.stem == RAN:
            assert note.startswith("Note This is one run of the notebook")
            continue
        assert note.startswith("Note Nobody has run this notebook")
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        page_code = "\n".join(tag.get_text() for tag in page.select(".cell_input pre"))
        assert page_code.split() == code.split()


def test_a_notebook_that_was_run_shows_its_results_and_no_markup_of_theirs(built, soups):
    page = soups[f"notebooks/{RAN}.html"]
    assert (built / "notebooks" / "plotly.min.js").stat().st_size > 10**6
    scripts = [str(tag) for tag in page.find_all("script")]
    assert any('src="plotly.min.js"' in text for text in scripts) and any("Plotly.newPlot" in text for text in scripts)
    (still,) = page.select(".ck-still")
    assert still["aria-label"] == "TileBoard, as the run left it: Ready."
    models = json.loads(page.find(id="ck-stills").get_text())["models"]
    assert models["a1"]["state"]["status"] == "Ready."
    completions = [tag.get_text() for tag in page.select(".cell_output pre")]
    assert sum(text.strip() == WORD + HOSTILE for text in completions) == 2
    assert not page.select("[onerror], [onload], iframe, #foreign")
    assert [tag["href"] for tag in page.select(".cell_output a")] == ["02_task_metamers.html"]
    assert [name for name, other in soups.items() if other.select("script[src='plotly.min.js']")] == [
        f"notebooks/{RAN}.html"
    ]


@pytest.mark.parametrize("instrument", DOORS)
def test_every_name_of_a_door_and_of_its_figures_is_explained(soups, instrument):
    door, views = import_module(f"cogkit.{instrument}"), import_module(f"cogkit.{instrument}.views")
    page, figures = soups[f"api/cogkit.{instrument}.html"], soups[f"api/cogkit.{instrument}.views.html"]
    for name in {f"cogkit.{instrument}.{name}" for name in door.__all__ if name != "figures"}:
        assert words(page.find(id=name).find_parent("dl").find("dd")), name
    figure_names = {name for name in views.__all__ if not ismodule(getattr(views, name))}
    assert {f"cogkit.{instrument}.views.{name}" for name in figure_names} <= anchors(figures)


def test_an_instrument_of_somebody_else_has_its_page(tmp_path, sixth):
    build.write_sources(tmp_path / "source", {})
    assert "\n   counting\n" in (tmp_path / "source" / "api.rst").read_text("utf-8")


def test_nothing_of_this_machine_is_told(built):
    texts = [path.read_text("utf-8") for path in built.rglob("*.html")]
    assert not any(str(ROOT) in text or "cogkit-docs-" in text for text in texts)
