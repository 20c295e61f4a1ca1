"""What survives: the claims of all papers, each with what its paper prints, what our runs give, and a verdict.

An instrument whose wing ``paper`` has a module ``claims`` with a function ``verdicts`` is on this page. Nothing is
registered.
"""

from __future__ import annotations

import re

import pandas as pd

from cogkit.app.experiments import rooms

_TEST = "tests/app/test_claims.py::test_a_verdict_is_still_what_it_was[{}]"


def claims() -> pd.DataFrame:
    """Return every claim of every paper, one row for each.

    Columns instrument, those of `stats.claims.survey`, and test: the name of the test that fails if rows that come with
    the package give another verdict.

    Examples
    --------
    >>> table = claims()
    >>> sorted(set(table.instrument)), len(table) > 100
    (['bongard', 'equivalence', 'generalization', 'mewl', 'tiles'], True)
    """
    tables = []
    for room in rooms("paper.claims"):
        instrument, table = room.__name__.split(".")[1], room.verdicts()
        table.insert(0, "instrument", instrument)
        tables.append(table.assign(test=[_TEST.format(name(instrument, claim)) for claim in table.claim]))
    return pd.concat(sorted(tables, key=lambda table: table.instrument.iloc[0]), ignore_index=True)


def name(instrument: str, claim: str) -> str:
    """Return a claim in letters and digits alone.

    Examples
    --------
    >>> name("tiles", "On boards of copy, agents do about the same (ρ > .9).")
    'tiles-on-boards-of-copy-agents-do-about-the-same-9'
    """
    return re.sub(r"[^a-z0-9]+", "-", f"{instrument}-{claim}".lower()).strip("-")
