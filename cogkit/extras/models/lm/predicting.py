"""How well a language model predicts what a person answers next: the probability of each choice, beside a floor's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.special import log_softmax

from cogkit.core.errors import InputError
from cogkit.core.study import Wording
from cogkit.extras.models.lm.cache import Participant
from cogkit.extras.models.lm.prompts import Prompt, fingerprint
from cogkit.stats.intervals import mean_interval
from cogkit.study.wording import CLOSE, OPEN, plain

COLUMNS = ("answer", "options", "choice", "model", "floor")


def likelihoods(participant: Participant, answers: Sequence[tuple[str, Wording]]) -> pd.DataFrame:
    """Return the logarithm of the probability of each choice of a person, one row an answer.

    The model reads the sitting in words, as `study.wording.story` gives it, up to each choice, and every option is an
    ending. Its probabilities count among the options alone. The floor finds all options equally probable.

    Parameters
    ----------
    participant : Participant
        It must give probabilities.
    answers : sequence of (text, Wording)

    Returns
    -------
    DataFrame
        Columns `COLUMNS`: the number of the answer, how many options it had, the choice in words, and natural
        logarithms for model and floor. A row of a question that the model did not answer has NaN for the model.

    Examples
    --------
    >>> from cogkit.extras.models.lm.transcript import Transcript
    >>> answers = [("Left or right? You press", Wording("", ("left", "right"), 1))]
    >>> likelihoods(Transcript("nobody", {}, {}, {}), answers).round(3).values.tolist()
    [[1, 2, 'right', nan, -0.693]]
    """
    prompts = []
    for text, answer in answers:
        endings = tuple(f"{plain(option)}{CLOSE}" for option in answer.options)
        context = f"{text} {OPEN}"
        prompts.append(Prompt(fingerprint(context), (("user", context),), answer.options, endings))
    completions, rows = dict(participant.complete(prompts)), []
    for number, (_, answer) in enumerate(answers):
        logs, n = completions[number].logs, len(answer.options)
        known = len(logs) == n and np.isfinite(logs).all()
        model = float(log_softmax(logs)[answer.choice]) if known else np.nan
        rows.append((number + 1, n, answer.options[answer.choice], model, -np.log(n)))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Return the mean logarithm of the probability of a choice, for the model, the floor, and the model's lead.

    ``table`` is as `likelihoods` gives it; answers that the model has no number for are left out. The interval is 95 %
    t over answers, which takes the answers of one person as independent.

    Returns
    -------
    DataFrame
        Columns who, value, low, high, n; in nats per answer. A lead above 0 is better than the floor.

    Raises
    ------
    InputError
        The model has fewer than two numbers.
    """
    known = table.dropna(subset=["model"])
    if len(known) < 2:
        got = f"{len(known)} answers with a probability"
        raise InputError(got, "two or more", "ask a model that gives probabilities")
    values = {"model": known["model"], "floor": known["floor"], "model - floor": known["model"] - known["floor"]}
    rows = [(who, float(value.mean()), *mean_interval(value), len(value)) for who, value in values.items()]
    return pd.DataFrame(rows, columns=["who", "value", "low", "high", "n"])
