"""The house table: how notebooks show a tidy frame, the claims of a paper, and an answer in a closed fold."""

from __future__ import annotations

import numbers
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from cogkit.ui import theme
from cogkit.ui.files import script

LONG = 12  # rows; the reader can sort a longer table
WORDS = {
    "who": "learner", "df_resid": "residual df", "printed_df": "printed df", "printed_df_resid": "printed residual df",
    "f": "F", "printed_f": "printed F", "rhat": "R̂", "ss": "sum of squares", "se": "standard error", "sd": "SD",
    "std": "SD", "size": "n", "partial_eta2": "partial η²", "df_agrees": "df agree", "gr_star": "GR*",
    "wilcoxon_p": "p (Wilcoxon)", "tost_p": "p (TOST)", "interval": "95 % interval", "inputs": "what it sees",
    "supervision": "what taught it", "found": "numbers", "section": "where",
}  # fmt: skip
OBSERVER = theme.WHO["observer"].label
VALUES = {  # what the cells of these columns say to a reader
    "who": {
        "bayes-greedy": OBSERVER,
        "Bayes-greedy": OBSERVER,
        "nearest-neighbour": "nearest neighbour",
        "lstm": "LSTM",
        "lstm (Kumar et al. 2023)": "LSTM (Kumar et al. 2023)",
        "program oracle": "observer of programs",
        "attribute-table oracle": "observer of attributes",
    },
    "kind": {"observer": OBSERVER, "yours": theme.WHO["yours"].label},
    "profile": {"as_published": "as published"},
}
_COUNTS = {"n", "df", "df_resid", "size", "seed", "seeds"}
_CENTRES = {"value", "mean", "median", "share", "estimate", "difference", "ours", "d"}
_RIGHT = {"number", "interval"}
_MEASURED = {*_CENTRES, "low", "high"}  # never counts, even if all happen to be whole
_OUTCOMES = {True: "borne out", False: "not borne out", None: "not there"}  # of numbers taken as they are
_GLYPHS = {
    "does not hold": "✗", "holds": "✓", "open": "?", "not at our size": "–", "not borne out": "✗", "not there": "?",
    "borne out": "✓", "yes": "✓", "no": "✗",
}  # fmt: skip
_ORDER = (*_GLYPHS,)  # of verdicts in a fold: first what to look at
_TONES = {"✓": "ck-yes", "✗": "ck-no"}
_SENTENCE = 28  # letters; longer texts may wrap
_FIGURE, _POINT = "\u2007", "\u2008"  # spaces as wide as a digit and as a point
_NUMBER = re.compile(r"([<>≤≥=≈] ?)?[-+−]?[\d,]*\.?\d+(e[-+]?\d+)?%?")
_STYLE = f"<style>{script(__file__, 'table.css')}</style>"
SORT = script(__file__, "table.js")
KEYS = "if (event.key === 'Enter') event.stopPropagation()"
"""What tables and folds bring into a page: a script, and the value of ``onkeydown``."""
_SORT = f"<script>{SORT}</script>"


@dataclass(frozen=True)
class _Column:
    """A shown column: the lines of its header, its texts, and its kind (row, text, number, interval or verdict)."""

    header: tuple[str, ...]
    texts: list[str]
    kind: str = "text"

    def cell(self, k: int) -> str:
        """Return one cell as HTML."""
        text = self.texts[k]
        if self.kind == "verdict":
            return f"<td>{_marked(text)}</td>"
        if self.kind == "number":
            return f'<td class="ck-n">{_signed(text)}</td>'
        if self.kind == "interval":
            value, _, ends = _signed(text).partition("[")
            value, ends = value.strip(), ends and f"[{ends}"
            return f'<td class="ck-n">{value and value + " "}<span>{ends}</span></td>'
        tag, end = ('th scope="row"', "th") if self.kind == "row" else ("td", "td")
        look = ' class="ck-l"' if len(text) > _SENTENCE else ""
        return f"<{tag}{look}>{escape(text)}</{end}>"


_NOTHING = _Column(("",), [])


