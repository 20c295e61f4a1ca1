"""What survives: the claims of all papers, each with what its paper prints, what our runs give, and a verdict.

An instrument whose wing ``paper`` has a module ``claims`` with a function ``verdicts`` is on this page. Nothing is
registered.
"""

from __future__ import annotations

import pandas as pd

from cogkit.core import registry
from cogkit.core.errors import InputError, some
from cogkit.core.records import slug

_TEST = "tests/app/test_claims.py::test_a_verdict_is_still_what_it_was[{}]"


def claims(*instruments: str) -> pd.DataFrame:
    """Return every claim of the papers of some instruments, or of all, one row for each.

    Columns instrument, those of `stats.claims.survey`, and test: the name of the test that fails if rows that come with
    the package give another verdict.

    Raises
    ------
    InputError
        None of them has claims.

    Examples
    --------
    >>> claims("mewl").set_index("claim").verdict["people's mean over the tasks is 0.732"]
    'does not hold'
    """
    tables = []
    for instrument, module in registry.modules("paper.claims"):
        if instruments and instrument not in instruments:
            continue
        table = module.verdicts()
        table.insert(0, "instrument", instrument)
        tables.append(table.assign(test=[_TEST.format(slug(f"{instrument} {claim}")) for claim in table.claim]))
    if not tables:
        raise InputError(f"claims of {some(instruments)}", "an instrument with a module paper.claims")
    return pd.concat(sorted(tables, key=lambda table: table.instrument.iloc[0]), ignore_index=True)
