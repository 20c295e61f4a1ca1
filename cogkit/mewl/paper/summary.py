"""What our trained word learners reach: ``python -m cogkit.mewl.paper.summary`` prints the sentence of the README."""

from __future__ import annotations

import pandas as pd

from cogkit.data import results
from cogkit.mewl.learners import agents
from cogkit.mewl.problems.episodes import CHANCE, TASKS


def sentence(rows: pd.DataFrame) -> str:
    """Return what slot word learners with a task of their own reach; ``rows`` are result rows.

    Examples
    --------
    >>> sentence(results.shipped("mewl")).startswith("Word learners that are told what is where")
    True
    """
    own = rows[(rows.metric == "accuracy") & rows.task.isin(TASKS)]
    own = own[own.cell == own.task.map(lambda task: agents.cell_id("slot-word-learner", task))]
    least, most, chance = (f"{100 * share:.0f}" for share in (own.value.min(), own.value.max(), CHANCE))
    return (
        f"Word learners that are told what is where get {least} to {most} % of the names right, by task and run "
        f"({own.task.nunique()} tasks, {len(own)} runs, {own.n.min()} new episodes; a guess: {chance} %)."
    )


if __name__ == "__main__":
    print(sentence(results.shipped("mewl")))
