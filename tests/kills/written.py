"""What people sent and hand in, written by a command that is killed at random moments: whole, or not there at all."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from classes import sat
from kills.harness import CLI, chance, contents, group, kill_group

from cogkit.app import notebooks
from cogkit.extras.classroom import hand_in, simulated
from cogkit.study.trials import Trials, plain

WHO = "5ca1ab1e"
_EXPORT = "from cogkit.study.trials import Trials; import sys; Trials().save(sys.argv[1])"


def _answers(folder: Path) -> None:
    """What two people answered on the page of a study."""
    for who in ("p-1", "p-2"):
        trials = Trials(folder / f".{who}.sqlite")
        sat("tiles", trials, who)
        rows = [plain(row) | {"source": "web"} for row in trials.frame().to_dict("records")]
        (folder / f"{who}.json").write_text(json.dumps(rows), encoding="utf-8")


def _hand_ins(folder: Path) -> None:
    """What four students handed in, and the lesson."""
    handed = simulated.hand_ins(n=4)
    for file, one in handed:
        hand_in.write(one, folder / file)
    (folder / hand_in.ABOUT).write_text(json.dumps(asdict(handed[0][1].about)), encoding="utf-8")


def _class(folder: Path) -> None:
    """A class that was collected."""
    from cogkit.app import cli

    _hand_ins(folder / "in")
    assert cli.main(["class", "collect", str(folder / "in"), "--out", str(folder / "class")]) in (0, 1)


def _own(folder: Path) -> None:
    """A student's folder of a lesson, with an answer, and the trials of a sitting."""
    home, name = folder / "home", "01_play_tiles"
    home.mkdir()
    (home / "pseudonym").write_text(WHO, encoding="utf-8")
    sat("tiles", Trials(home / "trials.sqlite"), WHO)
    about = hand_in.About("c1a55", "A lesson", (name,), seed=3)
    (folder / hand_in.ABOUT).write_text(json.dumps(asdict(about)), encoding="utf-8")
    (path,) = notebooks.find([name])
    notebook = json.loads(path.read_text(encoding="utf-8"))
    (corner,) = [cell for cell in notebook["cells"] if cell["metadata"].get("exercise") == "01-corner"]
    corner["source"] = ["corner = 36"]
    (folder / path.name).write_text(json.dumps(notebook), encoding="utf-8")


COMMANDS: dict[str, tuple[Callable[[Path], None], Callable[[Path, Path], list[str]]]] = {
    "collect": (_answers, lambda sent, out: [*CLI, "collect", str(sent), "--out", str(out / "made")]),
    "class collect": (_hand_ins, lambda sent, out: [*CLI, "class", "collect", str(sent), "--out", str(out / "made")]),
    "class report": (
        _class, lambda sent, out: [*CLI, "class", "report", str(sent / "class"), "--out", str(out / "made")],
    ),
    "hand-in": (_own, lambda sent, out: [*CLI, "class", "hand-in", "--notebooks", str(sent), "--out", str(out)]),
    "export": (_own, lambda sent, out: [sys.executable, "-c", _EXPORT, str(out)]),
}  # fmt: skip
"""What is killed: how to make what it reads, and the command, of the folder with that and the folder to write into."""


def comparable(folder: Path) -> dict[str, object]:
    """Return every file below a folder by name, without what differs from run to run: times, and how a store lies."""
    held: dict[str, object] = {}
    for name, content in contents(folder).items():
        if name.endswith(".sqlite"):
            held[name] = Trials(folder / name).frame().to_json()
        elif name.startswith("hand-in-"):
            first, *lines, _ = map(json.loads, (content or b"").splitlines())
            held[name] = [first["hand-in"] | {"at": ""}, *lines]
        else:  # cells that a report is made of have names that are drawn
            held[name] = content and re.sub(rb"cell-id=[0-9a-f]{8}", b"", content)
    return held


def seen(folder: Path) -> dict[str, object]:
    """Return the same without hidden files and folders, which are unfinished, and what is in them."""
    return {name: held for name, held in comparable(folder).items() if not any(p[0] == "." for p in Path(name).parts)}


def attacked(name: str, kills: int, folder: Path) -> tuple[int, list[str]]:
    """Kill so many runs, and run each again: what is there is whole, alone, and what was sent is as it was."""
    make, command = COMMANDS[name]
    sent, lost, count, runs = folder / "sent", [], 0, 0
    sent.mkdir(parents=True)
    make(sent)
    before, env = comparable(sent), os.environ | {"COGKIT_HOME": str(sent / "home")}

    def begun(out: Path):
        return group(command(sent, out), out, env)

    first = folder / "undisturbed"
    first.mkdir()
    began = time.monotonic()
    with begun(first) as process:
        _until_it_writes(process, first)
        since = time.monotonic()
        assert process.wait() in (0, 1), first.with_suffix(".out").read_text()
    now, expected = time.monotonic(), comparable(first)
    while count < kills:
        out, runs = folder / str(runs), runs + 1
        out.mkdir()
        writing = chance.random() < 0.5
        with begun(out) as process:
            if writing:
                _until_it_writes(process, out)
            with suppress(subprocess.TimeoutExpired):
                process.wait(chance.uniform(0, now - (since if writing else began)))
            if process.poll() is None:
                kill_group(process.pid)
                count += 1
        try:
            left = seen(out)
            assert left.items() <= expected.items(), f"half of {sorted(left)}"
            if not left or name in ("hand-in", "export"):  # which write into a folder that is there
                with begun(out) as process:
                    assert process.wait() in (0, 1), out.with_suffix(".out").read_text()
            assert comparable(out) == expected, f"another content: {sorted(comparable(out))}"
            assert comparable(sent) == before, "what was sent is changed"
        except Exception as error:  # counted, and told at the end
            lost.append(f"{out}: {type(error).__name__}: {error}")
        shutil.rmtree(out)
    return count, lost


def _until_it_writes(process: subprocess.Popen, out: Path) -> None:
    """Return when something is in a folder, hidden things too, or the process has ended."""
    while process.poll() is None and not any(out.iterdir()):
        time.sleep(0.001)
