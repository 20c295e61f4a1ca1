"""The networks, one module each.

A network has ``loss(trials (n, 5)) -> scalar`` for training, ``answers(shown (n, 4)) -> logits (n, choices)`` with the
three options first, and ``choices``, the number of its possible answers.
"""

SHOWN = 4  # sample and three comparisons
