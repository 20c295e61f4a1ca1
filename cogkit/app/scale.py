"""Every instrument's result rows on the common scale, or a refusal that says why.

An instrument declares what it can give: its chance level, or its own way from rows to components, and what it cannot
give. Nothing is imputed, nobody is pooled, and what a player was shown (``inputs``) stays apart. `stats.scale.rankable`
says which players may be ranked.
"""

from __future__ import annotations

from functools import partial

import pandas as pd

from cogkit.app import experiments
from cogkit.core.contracts import RESULT_COLUMNS, InputError, Instrument
from cogkit.stats import scale


def components(rows: pd.DataFrame, trials: pd.DataFrame | None = None, **own) -> pd.DataFrame:
    """Return the components that an instrument's result rows support.

    Parameters
    ----------
    rows : DataFrame
        Result rows (`contracts.RESULT_COLUMNS`) of one instrument, a row for each run of each player.
    trials : DataFrame, optional
        Trial rows (`contracts.TRIAL_COLUMNS`); tiles need them.
    **own
        What one instrument alone takes, such as ``rule`` of equivalence.

    Returns
    -------
    DataFrame
        Columns instrument and `stats.scale.COLUMNS`; component is accuracy, A_c, P and what else the instrument has.
        NaN where a component is not there, and the note says why.

    Raises
    ------
    InputError
        Rows of no or several instruments, several rows of one run, values that are no shares, an instrument that
        declares neither components nor a chance level, or what the instrument itself refuses.

    Examples
    --------
    >>> row = dict.fromkeys(RESULT_COLUMNS, "") | {"instrument": "mewl", "task": "shape", "kind": "model", "seed": 0}
    >>> row |= {"metric": "accuracy", "value": 0.6, "low": None, "high": None, "n": 600}
    >>> components(pd.DataFrame([row])).value.round(3).tolist()
    [0.6, 0.5, 0.1]
    """
    instrument = _instrument(rows)
    parts = instrument.components
    if parts is None:
        if instrument.chance is None:
            raise InputError(f"rows of {instrument.name}", "an instrument that declares its chance level or components")
        parts = partial(scale.of_accuracy, chance=instrument.chance)
    rows = rows.fillna({"interval": ""}).astype(dict.fromkeys(("value", "low", "high"), float))
    table = pd.DataFrame(list(parts(rows, trials, **own)), columns=list(scale.COLUMNS))
    table.insert(0, "instrument", instrument.name)
    return table


def gr_star(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of GR* among result rows; for an instrument that cannot give it an `InputError` says why.

    Examples
    --------
    >>> row = dict.fromkeys(RESULT_COLUMNS, "") | {"instrument": "generalization", "metric": "GR*", "value": 0.2}
    >>> gr_star(pd.DataFrame([row])).value.tolist()
    [0.2]
    """
    instrument = _instrument(rows)
    if why := instrument.absent.get("GR*"):
        raise InputError(f"GR* asked of {instrument.name}", "components(rows)", why)
    table = rows[rows.metric == "GR*"]
    if table.empty:
        raise InputError("rows without a GR*", "result rows of generalization under as_published")
    return table.reset_index(drop=True)


def _instrument(rows: pd.DataFrame) -> Instrument:
    if lacking := [name for name in RESULT_COLUMNS if name not in rows]:
        raise InputError(f"rows without {', '.join(lacking)}", "result rows with the columns contracts.RESULT_COLUMNS")
    names = list(rows.instrument.unique())
    if len(names) != 1:
        raise InputError(f"rows of {', '.join(names) or 'nobody'}", "result rows of one instrument at a time")
    return experiments.instrument(names[0])
