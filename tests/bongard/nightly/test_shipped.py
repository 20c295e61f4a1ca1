"""What the package ships of this instrument is what its own code gives: weights asked again, cheap cells run again."""

from __future__ import annotations

import re

import numpy as np
import pytest
import shipping
from cases import case
from shipping import TABLES, check, files_of, named, result_of

from cogkit import stats
from cogkit.app import experiments
from cogkit.bongard import instrument, scoring
from cogkit.bongard.instrument import INSTRUMENT
from cogkit.bongard.learners import agents, ladder, perception, reasoners, training
from cogkit.bongard.problems import sets
from cogkit.bongard.shapes import inventory
from cogkit.data import results
from cogkit.learning.lifecycle import Lifecycle

SHIPPED = results.shipped_folder("bongard")
WEIGHTS = sorted(SHIPPED.glob("*.safetensors"))
FLOORS = ("hu-prototype", "ink-amount", "majority", "pixel-prototype")
ASKED = "NV"  # one test of four, whose pictures are cut into windows once for all weights
FLOOR = 5 / 100  # by which those who see are to be above every floor
WANTED = {"BA": 0.8, "FF": 0.68, "CM": 0.68, "NV": 0.68}  # shares right of the best of those
PLAIN = {"BA": 0.7, "FF": 0.6}  # and of the best that learns from answers alone
SEEING = re.compile("^bongard/sight|-on-eyes")
SOURCES = (
    re.compile(r"cogkit, (windows of 48 px, α = \d+, float32|64 px, α = \d+, new (pictures|shapes))"),
    re.compile("cogkit(, eyes of 160 px windows)?"),
)
NEAR = 0.01  # of a hundred answers one may fall otherwise on another processor, which sums in another order


def registry_of(path) -> Lifecycle:
    name = path.stem.split("-lab-")[0].removesuffix(f"-{sets.NEW}")
    own = dict.fromkeys(agents.SEEING, reasoners.REGISTRY) | {"sight": perception.REGISTRY}
    return own.get(name, training.REGISTRY)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A private COGKIT_HOME for the module: reasoners with the same eyes look at the same pictures once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COGKIT_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="module")
def stored():
    """Every stored result, as (manifest, rows), after a look at how it says that it was made."""
    runs = shipping.runs_of(SHIPPED)
    for run in runs:
        check(run)
    return runs


UNTAUGHT = "bongard/label-search"  # it reads exact labels


@pytest.fixture(scope="module")
def accuracy():
    return results.shipped("bongard").query("metric == 'accuracy'")


def test_results_say_how_they_were_made(stored):
    assert {path.name for path in files_of(SHIPPED)} == {path.name for path in WEIGHTS} | TABLES and WEIGHTS
    for manifest, rows in stored:
        with case(named((manifest, rows))):
            least = -1 if manifest.cell == "bongard/errors" else 0  # kappa may be negative
            parts = [row for row in rows if row["metric"] not in (ladder.ABOVE, "skill")]  # which may be below 0
            assert all(least <= row["value"] <= 1 and row["n"] > 0 for row in parts)
            source = SOURCES[bool(SEEING.search(manifest.cell))]
            trained = least == 0 and any(row["kind"] == "model" for row in rows)
            trained &= not manifest.cell.startswith(UNTAUGHT)
            assert not trained or all(source.fullmatch(row["source"]) for row in rows)


def test_every_trained_cell_was_run_three_times(stored):
    seeds: dict[str, set[int]] = {}
    for manifest, rows in stored:
        if any(row["kind"] == "model" for row in rows):
            seeds.setdefault(manifest.cell, set()).add(manifest.seed)
    for cell in ("bongard/errors", UNTAUGHT, f"{UNTAUGHT}-strict"):  # asks what was trained; nobody taught the others
        seeds.pop(cell)
    learnt = {cell.id for cell in INSTRUMENT.cells() if hasattr(cell.configs.get("lab"), "recipe")}
    # a set for `quick` alone, widths for a GPU, what `all` has, and a set of which only some are trained
    elsewhere = re.compile("/sectors$|/alpha-[248]$|/new-shapes$")
    assert {cell for cell in learnt if not elsewhere.search(cell)} <= seeds.keys()
    once = {cell for cell in seeds if cell.endswith("/new-shapes")}  # and called one run wherever they are shown
    assert {cell: runs for cell, runs in seeds.items() if runs != ({0} if cell in once else {0, 1, 2})} == {}


