"""Splits of Bongard-LOGO: the paper's four tests, three more with new shapes, and what is new in each of them."""

from __future__ import annotations

from typing import NamedTuple

from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import Items
from cogkit.bongard.problems.sets import NEW
from cogkit.bongard.shapes import inventory
from cogkit.core import presets
from cogkit.core.splits import Split


class Partition(NamedTuple):
    """A test: its split, its rung, the kind of its problems, and the highest floor in skill."""

    split: str
    rung: str
    kind: str
    bound: float
    note: str


_SEEN = "Every shape is seen in training."
_APART = (
    "No shape of its pictures is of a super class that training has. Eyes that are taught for the paper's tests know "
    "these shapes; a learner of this split has eyes of its own."
)
TESTS = {
    "FF": Partition("free-form, longer programs", "extrapolation", "ff", 0.1, "Programs have one stroke more."),
    "BA": Partition(
        "basic, new pairs of shapes", "composition", "bd", 0.5, "Every shape is seen in training, and no pair."
    ),
    "CM": Partition("abstract, new pairs of attributes", "composition", "hd", 0.6, _SEEN),
    "NV": Partition("abstract, a new attribute", "rule", "hd", 0.6, _SEEN),
    f"{NEW}/AB": Partition("abstract, new shapes", "interpolation", "hd", 0.7, _APART),
    f"{NEW}/CM": Partition("abstract, new pairs of attributes, new shapes", "composition", "hd", 0.65, _APART),
    f"{NEW}/NV": Partition("abstract, a new attribute, new shapes", "rule", "hd", 0.65, _APART),
}
"""The tests by task: those of the paper (Nie et al. 2020, § 3.3), and ours."""


def names() -> tuple[str, ...]:
    """Return the names of all splits.

    Examples
    --------
    >>> names()[2:5]
    ('abstract, new pairs of attributes', 'abstract, a new attribute', 'abstract, new shapes')
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
    train, val = (specs(task, part, profile) for part in ("train", "val"))
    place = {"source": inventory.available().source, "split": name, "rung": test.rung}
    items = Items(sets.problems(task, None, profile), "bongard", task, profile=profile, **place)
    return Split(
        name, task, test.rung, train, val, items, test.bound, f"{test.note} {_left_out(task, profile)}".strip()
    )


def place(task: str) -> tuple[str, str]:
    """Return split and rung of result rows about a task; problems of training and validation have none.

    Examples
    --------
    >>> place("NV/concept"), place("new-shapes/CM"), place("train/CM")
    (('abstract, a new attribute', 'rule'), ('abstract, new pairs of attributes, new shapes', 'composition'), ('', ''))
    """
    name = task if task in TESTS else task.partition("/")[0]
    return TESTS[name][:2] if name in TESTS else ("", "")


def specs(task: str, part: str, profile: str = "verified", seed: int = 0, source: str = "any") -> list[sets.Spec]:
    """Return the specs of those problems of training or of validation that are of a test's kind.

    Examples
    --------
    >>> {spec.shapes for spec in specs("CM", "val")}, {spec.shapes for spec in specs("new-shapes/CM", "val")}
    ({'all'}, {'old'})
    """
    kind = TESTS[presets.choose(task, TESTS, "test")].kind
    part = f"{NEW}/{part}" if task in sets.NEW_TESTS else part
    return [spec for spec in sets.task_specs(part, profile, seed, source) if spec.kind == kind]


def _left_out(task: str, profile: str) -> str:
    """Return a sentence on how many concepts have enough new shapes; none about tests of other shapes."""
    if task not in sets.NEW_TESTS:
        return ""
    wholes = ("train", "val") if task == f"{NEW}/AB" else (task.removeprefix(f"{NEW}/"),)
    whole, tested = (
        {spec.concept for name in some for spec in sets.task_specs(name, profile) if spec.kind == "hd"}
        for some in (wholes, (task,))
    )
    return f"{len(tested)} of {len(whole)} concepts have enough such shapes; {len(whole - tested)} are left out."
