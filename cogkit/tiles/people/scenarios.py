"""Choice scenarios: partly opened boards on which a rule and the nearest neighbour point to different tiles.

Which tile do people and agents open next, in one particular situation (Kumar et al. 2023, Fig. 3B)? By the exact
posterior over a rule's boards, each covered tile is certainly red, certainly blue, or undetermined.

Differs from the paper: its situations and choices were not published. Ours are found by a search over our own boards,
and the only person here is the reader. In the paper ten people played each board to its end; here a board takes one
choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cogkit.core.errors import InputError
from cogkit.core.identity import config_hash
from cogkit.core.study import Presentation, Study
from cogkit.data import published
from cogkit.study.answers import described
from cogkit.study.sitting import ITEMS, Sitting, shuffled
from cogkit.study.trials import Trials
from cogkit.tiles.learners.floors import NearestNeighbour, nearest
from cogkit.tiles.learners.observers import BayesGreedy
from cogkit.tiles.people.study import finished, last
from cogkit.tiles.problems import records
from cogkit.tiles.rules.boards import TILES, Items, encode, to_bits
from cogkit.tiles.rules.game import COVERED, PROFILES, Game, GameConfig
from cogkit.tiles.scoring import Answers, ask, judge

RULES = ("symmetry", "pyramid", "copy", "connected")  # those of Fig. 3B
RED, BLUE, UNDETERMINED, OPEN = FATES = ("certainly red", "certainly blue", "undetermined", "open")
TASK = "scenarios"
BEFORE, YOU_BEFORE = "generated, before the boards", "you, before 25 boards"  # who chose before a sitting of 25 boards
_COLUMNS = ("rule", "scenario", "who", "kind", "tile", "shown", "fate", "chance")
_PASSES = 4  # games of each player on each board that are searched


@dataclass(frozen=True, eq=False)
class Scenario:
    """A board in the middle of a game, at the moment of a choice.

    Attributes
    ----------
    rule, number
        The rule of the board, and which scenario of it this is: the most telling one is 0.
    board : (7, 7) uint8
        The whole board, which only the game knows.
    start, clicks
        The tile that was open first, and the tiles opened since, in order: a player with a memory needs them.
    observation : (49,) int8
        What they show: -1 covered, 0 blue, 1 red.
    fates : (49,) str
        What the rule says of each tile, one of `FATES`.
    lure : float
        What makes it telling: the nearest neighbour's chance of a certainly blue tile, while another one is
        certainly red.
    """

    rule: str
    number: int
    board: np.ndarray
    start: int
    clicks: tuple[int, ...]
    observation: np.ndarray
    fates: np.ndarray
    lure: float

    @property
    def name(self) -> str:
        """Its name in trial rows, such as ``copy/scenario/00``."""
        return f"{self.rule}/scenario/{self.number:02d}"


def fates(observer: BayesGreedy, observations: np.ndarray) -> np.ndarray:
    """Return what the rule says of each tile of views (n, 49): an array of `FATES` of the same shape.

    The views are of games that go on, so at least one covered tile is red.

    Examples
    --------
    >>> observations = np.full((1, 49), COVERED)
    >>> observations[0, [0, 6]] = 1  # an apex lies between two ends of a base
    >>> words, counts = np.unique(fates(BayesGreedy.of("pyramid"), observations), return_counts=True)
    >>> dict(zip(words.tolist(), counts.tolist()))
    {'certainly blue': 33, 'certainly red': 14, 'open': 2}
    """
    chance, _ = observer.posterior(observations)  # a sum over the very boards that its total is over: exactly 1, or 0
    return np.select([observations != COVERED, chance == 1, chance == 0], [OPEN, RED, BLUE], UNDETERMINED)


def find(rule: str, n: int = 3, seed: int = 0) -> list[Scenario]:
    """Return the ``n`` most telling scenarios of a rule, each on another board, or as many as there are.

    They are searched in games of the nearest neighbour and of the ideal observer, whose choices the seed decides, on
    our own held-out boards, which no shipped agent was trained on and which are not among the paper's. In each there is
    a certainly red tile, a certainly blue one next to an open red, and one that is undetermined. The most telling one
    has the highest ``lure``; of equal ones, it comes after the fewest clicks.

    Examples
    --------
    >>> first = find("copy")[0]
    >>> set(first.fates.tolist()) == set(FATES), first.number
    (True, 0)
    """
    items, observer = _boards(rule), BayesGreedy.of(rule)
    games = [judge(player, items, passes=_PASSES, seed=seed) for player in (NearestNeighbour(), observer)]
    best: dict[bytes, Scenario] = {}
    moments = [scenario for answers in games for scenario in _telling(rule, observer, answers)]
    for scenario in sorted(moments, key=lambda scenario: (-scenario.lure, len(scenario.clicks))):
        best.setdefault(scenario.board.tobytes(), scenario)
    return [replace(scenario, number=number) for number, scenario in enumerate(list(best.values())[:n])]


def _boards(rule: str) -> Items:
    """Return our own held-out boards of a rule without those that are also the paper's."""
    ours = records.items(f"{rule}/abstract", "generated")
    theirs = published.or_else(
        lambda: records.items(f"{rule}/abstract", "published").boards, lambda: ours.boards[:0],
        "choice scenarios may be on boards that the paper has too",
    )  # fmt: skip
    own = ~np.isin(to_bits(ours.boards), to_bits(theirs))
    return Items(ours.boards[own], ours.starts[own], ours.task, ours.source)