def test_every_agent_is_there_three_times_beside_every_floor_on_whole_tests(accuracy):
    shares = accuracy[accuracy.task.isin(sets.TESTS)]
    tests = {test: 2 * len(sets.task_specs(test)) for test in sets.TESTS}
    for name in agents.NAMES.values():
        runs = accuracy[accuracy.who == name]
        for test, n in (*tests.items(), (f"{sets.ABLATION}/FF", 4000)):  # all 2,000 problems of Table 2, two answers
            part = runs[runs.task == test]
            assert sorted(part.seed) == [0, 1, 2] and set(part.n) == {n}, (name, test)
        assert set(runs.seed) == set(runs.seed[runs.task == "train"])
    names = {INSTRUMENT.learner(name).name for name in instrument.REFERENCES}
    counts = shares[shares.who.isin(names)].groupby(["who", "task"]).n.agg(set)
    assert names <= set(shares.who) and all(n == {tests[task]} for (_, task), n in counts.items())
    for name in agents.REASONERS.values():
        rows = accuracy[accuracy.who == name]
        assert set(rows.supervision) == {"answers and attributes"}
        assert sorted(rows[rows.task == "train"].seed) == [0, 1, 2]
        for test in sets.TESTS:
            share, low = runs_of(accuracy, name, test)
            assert 0.5 <= low <= share


@pytest.mark.parametrize("path", WEIGHTS, ids=lambda path: path.stem)
def test_shipped_weights_are_found_by_name_and_give_their_shipped_rows(path, mirror, home):
    (manifest, rows), registry = result_of(path, SHIPPED), registry_of(path)
    agent = registry.read(path)
    of_set = {"set": agent.config.set}
    named_agent = registry.load(agent.config.agent, seed=int(path.stem[-1]), **of_set)
    assert named_agent.config == agent.config == registry.config(agent.config.agent, "lab", **of_set)
    assert list(named_agent.log)[:1] == ["step"]
    assert np.isclose(named_agent.log.step.iloc[-1], agent.config.recipe.steps)
    if registry is perception.REGISTRY:
        fresh, expected = registry.assess(agent, manifest.profile, manifest.seed), rows
    else:
        test = agents.task_of(agent.config.set, ASKED)
        problems = {test: sets.problems(test, profile=manifest.profile)}
        rules = {"profile": manifest.profile, "seed": manifest.seed, "shapes": inventory.available()}
        look = agent.eyes.seen if registry is reasoners.REGISTRY else agent.render
        fresh = scoring.assess(agent, problems, look=look, **rules) + registry.curve(agent)
        tasks = test, agents.task_of(agent.config.set, "val")
        expected = [row for row in rows if row["task"] in tasks or row["task"].split("/")[0] in tasks]
        expected = [row for row in expected if row["metric"] != ladder.ABOVE]
    assert len(fresh) == len(expected) > (20 if agent.config.set == "all" else 5)
    same = ("task", "metric", "kind", "who", "inputs", "n", "interval", "supervision")
    for new, old in zip(fresh, expected, strict=True):
        assert [new[name] for name in same] == [old[name] for name in same]
        values = [(new[name], old[name]) for name in ("value", "low", "high")]
        near = NEAR if old["n"] > 200 else 4 / old["n"]  # of few answers two are more
        assert all(a is b is None or abs(a - b) <= near for a, b in values), (new, old)


def runs_of(accuracy, who: str, test: str) -> tuple[float, float]:
    """Return the share of right answers of a learner's three runs on a test, and the lower end of its interval."""
    rows = accuracy[(accuracy.who == who) & (accuracy.task == test)]
    assert sorted(rows.seed) == [0, 1, 2] and set(rows.n) == {2 * len(sets.task_specs(test))}
    problems = rows.n / 2  # the two answers to a problem are not independent
    mean = stats.mean_over_runs(rows.value, problems)
    return mean.value, mean.low


def test_the_best_are_as_good_as_wanted_and_surely_above_every_floor(accuracy):
    plain = [name for agent, name in agents.NAMES.items() if agent not in agents.SUPERVISION]
    best = accuracy[accuracy.kind == "floor"].groupby("task").value.max()
    for test, wanted in WANTED.items():
        share, low = runs_of(accuracy, "concept search on taught eyes", test)
        assert share >= max(wanted, best[test] + FLOOR) and low > best[test], test
    for test, wanted in PLAIN.items():
        share, low = max(runs_of(accuracy, name, test) for name in plain)
        assert share >= max(wanted, best[test] + FLOOR) and low > best[test], test
    floors = accuracy[accuracy.who.isin([INSTRUMENT.learner(name).name for name in FLOORS])]
    floors = floors.groupby("task").value.max()
    for who, test in (("ProtoNet", "BA"), ("SNAIL", "BA"), ("SNAIL", "FF")):
        for run in accuracy[(accuracy.who == who) & (accuracy.task == test)].itertuples():
            assert run.n >= 800 and run.interval == "95% Wilson, problems" and run.low > floors[test]


@pytest.mark.parametrize("name", ["ink-amount", "program-oracle"])
def test_a_cheap_cell_run_again_gives_what_is_shipped(name, mirror):
    (cell,) = experiments.cells(f"bongard/{name}")
    _, expected = results.Shipped(SHIPPED).read(cell.id, "verified", "lab", 0)
    _, fresh = experiments.run_cell(cell, "verified", "lab", 0)
    assert [(row["task"], row["n"]) for row in fresh] == [(row["task"], row["n"]) for row in expected]
    assert all(abs(new["value"] - old["value"]) <= 2 / old["n"] for new, old in zip(fresh, expected, strict=True))
