"""A reader beside a language model in JupyterLab: by keyboard alone, nothing told too early, in both themes."""

from __future__ import annotations

from cogkit.study.trials import BEGIN, Trials

CELLS = (
    "from cogkit.extras.models import beside, partner\nopponent = partner.choose()",
    "seat = beside.sit(opponent, 'mewl/shape')\nseat",
    "again = seat\nagain",
)
SEEN = """(root) => {
    const own = root.querySelector(".ck-own");
    return [own.textContent, own.scrollHeight - own.clientHeight - own.scrollTop];
}"""


def at(widget, words: str) -> None:
    widget.locator(".ck-facts", has_text=words).wait_for()


def test_keyboard_alone_and_nothing_is_told_before_the_choice(lab, server):
    page, cells = lab.run_cells(*CELLS), lab.cells()
    widget, twin = (lab.find(words).locator(".ck-duo") for words in ("seat = beside.sit", "again = seat"))
    at(widget, "Question 1 of 20")
    text, below = widget.evaluate(SEEN)
    assert text == lab.evaluate("seat.sitting.item.prompt.text") and below <= 1  # the question itself is in view
    assert not any(word in widget.inner_text() for word in ("✓", "◆", "★"))
    assert widget.locator(".ck-result").is_hidden() and widget.locator(".ck-result").inner_html() == ""

    right = lab.evaluate("seat.correct")
    widget.locator(".ck-option").first.focus()
    for key in "bxdaz":  # orders to a notebook in command mode; nothing here
        page.keyboard.press(key)
    for _ in range(right):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    at(widget, "you: 1 of 1 right")
    rows = widget.locator(".ck-result tbody tr")
    marked = [text.startswith("✓") for text in rows.locator("th").all_inner_texts()]
    assert marked == [k == right for k in range(5)]
    signs = rows.locator(".ck-signs").all_inner_texts()
    model = lab.evaluate("seat.sheet.reply(seat.sheet.questions[0]).choice")
    assert ["★ you" in sign for sign in signs] == [k == right for k in range(5)]
    assert ["◆ model" in sign for sign in signs] == [k == model for k in range(5)]
    shares = [float(text) for text in rows.locator(".ck-share").all_inner_texts()]
    assert abs(sum(shares) - 1) < 0.03 and shares[model] == max(shares)
    assert widget.locator(".ck-option:visible").count() == 0
    page.keyboard.press("Enter")
    at(widget, "Question 2 of 20")
    page.keyboard.press("Enter")  # on no option: it answers nothing
    page.keyboard.press(str((lab.evaluate("seat.correct") + 1) % 5 + 1))
    at(widget, "you: 1 of 2 right")
    at(twin, "you: 1 of 2 right")  # the second view of the same widget

    assert lab.run_all(), lab.errors()  # and the cell is run again: the round goes on
    at(widget, "you: 1 of 2 right")
    assert widget.locator(".ck-result table").is_visible()
    rows = Trials(server.home / "trials.sqlite").frame()
    assert rows[rows["item"] != BEGIN].correct.tolist() == [1, 0] and (rows.rt_s[1:] > 0).all()
    assert lab.cells() == cells
    lab.is_well()


def test_other_tasks_in_both_themes(lab):
    page = lab.run_cells(*CELLS[:2])
    widget = page.locator(".ck-duo")
    tasks = widget.get_by_label("Task", exact=True)
    assert tasks.locator("option").all_inner_texts() == list(lab.evaluate("opponent.tasks"))
    tasks.select_option("equivalence/LS/select-only")
    widget.locator(".ck-start:visible").wait_for()
    whole = widget.locator(".ck-start").text_content() + widget.locator(".ck-own").text_content()
    assert whole == lab.evaluate("seat.sitting.item.prompt.text")
    assert widget.locator(".ck-option:visible").count() == 3
    tasks.select_option("bongard/BA")
    widget.locator(".ck-option", has_text="set A").wait_for()
    widget.locator(".ck-option").first.focus()
    page.keyboard.press("b")  # the letter of an option
    widget.locator(".ck-result table").wait_for()
    assert lab.evaluate("seat.scene['answer']['yours']") == 1
    lab.is_readable(".ck-duo", 10)
    widget.get_by_role("button", name="Next").click()
    at(widget, "Question 2 of 20")
    for button in widget.locator(".ck-option").all():
        assert button.bounding_box()["height"] >= 44
    tasks.select_option("mewl/shape")
    at(widget, "Question 1 of 20")
    tasks.select_option("bongard/BA")
    at(widget, "Question 2 of 20")
    assert lab.problems == []
