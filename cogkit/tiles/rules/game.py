"""The tile-revealing game: n boards played at once, compiled (Kumar et al. 2023, "Tile-revealing task")."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from cogkit.core import presets
from cogkit.core.compiled import compiled
from cogkit.core.errors import InputError
from cogkit.tiles.rules.boards import TILES, as_boards, as_starts

COVERED, BLUE, RED = -1, 0, 1
NO_ACTION = -1
_REWARD_RED, _REWARD_BLUE, _REWARD_OPEN, _REWARD_LAST = 1, -1, -2, 10


@dataclass(frozen=True)
class GameConfig:
    """The rules of play and of scoring; a profile is one setting of them.

    Attributes
    ----------
    step_limit : int
        Clicks after which a board ends unfinished. The paper's agents trained with 60.
    mask : bool
        Only covered tiles may be chosen.
    previous_action_reward : str
        What a player is told of its last click: ``current``, or ``lagged`` by one click as the original was.
    carry_over : bool
        The last click of one board is still shown at the start of the next.
    unfinished : str
        Charge for an unfinished board: the blue tiles opened (``actual``), or every blue tile (``all blues``).
    evaluation : str
        ``per board``, or ``blocking``: the next board comes only when this one is solved, while outcomes are
        booked under the next board all the same.
    """

    step_limit: int = 60
    mask: bool = True
    previous_action_reward: str = "current"
    carry_over: bool = False
    unfinished: str = "actual"
    evaluation: str = "per board"

    def __post_init__(self) -> None:
        presets.choose(self.previous_action_reward, ("current", "lagged"), "previous action and reward")
        presets.choose(self.unfinished, ("actual", "all blues"), "charge for unfinished boards")
        presets.choose(self.evaluation, ("per board", "blocking"), "way of evaluation")


PROFILES = {
    "verified": GameConfig(),
    "as_published": GameConfig(
        step_limit=120, mask=False, previous_action_reward="lagged", carry_over=True, unfinished="all blues",
        evaluation="blocking",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class View:
    """The information that a player sees about n games; fields that it did not request are None.

    Attributes
    ----------
    board : (n, 49) int8
        -1 covered, 0 blue, 1 red.
    last_action : (n,) int64
        Tile clicked before, -1 at the start.
    last_reward : (n,) float32
        Its reward, 0 at the start.
    mask : (n, 49) bool
        Tiles that may be chosen.
    """

    board: np.ndarray | None = None
    last_action: np.ndarray | None = None
    last_reward: np.ndarray | None = None
    mask: np.ndarray | None = None

    def only(self, inputs) -> View:
        """Return the view with nothing but the fields named in ``inputs``."""
        for name in inputs:
            presets.choose(name, VIEW_FIELDS, "field of the view")
        return replace(self, **{name: None for name in VIEW_FIELDS if name not in inputs})

    def rows(self, which) -> View:
        """Return the view of some of the games."""
        return View(**{f: None if (v := getattr(self, f)) is None else v[which] for f in VIEW_FIELDS})


VIEW_FIELDS = tuple(field.name for field in fields(View))


class Game:
    """n boards in play, each until its reds are all open or the step limit is reached.

    Rewards are +1 for a red tile, -1 for a blue one, -2 for one that is open already, and +10 instead of +1 for
    the last red.

    Parameters
    ----------
    boards : (n, 7, 7) array of 0 and 1
        1 = red.
    starts : (n,) tile indices, or (n, 2) rows and columns
        The red tile that is open at the beginning.

    Attributes
    ----------
    shown : (n, 49) int8
        -1 covered, 0 blue, 1 red.
    left, blue, score, steps : (n,) int32
        Reds still covered, blues opened, sum of rewards, clicks.
    finished, done : (n,) bool
        All reds open; no more clicks are taken.

    Raises
    ------
    InputError
        Boards or starts that are no boards or starts (see `tiles.boards`).

    Examples
    --------
    >>> game = Game(np.eye(7), [0])
    >>> rewards, done = game.step([8])
    >>> int(rewards[0]), int(game.left[0])
    (1, 5)
    """

    def __init__(self, boards, starts, config: GameConfig = PROFILES["verified"]) -> None:
        boards = as_boards(boards)
        self.config = config
        n = len(boards)
        self.boards = np.empty((n, TILES), np.uint8)
        self.shown = np.empty((n, TILES), np.int8)
        self.left, self.blue, self.score, self.steps = (np.zeros(n, np.int32) for _ in range(4))
        self.finished, self.done = np.zeros(n, bool), np.zeros(n, bool)
        # The action and reward that the player sees, and the last click itself: they differ under ``lagged``.
        self.told_action, self.last_action = np.full(n, NO_ACTION, np.int64), np.full(n, NO_ACTION, np.int64)
        self.told_reward, self.last_reward = np.zeros(n, np.float32), np.zeros(n, np.float32)
        self._rewards = np.zeros(n, np.int32)
        self._put(np.arange(n), boards.reshape(n, TILES), as_starts(boards, starts))

    def __len__(self) -> int:
        return len(self.boards)

    def _put(self, which: np.ndarray, boards: np.ndarray, starts: np.ndarray) -> None:
        _restart(
            which, boards, starts, self.config.carry_over, self.boards, self.shown, self.left, self.blue, self.score,
            self.steps, self.finished, self.done, self.told_action, self.told_reward, self.last_action,
            self.last_reward,
        )  # fmt: skip

    def restart(self, which, items, indices) -> None:
        """Put boards ``items.boards[indices]`` in the place of games ``which``; `Items` were checked already."""
        indices = np.asarray(indices, np.int64)
        self._put(np.asarray(which, np.int64), items.boards.reshape(-1, TILES)[indices], items.starts[indices])

    def forget(self) -> None:
        """Drop the carried-over click and reward: a seeded start must not depend on earlier games."""
        self.last_action[:], self.last_reward[:] = NO_ACTION, 0

    def view(self) -> View:
        """Return what a player may see now: read-only views of the game's arrays."""
        mask = (self.shown == COVERED) if self.config.mask else np.ones_like(self.shown, bool)
        arrays = [array.view() for array in (self.shown, self.told_action, self.told_reward, mask)]
        for array in arrays:
            array.flags.writeable = False
        return View(*arrays)

    def step(self, actions) -> tuple[np.ndarray, np.ndarray]:
        """Return the rewards (n,) int32 and ``done`` (n,) of one click on each board; done boards take none.

        Raises
        ------
        InputError
            Not one tile index between 0 and 48 for each board.
        """
        actions = np.asarray(actions)
        good = actions.shape == (len(self),) and actions.dtype.kind in "iu"
        if not good or ((actions < 0) | (actions >= TILES)).any():
            raise InputError(f"{actions.tolist()}", f"{len(self)} tile numbers between 0 and {TILES - 1}, one a board")
        _step(
            actions.astype(np.int64, copy=False),  # a loop is compiled for each type
            self.config.step_limit, self.config.previous_action_reward == "lagged", self.boards, self.shown,
            self.left, self.blue, self.score, self.steps, self.finished, self.done, self.told_action, self.told_reward,
            self.last_action, self.last_reward, self._rewards,
        )  # fmt: skip
        return self._rewards.copy(), self.done.copy()


