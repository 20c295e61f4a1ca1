"""The project's own notebooks as a newcomer meets them: JupyterLab in Chromium, from an empty home."""

from __future__ import annotations

import os
import random
import re
import signal

import numpy as np
import pytest
from looking import STARS, all_is_well, look_at_figures, run

from cogkit.app.notebooks import find
from cogkit.equivalence.problems.records import TYPES
from cogkit.study.trials import BEGIN, Trials
from cogkit.tiles.problems import records
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.boards import encode

OPEN = ":is(.is-red, .is-blue):not(.is-waiting)"


def tile(board, number: int, state: str = ""):
    return board.locator(f".ck-grid .ck-tile[data-tile='{number}']{state}")


def wait_for_board(board, number: int) -> None:
    board.locator(".ck-head strong").get_by_text(f"Board {number} of").wait_for()


def focused(page) -> int:
    return page.evaluate("() => Number(document.activeElement.dataset.tile ?? -1)")


def click(board, number: int) -> None:
    tile(board, number).click()
    tile(board, number, OPEN).wait_for()


def press(board, number: int) -> None:
    """Walk to a tile by arrow keys from wherever the focus is in the grid, and open it."""
    page = board.page
    row, column = np.subtract(divmod(number, 7), divmod(focused(page), 7)).tolist()
    for key, steps in (("ArrowDown", row), ("ArrowUp", -row), ("ArrowRight", column), ("ArrowLeft", -column)):
        for _ in range(steps):
            page.keyboard.press(key)
    assert focused(page) == number
    page.keyboard.press("Enter")
    tile(board, number, OPEN).wait_for()


def covered(board: np.ndarray, start: int, colour: int) -> list[int]:
    """Return the tiles of a colour that are not open at the start."""
    return [int(n) for n in np.flatnonzero(board.ravel() == colour) if n != start]


def drawn_board(board) -> str:
    """Return what the page shows: 49 signs, . covered, 0 blue, 1 red."""
    classes = board.locator(".ck-grid .ck-tile").evaluate_all("(tiles) => tiles.map((tile) => tile.className)")
    signs = {"is-covered": ".", "is-blue": "0", "is-red": "1"}
    return "".join(signs[next(name for name in text.split() if name in signs)] for text in classes)


def expected_board(board: np.ndarray, start: int, clicks: list[int]) -> str:
    return "".join(str(board.flat[n]) if n in (start, *clicks) else "." for n in range(49))


def check_stored(rows, played, task: str, phase: str, source: str) -> None:
    """Compare all rows of a sitting with what was played: a list of (index, board, start, clicks), in order."""
    assert rows["order"].tolist() == list(range(len(rows))) and rows["item"].iloc[0] == BEGIN
    constant = {"task": task, "instrument": "tiles", "kind": "person", "profile": "verified", "source": source}
    for column, value in constant.items():
        assert set(rows[column]) == {value}, column
    expected = []
    for position, (index, board, start, clicks) in enumerate(played):
        left = int(board.sum()) - 1
        for step, number in enumerate(clicks, 1):
            red = int(board.flat[number])
            left -= red
            extra = {"board": encode(board), "start": start, "step": step, "phase": phase}
            extra |= {"position": position, "done": left == 0}
            expected.append((f"{task}/{index:02d}", number, red, (10 if left == 0 else 1) if red else -1, extra))
    columns = ["item", "response", "correct", "score", "extra"]
    assert [tuple(row) for row in rows[columns].iloc[1:].to_numpy()] == expected
    assert rows["rt_s"].iloc[1:].between(0, 120).all() and rows["at"].is_monotonic_increasing


def own_rows(lab, task: str) -> dict[str, tuple[float, int]]:
    """Return value and n of each metric of the reader's own rows, all of one task, having seen their table drawn."""
    text = lab.find("yours = study.your_rows").locator("table").inner_text()
    rows = lab.evaluate("yours[['task', 'metric', 'value', 'n']].values.tolist()")
    assert {row[0] for row in rows} == {task} and all(task in text and metric in text for _, metric, *_ in rows)
    return {metric: (value, n) for _, metric, value, n in rows}


