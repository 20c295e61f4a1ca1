"""What networks learn from points, and the same networks from boards.

An agent that earns points learns from the tiles that it clicks, and from no others. The same network *taught by boards*
makes as many clicks, and after each of them it is shown what every tile hides. Where it is the better one, the network
can learn more of the rule than points have taught it. Where it is below, nothing follows: no learning rate was searched
for it, and it ran once, so it bounds nothing.

Differs from the paper, which has no network taught by boards.
"""

from __future__ import annotations

import pandas as pd

from cogkit.stats import mean_interval
from cogkit.tiles.learners import agents, policies
from cogkit.tiles.paper.architectures import FEWEST
from cogkit.tiles.problems import splits

COLUMNS = ["who", "rule", "taught", "clicks", "value", "low", "high", "n"]


def teaching(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the skill of trained networks by what they were taught from, and for how long.

    Parameters
    ----------
    rows : DataFrame
        Result rows of the instrument, of one profile and any presets. Only the skill of networks on the held-out boards
        of the rule that they learnt counts.

    Returns
    -------
    DataFrame
        Columns who (the architecture), rule, taught (points or boards), clicks, value (mean skill over networks of
        other seeds), low, high (95 % t; missing for fewer than three), n (networks).

    Examples
    --------
    >>> row = {"cell": "tiles/supervised-epn/tree/abstract", "preset": "lab", "kind": "model", "seed": 0}
    >>> row |= {"task": "tree/abstract", "metric": "skill", "value": 0.9}
    >>> teaching(pd.DataFrame([row]))[["who", "taught", "clicks", "value"]].values.tolist()
    [['EPN', 'boards', 2000000, 0.9]]
    """
    skill = rows[(rows.kind == "model") & (rows.metric == "skill") & ~rows.task.isin(splits.TASKS)]
    out = []
    for (cell, preset), part in skill.groupby(["cell", "preset"], sort=False):
        _, agent, task = cell.split("/", 2)
        if agent not in agents.KINDS or task == agents.MIXTURE:
            continue
        config = agents.config(agent, preset, task=task)
        taught = policies.of(config.policy).title, task.split("/")[0], "boards" if config.supervised else "points"
        limits = mean_interval(part.value) if len(part) >= FEWEST else (None, None)
        out.append((*taught, config.budget, part.value.mean(), *limits, len(part)))
    return pd.DataFrame(out, columns=COLUMNS).astype({"low": float, "high": float})


def pairs(table: pd.DataFrame) -> pd.DataFrame:
    """Return each network taught by boards beside the same one taught by points, with as many clicks on the same rule.

    The table is as `teaching` gives it. Columns who, rule, points, boards (mean skill), below (whether the network
    taught by boards is the worse one).

    Examples
    --------
    >>> table = pd.DataFrame({"who": "EPN", "rule": "tree", "taught": ["points", "boards"], "clicks": 8})
    >>> pairs(table.assign(value=[0.5, 0.4])).below.tolist()
    [True]
    """
    keys = ["who", "rule", "clicks"]
    both = [table[table.taught == taught][[*keys, "value"]] for taught in ("points", "boards")]
    made = both[0].rename(columns={"value": "points"}).merge(both[1].rename(columns={"value": "boards"}), on=keys)
    return made.drop(columns="clicks").assign(below=made.boards < made.points)