class Table:
    """The house table of a frame: HTML in a notebook and on its page, aligned text elsewhere. `readable` makes it.

    ``frame`` has all cells as texts, with the index and the columns of the original.
    """

    def __init__(self, frame: pd.DataFrame, columns: list[_Column]) -> None:
        self.frame, self._columns = frame, columns

    def __repr__(self) -> str:
        parts = []
        for column in self._columns:
            lines = [" · ".join(column.header).replace("\n", ", "), *map(_plain, column.texts)]
            width = max(map(len, lines))
            parts.append([line.rjust(width) if column.kind in _RIGHT else line.ljust(width) for line in lines])
        lines = ["  ".join(row).rstrip() for row in zip(*parts, strict=True)]
        return "\n".join(lines if len(self.frame) else [*lines, "Nothing here yet."])

    def _repr_html_(self) -> str:
        return f"{_STYLE}<div>{self.html()}{_SORT if self._long else ''}</div>"

    def html(self) -> str:
        """Return the table without style and script."""
        depth = max((len(column.header) for column in self._columns), default=1)
        head = "".join(f"<tr>{self._line(line, depth)}</tr>" for line in range(depth))
        rows = range(len(self.frame))
        body = "".join(f"<tr>{''.join(column.cell(k) for column in self._columns)}</tr>" for k in rows)
        if not rows:
            body = f'<tr><td colspan="{len(self._columns)}">Nothing here yet.</td></tr>'
        letters = sum(min(_SENTENCE, max(map(len, (column.header[-1], *column.texts)))) + 3 for column in self._columns)
        reach = ' tabindex="0" role="group" aria-label="A wide table"' if letters > 70 or len(self._columns) > 6 else ""
        sort = " ck-sort" if self._long else ""
        ends = [len(text.partition("[")[2]) for c in self._columns if c.kind == "interval" for text in c.texts]
        room = f' style="--ends:{max(ends) + 2}ch"' if ends else ""
        table = f'<table class="ck-table{sort}"{room}><thead>{head}</thead><tbody>{body}</tbody></table>'
        return f'<div class="ck-box"{reach}>{table}</div>'

    @property
    def _long(self) -> bool:
        return len(self.frame) > LONG

    def _line(self, line: int, depth: int) -> str:
        """Return one line of the header: names of single columns, and names over several."""
        cells = []
        live = [(k, column) for k, column in enumerate(self._columns) if len(column.header) > line]
        for names, group in groupby(live, lambda pair: pair[1].header[: line + 1]):
            group = list(group)
            if any(len(column.header) > line + 1 for _, column in group):
                cells.append(f'<th scope="colgroup" colspan="{len(group)}">{escape(names[-1])}</th>')
                continue
            for k, column in group:
                look = ' class="ck-n"' if column.kind in _RIGHT else ""
                span = f' rowspan="{depth - line}"' if depth - line > 1 else ""
                cells.append(f'<th scope="col" data-k="{k}"{look}{span}>{escape(names[-1])}</th>')
        return "".join(cells)


class Fold:
    """HTML that is closed, or folded in parts, beside the text that other front ends show."""

    def __init__(self, text: str, html: str) -> None:
        self._text, self._html = text, html

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return f"{_STYLE}<div>{self._html}{_SORT if 'ck-sort' in self._html else ''}</div>"


