"""Each widget in a page of its own, without Jupyter, kernel or network: the least that any front end gives a widget."""

from __future__ import annotations

import pytest
from widgets import EVERY

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


@pytest.fixture
def host(browser):
    """A function that draws a widget of Python in an empty page, and returns the page."""
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: request.url.startswith("http") and faults.append(request.url))

    def draw(widget):
        state = {name: widget.get_state(name)[name] for name in widget.keys if not name.startswith(("_", "layout"))}
        binary = [name for name, value in state.items() if isinstance(value, bytes | memoryview)]
        state |= {name: list(bytes(state[name])) for name in binary}
        state = {name: value for name, value in state.items() if name not in ("tabbable", "tooltip")}
        page.evaluate(HOST, [str(widget._esm), str(widget._css), state, binary])
        return page

    yield draw
    page.close()
    assert not faults


@pytest.mark.parametrize("name", EVERY)
def test_widget_draws_its_state_and_goes_without_a_trace(name, host, mirror):
    page = host(EVERY[name]())
    root = page.locator(":is(.cogkit-widget, .cogkit-run)")
    assert root.count() == 1 and len(root.inner_text()) > 40
    before = root.inner_text()
    page.evaluate("() => change()")
    assert root.inner_text() == before and page.evaluate("() => listening()") > 0
    page.evaluate("() => end()")
    assert page.evaluate("() => listening()") == 0
