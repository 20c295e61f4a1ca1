"""`Browser` without a browser: what it shows is the set's, made when asked for, and the concept is told on demand."""

from __future__ import annotations

import base64
import io
import json
from collections import Counter

import numpy as np
import pytest
from PIL import Image

from cogkit.bongard.logo import raster
from cogkit.bongard.logo.programs import parse_program, write_program
from cogkit.bongard.problems import sets
from cogkit.bongard.shapes import attributes, inventory
from cogkit.bongard.views import Browser
from cogkit.core.contracts import InputError

KINDS = ("ff", "bd", "hd")
COUNTS = {"ff": 3600, "bd": 4000, "hd": 4400}


@pytest.fixture(autouse=True)
def _mirror(use_mirror):
    """The published shapes are at hand."""


@pytest.fixture
def made(monkeypatch) -> list[str]:
    """The names of the problems that are made."""
    names, make = [], sets.problem
    monkeypatch.setattr(sets, "problem", lambda spec: names.append(spec.name) or make(spec))
    return names


def of_set(kind: str, profile: str = "verified", **more) -> list[sets.Spec]:
    return [spec for spec in sets.specs(profile, **more) if spec.kind == kind]


def send(browser, **message) -> None:
    browser._handle_custom_msg(message, [])


@pytest.mark.parametrize("profile", ["verified", "as_published"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_problems_are_those_of_the_set_in_its_order(kind, profile):
    browser, specs = Browser(kind, profile, seed=4), of_set(kind, profile, seed=4)
    assert browser.scene["count"] == len(specs) == COUNTS[kind]
    for number in (1, 2, 1000, COUNTS[kind]):
        assert browser.go(number) == f"Problem {number} of {COUNTS[kind]:,}." == browser.scene["status"]
        assert browser.problem == sets.problem(specs[number - 1]) and browser.problem.profile == profile


def test_the_pictures_are_those_of_the_problem_positives_first():
    browser = Browser("bd")
    browser.go(3000)
    for side, uris in zip(browser.problem.sides, browser.pictures, strict=True):
        for picture, uri in zip(side, uris, strict=True):
            pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(uri.split(",")[1]))))
            np.testing.assert_array_equal(pixels, raster.image(picture, len(pixels)))


def test_a_problem_is_made_when_it_is_asked_for_and_no_other(made):
    browser = Browser("hd")
    specs = of_set("hd")
    assert made == [specs[0].name]
    browser.turn(2)
    browser.look_at(0, 1)
    browser.reveal()
    browser.go(4400)
    browser.turn()  # there is none after it
    assert made == [specs[k].name for k in (0, 2, 4399, 4399)]


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_gives_the_concept_away_before_it_is_told(kind):
    browser = Browser(kind)
    for number in (1, 30, 777):
        browser.go(number)
        problem = browser.problem
        names = {part.name for side in problem.sides for picture in side for part in picture} - {""}
        words = {problem.name, *problem.concept, *names, *(name.replace("_", " ") for name in problem.concept)}
        text = json.dumps(browser.scene)
        assert not any(word in text for word in words if word), words
        assert browser.scene["alts"][1][6] == "Negative 7 of 7" and browser.scene["alts"][0][0] == "Positive 1 of 7"
        browser.reveal()
        scene = browser.scene
        assert scene["name"] == problem.name
        for concept in problem.concept:
            word = concept.removeprefix("nact").replace("_", " and " if kind == "ff" else " " if kind == "hd" else "_")
            assert word in scene["told"] and all(word in alt for side in scene["alts"] for alt in side)
        browser.reveal(False)
        assert json.dumps(browser.scene | {"status": ""}) == json.dumps(json.loads(text) | {"status": ""})
        browser.reveal()
        browser.turn()
        assert browser.scene["told"] == browser.scene["name"] == ""  # the next one is hidden again


def test_what_a_picture_shows_instead_is_told_with_the_concept():
    browser = Browser("bd")
    browser.go(1)
    browser.reveal()
    (target,) = browser.problem.concept
    other = browser.problem.negatives[2][0].name
    assert browser.scene["alts"][0][4] == f"Positive 5 of 7: {target}"
    assert browser.scene["alts"][1][2] == f"Negative 3 of 7: not {target}, shows {other}"


