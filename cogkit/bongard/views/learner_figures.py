"""Figures of a single learner: scores by concept, a map of its features, and its largest errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from PIL import Image

from cogkit.bongard.logo import raster
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.problems.records import A_SIDE, CHANCE, KINDS, SIDES, SUPPORT, Problem
from cogkit.bongard.problems.sets import TESTS
from cogkit.bongard.scoring import Answers
from cogkit.bongard.shapes.inventory import Shapes
from cogkit.bongard.views import style
from cogkit.bongard.views.figures import Sheet
from cogkit.core.errors import InputError
from cogkit.data import png
from cogkit.ui import files, theme
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import BETTER, QUARTERS
from cogkit.ui.figures import Level, dots
from cogkit.ui.parts import marks
from cogkit.ui.tables import Fold, folded

_LABELS = {  # filled or open, so that it reads without colour
    -1: ("not told", {"color": "#C4C4C4", "symbol": "circle"}),
    1: ("yes", {"color": theme.INK, "symbol": "circle"}),
    0: ("no", {"color": "#E69F00", "symbol": "circle-open", "line": {"width": 1.5}}),
}
_SIGNS = {"circle": "●", "circle-open": "○"}
_FRAMES = ({"color": theme.INK}, {"color": "#E69F00", "dash": "dot"})  # of positives and negatives
_QUERIES = ("Query A", "Query B")
_PICTURE, _THUMB = 72, 0.13  # pixels of a picture on the page; its share of an axis on a map
_DRAWN = 256  # pixels of a picture before it is cropped


def concepts(rows: pd.DataFrame, title: str = "Concept by concept") -> go.Figure:
    """Return shares of right answers by kind of concept, with 95 % intervals. Floors are strokes.

    ``rows`` are of one model, and of floors, for tasks such as ``FF/nact9``, ``BA/hexagon``, ``CM/with convex``. Pairs
    of attributes are left out.
    """
    table = _kinds(rows)
    model = table.kind != "floor"
    means = table[model].groupby("name").value.mean()
    table = table[table.name.isin(means.index)]
    model = table.kind != "floor"
    table = table.assign(
        panel=np.where(table.test.isin(("FF", "BA")), "free-form and basic", "abstract: ◆ CM, ◇ NV"),
        row=table.name.map(_group_label), mean=table.name.map(means), look=table.test.where(model, ""),
        shift=table.test.map({"CM": 0.14, "NV": -0.14}).fillna(0.0),
        low=table.low.where(model), high=table.high.where(model),
        hover=[f"{row.who}<br>{row.task}, n {row.n:,}<br>{row.value:.3f}" for row in table.itertuples()],
    ).sort_values(["panel", "mean"], ascending=False, kind="stable")  # fmt: skip
    most = table.groupby("panel").row.nunique().max()
    figure = dots(
        table, y="row", panel="panel", group="look", shift="shift", title=title, unit="answers a mark", shared=False,
        notes=["bars: 95 %; grey strokes: floors; dashed: chance"], height=20 * (max(most, 4) + 1), across=BETTER,
        looks={"NV": {"symbol": "diamond-open"}}, levels=[Level(CHANCE)], reach=(-0.03, 1.03), ticks=QUARTERS,
        horizontal_spacing=0.27,
    )  # fmt: skip
    figure.update_yaxes(tickfont_size=11)
    texts = [f"{row.task} {row.value:.2f}" for row in table[table.kind != "floor"].itertuples(index=False)]
    return with_alt(figure, f"Share right by kind of concept. {', '.join(texts)}.")


def _group_label(group: str) -> str:
    """Return the axis label of a group of problems."""
    kind = "ff" if group.startswith("nact") else "hd"
    return style.condition(kind, group.removeprefix("with "))


def _kinds(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows about kinds of concepts, with their test and the name of the kind."""
    parts = rows.task.str.partition("/")
    table = rows.assign(test=parts[0], name=parts[2])
    pairs = table.test.isin(("CM", "NV")) & ~table.name.str.startswith("with ")
    return table[(table.metric == "accuracy") & table.test.isin(TESTS) & (table.name != "") & ~pairs]


