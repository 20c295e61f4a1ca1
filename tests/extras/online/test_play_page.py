"""The page of tiles as a file: its numbers against the players of the house, and nobody whom it could ask."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import numpy as np
import pytest
from bs4 import BeautifulSoup
from markup import HOSTILE, PLAIN, structure

from cogkit.app import cli
from cogkit.extras.online.tiles import play_page as page
from cogkit.tiles import scoring
from cogkit.tiles.learners.observers import BayesGreedy
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.boards import Items


@pytest.fixture(scope="module")
def text() -> str:
    return page.page()


@pytest.fixture(scope="module")
def content(text) -> dict:
    return json.loads(BeautifulSoup(text, "html.parser").select_one("#content").string)


def boards(rule: dict) -> list[dict]:
    return [board for part in rule["rounds"] for board in part["boards"]]


def grids_of(rule: dict) -> np.ndarray:
    return np.array([list(board["board"]) for board in boards(rule)], int).reshape(-1, 7, 7)


def test_every_rule_has_ten_boards_that_obey_it_and_no_other_rule(content):
    grids = {rule["name"]: grids_of(rule) for rule in content["rules"]}
    assert set(grids) == set(RULES) and all(len({*map(bytes, grid)}) == 10 for grid in grids.values())
    for rule in content["rules"]:
        assert [len(part["boards"]) for part in rule["rounds"]] == [5, 5]
        assert all(board["board"][board["start"]] == "1" for board in boards(rule))
    assert all(records.check(rule, grids[other]).all() == (rule == other) for rule in RULES for other in RULES)


def test_the_players_beside_each_board_are_the_heuristic_and_the_ideal_observer(content):
    here, there = 30, 100  # games of the ideal observer
    for rule in content["rules"]:
        own = boards(rule)
        items = Items(grids_of(rule), [board["start"] for board in own], f"{rule['name']}/abstract", "page")
        floor, ideal = ([board["rows"][k] for board in own] for k in (0, 1))
        expected = heuristic(items, runs=1000, seed=content["seed"])
        assert [row["value"] for row in floor] == pytest.approx(expected.mean)
        assert [row["sd"] for row in floor] == pytest.approx(expected.sd)
        observer = BayesGreedy.of(rule["name"])
        blue = scoring.judge(observer, items, passes=here, seed=1).blue
        error = np.sqrt(blue.var(axis=0, ddof=1).sum() * (1 / here + 1 / there))
        assert abs(sum(row["value"] for row in ideal) - blue.mean(axis=0).sum()) <= 4 * error + 1e-9, rule["name"]
        observations = np.where(np.arange(49) == items.starts[:, None], 1, -1).astype(np.int8)
        chances = np.where(observations == -1, observer.posterior(observations)[0], 0)
        assert np.abs(np.array([board["chance"] for board in own]) - 1000 * chances).max() <= 0.5 + 1e-6


def test_it_is_one_small_file_that_can_ask_nobody(text):
    assert len(text.encode()) < 400_000
    soup = BeautifulSoup(text, "html.parser")
    assert [tag.get("src") or tag.get("href") for tag in soup.select("[src], [href]")] == ["data:,"]
    policy = dict(part.split(" ", 1) for part in soup.select_one("meta[http-equiv]")["content"].split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert set(policy) == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    program, style = soup.select("script")[1].string, soup.select_one("style").string
    for name, inline in {"script-src": program, "style-src": style}.items():
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert policy[name] == f"'sha256-{digest}'"
    links = set(re.findall(r"https?://[^\s\"'`<)]+", text))
    assert links == {"http://www.w3.org/2000/svg", "https://doi.org/10.1371/journal.pcbi.1011316"}
    stored_or_sent = r"fetch\(|XMLHttpRequest|sendBeacon|WebSocket|localStorage|sessionStorage|indexedDB|cookie"
    assert not re.findall(stored_or_sent, program) and "url(" not in style and "@import" not in style


def test_hostile_words_stay_words(content, monkeypatch):
    pages = {}
    for word in (HOSTILE, PLAIN):
        rules = [rule | {"name": word, "words": word} for rule in content["rules"]]
        words = content | {"note": word, "paper": content["paper"] | {"name": word}, "rules": rules}
        monkeypatch.setattr(page, "content", lambda words=words: words)
        monkeypatch.setattr(page, "TITLE", word)
        pages[word] = page.page()
    assert structure(pages[HOSTILE]) == structure(pages[PLAIN])
    soup = BeautifulSoup(pages[HOSTILE], "html.parser")
    assert soup.title.string == HOSTILE and json.loads(soup.select_one("#content").string)["note"] == HOSTILE
    assert "<" not in soup.select_one("#content").string


def test_the_command_writes_it_into_a_new_folder_and_leaves_another_alone(text, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(page, "page", lambda: text)
    assert cli.main(["page", "tiles", "--out", str(tmp_path / "door")]) == 0
    assert [path.name for path in (tmp_path / "door").iterdir()] == ["index.html"]
    assert (tmp_path / "door/index.html").read_text(encoding="utf-8") == text
    path, advice = capsys.readouterr().out.splitlines()
    assert path == str(tmp_path / "door/index.html") and "any web server" in advice
    assert cli.main(["page", "tiles", "--out", str(tmp_path / "door")]) == 2
    assert "a new or an empty folder" in capsys.readouterr().err
