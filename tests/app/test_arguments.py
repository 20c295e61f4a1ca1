"""Bad arguments of every command: one sentence, the exit status of bad input, nothing written, no traceback."""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path

import pytest

from cogkit.app import cli, experiments
from cogkit.bongard.logo import raster
from cogkit.core.presets import PROFILES
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.rendering.render import QUALITIES
from cogkit.tiles.files import datasets
from cogkit.tiles.problems import records

NO_TEXT = ["a\0b", "\0", "\udcff"]
FEW = {"mewl": ["--n", "1", "--jobs", "1"], "bongard": ["--n", "1", "--jobs", "1"]}  # should anything be taken
WORDS = [
    *NO_TEXT, "", " ", "nothing", "-1", "--", "--no-such-option", "\n", "quick\n", "a\nb", "\x1b[31m", "\u202e", "ünï→",
    "x" * 5000, "[" * 5000, "(" * 20_000, "{[]: 1}", "[1]", "{}", "None", "1e999", "%s%d", "../" * 2000, "/" * 5000,
]  # fmt: skip
NUMBERS = [*WORDS, "0.5", "1e3", "9" * 21, "9" * 5000, "-9", "NaN", "٣", "0x10", "1_000", "1 ", "True"]
COUNTS = ["0", *NUMBERS]
CELL = "counting/spinner/left"
ASK = ["ask", "mewl/shape", "--n", "1", "--address", "http://127.0.0.1:1/v1", "--model", "m"]  # nobody answers there


def folders(where: Path) -> list[str]:
    """Return names that no folder has, and none can have: of a file, within a file, too long, no text."""
    (where / "file").write_text("a file")
    return [str(where / "file"), str(where / "file" / "in it"), "", "x" * 5000, "a/" * 5000, *NO_TEXT, "--", "-x"]