def embedding(
    features: np.ndarray, problems: Sequence[Problem], attribute: str, known: Shapes, place: int = 0,
    title: str = "Where pictures lie",
) -> go.Figure:  # fmt: skip
    """Return two maps of pictures by a network's features: the pictures of one problem, and all pictures as dots.

    Each map shows two principal components: of the fourteen pictures of the problem, and of all pictures. ``features``
    (n, 2, 7, d) come from `models.Agent.features`, for n abstract problems. ``attribute`` of the ``known`` shapes gives
    the dots their marks. ``place`` is the number of the problem in the first map.
    """
    near, share_near = _components(features[place])
    far, share_all = _components(features)
    labels = np.array(
        [[[_label(picture, attribute, known) for picture in side] for side in problem.sides] for problem in problems]
    )
    noun = style.attribute(attribute)
    groups = [(f"{noun}: {word}", labels == label, mark) for label, (word, mark) in _LABELS.items()]
    groups = [group for group in groups if group[1].any()]
    names = (f"one problem: {style.concept(problems[place])}", f"{labels.size:,} pictures of {len(problems)} problems")
    key = "&nbsp; ".join(f"{theme.coloured(look['color'], _SIGNS[look['symbol']])} {name}" for name, _, look in groups)
    figure = theme.figure(
        title, 560, "left: solid frames are positives, dashed ones negatives; thick: the two queries", f"right: {key}",
        columns=2, margin={"l": 40, "t": 136, "b": 48}, horizontal_spacing=0.08, column_titles=names,
    )  # fmt: skip
    _frames(figure, problems[place], near)
    for name, mask, mark in groups:
        x, y = far[mask].round(2).T
        marks(figure, x, y, mark | {"size": 5, "opacity": 0.55}, name, row=1, col=2)
    for column, shares in enumerate((share_near, share_all), 1):
        first, second = (f"{100 * share:.0f} % of the variance" for share in shares)
        bare = {"showticklabels": False, "ticks": "", "showgrid": False, "zeroline": False, "row": 1, "col": column}
        figure.update_xaxes(title=f"first component, {first}", **bare)
        figure.update_yaxes(title=f"second, {second}", showline=True, linecolor=theme.QUIET, **bare)
    between = np.linalg.norm(near[0].mean(axis=0) - near[1].mean(axis=0)) / near.std(axis=(0, 1)).mean()
    counts = ", ".join(f"{mask.sum()} with {name}" for name, mask, _ in groups)
    words = f"{names[0]}: the means of its two sides lie {between:.1f} standard deviations apart; {names[1]}: {counts}"
    return with_alt(figure, f"Two principal components of what a network makes of pictures. {words}.")


