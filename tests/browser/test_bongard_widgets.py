"""Turtle, builder and explorer of Bongard-LOGO as a reader meets them: JupyterLab, Chromium, keyboard alone."""

from __future__ import annotations

import pytest

TURTLE = """
from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.views import Turtle

turtle = Turtle((
    Line(1.0), Arc(0.5, 90, 30, "triangle"), Line(0.5, 90, "zigzag"), Line(1, -120, "circle"),
    Arc(0.3, -180, 20, "square"),
))
turtle
"""
LONG = """
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.views import Turtle

bow = tuple(Arc(0.5, 60, 20, "triangle") for _ in range(9))
long = Turtle((Placed(bow, Placement(-150, 0)), Placed(bow, Placement(150, 0))), "Two shapes")
long
"""
BUILDER = """
from cogkit.bongard.logo.programs import Line
from cogkit.bongard.views import Builder

builder = Builder()
builder
"""
BROWSER = """
from cogkit.bongard.views import Browser, Turtle

browser = Browser("hd", source="published")
browser
"""


@pytest.fixture
def notebook(lab, tmp_path, mirror):
    """A function that runs these cells in a new notebook and returns the page."""

    def open_and_run(*cells: str):
        lab.open_cells(tmp_path / "bongard.ipynb", *cells)
        assert lab.run_all(), lab.errors()
        return lab.page

    return open_and_run


def to_top(page, selector: str) -> None:
    page.locator(selector).first.evaluate("node => node.scrollIntoView()")


def reaches(lab, expression: str, wanted) -> bool:
    """Whether the kernel comes to this value: what the browser sends while the kernel is busy is heard afterwards."""
    return any(lab.evaluate(expression) == wanted for _ in range(100))


def says(page, text: str) -> None:
    page.wait_for_function("(text) => document.querySelector('.ck-status')?.textContent.includes(text)", arg=text)


def well_read(lab, selector: str) -> None:
    """Every word can be read in both themes."""
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.use_theme(theme)
        ratios = lab.contrast(selector)
        assert len(ratios) > 10 and min(ratios.values()) >= 4.5, (theme, {t: c for t, c in ratios.items() if c < 4.5})


def all_is_well(lab) -> None:
    assert lab.errors() == [] and lab.problems == [] and lab.sideways() <= 0


def drawn(page) -> int:
    """How many strokes are to be seen."""
    return page.locator(".ck-turtle .ck-stroke:not([display='none'])").count()


