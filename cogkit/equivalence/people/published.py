"""What is known of people in matching to sample: ordinal facts of earlier studies, and the order the models give."""

from __future__ import annotations

import pandas as pd

from cogkit.equivalence.paper.reported import facts, simulated
from cogkit.equivalence.problems.records import STRUCTURES, TYPES

ORDER = (
    "OTM",
    "MTO",
    "LS",
)  # from the structure after which most people show equivalence to the one after which fewest do
_SAME = 5e-4  # shares that are printed alike


def studies() -> pd.DataFrame:
    """Return what earlier studies of people found, a row a study.

    Returns
    -------
    DataFrame
        Columns study, people, compared (structures), finding, order (of the structures, most people first; "" where
        the study ranks none), source.

    Notes
    -----
    From the published abstracts, which give orders and no shares.

    Examples
    --------
    >>> table = studies().set_index("study")
    >>> table.order["Arntzen & Holth 1997"]
    'OTM > MTO > LS'
    """
    return facts("people")


def orders(rows: pd.DataFrame, rule: str = "as published", preset: str = "paper") -> pd.DataFrame:
    """Return the structures in order for people, and beside them for every learner that was judged after all three.

    Parameters
    ----------
    rows : DataFrame
        Result rows, as `data.results.load` gives them; seeds are averaged.
    rule : str
        The answer rule.
    preset : str
        The size of the runs that are asked.

    Returns
    -------
    DataFrame
        Columns who, relation, order (best structure first, ``=`` between shares that print alike), hardest, and by
        structure the mean of the shares of reflexivity, symmetry and transitivity. People come first, without shares.

    Examples
    --------
    >>> from cogkit.equivalence.paper.reported import result_rows
    >>> orders(result_rows()).hardest.tolist()
    ['LS', 'OTM', 'OTM', 'MTO', 'OTM']
    """
    runs = simulated(rows, rule)
    derived = runs[(runs.preset == preset) & (runs.metric == "accuracy") & runs.group.isin(TYPES[1:])]
    known = derived[derived.structure.isin(STRUCTURES)]
    each = known.groupby(["who", "relation", "structure", "group"], sort=False).value.mean().unstack()
    shares = each.mean(axis=1, skipna=False).unstack().reindex(columns=list(STRUCTURES)).dropna()
    told = [{"who": "people", "relation": "select-reject", "order": " ≥ ".join(ORDER), "hardest": ORDER[-1]}]
    for (who, relation), found in shares.iterrows():
        ranked = found.sort_values(ascending=False)
        order = ranked.index[0]
        for ahead, behind in zip(ranked.index, ranked.index[1:], strict=False):
            order += f" {'=' if ranked[ahead] - ranked[behind] < _SAME else '>'} {behind}"
        level = ranked.iloc[0] - ranked.iloc[-1] < _SAME
        told.append({"who": who, "relation": relation, "order": order, "hardest": "" if level else ranked.index[-1]})
        told[-1] |= found.to_dict()
    return pd.DataFrame(told, columns=["who", "relation", "order", "hardest", *STRUCTURES])
