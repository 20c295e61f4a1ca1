"""Studies as web pages, as files: the items of people's sittings, and no answer that the study does not tell."""

from __future__ import annotations

import json
import re
import zipfile
from functools import cache

import pytest
import studied
from cases import case
from markup import HOSTILE, PLAIN, structure

from cogkit.app import cli
from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.extras.online import library, page
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials

NAMES = tuple(studied.SMALL)


def web(name: str):
    return registry.part("online", name).study()


@cache
def made(name: str, seed: int = 4) -> tuple[dict, object]:
    """Return a form as the page gets it, and the study it is of."""
    study = web(name).study(web(name).conditions[0], studied.SMALL[name])
    return page.form(web(name), study, seed), study


@pytest.mark.parametrize("name", NAMES)
def test_items_and_order_are_those_of_a_sitting_in_a_notebook(name, tmp_path):
    form, study = made(name)
    sitting = Sitting.begin(study, 4, Trials(tmp_path / "trials.sqlite"), who="p-1")
    assert (form["condition"], form["hash"]) == (sitting.condition, sitting.item_set)
    orders = {tuple(order) for order in form["orders"]}
    assert len(form["orders"]) == page.ORDERS and (len(orders) > 1 or name == "bongard")  # one problem of each type
    if study.order:
        assert tuple(form["orders"][4]) == sitting.order
    else:
        assert all(sorted(order) == list(sitting.order) for order in form["orders"])
    assert form["hash"] and [each["name"] for each in form["pages"]] == [each.name for each in sitting.instructions]
    for index in sitting.order:
        item, truth = form["items"][index], sitting.items[index]
        if name == "tiles":
            assert [int(tile) for tile in item["board"]] == truth[0].ravel().tolist() and item["start"] == truth[1]
        elif name == "equivalence":
            assert item == {"cards": truth.tokens[0, :4].tolist()}
        elif name == "mewl":
            assert (item["names"], item["options"]) == (list(truth.trial.utterances), list(truth.trial.options))
            assert len(set(item["pictures"])) == len(set(truth.trial.scenes))
        else:
            assert item["sides"] == [truth.first, 1 - truth.first] and list(map(len, item["pictures"])) == [6, 6, 2]


def test_what_is_right_is_told_only_where_the_study_tells_it():
    form, _ = made("equivalence")
    assert all(set(item) == {"cards"} for item in form["items"])
    assert all(set(item) == {"cards", "right"} for block in form["practice"]["blocks"] for item in block)
    form, _ = made("mewl")
    assert all(set(item) == {"pictures", "names", "options"} for item in form["items"])
    assert {"right"} < set(form["practice"]["blocks"][0][0])
    names = [each["name"] for each in form["pages"]]
    assert names == ["tutorial/shape/0", "tutorial/shape/1", "tutorial/shape/2"]
    script = json.dumps(form)
    assert "same" not in script and "attention" not in script  # which items are checks


@pytest.mark.parametrize("name", ["tiles", "equivalence"])
def test_the_folder_is_whole_and_asks_nobody_else(name):
    folder = studied.folder(name)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    expected = "index.html study.css study.js words.js words.json jspsych/jspsych.js jspsych/LICENSE.txt who_counts.txt"
    assert files == {*expected.split(), "forms/000.js", "forms/001.js", *["items.json"] * (name == "tiles")}
    head = (folder / "index.html").read_text(encoding="utf-8")
    assert set(re.findall(r'(?:src|href)="([^"]+)"', head)) < files
    text = "".join((folder / each).read_text(encoding="utf-8") for each in files if not each.startswith("jspsych/"))
    assert set(re.findall(r"https?://[\w.]+", text)) <= {"http://www.w3.org"}
    assert [studied.in_script(folder / f"forms/00{k}.js")["seed"] for k in range(2)] == [4, 5]
    assert library.program(path=studied.package()) == (folder / "jspsych/jspsych.js").read_bytes()


def test_people_are_spread_over_all_conditions(tmp_path):
    out = page.make(tmp_path / "all", web("tiles"), "tiles", n=1, forms=2, jspsych=studied.package())
    forms = [studied.in_script(path) for path in sorted((out / "forms").iterdir())]
    assert [form["number"] for form in forms] == list(range(32))
    assert sorted(form["condition"] for form in forms) == sorted([*web("tiles").conditions] * 2)


def test_a_study_for_jatos_has_its_documented_form():
    folder = studied.folder("tiles", host="jatos")
    (path,) = folder.glob("*.jzip")
    with zipfile.ZipFile(path) as archive:
        names, properties = archive.namelist(), json.loads(archive.read(f"{folder.name}.jas"))
        assert b'src="jatos.js"' in archive.read(f"{folder.name}/index.html")
    data = properties["data"]
    (component,) = data["componentList"]
    assert properties["version"] == "3" and data["dirName"] == folder.name and component["active"]
    assert f"{folder.name}/{component['htmlFilePath']}" in names and component["reloadable"]
    assert len({data["uuid"], component["uuid"], data["batchList"][0]["uuid"]}) == 3


def test_words_of_a_file_take_the_place_of_ours_and_are_data(tmp_path):
    pages = {}
    for word in (HOSTILE, PLAIN):
        words, out = tmp_path / "words.json", tmp_path / ("hostile" if word == HOSTILE else "plain")
        words.write_text(json.dumps({"agree": word, "consent": [word], "lang": word}), encoding="utf-8")
        page.make(out, web("tiles"), "tiles", n=1, words=words, jspsych=studied.package())
        pages[word] = (out / "index.html").read_text(encoding="utf-8")
        script = (out / "words.js").read_text(encoding="utf-8")
        assert "<" not in script and json.loads(script.removeprefix("window.cogkitWords = ")[:-2])["agree"] == word
    assert [tag[0] for tag in structure(pages[HOSTILE])] == [tag[0] for tag in structure(pages[PLAIN])]


BAD = {
    "an address": ({"host": "post", "address": "javascript:alert(1)"}, "begins with http://"),
    "an experiment": ({"host": "datapipe", "experiment": "a/b"}, "--datapipe"),
    "no library": ({"jspsych": __file__}, "which is another file"),
    "words": ({"words": __file__}, "wanted words of a study's page"),
}


def test_bad_input_is_one_sentence_and_leaves_nothing(tmp_path):
    for name, (options, message) in BAD.items():
        with case(name), pytest.raises(InputError) as error:
            page.make(tmp_path / "out", web("tiles"), "tiles", **{"jspsych": studied.package(), "n": 1} | options)
        assert message in str(error.value) and not list(tmp_path.iterdir()), name


def test_a_translation_says_what_is_left_and_stands_in_its_file_alone(tmp_path, home, capsys):
    words = {"texts": {"Board {0} of {1}": "Feld {0} von {1}", "Tiles": "Felder", "Nothing of ours": "nichts"}}
    (tmp_path / "de.json").write_text(json.dumps(words), encoding="utf-8")
    arguments = ["--condition", "copy/abstract", "--n", "1", "--library", str(studied.package())]
    command = ["study", "make", "tiles", "--out", str(tmp_path / "de"), "--words", str(tmp_path / "de.json")]
    assert cli.main([*command, *arguments]) == 0
    made = json.loads((tmp_path / "de/words.json").read_text(encoding="utf-8"))["texts"]
    assert made["Board {0} of {1}"] == "Feld {0} von {1}" and made["Next board"] == "Next board"
    assert "Nothing of ours" not in made and "<title>Felder</title>" in (tmp_path / "de/index.html").read_text("utf-8")
    assert f"{len(made) - 2} of {len(made)} texts are not translated" in capsys.readouterr().out
