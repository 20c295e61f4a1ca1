"""What stands beside a learner on a split of MEWL: nearest training episode, text alone, and the ideal learner."""

from __future__ import annotations

from typing import Any

from cogkit.core.items import overlap
from cogkit.mewl.learners import floors
from cogkit.mewl.learners.memory import NearestEpisode
from cogkit.mewl.problems import splits
from cogkit.mewl.problems.episodes import CHANCE
from cogkit.mewl.scoring import judge
from cogkit.stats.memory import share


def row(name: str, profile: str = "verified") -> dict[str, Any]:
    """Return what `Instrument.memory` tells of a split. Skill is 0 for guessing, and 1 for the ideal learner."""
    parts = splits.split(name, profile)
    players = [NearestEpisode(parts.train), floors.reference("text-alone"), floors.reference("ideal-learner")]
    scores = {player.name: judge(player, parts.test).score.mean() for player in players}
    best = max((player.name for player in players if player.kind == "floor"), key=lambda who: scores[who])
    return {
        "split": name, "rung": parts.rung, "train": len(parts.train), "val": len(parts.val), "test": len(parts.test),
        "copies": len(overlap(parts.train, parts.test)), "best floor": best,
        "floor": share(scores[best], scores["ideal learner"], CHANCE), "bound": parts.bound,
        "family ideal": share(scores["ideal learner"], 1.0, CHANCE),
    }  # fmt: skip
