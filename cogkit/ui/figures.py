"""The four pictures that figures are made of: dots with intervals, lines, heatmaps and bars.

Each takes a tidy table, a row for each mark, and the names of its columns, and returns a figure in the common style
with a text for screen readers. Names stand in the order of the table, or of a categorical column. Known columns:

- ``kind`` (a key of `theme.WHO`), ``who`` (``you`` is the reader) and ``printed`` (bool: an article's number) give
  colour and mark; without them marks are ink. ``looks`` changes them for the values of ``group``.
- ``low`` and ``high`` are ends of an interval, ``n`` is what a mark rests on.
- ``hover`` is what the pointer shows; by default the names of the mark, and n.

All take these options too (see `framed`): ``title``, ``unit``, ``notes``, ``panel``, ``row``, ``wrap``, ``height``,
``on``. For what they do not draw, the figure that comes back can be drawn into with `parts.marks`, `parts.line` and
plotly's own methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.parts import beside, error_bars, in_words, line, marker, marks, name_ends, span

PRINTED = {"symbol": "circle-open", "color": theme.INK, "size": 11, "line": {"width": 2}}
_PLAIN = {"symbol": "circle", "color": theme.INK, "size": 9}
_LEVELS = {"zero": {"color": theme.QUIET, "width": 1}, "goal": {"color": theme.INK, "width": 1}}
_STROKES = ("floor", "observer")  # kinds that are lines without marks
_ROW, _LETTER = 28, 16  # pixels: of a row of dots, and between the names of two lines
_FEW = 60  # with at most this many points, each point of a line has a mark, and a text of its own


class Level(NamedTuple):
    """A line across the axis of values: a kind of `theme.WHO`, ``zero`` or ``goal``; in one panel, or in all."""

    value: float
    kind: str = "floor"
    label: str = ""
    panel: str | None = None


class Cell(NamedTuple):
    """One panel of a figure: its name, its rows of the table, and where it is."""

    name: str
    table: pd.DataFrame
    place: dict[str, Any]


def dots(
    table: pd.DataFrame, x: str = "value", y: str = "who", *, across: str = "", up: str = "", alt: str = "",
    group: str | None = None, head: str | None = None, shift: str | None = None, aside: str | None = None,
    looks: Mapping[Any, Mapping] = {}, levels: Sequence[Level] = (), reach: tuple[float, float] | None = None,
    ticks: Sequence[float] | None = None, digits: int = 3, shared: bool = True, upright: bool = False, **frame: Any,
) -> go.Figure:  # fmt: skip
    """Return dots with their intervals: a row for each name in ``y``, or a scatter plot if ``y`` is a number.

    Parameters
    ----------
    x, y : str
        Columns of the values, with ``low`` and ``high``, and of the names of the rows. A name may have several lines. A
        value that is missing is named so in the row.
    across, up : str
        Titles of the axes, with the better direction.
    alt : str
        What the values are, for the text: "Share right".
    group : str, optional
        Column whose values have the ``looks``, plotly markers; ``bar`` in one of them is for its intervals.
    head : str, optional
        Column of headings over groups of rows.
    shift : str, optional
        Column of how far a mark moves up from its row, in rows.
    aside : str, optional
        Column of texts that stand at the right of the axes, beside their marks.
    reach, ticks
        Ends of the axis of values, and its ticks; panels have the same.
    shared : bool
        Whether all panels have the same rows.
    upright : bool
        Whether values go up, and names stand below.

    Examples
    --------
    >>> table = pd.DataFrame({"who": ["LSTM", "people"], "kind": ["model", "person"], "n": 40})
    >>> table = table.assign(value=[0.7, 0.9], low=[0.6, 0.85], high=[0.8, 0.93])
    >>> options = {"title": "Everybody", "unit": "answers a mark", "levels": [Level(0.5)], "alt": "Share right"}
    >>> figure = dots(table, across="share right (better →)", **options)
    >>> figure.layout.meta["alt"]
    'Share right. LSTM: 0.700; people: 0.900.'
    """
    scatter = pd.api.types.is_numeric_dtype(table[y])
    rows = {} if scatter else _rows(table, y, head, upright)
    deep = np.ptp(list(rows.values()) or [0])
    figure, cells = framed(table, 400 if scatter or upright else _ROW * (deep + 1.6), shared_yaxes=shared, **frame)
    (along, over), axis = ("yx" if upright else "xy"), {"range": reach} if reach else {}
    if ticks is not None:
        axis |= {"tickvals": ticks, "ticktext": [f"{tick:g}".replace("0.", ".") for tick in ticks]}
    elif len(cells) > 1 and not reach:
        axis |= {"matches": along, "nticks": 5}
    for cell in cells:
        part, where = cell.table, cell.place
        if not shared and not scatter:
            rows = _rows(part, y, head, upright)
        titles = part[head] if head else [""] * len(part)
        at = part[y] if scatter else np.array([rows[pair] for pair in zip(titles, part[y], strict=True)])
        part = part.assign(_row=at, _at=at + (part[shift] if shift else 0), _label=_labels(part, y))
        for key, _, look, some in series(part.dropna(subset=x), group, looks, upright):
            bars = look.pop("bar", {})
            options = {f"error_{along}": error_bars(some, x) | bars} if "low" in some else {}
            options |= _hover(some, key, f"<br>%{{{along}:.{digits}f}}") | {along: some[x], over: some["_at"]}
            marks(figure, marker=look, name=str(key), **options, **where)
        for height in part[part[x].isna()].groupby("_row")["_at"].mean() if not upright else ():  # one label per row
            text = {"text": theme.small("not there"), "showarrow": False, "bgcolor": "white"}
            figure.add_annotation(x=0.5, xref="x domain", y=height, **text, **where)
        for height, text in zip(part["_at"], part[aside] if aside else (), strict=False):
            if text:
                beside(figure, height, text, 12, xref="x domain", font={"size": 12}, **where)
        _update(figure, along, axis, where)
        if rows:
            heights = list(rows.values())
            names = {"tickvals": heights, "ticktext": [name or f"<b>{title}</b>" for title, name in rows]}
            _update(figure, over, names | {"range": _padded(heights, 0.6), "zeroline": False}, where)
        _draw_levels(figure, cell, levels, not upright, below=not upright)
    _name_axes(figure, cells, across, up)
    named = table.assign(_=table[y] if head is None else table[head] + ", " + table[y].astype(str))
    return _with_words(figure, alt, named, "_", frame.get("panel") or group, x, digits)


def lines(
    table: pd.DataFrame, x: str, y: str = "value", *, across: str, up: str, alt: str = "", group: str = "who",
    each: str | None = None, looks: Mapping[Any, Mapping] = {}, levels: Sequence[Level] = (), named: bool = True,
    band: bool = False, reach: tuple[float, float] | None = None, shared: bool = True, digits: int = 3, **frame: Any,
) -> go.Figure:  # fmt: skip
    """Return lines over a number: one for each value of ``group``, its name at its end.

    Parameters
    ----------
    x, y : str
        Columns of the places and of the heights, with ``low`` and ``high``.
    across, up, alt, reach
        As for `dots`; ``reach`` is that of the heights.
    group : str
        Column that names the lines. Of its ``looks``, color, dash, width, opacity, symbol and size count, and ``mode``.
    each : str, optional
        Column that divides what a group has into several lines: runs, or pairs. They are one trace with gaps.
    levels : sequence of Level
        Lines across; one with a label is named at its end.
    named : bool
        Whether names stand at the ends of the lines, in the panels at the right.
    band : bool
        Whether intervals are a band and not bars.
    shared : bool
        Whether heights have the same axis in all panels.

    Examples
    --------
    >>> runs = pd.DataFrame({"step": [0, 10, 0, 10], "who": ["GRU", "GRU", "LSTM", "LSTM"], "kind": "model"})
    >>> runs = runs.assign(value=[0.2, 0.6, 0.2, 0.8])
    >>> dashes = {"GRU": {"dash": "dash"}}
    >>> figure = lines(runs, "step", across="step", up="share right (better ↑)", alt="Share right", looks=dashes)
    >>> figure.layout.meta["alt"]
    'Share right. GRU: 0.200, 0.600; LSTM: 0.200, 0.800.'
    """
    frame.setdefault("margin", {"r": 160} if named else {})
    figure, cells = framed(table, shared_yaxes=shared, **frame)
    words = []
    for cell in cells:
        there = [name for name in (y, "low", "high") if name in table]
        numbers = (table if shared else cell.table)[there].to_numpy(float)
        low, high = reach or _padded([*numbers.ravel(), *(level.value for level in levels)])
        figure.update_yaxes(range=[low, high], **cell.place)
        ends = []
        for key, kind, look, part in series(cell.table, group, looks, upright=True):
            part = _with_gaps(part.sort_values(x, kind="stable"), each, x, y)
            part = part.assign(_label=_labels(part, each))
            dash = theme.WHO[kind].dash if kind in _STROKES else "solid"
            style = {"width": 1.5, "dash": dash} | {k: look[k] for k in ("color", "width", "dash") if k in look}
            has_marks = part[x].nunique() <= _FEW and kind not in _STROKES
            options = {"mode": look.get("mode", "lines+markers" if has_marks else "lines")}
            options |= {"marker": {k: look[k] for k in ("symbol", "color", "size", "line") if k in look}}
            options |= {"opacity": look["opacity"]} if "opacity" in look else {}
            if "low" in part and band:
                edge = {"x": pd.concat([part[x], part[x][::-1]]), "y": pd.concat([part.high, part.low[::-1]])}
                figure.add_scatter(**edge, mode="none", fill="toself", fillcolor="rgba(34,34,34,0.18)",
                                   hoverinfo="skip", **cell.place)  # fmt: skip
            elif "low" in part and part.low.notna().any():
                options["error_y"] = error_bars(part, y)
            options |= _hover(part, key, f"<br>{across.split('<br>')[0].split(' (')[0]} %{{x}}<br>%{{y:.{digits}f}}")
            line(figure, part[x], part[y], style, name=str(key), **options, **cell.place)
            seen = part[y].dropna()
            if len(seen):
                ends.append((seen.iloc[-1], str(key), look["color"]))
                name = ", ".join(dict.fromkeys(str(text) for text in (cell.name, key) if text != ""))
                texts = [f"{value:.{digits}f}" for value in seen]
                words.append(f"{name}: " + (", ".join(texts) if len(seen) <= 8 else f"{texts[-1]} at the end"))
        _draw_levels(figure, cell, levels, False)
        ends += [(level.value, level.label, _stroke(level.kind)["color"]) for level in levels
                 if level.label and level.panel in (None, cell.name)]  # fmt: skip
        if named and cell.place["col"] == max(each.place["col"] for each in cells):
            least = (high - low) * _LETTER / frame.get("height", 280)
            name_ends(figure, ends, least, high, xref="x domain", **cell.place)
    words += [f"{level.label}: {level.value:.{digits}f}" for level in levels if level.label]
    _name_axes(figure, cells, across, up)
    return with_alt(figure, f"{alt}. {'; '.join(words)}." if alt else "; ".join(words))


def heatmap(
    table: pd.DataFrame, x: str, y: str, value: str = "value", *, across: str = "", up: str = "", alt: str = "",
    text: str | None = None, box: str | None = None, colours: Mapping[str, str] | None = None,
    reach: tuple[float, float] | None = None, scale: str | None = None, better: str = "high", digits: int = 3,
    **frame: Any,
) -> go.Figure:  # fmt: skip
    """Return a heatmap: columns by ``x``, rows by ``y`` from the top; cells that are missing are empty.

    Parameters
    ----------
    value : str
        Column of numbers, or of the keys of ``colours``.
    text : str, optional
        Column of what is written in the cells.
    box : str, optional
        Column of plotly dashes, for cells that have a box; "" for none.
    colours : mapping, optional
        Colour of each kind of cell, if they are not numbers.
    reach : (float, float), optional
        Numbers of the ends of the scale.
    scale : str, optional
        Title of the scale beside the heatmap; none is drawn without it.
    better : {"high", "low"}
        Which numbers are bright.

    Examples
    --------
    >>> table = pd.DataFrame({"trained": ["a", "a", "b", "b"], "tested": ["a", "b", "a", "b"], "value": [1, 0, 0, 1]})
    >>> heatmap(table, "tested", "trained", across="tested on", up="trained on", alt="Skill").layout.meta["alt"]
    'Skill. a: a 1.000, b 0.000; b: a 0.000, b 1.000.'
    """
    names, rows = _values(table, x), _values(table, y)
    figure, cells = framed(table, 26 * len(rows), **frame)
    if colours:
        steps = [(k + end) / len(colours) for k in range(len(colours)) for end in (0, 1)]
        look = {"colorscale": list(zip(steps, np.repeat(list(colours.values()), 2).tolist(), strict=True)),
                "zmin": -0.5, "zmax": len(colours) - 0.5, "showscale": False}  # fmt: skip
    else:
        look = {"colorscale": "Cividis", "reversescale": better == "low", "showscale": scale is not None}
        look |= dict(zip(("zmin", "zmax"), reach, strict=True)) if reach else {}
        look |= {"colorbar": {"title": scale, "thickness": 12, "outlinewidth": 0}} if scale else {}
    for cell in cells:
        part = cell.table.assign(_label=_labels(cell.table, y, x))
        wide = part.set_index([y, x]).unstack(x).reindex(rows)
        z = wide[value].reindex(columns=names)
        numbers = z.map({name: k for k, name in enumerate(colours)}.get) if colours else z
        written = {"text": wide[text].reindex(columns=names).fillna("").to_numpy()} if text else {}
        number = "" if colours else f"<br>%{{z:.{digits}f}}"
        figure.add_heatmap(
            z=numbers.to_numpy(float), xgap=2, ygap=2, hoverongaps=False,
            texttemplate="%{text}" if text else None, **written,
            customdata=wide["_label"].reindex(columns=names).to_numpy(), **look, **cell.place,
            hovertemplate=f"%{{customdata}}{number}<extra></extra>",
        )  # fmt: skip
        for dash, some in part.groupby(box, sort=False) if box else ():
            at = [(names.index(column), rows.index(row)) for row, column in some[[y, x]].itertuples(index=False)]
            corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (np.nan, np.nan)])
            if dash:
                edge_x, edge_y = (np.array(at)[:, None] + 0.9 * corners).reshape(-1, 2).T
                line(figure, edge_x, edge_y, {"color": theme.INK, "width": 2, "dash": dash}, **cell.place)
        axis = {"showgrid": False, "zeroline": False, "showline": False, "ticks": ""}
        figure.update_xaxes(axis | {"tickvals": list(range(len(names))), "ticktext": names}, **cell.place)
        down = {"tickvals": list(range(len(rows))), "ticktext": rows, "range": [len(rows) - 0.5, -0.5]}
        figure.update_yaxes(axis | down, **cell.place)
    _name_axes(figure, cells, across, up)
    if colours:
        counts = table.groupby([y, value], sort=False).size()
        return with_alt(figure, f"{alt}. " + "; ".join(f"{row}: {n} {kind}" for (row, kind), n in counts.items()) + ".")
    return _with_words(figure, alt, table, y, x, value, digits)


def bars(
    table: pd.DataFrame, x: str, y: str = "value", *, across: str = "", up: str = "", alt: str = "",
    group: str | None = None, colours: Mapping[Any, str] = {}, text: str | None = None, stacked: bool = False,
    upright: bool = True, levels: Sequence[Level] = (), digits: int = 2, **frame: Any,
) -> go.Figure:  # fmt: skip
    """Return bars with their intervals: one for each value of ``x``, or several side by side, or on each other.

    Parameters
    ----------
    x, y : str
        Columns of the names or places of the bars, and of their heights, with ``low`` and ``high``.
    group : str, optional
        Column of bars that share a name; each of its values has its own of the ``colours``.
    text : str, optional
        Column of what is written in the bars.
    stacked, upright : bool
        Whether bars of a group stand on each other, and whether bars stand or lie.
    levels : sequence of Level
        Lines at places on the axis of names, for numbers such as counts; their labels stand above the bars.

    Examples
    --------
    >>> table = pd.DataFrame({"blue": [10, 11, 12], "value": [0.2, 0.5, 0.3]})
    >>> bars(table, "blue", across="blue tiles", up="share of games", alt="Games").layout.meta["alt"]
    'Games. 10: 0.20; 11: 0.50; 12: 0.30.'
    """
    count = table[x].nunique() * (1 if stacked or not group else table[group].nunique())
    figure, cells = framed(table, 240 if upright else 20 + 34 * count, **frame)
    along, over = "yx" if upright else "xy"
    for cell in cells:
        part = cell.table.assign(_group=cell.table[group] if group else "", _label=_labels(cell.table, x))
        for name, some in part.groupby("_group", sort=False, observed=True):
            options = _hover(some, name, f"<br>%{{{along}:.{digits}f}}") | {along: some[y], over: some[x]}
            if "low" in some:
                options[f"error_{along}"] = error_bars(some, y, 3) | {"color": theme.INK}
            if text:
                options |= {"text": some[text], "textposition": "inside", "insidetextanchor": "middle", "textangle": 0}
            marker = {"color": colours.get(name, "#C9C9C9"), "line": {"color": theme.INK, "width": len(colours) and 1}}
            figure.add_bar(
                **options, name=str(name), orientation="v" if upright else "h", marker=marker,
                textfont={"color": theme.BLACK}, **cell.place,
            )  # fmt: skip
        _draw_levels(figure, cell, levels, upright)
    figure.update_layout(barmode="stack" if stacked else "group", bargap=0.3 if colours else 0.1, bargroupgap=0.08)
    _name_axes(figure, cells, across, up)
    return _with_words(figure, alt, table, x, group or frame.get("panel") or frame.get("row"), y, digits)


def consistency(table: pd.DataFrame, title: str, note: str) -> go.Figure:
    """Return how alike the errors of two players are, and how alike they could be: a row for each pair.

    ``table`` is as `stats.error_consistency_table`, and ``group``, the heading; a pair without kappa, such as two
    players who are always right, keeps its row. ``note`` says what an item is, how many there are, and what was
    resampled.
    """
    grey, pairs = theme.WHO["floor"].colour, table.assign(pair=table["first"] + " · " + table.second)
    most = pairs.assign(value=pairs.kappa_max, low=np.nan, high=np.nan, mark="at most")
    both = pd.concat([most, pairs.assign(value=pairs.kappa, mark="κ")])
    key = f"dot: κ, 95 % interval; {theme.coloured(grey, '┃')} ceiling: the most that the two players' accuracies allow"
    figure = dots(
        both.drop(columns=["n", "who", "kind"], errors="ignore"), y="pair", head="group", group="mark", title=title,
        notes=[note, key], across="κ (0: chance; 1: the same errors)", levels=[Level(0, "zero")], digits=2,
        looks={"at most": {"symbol": "line-ns-open", "size": 13, "color": grey, "line": {"width": 2.5}}},
    )  # fmt: skip
    words = "; ".join(f"{pair.pair}: {pair.kappa:.2f}, at most {pair.kappa_max:.2f}" for pair in pairs.itertuples())
    return with_alt(figure, f"Error consistency. {words}.")


def framed(
    table: pd.DataFrame, usual: float = 280, *, title: str = "", unit: str = "", notes: Sequence[str] = (),
    panel: str | None = None, row: str | None = None, wrap: int = 9, height: float = 0, gap: float = 0,
    on: tuple[go.Figure, int, int] | None = None, **options: Any,
) -> tuple[go.Figure, list[Cell]]:  # fmt: skip
    """Return an empty figure and its panels, as all pictures make them.

    Parameters
    ----------
    title, notes
        The title, and lines in small type below it.
    unit : str
        What ``n`` counts, such as "answers a mark": then the first note begins with n.
    panel, row : str, optional
        Columns of what stands side by side, and below each other.
    wrap : int
        Most panels side by side; others follow below if there is no ``row``.
    height, gap : float
        Pixels of a panel, by default the ``usual`` ones of a picture, and between panels below each other.
    on : (figure, row, column), optional
        A panel of a figure of `theme.figure` to draw in, whose maker gives it title and text. Other options than the
        columns do not count then.
    **options
        Of `theme.figure`: margin, horizontal_spacing, layout.
    """
    table = table.reset_index(drop=True)
    if on:
        return on[0], [Cell("", table, {"row": on[1], "col": on[2]})]
    columns, rows = _values(table, panel), _values(table, row)
    wide = min(wrap, len(columns))
    deep = len(rows) if row else -(-len(columns) // wide)
    if unit:
        first, *others = [*notes, ""][: max(len(notes), 1)]
        notes = [f"n = {span(table.n.dropna(), ' to ')} {unit}" + f"; {first}" * bool(first), *others]
    titles = {("subplot_titles" if deep > 1 and not row else "column_titles"): columns} if panel else {}
    height, gap = height or usual, gap or (72 if "subplot_titles" in titles else 48)
    inside = deep * height + (deep - 1) * gap
    options = {"horizontal_spacing": 0.08 / wide if options.get("shared_yaxes") else 0.12} | options
    figure = theme.figure(
        title, 10, *notes, rows=deep, columns=wide, vertical_spacing=(deep > 1) * gap / inside, **titles, **options
    )
    margin = figure.layout.margin
    figure.update_layout(height=margin.t + inside + margin.b)
    cells = []
    for place, pair in enumerate(product(rows, columns)):
        part = table
        for column, value in zip((row, panel), pair, strict=True):
            part = part[part[column] == value] if column else part
        name = ", ".join(str(value) for value in pair if value != "")
        cells.append(Cell(name, part, {"row": place // wide + 1, "col": place % wide + 1}))
    return figure, cells


def series(
    table: pd.DataFrame, group: str | None, looks: Mapping[Any, Mapping], upright: bool = False
) -> Iterator[tuple[Any, str, dict, pd.DataFrame]]:
    """Yield the key, the kind, the mark and the rows of each group of rows that look alike."""
    none = pd.Series("", table.index)
    kinds = table.get("kind", none).astype(object).mask(table.get("who", none).astype(object) == "you", "you")
    kinds = kinds.where(kinds.isin(list(theme.WHO)), "")
    keys = [table[group].astype(object).fillna("") if group else none, kinds, table.get("printed", none).eq(True)]
    for (key, kind, printed), part in table.groupby([key.rename(k) for k, key in enumerate(keys)], sort=False):
        look = theme.mark(kind, 9, 2) if kind and upright else marker("", kind) if kind else _PLAIN
        yield key, kind, (PRINTED if printed else look) | dict(looks.get(key, {})), part


def _values(table: pd.DataFrame, column: str | None) -> list:
    """Return the values of a column, in the order of the table or of its categories; one that is empty for none."""
    if column is None:
        return [""]
    there = dict.fromkeys(table[column])
    return [value for value in (table[column].cat.categories if hasattr(table[column], "cat") else there)
            if value in there]  # fmt: skip


def _rows(table: pd.DataFrame, y: str, head: str | None, upright: bool) -> dict[tuple[str, Any], float]:
    """Return the place of each row, by its heading and name: 0, -1, …, and more apart where names have more lines."""
    if head is None:
        keys = [("", name) for name in (table[y].cat.categories if hasattr(table[y], "cat") else _values(table, y))]
    else:
        heads = table.groupby(head, sort=False, observed=True)
        keys = [key for title, part in heads for key in ((title, ""), *((title, name) for name in _values(part, y)))]
    if upright:
        return {key: float(k) for k, key in enumerate(keys)}
    deep = np.array([1 + 0.6 * str(name).count("<br>") for _, name in keys])
    return dict(zip(keys, (deep / 2 - np.cumsum(deep) + deep[0] / 2).tolist(), strict=True))


def _labels(table: pd.DataFrame, *columns: str | None) -> list[str]:
    """Return what the pointer shows of each row of a table: its own text, or else its names and n."""
    if "hover" in table:
        return list(table["hover"])
    names = [name for name in dict.fromkeys(["who", *columns]) if name and name in table]
    texts = table[names].to_numpy(object).astype(str)  # without a name, a row without texts
    sizes = [f"n {n:,.0f}" if pd.notna(n) else "" for n in table.get("n", [np.nan] * len(table))]
    return [", ".join(dict.fromkeys(part for part in (*text, size) if part)) for text, size in
            zip(texts, sizes, strict=True)]  # fmt: skip


def _hover(table: pd.DataFrame, key: Any, numbers: str) -> dict:
    """Return what the pointer shows; a text that all marks share is stored once."""
    texts = list(table["_label"])
    if "hover" in table:
        return {"hovertemplate": "%{customdata}<extra></extra>", "customdata": texts}
    head = f"{key}<br>" if isinstance(key, str) and not any(key in text for text in texts) else ""
    if len(texts) > _FEW and len(set(texts)) == 1:
        return {"hovertemplate": f"{head}{texts[0]}{numbers}<extra></extra>"}
    return {"hovertemplate": f"{head}%{{customdata}}{numbers}<extra></extra>", "customdata": texts}


def _with_gaps(table: pd.DataFrame, each: str | None, x: str, y: str) -> pd.DataFrame:
    """Return rows with an empty one after each line."""
    if each is None:
        return table
    gap = table.iloc[:1].assign(**{x: np.nan, y: np.nan})
    return pd.concat([rows for _, part in table.groupby(each, sort=False) for rows in (part, gap)])


def _padded(numbers: Sequence[float], pad: float | None = None) -> tuple[float, float]:
    """Return the ends of an axis that holds these numbers, with some space beyond them."""
    low, high = np.nanmin(numbers), np.nanmax(numbers)
    pad = 0.06 * (high - low) if pad is None else pad
    return low - pad, high + pad


def _update(figure: go.Figure, axis: str, options: Mapping, place: Mapping) -> None:
    (figure.update_xaxes if axis == "x" else figure.update_yaxes)(options, **place)


def _stroke(kind: str) -> dict:
    return _LEVELS.get(kind) or theme.stroke(kind)


def _draw_levels(figure: go.Figure, cell: Cell, levels: Sequence[Level], vertical: bool, below: bool = False) -> None:
    for place, level in enumerate(level for level in levels if level.panel in (None, cell.name)):
        draw = figure.add_vline if vertical else figure.add_hline
        layer = "below" if below else "above"  # the grid would hide a level across below it
        draw(level.value, line=_stroke(level.kind), layer=layer, **cell.place)
        if vertical and level.label:  # a line for each label, since levels may have the same value
            font = {"size": 12, "color": _stroke(level.kind)["color"]}
            above = {"x": level.value, "xref": None, "yref": "y domain", "yanchor": "bottom", "yshift": 17 * place}
            beside(figure, 1, level.label, 4, **above, font=font, **cell.place)


def _name_axes(figure: go.Figure, cells: Sequence[Cell], across: str, up: str) -> None:
    """Name the axes at the left and below; beside each other, panels share one name below."""
    wide, last = (max(cell.place[name] for cell in cells) for name in ("col", "row"))
    if across and wide > 1 and len(cells) > 1:
        figure.add_annotation(text=across, x=0.5, y=0, xref="paper", yref="paper", yanchor="top", yshift=-24,
                              showarrow=False, font={"size": 12})  # fmt: skip
    for cell in cells:
        if across and cell.place["row"] == last and not (wide > 1 and len(cells) > 1):
            figure.update_xaxes(title=across, **cell.place)
        if up and (cell.place["col"] == 1 or len(cells) == 1):
            figure.update_yaxes(title=up, **cell.place)


def _with_words(
    figure: go.Figure, alt: str, table: pd.DataFrame, row: str, column: str | None, value: str, digits: int
) -> go.Figure:
    """Add the text of a figure: what its values are, and the mean value of each name."""
    words = in_words(table.dropna(subset=value), row, column if column != row else None, value, digits)
    return with_alt(figure, f"{alt}. {words}.".removeprefix(". "))
