"""Sets of episodes as files in the published layout: make and audit them.

``cogkit make mewl --out DIR`` writes the folder of each episode below ``DIR/MEWL_Release_V1`` (see `layout`). It adds
three files that the published set lacks. ``README.md`` is the card of the set, and ``croissant.json`` has its metadata.
``manifest.json`` has the options, versions, the number of episodes of each part and task, and the SHA-256 of each
episode's files in the order of their names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cogkit.core.errors import InputError
from cogkit.core.presets import choose
from cogkit.core.presets import profile as valid_profile
from cogkit.extras.datasets import cards, folders
from cogkit.extras.datasets.mewl import archives
from cogkit.extras.datasets.mewl.auditing import audit
from cogkit.extras.datasets.mewl.card import card
from cogkit.extras.datasets.mewl.layout import CELL, INFO, NAME, QUESTION, Address, panel_names, plan, roots, to_files
from cogkit.extras.datasets.mewl.reading import read_info
from cogkit.mewl.problems import making
from cogkit.mewl.problems.tasks import NAMED
from cogkit.mewl.rendering import render as rendering

__all__ = ["audit", "looks_like", "make"]
PACKAGES = ("numpy", "pillow")  # packages that episodes and their pictures depend on


def make(
    out, *, n: int | None = None, seed: int = 0, profile: str = "verified", only: str | None = None,
    images: str | None = None, open_hypotheses: bool = False, jobs: int | None = None,
) -> list[Path]:  # fmt: skip
    """Write a set of episodes as `folders.make` does, and return the paths of its own files, the manifest last.

    Parameters
    ----------
    out : str or Path
        The parent of the set's own folder.
    n : int, optional
        Episodes in all, 1 to 1,000,000; by default 4,200 for each task, as published.
    seed : int
        Seed of the episodes.
    profile : {"verified", "as_published"}
        Which rules.
    only : {"shape", "color", "material", "object", "composite", "relation", "bootstrap", "number", "pragmatic"}
        One task alone; by default all nine.
    images : {"browse", "final"}, optional
        Pictures of this quality; by default there are none.
    open_hypotheses : bool
        One option is right even if a word may be about any attribute, for shape, color and material.
    jobs : int, optional
        Parallel processes; by default one for each core.

    Raises
    ------
    InputError
        No task of the set can have open hypotheses; and as `folders.make`.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> [path.name for path in make(folder, n=3, only="shape", jobs=1)], audit(folder, jobs=1)
    (['croissant.json', 'README.md', 'manifest.json'], [])
    """
    addresses = plan(n, only)
    if images is not None:
        choose(images, rendering.QUALITIES, "quality of pictures")
    config = {"n": len(addresses), "seed": seed, "profile": valid_profile(profile), "only": only, "images": images}
    if open_hypotheses:
        if profile != "verified" or only not in (None, *NAMED):
            got = f"open hypotheses of {only or 'all tasks'}, {profile}"
            raise InputError(got, f"{', '.join(NAMED)} or all tasks by the profile verified")
        config["open_hypotheses"] = True
    details = {"renderer": f"{rendering.NAME} {rendering.VERSION}" if images else None}
    parts = Counter(f"{address.part}/{address.task}" for address in addresses)
    items, root = {str(address): (address, config) for address in addresses}, Path(out) / NAME

    def summary(outputs: dict[str, tuple]) -> tuple[Iterator[tuple[str, bytes, int]], dict]:
        options = {address: outputs[str(address)][1] for address in addresses}
        return cards.with_card((), lambda: card(root, config, options)), {"parts": dict(parts)}

    return folders.make(root, CELL, config, PACKAGES, "episodes", _write, items, jobs, summary, **details)


def _write(root: Path, address: Address, config: Mapping[str, Any], checksum: str | None) -> tuple[str, int]:
    """Write an episode unless it is complete; return its checksum, and how many options can be right in it."""

    new = []

    def contents() -> dict[str, bytes]:
        is_open = config.get("open_hypotheses", False) and address.task in NAMED
        episode = making.episode(address.task, address.number, config["profile"], config["seed"], address.part, is_open)
        new.append(episode.certificate)
        contents = to_files(episode)
        if config["images"]:
            for name, scene in zip([*panel_names(episode), QUESTION], episode.trial.scenes, strict=True):
                contents[f"{name}.png"] = rendering.png(rendering.render(scene, config["images"]))
        return dict(sorted(contents.items()))

    checksum = folders.put(root, str(address), archives.contents(root / str(address)), contents, checksum)
    (certificate,) = new or [read_info(root / str(address) / f"{INFO}.json", address.task).provenance["certificate"]]
    return checksum, certificate["consistent"]["exact"]


def looks_like(folder) -> bool:
    """Return whether a folder is a set of episodes in the published layout, or contains one."""
    return bool(roots(folder))
