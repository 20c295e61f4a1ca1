"""SweepPlayer without a browser: where it stands, what it says and sends, against a plain replay of the chain."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.tiles.metamers import sampling
from cogkit.tiles.problems import records
from cogkit.tiles.rules.orders import orders
from cogkit.tiles.views import SweepPlayer

SWEEPS = 4


@pytest.fixture(scope="module")
def network():
    return sampling.load("zigzag")


@pytest.fixture(scope="module")
def chain(network):
    return sampling.trace(network, seeding.stream(7, "test"), sweeps=SWEEPS)


def replayed(chain) -> list[list[int]]:
    """Every state of the chain, by a plain loop over what was drawn."""
    board = [int(tile) for tile in chain.start]
    states = [list(board)]
    for tiles, chances, uniforms in zip(chain.tiles, chain.chances, chain.uniforms, strict=True):
        for tile, chance, uniform in zip(tiles, chances, uniforms, strict=True):
            board[tile] = int(uniform < chance)
            states.append(list(board))
    return states


def test_every_update_shows_the_board_of_a_plain_replay(chain, network):
    player, states = SweepPlayer(chain, network), replayed(chain)
    assert len(states) == 49 * SWEEPS + 1
    for update, state in enumerate(states):
        player.show(update)
        assert player.update == update and player.board.ravel().tolist() == state


def test_steps_end_where_the_chain_does_and_positions_beyond_are_refused(chain):
    player = SweepPlayer(chain)
    last = 49 * SWEEPS
    for updates, expected in [(-1, 0), (1, 1), (49, 50), (10_000, last), (1, last), (-49, last - 49), (-10_000, 0)]:
        player.step(updates)
        assert player.update == expected
    for update in (-1, last + 1):
        with pytest.raises(InputError, match=f"a number between 0, the start, and {last}"):
            player.show(update)
    assert player.update == 0


def test_the_heat_is_the_networks_chance_of_every_tile_given_the_others(chain, network):
    player, states = SweepPlayer(chain, network), replayed(chain)
    heat = np.frombuffer(player.heat, np.uint8).reshape(len(states), 49)
    assert np.abs(heat / 200 - sampling.conditionals(network, np.array(states))).max() <= 0.0025 + 1e-5


def test_the_rules_network_stands_in_and_another_is_refused(chain, network):
    assert SweepPlayer(chain, rule="zigzag").heat == SweepPlayer(chain, network).heat
    assert SweepPlayer(chain).heat == b""
    with pytest.raises(InputError, match="the network that the chain was drawn with"):
        SweepPlayer(chain, sampling.load("copy"))
    with pytest.raises(InputError, match="did you mean 'zigzag'"):
        SweepPlayer(chain, rule="zig-zag")


def test_traces_are_the_orders_and_carry_the_rules_means(chain):
    player, boards = SweepPlayer(chain, rule="zigzag"), np.array(replayed(chain)).reshape(-1, 7, 7)
    for trace, scores in zip(player.traces, orders(boards).to_numpy().T.tolist(), strict=True):
        assert list(trace["values"]) == scores
    # zigzag boards have 5.67 reds on average (upstream's own count); 1,000 boards, k = 4
    spread = 2 * records.sample("zigzag", 1000, 1).sum(axis=(1, 2)).std()
    assert abs(player.traces[0]["mean"] - (2 * 5.67 - 49)) <= 4 * spread / math.sqrt(1000) + 0.01
    assert [trace["mean"] for trace in SweepPlayer(chain).traces] == [None] * 4
