"""Figures of learners: their answers to episodes, and their accuracy after each panel."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.core.contracts import InputError
from cogkit.mewl.learners.ablation import chances
from cogkit.mewl.problems.episodes import CHANCE, OPTIONS, PANELS, Episode
from cogkit.mewl.scoring import Answers
from cogkit.mewl.views import pictures
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import UP
from cogkit.ui.parts import error_bars, line, marker, marks, name_ends, span

_WIDTH, _AGAIN = 160, 1.6  # pixels of a picture; scale of the last picture
_LETTERS, _LONGER = 14, 24  # letters in a line: in a name beneath a picture, and in the list
_DASHES = ("dot", "dashdot", "longdash")


def answered(
    episodes: Sequence[Episode], answers: Sequence[Answers] = (), chosen: Sequence[int] = (), title: str = "Episodes"
) -> go.Figure:  # fmt: skip
    """Return episodes, with the probability that each learner gives to each of the five names.

    Parameters
    ----------
    episodes : sequence of Episode
        One or more.
    answers : sequence of Answers
        Answers to these episodes, from `scoring.judge`: bars for models, strokes for floors and observers. Without
        answers, the figure lists the names and does not show the right one.
    chosen : sequence of int
        The user's choices, 1 to 5; 0 for none.

    Raises
    ------
    InputError
        The answers are to other episodes, or a choice is not valid.
    """
    names = tuple(f"{episode.part}/{episode.task}/{episode.number}" for episode in episodes)
    for answer in answers:
        if answer.names != names:
            raise InputError(f"answers of {answer.who} to other episodes", f"answers to {', '.join(names)}")
    if any(choice not in range(OPTIONS + 1) for choice in chosen):
        raise InputError(f"choices {tuple(chosen)}", f"a number from 1 to {OPTIONS} an episode, or 0 for none")
    lines = [[textwrap.wrap(panel.utterance, _LETTERS) for panel in episode.trial.panels] for episode in episodes]
    tallest = max(len(text) for row in lines for text in row)
    high = 148 + 32 * tallest  # pixels of an episode
    key = _key(answers, any(chosen)) if answers else "which of five names has the last picture?"
    labels = [["<br>".join(textwrap.wrap(name, _LONGER)) for name in episode.trial.options] for episode in episodes]
    longest = max(len(line) for row in labels for label in row for line in label.split("<br>"))
    head, foot = 84, 48 if answers else 16
    figure = theme.figure(
        title, head + foot + high * len(episodes), key, rows=len(episodes), columns=2,
        margin={"l": 8, "t": head, "b": foot}, column_widths=[0.6, 0.4], horizontal_spacing=0.07 + 0.0085 * longest,
        vertical_spacing=min(0.2, 44 / (high * len(episodes))),
    )  # fmt: skip
    shares = [chances(answer) for answer in answers]
    for row, (episode, texts) in enumerate(zip(episodes, lines, strict=True)):
        _pictures(figure, row, episode, texts, 0.16 * tallest)
        pairs = [(answer, values[row]) for answer, values in zip(answers, shares, strict=True)]
        _names(figure, row, episode, labels[row], pairs, chosen[row] if chosen else 0)
    figure.update_xaxes(title={"text": "how likely it holds each name to be", "font": {"size": 12}},
                        row=len(episodes), col=2, visible=bool(answers))  # fmt: skip
    return with_alt(figure, " ".join(_sentence(k, episode, answers, shares) for k, episode in enumerate(episodes)))


def _key(answers: Sequence[Answers], mine: bool) -> str:
    signs = {"model": "◆ bar", "floor": "grey stroke", "observer": "green stroke"}
    items = [f"{signs.get(answer.kind, answer.kind)}: {answer.who}" for answer in answers]
    return "; ".join([*items, "✓ right"] + ["★ yours"] * mine)


def _pictures(figure: go.Figure, row: int, episode: Episode, said: list[list[str]], below: float) -> None:
    """Draw six pictures in two rows of three with their names, and the query beside them, larger."""
    axes, step = {"row": row + 1, "col": 1}, 0.75 + 0.06 + below
    figure.add_scatter(x=[None], y=[None], showlegend=False, **axes)
    width, height = 3 + _AGAIN + 0.35, 2 * step
    figure.update_xaxes(range=[0, width], visible=False, **axes)
    figure.update_yaxes(range=[-height, 0], visible=False, **axes)
    for k, (panel, words) in enumerate(zip(episode.trial.panels, said, strict=True)):
        x, y = k % 3, -(k // 3) * step
        _image(figure, panel.scene, x + 0.5, y, 0.92, axes)
        figure.add_annotation(
            text="<br>".join(words), x=x + 0.5, y=y - 0.72, yanchor="top", showarrow=False,
            font={"size": 12 if below < 0.3 else 11 if below < 0.4 else 10}, **axes,
        )  # fmt: skip
    top = -(height - 0.75 * _AGAIN) / 2 + below / 2
    _image(figure, episode.trial.query, 3.35 + _AGAIN / 2, top, _AGAIN, axes)
    figure.add_annotation(
        text="?", x=3.35 + _AGAIN / 2, y=top - 0.75 * _AGAIN, yanchor="top", showarrow=False, font={"size": 15}, **axes
    )


def _image(figure: go.Figure, scene, x: float, y: float, size: float, axes: dict) -> None:
    figure.add_layout_image(
        source=pictures.uri(pictures.shown(scene, width=_WIDTH)), x=x, y=y, sizex=size, sizey=0.75 * size,
        xanchor="center", yanchor="top", sizing="contain", layer="above", **axes,
    )  # fmt: skip


def _names(
    figure: go.Figure, row: int, episode: Episode, names: Sequence[str], own: Sequence[tuple[Answers, np.ndarray]],
    chosen: int,
) -> None:  # fmt: skip
    """Draw the five names, and beside each name its probability for each learner."""
    axes, places = {"row": row + 1, "col": 2}, [-k for k in range(OPTIONS)]
    labels = []
    for k, name in enumerate(names):
        text = f"{k + 1} &nbsp;{name}"
        labels.append(f"<b>✓ {text}</b>" if own and k == episode.answer else text)
    for answers, shares in own:
        hover = f"{answers.who}<br>%{{y}}: %{{x:.3f}}"
        if answers.kind == "model":
            text = {"marker_color": theme.WHO["model"].colour, "hovertemplate": f"{hover}<extra></extra>"}
            figure.add_bar(x=shares, y=places, orientation="h", width=0.55, **text, **axes)
        else:
            mark, mask = marker(answers.who, answers.kind) | {"size": 20}, shares > 0
            marks(figure, shares[mask], np.array(places)[mask], mark, hover, cliponaxis=False, **axes)
    if not own:
        figure.add_scatter(x=[None], y=[None], **axes)
    if chosen and own:
        marks(figure, 1.1, 1 - chosen, marker("you", "person") | {"size": 13}, "your name", **axes)
    figure.update_yaxes(
        tickvals=places, ticktext=labels, range=[-OPTIONS + 0.4, 0.6], zeroline=False, showgrid=False, **axes
    )
    figure.update_xaxes(range=[0, 1.16], tickvals=[0, 0.5, 1], visible=bool(own), **axes)


def _sentence(row: int, episode: Episode, answers: Sequence[Answers], given: Sequence[np.ndarray]) -> str:
    """Return an episode in words."""
    options = episode.trial.options
    if not answers:
        return f"Episode {row + 1}: the last picture is called {', '.join(options[:-1])} or {options[-1]}."
    shares = ", ".join(
        f"{answer.who} gives it {share[row][episode.answer]:.2f}" for answer, share in zip(answers, given, strict=True)
    )
    return f"Episode {row + 1}: right is {options[episode.answer]}; {shares}."


def growth(table: pd.DataFrame, title: str = "What six panels teach") -> go.Figure:
    """Return accuracy by the number of visible panels, a line for each learner.

    Parameters
    ----------
    table : DataFrame
        A table from `ablation.growth`; rows of the kind ``you`` are drawn in the user's colour.

    Raises
    ------
    InputError
        There are more floors, observers or models than line styles.
    """
    note = f"n = {span(table.n)} episodes, the same for all; bars: 95 %; faint line: one in five"
    figure = theme.figure(title, 440, note, margin={"r": 216, "t": 84})
    figure.add_hline(CHANCE, line={"color": theme.HAIRLINE, "width": 1}, layer="below")
    ends, texts, counts = [], [], dict.fromkeys(theme.WHO, 0)
    for (player, kind, inputs), part in table.groupby(["who", "kind", "inputs"], sort=False):
        mark, place = theme.WHO[kind], counts[kind]
        counts[kind] += 1
        is_level = kind in ("floor", "observer")
        dashes = (mark.dash, *(style for style in _DASHES if style != mark.dash)) if is_level else ("solid", *_DASHES)
        if place >= len(dashes):
            raise InputError(f"{place + 1} of the kind {kind}", f"at most {len(dashes)}, whose lines can be told apart")
        dash = dashes[place]
        line(
            figure, part.panels, part.value, {"color": mark.colour, "dash": dash, "width": 2},
            f"{player} ({inputs})<br>%{{x}} panels: %{{y:.3f}}", mode="lines" if is_level else "lines+markers",
            marker={"symbol": mark.symbol, "size": 9}, error_y=None if is_level else error_bars(part, "value"),
            name=player,
        )  # fmt: skip
        sign = (
            theme.DASHES[dash]
            if is_level
            else {"you": "★"}.get(kind, "◆" if dash == "solid" else f"◆ {theme.DASHES[dash]}")
        )
        ends.append((part.value.iloc[-1], f"{sign} {player}", mark.colour))
        texts.append(f"{player}: " + ", ".join(f"{value:.2f}" for value in part.value))
    ends.reverse()  # learners with the same end are named in their order, from the top
    heights = name_ends(figure, sorted(ends, key=lambda end: end[0]), 0.055, 8, 12)
    figure.update_xaxes(title="panels seen", range=[-0.2, PANELS + 0.2], tickvals=list(range(PANELS + 1)))
    figure.update_yaxes(title=UP, range=[0, max(1.04, *(heights + 0.04))],
                        tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1])  # fmt: skip
    return with_alt(figure, f"Share right after 0 to {PANELS} panels. {'; '.join(texts)}.")
