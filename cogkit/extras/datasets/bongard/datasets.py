"""Sets of problems as files, in the published layout: made and audited.

``cogkit make bongard --out DIR`` writes, below ``DIR/ShapeBongard_V2``,

- ``{ff,bd,hd}/images/{problem}/{1,0}/{0..6}.png``: the pictures; those under 1 have the concept;
- ``{kind}/{kind}_action_programs.json``: the action strings of each problem by name: positives and negatives, seven
  pictures each, one shape or two in each;
- ``ShapeBongard_V2_split.json``: the names of the problems for training, for validation, and for each of the four
  tests;

and files that the published set lacks:

- ``{kind}/{kind}_placements.jsonl``: one line for each problem, with unrounded numbers and the place, heading and scale
  of every shape, so that each picture can be redrawn;
- ``README.md`` and ``croissant.json``: the card of the set, and its metadata;
- ``manifest.json``: the options, versions, problems of each kind and split, and SHA-256 of each file and of each
  problem's fourteen pictures in order.

``--only ff`` writes the free-form set of the paper's ablation, laid out as its published loader reads it, below
``DIR/ShapeBongard_V2_FF``: without the folder of a kind, and with the split file ``ShapeBongard_FF_split.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from cogkit.bongard.logo import raster
from cogkit.bongard.problems import certify, sets
from cogkit.bongard.problems.records import parts, pictures
from cogkit.bongard.shapes import inventory
from cogkit.core.presets import choose
from cogkit.core.presets import profile as valid_profile
from cogkit.extras.datasets import cards, folders
from cogkit.extras.datasets.bongard.auditing import audit
from cogkit.extras.datasets.bongard.card import card
from cogkit.extras.datasets.bongard.layout import ABLATION, FILES, FULL, Layout, plan, roots, strings, to_record

__all__ = ["audit", "looks_like", "make"]
PACKAGES = ("numpy", "pillow", "shapely")  # what programs, placements and pictures depend on


def make(
    out, *, n: int = 12000, seed: int = 0, profile: str = "verified", only: str | None = None,
    size: int = raster.PUBLISHED, jobs: int | None = None,
) -> list[Path]:  # fmt: skip
    """Write a set of problems as `folders.make` does, and return the paths of its own files, the manifest last.

    A second run draws only the missing and damaged pictures, but samples all programs and placements again.

    Parameters
    ----------
    out : str or Path
        The folder that will contain the set's own folder.
    n : int
        Problems in all, 1 to 12,000.
    seed : int
        Seed of the problems.
    profile : {"verified", "as_published"}
        Which rules.
    only : {"ff"}, optional
        The free-form set of the ablation; by default all three kinds.
    size : int
        Pixels a side of the pictures, 16 to 2048.
    jobs : int, optional
        Parallel processes; by default one for each core.

    Examples
    --------
    >>> import tempfile
    >>> paths = make(tempfile.mkdtemp(), n=12, only="ff", size=64, jobs=1)
    >>> [path.name for path in paths[2:]]
    ['ShapeBongard_FF_split.json', 'croissant.json', 'README.md', 'manifest.json']
    """
    layout = FULL if only is None else {"ff": ABLATION}[choose(only, ["ff"], "kind that is a set of its own")]
    config = {"n": n, "seed": seed, "profile": valid_profile(profile), "only": only, "size": raster.as_size(size)}
    config["shapes"] = inventory.available().source if only is None else None  # free-form problems need none
    root = Path(out) / layout.name
    specs, split = plan(layout, config)
    items = {spec.name: (layout, spec, size) for spec in specs}
    summary = partial(_summary, layout, split, config)
    return folders.make(root, "bongard/make", config, PACKAGES, "problems", _write, items, jobs, summary)


def looks_like(folder) -> bool:
    """Return whether a folder is a set of problems in a published layout, or holds one."""
    return bool(roots(folder))


def _write(root: Path, layout: Layout, spec: sets.Spec, size: int, checksum: str | None) -> tuple[str, str, str, bool]:
    """Write the pictures of a problem if needed; return their checksum, its strings and record, and if it is sound."""
    problem = sets.problem(spec)

    def contents() -> dict[str, bytes]:
        return dict(zip(FILES, (raster.png(picture, size) for picture in pictures([problem])), strict=True))

    checksum = folders.put(root, layout.problem(problem.name), FILES, contents, checksum)
    shapes = None if spec.kind == "ff" else inventory.available(spec.source)
    return checksum, json.dumps(strings(problem)), to_record(problem), not certify.check(problem, shapes)


def _summary(
    layout: Layout, split: dict, config: dict, outputs: dict[str, tuple]
) -> tuple[Iterator[tuple[str, bytes, int]], dict]:
    """Return the files of a set other than its pictures, and its numbers of problems."""
    by_kind = {kind: [name for name in outputs if parts(name)[0] == kind] for kind in layout.kinds}

    def files() -> Iterator[tuple[str, bytes, int]]:
        for kind, names in by_kind.items():
            programs = ", ".join(f"{json.dumps(name)}: {outputs[name][1]}" for name in names)
            yield layout.programs(kind), f"{{{programs}}}".encode(), len(names)
            yield layout.placements(kind), "".join(outputs[name][2] + "\n" for name in names).encode(), len(names)
        yield layout.split, json.dumps(split).encode(), len(outputs)

    groups = {"kinds": by_kind, "splits": split}
    lines, faulty = {name: output[2] for name, output in outputs.items()}, [n for n in outputs if not outputs[n][3]]
    with_card = cards.with_card(files(), lambda: card(layout, config, split, lines, faulty))
    return with_card, {group: {key: len(names) for key, names in value.items()} for group, value in groups.items()}
