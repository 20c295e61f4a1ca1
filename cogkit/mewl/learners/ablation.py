"""What an answer depends on: how accuracy grows from no panel to all six, and how far it is above text alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from cogkit.core.presets import choose
from cogkit.mewl import scoring
from cogkit.mewl.learners.floors import Reference
from cogkit.mewl.problems.episodes import PANELS, TASKS, Episode, Question
from cogkit.mewl.problems.tasks import NAMED, attribute
from cogkit.mewl.scoring import Answers
from cogkit.mewl.world.things import ATTRIBUTES
from cogkit.stats import wilson

PARTS = {  # what is changed, and the cell and the profile of the run in which it is
    "none": ("slot-word-learner/together", "verified"),
    "transformer": ("parts/architecture", "verified"),
    "few episodes": ("parts/data", "verified"),
    "published episodes": ("slot-word-learner/together", "as_published"),
    "short training": ("parts/budget", "verified"),
    "reads": ("caption-word-learner/together", "verified"),
    "looks": ("cnn-word-learner/together", "verified"),
}
TEXT_ALONE = "text alone"  # the floor that uses all words and no picture


INPUTS = ("symbols", "captions", "true slots")  # that can be left empty; an empty picture would still be a picture


def cut_short(question: Question, inputs: str, panels: int) -> Question:
    """Return a question with its first panels only, without the pictures and words of the others.

    Parameters
    ----------
    question : Question
    inputs : str
        What it shows: one of `INPUTS`.
    panels : int
        0 to 6.

    Examples
    --------
    >>> from cogkit.mewl.problems import making, observations
    >>> question = observations.question(making.episodes_of("number", n=1), "true slots")
    >>> short = cut_short(question, "true slots", 2)
    >>> short.observations.any(axis=(2, 3)).tolist(), short.utterances[0].count("")
    ([[True, True, False, False, False, False, True]], 4)
    """
    names, missing = [names[:panels] for names in question.utterances], ("",) * (PANELS - panels)
    if inputs == "symbols":
        return replace(question, utterances=tuple(names))
    if inputs == "captions":
        observations = [texts[:panels] + missing + texts[PANELS:] for texts in question.observations]
    else:
        observations = np.array(question.observations)
        observations[:, panels:PANELS] = 0
    return replace(question, observations=observations, utterances=tuple(each + missing for each in names))


class Fewer:
    """A learner that gets only the first panels, without the pictures and words of the others.

    ``learner`` is as for `scoring.judge`. Raises `InputError` for a learner that looks at pictures.

    Notes
    -----
    Networks are trained on six panels. Missing slots and words are masked in the same way as padding, so a network
    cannot tell that a panel was left out.

    Examples
    --------
    >>> from cogkit.mewl.learners.floors import reference
    >>> from cogkit.mewl.problems import making
    >>> scoring.judge(Fewer(reference("ideal-learner"), 0), making.episodes_of("number", n=3)).score.tolist()
    [0.2, 0.2, 0.2]
    """

    def __init__(self, learner, panels: int) -> None:
        self.learner, self.panels = learner, panels
        self.name, self.kind = getattr(learner, "name", type(learner).__name__), getattr(learner, "kind", "model")
        self.inputs = choose(getattr(learner, "inputs", "pixels"), INPUTS, "input that can be left out")
        self.tasks, self.supervision = getattr(learner, "tasks", TASKS), getattr(learner, "supervision", "")

    def score(self, question: Question) -> np.ndarray:
        """Return the learner's score of each option, (n, 5)."""
        return self.learner.score(cut_short(question, self.inputs, self.panels))


def oracle(task: str) -> Reference:
    """Return the ideal observer that knows which attribute the words of a task name.

    Examples
    --------
    >>> from cogkit.mewl.problems import making
    >>> answers = scoring.judge(oracle("shape"), making.episodes_of("shape", n=20))
    >>> answers.score.mean()
    np.float64(1.0)
    """
    place = ATTRIBUTES.index(choose(task, NAMED, "task with one attribute"))

    def weigh(trial) -> list[bool]:
        meanings, value = attribute.meant(trial, place) or {}, trial.query.things[0][place]
        return [attribute.may_mean(meanings, word, value) for word in trial.options]

    return Reference(f"ideal learner told: {task}", "observer", weigh, (task,))


