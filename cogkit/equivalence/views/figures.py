"""Figures of answers by pair of members: the paper's heatmaps and graphs (Appendix B, Figures A4 to A15).

Shares of right answers have the colours of the paper's four bands. The random limit depends on a cell's trials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import plotly.graph_objects as go

from cogkit.equivalence import scoring
from cogkit.equivalence.problems.records import Design
from cogkit.equivalence.views import style
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.parts import line, marks, span

_ROW, _COLUMN = "sample", "comparison"
_FULL, _MANY, _CRAMPED = 13, 11, 9  # size of the numbers, points: alone, of more than five members, of several panels
_MARGIN = {"l": 56, "r": 16, "t": 136, "b": 16}
_BOX = 0.4  # half the side of the box that marks a cell's type
# Reflexivity is the diagonal, equivalence the remaining cells.
_BOXED = {"baseline": "solid", "symmetry": "4px,2px", "transitivity": "1px,2px"}
_LINES_MEANT = "boxes and arrows: — baseline (trained), - - - symmetry, ····· transitivity (equivalence: no box)"
_LEFT, _TOP = {"constraintoward": "left"}, {"constraintoward": "top"}
_ENDS = (scoring.SOFT_MASTERY, scoring.SOFT_MASTERY, scoring.MASTERY)  # of the bands below mastery
Panel = tuple[str, np.ndarray, Design]


def panel(matrix: np.ndarray, design: Design, n: int | np.ndarray, title: str = "") -> go.Figure:
    """Return one learner's answers as a heatmap, and beside it as a graph, like the paper.

    The heatmap has the share of right answers by sample and comparison. The graph has the members on a circle, and an
    arrow from sample to comparison for each pair that was tested. Lines are the paper's: baseline solid, symmetry
    dashed, transitivity (with equivalence) dotted, reflexivity a dashed loop.

    ``matrix`` (members, members) comes from `scoring.Answers.matrix`, sample first; NaN for untested pairs. The trained
    ``design`` gives the type of each cell. ``n`` is trials in a cell, in all or in each: 5,040 with all trials of a
    design of the paper. It sets the random limit.
    """
    panels = [(title or design.condition, matrix, design)]
    figure = _sheet(panels, 2, n, 536)
    _heat(figure, matrix, design, n, _FULL if design.members <= 5 else _MANY, row=1, col=1)
    _arrows(figure, matrix, design, n, row=1, col=2)
    return with_alt(figure, _in_words(panels, n))


def heatmaps(panels: Sequence[Panel], n: int | np.ndarray, title: str, columns: int = 3) -> go.Figure:
    """Return several heatmaps side by side, such as the paper's twelve simulations.

    ``n`` is trials in a cell, the same in every panel; ``columns`` are panels in a row.
    """
    height = _MARGIN["t"] - (-len(panels) // columns) * (48 + 728 // columns)
    figure = _sheet(panels, columns, n, height, title)
    for place, (_, matrix, design) in enumerate(panels):
        _heat(figure, matrix, design, n, _CRAMPED, row=place // columns + 1, col=place % columns + 1)
    return with_alt(figure, _in_words(panels, n))


def _sheet(panels: Sequence[Panel], columns: int, n, height: int, title: str = "") -> go.Figure:
    """Return empty panels below the title and the key of bands and lines; with a title, each panel has its name."""
    has_gaps = any(np.isnan(matrix).any() for _, matrix, _ in panels)
    rows = -(-len(panels) // columns)
    figure = theme.figure(
        title or panels[0][0], height, f"share right by sample (row) and comparison (column); n = {_counted(n)} trials "
        "a cell", _bands_meant(n) + "&nbsp; – not tested" * has_gaps, _LINES_MEANT, rows=rows, columns=columns,
        margin=_MARGIN, subplot_titles=[name for name, _, _ in panels] if title else None,
        horizontal_spacing=0.16 / columns, vertical_spacing=0.24 / rows,
    )  # fmt: skip
    return figure.update_annotations(font={"size": 12}, yshift=18)


def _counted(n) -> str:
    return span(np.unique(n)[np.unique(n) > 0], " to ")


def _bands_meant(n) -> str:
    """Return each band in its colour with its limits; n sets the random limit.

    In a cell of few trials, guessing can reach soft mastery. Then no share counts as above random.
    """
    counts = set(np.unique(n)) - {0}
    limits = {name: f"< {end}" for name, end in zip(style.BANDS, _ENDS, strict=False)}
    limits["mastery"] = f"≥ {scoring.MASTERY}"
    limit = scoring.random_limit(int(min(counts))) if len(counts) == 1 else None
    if limit is None or limit < scoring.SOFT_MASTERY:
        limits["random"] = "by n" if limit is None else f"≤ {limit:.3f}"
    else:
        del limits["above random"]
    return "&nbsp; ".join(f"{theme.coloured(style.BANDS[name], '■')} {name} {words}" for name, words in limits.items())


def _heat(figure: go.Figure, matrix: np.ndarray, design: Design, n, size: int, **cell) -> None:
    """Draw one heatmap: the band as colour, the share as a number, the type as a box."""
    names, band_names, side = style.letters(design), style.bands(matrix, n, design), range(design.members)
    order = list(style.BANDS)
    z = np.array([[order.index(band) if band else np.nan for band in row] for row in band_names])
    steps = [(k + end) / len(order) for k in range(len(order)) for end in (0, 1)]
    scale = [[step, style.BANDS[order[k // 2]]] for k, step in enumerate(steps)]
    pairs = design.pairs()
    labels = (pairs["sample"] + " → " + pairs.comparison + ", " + pairs.relation).to_numpy().reshape(z.shape)
    figure.add_heatmap(
        z=z, zmin=-0.5, zmax=len(order) - 0.5, colorscale=scale, showscale=False, xgap=2, ygap=2, hoverongaps=False,
        customdata=np.dstack([labels, np.where(np.isnan(matrix), "", np.char.mod("%.3f", matrix)), band_names]),
        hovertemplate="%{customdata[0]}<br>%{customdata[1]}, %{customdata[2]}<extra></extra>", **cell,
    )  # fmt: skip
    rows, columns = np.divmod(np.arange(design.members**2), design.members)
    dark = band_names.ravel() == order[-1]
    texts = np.array([_number(share, size) for share in np.ravel(matrix)])
    for on, colour in ((dark, theme.WHITE), (~dark, theme.BLACK)):
        figure.add_scatter(
            x=columns[on], y=rows[on], text=texts[on], mode="text", textfont={"size": size, "color": colour},
            hoverinfo="skip", **cell,
        )  # fmt: skip
        for relation, dash in _BOXED.items():
            cells = on & (pairs.relation == relation).to_numpy()
            x, y = _boxes(columns[cells], (-1, 1, 1, -1, -1)), _boxes(rows[cells], (-1, -1, 1, 1, -1))
            line(figure, x, y, {"color": colour, "dash": dash, "width": size / 9}, **cell)
    axis = {"tickvals": list(side), "ticktext": names, "ticks": "", "showline": False, "showgrid": False}
    ends = design.members - 0.5
    figure.update_xaxes(axis | {"side": "top", "range": [-0.5, ends], "constrain": "domain"} | _LEFT, **cell)
    across = figure.get_subplot(cell["row"], cell["col"]).xaxis.anchor.replace("y", "x")
    upright = {"range": [ends, -0.5], "zeroline": False, "scaleanchor": across, "constrain": "domain"}
    figure.update_yaxes(axis | upright | _TOP, **cell)


def _number(share: float, size: int) -> str:
    """Return a share for a cell: three decimals as in the paper, two if there is little space."""
    if np.isnan(share):
        return "–"
    return f"{share:.3f}" if size > _CRAMPED else f"{share:.2f}".removeprefix("0")


def _boxes(centres: np.ndarray, sides: Iterable[int]) -> list:
    """Return one coordinate of a box around each centre, as one line with gaps between boxes."""
    return [value for centre in centres.tolist() for value in (*(centre + _BOX * side for side in sides), None)]


def _arrows(figure: go.Figure, matrix: np.ndarray, design: Design, n, **cell) -> None:
    """Draw one graph: a line for every kind of pair in every band, then heads and members."""
    band_names, groups = style.bands(matrix, n, design), {}
    for arrow in style.arrows(design):
        band = band_names[arrow.sample, arrow.comparison]
        if band:
            groups.setdefault((band, arrow.relation), []).append(arrow)
    names, order = style.letters(design), list(style.BANDS)
    for (band, relation), several in sorted(groups.items(), key=lambda item: order.index(item[0][0])):
        colour = style.BANDS[band]
        x, y = zip(*(point for arrow in several for point in (*arrow.path.round(3), (None, None))), strict=True)
        width = 2 if relation == "baseline" else 1.4
        line(figure, x, y, {"color": colour, "dash": style.DASHES[relation], "width": width}, **cell)
        labels = [f"{names[a.sample]} → {names[a.comparison]}, {relation}" for a in several]
        shares = [f"{matrix[a.sample, a.comparison]:.3f}, {band}" for a in several]
        ends = np.array([a.path[-1] for a in several]).round(3)
        head = {"symbol": "arrow", "size": 9, "color": colour, "angle": [round(a.heading) for a in several]}
        text = {"customdata": np.column_stack([labels, shares])}
        marks(figure, ends[:, 0], ends[:, 1], head, "%{customdata[0]}<br>%{customdata[1]}", **text, **cell)
    member = {"size": 24, "color": "white", "line": {"color": theme.INK, "width": 1}}
    x, y = style.nodes(design).T
    marks(figure, x, y, member, "", mode="markers+text", text=names, textfont={"size": 13}, **cell)
    reach = [-1.42, 1.42]
    figure.update_xaxes(visible=False, range=reach, constrain="domain", **_LEFT, **cell)
    across = figure.get_subplot(cell["row"], cell["col"]).xaxis.anchor.replace("y", "x")
    figure.update_yaxes(visible=False, range=reach, scaleanchor=across, constrain="domain", **cell)


def _in_words(panels: Iterable[Panel], n) -> str:
    """Return a sentence for each panel: the number of pairs in each band, by relation."""
    sentences = []
    for name, matrix, design in panels:
        names, parts = style.bands(matrix, n, design).ravel(), []
        for relation, part in design.pairs().groupby("relation", sort=False):
            counts = Counter(names[part.index].tolist())
            texts = [f"{counts[band]} {band or 'not tested'}" for band in (*style.BANDS, "") if counts[band]]
            parts.append(f"{relation} {', '.join(texts)}")
        sentences.append(f"{name}: {'; '.join(parts)}.")
    return f"Pairs of members by type and band. {' '.join(sentences)}"
