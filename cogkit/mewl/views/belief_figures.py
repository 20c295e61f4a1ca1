"""The figure of beliefs: what a word can mean for the ideal observer, and what a word learner holds it to mean."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.core.errors import some
from cogkit.mewl.problems import tokens
from cogkit.mewl.problems.episodes import PANELS, Episode
from cogkit.mewl.views.names import called
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.figures import heatmap, lines

MIXED = "mixed"  # as `beliefs.MIXED`; that module brings torch, which other figures do not need
_MOST = (8, 6, 4)  # meanings of a heatmap, by how many words there are
_LETTERS = 18  # in a line of a meaning's name
_SEEN = 0.05  # a meaning that never has this probability is not worth a row
_ROWS, _SURE, _BETWEEN = (22, 32), 88, 38  # pixels: of a meaning in one line or in two, of the last panel, of a gap
_TOP, _SAID, _LETTER = 112, 14, 7  # pixels: over all, of a line of the words said in a panel, of a letter at the left
_SCALE = {
    "title": {"text": "proba-<br>bility", "font": {"size": 11}}, "tickvals": [0, 0.5, 1], "tickfont": {"size": 11},
    "thickness": 10, "lenmode": "pixels", "len": 132, "x": 1.03, "xanchor": "left", "y": 1, "yanchor": "top",
    "outlinewidth": 0,
}  # fmt: skip
_KEY = "colour: the probability of a meaning after so many panels; empty: struck out"
_PROBED = "learner: a probe named its hypotheses after training; those of one name are added up"


class _Heat(NamedTuple):
    """What one learner makes of one word.

    Attributes
    ----------
    title, kind : str
        With the mark and the name of the learner; its kind, as in `theme.WHO`.
    cells : DataFrame
        A row for each meaning and number of panels: meaning, panels, value (missing where it is struck out, or nothing
        is known), hover.
    sure : Series
        The probability of the likeliest meaning, by panels.
    words : str
        The same in words.
    """

    title: str
    kind: str
    cells: pd.DataFrame
    sure: pd.Series
    words: str


def beliefs(
    episode: Episode, possible: pd.DataFrame, learnt: pd.DataFrame | None = None, who: str = "word learner",
    kind: str = "model",
) -> go.Figure:  # fmt: skip
    """Return what the words of the right name can mean, panel by panel, and what a word learner holds them to mean.

    For each word there is a heatmap of the ideal observer and, below it, one of the learner, where hypotheses that have
    come to mean the same are added up. A line at the bottom shows how sure each of them is: the probability of its
    likeliest meaning, as a mean over the words.

    Parameters
    ----------
    episode : Episode
    possible : DataFrame
        A table from `beliefs.possible`.
    learnt : DataFrame, optional
        A table from `beliefs.learnt`. By default the ideal observer stands alone.
    who, kind : str
        The learner's name, and its kind in `theme.WHO`: ``model``, or ``yours`` for the reader's own.
    """
    words = [word for word in episode.trial.options[episode.answer].split() if word in {*possible.word}]
    most, players = _MOST[min(len(words), len(_MOST)) - 1], [("observer", "ideal observer", possible)]
    players += [] if learnt is None else [(kind, who, learnt)]
    heats = [_heat(word, table[table.word == word], most, *player) for word in words for *player, table in players]
    spoken = _said(episode, words)
    names = [list(heat.cells.meaning.unique()) for heat in heats]  # in lines that fit beside the heatmap
    heights = [len(rows) * _ROWS[any("<br>" in name for name in rows)] for rows in names] + [_SURE]
    foot, inner = 48 + _SAID * max(name.count("<br>") + 1 for name in spoken), sum(heights) + _BETWEEN * len(heats)
    longest = max(len(part) for rows in names for name in rows for part in name.split("<br>"))
    sure = f"How sure is {'it' if learnt is None else 'each'}? The probability of its likeliest meaning"
    figure = theme.figure(
        f"What {'does' if len(words) == 1 else 'do'} {some(words, last=' and ')} mean?", _TOP + inner + foot, _KEY,
        *([] if learnt is None else [_PROBED]), rows=len(heights), row_heights=heights,
        vertical_spacing=_BETWEEN / inner, shared_xaxes=True, subplot_titles=[*(heat.title for heat in heats), sure],
        margin={"l": 20 + _LETTER * max(longest, 4), "r": 64, "t": _TOP, "b": foot},
    )  # fmt: skip
    figure.update_annotations(x=0, xanchor="left", yshift=2)
    last = len(heights)
    for row, heat in enumerate(heats, start=1):
        heatmap(heat.cells, "panels", "meaning", reach=(0, 1), on=(figure, row, 1))
        figure.update_yaxes(tickfont={"size": 12}, row=row, col=1)
    figure.data[0].update(showscale=True, colorbar=_SCALE)
    likeliest = pd.concat([heat.sure.rename("value").reset_index().assign(kind=heat.kind) for heat in heats])
    likeliest = likeliest.groupby(["kind", "panels"], sort=False).value.mean().reset_index()
    likeliest = likeliest.assign(who=likeliest.kind.map(lambda kind: theme.WHO[kind].label))
    lines(likeliest, "panels", across="panels", up="", reach=(0, 1.04), digits=2, named=False, on=(figure, last, 1))
    figure.update_traces(cliponaxis=False, selector={"type": "scatter"})
    ticks = [f"<b>{k}</b><br>{name}" for k, name in enumerate(spoken)]
    figure.update_xaxes(range=[-0.5, PANELS + 0.5], showline=False, ticks="", automargin=False,
                        tickvals=list(range(PANELS + 1)), ticktext=ticks, tickangle=0, title="",
                        tickfont={"size": 10})  # fmt: skip
    figure.update_xaxes(title="panels seen, and the new words in each", row=last, col=1)
    figure.update_yaxes(tickvals=[0, 0.5, 1], row=last, col=1)
    return with_alt(figure, f"Meanings after 0 to {PANELS} panels. {' '.join(heat.words for heat in heats)}")


def _heat(word: str, table: pd.DataFrame, most: int, kind: str, who: str) -> _Heat:
    ideal, ends = kind == "observer", {}
    if not ideal:  # two hypotheses that are mixed need not mean the same
        numbered = MIXED + ", no. " + table.hypothesis.astype(str)
        table = table.assign(meaning=table.meaning.mask(table.meaning == MIXED, numbered))
        ends = {name: _about(rows) for name, rows in table.groupby("meaning")}
    shares = table.groupby(["meaning", "panels"], sort=False).probability.sum().unstack("panels")
    shares = shares.reindex(columns=range(PANELS + 1))
    order = sorted(shares.index, key=lambda name: (-round(shares[PANELS][name], 6), -shares.loc[name].sum()))
    top = _first(shares.loc[order], most)
    cells = (top.replace(0, np.nan) if ideal else top).rename_axis("meaning").reset_index()
    cells = cells.melt("meaning", var_name="panels").sort_values("panels", kind="stable")
    missing = "struck out" if ideal else "not heard of yet"
    cells["hover"] = [
        f"{word}: {row.meaning}<br>after {row.panels} panel{'s' * (row.panels != 1)}: "
        f"{missing if np.isnan(row.value) else f'probability {row.value:.2f}'}{ends.get(row.meaning, '')}"
        for row in cells.itertuples()
    ]
    cells["meaning"] = ["<br>".join(theme.wrapped(str(name), _LETTERS)) for name in cells.meaning]
    mark = theme.WHO[kind]
    sign = theme.coloured(mark.colour, f"{theme.DASHES[mark.dash] if ideal else '◆'} {called(who)}")
    if ideal:
        left = ", ".join(map(str, (shares > 0).sum()))
        words = f"Ideal observer, meanings of {word} that are left: {left}."
    else:
        likeliest = [f"{shares[k].idxmax()} {shares[k].max():.2f}" for k in shares if shares[k].notna().any()]
        words = f"Likeliest meaning of {word} for {who}: {', '.join(likeliest)}."
    title = f"{sign}: {f'what <b>{word}</b> can mean' if ideal else f'what it believes of <b>{word}</b>'}"
    return _Heat(title, kind, cells, shares.max(), words)


def _first(shares: pd.DataFrame, most: int) -> pd.DataFrame:
    """Return the meanings with the highest probabilities, in their order, and the others added up."""
    first = shares[shares.max(axis=1) >= _SEEN].sum(axis=1).nlargest(most).index
    rest = shares.drop(first)
    if len(rest) < 2:  # by its name, one alone takes no more space
        return shares
    return pd.concat([shares.drop(rest.index), rest.sum(min_count=1).to_frame(f"{len(rest)} others").T])


def _about(rows: pd.DataFrame) -> str:
    """Return in words which hypotheses have a meaning, and how purely."""
    count, kinds = rows.hypothesis.nunique(), ", ".join(dict.fromkeys(rows.kind))
    purity = np.average(rows.purity, weights=rows.probability + 1e-12)
    return f"<br>{count} hypothes{'es' if count > 1 else 'is'}, kind: {kinds}<br>purity {purity:.2f}"


def _said(episode: Episode, words: list[str]) -> list[str]:
    """Return the new words of each panel one below the other, after none; those of the figure are in ink."""
    heard = [(), *(tokens.new_words([panel.utterance]) for panel in episode.trial.panels)]
    return ["<br>".join(theme.coloured(theme.INK if word in words else theme.QUIET, word) for word in panel)
            for panel in heard]  # fmt: skip
