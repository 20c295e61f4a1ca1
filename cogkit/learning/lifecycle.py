"""The life cycle of trained learners, shared by all instruments: train, assess, save, read, ship.

Each instrument defines one `Lifecycle` with its own parts: configs, networks, the training run and the assessment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd
from torch import nn

from cogkit.core import identity, presets
from cogkit.core.cost import Spent
from cogkit.core.errors import InputError, some
from cogkit.core.presets import Kind
from cogkit.core.records import Manifest
from cogkit.data import results
from cogkit.data.home import home
from cogkit.learning import weights
from cogkit.learning.fit import Fit, Result, run
from cogkit.learning.supervised import trained

Rows = list[dict[str, Any]]
Own = TypeVar("Own", bound="Agent")


class Agent:
    """A trained network as a learner; the class of an instrument adds the method that answers items.

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
        The run that made the agent, if it was read from a file.
    seed : int
        The seed of its training; 0 for a network that was not trained.
    """

    kind = "model"
    supervision = "answers"

    def __init__(self, network: nn.Module, config: Any) -> None:
        self.network, self.config = network, config
        self.log: pd.DataFrame | None = None
        self.manifest: Manifest | None = None
        self.seed = 0

    def after(self: Own, result: Result) -> Own:
        """Return the agent with the weights of a run, rounded to half precision, and with its log."""
        self.network.load_state_dict(weights.rounded(trained(result.state)))
        self.network.eval()
        self.log, self.seed = result.log.dropna(), result.seed
        return self


@dataclass(frozen=True, eq=False)
class Lifecycle:
    """The life cycle of the trained learners of one instrument.

    Attributes
    ----------
    noun : str
        What a file of weights holds, in the words of errors, such as "an agent of MEWL".
    file : str
        Template for the name of a file of weights, with ``config``, ``profile``, ``preset`` and ``seed``. Without
        ``profile`` in it, names of another profile than ``verified`` end with it.
    kinds : mapping
        Each kind of learner by its name; the field ``key`` of a config holds the name.
    config : callable
        ``config(name, preset, **changes) -> config``.
    train : callable
        ``train(config, seed, profile, **options) -> Fit``. Any pretraining happens before it returns.
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
        """Return the agent of a run: the best one in validation, or the last one if there was no validation.

        Its weights are rounded to half precision, so it gives the same answers after it is saved and read.
        """
        return self.agent(self.build(result.config), result.config).after(result)

    def learn(self, config: Any, profile: str, seed: int, **options) -> Any:
        """Train an agent now and return it; ``options`` go to `learning.Fit`."""
        return self.to_agent(run(self.train(config, seed, profile, **options)))

    def run(self, config: Any, profile: str, seed: int, keep: Callable | None = None) -> Rows:
        """Train an agent now; return its result rows and those of its training. Cells run this, see `Cell`.

        The rows hold for the saved agent: it answers as the trained one, whose weights are rounded already.
        """
        agent = self.learn(config, profile, seed)
        if keep:
            path = partial(self._path, config, profile)
            keep(lambda folder, manifest: self.save(agent, path(manifest.preset, seed, folder), manifest))
        return self.assess(agent, profile, seed) + self.curve(agent)

    def save(self, agent: Any, path, manifest: Manifest) -> Path:
        """Save half-precision weights, training log and manifest of an agent, and return the file."""
        return weights.write(path, agent.network, agent.log, manifest)

    def restored(self, stored: Mapping[str, Any]) -> Any:
        """Return the config in a manifest; raise `InputError` if it belongs to none of these learners."""
        # a config without the name of its kind is from before there were several, whose class is the first one's
        name = str(stored.get(self.key, next(iter(self.kinds))))
        kind = self.kinds.get(name)
        return identity.restored(kind and kind.make, stored, self.noun)

    def read(self, path) -> Any:
        """Return the agent in a file, with the config from the manifest.

        Raises
        ------
        InputError
            The file is missing, truncated, from another program, or from another network.
        """
        return weights.read(path, self.noun, self.restored, self.build, self.agent)

    def shipped(self, name: str, preset: str = "lab", seed: int = 0, profile: str = "verified", **changes) -> Any:
        """Return the shipped agent of a config, or None; every call returns the same object."""
        config = self.config(name, preset, **changes)
        path = self._path(config, profile, preset, seed, self.folder)
        agent = _read(self, path) if path.exists() else None
        return agent if agent and agent.config == config else None

    def load(self, name: str, preset: str = "lab", seed: int = 0, profile: str = "verified", **changes) -> Any:
        """Return the shipped agent of a config, or raise an `InputError` that names the shipped agents."""
        if agent := self.shipped(name, preset, seed, profile, **changes):
            return agent
        path = self._path(self.config(name, preset, **changes), profile, preset, seed, self.folder)
        settings = ", ".join(f"{field}={value}" for field, value in changes.items())
        files = sorted(path.parent.glob(f"{self.file.partition('{')[0] or f'{name}-'}*.safetensors"))
        names = some([file.stem for file in files], 4) or "none so far"
        got = f"{path.stem} ({settings})" if settings else path.stem
        raise InputError(got, f"an agent that is shipped ({names})", "train your own")

    def ready(self, cell: str, config: Any, seed: int, profile: str = "verified", **changes) -> Any:
        """Return the agent of a config that others build on: shipped, else kept in ``COGKIT_HOME``, else trained now.

        One that is trained now is kept there. ``cell`` is the id of its cell, and ``changes`` are the fields in which
        the config of a shipped one may differ from its preset. Raises `InputError` if the file in ``COGKIT_HOME`` is
        broken, or holds an agent of another config or seed.
        """
        for preset in presets.PRESETS:
            agent = self.shipped(getattr(config, self.key), preset, seed, profile, **changes)
            if agent and agent.config == config:
                return agent
        path = self.weights_path(config, seed, profile)
        if not path.exists():
            with Spent() as spent:
                agent = self.learn(config, profile, seed)
            self.save(agent, path, results.manifest(cell, config, profile, "", seed, spent.seconds))
        agent = self.read(path)
        if (agent.config, agent.seed) != (config, seed):
            raise InputError(f"{path} with another config or seed", f"those of {path.stem}", "delete it")
        return agent

    def weights_path(self, config: Any, seed: int, profile: str = "verified") -> Path:
        """Return the file in ``COGKIT_HOME`` of an agent that others build on."""
        path = self.checkpoint(config, seed)
        return path.with_name(f"{path.stem}-{profile}.weights.safetensors")

    def checkpoint(self, config: Any, seed: int) -> Path:
        """Return the reader's own file for a training run; each config and seed has one."""
        name = str(getattr(config, self.key)).replace("/", "-")
        return home() / "agents" / f"{name}-{identity.config_hash(config)}-s{seed}.safetensors"

    def _path(self, config: Any, profile: str, preset: str, seed: int, folder) -> Path:
        name = self.file.format(config=config, profile=profile, preset=preset, seed=int(seed)).replace("/", "-")
        usual = "{profile}" in self.file or profile == presets.PROFILES[0]
        return Path(folder) / f"{name if usual else f'{name}-{profile}'}.safetensors"


@cache
def _read(life: Lifecycle, path: Path) -> Any:
    return life.read(path)