def heuristic_blue(board: np.ndarray, start: int, runs: int, rng: np.random.Generator) -> np.ndarray:
    """Return blue tiles of the paper's heuristic by brute force: a random covered tile nearest to an open red one."""
    place = np.stack(np.divmod(np.arange(49), 7), axis=1)
    apart = np.abs(place[:, None] - place[None]).max(axis=2)
    red, games = board.ravel() == 1, np.arange(runs)
    shut, near = np.ones((runs, 49), bool), np.repeat(apart[[start]], runs, axis=0)
    shut[:, start] = False
    blue = np.zeros(runs, int)
    while (going := (shut & red).any(axis=1)).any():
        distance = np.where(shut, near, 99)
        choice = (rng.random((runs, 49)) * (distance == distance.min(axis=1, keepdims=True))).argmax(axis=1)
        shut[games[going], choice[going]] = False
        blue += going & ~red[choice]
        near = np.where((going & red[choice])[:, None], np.minimum(near, apart[choice]), near)
    return blue


def photograph(lab, screenshot, board, shown: np.ndarray, start: int) -> list[int]:
    """Return the clicks that bring a board to its middle, and keep ``readme.png``: the cell as it then looks."""
    place = np.stack(np.divmod(np.arange(49), 7), axis=1)
    near = np.abs(place - place[start]).sum(axis=1)
    blues, reds = (sorted(covered(shown, start, colour), key=lambda n: near[n]) for colour in (0, 1))
    clicks = [blues[0], *reds[: 2 * len(reds) // 3], blues[1]]
    for number in clicks:
        click(board, number)
    cell = lab.find("board = figures.TileBoard(items, trials")
    lab.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0; }")
    cell.evaluate("(node) => node.scrollIntoView({block: 'start'})")
    lab.page.mouse.move(640, 795)
    box = cell.bounding_box()
    frame = {"x": box["x"], "y": box["y"], "width": min(1000, box["width"]), "height": min(640, 770 - box["y"])}
    picture = screenshot("readme", clip=frame)
    assert 10_000 < picture.stat().st_size <= 150_000
    return clicks


def test_start_here_leads_to_every_notebook(reader, server, screenshot):
    run(reader, "00_start_here")
    page = reader.page
    cards = page.locator(".cogkit-card")
    links = cards.locator("h3 a")
    names = [path.name for path in find()]
    assert links.evaluate_all("(all) => all.map((a) => new URL(a.href).pathname.split('/').at(-1))") == names
    assert all((server.root / "reader" / name).is_file() for name in names)
    assert cards.filter(has_text="Nothing of yours yet.").count() == len(names) - 1
    assert cards.locator("img").evaluate_all("(all) => all.every((i) => i.complete && i.naturalWidth > 50)")
    screenshot("start_here_cards", page.locator(".cogkit-gallery"))
    all_is_well(reader)
    cards.filter(has_text="Play tiles").locator("a").click()
    path = "window.jupyterapp.shell.currentWidget?.context?.path"
    page.wait_for_function(f"() => {path} === 'reader/01_play_tiles.ipynb'")
    reader.wait()
    assert any(source.startswith("# Play tiles") for source in reader.cells())
    assert reader.problems == []


def test_play_tiles_is_drawn_and_played_by_mouse_then_keyboard(reader, server, screenshot):
    run(reader, "01_play_tiles")
    page = reader.page
    cells = {"chances": "show_player", "ideal": "learner=ideal", "heuristic": "learner=tiles.learner"}
    for name, words in cells.items():
        widget = reader.find(words).locator(".cogkit-board")
        widget.wait_for()
        screenshot(f"play_tiles_{name}", widget)
    board = reader.find("board = figures.TileBoard(items, trials").locator(".cogkit-board")
    boards, starts = (np.array(reader.evaluate(f"items.{name}.tolist()")) for name in ("boards", "starts"))
    starts = starts.tolist()
    assert drawn_board(board) == expected_board(boards[0], starts[0], [])

    # The first board by mouse, two mistakes on the way.
    reds, blues = covered(boards[0], starts[0], 1), covered(boards[0], starts[0], 0)
    by_mouse = [reds[0], blues[0], *reds[1:-1], blues[-1], reds[-1]]
    for number in by_mouse:
        click(board, number)
    board.get_by_text("Board done with 2 blue.").wait_for()
    assert "You2" in re.sub(r"\s|★", "", board.locator(".ck-aside table").inner_text())

    # The second by keyboard alone.
    page.keyboard.press("n")
    wait_for_board(board, 2)
    assert focused(page) == starts[1]
    by_keys = [covered(boards[1], starts[1], 0)[3], *covered(boards[1], starts[1], 1)]
    for number in by_keys:
        press(board, number)
    board.get_by_text("Board done with 1 blue.").wait_for()
    assert drawn_board(board) == expected_board(boards[1], starts[1], by_keys)
    screenshot("play_tiles_board_done", board)

    # The third half-way, by mouse: the picture of the README.
    board.get_by_role("button", name="Next board").click()
    wait_for_board(board, 3)
    half = photograph(reader, screenshot, board, boards[2], starts[2])

    # Everything acknowledged is stored, nothing else, and the cells below know of it.
    rows = Trials(server.home / "trials.sqlite").frame()
    played = [(n, boards[n], starts[n], clicks) for n, clicks in enumerate((by_mouse, by_keys, half))]
    sitting = rows[rows["sitting"] == reader.evaluate("board.sitting.id")]
    check_stored(sitting, played, "rectangle/abstract", "free", "generated")
    others = rows[rows["sitting"] != sitting["sitting"].iloc[0]]
    assert others["item"].tolist() == [BEGIN] and others["source"].tolist() == ["sitting"]  # opened, not played
    assert reader.run_from("yours = study.your_rows"), reader.errors()
    assert reader.evaluate("you") == 2
    assert own_rows(reader, "rectangle/abstract")["blue"] == (1.5, 2)  # the third board is not finished
    look_at_figures(reader, screenshot, "play_tiles", 2)
    all_is_well(reader)


def test_a_killed_sitting_goes_on_and_its_reader_becomes_a_star(reader, server, screenshot):
    run(reader, "01_play_tiles")
    page, store = reader.page, Trials(server.home / "trials.sqlite")
    cell = reader.find("own = tiles.sit")
    board = cell.locator(".cogkit-board")
    board.wait_for()
    pid = reader.evaluate("__import__('os').getpid()")
    sitting, condition, order = reader.evaluate("(own.sitting.id, own.sitting.condition, own.sitting.order)")
    assert condition in records.CONDITIONS and sorted(order) == list(range(25))
    items = records.items(condition)
    everything = [(index, items.boards[index], int(items.starts[index])) for index in order]
    screenshot("sitting", board)

    # Two boards by keyboard alone: from the top of the notebook down to the cell, and into its board.
    page.locator(".jp-Notebook .jp-Cell").first.click()
    page.keyboard.press("Escape")
    for _ in range([("own = tiles.sit" in text) for text in reader.cells()].index(True)):
        page.keyboard.press("ArrowDown")
    for _ in range(12):
        if board.evaluate("(node) => node.contains(document.activeElement)"):
            break
        page.keyboard.press("Tab")
    played = []
    for wrong, (index, pattern, start) in zip((4, 1), everything, strict=False):
        wait_for_board(board, len(played) + 1)
        assert focused(page) == start
        clicks = [*covered(pattern, start, 0)[:wrong], *covered(pattern, start, 1)]
        for number in clicks:
            press(board, number)
        board.get_by_text(f"Board done with {wrong} blue.").wait_for()
        played.append((index, pattern, start, clicks))
        page.keyboard.press("n")
    index, pattern, start = everything[2]
    wait_for_board(board, 3)

    # On the third the page itself clicks on, one red never among them, until the kernel is killed.
    choice = random.SystemRandom()
    last = covered(pattern, start, 1)[-1]
    clicks = [n for n in range(49) if n not in (start, last)]
    choice.shuffle(clicks)
    moment = choice.randrange(1, 30)
    reader.click_on(board, clicks, moment)
    os.kill(pid, signal.SIGKILL)
    page.get_by_role("dialog").get_by_text("appears to have died").wait_for()
    numbers = page.evaluate("() => window.seen")
    rows = store.frame(sitting=sitting)
    prefix = clicks[: len(rows) - 1 - sum(len(clicks) for *_, clicks in played)]
    story = f"killed after {moment} clicks of {clicks} on {condition}/{index}"
    assert len(numbers) >= moment and prefix[: len(numbers)] == numbers and len(prefix) - len(numbers) in (0, 1), story
    check_stored(rows, [*played, (index, pattern, start, prefix)], condition, "study", "sitting")

    # The reader does what Lab says, restarts the kernel from the toolbar, and runs the cells again.
    page.get_by_role("dialog").get_by_role("button", name="Ok").click()
    reader.wait()  # restarted amid Lab's own restart, its socket mixes up two protocols and stays deaf
    page.locator(".jp-NotebookPanel-toolbar [data-jp-item-name='restart']").click()
    page.get_by_role("dialog").get_by_role("button", name="Confirm Kernel Restart").click()
    page.get_by_role("dialog").wait_for(state="detached")
    reader.wait()
    assert reader.run_all(), reader.errors()
    assert reader.evaluate("own.sitting.id") == sitting and reader.evaluate("__import__('os').getpid()") != pid
    # What Lab itself says of a killed kernel is no fault of the notebook.
    assert all("Canceled future for" in text for text in reader.problems), reader.problems
    reader.problems.clear()
    board.wait_for()
    assert board.locator(".ck-head strong").inner_text() == "Board 3 of 25"
    assert drawn_board(board) == expected_board(pattern, start, prefix), story
    screenshot("sitting_resumed", board)
    rest = [n for n in covered(pattern, start, 1) if n not in prefix]
    tile(board, start).focus()
    for number in rest:
        press(board, number)
    board.get_by_text("Go on to the next one.").wait_for()
    played.append((index, pattern, start, prefix + rest))

    # A sitting that goes on tells nothing. Python plays the other boards, with the methods that a click calls.
    assert reader.run_from("yours = study.your_rows"), reader.errors()
    assert reader.evaluate("len(yours)") == 0
    reds = "own.items.boards[own.index].ravel().nonzero()[0]"
    clicks = f"[own.click(int(tile)) for tile in {reds} if tile != own.start]"
    reader.evaluate(f"[(own.next_board(), {clicks}) for _ in range(22)]")
    board.get_by_text("That was the last board").wait_for()
    played += [(*beginning, covered(*beginning[1:], 1)) for beginning in everything[3:]]
    rows = store.frame()
    check_stored(rows[rows["sitting"] == sitting], played, condition, "study", "sitting")
    assert rows["sitting"].nunique() == 1  # and the database holds nothing else

    # The cells below show the reader's own rows.
    assert reader.run_from("yours = study.your_rows"), reader.errors()
    blue = [sum(pattern.flat[n] == 0 for n in clicks) for _, pattern, _, clicks in played]
    assert own_rows(reader, condition)["blue"] == (pytest.approx(np.mean(blue)), 25)
    all_is_well(reader)

    # The next notebook has them in its first figure, at a z that brute force confirms.
    runs, rng = 1000, np.random.default_rng(0)
    z, variance = [], []
    for count, (_, pattern, start, _) in zip(blue, played, strict=True):
        floor = heuristic_blue(pattern, start, runs, rng)
        z.append((count - floor.mean()) / floor.std(ddof=1))
        variance.append((2 + z[-1] ** 2) / runs)  # both means and both sds are simulated
    run(reader, "04_people_and_agents")
    rule, _ = condition.split("/")
    area = reader.find("figures.people_and_agents").locator(".jp-OutputArea-output:has(.main-svg)")
    area.scroll_into_view_if_needed()
    screenshot("people_and_agents_star", area)
    ((axis, value, width),) = area.evaluate(STARS)
    number = re.search(r"\d+", reader.find("figures.people_and_agents").locator(".jp-InputPrompt").inner_text())[0]
    stars = f"for t in Out[{number}].data if t.marker.symbol == 'star' for value in t.y"
    kept_stars = reader.evaluate(f"[(t.xaxis, float(value)) {stars}]")
    assert kept_stars == [(axis, pytest.approx(value))]
    assert axis == ["x", *(f"x{n}" for n in range(2, 9))][RULES.index(rule)]
    assert value == pytest.approx(np.mean(z), abs=4 * np.sqrt(np.sum(variance)) / len(z))
    assert width >= 8
    look_at_figures(reader, screenshot, "people_and_agents", 6)
    all_is_well(reader)

    # And the card of the first notebook counts them.
    run(reader, "00_start_here")
    answers = sum(len(clicks) for *_, clicks in played)
    card = reader.page.locator(".cogkit-card").filter(has_text="Play tiles")
    assert f"You: {answers:,} trials in 1 sitting, last on" in card.inner_text()
    screenshot("start_here_cards_done", reader.page.locator(".cogkit-gallery"))
    all_is_well(reader)


def test_stimulus_equivalence_is_drawn_and_its_reader_becomes_a_star(reader, server, screenshot):
    run(reader, "09_stimulus_equivalence")
    look_at_figures(reader, screenshot, "stimulus_equivalence", 7)
    cells = {
        "task": "task = equivalence.sit",
        "explorer": "explorer = figures.Explorer",
        "panel": "panel = figures.Train",
    }
    for name, words in cells.items():
        screenshot(f"stimulus_equivalence_{name}", reader.find(words).locator(".jp-OutputArea").first)
    # What a key calls, to the end of the sitting: two blocks learnt by heart, one mistake in the test.
    blocks = "[task.answer(task.correct) for _ in range(task.plan.length())]"
    assert all(reader.evaluate(blocks))
    assert reader.evaluate("task.answer((task.correct + 1) % 3)") is False
    assert all(reader.evaluate("[task.answer(task.correct) for _ in range(100) if not task.over]"))
    rows = Trials(server.home / "trials.sqlite").frame(kind="person")
    answers = rows[[extra.get("phase") == "test" for extra in rows["extra"]]]
    assert len(answers) == 54 and (answers["correct"] == 0).sum() == 1
    assert reader.run_from("sittings = people.study.from_trials"), reader.errors()
    expression = "you[you.metric == 'accuracy, forced choice'].set_index('task').value.to_dict()"
    shares = reader.evaluate(expression)
    types = [shares[f"LS/select-reject/standard/{name}"] for name in TYPES]
    assert sorted(types)[1:] == [1, 1, 1] and min(types) in (11 / 12, 17 / 18)
    figure = reader.find("sittings = people.study.from_trials").locator(".jp-OutputArea-output:has(.main-svg)").first
    stars = figure.evaluate(STARS)
    assert len(stars) >= 8  # the network trained here, and the reader
    all_is_well(reader)


def test_gr_star_is_drawn_and_a_slider_moves_its_ranks(reader, screenshot):
    run(reader, "10_gr_star")
    look_at_figures(reader, screenshot, "gr_star", 16)
    page = reader.page
    screenshot("gr_star_explorer", reader.find("explorer = figures.Explorer").locator(".jp-OutputArea").first)
    slider = page.get_by_role("slider", name="τ alignment for all")
    slider.focus()
    slider.press("Home")
    page.wait_for_function("() => document.querySelector('.ck-status').textContent.includes('τ 0.')")
    assert reader.evaluate("explorer.choices.constants.tau") == 0.0
    expected = reader.evaluate("explorer.table.query('side == \"machines\"').nsmallest(8, 'rank').task.tolist()")
    assert page.locator(".ck-ranks tbody td:nth-child(2)").all_inner_texts() == expected
    all_is_well(reader)
