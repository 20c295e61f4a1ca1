"""Every instrument's rows on the common scale: printed numbers, independent limits, and every refusal."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from cases import case
from statsmodels.stats.proportion import proportion_confint

from cogkit.app import scale
from cogkit.core.errors import InputError
from cogkit.core.records import RESULT_COLUMNS
from cogkit.data import results
from cogkit.equivalence.paper.reported import result_rows
from cogkit.generalization.metric import gr_star as metric
from cogkit.stats.scale import COLUMNS

MEWL = {  # Table 2 of Jiang et al. 2023, per cent right by task, in the order of MEWL_TASKS
    "CLIP (w/o TE)": (16.2, 18.0, 19.3, 17.0, 22.2, 20.8, 18.7, 19.2, 20.2),
    "CLIP (w/ TE)": (22.0, 18.8, 21.0, 21.2, 15.0, 17.8, 21.0, 19.5, 21.5),
    "Aloe": (34.2, 33.2, 31.0, 19.5, 30.5, 21.5, 27.5, 23.3, 20.8),
    "Flamingo": (49.3, 35.3, 48.5, 19.2, 38.2, 18.8, 57.3, 84.2, 18.0),
    "people": (92.4, 87.2, 72.7, 79.1, 63.5, 48.7, 71.0, 93.9, 54.8),
    "GPT-3.5": (96.8, 82.3, 87.0, 98.2, 88.3, 20.0, 45.8, 22.7, 26.7),
    "BERT": (94.8, 98.8, 97.5, 19.5, 97.8, 22.2, 62.2, 21.8, 99.8),
}
MEWL_TASKS = "shape color material object composite relation bootstrap number pragmatic".split()


def row(instrument="mewl", **fields) -> dict:
    """A result row, with what a test does not care about filled in."""
    base = dict.fromkeys(RESULT_COLUMNS, "") | {"instrument": instrument, "kind": "model", "who": "a", "seed": 0}
    base |= {"task": "shape", "inputs": "pixels", "metric": "accuracy", "low": None, "high": None, "n": 600}
    return base | fields


def table(*rows: dict) -> pd.DataFrame:
    return pd.DataFrame(rows)


def mewl() -> pd.DataFrame:
    """The published table: 600 problems a task for models, about 240 answers of about 24 people a task."""
    rows = []
    for who, percents in MEWL.items():
        person, captions = who == "people", who in ("BERT", "GPT-3.5")
        fields = {"who": who, "kind": "person" if person else "model", "n": 240 if person else 600, "source": who}
        fields["inputs"] = "captions" if captions else "pixels"
        rows += [row(task=task, value=p / 100, **fields) for task, p in zip(MEWL_TASKS, percents, strict=True)]
    return pd.DataFrame(rows)


def value(table: pd.DataFrame, component: str, **where) -> float:
    rows = table[table.component == component]
    for name, entry in where.items():
        rows = rows[rows[name] == entry]
    assert len(rows) == 1
    return rows.value.item()


# MEWL


def test_mewl_by_the_printed_check():
    components = scale.components(mewl())
    means = components[components.component == "P"].groupby("who").value.mean()
    printed = {"CLIP (w/o TE)": 0.000, "CLIP (w/ TE)": 0.000, "Aloe": 0.003, "Flamingo": 0.063, "people": 0.276}
    printed |= {"GPT-3.5": 0.302, "BERT": 0.443}
    assert means.to_dict() == pytest.approx(printed, abs=1e-3)  # people: .2755, printed .276
    assert set(components.component) == {"accuracy", "A_c", "P"} and (components.chance == 0.2).all()


def test_mewl_models_have_wilson_limits_and_people_none():
    components = scale.components(mewl()).set_index(["who", "task", "component"])
    low, high = proportion_confint(125, 600, method="wilson")  # .208 of 600 can only be 125
    accuracy, above, p = (components.loc[("CLIP (w/o TE)", "relation", name)] for name in ("accuracy", "A_c", "P"))
    assert [accuracy.low, accuracy.high] == pytest.approx([low, high])
    assert [above.low, above.high] == pytest.approx([0, (high - 0.2) / 0.8])
    a = (1 + (high - 0.2) / 0.8) / 2
    assert [p.low, p.high] == pytest.approx([0, a * (math.sqrt(a) - math.sqrt(1 - a)) ** 2])
    assert (accuracy.interval, above.interval) == ("95% Wilson", "95% Wilson, mapped")
    people = components.loc["people"]
    assert people[["low", "high"]].isna().all(axis=None) and people.note.str.contains("several people").all()


def test_below_chance_is_said_and_a_mean_over_tasks_has_no_p_of_its_own():
    components = scale.components(table(row(value=89 / 600, source="x"), row(value=119 / 600, who="b", source="x")))
    above = components[components.component == "A_c"]
    assert above.value.tolist() == [0, 0]
    assert above.note.tolist()[0] == "anti-aligned: A_c is -0.065 before it is taken as 0"
    assert above.note.tolist()[1].startswith("below chance, though its interval is not")
    components = scale.components(table(row(task="avg", value=0.737, n=2160)))
    assert components.component[components.value.isna()].tolist() == ["A_c", "P"]
    assert value(components, "accuracy") == 0.737


# What a row's limits are


def test_a_row_keeps_its_own_limits_and_they_are_mapped_and_those_without_width_give_way():
    fields = {"value": 0.8, "low": 0.7, "high": 1.04, "interval": "95% t, classes", "n": 100}
    components = scale.components(table(row(**fields))).set_index("component")
    assert components.loc["accuracy", ["low", "high"]].tolist() == [0.7, 1.0]  # a share ends at 1
    assert components.loc["A_c", ["low", "high"]].tolist() == pytest.approx([0.625, 1.0])
    assert components.loc["P", "interval"] == "95% t, classes, mapped" and components.loc["P", "high"] == 1.0
    fields |= {"value": 1.0, "low": 1.0, "high": 1.0, "n": 432}
    accuracy = scale.components(table(row(**fields))).set_index("component").loc["accuracy"]
    assert accuracy.low == pytest.approx(proportion_confint(432, 432, method="wilson")[0]) and accuracy.low < 1
    assert accuracy.interval == "95% Wilson" and "no width" in accuracy.note


def test_a_mean_alone_and_a_mean_of_chances_have_no_interval_and_few_answers_are_said():
    components = scale.components(result_rows(), rule="as published")
    shares = components[components.component.isin(["accuracy", "A_c", "P"])]
    assert shares[["low", "high"]].isna().all(axis=None) and (shares.interval == "").all()
    assert shares.note.str.startswith("no interval: a mean alone is published").all()
    expected = row("equivalence", metric="accuracy, expected", value=0.5, n=432)
    components = scale.components(table(expected), rule="expected")
    assert components.low.isna().all() and components.note[0] == "no interval: a mean of chances"
    notes = scale.components(table(row(value=0.5, n=50), row(value=0.5, n=100, who="b")))
    assert notes.note[notes.component == "accuracy"].tolist() == ["only 50 answers", ""]


# Bongard-LOGO


def test_bongard_keeps_experts_and_amateurs_apart():
    person = {"instrument": "bongard", "kind": "person", "n": 6, "interval": "95% t, people", "task": "NV"}
    experts = row(who="experts", value=0.907, low=0.85, high=0.96, **person)
    amateurs = row(who="amateurs", value=0.710, low=0.60, high=0.82, **person)
    components = scale.components(table(experts, amateurs))
    assert value(components, "A_c", who="experts") == pytest.approx(0.814)
    assert value(components, "A_c", who="amateurs") == pytest.approx(0.42)
    with pytest.raises(InputError, match="experts and amateurs apart"):
        scale.components(table(row(who="people", value=0.8, **person)))


# Stimulus equivalence


def test_equivalence_by_the_printed_check():
    """Facts § 6: raw f of .016, .075 and .469; BERT alone is above chance, and comes out lowest by f."""
    assert metric.performance([0.016, 0.075, 0.469]) == pytest.approx([0.012, 0.036, 0.001], abs=1e-3)
    components = scale.components(result_rows(), rule="as published")
    symmetry = {"who": "GPT", "task": "OTM/select-only/symmetry"}
    reflexivity = {"who": "BERT", "task": "OTM/select-reject/reflexivity"}
    assert value(components, "accuracy", **symmetry) == 0.016 and value(components, "accuracy", **reflexivity) == 0.469
    assert value(components, "P", **symmetry) == 0 == value(components, "A_c", **symmetry)
    assert value(components, "A_c", **reflexivity) == pytest.approx((0.469 - 1 / 3) / (2 / 3))
    assert value(components, "P", **reflexivity) > 0
    assert value(components, "hallucinations", **symmetry) == 0.539


def nodes(shares_: list[float], who: str = "a", metric_: str = "accuracy, argmax", **fields) -> list[dict]:
    constants = {"inputs": "symbols", "metric": metric_, "n": 504, "who": who} | fields
    pairs = enumerate(shares_, 1)
    return [row("equivalence", task=f"LS/select-only/nodes {k}", value=share, **constants) for k, share in pairs]


def test_nodal_alignment_against_pearson():
    falling, uneven = [0.9, 0.8, 0.7, 0.6, 0.5], [0.5, 0.9, 0.4, 0.6, 0.3]
    rows = nodes(falling) + nodes(falling[::-1], "b") + nodes(uneven, "c") + nodes([0.4] * 5, "d")
    rows += nodes([0.9, 0.8], "e")
    alignment = scale.components(pd.DataFrame(rows[::-1])).query("component == 'nodal alignment'").set_index("who")
    assert alignment.value["a"] == pytest.approx(1) and alignment.value["b"] == pytest.approx(0)
    assert alignment.value["c"] == pytest.approx((1 + np.corrcoef(uneven, [5, 4, 3, 2, 1])[0, 1]) / 2)
    assert alignment.value[["d", "e"]].isna().all() and "2 nodal distances" in alignment.note["e"]
    assert "0.0083 of all orders" in alignment.note["a"]  # one of 120
    assert (alignment.task == "LS/select-only/nodes").all() and alignment.n["a"] == 5 * 504


def test_one_rule_at_a_time_and_people_answer_by_any():
    fields = {"instrument": "equivalence", "task": "LS/select-only/symmetry", "inputs": "symbols", "n": 1000}
    model = {"accuracy, argmax": 0.1, "accuracy, forced choice": 0.4, "hallucinations, argmax": 0.7}
    model["accuracy, argmax, iteration 250"] = 0.6
    rows = [row(metric=name, value=v, **fields) for name, v in model.items()]
    for name in ("accuracy, forced choice", "accuracy, expected"):
        rows.append(row(who="3fa9c2d1", kind="person", metric=name, value=0.9, **fields))
    argmax, forced = (scale.components(pd.DataFrame(rows), rule=rule) for rule in ("argmax", "forced choice"))
    assert (value(argmax, "accuracy", who="a"), value(forced, "accuracy", who="a")) == (0.1, 0.4)
    assert value(argmax, "hallucinations", who="a") == 0.7 and "hallucinations" not in set(forced.component)
    assert value(argmax, "accuracy", who="3fa9c2d1") == 0.9 == value(forced, "accuracy", who="3fa9c2d1")
    with pytest.raises(InputError, match="accuracy, as published, got rows of accuracy, argmax"):
        scale.components(pd.DataFrame(rows[:1]), rule="as published")


# Generalization, GR*, and bad input


def test_generalization_passes_through():
    fields = {"inputs": "columns", "who": "recipe", "kind": "observer", "task": "Moons"}
    limits = {"low": 0.7, "high": 0.8, "interval": "95% bootstrap, tasks and items"}
    parts = {"A_c": 0.75, "S": 0.76, "L": None}
    rows = [row("generalization", metric=name, value=v, **fields, **limits) for name, v in parts.items()]
    rows.append(row("generalization", metric="GR*", value=0.2, who="machines", task="Moons 0"))
    components = scale.components(pd.DataFrame(rows))
    assert components.component.tolist() == ["A_c", "S", "L"] and components.value[:2].tolist() == [0.75, 0.76]
    assert math.isnan(components.value[2]) and components.low.tolist() == [0.7] * 3 and components.chance.isna().all()
    assert scale.gr_star(pd.DataFrame(rows)).value.tolist() == [0.2]
    with pytest.raises(InputError, match="under as_published"):
        scale.gr_star(pd.DataFrame(rows[:1]))
    with pytest.raises(InputError, match="metric A_c or P or S or L"):
        scale.components(pd.DataFrame(rows[-1:]))
    for instrument, reason in {"mewl": "240 times", "bongard": "undefined", "tiles": "no common unit"}.items():
        with pytest.raises(InputError, match=f"GR\\* asked of {instrument}: .*{reason}"):
            scale.gr_star(table(row(instrument, value=0.5)))


def test_bad_rows_are_refused():
    two = results.Shipped(results.shipped_folder("equivalence")).load(metric="accuracy, argmax")
    for rows, words in (
        (table(row(value=0.5), row("bongard", value=0.5)), "one instrument at a time, got rows of mewl, bongard"),
        (table(row(value=0.5), row(value=0.6, preset="paper")), "several rows of a on shape with seed 0"),
        (table(row(value=73.7)), "divide percentages by 100"),
        (table(row(value=0.5, metric="z")), "metric accuracy, got rows of z"),
        (two, "one preset and one profile"),
    ):
        with case(words), pytest.raises(InputError, match=words):
            scale.components(rows)


# A sixth instrument


def test_a_sixth_instrument_is_on_the_scale_without_an_edit(sixth):
    """By hand: .8 of two and .7 of four options are both A_c = .6, so P = .8 (1 - 2 √(.8 × .2)) = .16."""
    fours = {"instrument": "counting", "task": "fours", "inputs": "symbols"}
    rows = table(row("counting", task="pairs", value=0.8), row(value=0.7, **fours), row(value=0.25, who="b", **fours))
    parts = scale.components(rows)
    assert (parts.instrument == "counting").all() and parts.columns.tolist() == ["instrument", *COLUMNS]
    for task, chance in (("pairs", 1 / 2), ("fours", 1 / 4)):
        assert value(parts, "A_c", who="a", task=task) == pytest.approx(0.6)
        assert value(parts, "P", who="a", task=task) == pytest.approx(0.16)
        assert (parts.chance[parts.task == task] == chance).all()
    assert value(parts, "A_c", who="b") == 0 == value(parts, "P", who="b")
    low, high = proportion_confint(420, 600, method="wilson")
    above = parts[(parts.component == "A_c") & (parts.who == "a") & (parts.task == "fours")].iloc[0]
    assert [above.low, above.high] == pytest.approx([(low - 0.25) / 0.75, (high - 0.25) / 0.75])
    stability = parts[parts.component == "S"]
    assert stability.value.isna().all() and stability.note.str.startswith("not there: nobody was asked").all()
    with pytest.raises(InputError, match="GR\\* asked of counting: .*no template"):
        scale.gr_star(rows)
