"""Components from clicks, or from z: a number of blue tiles is no accuracy, so decisive clicks give accuracy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from cogkit import stats
from cogkit.core import seeding
from cogkit.core.errors import InputError, some
from cogkit.core.records import TRIAL_COLUMNS
from cogkit.data import readers
from cogkit.stats import scale
from cogkit.tiles.rules.boards import TILES, decode

_GAME = ("who", "kind", "task", "seed", "profile", "item")


def components(rows: pd.DataFrame, trials: pd.DataFrame | None = None) -> Iterator[dict]:
    """Yield accuracy (the share of decisive clicks that are red), A_c and P of every player with stored clicks.

    Chance is the mean chance of a random click on red at each of them; intervals resample boards. n is
    the number of clicks. Players of the result rows without clicks get NaN.

    Without ``trials``, result rows with the metric ``z`` give A_c alone: 0 for the player that clicks at random, and 1
    for the ideal observer. Both must be among the rows, and count as known exactly.

    Raises
    ------
    InputError
        There are no clicks, or one player has clicks under two profiles.
    """
    if trials is None and (rows.metric == "z").any():
        yield from _of_z(rows[rows.metric == "z"])
        return
    clicks = decisive_clicks(pd.DataFrame(columns=list(TRIAL_COLUMNS)) if trials is None else trials)
    if clicks.empty:
        fix = "blue tiles opened are no accuracy, and result rows do not tell which clicks were red"
        got = f"no clicks of {some(rows.who.unique())}"
        raise InputError(got, "trial rows of tiles, one a click, on boards played to their end", fix)
    inputs = dict(zip(rows.who, rows.inputs, strict=True))
    for (who, kind, task, seed), part in clicks.groupby(["who", "kind", "task", "seed"], sort=False):
        if part.profile.nunique() > 1:
            raise InputError(f"clicks of {who} on {task} under {' and '.join(part.profile.unique())}", "one profile")
        fields = {"task": task, "who": who, "kind": kind, "inputs": inputs.get(who, "board"), "seed": int(seed)}
        yield from _of_clicks(fields | {"n": len(part)}, part)
    pairs = set(zip(clicks.who, clicks.task, strict=True))
    pairs |= {("you", task) for task in clicks.task[clicks.kind == "person"]}  # whose clicks are under a pseudonym
    for _, row in rows.drop_duplicates(list(scale.RUN)).iterrows():
        if (row.who, row.task) not in pairs:
            for name in ("accuracy", "A_c", "P"):
                note = "not there: no clicks"
                yield scale.component(row, name, np.nan, scale.NOWHERE, "", np.nan, note) | {"n": 0}


def _of_z(rows: pd.DataFrame) -> Iterator[dict]:
    """Yield A_c of rows of z, and say why there is no accuracy and no P."""
    ends = {"random": rows[rows.who == "random"], "ideal": rows[rows.kind == "observer"]}
    zero, one = (part.groupby("task").value.mean() for part in ends.values())
    for _, row in rows.iterrows():
        for name in ("accuracy", "P"):
            why = "not there: blue tiles opened are no accuracy"
            yield scale.component(row, name, np.nan, scale.NOWHERE, "", np.nan, why)
        if row.task not in zero or row.task not in one:
            why = "not there: no player at random, or no ideal observer"
            yield scale.component(row, "A_c", np.nan, scale.NOWHERE, "", np.nan, why)
            continue
        bottom, gain = zero[row.task], zero[row.task] - one[row.task]
        value, *limits = (bottom - np.array([row.value, row.high, row.low], dtype=float)) / gain
        note = "0 is a player at random, 1 the ideal observer" + "; better than the ideal observer" * bool(value > 1)
        interval = f"{row.interval}, mapped" if row.interval else ""
        yield scale.component(row, "A_c", np.clip(value, 0, 1), np.clip(limits, 0, 1), interval, np.nan, note)


def decisive_clicks(trials: pd.DataFrame) -> pd.DataFrame:
    """Return the decisive clicks on boards played to their end, one row per click.

    A click is decisive if its tile was covered while both red and blue tiles were still covered. Boards that were
    played with a player's chances in view are left out. The clicks of a game are in the order they were made; ``extra``
    holds the board, its start tile, the step, and whether the board was done.

    Columns who, kind, task, seed, profile, item, red (bool), chance (share of red among the covered tiles).

    Raises
    ------
    InputError
        The ``extra`` of a click lacks one of these, or the colour of a click differs from its board.

    Notes
    -----
    For a player that clicks at random, the mean number of red clicks equals the sum of the chances, however games end.
    This is not true of the share of red on the whole board: a game ends with a red click, so lucky games are short.

    Examples
    --------
    >>> decisive_clicks(pd.DataFrame(columns=TRIAL_COLUMNS)).shape
    (0, 8)
    """
    rows = []
    for game in _games(trials[trials.instrument == "tiles"]):
        if game[-1]["extra"]["done"] and not any(click["extra"].get("overlay") for click in game):
            fields = {name: game[0][name] for name in _GAME}
            rows += [fields | click for click in _replayed(game)]
    return pd.DataFrame(rows, columns=[*_GAME, "red", "chance"])


def _of_clicks(row: dict, clicks: pd.DataFrame) -> Iterator[dict]:
    """Yield the components of one player's decisive clicks."""
    boards = clicks.groupby("item")
    sums = boards.red.sum(), boards.chance.sum(), boards.size()
    red, expected, n = (values.to_numpy(dtype=float) for values in sums)

    def shares(counts: np.ndarray) -> np.ndarray:
        return np.column_stack([counts @ red / (counts @ n), counts @ (red - expected) / (counts @ (n - expected))])

    accuracy, above = shares(np.ones((1, len(n))))[0]
    limits, interval, chance = np.full((2, 2), np.nan), "", float(expected.sum() / n.sum())
    if len(n) > 1:
        rng = seeding.stream(row["seed"], f"generalization/clicks/{row['who']}/{row['task']}")
        table = stats.cluster_bootstrap(shares, np.arange(len(n)), rng, within=False)
        limits, interval = table[["low", "high"]].to_numpy(), "95% bootstrap, boards"
    note = f"{len(n)} boards" if len(n) > 1 else "no interval: one board"
    meaning = f"share of decisive clicks that are red; {note}"
    yield scale.component(row, "accuracy", accuracy, limits[0], interval, chance, meaning)
    yield from scale.of_above_chance(row, above, limits[1], interval, chance, "" if len(n) > 1 else note)


