"""What a learner that sees reaches: ``python -m cogkit.bongard.paper.summary`` prints the sentence of the README."""

from __future__ import annotations

import pandas as pd

from cogkit.bongard.problems.records import CHANCE
from cogkit.data import results

_TESTS = {
    "FF": "longer free-form shapes", "BA": "basic shapes", "CM": "new pairs of attributes", "NV": "a new attribute",
}  # fmt: skip
_WHO = "concept search on taught eyes"


def sentence(rows: pd.DataFrame) -> str:
    """Return what the concept search reaches in the four tests, over its runs; ``rows`` are result rows.

    Examples
    --------
    >>> sentence(results.shipped("bongard")).startswith("A concept search whose eyes")
    True
    """
    own = rows[(rows.metric == "accuracy") & (rows.who == _WHO) & rows.task.isin(_TESTS)]
    shares = own.groupby("task").value.mean()
    first, *others = (f"{100 * shares[test]:.0f} %{{}} about {words}" for test, words in _TESTS.items())
    text = ", ".join([first.format(" right answers"), *(each.format("") for each in others)])
    runs, chance = own.groupby("task").size().min(), f"{100 * CHANCE:.0f}"
    return (
        f"A concept search whose eyes were taught attributes gives {text} ({runs} runs, "
        f"{own.n.min()} to {own.n.max()} answers a test in each; a guess: {chance} %)."
    )


if __name__ == "__main__":
    print(sentence(results.shipped("bongard")))
