"""The explorer and the training panel of equivalence as a reader meets them: JupyterLab, Chromium, keyboard alone."""

from __future__ import annotations

import pytest

SETUP = """
import torch
from cogkit.core import seeding
from cogkit.equivalence.learners import agents, floors, models
from cogkit.equivalence.problems import records
from cogkit.equivalence.learners.training import to_agent, train
from cogkit.equivalence.views import Explorer, TrainPanel
from cogkit.learning import run

torch.set_num_threads(1)
design = records.Design()
config = agents.config("gpt", "quick", design=design, width=32, layers=1, iterations=60)
probe = records.probe(design, 8, seeding.stream(0, "look"))
"""
EXPLORER = """
learner = to_agent(run(train(config, seed=0)))
explorer = Explorer(learner, probe)
explorer
"""
FLOOR = "plain = Explorer(floors.Associative(design), probe)\nplain"
PANEL = """
endless = agents.config("gpt", "quick", design=design, width=32, layers=1, iterations=100_000)
panel = TrainPanel(train(endless, seed=0, evaluate_every=20), design)
panel
"""


@pytest.fixture
def notebook(lab, tmp_path):
    """A function that runs these cells in a new notebook and returns the page."""

    def open_and_run(*cells: str):
        lab.open_cells(tmp_path / "equivalence.ipynb", SETUP, *cells)
        assert lab.run_all(), lab.errors()
        return lab.page

    return open_and_run


def to_top(page, selector: str) -> None:
    page.locator(selector).first.evaluate("node => node.scrollIntoView()")


def said(page, text: str) -> None:
    page.wait_for_function("(text) => document.querySelector('.ck-status')?.textContent.includes(text)", arg=text)


def focused(page) -> int:
    return page.evaluate("() => Number(document.activeElement.dataset.pair)")


def test_keyboard_alone_chooses_a_pair_and_turns_its_trials(lab, notebook, screenshot):
    page = notebook(EXPLORER)
    cells = lab.cells()
    grid = page.get_by_role("grid")
    assert grid.get_by_role("gridcell").count() == 49 and grid.locator("[tabindex='0']").count() == 1
    page.locator(".ck-cell[tabindex='0']").focus()
    assert focused(page) == lab.evaluate("explorer.pair")
    page.keyboard.press("Control+Home")
    for key, pair in [
        ("ArrowRight", 1), ("ArrowDown", 8), ("End", 13), ("PageDown", 48), ("ArrowRight", 48), ("Home", 42),
        ("PageUp", 0), ("ArrowUp", 0), ("ArrowDown", 7), ("ArrowRight", 8), ("ArrowRight", 9), ("ArrowDown", 16),
        ("ArrowLeft", 15), ("ArrowLeft", 14),
    ]:  # fmt: skip
        page.keyboard.press(key)
        assert focused(page) == pair, key
    page.keyboard.press("Enter")
    said(page, "Sample C, comparison A: equivalence, 1 between")
    assert lab.evaluate("explorer.pair") == 14 and focused(page) == 14
    share = lab.evaluate("float(explorer.matrix[2, 0])")
    cell = page.locator(".ck-cell[aria-selected='true']")
    assert cell.count() == 1 and cell.inner_text() == f"{share:.3f}"
    assert page.locator(".ck-arrow.is-chosen.is-equivalence").count() == 1
    frame = lab.evaluate("explorer.to_frame().to_dict('list')")
    rows = page.locator(".ck-trials tbody tr")
    assert rows.count() == 6
    for k in range(6):
        texts = rows.nth(k).locator("th, td").all_inner_texts()
        right = int(frame["response"][k][-1])
        assert texts[0] == frame["sample"][k]
        for place in (1, 2, 3):
            name, chance = texts[place].split("\n")
            assert name == frame[f"comparison_{place}"][k] + (" ✓" if place == right else "")
            assert float(chance) == pytest.approx(frame[f"chance_{place}"][k], abs=6e-4)
        assert float(texts[4]) == pytest.approx(frame["chance_none"][k], abs=6e-4)
        for text, rule in zip(texts[5:], ("argmax", "forced choice", "as published"), strict=True):
            place = frame[rule][k]
            expected = f"{frame[f'comparison_{place}'][k]} {'✓' if place == right else '✗'}" if place else "none ✗"
            assert text == expected, rule
    page.keyboard.press("n")
    said(page, "Sample C, comparison A: trials 7 to 12 of 32.")
    assert lab.evaluate("explorer.page") == 1 and focused(page) == 14
    for key in "bxddazmyrcv00":
        page.keyboard.press(key)
    assert lab.cells() == cells and lab.evaluate("explorer.page") == 1
    page.keyboard.press("p")
    said(page, "trials 1 to 6 of 32.")
    to_top(page, ".ck-explorer")
    screenshot("explorer")
    assert lab.sideways() <= 0 and not lab.problems


