"""How trained agents transfer: from a rule to its metamers and back, and between the two evaluation profiles."""

from __future__ import annotations

import pandas as pd

from cogkit.tiles import scoring
from cogkit.tiles.learners import training
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules.boards import Items

_PROFILES = ("as_published", "verified")


def transfer(rules, passes: int, seed: int = 0) -> pd.DataFrame:
    """Return how the shipped agents of each rule, and of its metamers, do on both kinds of held-out boards.

    Each board is played ``passes`` times.

    One row per agent and kind of boards: rule, trained, tested (abstract or metamer), and z as value, low, high, n, the
    interval over boards. No board of either test is in any agent's pool.

    Examples
    --------
    >>> transfer(["tree"], passes=1)[["trained", "tested"]].values.tolist()[1]
    ['abstract', 'metamer']
    """
    rows = []
    for rule in rules:
        tests = {kind: records.items(f"{rule}/{kind}") for kind in records.KINDS}
        yardsticks = {kind: heuristic(items, seed=seed) for kind, items in tests.items()}
        for source in records.KINDS:
            agent = training.load("lstm", task=f"{rule}/{source}")
            for kind, items in tests.items():
                answers = scoring.judge(agent, items, passes=passes, seed=seed)
                (z,) = [row for row in scoring.summarise(answers, yardstick=yardsticks[kind]) if row["metric"] == "z"]
                fields = {"rule": rule, "trained": source, "tested": kind}
                rows.append(fields | {name: z[name] for name in ("value", "low", "high", "n")})
    return pd.DataFrame(rows)


def blocking(agent, items: Items, passes: int = 15, seed: int = 0) -> pd.DataFrame:
    """Return the scores of one agent under each profile: the published evaluation and the corrected one.

    The paper goes through the boards 15 times.

    One row per profile: ``boards reached``, how many boards were ever played; ``finished``, the share of games with all
    reds open; ``blue``, as charged; ``z``; ``pinned passes``, those that scored as if no board had been finished; and
    ``pinned z``, that score.

    Examples
    --------
    >>> from cogkit.tiles.learners import floors
    >>> boards = records.items("tree/abstract", "generated")
    >>> blocking(floors.NeverFinishes(), boards, passes=3)["pinned passes"].tolist()
    [3, 0]
    """
    yardstick, rows = heuristic(items, seed=seed), []
    every = (1 - items.boards).sum(axis=(1, 2), dtype=float)
    ceiling = ((every - yardstick.mean) / yardstick.sd).mean()
    for profile in _PROFILES:
        answers = scoring.judge(agent, items, profile=profile, passes=passes, seed=seed)
        z = scoring.z_scores(answers, yardstick)
        rows.append({
            "profile": profile, "boards reached": len(set(answers.played.ravel().tolist())),
            "finished": answers.finished.mean(), "blue": answers.charged.mean(), "z": z.mean(),
            "pinned passes": int((~answers.finished).all(axis=1).sum()), "pinned z": ceiling,
        })  # fmt: skip
    return pd.DataFrame(rows)
