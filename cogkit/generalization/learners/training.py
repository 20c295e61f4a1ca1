"""Training of all players on all tasks of a suite, one task per step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from cogkit.data.home import home
from cogkit.generalization.learners import players, predictions, rows
from cogkit.generalization.learners.predictions import Fitted
from cogkit.generalization.suites import FitConfig, measured
from cogkit.learning import Fit, State, run


def suite_fit(config: FitConfig, seed: int, **options) -> Fit:
    """Return the run that trains every player on every task. Each step is one task.

    The seed of each learner is that of its task. ``options`` go to `learning.Fit`.

    Examples
    --------
    >>> from cogkit.generalization.suites import Suite
    >>> config = FitConfig(Suite(1, ("Moons", "Circles")), players=("naive Bayes",))
    >>> to_fitted(run(suite_fit(config, 0)).state, config, 0).accuracy().round(2)
    array([[0.87],
           [1.  ]])
    """

    def setup(_, rng) -> State:
        arrays = vars(predictions.empty(config, seed)).copy()
        del arrays["config"], arrays["seed"]
        return State(rng, arrays=arrays, scalars={"task": 0})

    def step(state: State) -> dict[str, float]:
        task = state.scalars["task"]
        problem, answers, weights = players.play(config, seed, config.suite.names[task])
        predictions.put(to_fitted(state, config, seed), task, problem, answers, weights)
        state.scalars["task"] = task + 1
        right = [own.right.mean() for own in answers.values()]
        return {"accuracy": float(np.mean(right)) if right else float("nan")}

    return Fit(setup, step, config, steps=len(config.suite.names), seed=seed, save_every=10, **options)


def checkpoint(preset: str, seed: int) -> Path:
    """Return the reader's own file for a run over the suite of a preset."""
    return home() / "agents" / f"suite-{preset}-s{seed}.safetensors"


def to_fitted(state: State, config: FitConfig, seed: int) -> Fitted:
    """Return the arrays of a run, which share memory with its state."""
    return Fitted(config, seed, **state.arrays)


def fit_now(config: FitConfig, seed: int) -> Fitted:
    """Make the answers of all players on a suite now."""
    return to_fitted(run(suite_fit(config, seed)).state, config, seed)


def rows_of(config: FitConfig, profile: str, seed: int, keep: Callable | None = None) -> list[dict]:
    """Train a suite now, and return its result rows; see `Cell`.

    They are components of every player, or under ``as_published`` GR* of both sides.
    """
    answers = fit_now(measured(config) if profile == "verified" else config, seed)
    if keep:
        keep(lambda folder, manifest: answers.save(folder / f"repro62-s{seed}.npz"))
    return list(rows.of_components(answers, seed) if profile == "verified" else rows.of_sides(answers))
