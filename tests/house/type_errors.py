"""Count the type errors of each folder of ``cogkit``, and hold them against what is recorded here.

Run it as ``.venv/bin/python tests/house/type_errors.py``; basedpyright reads its settings from ``pyproject.toml``.
A folder with more errors than recorded fails. When a folder has fewer, lower its number.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path, PurePath

ROOT = Path(__file__).resolve().parents[2]
DOORS = "front doors"  # each instrument's __init__.py, and cogkit's own
RECORDED = {
    DOORS: 0, "core": 0, "stats": 0, "data": 0, "learning": 0, "study": 0, "ui": 0, "lm": 0, "app": 0,
    "bongard": 79, "equivalence": 19, "generalization": 9, "mewl": 62, "tiles": 31,
}  # fmt: skip


def folder_of(file: str, root: Path = ROOT) -> str:
    """Return the folder that an error counts for.

    Examples
    --------
    >>> folder_of("/a/cogkit/tiles/rules/copy.py", Path("/a")), folder_of("/a/cogkit/tiles/__init__.py", Path("/a"))
    ('tiles', 'front doors')
    """
    folders = PurePath(file).relative_to(root / "cogkit").parts
    return folders[0] if len(folders) > 1 and folders[1] != "__init__.py" else DOORS


def errors_in(report: dict, root: Path = ROOT) -> dict[str, list[str]]:
    """Return the errors of each folder, a line each, out of basedpyright's JSON report."""
    lines: dict[str, list[str]] = {}
    for entry in report["generalDiagnostics"]:
        if entry["severity"] == "error":
            path, row = PurePath(entry["file"]).relative_to(root), entry["range"]["start"]["line"] + 1
            message = f"{path}:{row}: {entry['message'].splitlines()[0]} ({entry.get('rule', 'syntax')})"
            lines.setdefault(folder_of(entry["file"], root), []).append(message)
    return lines


def compare(counted: Counter[str], recorded: dict[str, int]) -> tuple[list[str], list[str]]:
    """Return the folders that have more errors than recorded, and what to say of each folder that differs."""
    more, advice = [], []
    for folder in sorted({*counted, *recorded}):
        now, before = counted[folder], recorded.get(folder, 0)
        if now > before:
            more.append(folder)
            advice.append(f"{folder}: {now} type errors, at most {before} are recorded: mend the new ones")
        elif now < before:
            advice.append(f"{folder}: {now} type errors, {before} are recorded: lower the number to {now}")
    return more, advice


def main() -> int:
    """Check the package; return 1 when a folder has more errors than recorded."""
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1 says that there are errors, more that it could not look
        print(done.stdout + done.stderr)
        return done.returncode
    errors = errors_in(json.loads(done.stdout))
    counts = Counter({folder: len(lines) for folder, lines in errors.items()})
    more, advice = compare(counts, RECORDED)
    print(*(line for folder in more for line in errors[folder]), *advice, sep="\n")
    print(f"{counts.total()} type errors in cogkit, {sum(RECORDED.values())} recorded")
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main())
