"""The life of a trained learner: trained, assessed, saved, read again, shipped. It stands here once.

An instrument says in one `Lifecycle` what is its own: configs, networks, the training run, what a learner is worth.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from torch import nn

from cogkit.core import identity
from cogkit.core.contracts import Manifest
from cogkit.core.presets import Kind
from cogkit.data import results
from cogkit.learning import weights
from cogkit.learning.fit import Fit, Result, run
from cogkit.learning.supervised import trained

Rows = list[dict[str, Any]]


class Agent:
    """A trained network as a learner; an instrument's own class adds how it is asked.

    Parameters
    ----------
    network : nn.Module
        Not copied.
    config : frozen dataclass
        How it was trained.

    Attributes
    ----------
    log : DataFrame or None
        The training log, one row for each evaluation.
    manifest : Manifest or None
        The run that made the agent, where it was read from a file.
    """

    kind = "model"

    def __init__(self, network: nn.Module, config: Any) -> None:
        self.network, self.config = network, config
        self.log: pd.DataFrame | None = None
        self.manifest: Manifest | None = None


@dataclass(frozen=True, eq=False)
class Lifecycle:
    """How the trained learners of one instrument live.

    Attributes
    ----------
    noun : str
        What a file of weights holds, as errors say it, such as "an agent of MEWL".
    folder : Path
        Where the package keeps the weights and results that it ships.
    file : str
        The name of a file of weights, a template of ``config``, ``profile``, ``preset`` and ``seed``.
    kinds : mapping
        Each kind of learner by its name, which is the field ``key`` of a config.
    config : callable
        ``config(name, preset, **changes) -> config``.
    build : callable
        ``build(config) -> nn.Module``, a fresh network.
    agent : callable
        ``agent(network, config) -> Agent``.
    train : callable
        ``train(config, seed, profile, **options) -> Fit``; what is trained beforehand is trained before it returns.
        ``options`` go to `learning.Fit`.
    assess : callable
        ``assess(agent, profile, seed) -> result rows``.
    curve : callable
        ``curve(agent) -> result rows`` of its training log.
    key : str
        The field of a config that names its kind.
    """

    noun: str
    folder: Path
    file: str
    kinds: Mapping[str, Kind]
    config: Callable[..., Any]
    build: Callable[[Any], nn.Module]
    agent: Callable[[nn.Module, Any], Any]
    train: Callable[..., Fit]
    assess: Callable[[Any, str, int], Rows]
    curve: Callable[[Any], Rows] = lambda agent: []
    key: str = "agent"

    def to_agent(self, result: Result) -> Any:
        """Return the agent that a run has come to: the best in validation, or the last where there was none.

        Its weights are rounded to half precision, so that it answers as it will once saved and read again.
        """
        network = self.build(result.config)
        network.load_state_dict(weights.rounded(trained(result.state)))
        agent = self.agent(network.eval(), result.config)
        agent.log = result.log.dropna()
        return agent

    def learn(self, config: Any, profile: str, seed: int, **options) -> Any:
        """Return an agent trained now; ``options`` go to `learning.Fit`."""
        return self.to_agent(run(self.train(config, seed, profile, **options)))

    def run(self, config: Any, profile: str, seed: int) -> Rows:
        """Return the result rows of an agent trained now, and of its training: what a cell runs."""
        agent = self.learn(config, profile, seed)
        return self.assess(agent, profile, seed) + self.curve(agent)

    def keep(self, cell: str, config: Any, profile: str, preset: str, seed: int, folder) -> tuple[Path, Manifest, Rows]:
        """Return the file of an agent trained now, its manifest, and the result rows of what the file holds."""
        began = time.perf_counter()
        agent = self.learn(config, profile, seed)
        manifest = results.manifest(cell, config, profile, preset, seed, time.perf_counter() - began)
        path = self.save(agent, self._path(config, profile, preset, seed, folder), manifest)
        return path, manifest, self.assess(self.read(path), profile, seed) + self.curve(agent)

    def save(self, agent: Any, path, manifest: Manifest) -> Path:
        """Return the file that now holds an agent: half-precision weights, training log and manifest."""
        return weights.write(path, agent.network, agent.log, manifest)

    def restored(self, stored: Mapping[str, Any]) -> Any:
        """Return the config that a manifest holds; `InputError` where it holds none of these learners."""
        kind = self.kinds.get(str(stored.get(self.key)))
        return identity.restored(kind and kind.make, stored, self.noun)

    def read(self, path) -> Any:
        """Return the agent that a file holds; its config is the manifest's.

        Raises
        ------
        InputError
            The file is missing, truncated, of another program, or of another network.
        """
        content = weights.read(path, self.noun)
        config = self.restored(content.manifest.config)
        agent = self.agent(content.fill(self.build(config)).eval(), config)
        agent.log, agent.manifest = content.log, content.manifest
        return agent

    def shipped(self, name: str, preset: str = "lab", seed: int = 0, profile: str = "verified", **changes) -> Any:
        """Return the agent that the package ships for a config, or None; the same object at every call."""
        config = self.config(name, preset, **changes)
        path = self._path(config, profile, preset, seed, self.folder)
        agent = _read(self, path) if path.exists() else None
        return agent if agent and agent.config == config else None

    def load(self, name: str, preset: str = "lab", seed: int = 0, profile: str = "verified", **changes) -> Any:
        """Return the agent that the package ships for a config, or raise an `InputError` that names those it has."""
        if agent := self.shipped(name, preset, seed, profile, **changes):
            return agent
        path = self._path(self.config(name, preset, **changes), profile, preset, seed, self.folder)
        settings = ", ".join(f"{field}={value}" for field, value in changes.items())
        raise weights.not_shipped(path, f"{path.stem} ({settings})" if settings else "", self.file.partition("{")[0])

    def _path(self, config: Any, profile: str, preset: str, seed: int, folder) -> Path:
        name = self.file.format(config=config, profile=profile, preset=preset, seed=int(seed))
        return Path(folder) / f"{name.replace('/', '-')}.safetensors"


@cache
def _read(life: Lifecycle, path: Path) -> Any:
    return life.read(path)
