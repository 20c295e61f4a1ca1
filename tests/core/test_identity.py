"""A config is the same however its class grows, and another once anything in it means something else."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field, fields, replace
from types import ModuleType
from typing import ClassVar

import numpy as np
import pytest
from cases import case

from cogkit.core.errors import InputError
from cogkit.core.identity import config_hash, item_set, items_of, plain, restored, same_items
from cogkit.data import results
from cogkit.equivalence.learners import agents
from cogkit.equivalence.problems.records import Design


@dataclass(frozen=True)
class Eyes:
    size: int = 64


@dataclass(frozen=True)
class Agent:
    name: str
    rate: float = 0.1
    eyes: Eyes | None = None
    layers: tuple[int, ...] = (8, 4)


def grown() -> type:
    """Return the same class as of today, with two fields more, one of them absent as None."""

    @dataclass(frozen=True)
    class Grown(Agent):
        dropout: float = field(default=0.5, metadata={"since": 2, "absent": 0.0})
        looks: int | None = field(default=None, metadata={"since": 3, "absent": None})
        version: ClassVar[int] = 3

    Grown.__name__ = "Agent"
    return Grown


def test_plain_is_class_version_and_fields_and_hashes_are_of_their_canonical_json():
    mapping, eyes = plain(Agent("one", eyes=Eyes(np.int64(32)))), {"class": "Eyes", "version": 1, "size": 32}
    fields = {"class": "Agent", "version": 1, "name": "one", "rate": 0.1, "layers": [8, 4], "eyes": eyes}
    assert mapping == fields
    assert config_hash({}) == "44136fa3"  # SHA-256 of "{}", as sha256sum gives it
    assert config_hash(mapping) == config_hash(Agent("one", eyes=Eyes(32)))  # a mapping hashes as it is
    variants = [Agent("two"), Agent("one", 0.2), Agent("one", layers=(4, 8)), Agent("one", eyes=Eyes())]
    assert len({config_hash(config) for config in (Agent("one"), {"name": "one"}, *variants)}) == 6
    assert config_hash({"eyes": Eyes()}) == config_hash({"eyes": plain(Eyes())})


def test_a_field_that_is_added_changes_nothing_while_it_has_its_absent_value():
    old, new = Agent("one"), grown()
    assert plain(new("one", dropout=0.0)) == plain(old)
    # its default is not its absent value, and a default of today claims nothing of yesterday
    assert plain(new("one")) == plain(old) | {"version": 2, "dropout": 0.5}
    assert plain(new("one", dropout=0.0, looks=2)) == plain(old) | {"version": 3, "looks": 2}
    configs = (old, new("one"), new("one", dropout=0.0, looks=2), new("one", looks=2))
    assert len({config_hash(config) for config in configs}) == 4
    assert restored(new, plain(old)) == new("one", dropout=0.0)
    assert restored(new, plain(new("one", looks=2))) == new("one", looks=2)


def test_a_class_of_another_version_or_name_means_something_else():
    @dataclass(frozen=True)
    class Eyes:
        size: int = 64
        version: ClassVar[int] = 2

    assert plain(Eyes()) == {"class": "Eyes", "version": 2, "size": 64}
    assert plain(Agent("one", eyes=Eyes()))["eyes"]["version"] == 2
    with pytest.raises(InputError, match="another version of cogkit made it"):
        restored(Eyes, {"class": "Eyes", "version": 1, "size": 64})
    with pytest.raises(InputError, match="wanted one of an eye"):
        restored(Eyes, plain(Agent("one")), "an eye")


def test_a_changed_default_claims_nothing():
    @dataclass(frozen=True)
    class Changed(Agent):
        rate: float = 0.3

    Changed.__name__ = "Agent"
    assert config_hash(Changed("one")) != config_hash(Agent("one"))
    assert config_hash(Changed("one", rate=0.1)) == config_hash(Agent("one"))
    assert restored(Changed, plain(Agent("one"))).rate == 0.1


def test_nested_configs_are_restored_by_their_own_class_and_lists_are_tuples():
    @dataclass(frozen=True)
    class Far(Eyes):
        distance: float = 1.0

    agent = Agent("one", eyes=Far(8, 2.0), layers=(3,))
    assert restored(Agent, plain(agent)) == agent
    design = agents.config("gpt", "lab", design=Design(("AB", "CB"), members=3))
    assert restored(agents.AgentConfig, plain(design)) == design


def test_what_is_no_config_of_the_class_is_refused():
    sound = plain(Agent("one"))
    faults = ({"colour": 1}, {"eyes": {"sise": 3}}, {"eyes": []}, {"eyes": [plain(Eyes())]}, {"version": 2})
    lacking = {"class": "Agent", "version": 1, "name": "one", "rate": 0.1}
    for stored in ({}, {"name": "one"}, {"class": "Stranger"}, lacking, *(sound | fault for fault in faults)):
        with case(stored), pytest.raises(InputError, match="wanted one of Agent, got the config"):
            restored(Agent, stored)


def test_with_a_field_more_what_is_shipped_is_found_and_with_another_default_it_is_not():
    """Adding a field used to hide every shipped result of its class."""

    @dataclass(frozen=True)
    class TransformerConfig(agents.TransformerConfig):
        rotary: bool = field(default=True, metadata={"since": 2, "absent": False})
        version: ClassVar[int] = 2

    design = Design("LS", "select-reject")
    today = agents.config("gpt", "lab", design=design)
    values = {entry.name: getattr(today, entry.name) for entry in fields(today)}
    store = results.Shipped(results.shipped_folder("equivalence"))
    stored = store.read(agents.cell_id("gpt", design), "verified", "lab", 0)[0].config
    assert stored == plain(today) == plain(TransformerConfig(**values, rotary=False))
    assert stored != plain(TransformerConfig(**values))  # the new default is something new
    assert stored != plain(replace(today, dropout=0.1))
    assert restored(TransformerConfig, stored).rotary is False


def test_items_are_one_set_by_generator_profile_seed_and_number(sixth, monkeypatch):
    sets = [("a", 1, "verified", 0, 5), ("b", 1, "verified", 0, 5), ("a", 2, "verified", 0, 5)]
    sets += [("a", 1, "as_published", 0, 5), ("a", 1, "verified", 1, 5), ("a", 1, "verified", 0, None)]
    hashes = [item_set(*parts) for parts in sets]
    assert len({*hashes}) == len(sets) and hashes[2].startswith("2-") and item_set(*sets[0]) == hashes[0]
    same_items(hashes[0], "", hashes[0])
    with pytest.raises(InputError, match=f"same items, got items {hashes[0]} and {hashes[2]}"):
        same_items(hashes[2], hashes[0])
    assert items_of("counting", "verified", 0) == items_of("chess", "verified", 0) == ""  # they declare no generator
    problems = ModuleType("counting.problems")
    problems.GENERATOR = 3
    monkeypatch.setitem(sys.modules, problems.__name__, problems)
    assert items_of("counting", "verified", 0, 5) == item_set("counting", 3, "verified", 0, 5)


def test_a_fresh_process_gives_items_the_same_hash():
    code = "from cogkit.core.identity import items_of; print(items_of('mewl', 'verified', 0))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == items_of("mewl", "verified", 0) == "1-da003e17"
