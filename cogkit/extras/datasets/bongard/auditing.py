"""The faults of a set of problems on the disk, ours or a copy of another: every fault, each once.

The tests depend on what the set claims to be. A set with a manifest must be exactly the set in its manifest; if it was
made ``as_published``, this includes the quirks of the published rules. A copy without a manifest must have the
published numbers. The published rules allow repeated concepts and negatives, so these are only counted, in one line
each, with the field ``published quirk``.

Pictures are redrawn from stored placements and must agree in every pixel (except at edges, if another version drew
them). Without placements, pictures of 128 pixels a side or more are compared by `render_match`, and the places of
shapes are not checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from cogkit.bongard.logo.raster import PUBLISHED, as_size
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import KINDS, parts
from cogkit.bongard.shapes import inventory
from cogkit.core.errors import Finding, InputError
from cogkit.data import readers
from cogkit.data.published import Unavailable, announce
from cogkit.extras.datasets import cards
from cogkit.extras.datasets import sets as files
from cogkit.extras.datasets.auditing import NOTHING, QUIRK, Audit, inspect_all
from cogkit.extras.datasets.bongard.audit_item import Entry, Expected, Report, inspect
from cogkit.extras.datasets.bongard.card import items_of
from cogkit.extras.datasets.bongard.layout import Layout, plan, position, roots

SPLIT = {  # published
    "train": 9300, "val": 900, "test_ff": 600, "test_bd": 480, "test_hd_comb": 400, "test_hd_novel": 320,
}  # fmt: skip


def audit(folder, *, jobs: int | None = None) -> list[Finding]:
    """Return every fault of a set of problems; an empty list if it is sound.

    ``folder`` is a set's own folder, or one that contains sets. Raises `published.Unavailable` if the set was made from
    the published shapes, and they are not available here.
    """
    return [finding for root, layout in roots(folder) for finding in _Audit(root, layout).run(jobs)]


class _Audit(Audit):
    """The audit of one set."""

    noun = "problems"

    def __init__(self, root: Path, layout: Layout) -> None:
        super().__init__(root)
        self.layout = layout
        names, split = (self.planned(self._plan) if isinstance(self.config, dict) else None) or (None, {})
        self.plan, self.part_of = names, {name: part for part, names in split.items() for name in names}

    def check(self, jobs: int | None) -> None:
        kinds = self.layout.kinds
        programs = {kind: self._programs_file(kind) for kind in kinds}
        names = [file(kind) for kind in kinds for file in (self.layout.programs, self.layout.placements)]
        if not self.complete:  # a published copy has no placements
            names = [path.relative_to(self.root).as_posix() for path in programs.values()]
        self.findings += files.audit(self.root, [*names, self.layout.split]) + cards.audit(self.root, items_of)
        file, wanted = self.root / self.layout.split, "the names of problems by part"
        split = self.attempt(lambda: readers.json(file, dict[str, list[str]], wanted), {})
        strings, lines = {}, {}
        for kind in kinds:
            strings[kind] = self._table(programs[kind], readers.json)
            lines[kind] = self._table(self.root / self.layout.placements(kind), _lines)
        entries = self._entries(split, strings, lines)
        reports = inspect_all(inspect, entries, jobs, self._expected())
        for report in reports:
            for field, problem in report.faults:
                self.report(field, problem, self.layout.problem(report.name))
        self._split(split, [entry.name for entry in entries])
        self._repeats(reports)
        if self.plan is None:
            self._published(split, reports)

    def _plan(self, config: Mapping) -> tuple[list[str], dict[str, list[str]]]:
        """Return the names of the problems in a config, and their split."""
        as_size(config["size"])
        specs, split = plan(self.layout, config)
        return [spec.name for spec in specs], split

    def _programs_file(self, kind: str) -> Path:
        """Return the file of action strings of a kind; in some copies its name lacks the last s."""
        usual = self.root / self.layout.programs(kind)
        other = usual.with_name(usual.name.replace("programs", "program"))
        return other if other.is_file() and not usual.is_file() else usual

    def _table(self, path: Path, read: Callable[[Path], dict]) -> dict | None:
        """Return the contents of a file by problem; None if there is no file, or it cannot be read."""
        return self.attempt(lambda: read(path), None) if path.is_file() else None

    def _entries(self, split: Mapping[str, Sequence[str]], strings: Mapping, lines: Mapping) -> list[Entry]:
        """Return an entry for every problem that the manifest asks for, or that any file or folder names."""
        names = [*(self.plan or ())]
        for kind in self.layout.kinds:
            images = self.root / self.layout.images(kind)
            names += sorted(path.name for path in images.iterdir()) if images.is_dir() else []
        names += [name for tables in (strings, lines) for table in tables.values() for name in table or ()]
        names += [name for members in split.values() for name in members]
        sums = self.sums if isinstance(self.manifest.get(self.noun), dict) else None
        entries = []
        for name in dict.fromkeys(names):
            try:
                folder, kind = self.layout.problem(name), parts(name)[0]
            except InputError as error:
                self.report("name", str(error))
                continue
            tables = (strings.get(kind), lines.get(kind), sums)
            facts = (table if table is None else table.get(name, NOTHING) for table in tables)
            entries.append(Entry(name, self.root / folder, *facts))
            if self.plan is not None and len(entries) > len(self.plan):
                self.report("name", "is none of the problems that the manifest asks for", folder)
        return entries

    def _expected(self) -> Expected:
        if self.plan is not None:
            stored = self.manifest.get("versions")
            exact = isinstance(stored, dict) and stored == files.versions(stored.keys() - {"cogkit"})
            return Expected(self.config["size"], self.config["shapes"], self.config["profile"], exact)
        try:
            source = inventory.available("published").source
        except Unavailable as error:
            announce(f"labels of basic and abstract problems are not checked, for want of the shapes ({error.got})")
            source = None
        return Expected(None, source, "as_published", exact=False)

    def _split(self, split: Mapping[str, Sequence[str]], names: Sequence[str]) -> None:
        """Report problems in no part, in two parts, or in the wrong part."""
        homes: dict[str, list[str]] = {name: [] for name in names} if split else {}
        for part, members in split.items():
            for name in members:
                homes.setdefault(name, []).append(part)
        for name, (home, *others) in ((name, places or ["no part"]) for name, places in homes.items()):
            if others or home == "no part":
                self.report(name, f"is in {' and '.join([home, *others])}, not in one part", self.layout.split)
            elif home != self.part_of.get(name, home):
                self.report(name, f"is in {home}, not in {self.part_of[name]}", self.layout.split)

    def _repeats(self, reports: Sequence[Report]) -> None:
        """Report equal pictures, and repeated concepts where each must be unique."""
        own = ({checksum: position(place) for place, checksum in report.pixels.items()} for report in reports)
        self.repeats("picture", (
            (report.name, self.layout.problem(report.name), [(place, checksum) for checksum, place in places.items()])
            for report, places in zip(reports, own, strict=True)
        ))  # fmt: skip
        concepts: dict[tuple, str] = {}
        repeats = {}
        for report in reports:
            if report.concept and concepts.setdefault(report.concept, report.name) != report.name:
                repeats[report.name] = concepts[report.concept]
        if self.plan is None:
            self._quirk("have the concept of another", list(repeats))
            self._quirk("repeat a negative", [report.name for report in reports if report.repeats])
        elif self.config["profile"] == "verified":
            for name, other in repeats.items():
                self.report("duplicate", f"has the concept of {other}", self.layout.problem(name))

    def _quirk(self, what: str, names: Sequence[str]) -> None:
        if names:
            self.report(QUIRK, f"{len(names)} problems {what}, {names[0]} is the first")

    def _published(self, split: Mapping[str, Sequence[str]], reports: Sequence[Report]) -> None:
        """Report where a copy without a manifest deviates from the published numbers or the published split rules."""
        kinds = Counter(parts(report.name)[0] for report in reports)
        sizes = Counter(report.size for report in reports if report.size)
        for kind in self.layout.kinds:
            quota = sets.ALONE if self.layout.flat else sets.SIZES[kind]
            if kinds[kind] != quota:
                self.report("counts", f"{kinds[kind]:,} {KINDS[kind]} problems instead of the published {quota:,}")
        for size, count in sizes.items():
            if size != PUBLISHED:
                self.report(
                    "counts", f"pictures of {size} pixels instead of the published {PUBLISHED} ({count:,} problems)"
                )
        if self.layout.flat or not split:
            return
        for part, quota in SPLIT.items():
            if len(split.get(part, ())) != quota:
                self.report(part, f"{len(split.get(part, ())):,} problems instead of the published {quota:,}")
        for part, name, reason in _misplaced(split, {report.name: parts(report.name)[1] for report in reports}):
            self.report(name, f"is in {part}, though {reason}", self.layout.split)


def _lines(path: Path) -> dict[str, str]:
    """Return stored problems by name, each of which stands at the beginning of its line."""
    return {line.removeprefix('{"name":"').partition('"')[0]: line for line in readers.text(path).splitlines()}


def _misplaced(
    split: Mapping[str, Sequence[str]], concepts: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str, str]]:
    """Yield part and name of each problem that the published rules put in another part, and the reason."""
    old = {concepts.get(name) for part in ("train", "val") for name in split.get(part, ()) if name[:3] == "hd_"}
    for part, names in split.items():
        for name in names:
            kind, concept = name[:2], concepts.get(name, ())
            longest, novel = concept in sets.LONGEST, sets.NOVEL in concept
            if kind == "ff" and longest != (part == "test_ff"):
                yield part, name, f"it has {'the most' if longest else 'fewer'} strokes"
            elif kind == "hd" and novel != (part == "test_hd_novel"):
                yield part, name, f"its concept has {'' if novel else 'not '}the novel attribute"
            elif part == "test_hd_comb" and (len(concept) != 2 or concept in old):
                yield part, name, "its concept is no pair of attributes that is new"
            elif part == "test_bd" and (kind != "bd" or len(concept) != 2):
                yield part, name, "its concept is no pair of shapes"
