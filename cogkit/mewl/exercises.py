"""The exercises of the MEWL notebooks.

New episodes and tables, which the reader has not seen, test each answer. There is no stored key.
"""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd

from cogkit.core import seeding
from cogkit.mewl import scoring
from cogkit.mewl.learners.ablation import TEXT_ALONE
from cogkit.mewl.learners.floors import Reference
from cogkit.mewl.problems import making
from cogkit.mewl.problems.drafts import different_things
from cogkit.mewl.problems.episodes import OPTIONS, TASKS
from cogkit.mewl.problems.tasks import NAMED, pragmatic
from cogkit.mewl.scoring import ACCURACY
from cogkit.stats import wilson
from cogkit.study.exercises import Exercises, numbers, unseen

EXERCISES = Exercises(__file__)

_SEED, _LEARNER_SEED = 20_307, 20_408  # seeds of episodes that no notebook shows, of 07 and of 08
_ASKED = 200
_BETTER = 0.45  # accuracy on bootstrap that the order of words alone exceeds
_TABLES = 5
_NEAR = 1e-6


def _episodes(task: str, profile: str = "verified", n: int = _ASKED, seed: int = _SEED) -> list:
    return [making.episode(task, k, profile, seed, "val") for k in range(n)]


@EXERCISES("07-blind", "choose(utterances, options)")
def _blind(answer) -> bool | str:
    def weigh(trial) -> np.ndarray:
        return np.eye(OPTIONS)[int(answer(list(trial.utterances), list(trial.options)))]

    reader = Reference("yours", "model", weigh)
    share = scoring.judge(reader, _episodes("bootstrap", "as_published")).score.mean()
    low, _ = wilson(share * _ASKED, _ASKED)
    return bool(low > _BETTER) or unseen(share, _ASKED, "episodes")


@EXERCISES("07-name", "name(panels, query, options)")
def _named(answer) -> bool | str:
    def weigh(trial) -> np.ndarray:
        panels = [(panel.scene.things[0], panel.utterance) for panel in trial.panels]
        return np.eye(OPTIONS)[int(answer(panels, trial.query.things[0], list(trial.options)))]

    for task in ("shape", "color", "material"):
        share = scoring.judge(Reference("yours", "model", weigh), _episodes(task, n=60)).score.mean()
        if (verdict := unseen(share, 60, f"episodes of {task}")) is not True:
            return verdict
    return True


@EXERCISES("07-speaker", "speaker(things, target, alpha)")
def _speaker(answer) -> bool | str:
    rng = np.random.default_rng(_SEED)
    for _ in range(30):
        things, target, alpha = different_things(3, rng), int(rng.integers(3)), float(rng.choice([0.5, 1.0, 2.0, 4.0]))
        reply = answer(things, target, alpha)
        expected = pragmatic.speaker(things, things[target], alpha)
        if set(reply) != set(expected):
            return f"for a {things[target]} one can say {', '.join(expected)}, and it says {', '.join(map(str, reply))}"
        if not all(math.isclose(reply[value], share, abs_tol=_NEAR) for value, share in expected.items()):
            rest = ", ".join(str(thing) for k, thing in enumerate(things) if k != target)
            words = ", ".join(f"{value} {share:.2f}" for value, share in reply.items())
            return f"for a {things[target]} beside {rest}, with α = {alpha:g}, it says {words}"
    return True


@EXERCISES("07-above")
def _above(answer) -> bool | str:
    """Check two numbers above text alone: Aloe on shape and Flamingo on bootstrap, from the printed table."""
    expected = {"Aloe, shape": (0.342 - 1 / 3) / (2 / 3), "Flamingo, bootstrap": (0.573 - 0.589) / (1 - 0.589)}
    return numbers(answer, expected, 0.005)


@EXERCISES("08-eliminate", "score(question)")
def _eliminating(answer) -> bool | str:
    for task in (*NAMED, "number"):
        episodes = _episodes(task, n=30, seed=_LEARNER_SEED)
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
def _compared(answer) -> bool | str:
    rng = seeding.stream(_LEARNER_SEED, "above")
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
    rng = seeding.stream(_LEARNER_SEED, "hidden")
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
