"""The figure of beliefs shows the numbers that it is given, panel by panel, and says so in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.core.contracts import InputError
from cogkit.mewl.learners import beliefs, probing
from cogkit.mewl.problems import making
from cogkit.mewl.views import belief_figures
from cogkit.ui import theme
from cogkit.ui.alt import describe

MEANINGS = ["3 things", "3 things", "mixed", "mixed", "red", *["blue"] * 15]


def learnt_of(words, known_from: int = 0) -> pd.DataFrame:
    """Return made-up beliefs: four hypotheses grow from nothing, and sixteen others share the rest."""
    rows = []
    for word in words:
        for panels in range(known_from, 7):
            shares = [0.04 * panels, 0.05 * panels, 0.03 * panels, 0.02 * panels]
            shares += [(1 - sum(shares)) / 16] * 16
            rows += [
                {"word": word, "panels": panels, "hypothesis": k, "kind": "picture", "meaning": MEANINGS[k],
                 "purity": 0.9 if k else 0.6, "probability": share}
                for k, share in enumerate(shares)
            ]  # fmt: skip
    return pd.DataFrame(rows)


def cells(figure, row: int) -> dict[str, list]:
    """Return the rows of a heatmap by their names."""
    trace, axis = figure.data[row], figure.layout[f"yaxis{row + 1}" if row else "yaxis"]
    return {name.replace("<br>", " "): list(values) for name, values in zip(axis.ticktext, trace.z, strict=True)}


def test_mixed_is_what_the_probe_calls_it():
    assert belief_figures.MIXED == probing.MIXED


def test_a_word_has_a_heatmap_of_the_ideal_observer_and_one_of_the_learner():
    episode = making.episode("number", 0)
    right = episode.trial.options[episode.answer]
    possible = beliefs.possible(episode)
    figure = belief_figures.beliefs(episode, possible, learnt_of([right]), "your slot word learner", "yours")
    ideal, learner, *lines = figure.data
    assert [trace.type for trace in figure.data] == ["heatmap", "heatmap", "scatter", "scatter"]
    table = possible[possible.word == right].pivot(index="meaning", columns="panels", values="probability")
    rows = cells(figure, 0)
    assert set(rows) == set(map(str, range(1, 7))) and list(rows)[0] == str(episode.lexicon[right])
    for meaning, values in rows.items():
        np.testing.assert_array_equal(values, table.loc[meaning].replace(0, np.nan))  # what is struck out is empty
    rows = cells(figure, 1)
    # Hypotheses with the same meaning are added up, but those that mean nothing in particular are not.
    assert list(rows) == ["3 things", "mixed, no. 2", "blue", "mixed, no. 3", "red"]
    assert rows["3 things"] == pytest.approx([0.09 * panels for panels in range(7)])
    assert rows["mixed, no. 2"] == pytest.approx([0.03 * panels for panels in range(7)])
    assert np.sum(list(rows.values()), axis=0) == pytest.approx(np.ones(7))
    lines_of = learner.text[0][1].split("<br>")
    assert lines_of[:2] == [f"{right}: 3 things", "after 1 panel: probability 0.09"]
    assert lines_of[2:] == ["2 hypotheses, kind: picture", "purity 0.77"]  # (4 · 0.6 + 5 · 0.9) / 9
    assert "struck out" in " ".join(ideal.text.ravel()) and "struck out" not in " ".join(learner.text.ravel())
    assert {trace.coloraxis for trace in figure.data[:2]} == {"coloraxis"}
    assert figure.layout.coloraxis.colorscale[0] == (0, "#00224e") or figure.layout.coloraxis.colorscale == "Cividis"
    sure = [list(trace.y) for trace in lines]
    assert sure[0] == table.max().tolist() and sure[1] == pytest.approx(
        [max(0.09 * k, 15 * (1 - 0.14 * k) / 16) for k in range(7)]
    )
    assert [trace.line.color for trace in lines] == [theme.WHO[kind].colour for kind in ("observer", "yours")]
    titles = [note.text for note in figure.layout.annotations]
    assert "◆ your slot word learner" in titles[1] and "ideal observer" in titles[0]
    left = ", ".join(str(n) for n in (table > 0).sum())
    assert f"meanings of {right} that are left: {left}." in describe(figure)
    assert f"Likeliest meaning of {right} for your slot word learner: blue 0.94, blue 0.81" in describe(figure)


def test_few_rows_are_drawn_and_the_others_are_added_up():
    episode = making.episode("shape", 0)
    right = episode.trial.options[episode.answer]
    possible = beliefs.possible(episode)
    rows = cells(belief_figures.beliefs(episode, possible), 0)
    assert len(rows) == 9 and list(rows)[-1] == "8 others"
    table = possible[possible.word == right].pivot(index="meaning", columns="panels", values="probability")
    hidden = table.drop(index=list(rows)[:8]).sum()
    np.testing.assert_allclose(rows["8 others"], hidden.replace(0, np.nan))
    assert min(table.loc[name].sum() for name in list(rows)[:8]) >= table.drop(index=list(rows)[:8]).sum(axis=1).max()
    many = learnt_of([right]).assign(meaning=lambda table: "concept " + table.hypothesis.astype(str))
    rows = cells(belief_figures.beliefs(episode, possible, many), 1)
    assert list(rows)[-1].endswith(" others") and len(rows) <= 9
    assert np.sum(list(rows.values()), axis=0) == pytest.approx(np.ones(7))


def test_without_a_learner_the_ideal_observer_stands_alone():
    episode = making.episode("composite", 0)
    figure = belief_figures.beliefs(episode, beliefs.possible(episode))
    first, second = episode.trial.options[episode.answer].split()
    assert [trace.type for trace in figure.data] == ["heatmap", "heatmap", "scatter"]
    assert figure.layout.title.text.startswith(f"What do {first} and {second} mean?")
    assert "learner" not in figure.layout.title.text and "How sure is it?" in figure.layout.annotations[-1].text


def test_a_word_that_a_learner_has_not_heard_of_is_empty_until_then():
    episode = making.episode("number", 0)
    right = episode.trial.options[episode.answer]
    figure = belief_figures.beliefs(episode, beliefs.possible(episode), learnt_of([right], 3))
    assert all(np.isnan(values[:3]).all() and not np.isnan(values[3:]).any() for values in cells(figure, 1).values())
    assert "not heard of yet" in figure.data[1].text[0][2]
    assert figure.data[1].text[0][3].split("<br>")[1].startswith("after 3 panels: probability")


def test_words_that_are_said_in_a_panel_stand_under_it():
    episode = making.episode("object", 0)
    figure = belief_figures.beliefs(episode, beliefs.possible(episode))
    axis = figure.layout[f"xaxis{len(figure.data)}"]
    for panel, tick in zip(episode.trial.panels, axis.ticktext[1:], strict=True):
        assert all(word in tick for word in panel.utterance.split(" and "))
    assert axis.ticktext[0] == "<b>0</b><br>" and list(axis.tickvals) == list(range(7))


def test_beliefs_about_another_episode_are_told():
    one, other = making.episode("number", 0), making.episode("number", 1)
    with pytest.raises(InputError, match="some about the words of"):
        belief_figures.beliefs(one, beliefs.possible(other))
    with pytest.raises(InputError, match="some about the words of"):
        belief_figures.beliefs(one, beliefs.possible(one), learnt_of(["pado"]))
