"""The gymnasium environments: the library's own checks, and agreement with the game they stand on."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from cogkit.tiles.rules.boards import Items
from cogkit.tiles.rules.game import PROFILES, Game

NAME = "cogkit.tiles:cogkit/Tiles-v0"
PLUS = np.zeros((7, 7), int)
PLUS[3, 2:5] = PLUS[2:5, 3] = 1
ITEMS = Items(np.stack([PLUS, PLUS.T[::-1], np.eye(7)]), [24, 24, 0], "plus/abstract", "test")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("observation", ["board", "vector"])
@pytest.mark.parametrize("config", PROFILES.values(), ids=PROFILES)
def test_gymnasiums_own_check_passes_without_a_warning(observation, config):
    check_env(gymnasium.make(NAME, rule="rectangle", observation=observation, config=config).unwrapped)


def test_an_episode_is_the_games():
    env = gymnasium.make(NAME, items=ITEMS)
    env.reset(seed=0, options={"item": 0})
    game = Game(PLUS, [24])
    for tile in (17, 23, 0, 25, 31):
        rewards, _ = game.step([tile])
        observation, reward, over, cut, info = env.step(tile)
        assert reward == rewards[0] and (observation.ravel() == game.shown[0]).all()
        assert (info["action_mask"] == (game.shown[0] == -1)).all()
        assert info["blue"] == game.blue[0]
    assert over and not cut and reward == 10


def test_a_seeded_start_forgets_the_game_before():
    for make in (gymnasium.make, gymnasium.make_vec):
        env = make(NAME, items=ITEMS, observation="vector", config=PROFILES["as_published"])
        begun = [env.reset(seed=5)[0]]
        for tile in (17, 23):
            env.step(tile if make is gymnasium.make else [tile])
        begun.append(env.reset(seed=5)[0])
        assert (begun[0] == begun[1]).all()


def test_step_limit_truncates():
    env = gymnasium.make(NAME, items=ITEMS)
    env.reset(seed=0, options={"item": 0})
    ends = [env.step(24)[2:4] for _ in range(60)]
    assert ends[-1] == (False, True) and ends[-2] == (False, False)


def test_vector_env_is_many_single_ones_with_a_new_board_in_the_step_that_ends_one():
    envs = gymnasium.make_vec(NAME, num_envs=16, items=ITEMS)
    observation, info = envs.reset(seed=1)
    rng, ended = np.random.default_rng(0), 0
    for _ in range(120):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        before = observation
        observation, rewards, over, cut, info = envs.step(actions)
        for k in range(16):
            assert before[k].ravel()[actions[k]] == -1
            if over[k]:
                final = info["final_obs"][k].ravel()
                assert rewards[k] == 10 and info["_final_obs"][k] and not cut[k]
                assert (final == 1).sum() in (5, 7) and info["final_blue"][k] == (final == 0).sum()
                assert (observation[k].ravel() >= 0).sum() == 1
                ended += 1
            else:
                assert rewards[k] == (1 if observation[k].ravel()[actions[k]] == 1 else -1)
    assert ended > 16
