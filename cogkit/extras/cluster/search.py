"""The search for an agent's settings: as many trials of the same length for every kind of agent, on the same rules.

It needs ``pip install "cogkit[cluster]"``. A search is a file; the same call goes on with it after any kill::

    from cogkit.extras.cluster.search import SearchConfig, search

    table = search(SearchConfig("convolutional"), "convolutional.journal")
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from cogkit.core.errors import InputError
from cogkit.core.identity import plain
from cogkit.extras import require
from cogkit.learning import run
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, standards, training
from cogkit.tiles.problems.yardstick import Yardstick
from cogkit.tiles.rules.boards import Items

if TYPE_CHECKING:
    import optuna

_PASSES = 20
# Settings that are tried: the least and the most of a number, drawn evenly on a log scale, or the choices.
_SPACE: dict[str, Any] = {
    "learning_rate": (1e-3, 2e-2),
    "entropy": (3e-3, 1e-1),
    "batch": [64, 128, 256],
    "clicks": [4, 6, 10, 16],
    "gamma": [0.8, 0.9, 0.95],
    "lam": [0.6, 0.8, 0.95],
}


@dataclass(frozen=True)
class SearchConfig:
    """The size of a search.

    Attributes
    ----------
    agent : str
        One of `agents.KINDS`.
    rules : tuple of str
        Rules that every trial learns, an agent each.
    trials : int
        Settings that are tried; pruned ones count, and those that broke off do not.
    clicks : int
        Clicks of each agent of a trial.
    n_evals : int
        How often a trial is compared with others, and given up if it does worse than half of them.
    seed : int
        Of the settings that are tried, and of every training.
    """

    agent: str
    rules: tuple[str, ...] = ("rectangle", "symmetry")
    trials: int = 12
    clicks: int = 300_000
    n_evals: int = 6
    seed: int = 0

    def __post_init__(self) -> None:
        for rule in self.rules:
            agents.config(self.agent, "lab", task=f"{rule}/abstract")
        longest = max(_SPACE["batch"]) * max(_SPACE["clicks"])
        if not self.rules or self.n_evals < 1 or self.clicks < longest:
            got = f"{len(self.rules)} rules, {self.n_evals} evaluations and {self.clicks} clicks"
            raise InputError(got, f"at least one rule, one evaluation, and {longest} clicks (one update)")


def search(config: SearchConfig, path) -> pd.DataFrame:
    """Run a search, or go on with it, and return its trials.

    A trial trains one agent a rule and is worth their mean skill on validation boards: 0 plays as the nearest neighbour
    does, 1 as the ideal observer. No board of any test is played. Settings are proposed by the tree-structured Parzen
    estimator, and trials below the median of the others at the same step are pruned, as in the paper.

    Parameters
    ----------
    config : SearchConfig
        How many trials, and of what.
    path : path
        The journal of the search, which is made if it is not there. One process at a time works on it.

    Returns
    -------
    DataFrame
        One row a trial: ``trial``, ``state`` (complete, pruned), ``skill`` (the last one), and its settings.

    Raises
    ------
    InputError
        optuna is not installed, or the file holds another search, or none.
    """
    require("cluster", "optuna")
    import optuna  # as below: of an extra, and few people search

    study = _study(config, Path(path))
    for trial in study.get_trials(deepcopy=False, states=[optuna.trial.TrialState.RUNNING]):
        # a process was killed: a journal has no heartbeat that would tell. Its settings are tried again.
        study.enqueue_trial(trial.params)
        study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
    tests = {rule: _test(config, f"{rule}/abstract") for rule in config.rules}
    while (left := config.trials - len(trials(study))) > 0:
        study.optimize(lambda trial: _skill(trial, config, tests), n_trials=left)
    return trials(study)


def trials(study: optuna.Study) -> pd.DataFrame:
    """Return the trials of a study that came to an end; see `search`."""
    rows = [
        {"trial": trial.number, "state": trial.state.name.lower(), "skill": max(trial.intermediate_values.items())[1]}
        | trial.params
        for trial in study.get_trials(deepcopy=False)
        if trial.state.name in ("COMPLETE", "PRUNED") and trial.intermediate_values
    ]
    return pd.DataFrame(rows, columns=["trial", "state", "skill", *_SPACE])


def _study(config: SearchConfig, path: Path) -> optuna.Study:
    import optuna

    path.parent.mkdir(parents=True, exist_ok=True)
    _repair(path)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        storage = optuna.storages.JournalStorage(optuna.storages.journal.JournalFileBackend(str(path)))
        study = optuna.create_study(storage=storage, study_name="tiles", direction="maximize", load_if_exists=True)
        ours = plain(config) | {"space": plain(_SPACE)}
        theirs = dict(study.user_attrs.get("search", ours))
        trials(study)
    except Exception as error:  # optuna raises any exception for lines of a journal that are not its own
        raise _foreign(f"{path} with {type(error).__name__}") from None
    if theirs != ours:
        names = [name for name in ours if ours[name] != theirs.get(name)]
        got = f"{path} of another search (its {', '.join(names)})"
        raise InputError(got, "the journal of this search", "give each search its own file")
    study.set_user_attr("search", ours)
    # a sampler that resumed with the same seed would propose again what it has proposed
    study.sampler = optuna.samplers.TPESampler(
        multivariate=True, n_startup_trials=5, seed=config.seed + 1000 * len(study.get_trials(deepcopy=False))
    )
    study.pruner = optuna.pruners.MedianPruner(n_startup_trials=4, n_warmup_steps=1)
    return study


def _repair(path: Path) -> None:
    """Clear away half a last line, as a full disk may leave it; raise `InputError` if the file is no journal.

    optuna would write on behind half a line, and behind any text of one line.
    """
    content = path.read_bytes() if path.is_file() else b""
    if content and not content.startswith(b'{"op_code":'):
        raise _foreign(str(path))
    if content and not content.endswith(b"\n"):
        os.truncate(path, content.rfind(b"\n") + 1)


def _foreign(got: str) -> InputError:
    return InputError(got, "the journal of a search", "name another file")


def _test(config: SearchConfig, task: str) -> tuple[Items, Yardstick, np.ndarray | None]:
    items = agents.pools(agents.config(config.agent, "lab", task=task), config.seed).validation
    return items, *standards.standards(items, _PASSES, config.seed)


def _skill(trial: optuna.Trial, config: SearchConfig, tests: Mapping[str, tuple]) -> float:
    """Return the mean skill of a trial's agents on validation boards."""
    from optuna import TrialPruned

    settings: dict[str, Any] = {
        name: trial.suggest_categorical(name, values)
        if isinstance(values, list)
        else trial.suggest_float(name, *values, log=True)
        for name, values in _SPACE.items()
    }
    steps = config.clicks // (settings["batch"] * settings["clicks"])
    runs = [_course(config, f"{rule}/abstract", settings | {"steps": steps}, test) for rule, test in tests.items()]
    for look, skills in enumerate(zip(*runs, strict=True)):
        trial.report(value := float(np.mean(skills)), look)
        if trial.should_prune():
            raise TrialPruned
    return value


def _course(config: SearchConfig, task: str, settings: Mapping[str, Any], test: tuple) -> Iterator[float]:
    """Yield the skill of an agent on its validation boards, ``n_evals`` times in its training."""
    items, yardstick, ideal = test
    how = agents.config(config.agent, "lab", task=task, **settings)
    steps = how.recipe.steps
    fit = training.train(how, config.seed, evaluate_every=steps + 1, log_every=steps)
    for look in range(1, config.n_evals + 1):
        fit.steps = steps * look // config.n_evals
        result = run(fit)
        if fit._stop:  # a keyboard interrupt, which ends the search and not this agent alone
            raise KeyboardInterrupt
        agent = training.to_agent(result)  # nothing was evaluated, so it is the agent as it is now
        answers = scoring.judge(agent, items, passes=_PASSES, seed=config.seed)
        yield scoring.skill(answers.blue.mean(axis=0), yardstick.mean, ideal)
