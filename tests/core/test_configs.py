"""What every config holds is written down: a change of it needs another version, or stored results change meaning.

After a change that the test lets pass, ``python tests/core/test_configs.py`` writes the table anew.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple

from cogkit.app import experiments
from cogkit.core.identity import plain
from cogkit.core.presets import FLAT

TABLE = Path(__file__).with_name("configs.csv")
HEAD = ("config", "version", "field", "default", "since", "absent")
ANEW = f"run python tests/core/{Path(__file__).name}"


class Field(NamedTuple):
    """What the table says of a field: values as JSON, an empty text where there is none."""

    default: str
    since: str
    absent: str


class Kind(NamedTuple):
    """What the table says of a class of configs."""

    version: int
    fields: dict[str, Field]


def kind_of(config: type) -> Kind:
    """Return what the table should say of a class."""
    entries = {}
    for part in fields(config):
        for name, place in part.metadata.get(FLAT, {}).items():  # a recipe's settings, by their names in files
            entries[place] = Field(text(getattr(part.default, name)), "", "")
        if FLAT in part.metadata:
            continue
        default = part.default_factory() if part.default_factory is not MISSING else part.default
        absent = text(part.metadata["absent"]) if "absent" in part.metadata else ""
        value = "" if default is MISSING else text(default)
        entries[part.name] = Field(value, str(part.metadata.get("since", "")), absent)
    return Kind(getattr(config, "version", 1), entries)


def text(value: Any) -> str:
    return json.dumps(plain({"value": value})["value"], sort_keys=True)


def configs(value: Any) -> Iterator[type]:
    """Yield the classes of a config and of all that are inside it."""
    if is_dataclass(value):
        yield type(value)
        value = [getattr(value, part.name) for part in fields(value) if FLAT not in part.metadata]
    if isinstance(value, tuple | list):
        for part in value:
            yield from configs(part)


def today() -> dict[str, Kind]:
    """Return what the table should say: of every class that a cell reaches, by instrument and name."""
    reached = {kind for cell in experiments.cells() for config in cell.configs.values() for kind in configs(config)}
    kinds = {f"{kind.__module__.split('.')[1]}/{kind.__name__}": kind_of(kind) for kind in reached}
    assert len(kinds) == len(reached)  # two of one name would have one identity
    return dict(sorted(kinds.items()))


def recorded() -> dict[str, Kind]:
    """Return what the table says."""
    kinds: dict[str, Kind] = {}
    with TABLE.open(newline="") as file:
        for row in csv.DictReader(file):
            kind = kinds.setdefault(row["config"], Kind(int(row["version"]), {}))
            kind.fields[row["field"]] = Field(row["default"], row["since"], row["absent"])
    return kinds


def write(kinds: dict[str, Kind]) -> None:
    with TABLE.open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(HEAD)
        table.writerows(
            [name, kind.version, field, *entry] for name, kind in kinds.items() for field, entry in kind.fields.items()
        )


def faults(before: Kind, now: Kind) -> list[str]:
    """Return a sentence for every change of a class that stored results do not survive, or would survive wrongly."""
    since = {int(field.since) for field in now.fields.values() if field.since}
    messages = [
        f"{name} was added: give it metadata={{'since': {before.version + 1}, 'absent': what stood for it before}} "
        f"and its class version: ClassVar[int] = {before.version + 1}"
        for name in now.fields.keys() - before.fields.keys()
        if not before.version < int(now.fields[name].since or 0) <= now.version
    ]
    if any(version not in since for version in range(before.version + 1, now.version + 1)):
        return messages  # a version that adds no field says that configs mean something else
    for name, old in before.fields.items():
        new = now.fields.get(name)
        if new is None:
            messages.append(f"{name} is gone: give its class a new version, or rename it in every stored config")
        elif new != old:
            messages.append(f"{name} had {show(old)} and has {show(new)}: give its class a new version")
    return messages


def show(own: Field) -> str:
    return ", ".join(f"{name} {value}" for name, value in own._asdict().items() if value) or "without default"


def test_no_config_changes_without_another_version():
    before, now = recorded(), today()
    changed = [f"{name}: {fault}" for name in before.keys() & now.keys() for fault in faults(before[name], now[name])]
    assert not changed, "\n".join(["What is stored would be lost, or claimed by what it is not.", *sorted(changed)])
    assert before == now, f"configs have grown, or cells reach other ones: {ANEW}"


if __name__ == "__main__":
    known = recorded() if TABLE.exists() else {}
    wrong = [
        f"{name}: {fault}" for name, kind in today().items() if name in known for fault in faults(known[name], kind)
    ]
    sys.exit("\n".join(wrong)) if wrong else write(today())
