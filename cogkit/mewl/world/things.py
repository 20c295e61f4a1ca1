"""The 144 things that scenes consist of (Jiang et al. 2023, § 3.1)."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from cogkit.core.errors import InputError
from cogkit.core.presets import choose

VALUES = {
    "shape": ("cube", "sphere", "cylinder"),
    "color": ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow"),
    "material": ("rubber", "metal", "glass"),
    "size": ("large", "small"),
}
ATTRIBUTES = tuple(VALUES)
ATTRIBUTE_OF = {value: attribute for attribute, values in VALUES.items() for value in values}
RGB = {  # of 255
    "gray": (87, 87, 87), "red": (173, 35, 35), "blue": (42, 75, 215), "green": (29, 105, 20), "brown": (129, 74, 25),
    "purple": (129, 38, 192), "cyan": (41, 208, 208), "yellow": (255, 238, 51),
}  # fmt: skip
HALF = {"large": 0.7, "small": 0.35}  # half the height, and also half the width, in units of the ground


class Thing(NamedTuple):
    """One kind of object: the values of its four attributes, in the published order.

    Examples
    --------
    >>> str(Thing("cube", "red", "glass", "small"))
    'small red glass cube'
    """

    shape: str
    color: str
    material: str
    size: str

    def __str__(self) -> str:
        return f"{self.size} {self.color} {self.material} {self.shape}"


EVERY = tuple(Thing(*values) for values in product(*VALUES.values()))


def thing(values) -> Thing:
    """Return the thing that has these four values, in the published order.

    Raises `InputError` if there are not four values, or an attribute does not have its value.

    Examples
    --------
    >>> thing(["cube", "red", "glass", "small"]).material
    'glass'
    """
    values = tuple(values)
    if len(values) != len(ATTRIBUTES):
        raise InputError(f"{values}", f"four values: {', '.join(ATTRIBUTES)}")
    for value, (attribute, allowed) in zip(values, VALUES.items(), strict=True):
        choose(value, allowed, attribute)
    return Thing(*values)
