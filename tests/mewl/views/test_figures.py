"""Figures show the numbers that they are given, tell who is who, and say so in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.app.experiments import compare
from cogkit.mewl.learners import ablation, beliefs, floors
from cogkit.mewl.paper import reported
from cogkit.mewl.problems import making, patterns
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.scoring import judge
from cogkit.mewl.views import belief_figures, figures, pictures
from cogkit.mewl.views.pictures import sharp, uri
from cogkit.ui.alt import describe

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    names = ["elimination", "text-alone", "query-alone", "ideal-learner", "associative-learner", "literal-listener"]
    table = compare(*[f"mewl/{name}" for name in names], episodes=20)
    changed = table[table.kind.isin(["floor", "observer"])].assign(profile="as_published")
    changed = changed.assign(value=changed.value.where(changed.kind != "floor", changed.value + 0.1))
    you = table[(table.who == "ideal learner") & (table.task == "shape") & (table.metric == "accuracy")]
    you = you.assign(who="you", kind="person", inputs="pixels", value=0.7)
    return pd.concat([table, changed, you, reported.result_rows()], ignore_index=True)


def column(trace) -> int:
    return int((trace.xaxis or "x").removeprefix("x") or 1) - 1


def texts(trace) -> list[str]:
    """Return what the pointer shows of each mark; marks of one trace may share it."""
    return [trace.hovertemplate] * len(trace.x) if trace.customdata is None else list(trace.customdata)


def marks(figure) -> dict:
    """Return what stands where: column and line to pairs of who and share."""
    lines = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    points = {}
    for trace in figure.data:
        for x, y, text in zip(trace.x, trace.y, texts(trace), strict=True):
            who = text.partition("<br>")[0]
            points.setdefault((column(trace), lines[y].replace("&nbsp;", "")), set()).add((who, round(float(x), 6)))
    return points


# Who gets what


def test_everybody_stands_in_a_row_with_a_mark_a_task(rows):
    rows = rows[(rows.profile != "as_published") | rows.kind.isin(["model", "person"])]
    figure = figures.everybody(rows)
    assert [note.text for note in figure.layout.annotations[:9]] == list(TASKS)
    accuracy, points = rows[(rows.metric == "accuracy") & rows.task.isin(TASKS)], marks(figure)
    assert sum(map(len, points.values())) == len(accuracy)
    for row in accuracy.itertuples():
        name = f"{row.who} ({row.inputs})" if row.kind == "model" else row.who.replace("learner", "observer")
        ((_, share),) = points[TASKS.index(row.task), name]
        assert share == round(row.value, 6)
    assert "people: shape 0.924" in describe(figure) and "one in five" in figure.layout.title.text


def test_everybody_stands_under_what_they_are_given_with_the_floors_of_their_own_episodes(rows):
    figure = figures.by_inputs(rows)
    names = [name.replace("&nbsp;", "") for name in figure.layout.yaxis.ticktext]
    heads = ["look at pictures", "slots found by a network", "read captions", "given scenes as they are"]
    assert [name for name in names if name.startswith("<b>")] == [f"<b>{head}</b>" for head in heads]
    assert names[1:3] == ["people", "you"] and "elimination" not in names
    assert names.index("BERT") > names.index("<b>read captions</b>") > names.index("Aloe")
    value = rows[rows.metric == "accuracy"].set_index(["who", "profile", "task"]).value
    points = marks(figure)
    shares = {share for _, share in points[0, "you"]}
    assert shares == {0.7, round(value["text alone", "verified", "shape"], 6), 1.0}
    shares = {share for _, share in points[0, "BERT"]}
    assert shares == {0.948, round(value["text alone", "as_published", "shape"], 6), 1.0}
    relation = dict(points[5, "associative learner"])
    assert relation["query alone"] == round(value["query alone", "verified", "relation"], 6)  # the best shortcut there


def test_wrong_names_stand_beside_what_chance_would_choose_and_several_side_by_side():
    episodes, tables = making.episodes_of("shape", n=60), []
    for name in ("propose-but-verify", "associative-learner"):
        answers = judge(floors.reference(name), episodes)
        tables.append(patterns.errors(episodes, answers.choices.tolist()).assign(who=answers.who))
    errors, chance = figures.wrong(tables[0].drop(columns="who")).data
    assert list(errors.x) == tables[0].share.tolist() and list(chance.x) == tables[0].at_random.tolist()
    traces = [trace for trace in figures.wrong(pd.concat(tables)).data if trace.marker.symbol == "circle"]
    assert [list(trace.x) for trace in traces] == [table.share.tolist() for table in tables]


def test_growth_has_a_line_each_and_two_observers_can_be_told_apart():
    learners = floors.reference("ideal-learner"), ablation.oracle("shape"), floors.reference("text-alone")
    table = ablation.growth(learners, making.episodes_of("shape", n=20))
    you = table.tail(1).assign(who="you", kind="you", value=0.75, n=4)
    figure = figures.growth(pd.concat([table, you]))
    *lines, star = figure.data
    assert [line.name.lstrip("·- ") for line in lines] == ["ideal observer", "ideal observer told: shape", "text alone"]
    for line, who in zip(lines, dict.fromkeys(table.who), strict=True):
        assert list(line.y) == table.value[table.who == who].tolist() and list(line.x) == list(range(7))
    assert len({line.line.dash for line in lines}) == 3
    assert (list(star.x), list(star.y), star.marker.symbol) == ([6], [0.75], "star")  # you saw all six


def learnt_of(word: str) -> pd.DataFrame:
    """Return made-up beliefs from the third panel on: some hypotheses grow from nothing, and one has the rest."""
    meanings, table = ["3 things", "3 things", "mixed", "mixed", "red"], pd.DataFrame()
    for panels in range(3, 7):
        shares = [0.04 * panels, 0.05 * panels, 0.03 * panels, 0.02 * panels, 1 - 0.14 * panels]
        part = pd.DataFrame({"hypothesis": range(5), "meaning": meanings, "probability": shares})
        table = pd.concat([table, part.assign(word=word, panels=panels, kind="picture", purity=0.9)])
    return table


def heatmap(figure, row: int) -> dict[str, list]:
    """Return the rows of a heatmap by their names."""
    trace, axis = figure.data[row], figure.layout[f"yaxis{row + 1}" if row else "yaxis"]
    return {name.replace("<br>", " "): list(values) for name, values in zip(axis.ticktext, trace.z, strict=True)}


def test_beliefs_have_a_heatmap_of_the_ideal_observer_and_one_of_the_learner():
    episode = making.episode("number", 0)
    right = episode.trial.options[episode.answer]
    possible = beliefs.possible(episode)
    figure = belief_figures.beliefs(episode, possible, learnt_of(right), "your slot word learner", "yours")
    table = possible[possible.word == right].pivot(index="meaning", columns="panels", values="probability")
    rows = heatmap(figure, 0)
    assert set(rows) == set(map(str, range(1, 7))) and list(rows)[0] == str(episode.lexicon[right])
    for meaning, values in rows.items():
        np.testing.assert_array_equal(values, table.loc[meaning].replace(0, np.nan))  # what is struck out is empty
    rows = heatmap(figure, 1)
    # Hypotheses with the same meaning are added up, but those that mean nothing in particular are not.
    assert set(rows) == {"3 things", "mixed, no. 2", "mixed, no. 3", "red"}
    assert rows["3 things"][3:] == pytest.approx([0.09 * panels for panels in range(3, 7)])
    assert np.sum(list(rows.values()), axis=0)[3:] == pytest.approx(np.ones(4))
    assert all(np.isnan(values[:3]).all() for values in rows.values())  # it has not heard of the word until then
    left = ", ".join(str(n) for n in (table > 0).sum())
    assert f"meanings of {right} that are left: {left}." in describe(figure)
    alone = belief_figures.beliefs(making.episode("shape", 0), beliefs.possible(making.episode("shape", 0)))
    assert len(heatmap(alone, 0)) == 9 and list(heatmap(alone, 0))[-1] == "8 others"  # added up


# Sheets of pictures


def test_a_sheet_of_episodes_has_their_pictures_and_names_and_no_answer():
    episodes = [making.episode(task, 0, part="val") for task in ("shape", "relation")]
    figure = pictures.episodes(episodes)
    images = sorted(figure.layout.images, key=lambda image: (-image.y, image.x))
    scenes = [scene for episode in episodes for scene in episode.trial.scenes]
    assert [image.source for image in images] == [uri(sharp(scene, width=160)) for scene in scenes]
    notes = [note.text for note in figure.layout.annotations]
    texts = [text.replace("<br>", " ") for text in notes if not text.startswith("<b>")]
    assert texts == [name for each in episodes for name in (*(panel.utterance for panel in each.trial.panels), "?")]
    answer = episodes[1].trial.options[episodes[1].answer]
    assert answer not in describe(figure) and answer not in texts  # a name that no picture has