def test_the_turtle_by_keyboard_and_the_kernel_goes_along(lab, notebook, screenshot):
    page = notebook(TURTLE)
    cells = lab.cells()
    page.get_by_role("button", name="Forward").focus()
    for key, position in [
        ("ArrowRight", 1), ("ArrowDown", 2), ("ArrowLeft", 1), ("End", 5), ("ArrowRight", 5), ("Home", 0),
        ("ArrowUp", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowRight", 3),
    ]:  # fmt: skip
        page.keyboard.press(key)
        assert reaches(lab, "turtle.position", position), key
        status = lab.evaluate("turtle.status")
        assert page.locator(".ck-status").inner_text() == status == page.get_by_role("status").last.text_content()
        assert drawn(page) == position and page.locator(".ck-action[aria-current='step']").count() == 1
    x, y, heading = lab.evaluate("[round(float(v), 1) for v in turtle.to_frame()[['x', 'y', 'heading']].iloc[2]]")
    where = page.locator(".ck-pointer").get_attribute("transform")
    numbers = [float(n) for n in where.replace("translate(", "").replace("rotate(", "").replace(")", "").split()]
    assert numbers == pytest.approx([x, -y, -heading], abs=0.06)
    page.locator(".ck-action").nth(4).click()
    assert reaches(lab, "turtle.position", 4)
    page.keyboard.press("ArrowDown")  # in the list the focus goes along
    assert reaches(lab, "turtle.position", 5)
    assert page.evaluate("() => document.activeElement.textContent").startswith("left 20°, arc −180° at radius 0.3")
    for key in "bxddazmyrcv00":
        page.keyboard.press(key)
    assert lab.cells() == cells
    to_top(page, ".ck-turtle")
    screenshot("bongard_turtle")
    lab.use_theme("JupyterLab Dark")
    screenshot("bongard_turtle_dark")
    well_read(lab, ".ck-turtle")
    all_is_well(lab)


def test_the_turtle_plays_stroke_by_stroke_and_stops_at_the_end(lab, notebook):
    page = notebook(TURTLE)
    page.get_by_label("Speed", exact=True).select_option("4")
    page.locator(".ck-action").first.focus()
    page.evaluate("""() => {
        window.partly = 0;
        const group = document.querySelector(".ck-turtle .ck-paper");
        const parts = ".ck-stroke [stroke-dasharray]:not([display='none'])";
        const note = () => window.partly += document.querySelectorAll(parts).length;
        new MutationObserver(note).observe(group, {subtree: true, attributes: true});
    }""")
    page.get_by_role("button", name="Play", exact=True).press("Enter")
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    page.get_by_role("button", name="Play", exact=True).wait_for()
    assert drawn(page) == 5 and reaches(lab, "turtle.position, turtle.playing, turtle.speed", (5, False, 4.0))
    assert page.evaluate("() => window.partly") == 0  # less motion is asked for: strokes appear whole
    page.emulate_media(reduced_motion="no-preference")
    lab.evaluate("turtle.play()")  # from the end it begins again
    page.wait_for_function("() => window.partly > 0")
    page.get_by_role("button", name="Pause", exact=True).press("Enter")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    position = drawn(page)
    assert page.locator(".ck-stroke [stroke-dasharray]:not([display='none'])").count() == 0
    assert reaches(lab, "turtle.position, turtle.playing", (position, False))
    assert page.get_by_role("status").last.text_content() == page.locator(".ck-status").inner_text()
    all_is_well(lab)


def test_a_long_list_of_actions_follows_the_pen(lab, notebook, screenshot):
    page = notebook(LONG)
    script = """() => {
        const box = (selector) => document.querySelector(selector).getBoundingClientRect();
        const [list, row] = [box(".ck-actions"), box(".ck-action.is-now")];
        return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
    }"""
    page.get_by_role("button", name="Last").press("Enter")
    page.wait_for_function("() => document.querySelector('.ck-head').textContent.includes('Stroke 18 of 18')")
    assert page.evaluate(script) and page.locator(".ck-actions").evaluate("node => node.scrollTop > 0")
    screenshot("bongard_turtle_long")
    page.get_by_role("button", name="First").press("Enter")
    page.wait_for_function("() => document.querySelector('.ck-head').textContent.includes('Stroke 0 of 18')")
    assert page.evaluate(script)
    all_is_well(lab)


def test_a_shape_is_built_by_keyboard(lab, notebook, screenshot):
    page = notebook(BUILDER)
    cells = lab.cells()
    assert lab.evaluate("len(builder.program)") == 4 and page.locator(".ck-builder .ck-stroke").count() == 4
    page.locator(".ck-action[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    says(page, "Stroke 2: left 90°")
    assert lab.evaluate("builder.chosen") == 2
    page.keyboard.press("a")
    says(page, "Stroke 3 added.")
    assert page.locator(".ck-stroke").count() == 5 and lab.evaluate("len(builder.program)") == 5
    page.get_by_label("Stroke", exact=True).select_option("arc")
    says(page, "Stroke 3: kind arc.")
    slider = page.get_by_role("slider", name="Sweep, backwards −, °")
    slider.focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    assert reaches(lab, "builder.program[2].sweep", 120.0)
    page.get_by_label("Type", exact=True).select_option("circle")
    says(page, "type circle")
    radius = page.get_by_role("spinbutton", name="Radius")
    radius.fill("0.25")
    radius.press("Enter")
    says(page, "size 0.25")
    assert lab.evaluate("builder.program[2]") == "Arc(radius=0.25, sweep=120, turn=90.0, type='circle')"
    radius.fill("7")
    radius.press("Enter")
    says(page, "Not done: wanted over 0 to 1, in units of the scale, got a radius of 7 in action 3.")
    assert lab.evaluate("builder.program[2].radius") == 0.25
    page.locator(".ck-action[tabindex='0']").focus()
    page.keyboard.press("<")
    says(page, "Stroke 3 is now stroke 2.")
    page.keyboard.press("Delete")
    says(page, "Stroke 2 removed.")
    assert reaches(lab, "builder.strings", lab.evaluate("Builder().strings"))
    page.keyboard.press("Home")
    says(page, "Stroke 1:")
    for key in "bxddzmyrcv00":
        page.keyboard.press(key)
    assert lab.cells() == cells
    to_top(page, ".ck-builder")
    screenshot("bongard_builder")
    all_is_well(lab)


def test_attributes_follow_the_shape_and_strings_are_drawn_or_refused(lab, notebook, screenshot):
    page = notebook(BUILDER)

    def facts() -> dict[str, str]:
        rows = page.locator(".ck-facts li").all_text_contents()
        return dict(row.lstrip("✓✗–").removesuffix(", changed").split(": ") for row in rows)

    square = facts()
    assert square["convex"] == square["closed shape"] == square["has four straight lines"] == "yes"
    assert square["has curve"] == "no" and len(square) == 26
    turn = page.get_by_role("spinbutton", name="Turn before it")
    page.locator(".ck-action").nth(2).click()
    says(page, "Stroke 3:")
    turn.fill("20")
    turn.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.ck-facts .is-new').length > 0")
    measured = lab.evaluate("{n.replace('_', ' '): v for n, v in builder.attributes.items()}")
    assert facts() == {name: {1: "yes", 0: "no", -1: "not applicable"}[value] for name, value in measured.items()}
    assert facts()["closed shape"] == "no"
    text = page.get_by_role("textbox", name="Program, an action a line")
    assert text.input_value().splitlines() == lab.evaluate("builder.strings")
    text.fill("line_normal_1.000-0.500\nline_normal_1.000-0.833\nline_zigzg_1.000-0.833")
    page.get_by_role("button", name="Draw these strings").press("Enter")
    page.wait_for_function("() => document.querySelector('.ck-fault').textContent.length > 0")
    fault = page.get_by_role("alert").inner_text()
    assert "'zigzg_1.000-0.833' at character 6 of" in fault and "(action 3)" in fault and fault.endswith(".")
    assert text.input_value().endswith("line_zigzg_1.000-0.833")  # what was written stays, to be mended
    screenshot("bongard_builder_fault", page.locator(".ck-builder"))
    text.fill(text.input_value().replace("zigzg", "zigzag"))
    page.get_by_role("button", name="Draw these strings").press("Enter")
    says(page, "Drawn from the strings.")
    assert page.get_by_role("alert").inner_text() == "" and lab.evaluate("builder.program[2].type") == "zigzag"
    assert facts()["has three straight lines"] == facts()["closed shape"] == "yes"
    lab.evaluate("builder.set(1, size=0.5)")
    page.wait_for_function("() => document.querySelector('.ck-strings').value.startsWith('line_normal_0.500')")
    page.get_by_label("Start from", exact=True).select_option(index=3)
    says(page, "Begun with ")
    lab.use_theme("JupyterLab Dark")
    to_top(page, ".ck-builder")
    screenshot("bongard_builder_dark")
    well_read(lab, ".ck-builder")
    all_is_well(lab)


def test_a_slider_dragged_while_the_kernel_works_is_heard_once_with_its_last_value(lab, notebook):
    page = notebook(BUILDER)
    lab.evaluate("builder.observe(lambda change: globals().setdefault('seen', []).append(change.new), 'answered')")
    lab.evaluate("builder.choose(2)")
    says(page, "Stroke 2:")
    slider = page.get_by_role("slider", name="Turn before it")
    slider.evaluate("""(node) => {
        for (let turn = 91; turn <= 150; turn += 1) {
            node.value = turn;
            node.dispatchEvent(new Event("input", {bubbles: true}));
        }
    }""")
    assert reaches(lab, "builder.program[1].turn", 150)
    page.wait_for_function("() => document.querySelector('.ck-status').textContent.includes('turn 150')")
    assert lab.evaluate("len(seen)") == 2  # the first value, and the last: none of the 58 between
    all_is_well(lab)


def alts(page) -> list[str]:
    return page.locator(".ck-picture img").evaluate_all("images => images.map((image) => image.alt)")


def focused(page) -> str:
    return page.evaluate("() => document.activeElement.firstChild.alt")


def test_problems_are_looked_at_by_keyboard(lab, notebook, screenshot):
    page = notebook(BROWSER)
    cells = lab.cells()
    assert page.locator(".ck-picture").count() == 14 and page.locator(".ck-picture[tabindex='0']").count() == 1
    page.wait_for_function(
        "() => [...document.querySelectorAll('.ck-picture img')].every((image) => image.naturalWidth > 99)"
    )
    page.locator(".ck-picture[tabindex='0']").focus()
    for key, label in [
        ("ArrowRight", "Positive 2 of 7"), ("ArrowRight", "Positive 3 of 7"), ("ArrowRight", "Negative 1 of 7"),
        ("ArrowDown", "Negative 4 of 7"), ("ArrowDown", "Negative 7 of 7"), ("ArrowDown", "Negative 7 of 7"),
        ("ArrowLeft", "Positive 7 of 7"), ("ArrowUp", "Positive 4 of 7"), ("ArrowLeft", "Positive 4 of 7"),
        ("End", "Negative 7 of 7"), ("Home", "Positive 1 of 7"), ("ArrowUp", "Positive 1 of 7"),
        ("ArrowDown", "Positive 4 of 7"),
    ]:  # fmt: skip
        page.keyboard.press(key)
        assert focused(page) == label, key
    page.keyboard.press("Enter")
    says(page, "Positive 4 of 7 is opened below.")
    strings = lab.evaluate(
        "[text for part in browser.to_frame().query('side == \"positive\" and picture == 4').program for text in part]"
    )
    assert page.locator(".ck-known code").all_inner_texts() == strings
    assert page.locator(".ck-picture[aria-pressed='true']").count() == 1
    assert focused(page) == "Positive 4 of 7"
    page.keyboard.press("n")
    says(page, "Problem 2 of 4,400.")
    assert page.locator(".ck-known").count() == 0 and lab.evaluate("browser.scene['place']") == 2
    page.keyboard.press("p")
    says(page, "Problem 1 of 4,400.")
    page.keyboard.press("p")  # there is none before it
    page.keyboard.press("a")
    page.wait_for_function("() => !document.querySelector('.ck-status').textContent.includes('Problem 1 of')")
    number = page.get_by_role("spinbutton", name="Problem")
    number.fill("4001")
    number.press("Enter")
    says(page, "Problem 4001 of 4,400.")
    page.locator(".ck-picture[tabindex='0']").focus()
    for key in "bxddzmyrv00":
        page.keyboard.press(key)
    assert lab.cells() == cells
    to_top(page, ".ck-browser")
    screenshot("bongard_browser")
    all_is_well(lab)


def test_the_concept_is_told_on_demand_to_the_eye_and_the_ear(lab, notebook, screenshot):
    page = notebook(BROWSER)
    page.get_by_label("Concept", exact=True).select_option("necked")
    says(page, "Problem 1 of ")
    page.get_by_label("Rules", exact=True).select_option("as_published")
    page.wait_for_function("() => document.querySelector('.ck-status').textContent.includes('Problem 1 of')")
    assert reaches(lab, "browser.profile, browser.concept", ("as_published", "necked"))
    sides = page.get_by_role("group", name="Positive: all have the concept")
    assert sides.get_by_role("button").count() == 7
    assert alts(page) == [f"{side} {k} of 7" for side in ("Positive", "Negative") for k in range(1, 8)]
    hidden = page.locator(".ck-browser").inner_html().replace(page.get_by_label("Concept", exact=True).inner_html(), "")
    assert "necked" not in hidden and "hd_necked" not in hidden
    page.get_by_role("button", name="Show the concept").press("Enter")
    says(page, "The concept: necked.")
    assert page.locator(".ck-concept").inner_text().split() == ["necked", "hd_necked_0000"]
    assert [alt.split(": ")[1].split(",")[0] for alt in alts(page)] == ["necked"] * 7 + ["not necked"] * 7
    picture = page.locator(".ck-picture").nth(9)
    picture.scroll_into_view_if_needed()
    place = picture.bounding_box()
    picture.click()
    says(page, "Negative 3 of 7 is opened below.")
    assert picture.bounding_box() == place  # the page moves for nobody but its reader
    assert page.locator(".ck-detail").bounding_box()["y"] > place["y"] + place["height"]
    screenshot("bongard_browser_opened")
    page.keyboard.press("c")
    says(page, "The concept is hidden.")
    assert alts(page)[0] == "Positive 1 of 7"
    all_is_well(lab)


def test_every_type_in_light_and_dark(lab, notebook, screenshot):
    page = notebook(BROWSER)
    for kind, number in (("bd", 2500), ("ff", 9)):
        page.get_by_label("Type", exact=True).select_option(kind)
        says(page, "Problem 1 of ")
        lab.evaluate(f"[browser.go({number}), browser.look_at(0, 2), browser.reveal()]")
        says(page, "The concept: ")
        page.locator(".ck-detail").evaluate("node => node.scrollIntoView({block: 'end'})")
        screenshot(f"bongard_browser_{kind}")
        lab.use_theme("JupyterLab Dark")
        screenshot(f"bongard_browser_{kind}_dark")
        well_read(lab, ".ck-browser")
    lab.evaluate("browser.browse(kind='bd')")
    page.wait_for_function("() => document.querySelectorAll('.ck-browser optgroup').length > 10")
    all_is_well(lab)
