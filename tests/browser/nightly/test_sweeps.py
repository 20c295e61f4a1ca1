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
def page(lab):
    return lab.run_cells(SETUP, PLAYER)


def at(lab, update: int) -> None:
    """Wait until this update is drawn."""
    lab.says(".ck-head", f"Update {update} of")


def check_board(lab) -> None:
    """See that the board is drawn that the kernel has."""
    classes = lab.page.eval_on_selector_all(".ck-grid .ck-tile", "tiles => tiles.map(t => t.className)")
    assert ["is-red" in names.split() for names in classes] == lab.evaluate("(player.board.ravel() == 1).tolist()")


def test_keyboard_alone_moves_and_the_kernel_goes_along_and_python_moves_the_browser(lab, page):
    cells = lab.cells()
    slider = page.get_by_role("slider", name="Update")
    slider.focus()
    for key, update in [
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("PageUp", 50), ("ArrowUp", 51), ("PageDown", 2),
        ("End", 980), ("ArrowRight", 980), ("PageDown", 931), ("Home", 0), ("ArrowLeft", 0), ("PageUp", 49),
    ]:  # fmt: skip
        page.keyboard.press(key)
        at(lab, update)
        lab.wait_until("player.update", update)
        status = lab.evaluate("player.status")
        assert page.locator(".ck-status").inner_text() == status == slider.get_attribute("aria-valuetext")
        assert page.locator(".ck-sweeps").get_by_role("status").text_content() == status
        check_board(lab)
    tile = lab.evaluate("int(chain.tiles.ravel()[48])")
    assert page.locator(".ck-grid .is-last").get_attribute("data-tile") == str(tile)
    numbers = [text.replace("−", "-") for text in page.locator(".ck-title strong").all_inner_texts()]
    assert [int(n) for n in numbers] == lab.evaluate("[trace['values'][49] for trace in player.traces]")
    lab.takes_no_orders(cells, "bxddazmyrcv00")
    for update in (1, 48, 49, 50, 333, 979, 980):
        status = lab.evaluate(f"player.show({update})")
        at(lab, update)
        assert page.locator(".ck-status").inner_text() == status
        check_board(lab)
    lab.is_well()


def test_keys_on_the_board_step_and_a_click_on_a_trace_goes_there(lab, page):
    grid = page.get_by_role("grid", name="Board of the chain, 7 rows and 7 columns")
    assert grid.get_attribute("aria-readonly") == "true" and grid.locator("[tabindex='0']").count() == 1
    page.locator(".ck-grid .ck-tile[data-tile='0']").focus()
    for key, update in [(".", 1), (".", 2), (",", 1), (">", 50), ("<", 1), ("ArrowRight", 1), ("End", 1)]:
        page.keyboard.press(key)
        at(lab, update)
    assert page.evaluate("() => Number(document.activeElement.dataset.tile)") == 6
    lab.wait_until("player.update", 1)
    trace = page.locator(".ck-trace svg").first
    scale = trace.bounding_box()["width"] / 440
    trace.click(position={"x": (40 + 388 / 2) * scale, "y": 20})
    page.wait_for_function("() => Math.abs(Number(document.querySelector('.ck-sweeps input').value) - 490) <= 2")
    lab.is_well()


def test_play_and_pause_by_keyboard(lab, page):
    play, pause = (page.get_by_role("button", name=name, exact=True) for name in ("Play", "Pause"))
    page.get_by_label("Speed", exact=True).select_option("8")
    page.evaluate("""() => {
        window.spoken = [];
        const note = () => window.spoken.push(performance.now());
        new MutationObserver(note).observe(document.querySelector(".ck-live"), {childList: true});
    }""")
    lab.press("Play")
    pause.wait_for()
    page.wait_for_function("() => Number(document.querySelector('.ck-sweeps input').value) >= 6")
    times = page.evaluate("() => window.spoken")  # while it plays: at most once in five seconds
    assert all(later - earlier > 4999 for earlier, later in zip(times, times[1:], strict=False))
    page.keyboard.press("Enter")
    play.wait_for()
    update = int(page.locator(".ck-sweeps input").input_value())
    assert page.locator(".ck-live").text_content() == page.locator(".ck-status").inner_text()
    lab.wait_until("player.update, player.playing", (update, False))
    lab.evaluate("player.show(940)")
    at(lab, 940)
    page.get_by_label("Speed", exact=True).select_option("49")
    page.get_by_role("slider", name="Update").focus()
    page.keyboard.press("Space")
    at(lab, 980)  # the end of the sweep, and of the chain: it stops by itself
    play.wait_for()
    lab.wait_until("player.playing, player.update, player.speed", (False, 980, 49))
    lab.evaluate("player.play()")  # from the end it begins again
    pause.wait_for()
    at(lab, 49)
    lab.evaluate("player.pause()")
    play.wait_for()
    assert not lab.problems


def test_chances_by_key_hover_and_focus_in_both_themes(lab, page):
    lab.evaluate("player.show(60)")
    at(lab, 60)
    page.get_by_role("slider", name="Update").focus()
    page.keyboard.press("p")
    page.wait_for_function("() => document.querySelectorAll('.ck-grid .is-heat').length === 49")
    lab.wait_until("player.heat_on", True)
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
    lab.is_readable(".ck-sweeps", 13)
    page.get_by_role("button", name="Hide chances of red").click()
    page.wait_for_selector(".ck-grid:not(:has(.is-heat))")
    lab.wait_until("player.heat_on", False)
    lab.is_well()


def test_without_its_network_a_chain_has_no_chances(lab):
    page = lab.run_cells(SETUP, "SweepPlayer(chain)")
    assert page.get_by_role("button", name="chances").count() == 0
    assert "Without the network" in page.locator(".ck-sweeps").inner_text()
    lab.is_well()
