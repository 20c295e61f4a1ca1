"""The scoring of players: the same code for people, floors, observers and models (Kumar et al. 2023, "Results")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.core.instruments import BaseLearner
from cogkit.stats import cluster_bootstrap, mean_interval
from cogkit.study import answers as shared
from cogkit.tiles.problems.yardstick import Yardstick, heuristic
from cogkit.tiles.rules.boards import TILES, Items, decode, encode
from cogkit.tiles.rules.game import NO_ACTION, PROFILES, VIEW_FIELDS, Game, GameConfig, View

WIN_COLUMNS = ("who", "rule", "kind", "board", "game", "win")
_TIE = 1e-9  # probabilities closer than this count as equal: they differ only by the order of summation


class Learner(BaseLearner, Protocol):
    """A player; its ``inputs`` are fields of the view, all by default.

    One that ``abstains`` sees every game at every click, and a game that is over offers it no tile. A row of NaN for a
    game that goes on is a question without an answer, and it ends that game. The ``replies`` of a language model are
    those of the games that go on, in their order.
    """

    def act(self, view: View, state: Any) -> tuple[ArrayLike, Any]:
        """Return a score for each tile of each game, (n, 49), as logits with -inf for never; and its new state.

        ``state`` is None on the first click of a game, then what was returned on the click before.
        """
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers(shared.Answers):
    """What a player did on every board: one row per pass, one column per board.

    Attributes
    ----------
    actions : (passes, boards, clicks) int8
        Tiles in the order of opening, -1 after the end.
    played : (passes, boards) int64
        The board that was really played: under blocking evaluation not always the one it is booked under.
    blue, finished : (passes, boards)
        Blue tiles opened, and whether all reds were.
    replies : (passes, boards, clicks) objects, optional
        For a language model the reply behind each click, None after the end. A board that ended with a question
        without an answer has one reply more than clicks.
    """

    instrument = "tiles"
    config: GameConfig
    actions: np.ndarray
    played: np.ndarray
    blue: np.ndarray
    finished: np.ndarray

    @property
    def missing(self) -> np.ndarray:
        """Which boards ended with a question without an answer, (passes, boards) bool: before the last red or click."""
        return ~self.finished & ((self.actions >= 0).sum(axis=2) < self.config.step_limit)

    @property
    def charged(self) -> np.ndarray:
        """Blue tiles as the profile charges them, (passes, boards) float; every one if an answer is missing."""
        every = TILES - self.items.boards.reshape(len(self.items), TILES).sum(axis=1, dtype=int)
        lost = self.missing if self.config.unfinished == "actual" else ~self.finished
        return np.where(lost, every, self.blue).astype(float)

    def _trials(self) -> Iterator[dict]:
        """Yield one row per click, and one for the question without an answer that a board ended with."""
        missing = self.missing
        for (p, b), board in np.ndenumerate(self.played):
            clicks, reds = self.actions[p, b], self.items.boards[board]
            word, start = encode(reds), int(self.items.starts[board])
            game = Game(reds, [start], self.config)
            for step, tile in enumerate([*clicks[clicks >= 0].tolist(), *[None] * int(missing[p, b])], 1):
                rewards, done = ([0], [True]) if tile is None else game.step([tile])
                extra = {"board": word, "start": start, "step": step, "phase": "judge", "done": bool(done[0])}
                yield {
                    "sitting": f"{self.who}-{self.seed}-{p}", "item": self.items.name(board), "response": tile,
                    "correct": 0 if tile is None else int(reds.flat[tile]), "score": float(rewards[0]),
                    "extra": extra | self.reply_record(p, b, step - 1),
                }  # fmt: skip


def chances(scores, mask: np.ndarray, how: str = "sample") -> np.ndarray:
    """Return each tile's chance of being chosen, (n, 49), from a player's scores.

    Scores are logits, -inf for never. ``sample`` gives their softmax, ``argmax`` equal shares among the highest.

    Raises
    ------
    InputError
        Scores of another shape, NaN, or no tile that may be chosen.

    Examples
    --------
    >>> chances(np.zeros((1, 49)), np.arange(49)[None] < 4).max()
    np.float64(0.25)
    """
    scores = np.where(mask, _checked(scores, mask.shape).astype(float), -np.inf)
    best = scores.max(axis=1, keepdims=True)
    if not np.isfinite(best).all():
        raise InputError("a game with NaN scores or no possible tile", "a finite score for at least one covered tile")
    if presets.choose(how, ("sample", "argmax"), "way to choose") == "argmax":
        return shared.shares(scores >= best - _TIE)
    weights = np.exp(scores - best)
    return weights / weights.sum(axis=1, keepdims=True)


def _checked(scores, shape: tuple[int, ...]) -> np.ndarray:
    wanted = f"one score for each tile of each game, shape {shape}"
    return shared.checked(scores, shape, "scores", wanted, finite=False)


def choose_tiles(scores, mask: np.ndarray, how: str, uniforms: np.ndarray) -> np.ndarray:
    """Return one tile per game, (n,), drawn from its `chances` by a random number of [0, 1) each."""
    below = chances(scores, mask, how).cumsum(axis=1)
    return (below > uniforms[:, None] * below[:, -1:]).argmax(axis=1)


def ask(learner, game: Game, state: Any = None) -> tuple[np.ndarray, Any]:
    """Return the `chances` that a player gives each tile of games that go on, (n, 49), and its new state.

    Examples
    --------
    >>> from cogkit.tiles.learners.floors import Random
    >>> chance, _ = ask(Random(), Game(np.eye(7), [24]))
    >>> chance.max() == 1 / 48
    np.True_
    """
    view = game.view()
    scores, state = learner.act(view.only(getattr(learner, "inputs", VIEW_FIELDS)), state)
    return chances(scores, view.mask, getattr(learner, "choose", "sample")), state


def _play(
    game: Game, learner, how: str, draw: Callable[[np.ndarray, int], np.ndarray], inputs
) -> tuple[np.ndarray, np.ndarray | None]:
    """Play every board of ``game`` to its end.

    ``draw(games, click)`` gives the random numbers of a click of these games.

    Returns
    -------
    clicks : (n, questions of the longest game) int8
        Padded with -1, which also stands for a question without an answer.
    replies : objects of the same shape, or None
        What a language model said, padded with None.
    """
    clicks, replies, state, abstains = [], [], None, shared.abstains(learner)
    while not game.done.all():
        # A player without memory need not see boards that are over; at the first click nobody knows whether it has one.
        forgets = bool(clicks) and state is None and not abstains
        games = np.flatnonzero(~game.done) if forgets else np.arange(len(game))
        view = game.view().rows(games)
        if abstains:  # it sees them, but nothing to choose, so that it is not asked
            view = replace(view, mask=view.mask & ~game.done[:, None])
        scores, state = learner.act(view.only(inputs), state)
        if abstains:
            replies.append(np.full(len(game), None))
            replies[-1][~game.done] = shared.replies(learner, int((~game.done).sum()))
            game.done[np.isnan(_checked(scores, game.shown.shape)).all(axis=1)] = True  # and stays unfinished
        tiles = np.zeros(len(game), np.int64)
        mask = np.where(game.done[games, None], True, view.mask)
        scores = np.where(game.done[games, None], 0.0, scores)
        tiles[games] = choose_tiles(scores, mask, how, draw(games, len(clicks)))
        clicks.append(np.where(game.done, -1, tiles).astype(np.int8))
        game.step(tiles)
    reply_array = np.stack(replies, axis=1) if replies and hasattr(learner, "replies") else None
    return np.stack(clicks, axis=1) if clicks else np.full((len(game), 0), -1, np.int8), reply_array


def _pad(rows: list[np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    actions = np.full((len(rows), max((len(row) for row in rows), default=0)), -1, np.int8)
    for k, row in enumerate(rows):
        actions[k, : len(row)] = row
    return actions.reshape(*shape, -1)


def judge(
    learner: Learner, items: Items, *, profile: str | GameConfig | None = None, seed: int | None = None,
    passes: int = 1, choose: str | None = None,
) -> Answers:  # fmt: skip
    """Let a player play every board ``passes`` times, and return its answers.

    Parameters
    ----------
    learner : Learner
        Chooses by ``sample``, or as its attribute ``choose`` says.
    profile : str or GameConfig
        ``verified`` (each board played once a pass, covered tiles only, blue tiles as opened), ``as_published``
        (boards in a row; the next one comes only when this one is solved), or rules of your own.
    choose : {"sample", "argmax"}, optional
        How a tile is chosen from the scores, in place of the player's own way.

    Raises
    ------
    InputError
        No passes or no boards; test boards that a trained player may have met; scores that are none; or a player that
        abstains where an unsolved board comes again: it would leave the same question unanswered for ever.

    Examples
    --------
    >>> from cogkit.tiles.learners.floors import Random
    >>> items = Items(np.eye(7), [24], "diagonal/abstract", "doctest")
    >>> judge(Random(), items, passes=3).finished.all()
    np.True_
    """
    own = profile if isinstance(profile, GameConfig) else None
    rules = shared.rules_of(items, None if own else profile, seed)
    config = own or PROFILES[rules["profile"]]
    if passes < 1 or len(items) == 0:
        raise InputError(f"{passes} passes over {len(items)} boards", "at least one pass over one board")
    player = shared.described(learner, "board")
    if items.part == "test" and hasattr(learner, "overlap") and (n := int(learner.overlap(items.boards).sum())):
        got = f"{n} of {len(items)} boards of {items.task} that the training of {player['who']} may have met"
        raise InputError(got, "boards that it has held out", "take its held_out, or train one that holds out these")
    if config.evaluation == "blocking" and shared.abstains(learner):
        got = f"{player['who']}, which may leave a question unanswered"
        raise InputError(got, "a player that always answers, since an unsolved board comes again", "profile='verified'")
    choice = choose or getattr(learner, "choose", "sample")
    rng = seeding.stream(rules["seed"], f"judge/{player['who']}/{items.task}")
    shape = (passes, len(items))
    inputs = getattr(learner, "inputs", VIEW_FIELDS)
    if config.evaluation == "blocking":
        actions, played, blue, finished = _blocking(learner, items, config, shape, choice, rng, inputs)
        replies = None
    else:
        played = np.tile(np.arange(len(items)), passes)
        game = Game(items.boards[played], items.starts[played], config)
        actions, replies = _play(game, learner, choice, lambda games, _: rng.random(len(games)), inputs)
        blue, finished = game.blue, game.finished
        replies = None if replies is None else replies.reshape(*shape, -1)
    return Answers(
        **player, profile="custom" if own else rules["profile"], seed=rules["seed"], task=items.task,
        source=items.source, items=items, config=config, actions=actions.reshape(*shape, -1),
        played=played.reshape(shape), blue=blue.reshape(shape), finished=finished.reshape(shape), replies=replies,
    )  # fmt: skip


def _blocking(learner, items, config, shape, how, rng, inputs):
    """Play as the original programs did: one sequence of boards over all passes, blocked by any unsolved board.

    Games at one board that is not solved go on alike, so several are played at once: each begins with what the one
    before it is thought to leave behind, and counts if that one did so and left the board unsolved.
    """
    episodes, limit = shape[0] * shape[1], config.step_limit
    (played, blue), finished = np.zeros((2, episodes), np.int64), np.zeros(episodes, bool)
    actions, uniforms = np.full((episodes, limit), -1, np.int8), rng.random(episodes * limit)
    left = np.tile([[NO_ACTION], [0.0]], episodes + 1)  # the click and the reward that each game begins with
    begin, ahead, board, drawn = 0, 1, 0, 0
    while begin < episodes:
        end = min(begin + ahead, episodes)
        n, boards = end - begin, np.full(end - begin, board)
        game = Game(items.boards[boards], items.starts[boards], config)
        game.last_action[:], game.last_reward[:] = left[:, begin:end]
        game.restart(range(n), items, boards)
        numbers = uniforms[drawn : drawn + n * limit].reshape(n, limit)
        clicks, _ = _play(game, learner, how, lambda games, click, numbers=numbers: numbers[games, click], inputs)
        after = np.stack([game.last_action, game.last_reward])
        last = game.finished | (left[:, begin + 1 : end + 1] != after).any(axis=0)
        counted = np.append(last[:-1], True).argmax() + 1
        left[:, end + 1 :], left[:, begin + 1 : end + 1] = after[:, -1:], after
        games = slice(begin, begin := begin + counted)
        played[games], blue[games], finished[games] = board, game.blue[:counted], game.finished[:counted]
        actions[games, : clicks.shape[1]] = clicks[:counted]
        drawn += (clicks[:counted] >= 0).sum()
        board = (board + finished[begin - 1]) % len(items)
        ahead = 1 if finished[begin - 1] else max(2 * counted, n)
    longest = (actions >= 0).sum(axis=1).max()
    return actions[:, :longest], played, blue, finished


def z_scores(answers: Answers, yardstick: Yardstick) -> np.ndarray:
    """Return (charged blue - mean of the nearest neighbour) / its sd, (passes, boards); lower is better.

    NaN where the nearest neighbour always opens as many blue tiles. No board of the paper's rules is so.
    """
    return yardstick.z(answers.charged)


def skill(blue: np.ndarray, heuristic: np.ndarray, ideal: np.ndarray) -> float:
    """Return normalised skill: 0 plays as the nearest neighbour does, 1 as the ideal observer.

    All three are mean blue tiles on each board, (boards,).

    Notes
    -----
    (m - blue) / (m - blue_ideal), each summed over boards first: single boards have a denominator near 0.

    Examples
    --------
    >>> skill(np.array([6.0]), np.array([10.0]), np.array([2.0]))
    0.5
    """
    return float((heuristic - blue).sum() / (heuristic - ideal).sum())


def summarise(answers: Answers, *, yardstick: Yardstick | None = None, ideal: np.ndarray | None = None) -> pd.DataFrame:
    """Return result rows of a player: blue tiles, z, share of boards finished, and normalised skill.

    Parameters
    ----------
    answers : Answers
        What the player did.
    yardstick : Yardstick, optional
        The nearest neighbour on the same boards; it plays now by default, with the seed of the answers.
    ideal : (boards,) float, optional
        Mean blue tiles of the ideal observer on the same boards; without it there is no skill row.

    Returns
    -------
    DataFrame
        Intervals are over boards, the passes of a board averaged first: n is the number of boards. One board has none,
        since it says nothing of how far boards differ. Boards without a z are left out of its mean and its n. Answers
        that did not come have rows too, see `study.answers.Answers.unanswered`.
    """
    return answers.table(result_rows(answers, yardstick=yardstick, ideal=ideal))


def result_rows(answers: Answers, *, yardstick: Yardstick | None = None, ideal: np.ndarray | None = None) -> list[dict]:
    """Return the rows of `summarise` as dicts, without the columns that a runner fills in."""
    items = answers.items
    yardstick = yardstick or heuristic(items, seed=answers.seed)
    blue, z = answers.charged.mean(axis=0), z_scores(answers, yardstick).mean(axis=0)
    rows = []
    for metric, values in {"blue": blue, "z": z, "finished": answers.finished.mean(axis=0)}.items():
        if len(values := values[~np.isnan(values)]):
            limits = mean_interval(values) if len(values) > 1 else None
            rows.append(answers.row(metric, values.mean(), len(values), limits, "95% t, boards"))
    if ideal is not None:
        limits = _skill_interval(answers, blue, yardstick.mean, ideal) if len(items) > 1 else None
        value = skill(blue, yardstick.mean, ideal)
        rows.append(answers.row("skill", value, len(items), limits, "95% bootstrap, boards"))
    return rows + answers.unanswered()


def _skill_interval(answers: Answers, blue, heuristic, ideal) -> tuple[float, float]:
    def statistic(counts):
        return (counts @ (heuristic - blue)) / (counts @ (heuristic - ideal))

    rng = seeding.stream(answers.seed, f"skill/{answers.who}/{answers.task}")
    table = cluster_bootstrap(statistic, np.arange(len(blue)), rng, within=False)
    return float(table.low.iloc[0]), float(table.high.iloc[0])


def assess(
    learner: Learner, items: Sequence[Items], *, profile: str | GameConfig = "verified", seed: int = 0,
    source: str = "", passes: int = 1, standards: Callable[[Items], tuple[Yardstick, np.ndarray | None]] | None = None,
) -> list[dict]:  # fmt: skip
    """Return the result rows of a player on several sets of boards.

    Each of ``items`` is one task. ``standards(items) -> (yardstick, ideal)`` gives what `summarise` takes; by default
    it is the nearest neighbour alone.
    """
    rows = []
    for task in items:
        answers = judge(learner, task, profile=profile, seed=seed, passes=passes)
        yardstick, ideal = standards(task) if standards else (None, None)
        rows += result_rows(answers, yardstick=yardstick, ideal=ideal)
    return shared.sourced(rows, source)


def from_trials(trials: pd.DataFrame, profile: str = "verified") -> list[Answers]:
    """Return the answers of each sitting on its finished boards, from click rows of people or players.

    Rows are in the order they were made. The boards are read from the rows themselves, so rows of boards that are
    nowhere else can be judged too.

    One pass each; a sitting without a finished board is left out. A board that ended with a question without an answer
    is kept, and is not finished.
    """
    of_a_board = np.array(["board" in extra for extra in trials["extra"]], dtype=bool)
    clicks = trials[of_a_board & (trials["instrument"] == "tiles").to_numpy()]
    answers = []
    for (_, task), rows in clicks.groupby(["sitting", "task"], sort=False):
        ends = rows["extra"].map(lambda extra: extra["done"]).astype(int)
        number = ends.groupby(rows["item"]).cumsum() - ends  # the same board may come again
        games = [game for _, game in rows.groupby([rows["item"], number], sort=False) if game.extra.iloc[-1]["done"]]
        if not games:
            continue
        beginnings = [game.extra.iloc[0] for game in games]
        items = Items(
            np.stack([decode(extra["board"]) for extra in beginnings]), [extra["start"] for extra in beginnings], task,
            str(rows.source.iloc[0]),
        )  # fmt: skip
        clicked = [game[game.response.notna()] for game in games]
        finished = [len(some) == len(game) for some, game in zip(clicked, games, strict=True)]
        actions = _pad([game.response.astype(int).to_numpy() for game in clicked], (1, len(games)))
        blue = np.array([[(game.correct.astype(int) == 0).sum() for game in clicked]])
        answers.append(
            Answers(
                who=str(rows.who.iloc[0]), kind=str(rows.kind.iloc[0]), inputs="board", task=task, profile=profile,
                seed=int(rows.seed.iloc[0] or 0), source=items.source, items=items,
                config=PROFILES[presets.profile(profile)], actions=actions, played=np.arange(len(games))[None],
                blue=blue, finished=np.array([finished]),
            )
        )  # fmt: skip
    return answers


def wins(answers: Answers, yardstick: Yardstick, who: str = "") -> pd.DataFrame:
    """Return which boards a player won, one row per game: it opened fewer blue tiles than the nearest neighbour does.

    ``who`` names the player otherwise than the answers do.

    Columns who, rule, kind ("abstract" | "metamer"), board (its tiles, its start, and its place among equal boards),
    game (0, 1, …), win (0 or 1).
    """
    rule, _, kind = answers.items.task.partition("/")
    win = answers.charged < yardstick.mean
    game, place = (index.ravel() for index in np.indices(win.shape))
    starts = answers.items.starts.tolist()
    words = pd.Series([f"{encode(board)}@{start}" for board, start in zip(answers.items.boards, starts, strict=True)])
    names = (words + "#" + words.groupby(words).cumcount().astype(str)).to_numpy()  # a few boards appear twice
    return pd.DataFrame({
        "who": who or answers.who, "rule": rule, "kind": kind, "board": names[place], "game": game,
        "win": win.ravel().astype(int),
    }, columns=list(WIN_COLUMNS))  # fmt: skip
