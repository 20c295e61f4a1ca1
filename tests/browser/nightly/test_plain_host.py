"""Each widget in a page of its own, without Jupyter, kernel or network: the least that any front end gives a widget."""

from __future__ import annotations

from functools import cache

import pytest
from markup import FOREIGN, HOSTILE, SETTLED
from widgets import EVERY, ITEMS

from cogkit.tiles.people import blind
from cogkit.tiles.views import BlindTrial, Replay, TileBoard

# A model as anywidget describes it, and no more: one event a call, as in marimo, and `off` with the name of the event.
HOST = """async ([esm, css, state, bytes]) => {
    const heard = new Map();
    const plain = (name) => { if (!/^change:[a-z_]+$/.test(name)) throw new Error(`not one event: ${name}`); };
    for (const name of bytes) state[name] = new DataView(Uint8Array.from(state[name]).buffer);
    window.model = {
        get: (name) => state[name],
        set: (name, value) => { state[name] = value; },
        save_changes: () => {},
        send: (message) => sent.push(message),
        on: (name, act) => { plain(name); heard.set(name, [...heard.get(name) ?? [], act]); },
        off: (name, act) => { plain(name); heard.set(name, heard.get(name).filter((each) => each !== act)); },
    };
    window.sent = [];
    window.change = () => heard.forEach((acts) => acts.forEach((act) => act()));
    window.listening = () => [...heard.values()].flat().length;
    document.head.append(Object.assign(document.createElement("style"), {textContent: css}));
    const widget = (await import(URL.createObjectURL(new Blob([esm], {type: "text/javascript"})))).default;
    const ends = [await widget.initialize?.({model})];
    ends.push(await widget.render({model, el: document.body}));
    window.end = () => ends.forEach((end) => end?.());
}"""


BAD = f"javascript:window.ran=1//{HOSTILE}"
# Every text that Python sends to a widget, with all others of its kind replaced in turn, and what came of it.
POISON = """async ([esm, css, state, bytes, bad, foreign]) => {
    for (const name of bytes) state[name] = new DataView(Uint8Array.from(state[name]).buffer);
    document.head.append(Object.assign(document.createElement("style"), {textContent: css}));
    const {default: widget} = await import(URL.createObjectURL(new Blob([esm], {type: "text/javascript"})));
    const kinds = new Map([["none", []]]);
    const walk = (value, path) => {
        const kind = path.map((part) => typeof part === "number" ? "*" : part).join(".");
        if (typeof value === "string") kinds.set(kind, [...kinds.get(kind) ?? [], path]);
        else if (Array.isArray(value)) value.forEach((part, i) => walk(part, [...path, i]));
        else if (value && Object.getPrototypeOf(value) === Object.prototype)
            for (const [name, part] of Object.entries(value)) walk(part, [...path, name]);
    };
    walk(state, []);
    const said = [], found = [];
    for (const [kind, paths] of kinds) {
        const now = structuredClone(state), el = document.body.appendChild(document.createElement("div"));
        for (const path of paths) path.slice(0, -1).reduce((part, name) => part[name], now)[path.at(-1)] = bad;
        const model = {
            get: (name) => now[name], set: (name, value) => { now[name] = value; },
            save_changes() {}, send() {}, on() {}, off() {},
        };
        const ends = [];
        try {
            ends.push(await widget.initialize?.({model}), await widget.render({model, el}));
        } catch (error) {
            if (kind === "none") throw error;  // other words than it knows may end a drawing, not the page
        }
        const all = [...el.querySelectorAll("*")];
        if (all.some((node) => node.matches(foreign) || node.getAttributeNames().some((name) => name.startsWith("on"))))
            found.push(kind);
        if (el.textContent.includes(bad) || all.some((node) => node.getAttributeNames().some((name) =>
            node.getAttribute(name).includes(bad)))) said.push(kind);
        ends.forEach((end) => end?.());
        el.remove();
    }
    return {found, said, kinds: [...kinds.keys()]};
}"""


def finished() -> BlindTrial:
    trial = BlindTrial("zigzag", n=2, seed=3, floors=blind.floors(["zigzag"], n=20))
    for _ in range(2):
        trial.answer("abstract")
    return trial


MORE = EVERY | {
    "Replay beside others": lambda: Replay(
        ITEMS, answers=[[10, 0, 11]], beside=lambda k: {"heuristic": 3.0, "heuristic_sd": 1.0, "ideal": 2.0}
    ),
    "TileBoard beside others": lambda: TileBoard(ITEMS, beside=lambda k: {"heuristic": 3.0, "ideal": 2.0}),
    "BlindTrial at its end": finished,
}


@cache
def made(name: str):
    """Return a widget, its state as a page gets it, and the names of what is no text in it."""
    widget = MORE[name]()
    state = {name: widget.get_state(name)[name] for name in widget.keys if not name.startswith(("_", "layout"))}
    binary = [name for name, value in state.items() if isinstance(value, bytes | memoryview)]
    state |= {name: list(bytes(state[name])) for name in binary}
    return widget, {name: value for name, value in state.items() if name not in ("tabbable", "tooltip")}, binary


@pytest.fixture
def host(browser):
    """A function that gives a widget to a script in an empty page; it returns the page, and what came of it."""
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: request.url.startswith("http") and faults.append(request.url))

    def give(name, script, *more):
        widget, state, binary = made(name)
        return page, page.evaluate(script, [str(widget._esm), str(widget._css), state, binary, *more])

    yield give
    page.close()
    assert not faults


@pytest.mark.parametrize("name", EVERY)
def test_widget_draws_its_state_and_goes_without_a_trace(name, host, mirror):
    page, _ = host(name, HOST)
    root = page.locator(":is(.cogkit-widget, .cogkit-run)")
    assert root.count() == 1 and len(root.inner_text()) > 40
    before = root.inner_text()
    page.evaluate("() => change()")
    assert root.inner_text() == before and page.evaluate("() => listening()") > 0
    page.evaluate("() => end()")
    assert page.evaluate("() => listening()") == 0


@pytest.mark.parametrize("name", MORE)
def test_no_text_of_a_widget_is_markup(name, host, mirror):
    page, seen = host(name, POISON, BAD, FOREIGN)
    assert seen["found"] == [] and page.evaluate(SETTLED) == 0
    assert len(seen["said"]) > 1, seen  # it was drawn, as text
