"""Studies as web pages: sat to the end from a disk and a server, stopped and taken up, sent and read back."""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import threading

import pytest
import studied
from playwright.sync_api import expect
from scripts import script
from websitting import FINISHED, address, agree, barriers, begin, press, read, rows_of, to_the_end

from cogkit.core import registry
from cogkit.extras.online.collected import collect

NAMES = tuple(studied.SMALL)
SHOWN = "document.querySelector('.ck-stage .cogkit-widget').outerHTML"


@pytest.fixture
def context(browser):
    """A browser of a person of their own; faults of its pages, and requests to anywhere else, fail the test."""
    context = browser.new_context(viewport={"width": 1024, "height": 768}, accept_downloads=True)
    faults: list[str] = []
    context.on("weberror", lambda error: faults.append(str(error.error)))
    context.on("request", lambda request: _outside(request.url) and faults.append(request.url))
    yield context
    context.close()
    assert not faults


def _outside(url: str) -> bool:
    return not url.startswith(("file:", "data:", "blob:", "http://127.0.0.1:", "https://pipe.jspsych.org/"))


LAST = ("study", "answer", "test")  # the names of the phase with the items
ITEMS = {"tiles": 2, "bongard": 3, "mewl": 5, "equivalence": 27}  # of `studied.SMALL`: boards, problems, …


@pytest.mark.parametrize("name", NAMES)
def test_a_study_is_sat_from_a_disk_and_what_was_answered_is_read_back(name, context, tmp_path):
    page = context.new_page()
    page.goto(address(name))
    violations = barriers(page)
    agree(page)
    for k in range(6):
        violations += barriers(page)
        press(page, k)
    page.set_viewport_size({"width": 375, "height": 667})  # and on, on a phone
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    violations += barriers(page)
    rows = to_the_end(page, 6)
    assert violations + barriers(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my answers").click()
    assert json.loads(download.value.path().read_text(encoding="utf-8")) == rows
    assert [row["order"] for row in rows] == list(range(len(rows)))
    collected = read(rows, tmp_path)
    assert collected.trials["response"].tolist() == [row["response"] for row in rows]
    assert collected.trials["rt_s"].fillna(-1).tolist() == [-1 if row["rt_s"] is None else row["rt_s"] for row in rows]
    answered = [row for row in rows if row["response"] != "read" and row["item"] not in ("begin", "skip")]
    assert collected.sittings["answers"].item() == len(answered)
    assert len({row["item"] for row in answered if row["extra"]["phase"] in LAST}) == ITEMS[name]
    web = registry.part("online", name).study()
    form = rows[0]["extra"]["form"]
    assert rows[0]["response"] == web.study(web.conditions[0], studied.SMALL[name]).assign(4 + form)
    if name != "mewl":  # presses know no name, so an attention check fails there
        assert collected.sittings["reason"].tolist() == [""] and len(collected.rows)


def begin_by_keyboard(context, name: str):
    """Agree, and go into the widget, by keys alone."""
    page = context.new_page()
    page.goto(address(name))
    page.wait_for_function("() => document.activeElement.tagName === 'H1'")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".ck-stage .cogkit-widget")
    page.keyboard.press("Tab")
    page.wait_for_function("() => document.activeElement.closest('.ck-stage .cogkit-widget') !== null")
    return page


def test_the_keyboard_alone_opens_a_tile(context):
    page = begin_by_keyboard(context, "tiles")
    page.wait_for_function("() => document.activeElement.matches('.ck-tile')")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_function("() => window.cogkitRows.length === 2")
    assert page.evaluate("Number(document.activeElement.dataset.tile)") == rows_of(page)[1]["response"]


# Keys, each with the number of rows that it leads to (None where what it changes is in view alone); the answers to
# read back.
KEYS = {
    "bongard": (
        [("Enter", 2), ("f", None), ("2", 3), ("s", None), ("4", 4), ("Enter", None), ("Enter", 5)],
        [("read", None), ("positive", 0.7), ("negative", 1.0), ("read", None)],
    ),
    "mewl": ([("Enter", 2), ("Enter", 3), ("Enter", 4), ("1", 5)], None),
    "equivalence": ([("1", 2), ("Enter", None), ("3", 3)], [("O_1", None), ("O_3", None)]),
}


