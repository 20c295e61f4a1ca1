"""The two notebooks of Bongard-LOGO as a newcomer meets them: JupyterLab in Chromium, from an empty home."""

from __future__ import annotations

from looking import STARS, all_is_well, look_at_figures, run

from cogkit.bongard.problems.sets import TESTS
from cogkit.study.trials import BEGIN, Trials

# What the keys call, from wherever the sitting stands to its end, and each answer right but for one.
PLAYED = """[{"instructions": task.read, "answer": lambda: task.answer(task.correct, 0.9), "feedback": task.next}
    [task.sitting.phase]() for _ in iter(lambda: task.over, True)]"""
LOOKED = "() => /Right, validation/.test(document.querySelector('.cogkit-widget').closest('.jp-Notebook').innerText)"
SHARES = "[float(share) for t in {}.data if t.marker.symbol == 'star' for share in t.x]"


def drawn(lab, words: str) -> list:
    """Return the reader's stars in the figure of a cell."""
    return lab.find(words).locator(".jp-OutputArea-output:has(.main-svg)").last.evaluate(STARS)


def test_bongard_logo_is_drawn_and_its_reader_becomes_a_star(reader, server, screenshot):
    run(reader, "05_bongard_logo")
    page = reader.page
    widgets = {
        "solve": "task = bongard.sit",
        "browser": "browser = figures.Browser",
        "turtle": "turtle = figures.Turtle",
        "builder": "builder = figures.Builder",
    }
    for name, words in widgets.items():
        screenshot(f"bongard_logo_{name}", reader.find(words).locator(".jp-OutputArea").first)
    look_at_figures(reader, screenshot, "bongard_logo", 4)

    # Concepts wait in closed folds, and demonstrations leave the reader's own turtle and shape alone.
    problems = reader.find("made = sets.one_of_each")
    concepts = reader.evaluate("[figures.style.concept(problem) for problem in made.values()]")
    shown = problems.locator(".jp-OutputArea").inner_text()
    assert len(concepts) == 3 and not any(concept in shown for concept in concepts)
    assert page.locator(".jp-OutputArea details").count() == page.locator(".jp-OutputArea details:not([open])").count()
    problems.locator("summary").click()
    assert all(concept in problems.locator(".jp-OutputArea").inner_text() for concept in concepts)
    assert reader.evaluate("turtle.position, len(builder.program), browser.scene['told']") == (0, 4, "")
    assert page.locator(".jp-OutputArea .ck-box:visible, .jp-OutputArea table.dataframe").count() <= 3

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


def test_bongard_learners_trains_on_start_alone_and_its_network_becomes_a_diamond(reader, server, screenshot):
    run(reader, "06_bongard_learners")
    panel = reader.find("panel = figures.TrainPanel")
    screenshot("bongard_learners_panel", panel.locator(".jp-OutputArea").first)
    assert not reader.evaluate("panel.trained") and not (server.home / "results").exists()
    assert "a network that we trained" in reader.find("mine = await panel.learner").inner_text()
    look_at_figures(reader, screenshot, "bongard_learners", 7)
    tables = reader.page.locator(".jp-OutputArea .ck-box:visible, .jp-OutputArea table.dataframe")
    assert tables.count() <= 3
    folds = reader.page.locator(".jp-OutputArea details", has_text="The concept: ")
    assert folds.count() == 3 and all(fold.get_attribute("open") is None for fold in folds.all())

    panel.get_by_role("button", name="Start", exact=True).click()
    reader.page.wait_for_function(LOOKED)  # the first look at the validation problems
    panel.get_by_role("button", name="Stop", exact=True).click()
    panel.get_by_text("Stopped at step").first.wait_for()
    for _ in range(2):  # as often as one likes
        assert reader.run_from("mine = await panel.learner"), reader.errors()
    assert "your network" in reader.find("mine = await panel.learner").inner_text()
    shares = reader.evaluate("rows[rows.task.isin(tests)].set_index('task').value.to_dict()")
    assert sorted(shares) == sorted(TESTS)
    marks = "[(t.marker.symbol, float(share)) for t in figures.everybody(everybody).data if t.marker.color == '#CC79A7'"
    marks = reader.evaluate(f"{marks} for share in t.x]")
    assert sorted(share for _, share in marks) == sorted(shares.values()) and {sign for sign, _ in marks} == {"diamond"}
    assert reader.run_all(), reader.errors()
    assert reader.evaluate("panel.trained")  # the run outlives Run All
    all_is_well(reader)
