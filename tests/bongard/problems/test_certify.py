"""Certificates: every problem that is made has one, also rounded and without places; every fault is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line, parse_program, write_program
from cogkit.bongard.problems import abstract, basic, certify, freeform, sets
from cogkit.bongard.problems.records import Problem
from cogkit.bongard.shapes import inventory

AT = Placement(0.0, 0.0, 0.0, 150.0)


@pytest.fixture(scope="module")
def known(mirror):
    return inventory.available("published")


def rounded(problem: Problem) -> Problem:
    """Return a problem as somebody reads it who has nothing but the published strings."""

    def read(picture):
        return tuple(Placed(parse_program(write_program(placed.program))) for placed in picture)

    positives, negatives = (tuple(map(read, side)) for side in problem.sides)
    return replace(problem, positives=positives, negatives=negatives)


@pytest.mark.parametrize("kind", ["ff", "bd", "hd"])
def test_every_problem_made_is_as_promised(kind, known):
    for profile in ("as_published", "verified"):
        for spec in sets.specs(profile, (kind,), 72, 3):
            problem = sets.problem(spec)
            assert certify.check(problem, known) == []
            if int(spec.index) % 5 == 0:
                assert certify.check(rounded(problem), known, placed=False) == []
    for spec in sets.specs("verified", (kind,), 40, source="catalogue"):
        assert certify.check(sets.problem(spec), inventory.catalogue()) == []


BROKEN = {  # of what the verified rules promise, by the published ones: facts, § 6 and § 11
    "ff": ("draws the same figure", "lies under the ink", "goes on as another"),
    "bd": ("draws the same figure", "leaves the paper", "units apart", "tell the side"),
    "hd": ("tell the side", "leaves the paper"),
}


def test_the_published_rules_break_what_the_verified_ones_promise(known):
    """So nothing of it is overlooked in what is verified."""
    for kind, parts in BROKEN.items():
        problems = map(sets.problem, sets.specs("as_published", (kind,), 75))
        text = "\n".join(fault for p in problems for fault in certify.check(p, known, profile="verified"))
        assert [part for part in parts if part not in text] == []


# --- free-form: a concept of four strokes, and negatives that change one of them ---

CONCEPT = (Line(1.0), Line(0.7, 90.0, "zigzag"), Arc(0.35, 90.0, -60.0, "circle"), Line(0.4, 30.0, "square"))
CHANGES = (  # of each negative: which stroke, into what
    (0, Line(0.7)), (1, Line(0.7, 90.0)), (2, Arc(0.35, 180.0, -60.0, "circle")), (3, Line(0.4, -60.0, "square")),
    (1, Line(0.7, 90.0, "triangle")), (2, Line(0.7, -60.0, "circle")), (3, Arc(0.25, 90.0, 30.0, "square")),
)  # fmt: skip


def picture_of(program) -> tuple[Placed, ...]:
    return (Placed(tuple(program), AT),)


def changed(*changes: tuple[int, object]):
    program = list(CONCEPT)
    for stroke, action in changes:
        program[stroke] = action
    return picture_of(program)


@pytest.fixture
def good() -> Problem:
    negatives = tuple(changed(change) for change in CHANGES)
    return Problem("ff_nact4_0000", "ff", ("nact4",), (picture_of(CONCEPT),) * 7, negatives)


def with_negative(problem: Problem, picture, place: int = 0) -> Problem:
    return replace(problem, negatives=problem.negatives[:place] + (picture,) + problem.negatives[place + 1 :])


TWO_WAYS = "negative 1 differs from the concept in 2 ways, not in one"
NEGATIVES = (
    (changed(), "negative 1 is the concept"),
    (changed((0, Line(0.7)), (3, Line(0.7))), "negative 1 differs from the concept in 2 strokes, not in one"),
    (changed((1, Line(0.4, 0.0, "zigzag"))), TWO_WAYS),
    (changed((2, Line(0.7, 0.0, "circle"))), TWO_WAYS),
    (changed((2, Arc(0.25, 180.0, -60.0, "circle"))), TWO_WAYS),
    (changed((1, Line(0.7, 0.0, "normal"))), TWO_WAYS),
    (picture_of(CONCEPT[:3]), "negative 1 has another number of strokes"),
    (changed((1, Line(0.7, 90.0))), "negative 2 draws the same figure as negative 1"),
    (changed((0, Line(1.0, 30.0))), "negative 1 draws the same figure as the concept"),
    # 0.7 long, goes back; the first 0.14 are the corner
    (changed((1, Line(0.7, 180.0, "zigzag"))), "negative 1: 78% of a stroke lies under the ink of others"),
)


def test_negatives_that_are_none(good):
    assert certify.check(good) == []
    checks = [(fault, certify.check(with_negative(good, picture))) for picture, fault in NEGATIVES]
    assert [(fault, faults) for fault, faults in checks if fault not in faults] == []
    repeated = with_negative(good, good.negatives[3])
    assert certify.check(repeated) == ["negative 4 draws the same figure as negative 1"]
    assert certify.check(repeated, profile="as_published") == []


def test_positives_that_differ_or_cannot_be_made_out(good):
    problem = replace(good, positives=good.positives[:6] + (changed((0, Line(0.7))),))
    for profile in ("verified", "as_published"):
        assert certify.check(problem, profile=profile) == ["positive 7 is not the program that positive 1 is"]
    straight = replace(good, positives=(picture_of((CONCEPT[0], Line(0.7), *CONCEPT[2:])),) * 7)
    assert "the concept: a stroke goes on as another of its type" in certify.check(straight)


def test_problems_that_are_none(good):
    for change, fault in (
        ({"kind": "xx"}, "'xx' is no kind of problem"),
        ({"name": "nobody"}, "the name of a problem, such as"),
        ({"concept": ("nact5",)}, "it is named after ff nact4, but is ff nact5"),
        ({"name": "ff_nact3_0000", "concept": ("nact3",)}, "nact3 is no number of strokes that there is"),
        ({"name": "ff_nact5_0000", "concept": ("nact5",)}, "the concept has 4 strokes"),
        ({"positives": ()}, "it has 0 positives, not 7"),
        ({"negatives": (((),) * 7)}, "negative 1 has 0 shapes, not one or two"),
    ):
        assert any(fault in text for text in certify.check(replace(good, **change))), fault


def test_where_shapes_lie(good):
    for x, y, heading in ((300.0, 0.0, 0.0), (0.0, 300.0, 90.0), (-300.0, 0.0, 180.0), (0.0, -300.0, 270.0)):
        off = (replace(good.positives[0][0], at=Placement(x, y, heading, 150.0)),)
        problem = replace(good, positives=(off, *good.positives[1:]))
        assert certify.check(problem) == ["positive 1: shape 1 leaves the paper"]
        assert certify.check(problem, placed=False) == certify.check(problem, profile="as_published") == []


def test_shapes_that_touch():
    problem = freeform.problem(11)
    first, second = problem.positives[2]
    near = (first, replace(second, at=first.at))
    (fault,) = certify.check(replace(problem, positives=(*problem.positives[:2], near, *problem.positives[3:])))
    assert fault.startswith("positive 3: its shapes are -")
    swapped = replace(problem, negatives=tuple(picture[::-1] for picture in problem.negatives))
    assert certify.check(swapped)  # programs are compared shape by shape


# --- shapes of a table ---


def of(known, *named: str, types: str = "normal"):
    programs = [tuple(replace(action, type=types) for action in known[name].program) for name in named]
    places = [Placement(-250.0 + 300.0 * k, -100.0, 45.0, 150.0) for k in range(len(named))]
    return tuple(map(Placed, programs, places, named))


@pytest.fixture
def single(known) -> Problem:
    """The problem of one stampable shape, made by hand in normal strokes."""
    target, *names = [shape.name for shape in known.super_classes["quadrangle"] if shape.stampable]
    negatives = tuple(of(known, name) for name in names[:7])
    return Problem(f"bd_{target}_0000", "bd", (target,), (of(known, target),) * 7, negatives)


def test_basic_faults(single, known):
    assert certify.check(single, known) == []
    target, other = single.concept[0], known.super_classes["arc"][0].name
    strange = (Placed((Line(0.123), Line(0.2, 33.0)), AT),)
    for problem, fault in (
        (replace(single, positives=(single.negatives[0], *single.positives[1:])), "positive 1 is not the concept"),
        (with_negative(single, of(known, target)), "negative 1 is the concept"),
        (with_negative(single, of(known, other)), f"negative 1: {other} is not of the super class quadrangle"),
        (with_negative(single, of(known, target, other)), "negative 1 has another number of shapes"),
        (with_negative(single, single.negatives[4]), "negative 5 draws the same figure as negative 1"),
        (with_negative(single, strange), "negative 1: its shape is not of the super class quadrangle"),
        (replace(single, name="bd_no_0000", concept=("no",)), "no is none of the 627 published shapes"),
    ):
        assert certify.check(problem, known, placed=False) == [fault]


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
    second = [picture for picture in problem.negatives if picture[0].name == problem.concept[0]]
    both = (first[0][0], replace(problem.negatives[0][1], program=first[0][0].program))
    fault = "negative 1 differs from the concept in both shapes, not in one"
    assert fault in certify.check(with_negative(problem, both), known)
    for negatives, count in ((first[:3] + second[:3] + first[:1], 0), (first * 3, 7), ((first[:2] + second * 2), 5)):
        faults = certify.check(replace(problem, negatives=tuple(negatives[:7])), known, profile="as_published")
        assert faults == [f"{count} negatives change the same one of two shapes"] * (count > 0)


@pytest.fixture
def convex(known) -> Problem:
    """An abstract problem made by hand, all strokes normal."""
    having = [shape.name for shape in known if shape.attributes["convex"] == 1][:8]
    lacking = [shape.name for shape in known if shape.attributes["convex"] == 0][:8]
    sides = (tuple(of(known, name) for name in names[:7]) for names in (having, lacking))
    return Problem("hd_convex_0000", "hd", ("convex",), *sides)


def about(problem: Problem, attribute: str, **changed) -> Problem:
    """Return a problem that asks about another attribute."""
    return replace(problem, name=f"hd_{attribute}_0000", concept=(attribute,), **changed)


def test_abstract_faults(convex, known):
    lacks, has = convex.negatives[0], convex.positives[0]
    unsure = next(shape.name for shape in known if shape.attributes["convex"] == -1)
    assert certify.check(convex, known, placed=False) == []
    again = with_negative(convex, convex.negatives[3])
    two = with_negative(convex, of(known, lacks[0].name, has[0].name))
    for problem, fault in (
        (replace(convex, positives=(lacks, *convex.positives[1:])), f"positive 1: {lacks[0].name} lacks convex"),
        (with_negative(convex, has, 1), f"negative 2: {has[0].name} has the concept"),
        (with_negative(convex, of(known, unsure)), f"negative 1: nobody knows whether {unsure} has convex"),
        (again, "negative 4 draws the same figure as negative 1"),
        (two, "negative 1 has two shapes, where an abstract problem has one"),
        (about(convex, "concave"), "concave is no attribute"),
    ):
        assert fault in certify.check(problem, known, placed=False)
    assert certify.check(again, known, profile="as_published") == []


def test_shapes_of_no_table_are_labelled_by_geometry(convex, known):
    def first_is(*program, attribute="convex"):
        problem = about(convex, attribute, positives=((Placed(program, AT),), *convex.positives[1:]))
        faults = certify.check(problem, known, placed=False, profile="as_published")
        return [fault for fault in faults if fault.startswith("positive 1:")]

    square = (Line(0.777, 90.0),) * 4
    star = (Line(0.777), *(Line(0.777, 144.0),) * 4)
    assert first_is(*square) == first_is(*square, attribute="has_four_straight_lines") == []
    lacks = "positive 1: its shape lacks has_four_straight_lines"
    assert first_is(*star, attribute="has_four_straight_lines") == [lacks]
    unknown = "positive 1: nobody knows whether its shape has exist_sector"  # geometry does not tell this reliably
    assert first_is(*square, attribute="exist_sector") == [unknown]


def test_abstract_types_that_tell(convex, known):
    problem = abstract.problem(abstract.concepts(known).index(("exist_triangle",)), shapes=known)
    place = next(k for k, picture in enumerate(problem.positives) if known[picture[0].name].stampable)
    stamped = of(known, problem.positives[place][0].name, types="triangle")
    shows = replace(problem, positives=(*problem.positives[:place], stamped, *problem.positives[place + 1 :]))
    fault = f"positive {place + 1} has strokes of type triangle, which shows what is asked about"
    assert fault in certify.check(shows, known, profile="as_published")
    by_label = {
        (label, can): [s.name for s in known if s.attributes["convex"] == label and s.stampable == can][:7]
        for label in (0, 1)
        for can in (True, False)
    }
    for positives, negatives in ((7, 6), (6, 7), (6, 6)):  # how many of either side can have types
        sides = [
            tuple(of(known, name) for name in by_label[label, True][:n] + by_label[label, False][: 7 - n])
            for label, n in ((1, positives), (0, negatives))
        ]
        typed = replace(convex, positives=(of(known, by_label[1, True][0], types="zigzag"), *sides[0][1:]))
        faults = certify.check(replace(typed, negatives=sides[1]), known, placed=False)
        message = f"stroke types tell the side: {positives} positives and {negatives} negatives can have them"
        assert (message in faults) == (positives != negatives)


def test_abstract_pairs_lack_either_attribute_three_times(known):
    pairs = next(k for k, concept in enumerate(abstract.concepts(known)) if len(concept) == 2)
    problem = abstract.problem(pairs, shapes=known)
    first = [picture for picture in problem.negatives if not known[picture[0].name].attributes[problem.concept[0]]]
    second = [picture for picture in problem.negatives if picture not in first]
    for negatives, count in ((first * 3, 7), (first[:2] + second * 2, 5)):
        lopsided = replace(problem, negatives=tuple(negatives[:7]))
        faults = certify.check(lopsided, known, profile="as_published")
        assert faults == [f"{count} negatives lack the same one of two attributes"]


def test_labels_that_figures_or_geometry_contradict_certify_nothing(convex, known):
    both = about(convex, "exist_sector", positives=(of(known, "sector180"), *convex.positives[1:]))
    wrong = next(shape.name for shape in known if abstract.contradictions(shape, ["has_line_crossing"]))
    assert known[wrong].attributes["has_line_crossing"] in (0, 1)
    crossing = about(with_negative(convex, of(known, wrong)), "has_line_crossing")
    for problem, fault in (
        (both, "positive 1: nobody knows whether sector180 has exist_sector"),
        (crossing, f"negative 1: table and geometry disagree about has_line_crossing of {wrong}"),
    ):
        assert fault in certify.check(problem, known)
        assert fault not in certify.check(problem, known, profile="as_published")