@pytest.mark.parametrize("name", KEYS)
def test_the_keyboard_alone_answers_the_other_studies(name, context):
    page = begin_by_keyboard(context, name)
    keys, answers = KEYS[name]
    while page.evaluate("document.activeElement.textContent === 'Pause'"):  # what comes first, where there is one
        page.keyboard.press("Tab")
    for key, rows in keys:
        before = page.evaluate(SHOWN)
        page.keyboard.press(key)
        if rows is None:
            page.wait_for_function(f"(before) => {SHOWN} !== before", arg=before)
        else:
            page.wait_for_function(f"() => window.cogkitRows.length === {rows}")
        assert page.evaluate("document.activeElement.closest('.ck-stage .cogkit-widget') !== null")
    if answers:
        assert [(row["response"], row["extra"].get("confidence")) for row in rows_of(page)[1:]] == answers


@pytest.mark.parametrize("name", NAMES)
def test_one_file_translates_everything_that_people_read(name, context, tmp_path):
    ours = json.loads((studied.folder(name) / "words.json").read_text(encoding="utf-8"))
    theirs = {key: [f"⟦{text}⟧" for text in value] for key, value in ours.items() if isinstance(value, list)}
    theirs |= {key: f"⟦{value}⟧" for key, value in ours.items() if isinstance(value, str)} | {"lang": "eo"}
    theirs["texts"] = {text: f"⟦{text}⟧" for text in ours["texts"]}
    (tmp_path / "eo.json").write_text(json.dumps(theirs), encoding="utf-8")
    folder = studied.folder(name, words=tmp_path / "eo.json")
    data = ["Enter"]  # a key
    for path in sorted((folder / "forms").iterdir()):
        form = studied.in_script(path)
        data += [shape["name"] for shape in form["still"].get("shapes", ())]
        practised = [item for block in (form["practice"] or {"blocks": ()})["blocks"] for item in block]
        pages = [page["view"].get("item") for page in form["pages"]]
        for item in filter(None, (*form["items"], *practised, *pages)):
            data += item.get("names", []) + item.get("options", [])
    page = begin(context, (folder / "index.html").as_uri())
    assert page.title() == f"⟦{registry.part('online', name).study().title}⟧"
    data = sorted({*data}, key=len, reverse=True)
    seen = 0
    while not page.evaluate(FINISHED):
        assert page.evaluate(script("untranslated"), data) == []
        press(page, seen)
        seen += 1
    assert page.evaluate(script("untranslated"), data) == [] and seen > 5
    assert {row["source"] for row in rows_of(page)} == {"web"} and len(read(rows_of(page), tmp_path).trials) > 5


def test_whoever_refuses_or_withdraws_leaves_nothing_and_another_person_begins_anew(context):
    page, heading = context.new_page(), lambda words: expect(page.get_by_role("heading")).to_have_text(words)
    page.goto(address("tiles"))
    page.get_by_role("button", name="I do not agree").click()
    heading("You did not agree")
    page.reload()
    heading("Before you begin")  # no sitting to go on with
    agree(page)
    press(page, 0)
    page.get_by_role("button", name="Stop and delete my answers").click()
    page.get_by_role("button", name="Stop and delete", exact=True).click()
    heading("You have stopped")
    page.reload()
    heading("Before you begin")
    agree(page)
    press(page, 0)
    first = rows_of(page)
    page.reload()
    page.get_by_role("button", name="I am another person").click()
    agree(page)
    assert rows_of(page)[0]["sitting"] != first[0]["sitting"] and len(rows_of(page)) == 1


def test_a_second_window_cannot_answer_the_same_question_twice(context):
    page = begin(context, address("tiles"))
    other = context.new_page()
    other.goto(address("tiles"))
    other.get_by_role("button", name="Go on").click()
    other.wait_for_selector(".ck-stage .cogkit-widget")
    press(page, 0)
    other.evaluate(script("press"), 1)
    expect(other.locator(".ck-status").first).to_contain_text("could not be stored")
    assert len(rows_of(page)) == 2 and len(rows_of(other)) == 1


