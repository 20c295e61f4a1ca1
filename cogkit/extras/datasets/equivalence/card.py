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

METRIC = "accuracy, expected"
JUDGED = ("associative", "associative-undirected", "closure")  # the floors and the observer
_PAIR_COLUMNS = {"sample": TEXT, "comparison": TEXT} | {
    structure + end: kind
    for end, kind in {"": TEXT, "_relation": TEXT, "_nodes": WHOLE}.items()
    for structure in STRUCTURES
}
_TRIAL_COLUMNS = {name: TEXT for name in (*COLUMNS, "pair")}
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
    seed = config["seed"]
    faults = sum(len(parse(sample.frame(), sample.design)[1]) for sample in samples.values())
    count = sum(map(len, samples.values()))
    return Card(
        **cards.texts("equivalence", config, count=count, each=EACH, faults=faults, chance=records.CHANCE),
        options=config,
        items=items_of(config),
        splits=sizes,
        floors=_floors(samples, seed),
        records=[_table(pairs, _PAIR_COLUMNS), *(_table(name, _TRIAL_COLUMNS) for name in samples)],
    )


def _table(name: str, kinds: Mapping[str, str]) -> Records:
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
                for type_ in TYPES:
                    of_type = [row for row in judged if row["task"].endswith(f"/{type_}")]
                    metric = {"metric": f"{METRIC}, {type_} in {structure}"}
                    rows += [row | metric for row in cards.floor_rows(name, of_type, [METRIC])]
    return rows
