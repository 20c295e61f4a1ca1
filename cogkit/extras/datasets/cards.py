"""The card of a made set and its Croissant metadata: what the set is, what was checked, what shortcuts reach on it.

The card is a dataset card of Hugging Face: Markdown after front matter in YAML. The metadata follow Croissant 1.0. Each
instrument fills a `Card`. Nothing in it depends on the day or the machine, so a second run writes the same two files.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

import msgspec

import cogkit
from cogkit.core.errors import Finding, InputError
from cogkit.core.identity import item_set
from cogkit.data import readers
from cogkit.extras.datasets.sets import CARD, METADATA, manifest

LICENSE = "BSD-3-Clause"  # of the project; it states no other one for the items that it makes
FORMATS = {
    ".csv": "text/csv", ".json": "application/json", ".jsonl": "application/jsonlines",
    ".npy": "application/octet-stream", ".parquet": "application/x-parquet", ".png": "image/png",
}  # fmt: skip
TABLES = (".csv", ".jsonl", ".parquet")  # what a viewer of data sets shows as rows
TEXT, WHOLE, NUMBER, PICTURE = "sc:Text", "sc:Integer", "sc:Float", "sc:ImageObject"
FLOORS = dict.fromkeys(("split", "who", "kind", "metric"), TEXT) | dict.fromkeys(("value", "low", "high"), NUMBER)
FLOORS |= {"interval": TEXT, "n": WHOLE}
_SIZES = {10**3: "n<1K", 10**4: "1K<n<10K", 10**5: "10K<n<100K", 10**6: "100K<n<1M", 10**7: "1M<n<10M"}
_OURS = "cogkit: "  # begins the line of the front matter that the audit reads


@dataclass(frozen=True)
class Column:
    """One field of records: its type, and where a file has it.

    ``extract`` and ``transform`` are those of Croissant, such as ``{"column": "sample"}``; ``extract`` is empty if the
    records stand in the metadata. ``repeated`` says that a record has a list of values.
    """

    kind: str
    extract: Mapping[str, str] = field(default_factory=dict)
    transform: Mapping[str, str] = field(default_factory=dict)
    repeated: bool = False


@dataclass(frozen=True)
class Records:
    """A table of items: of the rows of a file, of a group of files, or of rows that stand in the metadata.

    ``source`` is the name of a file, or of one of the card's ``groups``. ``rows`` are used if it is empty.
    """

    name: str
    columns: Mapping[str, Column]
    source: str = ""
    rows: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Card:
    """What is said of a made set.

    Attributes
    ----------
    dataset, title : str
        Its name for ``cogkit make``, and for people.
    item : str
        What an item is.
    task : str
        Its category among those of Hugging Face.
    tags : sequence of str
    paper : str
        The citation of the paper whose task it is.
    guarantees, checks : sequence of str
        What the generator promises of every item; and what was checked for these very items, with the numbers.
    measured : sequence of str
        How the floors were measured: which items, which learners.
    limits : sequence of str
        What the set must not be used for.
    options : mapping
        The options of ``cogkit make`` that make the set again.
    items : str
        The hash of the items; see `hash_of`.
    splits : mapping of str to int
        The number of items in each part.
    floors : sequence of mapping
        Result rows of learners that need no training, with ``split``; other columns than `FLOORS` are left out.
    records : sequence of Records
    groups : mapping of str to str
        Files that are many, by a name for them: a pattern of their paths, such as ``*/info.json``.
    """

    dataset: str
    title: str
    item: str
    task: str
    tags: Sequence[str]
    paper: str
    guarantees: Sequence[str]
    checks: Sequence[str]
    measured: Sequence[str]
    limits: Sequence[str]
    options: Mapping[str, Any]
    items: str
    splits: Mapping[str, int]
    floors: Sequence[Mapping[str, Any]]
    records: Sequence[Records] = ()
    groups: Mapping[str, str] = field(default_factory=dict)

    @property
    def profile(self) -> str:
        """The rules of the items; ``verified`` where all profiles have the same."""
        return self.options.get("profile", "verified")

    @property
    def command(self) -> str:
        """The command line that makes the set again."""
        words = ["cogkit", "make", self.dataset, "--out", "DIR"]
        for name, value in self.options.items():
            if value is not None and value is not False:
                words += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
        return shlex.join(words)


def texts(instrument: str, options: Mapping[str, Any], **values: Any) -> dict[str, Any]:
    """Return the texts, and records if any, of the card of an instrument's sets, as in ``card.toml`` beside its code.

    ``values``, and the seed, stand in place of their names in braces. Guarantees are those of the profile, if any.
    """
    table = tomllib.loads((Path(__file__).parent / instrument / "card.toml").read_text("utf-8"))
    records = msgspec.convert(table.pop("records", []), list[Records])
    if isinstance(table["guarantees"], dict):
        table["guarantees"] = table["guarantees"][options["profile"]]
    values["seed"] = options["seed"]
    for name, text in table.items():
        is_one = isinstance(text, str)
        table[name] = text.format(**values) if is_one else [line.format(**values) for line in text]
    return table | ({"records": records} if records else {})


def hash_of(instrument: str, generator: int, config: Mapping[str, Any], *own: str) -> str:
    """Return the hash of the items of a set.

    ``config`` is that of its manifest. ``own`` are options of one dataset that choose among its items; one that is set
    is a part of the name that is hashed.

    Examples
    --------
    >>> hash_of("mewl", 1, {"seed": 0, "n": 9, "only": None}, "only") == item_set("mewl", 1, "verified", 0, 9)
    True
    """
    choices = [f"{name}={config[name]}" for name in own if config.get(name)]
    name = "/".join([instrument, *choices])
    return item_set(name, generator, config.get("profile", "verified"), config.get("seed", 0), config.get("n"))


def floor_rows(split: str, rows: Iterable[Mapping[str, Any]], metrics: Collection[str]) -> list[dict[str, Any]]:
    """Return result rows as a card has them: of these metrics, with the split, and numbers of six decimals.

    The last digits of a float may differ between machines.

    Examples
    --------
    >>> row = {"who": "random", "kind": "floor", "metric": "accuracy", "value": 1 / 3, "low": None, "high": None}
    >>> floor_rows("test", [row | {"interval": "", "n": 9, "inputs": "symbols"}], ["accuracy"])[0]["value"]
    0.333333
    """
    chosen = ({**row, "split": split} for row in rows if row["metric"] in metrics)
    return [{name: round(row[name], 6) if isinstance(row[name], float) else row[name] for name in FLOORS}
            for row in chosen]  # fmt: skip


def with_card(files: Iterable[tuple[str, bytes, int]], card: Callable[[], Card]) -> Iterator[tuple[str, bytes, int]]:
    """Yield the files of a set for `sets.write`, then its metadata and its card, which is asked for last.

    Each is a name, a content, and a number of items, which is 0 for the two.
    """
    sums = {}
    for name, content, count in files:
        sums[name] = hashlib.sha256(content).hexdigest()
        yield name, content, count
    contents = card()
    yield METADATA, json.dumps(croissant(contents, sums), indent=1, ensure_ascii=False).encode(), 0
    yield CARD, markdown(contents).encode(), 0


def markdown(card: Card) -> str:
    """Return the card: front matter in YAML, then Markdown."""
    total, seed = sum(card.splits.values()), card.options["seed"]
    front = {
        "license": LICENSE.lower(), "pretty_name": card.title, "task_categories": [card.task],
        "size_categories": [next((name for most, name in _SIZES.items() if total < most), "n>10M")],
        "tags": ["cogkit", *card.tags],
    }  # fmt: skip
    tables = [records for records in card.records if PurePath(records.source).suffix in TABLES]
    if tables:
        front["configs"] = [{"config_name": records.name, "data_files": records.source} for records in tables]
    else:
        front["viewer"] = False
    about = {"items": card.items, "version": cogkit.__version__, "profile": card.profile, "seed": seed}
    front[_OURS.removesuffix(": ")] = about
    rows = [
        (row["split"], f"{row['who']} ({row['kind']})", row["metric"],
         "none" if row["value"] is None else f"{row['value']:.3f}",
         f"{row['low']:.3f} to {row['high']:.3f} ({row['interval']})" if row["interval"] else "none", row["n"])
        for row in card.floors
    ]  # fmt: skip
    template = Path(__file__).with_name("card.md").read_text("utf-8")
    return template.format(
        front="\n".join(f"{name}: {_yaml(value)}" for name, value in front.items()),
        title=_plain(card.title), item=_plain(card.item), paper=_plain(card.paper), command=card.command,
        guarantees=_list(card.guarantees), checks=_list(card.checks), limits=_list(card.limits),
        parts=_table(("split", "items"), card.splits.items()), measured="\n".join(map(_plain, card.measured)),
        floors=_table(("split", "floor", "metric", "value", "interval", "n"), rows), license=LICENSE, **about,
    )  # fmt: skip


def _yaml(value: Any) -> str:
    """Return a value as YAML in one line: as JSON, with what YAML takes for the end of a line escaped."""
    text = json.dumps(value, ensure_ascii=False)  # YAML does not join the two halves of an escaped sign
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff]", lambda sign: f"\\u{ord(sign[0]):04x}", text)


def _plain(text: object) -> str:
    """Return a text that Markdown and HTML show as it is, in one line.

    Examples
    --------
    >>> print(_plain("a_b | <c>"))
    a\\_b \\| \\<c\\>
    """
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", " ".join(str(text).split()))


def _list(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {_plain(sentence)}" for sentence in sentences)


def _table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [names, ["---"] * len(names), *([_plain(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def croissant(card: Card, sums: Mapping[str, str]) -> dict[str, Any]:
    """Return the metadata of a set in the form of Croissant 1.0; ``sums`` are the SHA-256 of its files, by name."""
    floors = Records("floors", {name: Column(kind) for name, kind in FLOORS.items()}, rows=card.floors)
    return readers.json(Path(__file__).with_name(METADATA)) | {
        "name": card.title,
        "description": f"{card.item} Made again by: {card.command}",
        "identifier": card.items,
        "version": cogkit.__version__,
        "citeAs": card.paper,
        "keywords": ["cogkit", *card.tags],
        "rai:dataLimitations": list(card.limits),
        "distribution": [*map(_file, sums, sums.values()), *map(_group, card.groups, card.groups.values())],
        "recordSet": [
            _records(records, card.groups) for records in (*card.records, floors) if records.source or records.rows
        ],
    }


def _file(name: str, checksum: str) -> dict[str, Any]:
    kind = FORMATS[PurePath(name).suffix]
    return {
        "@type": "cr:FileObject", "@id": name, "name": name, "contentUrl": name, "encodingFormat": kind,
        "sha256": checksum,
    }  # fmt: skip


def _group(name: str, pattern: str) -> dict[str, Any]:
    kind = FORMATS[PurePath(pattern).suffix]
    return {"@type": "cr:FileSet", "@id": name, "name": name, "encodingFormat": kind, "includes": pattern}


def _records(records: Records, groups: Iterable[str]) -> dict[str, Any]:
    own: dict[str, Any] = {"@type": "cr:RecordSet", "@id": records.name, "name": records.name, "field": []}
    for name, column in records.columns.items():
        field: dict[str, Any] = {
            "@type": "cr:Field", "@id": f"{records.name}/{name}", "name": name, "dataType": column.kind,
        }  # fmt: skip
        if column.repeated:
            field["repeated"] = True
        if records.source:
            kind = "fileSet" if records.source in groups else "fileObject"
            field["source"] = {kind: {"@id": records.source}, "extract": dict(column.extract)}
            if column.transform:
                field["source"]["transform"] = dict(column.transform)
        own["field"].append(field)
    if not records.source:
        own["data"] = [{f"{records.name}/{name}": row[name] for name in records.columns} for row in records.rows]
    return own


def audit(folder: Path, items: Callable[[Mapping[str, Any]], str]) -> list[Finding]:
    """Return where the card and the metadata of a set contradict its manifest; none for a set that has no card.

    ``items(config)`` is the hash of the items that a manifest asks for. That the two files, and those that they name,
    are as the manifest says, is for `sets.audit`.
    """
    record = manifest(folder)
    config, sums = record.get("config"), record.get("sha256")
    if not isinstance(config, dict) or not isinstance(sums, dict):
        return []
    wanted, findings = items(config), []
    for name, read in ((CARD, _of_card), (METADATA, _of_metadata)):
        if name not in sums or not (folder / name).is_file():
            continue
        try:
            digest, named = read(folder / name)
        except InputError as error:
            findings.append((name, "file", str(error)))
            continue
        if digest != wanted:
            findings.append((name, "items", f"is about the items {digest}, and the manifest asks for {wanted}"))
        others = [file for file, checksum in named.items() if sums.get(file) != checksum]
        findings += [(name, file, "has another SHA-256 in the manifest") for file in others]
    return [Finding(str(folder / name), field, problem) for name, field, problem in findings]


def _of_card(path: Path) -> tuple[str, dict[str, str]]:
    """Return the hash of the items that a card is about, and no checksums."""
    lines = readers.text(path).partition("\n---\n")[0].splitlines()
    about = next((line.removeprefix(_OURS) for line in lines if line.startswith(_OURS)), "")
    wanted = f"a line {_OURS}{{…}} in the front matter"
    return str(readers.parsed(about, where=str(path), wanted=wanted).get("items")), {}


def _of_metadata(path: Path) -> tuple[str, dict[str, str]]:
    """Return the hash of the items that metadata are about, and the SHA-256 that they give of each file."""
    record = readers.json(path, wanted="metadata in the form of Croissant")
    entries = record.get("distribution")
    files = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    named = {str(entry.get("contentUrl")): str(entry["sha256"]) for entry in files if "sha256" in entry}
    return str(record.get("identifier")), named
