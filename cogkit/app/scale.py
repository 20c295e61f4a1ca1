"""Every instrument's result rows on the common scale, or an error that says why this is impossible.

An instrument declares its chance level, or a function from rows to components, and which values it cannot give. Nothing
is imputed, players are not pooled, and different ``inputs`` are kept apart. `stats.scale.rankable` says which players
may be ranked.
"""

from __future__ import annotations

from functools import partial

import pandas as pd

from cogkit.app import experiments
from cogkit.core.contracts import RESULT_COLUMNS, InputError, Instrument, some
from cogkit.stats import scale


def components(rows: pd.DataFrame, trials: pd.DataFrame | None = None, **own) -> pd.DataFrame:
    """Return the components that an instrument's result rows allow.

    The rows are of one instrument, one row per run of a player. Tiles need ``trials``; ``own`` are options of a single
    instrument, such as ``rule`` of equivalence.

    Columns instrument and `stats.scale.COLUMNS`; component is accuracy, A_c, P or another of the instrument's. A
    missing component is NaN, and its note says why.

    Raises
    ------
    InputError
        The rows are of no or several instruments, a run has several rows, a value is no share, the instrument declares
        neither components nor a chance level, or the instrument itself refuses.

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
    """Return the result rows of GR*; if the instrument cannot give it, an `InputError` says why.

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
        raise InputError(f"rows of {some(names) or 'nobody'}", "result rows of one instrument at a time")
    return experiments.instrument(names[0])
