"""Figures of Bongard-LOGO: sheets of pictures, attributes, statistics of problem sets, and scores of all players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.paper.reported import LATER, PRINTED
from cogkit.bongard.problems.properties import Shown
from cogkit.bongard.problems.records import A_SIDE, CHANCE, KINDS, SIDES, Problem
from cogkit.bongard.shapes.attributes import ACCURACY, BAR
from cogkit.bongard.shapes.inventory import Shapes
from cogkit.bongard.views import style
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import BETTER, QUARTERS, standings
from cogkit.ui.figures import Level, bars, dots
from cogkit.ui.parts import in_words, name_rows, span
from cogkit.ui.tables import VALUES, Fold

COLUMNS = {"FF": "FF<br>free-form", "BA": "BA<br>basic", "CM": "CM<br>new pairs", "NV": "NV<br>novel"}  # narrow
POOLED = "abstract"  # the test of people: CM and NV mixed
_PROFILES = {  # name, sign and mark of each
    "released": ("the authors' own", "○", {"symbol": "circle-open", "color": theme.QUIET, "size": 11}),
    "as_published": ("as published", "●", {"symbol": "circle", "color": theme.INK, "size": 8}),
    "verified": ("verified", "◇", {"symbol": "diamond-open", "color": theme.INK, "size": 8}),
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


def attributes(shapes: Shapes) -> go.Figure:
    """Return how many shapes have each attribute, and how often geometry agrees with the marks of people.

    People marked only the published shapes.
    """
    table = pd.DataFrame.from_dict(ACCURACY, "index", columns=["n", "majority", "chosen", "held_out"])
    table = table.sort_values("held_out", kind="stable").iloc[::-1]
    labels = {"has it": (1, theme.INK), "has it not": (0, "#B8B8B8"), "not applicable": (-1, "#ECECEC")}
    signs = " ".join(f"{theme.coloured(colour, '■')} {name}" for name, (_, colour) in labels.items())
    meant = "│ the commoner mark alone, ○ super classes that thresholds were chosen on, ● the other super classes"
    figure = theme.figure(
        "Attributes: how common, and how well geometry tells them", 156 + 21 * len(table),
        f"{signs}, of {len(shapes)} {shapes.source} shapes", f"{meant}; line: {BAR:g}", columns=2,
        margin={"t": 100, "b": 48}, shared_yaxes=True, horizontal_spacing=0.03, column_widths=[0.36, 0.64],
    )  # fmt: skip
    names = [style.attribute(name) for name in table.index]
    counts = [
        {"height": -k, "who": style.attribute(name), "label": words,
         "value": sum(shape.attributes[name] == label for shape in shapes)}
        for k, name in enumerate(table.index) for words, (label, _) in labels.items()
    ]  # fmt: skip
    colours = {words: colour for words, (_, colour) in labels.items()}
    options = {"group": "label", "colours": colours, "stacked": True, "upright": False, "digits": 0}
    bars(pd.DataFrame(counts), "height", **options, on=(figure, 1, 1))
    looks = {
        "majority": {"symbol": "line-ns-open", "color": theme.WHO["floor"].colour, "size": 10, "line": {"width": 2}},
        "chosen": {"symbol": "circle-open", "color": theme.QUIET, "size": 8},
        "held_out": {"symbol": "circle", "color": theme.INK, "size": 7},
    }
    agreement = table.assign(name=names).melt(["name", "n"], list(looks), "measure")
    levels = [Level(BAR, "goal")]
    dots(agreement, y="name", group="measure", looks=looks, levels=levels, reach=(0.5, 1.01), on=(figure, 1, 2))
    figure.update_xaxes(title="shapes", row=1, col=1)
    figure.update_xaxes(title="agreement with people (better →)", row=1, col=2)
    name_rows(figure, {name: -k for k, name in enumerate(names)}, pad=0.7)
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
    both = pd.concat([released.assign(profile="released"), counted], ignore_index=True)
    return _by_profile(
        both, "group", "value", title or "Free-form problems: what they are made of", "lines: 95 %, over problems",
        across="share", shared=False,
    )  # fmt: skip


def faults(table: pd.DataFrame, title: str = "") -> go.Figure:
    """Return the number of problems with each fault, under each profile.

    The table comes from `set_statistics.faults`.
    """
    table = table.assign(kind=table.kind.map(KINDS))
    counts = table.drop_duplicates(["profile", "kind"]).groupby("kind", sort=False).n
    sizes = ", ".join(f"{kind} {'–'.join(map(str, sorted(set(n))))}" for kind, n in counts)
    return _by_profile(
        table, "kind", "fault", title or "What is wrong with a problem",
        f"n = problems a profile: {sizes}; 95 % Wilson", across="share of problems (better ←)",
    )  # fmt: skip


def _by_profile(table: pd.DataFrame, panel: str, line: str, title: str, note: str, **options) -> go.Figure:
    """Return shares under each profile; the marks of ``verified`` lie lower, so that they do not cover others at 0."""
    there = [part for profile, part in _PROFILES.items() if profile in set(table.profile)]
    key = " &nbsp;".join(f"{theme.coloured(mark['color'], sign)} {name}" for name, sign, mark in there)
    table = table.assign(
        shift=np.where(table.profile == "verified", -0.24, 0.0), panel=table[panel], kind="",
        profile=[_PROFILES[profile][0] for profile in table.profile],
    )  # fmt: skip
    looks = {name: mark | {"line": {"width": 2, "color": mark["color"]}} for name, _, mark in there}
    height = 28 * (table.groupby(panel)[line].nunique().max() + 1)
    figure = dots(
        table, "share", line, panel="panel", group="profile", shift="shift", looks=looks, title=title, height=height,
        notes=[f"{key}; {note}"], reach=(-0.04, 1.04), ticks=QUARTERS, **options,
    )  # fmt: skip
    words = in_words(table.assign(row=table.profile + ", " + table.panel.astype(str)), "row", line, "share", 2)
    return with_alt(figure, f"Shares. {words}.")


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
    note = ["; ".join(line) for line in (first, second, third) if line]
    rows = rows.assign(test=pd.Categorical(rows.test, list(COLUMNS.values()))).sort_values(["test", "line"])
    players = rows.assign(player=rows.name + np.where(rows.printed, " (printed)", ""))
    words = in_words(players.sort_values(["line", "printed", "test"]), "player", "task")
    figure = dots(
        rows, "share", "line", panel="test", title=title, notes=note, across=BETTER, levels=[Level(CHANCE)],
        reach=(0.26, 1.04), ticks=(0.5, 0.75, 1),
    )  # fmt: skip
    figure.update_xaxes(tickfont_size=11)
    figure.update_layout(title={"y": 1 - 20 / figure.layout.height, "yanchor": "top"})  # above names of two lines
    return with_alt(figure, f"Share right. {words}.")
