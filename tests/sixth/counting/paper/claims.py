"""What the paper of the sixth instrument says of numbers."""

import pandas as pd

from cogkit.stats.claims import Claim, Evidence, survey

_MARGINS = {
    "a week has seven days": lambda days: 0.5 - abs(days - 7),
    "a week has an even number of days": lambda days: 0.5 - days % 2,
}
_CLAIMS = [
    Claim(words, str(place), "{}", lambda days: days, margins, about="numbers")
    for place, (words, margins) in enumerate(_MARGINS.items(), 1)
]


def verdicts() -> pd.DataFrame:
    """Return a verdict on each claim."""
    return survey(_CLAIMS, str, printed=Evidence(pd.Series({"days": 7}), about={"numbers": 0}))