def test_an_address_may_say_who_somebody_is_and_which_form_they_get(context):
    page = begin(context, f"{address('tiles')}?PROLIFIC_PID=abc123&SESSION_ID=s1&form=1")
    (row,) = rows_of(page)
    assert (row["who"], row["extra"]["session_id"]) == ("abc123", "s1")
    assert (row["seed"], row["extra"]["form"], row["extra"]["assigned"]) == (5, 1, "address")


@pytest.mark.parametrize("name", NAMES)
def test_a_simulated_sitting_reaches_the_end_and_does_not_count(name, context, tmp_path):
    page = context.new_page()
    page.goto(f"{address(name)}?simulate=data-only")
    page.wait_for_function(f"() => {FINISHED}")
    assert read(rows_of(page), tmp_path).sittings["reason"].tolist() == ["simulated"]


@pytest.mark.parametrize("name", NAMES)
def test_a_pilot_is_short_says_so_and_does_not_count(name, context, tmp_path):
    whole = {"tiles": 3, "bongard": 6, "mewl": 9, "equivalence": 1}[name]
    page = begin(context, f"{address(name, n=whole)}?pilot=1")
    expect(page.get_by_role("note").filter(has_text="This is a pilot")).to_be_visible()
    rows = to_the_end(page)
    assert len(rows[0]["extra"]["order"]) == {"tiles": 3, "bongard": 15}.get(name, 5)
    collected = read(rows, tmp_path)
    if name != "mewl":  # presses know no name, so the tutorial may end there
        assert collected.sittings[["finished", "reason"]].values.tolist() == [[True, "pilot"]]
    assert collected.left_out["reason"].tolist() == ["pilot"] and len(collected.trials) == len(rows)


