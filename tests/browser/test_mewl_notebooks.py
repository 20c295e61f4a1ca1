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
    look_at_figures(reader, screenshot, "word_learning", 2)
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


def test_word_learners_is_drawn_and_its_network_becomes_a_star(reader, screenshot):
    run(reader, "08_word_learners")
    screenshot("word_learners_panel", reader.find("panel = figures.TrainPanel").locator(".jp-OutputArea").first)
    look_at_figures(reader, screenshot, "word_learners", 7)
    share = reader.evaluate("float(yours[(yours.task == task) & (yours.metric == 'accuracy')].value.iloc[0])")
    area = reader.find("figures.by_inputs(everybody)").locator(".jp-OutputArea-output:has(.main-svg)").last
    (star,) = area.evaluate(STARS)
    assert star[0] == "x" and star[2] > 0  # in the column of its task, and nowhere else
    stars = "[float(x) for t in figures.by_inputs(everybody).data if t.marker.symbol == 'star' for x in t.x]"
    assert reader.evaluate(stars) == [share]
    all_is_well(reader)
