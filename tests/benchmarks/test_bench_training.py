"""The speed of learning beside `sb3_contrib.RecurrentPPO`: the same net, boards, rules and rewards, in the same run.

Not part of the test run; the rival comes with ``pip install -e ".[bench]"``. About a quarter of an hour::

    OMP_NUM_THREADS=1 .venv/bin/python -m pytest -o addopts="" tests/benchmarks/test_bench_training.py

Times are processor time of one process, of all its threads together; no time is asserted. Ours runs as it is shipped,
on one thread. The rival gets the best number of boards, clicks an update and threads of those tried here, and for the
time to a score also the best learning rate, all found in the same run. It starts from our initial weights, takes one
pass over each rollout as A2C does, draws no boards while the clock runs, and is not told of the step limit, as ours is
not. The library lets no value loss into a shared LSTM; the time to a score is taken as released, and also with it let
in, as in ours. Its entropy bonus does not fall, as ours does. ``COGKIT_BENCH_CAP`` is how many seconds a side may take
to the score (600); a small one makes a dry run.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from itertools import product
from statistics import median

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib import RecurrentPPO
from sb3_contrib.common.recurrent.policies import RecurrentActorCriticPolicy
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, models, training
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.learners.policies import lstm
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules.boards import SIZE, TILES, Items
from cogkit.tiles.rules.game import COVERED, Game, View

_CONFIG = agents.config("lstm", "lab", task="rectangle/abstract")
_TOTAL = (
    _CONFIG.recipe.steps * _CONFIG.recipe.batch * _CONFIG.clicks
)  # clicks over which the learning rate falls, for both
_CAP = float(os.environ.get("COGKIT_BENCH_CAP", "600"))
_MARK = 11.85  # blue tiles a board: the nearest-neighbour heuristic on the 25 published rectangles
_GAMES = 400
_NUMBERS, _CLICKS, _THREADS = (16, 64, 128, 256, 512), (_CONFIG.clicks, 16), (1, 2)
_LEARNERS = tuple(product((64, 128, 256), (3e-3, 1e-2)))  # boards, learning rate
_HEATS = ((15.0, 2), (45.0, 1))  # seconds, and how many go on
_NEVER = -1e9


class Boards(VecEnv):
    """Many boards side by side: the compiled `Game` as stable-baselines3 wants it, with nothing else on top.

    Observations are (n, 51): the tiles shown, the last action (-1 for none) and its reward.
    """

    def __init__(self, items: Items, n: int) -> None:
        self._items, self.taken, self.clicks = items, n, 0
        self._game = Game(items.boards[:n], items.starts[:n], agents.rules_of_play("verified"))
        self._infos = [{}] * n
        super().__init__(n, spaces.Box(-2, TILES, (TILES + 2,), np.float32), spaces.Discrete(TILES))

    def reset(self) -> np.ndarray:
        return observe(self._game.view())

    def step_async(self, actions) -> None:
        self._actions = actions

    def step_wait(self):
        rewards, done = self._game.step(self._actions)
        if len(ended := np.flatnonzero(done)):
            self._game.restart(ended, self._items, np.arange(self.taken, self.taken + len(ended)) % len(self._items))
            self.taken += len(ended)
        self.clicks += self.num_envs
        return observe(self._game.view()), rewards * np.float32(_CONFIG.reward_scale), done, self._infos

    def get_attr(self, attr_name, indices=None):
        return [None] * self.num_envs

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * self.num_envs

    def close(self) -> None: ...
    def set_attr(self, attr_name, value, indices=None) -> None: ...
    def env_method(self, method_name, *method_args, indices=None, **method_kwargs) -> None: ...


def observe(view: View) -> np.ndarray:
    inputs = np.empty((len(view.board), TILES + 2), np.float32)
    inputs[:, :TILES], inputs[:, TILES], inputs[:, -1] = view.board, view.last_action, view.last_reward
    return inputs


class Features(BaseFeaturesExtractor):
    """What `lstm.Policy` does before its LSTM."""

    def __init__(self, observation_space) -> None:
        super().__init__(observation_space, 2 * TILES + 1)
        self.filters, self.dense = nn.Conv2d(1, 16, 3), nn.Linear(16 * (SIZE - 2) ** 2, TILES)

    def forward(self, seen):
        pixels = (seen[:, :TILES].reshape(-1, 1, SIZE, SIZE) + 1) / 2
        board = self.dense(self.filters(pixels).flatten(1).relu()).relu()
        last = nn.functional.one_hot(seen[:, TILES].long() + 1, TILES + 1)[:, 1:]
        return torch.cat([board, last, seen[:, TILES + 1 :] / 10], dim=1)


class MaskedPolicy(RecurrentActorCriticPolicy):
    """A recurrent policy that never chooses an open tile: it reads which are off the observation."""

    def extract_features(self, obs, features_extractor=None):
        self._open = obs[:, :TILES] != COVERED
        return super().extract_features(obs, features_extractor)

    def _get_action_dist_from_latent(self, latent_pi):
        scores = self.action_net(latent_pi).masked_fill(self._open, _NEVER)
        return self.action_dist.proba_distribution(scores)

    @torch.no_grad()
    def take(self, policy: lstm.Policy) -> None:
        """Take the weights of one of ours, whose dense layer reads place by place, not filter by filter."""
        features = self.features_extractor
        layers = (features.filters, features.dense, self.lstm_actor, self.action_net, self.value_net)
        ours = (policy.filters, policy.dense, policy.cell, policy.scores, policy.value)
        for layer, other in zip(layers, ours, strict=True):
            for target, source in zip(layer.parameters(), other.parameters(), strict=True):
                target.copy_(source.view_as(target))
        by_place = policy.dense.weight.unflatten(1, (-1, 16))
        features.dense.weight.copy_(by_place.transpose(1, 2).flatten(1))

    @torch.no_grad()
    def look(self, seen: np.ndarray, memory):
        """Return scores (n, 49), values (n,) and the new memory."""
        features, going = self.extract_features(torch.from_numpy(seen)), torch.zeros(len(seen))
        hidden, memory = self._process_sequence(features, memory, going, self.lstm_actor)
        return self.action_net(hidden), self.value_net(hidden).squeeze(1), memory


class JointPolicy(MaskedPolicy):
    """The value loss reaches the shared LSTM too, as in ours."""

    def evaluate_actions(self, obs, actions, lstm_states, episode_starts):
        hidden, _ = self._process_sequence(self.extract_features(obs), lstm_states.pi, episode_starts, self.lstm_actor)
        choice = self._get_action_dist_from_latent(hidden)
        return self.value_net(hidden), choice.log_prob(actions), choice.entropy()


@dataclass
class Player:
    """The rival's policy as a player that `scoring.judge` can ask."""

    policy: MaskedPolicy
    name, kind, inputs, choose = "RecurrentPPO", "model", ("board", "last_action", "last_reward"), "sample"

    def act(self, view: View, state):
        blank = torch.zeros(1, len(view.board), _CONFIG.units)
        scores, _, memory = self.policy.look(observe(view), (blank, blank) if state is None else state)
        return scores.numpy(), memory


