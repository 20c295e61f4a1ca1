"""SweepPlayer and the figures of metamers as a reader meets them: JupyterLab, Chromium, keyboard alone."""

from __future__ import annotations

import pytest

SETUP = """
from cogkit.core import seeding
from cogkit.tiles.metamers import sampling
from cogkit.tiles.views import SweepPlayer

network = sampling.load("zigzag")
chain = sampling.trace(network, seeding.stream(5, "browser"))
"""
PLAYER = "player = SweepPlayer(chain, network, rule='zigzag')\nplayer"


@pytest.fixture
def play(lab, tmp_path):
    """A function that runs these cells in a new notebook and returns the page once the player is drawn."""

    def open_and_run(*cells: str):
        lab.open_cells(tmp_path / "sweeps.ipynb", *cells)
        assert lab.run_all(), lab.errors()
        lab.page.wait_for_selector(".ck-sweeps")
        return lab.page

    return open_and_run


def to_top(page) -> None:
    page.locator(".ck-sweeps").first.evaluate("node => node.scrollIntoView()")


def at(page, update: int) -> None:
    """Wait until this update is drawn."""
    page.wait_for_function(
        "(n) => document.querySelector('.ck-head').textContent.includes(`Update ${n} of`)", arg=update
    )


def reaches(lab, expression: str, wanted) -> bool:
    """Whether the kernel comes to this value: what the browser set while the kernel was busy is sent afterwards."""
    return any(lab.evaluate(expression) == wanted for _ in range(100))


def shown(page) -> str:
    """The board as it is drawn, one sign a tile."""
    classes = page.eval_on_selector_all(".ck-grid .ck-tile", "tiles => tiles.map(t => t.className)")
    return "".join("1" if "is-red" in names.split() else "0" for names in classes)


def of_kernel(lab) -> str:
    return lab.evaluate("''.join(map(str, player.board.ravel()))")


def test_keyboard_alone_moves_and_the_kernel_goes_along(lab, play, screenshot):
    page = play(SETUP, PLAYER)
    cells = lab.cells()
    slider = page.get_by_role("slider", name="Update")
    slider.focus()
    for key, update in [
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("PageUp", 50), ("ArrowUp", 51), ("PageDown", 2),
        ("End", 980), ("ArrowRight", 980), ("PageDown", 931), ("Home", 0), ("ArrowLeft", 0), ("PageUp", 49),
    ]:  # fmt: skip
        page.keyboard.press(key)
        at(page, update)
        assert reaches(lab, "player.update", update), key
        status = lab.evaluate("player.status")
        assert page.locator(".ck-status").inner_text() == status == slider.get_attribute("aria-valuetext")
        assert page.locator(".ck-sweeps").get_by_role("status").text_content() == status
        assert shown(page) == of_kernel(lab)
    tile = lab.evaluate("int(chain.tiles.ravel()[48])")
    assert page.locator(".ck-grid .is-last").get_attribute("data-tile") == str(tile)
    numbers = [text.replace("−", "-") for text in page.locator(".ck-title strong").all_inner_texts()]
    assert [int(n) for n in numbers] == lab.evaluate("[trace['values'][49] for trace in player.traces]")
    for key in "bxddazmyrcv00":
        page.keyboard.press(key)
    assert lab.cells() == cells
    to_top(page)
    screenshot("sweeps_board")
    assert lab.sideways() <= 0 and not lab.problems


def test_python_moves_the_browser(lab, play):
    page = play(SETUP, PLAYER)
    for update in (1, 48, 49, 50, 333, 979, 980):
        status = lab.evaluate(f"player.show({update})")
        at(page, update)
        assert page.locator(".ck-status").inner_text() == status and shown(page) == of_kernel(lab)
    assert not lab.problems


def test_grid_keys_step_and_stay_on_the_board(lab, play):
    page = play(SETUP, PLAYER)
    grid = page.get_by_role("grid", name="Board of the chain, 7 rows and 7 columns")
    assert grid.get_attribute("aria-readonly") == "true" and grid.locator("[tabindex='0']").count() == 1
    page.locator(".ck-grid .ck-tile[data-tile='0']").focus()
    for key, update in [(".", 1), (".", 2), (",", 1), (">", 50), ("<", 1), ("ArrowRight", 1), ("End", 1)]:
        page.keyboard.press(key)
        at(page, update)
    assert page.evaluate("() => Number(document.activeElement.dataset.tile)") == 6
    assert reaches(lab, "player.update", 1) and not lab.problems


