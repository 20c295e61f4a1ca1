"""The tile game as gymnasium environments over the same compiled core."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cogkit.core import presets
from cogkit.tiles.problems import records
from cogkit.tiles.rules.boards import SIZE, TILES, Items
from cogkit.tiles.rules.game import BLUE, COVERED, NO_ACTION, PROFILES, RED, Game, GameConfig

_OBSERVATIONS = {
    "board": spaces.Box(COVERED, RED, (SIZE, SIZE), np.int8),
    "vector": spaces.Box(-2.0, 10.0, (2 * TILES + 1,), np.float32),
}
_POOL = 10_000
_GLYPHS = {COVERED: "·", BLUE: "–", RED: "●"}


def _pool(rule: str, items: Items | None, seed: int) -> Items:
    if items is not None:
        return items
    boards = records.pool(rule, records.reachable([rule])).sample(_POOL, seed, f"{rule}/boards")
    return Items(boards, records.draw_starts(boards, seed), f"{rule}/abstract", "generated")


class _Boards:
    """What both environments have: boards, running games on some of them, and the form of observations."""

    def _begin(self, count: int, rule: str, items: Items | None, config: GameConfig, observation: str) -> spaces.Space:
        """Begin games, and return the space of one observation."""
        space = _OBSERVATIONS[presets.choose(observation, _OBSERVATIONS, "form of observation")]
        self._form, self._items, first = observation, _pool(rule, items, seed=0), np.zeros(count, int)
        self._game = Game(self._items.boards[first], self._items.starts[first], config)
        return space

    def _observe(self) -> np.ndarray:
        """Return the observation of every game: (n, 7, 7) boards, or (n, 99) board, last action as one-hot, reward."""
        if self._form == "board":
            return self._game.shown.reshape(-1, SIZE, SIZE).copy()
        view = self._game.view()
        vector = np.zeros((len(self._game), 2 * TILES + 1), np.float32)
        vector[:, :TILES] = view.board
        games = np.flatnonzero(view.last_action != NO_ACTION)
        vector[games, TILES + view.last_action[games]] = 1
        vector[:, -1] = view.last_reward
        return vector


class TilesEnv(_Boards, gymnasium.Env):
    """One board at a time.

    Description
        Click tiles of a 7×7 board to find every red one while opening few blue ones; one red tile is open already.
    Action space
        ``Discrete(49)``: the tile to open, 7·row + column.
    Observation space
        ``observation="board"``: ``Box(-1, 1, (7, 7), int8)``, -1 covered, 0 blue, 1 red.
        ``observation="vector"``: ``Box(-2, 10, (99,), float32)``, the paper's 49 tiles, 49 of the last action
        (one-hot), and its reward; lagged and carried over if ``config`` says so.
    Rewards
        +1 red, -1 blue, -2 open already, +10 instead of +1 for the last red.
    Termination
        All reds open (terminated), or ``config.step_limit`` clicks (truncated).
    Info
        ``action_mask`` (49,) int8, 1 = covered; ``blue``, blue tiles opened so far.

    Parameters
    ----------
    rule : str
        Rule to draw boards from, without those that are held out for tests: the published ones and ours, or, where
        the published ones cannot be had, a fixed half, and one printed line says so. Every seed of ``reset`` draws its
        own order of them.
    items : Items, optional
        Boards to draw from instead of 10,000 draws of the rule.

    Examples
    --------
    >>> env = gymnasium.make("cogkit.tiles:cogkit/Tiles-v0", rule="rectangle")
    >>> env.reset(seed=1)[0].shape
    (7, 7)
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self, rule: str = "copy", items: Items | None = None, config: GameConfig = PROFILES["verified"],
        observation: str = "board", render_mode: str | None = None,
    ) -> None:  # fmt: skip
        self.observation_space = self._begin(1, rule, items, config, observation)
        self.action_space, self.render_mode = spaces.Discrete(TILES), render_mode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Return the first observation and info of a new board; ``options={"item": k}`` asks for board k."""
        super().reset(seed=seed)
        item = (options or {}).get("item")
        if item is None:
            item = self.np_random.integers(len(self._items))
        if seed is not None:
            self._game.forget()
        self._game.restart([0], self._items, [item])
        return self._observe()[0], self._info()

    def step(self, action):
        """Return observation, reward, terminated, truncated and info after opening a tile."""
        rewards, done = self._game.step(np.asarray([action]))
        terminated = bool(self._game.finished[0])
        observation = self._observe()[0]
        return observation, float(rewards[0]), terminated, bool(done[0]) and not terminated, self._info()

    def action_masks(self) -> np.ndarray:
        """Return the covered tiles, (49,) bool: the name under which sb3-contrib's MaskablePPO looks for them."""
        return self._game.shown[0] == COVERED

    def render(self) -> str | None:
        """Return the board as seven lines of text: · covered, – blue, ● red."""
        if self.render_mode != "ansi":
            return None
        return "\n".join(
            " ".join(_GLYPHS[tile] for tile in row) for row in self._game.shown.reshape(SIZE, SIZE).tolist()
        )

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "blue": int(self._game.blue[0])}


class TilesVectorEnv(_Boards, VectorEnv):
    """Many boards side by side, each replaced in the step that ends it (autoreset in the same step).

    Spaces, rewards and ends are those of `TilesEnv`, batched. Where an episode ends, ``info["final_obs"]`` holds its
    last observation and ``info["final_blue"]`` its blue tiles.

    Examples
    --------
    >>> envs = gymnasium.make_vec("cogkit.tiles:cogkit/Tiles-v0", num_envs=4, rule="cross")
    >>> envs.reset(seed=1)[0].shape
    (4, 7, 7)
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self, num_envs: int = 1, rule: str = "copy", items: Items | None = None,
        config: GameConfig = PROFILES["verified"], observation: str = "board",
    ) -> None:  # fmt: skip
        self.num_envs = num_envs
        self.single_observation_space = self._begin(num_envs, rule, items, config, observation)
        self.single_action_space = spaces.Discrete(TILES)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Return the first observations and info of new boards everywhere."""
        super().reset(seed=seed)
        if seed is not None:
            self._game.forget()
        self._restart(np.arange(self.num_envs))
        return self._observe(), self._info()

    def step(self, actions):
        """Return observations, rewards, terminations, truncations and info after one click on each board."""
        game = self._game
        rewards, done = game.step(np.asarray(actions))
        terminated = game.finished.copy()
        games = np.flatnonzero(done)
        extra: dict[str, Any] = {}
        if games.size:
            final = np.zeros((self.num_envs, *self.single_observation_space.shape), self.single_observation_space.dtype)
            final[games] = self._observe()[games]
            extra = {"final_obs": final, "_final_obs": done, "final_blue": game.blue.copy(), "_final_blue": done}
            self._restart(games)
        return (self._observe(), rewards.astype(float), terminated, done & ~terminated, self._info() | extra)

    def _restart(self, which: np.ndarray) -> None:
        self._game.restart(which, self._items, self.np_random.integers(len(self._items), size=len(which)))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": (self._game.shown == COVERED).astype(np.int8)}
