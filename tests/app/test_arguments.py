"""Bad arguments of every command: one sentence, the exit status of bad input, nothing written, no traceback."""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path

from cogkit.app import cli, experiments

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


def commands(where: Path) -> list[tuple[list[str], list[str]]]:
    """Return for each place of an argument the command line before it, and what is wrong there."""
    paths = folders(where)
    own = {
        name: {option: parameter.annotation for option, parameter in inspect.signature(maker).parameters.items()}
        for instrument in experiments.instruments().values()
        for name, maker in instrument.make.items()
    }
    sets: dict[str, tuple[list[str], list[str]]] = {}
    for name, options in own.items():
        kinds = {option: kind for option, kind in options.items() if option != "out" and kind != "bool"} | {"seed": ""}
        for option, kind in kinds.items():
            before = ["make", name, "--out", "new", *FEW.get(name, []), f"--{option}"]
            sets[" ".join(before)] = before, NUMBERS if option == "seed" else COUNTS if "int" in kind else WORDS
        sets[f"make {name} --out"] = ["make", name, "--out"], paths
    new, wordless = ["--out", "new"], [word for word in WORDS if word != "--"]
    places = [
        *[(["sweep", CELL, option], COUNTS) for option in ("--seeds", "--jobs")],
        *[([*ASK, option], COUNTS) for option in ("--n", "--tokens", "--at-once")],
        *[(before, NUMBERS) for before in (["sweep", "--verify", CELL, "--seed"], ["ship", CELL, "--seeds"])],
        ([*ASK, "--seed"], NUMBERS),
        (["lab", "--port"], [*COUNTS, "65536"]),
        (["sweep", CELL, "--shard"], [*SHARDS, *WORDS]),
        *[([*before, "--out"], paths) for before in (["run", "00"], ["sweep", CELL], ["ship", CELL], ASK)],
        *[([*before, "--out"], paths) for before in (["docs"], ["page", "tiles"])],
        (["docs", *new, "--executed"], [*paths, str(where), "nowhere"]),
        (["audit"], [*paths, str(where / "nowhere"), str(where), "\n", "ünï→", "-1"]),
        *[([command], WORDS) for command in ("lab", "sweep", "ship", "make", "ask", "page", "docs")],
        *[([command], wordless) for command in ("warm", "doctor")],
        (["run"], [*wordless, "nowhere.ipynb", str(where / "file") + ".ipynb"]),
        (["run", "00", "-p", "preset"], WORDS),
        (["sweep", "--verify"], WORDS),
        (["ask", *ASK[2:]], WORDS),
        (["ask", "mewl/shape", "--model"], WORDS),
        *[([*ASK, option], WORDS) for option in ("--address", "--how", "--temperature", "--max-cost")],
        ([*ASK, "--price", "1"], WORDS),
        *[([command, *new], WORDS) for command in ("make", "page")],
        *[([*before, *new], wordless) for before in (["make", "tiles"], ["page", "tiles"], ["docs"])],
        ([], WORDS),
    ]
    for command, rest in {"run": ["00"], "sweep": [CELL], "ship": [CELL], "ask": ASK[1:]}.items():
        options = {"run": ("preset",), "ask": ("profile",)}.get(command, ("preset", "profile"))
        places += [([command, *rest, f"--{option}"], WORDS) for option in options]
    return [*sets.values(), *places]


def refused(arguments: list[str], capsys) -> str:
    """Return the sentence of a command line that is refused as bad input; any other end of it is a fault."""
    try:
        status = cli.main(arguments)
    except SystemExit as ended:  # argparse's way
        status = ended.code
    out, err = capsys.readouterr()
    err = "".join(line for line in err.splitlines(keepends=True) if not line.startswith("compiling loops"))
    shown = [text[:60] for text in arguments]
    assert (status, out) == (2, ""), (shown, status, out)
    assert err.endswith("\n") and err[:-1].isprintable() and err.startswith("cogkit"), (shown, err)
    assert len(err) <= 301 + len("cogkit: "), (shown, err)
    return err


def test_every_bad_argument_of_every_command_is_one_sentence(sixth, tmp_path, monkeypatch, capsys) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    lines = commands(tmp_path)
    told = set(re.findall(r"\b(lab|run|sweep|ship|ask|make|page|audit|docs|warm|doctor)\b", cli.__doc__))
    assert {before[0] for before, _ in lines if before} == told
    for place, (before, after) in enumerate(lines):
        for text in after[place % PART :: PART]:
            refused([*before, text], capsys)
    assert not list(empty.iterdir())
    assert sum(len(after) for _, after in lines) > 800


NAMED = {
    "run -p preset {[]:1}": "wanted a preset (quick, lab or paper), got '{[]:1}'",
    "run -p preset papre": "did you mean 'paper'",
    "sweep tiles/* --seed 1": "wanted --seeds, the number of seeds from 0, got --seed 1 without --verify",
    f"sweep tiles/* --jobs {'9' * 21}": "a whole number, 1 to 1,024, got '999",
    f"sweep {CELL} --shard 4/3": "wanted a part of the runs, such as 1/3 for the first of three, got '4/3'",
    "make tiles --out new --n 99": "wanted 1 to 98 boards",
    "make mewl --out new --images quick": "(browse or final), got 'quick'",
    f"make mewl --out {'x' * 5000}": "(File name too long)",
    "make mewl --out new --size 64": "unknown: --size 64; see cogkit make mewl --help",
    "make bongard --out new --size 2049": "16 to 2048",
    "make mewl --out mewl --n 1000001": "1 to 1,000,000",
    "make --out tiles bongard --n 12001": "1 to 12,000",
    "page tile --out new": "an instrument with a page (tiles), got 'tile': did you mean 'tiles'?",
    "audit .": "a dataset (bongard, counting, mewl, mts, tiles), got ., which looks like none",
}


def test_what_is_wrong_is_named(sixth, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for line, wanted in NAMED.items():
        assert wanted in refused(line.split(), capsys), line
        assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_used_is_one_sentence(tmp_path, capsys) -> None:
    experiments.instruments()  # before nobody has to load them
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
