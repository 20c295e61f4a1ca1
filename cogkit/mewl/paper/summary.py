"""What our trained networks reach: ``python -m cogkit.mewl.paper.summary`` prints the sentence of the README."""

from __future__ import annotations

import pandas as pd

from cogkit.data import results
from cogkit.mewl.learners import agents
from cogkit.mewl.problems.episodes import CHANCE, TASKS
from cogkit.stats import mean_over_runs


def reached(rows: pd.DataFrame, task: str) -> pd.DataFrame:
    """Return what our trained networks reach on a task, each over all of its runs.

    Parameters
    ----------
    rows : DataFrame
        Result rows of one profile and preset, such as those of `mewl.results`.
    task : str
        One of `TASKS`.

    Returns
    -------
    DataFrame
        Columns ``who``, ``inputs``, ``supervision``, ``runs``, ``value``, ``low`` and ``high``: the mean share of right
        answers about test episodes, and its 95 % interval (`stats.mean_over_runs`); ``training``, the mean
        share about training episodes. A row is a network of the task, or of all tasks together; the first
        has the highest share. A task without runs has no rows.

    Examples
    --------
    >>> "slot word learner" in set(reached(results.shipped("mewl"), "shape").who)
    True
    """
    cells = {agents.cell_id(name, set) for name in agents.NAMES for set in (task, "together")}
    accuracy = rows[(rows.metric == "accuracy") & rows.cell.isin(cells)]
    table = []
    for _, runs in accuracy[accuracy.task == task].groupby("cell", sort=False):
        value, low, high, *_ = mean_over_runs(runs.value, runs.n)
        learnt = accuracy[(accuracy.cell == runs.cell.iloc[0]) & (accuracy.task == f"train/{task}")]
        first = runs.iloc[0][["who", "inputs", "supervision"]]
        training = learnt.value.mean()
        table.append(
            first.to_dict() | {"runs": len(runs), "value": value, "low": low, "high": high, "training": training}
        )
    columns = ["who", "inputs", "supervision", "runs", "value", "low", "high", "training"]
    return pd.DataFrame(table, columns=columns).sort_values("value", ascending=False, ignore_index=True)


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