@pytest.mark.parametrize(
    ("kind", "concept", "count"),
    [
        ("ff", "nact3_5", 300),
        ("hd", "convex", None),
        ("hd", "has_eight_straight_lines", None),
        ("bd", "bird8", None),
    ],
)
def test_a_concept_lists_the_problems_that_have_it(kind, concept, count):
    browser = Browser(kind)
    browser.browse(concept=concept)
    expected = [spec.name for spec in of_set(kind) if concept in spec.concept]
    assert browser.scene["count"] == len(expected) == (count or len(expected)) and len(expected) < COUNTS[kind]
    names = []
    for number in (1, len(expected)):
        browser.go(number)
        names.append(browser.problem.name)
    assert names == [expected[0], expected[-1]] and browser.scene["concept"] == concept
    browser.browse(concept="")
    assert browser.scene["count"] == COUNTS[kind]


def test_the_novel_concepts_are_sixteen_of_twenty_problems_each_as_published():
    browser = Browser("hd", "as_published")
    browser.browse(concept="has_eight_straight_lines")
    assert browser.scene["count"] == 320


def test_a_concept_stays_when_the_rules_change_and_goes_with_the_type():
    browser = Browser("hd")
    browser.browse(concept="necked")
    browser.browse(profile="as_published")
    assert (browser.profile, browser.concept) == (
        "as_published",
        "necked",
    ) and browser.problem.profile == "as_published"
    browser.browse(kind="ff")
    assert browser.concept == "" and browser.problem.kind == "ff" and browser.profile == "as_published"


def test_the_concepts_to_choose_from_are_all_there_are():
    for kind in KINDS:
        browser = Browser(kind)
        concepts = [
            name if isinstance(name, str) else name[0] for _, names in browser.choices["groups"] for name in names
        ]
        assert Counter(concepts) == Counter({name for spec in of_set(kind) for name in spec.concept})
    assert {label for label, _ in Browser("bd").choices["groups"]} <= set(inventory.published().super_classes)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda b: b.go(0), "problem 0"),
        (lambda b: b.go(3601), "a number between 1 and 3600"),
        (lambda b: b.go("3"), "problem 3"),
        (lambda b: b.look_at(2, 0), "side 2"),
        (lambda b: b.look_at(0, 7), "place 7"),
        (lambda b: b.browse(kind="free"), "type of problem"),
        (lambda b: b.browse(profile="paper"), "profile"),
        (lambda b: b.browse(concept="nact33"), "did you mean 'nact3_3'"),
        (lambda b: b.browse(kind="hd", concept="conwex"), "did you mean 'convex'"),
    ],
)
def test_what_is_not_there_is_refused_and_nothing_is_changed(change, said):
    browser = Browser("ff")
    browser.go(5)
    scene, choices = browser.scene, browser.choices
    with pytest.raises(InputError, match=said):
        change(browser)
    assert (
        browser.scene is scene and browser.choices is choices and (browser.kind, browser.profile) == ("ff", "verified")
    )


def test_the_opened_picture_has_its_strings_and_the_labels_of_its_shapes():
    browser = Browser("bd")
    browser.go(3000)
    assert (
        browser.look_at(1, 3) == "Negative 4 of 7 is opened below." and browser.picture == browser.problem.negatives[3]
    )
    opened = browser.scene["opened"]
    assert (opened["side"], opened["place"], opened["alt"]) == (1, 3, "Negative 4 of 7")
    assert len(opened["strokes"]) == sum(len(part.program) for part in browser.picture)
    for entry, part in zip(opened["shapes"], browser.picture, strict=True):
        assert [text for _, text in entry["actions"]] == write_program(part.program)
        assert part.name not in entry["title"] and f"{len(part.program)} strokes" in entry["title"]
        labels = inventory.published()[part.name].attributes
        for value, pairs in ((1, entry["yes"]), (-1, entry["open"])):
            assert [name for name, _ in pairs] == [name.replace("_", " ") for name in labels if labels[name] == value]
    browser.reveal()
    assert [entry["title"].split(": ")[1] for entry in browser.scene["opened"]["shapes"]] == [
        p.name for p in browser.picture
    ]
    browser.turn()
    assert browser.picture is None and browser.scene["opened"] is None