def commands(where: Path) -> dict[str, tuple[list[str], list[str]]]:
    """Return for each place of an argument the command line before it, and what is wrong there."""
    paths = folders(where)
    own = {
        name: {option: parameter.annotation for option, parameter in inspect.signature(maker).parameters.items()}
        for instrument in experiments.instruments().values()
        for name, maker in instrument.make.items()
    }
    sets = {
        f"make {name} --{option}": (_make(name, f"--{option}"), COUNTS if "int" in kind else WORDS)
        for name, options in own.items()
        for option, kind in options.items()
        if option != "out" and kind != "bool"
    }
    sets |= {f"make {name} --seed": (_make(name, "--seed"), NUMBERS) for name in own}
    sets |= {f"make {name} --out": (["make", name, "--out"], paths) for name in own}
    numbered = {
        "lab --port": (["lab", "--port"], [*COUNTS, "65536"]),
        "sweep --seeds": (["sweep", CELL, "--seeds"], COUNTS),
        "sweep --jobs": (["sweep", CELL, "--jobs"], [*COUNTS, "999999999999999999999"]),
        "sweep --seed": (["sweep", "--verify", CELL, "--seed"], NUMBERS),
        "ship --seeds": (["ship", CELL, "--seeds"], NUMBERS),
        "ask --n": ([*ASK, "--n"], COUNTS),
        "ask --seed": ([*ASK, "--seed"], NUMBERS),
        "ask --tokens": ([*ASK, "--tokens"], COUNTS),
        "ask --at-once": ([*ASK, "--at-once"], [*COUNTS, "999999999999999999999"]),
    }
    placed = {
        "run --out": (["run", "00", "--out"], paths),
        "sweep --out": (["sweep", CELL, "--out"], paths),
        "ship --out": (["ship", CELL, "--out"], paths),
        "ask --out": ([*ASK, "--out"], paths),
        "docs --out": (["docs", "--out"], paths),
        "docs --executed": (["docs", "--out", "new", "--executed"], [*paths, str(where), "nowhere"]),
        "page --out": (["page", "tiles", "--out"], paths),
        "audit": (["audit"], [*paths, str(where / "nowhere"), str(where), "\n", "ünï→", "-1"]),
    }
    worded = {
        "": ([], WORDS),
        "lab": (["lab"], WORDS),
        "run": (["run"], [*set(WORDS) - {"--"}, "nowhere.ipynb", str(where / "file") + ".ipynb"]),
        "run -p": (["run", "00", "-p", "preset"], WORDS),
        "run -p NAME": (["run", "00", "-p"], WORDS[:8]),
        "sweep": (["sweep"], WORDS),
        "sweep --verify": (["sweep", "--verify"], WORDS),
        "ship": (["ship"], WORDS),
        "make": (["make"], WORDS),
        "ask": (["ask"], WORDS),
        "ask TASK": (["ask", *ASK[2:]], WORDS),
        "ask --model": (["ask", "mewl/shape", "--model"], WORDS),
        "ask --address": ([*ASK, "--address"], WORDS),
        "ask --how": ([*ASK, "--how"], WORDS),
        "ask --temperature": ([*ASK, "--temperature"], WORDS),
        "ask --price": ([*ASK, "--price", "1"], WORDS),
        "ask --max-cost": ([*ASK, "--max-cost"], WORDS),
        "make --out new": (["make", "--out", "new"], WORDS),
        "make tiles": (["make", "tiles", "--out", "new"], set(WORDS) - {"--"}),
        "page": (["page"], WORDS),
        "page NAME": (["page", "--out", "new"], WORDS),
        "page tiles": (["page", "tiles", "--out", "new"], set(WORDS) - {"--"}),
        "docs": (["docs"], WORDS),
        "docs OTHER": (["docs", "--out", "new"], set(WORDS) - {"--"}),
        "warm": (["warm"], set(WORDS) - {"--"}),
        "doctor": (["doctor"], set(WORDS) - {"--"}),
    }
    for command, rest in {"run": ["00"], "sweep": [CELL], "ship": [CELL], "ask": ASK[1:]}.items():
        for option in {"run": ("preset",), "ask": ("profile",)}.get(command, ("preset", "profile")):
            worded[f"{command} --{option}"] = ([command, *rest, f"--{option}"], WORDS)
    return sets | numbered | placed | worded


def _make(name: str, option: str) -> list[str]:
    return ["make", name, "--out", "new", *FEW.get(name, []), option]


def refused(arguments: list[str], capsys) -> str:
    """Return the sentence of a command line that is refused as bad input; any other end of it is a fault."""
    try:
        status = cli.main(arguments)
    except SystemExit as ended:  # argparse's way
        status = ended.code
    out, err = capsys.readouterr()
    shown = [text[:60] for text in arguments]
    assert (status, out) == (2, ""), (shown, status, out)
    assert err.endswith("\n") and err[:-1].isprintable() and err.startswith("cogkit"), (shown, err)
    assert len(err) <= 301 + len("cogkit: "), (shown, err)
    return err


