"""What each network could know: the same networks shown the hidden boards in place of points, or with more clicks.

An agent that earns points learns from the tiles that it clicks, and from no others. Its twin is the same network with
as many clicks, but after each of them it is shown what every tile hides. What the twin knows, the network can hold.
What the twin does not learn either, points are not to blame for.

Differs from the paper, which has neither.
"""

from __future__ import annotations

import pandas as pd

from cogkit.stats import mean_interval
from cogkit.tiles.learners import agents, policies
from cogkit.tiles.paper.architectures import FEWEST

COLUMNS = ["who", "rule", "taught", "clicks", "value", "low", "high", "n"]


def ceilings(rows: pd.DataFrame) -> pd.DataFrame:
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
    >>> ceilings(pd.DataFrame([row]))[["who", "taught", "clicks", "value"]].values.tolist()
    [['EPN', 'boards', 2000000, 0.9]]
    """
    skill = rows[(rows.kind == "model") & (rows.metric == "skill")]
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
