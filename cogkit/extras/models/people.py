"""What people answered, in words: as a transcript, and as questions to a model about what they answer next."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pandas as pd
from scipy.special import log_softmax

from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.core.study import Study
from cogkit.extras.models.lm.cache import Participant
from cogkit.extras.models.lm.prompts import Prompt, fingerprint
from cogkit.study import wording
from cogkit.study.trials import BEGIN, Trials, pseudonym


def study_of(sitting: str, trials: Trials | None = None) -> Study | None:
    """Return the study that a person sat, by the first row of the sitting; None for a sitting of a model.

    Raises
    ------
    InputError
        There is no such sitting, or its rows do not tell which study it was, as in free play.
    """
    trials = trials or Trials()
    rows = trials.frame(sitting=sitting)
    if rows.empty:
        raise InputError(repr(sitting), f"a sitting in {trials.path}", "its sittings() lists what has begun")
    row = rows.iloc[0].to_dict()
    if row["kind"] != "person":
        return None
    tool = registry.instruments().get(row["instrument"])
    if (study := tool.study(row) if tool else None) is None:
        raise InputError(
            f"sitting {sitting} of {row['source']!r}", "a sitting of a study, whose items can be shown again"
        )
    return study


def latest(trials: Trials | None = None, who: str | None = None) -> str:
    """Return the id of a person's last sitting that can be put into words; an empty text if there is none.

    ``who`` is by default the reader.
    """
    trials = trials or Trials()
    for sitting in reversed(trials.frame(who=who or pseudonym(), kind="person", item=BEGIN).sitting.tolist()):
        with suppress(InputError):
            study_of(sitting, trials)
            return sitting
    return ""


def to_transcript(sitting: str, trials: Trials | None = None) -> str:
    """Return a person's or a model's sitting as natural language, with choices in ``<<…>>``.

    See `study.wording.to_transcript` and `study_of`. Pictures are put into the words that models get: captions, the
    programs of pens, made-up names.
    """
    return wording.to_transcript(sitting, study_of(sitting, trials), trials)


def predicted(participant: Participant, sitting: str, trials: Trials | None = None) -> pd.DataFrame:
    """Return how probable a model finds each answer of a person's sitting, one row an answer.

    The model reads the sitting in words, as `study.wording.story` gives it, up to each choice, and every option is an
    ending. Its probabilities count among the options alone. The floor finds all options equally probable.

    Parameters
    ----------
    participant : Participant
        It must give probabilities.

    Returns
    -------
    DataFrame
        The number of the answer, how many options it had, the choice in words, and the natural logarithms of its
        probability for model and floor. A row of a question that the model did not answer has NaN for the model.

    Raises
    ------
    InputError
        As `study_of`, or the sitting is a model's.
    """
    if (study := study_of(sitting, trials)) is None:
        raise InputError(f"sitting {sitting}, a model's", "a person's")
    answers = wording.story(study.prompt, wording.wordings(sitting, study, trials))
    prompts = []
    for text, answer in answers:
        context = f"{text} {wording.OPEN}"
        endings = tuple(f"{wording.plain(option)}{wording.CLOSE}" for option in answer.options)
        prompts.append(Prompt(fingerprint(context), (("user", context),), answer.options, endings))
    completions, rows = dict(participant.complete(prompts)), []
    for number, (_, answer) in enumerate(answers):
        logs, n = completions[number].logs, len(answer.options)
        model = float(log_softmax(logs)[answer.choice]) if len(logs) == n else np.nan
        rows.append((number + 1, n, answer.options[answer.choice], model, -np.log(n)))
    return pd.DataFrame(rows, columns=["answer", "options", "choice", "model", "floor"])
