"""CoRelNet that sees the colours too: ours, to tell what the published one loses by being colour blind."""

from __future__ import annotations

from cogkit.tiles.learners.policies import corelnet


class Policy(corelnet.Policy):
    """`corelnet.Policy` with the state of each tile (covered, blue or red) beside which tiles are alike."""

    title, coloured = "CoRelNet, colour", True
