"""The panel in which a network learns its trained pairs; the heatmap shows what emerges, and when."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import traitlets

from cogkit.equivalence.problems.records import CHANCE, PROBED, TYPES, Design
from cogkit.equivalence.views import style
from cogkit.ui import live, panel
from cogkit.ui.files import script

if TYPE_CHECKING:  # at run time this would import torch, which most notebooks do not need
    from cogkit.learning import Fit

_BETTER = "Share right (better ↑)"
_LOSS = "Loss in nats (better ↓)"
_NUMBERS = {name: name.capitalize() for name in TYPES}
_NUMBERS |= {"hallucinations": "None of the options"}
_CHANCE = live.Line("floor", "chance", CHANCE)


class TrainPanel(panel.TrainPanel):
    """Train a network while you watch its heatmap: see `ui.panel.TrainPanel` for the buttons.

    The view of the fit is the share of right answers by sample and comparison, (members, members). ``floors`` are
    shares of right answers in transitivity, by the floor's name: levels drawn beside the curves.
    """

    _esm = live.SCRIPT + script(__file__, "bands.js", "training.js")
    _css = live.STYLE + script(__file__, "bands.css", "training.css")
    still = traitlets.Dict().tag(sync=True)  # what never changes: members and types

    def __init__(
        self, fit: Fit | Callable[[], Fit], design: Design, floors: Mapping[str, float] | None = None, *,
        checkpoint: str | Path | None = None,
    ) -> None:  # fmt: skip
        self._matrix = np.full((design.members,) * 2, np.nan)
        self._n = PROBED * design.classes
        lines = [_CHANCE, *(live.Line("floor", name, value) for name, value in (floors or {}).items())]
        still = {"members": design.letters, "types": design.pairs().relation.tolist(), "n": self._n}
        super().__init__(
            fit, {_BETTER: TYPES, _LOSS: "loss"}, {"transitivity": lines}, still=still, checkpoint=checkpoint
        )

    def _scene(self, status: str) -> dict:
        if self._progress and self._progress.view:
            self._matrix = self._progress.view()
        shares = self._matrix.ravel()
        names = style.bands(self._matrix, self._n).ravel()
        counts = ", ".join(f"{(names == band).sum()} {band}" for band in style.BANDS if (names == band).any())
        return super()._scene(status) | {
            "texts": ["" if np.isnan(share) else f"{share:.2f}".removeprefix("0") for share in shares],
            "bands": names.tolist(),
            "told": f"Heatmap of {len(names)} pairs of members: {counts or 'not taken yet'}.",
            "numbers": self._newest(_NUMBERS, 3),
        }