@compiled
def _restart(
    which, new_boards, starts, carry_over, boards, observations, left, blue, score, steps, finished, done,
    told_action, told_reward, last_action, last_reward,
):  # fmt: skip
    for k in range(len(which)):
        i = which[k]
        reds = 0
        for t in range(TILES):
            boards[i, t] = new_boards[k, t]
            observations[i, t] = COVERED
            reds += new_boards[k, t]
        observations[i, starts[k]] = RED
        left[i] = reds - 1
        blue[i] = score[i] = steps[i] = 0
        finished[i] = done[i] = left[i] == 0
        if not carry_over:
            last_action[i], last_reward[i] = NO_ACTION, 0.0
        told_action[i], told_reward[i] = last_action[i], last_reward[i]


@compiled
def _step(
    actions, limit, lagged, boards, observations, left, blue, score, steps, finished, done, told_action, told_reward,
    last_action, last_reward, rewards,
):  # fmt: skip
    for i in range(len(actions)):
        if done[i]:
            rewards[i] = 0
            continue
        tile = actions[i]
        if observations[i, tile] != COVERED:
            reward = _REWARD_OPEN
        elif boards[i, tile] == BLUE:
            observations[i, tile] = BLUE
            blue[i] += 1
            reward = _REWARD_BLUE
        else:
            observations[i, tile] = RED
            left[i] -= 1
            reward = _REWARD_RED if left[i] else _REWARD_LAST
        steps[i] += 1
        score[i] += reward
        finished[i] = left[i] == 0
        done[i] = finished[i] or steps[i] >= limit
        if lagged:
            told_action[i], told_reward[i] = last_action[i], last_reward[i]
        last_action[i], last_reward[i] = tile, reward
        if not lagged:
            told_action[i], told_reward[i] = tile, reward
        rewards[i] = reward
