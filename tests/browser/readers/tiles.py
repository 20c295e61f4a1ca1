"""What a reader does in the notebooks of tiles."""

from __future__ import annotations

import os
import random
import re
import signal

import numpy as np
import pytest
from looking import picture
from readers.base import Reader
from scripts import script

from cogkit.core.identity import hashed
from cogkit.study.trials import BEGIN, Trials
from cogkit.tiles.people import scenarios
from cogkit.tiles.problems import records
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.boards import encode

OPEN = ":is(.is-red, .is-blue):not(.is-waiting)"
FREE, OWN, YOURS = "board = figures.TileBoard(items, trials", "own = tiles.sit", "yours = study.your_rows"


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


def check_stored(rows, played, task: str, phase: str, source: str, **more) -> None:
    """Compare all rows of a sitting with what was played: a list of (index, board, start, clicks), in order."""
    assert rows["order"].tolist() == list(range(len(rows))) and rows["item"].iloc[0] == BEGIN
    constant = {"task": task, "instrument": "tiles", "kind": "person", "profile": "verified", "source": source}
    for column, value in constant.items():
        assert set(rows[column]) == {value}, column
    expected = []
    for position, (_, board, start, clicks) in enumerate(played):
        left = int(board.sum()) - 1
        for step, number in enumerate(clicks, 1):
            red = int(board.flat[number])
            left -= red
            extra = {"board": encode(board), "start": start, "step": step, "phase": phase}
            extra |= {"position": position, "done": left == 0} | more
            expected.append((hashed(task, (board, start)), number, red, (10 if left == 0 else 1) if red else -1, extra))
    columns = ["item", "response", "correct", "score", "extra"]
    assert [tuple(row) for row in rows[columns].iloc[1:].to_numpy()] == expected
    assert rows["rt_s"].iloc[1:].between(0, 120).all() and rows["at"].is_monotonic_increasing


def blues(played) -> list[int]:
    """Return the blue tiles opened on each board that was played."""
    return [sum(int(board.flat[n] == 0) for n in clicks) for _, board, _, clicks in played]


BEFORE = {"trained": 3}  # the boards that were played freely before the sitting


