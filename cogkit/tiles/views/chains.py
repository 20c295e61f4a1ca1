"""The panel in which a conditional network learns: its accuracy, and chains drawn with the network as it is."""

from __future__ import annotations

from cogkit.tiles.metamers import sampling
from cogkit.tiles.views.training import BoardPanel

_CURVE = {
    "Hidden tiles guessed right (better ↑)": {"accuracy": "all tiles", "blue": "always blue", "reds": "red tiles"}
}
_NUMBERS = {"accuracy": "All tiles right", "blue": "Always blue", "reds": "Red tiles right", "loss": "Loss"}


class ChainPanel(BoardPanel):
    """Train a conditional network while you watch its chains: see `ui.panel.TrainPanel` for what its buttons do.

    Examples
    --------
    >>> ChainPanel(sampling.ConditionalConfig("tree"), seed=0).trained
    False
    """

    def __init__(self, config: sampling.ConditionalConfig, seed: int = 0) -> None:
        from cogkit.tiles.learners import conditional  # brings torch, which most notebooks do not need

        self._conditional, self._rule = conditional, config.rule
        file = sampling.checkpoint(config, seed)
        super().__init__(lambda: conditional.train(config, seed, checkpoint=file), _CURVE, checkpoint=file)

    async def network(self, hands_free: bool = False) -> sampling.Conditional:
        """Return the reader's network if it has learnt for a step at least, else the shipped one: see `learner`."""
        return await self.learner(self.to_network, lambda: sampling.load(self._rule), hands_free)

    def to_network(self, result) -> sampling.Conditional:
        """Return the network of a result of this panel."""
        return self._conditional.to_network(result.state)

    def _numbers(self) -> list[tuple[str, str]]:
        return self._newest(_NUMBERS, 3)

    def _scene(self, status: str) -> dict:
        return super()._scene(status) | {"about": "Six chains, drawn now"}
