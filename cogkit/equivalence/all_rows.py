"""Everybody on stimulus equivalence, for the common scale: networks, floors, observer, and the reader."""

from __future__ import annotations

import pandas as pd

from cogkit.core import seeding
from cogkit.data import results
from cogkit.equivalence.people import study
from cogkit.equivalence.problems import records
from cogkit.equivalence.scoring import judge
from cogkit.study.error_consistency import ErrorsConfig, error_rows, is_errors
from cogkit.study.trials import Trials

_DERIVED = records.TYPES[1:]
_CONDITIONS = [f"{structure}/{relation}" for structure in records.STRUCTURES for relation in records.RELATIONS[:2]]
_ASKED = "LS/select-reject"  # the condition of the networks that are shipped


def rows(profile: str = "verified") -> pd.DataFrame:
    """Return result rows of everybody on the derived pairs of the paper's six conditions, and of shared errors.

    No study of people gives shares that could stand here; the reader's sittings do.

    Examples
    --------
    >>> {"GPT", "E-EPS", "associative, directed"} <= set(rows().who)
    True
    """
    derived = [f"{condition}/{name}" for condition in _CONDITIONS for name in _DERIVED]
    shipped = results.shipped("equivalence", profile=profile)
    yours = study.rows(Trials().frame(instrument="equivalence"))
    yours = yours.assign(who="you", cell="equivalence/you", profile=profile)
    table = pd.concat([shipped, results.people("equivalence"), yours], ignore_index=True)
    return table[table["task"].isin(derived) | is_errors(table)].reset_index(drop=True)


def errors(config: ErrorsConfig, profile: str, seed: int) -> list[dict]:
    """Return result rows on whether a shortcut and the shipped networks err on the same trials.

    So many trials of every pair and class are asked; a cluster is a pair in a class.
    """
    from cogkit.equivalence.learners import references, training  # torch, which result rows do not need

    structure, relation = _ASKED.split("/")
    design = records.Design(structure, relation)
    probe = records.probe(design, config.n, seeding.stream(seed, "equivalence/errors"))
    learners = [references.trained(references.REFERENCES["associative-undirected"](design), 0)]
    learners += [training.load(name, "lab", design=design) for name in ("gpt", "bert")]
    answers = [judge(learner, probe, profile=profile, seed=seed) for learner in learners]
    index = pd.Index(probe.pair.astype(int) * design.classes + probe.classes)
    right = pd.DataFrame({each.who: each.choices["argmax"] == probe.correct for each in answers}, index)
    players = {each.who: each.player for each in answers}
    return error_rows(right, players, _ASKED, seeding.stream(seed, "equivalence/errors/bootstrap"))
