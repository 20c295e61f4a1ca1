"""What the paper of the sixth instrument says of numbers."""

import pandas as pd

from cogkit.stats.claims import Claim, Evidence, survey

_CLAIMS = (
    Claim("a week has seven days", "1", "{}", lambda days: days, lambda days: days == 7),
    Claim("a week has an even number of days", "2", "{}", lambda days: days, lambda days: days % 2 == 0),
)


def verdicts() -> pd.DataFrame:
    """Return a verdict on each claim."""
    return survey(_CLAIMS, str, printed=Evidence(7), verified=Evidence(7, [7, 7, 7], "days"))
