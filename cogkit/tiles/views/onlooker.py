"""The choices that a player would make, click by click, on a board that another one plays."""

from __future__ import annotations

import numpy as np

from cogkit.core.errors import InputError
from cogkit.tiles.rules.boards import TILES, Items
from cogkit.tiles.rules.game import PROFILES, Game, GameConfig
from cogkit.tiles.scoring import ask
from cogkit.ui.tables import VALUES


class Onlooker:
    """A player that observes: before each click of the other player, it gives its own chances.

    Parameters
    ----------
    player : learner or callable
        A learner (``act(view, state)``), or ``player(observation (49,) int8)`` giving 49 probabilities, which need
        not sum to one: the chance that each tile is red may be shown as well.
    config : GameConfig
        Rules that decide what a learner is told and which tiles it may choose.
    """

    def __init__(self, player, label: str | None = None, config: GameConfig = PROFILES["verified"]):
        name = getattr(player, "name", None) or getattr(player, "__name__", type(player).__name__)
        self.player, self.config = player, config
        self.label = label or f"Chance that {VALUES['who'].get(name, name)} opens the tile next"
        self._key, self._clicks = None, []

    def chances(self, items: Items, index: int, clicks) -> np.ndarray | None:
        """Return the player's probabilities (49,) after ``clicks`` on one board, None once the board is over.

        A longer list of clicks on the same board continues where the last one ended, so a player with a
        memory sees every step once and in order.
        """
        clicks = [int(tile) for tile in clicks]
        if self._key != index or clicks[: len(self._clicks)] != self._clicks:
            self._game = Game(items.boards[index], items.starts[index : index + 1], self.config)
            self._key, self._clicks, self._state = index, [], None
            self._chance = self._ask()
        for tile in clicks[len(self._clicks) :]:
            self._game.step([tile])
            self._clicks.append(tile)
            self._chance = self._ask()
        return self._chance

    def _ask(self) -> np.ndarray | None:
        if self._game.done[0]:
            return None
        if hasattr(self.player, "act"):
            chance, self._state = ask(self.player, self._game, self._state)
            return chance[0]
        probabilities = np.asarray(self.player(self._game.shown[0].copy()), dtype=float)
        if probabilities.shape != (TILES,) or not ((probabilities >= 0) & (probabilities <= 1)).all():
            got = f"an overlay of shape {probabilities.shape}, {probabilities.min()} to {probabilities.max()}"
            raise InputError(got, f"{TILES} probabilities between 0 and 1")
        return probabilities