def readable(frame: pd.DataFrame, digits: int = 2, labels: Mapping[str, str] | None = None) -> Table:
    """Return the house table of a frame.

    Numbers of a column have the same decimals, and p-values have three. A value and the ends of its interval, ``low``
    and ``high``, share a column; an ``n`` that never changes stands in the header. A named index, or one of texts,
    becomes the first columns.

    Parameters
    ----------
    digits : int
        Decimals for numbers that are not whole.
    labels : mapping, optional
        Headers for column names, with units; for an interval that is not of 95 %, ``{"interval": "90 % interval"}``.

    Examples
    --------
    >>> readable(pd.DataFrame({"t": [1.234, np.nan], "p": [1.2e-9, 0.5], "holds": [True, False]})).frame.values.tolist()
    [['1.23', '< 0.001', 'borne out'], ['', '0.500', 'not borne out']]
    """
    words = WORDS | dict(labels or {})

    def head(name: str) -> str:
        return words.get(name) or VALUES["who"].get(name) or name.replace("_", " ")

    texts, columns = frame.copy().astype(object), []
    for place, name in enumerate(frame.columns):
        column = _column(frame.iloc[:, place], _names(name), digits)
        texts.isetitem(place, column.texts)
        columns.append(column)
    over = frame.columns.name if frame.columns.nlevels == 1 else None
    columns = [
        replace(column, texts=_aligned(column.texts) if column.kind == "number" else column.texts)
        for column in _merged(columns, words)
    ]
    if over not in (None, "metric"):
        columns = [replace(column, header=(str(over), *column.header)) for column in columns]
    columns = [*_rows(frame.index, digits), *columns]
    return Table(texts, [replace(column, header=tuple(map(head, column.header))) for column in columns])


def claims_table(frame: pd.DataFrame) -> Fold:
    """Return a paper's claims, folded by verdict; each claim has its numbers in a fold of its own.

    ``frame`` is a table of `stats.claims.survey`, with a verdict on each claim; or one of `stats.claims.judge`, which
    says of each claim whether some numbers, taken as they are, bear it out.

    Examples
    --------
    >>> claims_table(pd.DataFrame({"claim": ["a > b", "b > c"], "holds": [True, False]}))
    ✗ not borne out: 1 of 2
      b > c
    ✓ borne out: 1 of 2
      a > b
    """
    if "verdict" not in frame:
        outcomes = [_OUTCOMES[None if pd.isna(value) else bool(value)] for value in frame["holds"]]
        frame = frame.assign(verdict=outcomes)
    plain, parts = [], []
    for verdict, rows in _by_verdict(frame).items():
        count = f": {len(rows)} of {len(frame)}"
        plain += [f"{_GLYPHS[verdict]} {verdict}{count}", *(f"  {row['claim']}" for row in rows)]
        claims = "".join(map(_claim, rows))
        parts.append(_details(_marked(verdict) + count, f"<div>{claims}</div>"))
    return Fold("\n".join(plain), "".join(parts))


_SURVEYED = {  # columns of a survey, in order, and what stands before them
    "found": "", "printed": "the paper prints", "ours": "ours, at the paper's size", "changed": "ours, changed",
    "by": "decided by", "needed": "needed", "reached": "our runs", "interval": "95 % of the margin", "runs": "runs",
    "n": "n", "says_holds": "if the printed numbers are true, our test says that it holds in",
    "says_not": "and that it does not hold in", "note": "note", "command": "command",
}  # fmt: skip


def survey_table(frame: pd.DataFrame, links: Mapping[str, str]) -> Fold:
    """Return the claims of several papers: folded by instrument, then by verdict; each has its evidence in a fold.

    ``frame`` is a table of `app.claims.claims`; ``links`` has for an instrument the address where its claims are shown.

    Examples
    --------
    >>> row = {"instrument": "mewl", "claim": "a > b", "section": "5", "verdict": "open", "note": "one run"}
    >>> survey_table(pd.DataFrame([row]), {})
    mewl: ? open 1
      ? a > b (5): one run
    """
    plain, parts = [], []
    for room, claims in frame.groupby("instrument", sort=False):
        groups = _by_verdict(claims)
        counts = {verdict: len(rows) for verdict, rows in groups.items()}.items()
        plain.append(f"{room}: {', '.join(f'{_GLYPHS[verdict]} {verdict} {n}' for verdict, n in counts)}")
        plain += [
            f"  {_GLYPHS[row['verdict']]} {row['claim']} ({row['section']}): {row.get('note') or row.get('by')}"
            for rows in groups.values()
            for row in rows
        ]
        link = f'<a href="{escape(links.get(room, ""))}">Open the notebook where they are shown</a>'
        link = f"<p>{link}</p>" if room in links else ""
        folds = (
            _details(f"{_marked(verdict)}: {n}", f"<div>{''.join(map(_claim, groups[verdict]))}</div>")
            for verdict, n in counts
        )
        summary = ", ".join(f"{_marked(verdict, '')} {n}" for verdict, n in counts)
        parts.append(_details(f"{escape(room)}: {len(claims)} claims ({summary})", link + "".join(folds)))
    return Fold("\n".join(plain), "".join(parts))


