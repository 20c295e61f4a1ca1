"""Figures of answers by pair of members: the paper's heatmaps and graphs (Appendix B, Figures A4 to A15).

Shares of right answers have the colours of the paper's four bands. The random limit depends on a cell's trials.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.equivalence import scoring
from cogkit.equivalence.problems.records import Design
from cogkit.equivalence.views import style
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.figures import heatmap
from cogkit.ui.parts import line, marks, span

_FULL, _MANY, _CRAMPED = 13, 11, 9  # size of the numbers, points: alone, of more than five members, of several panels
# Reflexivity is the diagonal, equivalence the remaining cells.
_BOXED = {"baseline": "solid", "symmetry": "4px,2px", "transitivity": "1px,2px"}
_LINES_MEANT = "boxes and arrows: — baseline (trained), - - - symmetry, ····· transitivity (equivalence: no box)"
_TABLE = "by sample (row) and comparison (column)"
_GRAPH = "by arrow, from sample to comparison; pairs at random have none"
_ENDS = (f"< {scoring.SOFT_MASTERY}", f"< {scoring.MASTERY}", f"≥ {scoring.MASTERY}")  # of the bands above random
Panel = tuple[str, np.ndarray, Design]


def panel(matrix: np.ndarray, design: Design, n: int | np.ndarray, title: str) -> go.Figure:
    """Return one learner's answers as a heatmap, and beside it as a graph, like the paper.

    The heatmap has the share of right answers by sample and comparison. The graph has the members on a circle, and an
    arrow from sample to comparison for each pair that was tested. Lines are the paper's: baseline solid, symmetry
    dashed, transitivity (with equivalence) dotted, reflexivity a dashed loop.

    ``matrix`` (members, members) comes from `scoring.Answers.matrix`, sample first; NaN for untested pairs. The trained
    ``design`` gives the type of each cell. ``n`` is trials in a cell, in all or in each: 5,040 with all trials of a
    design of the paper. It sets the random limit.
    """
    table = _cells((title, matrix, design), n)
    figure = theme.figure(title, 536, *_notes(table, n), columns=2, horizontal_spacing=0.08)
    heatmap(table, "comparison", "sample", "band", text="text", box="box", colours=style.BANDS, on=(figure, 1, 1))
    figure.update_xaxes(title="comparison", row=1, col=1).update_yaxes(title="sample", row=1, col=1)
    _arrows(figure, table, design, row=1, col=2)
    return _sized(with_alt(figure, _in_words(table)), _FULL if design.members <= 5 else _MANY)


def heatmaps(panels: Sequence[Panel], n: int | np.ndarray, title: str, columns: int = 3) -> go.Figure:
    """Return several heatmaps side by side, such as the paper's twelve simulations.

    ``n`` is trials in a cell, the same in every panel; ``columns`` are panels in a row.
    """
    table = pd.concat([_cells(each, n) for each in panels])
    table = table.assign(text=table.share.map("{:.2f}".format).str.removeprefix("0").mask(table.band == "", "–"))
    figure = heatmap(
        table, "comparison", "sample", "band", text="text", box="box", colours=style.BANDS, panel="panel", wrap=columns,
        height=640 / columns, title=title, notes=_notes(table, n), across="comparison", up="sample",
        horizontal_spacing=0.16 / columns,
    )  # fmt: skip
    return _sized(with_alt(figure, _in_words(table)), _CRAMPED)


def graphs(panels: Sequence[Panel], n: int | np.ndarray, title: str, columns: int = 3) -> go.Figure:
    """Return several graphs side by side, each as in `panel` but without the pairs at random; see `heatmaps`."""
    tables, rows = [_cells(each, n) for each in panels], -(-len(panels) // columns)
    figure = theme.figure(
        title, 120 + 270 * rows, *_notes(pd.concat(tables), n, _GRAPH), rows=rows, columns=columns,
        margin={"l": 24, "r": 24, "b": 16}, subplot_titles=[name for name, _, _ in panels], horizontal_spacing=0.02,
        vertical_spacing=0.16 / rows,
    )  # fmt: skip
    for place, (table, (_, _, design)) in enumerate(zip(tables, panels, strict=True)):
        pairs = table["sample"] + " → " + table.comparison + " " + table.text
        above = table.assign(band=table.band.replace("random", ""), hover=pairs)
        _arrows(figure, above, design, coarse=True, row=place // columns + 1, col=place % columns + 1)
    return with_alt(figure, _in_words(pd.concat(tables)))


def _cells(panel: Panel, n: int | np.ndarray) -> pd.DataFrame:
    """Return one row for each pair of members: columns of `Design.pairs`, panel, band, share, text, box and hover."""
    name, matrix, design = panel
    table = design.pairs().assign(panel=name, band=style.bands(matrix, n).ravel(), share=np.ravel(matrix))
    texts = table.share.map("{:.3f}".format).mask(table.band == "", "–")
    pair = table["sample"] + " → " + table.comparison + ", " + table.relation
    box = table.relation.map(_BOXED).fillna("").mask(table.band == "", "")
    return table.assign(text=texts, box=box, hover=pair + "<br>" + texts + ", " + table.band)


def _notes(table: pd.DataFrame, n: int | np.ndarray, what: str = _TABLE) -> list[str]:
    """Return what n is, each band in its colour with its limits, and what lines mean; n sets the random limit.

    In a cell of few trials, guessing can reach soft mastery. Then no share counts as above random.
    """
    counts = np.unique(n)[np.unique(n) > 0]
    limit = scoring.random_limit(int(counts[0])) if len(counts) == 1 else np.nan
    limits = dict(zip(style.BANDS, ("by n" if np.isnan(limit) else f"≤ {limit:.3f}", *_ENDS), strict=True))
    if limit >= scoring.SOFT_MASTERY:
        limits["random"] = limits.pop("above random")
    key = [f"{theme.coloured(style.BANDS[name], '■')} {name} {words}" for name, words in limits.items()]
    key += ["– not tested"] if (table.band == "").any() else []
    head = f"share right {what}; n = {span(counts, ' to ')} trials a cell"
    return [head, "&nbsp; ".join(key), _LINES_MEANT]


def _sized(figure: go.Figure, size: int) -> go.Figure:
    """Give numbers in cells a size; boxes are black, as the bands are not those of a theme."""
    figure.update_traces(textfont_size=size, selector={"type": "heatmap"})
    return figure.update_traces(line={"color": theme.BLACK, "width": size / 9}, selector={"line.color": theme.INK})


def _arrows(figure: go.Figure, table: pd.DataFrame, design: Design, coarse: bool = False, **cell) -> None:
    """Draw one graph: a line for every kind of pair in every band, then heads and members.

    In coarse ones, for small graphs, lines have half as many points, with smooth curves between them.
    """
    shape = "spline" if coarse else "linear"
    arrows = [arrow[::2].round(2) if coarse else arrow.round(3) for arrow in style.arrows(design)]
    tested = table.assign(arrow=arrows)[table.band != ""]
    tested = tested.assign(band=pd.Categorical(tested.band, list(style.BANDS)))  # the worst first
    for (band, relation), part in tested.groupby(["band", "relation"], observed=True):
        points = [point for arrow in part.arrow for point in (*arrow, (None, None))]
        width = 2 if relation == "baseline" else 1.4
        stroke = {"color": style.BANDS[band], "dash": style.DASHES[relation], "width": width, "shape": shape}
        x, y = zip(*points, strict=True)
        line(figure, x, y, stroke, **cell)
        angles = [round(style.heading(arrow)) for arrow in part.arrow]
        head = {"symbol": "arrow", "size": 9, "color": style.BANDS[band], "angle": angles}
        x, y = np.array([arrow[-1] for arrow in part.arrow]).T
        marks(figure, x, y, head, "%{customdata}", customdata=part.hover, **cell)
    member = {"size": 24, "color": "white", "line": {"color": theme.INK, "width": 1}}
    x, y = style.nodes(design).T
    marks(figure, x, y, member, mode="markers+text", text=design.letters, textfont_size=13, **cell)
    across = figure.get_subplot(cell["row"], cell["col"]).xaxis.anchor.replace("y", "x")
    figure.update_xaxes(visible=False, range=[-1.42, 1.42], constrain="domain", **cell)
    figure.update_yaxes(visible=False, range=[-1.42, 1.42], scaleanchor=across, constrain="domain", **cell)


def _in_words(table: pd.DataFrame) -> str:
    """Return a sentence for each panel: the number of pairs in each band, by relation."""
    sentences, bands = [], [*style.BANDS, ""]
    for name, cells in table.groupby("panel", sort=False):
        counts = pd.crosstab(cells.relation, cells.band).reindex(columns=bands, fill_value=0)
        parts = [
            f"{relation} " + ", ".join(f"{n} {band or 'not tested'}" for band, n in counts.loc[relation].items() if n)
            for relation in dict.fromkeys(cells.relation)
        ]
        sentences.append(f"{name}: {'; '.join(parts)}.")
    return f"Pairs of members by type and band. {' '.join(sentences)}"
