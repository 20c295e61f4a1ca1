"""From people's trial rows to answers: what stands in the trial table is judged as a model's answers are."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.equivalence.problems.records import LETTERS, Design, Trials
from cogkit.equivalence.scoring import Answers


def from_trials(trials: pd.DataFrame) -> list[Answers]:
    """Return what each person answered in a test that they finished, one `Answers` a sitting, oldest first.

    Parameters
    ----------
    trials : DataFrame
        Trial rows (`contracts.TRIAL_COLUMNS`), in the order they were made. What was shown is read from the rows
        themselves. Training is left out; so are tests that are not finished.

    Returns
    -------
    list of Answers
        Of the rule ``forced choice``: a person cannot answer with what is no option.

    Examples
    --------
    >>> from cogkit.core.contracts import TRIAL_COLUMNS
    >>> from_trials(pd.DataFrame(columns=TRIAL_COLUMNS))
    []
    """
    people = trials[(trials["instrument"] == "equivalence") & (trials["kind"] == "person")]
    tested = people[np.array([extra.get("phase") == "test" for extra in people["extra"]], dtype=bool)]
    return [_answers(rows) for _, rows in tested.groupby("sitting", sort=False) if rows["extra"].iloc[-1]["done"]]


def _answers(rows: pd.DataFrame) -> Answers:
    """Return the answers of one sitting's test."""
    first = rows.iloc[0]
    design = Design(**first["extra"]["design"])
    number = {name: token for token, name in enumerate(design.tokens)}
    shown = np.array([[number[name] for name in item.split(" ")] for item in rows["item"]])
    given = np.array([number[name] for name in rows["response"]]) - number["O_1"]
    # The right comparison alone is of the sample's class.
    correct = (shown[:, 1:] // design.members == shown[:, :1] // design.members).argmax(axis=1)
    letters = [[LETTERS.index(letter) for letter in extra["pair"]] for extra in rows["extra"]]
    pair = np.array(letters) @ [design.members, 1]
    tokens = np.column_stack([shown, correct + number["O_1"]]).astype(design.dtype)
    right = (given == correct).astype(np.float32)
    return Answers(
        who=first["who"], kind="person", inputs="symbols", task=design.condition, profile=first["profile"],
        seed=int(first["seed"]), trials=Trials(design, tokens, pair.astype(np.int16)),
        given={"forced choice": given.astype(np.uint8)}, right=right, other=np.zeros_like(right), speaks=False,
    )  # fmt: skip
