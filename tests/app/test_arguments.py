"""Bad arguments of every command: one sentence, the exit status of bad input, nothing written, no traceback."""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path

from cogkit.app import cli
from cogkit.core import registry
from cogkit.extras.datasets.dataset import datasets

NO_TEXT = ["a\0b", "\0", "\udcff"]
FEW = {"mewl": ["--n", "1", "--jobs", "1"], "bongard": ["--n", "1", "--jobs", "1"]}  # should anything be taken
WORDS = [
    *NO_TEXT, "", " ", "nothing", "-1", "--", "--no-such-option", "\n", "quick\n", "a\nb", "\x1b[31m", "\u202e", "ünï→",
    "x" * 5000, "[" * 5000, "(" * 20_000, "{[]: 1}", "[1]", "{}", "None", "1e999", "%s%d", "../" * 2000, "/" * 5000,
]  # fmt: skip
NUMBERS = [*WORDS, "0.5", "1e3", "9" * 21, "9" * 5000, "-9", "NaN", "٣", "0x10", "1_000", "1 ", "True"]
COUNTS = ["0", *NUMBERS]
CELL = "counting/spinner/left"
SHARDS = ["0/3", "4/3", "1/0", "1", "1/2/3", "-1/3", "1.0/2", "٣/4", "1/2\n", "1/" + "9" * 5000]
PART = 5  # of the wrong arguments every fifth is tried at each place, other ones at the next
ASK = ["ask", "mewl/shape", "--n", "1", "--address", "http://127.0.0.1:1/v1", "--model", "m"]  # nobody answers there


def folders(where: Path) -> list[str]:
    """Return names that no folder has, and none can have: of a file, within a file, too long, no text."""
    (where / "file").write_text("a file")
    return [str(where / "file"), str(where / "file" / "in it"), "", "x" * 5000, "a/" * 5000, *NO_TEXT, "--", "-x"]


# What stands before the argument: CELL, ASK and new stand for more words.
PLACES = {
    "counts": "sweep CELL --seeds; sweep CELL --jobs; ASK --n; ASK --tokens; ASK --at-once; lab --port",
    "numbers": "sweep --verify CELL --seed; ship CELL --seeds; ASK --seed",
    "shards": "sweep CELL --shard",
    "folders": "run 00 --out; sweep CELL --out; ship CELL --out; ASK --out; docs --out; page tiles --out;"
    " docs new --executed; audit; make tiles --out; make bongard --out; make mewl --out",
    "words": "lab; sweep; ship; make; ask; page; docs; run 00 -p preset; sweep --verify; ASK --model; ASK --address;"
    " ASK --how; ASK --temperature; ASK --max-cost; ASK --profile; ASK --price 1; make new; page new;"
    " run 00 --preset; sweep CELL --preset; sweep CELL --profile; ship CELL --preset; ship CELL --profile",
    "wordless": "warm; doctor; run; make tiles new; page tiles new; docs new",
}


def commands(where: Path) -> list[tuple[list[str], list[str]]]:
    """Return for each place of an argument the command line before it, and what is wrong there."""
    wrong = {"counts": COUNTS, "numbers": NUMBERS, "shards": [*SHARDS, *WORDS], "folders": folders(where)}
    wrong |= {"words": WORDS, "wordless": [word for word in WORDS if word != "--"]}
    words = {"CELL": [CELL], "ASK": ASK, "new": ["--out", "new"]}
    places = [([], WORDS)]
    for kind, lines in PLACES.items():
        for line in lines.split(";"):
            places.append(([word for name in line.split() for word in words.get(name, [name])], wrong[kind]))
    for name, dataset in datasets().items():
        kinds = {option: str(each.annotation) for option, each in inspect.signature(dataset.make).parameters.items()}
        for option, kind in (kinds | {"seed": ""}).items():
            if option != "out" and "bool" not in kind:
                before = ["make", name, "--out", "new", *FEW.get(name, []), f"--{option}"]
                places.append((before, NUMBERS if option == "seed" else COUNTS if "int" in kind else WORDS))
    return places


def refused(arguments: list[str], capsys) -> str:
    """Return the sentence of a command line that is refused as bad input; any other end of it is a fault."""
    try:
        status = cli.main(arguments)
    except SystemExit as ended:  # argparse's way
        status = ended.code
    out, err = capsys.readouterr()
    err = "".join(line for line in err.splitlines(keepends=True) if not line.startswith("compiling loops"))
    excerpts = [text[:60] for text in arguments]
    assert (status, out) == (2, ""), (excerpts, status, out)
    assert err.endswith("\n") and err[:-1].isprintable() and err.startswith("cogkit"), (excerpts, err)
    assert len(err) <= 301 + len("cogkit: "), (excerpts, err)
    return err


def test_every_bad_argument_of_every_command_is_one_sentence(sixth, tmp_path, monkeypatch, capsys) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    lines = commands(tmp_path)
    bench = set(re.findall(r"\b(lab|run|sweep|ship|warm|doctor)\b", cli.__doc__))
    of_extras = {command.name for extra in registry.extras().values() for command in extra.commands}
    tested = {before[0] for before, _ in lines if before}
    assert tested == bench | of_extras - {"abacus", "class", "collect", "study"}  # which have tests of their own
    for place, (before, after) in enumerate(lines):
        for text in after[place % PART :: PART]:
            refused([*before, text], capsys)
    assert not list(empty.iterdir())
    assert sum(len(after) for _, after in lines) > 800


def test_a_folder_that_cannot_be_used_is_one_sentence(tmp_path, capsys) -> None:
    datasets()  # before nobody has to load them
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    try:
        if os.geteuid() == 0:  # nothing is closed to root; nobody is let in
            os.seteuid(65534)
        for line in (["audit", str(closed)], ["make", "mts", "--n", "1", "--out", str(closed / "new")]):
            assert "(Permission denied)" in refused(line, capsys)
    finally:
        os.seteuid(os.getuid())
    refused(["make", "mts", "--n", "1", "--out", "/proc/1/no/such"], capsys)
    refused(["audit", "/dev/zero"], capsys)