def growth(learners: Sequence, episodes: Sequence[Episode]) -> pd.DataFrame:
    """Return the accuracy of learners after each number of panels, on the same episodes of one task.

    ``learners`` are as for `Fewer`. Columns: who, kind, inputs, task, panels (0 to 6), value, low, high (Wilson's), n
    (episodes).

    Examples
    --------
    >>> from cogkit.mewl.learners.floors import reference
    >>> from cogkit.mewl.problems import making
    >>> growth([reference("ideal-learner")], making.episodes_of("number", n=3)).value.iloc[[0, -1]].round(9).tolist()
    [0.2, 1.0]
    """
    rows = []
    for learner in learners:
        for panels in range(PANELS + 1):
            answers = scoring.judge(Fewer(learner, panels), episodes)
            score = answers.score
            limits = wilson(score.sum(), len(score))
            rows.append(answers.row(scoring.ACCURACY, score.mean(), len(score), limits) | {"panels": panels})
    columns = ["who", "kind", "inputs", "task", "panels", "value", "low", "high", "n"]
    return pd.DataFrame(rows, columns=columns)


def chances(answers: Answers) -> np.ndarray:
    """Return the probability that a learner gives to each option, (n, 5).

    The scores of a network are logarithms of probabilities. A floor or an observer gives the same probability to each
    option with the highest score.

    Examples
    --------
    >>> from cogkit.mewl.learners.floors import reference
    >>> from cogkit.mewl.problems import making
    >>> answers = scoring.judge(reference("elimination"), making.episodes_of("shape", n=2))
    >>> chances(answers).max(axis=1).round(2).tolist()
    [0.33, 0.33]
    """
    best = answers.scores.max(axis=1, keepdims=True)
    weights = np.exp(answers.scores - best) if answers.kind == "model" else (answers.scores == best).astype(float)
    return weights / weights.sum(axis=1, keepdims=True)


def above(rows: pd.DataFrame) -> pd.DataFrame:
    """Return result rows with accuracy rescaled: 0 is the accuracy of text alone, and 1 is all right.

    The rows of ``accuracy above text alone`` are those that ``rows`` already has, and a new one for each ``accuracy``
    that lacks one. A new row is computed from ``text alone`` on the same task and profile, if ``rows`` has it.

    Notes
    -----
    Printed numbers are compared with text alone on our own episodes of ``as_published``, because the released episodes
    are not available.

    Examples
    --------
    >>> from cogkit.app.experiments import compare
    >>> made = compare("mewl/text-alone", "mewl/ideal-learner", episodes=3)
    >>> set(above(made[made.metric == "accuracy"]).value)
    {0.0, 1.0}
    """
    accuracies = rows[(rows.metric == scoring.ACCURACY) & rows.task.isin(TASKS)]
    present = rows[(rows.metric == scoring.CORRECTED) & rows.task.isin(TASKS)]
    keys = ["who", "kind", "inputs", "profile", "preset", "task", "seed", "n"]
    gaps = ~pd.MultiIndex.from_frame(accuracies[keys]).isin(pd.MultiIndex.from_frame(present[keys]))
    floors = accuracies[accuracies.who == TEXT_ALONE].drop_duplicates(["profile", "task"], keep="last")
    floor = floors.set_index(["profile", "task"]).value.astype(float)
    sources = accuracies[gaps]
    base = floor.reindex(pd.MultiIndex.from_frame(sources[["profile", "task"]])).to_numpy()
    parts = {name: (sources[name].astype(float) - base) / (1 - base) for name in ("value", "low", "high")}
    return pd.concat([present, sources.assign(metric=scoring.CORRECTED, **parts)[~np.isnan(base)]], ignore_index=True)


def parts(rows: pd.DataFrame) -> pd.DataFrame:
    """Return what the success of a word learner of all nine tasks is due to: one row for each of `PARTS` that was run.

    Parameters
    ----------
    rows : DataFrame
        Result rows of both profiles, such as those of `mewl.results`.

    Returns
    -------
    DataFrame
        Columns ``changed``, ``seeds`` (how many runs), the accuracy on each of `TASKS`, a mean over the runs, and
        ``mean``, that over the nine tasks.

    Examples
    --------
    >>> from cogkit import mewl
    >>> parts(mewl.results()).columns[:3].tolist()
    ['changed', 'seeds', 'shape']
    """
    accuracy = rows[(rows.metric == "accuracy") & rows.task.isin(TASKS)]
    table = []
    for changed, (cell, profile) in PARTS.items():
        runs = accuracy[(accuracy.cell == f"mewl/{cell}") & (accuracy.profile == profile)]
        if len(runs):
            shares = runs.groupby("task").value.mean()[list(TASKS)]
            table.append({"changed": changed, "seeds": runs.seed.nunique(), **shares, "mean": shares.mean()})
    return pd.DataFrame(table, columns=["changed", "seeds", *TASKS, "mean"])
