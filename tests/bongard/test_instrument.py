"""The instrument as the house finds it: its cells, what they give, and learners by name."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from cogkit.app import experiments
from cogkit.bongard import instrument
from cogkit.bongard.instrument import INSTRUMENT
from cogkit.bongard.learners import agents, exposures, pretrained
from cogkit.bongard.paper import reported
from cogkit.bongard.problems import abstract, sets, stroke_styles
from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.inventory import ATTRIBUTES
from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.core.items import overlap
from cogkit.core.records import slug


def test_whoever_asks_for_as_many_problems_gets_the_same():
    few, more = sets.problems("BA", 3), sets.problems("BA", 5)
    assert more[:3] == few != sets.problems("BA", 3, "as_published")
    assert len({problem.name for problem in more}) == 5
    with pytest.raises(InputError, match="one problem or more"):
        sets.problems("BA", 0)
    one = {kind: (problem.kind, problem.name) for kind, problem in sets.one_of_each("val", seed=1).items()}
    pairs = {(spec.kind, spec.name) for spec in sets.task_specs("val", seed=1)}
    assert set(one) == {kind for kind, _ in pairs} and set(one.values()) <= pairs


@pytest.mark.parametrize("task", ["train", "val"])
def test_the_beginning_of_a_part_is_like_the_whole(use_mirror, task):
    kinds = np.array([spec.kind for spec in sets.task_specs(task)])
    for kind in ("ff", "bd", "hd"):
        share, n = (kinds == kind).mean(), 300
        error = np.sqrt(share * (1 - share) / n * (len(kinds) - n) / (len(kinds) - 1))  # drawn without replacement
        assert abs((kinds[:n] == kind).mean() - share) <= 4 * error


def test_every_learner_and_every_other_experiment_of_the_paper_has_a_cell():
    cells = {cell.id: cell.configs for cell in INSTRUMENT.cells()}
    assert len(cells) == len(INSTRUMENT.cells())
    for name in instrument.REFERENCES:
        sizes = {preset: config.problems for preset, config in cells[f"bongard/{name}"].items()}
        assert sizes == {"quick": 40, "lab": None, "paper": None}
    for name in agents.NAMES:
        for kinds in ("all", "free-form"):
            config = cells[f"bongard/{name}/{kinds}"]["paper"]
            assert (config.agent, config.set, config.size, config.reduction) == (name, kinds, 512, 1)
    for name in ("protonet", "meta-baseline-sc"):
        configs = [cells[f"bongard/{name}/{own}"]["paper"] for own in ("all", *(f"alpha-{k}" for k in (2, 4, 8, 16)))]
        assert [config.reduction for config in configs] == [1, 2, 4, 8, 16]
    plain, mixed = (cells[f"bongard/meta-baseline-ps/{name}"]["paper"].pretrained for name in ("l2", "all"))
    assert (plain.numbers, mixed.numbers) == ("l2", "mixture")


def test_variants_are_told_apart_by_name(monkeypatch):
    monkeypatch.setattr(instrument, "agent", lambda config, profile, seed: [{"who": "ProtoNet", "value": 0.6}])
    config = agents.config("protonet", "lab", reduction=16)
    assert instrument.variant("α = 16", config, "verified", 0) == [{"who": "ProtoNet, α = 16", "value": 0.6}]
    for cell, who in (("meta-baseline-ps/l2", "L2"), ("protonet/flip-picture", "each picture flipped")):
        (experiment,) = experiments.cells(f"bongard/{cell}")
        assert experiment.run(config, "verified", 0)[0]["who"] == f"ProtoNet, {who}"
    config = experiment.configs["lab"]
    assert config.flip == "picture" and dataclasses.replace(config, flip="problem") == agents.config("protonet", "lab")


@pytest.mark.parametrize("profile", presets.PROFILES)
def test_the_program_oracle_is_right_on_every_free_form_and_basic_problem(profile):
    rows = experiments.compare("bongard/program-oracle", profile=profile)
    rows = rows[rows.metric == "accuracy"].set_index("task")
    assert rows.value[["FF", "BA"]].tolist() == [1, 1] and rows.n[["FF", "BA"]].tolist() == [80, 80]
    assert rows.value[["CM", "NV"]].tolist() == [0.5, 0.5]  # it says that it knows nothing
    assert rows.value[rows.index.str.match("(FF|BA)/")].eq(1).all()


def test_the_attribute_oracle_knows_nothing_but_attributes_and_weighs_the_papers_concepts(use_mirror, shape_set):
    for profile in presets.PROFILES:
        table = experiments.compare("bongard/attribute-oracle", profile=profile, problems=40)
        shares = table[table.metric == "accuracy"].set_index("task").value
        assert shares[["FF", "BA"]].tolist() == [0.5, 0.5] and shares[["CM", "NV"]].min() > 0.9
    oracle = INSTRUMENT.learner("attribute-oracle", profile="as_published")
    concepts = [tuple(ATTRIBUTES[column] for column in concept) for concept in oracle.concepts]
    assert sorted(map(sorted, concepts)) == sorted(map(sorted, abstract.concepts(shape_set, "as_published")))


def test_floors_look_at_pixels_and_are_asked_as_published_too():
    cells = [f"bongard/{name}" for name in ("pixel-prototype", "hu-prototype", "ink-amount", "majority")]
    rows = experiments.compare(*cells, profile="as_published", seed=1, problems=16)
    assert set(rows.cell) == set(cells) and set(rows.seed) == {1}
    assert set(rows.kind) == {"floor"} and set(rows.inputs) == {"pixels"}
    assert set(rows.metric) == {"accuracy", "accuracy, as published"}
    shares = rows[(rows.metric == "accuracy") & rows.task.isin(sets.TESTS)].groupby("cell").value.agg(list)
    assert shares["bongard/majority"] == [0.5] * 4
    assert all(0.1 < share < 0.9 for four in shares for share in four)


def test_learners_and_datasets_are_found_by_name():
    assert {INSTRUMENT.learner(name).kind for name in INSTRUMENT.references} == {"floor", "observer", "model"}
    assert INSTRUMENT.learner("hu-prototype", size=128).size == 128
    with pytest.raises(InputError, match="wanted a floor or observer .*did you mean 'hu-prototype'"):
        INSTRUMENT.learner("hu-prototyp")
    printed = {slug(who) for who in reported.published("Table 1").who}
    ours = {slug(who) for who in agents.NAMES.values()}  # names that are the papers': rows find those printed
    assert ours - printed == {"set-transformer"} and printed - ours == {"experts", "amateurs"}


def test_problems_concepts_and_the_new_attribute_of_a_test_are_not_in_training(use_mirror, monkeypatch):
    """Under both profiles; and each of the three is told if it leaks."""
    configs = [agents.config("protonet", "paper"), agents.config("protonet", "lab", set="free-form")]
    configs += [agents.SEEING["snail-on-eyes"].config("lab"), pretrained.SIGHT.config("lab")]
    configs += [agents.config("snail", "lab", set="new-shapes"), pretrained.SIGHT.config("lab", set="new-shapes")]
    configs += [agents.SEEING["concept-search-on-eyes"].config(size, set="new-shapes") for size in ("quick", "lab")]
    for config in configs:
        for profile in presets.PROFILES:
            for exposure in INSTRUMENT.exposures(config, profile, 0):
                assert exposure.train and exposure.test and not overlap(exposure.train, exposure.test)
    assert [exposure.what for exposure in INSTRUMENT.exposures(configs[-1], "verified", 0)][2] == "shapes"
    monkeypatch.setattr(sets, "NEW_TESTS", ("new-shapes/val",))
    leaks = {e.what: len(overlap(e.train, e.test)) for e in INSTRUMENT.exposures(configs[-1], "verified", 0)}
    assert leaks == {"problems": 274, "concepts": 274, "shapes": 420, "new attributes": 0}
    monkeypatch.setattr(sets, "TESTS", ("val",))
    leaks = {e.what: len(overlap(e.train, e.test)) for e in INSTRUMENT.exposures(configs[0], "verified", 0)}
    assert leaks == {"problems": 900, "concepts": 900, "new attributes": 0}
    monkeypatch.setattr(exposures, "NOVEL", "convex")
    (*_, exposure) = INSTRUMENT.exposures(configs[0], "verified", 0)
    assert {*overlap(exposure.train, exposure.test)} == {"convex"}


def test_a_learner_is_trained_for_a_test_by_the_set_that_the_test_is_of():
    assert INSTRUMENT.load("protonet", "CM") is INSTRUMENT.load("protonet", "all")
    for name in ("protonet", "protonet-on-eyes"):
        with pytest.raises(InputError, match=f"got {name}-new-shapes-quick-s0"):
            INSTRUMENT.load(name, "new-shapes/NV", "quick")


def test_two_names_of_one_figure_are_one_concept(use_mirror, monkeypatch):
    shapes = inventory.available()
    ((first, (second, *_)),) = stroke_styles.repeats(shapes).items()
    other = next(shape.name for shape in shapes if shape.name not in (shapes.all[first].name, shapes.all[second].name))
    specs = [sets.Spec("", "bd", (shapes.all[k].name, other), 0) for k in (first, second)]
    specs.append(sets.Spec("", "bd", (other, shapes.all[second].name), 1))
    assert len({*exposures._concepts(specs)}) == 1
