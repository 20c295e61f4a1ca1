"""Certificates: every problem that is made has one, also rounded and without places; every fault is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line, parse_program, write_program
from cogkit.bongard.problems import abstract, basic, certify, freeform, sets
from cogkit.bongard.problems.records import Problem
from cogkit.bongard.shapes import inventory
from cogkit.core.contracts import InputError

AT = Placement(0.0, 0.0, 0.0, 150.0)


@pytest.fixture(scope="module")
def known(mirror):
    return inventory.available("published")


def rounded(problem: Problem) -> Problem:
    """Return a problem as somebody reads it who has nothing but the published strings."""

    def side(pictures):
        return tuple(
            tuple(Placed(parse_program(write_program(placed.program))) for placed in picture) for picture in pictures
        )

    return replace(problem, positives=side(problem.positives), negatives=side(problem.negatives))


@pytest.mark.parametrize("kind", ["ff", "bd", "hd"])
@pytest.mark.parametrize("profile", ["as_published", "verified"])
def test_every_problem_made_is_as_promised(kind, profile, known):
    for spec in sets.specs(profile, (kind,), 300, 3):
        problem = sets.problem(spec)
        assert certify.check(problem, known) == []
        if int(spec.index) % 5 == 0:
            assert certify.check(rounded(problem), known, placed=False) == []


@pytest.mark.parametrize("kind", ["ff", "bd", "hd"])
def test_the_catalogue_keeps_its_promises_too(kind):
    for spec in sets.specs("verified", (kind,), 60, source="catalogue"):
        assert certify.check(sets.problem(spec), inventory.catalogue()) == []


def test_the_published_rules_break_what_the_verified_ones_promise(known):
    """What facts § 6 and § 11 say is wrong with them is found, so nothing of it is overlooked in what is verified."""
    groups = {}
    for kind in ("ff", "bd", "hd"):
        for spec in sets.specs("as_published", (kind,), 150):
            for fault in certify.check(sets.problem(spec), known, profile="verified"):
                groups.setdefault(kind, set()).add(fault)
    texts = {kind: "\n".join(faults) for kind, faults in groups.items()}
    assert all(part in texts["ff"] for part in ("draws the same figure", "lies under the ink", "goes on as another"))
    assert all(
        part in texts["bd"] for part in ("draws the same figure", "leaves the paper", "units apart", "tell the side")
    )
    assert "tell the side" in texts["hd"] and "leaves the paper" in texts["hd"]


# --- free-form: a concept of four strokes, and negatives that change one of them ---

CONCEPT = (Line(1.0), Line(0.7, 90.0, "zigzag"), Arc(0.35, 90.0, -60.0, "circle"), Line(0.4, 30.0, "square"))
CHANGES = {
    0: Line(0.7), 1: Line(0.7, 90.0), 2: Arc(0.35, 180.0, -60.0, "circle"), 3: Line(0.4, -60.0, "square"),
    4: Line(0.7, 90.0, "triangle"), 5: Line(0.7, -60.0, "circle"), 6: Arc(0.25, 90.0, 30.0, "square"),
}  # fmt: skip
WHICH = (0, 1, 2, 3, 1, 2, 3)


def shown(program) -> tuple[Placed, ...]:
    return (Placed(tuple(program), AT),)


def changed(*changes: tuple[int, object]):
    program = list(CONCEPT)
    for stroke, action in changes:
        program[stroke] = action
    return shown(program)


@pytest.fixture
def good() -> Problem:
    negatives = [changed((WHICH[k], action)) for k, action in CHANGES.items()]
    return Problem("ff_nact4_0000", "ff", ("nact4",), (shown(CONCEPT),) * 7, tuple(negatives))


def with_negative(problem: Problem, picture, place: int = 0) -> Problem:
    return replace(problem, negatives=problem.negatives[:place] + (picture,) + problem.negatives[place + 1 :])


def test_the_problem_made_by_hand_is_good(good):
    assert certify.check(good) == []


@pytest.mark.parametrize(
    ("picture", "fault"),
    [
        (changed(), "negative 1 is the concept"),
        (changed((0, Line(0.7)), (3, Line(0.7))), "negative 1 differs from the concept in 2 strokes, not in one"),
        (changed((1, Line(0.4, 0.0, "zigzag"))), "negative 1 differs from the concept in 2 ways, not in one"),
        (changed((2, Line(0.7, 0.0, "circle"))), "negative 1 differs from the concept in 2 ways, not in one"),
        (changed((2, Arc(0.25, 180.0, -60.0, "circle"))), "negative 1 differs from the concept in 2 ways, not in one"),
        (shown(CONCEPT[:3]), "negative 1 has another number of strokes"),
        (changed((1, Line(0.7, 90.0))), "negative 2 draws the same figure as negative 1"),
        (changed((0, Line(1.0, 30.0))), "negative 1 draws the same figure as the concept"),
        # 0.7 long, goes back; the first 0.14 are the corner
        (changed((1, Line(0.7, 180.0, "zigzag"))), "negative 1: 78% of a stroke lies under the ink of others"),
        (changed((1, Line(0.7, 0.0, "normal"))), "negative 1 differs from the concept in 2 ways, not in one"),
    ],
)  # fmt: skip
def test_negatives_that_are_none(good, picture, fault):
    assert fault in certify.check(with_negative(good, picture))


def test_a_stroke_that_cannot_be_told_from_another(good):
    concept = (CONCEPT[0], Line(0.7), *CONCEPT[2:])
    problem = replace(good, positives=(shown(concept),) * 7)
    assert "the concept: a stroke goes on as another of its type" in certify.check(problem)


def test_positives_that_differ(good):
    problem = replace(good, positives=good.positives[:6] + (changed((0, Line(0.7))),))
    assert certify.check(problem) == ["positive 7 is not the program that positive 1 is"]
    assert certify.check(problem, profile="as_published") == ["positive 7 is not the program that positive 1 is"]


def test_repeated_negatives_are_a_fault_of_verified_problems_only(good):
    problem = with_negative(good, good.negatives[3])
    assert certify.check(problem) == ["negative 4 draws the same figure as negative 1"]
    assert certify.check(problem, profile="as_published") == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"kind": "xx"}, "'xx' is no kind of problem"),
        ({"name": "nobody"}, "the name of a problem, such as"),
        ({"concept": ("nact5",)}, "it is named after ff nact4, but is ff nact5"),
        ({"name": "ff_nact3_0000", "concept": ("nact3",)}, "nact3 is no number of strokes that there is"),
        ({"name": "ff_nact5_0000", "concept": ("nact5",)}, "the concept has 4 strokes"),
        ({"positives": ()}, "it has 0 positives, not 7"),
        ({"negatives": (((),) * 7)}, "negative 1 has 0 shapes, not one or two"),
    ],
)
def test_problems_that_are_none(good, change, fault):
    assert any(fault in text for text in certify.check(replace(good, **change)))


def test_where_shapes_lie(good):
    off = (replace(good.positives[0][0], at=Placement(300.0, 0.0, 0.0, 150.0)),)
    problem = replace(good, positives=(off, *good.positives[1:]))
    assert certify.check(problem) == ["positive 1: shape 1 leaves the paper"]
    assert certify.check(problem, placed=False) == []
    assert certify.check(problem, profile="as_published") == []


def test_shapes_that_touch():
    problem = freeform.problem(11)
    first, second = problem.positives[2]
    near = (first, replace(second, at=first.at))
    faults = certify.check(replace(problem, positives=(*problem.positives[:2], near, *problem.positives[3:])))
    assert len(faults) == 1 and faults[0].startswith("positive 3: its shapes are -")
    swapped = replace(problem, negatives=tuple(picture[::-1] for picture in problem.negatives))
    assert certify.check(swapped)  # programs are compared shape by shape


# --- shapes of a table ---


def of(known, *named: str, types: str = "normal"):
    return tuple(
        Placed(
            tuple(replace(action, type=types) for action in known[name].program),
            Placement(-250.0 + 300.0 * k, -100.0, 45.0, 150.0),
            name,
        )
        for k, name in enumerate(named)
    )


@pytest.fixture
def single(known) -> Problem:
    """The problem of one stampable shape, made by hand in normal strokes."""
    target, *names = [shape.name for shape in known.super_classes["quadrangle"] if shape.stampable]
    negatives = tuple(of(known, name) for name in names[:7])
    return Problem(f"bd_{target}_0000", "bd", (target,), (of(known, target),) * 7, negatives)


def test_basic_faults(single, known):
    assert certify.check(single, known) == []
    target = single.concept[0]
    other = known.super_classes["arc"][0].name
    wrong = replace(single, positives=(single.negatives[0], *single.positives[1:]))
    assert certify.check(wrong, known) == ["positive 1 is not the concept"]
    assert certify.check(with_negative(single, of(known, target)), known) == ["negative 1 is the concept"]
    super_class = "quadrangle"
    assert certify.check(with_negative(single, of(known, other)), known) == [
        f"negative 1: {other} is not of the super class {super_class}"
    ]
    both = of(known, target, other)
    assert certify.check(with_negative(single, both), known, placed=False) == [
        "negative 1 has another number of shapes"
    ]
    assert certify.check(with_negative(single, single.negatives[4]), known) == [
        "negative 5 draws the same figure as negative 1"
    ]
    strange = (Placed((Line(0.123), Line(0.2, 33.0)), AT),)
    assert certify.check(with_negative(single, strange), known) == [
        "negative 1: its shape is not of the super class quadrangle"
    ]
    problem = replace(single, name="bd_nobody_0000", concept=("nobody",))
    assert certify.check(problem, known) == ["nobody is none of the 627 published shapes"]
    with pytest.raises(InputError, match="the shapes that it is made of"):
        certify.check(single)


def test_basic_types_that_tell_the_side(single, known):
    plain = next(shape.name for shape in known.super_classes["quadrangle"] if not shape.stampable)
    mixed = with_negative(single, of(known, plain))
    assert certify.check(mixed, known) == []  # all in normal strokes
    typed = replace(mixed, positives=(of(known, *single.concept, types="zigzag"),) * 7)
    fault = f"stroke types tell the side: some shapes in place of {single.concept[0]} cannot have them"
    assert certify.check(typed, known) == [fault]
    assert certify.check(typed, known, profile="as_published") == []
    stamped = with_negative(single, of(known, plain, types="circle"))
    assert f"negative 1: {plain} can be read in normal strokes only" in certify.check(stamped, known)


def test_basic_pairs_change_either_shape_three_times(known):
    problem = basic.problem(3000, shapes=known)
    first = [picture for picture in problem.negatives if picture[0].name != problem.concept[0]]
    assert "negative 1 differs from the concept in both shapes, not in one" in certify.check(
        with_negative(problem, (first[0][0], replace(problem.negatives[0][1], program=first[0][0].program))), known
    )
    lopsided = replace(problem, negatives=tuple((first * 3)[:7]))
    assert "7 negatives change the same one of two shapes" in certify.check(lopsided, known, profile="as_published")


@pytest.fixture
def convex(known) -> Problem:
    """An abstract problem made by hand, all strokes normal."""
    having = [shape.name for shape in known if shape.attributes["convex"] == 1][:8]
    lacking = [shape.name for shape in known if shape.attributes["convex"] == 0][:8]
    sides = (tuple(of(known, name) for name in names[:7]) for names in (having, lacking))
    return Problem("hd_convex_0000", "hd", ("convex",), *sides)


def test_abstract_faults(convex, known):
    assert certify.check(convex, known, placed=False) == []
    lacks, has = convex.negatives[0], convex.positives[0]
    wrong = replace(convex, positives=(lacks, *convex.positives[1:]))
    assert f"positive 1: {lacks[0].name} lacks convex" in certify.check(wrong, known)
    assert f"negative 2: {has[0].name} has the concept" in certify.check(with_negative(convex, has, 1), known)
    unsure = next(shape.name for shape in known if shape.attributes["convex"] == -1)
    fault = f"negative 1: nobody knows whether {unsure} has convex"
    assert fault in certify.check(with_negative(convex, of(known, unsure)), known)
    again = with_negative(convex, convex.negatives[3])
    assert certify.check(again, known, placed=False) == ["negative 4 draws the same figure as negative 1"]
    assert certify.check(again, known, profile="as_published") == []
    two = with_negative(convex, of(known, lacks[0].name, has[0].name))
    assert certify.check(two, known, placed=False) == ["negative 1 has two shapes, where an abstract problem has one"]
    problem = replace(convex, name="hd_concave_0000", concept=("concave",))
    assert certify.check(problem, known, placed=False) == ["concave is no attribute"]


def test_shapes_of_no_table_are_labelled_by_geometry(convex, known):
    square = tuple(Line(0.777, 90.0) for _ in range(4))
    star = (Line(0.777), Line(0.777, 144.0), Line(0.777, 144.0), Line(0.777, 144.0), Line(0.777, 144.0))
    problem = replace(convex, positives=((Placed(square, AT),), *convex.positives[1:]))
    assert certify.check(problem, known, placed=False, profile="as_published") == []
    lined = replace(problem, name="hd_has_four_straight_lines_0000", concept=("has_four_straight_lines",))
    faults = certify.check(lined, known, profile="as_published")
    assert not any(fault.startswith("positive 1:") for fault in faults)  # a square has four lines
    lined = replace(lined, positives=((Placed(star, AT),), *convex.positives[1:]))
    assert "positive 1: its shape lacks has_four_straight_lines" in certify.check(lined, known, profile="as_published")
    round_ = replace(
        problem, name="hd_exist_sector_0000", concept=("exist_sector",)
    )  # geometry does not tell this reliably
    assert "positive 1: nobody knows whether its shape has exist_sector" in certify.check(round_, known)


def test_abstract_types_that_tell(known):
    index = abstract.concepts(known).index(("exist_triangle",))
    problem = abstract.problem(index, shapes=known)
    stampable = next(k for k, picture in enumerate(problem.positives) if known[picture[0].name].stampable)
    stamped = of(known, problem.positives[stampable][0].name, types="triangle")
    shows = replace(problem, positives=tuple(stamped if k == stampable else p for k, p in enumerate(problem.positives)))
    fault = f"positive {stampable + 1} has strokes of type triangle, which shows what is asked about"
    assert fault in certify.check(shows, known, profile="as_published")
    pairs = next(k for k, concept in enumerate(abstract.concepts(known)) if len(concept) == 2)
    problem = abstract.problem(pairs, shapes=known)
    first = [picture for picture in problem.negatives if not known[picture[0].name].attributes[problem.concept[0]]]
    lopsided = replace(problem, negatives=tuple((first * 3)[:7]))
    assert "7 negatives lack the same one of two attributes" in certify.check(lopsided, known, profile="as_published")


def test_figures_with_both_labels_certify_nothing(convex, known):
    base = replace(convex, name="hd_exist_sector_0000", concept=("exist_sector",))
    problem = replace(base, positives=(of(known, "sector180"), *base.positives[1:]))
    fault = "positive 1: nobody knows whether sector180 has exist_sector"
    assert fault in certify.check(problem, known) and fault not in certify.check(problem, known, profile="as_published")


def test_labels_that_geometry_contradicts_certify_nothing(convex, known):
    wrong = next(shape.name for shape in known if abstract.contradictions(shape, ["has_line_crossing"]))
    label = known[wrong].attributes["has_line_crossing"]
    assert label in (0, 1)
    base = replace(convex, name="hd_has_line_crossing_0000", concept=("has_line_crossing",))
    problem = with_negative(base, of(known, wrong))
    fault = f"negative 1: table and geometry disagree about has_line_crossing of {wrong}"
    assert fault in certify.check(problem, known) and fault not in certify.check(problem, known, profile="as_published")
