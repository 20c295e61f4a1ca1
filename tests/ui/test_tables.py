"""The house table: its texts, its columns, its headers, claims by verdict, and closed folds."""

from __future__ import annotations

import numpy as np
import pandas as pd
from bs4 import BeautifulSoup

from cogkit.ui.tables import claims_table, folded, readable


class Reading:
    """The rows of a table as a page holds them."""

    def __init__(self, page: str) -> None:
        self.rows = [row.select("td, th") for row in BeautifulSoup(page, "html.parser").select("tr")]

    def texts(self) -> list[list[str]]:
        return [[cell.get_text() for cell in row] for row in self.rows]


def read(frame: pd.DataFrame, *args, **options) -> Reading:
    return Reading(readable(frame, *args, **options).html())


def test_numbers_of_a_column_have_the_same_decimals_and_whole_ones_have_none():
    frame = pd.DataFrame({"z": [1.0, -10.257, 0.5], "n": [1.0, 12.0, 3.0], "mean": [1.0, 0.0, 2.0], "k": [3, 4, 12]})
    assert readable(frame).frame.to_dict("list") == {
        "z": ["1.00", "-10.26", "0.50"], "n": ["1", "12", "3"], "mean": ["1.00", "0.00", "2.00"], "k": ["3", "4", "12"],
    }  # fmt: skip
    assert readable(frame[["z"]], 4).frame.z.tolist() == ["1.0000", "-10.2570", "0.5000"]
    assert readable(pd.DataFrame({"z": [-0.001, 1.5]})).frame.z.tolist() == ["0.00", "1.50"]  # no minus before zero
    assert read(frame).texts()[2] == ["−10.26", "12", "0.00", "4"]  # a true minus where people look


def test_numbers_are_right_and_texts_are_left_and_points_stand_below_each_other():
    reading = read(pd.DataFrame({"rule": ["tree", "copy"], "printed": ["1,036.5", "−7"], "z": [1.5, np.nan]}))
    assert [[cell.get("class") for cell in row] for row in reading.rows] == [[None, ["ck-n"], ["ck-n"]]] * 3
    assert reading.texts()[1:] == [["tree", "1,036.5", "1.50"], ["copy", "−7\u2008\u2007", ""]]


def test_p_values_have_three_decimals_and_none_is_zero():
    frame = pd.DataFrame({"p": [0.0, 9e-10, 0.001, 0.0498], "tost_p": [0.5, np.nan, 1.0, 0.04]})
    table = readable(frame)
    assert table.frame.p.tolist() == ["< 0.001", "< 0.001", "0.001", "0.050"]
    assert table.frame.tost_p.tolist() == ["0.500", "", "1.000", "0.040"]
    assert Reading(table.html()).texts()[0] == ["p", "p (TOST)"]


def test_what_is_missing_is_empty_in_every_kind_of_column():
    frame = pd.DataFrame({"a": ["x", None], "b": [1.5, np.nan], "c": pd.array([1, pd.NA], "Int64"), "d": [True, None]})
    assert readable(frame).frame.iloc[1].tolist() == [""] * 4
    assert "nan" not in repr(readable(frame)).lower()


def test_a_verdict_has_glyph_colour_and_words():
    frame = pd.DataFrame({"holds": pd.array([True, False, pd.NA], "boolean"), "agrees": [True, False, True]})
    table = readable(frame)
    assert table.frame.holds.tolist() == ["borne out", "not borne out", "not there"]
    assert Reading(table.html()).texts()[1:] == [
        ["✓ borne out", "✓ yes"], ["✗ not borne out", "✗ no"], ["? not there", "✓ yes"]
    ]  # fmt: skip
    assert table.html().count('class="ck-yes"') == 3 and table.html().count('class="ck-no"') == 2


def test_an_interval_stands_with_its_value_and_a_constant_n_in_the_header():
    rows = {"who": ["a", "b"], "value": [0.52, -10.0], "low": [0.48, -10.5], "high": [0.57, -9.25], "n": [40, 40]}
    reading = read(pd.DataFrame(rows))
    assert reading.texts()[0] == ["learner", "value\n95 % interval, n = 40"]
    assert [row[1] for row in reading.texts()[1:]] == ["0.52 [0.48, 0.57]", "−10.00 [−10.50, −9.25]"]
    assert readable(pd.DataFrame(rows)).frame.columns.tolist() == list(rows)  # the texts keep their own columns
    differs = read(pd.DataFrame(rows | {"n": [40, 41]}), labels={"value": "share", "interval": "90 % interval"})
    assert differs.texts()[0] == ["learner", "share\n90 % interval", "n"]


def test_an_interval_far_from_its_value_is_a_column_and_one_without_numbers_is_none():
    frame = pd.DataFrame({"estimate": [1.5], "p": [0.2], "low": [-1.0], "high": [2.5]})
    assert read(frame).texts() == [["estimate", "p", "95 % interval"], ["1.50", "0.200", "[−1.00, 2.50]"]]
    assert read(frame.assign(low=np.nan, high=np.nan)).texts()[0] == ["estimate", "p"]
    one = pd.DataFrame({"value": [0.5, 0.25], "low": [np.nan, 0.2], "high": [np.nan, 0.3]})
    assert [row[0].strip() for row in read(one).texts()[1:]] == ["0.50", "0.25 [0.20, 0.30]"]


