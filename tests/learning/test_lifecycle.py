"""The life of a learner, with a toy that fits a line: what is trained is what is saved, read, loaded and shipped."""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from torch import nn

from cogkit.app import experiments
from cogkit.core.errors import InputError
from cogkit.core.instruments import Cell
from cogkit.core.presets import Kind
from cogkit.data import results
from cogkit.learning import Fit, lifecycle, run
from cogkit.learning.recipe import USUAL, Recipe, recipe_field
from cogkit.learning.supervised import curve_rows, fit_supervised

X = torch.linspace(-1, 1, 20)[:, None]
Y = 3 * X + 1


@dataclass(frozen=True)
class LineConfig:
    agent: str
    width: int = 1
    recipe: Recipe = recipe_field(Recipe(100, 5, "sgd", 0.1, 0.0, n_evals=4), *USUAL)


KINDS = {
    name: Kind(name, LineConfig, {"quick": {"steps": 2, "n_evals": 2}, "lab": {}, "paper": {}}, {"agent": name} | own)
    for name, own in {"line": {}, "bend": {"width": 3}}.items()
}


def config(name: str, preset: str, **changes) -> LineConfig:
    return KINDS[name].config(preset, **changes)


def build(config: LineConfig) -> nn.Module:
    layers = [nn.Linear(1, config.width), nn.Linear(config.width, 1)]
    return nn.Sequential(*layers[-1:] if config.width == 1 else layers)


class Agent(lifecycle.Agent):
    name, inputs = "a line", "columns"

    def predict(self, x: torch.Tensor) -> np.ndarray:
        return self.network(x).detach().numpy()


def train(config: LineConfig, seed: int, profile: str = "verified", **options) -> Fit:
    def loss_fn(network, _, rng):
        rows = rng.integers(0, len(X), 5)
        return nn.functional.mse_loss(network(X[rows]), Y[rows]), {}

    def validate(network, x):
        return {"validation": -nn.functional.mse_loss(network(x), Y).item()}

    return fit_supervised(config, seed, len(X), lambda: build(config), loss_fn, validate, X, **options)


def assess(agent: Agent, profile: str, seed: int) -> list[dict]:
    error = float(((agent.predict(X) - Y.numpy()) ** 2).mean())
    row = {"task": "line", "kind": agent.kind, "who": agent.name, "inputs": agent.inputs, "n": len(X)}
    return [row | {"metric": "error", "value": error}]


def curve(agent: Agent) -> list[dict]:
    return curve_rows(agent.log, agent, "line", len(X))


@pytest.fixture
def registry(tmp_path):
    return lifecycle.Lifecycle(
        "a line", tmp_path, "{config.agent}-{preset}-s{seed}", KINDS, config, build, Agent, train, assess, curve
    )


@pytest.fixture
def cell(registry):
    sizes = {preset: config("bend", preset) for preset in ("quick", "lab")}
    return Cell("toy/bend/line", registry.run, sizes, weights=True)


@pytest.mark.parametrize("name", KINDS)
def test_an_agent_answers_the_same_once_saved_and_read(registry, name, tmp_path):
    agent = registry.learn(config(name, "quick"), "verified", 3)
    manifest = results.manifest(f"toy/{name}/line", agent.config, "verified", "quick", 3, 1.0)
    again = registry.read(registry.save(agent, tmp_path / "deep" / "agent.safetensors", manifest))
    assert again.config == agent.config == config(name, "quick")
    assert again.manifest == manifest and agent.manifest is None
    assert (again.predict(X) == agent.predict(X)).all() and len(again.log) == 2
    assert np.allclose(again.log, agent.log[[*again.log]]) and {*again.log} == {*agent.log}
    assert registry.assess(again, "verified", 3) == registry.assess(agent, "verified", 3)
    arrays = load_file(tmp_path / "deep" / "agent.safetensors")
    assert {array.dtype for name, array in arrays.items() if not name.startswith("log/")} == {np.dtype("float16")}


def test_an_agent_is_the_best_of_its_run_and_the_last_where_nobody_looked(registry):
    wild = config("line", "lab", learning_rate=0.9, steps=30, n_evals=30)
    result = run(train(wild, 0))
    best = result.log.validation.idxmax()
    agent = registry.to_agent(result)
    assert best < len(result.log) - 1
    assert curve(agent)[best]["value"] == result.log.validation.max()
    assert -assess(agent, "verified", 0)[0]["value"] == pytest.approx(result.log.validation.max(), rel=0.05)
    blind = run(train(wild, 0, evaluate=None))
    last = blind.state.modules["network"].state_dict()
    assert all(torch.equal(value, last[name].half().float())
               for name, value in registry.to_agent(blind).network.state_dict().items())  # fmt: skip


