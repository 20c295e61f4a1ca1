"""SweepPlayer without a browser: where it stands, what it says and sends, against a plain replay of the chain."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cogkit.core import seeding
from cogkit.core.contracts import InputError
from cogkit.tiles.metamers import sampling
from cogkit.tiles.problems import records
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


def by_hand():
    """A chain of one sweep in reading order: tile 0 turns red, tile 1 stays red, tile 2 turns blue, the rest blue."""
    start = np.zeros(49, np.uint8)
    start[[1, 2]] = 1
    chances, uniforms = np.full((1, 49), 0.25, np.float32), np.full((1, 49), 0.75, np.float32)
    chances[0, :3], uniforms[0, :3] = (0.83, 0.5, 0.125), (0.41, 0.4996, 0.126)
    return sampling.Chain(start, np.arange(49)[None], chances, uniforms)


def test_every_update_shows_the_board_of_a_plain_replay(chain, network):
    player, states = SweepPlayer(chain, network), replayed(chain)
    assert len(states) == 49 * SWEEPS + 1
    for update, state in enumerate(states):
        player.show(update)
        assert player.update == update and player.board.ravel().tolist() == state


def test_the_frame_is_the_chain_one_row_an_update(chain):
    frame, states = SweepPlayer(chain).to_frame(), replayed(chain)
    assert list(frame) == [
        "sweep", "position", "tile", "row", "column", "chance", "uniform", "before", "after", "reds",
    ]  # fmt: skip
    assert len(frame) == 49 * SWEEPS
    for k, row in enumerate(frame.itertuples()):
        sweep, position = k // 49, k % 49
        tile = int(chain.tiles[sweep, position])
        assert (row.sweep, row.position, row.tile) == (sweep + 1, position + 1, tile)
        assert (row.row - 1) * 7 + row.column - 1 == tile
        assert (row.chance, row.uniform) == (chain.chances[sweep, position], chain.uniforms[sweep, position])
        assert (row.before, row.after, row.reds) == (states[k][tile], states[k + 1][tile], sum(states[k + 1]))


def test_the_words_say_which_tile_was_drawn_and_why():
    player = SweepPlayer(by_hand())
    assert player.status.startswith("Start: 49 fair coins, 2 of them red.")
    texts = [player.step() for _ in range(3)]
    ends = ("draw was 0.410, below it: red (was blue).", "below it: still red.", "not below it: blue (was red).")
    assert all(text.endswith(end) for text, end in zip(texts, ends, strict=True))
    assert texts[1].startswith("Sweep 1 of 1, update 2 of 49: row 1, column 2. Chance of red 0.500")


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


def test_who_moves_by_hand_stops_the_play_and_from_the_end_it_begins_again(chain):
    player = SweepPlayer(chain)
    player.show(5)
    player.play()
    player.step()
    assert not player.playing and player.update == 6
    player.show(49 * SWEEPS)
    player.play()
    assert player.playing and player.update == 0


def test_the_heat_is_the_networks_chance_of_every_tile_given_the_others(chain, network):
    player, states = SweepPlayer(chain, network), replayed(chain)
    heat = np.frombuffer(player.heat, np.uint8).reshape(len(states), 49)
    for update in (0, 1, 49, 120, 49 * SWEEPS):
        for tile in range(49):
            masked = np.array([states[update]], np.float32)
            masked[0, tile] = -1
            for weight, bias in zip(network.weights, network.biases, strict=True):
                inner = masked @ weight.T + bias
                masked = np.maximum(inner, 0)
            exact = 1 / (1 + math.exp(-float(inner[0, tile])))
            assert abs(heat[update, tile] / 200 - exact) <= 0.0025 + 1e-5, (update, tile)


def test_the_rules_network_stands_in_and_another_is_refused(chain, network):
    assert SweepPlayer(chain, rule="zigzag").heat == SweepPlayer(chain, network).heat
    assert SweepPlayer(chain).heat == b""
    with pytest.raises(InputError, match="the network that the chain was drawn with"):
        SweepPlayer(chain, sampling.load("copy"))
    with pytest.raises(InputError, match="did you mean 'zigzag'"):
        SweepPlayer(chain, rule="zig-zag")


def test_traces_count_pairs_and_triples_and_carry_the_rules_means(chain):
    player, states = SweepPlayer(chain, rule="zigzag"), replayed(chain)
    first, second, straight, _ = (trace["values"] for trace in player.traces)
    for update in (0, 30, 49 * SWEEPS):
        board = np.array(states[update]).reshape(7, 7)
        pairs = [board[r, c] == board[r, c + 1] for r in range(7) for c in range(6)]
        pairs += [board[r, c] == board[r + 1, c] for r in range(6) for c in range(7)]
        triples = [board[r, c] == board[r, c + 1] == board[r, c + 2] for r in range(7) for c in range(5)]
        triples += [board[r, c] == board[r + 1, c] == board[r + 2, c] for r in range(5) for c in range(7)]
        assert first[update] == 2 * board.sum() - 49
        assert second[update] == 2 * sum(pairs) - 84 and straight[update] == 2 * sum(triples) - 70
    # zigzag boards have 5.67 reds on average (upstream's own count); 1,000 boards, k = 4
    spread = 2 * records.sample("zigzag", 1000, 1).sum(axis=(1, 2)).std()
    assert abs(player.traces[0]["mean"] - (2 * 5.67 - 49)) <= 4 * spread / math.sqrt(1000) + 0.01
    assert [trace["mean"] for trace in SweepPlayer(chain).traces] == [None] * 4
