"""Apply each of sixty small faults in a copy of the project, and see whether the tests of its folder find it.

Usage::

    python tests/mutants/run.py --out FILE.csv [--only NAME_OR_GROUP ...] [--no-control] [--tests-args ...]

The faults are in ``mutants.toml``. `FOLDERS` says which tests are run for each group. They are of the default tier;
``--tests-args -m "nightly or not nightly"`` asks for more, doctests apart. Without a fault all of them must pass, which
is tested first. A row is written as soon as it is known, and a fault that has one is left out: after a kill, the same
command goes on. The exit status is 1 if fewer than 55 in 60 are found.

Notes
-----
Nobody writes bytecode in the copy. Loops that numba keeps are found by all that they are compiled from, in whatever
file it stands (`cogkit.core.compiled`). A fault in a file that has such loops of its own gets an empty cache all the
same.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from contextlib import suppress
from pathlib import Path

FOLDERS = {  # the most relevant first; each is run without those before it
    "tiles": ("tests/tiles/rules", "tests/tiles/problems", "tests/tiles", "tests/extras/datasets/tiles"),
    "bongard": ("tests/bongard/problems", "tests/bongard/logo", "tests/bongard", "tests/extras/datasets/bongard"),
    "mewl": ("tests/mewl/problems", "tests/mewl/world", "tests/mewl", "tests/extras/datasets/mewl"),
    "equivalence": ("tests/equivalence/problems", "tests/equivalence", "tests/extras/datasets/equivalence"),
    "stats": ("tests/stats",),
    "store": ("tests/data", "tests/study"),
}
LIMIT = 3600  # seconds for all tests of a fault, on a machine that may be busy; one that takes longer is found
SHARE = 55 / 60  # of the faults that must be found
COLUMNS = ("name", "group", "fault", "caught", "by", "cpu_seconds")
HERE = Path(__file__).resolve().parent
PYTEST = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--timeout=300")  # endless: found


def copied(root: Path, copy: Path) -> None:
    """Copy every file of a repository that git does not ignore."""
    listing = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=root, capture_output=True, check=True
    )
    for name in listing.stdout.decode().rstrip("\0").split("\0"):
        if (root / name).is_file():  # else it was deleted, and git does not know yet
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, copy / name)


def failure(copy: Path, group: str, arguments: list[str], cache: Path | None = None) -> str:
    """Return the first test of a group that fails in a copy, or what else came of it; "" if all pass."""
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"NUMBA_CACHE_DIR": str(cache)} if cache else {}
    end = time.monotonic() + LIMIT
    for place, folder in enumerate(FOLDERS[group]):
        ignored = [f"--ignore={before}" for before in FOLDERS[group][:place]]
        shutil.rmtree(copy / ".hypothesis", ignore_errors=True)  # examples that another fault failed on
        command = [*PYTEST, folder, *ignored, *arguments]
        with tempfile.TemporaryFile("w+", encoding="utf-8") as file:  # a process that tests leave could hold a pipe
            process = subprocess.Popen(
                command, cwd=copy, env=environment, stdout=file, stderr=subprocess.STDOUT, start_new_session=True
            )
            try:
                process.wait(max(1.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                return "timed out"
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            file.seek(0)
            output = file.read()
        if process.returncode in (3, 4):  # of pytest itself: it tells nothing about the fault
            sys.exit(f"pytest cannot run {folder}:\n{output[-3000:]}")
        if process.returncode not in (0, 5):  # 5: the folder has no test of this tier
            first = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)
            return first[1] if first else f"exit status {process.returncode}: {output[-200:].strip()}"
    return ""


def outcome(mutant: dict[str, str], copy: Path, arguments: list[str]) -> dict[str, object]:
    """Return the row of a fault after its tests; the copy is as before."""
    file = copy / mutant["file"]
    source, stat, before = file.read_text("utf-8"), file.stat(), resource.getrusage(resource.RUSAGE_CHILDREN)
    file.write_text(source.replace(mutant["old"], mutant["new"]), "utf-8")
    try:
        with tempfile.TemporaryDirectory(prefix="mutant-loops-") as loops:
            cache = Path(loops) if re.search(r"numba|@compiled", source) else None
            by = failure(copy, mutant["group"], arguments, cache)
    finally:
        file.write_text(source, "utf-8")
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # the loops of this file that are kept stay valid
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    row = {name: mutant[name] for name in ("name", "group", "fault")}
    return row | {"caught": int(bool(by)), "by": by, "cpu_seconds": f"{seconds:.1f}"}


def rows_of(file: Path) -> dict[str, dict[str, str]]:
    """Return the rows of a table by the names of their faults; none if there is no such file."""
    if not file.exists():
        return {}
    with file.open(newline="", encoding="utf-8") as table:
        return {row["name"]: row for row in csv.DictReader(table)}


def main() -> None:
    """Run the faults that have no row yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.csv")
    parser.add_argument("--only", nargs="+", metavar="NAME_OR_GROUP")
    parser.add_argument("--no-control", action="store_true", help="do not test the copy without a fault first")
    parser.add_argument("--tests-args", nargs=argparse.REMAINDER, default=[], help="more for pytest, to the end")
    options = parser.parse_args()
    mutants = tomllib.loads((HERE / "mutants.toml").read_text("utf-8"))["mutant"]
    if unknown := set(options.only or ()) - {mutant[key] for mutant in mutants for key in ("name", "group")}:
        sys.exit(f"no such name or group: {', '.join(sorted(unknown))}")
    chosen = [each for each in mutants if not options.only or {each["name"], each["group"]} & {*options.only}]
    for each in chosen:
        if (count := (HERE.parents[1] / each["file"]).read_text("utf-8").count(each["old"])) != 1:
            sys.exit(f"{each['name']}: {each['file']} has its old text {count} times, not once; bring it up to date")
    left = [each for each in chosen if each["name"] not in rows_of(options.out)]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder).resolve()
        copied(HERE.parents[1], copy)
        for group in dict.fromkeys(each["group"] for each in left if not options.no_control):
            if by := failure(copy, group, options.tests_args):
                sys.exit(f"without a fault, the tests of {group} do not pass: {by}")
            print(f"{group}: all pass without a fault", flush=True)
        for each in left:
            row = outcome(each, copy, options.tests_args)
            is_new = not options.out.exists()
            with options.out.open("a", newline="", encoding="utf-8") as table:
                writer = csv.DictWriter(table, COLUMNS)
                if is_new:
                    writer.writeheader()
                writer.writerow(row)
            print(f"{row['name']}: {row['by'] or 'NOT FOUND'}", flush=True)
    rows = [row for name, row in rows_of(options.out).items() if name in {each["name"] for each in chosen}]
    for row in rows:
        verdict = row["by"] if row["caught"] == "1" else f"NOT FOUND: {row['fault']}"
        print(f"{row['name']:<15} {float(row['cpu_seconds']):>6.1f} s  {verdict}")
    caught = sum(row["caught"] == "1" for row in rows)
    print(f"caught {caught} of {len(rows)}")
    sys.exit(caught < len(rows) * SHARE)


if __name__ == "__main__":
    main()