def _components(features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first two principal components of features, (..., 2), and their shares of the variance, (2,)."""
    # not from scikit-learn, whose import takes 40 MB and half a second
    flat = features.reshape(-1, features.shape[-1]).astype(float)
    variance, directions = np.linalg.eigh(np.cov(flat.T))
    directions = directions[:, :-3:-1]
    signs = np.sign(directions[np.abs(directions).argmax(axis=0), [0, 1]])
    placed = (flat - flat.mean(axis=0)) @ (directions * signs)
    return placed.reshape(*features.shape[:-1], 2), variance[:-3:-1] / max(variance.sum(), 1e-300)


def _label(picture: Picture, attribute: str, known: Shapes) -> int:
    """Return whether the shape of a picture has an attribute: 1, 0, or -1 if that is unknown."""
    (first, *others) = picture
    return known[first.name].attributes[attribute] if not others and first.name in known.by_name else -1


def _frames(figure: go.Figure, problem: Problem, spots: np.ndarray) -> None:
    """Draw the pictures of a problem at their places on the map, with a frame for each side."""
    low, high = spots.min(axis=(0, 1)), spots.max(axis=(0, 1))
    reach = (high - low) * (1 + _THUMB)
    size = reach * _THUMB
    axes = {"xref": "x", "yref": "y"}
    for side, (pictures, line) in enumerate(zip(problem.sides, _FRAMES, strict=True)):
        for number, (picture, (x, y)) in enumerate(zip(pictures, spots[side], strict=True)):
            half = size / 2
            figure.add_layout_image(
                source=_close(picture), x=x, y=y, sizex=size[0], sizey=size[1], xanchor="center",
                yanchor="middle", sizing="stretch", layer="below", **axes,
            )  # fmt: skip
            figure.add_shape(
                x0=x - half[0], x1=x + half[0], y0=y - half[1], y1=y + half[1], layer="above", **axes,
                line=line | {"width": 3.5 if number == SUPPORT else 1.5},
            )  # fmt: skip
        words = [style.where(side, number) for number in range(A_SIDE)]
        x, y = spots[side].T
        marks(figure, x, y, {"opacity": 0, "size": 36}, "%{customdata}", customdata=words, row=1, col=1)
    for axis, start, end in zip(("xaxis", "yaxis"), low - size * 0.6, high + size * 0.6, strict=True):
        figure.layout[axis].range = [float(start), float(end)]


def _close(picture: Picture) -> str:
    """Return a cropped picture, without empty paper around the drawing, as a data address."""
    pixels = raster.image(picture, _DRAWN)
    rows, columns = np.nonzero(pixels < 255)
    side = min(max(np.ptp(rows), np.ptp(columns)) + 8, _DRAWN)
    middle = [np.clip((values.min() + values.max() - side) // 2, 0, _DRAWN - side) for values in (rows, columns)]
    down, across = (slice(int(start), int(start + side)) for start in middle)
    cropped = Image.fromarray(pixels[down, across]).resize((_PICTURE, _PICTURE), Image.Resampling.BOX)
    return files.uri(png.pack(np.asarray(cropped)), "png")


def mistakes(answers: Answers, problems: Sequence[Problem], most: int = 3) -> list[Sheet]:
    """Return the problems with the largest errors of a learner, a sheet for each; the answers wait in a closed fold.

    ``answers`` are about the seventh picture of each side of these problems; `InputError` otherwise. The ``most``
    problems come first whose right answers got the lowest probability.
    """
    if answers.names != tuple(problem.name for problem in problems) or (answers.places != SUPPORT).any():
        raise InputError(
            f"answers to {len(answers.names)} questions", f"to both of each of these {len(problems)} problems"
        )
    chance = answers.chance.astype(float)
    loss = -np.log(np.maximum(np.stack([chance[:, 0], 1 - chance[:, 1]]), 1e-9)).sum(axis=0)
    worst = np.argsort(-loss, kind="stable")[:most]
    sheets = []
    for place, row in enumerate(worst, 1):
        problem, sides = problems[row], told_sides(problems[row], chance[row].tolist(), answers.who)
        concept = f"The concept: {style.conditions(problem)}."
        hidden = folded("Show the concept and the network's answers", concept, *sides)
        sheets.append(question_sheet(problem, f"{KINDS[problem.kind].capitalize()} problem {place}", hidden))
    return sheets


def _order(problem: Problem) -> tuple[int, int]:
    """Return the sides of query A and of query B; their order tells nothing of the sides."""
    return (0, 1) if int(problem.name[-4:]) % 2 else (1, 0)


def told_sides(problem: Problem, chances: Sequence[float], who: str) -> list[str]:
    """Return for each query its side, and what was said of it."""
    return [
        f"{query} is a {SIDES[side]}. {who} gave a chance of {chances[side]:.2f} to “positive”."
        for query, side in zip(_QUERIES, _order(problem), strict=True)
    ]


def question_sheet(
    problem: Problem, title: str, hidden: Fold, captions: Mapping[tuple[int, int], str] | None = None,
    size: int = _PICTURE,
) -> Sheet:  # fmt: skip
    """Return the twelve pictures of a problem and its two queries, without their sides.

    ``hidden`` is the fold below. ``captions`` are texts below pictures, by (side, place).
    """
    notes, groups = captions or {}, {}
    for side, name in enumerate(SIDES):
        texts = [style.alt(problem, side, k, show_concept=False) for k in range(SUPPORT)]
        groups[f"Six {name}s"] = [
            (problem.sides[side][k], notes.get((side, k), ""), text) for k, text in enumerate(texts)
        ]  # fmt: skip
    groups["Which side?"] = [
        (problem.sides[side][SUPPORT], ": ".join(filter(None, (query, notes.get((side, SUPPORT), "")))), query)
        for query, side in zip(_QUERIES, _order(problem), strict=True)
    ]
    return Sheet(groups, title, size, columns=3, hidden=hidden)