class PlayTiles(Reader):
    """01: boards by mouse and by keyboard, and a sitting whose kernel is killed."""

    def partly(self) -> None:
        for words in ("show_player", "learner=ideal", "learner=tiles.learner"):
            self.lab.find(words).locator(".cogkit-board").wait_for()
        self.play_freely()
        self.begin_sitting()
        self.check(self.lab.evaluate("board.sitting.id"))
        self.run(YOURS, "you = float(mine[0].blue")
        assert self.lab.evaluate("you") == 2
        assert self.scores() == [["rectangle/abstract", 1.5, 2]]  # nothing of a board or a sitting that goes on
        assert self.lab.find(YOURS).locator("table").first.is_visible()

    def play_freely(self) -> None:
        """The first board by mouse, two mistakes on the way; the second by keyboard alone; the third half-way."""
        board, page = self.lab.find(FREE).locator(".cogkit-board"), self.lab.page
        boards, starts = (np.array(self.lab.evaluate(f"items.{name}.tolist()")) for name in ("boards", "starts"))
        starts = starts.tolist()
        assert drawn_board(board) == expected_board(boards[0], starts[0], [])
        reds, blue = covered(boards[0], starts[0], 1), covered(boards[0], starts[0], 0)
        by_mouse = [reds[0], blue[0], *reds[1:-1], blue[-1], reds[-1]]
        for number in by_mouse:
            click(board, number)
        board.get_by_text("Board done with 2 blue.").wait_for()
        assert "You2" in re.sub(r"\s|★", "", board.locator(".ck-aside table").inner_text())
        page.keyboard.press("n")
        wait_for_board(board, 2)
        assert focused(page) == starts[1]
        by_keys = [covered(boards[1], starts[1], 0)[3], *covered(boards[1], starts[1], 1)]
        for number in by_keys:
            press(board, number)
        board.get_by_text("Board done with 1 blue.").wait_for()
        assert drawn_board(board) == expected_board(boards[1], starts[1], by_keys)
        board.get_by_role("button", name="Next board").click()
        wait_for_board(board, 3)
        half = self.photograph(board, boards[2], starts[2])
        self.free = [(n, boards[n], starts[n], clicks) for n, clicks in enumerate((by_mouse, by_keys, half))]

    def photograph(self, board, pattern: np.ndarray, start: int) -> list[int]:
        """Return the clicks that bring a board to its middle, and keep ``readme.png``: the cell as it then looks."""
        place = np.stack(np.divmod(np.arange(49), 7), axis=1)
        near = np.abs(place - place[start]).sum(axis=1)
        blue, reds = (sorted(covered(pattern, start, colour), key=lambda n: near[n]) for colour in (0, 1))
        clicks = [blue[0], *reds[: 2 * len(reds) // 3], blue[1]]
        for number in clicks:
            click(board, number)
        cell = self.lab.find(FREE)
        self.lab.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0; }")
        cell.evaluate("(node) => node.scrollIntoView({block: 'start'})")
        self.lab.page.mouse.move(640, 795)
        box = cell.bounding_box()
        frame = {"x": box["x"], "y": box["y"], "width": min(1000, box["width"]), "height": min(640, 770 - box["y"])}
        picture(self.lab.page, "readme", clip=frame)
        return clicks

    def begin_sitting(self) -> None:
        """The first board by keyboard alone: from the top of the notebook down to the cell, and into its board."""
        board, page = self.own(), self.lab.page
        self.sitting, self.condition, order = self.lab.evaluate(
            "(own.sitting.id, own.sitting.condition, own.sitting.order)"
        )
        assert self.condition in records.CONDITIONS and sorted(order) == list(range(25))
        items = records.items(self.condition)
        self.everything = [(index, items.boards[index], int(items.starts[index])) for index in order]
        self.walk(OWN, ".ck-grid")
        self.played = []
        wait_for_board(board, 1)
        assert focused(page) == self.everything[0][2]
        self.play_board(board, 4)

    def own(self):
        board = self.lab.find(OWN).locator(".cogkit-board")
        board.wait_for()
        return board

    def play_board(self, board, wrong: int) -> None:
        """One whole board by keyboard alone, with so many mistakes."""
        index, pattern, start = self.everything[len(self.played)]
        clicks = [*covered(pattern, start, 0)[:wrong], *covered(pattern, start, 1)]
        for number in clicks:
            press(board, number)
        board.get_by_text(f"Board done with {wrong} blue.").wait_for()
        self.played.append((index, pattern, start, clicks))
        self.lab.page.keyboard.press("n")

    def check(self, free: str = "") -> None:
        """Everything acknowledged is stored, and nothing else."""
        rows = Trials(self.home / "trials.sqlite").frame()
        self.freely = free or self.freely
        check_stored(rows[rows["sitting"] == self.freely], self.free, "rectangle/abstract", "free", "generated")
        check_stored(rows[rows["sitting"] == self.sitting], self.played, self.condition, "study", "sitting", **BEFORE)
        others = rows[~rows["sitting"].isin({self.freely, self.sitting})]
        assert others[["source", "item"]].values.tolist() == [["ladder", BEGIN]]  # offered, and no board was played

    def check_unchanged(self) -> None:
        self.check()
        board = self.lab.find(FREE).locator(".cogkit-board")
        wait_for_board(board, 3)
        assert drawn_board(board) == expected_board(*self.free[2][1:])
        wait_for_board(self.own(), 2)
        assert self.lab.evaluate("own.sitting.id") == self.sitting

    def finish(self) -> None:
        """The second board; on the third the kernel is killed at a random moment and restarted: the sitting goes on."""
        board, page, store = self.own(), self.lab.page, Trials(self.home / "trials.sqlite")
        tile(board, self.everything[1][2]).focus()
        self.play_board(board, 1)
        index, pattern, start = self.everything[2]
        wait_for_board(board, 3)
        pid = self.lab.evaluate("__import__('os').getpid()")
        choice = random.SystemRandom()
        last = covered(pattern, start, 1)[-1]  # one red that is never clicked
        clicks = [n for n in range(49) if n not in (start, last)]
        choice.shuffle(clicks)
        moment = choice.randrange(1, 30)
        board.evaluate(script("click_on"), clicks)
        page.wait_for_function("(moment) => window.seen.length >= moment", arg=moment, polling=5)
        os.kill(pid, signal.SIGKILL)
        page.get_by_role("dialog").get_by_text("appears to have died").wait_for()
        numbers = page.evaluate("() => window.seen")
        rows = store.frame(sitting=self.sitting)
        prefix = clicks[: len(rows) - 1 - sum(len(clicks) for *_, clicks in self.played)]
        story = f"killed after {moment} clicks of {clicks} on {self.condition}/{index}"
        assert len(numbers) >= moment and prefix[: len(numbers)] == numbers, story
        assert len(prefix) - len(numbers) in (0, 1), story
        self.played.append((index, pattern, start, prefix))
        check_stored(rows, self.played, self.condition, "study", "sitting", **BEFORE)

        # The reader does what Lab says, restarts the kernel from the toolbar, and runs the cells again.
        page.get_by_role("dialog").get_by_role("button", name="Ok").click()
        self.lab.wait()  # restarted amid Lab's own restart, its socket mixes up two protocols and stays deaf
        page.locator(".jp-NotebookPanel-toolbar [data-jp-item-name='restart']").click()
        page.get_by_role("dialog").get_by_role("button", name="Confirm Kernel Restart").click()
        page.get_by_role("dialog").wait_for(state="detached")
        self.lab.wait()
        assert self.lab.run_to(OWN), self.lab.errors()
        assert self.lab.evaluate("own.sitting.id") == self.sitting
        assert self.lab.evaluate("__import__('os').getpid()") != pid
        # What Lab itself says of a killed kernel is no fault of the notebook.
        assert all("Canceled future for" in text for text in self.lab.problems), self.lab.problems
        self.lab.problems.clear()
        board = self.own()
        assert board.locator(".ck-head strong").inner_text() == "Board 3 of 25"
        assert drawn_board(board) == expected_board(pattern, start, prefix), story
        rest = [n for n in covered(pattern, start, 1) if n not in prefix]
        tile(board, start).focus()
        for number in rest:
            press(board, number)
        board.get_by_text(re.compile(r"Board done with \d+ blue")).wait_for()
        self.played[2] = (index, pattern, start, prefix + rest)

        # Python plays the other boards, with the methods that a click calls; then the cells below know of the sitting.
        reds = "own.items.boards[own.index].ravel().nonzero()[0]"
        clicks = f"[own.click(int(tile)) for tile in {reds} if tile != own.start]"
        self.lab.evaluate(f"[(own.next_board(), {clicks}) for _ in range(22)]")
        self.played += [(*beginning, covered(*beginning[1:], 1)) for beginning in self.everything[3:]]
        self.check()
        assert self.lab.run_all(), self.lab.errors()
        scores, mean = self.scores(), pytest.approx(np.mean(blues(self.played)))
        assert sorted(scores, key=lambda row: row[2]) == [["rectangle/abstract", 1.5, 2], [self.condition, mean, 25]]

    def scores(self) -> list:
        """Return task, blue tiles and number of boards, as the notebook tells them of the reader."""
        return self.lab.evaluate("yours[yours.metric == 'blue'][['task', 'value', 'n']].values.tolist()")


class Metamers(Reader):
    """02: a blind trial of twenty boards, and a panel that trains a network."""

    panel, maker = "panel", "figures.ChainPanel"
    trial, yours = "floors=people.blind.floors", "yours = people.blind.your_rows"

    def widget(self):
        return self.lab.find(self.trial).locator(".ck-blind")

    def answer(self, first: int, last: int) -> None:
        """Answer boards by key."""
        trial = self.widget()
        trial.get_by_role("button", name=re.compile("Abstract")).focus()
        for number in range(first, last + 1):
            trial.locator(".ck-head strong").get_by_text(f"Board {number} of 20").wait_for()
            self.lab.page.keyboard.press("am"[number % 2])

    def partly(self) -> None:
        size = self.widget().get_by_role("button", name=re.compile("Metamer")).bounding_box()
        assert size["height"] >= 44  # beside other widgets too
        self.answer(1, 7)
        self.widget().locator(".ck-head strong").get_by_text("Board 8 of 20").wait_for()
        assert len(self.rows()) == 7
        self.train_a_little()

    def check_unchanged(self) -> None:
        self.is_still_trained()
        self.widget().locator(".ck-head strong").get_by_text("Board 8 of 20").wait_for()

    def finish(self) -> None:
        self.answer(8, 20)
        self.widget().get_by_text("All 20 boards answered").wait_for()
        rows = self.rows()
        right = int(rows["correct"].sum())
        assert len(rows) == 20 and self.widget().get_by_role("status").inner_text().startswith(f"{right} of 20 right")
        self.run(self.yours)
        assert self.lab.evaluate("yours[['rule', 'value', 'n']].values.tolist()") == [["zigzag", right / 20, 20]]
        self.lab.do(  # and a whole trial of one board
            "from cogkit.study.trials import Trials",
            "from cogkit.tiles.people import blind",
            "blind.sit('copy', 1, trials=Trials()).answer('abstract')",
        )
        self.run(self.yours)
        counts = self.lab.evaluate("yours[['rule', 'n']].values.tolist()")
        assert sorted(counts) == [["copy", 1], ["zigzag", 20]]


class TileAgents(Reader):
    """03 by keyboard alone: a board with an agent's chances, two agents side by side, and a panel that trains one."""

    panel, shoulder, both = "panel", "overlay=player", "figures.side_by_side("

    def board(self):
        return self.lab.find(self.shoulder).locator(".cogkit-board")

    def partly(self) -> None:
        items, starts = (np.array(self.lab.evaluate(f"items.{name}.tolist()")) for name in ("boards", "starts"))
        self.clicks = covered(items[0], int(starts[0]), 1)[:2]  # not the last of them
        self.walk(self.shoulder, ".ck-grid")
        for number in self.clicks:
            press(self.board(), number)
        self.signs = drawn_board(self.board())
        self.step_through()
        self.train_a_little(by_keyboard=True)

    def step_through(self) -> None:
        """Both agents make the same number of steps, and their boards show it."""
        self.walk(self.both, "input[type='range']")
        for _ in range(3):
            self.lab.page.keyboard.press("ArrowRight")
        for head in self.lab.find(self.both).locator(".ck-head").all():
            head.get_by_text("Step 3 of").wait_for()

    def check_unchanged(self) -> None:
        assert self.rows()["response"].tolist() == self.clicks
        wait_for_board(self.board(), 1)
        assert drawn_board(self.board()) == self.signs
        self.is_still_trained()


class PeopleAndAgents(Reader):
    """04: the figures of somebody who has played one board of a sitting, and then all of them."""

    cells = (YOURS, "figures.people_and_agents(")

    def play(self, *wrong: int) -> None:
        """Play boards of the reader's own sitting, each with so many mistakes, as a click in a widget does."""
        self.lab.do(
            "import numpy as np",
            "from cogkit import tiles",
            "board = tiles.sit(passes=1)",
            f"for wrong in {wrong}:",
            "    _ = board.done and board.next_board()",
            "    pattern, start = board.items.boards[board.index].ravel(), board.items.starts[board.index]",
            "    clicks = [*np.flatnonzero(pattern == 0)[:wrong], *np.flatnonzero(pattern == 1)]",
            "    [board.click(int(n)) for n in clicks if n != start]",
        )

    def partly(self) -> None:
        self.play(0)

    def finish(self) -> None:
        self.play(*(number % 6 for number in range(24)))
        (condition,) = set(self.rows()["task"])
        self.run(*self.cells)
        ((axis, value, width),) = self.stars(self.cells[1])
        number = re.search(r"\d+", self.lab.find(self.cells[1]).locator(".jp-InputPrompt").inner_text())[0]
        clause = f"for t in Out[{number}].data if t.marker.symbol == 'star' for value in t.y"
        assert self.lab.evaluate(f"[(t.xaxis, float(value)) {clause}]") == [(axis, pytest.approx(value))]
        assert axis == ["x", *(f"x{n}" for n in range(2, 9))][RULES.index(condition.split("/")[0])]
        assert width >= 8
        self.choose()

    def choose(self) -> None:
        """One tile on each board that the choice widget shows, as a click chooses it; the figure has the stars."""
        widget, figure = "chooser = figures.ChoiceTrial(", "made = scenarios.table("
        assert "kept apart" in self.lab.evaluate("chooser.scene['prompt']")  # made before the sitting was done
        self.run(widget)
        last = "[n for n, sign in enumerate(chooser.observation) if sign == -1][-1]"
        count = self.lab.evaluate("len(asked)")
        self.lab.evaluate(f"[chooser.choose(int({last})) for _ in asked]")
        self.lab.find(widget).get_by_text(f"All {count} boards have your choice").wait_for()
        rows = self.rows()
        rows = rows[rows["task"].str.endswith("/scenario")]
        assert len(rows) == 8
        self.run(figure)
        first = {row.item.split("/")[0]: row.response for row in rows.sort_values("item", ascending=False).itertuples()}
        stars = self.stars(figure)
        assert [round(y) for _, y, _ in stars] == [first[rule] // 7 for rule in scenarios.RULES]
        assert all(width >= 8 for *_, width in stars)