def _by_verdict(frame: pd.DataFrame) -> dict[str, list[dict]]:
    """Return the claims of each verdict that there is, in the order of the folds."""
    groups = {verdict: frame[frame.verdict == verdict].to_dict("records") for verdict in _ORDER}
    return {verdict: rows for verdict, rows in groups.items() if rows}


def folded(summary: str, *contents: Any) -> Fold:
    """Return contents in a closed fold: the reader opens it, and a front end of text shows the summary alone.

    Texts are escaped, and those of several lines are shown as code; frames become house tables.

    Examples
    --------
    >>> folded("Show the solution", "Open the corner.")
    Show the solution (closed)
    """
    return Fold(f"{summary} (closed)", _details(escape(summary), "".join(map(_content, contents))))


def _content(content: Any) -> str:
    if isinstance(content, pd.DataFrame):
        content = readable(content)
    if isinstance(content, Table):
        return content.html()
    if hasattr(content, "_repr_html_"):
        return f"<div>{content._repr_html_()}</div>"
    tag = "pre" if "\n" in str(content) else "p"
    return f"<{tag}>{escape(str(content))}</{tag}>"


def _details(summary: str, inside: str) -> str:
    # JupyterLab takes Enter on a cell for "edit this cell"; without a script the fold still opens by the mouse.
    return f'<details class="ck-fold"><summary onkeydown="{KEYS}">{summary}</summary>{inside}</details>'


def _claim(row: Mapping[str, Any]) -> str:
    """Return a claim with its glyph; the reader opens it to see what its verdict rests on."""
    lines = []
    for name, label in _SURVEYED.items():
        text = "" if pd.isna(value := row.get(name, "")) else str(value)
        if text and not (name == "runs" and text == "0"):
            inside = f"<code>{escape(text)}</code>" if name == "command" else escape(VALUES["profile"].get(text, text))
            lines.append(f"{label}: {inside}" if label else inside)
    heading = _headed(row["verdict"], row)
    return _details(heading, f"<p>{'<br>'.join(lines)}</p>") if lines else f'<p class="ck-fold">{heading}</p>'


def _headed(verdict: str, row: Mapping[str, Any]) -> str:
    """Return a claim with its glyph before it, and its place in the paper behind it."""
    place = "" if pd.isna(row.get("section")) else str(row["section"])
    where = f" ({'§ ' * place[:1].isdigit()}{escape(place)})" if place else ""
    return f"{_marked(verdict, '')} {escape(str(row['claim']))}{where}"


def _marked(verdict: str, text: str | None = None) -> str:
    """Return a verdict with its glyph, in its colour; "" for no verdict."""
    glyph = _GLYPHS.get(verdict, "")
    words = f"{glyph} {verdict if text is None else text}".strip()
    return f'<span class="{_TONES.get(glyph, "ck-gap")}">{words}</span>' if verdict else ""


def _names(name: Any) -> tuple[str, ...]:
    """Return the lines of a header, from the name of a column."""
    parts = name if isinstance(name, tuple) else (name,)
    return tuple(text for text in map(str, parts) if text) or ("",)


def _rows(index: pd.Index, digits: int) -> list[_Column]:
    """Return an index that says something as columns."""
    levels = [index.get_level_values(level) for level in range(index.nlevels)]
    headers = [level for level in levels if level.name is not None or not pd.api.types.is_numeric_dtype(level)]
    columns = [_column(pd.Series(level), _names("" if level.name is None else level.name), digits) for level in headers]
    return [replace(column, kind="row") for column in columns]