def test_the_rule_is_chosen_and_python_leads(lab, notebook, screenshot):
    page = notebook(EXPLORER, FLOOR)
    first = page.locator(".ck-explorer").first
    first.get_by_label("Answer rule", exact=True).select_option("expected")
    said(page, "Rule: expected.")
    texts = first.locator(".ck-cell").all_inner_texts()
    shares = lab.evaluate("explorer.matrix.ravel().tolist()")
    assert [float(text) for text in texts] == pytest.approx(shares, abs=6e-4)
    expected = lab.evaluate("explorer.choose('A', 'B')")
    said(page, expected)
    assert (
        first.locator(".ck-cell[aria-selected='true']")
        .get_attribute("aria-label")
        .startswith("sample A, comparison B: baseline, ")
    )
    plain = page.locator(".ck-explorer").last  # a learner that cannot answer with none of the options
    assert "none of them" not in plain.locator("thead").inner_text()
    lab.use_theme("JupyterLab Dark")
    page.mouse.move(5, 5)
    to_top(page, ".ck-explorer")
    screenshot("explorer_dark")
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.use_theme(theme)
        ratios = lab.contrast(".ck-explorer")
        assert len(ratios) > 40 and min(ratios.values()) >= 4.5, (theme, {t: c for t, c in ratios.items() if c < 4.5})
    assert not lab.problems


def press(page, name: str) -> None:
    """Press a button of the panel by keyboard alone."""
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def told(page, text: str) -> None:
    page.wait_for_function("(text) => document.querySelector('.ck-said')?.textContent.includes(text)", arg=text)


def test_the_heatmap_fills_in_while_it_trains_and_stop_is_heard(lab, notebook, screenshot):
    page = notebook(PANEL)
    heat = page.locator(".ck-heating .ck-heat")
    assert heat.locator(".ck-cell.is-empty").count() == 49
    assert heat.get_attribute("aria-label").endswith("not taken yet.")
    press(page, "Start")
    page.wait_for_selector(".ck-heat:not(:has(.is-empty))", state="attached")
    before = heat.locator(".ck-cell").all_inner_texts()
    page.wait_for_function(
        """(before) => document.querySelector(".ck-series-0")?.getAttribute("d").split("L").length > 3
        && [...document.querySelectorAll(".ck-heat .ck-cell")].some((cell, i) => cell.textContent !== before[i])""",
        arg=before,
    )
    to_top(page, ".cogkit-run")
    screenshot("equivalence_running")
    assert lab.evaluate("panel.running") is True
    press(page, "Stop")
    told(page, "the model is kept")
    stopped, steps = lab.evaluate("(panel.result.stopped, panel.result.steps)")
    assert stopped and 40 <= steps < 100_000
    shares = lab.evaluate("panel.result.state.arrays['heat'].ravel().tolist()")
    numbers = [float(text) for text in heat.locator(".ck-cell").all_inner_texts()]
    assert numbers == pytest.approx(shares, abs=0.0051)
    lab.use_theme("JupyterLab Dark")
    to_top(page, ".cogkit-run")
    screenshot("equivalence_stopped_dark")
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.use_theme(theme)
        ratios = lab.contrast(".cogkit-run")
        assert len(ratios) > 10 and min(ratios.values()) >= 4.5, (theme, {t: c for t, c in ratios.items() if c < 4.5})
    press(page, "Go on")
    page.wait_for_function("(step) => document.querySelector('.cogkit-run progress').value > step", arg=steps)
    press(page, "Stop")
    told(page, "the model is kept")
    assert lab.evaluate("panel.result.steps") > steps
    assert lab.sideways() <= 0 and not lab.problems
