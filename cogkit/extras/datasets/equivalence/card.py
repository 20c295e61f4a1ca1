"""The card of a made set of trials: what was checked of them, and what floors and the observer choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cogkit.core import seeding
from cogkit.equivalence import scoring
from cogkit.equivalence.learners.references import REFERENCES, trained
from cogkit.equivalence.problems import GENERATOR, records
from cogkit.equivalence.problems.records import COLUMNS, NEGATIVES, STRUCTURES, TYPES, Design, Trials
from cogkit.extras.datasets import cards
from cogkit.extras.datasets.cards import TEXT, WHOLE, Card, Column, Records
from cogkit.extras.datasets.equivalence.checking import parse

PAPER = (
    "Carrillo & Betancort (2024). Testing Stimulus Equivalence in Transformer-Based Agents. Future Internet 16(8), "
    "289. https://doi.org/10.3390/fi16080289"
)
METRIC = "accuracy, expected"
JUDGED = ("associative", "associative-undirected", "e-eps")  # the floors and the observer; EPS is a model
EACH = 1  # trials of each pair and class that are checked and judged


def items_of(config: Mapping[str, Any]) -> str:
    """Return the hash of the trials of a set with this config; see `cards.hash_of`."""
    return cards.hash_of("equivalence", GENERATOR, config)


def sampled(name: str, trials: Trials, seed: int) -> Trials:
    """Return the trials of a file that its card is about: one of each pair and class, all if there are no more."""
    return records.draw(trials, EACH, seeding.stream(seed, f"card/{name}"))


def card(config: Mapping[str, Any], sizes: Mapping[str, int], samples: Mapping[str, Trials], pairs: str) -> Card:
    """Return the card of a set.

    ``sizes`` are the numbers of trials of its files, ``samples`` are what `sampled` drew from each, and ``pairs`` is
    the name of the table of pairs.
    """
    seed, faults = config["seed"], 0
    for sample in samples.values():
        faults += len(parse(sample.frame(), sample.design)[1])
    count = sum(map(len, samples.values()))
    return Card(
        dataset="mts",
        title="Matching to sample for stimulus equivalence",
        item=(
            "An item is a trial: a sample, three comparisons, and the place of the right one, which is of the sample's "
            "class. Stimuli are arbitrary names. A learner is trained on some pairs of a class, and tested on all."
        ),
        options=config,
        items=items_of(config),
        splits=sizes,
        task="multiple-choice",
        tags=("abstraction", "stimulus-equivalence", "matching-to-sample", "cognitive-science"),
        paper=PAPER,
        guarantees=(
            "Every ordered pair of members of a class is tested, each as often as every other.",
            "Exactly one comparison is right. In reject-only training a dummy stands for it.",
            "In the files with standard in their names, all comparisons have the same letter, so that nothing can be "
            "learnt by exclusion.",
        ),
        checks=(
            f"{count} trials were checked, {EACH} of each pair and class in every file. They have {faults} faults.",
            "The check covers names, three different comparisons, one right comparison, its place, and the pair.",
        ),
        floors=_floors(samples, seed),
        measured=(
            f"The trials that were judged are {EACH} of each pair and class, drawn from the file with seed {seed}.",
            "The learners were trained on all pairs of a structure under select-reject. "
            "Under the other two relations the tests are the same, and were not judged here.",
            "Training files have no rows: a floor knows their pairs by heart.",
            f"The metric is the mean probability of the right comparison. Guessing gives {records.CHANCE:.3f}.",
        ),
        limits=(
            f"Everybody who has cogkit can make these very trials with seed {seed}. They are no secret test.",
            "In the files without standard in their names, wrong comparisons of a test were wrong in training too. A "
            "high score there is no evidence of equivalence.",
            "A mean over all types of pair says little: reflexivity, symmetry and transitivity are separate questions.",
        ),
        records=[_pairs(pairs), *map(_trials, samples)],
    )


def _trials(name: str) -> Records:
    columns = {column: Column(TEXT, {"column": column}) for column in (*COLUMNS, "pair")}
    return Records(name.rpartition(".")[0], columns, name)


def _pairs(name: str) -> Records:
    kinds = {"sample": TEXT, "comparison": TEXT}
    for end, kind in {"": TEXT, "_relation": TEXT, "_nodes": WHOLE}.items():
        kinds |= {structure + end: kind for structure in STRUCTURES}
    columns = {column: Column(kind, {"column": column}) for column, kind in kinds.items()}
    return Records(name.rpartition(".")[0], columns, name)


def _floors(samples: Mapping[str, Trials], seed: int) -> list[dict[str, Any]]:
    """Return the rows of floors and of the observer on both files of tests, after training on each structure."""
    rows = []
    tests = {sample.design.negatives: (name, sample) for name, sample in samples.items() if name.startswith("tests")}
    for negatives in NEGATIVES:
        name, sample = tests[negatives]
        for structure in STRUCTURES:
            design = Design(structure, negatives=negatives)
            trials = Trials(design, sample.tokens, sample.pair)  # the type of a pair depends on the structure
            for reference in JUDGED:
                learner = trained(REFERENCES[reference](design), seed)
                judged = scoring.result_rows(scoring.judge(learner, trials, seed=seed))
                rows += [row for type_ in TYPES for row in _of_type(name, judged, structure, type_)]
    return rows


def _of_type(name: str, judged: list[dict], structure: str, type_: str) -> list[dict[str, Any]]:
    """Return the row of one type of pair; its metric names the structure and the type."""
    rows = [row for row in judged if row["task"].endswith(f"/{type_}")]
    return [row | {"metric": f"{METRIC}, {type_} in {structure}"} for row in cards.floor_rows(name, rows, [METRIC])]
