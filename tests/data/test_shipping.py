"""What is shipped: one table and one file of manifests an instrument, with every row of version 1.0."""

from __future__ import annotations

import csv
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from cases import case

from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.core.records import RESULT_COLUMNS
from cogkit.data import results
from cogkit.data.shipping import Shipped

BEFORE = Path(__file__).with_name("shipped_1_0.csv")  # made from the 1,087 files of version 1.0, by `digest`
# Metrics that runs of version 1.0 were given since, by what they trained: z by each step from the paper's test.
ADDED = ["z, boards in turn", "z, opened tiles alone charged", "z, open tiles masked"]
RUN = ["cell", "profile", "preset", "seed"]
ROW = {"task": "copy/abstract", "kind": "floor", "who": "random", "inputs": "board", "metric": "blue", "value": 11.5}
ROW |= {"low": 10.25, "high": 12.0, "interval": "95% t, boards", "n": 25, "source": "published", "supervision": ""}


def digest(rows: pd.DataFrame) -> str:
    """Return a hash of the rows of a run, in whatever order they are."""
    rows = rows.assign(source=rows.source.str.partition(", items ")[0])  # a hash of items, made otherwise since
    columns = [name for name in RESULT_COLUMNS if name not in ("split", "rung")]  # which 1.0 had not
    lines = rows[columns].astype(object).to_csv(index=False, float_format="%.10g", header=False).split("\n")
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]


def made(cell="tiles/random/copy/abstract", seed=0, **fields):
    return replace(results.manifest(cell, {"n": 25}, "verified", "lab", seed, 1.25), **fields)


def test_every_row_of_version_1_0_is_there_with_the_same_numbers():
    """But for runs that were made anew since: their manifests name another commit. Rows may have been added since."""
    with BEFORE.open(newline="") as file:
        before = {(row["cell"], row["profile"], row["preset"], int(row["seed"])): row for row in csv.DictReader(file)}
    for name in registry.names():
        shipped = Shipped(results.shipped_folder(name))
        table = shipped.load()
        rows = dict(iter(table[~table.metric.isin(ADDED)].groupby(RUN)))
        for manifest in shipped.manifests():
            run = manifest.cell, manifest.profile, manifest.preset, manifest.seed
            old = before.pop(run, None)
            if old and manifest.commit.startswith(old["commit"]):
                with case(run):
                    assert (len(rows[run]), digest(rows[run])) == (int(old["rows"]), old["digest"])
    assert not before


def test_runs_are_added_in_order_and_one_made_anew_takes_its_place(tmp_path):
    shipped = Shipped(tmp_path)
    shipped.write([(made(seed=10), [ROW]), (made(seed=2), [ROW, ROW | {"metric": "z", "value": None}])])
    before = (tmp_path / "results.csv").read_text()
    shipped.write([(made("tiles/random-2/copy/abstract"), [ROW | {"who": 'two, "quoted"', "interval": ""}])])
    shipped.write([(made(seed=2, seconds=9.0), [ROW | {"value": 3.0}])])
    runs = [(manifest.cell, manifest.seed, len(rows)) for manifest, rows in shipped.runs()]
    assert runs == [
        ("tiles/random/copy/abstract", 2, 1), ("tiles/random/copy/abstract", 10, 1),
        ("tiles/random-2/copy/abstract", 0, 1),
    ]  # fmt: skip
    manifest, (row,) = shipped.read("tiles/random/copy/abstract", "verified", "lab", 2)
    assert manifest == made(seed=2, seconds=9.0) and row["value"] == 3.0
    assert shipped.load(seed=0)[["who", "interval"]].values.tolist() == [['two, "quoted"', ""]]
    assert shipped.read("tiles/random/copy/abstract", "verified", "quick", 2) is None
    assert before.splitlines()[-1] in (tmp_path / "results.csv").read_text()  # other lines are as they were
    assert {path.name for path in tmp_path.iterdir()} == {"results.csv", "manifests.json"}


def test_what_is_written_is_what_is_read_and_a_store_gives_the_same(tmp_path):
    rows = [ROW, ROW | {"metric": "z", "low": None, "high": float("nan"), "interval": ""}, ROW | {"value": 1 / 3}]
    Shipped(tmp_path / "a").write([(made(), rows)])
    results.Store(tmp_path / "b").write(made(), rows)
    assert [*Shipped(tmp_path / "a").runs()] == [*results.Store(tmp_path / "b").runs()]
    assert Shipped(tmp_path / "a").load().equals(results.load(tmp_path / "b"))
    with pytest.raises(InputError, match="wanted a column"):
        Shipped(tmp_path / "a").load(colour="red")
    with pytest.raises(InputError, match="wanted a kind of player"):
        Shipped(tmp_path / "a").write([(made(seed=1), [ROW | {"kind": "people"}])])
    assert len(Shipped(tmp_path / "a").load()) == 3


def test_broken_files_are_named(tmp_path):
    for spoil, words in (
        (lambda table, manifests: (table.partition("\n")[0], manifests), "in only one of results.csv and manifests"),
        (lambda table, manifests: (table.replace("11.5", "eleven"), manifests), "results.csv .*eleven"),
        (lambda table, manifests: (table.replace("who", "whom"), manifests), "results.csv"),
        (lambda table, manifests: (table, manifests[:-9]), "manifests.json"),
        (
            lambda table, manifests: (table, json.dumps(json.loads(manifests) | {"versions": {}})),
            "versions that they name",
        ),
    ):
        folder = tmp_path / str(len([*tmp_path.iterdir()]))
        Shipped(folder).write([(made(), [ROW])])
        files = [folder / "results.csv", folder / "manifests.json"]
        for path, text in zip(files, spoil(*(path.read_text() for path in files)), strict=True):
            path.write_text(text)
        with case(words), pytest.raises(InputError, match=words):
            Shipped(folder).load()


def test_a_floor_stands_beside_every_learner_on_the_same_split():
    """But for validation boards of agents that learnt all rules at once."""
    for instrument in registry.names():
        with case(instrument):
            rows = results.shipped(instrument)
            assert {*rows[rows.kind == "model"].split} - {*rows[rows.kind == "floor"].split} <= {"all rules"}
