"""The networks, one module each.

A network has ``loss(trials (n, 5)) -> scalar`` to be trained by, ``answers(shown (n, 4)) -> logits (n, choices)`` to be
asked, the three options first, and ``choices``, how many answers it can give.
"""

SHOWN = 4  # sample and three comparisons