def test_play_and_pause_by_keyboard(lab, play):
    page = play(SETUP, PLAYER)
    page.get_by_label("Speed", exact=True).select_option("8")
    page.evaluate("""() => {
        window.spoken = [];
        const note = () => window.spoken.push(performance.now());
        new MutationObserver(note).observe(document.querySelector(".ck-live"), {childList: true});
    }""")
    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    page.wait_for_function("() => Number(document.querySelector('.ck-sweeps input').value) >= 6")
    times = page.evaluate("() => window.spoken")  # while it plays: at most once in five seconds
    assert all(later - earlier > 4999 for earlier, later in zip(times, times[1:], strict=False))
    assert len(times) < 6
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    update = int(page.locator(".ck-sweeps input").input_value())
    assert page.locator(".ck-live").text_content() == page.locator(".ck-status").inner_text()
    assert reaches(lab, "player.update, player.playing", (update, False))
    page.get_by_role("slider", name="Update").focus()
    lab.evaluate("player.show(940)")
    at(page, 940)
    page.get_by_label("Speed", exact=True).select_option("49")
    page.get_by_role("slider", name="Update").focus()
    page.keyboard.press("Space")
    at(page, 980)  # the end of the sweep, and of the chain: it stops by itself
    page.get_by_role("button", name="Play", exact=True).wait_for()
    assert reaches(lab, "player.playing, player.update, player.speed", (False, 980, 49))
    lab.evaluate("player.play()")  # from the end it begins again
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    at(page, 49)
    lab.evaluate("player.pause()")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    assert not lab.problems


def test_chances_by_key_hover_and_focus(lab, play, screenshot):
    page = play(SETUP, PLAYER)
    lab.evaluate("player.show(60)")
    at(page, 60)
    page.get_by_role("slider", name="Update").focus()
    page.keyboard.press("p")
    page.wait_for_function("() => document.querySelectorAll('.ck-grid .is-heat').length === 49")
    assert reaches(lab, "player.heat_on", True)
    exact = lab.evaluate("(100 * sampling.conditionals(network, chain.states[60:61])[0]).tolist()")
    for number in (0, 16, 31, 48):
        tile = page.locator(f".ck-grid .ck-tile[data-tile='{number}']")
        tile.hover()
        text = page.locator(".ck-legend").inner_text().rsplit(": ", 1)[1]
        assert float(text.removesuffix(" %")) == pytest.approx(exact[number], abs=0.26)  # half per cents
        assert tile.get_attribute("aria-label").endswith(text) and tile.get_attribute("title") == text
    page.mouse.move(5, 5)
    page.locator(".ck-grid .ck-tile[data-tile='16']").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".ck-legend").inner_text().rsplit("\n", 1)[-1].startswith("row 3, column 4: ")
    to_top(page)
    screenshot("sweeps_chances")
    page.get_by_role("button", name="Hide chances of red").click()
    page.wait_for_selector(".ck-grid:not(:has(.is-heat))")
    assert reaches(lab, "player.heat_on", False) and lab.sideways() <= 0 and not lab.problems


def test_a_click_on_a_trace_goes_there(lab, play):
    page = play(SETUP, PLAYER)
    trace = page.locator(".ck-trace svg").first
    box = trace.bounding_box()
    scale = box["width"] / 440
    trace.click(position={"x": (40 + 388 / 2) * scale, "y": 20})
    page.wait_for_function("() => Math.abs(Number(document.querySelector('.ck-sweeps input').value) - 490) <= 2")
    assert not lab.problems


def test_dark_theme_and_without_a_network(lab, play, screenshot):
    page = play(SETUP, PLAYER, "plain = SweepPlayer(chain)\nplain")
    lab.evaluate("player.show(60)")
    at(page, 60)
    lab.use_theme("JupyterLab Dark")
    page.mouse.move(5, 5)
    to_top(page)
    screenshot("sweeps_dark")
    page.get_by_role("button", name="Show chances of red").click()
    page.wait_for_selector(".ck-grid .is-heat")
    screenshot("sweeps_chances_dark")
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.use_theme(theme)
        ratios = lab.contrast(".ck-sweeps")
        assert len(ratios) > 12 and min(ratios.values()) >= 4.5, (theme, ratios)
    assert page.locator(".ck-sweeps").last.get_by_role("button", name="chances").count() == 0
    assert "Without the network" in page.locator(".ck-sweeps").last.inner_text()
    assert not lab.problems