def _games(trials: pd.DataFrame) -> Iterator[list[dict]]:
    """Yield the clicks of each game; under blocking evaluation one board may be several games."""
    boards: dict[tuple, list[dict]] = {}  # plain rows: a table a game takes far longer
    for row in trials[["sitting", "response", "correct", "extra", *_GAME]].to_dict("records"):
        row["extra"] = readers.parsed(row["extra"], where="extra") if isinstance(row["extra"], str) else row["extra"]
        if "board" in row["extra"]:
            boards.setdefault((row["sitting"], row["task"], row["item"]), []).append(row)
    for (_, _, item), clicks in boards.items():
        if gaps := {"start", "step", "done"} - set.intersection(*(set(click["extra"]) for click in clicks)):
            got = f"clicks on {item} whose extra lacks {', '.join(sorted(gaps))}"
            raise InputError(got, "board, start, step and done in extra")
        steps = [click["extra"]["step"] for click in clicks]
        begins = [0, *(np.flatnonzero(np.diff(steps) <= 0) + 1), len(clicks)]
        for begin, end in zip(begins, begins[1:], strict=False):
            yield clicks[begin:end]


def _replayed(game: list[dict]) -> Iterator[dict]:
    """Yield colour and chance of the decisive clicks of one game."""
    beginning = game[0]["extra"]
    colours = dict(enumerate((decode(beginning["board"]).ravel() == 1).tolist()))
    covered = colours.copy()
    covered.pop(beginning["start"], None)
    for click in game:
        tile, correct = click["response"], click["correct"]
        if tile not in colours or colours[tile] != bool(correct):
            got = f"a click on tile {tile} of {click['item']} marked {'red' if correct else 'blue'}"
            raise InputError(got, f"tiles from 0 to {TILES - 1} in the colours of their board")
        reds = sum(covered.values())
        if tile in covered and 0 < reds < len(covered):
            yield {"red": colours[tile], "chance": reds / len(covered)}
        covered.pop(tile, None)
