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

PAPER = (
    "Nie, Yu, Mao, Patel, Zhu & Anandkumar (2020). Bongard-LOGO: A New Benchmark for Human-Level Concept Learning and "
    "Reasoning. Advances in Neural Information Processing Systems 33. https://arxiv.org/abs/2010.00763"
)
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
    seed, own = config["seed"], {name: value for name, value in config.items() if name != "shapes"}
    rules = {
        "verified": (
            "The negatives of a problem are all different figures, and so are the concepts of all free-form problems.",
            "In basic and abstract problems the kinds of stroke reveal nothing about the side of a picture.",
            "Every line is on the paper, and two shapes of a picture do not touch.",
        ),
        "as_published": ("Problems follow the published rules, which repeat some concepts and some negatives.",),
    }[config["profile"]]
    return Card(
        dataset="bongard",
        title="Bongard-LOGO problems",
        item=(
            f"An item is a problem: {A_SIDE} pictures that have a concept, and {A_SIDE} that lack it. A learner sees "
            f"{SUPPORT} of each side, and says to which side another one belongs. Programs draw the pictures. The "
            f"kinds are {some((KINDS[kind] for kind in layout.kinds), last=' and ')}."
        ),
        options=own,
        items=items_of(config),
        splits={part: len(names) for part, names in split.items()},
        task="image-classification",
        tags=("abstraction", "bongard-problems", "few-shot-learning", "cognitive-science"),
        paper=PAPER,
        guarantees=("The seven positives of a problem have its concept, and the seven negatives lack it.", *rules),
        checks=(
            f"{len(lines) - len(faulty)} of {len(lines)} problems keep every promise of their profile, by geometry and "
            "by the table of the attributes of shapes.",
        ),
        floors=[row for part, names in split.items() for row in _floors(part, names, lines, config["profile"], seed)],
        measured=(
            f"The first {MOST} problems of each part were judged, or all if there are fewer.",
            f"Floors saw pictures of {floors.SIZE} pixels, and observers programs or attributes. "
            f"The metric counts both queries of a problem. Guessing gives {CHANCE:.3f}.",
        ),
        limits=(
            f"Everybody who has cogkit can make these very problems with seed {seed}. They are no secret test.",
            "The split follows the rules of the paper and is not the published one. Do not mix the two.",
            "The program oracle answers at random on abstract problems. It is no ceiling there.",
        ),
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


def _floors(
    part: str, names: Sequence[str], lines: Mapping[str, str], profile: str, seed: int
) -> list[dict[str, Any]]:  # fmt: skip
    """Return the rows of every learner that needs no training on the first problems of a part."""
    problems = Items(tuple(from_record(lines[name]) for name in names[:MOST]), "bongard", part)
    if not problems:
        return []
    rows, shapes = [], inventory.available()
    pictures = rendering.pictures_of(problems, floors.SIZE)
    for make in REFERENCES.values():
        learner = make(floors.SIZE, profile)
        images = pictures if learner.inputs == "pixels" else None
        rules = {"profile": profile, "seed": seed, "evaluation": "all"}
        answers = scoring.judge(learner, problems, images=images, shapes=shapes, **rules)
        rows += cards.floor_rows(part, scoring.result_rows(answers, concepts=False), [scoring.EVALUATIONS["all"]])
    return rows
