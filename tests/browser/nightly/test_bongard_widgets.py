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
BUILDER = "from cogkit.bongard.views import Builder\nbuilder = Builder()\nbuilder"
BROWSER = "from cogkit.bongard.views import Browser\nbrowser = Browser('hd', source='published')\nbrowser"
STATUS = ".ck-status"
PARTLY = ".ck-stroke [stroke-dasharray]:not([display='none'])"


@pytest.fixture
def turtle(lab):
    return lab.run_cells(TURTLE)


@pytest.fixture
def builder(lab):
    return lab.run_cells(BUILDER)


@pytest.fixture
def problems(lab, mirror):
    return lab.run_cells(BROWSER)


def drawn(page) -> int:
    """Return how many strokes are to be seen."""
    return page.locator(".ck-turtle .ck-stroke:not([display='none'])").count()


def write(field, text: str) -> None:
    field.fill(text)
    field.press("Enter")


def test_the_turtle_by_keyboard_and_the_kernel_goes_along(lab, turtle):
    page, cells = turtle, lab.cells()
    page.get_by_role("button", name="Forward").focus()
    for key, position in [
        ("ArrowRight", 1), ("ArrowDown", 2), ("ArrowLeft", 1), ("End", 5), ("ArrowRight", 5), ("Home", 0),
        ("ArrowUp", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowRight", 3),
    ]:  # fmt: skip
        page.keyboard.press(key)
        lab.wait_until("turtle.position", position)
        status = lab.evaluate("turtle.status")
        assert page.locator(STATUS).inner_text() == status == page.get_by_role("status").last.text_content()
        assert drawn(page) == position and page.locator(".ck-action[aria-current='step']").count() == 1
    end = lab.evaluate("[*map(float, (*turtle.still['strokes'][2]['way'][-1], turtle.still['strokes'][2]['to']))]")
    where = page.locator(".ck-pointer").get_attribute("transform")
    numbers = [float(n) for n in where.replace("translate(", "").replace("rotate(", "").replace(")", "").split()]
    assert numbers == pytest.approx(end, abs=0.06)
    page.locator(".ck-action").nth(4).click()
    lab.wait_until("turtle.position", 4)
    page.keyboard.press("ArrowDown")  # in the list the focus goes along
    lab.wait_until("turtle.position", 5)
    assert page.evaluate("() => document.activeElement.textContent").startswith("left 20°, arc −180° at radius 0.3")
    lab.takes_no_orders(cells)
    lab.is_readable(".ck-turtle", 11)
    lab.is_well()


def test_the_turtle_plays_stroke_by_stroke_and_stops_at_the_end(lab, turtle):
    page = turtle
    page.get_by_label("Speed", exact=True).select_option("4")
    page.evaluate(
        """(partly) => {
            window.partly = 0;
            const group = document.querySelector(".ck-turtle .ck-paper");
            const note = () => window.partly += document.querySelectorAll(partly).length;
            new MutationObserver(note).observe(group, {subtree: true, attributes: true});
        }""",
        PARTLY,
    )
    page.locator(".ck-action").first.focus()
    lab.press("Play")
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    page.get_by_role("button", name="Play", exact=True).wait_for()
    assert drawn(page) == 5
    lab.wait_until("turtle.position, turtle.playing, turtle.speed", (5, False, 4.0))
    assert page.evaluate("() => window.partly") == 0  # less motion is asked for: strokes appear whole
    page.emulate_media(reduced_motion="no-preference")
    lab.evaluate("turtle.play()")  # from the end it begins again
    page.wait_for_function("() => window.partly > 0")
    lab.press("Pause")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    assert page.locator(PARTLY).count() == 0
    lab.wait_until("turtle.position, turtle.playing", (drawn(page), False))
    assert page.get_by_role("status").last.text_content() == page.locator(STATUS).inner_text()
    page.emulate_media(reduced_motion="reduce")
    lab.is_well()


def test_a_shape_is_built_by_keyboard(lab, builder):
    page, cells = builder, lab.cells()
    assert lab.evaluate("len(builder.program)") == 4 and page.locator(".ck-builder .ck-stroke").count() == 4
    page.locator(".ck-action[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    lab.says(STATUS, "Stroke 2: left 90°")
    assert lab.evaluate("builder.chosen") == 2
    page.keyboard.press("a")
    lab.says(STATUS, "Stroke 3 added.")
    assert page.locator(".ck-stroke").count() == 5 and lab.evaluate("len(builder.program)") == 5
    page.get_by_label("Stroke", exact=True).select_option("arc")
    lab.says(STATUS, "Stroke 3: kind arc.")
    page.get_by_role("slider", name="Sweep, backwards −, °").focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    lab.wait_until("builder.program[2].sweep", 120.0)
    page.get_by_label("Type", exact=True).select_option("circle")
    lab.says(STATUS, "type circle")
    radius = page.get_by_role("spinbutton", name="Radius")
    write(radius, "0.25")
    lab.says(STATUS, "size 0.25")
    assert lab.evaluate("builder.program[2]") == "Arc(radius=0.25, sweep=120, turn=90.0, type='circle')"
    write(radius, "7")
    lab.says(STATUS, "Not done: wanted over 0 to 1, in units of the scale, got a radius of 7 in action 3.")
    assert lab.evaluate("builder.program[2].radius") == 0.25
    page.locator(".ck-action[tabindex='0']").focus()
    for key, words in (("<", "Stroke 3 is now stroke 2."), ("Delete", "Stroke 2 removed."), ("Home", "Stroke 1:")):
        page.keyboard.press(key)
        lab.says(STATUS, words)
    lab.wait_until("builder.strings == Builder().strings")
    lab.takes_no_orders(cells)
    lab.is_well()


def test_attributes_follow_the_shape_and_strings_are_drawn_or_refused(lab, builder):
    page = builder

    def facts() -> dict[str, str]:
        rows = page.locator(".ck-facts li").all_text_contents()
        return dict(row.lstrip("✓✗–").removesuffix(", changed").split(": ") for row in rows)

    square = facts()
    assert square["convex"] == square["closed shape"] == square["has four straight lines"] == "yes"
    assert square["has curve"] == "no" and len(square) == 26
    page.locator(".ck-action").nth(2).click()
    lab.says(STATUS, "Stroke 3:")
    write(page.get_by_role("spinbutton", name="Turn before it"), "20")
    page.wait_for_function("() => document.querySelectorAll('.ck-facts .is-new').length > 0")
    measured = lab.evaluate("{n.replace('_', ' '): v for n, v in builder.attributes.items()}")
    assert facts() == {name: {1: "yes", 0: "no", -1: "not applicable"}[value] for name, value in measured.items()}
    assert facts()["closed shape"] == "no"
    text = page.get_by_role("textbox", name="Program, an action a line")
    assert text.input_value().splitlines() == lab.evaluate("builder.strings")
    text.fill("line_normal_1.000-0.500\nline_normal_1.000-0.833\nline_zigzg_1.000-0.833")
    lab.press("Draw these strings")
    page.wait_for_function("() => document.querySelector('.ck-fault').textContent.length > 0")
    fault = page.get_by_role("alert").inner_text()
    assert "'zigzg_1.000-0.833' at character 6 of" in fault and "(action 3)" in fault and fault.endswith(".")
    assert text.input_value().endswith("line_zigzg_1.000-0.833")  # what was written stays, to be mended
    text.fill(text.input_value().replace("zigzg", "zigzag"))
    lab.press("Draw these strings")
    lab.says(STATUS, "Drawn from the strings.")
    assert page.get_by_role("alert").inner_text() == "" and lab.evaluate("builder.program[2].type") == "zigzag"
    assert facts()["has three straight lines"] == facts()["closed shape"] == "yes"
    lab.evaluate("builder.set(1, size=0.5)")
    page.wait_for_function("() => document.querySelector('.ck-strings').value.startsWith('line_normal_0.500')")
    page.get_by_label("Start from", exact=True).select_option(index=3)
    lab.says(STATUS, "Begun with ")
    lab.is_readable(".ck-builder", 11)
    lab.is_well()


def test_a_slider_dragged_while_the_kernel_works_is_heard_once_with_its_last_value(lab, builder):
    lab.evaluate("builder.observe(lambda change: globals().setdefault('seen', []).append(change.new), 'answered')")
    lab.evaluate("builder.choose(2)")
    lab.says(STATUS, "Stroke 2:")
    builder.get_by_role("slider", name="Turn before it").evaluate("""(node) => {
        for (let turn = 91; turn <= 150; turn += 1) {
            node.value = turn;
            node.dispatchEvent(new Event("input", {bubbles: true}));
        }
    }""")
    lab.wait_until("builder.program[1].turn", 150)
    lab.says(STATUS, "turn 150")
    assert lab.evaluate("len(seen)") == 2  # the first value, and the last: none of the 58 between
    lab.is_well()


def alts(page) -> list[str]:
    return page.locator(".ck-picture img").evaluate_all("images => images.map((image) => image.alt)")


def test_problems_are_looked_at_by_keyboard(lab, problems):
    page, cells = problems, lab.cells()
    focused = "() => document.activeElement.firstChild.alt"
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
        assert page.evaluate(focused) == label, key
    page.keyboard.press("Enter")
    lab.says(STATUS, "Positive 4 of 7 is opened below.")
    strings = lab.evaluate(
        "[text for part in browser.to_frame().query('side == \"positive\" and picture == 4').program for text in part]"
    )
    assert page.locator(".ck-known code").all_inner_texts() == strings
    assert page.locator(".ck-picture[aria-pressed='true']").count() == 1
    assert page.evaluate(focused) == "Positive 4 of 7"
    page.keyboard.press("n")
    lab.says(STATUS, "Problem 2 of 4,400.")
    assert page.locator(".ck-known").count() == 0 and lab.evaluate("browser.scene['place']") == 2
    page.keyboard.press("p")
    lab.says(STATUS, "Problem 1 of 4,400.")
    page.keyboard.press("p")  # there is none before it
    page.keyboard.press("a")
    page.wait_for_function("() => !document.querySelector('.ck-status').textContent.includes('Problem 1 of')")
    write(page.get_by_role("spinbutton", name="Problem"), "4001")
    lab.says(STATUS, "Problem 4001 of 4,400.")
    page.locator(".ck-picture[tabindex='0']").focus()
    lab.takes_no_orders(cells)
    lab.is_well()


def test_the_concept_is_told_on_demand_to_the_eye_and_the_ear(lab, problems):
    page = problems
    page.get_by_label("Concept", exact=True).select_option("necked")
    lab.says(STATUS, "Problem 1 of ")
    page.get_by_label("Rules", exact=True).select_option("as_published")
    lab.says(STATUS, "Problem 1 of ")
    lab.wait_until("browser.profile, browser.concept", ("as_published", "necked"))
    sides = page.get_by_role("group", name="Positive: all have the concept")
    assert sides.get_by_role("button").count() == 7
    assert alts(page) == [f"{side} {k} of 7" for side in ("Positive", "Negative") for k in range(1, 8)]
    hidden = page.locator(".ck-browser").inner_html().replace(page.get_by_label("Concept", exact=True).inner_html(), "")
    assert "necked" not in hidden and "hd_necked" not in hidden
    page.get_by_role("button", name="Show the concept").press("Enter")
    lab.says(STATUS, "The concept: necked.")
    assert page.locator(".ck-concept").inner_text().split() == ["necked", "hd_necked_0000"]
    assert [alt.split(": ")[1].split(",")[0] for alt in alts(page)] == ["necked"] * 7 + ["not necked"] * 7
    picture = page.locator(".ck-picture").nth(9)
    picture.scroll_into_view_if_needed()
    place = picture.bounding_box()
    picture.click()
    lab.says(STATUS, "Negative 3 of 7 is opened below.")
    assert picture.bounding_box() == place  # the page moves for nobody but its reader
    assert page.locator(".ck-detail").bounding_box()["y"] > place["y"] + place["height"]
    page.keyboard.press("c")
    lab.says(STATUS, "The concept is hidden.")
    assert alts(page)[0] == "Positive 1 of 7"
    lab.is_well()


def test_every_type_in_light_and_dark(lab, problems):
    for kind, number in (("bd", 2500), ("ff", 9)):
        problems.get_by_label("Type", exact=True).select_option(kind)
        lab.says(STATUS, "Problem 1 of ")
        lab.evaluate(f"[browser.go({number}), browser.look_at(0, 2), browser.reveal()]")
        lab.says(STATUS, "The concept: ")
        lab.is_readable(".ck-browser", 11)
    lab.evaluate("browser.browse(kind='bd')")
    problems.wait_for_function("() => document.querySelectorAll('.ck-browser optgroup').length > 10")
    lab.is_well()