def test_a_cell_is_shipped_with_its_rows_and_loaded_by_name(registry, cell, tmp_path):
    files = [path.name for path in experiments.ship(cell, [0, 2], preset="quick", folder=tmp_path)]
    assert files == ["bend-quick-s0.safetensors", "results.csv", "bend-quick-s2.safetensors", "results.csv"]
    for seed in (0, 2):
        manifest, rows = results.Shipped(tmp_path).read(cell.id, "verified", "quick", seed)
        agent = registry.load("bend", "quick", seed)
        assert agent.manifest == manifest and agent is registry.load("bend", "quick", seed)
        _, fresh = experiments.run_cell(cell, "verified", "quick", seed)
        assert len(rows) == 3 and experiments.differences(rows, fresh) == []  # shipped is what a run gives
    assert registry.shipped("bend", "lab") is None and registry.shipped("bend", "quick", width=4) is None


def test_agents_of_two_profiles_have_files_of_their_own(registry, cell, tmp_path):
    """A name without the profile would give an agent that was trained by other rules."""
    profiles = ("as_published", "verified")
    paths = [next(iter(experiments.ship(cell, [0], profile, "quick", tmp_path))) for profile in profiles]
    assert [path.name for path in paths] == ["bend-quick-s0-as_published.safetensors", "bend-quick-s0.safetensors"]
    for profile in profiles:
        assert registry.load("bend", "quick", profile=profile).manifest.profile == profile
    paths[0].unlink()
    assert registry.shipped("bend", "quick", profile="as_published") is None


def test_each_run_that_is_shipped_makes_its_own_data(registry, cell, tmp_path, monkeypatch):
    """Two seeds need the same data: the second one must not find what the first one has made."""
    made = []

    @functools.cache
    def data() -> None:
        """Data that take a while to make, once in a process."""

    def learn(config, profile, seed):
        made.append((seed, data.cache_info().currsize))
        data()
        return lifecycle.Lifecycle.learn(registry, config, profile, seed)

    object.__setattr__(registry, "learn", learn)
    monkeypatch.setitem(sys.modules, "cogkit.costly", SimpleNamespace(costly=data))
    list(experiments.ship(cell, [0, 1], preset="quick", folder=tmp_path))
    assert made == [(0, 0), (1, 0)]


def test_a_cell_without_weights_ships_its_rows(registry, cell, tmp_path):
    (path,) = experiments.ship(replace(cell, weights=False), preset="quick", folder=tmp_path)
    assert path == tmp_path / "results.csv" and {*tmp_path.rglob("*.*")} == {path, tmp_path / "manifests.json"}


def test_an_agent_that_others_build_on_is_shipped_or_kept_or_trained(registry, cell, tmp_path, home, monkeypatch):
    made = []

    def count(config, seed, profile, **options):
        made.append(seed)
        return train(config, seed, profile, **options)

    registry, quick = replace(registry, train=count), config("bend", "quick")
    first = registry.ready(cell.id, quick, 1)
    assert first.manifest.cell == cell.id and (first.config, first.seed) == (quick, 1)
    again = registry.ready(cell.id, quick, 1)
    assert made == [1] and (again.predict(X) == first.predict(X)).all() and again.manifest == first.manifest
    registry.weights_path(quick, 2).write_bytes(registry.weights_path(quick, 1).read_bytes())
    with pytest.raises(InputError, match="another config or seed"):
        registry.ready(cell.id, quick, 2)
    list(experiments.ship(replace(cell, run=registry.run), [2], preset="quick", folder=tmp_path))
    made.clear()
    assert registry.ready(cell.id, quick, 2) is registry.load("bend", "quick", 2) and not made
    assert registry.ready(cell.id, config("bend", "quick", steps=3), 2).config.recipe.steps == 3 and made == [2]


def test_what_is_not_shipped_or_no_such_learner_is_one_sentence(registry, cell, tmp_path):
    list(experiments.ship(cell, preset="quick", folder=tmp_path))
    other = replace(registry, build=lambda config: nn.Linear(2, 2), noun="another line")
    calls = {
        r"an agent that is shipped \(bend-quick-s0\), got bend-lab-s0: train": lambda: registry.load("bend"),
        r"got bend-quick-s0 \(width=4\)": lambda: registry.load("bend", "quick", width=4),
        "a setting of bend .*'widht': did you mean 'width'": lambda: registry.load("bend", widht=4),
        "one of a line, got the config": lambda: registry.restored({"agent": "line", "colour": "red"}),
        "another line": lambda: other.read(tmp_path / "bend-quick-s0.safetensors"),
    }
    for message, call in calls.items():
        with pytest.raises(InputError, match=message):
            call()
