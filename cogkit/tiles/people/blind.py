"""Abstract or metamer? A blind trial on boards of one rule, and the scores of shortcuts in it.

The paper ran no such trial; it is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.core.study import Presentation, Study
from cogkit.study.sitting import ITEMS, Sitting
from cogkit.study.trials import BEGIN, Trials
from cogkit.tiles.metamers import sampling
from cogkit.tiles.metamers.diagnostics import share
from cogkit.tiles.problems import records
from cogkit.tiles.rules import PAPER_RULES, RULES
from cogkit.tiles.rules.boards import encode, from_bits, to_bits
from cogkit.tiles.rules.orders import ORDERS, orders

SHORTCUTS = ("counts reds", "counts reds, pairs and triples", "checks the rule", "ideal observer")
_MOST = 1000  # boards of a trial: more would take longer to draw than anybody waits
_LEARN = 4000  # boards of each kind that shortcuts learn from

Judge = Callable[[np.ndarray], np.ndarray]


def boards(rule: str, n: int, seed: int) -> list[tuple[np.ndarray, str]]:
    """Return the boards of one trial, each (7, 7) uint8 with its kind, abstract or metamer.

    A fair coin decides each kind, so earlier boards say nothing about later ones. Metamers may happen to satisfy
    the rule; those of the blind trial are no others than those that are trained and tested on.

    Examples
    --------
    >>> {kind for _, kind in boards("tree", 20, seed=0)} == set(records.KINDS)
    True
    """
    abstract, metamers = draw(rule, n, seed, "blind")
    heads = seeding.stream(seed, f"blind/coins/{rule}").random(n) < 0.5
    pairs = zip(abstract, metamers, heads, strict=True)
    return [(one, "abstract") if head else (other, "metamer") for one, other, head in pairs]


def study_of(rule: str, n: int = 20) -> Study:
    """Return the blind trial of one rule on n boards, 1 to 1000."""
    if not 1 <= n <= _MOST:
        raise InputError(f"{n} boards", f"1 to {_MOST}")
    prompt = (
        f"Each board was either made by the rule {rule} or is a metamer of it: drawn tile by tile by a network that "
        "has learnt the rule's statistics. A coin decided which. Which is it?"
    )
    task = f"{presets.choose(rule, RULES, 'rule')}/blind"
    return Study(
        "tiles", lambda seed: task, lambda condition, seed: boards(rule, n, seed), judged, prompt=prompt,
        phases={ITEMS: "blind"}, source="generated",
        of=lambda row: study_of(rule, len(row["extra"]["order"])) if row["task"] == task else None,
    )  # fmt: skip


def judged(presentation: Presentation, kind: str) -> dict:
    """Return the fields to store for an answer, ``abstract`` or ``metamer``."""
    board, truth = presentation.item
    correct = presets.choose(kind, records.KINDS, "answer") == truth
    # Not "board", the word for a game that is judged by its clicks.
    extra = {"shown": encode(board), "was": truth}
    return {"response": kind, "correct": int(correct), "score": int(correct), "extra": extra}


def sit(rule: str, n: int = 20, seed: int = 0, trials: Trials | None = None, who: str | None = None) -> Sitting:
    """Return a person's own last trial of a rule if it is not finished, else a new one on boards not seen before.

    ``n`` and ``seed`` are of a new trial; the next free seed where the person has answered to this one before.
    """
    return Sitting.open(study_of(rule, n), trials, seed, who)


def from_the_rule(rule: str, board: np.ndarray) -> np.ndarray:
    """Return the fewest tiles that must change colour to make a board one of the rule, none if it is one.

    Examples
    --------
    >>> from_the_rule("rectangle", records.sample("rectangle", 1, seed=0)[0]).size
    0
    """
    apart = records.support(rule).bits ^ to_bits(board[None])
    return np.flatnonzero(from_bits(apart[np.bitwise_count(apart).argmin()][None]))


def reason(rule: str, kind: str, apart: np.ndarray) -> str:
    """Return what tells a board's kind, in words for the review after a trial.

    ``apart`` is as `from_the_rule` gives it.
    """
    if kind == "abstract":
        return f"The rule {rule} made it."
    if not apart.size:
        return f"The network drew it, and it happens to follow {rule}."
    tiles = "the ringed tile" if apart.size == 1 else f"the {apart.size} ringed tiles"
    return f"It breaks the rule: change {tiles} to get a board of {rule}."


def your_rows(trials: Trials) -> pd.DataFrame:
    """Return the reader's share of boards judged right in all finished trials, one row per rule.

    The columns of `floors`.
    """
    rows = trials.frame(instrument="tiles", kind="person")
    rows = rows[rows["task"].str.endswith("/blind")]
    by_rule = {}
    for _, sitting in rows.groupby("sitting"):
        answers = sitting[sitting["item"] != BEGIN]
        if len(answers) == len(sitting["extra"].iloc[0]["order"]):
            by_rule.setdefault(answers["task"].iloc[0].partition("/")[0], []).extend(answers["correct"])
    return _table([(rule, "you", "you", int(sum(marks)), len(marks)) for rule, marks in by_rule.items()])


def floors(rules: Sequence[str] = PAPER_RULES, n: int = 1000, seed: int = 0) -> pd.DataFrame:
    """Return the share of boards that shortcuts judge right, n abstract ones and n metamers a rule.

    Columns rule, who, kind, value, low, high (Wilson's 95 % interval), n (boards). Four rows a rule: *counts reds* says
    what was more frequent, among 4,000 boards a side, with this number of reds; *counts reds, pairs and triples* the
    same with these numbers of all four `orders`, and metamer where they never occurred; *checks the rule* says abstract
    where the rule is satisfied; the *ideal observer* where the board is likelier under the rule, whose chances are
    exact, than among the 4,000 metamers.

    Examples
    --------
    >>> floors(["tree"], n=200).who.tolist()
    ['counts reds', 'counts reds, pairs and triples', 'checks the rule', 'ideal observer']
    """
    rows = []
    for rule in rules:
        abstract, metamers = draw(rule, _LEARN + n, seed, "shortcuts")
        judges = (
            ("floor", _by_counts(ORDERS[:1], abstract[:_LEARN], metamers[:_LEARN])),
            ("floor", _by_counts(ORDERS, abstract[:_LEARN], metamers[:_LEARN])),
            ("observer", lambda batch, rule=rule: records.check(rule, batch)),
            ("observer", _by_likelihood(rule, metamers[:_LEARN])),
        )
        for who, (kind, judge) in zip(SHORTCUTS, judges, strict=True):
            n_right = int(judge(abstract[_LEARN:]).sum() + (~judge(metamers[_LEARN:])).sum())
            rows.append((rule, who, kind, n_right, 2 * n))
    return _table(rows)


def draw(rule: str, n: int, seed: int, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return n boards of the rule and n metamers, (n, 7, 7) uint8 each, of streams that ``name`` has to itself.

    Examples
    --------
    >>> [part.shape for part in draw("tree", 3, 0, "doctest")]
    [(3, 7, 7), (3, 7, 7)]
    """
    metamer_seed = int(seeding.stream(seed, f"{name}/{rule}").integers(2**31))
    return records.sample(rule, n, seed, name), sampling.sample(rule, n, metamer_seed)


def _by_counts(columns: Sequence[str], abstract: np.ndarray, metamers: np.ndarray) -> Judge:
    columns = list(columns)
    votes = pd.concat([orders(abstract).assign(vote=1), orders(metamers).assign(vote=-1)])
    balance = votes.groupby(columns, as_index=False)["vote"].sum()
    return lambda batch: (orders(batch)[columns].merge(balance, how="left", on=columns)["vote"] > 0).to_numpy()


def _by_likelihood(rule: str, metamers: np.ndarray) -> Judge:
    support = records.support(rule)
    words, counts = np.unique(to_bits(metamers), return_counts=True)

    def judge(batch: np.ndarray) -> np.ndarray:
        bits = to_bits(batch)
        return _look_up(support.bits, support.probability, bits) > _look_up(words, counts / len(metamers), bits)

    return judge


def _look_up(keys: np.ndarray, values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the value of each wanted key, or 0 if there is none; keys ascend."""
    at = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
    return np.where(keys[at] == wanted, values[at], 0.0)


def _table(rows: list[tuple[str, str, str, int, int]]) -> pd.DataFrame:
    shares = [(*names, *share(n_right, n)) for *names, n_right, n in rows]
    return pd.DataFrame(shares, columns=("rule", "who", "kind", "value", "low", "high", "n"))
