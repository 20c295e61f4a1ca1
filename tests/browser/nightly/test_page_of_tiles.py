"""The page of tiles in a browser: boards by keys alone and by mouse, and what is read beside them and at the end."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from bs4 import BeautifulSoup
from markup import HOSTILE
from playwright.sync_api import expect
from websitting import barriers

from cogkit.app import cli
from cogkit.ui.files import in_script

SIZES = {375: 667, 1024: 768}


@pytest.fixture(scope="module")
def door(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("page") / "door"
    assert cli.main(["page", "tiles", "--out", str(folder)]) == 0
    return folder / "index.html"


@pytest.fixture(scope="module")
def content(door) -> dict:
    return json.loads(BeautifulSoup(door.read_text(encoding="utf-8"), "html.parser").select_one("#content").string)


@pytest.fixture
def opened(browser):
    """A function that opens a file in a window of its own; what a page complains of or asks for fails the test."""
    contexts, faults, urls = [], [], []

    def go(path: Path, width: int = 1024, **options):
        context = browser.new_context(viewport={"width": width, "height": SIZES[width]}, **options)
        contexts.append(context)
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on("console", lambda message: message.type in ("error", "warning") and faults.append(message.text))
        context.on("request", lambda request: urls.append(request.url))
        page = context.new_page()
        page.goto(path.as_uri())
        assert urls.pop(0) == path.as_uri()
        return page

    yield go
    states = [context.storage_state() for context in contexts]
    for context in contexts:
        context.close()
    assert faults == [] and urls == [] and states == [{"cookies": [], "origins": []}] * len(states)


def problems(page) -> list[str]:
    sideways = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return barriers(page) + [f"{sideways} px sideways"] * (sideways > 0)


def plan(board: dict, rng: Random) -> tuple[list[int], int]:
    """Return clicks that open every red tile and a few blue ones, a red one last, and how many blue ones."""
    red = [tile for tile, colour in enumerate(board["board"]) if colour == "1" and tile != board["start"]]
    blue = [tile for tile, colour in enumerate(board["board"]) if colour == "0"]
    n = rng.randrange(6)
    clicks = rng.sample(red[:-1] + rng.sample(blue, n), len(red) - 1 + n)
    return [*clicks, red[-1]], n


def rows(page, place: str) -> dict[str, str]:
    """Return the table of a place as it is in view: who, and the number."""
    names, numbers = (page.locator(f"{place} table {tag}").all_inner_texts() for tag in ("th", "td"))
    return dict(zip((name.lstrip("★ \n") for name in names), numbers, strict=True))


def expected(blue: int, others: list[dict]) -> dict[str, str]:
    floor, ideal = others
    return {
        "You": str(blue),
        "Nearest neighbour": f"{floor['value']:.1f} ± {floor['sd']:.1f}",
        "Ideal observer": f"{ideal['value']:.1f}",
    }


def click(page, tile: int) -> None:
    page.locator(f"[data-tile='{tile}']").click()


def press(page, tile: int) -> None:
    """Walk to a tile with arrow keys from the one that has the focus, and open it."""
    here = page.evaluate("Number(document.activeElement.dataset.tile)")
    for distance, keys in ((tile // 7 - here // 7, "ArrowUp ArrowDown"), (tile % 7 - here % 7, "ArrowLeft ArrowRight")):
        for _ in range(abs(distance)):
            page.keyboard.press(keys.split()[distance > 0])
    page.keyboard.press("Enter")


def open_red(page, board: dict) -> None:
    for tile, colour in enumerate(board["board"]):
        if colour == "1":
            click(page, tile)


def play(page, rule: dict, part: dict, rng: Random, by_keys: bool = False) -> list[str]:
    """Play a round, and read what stands beside each board and at the end; return the problems of its first board."""
    total, faults = 0, []
    for k, board in enumerate(part["boards"]):
        assert page.locator(".ck-head strong").inner_text() == f"Board {k + 1} of 5"
        assert rows(page, ".ck-facts") == {} and page.locator(".ck-tile.is-covered").count() == 48
        clicks, blue = plan(board, rng)
        for tile in clicks:
            (press if by_keys else click)(page, tile)
        total += blue
        assert rows(page, ".ck-facts") == expected(blue, board["rows"])
        floor, ideal = (row["text"].replace(" ", "\xa0") for row in board["rows"])  # on one line
        words = f"Board done with {blue} blue. The nearest neighbour opens {floor}, the ideal observer {ideal}"
        assert words in page.get_by_role("status").inner_text()
        box = page.locator(".ck-aside table").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]
        faults += problems(page) if k == 0 else []
        page.keyboard.press("n") if by_keys else page.locator(".ck-main .ck-primary").click()
    heading = page.get_by_role("heading", level=2)
    expect(heading).to_be_focused()
    assert heading.inner_text() == f"The rule: {rule['name']}"
    assert page.locator(".ck-rule").inner_text() == rule["words"] and page.locator(".cogkit-board .ck-grid").is_hidden()
    assert rows(page, ".ck-sum") == expected(total, part["rows"])
    assert page.locator("figure .is-red").count() == sum(board["board"].count("1") for board in part["boards"])
    assert page.locator("figure rect.is-blue").count() == total
    return faults


def names(page) -> list[str]:
    return page.locator("select option").all_inner_texts()


@pytest.mark.parametrize(("width", "scheme"), [(375, "light"), (1024, "dark")])
def test_five_boards_by_mouse_end_with_the_rule_and_the_sums(width, scheme, door, content, opened):
    page, rule = opened(door, width, color_scheme=scheme), content["rules"][0]
    faults = problems(page)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] < 128")
    assert dark == (scheme == "dark")
    grid, prompt = (page.locator(place).bounding_box() for place in (".ck-grid", ".ck-prompt"))
    assert prompt["y"] >= 0 and grid["y"] + grid["height"] <= SIZES[width]  # at once in view, sentence and board
    assert names(page) == [f"Rule {k}" for k in range(1, 9)] and rule["words"] not in page.locator("main").inner_text()
    faults += play(page, rule, rule["rounds"][0], Random(f"{width} {scheme}"))
    assert names(page)[:2] == [f"Rule 1: {rule['name']}", "Rule 2"]
    assert faults + problems(page) == []


def test_the_keyboard_alone_plays_two_rounds_and_goes_on_to_the_next_rule(door, content, opened):
    page, rng, rule = opened(door, reduced_motion="reduce"), Random("keys"), content["rules"][0]
    while not page.evaluate("document.activeElement.matches('.ck-tile')"):
        page.keyboard.press("Tab")
    play(page, rule, rule["rounds"][0], rng, True)
    for _ in range(2):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "5 more boards of this rule"
    page.keyboard.press("Enter")
    play(page, rule, rule["rounds"][1], rng, True)
    assert page.locator("section .ck-button").all_inner_texts() == ["Play rule 2"]  # no boards are left
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    rule = content["rules"][1]
    assert page.evaluate("Number(document.activeElement.dataset.tile)") == rule["rounds"][0]["boards"][0]["start"]
    play(page, rule, rule["rounds"][0], rng, True)


def test_any_rule_can_be_chosen_and_is_told_only_when_it_is_asked_for(door, content, opened):
    for number, rule in enumerate(content["rules"]):
        page = opened(door)
        page.get_by_label("Boards of").select_option(f"Rule {number + 1}")
        start = page.locator(".ck-grid .is-start")
        assert start.get_attribute("data-tile") == str(rule["rounds"][0]["boards"][0]["start"])
        assert rule["words"] not in page.locator("main").inner_text()
        page.get_by_text("Tell me the rule now").click()
        expect(page.locator("details p")).to_have_text(rule["words"])
        assert names(page)[number] == f"Rule {number + 1}: {rule['name']}"
        page.get_by_label("Boards of").select_option("Rule 2" if number != 1 else "Rule 3")
        expect(page.locator("details p")).to_be_hidden()


def test_nothing_counts_twice_no_board_is_left_before_its_end_and_its_chances_come_after_it(door, content, opened):
    page, board = opened(door), content["rules"][0]["rounds"][0]["boards"][0]
    status, probabilities = page.get_by_role("status"), page.get_by_role("button", name="probabilities")
    click(page, board["start"])
    expect(status).to_have_text("That tile is open already. Nothing was counted.")
    page.keyboard.press("n")
    expect(status).to_have_text("Open every red tile first.")
    page.keyboard.press("p")
    expect(probabilities).to_have_count(0)
    blue = board["board"].index("0")
    for _ in range(2):
        click(page, blue)
    assert page.locator(".ck-head span").first.inner_text() == "Blue tiles: 1"
    open_red(page, board)
    click(page, board["board"].index("0", blue + 1))
    expect(status).to_have_text("This board is done.")
    assert rows(page, ".ck-facts") == expected(1, board["rows"])
    page.keyboard.press("p")
    labels = [node.get_attribute("aria-label") for node in page.locator(".ck-grid .ck-tile").all()]
    assert [round(10 * float(label.split(", ")[-1].removesuffix(" %"))) for label in labels] == board["chance"]
    assert page.locator(".ck-grid .is-covered").count() == 48  # the beginning, which the chances are of
    page.keyboard.press("n")
    assert probabilities.count() == 0


def test_it_says_where_it_is_from_and_that_nothing_is_stored(door, opened):
    page = opened(door)
    for words in ("This page stores nothing, and nothing leaves your browser.", "cogkit lab", "seed 0", "1,000", "100"):
        expect(page.locator("footer")).to_contain_text(words)
    (link,) = page.get_by_role("link").all()
    assert link.get_attribute("href") == "https://doi.org/10.1371/journal.pcbi.1011316"


def test_hostile_words_are_read_and_do_nothing(door, content, opened, tmp_path):
    rules = [rule | {"name": HOSTILE, "words": HOSTILE} for rule in content["rules"]]
    paper = content["paper"] | {"name": HOSTILE}
    ours, hostile = in_script(content), in_script(content | {"note": HOSTILE, "paper": paper, "rules": rules})
    text = door.read_text(encoding="utf-8")
    (tmp_path / "index.html").write_text(text.replace(ours, hostile), encoding="utf-8")
    page = opened(tmp_path / "index.html")
    play(page, rules[0], rules[0]["rounds"][0], Random("hostile"))
    assert page.locator("#foreign, iframe, [onerror], [onload], [href^=javascript]").count() == 0
    assert page.evaluate("window.ran ?? 0") == 0 and HOSTILE in page.locator("footer").inner_text()
