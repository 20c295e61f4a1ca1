"""A study as a web page in a person's hands: they agree, press what the page shows, and come to the end."""

from __future__ import annotations

import json

import studied
from axe_playwright_python.sync_playwright import Axe
from looking import GRAVE
from scripts import script

from cogkit.extras.online.collected import collect

FINISHED = "document.documentElement.dataset.state === 'finished'"


def address(name: str, **options) -> str:
    """Return the address of an instrument's study on the disk."""
    return (studied.folder(name, **options) / "index.html").as_uri()


def agree(page) -> None:
    page.get_by_role("button", name="I agree and begin").click()
    page.wait_for_selector(".ck-stage .cogkit-widget")


def begin(context, url: str):
    """Open a study, agree, and return the page with its first widget."""
    page = context.new_page()
    page.goto(url)
    agree(page)
    return page


def press(page, k: int) -> None:
    """Press once, and wait until what follows is in view."""
    before = page.locator(".cogkit-widget").first.inner_text()
    page.evaluate(script("press"), k)
    page.wait_for_function(
        f"(before) => {FINISHED} || document.querySelector('.cogkit-widget').innerText !== before", arg=before
    )


def rows_of(page) -> list[dict]:
    return page.evaluate("window.cogkitRows")


def to_the_end(page, start: int = 0) -> list[dict]:
    """Press until the study is at its end; return its rows."""
    for k in range(start, 1000):
        if page.evaluate(FINISHED):
            return rows_of(page)
        press(page, k)
    raise AssertionError("the study has no end")


def read(rows: list[dict], folder):
    """Return what `cogkit collect` reads of these rows."""
    (folder / "answers.json").write_text(json.dumps(rows), encoding="utf-8")
    return collect([folder / "answers.json"])


def barriers(page) -> list[str]:
    """Return what keeps somebody from using a page, as axe-core sees it."""
    violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in violations if each["impact"] in GRAVE]