def test_every_bad_argument_of_every_command_is_one_sentence(sixth, tmp_path, monkeypatch, capsys) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    lines = {place: (before, after) for place, (before, after) in commands(tmp_path).items()}
    told = set(re.findall(r"\b(lab|run|sweep|ship|ask|make|page|audit|docs|warm|doctor)\b", cli.__doc__))
    assert {place.split()[0] for place in lines if place} == told
    ends = {"run -p": [], "run -p NAME": ["1"]}
    for place, (before, after) in lines.items():
        for text in after:
            refused([*before, text, *ends.get(place, [])], capsys)
    assert not list(empty.iterdir())
    assert sum(len(after) for _, after in lines.values()) > 800


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["run", "-p", "preset", "{[]: 1}"], "wanted a preset (quick, lab or paper), got '{[]: 1}'"),
        (["run", "-p", "preset", "papre"], "did you mean 'paper'"),
        (
            ["sweep", "tiles/*", "--seed", "1"],
            "wanted --seeds, the number of seeds from 0, got --seed 1 without --verify",
        ),
        (["sweep", "--verify", ""], "cell"),
        (["sweep", "tiles/*", "--jobs", "9" * 21], "a whole number, 1 to 1,024, got '999"),
        (["make", "tiles", "--out", "new", "--n", "3000"], "wanted 1 to 98 boards"),
        (["make", "tiles", "--out", "new", "--n", "99"], "wanted 1 to 98 boards"),
        (["make", "mewl", "--out", "new", "--images", "quick"], "(browse or final), got 'quick'"),
        (["make", "mewl", "--out", "x" * 5000], "(File name too long)"),
        (["make", "mewl", "--out", "new", "--size", "64"], "unknown: --size 64; see cogkit make mewl --help"),
        (["make", "bongard", "--out", "new", "--size", "2049"], "16 to 2048"),
        (["make", "mewl", "--out", "mewl", "--n", "1000001"], "1 to 1,000,000"),
        (["make", "--out", "tiles", "bongard", "--n", "12001"], "1 to 12,000"),
        (
            ["page", "tile", "--out", "new"],
            "an instrument with a page (tiles), got 'tile': did you mean 'tiles'?",
        ),
        (["page", "tiles", "--out", "x" * 5000], "(File name too long)"),
        (["audit", "."], "a dataset (bongard, mewl, mts, tiles), got ., which looks like none"),
    ],
)
def test_what_is_wrong_is_named(arguments, wanted, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert wanted in refused(arguments, capsys)
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


def helped(arguments: list[str], capsys) -> str:
    with pytest.raises(SystemExit) as ended:
        cli.main([*arguments, "--help"])
    assert ended.value.code == 0
    return " ".join(capsys.readouterr().out.split())


OWN = {
    "tiles": {"--n", "--problems", "--seed"},
    "mts": {"--n", "--problems", "--seed"},
    "bongard": {"--n", "--problems", "--seed", "--profile", "--only", "--size", "--jobs"},
    "mewl": {"--n", "--problems", "--seed", "--profile", "--only", "--images", "--open-hypotheses", "--jobs"},
}


@pytest.mark.parametrize("name", OWN)
def test_the_help_of_a_dataset_shows_its_own_options_and_no_others(name, capsys) -> None:
    text = helped(["make", name], capsys)
    assert set(re.findall(r"--[a-z-]+", text)) == OWN[name] | {"--help", "--out"}
    assert f"usage: cogkit make {name} " in text
    parameters = inspect.signature(experiments.instruments()[_home(name)].make[name]).parameters
    for option, parameter in parameters.items():
        if option != "out" and parameter.default not in (None, False):
            assert f"(default {parameter.default})" in text


def _home(name: str) -> str:
    return {"mts": "equivalence"}.get(name, name)


def test_the_help_tells_the_values_that_are_taken(capsys) -> None:
    values = {
        ("bongard", "--only"): ["ff"],
        ("bongard", "--profile"): PROFILES,
        ("mewl", "--only"): TASKS,
        ("mewl", "--images"): list(QUALITIES),
        ("mewl", "--profile"): PROFILES,
    }
    for (name, option), allowed in values.items():
        assert f"{option} {{{','.join(allowed)}}} " in helped(["make", name], capsys)
    assert f"{raster.SMALLEST} to {raster.LARGEST}" in helped(["make", "bongard"], capsys)
    assert "tiles" in helped(["make"], capsys) and "make NAME --help" in helped(["make"], capsys)


def test_as_many_boards_as_the_smallest_rule_allows_can_be_made(tmp_path) -> None:
    """There are 196 pyramids, fewer boards than any other rule has, and half of them may be drawn."""
    assert "1 to 98." in inspect.getdoc(datasets.make)
    assert [len(records.items(f"pyramid/{kind}", "generated", n=98)) for kind in records.KINDS] == [98, 98]
