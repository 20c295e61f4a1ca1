"""The grammar of rules: rules share no board, hold every copy of theirs, and are named by motif and operator."""

from __future__ import annotations

import numpy as np

from cogkit.tiles.rules import grammar
from cogkit.tiles.rules.symmetries import images, orbits


def test_no_board_of_a_rule_has_a_copy_in_another_and_every_copy_is_in_its_own():
    rules = grammar.rules()
    names = np.concatenate([np.unique(orbits(support.bits)) for support in rules.values()])
    assert len(names) == len(np.unique(names))
    assert all(len(images(support)) == len(support) for support in rules.values())


def test_some_rules_are_those_of_a_motif_of_an_operator_or_of_a_pair():
    assert grammar.some("motif ring") == ["ring under single", "ring under copy"]
    assert {rule.partition(" under ")[2] for rule in grammar.some("operator mirror")} == {"mirror"}
    assert grammar.some("hook under copy") == ["hook under copy"] and not grammar.some("plus under mirror")
