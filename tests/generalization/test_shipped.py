"""What ships is what these functions make: scored again its rows, fitted again its answers; and a new seed fits in."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.data import results
from cogkit.generalization import instrument
from cogkit.generalization.learners import players, predictions, rows, training
from cogkit.generalization.paper import claims
from cogkit.generalization.suites import FitConfig, side

AGAIN = ("Linear 3", "Poly 0", "Circles 7", "Iris 0")
SEEDS = 20
NEW = 20  # a seed that is not among the shipped


@pytest.fixture(scope="module")
def published() -> pd.DataFrame:
    return results.shipped("generalization", "lab", "as_published")


def test_twenty_seeds_of_every_cell_ship(published):
    cells = {cell.id for cell in instrument.cells()}
    assert set(published.cell) == cells
    assert all(set(part.seed) == set(range(SEEDS)) for _, part in published.groupby("cell"))


def test_scored_again_the_shipped_answers_give_the_shipped_rows(published):
    held = predictions.shipped()
    made = pd.DataFrame(list(rows.of_sides(held)))
    kept = published[(published.cell == instrument.REPRO62) & (published.seed == held.seed)].reset_index(drop=True)
    assert kept[["task", "who", "metric", "n"]].equals(made[["task", "who", "metric", "n"]])
    assert kept.value.to_numpy() == pytest.approx(made.value.to_numpy(), rel=1e-9)  # stored to ten digits
    told = pd.DataFrame(list(rows.of_components(held, held.seed)))
    kept = results.shipped("generalization").query("cell == @instrument.REPRO62 and seed == @held.seed")
    for name in ("value", "low", "high"):
        assert kept[name].to_numpy() == pytest.approx(told[name].to_numpy(), abs=1e-9)


@pytest.mark.parametrize("name", AGAIN)
def test_fitted_again_a_task_gives_the_shipped_answers(name):
    held = predictions.shipped()
    again, place = predictions.empty(held.config, held.seed), held.names.index(name)
    predictions.put(again, place, players.play(held.config, held.seed, name))
    for array in ("truth", "predicted", "under_shift", "sizes"):
        assert (getattr(again, array)[place] == getattr(held, array)[place]).all(), array
    assert again.relevance[:, place] == pytest.approx(held.relevance[:, place], nan_ok=True)


def test_a_new_seed_lies_where_twenty_say(published):
    """One more run is to be expected within mean ± 4 sd √(1 + 1/20) of the twenty, statistic by statistic."""
    kept = published[published.cell == instrument.REPRO62]
    known = claims.statistics(kept)
    config = next(cell for cell in instrument.cells() if cell.id == instrument.REPRO62).configs["lab"]
    made = pd.DataFrame(list(rows.of_sides(training.fit_now(config, NEW))))
    (new,) = claims.statistics(made.assign(cell=instrument.REPRO62, seed=NEW)).to_dict("records")
    # p values are bounded and far from normal; their own logarithms and signs are told by the other statistics.
    names = [name for name in known if not name.startswith(("p ", "Wilcoxon", "re-pairing"))]
    assert len(names) > 40
    reach = 4 * known.std() * np.sqrt(1 + 1 / len(known))
    outside = {name: new[name] for name in names if abs(new[name] - known[name].mean()) > reach[name] + 1e-12}
    assert outside == {}


def test_the_defects_are_there_in_every_seed(published):
    # Facts, § 4: most of the agreement is built in (.39 to .72 where accuracies are reassigned).
    known = claims.statistics(published[published.cell == instrument.REPRO62])
    assert known["agreement after re-pairing accuracies"].between(0.39 - 0.1, 0.72 + 0.15).all()
    assert (known["re-pairing found"] < 0.5).all()


def test_shuffled_labels_train_machines_alone():
    config = next(cell for cell in instrument.cells() if cell.id == instrument.SHUFFLED).configs["lab"]
    assert config == FitConfig(labels="shuffled", players=side("model"))