def _telling(rule: str, observer: BayesGreedy, answers: Answers) -> Iterator[Scenario]:
    """Yield the moments of games at which the rule and the nearest neighbour may point to different tiles."""
    clicks, boards = answers.actions.reshape(-1, answers.actions.shape[-1]), answers.played.ravel()
    game = Game(answers.items.boards[boards], answers.items.starts[boards], answers.config)
    for n, tiles in enumerate(clicks.T):
        games = np.flatnonzero(~game.done)
        observations = game.shown[games]
        words, near = fates(observer, observations), nearest(observations)
        lure = (near & (words == BLUE)).sum(axis=1) / near.sum(axis=1)
        is_telling = (lure > 0) & (words == RED).any(axis=1) & (words == UNDETERMINED).any(axis=1)
        for k in np.flatnonzero(is_telling):
            before = tuple(clicks[games[k], :n].tolist())
            board, start = answers.items[int(boards[games[k]])]
            yield Scenario(rule, 0, board, start, before, observations[k], words[k], float(lure[k]))
        game.step(np.maximum(tiles, 0))  # a game that is over takes no click


def choices(player, scenario: Scenario, config: GameConfig = PROFILES["verified"]) -> np.ndarray:
    """Return a player's chance of opening each tile next, (49,), after it has followed every click so far.

    ``player`` is as in `scoring.Learner`: it is told each click and its reward as in a game of its own.

    Examples
    --------
    >>> float(choices(NearestNeighbour(), find("copy")[0]).sum().round(9))
    1.0
    """
    game = Game(scenario.board, [scenario.start], config)
    chance, state = ask(player, game)
    for tile in scenario.clicks:
        game.step([tile])
        chance, state = ask(player, game, state)
    return chance[0]


def table(scenarios: Sequence[Scenario], players: Callable[[str], Sequence]) -> pd.DataFrame:
    """Return the chances of players in scenarios, one row a scenario, player and tile.

    ``players(rule)`` gives the players of a rule. Columns rule, scenario (its number), who, kind, tile, shown (-1
    covered, 0 blue, 1 red), fate (one of `FATES`), chance.

    Examples
    --------
    >>> table(find("copy", 2), lambda rule: [NearestNeighbour()]).shape
    (98, 8)
    """
    of = {rule: players(rule) for rule in dict.fromkeys(scenario.rule for scenario in scenarios)}
    return pd.concat(
        _tiles(scenario, described(player, "board"), choices(player, scenario))
        for scenario in scenarios for player in of[scenario.rule]
    ).reset_index(drop=True)  # fmt: skip


