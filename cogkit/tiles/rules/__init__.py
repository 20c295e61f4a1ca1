"""The rules of boards, each a function that returns the table of its boards, once drawn.

A table is ``(bits, probability)``: every board of the rule, enumerated exactly. The paper has eight rules (Kumar et al.
2023, Fig. 1). A rule of your own is one more function in `TABLES`; its boards are all drawn here, since none of them is
published, and `metamers.sampling` needs a network of it for its metamers.
"""

from cogkit.tiles.rules.drawn import copy, cross, pyramid, rectangle, zigzag
from cogkit.tiles.rules.grown import connected, symmetry, tree

TABLES = {rule.__name__: rule for rule in (copy, symmetry, rectangle, connected, tree, pyramid, cross, zigzag)}
RULES = tuple(TABLES)
PAPER_RULES = ("copy", "symmetry", "rectangle", "connected", "tree", "pyramid", "cross", "zigzag")
