"""The eight rules of Kumar et al. 2023 (Fig. 1), one module each.

Every module has ``support() -> (bits, probability)``, the rule's boards enumerated exactly, and
``check(boards)``, which judges boards by their structure and never looks them up.
"""

from cogkit.tiles.rules import connected, copy, cross, pyramid, rectangle, symmetry, tree, zigzag

MODULES = {
    "copy": copy,
    "symmetry": symmetry,
    "rectangle": rectangle,
    "connected": connected,
    "tree": tree,
    "pyramid": pyramid,
    "cross": cross,
    "zigzag": zigzag,
}
RULES = tuple(MODULES)
