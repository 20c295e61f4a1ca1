"""What every notebook is held to when it is opened: it runs, its figures are whole, the page complains of nothing."""

from __future__ import annotations

import shutil

from axe_playwright_python.sync_playwright import Axe

CHROMIUM = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--force-color-profile=srgb",
]  # fmt: skip


def executable() -> str | None:
    """Return the path of Chromium on this machine."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


# What is wrong with a drawn figure: text that is cut off, and pieces of text that lie on each other.
FAULTS = """(area) => {
    const whole = area.querySelector(".main-svg").getBoundingClientRect(), found = [];
    const seen = [...area.querySelectorAll(".main-svg text")].filter((node) => node.textContent.trim());
    const boxes = seen.map((node) => [node.textContent, node.getBoundingClientRect()]);
    for (const [text, box] of boxes)
        if (box.left < whole.left - 1 || box.right > whole.right + 1 || box.top < whole.top - 1
            || box.bottom > whole.bottom + 1) found.push(`cut off: ${text}`);
    boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && high > 3) found.push(`overlap: ${text} | ${other}`);
    }));
    return found;
}"""

# The reader's stars as they are drawn: subplot, value, and the width in pixels of the mark on the page.
STARS = """(area) => {
    const plot = area.matches(".js-plotly-plot") ? area : area.querySelector(".js-plotly-plot"), found = [];
    for (const points of plot.calcdata) {
        const trace = points[0].trace;
        if (trace.marker?.symbol !== "star") continue;
        const node = [...plot.querySelectorAll(".scatterlayer .trace")].find((n) => n.__data__ === points
            || n.__data__?.[0]?.trace === trace);
        const marks = node ? [...node.querySelectorAll(".points path")] : [];
        points.filter((point) => typeof point.y === "number").forEach((point, i) =>
            found.push([trace.xaxis, point.y, marks[i]?.getBoundingClientRect().width ?? 0]));
    }
    return found;
}"""

# What a reader cannot read whole: cells that end in dots, text behind an edge, and boxes to be pushed sideways.
CUT = """() => {
    const DOTS = /(\\.\\.\\.|…)$|^\\.\\.\\.|\\s\\.\\.\\.\\s/, found = [];
    const name = (node) => `${node.tagName.toLowerCase()}.${[...node.classList].join(".")}`;
    for (const area of document.querySelectorAll(".jp-Notebook .jp-OutputArea-output")) {
        for (const node of area.querySelectorAll("td, th, pre"))
            for (const line of node.innerText.split("\\n"))
                if (DOTS.test(line.trim())) found.push(`truncated: ${line.trim()}`);
        for (const node of area.querySelectorAll("pre"))
            for (const text of node.childNodes)
                for (const {0: word, index} of text.data?.matchAll(/[a-z]{2,30}/gi) ?? []) {
                    const range = document.createRange();
                    range.setStart(text, index);
                    range.setEnd(text, index + word.length);
                    if (range.getClientRects().length > 1) found.push(`broken within: ${word}`);
                }
        for (const node of area.querySelectorAll(":not(svg *)")) {
            const over = node.scrollWidth - node.clientWidth, style = getComputedStyle(node);
            if (over <= 1 || node.clientWidth <= 1 || !node.checkVisibility()) continue;
            if (node.matches("select, input, .ck-box[tabindex]")) continue;  // such a table says that it is wide
            const says = [...node.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
            if (/auto|scroll/.test(style.overflowX)) found.push(`sideways by ${over} px: ${name(node)}`);
            else if (/hidden|clip/.test(style.overflowX) && says) found.push(`cut: ${name(node)} ${node.innerText}`);
        }
        if (area.matches("[data-mime-type='application/vnd.jupyter.stderr']")) found.push(`stderr: ${area.innerText}`);
        if (/<.* object at 0x/.test(area.innerText)) found.push(`no sentence: ${area.innerText}`);
        if (/model not found/i.test(area.innerText)) found.push(`lost: ${area.innerText}`);
    }
    for (const fold of document.querySelectorAll(".jp-OutputArea-output details[open]"))
        found.push(`open before anybody asked: ${fold.querySelector("summary")?.innerText}`);
    const tables = [...document.querySelectorAll(".jp-OutputArea-output table")]
        .filter((table) => table.checkVisibility() && !table.closest(".jupyter-widgets, .cogkit-widget, .cogkit-run"));
    if (tables.length > 3) found.push(`${tables.length} tables`);
    return found;
}"""
OURS = {"include": [[".jp-Notebook .jp-OutputArea-output"]]}
GRAVE = ("serious", "critical")


def cut(lab) -> list[str]:
    """Return what is cut off, must be pushed sideways, or is no output that a reader should see."""
    wide = lab.sideways()
    return lab.page.evaluate(CUT) + [f"the notebook is {wide} px wider than its window"] * (wide > 0)


def barriers(lab) -> list[str]:
    """Return what keeps somebody from reading our outputs and using our widgets, as axe-core sees it."""
    if not lab.page.locator(".jp-Notebook .jp-OutputArea-output").count():
        return []
    found = Axe().run(lab.page, OURS, {"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{each['id']} ({each['impact']}, {len(each['nodes'])}): {each['nodes'][0]['html'][:160]}"
        for each in found
        if each["impact"] in GRAVE
    ]


# Figures that the notebook's outputs hold, and those that the page has drawn.
PROMISED = """() => {
    const {cells} = window.jupyterapp.shell.currentWidget.content.model.sharedModel;
    const outputs = cells.flatMap((cell) => cell.toJSON().outputs ?? []);
    return outputs.filter((output) => output.data?.["application/vnd.plotly.v1+json"]).length;
}"""


def figures(lab) -> list[str]:
    """Return what is wrong with the drawn figures: text cut off or on text, no marks, too small, or not there."""
    areas = lab.page.locator(".jp-Notebook .jp-OutputArea-output:has(.main-svg)")
    faults, promised, drawn = [], lab.page.evaluate(PROMISED), areas.count()
    if promised > drawn:
        faults.append(f"{drawn} of {promised} figures are drawn")
    for number, area in enumerate(areas.all()):
        box = area.locator(".main-svg").first.bounding_box()
        if box["width"] < 500 or box["height"] < 120:  # a strip of boards
            faults.append(f"figure {number} is {box['width']:.0f} by {box['height']:.0f} px")
        if not area.locator(".main-svg .trace, .main-svg .hm").count():
            faults.append(f"figure {number} shows nothing")
        faults += [f"figure {number}: {fault}" for fault in area.evaluate(FAULTS)]
    return faults