def test_practice_that_is_never_passed_ends_kindly_with_the_answers_so_far(context, tmp_path):
    page = begin_by_keyboard(context, "equivalence")
    (form,) = page.evaluate("Object.values(window.cogkitForms)")
    blocks = form["practice"]["blocks"]
    assert len(blocks) == form["practice"]["tries"] == 10
    for k, item in enumerate(item for block in blocks for item in block):
        page.keyboard.press(str((item["right"] + 1) % 3 + 1))
        page.wait_for_function(f"() => window.cogkitRows.length === {k + 2}")
        page.wait_for_function("() => document.querySelector('.ck-status').textContent.startsWith('Not that one')")
        page.keyboard.press("Enter")
        page.wait_for_function(f"() => {FINISHED} || !document.querySelector('.ck-status').textContent.includes('✗')")
    page.wait_for_function(f"() => {FINISHED}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("The practice ends here, and so does the study.")
    rows = rows_of(page)
    assert read(rows, tmp_path).sittings["reason"].tolist() == ["practice not passed"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my answers").click()
    assert json.loads(download.value.path().read_text(encoding="utf-8")) == rows


# Hosts: each a stand-in of its documented interface.


@pytest.fixture
def server(tmp_path):
    """A function that serves a folder on loopback, and a list of what was posted; ``refuse`` counts down refusals."""
    posted, refusals = [], []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_POST(self):
            content = self.rfile.read(int(self.headers["Content-Length"]))
            if refusals:
                refusals.pop()
                return self.send_error(503)
            posted.append(json.loads(content))
            self.send_response(204)
            return self.end_headers()

        def log_message(self, *arguments):
            pass

    servers = []

    def serve(folder):
        handler = functools.partial(Handler, directory=str(folder))
        servers.append(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}"

    yield serve, posted, refusals
    for each in servers:
        each.shutdown()
        each.server_close()


def test_answers_go_to_an_address_and_a_refusal_loses_none(context, server, tmp_path):
    serve, posted, refusals = server
    refusals.append(1)
    page = begin(context, serve(studied.folder("tiles", host="post", address="./save")))
    assert not posted
    rows = to_the_end(page)
    expect(page.get_by_role("status").last).to_contain_text("could not be sent")
    page.get_by_role("button", name="Send again").click()
    expect(page.get_by_role("status").last).to_contain_text("are saved")
    assert posted == [rows] and read(posted[0], tmp_path).sittings["finished"].tolist() == [True]
    page.reload()
    expect(page.get_by_role("heading")).to_have_text("Before you begin")  # what is sent is not sent twice


def test_datapipe_gives_a_condition_and_gets_a_file(context, server, tmp_path):
    serve, _, _ = server
    calls = []
    refused = {"error": "EXPERIMENT_NOT_ACTIVE", "message": "The experiment is not active."}

    def answer(route):
        calls.append((route.request.url.rsplit("/api/", 1)[1], route.request.post_data_json))
        reply = refused if len(calls) == 2 else {"message": "Success", "condition": 1}
        route.fulfill(json=reply, headers={"Access-Control-Allow-Origin": "*"}, status=400 if reply is refused else 200)

    context.route("https://pipe.jspsych.org/**", answer)
    page = begin(context, serve(studied.folder("tiles", host="datapipe", experiment="abc_DEF-1")))
    rows = to_the_end(page)
    expect(page.get_by_role("status").last).to_contain_text("The experiment is not active.")
    page.get_by_role("button", name="Send again").click()
    expect(page.get_by_role("status").last).to_contain_text("are saved")
    (place, request), before, (where, sent) = calls
    assert (
        before == (where, sent)
        and (place, request) == ("condition/", {"experimentID": "abc_DEF-1"})
        and where == "data/"
    )
    assert sent["experimentID"] == "abc_DEF-1" and sent["filename"] == f"tiles-{rows[0]['sitting']}.json"
    assert json.loads(sent["data"]) == rows and rows[0]["extra"]["form"] == 1


def test_jatos_balances_forms_and_has_every_row_at_once(context, server, tmp_path):
    serve, _, _ = server
    context.route("**/jatos.js", lambda route: route.fulfill(body=script("jatos"), content_type="text/javascript"))
    page = begin(context, serve(studied.folder("tiles", host="jatos")))
    press(page, 0)
    first = rows_of(page)[0]["extra"]
    assert (first["form"], first["assigned"]) == (1, "one that fewest have finished")
    assert [json.loads(text)[0] for kind, text in page.evaluate("jatos.said")] == rows_of(page)
    rows = to_the_end(page, 1)
    expect(page.get_by_role("status").last).to_contain_text("are saved")
    calls = page.evaluate("jatos.said")
    assert calls[-2:] == [["set", "finished", [2, 2]], ["end"]]  # whoever begins does not count yet
    assert json.loads(calls[-3][1]) == rows and rows[0]["who"] == "p-77"
    on_the_way = tmp_path / "left.txt"
    on_the_way.write_text("".join(text for kind, text in calls[:3]), encoding="utf-8")
    assert collect([on_the_way]).sittings["reason"].tolist() == ["not finished"]


def test_cognition_takes_one_script(context, tmp_path):
    """The host has a page of its own with jsPsych in it, and runs the script; it keeps what jsPsych has collected."""
    folder = studied.folder("tiles", host="cognition")
    assert sorted(path.name for path in folder.iterdir()) == ["items.json", "study.css", "task.js", "who_counts.txt"]
    page = context.new_page()
    page.goto("about:blank")
    page.add_script_tag(content=studied.library.program(path=studied.package()).decode())
    page.add_script_tag(content=(folder / "task.js").read_text(encoding="utf-8"))
    agree(page)
    rows = to_the_end(page)
    assert read(rows, tmp_path).sittings["finished"].tolist() == [True]


def test_a_missing_file_of_items_is_told(context, tmp_path):
    folder = tmp_path / "study"
    shutil.copytree(studied.folder("tiles"), folder)
    shutil.rmtree(folder / "forms")
    page = context.new_page()
    page.goto((folder / "index.html").as_uri())
    page.get_by_role("button", name="I agree and begin").click()
    expect(page.get_by_role("alert")).to_contain_text("is missing")