class Side:
    """A training run with a clock, and its curve: seconds, clicks, and blue tiles a board on the validation boards."""

    threads = 1

    def __init__(self) -> None:
        self.seconds, self.wall, self.curve = 0.0, 0.0, []

    def spend(self, seconds: float) -> None:
        """Train for about so many seconds of processor time."""
        torch.set_num_threads(self.threads)
        cpu, wall = time.process_time(), time.perf_counter()
        while (spent := time.process_time() - cpu) < seconds and self.clicks < _TOTAL:
            self.train()
        torch.set_num_threads(1)
        self.seconds, self.wall = self.seconds + spent, self.wall + time.perf_counter() - wall

    def speed(self, seconds: float) -> tuple[float, float]:
        """Return clicks a second of processor time, and of wall time."""
        clicks, cpu, wall = self.clicks, self.seconds, self.wall
        self.spend(seconds)
        return (self.clicks - clicks) / (self.seconds - cpu), (self.clicks - clicks) / (self.wall - wall)

    @property
    def reached(self) -> bool:
        return bool(self.curve) and self.curve[-1][2] <= _MARK

    def learn(self, validation: Items, until: float) -> None:
        """Train until the mark is reached, or so many seconds; judged at every twentieth more, off the clock."""
        while not self.reached and self.seconds < until and self.clicks < _TOTAL:
            self.spend(min(max(0.25, self.seconds / 20), until - self.seconds))
            answers = scoring.judge(
                self.player, validation, profile=agents.rules_of_play("verified"), passes=-(-_GAMES // len(validation))
            )
            self.curve.append((self.seconds, self.clicks, float(answers.charged.mean())))

    def standing(self) -> tuple[bool, float]:
        """Return what sorts sides from the best: the first at the mark, then the fewest blue tiles."""
        seconds, _, blue = self.curve[-1]
        return not self.reached, seconds if self.reached else blue

    def summary(self) -> str:
        seconds, clicks, blue = self.curve[-1]
        return f"{'' if self.reached else '> '}{seconds:.0f} ({clicks / 1e6:.2f} M clicks, {blue:.1f} blue)"


class Ours(Side):
    def __init__(self, config: AgentConfig, seed: int) -> None:
        super().__init__()
        fit = training.train(config, seed, evaluate_every=config.recipe.steps + 1, log_every=config.recipe.steps)
        self._turns, self.clicks = iter(fit), 0
        self.policy = fit.result.state.modules["policy"]
        self.player = models.Agent(self.policy, config)

    def train(self) -> None:
        metrics = next(self._turns).metrics
        self.clicks, self.loss = metrics["clicks"], metrics["policy loss"] + metrics["value loss"]


class Rival(Side):
    def __init__(
        self, items: Items, n: int, clicks: int, threads: int, rate: float = 3e-3, policy: type = MaskedPolicy
    ) -> None:
        super().__init__()
        self.threads = threads
        self.how = f"{n} boards × {clicks} clicks, {threads} thread{'s' * (threads > 1)}, learning rate {rate:g}"
        self._boards = Boards(items, n)
        self._model = RecurrentPPO(
            policy, self._boards, lambda _: rate * max(0.0, 1 - self.clicks / _TOTAL), n_steps=clicks,
            batch_size=n * clicks, n_epochs=1, gamma=_CONFIG.gamma, gae_lambda=_CONFIG.lam, ent_coef=_CONFIG.entropy,
            vf_coef=_CONFIG.value, max_grad_norm=_CONFIG.recipe.clip, seed=0, device="cpu",
            policy_kwargs={
                "features_extractor_class": Features, "net_arch": [], "lstm_hidden_size": _CONFIG.units,
                "shared_lstm": True, "enable_critic_lstm": False,
            },
        )  # fmt: skip
        self._model.set_logger(Logger(None, []))  # its own would make a folder at every call
        self.policy = self._model.policy
        torch.manual_seed(0)
        self.policy.take(lstm.Policy(_CONFIG.units))
        self.player = Player(self.policy)

    @property
    def clicks(self) -> int:
        return self._boards.clicks

    @property
    def loss(self) -> float:
        return self._model.logger.name_to_value["train/loss"]

    def train(self) -> None:
        self._model.learn(4096, log_interval=None, reset_num_timesteps=False)  # in whole rollouts


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def table(request):
    """Rows (what, ours, rival, ratio), printed after the last benchmark."""
    rows = []
    yield rows
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print("\n\n| what | ours | RecurrentPPO | ratio |\n|---|---|---|---|")
        for row in rows:
            print("|", " | ".join(row), "|")


@pytest.fixture(scope="module")
def fastest(items, table) -> tuple[int, int, int]:
    """Boards, clicks an update and threads with which the rival is fastest."""
    speeds = {}
    for setting in product(_NUMBERS, _CLICKS, _THREADS):
        rival = Rival(items, *setting)
        rival.spend(0.1)
        speeds[setting] = rival.speed(1.0)
    for threads in _THREADS:
        texts = [
            f"{n}×{clicks} {cpu / 1e3:.1f} ({wall / 1e3:.1f})"
            for (n, clicks, t), (cpu, wall) in speeds.items()
            if t == threads
        ]
        table.append((f"threads {threads}: thousand clicks per CPU-s (wall-s)", "", ", ".join(texts), ""))
    return max(speeds, key=lambda setting: speeds[setting][0])


def test_both_are_the_same_net(items, network, rollout):
    rival = Rival(items, n=64, clicks=4, threads=1)
    rival.policy.take(network)
    assert sum(p.numel() for p in rival.policy.parameters()) == sum(p.numel() for p in network.parameters())
    memory = tuple(part[None] for part in network.blank(64))
    for view, scores, values in rollout:
        theirs, worth, memory = rival.policy.look(observe(view), memory)
        torch.testing.assert_close(theirs, scores, atol=1e-5, rtol=1e-4)
        torch.testing.assert_close(worth, values, atol=1e-5, rtol=1e-4)


def test_the_rival_plays_by_the_rules(items):
    """No open tile is chosen, and a chosen tile's likelihood is that of the masked choice."""
    rival = Rival(items, n=32, clicks=40, threads=1)
    rival.train()
    rows, actions = (getattr(rival._model.rollout_buffer, name) for name in ("observations", "actions"))
    rows, actions = rows.reshape(-1, TILES + 2), actions.reshape(-1).astype(int)
    assert len(rows) == 32 * 40 and (rows[np.arange(len(rows)), actions] == COVERED).all()
    assert (rows[:, :TILES] == COVERED).any(axis=1).all() and (rows[:, :TILES] != COVERED).sum(axis=1).max() > 20


@pytest.mark.timeout(0)
def test_speed(items, table, fastest):
    """Both are measured as they learn, a stretch of the one before a stretch of the other."""
    sides = {"ours": Ours(_CONFIG, 0), "rival": Rival(items, *fastest)}
    before = {who: [p.clone() for p in side.policy.parameters()] for who, side in sides.items()}
    for side in sides.values():
        side.spend(1.0)
    rounds = [{who: side.speed(3.0) for who, side in sides.items()} for _ in range(3)]
    for who, side in sides.items():
        assert np.isfinite(side.loss)
        moved = [not torch.equal(a, b) for a, b in zip(before[who], side.policy.parameters(), strict=True)]
        assert all(moved), who
    texts = {
        who: f"{median(r[who][0] for r in rounds):,.0f} (wall {median(r[who][1] for r in rounds):,.0f})"
        for who in sides
    }
    ratios = sorted(r["ours"][0] / r["rival"][0] for r in rounds)
    table.append((
        "training clicks per CPU-s",
        f"{texts['ours']}, {_CONFIG.recipe.batch} boards × {_CONFIG.clicks} clicks, 1 thread",
        f"{texts['rival']}, best: {sides['rival'].how}",
        f"{ratios[1]:.1f} ({ratios[0]:.1f}-{ratios[-1]:.1f})",
    ))  # fmt: skip


@pytest.fixture(scope="module")
def learners() -> dict[str, list[Ours]]:
    """Three seeds of each network of ours, trained to the mark."""
    sides = {}
    for network in ("lstm", "convolutional"):
        config = agents.config(network, "lab", task=_CONFIG.task)
        sides[network] = [Ours(config, seed) for seed in range(3)]
        for seed, side in enumerate(sides[network]):
            side.learn(agents.pools(config, seed).validation, _CAP)
    return sides


@pytest.mark.timeout(0)
@pytest.mark.parametrize(("policy", "name"), [(JointPolicy, "value loss let in"), (MaskedPolicy, "as released")])
def test_time_to_score(items, pools, table, fastest, learners, policy, name):
    """The rival's settings race in heats: the best go on from where they are, and the last one to the mark."""
    rivals = [Rival(items, n, _CONFIG.clicks, fastest[2], rate, policy) for n, rate in _LEARNERS]
    start = scoring.judge(rivals[0].player, pools.validation, passes=10).charged.mean()
    for until, keep in _HEATS:
        for rival in rivals:
            rival.learn(pools.validation, min(until, _CAP))
        rivals.sort(key=Rival.standing)
        text = ", ".join(f"{rival.curve[-1][2]:.1f} ({rival.how})" for rival in rivals)
        table.append((f"{name}: blue after {until:.0f} CPU-s", "", text, ""))
        del rivals[keep:]
    (rival,) = rivals
    rival.learn(pools.validation, _CAP)
    for side in (rival, *learners["lstm"], *learners["convolutional"]):
        assert np.isfinite(side.loss)
        assert min(blue for _, _, blue in side.curve) < start, "no better than at the start"
    yardstick = heuristic(pools.validation).mean.mean()
    words = f"CPU-s to {_MARK} blue on the validation boards (heuristic {yardstick:.1f}, at the start {start:.1f})"
    for network, sides in learners.items():
        ratio = rival.seconds / median(side.seconds for side in sides)
        table.append((
            f"{name}, ours {network}: {words}",
            "; ".join(side.summary() for side in sides),
            f"{rival.summary()}, {rival.how}",
            f"{'' if rival.reached else '> '}{ratio:.1f}",
        ))  # fmt: skip
