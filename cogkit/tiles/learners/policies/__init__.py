"""The networks that can play: each file of this folder holds one, the class ``Policy``.

A network of your own is one more file here. Under the file's name it can be trained, judged and swept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogkit.core import imports, presets

if TYPE_CHECKING:  # at run time torch would come along, which listing cells does not need
    from cogkit.tiles.learners.networks import Policy


def names() -> list[str]:
    """Return the names of all policies, which are those of their files; nothing is imported.

    Examples
    --------
    >>> names()[:2]
    ['cellular', 'convolutional']
    """
    return imports.files(__name__)


def of(name: str) -> type[Policy]:
    """Return the class of a policy.

    Examples
    --------
    >>> of("epn").title
    'EPN'
    """
    return imports.of_file(__name__, presets.choose(name, names(), "policy"), "Policy")
