"""The board that a person plays: a widget whose every click is stored before it is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import traitlets

from cogkit.core.errors import InputError
from cogkit.core.records import TRIAL_COLUMNS
from cogkit.study.sitting import ITEMS, SHORT, Sitting
from cogkit.study.trials import Trials
from cogkit.tiles.learners import standards
from cogkit.tiles.people.climb import LADDER
from cogkit.tiles.people.study import FIVE, STUDY, begun, free, seen_before
from cogkit.tiles.rules.boards import TILES, Items
from cogkit.tiles.rules.game import COVERED, Game
from cogkit.tiles.views import scene
from cogkit.tiles.views.onlooker import Onlooker
from cogkit.ui.files import script
from cogkit.ui.trial_widget import TrialWidget, unsaved

_CLIMBED = " The boards of the second half were of a kind that the first half did not have."
_LATER = "You see how nearest neighbour and the ideal observer did after the last board."


class TileBoard(TrialWidget):
    """A row of boards to play by mouse, keyboard or screen reader, or by calling `click` and `next_board`.

    Python holds the game; the browser draws ``scene`` and sends clicks. A click is stored first and shown
    after, so every tile that was seen is recorded. A click on an open tile does nothing and is not recorded, as in
    the study, where it had no effect; the game as agents play it charges 2 points for one.

    Parameters
    ----------
    items : Items or None
        Boards and their start tiles; None takes those of ``sitting``.
    sitting : study.sitting.Sitting, optional
        A person's sitting: gives the order of the boards and the prompt, stores the clicks, and brings back
        those stored before, so that a killed sitting continues at the same tile. Unless it is free play, neither
        comparison nor overlay is shown before the last board is done: they would steer.
    trials : study.trials.Trials, optional
        Where the clicks of free play are stored, as a sitting of their own from the first click on; play on these
        boards that is not finished goes on. With neither they last as long as the widget.
    beside : DataFrame or callable, optional
        What others do on each board: columns (or keys) heuristic, heuristic_sd and ideal, in blue tiles.

    Notes
    -----
    Keys: arrows, Home, End, Page Up and Page Down move, Enter or Space opens, N goes on, P shows
    chances. Response times are the browser's: from the drawing of the board, or of the last click's
    result, to the click.

    Examples
    --------
    >>> board = TileBoard(Items(np.eye(7), [0], "diagonal/abstract", "doctest"))
    >>> board.click(8), board.click(1), board.scene["head"][1]
    (1, -1, '0 points on this board')
    """

    _esm = script(__file__, "base.js", "asker.js", "grid.js", "transport.js", "board.js")
    _css = script(__file__, "base.css", "transport.css", "board.css")
    use = traitlets.Unicode("play").tag(sync=True)
    label = traitlets.Unicode("Tile board, 7 rows and 7 columns").tag(sync=True)
    overlay_on = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self, items: Items | None, sitting: Sitting | None = None, trials: Trials | None = None, beside=None,
        overlay=None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.items = sitting.items if items is None else items
        if sitting is None and trials is not None:
            sitting = begun(self.items, trials)
        self.sitting, self._store, self._beside = sitting, trials, beside
        lone = np.flatnonzero(self.items.boards.sum(axis=(1, 2)) < 2)
        if len(self.items) == 0 or lone.size:
            got = f"board {lone[0]} with nothing but its start tile" if lone.size else "no boards"
            raise InputError(got, "boards with a red tile to find", "leave it out")
        self.phase = sitting.study.phases.get(ITEMS, "study") if sitting else "free"
        self._prompt = sitting.study.prompt if sitting else ""
        self._order = list(sitting.order) if sitting else list(range(len(self.items)))
        self._done: list[tuple[int, int, int]] = []  # index, blue and score of every board done
        self._onlooker = None
        self._trained = -1, 0  # a board's place in the order, and how many others the person had seen before it
        self._begin(0)
        if sitting is not None:
            self._restore()
        self._draw(self._thanks() if self.over else f"{scene.is_open(self.start)}. Click a tile to open it.")
        if overlay is not None:
            self.show_player(overlay)

    @property
    def index(self) -> int:
        """Position in ``items`` of the board in play."""
        return self._order[self._at]

    @property
    def start(self) -> int:
        """Tile that was open at the beginning of this board."""
        return int(self.items.starts[self.index])

    @property
    def done(self) -> bool:
        """Whether every red tile of this board is open."""
        return bool(self.game.done[0])

    @property
    def over(self) -> bool:
        """Whether every board is done."""
        return self.done and self._at == len(self._order) - 1

    def click(self, tile: int, rt_s: float | None = None) -> int:
        """Open one tile as a click does: store it, then show it; return its reward, 0 where nothing happened.

        A tile is 7·row + column, 0 to 48.

        Raises
        ------
        InputError
            No such tile, or a click that could not be stored: then the tile stays covered.
        """
        if isinstance(tile, bool) or not isinstance(tile, int | np.integer) or not 0 <= tile < TILES:
            raise InputError(repr(tile), f"a tile number between 0 and {TILES - 1}")
        tile = int(tile)
        if self.done:
            self._draw(f"This board is done{'' if self.over else '; go on to the next one'}.")
            return 0
        if self.game.shown[0, tile] != COVERED:
            self._draw(f"{scene.is_open(tile)} already; nothing was counted.")
            return 0
        clicks = list(self._clicks)
        try:
            reward = self._open(tile)
            self._record(tile, rt_s)
        except BaseException:
            self._begin(self._at, clicks)  # a click that is not stored does not count
            raise
        status = scene.sentence(scene.outcome(self.game.shown[0, tile], reward, tile))
        if self.done:
            self._book()
            status += f" Board done with {int(self.game.blue[0])} blue."
            status += f" {self._thanks()}" if self.over else " Go on to the next one."
        self._draw(status)
        return reward

    def next_board(self) -> bool:
        """Go on to the next board if every red tile is open; return whether that happened."""
        if not self.done or self.over:
            self._draw("That was the last board." if self.over else "Open every red tile first.")
            return False
        self._begin(self._at + 1)
        self._draw(f"Board {self._at + 1}. {scene.is_open(self.start)}.")
        return True

    def show_player(self, player, label: str | None = None) -> None:
        """Colour the covered tiles by a player's probabilities; None removes the colours.

        Parameters
        ----------
        player : learner, callable or None
            A learner (its chance of opening each tile next), or ``player(observation (49,) int8)`` giving 49
            probabilities of any kind.
        label : str, optional
            What the legend calls the numbers.

        Raises
        ------
        InputError
            In a study that is not over, or something that is no player.
        """
        if player is not None and self._hidden:
            got = "an overlay in the middle of a study"
            raise InputError(got, "one after the last board", "finish the sitting")
        self._onlooker = None if player is None else Onlooker(player, label)
        self.overlay_on = player is not None
        self._draw(self.scene["status"])

    def trials(self) -> pd.DataFrame:
        """Return the clicks of this sitting, one a row, as they are stored."""
        if self.sitting is None:
            return pd.DataFrame(columns=list(TRIAL_COLUMNS))
        return super().trials()

    def _thanks(self) -> str:
        """Return the words after the last board; in a study they tell what the boards had in common."""
        rule, _, kind = self.items.task.partition("/")
        ends = {
            "abstract": f" All boards followed one rule, {rule}.",
            "metamer": f" The boards were metamers of {rule}.",
        }
        word = ends.get(kind, "") if self.phase == "study" else _CLIMBED if self.phase == "ladder" else ""
        return f"That was the last board; thank you.{word}"

    @property
    def _hidden(self) -> bool:
        return self.phase != "free" and not self.over

    def _begin(self, at: int, clicks=()) -> None:
        """Start board number ``at`` of the order and replay ``clicks`` on it."""
        self._at, self._clicks = at, []
        self.game = Game(self.items.boards[self.index], self.items.starts[self.index : self.index + 1])
        for tile in clicks:
            self._open(tile)

    def _open(self, tile: int) -> int:
        rewards, _ = self.game.step([tile])
        self._clicks.append(tile)
        return int(rewards[0])

    def _book(self) -> None:
        self._done.append((self.index, int(self.game.blue[0]), int(self.game.score[0])))

    def _restore(self) -> None:
        """Replay the stored clicks of the sitting on every board so far."""
        rows = self.trials()
        position = np.array([extra["position"] for extra in rows["extra"]], dtype=int)
        for at in range(position.max(initial=-1) + 1):
            self._begin(at, rows["response"][position == at].tolist())
            if self.done:
                self._book()
        if not self.sitting.finished and self.sitting.position > self._at:
            self._begin(self.sitting.position)

    def _record(self, tile: int, rt_s: float | None) -> None:
        if self.sitting is None:  # free play begins: in the store, or in a folder that is deleted with the widget
            store, who = self._store, None
            if store is None:
                (self._folder, store), who = unsaved(), "unsaved"
            self.sitting = Sitting.begin(free(self.items), 0, store, who)
        # What is played with an overlay is not judged as the person's own.
        extra: dict[str, Any] = {"overlay": self._onlooker.label} if self._onlooker else {}
        if self.phase == "study" and (seen := self._seen_before()):
            extra["trained"] = seen
        self.sitting.answer(tile, self._took(rt_s), phase=self.phase, **extra)

    def _seen_before(self) -> int:
        """Return how many boards outside this sitting the person had seen when they began this board."""
        if self._trained[0] != self._at:
            self._trained = self._at, seen_before(self.sitting.trials, self.sitting.who, self.sitting.id)
        return self._trained[1]

    def _act(self, message: dict) -> None:
        if "click" in message:
            self.click(message["click"], message.get("rt_s"))
        elif message.get("next"):
            self.next_board()

    def _chance(self) -> list[int] | None:
        if self._onlooker is None or self._hidden:
            return None
        chance = self._onlooker.chances(self.items, self.index, self._clicks)
        return [] if chance is None else scene.per_mille(chance)

    def _comparison(self) -> dict:
        if self._hidden:
            return {"title": "Your sitting", "rows": [], "note": _LATER}
        if not self.over or len(self._order) == 1:
            blue, expectation = int(self.game.blue[0]), scene.expectation(self._beside, self.index)
            title = "Blue tiles on this board"
            return scene.comparison(title, ("you", "You", f"{blue}"), blue, expectation)
        boards = pd.DataFrame([scene.expectation(self._beside, index) for index, _, _ in self._done])
        means = boards.drop(columns="heuristic_sd", errors="ignore").mean(skipna=False).dropna().to_dict()
        blue = float(np.mean([blue for _, blue, _ in self._done]))
        title = f"Blue tiles a board, mean of {len(self._done)}"
        return scene.comparison(title, ("you", "You", f"{blue:.1f}"), blue, means)

    def _draw(self, status: str) -> None:
        """Send the whole scene."""
        try:
            chance = self._chance()
        except Exception as error:  # an error in a given player must not stop the play
            self._onlooker, self.overlay_on, chance = None, False, None
            status += f" The overlay was taken away: {error}."
        n, score = len(self._order), int(self.game.score[0])
        total = sum(score for _, _, score in self._done) + (0 if self.done else score)
        waits = "" if self.done else "when every red tile is open"
        finished = "The board is done" if n == 1 else f"All {n} boards done"
        self._show({
            "game": self._at,
            "head": [
                finished if self.over else f"Board {self._at + 1} of {n}",
                f"{scene.points(score)} on this board", f"{scene.points(total)} in all",
            ],
            "prompt": self._prompt,
            "shown": scene.shown_word(self.game.shown[0]),
            "start": self.start,
            "last": self._clicks[-1] if self._clicks else -1,
            "status": status,
            "next": {"label": "" if self.over else "Next board", "ready": self.done, "why": waits},
            "beside": self._comparison(),
            "chance": chance,
            "player": self._onlooker.label if self._onlooker else "",
        })  # fmt: skip


def sit(
    trials: Trials | None = None, *, boards: int = 25, ladder: bool = False, passes: int = 20, seed: int = 0
) -> TileBoard:  # fmt: skip
    """Return the board of your own sitting: the last one if it is not finished, else a new one.

    Parameters
    ----------
    trials : Trials, optional
        Where clicks are stored; your own database by default.
    boards : {25, 5}
        25 as in the paper, or 5 for a lesson; short sittings stand apart.
    ladder : bool
        Sit on a ladder instead: fifteen boards of a rule, and then fifteen of a family that was not among them.
    passes, seed : int
        Games of the ideal observer on each board, which stand beside yours at the end, and their seed.
    """
    studies = {25: STUDY, SHORT: FIVE}
    if boards not in studies:
        raise InputError(f"boards={boards!r}", "25, as in the paper, or 5 for a short sitting")
    sitting = Sitting.open(LADDER if ladder else studies[boards], trials)
    beside = standards.expectations(sitting.items, passes, seed)
    return TileBoard(None, sitting, beside=beside)
