"""Other instruments' result rows as calibrated components where that is legitimate; elsewhere a refusal that says why.

Rows are all that is read: no other instrument is imported. Nothing is imputed, nobody is pooled, and what a player was
shown (``inputs``) stays apart.

- ``mewl``: A_c and P against 1/5. ``bongard``: A_c and P against 1/2, experts and amateurs apart.
- ``equivalence``: A_c and P against 1/3 by type of pair; an answer that is no option is an error, and how frequent it
  is stands beside; ``nodal alignment``, as nodal distance is a real order.
- ``tiles``: no accuracy of their own. From clicks comes the share of decisive clicks that are red.
- ``tabular``: the components of generalization itself pass through.
"""

from __future__ import annotations

import pandas as pd

from cogkit.core import presets
from cogkit.core.contracts import RESULT_COLUMNS, InputError
from cogkit.generalization.adapters import bongard, equivalence, mewl, tabular, tiles
from cogkit.generalization.adapters.ranking import rankable
from cogkit.generalization.adapters.shares import WHO

__all__ = ["COLUMNS", "components", "gr_star", "rankable"]

COLUMNS = ("instrument", *WHO, "component", "value", "low", "high", "interval", "n", "chance", "note")
_ADAPTERS = {
    "equivalence": equivalence,
    "mewl": mewl,
    "bongard": bongard,
    "tiles": tiles,
    "generalization": tabular,
}


def components(rows: pd.DataFrame, trials: pd.DataFrame | None = None, rule: str = "argmax") -> pd.DataFrame:
    """Return the components that an instrument's result rows support.

    Parameters
    ----------
    rows : DataFrame
        Result rows (`contracts.RESULT_COLUMNS`) of one instrument, one run each of whoever is in them.
    trials : DataFrame, optional
        Trial rows (`contracts.TRIAL_COLUMNS`); tiles need them, the others do not look at them.
    rule : str
        The answer rule of equivalence, in `equivalence.RULES`. People answer with an option, whatever the rule.

    Returns
    -------
    DataFrame
        `COLUMNS`; component is accuracy, A_c, P and what else the instrument has. NaN where one is not there, and the
        note says why. Limits of A_c and P are those of accuracy, mapped: both rise with it.

    Raises
    ------
    InputError
        Rows of no or several instruments, several rows where one is wanted, shares that are none, people pooled, or
        tiles without clicks.

    Examples
    --------
    >>> row = dict.fromkeys(RESULT_COLUMNS, "") | {"instrument": "mewl", "task": "shape", "kind": "model", "seed": 0}
    >>> row |= {"metric": "accuracy", "value": 0.6, "low": None, "high": None, "n": 600}
    >>> components(pd.DataFrame([row])).value.round(3).tolist()
    [0.6, 0.5, 0.1]
    """
    adapter = _ADAPTERS[instrument := _instrument(rows)]
    rows = rows.fillna({"interval": ""}).astype(dict.fromkeys(("value", "low", "high"), float))
    found = adapter.components(rows, trials=trials, rule=presets.choose(rule, equivalence.RULES, "answer rule"))
    table = pd.DataFrame(list(found), columns=list(COLUMNS[1:]))
    table.insert(0, "instrument", instrument)
    return table


def gr_star(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of GR* among rows of generalization; for any other instrument an `InputError` says why not.

    Examples
    --------
    >>> row = dict.fromkeys(RESULT_COLUMNS, "") | {"instrument": "generalization", "metric": "GR*", "value": 0.2}
    >>> gr_star(pd.DataFrame([row])).value.tolist()
    [0.2]
    """
    adapter = _ADAPTERS[instrument := _instrument(rows)]
    if adapter.WITHOUT_GR_STAR:
        raise InputError(f"GR* asked of {instrument}", "components(rows)", adapter.WITHOUT_GR_STAR)
    found = rows[rows.metric == "GR*"]
    if found.empty:
        raise InputError("rows without a GR*", "result rows of generalization under as_published")
    return found.reset_index(drop=True)


def _instrument(rows: pd.DataFrame) -> str:
    if lacking := [name for name in RESULT_COLUMNS if name not in rows]:
        raise InputError(f"rows without {', '.join(lacking)}", "result rows with the columns contracts.RESULT_COLUMNS")
    names = list(rows.instrument.unique())
    if len(names) != 1:
        raise InputError(f"rows of {', '.join(names) or 'nobody'}", "result rows of one instrument at a time")
    return presets.choose(names[0], _ADAPTERS, "instrument with an adapter")
