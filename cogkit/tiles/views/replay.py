"""A replay of any player's game, step by step: opened tiles, score, and probabilities."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace

import ipywidgets
import numpy as np
import traitlets

from cogkit.study.answers import described
from cogkit.tiles.learners.observers import BayesGreedy
from cogkit.tiles.learners.violations import excluded
from cogkit.tiles.rules.boards import TILES, Items
from cogkit.tiles.rules.game import PROFILES, Game
from cogkit.tiles.scoring import judge
from cogkit.tiles.views import scene
from cogkit.tiles.views.onlooker import Onlooker
from cogkit.ui.files import script
from cogkit.ui.widget import Widget


class Replay(Widget):
    """Watch a player play: board, probabilities, the tile it opened, blue tiles and score at every step.

    Parameters
    ----------
    answers : array, optional
        What was played: tiles ([passes,] boards, steps) padded with -1. Without it ``learner`` plays here.
    learner : learner or callable, optional
        The player whose probabilities are shown at each step: the one that plays, or an observer; see
        `TileBoard.show_player`.
    rule : str, optional
        The rule of the boards: clicks on tiles that it had excluded are told and counted.

    Examples
    --------
    >>> replay = Replay(Items(np.eye(7), [0], "diagonal/abstract", "doctest"), [[8, 1, 16]])
    >>> replay.go(2)["head"]
    ['Board 1 of 1', 'Step 2 of 3', '1 blue', '0 points']
    """

    _esm = script(__file__, "base.js", "asker.js", "grid.js", "transport.js", "board.js")
    _css = script(__file__, "base.css", "transport.css", "board.css")
    use = traitlets.Unicode("replay").tag(sync=True)
    label = traitlets.Unicode("Replayed board, 7 rows and 7 columns").tag(sync=True)
    names = traitlets.List().tag(sync=True)
    pass_names = traitlets.List().tag(sync=True)
    board = traitlets.Int(0).tag(sync=True)
    run = traitlets.Int(0).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    scenes = traitlets.List().tag(sync=True)
    overlay_on = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self, items: Items, answers=None, learner=None, beside=None, label=None, seed=0, passes=1, rule=""
    ) -> None:
        self.items, self._beside, self._config = items, beside, PROFILES["verified"]
        self._observer = BayesGreedy.of(rule) if rule else None
        player = described(learner, "") if learner is not None else {"who": "player", "kind": "model"}
        self.who, self.kind = player["who"], player["kind"]
        if answers is None:
            answers = judge(learner, items, seed=seed, passes=passes).actions
        answers = np.asarray(answers)
        self.actions = answers[None] if answers.ndim == 2 else answers
        if getattr(learner, "name", None) == self.who:
            label = label or "Its chance of opening the tile next"
        self._onlooker = None if learner is None else Onlooker(learner, label)
        super().__init__(
            names=[f"{items.task}, board {i + 1}" for i in range(len(items))],
            pass_names=[f"{i + 1} of {len(self.actions)}" for i in range(len(self.actions))],
            overlay_on=learner is not None,
        )
        self._turn()
        self.observe(self._turn, ["board", "run"])

    def go(self, step: int) -> dict:
        """Go to a step as the slider does (0 is before the first click); return its scene."""
        self.step = int(step)
        return self.scenes[self.step]

    def _turn(self, _=None) -> None:
        """Show the chosen board and pass at the first step."""
        with self.hold_sync():
            self.step = 0
            self.scenes = self._describe(self.board)

    def _describe(self, index: int) -> list[dict]:
        """Return the scene before the first click and after each click of the chosen board."""
        tiles = self.actions[self.run, self.board]
        tiles = tiles[tiles >= 0].tolist()
        start, expectation = int(self.items.starts[index]), scene.expectation(self._beside, index)
        game = Game(self.items.boards[index], [start], replace(self._config, step_limit=max(TILES, len(tiles))))
        status, chance, scenes, broken = f"{scene.is_open(start)}, no click so far.", None, [], 0
        for step in range(len(tiles) + 1):
            if step:
                tile = tiles[step - 1]
                against = self._observer and excluded(game.shown, np.array([tile]), self._observer)[0]
                rewards, _ = game.step([tile])
                status = scene.sentence(scene.outcome(game.shown[0, tile], rewards[0], tile))
                if against:
                    broken += 1
                    status += " The rule had excluded this tile."
                if chance is not None:
                    status += f" It stood at {100 * chance[tile]:.1f} %."
            if self._onlooker is not None:
                chance = self._onlooker.chances(self.items, index, tiles[:step])
            blue = int(game.blue[0])
            player = self.kind, scene.called(self.who), str(blue)
            scenes.append({
                "game": f"{self.run}/{self.board}",
                "head": [
                    f"Board {self.board + 1} of {len(self.items)}", f"Step {step} of {len(tiles)}",
                    f"{blue} blue", scene.points(int(game.score[0])),
                    *([f"{broken} against the rule"] if self._observer else []),
                ],
                "shown": scene.shown_word(game.shown[0]),
                "start": start,
                "last": tiles[step - 1] if step else -1,
                "status": status,
                "beside": scene.comparison("Blue tiles so far", player, blue, expectation),
                "chance": None if self._onlooker is None else [] if chance is None else scene.per_mille(chance),
                "player": "" if self._onlooker is None else self._onlooker.label,
            })  # fmt: skip
        return scenes


def side_by_side(items: Items, players: Sequence, rule: str = "", seed: int = 0, beside=None) -> ipywidgets.HBox:
    """Return replays of players on the same boards, beside one another: board and step of one are those of all.

    ``rule`` is as in `Replay`; a game that is over stays at its end while others go on.

    Examples
    --------
    >>> from cogkit.tiles.learners.floors import NearestNeighbour, Random
    >>> items = Items([np.eye(7), np.eye(7)[::-1]], [0, 6], "diagonal/abstract", "doctest")
    >>> first, second = (column.children[1] for column in side_by_side(items, [NearestNeighbour(), Random()]).children)
    >>> first.board = 1
    >>> second.board
    1
    """
    replays = [Replay(items, learner=player, seed=seed, rule=rule, beside=beside) for player in players]
    _together(replays)
    layout = ipywidgets.Layout(flex_flow="row wrap", align_items="flex-start")
    titles = [ipywidgets.HTML(f"<b>{html.escape(scene.called(replay.who))}</b>") for replay in replays]
    half = ipywidgets.Layout(flex="1 1 360px", min_width="360px")  # a board; where two do not fit, one stands below
    columns = [ipywidgets.VBox(pair, layout=half) for pair in zip(titles, replays, strict=True)]
    return ipywidgets.HBox(columns, layout=layout)


def _together(replays: Sequence[Replay]) -> None:
    """Let all replays go to the board and the step of whichever is moved."""
    moving = False

    def follow(change) -> None:
        nonlocal moving
        if moving:
            return  # it is one of those that follow, and may have ended before the step of the other
        moving = True
        try:
            for replay in replays:
                if change.name == "board":
                    replay.board = change.new
                else:
                    replay.go(min(change.new, len(replay.scenes) - 1))
        finally:
            moving = False

    for replay in replays:
        replay.observe(follow, ["board", "step"])
