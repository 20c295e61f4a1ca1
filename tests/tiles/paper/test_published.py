"""Every number that is known of the published scores (Kumar et al. 2023), from the file and from the bundled cells.

Expected values are the paper's own or an independent recomputation of it, never this code's.
"""

from __future__ import annotations

import pandas as pd
import pytest
from cases import case
from printed import near
from raw_anova import anova

from cogkit.core.errors import InputError
from cogkit.core.records import KINDS, RESULT_COLUMNS
from cogkit.data import published
from cogkit.stats import anova_from_cells
from cogkit.tiles.paper import claims, reported
from cogkit.tiles.paper import published as people

FROM_FILE = pytest.mark.usefixtures("use_mirror")


# The scores


@FROM_FILE
def test_scores_are_the_published_ones(reference):
    frame = people.scores()
    table = pd.read_csv(reference / "metamers" / "performance.csv")
    assert frame.z.to_numpy() == pytest.approx(table.performance.to_numpy(), rel=1e-15)
    assert (frame.rule == table.abstraction).all()
    assert (frame.kind == table.condition.str.lower()).all()
    assert (frame.who == table.member.map({"Human": "person", "Agent": "agent"})).all()
    sizes = frame.groupby(["who", "kind"], sort=False).size()
    assert sizes.person.to_dict() == {"abstract": 400, "metamer": 399} and sizes.agent.tolist() == [120, 120]


@FROM_FILE
def test_bundled_cells_are_the_published_ones():
    bundled, reference = people.cells("bundled"), people.cells("published")
    columns = ["rule", "kind", "who", "n", "mean", "sd"]
    pd.testing.assert_frame_equal(bundled[columns], reference[columns], rtol=1e-13, atol=0)
    assert set(bundled.source) == {"bundled"} and set(reference.source) == {"published"}


def test_without_the_file_the_bundled_cells_stand_in_and_say_so(offline):
    assert set(people.cells().source) == {"bundled"}
    assert len(offline) == 1 and "bundled" in offline[0] and "COGKIT_OFFLINE=1" in offline[0]
    assert reported.reported().agrees.all()
    assert people.pinned().pinned.tolist() == [14, 14, 10, 15]
    with pytest.raises(published.Unavailable):
        people.cells("published")


def test_another_file_is_refused_in_one_sentence(mirror, tmp_path):
    text = (mirror / people.FILE).read_text()
    path = tmp_path / "performancedata.csv"
    for damaged, words in (
        (text.rsplit("\n", 2)[0] + "\n", "1039 rows"),
        (text.replace("copy", "copi", 1), "'copi'"),
        (text.replace("Abstract,Human", "Metamer,Human", 1), "49 rows of copy abstract person"),
        (text.replace("-1.7959339965229981", "nan"), "a finite number"),
        ("", "No columns to parse"),
        ("\x00\xff", "without a row"),
    ):
        path.write_text(damaged)
        with case(words), pytest.raises(InputError, match=words) as error:
            people.scores(path)
        assert "\n" not in str(error.value) and str(path) in str(error.value), words
    with pytest.raises(InputError, match="No such file"):
        people.scores(tmp_path / "nothing.csv")


@FROM_FILE
def test_rows_have_the_schema_of_results():
    rows = people.rows("bundled")
    assert tuple(rows.columns) == RESULT_COLUMNS and len(rows) == 32
    assert set(rows.kind) == {"person", "model"} <= set(KINDS)
    row = rows[(rows.task == "rectangle/metamer") & (rows.kind == "person")].iloc[0]
    frame = people.scores().query("rule == 'rectangle' and kind == 'metamer' and who == 'person'")
    assert row.value == pytest.approx(frame.z.mean())
    half = 2.009575 * frame.z.sem()  # Student's t at 49 df, from tables
    assert (row.low, row.high) == pytest.approx((row.value - half, row.value + half), rel=1e-5)
    assert (row.n, row.metric, row.interval) == (50, "z", "95% t")


# What the paper reports


def test_the_six_statistics(source):
    table = reported.reported(source)
    effects = ["performer:task", "performer:task:abstraction", "people, abstract - metamer"]
    effects += ["agents, metamer - abstract", "abstract, people - agents", "metamer, agents - people"]
    assert table.effect.tolist() == effects and table.agrees.all() and table.df.tolist()[:2] == [1, 7]
    assert table.value.tolist()[:2] == [near(888.715683, 6), near(339.574515, 6)]
    assert table.value.tolist()[2:] == [near(t, 4) for t in (-13.8135, -4.8902, -13.1778, -0.9534)]
    assert table.p.iloc[-1] == near(0.3408, 4)
    assert table.df_resid.tolist() == [1007, 1007, 797, 238, 518, 517]
    assert table.printed_df_resid.tolist() == [1036, 1008, 798, 238, 518, 518]
    assert table.df_agrees.tolist() == [False, False, False, True, True, False]


def test_table_s2(source):
    table = reported.anova_table(source).set_index("term")
    expected = {"performer": 737.89, "task": 68.14, "abstraction": 171.65, "performer:abstraction": 182.47}
    expected |= {"task:abstraction": 139.03}
    assert table.f[[*expected]].to_dict() == {term: near(f, 2) for term, f in expected.items()}
    assert table.ss["residual"] == near(1240.573, 3)
    assert table.ss["residual"] / table.df["residual"] == near(1.23195, 5)
    assert table.df.tolist() == [1, 1, 7, 1, 7, 7, 7, 1007] and table.printed_f.notna().sum() == 2
    assert table.printed_df_resid[["performer:task", "performer:task:abstraction"]].tolist() == [1036, 1008]


