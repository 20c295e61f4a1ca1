"""A widget for one Gibbs chain, tile by tile: the board, the chances, and the statistics."""

from __future__ import annotations

import numpy as np
import traitlets

from cogkit.core.errors import InputError
from cogkit.tiles.metamers import sampling
from cogkit.tiles.problems import records
from cogkit.tiles.rules.boards import SIZE, TILES
from cogkit.tiles.rules.orders import orders
from cogkit.tiles.views import scene
from cogkit.ui.files import script
from cogkit.ui.player import Player

SPEEDS = (2, 4, 8, TILES)  # updates a second; the last one shows each sweep's end only
_RULE_BOARDS = 1000
_HEAT = 200  # chances travel as half per cents, a byte each


class SweepPlayer(Player):
    """Step through, scrub or play one Gibbs chain: the tile drawn at each update, and the numbers that decided it.

    The whole chain is sent at once, so that moving through it needs no kernel.

    Parameters
    ----------
    network : metamers.Conditional, optional
        The network that it was drawn with: then the chances of all tiles can be shown on the board.
    rule : str, optional
        Draws the means of this rule's boards beside the statistics; its shipped network stands in for a
        missing ``network``.

    Raises
    ------
    InputError
        A network that does not give the chances of this chain.

    Notes
    -----
    Keys: arrows one update, Page Up and Page Down one sweep, Home, End, Space plays, P shows the chances. On the
    board itself arrows move between tiles; there comma, full stop, < and > step.

    Examples
    --------
    >>> from cogkit.core import seeding
    >>> player = SweepPlayer(sampling.trace(sampling.load("tree"), seeding.stream(0, "doctest"), sweeps=2), rule="tree")
    >>> player.show(98).split(":")[0]
    'Sweep 2 of 2, update 49 of 49'
    """

    _esm = script(__file__, "base.js", "grid.js", "transport.js", "sweeps.js")
    _css = script(__file__, "base.css", "transport.css", "board.css", "sweeps.css")
    at = noun = "update"
    label = traitlets.Unicode("Board of the chain, 7 rows and 7 columns").tag(sync=True)
    chain = traitlets.Dict().tag(sync=True)
    heat = traitlets.Bytes().tag(sync=True)
    traces = traitlets.List().tag(sync=True)
    update = traitlets.Int(0).tag(sync=True)
    heat_on = traitlets.Bool(False).tag(sync=True)
    speed = traitlets.Enum(SPEEDS, 8).tag(sync=True)

    def __init__(self, chain: sampling.Chain, network: sampling.Conditional | None = None, rule=None) -> None:
        if rule is not None:
            network = network or sampling.load(rule)
        self._states = np.asarray(chain.states)
        self._tiles, self._sweeps = chain.tiles.ravel(), len(chain.tiles)
        self._chances, self._uniforms = chain.chances.ravel(), chain.uniforms.ravel()
        visits = np.arange(len(self._tiles))
        self._before, self._after = self._states[visits, self._tiles], self._states[visits + 1, self._tiles]
        rows = orders(self._states.reshape(-1, SIZE, SIZE))
        means = orders(records.sample(rule, _RULE_BOARDS, 0)).mean() if rule else dict.fromkeys(scene.ORDERS)
        reference = f"Dashed: means of {_RULE_BOARDS:,} boards of {rule}" if rule else ""
        super().__init__(
            chain={
                "start": scene.shown_word(self._states[0]),
                "sweeps": self._sweeps,
                "tiles": self._tiles.tolist(),
                "after": scene.shown_word(self._after),
                "chances": scene.per_mille(self._chances),
                "uniforms": scene.per_mille(self._uniforms),
                "opening": self._opening,
                "reference": reference,
            },
            heat=b"" if network is None else self._heat(network),
            traces=[
                {"name": name, "note": note, "values": rows[order].tolist(), "mean": means[order]}
                for order, (name, note) in scene.ORDERS.items()
            ],
        )

    @property
    def last(self) -> int:
        """The number of updates."""
        return len(self._states) - 1

    @property
    def board(self) -> np.ndarray:
        """The board after this update, (7, 7) uint8."""
        return self._states[self.update].reshape(SIZE, SIZE)

    @property
    def status(self) -> str:
        """The effect of this update and its reason, in the words under the board."""
        if self.update == 0:
            return self._opening
        sweep, position = divmod(self.update - 1, TILES)
        before, after = (scene.STATES[int(colours[self.update - 1])] for colours in (self._before, self._after))
        chance, draw = (scene.per_mille(values)[self.update - 1] / 1000 for values in (self._chances, self._uniforms))
        return (
            f"Sweep {sweep + 1} of {self._sweeps}, update {position + 1} of {TILES}: "
            f"{scene.place(self._tiles[self.update - 1])}. Chance of red {chance:.3f} given the other {TILES - 1}; "
            f"the draw was {draw:.3f}, {'below it' if after == 'red' else 'not below it'}: "
            f"{f'still {after}' if after == before else f'{after} (was {before})'}."
        )

    @property
    def _opening(self) -> str:
        return f"Start: {TILES} fair coins, {int(self._states[0].sum())} of them red. No tile has been drawn anew yet."

    def _heat(self, network: sampling.Conditional) -> bytes:
        """Return the chance of red of every tile at every state, a byte each; the chain must agree with them."""
        chances = sampling.conditionals(network, self._states)
        # the other tiles have the same value before and after the draw
        turns = chances[np.arange(1, len(chances)), self._tiles]
        wrong = np.abs(turns - self._chances).max(initial=0)
        if wrong > 1e-3:
            got = f"a network whose chances differ from the chain's by up to {wrong:.2f}"
            raise InputError(got, "the network that the chain was drawn with", "give network=")
        return np.rint(chances * _HEAT).astype(np.uint8).tobytes()