def test_an_index_that_says_something_heads_its_rows_and_a_counter_is_not_shown():
    frame = pd.DataFrame({"z": [1, 2]}, index=pd.Index(["bayes-greedy", "LSTM"], name="who"))
    reading = read(frame)
    assert reading.texts() == [["learner", "z"], ["ideal observer", "1"], ["LSTM", "2"]]
    assert reading.rows[1][0].name == "th" and reading.rows[1][0]["scope"] == "row"
    assert read(pd.DataFrame({"z": [1, 2]}, index=[7, 3])).texts() == [["z"], ["1"], ["2"]]
    assert read(pd.DataFrame({"z": [1]}, index=pd.Index([7], name="sweep"))).texts() == [["sweep", "z"], ["7", "1"]]


def test_a_multiindex_of_columns_becomes_headers_over_groups():
    names = pd.MultiIndex.from_product([["value", "sd"], ["FF", "BA"]], names=[None, "task"])
    frame = pd.DataFrame([[1.5, 2.5, 3.5, 4.5]], index=pd.Index(["adults"], name="who"), columns=names)
    reading = read(frame)
    head, below, row = reading.texts()
    assert (head, below) == (["learner", "value", "SD"], ["FF", "BA", "FF", "BA"])
    assert row == ["adults", "1.50", "2.50", "3.50", "4.50"]
    learner, *over = reading.rows[0]
    assert (learner["rowspan"], learner["scope"]) == ("2", "col")
    assert [(cell["scope"], cell["colspan"]) for cell in over] == [("colgroup", "2")] * 2


def test_the_name_of_pivoted_columns_stands_over_them():
    frame = pd.DataFrame({"task": ["FF", "BA"], "who": ["x", "x"], "value": [0.5, 1.0]})
    reading = read(frame.pivot(index="who", columns="task", values="value"))
    assert reading.texts() == [["learner", "task"], ["BA", "FF"], ["x", "1.00", "0.50"]]


def test_no_text_is_cut_and_the_frame_is_not_changed():
    sentence = "a claim that goes on and on " * 20
    frame = pd.DataFrame({"claim": [sentence], "z": [0.123456]})
    before = frame.copy()
    table = readable(frame)
    assert sentence in table.html() and sentence.strip() in repr(table) and "…" not in repr(table)
    pd.testing.assert_frame_equal(frame, before)


def test_only_a_long_table_sorts_and_an_empty_one_has_its_headers():
    short, long = (pd.DataFrame({"z": range(rows)}) for rows in (12, 13))
    assert "<script" not in readable(short)._repr_html_()
    assert "<script" in readable(long)._repr_html_()
    empty = pd.DataFrame(columns=["who", "value"])
    assert read(empty).texts() == [["learner", "value"], ["Nothing here yet."]]
    assert repr(readable(empty)).splitlines() == ["learner  value", "Nothing here yet."]
    assert repr(readable(pd.DataFrame())) == "Nothing here yet."


def test_headers_and_what_is_stored_are_words_and_callers_can_give_their_own():
    frame = pd.DataFrame({"df_resid": [7], "blue": [12], "kind": ["observer"], "profile": ["as_published"]})
    assert read(frame).texts()[0][:2] == ["residual df", "blue"]
    assert read(frame).texts()[1][2:] == ["ideal observer", "as published"]
    assert read(frame, labels={"blue": "blue tiles a board"}).texts()[0][1] == "blue tiles a board"


CLAIMS = pd.DataFrame({"claim": ["a above b", "b above c", "c above d"], "section": ["§ 1", None, "§ 3"]}).assign(
    found=["a 2, b 1", "b 1, c 1", "no number of d"], holds=pd.array([True, False, pd.NA], "boolean")
)


def test_claims_stand_by_verdict_and_are_folded():
    table = claims_table(CLAIMS)
    page = table._repr_html_()
    texts = ("not borne out</span>: 1 of 3", "b above c", "not there</span>", "c above d", "a above b")
    places = [page.index(text) for text in texts]
    assert places == sorted(places)
    assert page.count('<details class="ck-fold">') == 3 + 3 and " open" not in page  # verdicts, and the numbers of each
    assert "a 2, b 1" in page and "(§ 3)" in page and "None" not in page and "<NA>" not in page


def test_a_fold_is_closed_and_its_text_does_not_spoil():
    fold = folded("Show the solution", "line one\nline two", pd.DataFrame({"who": ["you"]}), readable(CLAIMS))
    assert repr(fold) == "Show the solution (closed)"
    page = BeautifulSoup(fold._repr_html_(), "html.parser")
    assert not page.details.has_attr("open") and page.pre.get_text() == "line one\nline two"
    assert len(page.select("table")) == 2
