"""The two notebooks of Bongard-LOGO as a newcomer meets them: JupyterLab in Chromium, from an empty home."""

from __future__ import annotations

from looking import STARS, all_is_well, look_at_figures, run

from cogkit.bongard.problems.sets import TESTS
from cogkit.study.trials import BEGIN, Trials

# What the keys call, from wherever the sitting stands to its end, and each answer right but for one.
PLAYED = """[{"instructions": task.read, "answer": lambda: task.answer(task.correct, 0.9), "feedback": task.next}
    [task.sitting.phase]() for _ in iter(lambda: task.over, True)]"""
SHARES = "[float(share) for t in {}.data if t.marker.symbol == 'star' for share in t.x]"


def drawn(lab, words: str) -> list:
    """Return the reader's stars in the figure of a cell."""
    return lab.find(words).locator(".jp-OutputArea-output:has(.main-svg)").last.evaluate(STARS)


def test_bongard_logo_is_drawn_and_its_reader_becomes_a_star(reader, server, screenshot):
    run(reader, "05_bongard_logo")
    page = reader.page
    widgets = {
        "solve": "task = bongard.sit",
        "browser": "print(*(f",
        "turtle": "turtle = figures.Turtle",
        "builder": "builder = figures.Builder",
    }
    for name, words in widgets.items():
        screenshot(f"bongard_logo_{name}", reader.find(words).locator(".jp-OutputArea").first)
    look_at_figures(reader, screenshot, "bongard_logo", 4)
    assert Trials(server.home / "trials.sqlite").frame()["item"].tolist() == [BEGIN]  # what programs play is not kept

    # The first problem by keys, its second picture wrong; the rest is what keys call.
    solve = reader.find("task = bongard.sit").locator(".ck-solve")
    solve.scroll_into_view_if_needed()
    solve.get_by_role("button", name="Begin").focus()
    page.keyboard.press("Enter")
    for query in (0, 1):
        page.wait_for_function(
            "(words) => document.querySelector('.ck-solve .ck-facts').innerText.includes(words)",
            arg=f"Picture {query + 1} of 2",
            polling=10,
        )
        right = ("positive", "negative").index(reader.evaluate("task.correct"))
        page.keyboard.press(("ArrowLeft", "ArrowRight")[right ^ query])
        page.keyboard.press("3")
    solve.get_by_text("One of the two was right").wait_for()
    screenshot("bongard_logo_feedback", solve)
    reader.evaluate(PLAYED)
    rows = Trials(server.home / "trials.sqlite").frame(kind="person")
    answers = rows[rows["response"].isin(["positive", "negative"])]
    assert len(answers) == 3 * 20 * 2 and answers["correct"].sum() == len(answers) - 1

    assert reader.run_from("printed = paper.reported"), reader.errors()
    shares = reader.evaluate("mine[mine.metric == 'accuracy'].set_index('task').value.to_dict()")
    first = answers["task"].iloc[0]
    assert {task: round(share, 9) for task, share in shares.items() if task in ("FF", "BA", "abstract")} == {
        task: 39 / 40 if task == first else 1.0 for task in ("FF", "BA", "abstract")
    }
    figure = "figures.everybody(pd.concat([part for part in (floors, people.published(), mine) if len(part)]))"
    assert sorted(reader.evaluate(SHARES.format(figure))) == [39 / 40, 1.0, 1.0, 1.0]  # abstract in both columns
    assert len(drawn(reader, "printed = paper.reported")) == 4
    all_is_well(reader)


def test_bongard_learners_is_drawn_and_its_network_becomes_a_star(reader, screenshot):
    run(reader, "06_bongard_learners")
    screenshot("bongard_learners_panel", reader.find("panel = figures.TrainPanel").locator(".jp-OutputArea").first)
    look_at_figures(reader, screenshot, "bongard_learners", 5)
    expression = "yours[yours.task.isin(tests) & (yours.metric == 'accuracy')].set_index('task').value.to_dict()"
    shares = reader.evaluate(expression)
    assert sorted(shares) == sorted(TESTS)
    stars = reader.evaluate(SHARES.format("figures.everybody(of)"))
    assert all(any(abs(share - star) < 1e-9 for star in stars) for share in shares.values())
    assert len(drawn(reader, "of = everybody[")) == len(stars) == 4
    all_is_well(reader)
