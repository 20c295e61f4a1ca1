"""Everybody on stimulus equivalence, for the common scale: networks, floors, observer, and the reader."""

from __future__ import annotations

import pandas as pd

from cogkit.core import seeding
from cogkit.core.contracts import RESULT_COLUMNS
from cogkit.data import results
from cogkit.equivalence import instrument
from cogkit.equivalence.people import study
from cogkit.equivalence.problems import records
from cogkit.equivalence.scoring import judge, summarise
from cogkit.study.trials import Trials

_EACH = 20  # trials of every pair and class that floors and observers are asked; they answer alike all over
_ASKED = {"quick": 5, "lab": 20, "paper": 100}  # the same for the comparison of errors
_CONDITION = "LS/select-reject"
_RELATIONS = ("select-reject", "select-only")  # those of the paper


def rows(profile: str = "verified") -> pd.DataFrame:
    """Return result rows of everybody on the derived pairs of the paper's six conditions.

    Floors and observers are asked some trials of every pair and class. No study of people gives shares that could stand
    here; the reader's sittings do.

    Examples
    --------
    >>> {"GPT", "E-EPS", "associative, directed"} <= set(rows().who)
    True
    """
    conditions = [f"{structure}/{relation}" for structure in records.STRUCTURES for relation in _RELATIONS]
    asked = []
    for condition in conditions:
        design = instrument.design(condition)
        probe = records.probe(design, _EACH, seeding.stream(0, "probe"))
        for name in instrument.REFERENCES:
            asked += summarise(judge(instrument.learner(name, condition), probe, profile=profile))
    for answers in study.from_trials(Trials().frame(instrument="equivalence")):
        asked += [row | {"who": "you"} for row in summarise(answers)]
    common = {"instrument": "equivalence", "profile": profile, "preset": "lab", "seed": 0, "cell": "equivalence/probe"}
    everybody = pd.DataFrame([common | row for row in asked], columns=list(RESULT_COLUMNS))
    table = pd.concat([results.shipped("equivalence", profile=profile), everybody], ignore_index=True)
    derived = [f"{condition}/{name}" for condition in conditions for name in records.TYPES if name != "baseline"]
    return table[table.task.isin(derived)].reset_index(drop=True)


def right(preset: str = "quick", seed: int = 0) -> pd.DataFrame:
    """Return which trials a shortcut and the shipped networks get right; a cluster is a pair of members in a class."""
    design = instrument.design(_CONDITION)
    probe = records.probe(design, _ASKED[preset], seeding.stream(seed, "probe"))
    learners = [instrument.learner("associative-undirected", _CONDITION)]
    learners += [instrument.load(name, _CONDITION) for name in ("gpt", "bert")]
    columns = {}
    for learner in learners:
        answers = judge(learner, probe, seed=seed)
        columns[learner.name] = (answers.choices["argmax"] == probe.correct).astype(float)
    clusters = probe.pair.astype(int) * design.classes + probe.classes
    index = pd.MultiIndex.from_arrays([clusters, range(len(probe))], names=["cluster", "item"])
    return pd.DataFrame(columns, index)
