"""What every notebook is held to when it is opened: it runs, its figures are whole, the page complains of nothing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from scripts import script

CHROMIUM = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--force-color-profile=srgb",
]  # fmt: skip


def executable() -> str | None:
    """Return the path of Chromium on this machine."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


OURS = {"include": [[".jp-Notebook .jp-OutputArea-output"]]}
GRAVE = ("serious", "critical")


def picture(place, name: str, **options) -> None:
    """Keep a page, or one element of it, as NAME.png in the folder that COGKIT_SCREENSHOTS names, if it does."""
    if folder := os.environ.get("COGKIT_SCREENSHOTS"):
        place.screenshot(path=Path(folder) / f"{name}.png", **options)


def cut(lab) -> list[str]:
    """Return what is cut off, must be pushed sideways, or is no output that a reader should see."""
    wide = lab.sideways()
    return lab.page.evaluate(script("cut")) + [f"the notebook is {wide} px wider than its window"] * (wide > 0)


def barriers(lab) -> list[str]:
    """Return what keeps somebody from reading our outputs and using our widgets, as axe-core sees it."""
    if not lab.page.locator(".jp-Notebook .jp-OutputArea-output").count():
        return []
    violations = Axe().run(lab.page, OURS, {"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{each['id']} ({each['impact']}, {len(each['nodes'])}): {each['nodes'][0]['html'][:160]}"
        for each in violations
        if each["impact"] in GRAVE
    ]


def figures(lab) -> list[str]:
    """Return what is wrong with the drawn figures: text cut off or on text, no marks, too small, or not there."""
    areas = lab.page.locator(".jp-Notebook .jp-OutputArea-output:has(.main-svg)")
    faults, promised, drawn = [], lab.page.evaluate(script("promised_figures")), areas.count()
    if promised > drawn:
        faults.append(f"{drawn} of {promised} figures are drawn")
    for number, area in enumerate(areas.all()):
        box = area.locator(".main-svg").first.bounding_box()
        if box["width"] < 500 or box["height"] < 120:  # a strip of boards
            faults.append(f"figure {number} is {box['width']:.0f} by {box['height']:.0f} px")
        if not area.locator(".main-svg .trace, .main-svg .hm").count():
            faults.append(f"figure {number} shows nothing")
        faults += [f"figure {number}: {fault}" for fault in area.evaluate(script("faults_of_figure"))]
    return faults
