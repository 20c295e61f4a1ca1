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
config = agents.config("gpt", "quick", design=design, width=32, layers=1, steps=60)
probe = records.probe(design, 8, seeding.stream(0, "look"))
"""
EXPLORER = "explorer = Explorer(to_agent(run(train(config, seed=0))), probe)\nexplorer"
FLOOR = "plain = Explorer(floors.Associative(design), probe)\nplain"
PANEL = """
endless = agents.config("gpt", "quick", design=design, width=32, layers=1, steps=100_000)
panel = TrainPanel(train(endless, seed=0, evaluate_every=20), design)
panel
"""
STATUS, SAID = ".ck-status", ".ck-said"


def focused(page) -> int:
    return page.evaluate("() => Number(document.activeElement.dataset.pair)")


def test_keyboard_alone_chooses_a_pair_and_turns_its_trials(lab):
    page, cells = lab.run_cells(SETUP, EXPLORER), lab.cells()
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
    lab.says(STATUS, "Sample C, comparison A: equivalence, 1 between")
    assert lab.evaluate("explorer.pair") == 14 and focused(page) == 14
    cell = page.locator(".ck-cell[aria-selected='true']")
    assert cell.all_inner_texts() == [f"{lab.evaluate('float(explorer.matrix[2, 0])'):.3f}"]
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
    lab.says(STATUS, "Sample C, comparison A: trials 7 to 12 of 32.")
    assert lab.evaluate("explorer.page") == 1 and focused(page) == 14
    lab.takes_no_orders(cells, "bxddazmyrcv00")
    assert lab.evaluate("explorer.page") == 1
    page.keyboard.press("p")
    lab.says(STATUS, "trials 1 to 6 of 32.")
    lab.is_well()


def test_the_rule_is_chosen_and_python_leads(lab):
    page = lab.run_cells(SETUP, EXPLORER, FLOOR)
    first, plain = page.locator(".ck-explorer").first, page.locator(".ck-explorer").last
    first.get_by_label("Answer rule", exact=True).select_option("expected")
    lab.says(STATUS, "Rule: expected.")
    texts = first.locator(".ck-cell").all_inner_texts()
    shares = lab.evaluate("explorer.matrix.ravel().tolist()")
    assert [float(text) for text in texts] == pytest.approx(shares, abs=6e-4)
    lab.says(STATUS, lab.evaluate("explorer.choose('A', 'B')"))
    label = first.locator(".ck-cell[aria-selected='true']").get_attribute("aria-label")
    assert label.startswith("sample A, comparison B: baseline, ")
    assert "none of them" not in plain.locator("thead").inner_text()  # a learner that cannot answer so
    lab.is_readable(".ck-explorer", 41)
    lab.is_well()


def test_the_heatmap_fills_in_while_it_trains_and_stop_is_heard(lab):
    page = lab.run_cells(SETUP, PANEL)
    heat = page.locator(".ck-heating .ck-heat")
    assert heat.locator(".ck-cell.is-empty").count() == 49
    assert heat.get_attribute("aria-label").endswith("not taken yet.")
    lab.press("Start")
    page.wait_for_selector(".ck-heat:not(:has(.is-empty))", state="attached")
    before = heat.locator(".ck-cell").all_inner_texts()
    page.wait_for_function(
        """(before) => document.querySelector(".ck-series-0")?.getAttribute("d").split("L").length > 3
        && [...document.querySelectorAll(".ck-heat .ck-cell")].some((cell, i) => cell.textContent !== before[i])""",
        arg=before,
    )
    assert lab.evaluate("panel.running") is True
    lab.press("Stop")
    lab.says(SAID, "the model is kept")
    stopped, steps = lab.evaluate("(panel.result.stopped, panel.result.steps)")
    assert stopped and 40 <= steps < 100_000
    shares = lab.evaluate("panel.result.state.arrays['heat'].ravel().tolist()")
    numbers = [float(text) for text in heat.locator(".ck-cell").all_inner_texts()]
    assert numbers == pytest.approx(shares, abs=0.0051)
    lab.is_readable(".cogkit-run", 11)
    lab.is_well()
