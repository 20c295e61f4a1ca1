"""The figure of beliefs: what a word can mean for the ideal observer, and what a word learner holds it to mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.mewl.problems import tokens
from cogkit.mewl.problems.episodes import PANELS, Episode
from cogkit.mewl.views.names import called
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.parts import line, name_rows

MIXED = "mixed"  # as `probing.MIXED`; that module brings torch, which other figures do not need
_MOST = (8, 6, 4)  # meanings of a heatmap, by how many words there are
_LETTERS = 18  # in a line of a meaning's name
_SEEN = 0.05  # a meaning that never has this probability is not worth a row
_ROWS, _SURE, _BETWEEN = (22, 32), 88, 38  # pixels: of a meaning in one line or in two, of the last panel, of a gap
_SIDES = {"r": 64, "t": 112}
_SAID, _LETTER = 14, 7  # pixels of a line of the words said in a panel, and of a letter beside a heatmap
_SCALE = {
    "title": {"text": "proba-<br>bility", "font": {"size": 11}}, "tickvals": [0, 0.5, 1], "tickfont": {"size": 11},
    "thickness": 10, "lenmode": "pixels", "len": 132, "x": 1.03, "xanchor": "left", "y": 1, "yanchor": "top",
    "outlinewidth": 0,
}  # fmt: skip
_KEY = "colour: the probability of a meaning after so many panels; empty: struck out"
_PROBED = "learner: a probe named its hypotheses after training; those of one name are added up"


@dataclass(frozen=True, eq=False)
class _Heat:
    """What one learner makes of one word.

    Attributes
    ----------
    title : str
        With the mark and the name of the learner.
    kind : str
        The learner's kind, as in `theme.WHO`.
    shares : DataFrame
        The probability of each meaning (row) after 0 to 6 panels; missing where it is struck out, or nothing is known.
    texts : DataFrame
        What the pointer shows, in the same cells.
    sure : Series
        The probability of the likeliest meaning, by panels.
    description : str
        The same in words.
    """

    title: str
    kind: str
    shares: pd.DataFrame
    texts: pd.DataFrame
    sure: pd.Series
    description: str

    @property
    def names(self) -> list[str]:
        """The meanings, in lines that fit beside the heatmap."""
        return ["<br>".join(theme.wrapped(str(name), _LETTERS)) for name in self.shares.index]

    @property
    def height(self) -> int:
        """Its height in pixels."""
        return len(self.shares) * _ROWS[any("<br>" in name for name in self.names)]


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
    most, heats = _MOST[min(len(words), len(_MOST)) - 1], []
    for word in words:
        heats.append(_ideal(word, possible[possible.word == word], most))
        if learnt is not None:
            heats.append(_believed(word, learnt[learnt.word == word], most, who, kind))
    figure = _laid_out(episode, words, heats)
    for row, heat in enumerate(heats, start=1):
        figure.add_heatmap(
            z=heat.shares.to_numpy(), x=list(heat.shares), text=heat.texts.to_numpy(), coloraxis="coloraxis",
            xgap=2, ygap=2, hovertemplate="%{text}<extra></extra>", row=row, col=1,
        )  # fmt: skip
        places = {name: place for place, name in enumerate(heat.names)}
        ends = {"range": [len(places) - 0.5, -0.5], "ticks": "", "showgrid": False, "tickfont": {"size": 12}}
        name_rows(figure, places, **ends, row=row, col=1)
    _sureness(figure, heats, len(heats) + 1)
    return with_alt(figure, f"Meanings after 0 to {PANELS} panels. {' '.join(heat.description for heat in heats)}")


def _ideal(word: str, table: pd.DataFrame, most: int) -> _Heat:
    shares = _by_panels(table)
    left, top_shares = (shares > 0).sum(), _first(shares, most).replace(0, np.nan)
    texts = _texts(word, top_shares, "struck out")
    title = f"{_signed('observer')}: what <b>{word}</b> can mean"
    description = f"Ideal observer, meanings of {word} that are left: {', '.join(map(str, left))}."
    return _Heat(title, "observer", top_shares, texts, shares.max(), description)


def _believed(word: str, table: pd.DataFrame, most: int, who: str, kind: str) -> _Heat:
    alone = table.meaning == MIXED  # two of these need not mean the same
    numbered = MIXED + ", no. " + table.hypothesis.astype(str)
    table = table.assign(meaning=table.meaning.mask(alone, numbered))
    shares = _by_panels(table)
    top_shares = _first(shares, most)
    ends = {name: _about(rows) for name, rows in table[table.meaning.isin(top_shares.index)].groupby("meaning")}
    texts = _texts(word, top_shares, "not heard of yet", ends)
    likeliest = [f"{shares[k].idxmax()} {shares[k].max():.2f}" for k in shares if shares[k].notna().any()]
    description = f"Likeliest meaning of {word} for {who}: {', '.join(likeliest)}."
    title = f"{_signed(kind, who)}: what it believes of <b>{word}</b>"
    return _Heat(title, kind, top_shares, texts, shares.max(), description)


def _by_panels(table: pd.DataFrame) -> pd.DataFrame:
    """Return the probability of each meaning (row) after 0 to 6 panels; the likeliest at the end comes first."""
    shares = table.groupby(["meaning", "panels"], sort=False).probability.sum().unstack("panels")
    shares = shares.reindex(columns=range(PANELS + 1))
    order = sorted(shares.index, key=lambda name: (-round(shares[PANELS][name], 6), -shares.loc[name].sum()))
    return shares.loc[order]


def _first(shares: pd.DataFrame, most: int) -> pd.DataFrame:
    """Return the meanings with the highest probabilities, in their order, and the others added up."""
    first = shares[shares.max(axis=1) >= _SEEN].sum(axis=1).nlargest(most).index
    rest = shares.drop(first)
    if len(rest) < 2:  # by its name, one alone takes no more space
        return shares
    return pd.concat([shares.drop(rest.index), rest.sum(min_count=1).to_frame(f"{len(rest)} others").T])


def _texts(word: str, shares: pd.DataFrame, missing: str, ends: Mapping[str, str] = {}) -> pd.DataFrame:
    """Return what the pointer shows on each cell; ``ends`` are the last lines, by meaning."""

    def text(name: str, panels: int, share: float) -> str:
        label = missing if np.isnan(share) else f"probability {share:.2f}"
        return f"{word}: {name}<br>after {panels} panel{'s' * (panels != 1)}: {label}{ends.get(name, '')}"

    rows = [[text(str(name), *cell) for cell in row.items()] for name, row in shares.iterrows()]
    return pd.DataFrame(rows, shares.index, shares.columns)


def _about(rows: pd.DataFrame) -> str:
    """Return in words which hypotheses have a meaning, and how purely."""
    count, kinds = rows.hypothesis.nunique(), ", ".join(dict.fromkeys(rows.kind))
    purity = np.average(rows.purity, weights=rows.probability + 1e-12)
    return f"<br>{count} hypothes{'es' if count > 1 else 'is'}, kind: {kinds}<br>purity {purity:.2f}"


def _signed(kind: str, who: str = "") -> str:
    """Return the name of a learner behind its mark, in its colour."""
    mark = theme.WHO[kind]
    sign = theme.DASHES[mark.dash] if kind == "observer" else "◆"
    return theme.coloured(mark.colour, f"{sign} {called(who) or mark.label}")


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _laid_out(episode: Episode, words: list[str], heats: list[_Heat]) -> go.Figure:
    """Return the empty panels, one below the other, with their titles and the axis that they share."""
    heights = [*(heat.height for heat in heats), _SURE]
    panel_words = [tuple(tokens.new_words([panel.utterance])) for panel in episode.trial.panels]
    foot = 48 + _SAID * max(map(len, panel_words))
    longest = max(len(part) for heat in heats for name in heat.names for part in name.split("<br>"))
    margin = _SIDES | {"l": 20 + _LETTER * max(longest, 4), "b": foot}
    inner, alone = sum(heights) + _BETWEEN * len(heats), all(heat.kind == "observer" for heat in heats)
    title = f"What {'does' if len(words) == 1 else 'do'} {_listed(words)} mean?"
    sure = f"How sure is {'it' if alone else 'each'}? The probability of its likeliest meaning"
    figure = theme.figure(
        title, _SIDES["t"] + inner + foot, _KEY, *([] if alone else [_PROBED]), rows=len(heights),
        margin=margin, row_heights=heights, vertical_spacing=_BETWEEN / inner, shared_xaxes=True,
        subplot_titles=[*(heat.title for heat in heats), sure],
        coloraxis={"colorscale": "Cividis", "cmin": 0, "cmax": 1, "colorbar": _SCALE},
    )  # fmt: skip
    figure.update_annotations(x=0, xanchor="left", yshift=2)
    names = [
        "<br>".join(theme.coloured(theme.INK if word in words else theme.QUIET, word) for word in heard)
        for heard in ((), *panel_words)
    ]
    ticks = [f"<b>{k}</b><br>{name}" for k, name in enumerate(names)]
    figure.update_xaxes(range=[-0.5, PANELS + 0.5], showline=False, ticks="", automargin=False,
                        tickvals=list(range(PANELS + 1)), ticktext=ticks, tickangle=0,
                        tickfont={"size": 10})  # fmt: skip
    figure.update_xaxes(title="panels seen, and the new words in each", row=len(heights), col=1)
    return figure


def _sureness(figure: go.Figure, heats: list[_Heat], row: int) -> None:
    """Draw for each learner the probability of its likeliest meaning, as a mean over the words."""
    for kind in dict.fromkeys(heat.kind for heat in heats):
        sure = pd.concat([heat.sure for heat in heats if heat.kind == kind], axis=1).mean(axis=1)
        mark, level = theme.WHO[kind], kind == "observer"
        line(
            figure, list(sure.index), sure, {"color": mark.colour, "width": 2, "dash": mark.dash if level else "solid"},
            f"{mark.label}<br>%{{x}} panels: %{{y:.2f}}", mode="lines" if level else "lines+markers",
            marker={"symbol": mark.symbol, "size": 8}, name=mark.label, cliponaxis=False, row=row, col=1,
        )  # fmt: skip
    figure.update_yaxes(range=[0, 1.04], tickvals=[0, 0.5, 1], row=row, col=1)
