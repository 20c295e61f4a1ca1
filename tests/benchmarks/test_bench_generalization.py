"""The speed of the 62 tasks and of scoring them again, beside rivals that do the same, in the same run.

Not part of the test run::

    .venv/bin/python -m pytest -o addopts="" -s tests/benchmarks/test_bench_generalization.py

The rivals: for the suite, what a reader would write, one learner after the other with the library's own ``n_jobs``
where it has one (the best of those tried); for scoring again at other constants, the same formula task by task.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from cogkit.generalization.learners import groups, players, predictions, training
from cogkit.generalization.learners.groups import Choices
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.metric import relevance
from cogkit.generalization.metric.gr_star import Constants
from cogkit.generalization.problems import records
from cogkit.generalization.suites import FitConfig, Suite

_TASKS = int(os.environ.get("COGKIT_BENCH_TASKS", "10"))  # a family; one makes a dry run
_ROUNDS = 50


def wall(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def one_by_one(suite: Suite, jobs: int | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for problem in records.problems(suite, 0):
            for make in players.LEARNERS.values():
                model = make(problem.seed)
                if "n_jobs" in model.get_params():
                    model.set_params(n_jobs=jobs)
                model.fit(problem.x, problem.y).predict(problem.x_test)
            for relevant in relevance.SOURCES.values():
                relevant(problem.x, problem.y)


def again(made: predictions.Fitted, constants: Constants) -> list[float]:
    scores = groups.score(made)
    values = []
    for row in scores.itertuples():
        values.append(float(metric.gr_star(row.accuracy, row.alignment, row.abstraction, row.n, row.s, constants)))
    return values


def test_the_suite():
    suite = Suite(_TASKS)
    ours = wall(lambda: training.fit_now(FitConfig(suite), 0))
    theirs = {jobs: wall(lambda jobs=jobs: one_by_one(suite, jobs)) for jobs in (None, 2, -1)}
    print(f"\n{len(suite.names)} tasks, six learners: seconds on the wall")
    print("ours", round(ours, 1))
    print("one by one", {f"n_jobs {jobs}": round(seconds, 1) for jobs, seconds in theirs.items()})
    print(f"ratio of the best: {min(theirs.values()) / ours:.2f}")


def test_scoring_again():
    answers = predictions.shipped()
    constants = [Constants(tau=tau) for tau in np.linspace(0, 1, _ROUNDS)]
    ours = wall(lambda: [groups.score(answers, Choices(constants=setting)) for setting in constants]) / _ROUNDS
    theirs = wall(lambda: [again(answers, setting) for setting in constants[:10]]) / 10
    print(
        f"\n62 tasks scored again: {1e3 * ours:.1f} ms, task by task {1e3 * theirs:.1f} ms, ratio {theirs / ours:.1f}"
    )
