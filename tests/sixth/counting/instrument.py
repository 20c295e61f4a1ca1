"""What the sixth instrument offers: cells that spin, one that fails, a dataset of one file, a chance level, a loop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from cogkit.core import seeding
from cogkit.core.compiled import compiled
from cogkit.core.contracts import Cell, Finding, Instrument, Interview
from cogkit.data import results
from cogkit.lm.learner import Asked
from cogkit.lm.prompts import Prompt, closing, fingerprint, lettered
from cogkit.stats import scale
from cogkit.study import answers as shared
from cogkit.study.consistency import MOST, SAME

OPTIONS = {"pairs": 2, "fours": 4}  # by task: which of so many numbers comes next


@dataclass(frozen=True)
class Spin:
    """How long to spin."""

    rounds: int


def spin(config: Spin, profile: str, seed: int) -> list[dict]:
    """Return one row whose value depends on the seed alone, after some work."""
    draws = seeding.stream(seed, "spin").random((config.rounds, 5000))
    row = {"task": "spin", "kind": "floor", "who": "spinner", "inputs": "symbols", "n": config.rounds}
    return [{**row, "metric": "mean", "value": float(draws.mean())}]


def fail(config: Spin, profile: str, seed: int) -> list[dict]:
    """Raise, as a cell with a mistake in it would."""
    raise ZeroDivisionError("the cell's own mistake")


def cells() -> list[Cell]:
    """Return two cells that spin and one that fails."""
    configs = {"quick": Spin(400), "lab": Spin(2000)}
    spinning = [Cell(f"counting/spinner/{name}", spin, configs) for name in ("left", "right")]
    return [*spinning, Cell("counting/broken/left", fail, configs)]


def make(out: Path, *, n: int = 5, seed: int = 0) -> list[Path]:
    """Return the one file written."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / "count.txt"
    path.write_text(" ".join(map(str, range(n))))
    return [path]


def looks_like(folder: Path) -> bool:
    """Return whether the folder holds this dataset."""
    return (folder / "count.txt").exists()


def audit(folder: Path) -> list[Finding]:
    """Return a finding where the numbers do not count up from 0."""
    good = counts_up(np.array((folder / "count.txt").read_text().split(), dtype=np.int64))
    return [] if good else [Finding("count.txt", "numbers", "do not count up from 0")]


@compiled
def counts_up(numbers):
    """Return whether numbers count up from 0."""
    for place in range(len(numbers)):
        if numbers[place] != place:
            return False
    return True


def chance(task: str) -> float:
    """Return the chance level of a task."""
    return 1 / OPTIONS[task]


def components(rows: pd.DataFrame, trials: pd.DataFrame | None = None) -> Iterator[dict]:
    """Yield accuracy, A_c and P, and say why there is no S."""
    yield from scale.of_accuracy(rows, trials, chance=chance)
    for _, row in rows.iterrows():
        why = "not there: nobody was asked under a shift"
        yield scale.component(row, "S", np.nan, scale.NOWHERE, "", chance(row.task), why)


def everybody(profile: str) -> pd.DataFrame:
    """Return result rows of a floor, a network with two runs, a group of people, and of errors that two share."""
    common = {"cell": "counting/all", "instrument": "counting", "profile": profile, "preset": "lab", "seed": 0}
    common |= {"task": "pairs", "inputs": "symbols", "metric": "accuracy", "interval": "95% t", "n": 200, "source": ""}
    players = (
        ("last digit", "floor", 0, 0.6, 0.55), ("net", "model", 0, 0.7, 0.6), ("net", "model", 1, 0.9, 0.85),
        ("pupils", "person", 0, 0.95, 0.9),
    )  # fmt: skip
    names = ("who", "kind", "seed", "value", "low")
    rows = [common | dict(zip(names, player, strict=True)) for player in players]
    rows = [row | {"high": row["value"] + 0.04, "supervision": ""} for row in rows]
    for metric, value in ((SAME, 0.3), (MOST, 0.8)):
        rows.append(rows[1] | {"task": "all", "metric": f"{metric}last digit", "value": value, "low": 0.1, "high": 0.5})
    return results.table(rows)


class Counted(Asked):
    """A language model that says which number comes next; the right one is the first option."""

    inputs = "symbols"

    def next(self, starts: list[int], options: int) -> np.ndarray:
        """Return a score for each option of each start, (n, options)."""
        asked, orders = [], []
        for start in starts:
            named = [str(start + 3 + k) for k in range(options)]
            item = fingerprint(*named)
            orders.append(order := self.order(item, options))
            text = f"{start}, {start + 1}, {start + 2}, and then?\n{lettered([named[k] for k in order])}\n{closing()}"
            asked.append(Prompt(item, (("user", text),), tuple(named[k] for k in order), labelled=True))
        return self.scores(self.ask(asked, orders), options)


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers(shared.Answers):
    """Scores of the options, (n, options); the first is right."""

    instrument = "counting"
    scores: np.ndarray

    def _trials(self) -> Iterator[dict]:
        for k, row in enumerate(self.scores):
            yield {"item": str(k), "response": None, "correct": int(row[0] == 1), "extra": self.told(k)}


def judge(learner: Counted, items: list[int], *, profile: str = "verified", seed: int = 0) -> Answers:
    """Return the answers of a language model."""
    scores = learner.next(items, OPTIONS["fours"])
    told = shared.described(learner, "symbols")
    return Answers(**told, task="fours", seed=seed, scores=scores, replies=shared.replies(learner, len(items)))


def summarise(answers: Answers) -> list[dict]:
    """Return the accuracy, and the outcomes."""
    right = answers.scores[:, 0] == 1
    return [answers.row("accuracy", right.mean(), len(right)), *answers.unanswered()]


INTERVIEW = Interview(
    tasks=lambda: ("fours",),
    items=lambda task, n, *, profile, seed: seeding.stream(seed, "counting").integers(900, size=n).tolist(),
    single=lambda items, k: items[k : k + 1],
    learner=lambda participant, task, *, how, pictures, seed: Counted(participant, how, seed),
    judge=judge,
    summarise=summarise,
)


def warm() -> None:
    """Compile the one loop."""
    counts_up(np.arange(3))


INSTRUMENT = Instrument(
    "counting",
    cells,
    {"counting": make},
    {"counting": (looks_like, audit)},
    chance=chance,
    components=components,
    everybody=everybody,
    absent={"GR*": "counting has no template to align with"},
    interview=INTERVIEW,
    warm=warm,
)
