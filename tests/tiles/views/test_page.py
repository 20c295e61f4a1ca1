"""The page of tiles as a file: its numbers against games played here in plain Python, and nobody whom it could ask."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from random import Random

import numpy as np
import oracles
import pytest
from bs4 import BeautifulSoup
from markup import HOSTILE, PLAIN, structure

from cogkit.app import cli
from cogkit.tiles.problems import records
from cogkit.tiles.rules import RULES
from cogkit.tiles.views import page

GAMES = {"floor": 40, "ideal": 30}  # played here on each board
K = 4  # standard errors


@pytest.fixture(scope="module")
def text() -> str:
    return page.page()


@pytest.fixture(scope="module")
def content(text) -> dict:
    return json.loads(BeautifulSoup(text, "html.parser").select_one("#content").string)


def boards(rule: dict) -> list[dict]:
    return [board for part in rule["rounds"] for board in part["boards"]]


def reds(board: dict) -> set[int]:
    return {tile for tile, colour in enumerate(board["board"]) if colour == "1"}


def test_every_rule_has_ten_boards_of_its_own(content):
    assert sorted(rule["name"] for rule in content["rules"]) == sorted(RULES)
    for rule in content["rules"]:
        assert [len(part["boards"]) for part in rule["rounds"]] == [5, 5]
        assert len({board["board"] for board in boards(rule)}) == 10
        assert all(len(board["board"]) == 49 and board["start"] in reds(board) for board in boards(rule))


@pytest.mark.parametrize("rule", ["pyramid", "rectangle", "zigzag", "tree", "symmetry"])
def test_boards_are_among_those_that_plain_python_draws_by_the_rule(rule, content):
    """These rules have 196 to 834 boards, so that 6,000 draws meet every one that is likely to stand here."""
    rng, (own,) = Random(f"page {rule}"), [each for each in content["rules"] if each["name"] == rule]
    drawn = {frozenset(7 * r + c for r, c in oracles.draw(rule, rng)) for _ in range(6000)}
    assert all(frozenset(reds(board)) in drawn for board in boards(own))


def test_boards_obey_their_rule_and_no_other_set_of_boards_does(content):
    grids = {
        rule["name"]: np.array([list(board["board"]) for board in boards(rule)], int).reshape(-1, 7, 7)
        for rule in content["rules"]
    }
    assert all(records.check(rule, grids[rule]).all() for rule in RULES)
    assert not any(records.check(rule, grids[other]).all() for rule in RULES for other in RULES if rule != other)


def nearest_neighbour(board: dict, rng: Random) -> int:
    """Return the blue tiles of one game: a covered tile at the least distance from an open red one, at random."""
    opened, left, blue = {board["start"]}, reds(board) - {board["start"]}, 0
    distance = [apart(tile, board["start"]) for tile in range(49)]
    while left:
        covered = [tile for tile in range(49) if tile not in opened]
        least = min(distance[tile] for tile in covered)
        tile = rng.choice([tile for tile in covered if distance[tile] == least])
        opened.add(tile)
        blue += tile not in left
        if tile in left:
            left.discard(tile)
            distance = [min(far, apart(other, tile)) for other, far in enumerate(distance)]
    return blue


def apart(one: int, other: int) -> int:
    """Return how many steps of a king lead from one tile to another."""
    return max(abs(one // 7 - other // 7), abs(one % 7 - other % 7))


def test_the_nearest_neighbour_beside_each_board_is_that_of_plain_games(content):
    rng, n, distances = Random("nearest neighbour"), GAMES["floor"], []
    for board in (board for rule in content["rules"] for board in boards(rule)):
        row, games = board["rows"][0], [nearest_neighbour(board, rng) for _ in range(n)]
        error = np.sqrt(np.var(games, ddof=1) / n + row["sd"] ** 2 / 1000)
        distances.append((np.mean(games) - row["value"]) / error)
        assert row["label"] == "Nearest neighbour" and row["text"] == f"{row['value']:.1f} ± {row['sd']:.1f}"
        assert 0.6 < row["sd"] / np.std(games, ddof=1) < 1.7
    assert np.abs(distances).max() < K and abs(np.mean(distances)) < K / np.sqrt(len(distances))


def posterior(rule: str) -> tuple[np.ndarray, np.ndarray]:
    """Return every board of a rule as 49 colours, and how probable it is, with one of its reds drawn as the start."""
    table = records.support(rule)
    colours = (table.bits[:, None] >> np.arange(49, dtype=np.uint64) & np.uint64(1)).astype(bool)
    return colours, table.probability / colours.sum(axis=1)


class Ideal:
    """Opens what is most probably red, given the rule: by counting boards, once for each state of a board."""

    def __init__(self, rule: str) -> None:
        self.colours, self.weight = posterior(rule)
        self.best = {}

    def chance(self, colours: np.ndarray, opened: frozenset) -> np.ndarray:
        known = sorted(opened)
        fits = (self.colours[:, known] == colours[known]).all(axis=1)
        fits[fits] = self.colours[fits].sum(axis=1) > colours[known].sum()  # else the game would be over
        chance = self.weight[fits] @ self.colours[fits] / self.weight[fits].sum()
        chance[known] = 0
        return chance

    def game(self, board: dict, rng: Random) -> int:
        colours, opened, blue = np.array([c == "1" for c in board["board"]]), frozenset([board["start"]]), 0
        while not reds(board) <= opened:
            state = (board["board"], opened)
            if state not in self.best:
                chance = self.chance(colours, opened)
                self.best[state] = np.flatnonzero(chance > chance.max() - 1e-12).tolist()
            tile = rng.choice(self.best[state])
            opened |= {tile}
            blue += not colours[tile]
        return blue


@pytest.mark.parametrize("rule", RULES)
def test_the_ideal_observer_beside_each_board_is_that_of_plain_games(rule, content):
    rng, n, ideal = Random(f"ideal {rule}"), GAMES["ideal"], Ideal(rule)
    (own,) = [each for each in content["rules"] if each["name"] == rule]
    error = difference = 0.0
    for board in boards(own):
        games, row = [ideal.game(board, rng) for _ in range(n)], board["rows"][1]
        chance = ideal.chance(np.array([c == "1" for c in board["board"]]), frozenset([board["start"]]))
        assert np.abs(np.array(board["chance"]) - 1000 * chance).max() <= 0.5 + 1e-6
        assert row["label"] == "Ideal observer" and row["text"] == f"{row['value']:.1f}"
        assert min(games) - 1 <= row["value"] <= max(games) + 1
        difference += np.mean(games) - row["value"]
        error += np.var(games, ddof=1) * (1 / n + 1 / 100)
    assert abs(difference) <= K * np.sqrt(error) + 1e-9


def test_sums_are_those_of_five_boards(content):
    for part in (part for rule in content["rules"] for part in rule["rounds"]):
        floor, ideal = part["rows"]
        assert floor["value"] == pytest.approx(sum(board["rows"][0]["value"] for board in part["boards"]))
        assert floor["sd"] ** 2 == pytest.approx(sum(board["rows"][0]["sd"] ** 2 for board in part["boards"]))
        assert ideal["value"] == pytest.approx(sum(board["rows"][1]["value"] for board in part["boards"]))


def test_the_page_says_of_how_many_games_and_from_which_seed(content):
    assert (content["games"], content["seed"]) == (["1,000", "100"], 0)
    assert "mean of 1,000 games" in content["note"] and "mean of 100 games" in content["note"]


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
        paper = {"name": word, "address": content["paper"]["address"]}
        monkeypatch.setattr(
            page, "content", lambda words=content | {"note": word, "paper": paper, "rules": rules}: words
        )
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
