"""The exercises of `08_word_learners`; episodes and tables that the reader has not seen test each answer."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd

from cogkit.core import seeding
from cogkit.mewl import scoring
from cogkit.mewl.learners.ablation import TEXT_ALONE
from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.problems.tasks import NAMED
from cogkit.mewl.scoring import ACCURACY
from cogkit.study.exercises import Exercises

EXERCISES = Exercises(__file__)

_SEED = 20_408  # seed of episodes that no notebook shows
_ASKED, _TABLES = 30, 5
_NEAR = 1e-6


@EXERCISES("08-eliminate", "score(question)")
def _eliminating(answer) -> bool | str:
    for task in (*NAMED, "number"):
        episodes = [making.episode(task, k, "verified", _SEED, "val") for k in range(_ASKED)]
        answers = scoring.judge(SimpleNamespace(kind="floor", inputs="captions", score=answer), episodes)
        best = answers.scores == answers.scores.max(axis=1, keepdims=True)
        correct = np.array([[word in episode.trial.heard for word in episode.trial.options] for episode in episodes])
        if not (best == correct).all():
            row = int((best != correct).any(axis=1).argmax())
            options = episodes[row].trial.options
            texts = [", ".join(np.array(options)[table[row]]) for table in (best, correct)]
            return f"in an episode of {task} it scores {texts[0]} highest, and {texts[1]} were heard"
    return True


@EXERCISES("08-above", "above(rows)")
def _above(answer) -> bool | str:
    rng = seeding.stream(_SEED, "above")
    for _ in range(_TABLES):
        rows = _rows(rng)
        floors = rows[(rows.who == TEXT_ALONE) & (rows.metric == ACCURACY)].set_index(["profile", "task"]).value
        expected = {
            (row.who, row.task): (row.value - floors[row.profile, row.task]) / (1 - floors[row.profile, row.task])
            for row in rows[(rows.metric == ACCURACY) & (rows.who != TEXT_ALONE)].itertuples()
        }
        reply = dict(answer(rows.copy()))
        if missing := set(expected) - set(reply):
            return f"for a made-up table it leaves out {sorted(missing)[0]}"
        for key, value in expected.items():
            if not math.isclose(reply[key], value, abs_tol=_NEAR):
                profile = rows.profile[(rows.who == key[0]) & (rows.task == key[1])].iloc[0]
                return f"for {key[0]} ({profile} episodes) on {key[1]}, {reply[key]:.3f} is not {value:.3f}"
    return True


def _rows(rng: np.random.Generator) -> pd.DataFrame:
    """Return invented result rows: players of two profiles, and for each profile its own rows of text alone."""
    rows = []
    for profile in ("verified", "as_published"):
        for task in ("shape", "relation", "bootstrap"):
            floor = float(rng.uniform(0.2, 0.6))
            for who in (TEXT_ALONE, f"player {profile}", f"other {profile}"):
                value = floor if who == TEXT_ALONE else float(rng.uniform(0.1, 1))
                rows.append({"who": who, "task": task, "profile": profile, "metric": ACCURACY, "value": value})
                rows.append(rows[-1] | {"task": f"train/{task}", "metric": "loss", "value": 0.5})
    return pd.DataFrame(rows).sample(frac=1, random_state=int(rng.integers(2**31)), ignore_index=True)


@EXERCISES("08-hidden", "hidden(shares)")
def _hidden(answer) -> bool | str:
    rng = seeding.stream(_SEED, "hidden")
    for _ in range(_TABLES):
        shares = pd.DataFrame(
            rng.uniform(0.15, 1, (4, len(TASKS))), index=[f"player {k}" for k in range(4)], columns=list(TASKS)
        )
        reply = dict(answer(shares.copy()))
        for who, scores in shares.iterrows():
            without = {task: scores.drop(task).mean() for task in TASKS}
            expected = max(without, key=lambda task: abs(without[task] - scores.mean()))
            if reply.get(who) != expected:
                choice = reply.get(who)
                by = f", and leaving out {choice} moves it by {without[choice] - scores.mean():+.3f}" * (
                    choice in without
                )
                change = f"leaving out {expected} moves the mean by {without[expected] - scores.mean():+.3f}"
                return f"in a made-up table, {change}{by}"
    return True
