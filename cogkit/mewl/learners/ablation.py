"""What an answer rests on: how it grows from no panel to all six, and how far it is above what text alone gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from cogkit.core.contracts import InputError
from cogkit.core.presets import choose
from cogkit.mewl import scoring
from cogkit.mewl.learners.floors import Reference
from cogkit.mewl.problems.episodes import PANELS, TASKS, Episode, Question
from cogkit.mewl.problems.tasks import NAMED, attribute
from cogkit.mewl.scoring import Answers
from cogkit.mewl.world.things import ATTRIBUTES
from cogkit.stats import wilson

TEXT_ALONE = "text alone"  # the floor that hears all and looks at nothing


def _cut(question: Question, panels: int) -> Question:
    return replace(question, utterances=tuple(said[:panels] for said in question.utterances))


def _hushed(question: Question, panels: int) -> tuple[tuple[str, ...], ...]:
    return tuple(said[:panels] + ("",) * (PANELS - panels) for said in question.utterances)


def _untold(question: Question, panels: int) -> Question:
    shown = [told[:panels] + ("",) * (PANELS - panels) + told[PANELS:] for told in question.shown]
    return replace(question, shown=shown, utterances=_hushed(question, panels))


def _emptied(question: Question, panels: int) -> Question:
    shown = np.array(question.shown)
    shown[:, panels:PANELS] = 0
    return replace(question, shown=shown, utterances=_hushed(question, panels))


_WITHOUT: dict[str, Callable[[Question, int], Question]] = {
    "symbols": _cut, "captions": _untold, "true slots": _emptied,
}  # fmt: skip
INPUTS = tuple(_WITHOUT)  # of which it can be said that there is nothing; a picture of nothing is a picture still


class Fewer:
    """A learner that is shown the first panels only, and neither sees nor hears the others.

    Parameters
    ----------
    learner : object
        As `scoring.judge` takes it.
    panels : int
        0 to 6.

    Raises
    ------
    InputError
        Another number of panels, or a learner that looks at pictures.

    Notes
    -----
    Networks are trained on six panels. A slot or a word that is not there is masked as what fills a batch is, so that
    nothing tells of a panel that is left out.

    Examples
    --------
    >>> from cogkit.mewl.learners.floors import reference
    >>> scoring.judge(Fewer(reference("ideal-learner"), 0), scoring.episodes_of("number", n=3)).score.tolist()
    [0.2, 0.2, 0.2]
    """

    def __init__(self, learner, panels: int) -> None:
        if panels not in range(PANELS + 1):
            raise InputError(f"{panels} panels", f"0 to {PANELS}")
        self.learner, self.panels = learner, panels
        self.name, self.kind = getattr(learner, "name", type(learner).__name__), getattr(learner, "kind", "model")
        self.inputs = choose(getattr(learner, "inputs", "pixels"), INPUTS, "input that can be left out")
        self.tasks = getattr(learner, "tasks", TASKS)

    def score(self, question: Question) -> np.ndarray:
        """Return what the learner gives to each option, (n, 5)."""
        return self.learner.score(_WITHOUT[self.inputs](question, self.panels))


def told(task: str) -> Reference:
    """Return the ideal learner that has been told which attribute the words of a task are about.

    Examples
    --------
    >>> answers = scoring.judge(told("shape"), scoring.episodes_of("shape", n=20))
    >>> answers.score.mean()
    np.float64(1.0)
    """
    place = ATTRIBUTES.index(choose(task, NAMED, "task with one attribute"))

    def weigh(asked) -> list[bool]:
        meant, value = attribute.meant(asked, place) or {}, asked.query.things[0][place]
        return [attribute.may_mean(meant, word, value) for word in asked.options]

    return Reference(f"ideal learner told: {task}", "observer", weigh, (task,))


def growth(learners: Sequence, episodes: Sequence[Episode]) -> pd.DataFrame:
    """Return how right learners are after each number of panels, on the same episodes of one task.

    Parameters
    ----------
    learners : sequence
        As `Fewer` takes them.
    episodes : sequence of Episode

    Returns
    -------
    DataFrame
        Columns who, kind, inputs, task, panels (0 to 6), value, low, high (Wilson's), n (episodes).

    Examples
    --------
    >>> from cogkit.mewl.learners.floors import reference
    >>> growth([reference("ideal-learner")], scoring.episodes_of("number", n=3)).value.iloc[[0, -1]].round(9).tolist()
    [0.2, 1.0]
    """
    rows = []
    for learner in learners:
        for panels in range(PANELS + 1):
            answers = scoring.judge(Fewer(learner, panels), episodes)
            score = answers.score
            low, high = wilson(score.sum(), len(score))
            rows.append({
                "who": answers.who, "kind": answers.kind, "inputs": answers.inputs, "task": answers.task,
                "panels": panels, "value": float(score.mean()), "low": float(low), "high": float(high), "n": len(score),
            })  # fmt: skip
    columns = ["who", "kind", "inputs", "task", "panels", "value", "low", "high", "n"]
    return pd.DataFrame(rows, columns=columns)


def chances(answers: Answers) -> np.ndarray:
    """Return how likely a learner holds each option to be, (n, 5).

    Of a network, whose scores are logarithms, those; floors and observers share it among the options that they keep.

    Examples
    --------
    >>> from cogkit.mewl.learners.floors import reference
    >>> answers = scoring.judge(reference("elimination"), scoring.episodes_of("shape", n=2))
    >>> chances(answers).max(axis=1).round(2).tolist()
    [0.33, 0.33]
    """
    best = answers.scores.max(axis=1, keepdims=True)
    given = np.exp(answers.scores - best) if answers.kind == "model" else (answers.scores == best).astype(float)
    return given / given.sum(axis=1, keepdims=True)


def above(rows: pd.DataFrame) -> pd.DataFrame:
    """Return result rows of how much of the way from text alone to all right each player went.

    Parameters
    ----------
    rows : DataFrame
        Result rows, those of ``text alone`` among them.

    Returns
    -------
    DataFrame
        Rows of ``accuracy above text alone``: those that are there, and one for each ``accuracy`` on a task that lacks
        one, by text alone on the task's episodes of the same profile; none where that is not known.

    Notes
    -----
    Of printed numbers it is what text alone gives to our own episodes of ``as_published``: the released ones could not
    be had.

    Examples
    --------
    >>> from cogkit.app.experiments import compare
    >>> made = compare("mewl/text-alone", "mewl/ideal-learner", episodes=3)
    >>> set(above(made[made.metric == "accuracy"]).value)
    {0.0, 1.0}
    """
    whole = rows[(rows.metric == scoring.ACCURACY) & rows.task.isin(TASKS)]
    there = rows[(rows.metric == scoring.CORRECTED) & rows.task.isin(TASKS)]
    known = ["who", "kind", "inputs", "profile", "preset", "task", "seed", "n"]
    lacking = ~pd.MultiIndex.from_frame(whole[known]).isin(pd.MultiIndex.from_frame(there[known]))
    floors = whole[whole.who == TEXT_ALONE].drop_duplicates(["profile", "task"], keep="last")
    floor = floors.set_index(["profile", "task"]).value.astype(float)
    made = whole[lacking]
    least = floor.reindex(pd.MultiIndex.from_frame(made[["profile", "task"]])).to_numpy()
    parts = {name: (made[name].astype(float) - least) / (1 - least) for name in ("value", "low", "high")}
    return pd.concat([there, made.assign(metric=scoring.CORRECTED, **parts)[~np.isnan(least)]], ignore_index=True)
