"""What survives: the claims of all papers, each with what its paper prints, what our runs give, and a verdict.

An instrument whose wing ``paper`` has a module ``claims`` with a function ``verdicts`` is on this page. Nothing is
registered. ``python -m cogkit.app.claims`` writes anew how often our tests would say what, if the printed numbers are
true; it takes some minutes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from cogkit.core import registry
from cogkit.core.errors import InputError, some
from cogkit.core.records import slug
from cogkit.data.facts import facts

_TEST = "pytest -m nightly 'tests/app/nightly/test_claims.py::test_a_verdict_is_still_what_it_was[{}]'"
_POWER = "power"  # of the table of each paper, and the function that makes it


def claims(*instruments: str) -> pd.DataFrame:
    """Return every claim of the papers of some instruments, or of all, one row for each.

    Columns instrument, those of `stats.claims.survey`; says_holds and says_not: how often our test would say so if the
    printed numbers were true, in per cent, empty where nothing is printed or nobody decides; and command, which runs
    the test again and fails if the verdict is another.

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
        if _power_of(module).exists():
            table = table.merge(facts(str(module.__file__), _POWER), "left", "claim")
            for name in ("says_holds", "says_not"):
                table[name] = [f"{100 * share:.0f} %" if share == share else "" for share in table[name]]
        commands = [_TEST.format(slug(f"{instrument} {claim}")) for claim in table.claim]
        tables.append(table.assign(command=commands))
    if not tables:
        raise InputError(f"claims of {some(instruments)}", "an instrument with a module paper.claims")
    return pd.concat(sorted(tables, key=lambda table: table.instrument.iloc[0]), ignore_index=True).fillna("")


def listed(table: pd.DataFrame) -> Iterator[str]:
    """Yield the lines of ``cogkit claims``: each claim with what its verdict rests on.

    Examples
    --------
    >>> row = {"instrument": "mewl", "verdict": "open", "claim": "a > b", "section": "5.3", "note": "one run"}
    >>> print(*listed(pd.DataFrame([row])), sep="\\n")
    mewl: open: a > b (5.3)
        note: one run
    """
    for row in table.to_dict("records"):
        yield f"{row['instrument']}: {row['verdict']}: {row['claim']} ({row['section']})"
        yield from (
            f"    {name.replace('_', ' ')}: {value}"
            for name, value in row.items()
            if name not in ("instrument", "verdict", "claim", "section") and str(value) not in ("", "0")
        )


def _power_of(module) -> Path:
    return Path(module.__file__).with_name("facts") / f"{_POWER}.csv"


if __name__ == "__main__":
    for _, paper in registry.modules("paper.claims"):
        paper.power().round(4).to_csv(_power_of(paper), index=False, lineterminator="\n")