@FROM_FILE
def test_scores_themselves_give_table_s2():
    """statsmodels on 1,039 rows, and the model without abstraction."""
    frame = people.scores().rename(columns={"who": "performer", "kind": "task", "rule": "abstraction"})
    table = anova(frame, "z", ["performer", "task", "abstraction"])
    pd.testing.assert_frame_equal(table, reported.anova_table("bundled")[table.columns], rtol=1e-9)
    small = anova(frame, "z", ["performer", "task"]).set_index("term").loc["performer:task"]
    assert (small.f, small.df, small.df_resid) == (near(134.52, 2), 1, 1035)
    cells = people.cells("bundled")
    pooled = pd.DataFrame([
        {"who": who, "kind": kind, **people.sample(cells, who=who, kind=kind).__dict__}
        for who in people.WHO for kind in people.KINDS
    ])  # fmt: skip
    assert anova_from_cells(pooled, ["who", "kind"]).f[2] == near(134.52, 2)


# rule: means (people abstract, metamer, agents abstract, metamer), F, then the four t in the order of the table.
# The facts round the last t of copy twice, to -16.27; scipy's ttest_ind on the scores gives -16.2645.
RULES = {
    "copy": ((-1.663, 0.256, 6.142, -3.734), 550.39, (-7.06, -68.48, -17.85, -16.26)),
    "symmetry": ((-0.690, -0.540, -0.355, -1.493), 17.97, (-0.93, -9.38, -1.17, -9.24)),
    "rectangle": ((-5.132, -1.307, -4.045, -2.322), 24.68, (-16.78, 15.07, -10.40, -2.48)),
    "connected": ((-5.839, -2.864, 8.175, -4.159), 475.36, (-9.12, -18.09, -21.52, -4.92)),
    "tree": ((-1.475, -1.051, -2.369, -2.325), 9.01, (-6.31, 0.82, 9.09, -15.91)),
    "pyramid": ((-1.551, -0.893, 12.565, -2.302), 489.06, (-7.02, -11.74, -20.49, -10.43)),
    "cross": ((-2.353, -0.191, -2.027, 8.814), 487.36, (-10.13, 164.87, -1.48, 27.64)),
    "zigzag": ((-1.436, 0.005, -0.993, -0.818), 56.10, (-16.90, 1.48, -4.24, -6.20)),
}


def test_tables_s3_and_s4(source):
    cells = people.cells(source).set_index(["rule", "who", "kind"])["mean"]
    interactions, comparisons = reported.interactions(source).set_index("rule"), reported.comparisons(source)
    for rule, (means, f, ts) in RULES.items():
        values = [cells[rule, who, kind] for who in ("person", "agent") for kind in ("abstract", "metamer")]
        assert values == [near(mean, 3) for mean in means], rule
        interaction = interactions.loc[rule]
        assert interaction.f == near(f, 2), rule
        assert (interaction.df, interaction.df_resid) == (1, 125 if rule == "copy" else 126)
        assert interaction.people == pytest.approx(means[0] - means[1], abs=2e-3)
        assert interaction.agents == pytest.approx(means[2] - means[3], abs=2e-3)
        tests = comparisons.query("rule == @rule")
        assert tests.comparison.tolist() == list(reported.COMPARISONS)
        assert tests.t.tolist() == [near(t, 2) for t in ts], rule
    assert interactions.p[["symmetry", "rectangle", "tree"]].tolist() == [near(4e-5, 5), near(2e-6, 6), near(0.003, 3)]
    p = comparisons.pivot(index="rule", columns="comparison", values="p")
    assert p["people, abstract - metamer"]["symmetry"] == near(0.354, 3)
    assert p["abstract, people - agents"][["symmetry", "cross"]].tolist() == [near(0.25, 2), near(0.14, 2)]
    assert p["metamer, agents - people"]["rectangle"] == near(0.016, 3)
    assert p["agents, metamer - abstract"][["tree", "zigzag"]].tolist() == [near(0.42, 2), near(0.15, 2)]


def test_claims_against_the_scores(source):
    table = claims.claims(source)
    assert table[~table.holds].claim.tolist() == [
        "Later in the paper: they do so in seven of the eight rules, but not in tree.",
        "People beat agents on abstract boards in seven of the eight rules, but not in cross.",
    ]
    tree, cross = table[~table.holds].found
    expected = "better in: copy, rectangle, connected, pyramid, zigzag; equal in: symmetry, cross; worse in: tree"
    assert cross == expected and "p = 0.0032" in tree


# The pinned cells


def test_pinned_cells(source):
    table = people.pinned(source)
    assert table[["rule", "kind", "pinned", "constant"]].values.tolist() == [
        ["copy", "abstract", 14, near(6.194382, 6)], ["connected", "abstract", 14, near(8.853040, 6)],
        ["pyramid", "abstract", 10, near(15.553205, 6)], ["cross", "metamer", 15, near(8.814107, 6)],
    ]  # fmt: skip
    assert set(table.who) == {"agent"} and table.n.sum() == 60
    assert people.unpinned_rules(source) == ["symmetry", "rectangle", "tree", "zigzag"]