def shares(table: pd.DataFrame) -> pd.DataFrame:
    """Return how much of its chances each player gives to tiles of each fate: one row a scenario and player.

    The table is as `table` gives it. Columns rule, scenario, who, kind, certainly red, certainly blue, undetermined.

    Examples
    --------
    >>> rows = shares(table(find("copy", 2), lambda rule: [BayesGreedy.of(rule)]))
    >>> rows["certainly red"].tolist()
    [1.0, 1.0]
    """
    keys = ["rule", "scenario", "who", "kind"]
    wide = table.pivot_table("chance", keys, "fate", "sum", sort=False, fill_value=0.0)
    return wide.reindex(columns=list(FATES[:3]), fill_value=0.0).rename_axis(columns=None).reset_index()


def _tiles(scenario: Scenario, player: dict[str, str], chance: np.ndarray) -> pd.DataFrame:
    fields = scenario.rule, scenario.number, player["who"], player["kind"]
    columns = np.arange(TILES), scenario.observation, scenario.fates, chance
    return pd.DataFrame(dict(zip(_COLUMNS, (*fields, *columns), strict=True)))


def study_of(scenarios: Sequence[Scenario], after: bool = True) -> Study:
    """Return the study that asks for one choice in each scenario, without feedback.

    ``after`` says that the person has finished a sitting of 25 boards, as people in the paper had. Choices of others
    are kept apart, by their source.
    """
    moments = [[scenario.name, encode(scenario.board), scenario.start, scenario.clicks] for scenario in scenarios]
    plan = {"scenarios": config_hash({"moments": moments})}
    return Study(
        "tiles", lambda seed: TASK, lambda condition, seed: list(scenarios), chosen, shuffled("tiles"),
        "Some tiles of this board are open. Which tile would you open next? Choose one: it will stay covered.",
        phases={ITEMS: "scenario"}, source="generated" if after else BEFORE, plan=plan,
    )  # fmt: skip


def chosen(presentation: Presentation, tile: int) -> dict:
    """Return the fields to store for a choice; right is a tile that is certainly red.

    Raises
    ------
    InputError
        No such tile, or one that is open.
    """
    scenario = presentation.item
    is_tile = isinstance(tile, int | np.integer) and not isinstance(tile, bool) and 0 <= tile < TILES
    if not is_tile or scenario.observation[tile] != COVERED:
        raise InputError(f"tile {tile!r}", f"a covered tile, numbered 0 to {TILES - 1}")
    fate = str(scenario.fates[tile])
    # Not "board", the word for a game that is judged by its clicks.
    extra = {
        "shown": scenario.observation.tolist(), "start": scenario.start, "clicks": list(scenario.clicks), "fate": fate,
    }  # fmt: skip
    return {
        "task": f"{scenario.rule}/scenario", "item": scenario.name, "response": int(tile), "correct": int(fate == RED),
        "score": int(fate == RED), "extra": extra,
    }  # fmt: skip


def sit(scenarios: Sequence[Scenario], trials: Trials) -> Sitting:
    """Return the reader's sitting of these scenarios: begun, going on, or finished.

    There is one after a finished sitting of 25 boards, and one before; see `study_of`.
    """
    study = study_of(scenarios, bool(finished(trials)))
    return last(study, trials, TASK) or Sitting.begin(study, trials=trials)


def your_choices(scenarios: Sequence[Scenario], trials: Trials) -> pd.DataFrame:
    """Return the reader's choices so far in these scenarios, as `table` gives those of players.

    The chance of the tile that the reader chose is 1; a scenario without a choice has no rows. Choices after 25 boards
    come first; where there are none, those from before stand under `YOU_BEFORE`.
    """
    sittings = [last(study_of(scenarios, after), trials, TASK) for after in (True, False)]
    who, sitting = next(((who, sat) for who, sat in zip(("you", YOU_BEFORE), sittings, strict=True) if sat), ("", None))
    rows = [] if sitting is None else sitting.answers().itertuples()
    by_name = {scenario.name: scenario for scenario in scenarios}
    you = {"who": who, "kind": "you"}
    parts = [_tiles(by_name[row.item], you, (np.arange(TILES) == row.response) * 1.0) for row in rows]
    return pd.concat(parts).reset_index(drop=True) if parts else pd.DataFrame(columns=list(_COLUMNS))
