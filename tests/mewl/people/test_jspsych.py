"""The study as a web page, and what is collected with it: written by hand as jsPsych 8 saves it, and read back."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from PIL import Image

from cogkit.core.contracts import TRIAL_COLUMNS, InputError
from cogkit.mewl.people import instructions, jspsych, published, study
from cogkit.mewl.people.jspsych import export
from cogkit.mewl.people.sitting import DONE, Sitting
from cogkit.mewl.problems.tasks import module
from cogkit.study.trials import Trials

CONDITION = "verified/number/4/3+1"


def draw(scene) -> bytes:
    """A picture that tells two scenes apart: one colour each."""
    file = io.BytesIO()
    Image.new("RGB", (4, 3), tuple(int(part * 997) % 256 for part in (*scene.places[0], scene.turns[0]))).save(
        file, "PNG"
    )
    return file.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return export(tmp_path_factory.mktemp("web") / "study", "number", 2, 4, tests=3, attention=1, draw=draw,
                  post="https://example.org/save", finish="https://example.org/?a=1&b=<2>")  # fmt: skip


def told(folder) -> dict:
    return json.loads((folder / "timeline.json").read_text(encoding="utf-8"))


# The folder


def test_the_page_holds_all_and_every_file_is_there(folder):
    page, timeline = (folder / "index.html").read_text(encoding="utf-8"), told(folder)
    inside = re.search(r'<script type="application/json" id="study">(.*?)</script>', page, re.S)[1]
    assert json.loads(inside) == timeline and "<" not in inside
    items = [*(page["item"] for page in timeline["pages"] if page["item"])]
    items += [item for form in timeline["forms"] for item in form["items"]]
    files = [file for item in items for file in item["pictures"]]
    assert len(files) == 7 * (3 + 2 * 4) == len(set(files)) == len(list((folder / "images").iterdir()))
    for item in items:
        question = study.item(item["name"]).trial
        scenes = [*(panel.scene for panel in question.panels), question.query]
        assert [(folder / file).read_bytes() for file in item["pictures"]] == list(map(draw, scenes))
        assert item["names"] == [panel.utterance for panel in question.panels] and item["options"] == list(
            question.options
        )
    for script in re.findall(r'src="([^":]+)"|href="([^":]+)"', page):
        assert (folder / "".join(script)).is_file()


def test_forms_are_those_of_the_study_and_the_tutorial_is_its_own(folder):
    timeline = told(folder)
    assert [form["condition"] for form in timeline["forms"]] == [CONDITION, CONDITION.replace("/4/", "/5/")]
    for form in timeline["forms"]:
        assert [item["name"] for item in form["items"]] == [item.name for item in study.items(form["condition"])]
    pages, check = instructions.pages("number"), instructions.check("number")
    texts = [*(list(page.text) for page in pages), [instructions.CHECKED]]
    assert [page["text"] for page in timeline["pages"]] == texts
    rights = [page["item"] and page["item"]["right"] for page in timeline["pages"]]
    solved = [None, *(page.examples[0] for page in pages[1:]), check]
    assert rights == [item and item.episode.answer for item in solved]


def test_what_is_right_is_told_of_the_tutorial_alone(folder):
    for form in told(folder)["forms"]:
        assert all(set(item) == {"name", "pictures", "names", "options"} for item in form["items"])
    script = (folder / "study.js").read_text(encoding="utf-8")
    assert "innerHTML" not in script and "insertAdjacentHTML" not in script and "document.write" not in script


def test_the_library_is_pinned_or_copied(folder, tmp_path):
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert re.search(r'src="https://unpkg\.com/jspsych@8\.\d+\.\d+/[\w./]+" integrity="sha384-[\w+/]{64}"', page)
    library = tmp_path / "index.browser.min.js"
    library.write_text("var jsPsychModule = {}, initJsPsych = () => 0;")
    copy = export(tmp_path / "own", "shape", tests=1, attention=0, draw=draw, library=library)
    assert (copy / "jspsych.js").read_bytes() == library.read_bytes()
    assert "unpkg" not in (copy / "index.html").read_text(encoding="utf-8")


def test_no_text_can_end_the_script(folder, tmp_path, monkeypatch):
    monkeypatch.setitem(instructions.TITLES, "shape", "</script><b>&amp;</b>")
    page = (export(tmp_path / "s", "shape", tests=1, attention=0, draw=draw) / "index.html").read_text(encoding="utf-8")
    assert "<b>" not in page and "<title>&lt;/script&gt;&lt;b&gt;&amp;amp;&lt;/b&gt;</title>" in page
    assert page.count("</script>") == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [({"task": "size"}, "a task"), ({"forms": 0}, "1 to 1000"), ({"tests": 0}, "tests=0"),
     ({"profile": "v"}, "a profile"), ({"post": "javascript:alert(1)"}, "post="),
     ({"finish": "//example.org"}, "finish="),
     ({"draw": lambda scene: b"<svg>"}, "a PNG, WebP or JPEG"), ({"library": "nowhere.js"}, "can be read"),
     ({"library": __file__}, "the program of jsPsych 8")],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_nothing_left(options, words, tmp_path):
    if options.get("library") == __file__:
        options = {"library": tmp_path / "other.js"}
        options["library"].write_text("var other")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match=re.escape(words)):
        export(tmp_path / "study", **{"task": "shape", "tests": 1, "attention": 0, "draw": draw} | options)
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_with_something_in_it_is_left_alone(folder):
    before = (folder / "index.html").read_bytes()
    with pytest.raises(InputError, match="a new or an empty folder"):
        export(folder, "shape", tests=1, draw=draw)
    assert (folder / "index.html").read_bytes() == before


# What is collected


def trial(order, item, response, rt_s=1.5, extra=None, sitting="1235b1e1ef7c15bf", who="abc-1", **fields) -> dict:
    """A row as the page writes it and jsPsych adds to it."""
    return {
        "rt": 498.1, "sitting": sitting, "order": order, "at": f"2026-11-22T06:45:{order:02d}.636Z", "who": who,
        "kind": "person", "instrument": "mewl", "task": "number", "correct": None, "score": None, "rt_s": rt_s,
        "seed": 4, "profile": "verified", "preset": "lab", "source": "jspsych", "item": item, "response": response,
        "extra": extra or {}, "trial_type": "cogkit-mewl", "trial_index": order, "plugin_version": "1.0.0",
        "time_elapsed": 532,
    } | fields  # fmt: skip


def right(item) -> str:
    return item.trial.options[module(item.trial.task).solve(item.trial)[1].index(True)]


def collected(wrong=(), checks=(True,), order=(3, 1, 0, 2), until=None, **fields) -> list[dict]:
    """A whole sitting; places of wrong answers are in the order of presentation."""
    rows = [trial(0, "begin", CONDITION, None, {"order": list(order)}, **fields)]
    rows += [trial(1 + k, f"tutorial/number/{k}", "read", 4.0, **fields) for k in range(3)]
    check = instructions.check("number")
    pairs = [(check, good) for good in checks]
    if any(checks):
        pairs += [(study.items(CONDITION)[place], k not in wrong) for k, place in enumerate(order)]
    for item, good in pairs:
        rest = [text for text in item.trial.options if text != right(item)]
        rows.append(trial(len(rows), item.name, right(item) if good else rest[0], **fields))
    return rows[:until]


def as_csv(rows: list[dict]) -> str:
    """As jsPsych does: everything in quotes, null and objects as JSON."""
    cells = [[value if isinstance(value, str) else json.dumps(value) for value in row.values()] for row in rows]
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows([list(rows[0]), *cells])
    return file.getvalue()


def saved(path, rows):
    path.write_text(as_csv(rows) if path.suffix == ".csv" else json.dumps(rows), encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("name", ["data.json", "data.csv"])
def test_what_was_collected_becomes_a_sitting_like_any_other(name, tmp_path):
    rows = published.from_jspsych(saved(tmp_path / name, collected(wrong=(1,), checks=(False, True))))
    assert tuple(rows.columns) == TRIAL_COLUMNS and rows.order.tolist() == list(range(1 + 3 + 2 + 4))
    assert rows.correct.tolist()[4:] == [0, 1, 1, 0, 1, 1] and set(rows.source) == {"jspsych"}
    assert rows["at"].iloc[2] == "2026-11-22T06:45:02.636+00:00"
    (line,) = published.log(rows).itertuples()
    assert (line.who, line.task, line.answers, line.right, line.attention) == ("abc-1", "number", 3, 2 / 3, 1.0)
    assert line.kept and line.seconds == 3 * 4.0 + 6 * 1.5
    store = Trials(tmp_path / "trials.sqlite")
    for row in rows.astype(object).where(rows.notna(), None).to_dict("records"):
        store.add(row)
    sitting = Sitting.resume(study.study_of("number", tests=3, attention=1), "1235b1e1ef7c15bf", store)
    assert sitting.phase == DONE and sitting.right == [True, False, True, True] and sitting.tries == [False, True]


def test_the_same_choices_in_the_widget_leave_the_same_rows(tmp_path):
    store = Trials(tmp_path / "trials.sqlite")
    sitting = Sitting.begin(study.study_of("number", tests=3, attention=1), 4, store, "abc-1")
    rows = collected(wrong=(0, 2), order=sitting.order)
    while sitting.phase == "tutorial":
        sitting.next(4.0)
    for row in rows[4:]:
        sitting.choose(sitting.item.trial.options.index(row["response"]), 1.5)
    widget, theirs = store.frame(), published.from_jspsych(saved(tmp_path / "data.json", rows))
    same = [name for name in TRIAL_COLUMNS if name not in ("sitting", "at", "source")]
    assert widget[same].to_dict("list").__repr__() == theirs[same].to_dict("list").__repr__()


def test_people_of_many_files_and_of_other_trials(tmp_path):
    saved(tmp_path / "one.json", [{"trial_type": "html-button-response", "rt": 3}, *collected(sitting="a", who="p1")])
    lines = [
        json.dumps(collected(sitting="b", who="p2", wrong=(0,))),
        json.dumps(collected(checks=(False, False), sitting="c")),
    ]
    (tmp_path / "two.json").write_text("\n".join(lines))
    saved(tmp_path / "three.csv", collected(sitting="d", who="p4") + collected(sitting="e", who="p5", until=6))
    (tmp_path / "notes.txt").write_text("no data")
    table = published.log(published.from_jspsych(tmp_path)).set_index("sitting")
    assert table.reason.to_dict() == {
        "a": "", "b": "attention failed", "c": "tutorial failed", "d": "", "e": "not finished",
    }  # fmt: skip
    with pytest.raises(InputError, match=r"sitting a in .*one\.json and .*zero\.json"):
        saved(tmp_path / "zero.json", collected(sitting="a"))
        published.from_jspsych(tmp_path)


def changed(k: int, **fields) -> list[dict]:
    rows = collected()
    return [row | fields if n == k else row for n, row in enumerate(rows)]


FAULTS = {
    "'sitting' in row 3": changed(2, sitting="../x"),
    "'who' in row 1": changed(0, who="<b>"),
    "'order' in row 2": changed(1, order=-1),
    "'at' in row 4": changed(3, at="yesterday"),
    "'rt_s' in row 5": changed(4, rt_s="1e999"),
    "'extra' in row 1": changed(0, extra=[1]),
    "its order, in row 1": changed(0, extra={"order": [0, 1, 2, 2]}),
    "'response' in row 1": changed(0, response="verified/number/4"),
    "'item' in row 6": changed(5, item="verified/test/number/0000"),
    "'response' in row 6": changed(5, response="<script>"),
    "its rows from 0 on": changed(3, order=9),
    "'item' in row 3": changed(2, item="tutorial/number/7"),
    "nothing for 'response' in row 2": [{**row} if n != 1 else {k: v for k, v in row.items() if k != "response"}
                                        for n, row in enumerate(collected())],
    "no row of instrument mewl": [{"trial_type": "other"}],
    "after a failed check in row 7": [
        *collected(checks=(False, False)), trial(6, study.items(CONDITION)[3].name, right(study.items(CONDITION)[3]))],
    "one row more in row 10": [*collected(), trial(9, "verified/test/number/0000", "x")],
}  # fmt: skip


@pytest.mark.parametrize("words", FAULTS)
def test_a_fault_is_one_sentence_with_row_and_field(words, tmp_path):
    with pytest.raises(InputError, match=re.escape(words)) as error:
        published.from_jspsych(saved(tmp_path / "data.json", FAULTS[words]))
    assert "data.json" in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.json", b"{"), ("a.json", b'{"rt": 1}'), ("a.json", b"[1]"), ("a.json", b"\xff\xfe"),
     ("a.json", b"[" * 100_000), ("a.csv", b'"rt","item"\n"1'), ("a.json", b""), ("nowhere.json", None)],
)  # fmt: skip
def test_other_files_are_refused(name, content, tmp_path):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=re.escape(name)) as error:
        published.from_jspsych(tmp_path / name)
    assert "\n" not in str(error.value)


def test_the_format_is_told(folder):
    timeline = told(folder)
    assert (timeline["format"], timeline["version"]) == (jspsych.FORMAT, jspsych.VERSION)
    assert timeline["post"] == "https://example.org/save" and timeline["finish"].endswith("<2>")
