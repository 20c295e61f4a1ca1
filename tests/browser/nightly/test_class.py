"""A student of a class hands in by keyboard alone; what a stranger plants in a hand-in is text in the report."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import looking
import pytest
from classes import sat
from markup import FOREIGN, HOSTILE, SETTLED

from cogkit.app import cli
from cogkit.app.exercises import Attempt
from cogkit.extras.classroom import gathered, hand_in, pack
from cogkit.study.trials import Trials, plain
from cogkit.study.uploads import uploads

CELLS = (
    "from cogkit.app import exercises\nfrom cogkit.extras.classroom import panel",
    "corner = ...",
    'exercises.check("01-corner", corner)',
    "corner = 35",
    'exercises.check("01-corner", corner)',
    "panel.HandIn()",
)


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    """A lesson of one notebook, as students get it."""
    folder = tmp_path_factory.mktemp("class") / "lesson"
    pack.pack(folder, ["01"], seed=3, title="Abstraction 101", run=False)
    return folder / "student"


@pytest.mark.parametrize("width, theme", [(1280, "JupyterLab Light"), (1024, "JupyterLab Dark")])
def test_a_student_hands_in_by_keyboard_alone(width, theme, lesson, lab, server):
    place = f"lesson-{width}"
    shutil.copytree(lesson, server.root / place)
    page = lab.run_cells(*CELLS, folder=place)
    lab.resize(width)
    lab.use_theme(theme)
    cell = lab.find("panel.HandIn()")
    assert not list((server.root / place).glob("hand-in-*"))  # to run all cells hands nothing in
    cell.locator("input").focus()
    page.keyboard.type("Ada <b>")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    cell.locator("[role=status]", has_text="Written: ").wait_for()
    (path,) = (server.root / place).glob("hand-in-*")
    handed, fault = hand_in.read(*uploads([path]))
    assert fault == "" and handed.name == "Ada <b>"
    assert [(attempt.exercise, attempt.passed, attempt.answer) for attempt in handed.attempts] == [
        ("01-corner", False, "35")  # an answer that is not there yet is no attempt
    ]
    assert "0 of 3 exercises solved, 1 attempt, 0 rows" in cell.locator("[role=status]").inner_text()
    assert looking.barriers(lab) == []
    page.keyboard.press("Enter")  # twice is the same file, written anew
    lab.settle("() => true")
    assert len(list((server.root / place).glob("hand-in-*"))) == 1


def planted(lines: Any) -> Iterator[Any]:
    """Yield copies of what a hand-in holds, each with markup in place of one text of one of its first lines."""
    seen, left = set(), [((k,), line) for k, line in enumerate(lines)]
    while left:
        path, node = left.pop()
        entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, entry in entries:
            left.append(((*path, key), entry))
            kind = tuple(part for part in (*path, key)[1:] if isinstance(part, str))
            if isinstance(entry, str) and kind not in seen:
                seen.add(kind)
                changed = copy.deepcopy(lines)
                place = changed
                for part in path:
                    place = place[part]
                place[key] = HOSTILE
                yield changed
    changed = copy.deepcopy(lines)
    changed[-1]["trial"]["extra"][HOSTILE] = HOSTILE
    yield changed


def test_markup_in_every_field_of_a_hand_in_is_text_in_the_report(browser, tmp_path, home):
    about = hand_in.About("c1a55", "A lesson", ("01_play_tiles", "07_word_learning"), seed=3)
    trials, at = Trials(tmp_path / "trials.sqlite"), "2026-11-27T10:00:00.000+00:00"
    sat("mewl", trials, "who")
    rows = tuple(map(plain, trials.frame().to_dict("records")))
    exercises = (hand_in.Exercise("01-corner", "wrong", "corner = 35"),)
    attempts = (Attempt(at, "01-corner", False, "Not yet.", "35"),)
    one = hand_in.HandIn(about, "who", "Ada", at, "0.2.0", exercises, attempts, rows)
    folder = tmp_path / "in"
    hand_in.write(one, folder / "0.jsonl")
    (folder / hand_in.ABOUT).write_text(json.dumps(asdict(about)), encoding="utf-8")
    *lines, _ = map(json.loads, (folder / "0.jsonl").read_text(encoding="utf-8").splitlines())
    count = 0
    for count, changed in enumerate(planted(lines), start=1):
        text = json.dumps(changed).replace('"who": "who"', f'"who": "w-{count}"')
        text = text.replace('"student": "who"', f'"student": "w-{count}"').replace(rows[0]["sitting"], f"s-{count}")
        held = json.loads(text)
        held.append({"end": {"lines": len(held), "sha256": hand_in.digest(held)}})
        (folder / f"{count}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in held), encoding="utf-8")
    assert count >= 30
    assert cli.main(["class", "collect", str(folder), "--out", str(tmp_path / "out")]) == 1
    merged = gathered.load(tmp_path / "out")
    left_out = {file.rpartition("/")[2].partition(".")[0] for file in merged.left_out["file"]}
    assert left_out | {name.removeprefix("w-") for name in merged.students["student"]} >= set(map(str, range(1, count)))
    assert cli.main(["class", "report", str(tmp_path / "out"), "--out", str(tmp_path / "report")]) == 0
    asked: list[str] = []
    for width, scheme in ((1280, "light"), (375, "dark")):
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto((tmp_path / "report/report.html").as_uri())
        page.wait_for_selector(".js-plotly-plot .main-svg")
        page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
        assert page.evaluate(SETTLED) == 0
        own = FOREIGN.replace("script, ", "").replace("meta, link, ", "")  # which a page of its own has
        assert page.locator(own).count() == 0
        assert HOSTILE[:30] in page.locator("body").inner_text()
        assert all(url.startswith(("file:", "data:", "blob:")) for url in asked)
        context.close()
