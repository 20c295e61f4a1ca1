"""Figures of Bongard-LOGO: sheets of pictures, attributes, statistics of problem sets, and scores of all players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.paper.reported import LATER, PRINTED
from cogkit.bongard.problems.properties import Shown
from cogkit.bongard.problems.records import A_SIDE, CHANCE, KINDS, SIDES, Problem
from cogkit.bongard.shapes import attributes as geometry
from cogkit.bongard.shapes.attributes import ACCURACY, BAR
from cogkit.bongard.shapes.inventory import ATTRIBUTES, Shapes
from cogkit.bongard.views import style
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import BETTER, dots, player_mark, standings
from cogkit.ui.parts import in_words, marks, name_rows, span
from cogkit.ui.tables import VALUES, Fold

COLUMNS = {"FF": "FF<br>free-form", "BA": "BA<br>basic", "CM": "CM<br>new pairs", "NV": "NV<br>novel"}  # narrow
POOLED = "abstract"  # the test of people: CM and NV mixed
_PROFILES = {  # name, symbol, sign and colour of each
    "released": ("the authors' own", "circle-open", "○", theme.QUIET),
    "as_published": ("as published", "circle", "●", theme.INK),
    "verified": ("verified", "diamond-open", "◇", theme.INK),
}
_STYLE = (
    "<style>.ck-sheet{font:13px/1.4 system-ui,sans-serif;color:var(--jp-ui-font-color1,#222);margin:8px 0}"
    ".ck-sheet h4{font-size:16px;margin:0 0 8px}.ck-sheet h5{font-size:13px;margin:0 0 4px}"
    ".ck-sheet section{display:flex;flex-wrap:wrap;gap:8px 32px}.ck-sheet section>div{margin-bottom:12px}"
    ".ck-sheet [role=list]{display:flex;flex-wrap:wrap;gap:8px}"
    ".ck-sheet img{display:block;border:1px solid #d0d0d0;background:#fff}"
    ".ck-sheet span{display:block;font-size:12px;color:var(--jp-ui-font-color2,#5f5f5f)}</style>"
)


class Sheet:
    """Pictures in named groups, each with an alternative text. In a notebook it is displayed as HTML.

    ``groups`` are sequences of (picture, caption, alt) by their headings; a caption may be "". ``size`` is pixels per
    side of a picture on the page; the image has twice as many. ``columns`` is the most pictures in a row of a group; a
    narrow page has fewer. ``hidden`` is what the reader opens below the pictures, such as the answer.

    Examples
    --------
    >>> Sheet({"": [(style.as_picture(["line_normal_1.000-0.500"]), "", "A line")]}, "One stroke")
    One stroke. A line.
    """

    def __init__(
        self, groups: Mapping[str, Sequence[tuple[Picture, str, str]]], title: str, size: int = 120, columns: int = 4,
        hidden: Fold | None = None,
    ) -> None:  # fmt: skip
        self.groups, self.title, self.size, self.columns, self.hidden = dict(groups), title, size, columns, hidden

    def __repr__(self) -> str:
        return f"{self.title}. {'. '.join(alt for group in self.groups.values() for _, _, alt in group)}."

    def _repr_html_(self) -> str:
        parts = [
            f'<div>{f"<h5>{escape(name)}</h5>" if name else ""}<div role="list" style="max-width:'
            f'{self.columns * (self.size + 10) - 8}px">{"".join(map(self._item, group))}</div></div>'
            for name, group in self.groups.items()
        ]
        below = self.hidden._repr_html_() if self.hidden else ""
        sheet = f'<div class="ck-sheet"><h4>{escape(self.title)}</h4><section>{"".join(parts)}</section></div>'
        return f"{_STYLE}<div>{sheet}{below}</div>"

    def _item(self, item: tuple[Picture, str, str]) -> str:
        picture, caption, alt = item
        label = f"<span>{escape(caption)}</span>" if caption else ""
        source = style.uri(picture, 2 * self.size)
        image = f'<img src="{source}" alt="{escape(alt)}" width="{self.size}" height="{self.size}">'
        return f'<div role="listitem" style="width:{self.size + 2}px">{image}{label}</div>'


def problem(problem: Problem, show_concept: bool = False, title: str = "", size: int = 108) -> Sheet:
    """Return a problem: the seven positives in a row, and the seven negatives below.

    With ``show_concept``, the title and the texts may give the concept. The default title is the type of problem.
    """
    groups = {
        f"{name}s": [
            (picture, "", style.alt(problem, side, place, show_concept)) for place, picture in enumerate(pictures)
        ]
        for side, (name, pictures) in enumerate(zip(SIDES, problem.sides, strict=True))
    }
    title = title or KINDS[problem.kind].capitalize()
    return Sheet(groups, f"{title}: {style.concept(problem)}" if show_concept else title, size, columns=A_SIDE)


def sheet(groups: Mapping[str, Sequence[tuple[str, Picture]]], title: str, size: int = 160) -> Sheet:
    """Return pictures with captions, which are also their texts.

    ``groups`` are sequences of (caption, picture) by their headings.
    """
    items = {
        name: [(picture, caption, f"{name}: {caption}" if name else caption) for caption, picture in group]
        for name, group in groups.items()
    }
    return Sheet(items, title, size)


def pairs(groups: Mapping[str, Sequence[Shown]], title: str, size: int = 160) -> Sheet:
    """Return pictures of problems, each with its side and concept, as `properties` finds them.

    ``groups`` are sequences of `properties.Shown` by the property that they show.
    """
    items = {
        name: [(f"{SIDES[pair.side]} for “{style.concept(pair.problem)}”", pair.picture) for pair in group]
        for name, group in groups.items()
    }
    return sheet(items, title, size)


def attributes(shapes: Shapes, accuracy: pd.DataFrame | None = None, title: str = "") -> go.Figure:
    """Return how many shapes have each attribute, and how often geometry agrees with the labels of people.

    ``accuracy`` comes from `attributes.accuracy`: attribute, n, majority, chosen, held_out. By default it is that of
    these shapes. People marked only the published shapes, so for others it is what we measured on those.
    """
    stored = pd.DataFrame.from_dict(ACCURACY, "index", columns=["n", "majority", "chosen", "held_out"])
    stored = stored.rename_axis("attribute").reset_index()
    if accuracy is not None:
        measured = accuracy
    else:
        measured = geometry.accuracy(list(shapes)) if shapes.source == "published" else stored
    table = measured.set_index("attribute").loc[list(ATTRIBUTES)].sort_values("held_out", kind="stable")
    place = {style.attribute(name): k for k, name in enumerate(table.index)}
    labels = {"has it": (1, theme.INK), "has it not": (0, "#B8B8B8"), "not applicable": (-1, "#ECECEC")}
    signs = " ".join(f"{theme.coloured(colour, '■')} {name}" for name, (_, colour) in labels.items())
    meant = "│ the commoner mark alone, ○ super classes that thresholds were chosen on, ● the other super classes"
    figure = theme.figure(
        title or "Attributes: how common, and how well geometry tells them", 156 + 21 * len(table),
        f"{signs}, of {len(shapes)} {shapes.source} shapes", f"{meant}; dotted: {BAR:g}", columns=2,
        margin={"t": 100, "b": 48}, shared_yaxes=True, horizontal_spacing=0.03, column_widths=[0.36, 0.64],
        barmode="stack", bargap=0.35,
    )  # fmt: skip
    columns, heights = shapes.table[:, [ATTRIBUTES.index(name) for name in table.index]], list(place.values())
    for name, (label, colour) in labels.items():
        figure.add_bar(
            x=(columns == label).sum(axis=0), y=heights, orientation="h", marker={"color": colour}, row=1, col=1,
            customdata=list(place), name=name, hovertemplate=f"%{{customdata}}<br>{name}: %{{x}} shapes<extra></extra>",
        )  # fmt: skip
    signs = {
        "majority": {"symbol": "line-ns-open", "color": theme.WHO["floor"].colour, "size": 10, "line": {"width": 2}},
        "chosen": {"symbol": "circle-open", "color": theme.QUIET, "size": 8},
        "held_out": {"symbol": "circle", "color": theme.INK, "size": 7},
    }
    for name, sign in signs.items():
        hover = f"{name.replace('_', ' ')} %{{x:.3f}}<br>%{{customdata}} shapes in all"
        marks(figure, table[name], heights, sign, hover, customdata=table.n, row=1, col=2)
    figure.add_vline(BAR, line={"color": theme.INK, "width": 1, "dash": "dot"}, layer="below", row=1, col=2)
    figure.update_xaxes(title="shapes", row=1, col=1)
    figure.update_xaxes(title="agreement with people (better →)", range=[0.5, 1.01], row=1, col=2)
    name_rows(figure, place, pad=0.7)
    below = [f"{style.attribute(row.Index)} {row.held_out:.3f}" for row in table.itertuples() if row.held_out < BAR]
    below = ", ".join(below) or "none"
    return with_alt(
        figure,
        f"Agreement of geometry with the marks on super classes held out, for {len(table)} attributes: lowest "
        f"{table.held_out.min():.3f}, median {table.held_out.median():.3f}. Below {BAR:g}: {below}.",
    )


def strokes(counted: pd.DataFrame, released: pd.DataFrame, title: str = "") -> go.Figure:
    """Return the composition of free-form problems under each profile, beside the authors' own programs.

    The tables come from `set_statistics.strokes` and `set_statistics.released`.
    """
    both = _shifted(pd.concat([released.assign(profile="released"), counted], ignore_index=True))
    return dots(
        both, "group", "value", title or "Free-form problems: what they are made of",
        f"{_signs(both)}; lines: 95 %, over problems", "share", _in_words(both, "group", "value"), mark=_profile_mark,
        series=["profile"],
    )  # fmt: skip


def faults(table: pd.DataFrame, title: str = "") -> go.Figure:
    """Return the number of problems with each fault, under each profile.

    The table comes from `set_statistics.faults`.
    """
    table = _shifted(table.assign(kind=table.kind.map(KINDS)))
    counts = table.drop_duplicates(["profile", "kind"]).groupby("kind", sort=False).n
    sizes = ", ".join(f"{kind} {'–'.join(map(str, sorted(set(n))))}" for kind, n in counts)
    return dots(
        table, "kind", "fault", title or "What is wrong with a problem",
        f"{_signs(table)}; n = problems a profile: {sizes}; 95 % Wilson", "share of problems (better ←)",
        _in_words(table, "kind", "fault"), shared=True, mark=_profile_mark, series=["profile"],
    )  # fmt: skip


def everybody(rows: pd.DataFrame, title: str = "Everybody on one scale") -> go.Figure:
    """Return all players on one scale: a row for each, a column for each test.

    ``rows`` are of the metric ``accuracy``; others are left out. If a player has several rows for a test, each is a
    mark. A player with ``abstract``, a mix of CM and NV, is in both columns. Printed numbers of models
    (`reported.result_rows`) have their own mark, in the row of our model.
    """
    rows = rows[(rows.metric == "accuracy") & rows.task.isin([*COLUMNS, POOLED])]
    pooled = rows[rows.task == POOLED]
    rows = pd.concat([rows[rows.task != POOLED], pooled.assign(task="CM"), pooled.assign(task="NV")])
    rows = standings(rows, (PRINTED, LATER), rows.who.replace(VALUES["who"])).assign(test=rows.task.map(COLUMNS))
    sized = rows[rows.n > 0]  # not all later articles print the number
    answers, people = (sized[sized.interval.eq("95% t, people") == grouped].n for grouped in (False, True))
    first = [f"n = {span(n)} {unit}" for n, unit in ((answers, "answers a mark"), (people, "people a mark")) if len(n)]
    second = ["lines: 95 %", "dashed: chance", *["○ printed"] * bool(rows.printed.any())]
    third = ["people had CM and NV mixed: one mark in both columns"] * bool(len(pooled))
    note = "<br>".join("; ".join(line) for line in (first, second, third) if line)
    rows = rows.assign(test=pd.Categorical(rows.test, list(COLUMNS.values()))).sort_values(["test", "line"])
    players = rows.assign(player=rows.name + np.where(rows.printed, " (printed)", ""))
    words = in_words(players.sort_values(["line", "printed", "test"]), "player", "task")
    figure = dots(
        rows, "test", "line", title, note, BETTER, f"Share right. {words}.", shared=True, start=0.3,
        mark=partial(player_mark, size=11), series=["who", "printed"], chance=CHANCE, ticks=(0.5, 0.75, 1),
    )  # fmt: skip
    figure.update_xaxes(title_text="", tickfont_size=11)
    figure.update_layout(title={"y": 1 - 20 / figure.layout.height, "yanchor": "top"})  # above names of two lines
    return figure


def _profile_mark(part: pd.DataFrame) -> dict:
    _, symbol, _, colour = _PROFILES[part.profile.iloc[0]]
    outline = {"width": 2, "color": colour}
    return {"symbol": symbol, "color": colour, "size": 11 if symbol == "circle-open" else 8, "line": outline}


def _shifted(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with the marks of ``verified`` shifted down a little, so that they do not cover others at 0."""
    return table.assign(shift=np.where(table.profile == "verified", -0.24, 0.0))


def _signs(table: pd.DataFrame) -> str:
    """Return the legend of the profiles that the table has."""
    profiles = [_PROFILES[profile] for profile in _PROFILES if profile in set(table.profile)]
    return " &nbsp;".join(f"{theme.coloured(colour, sign)} {name}" for name, _, sign, colour in profiles)


def _in_words(table: pd.DataFrame, column: str, line: str) -> str:
    words = []
    for (profile, group), part in table.groupby(["profile", column], sort=False):
        values = ", ".join(f"{value} {share:.2f}" for value, share in zip(part[line], part.share, strict=True))
        words.append(f"{_PROFILES[profile][0]}, {group}: {values}")
    return f"Shares. {'; '.join(words)}."
