"""The instrument as the house finds it: its cells, what they give, and learners by name."""

from __future__ import annotations

import itertools

import pytest

from cogkit.app import experiments
from cogkit.core.errors import InputError
from cogkit.core.items import overlap
from cogkit.equivalence import instrument
from cogkit.equivalence.instrument import INSTRUMENT
from cogkit.equivalence.learners import agents
from cogkit.equivalence.learners.references import FloorConfig
from cogkit.equivalence.problems.records import RELATIONS, STRUCTURES, TYPES, Design


def test_every_learner_has_a_cell_under_every_condition_and_the_papers_are_two_patterns():
    names = [cell.id for cell in experiments.cells("equivalence/gpt/*", "equivalence/bert/*")]
    paper = [f"{structure}/{relation}" for structure in STRUCTURES for relation in RELATIONS[:2]]
    assert sorted(names) == sorted(f"equivalence/{who}/{condition}" for who in ("gpt", "bert") for condition in paper)
    cells = [cell for cell in INSTRUMENT.cells() if cell.id != "equivalence/errors"]
    designs = {cell.id: cell.configs["quick"].design.condition for cell in cells}
    assert len(designs) == len(cells) and set(names) <= set(designs)
    expected = {}
    for name, structure, relation in itertools.product({*instrument.REFERENCES, *agents.NAMES}, STRUCTURES, RELATIONS):
        task, biased = f"{structure}/{relation}", "" if relation in RELATIONS[:2] else "biased/"
        expected[f"equivalence/{biased}{name}/{task}"] = task
        expected[f"equivalence/standard/{name}/{task}"] = f"{task}/standard"
    assert designs == expected


def test_a_cell_of_a_floor_gives_the_known_shares():
    rows = experiments.compare("equivalence/associative-undirected/OTM/select-reject", profile="verified")
    rows = rows[rows.metric == "accuracy, expected"].set_index("task").value
    shares = [round(rows[f"OTM/select-reject/{name}"], 3) for name in (*TYPES, "trained")]
    assert shares == [1, 0.473, 1, 0.386, 1]  # exact shares: facts § 4.1


def test_learners_by_name():
    learner = INSTRUMENT.learner("associative-undirected", "MTO/select-only")
    assert learner.name == "associative, undirected" and learner.scores.shape == (49, 49)
    assert INSTRUMENT.learner("eps", Design("OTM", members=3), seed=1).config.design.members == 3
    with pytest.raises(InputError, match="wanted a learner without a network .*did you mean 'e-eps'"):
        INSTRUMENT.learner("eeps", Design())


def test_no_derived_trial_or_relation_is_trained():
    """By plain comparison of names; of baseline trials all are, where the wrong comparisons are those of the test."""
    for structure, relation in itertools.product((*STRUCTURES, ("AB", "CB")), RELATIONS):
        condition = Design(structure, relation, "standard", members=3)
        learnt, test = (INSTRUMENT.items(condition, part=part) for part in ("train", "test"))
        known, derived = {*learnt.names}, test[test.types != "baseline"]
        assert not known & {*derived.names}
        leaks = {e.what: overlap(e.train, e.test) for e in INSTRUMENT.exposures(FloorConfig(condition), "verified", 0)}
        assert leaks == {"trials": [], "relations": []}
        assert len(overlap(learnt, test)) == len(known & {*test.names})
        assert len(overlap(learnt, test)) == (len(learnt) if relation == "select-reject" else 0)
    (*_, exposure) = INSTRUMENT.exposures(FloorConfig(Design()), "verified", 0)
    assert len(exposure.train) == 24 and len(exposure.test) == 4 * 7 * 7 - 24  # six pairs, four classes
