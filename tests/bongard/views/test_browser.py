"""`Browser` without a browser: what it shows is the set's, made when asked for, and the concept is told on demand."""

from __future__ import annotations

import base64
import io
import json
from collections import Counter

import numpy as np
import pytest
from cases import case
from PIL import Image

from cogkit.bongard.logo import raster
from cogkit.bongard.logo.programs import write_program
from cogkit.bongard.problems import sets
from cogkit.bongard.shapes import inventory
from cogkit.bongard.views import Browser
from cogkit.core.errors import InputError

pytestmark = pytest.mark.usefixtures("use_mirror")
COUNTS = {"ff": 3600, "bd": 4000, "hd": 4400}


def of_set(kind: str, profile: str = "verified", **more) -> list[sets.Spec]:
    return [spec for spec in sets.specs(profile, **more) if spec.kind == kind]


def words(names) -> list[str]:
    return [name.replace("_", " ") for name in names]


def test_problems_and_concepts_are_those_of_the_set():
    for kind, profile in (("ff", "verified"), ("bd", "as_published"), ("hd", "as_published")):
        with case(kind):
            browser, specs = Browser(kind, profile, seed=4), of_set(kind, profile, seed=4)
            assert browser.scene["count"] == len(specs) == COUNTS[kind]
            for number in (1, 1000, COUNTS[kind]):
                assert browser.go(number) == f"Problem {number} of {COUNTS[kind]:,}." == browser.scene["status"]
                assert browser.problem == sets.problem(specs[number - 1]) and browser.problem.profile == profile
            groups = [name for _, names in browser.choices["groups"] for name in names]
            concepts = [name if isinstance(name, str) else name[0] for name in groups]
            assert Counter(concepts) == Counter({name for spec in specs for name in spec.concept})
    browser.browse(concept="has_eight_straight_lines")
    assert browser.scene["count"] == 320


def test_pictures_are_those_of_the_problem_positives_first():
    browser = Browser("bd")
    browser.go(3000)
    for side, uris in zip(browser.problem.sides, browser.pictures, strict=True):
        for picture, uri in zip(side, uris, strict=True):
            pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(uri.split(",")[1]))))
            np.testing.assert_array_equal(pixels, raster.image(picture, len(pixels)))


def test_nothing_gives_the_concept_away_before_it_is_told():
    for kind, number in (("ff", 30), ("bd", 777), ("bd", 1), ("hd", 777)):
        with case((kind, number)):
            browser = Browser(kind)
            browser.go(number)
            problem = browser.problem
            names = {part.name for side in problem.sides for picture in side for part in picture} - {""}
            text = json.dumps(browser.scene)
            assert not [word for word in {problem.name, *problem.concept, *names, *words(names)} if word in text]
            browser.reveal()
            assert browser.scene["name"] == problem.name and browser.scene["told"]
            browser.turn()
            assert browser.scene["told"] == browser.scene["name"] == ""  # the next one is hidden again


def test_a_concept_lists_the_problems_that_have_it():
    browser = Browser("hd")
    browser.browse(concept="convex")
    expected = [spec.name for spec in of_set("hd") if "convex" in spec.concept]
    browser.go(len(expected))
    assert browser.problem.name == expected[-1] and browser.scene["count"] == len(expected) < COUNTS["hd"]
    browser.browse(kind="hd", concept="necked")
    browser.browse(profile="as_published")  # a concept stays when the rules change, and goes with the type
    assert browser.concept == "necked" and browser.problem.profile == "as_published"
    browser.browse(kind="ff")
    assert browser.concept == "" and browser.problem.kind == "ff" and browser.profile == "as_published"


REFUSED = (
    (lambda b: b.go(3601), "a number between 1 and 3600"),
    (lambda b: b.browse(kind="hd", concept="conwex"), "did you mean 'convex'"),
)


def test_what_is_not_there_is_refused_and_nothing_is_changed():
    browser = Browser("ff")
    browser.go(5)
    scene, choices = browser.scene, browser.choices
    for change, message in REFUSED:
        with case(message), pytest.raises(InputError, match=message):
            change(browser)
        assert browser.scene is scene and browser.choices is choices and browser.kind == "ff"


def test_the_opened_picture_has_its_strings_and_the_labels_of_its_shapes():
    browser = Browser("bd")
    browser.go(3000)
    browser.look_at(1, 3)
    picture = browser.problem.negatives[3]
    opened = browser.scene["opened"]
    assert (opened["side"], opened["place"], opened["alt"]) == (1, 3, "Negative 4 of 7")
    for entry, part in zip(opened["shapes"], picture, strict=True):
        assert [text for _, text in entry["actions"]] == write_program(part.program)
        assert part.name not in entry["title"]
        labels = inventory.published()[part.name].attributes
        assert [name for name, _ in entry["yes"]] == words(name for name in labels if labels[name] == 1)
    frame = browser.to_frame()
    row = frame[(frame.side == "negative") & (frame.picture == 4) & (frame["shape"] == 2)].iloc[0]
    at = picture[1].at
    assert len(frame) == 28 and row["name"] == picture[1].name
    assert (row.x, row.y, row.heading, row.scale) == (at.x, at.y, at.heading, at.scale)


def test_messages_do_what_methods_do_and_a_wrong_one_is_told():
    browser = Browser("ff")

    def send(**message) -> dict:
        browser._handle_custom_msg(message, [])
        return browser.scene

    assert send(turn=1)["place"] == 2 and send(go=100)["place"] == 100
    assert send(look=[1, 2])["opened"]["side"] == 1 and send(reveal=True)["told"]
    send(change={"kind": "hd"})
    assert send(change={"concept": "convex"})["concept"] == "convex" and browser.kind == "hd"
    choices = [{"change": {name: "x"}} for name in ("kind", "concept", "profile")]
    for wrong in ({"go": 10**9}, {"go": 1.5}, {"look": [0, 9]}, *choices):
        place = browser.scene["place"]
        assert send(**wrong)["status"].startswith("Not done: ") and browser.scene["place"] == place, wrong
