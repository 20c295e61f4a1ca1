"""The eight rules of Kumar et al. 2023 (Fig. 1): each a function that returns the table of its boards, once drawn.

A table is ``(bits, probability)``: every board of the rule, enumerated exactly.
"""

from cogkit.tiles.rules.drawn import copy, cross, pyramid, rectangle, zigzag
from cogkit.tiles.rules.grown import connected, symmetry, tree

TABLES = {rule.__name__: rule for rule in (copy, symmetry, rectangle, connected, tree, pyramid, cross, zigzag)}
RULES = tuple(TABLES)
