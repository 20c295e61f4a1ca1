"""Count the type errors of each folder of ``cogkit``, and hold them against what is recorded here.

basedpyright reads its settings from ``pyproject.toml``. A folder with more errors than recorded is a fault; when a
folder has fewer, lower its number.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

# 0 in all others
RECORDED = {"bongard": 78, "equivalence": 19, "extras": 13, "generalization": 9, "mewl": 51, "tiles": 30}


def folder_of(path: Path) -> str:
    """Return the folder that an error in a file of ``cogkit`` counts for; a front door counts for itself."""
    is_door = len(path.parts) < 3 or path.parts[2] == "__init__.py"
    return "front doors" if is_door else path.parts[1]


def faults(root: Path, files: list[Path]) -> list[str]:
    """Return the errors of each folder that has more than recorded."""
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1 says that there are errors, more that it could not look
        return [done.stdout + done.stderr]
    errors: dict[str, list[str]] = {}
    for entry in json.loads(done.stdout)["generalDiagnostics"]:
        if entry["severity"] == "error":
            path, row = Path(entry["file"]).relative_to(root), entry["range"]["start"]["line"] + 1
            message = f"{path}:{row}: {entry['message'].splitlines()[0]} ({entry.get('rule', 'syntax')})"
            errors.setdefault(folder_of(path), []).append(message)
    problems = []
    for folder, messages in sorted(errors.items()):
        if len(messages) > (recorded := RECORDED.get(folder, 0)):
            problems += [*messages, f"{folder}: {len(messages)} type errors, at most {recorded}: mend the new ones"]
    return problems
