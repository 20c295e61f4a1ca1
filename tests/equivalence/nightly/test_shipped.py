"""What the package ships of this instrument is what its own code gives: weights asked again, a cheap cell run again."""

from __future__ import annotations

import re

import numpy as np
import pytest
from cases import case
from shipping import TABLES, check, files_of, named, result_of, runs_of

from cogkit.app import experiments
from cogkit.data import results
from cogkit.equivalence.instrument import REFERENCES
from cogkit.equivalence.learners import agents, training
from cogkit.equivalence.problems.records import Design

SHIPPED = results.shipped_folder("equivalence")
WEIGHTS = sorted(SHIPPED.glob("*.safetensors"))
NEAR = 2e-4  # of some hundred thousand trials a few may fall otherwise where sums are taken in another order
CHEAP = "equivalence/standard/embedding/OTM/select-reject"


def test_results_are_those_of_cells_and_say_how_they_were_made():
    assert {path.name for path in files_of(SHIPPED)} == {path.name for path in WEIGHTS} | TABLES and WEIGHTS
    for run in runs_of(SHIPPED):
        with case(named(run)):
            check(run)
            manifest, rows = run
            network = not {*REFERENCES, "errors"} & {*manifest.cell.split("/")[1:3]}
            assert manifest.versions.get("torch") or not network
            assert all(re.search(r"cogkit, (bfloat16|float32)" if network else "cogkit", row["source"]) for row in rows)
            shares = [row["value"] for row in rows if row["value"] is not None and "consistency" not in row["metric"]]
            assert all(0 <= share <= 1 for share in shares)


def near(fresh, stored) -> bool:
    """Whether two rows are one, but for the order of summation; intervals are over four classes, and so less sure."""
    names = ("task", "metric", "kind", "who", "inputs", "n", "interval", "supervision")
    same = all(fresh[name] == stored[name] for name in names)
    values = [(fresh[name], stored[name], scale) for name, scale in (("value", 1), ("low", 5), ("high", 5))]
    missing = all((new is None or new != new) == (old is None) for new, old, _ in values)
    among = 50 if "among errors" in fresh["metric"] else 1  # few errors make a share of them unsure
    return same and missing and all(old is None or abs(new - old) <= NEAR * scale * among for new, old, scale in values)


@pytest.mark.parametrize("path", WEIGHTS, ids=lambda path: path.stem)
def test_shipped_weights_are_found_by_name_and_give_their_shipped_rows(path, one_thread):
    (manifest, rows), agent = result_of(path, SHIPPED), training.read(path)
    fresh = training.assess(agent, manifest.profile, manifest.seed) + training.curve(agent)
    assert len(fresh) == len(rows)
    apart = [(new, old) for new, old in zip(fresh, rows, strict=True) if not near(new, old)]
    assert not apart, apart[:3]
    config = agent.config
    named_agent = training.load(config.agent, design=config.design)
    assert named_agent.config == config == agents.config(config.agent, "lab", design=config.design)
    log = named_agent.log
    assert list(log)[:1] == ["step"] and not log.isna().any().any()
    assert np.isclose(log.step.iloc[-1], config.recipe.steps)


def test_a_cheap_cell_run_again_gives_what_is_shipped(tmp_path):
    (cell,) = experiments.cells(CHEAP)
    _, rows = results.Shipped(SHIPPED).read(cell.id, "verified", "lab", 0)
    _, fresh = experiments.run_cell(cell, "verified", "lab", 0)
    assert len(fresh) == len(rows) and Design("OTM", negatives="standard").condition in rows[0]["task"]
    assert all(abs(new["value"] - old["value"]) <= 0.02 for new, old in zip(fresh, rows, strict=True))
