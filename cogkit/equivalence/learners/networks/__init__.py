"""The networks: the paper's two in ``transformer``, and ours, which choose among places, in ``choosing``.

A network has ``loss(trials (n, 5)) -> scalar`` for training, ``answers(shown (n, 4)) -> logits (n, choices)`` with the
three options first, and ``choices``, the number of its possible answers.
"""

SHOWN = 4  # sample and three comparisons
