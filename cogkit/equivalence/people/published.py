"""Results of people in matching to sample: ordinal facts from earlier studies, and the order that models give."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.data.facts import facts
from cogkit.equivalence.paper import reported
from cogkit.equivalence.paper.reported import simulated
from cogkit.equivalence.problems.records import STRUCTURES, TYPES

ORDER = ("OTM", "MTO", "LS")  # structures by the number of people who show equivalence after them, most first
_SAME = 5e-4  # difference of shares that are equal in print


def studies() -> pd.DataFrame:
    """Return the findings of earlier studies of people, a row for each study.

    Columns: study, people, compared (structures), finding, order (of the structures, most people first; "" if the study
    ranks none), source.

    Notes
    -----
    The findings come from the published abstracts, which give orders and no shares.

    Examples
    --------
    >>> table = studies().set_index("study")
    >>> table.order["Arntzen & Holth 1997"]
    'OTM > MTO > LS'
    """
    return facts(reported.__file__, "people")


def orders(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the order of the structures for people, and for every learner with results for all three.

    Seeds of the rows, from `data.results.load`, are averaged. Columns: who, relation, order (best structure first,
    ``=`` between shares that are equal in print), hardest, and for each structure the mean of the shares of
    reflexivity, symmetry and transitivity. People come first, without shares.

    Examples
    --------
    >>> from cogkit.equivalence.paper.reported import result_rows
    >>> orders(result_rows()).hardest.tolist()
    ['LS', 'OTM', 'OTM', 'MTO', 'OTM']
    """
    runs = simulated(rows)
    table = runs[(runs.preset == "paper") & (runs.metric == "accuracy") & runs.group.isin(TYPES[1:])]
    subset = table[table.structure.isin(STRUCTURES)]
    groups = subset.groupby(["who", "relation", "structure", "group"], sort=False).value.mean().unstack()
    shares = groups.mean(axis=1, skipna=False).unstack().reindex(columns=list(STRUCTURES)).dropna()
    lines = [{"who": "people", "relation": "select-reject", "order": " ≥ ".join(ORDER), "hardest": ORDER[-1]}]
    for (name, relation), values in shares.iterrows():
        ranking = values.sort_values(ascending=False)
        steps = ranking.index + np.where(ranking.diff(-1) < _SAME, " = ", " > ")
        hardest = "" if ranking.iloc[0] - ranking.iloc[-1] < _SAME else ranking.index[-1]
        line = {"who": name, "relation": relation, "order": "".join(steps)[:-3], "hardest": hardest}
        lines.append(line | values.to_dict())
    return pd.DataFrame(lines, columns=["who", "relation", "order", "hardest", *STRUCTURES])
