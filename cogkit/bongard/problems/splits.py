"""Splits of Bongard-LOGO: the paper's four tests, and what is new in each of them."""

from __future__ import annotations

from typing import NamedTuple

from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import Items
from cogkit.bongard.shapes import inventory
from cogkit.core import presets
from cogkit.core.splits import Split


class PaperTest(NamedTuple):
    """A test of the paper: its split, its rung, the kind of its problems, and the highest floor in skill."""

    split: str
    rung: str
    kind: str
    bound: float
    note: str


TESTS = {
    "FF": PaperTest("free-form, longer programs", "extrapolation", "ff", 0.1, "Programs have one stroke more."),
    "BA": PaperTest(
        "basic, new pairs of shapes", "composition", "bd", 0.5, "Every shape is seen in training, and no pair."
    ),
    "CM": PaperTest("abstract, new pairs of attributes", "composition", "hd", 0.6, "Every shape is seen in training."),
    "NV": PaperTest("abstract, a new attribute", "rule", "hd", 0.6, "Every shape is seen in training."),
}
"""The tests by task (Nie et al. 2020, § 3.3)."""


def names() -> tuple[str, ...]:
    """Return the names of all splits.

    Examples
    --------
    >>> names()[2:]
    ('abstract, new pairs of attributes', 'abstract, a new attribute')
    """
    return tuple(test.split for test in TESTS.values())


def split(name: str, profile: str = "verified") -> Split:
    """Return a split. ``train`` holds the specs of the training problems of the test's kind (`sets.problem`).

    Examples
    --------
    >>> parts = split("abstract, a new attribute")
    >>> parts.task, parts.rung, len(parts.train), len(parts.test)
    ('NV', 'rule', 3346, 320)
    """
    task = {test.split: task for task, test in TESTS.items()}[presets.choose(name, names(), "split")]
    test = TESTS[task]
    train, val = (
        [spec for spec in sets.task_specs(part, profile) if spec.kind == test.kind] for part in ("train", "val")
    )
    place = {"source": inventory.available().source, "split": name, "rung": test.rung}
    items = Items(sets.problems(task, None, profile), "bongard", task, profile=profile, **place)
    return Split(name, task, test.rung, train, val, items, test.bound, test.note)


def place(task: str) -> tuple[str, str]:
    """Return split and rung of result rows about a task; problems of training and validation have none.

    Examples
    --------
    >>> place("NV/concept"), place("train/CM")
    (('abstract, a new attribute', 'rule'), ('', ''))
    """
    return TESTS[name][:2] if (name := task.partition("/")[0]) in TESTS else ("", "")
