"""The figures and tables of a class show what is in its tables: each number is counted again by hand."""

from __future__ import annotations

import pytest
from scipy import stats

from cogkit.extras.classroom import figures, gathered, simulated
from cogkit.extras.classroom.hand_in import About, Attempt, Exercise, HandIn
from cogkit.study.gathering import PEOPLE
from cogkit.ui.alt import describe

ABOUT = About("f00d", "Monday, period 3", ("02_task_metamers", "01_play_tiles"))
N = 11  # students of the simulated class, one of whom does not finish
NAMES = ("02-triples", "02-third-order", "01-corner")


def student(name: str, states: str, *messages: tuple[str, str]) -> tuple[str, HandIn]:
    """Return a hand-in: a letter for the state of each of `NAMES`, and the wrong answers that were told so."""
    words = {"r": "right", "w": "wrong", "o": "open"}
    made = tuple(Exercise(exercise, words[letter]) for exercise, letter in zip(NAMES, states, strict=True))
    rows = [(f"2026-03-02T09:{k:02d}:00+00:00", exercise, False, text) for k, (exercise, text) in enumerate(messages)]
    rows += [("2026-03-02T10:00:00+00:00", one.exercise, True, "Correct.") for one in made if one.state == "right"]
    attempts = [Attempt(*fields) for fields in rows]
    return f"{name}.jsonl", HandIn(ABOUT, name, "", "2026-03-02T10:30:00+00:00", "0.2", made, tuple(attempts))


HANDED = (
    student("aaaaaaaa", "rwo", (NAMES[1], "Not yet: 9 is too few."), (NAMES[1], "Not yet: 8 is too few.")),
    student("bbbbbbbb", "rwr", ("02-third-order", "Not yet: 8 is too few.")),
    student("cccccccc", "woo", ("02-triples", "Not yet: <b>no</b>."), ("02-triples", "Not yet: 3 is too few.")),
    student("dddddddd", "ooo"),
    student("eeeeeeee", "rww", ("01-corner", "Not yet: 1 is too few."), ("02-third-order", "Not yet: 8 is too few.")),
)  # fmt: skip


@pytest.fixture(scope="module")
def real():
    return gathered.merge(HANDED)


@pytest.fixture(scope="module")
def class_of():
    return gathered.merge(simulated.hand_ins(n=N))


def column(table, name: str) -> list[str]:
    return table.frame[name].tolist()


def test_a_class_says_whether_it_is_simulated(real, class_of):
    assert "simulated" in figures.describe(class_of) and "nobody is a person" in figures.describe(class_of)
    assert figures.describe(real) == "This class is real: 5 students of 'Monday, period 3' handed in."
    for figure in (figures.standing(class_of), figures.progress(class_of), figures.first_and_last(class_of)):
        assert "simulated" in figure.layout.title.text and "simulated" in describe(figure)
    assert "simulated" not in figures.progress(real).layout.title.text + describe(figures.progress(real))
    assert "nobody knows its mixture" in repr(figures.sorts(real))


def test_a_class_in_which_nobody_played_twenty_boards_says_so(real):
    assert "Nobody in this class has finished a sitting of twenty boards" in describe(figures.first_and_last(real))


def test_the_table_of_stuck_students_counts(real):
    table = figures.stuck(real)
    assert column(table, "exercise") == list(NAMES)
    assert column(table, "share right") == ["0.60", "0.00", "0.20"]
    assert column(table, "share not begun") == ["0.20", "0.40", "0.60"]
    assert [text.strip() for text in column(table, "attempts (median)")] == ["1", "1", "1"]
    assert column(table, "stuck here") == ["1", "1", "1"]
    messages = column(table, "said most often to wrong answers")
    assert messages[1] == "8 is too few. (3×)" and messages[2] == "1 is too few. (1×)"
    assert column(table, "they are") == ["cccccccc", "aaaaaaaa", "eeeeeeee"]


def test_the_map_has_a_cell_for_each_student_and_exercise_those_who_solved_most_on_top(real):
    figure = figures.progress(real)
    (cells,), students = figure.data, list(figure.layout.yaxis.ticktext)
    assert list(figure.layout.xaxis.ticktext) == list(NAMES)
    assert students == ["bbbbbbbb", "aaaaaaaa", "eeeeeeee", "cccccccc", "dddddddd"]
    texts = dict(zip(students, map(list, cells.text), strict=True))
    assert texts["aaaaaaaa"] == ["✓ 1", "✗ 2", "…"] and texts["dddddddd"] == ["…", "…", "…"]


def test_the_class_stands_at_the_mean_of_its_students_with_students_interval(class_of):
    rows = class_of.rows[(class_of.rows.metric == "z") & (class_of.rows.who != PEOPLE)]
    values = rows.value.astype(float).to_numpy()
    figure = figures.standing(class_of)
    traces = {trace.customdata[0].partition(",")[0]: trace for trace in figure.data if len(trace.x) == 1}
    mark = traces["the class (simulated)"]
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5
    assert mark.x[0] == pytest.approx(values.mean()) and mark.error_x.array[0] == pytest.approx(half)
    (students,) = [trace for trace in figure.data if len(trace.x) > 1]
    assert sorted(students.x) == pytest.approx(sorted(values))
    assert all(abs(y - mark.y[0]) < 0.5 for y in students.y)


def test_foreign_text_of_a_hand_in_stays_text():
    handed = [*HANDED, student("<b>x</b>1", "woo", ("02-triples", "Not yet: <script>alert(1)</script>."))]
    hostile = gathered.merge(handed)
    assert "<script>alert" not in figures.stuck(hostile)._repr_html_()
    assert "<b>x" not in figures.stuck(hostile).html()
