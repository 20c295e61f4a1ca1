"""The card of a made set of problems: what was checked of them, and what floors and observers answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cogkit.bongard import scoring
from cogkit.bongard.learners import floors
from cogkit.bongard.learners.observers import REFERENCES
from cogkit.bongard.problems import GENERATOR, rendering
from cogkit.bongard.problems.records import A_SIDE, CHANCE, KINDS, SUPPORT, Items
from cogkit.bongard.shapes import inventory
from cogkit.core.errors import some
from cogkit.extras.datasets import cards
from cogkit.extras.datasets.bongard.layout import Layout, from_record
from cogkit.extras.datasets.cards import PICTURE, TEXT, Card, Column, Records

MOST = 100  # problems of a part that are judged
PICTURES = "picture-files"
_SHIPPED = "catalogue"  # the shapes that come with the package


def items_of(config: Mapping[str, Any]) -> str:
    """Return the hash of the problems of a set with this config; see `cards.hash_of`."""
    shapes = {} if config.get("shapes") != _SHIPPED else {"shapes": None}
    return cards.hash_of("bongard", GENERATOR, {**config, **shapes}, "only", "shapes")


def card(
    layout: Layout, config: Mapping[str, Any], split: Mapping[str, Sequence[str]], lines: Mapping[str, str],
    faulty: Sequence[str],
) -> Card:  # fmt: skip
    """Return the card of a set.

    ``split`` are the names of its problems by part, ``lines`` the stored problems by name, and ``faulty`` the names of
    those that do not keep the promises of their profile.
    """
    values = {"judged": MOST, "size": floors.SIZE, "chance": CHANCE, "a_side": A_SIDE, "support": SUPPORT}
    values |= {"sound": len(lines) - len(faulty), "n": len(lines)}
    kinds = some((KINDS[kind] for kind in layout.kinds), last=" and ")
    return Card(
        **cards.texts("bongard", config, kinds=kinds, **values),
        options={name: value for name, value in config.items() if name != "shapes"},
        items=items_of(config),
        splits={part: len(names) for part, names in split.items()},
        floors=[row for part, names in split.items() for row in _floors(part, names, lines, config)],
        records=_records(layout, split),
        groups={PICTURES: "*.png"},
    )


def _records(layout: Layout, split: Iterable[str]) -> list[Records]:
    """Return the tables of a set: problems and programs of each kind, the names of all parts, and the pictures."""
    lines = {
        "name": Column(TEXT, {"column": "name"}),
        "concept": Column(TEXT, {"column": "concept"}, repeated=True),
        "profile": Column(TEXT, {"column": "profile"}),
    }
    programs = {"programs": Column(TEXT, {"jsonPath": "$.*"}, repeated=True)}
    records = [Records(f"{kind}_problems", lines, layout.placements(kind)) for kind in layout.kinds]
    records += [Records(f"{kind}_programs", programs, layout.programs(kind)) for kind in layout.kinds]
    names = {part: Column(TEXT, {"jsonPath": f"$.{part}"}, repeated=True) for part in split}
    pictures = {
        "path": Column(TEXT, {"fileProperty": "fullpath"}), "picture": Column(PICTURE, {"fileProperty": "content"})
    }  # fmt: skip
    return [*records, Records("split", names, layout.split), Records("pictures", pictures, PICTURES)]


def _floors(part: str, names: Sequence[str], lines: Mapping[str, str], config: Mapping[str, Any]) -> list[dict]:
    """Return the rows of floors and observers on the first problems of a part."""
    problems = Items(tuple(from_record(lines[name]) for name in names[:MOST]), "bongard", part)
    if not problems:
        return []
    rows, images, shapes = [], rendering.pictures_of(problems, floors.SIZE), inventory.available()
    rules = {"profile": config["profile"], "seed": config["seed"], "evaluation": "all", "shapes": shapes}
    for learner in (make(floors.SIZE, config["profile"]) for make in REFERENCES.values()):
        if learner.kind == "model":
            continue
        answers = scoring.judge(learner, problems, images=images if learner.inputs == "pixels" else None, **rules)
        rows += cards.floor_rows(part, scoring.result_rows(answers, concepts=False), [scoring.EVALUATIONS["all"]])
    return rows