def _column(values: pd.Series, header: tuple[str, ...], digits: int) -> _Column:
    """Return the texts of a column and what they are."""
    name, cells = header[-1], [None if _is_missing(value) else value for value in values]
    there = [value for value in cells if value is not None]
    if there and all(isinstance(value, bool | np.bool_) for value in there):
        words = _OUTCOMES if name == "holds" else {True: "yes", False: "no", None: ""}
        return _Column(header, [words[value if value is None else bool(value)] for value in cells], "verdict")
    reals = [float(value) for value in there if isinstance(value, numbers.Real)]
    whole = all(value.is_integer() for value in reals)
    many = name in _COUNTS or (name not in _MEASURED and any(abs(value) > 1 for value in reals))
    form = "p" if name == "p" or name.endswith("_p") else "0" if whole and many else str(digits)
    labels = VALUES.get(name, {})
    texts = [_text(labels.get(value, value) if isinstance(value, str) else value, form) for value in cells]
    filled = [text for text in texts if text]
    return _Column(header, texts, "number" if filled and all(map(_NUMBER.fullmatch, filled)) else "text")


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and np.isnan(value))


def _text(value: Any, form: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, Collection) and not isinstance(value, str):
        return ", ".join(map(str, value))
    if isinstance(value, numbers.Integral) or not isinstance(value, numbers.Real):
        return str(value)
    if form == "p":
        return f"{value:.3f}" if float(value) >= 0.001 else "< 0.001"
    return f"{round(float(value), int(form)) + 0.0:.{form}f}"  # no minus before zero


def _merged(columns: list[_Column], words: Mapping[str, str]) -> list[_Column]:
    """Return the columns to show: an interval stands with its value, and an n that never changes in the header."""
    output: list[_Column] = []
    columns = [column for column in columns if any(column.texts) or column.header[-1] not in ("low", "high")]
    for column in columns:
        *at, name = column.header
        last = output[-1] if output else _NOTHING
        beside = list(last.header[:-1]) == at
        if beside and name == "high" and last.header[-1] == "low":
            ends = zip(last.texts, column.texts, strict=True)
            ranges = [f"[{low}, {high}]" if low and high else "" for low, high in ends]
            width = max(map(len, ranges))
            output.pop()
            centre = output[-1] if output else _NOTHING
            if list(centre.header[:-1]) == at and centre.header[-1] in _CENTRES:
                output.pop()
                texts = [f"{value} {both:>{width}}" for value, both in zip(centre.texts, ranges, strict=True)]
                name = f"{words.get(centre.header[-1], centre.header[-1])}\n{words['interval']}"
                output.append(_Column((*at, name), texts, "interval"))
            else:
                output.append(_Column((*at, "interval"), ranges, "interval"))
        elif name == "n" and beside and "\n" in last.header[-1] and len({*column.texts}) == 1 < len(column.texts):
            output[-1] = replace(last, header=(*at, f"{last.header[-1]}, n = {column.texts[0]}"))
        else:
            output.append(column)
    return output


def _aligned(texts: list[str]) -> list[str]:
    """Return numbers whose points stand below each other where all end together.

    Examples
    --------
    >>> [text.replace(_FIGURE, "_").replace(_POINT, ".") for text in _aligned(["-1.5", "12", ""])]
    ['-1.5', '12._', '']
    """
    behind = [len(text.partition(".")[2]) for text in texts]
    most = max(behind, default=0)
    ends = [_FIGURE * (most - there) if there or not most else _POINT + _FIGURE * most for there in behind]
    return [text and text + end for text, end in zip(texts, ends, strict=True)]


def _plain(text: str) -> str:
    return text.replace(_FIGURE, " ").replace(_POINT, " ")


def _signed(text: str) -> str:
    """Return numbers with true minus signs, escaped.

    Examples
    --------
    >>> _signed("-0.2 [-1.0, 2.0]")
    '−0.2 [−1.0, 2.0]'
    """
    return escape(re.sub(r"(?<![\de])-(?=[\d.])", "−", text))
