"""The notebooks of MEWL as a newcomer meets them: JupyterLab in Chromium, from an empty home."""

from __future__ import annotations

from looking import STARS, all_is_well, look_at_figures, run

from cogkit.study.trials import BEGIN, Trials

# What the keys call, from wherever the sitting stands to its end; each name right but the first.
PLAYED = """[sitting.answer(sitting.correct) if sitting.sitting.phase in ("check", "answer") else sitting.next()
    for _ in iter(lambda: sitting.over, True)]"""


def test_word_learning_is_drawn_and_its_reader_becomes_a_star(reader, server, screenshot):
    run(reader, "07_word_learning")
    page = reader.page
    for name, words in {"learn": "sitting = mewl.sit", "explorer": "explorer = figures.Explorer"}.items():
        screenshot(f"word_learning_{name}", reader.find(words).locator(".jp-OutputArea").first)
    look_at_figures(reader, screenshot, "word_learning", 4)
    assert reader.evaluate("explorer.seen, explorer.scene['answer']") == (0, None)  # what a program shows is its own
    assert Trials(server.home / "trials.sqlite").frame()["item"].tolist() == [BEGIN]  # what programs play is not kept

    # The tutorial and its check as programs do, the first item by a key, and wrong; the rest is what keys call.
    reader.evaluate("[sitting.next() for _ in iter(lambda: sitting.sitting.phase, 'check')]")
    reader.evaluate("sitting.answer(sitting.correct)")
    widget = reader.find("sitting = mewl.sit").locator(".ck-learn")
    widget.scroll_into_view_if_needed()
    widget.get_by_text("Item 1 of 12", exact=True).wait_for()
    wrong = (reader.evaluate("sitting.correct") + 1) % 5
    widget.get_by_role("button").first.focus()
    page.keyboard.press(str(wrong + 1))
    widget.get_by_text("Item 2 of 12", exact=True).wait_for()
    reader.evaluate(PLAYED)
    rows = Trials(server.home / "trials.sqlite").frame(kind="person")
    answers = rows[[extra.get("phase") == "answer" for extra in rows["extra"]]]
    assert len(answers) == 12 and answers["correct"].tolist() == [0, *[1] * 11]

    assert reader.run_from("display(figures.readable(people.ordering"), reader.errors()
    tests = [not extra["attention"] for extra in answers["extra"]]
    share = answers["correct"][tests].mean()
    area = reader.find("display(figures.readable(people.ordering").locator(".jp-OutputArea-output:has(.main-svg)").last
    (star,) = area.evaluate(STARS)
    assert star[2] > 0 and round(reader.evaluate("mine.value.tolist()")[0], 9) == round(share, 9)
    all_is_well(reader)


def test_word_learners_waits_for_its_reader_and_then_shows_both(reader, screenshot):
    run(reader, "08_word_learners")
    page, widget = reader.page, reader.find("figures.Beside").locator(".ck-learn")
    assert reader.evaluate("panel.trained, len(beside.scores())") == (False, 0)
    reader.find("mine = await").get_by_text("a network that we trained").wait_for()
    screenshot("word_learners_panel", reader.find("panel = figures.TrainPanel").locator(".jp-OutputArea").first)
    look_at_figures(reader, screenshot, "word_learners", 4)

    for number in (1, 2):  # one name by the mouse, and one by a key; then Run All, and the round goes on
        widget.locator(".ck-head", has_text=f"Item {number} of 5").wait_for()
        assert widget.locator(".ck-others").is_hidden()
        right = reader.evaluate("beside.correct")
        if number == 1:
            widget.locator(".ck-option").nth(right).click()
        else:
            page.keyboard.press(str(right + 1))
        widget.locator(".ck-others table").wait_for()
        assert widget.locator(".ck-others thead").inner_text().split("\t")[1:] == [
            "◆ slot transformer", "ideal observer", "text alone",
        ]  # fmt: skip
        widths = widget.locator(".ck-picture").evaluate_all("(all) => all.map((one) => one.clientWidth)")
        assert min(widths) >= 120
        screenshot(f"word_learners_beside_{number}", widget)
        if number == 1:
            widget.get_by_role("button", name="Next").click()
    panel = reader.find("panel = figures.TrainPanel")
    panel.get_by_role("button", name="Start").click()
    panel.get_by_text("Step 6 of 260").or_(panel.get_by_text("Step 7 of 260")).first.wait_for()
    panel.get_by_role("button", name="Stop").click()
    panel.get_by_role("button", name="Go on").wait_for()
    assert reader.run_all(), reader.errors()
    widget.locator(".ck-head", has_text="2 of 2 right so far").wait_for()
    reader.find("mine = await").get_by_text("use your network, after").wait_for()
    area = reader.find("figures.growth").locator(".jp-OutputArea-output:has(.main-svg)").last
    assert [star[1] for star in area.evaluate(STARS)] == [1]  # both names were right
    share = reader.evaluate("float(own[(own.task == task) & (own.metric == 'accuracy')].value.iloc[0])")
    pink = "[float(x) for t in figures.by_inputs(everybody).data if t.marker.color == '#CC79A7' for x in t.x]"
    assert reader.evaluate(pink) == [share]  # in the column of its task, and nowhere else
    all_is_well(reader)
