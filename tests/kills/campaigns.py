"""Everything that is killed, with its share of the kills in 300; what is written at once comes on top."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from kills import asking, fits, kernels, makes, sitting, sweeps, written

KILLS = int(os.environ.get("COGKIT_KILLS", "300"))  # every week, in all campaigns together
CAMPAIGNS: dict[str, tuple[int, Callable[[int, Path], tuple[int, list[str]]]]] = {
    **{f"make {name}": (50, partial(makes.attacked, name)) for name in makes.MAKES},
    **{f"kernel with {name}": (8, partial(kernels.attacked, name)) for name in sitting.WIDGETS},
    **{name: (20, partial(fits.attacked, name)) for name in fits.FITS},
    "sweep": (28, sweeps.attacked),
    "questions to a model": (50, asking.attacked),
    **{f"written: {name}": (50, partial(written.attacked, name)) for name in written.COMMANDS},
}


def assert_nothing_lost(name: str, kills: int, folder: Path, record) -> None:
    """Kill so often, or a campaign's share of that many, and note the campaign for the table at the end."""
    share, attacked = CAMPAIGNS[name]
    count, lost = attacked(max(1, round(kills * share / 300)), folder)
    record("kills", (name, count, len(lost)))
    assert not lost, "\n".join(lost)
