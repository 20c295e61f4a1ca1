"""Imports run down the list of the house only; a wing is not crowded; nothing goes through its own front door."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

FLOORS = (("core",), ("stats", "data"), ("learning",), ("study",), ("ui",), ("app",), ("extras",))  # from the bottom
HOUSE = {room: floor for floor, rooms in enumerate(FLOORS, 1) for room in rooms}
INSTRUMENT_FLOOR = HOUSE["app"]  # between ui and app
INSTRUMENTS = ("tiles", "bongard", "mewl", "equivalence", "generalization")
ROOF = ("instrument", "exercises", "learner_exercises", "estimator", "components", "all_rows")
WINGS = ("problems", "scoring", "learners", "paper", "people", "views", ROOF)  # from the bottom
ABSENT = {  # wings that an instrument has not, and why
    ("generalization", "people"): "the paper tested no person, and columns of numbers are no task for one",
}
MOST = 15  # modules of a wing
HIGHEST = 9  # floors of imports in an instrument
DOOR = {"tasks", "items", "learner", "judge", "summarise", "train", "load", "results", "figures", "sit"}


def name_of(path: Path, root: Path) -> str:
    """Return the dotted name of a module's file."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def instrument_of(module: str) -> str:
    """Return the instrument that a module belongs to, or an empty string."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] not in HOUSE else ""


def rank(module: str) -> tuple[int, int]:
    """Return the height of a module in the house, and in its instrument; it may import what is lower, or as high."""
    parts = module.split(".")
    if len(parts) == 1:
        return 0, 0  # cogkit itself: the version and the path
    if parts[1] in HOUSE:
        floor = HOUSE[parts[1]]
        return (floor if floor < INSTRUMENT_FLOOR else floor + 1), 0
    if len(parts) == 2:
        return INSTRUMENT_FLOOR, len(WINGS) + 1  # the front door is the roof of its instrument
    wings = [wing for wing, names in enumerate(WINGS, 1) if parts[2] in (names if names is ROOF else (names,))]
    return INSTRUMENT_FLOOR, (wings or [0])[0]


def imports(tree: ast.AST, module: str, is_package: bool, known: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """Yield line, module and name of every import from the house: at any depth, relative, or by name when run."""
    here = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.split(".")[0] == "cogkit"]
            yield from ((node.lineno, name, "") for name in names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            base = ".".join([*base, *([node.module] if node.module else [])])
            if base.split(".")[0] == "cogkit":
                for alias in node.names:
                    full = f"{base}.{alias.name}"
                    yield (node.lineno, full, "") if full in known else (node.lineno, base, alias.name)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__"):
            for argument in node.args[:1]:
                if isinstance(argument, ast.Constant) and str(argument.value).split(".")[0] == "cogkit":
                    yield node.lineno, argument.value, ""


def fault(module: str, target: str, name: str) -> str:
    """Return what is wrong with an import, or an empty string."""
    if module == "cogkit":
        return ""  # the front door of all hands on by name, and imports nothing
    mine, theirs = instrument_of(module), instrument_of(target)
    if target.startswith("cogkit.extras.") and module.split(".")[:3] != target.split(".")[:3]:
        return f"imports {target}, and nothing outside an extra imports it"
    if mine and theirs and mine != theirs:
        return f"imports the instrument {theirs}: instruments never import one another"
    if rank(target) > rank(module):
        return f"imports {target}, which does not lie below it"
    if rank(target)[0] == rank(module)[0] and module.split(".")[1:2] != target.split(".")[1:2]:
        return f"imports {target}, which lies beside it"
    if name in DOOR and target.count(".") == 1 and theirs:
        return f"takes {name} from the front door {target}: import it from where it stands"
    return ""


def heights(arrows: dict[str, set[str]]) -> dict[str, int] | list[str]:
    """Return the floor of each room, one over all that it imports; or the rooms of a circle."""
    floors: dict[str, int] = {}
    while len(floors) < len(arrows):
        ready = {room for room, below in arrows.items() if room not in floors and below - {room} <= floors.keys()}
        if not ready:
            return sorted(arrows.keys() - floors.keys())
        floors |= {room: 1 + max((floors[other] for other in arrows[room] - {room}), default=0) for room in ready}
    return floors


def faults(root: Path, files: list[Path]) -> list[str]:
    """Return a sentence for every import that does not run down, and for every wing that is crowded or missing."""
    paths = [path for path in files if path.suffix == ".py" and path.is_relative_to(root / "cogkit")]
    known, problems = {name_of(path, root) for path in paths}, []
    arrows: dict[str, dict[str, set[str]]] = {instrument: {} for instrument in INSTRUMENTS}
    for path in paths:
        module = name_of(path, root)
        rooms = arrows.get(instrument_of(module), {}).setdefault(".".join(module.split(".")[2:3]), set())
        for line, target, name in imports(ast.parse(path.read_text()), module, path.name == "__init__.py", known):
            if sentence := fault(module, target, name):
                problems.append(f"{path.relative_to(root)}:{line}: {module} {sentence}")
            if instrument_of(target) == instrument_of(module) and target.count(".") > 1:
                rooms.add(target.split(".")[2])
    for instrument, rooms in arrows.items():
        rooms.pop("", None)  # the front door
        for wing in (*WINGS[:-1], "instrument", "exercises"):
            if (wing in rooms) is ((instrument, wing) in ABSENT):
                problems.append(f"cogkit/{instrument}: the wing {wing} is {'there' if wing in rooms else 'missing'}")
        floors = heights(rooms)
        if isinstance(floors, list):
            problems.append(f"cogkit/{instrument}: a circle of imports: {', '.join(floors)}")
        elif max(floors.values()) > HIGHEST:
            problems.append(f"cogkit/{instrument}: {max(floors.values())} floors of imports, at most {HIGHEST}")
    wings = Counter(path.parent.relative_to(root) for path in paths if path.name != "__init__.py")
    problems += [f"{wing}: {n} modules, at most {MOST} in a wing" for wing, n in wings.items() if n > MOST]
    return problems
