"""What every notebook is held to when it is opened: it runs, its figures are whole, the page complains of nothing."""

from __future__ import annotations

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


def run(lab, name: str) -> None:
    """Open one of the reader's notebooks and run all its cells."""
    lab.visit(f"reader/{name}.ipynb")
    assert lab.run_all(), lab.errors()


def look_at_figures(lab, screenshot, name: str, count: int) -> None:
    """Check that each figure is drawn, inside the page and without text on text, and keep its picture."""
    areas = lab.page.locator(".jp-OutputArea-output:has(.main-svg)")
    assert areas.count() == count
    faults = {}
    for number, area in enumerate(areas.all()):
        area.locator(".main-svg").first.wait_for()
        area.evaluate("(node) => node.scrollIntoView({block: 'start'})")
        screenshot(f"{name}_figure_{number}", area)
        box = area.locator(".main-svg").first.bounding_box()
        assert box["width"] >= 500 and box["height"] >= 200, (name, number, box)
        assert area.locator(".main-svg .trace, .main-svg .hm").count() > 0
        wide = area.evaluate("(node) => node.scrollWidth - node.clientWidth")
        problems = area.evaluate(FAULTS) + [f"{wide} px wider than the page"] * (wide > 0)
        if problems:
            faults[name, number] = problems
    assert not faults, faults


def all_is_well(lab) -> None:
    assert lab.errors() == [] and lab.problems == [] and lab.sideways() <= 0