def test_the_concept_is_marked_among_the_attributes_once_it_is_told():
    browser = Browser("hd")
    browser.browse(concept="symmetric")
    browser.go(30)
    browser.look_at(0, 0)
    marked = [name for name, is_it in browser.scene["opened"]["shapes"][0]["yes"] if is_it]
    assert marked == []
    browser.reveal()
    marked = [name for name, is_it in browser.scene["opened"]["shapes"][0]["yes"] if is_it]
    assert sorted(marked) == sorted(name.replace("_", " ") for name in browser.problem.concept)


def test_a_free_form_shape_is_measured_and_only_what_is_certain_is_told():
    browser = Browser("ff")
    browser.look_at(0, 0)
    (entry,) = browser.scene["opened"]["shapes"]
    measured = attributes.compute(browser.picture[0].program)
    certain = [name for name in measured if measured[name] == 1 and name in attributes.CERTIFIED]
    assert [name for name, _ in entry["yes"]] == [name.replace("_", " ") for name in certain]
    assert "exist regular" in [name for name, _ in entry["open"]]


def test_the_frame_holds_every_shape_and_its_placement():
    browser = Browser("bd")
    browser.go(3000)
    frame = browser.to_frame()
    assert len(frame) == 28 and set(frame.side) == {"positive", "negative"}
    row = frame[(frame.side == "negative") & (frame.picture == 6) & (frame["shape"] == 2)].iloc[0]
    placed = browser.problem.negatives[5][1]
    assert (row["name"], row.x, row.y, row.heading, row.scale) == (
        placed.name, placed.at.x, placed.at.y, placed.at.heading, placed.at.scale,
    )  # fmt: skip
    assert [a.type for a in parse_program(row.program)] == [a.type for a in placed.program]


def test_messages_do_what_methods_do_and_a_wrong_one_is_told():
    browser = Browser("ff")
    send(browser, turn=1)
    assert browser.scene["place"] == 2
    send(browser, go=100)
    assert browser.scene["place"] == 100
    send(browser, open=[1, 2])
    assert browser.scene["opened"]["side"] == 1
    send(browser, reveal=True)
    assert browser.scene["told"]
    send(browser, kind="hd")
    send(browser, concept="convex")
    assert (browser.kind, browser.concept) == ("hd", "convex")
    send(browser, profile="as_published")
    assert browser.profile == "as_published"
    for wrong in ({"go": 10**9}, {"go": 1.5}, {"open": [0, 9]}, {"kind": "x"}, {"concept": "x"}, {"profile": "x"}):
        place = browser.scene["place"]
        send(browser, **wrong)
        assert browser.scene["status"].startswith("Not done: ") and browser.scene["place"] == place


def test_any_goes_all_over_the_list_the_same_way_for_a_seed():
    places = []
    for _ in range(2):
        browser = Browser("hd", seed=9)
        places.append([browser.any() and browser.scene["place"] for _ in range(12)])
    assert places[0] == places[1] and len(set(places[0])) > 8 and max(places[0]) > 2200


def test_it_works_on_our_own_shapes():
    browser = Browser("bd", source="catalogue")
    browser.reveal()
    assert browser.problem.concept[0] in inventory.catalogue().by_name
    browser.look_at(0, 0)
    assert "catalogue" in browser.scene["opened"]["note"]


def test_what_travels_is_small():
    browser = Browser("bd")
    browser.go(3999)
    browser.look_at(0, 0)
    assert len(browser._esm.encode()) <= 15_000 and len(json.dumps(browser.choices)) < 20_000
    assert len(json.dumps(browser.pictures)) < 80_000 and len(json.dumps(browser.scene)) < 40_000
