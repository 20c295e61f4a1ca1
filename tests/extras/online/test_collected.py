"""Answers of studies on the web, read back: whole, once, checked by the study itself; every fault is one sentence."""

from __future__ import annotations

import csv
import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import studied
from cases import case
from markup import HOSTILE

from cogkit.app import cli, scale
from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.data import results
from cogkit.extras.online.collected import collect
from cogkit.study.gathering import PEOPLE
from cogkit.study.rescoring import AGAIN, BLOCKS, on_a_page
from cogkit.study.sitting import ITEMS, PRACTICE, Sitting, item_names, shortened
from cogkit.study.trials import Trials
from cogkit.tiles.problems import records

NAMES = tuple(studied.SMALL)


def answers(name, folder, sitting="s-1", who="p-1", until=10**6, boards=None, pilot=False, page=True, condition=""):
    """Return the rows that the page of a study stores for a person who is always right.

    ``boards`` are those of the study; else they are the ones that this computer makes. Without ``page``, the items
    have the order of version 1.0, the same for everybody. ``condition`` is by default the first, with few items.
    """
    web = registry.part("online", name).study()
    study = web.study(condition or web.conditions[0], None if pilot or condition else studied.SMALL[name])
    study = on_a_page(study) if page else study
    about = {"order_seed": 4} if page else {}
    about |= ({"pilot": True, "whole": 60} if pilot else {}) | ({"tries": BLOCKS} if study.practice else {})
    if pilot:
        study = shortened(study, study.assign(4))
    if boards is not None:
        study = replace(study, items=lambda condition, seed: boards)
    person = Sitting.begin(study, 4, Trials(folder / f"{sitting}.sqlite"), who=who)
    rows: list[dict] = []

    def add(item, response, rt_s, **extra):
        rows.append({
            "sitting": sitting, "order": len(rows), "at": f"2026-11-27T07:00:{len(rows) % 60:02d}.000Z", "who": who,
            "kind": "person", "instrument": name, "item": item, "response": response, "correct": None, "rt_s": rt_s,
            "seed": 4, "source": "web", "extra": extra,
        })  # fmt: skip

    about |= {"order": [*map(int, person.order)], "items": person.item_set, "plan": dict(study.plan) or None}
    add("begin", person.condition, None, form=0, schema=2, **about)
    while not person.finished and len(rows) < until:
        if person.page:
            add(person.page.name, "read", 2.5)
            person.next(2.5)
        else:
            assert person.presentation.phase in (PRACTICE, ITEMS)
            response, place = studied.right(person), person.presentation.name
            confidence = {"confidence": 0.9} if name == "bongard" else {}
            add(place, response, 1.25, **confidence)
            person.answer(response, 1.25, **confidence)
        person.pending = False
    return rows


def saved(folder, rows, name: str = "a.json"):
    file = folder / name
    file.write_text(json.dumps(rows), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def tiles(tmp_path_factory) -> list[dict]:
    return answers("tiles", tmp_path_factory.mktemp("tiles"))


@pytest.mark.parametrize("name", NAMES)
def test_what_was_answered_is_read_as_the_study_stores_it(name, tmp_path):
    rows = answers(name, tmp_path)
    trials, sittings, judged, *_ = collect([saved(tmp_path, rows)])
    assert trials["response"].tolist() == [row["response"] for row in rows]
    assert trials["order"].tolist() == list(range(len(rows))) and set(trials["source"]) == {"web"}
    correct = trials["correct"].dropna()
    assert len(correct) and (correct == 1).all()  # the answers were right, and that is worked out here
    assert sittings.loc[0, ["finished", "reason"]].tolist() == [True, ""]
    everybody = judged[judged["who"] == PEOPLE]
    assert len(everybody) and (everybody["n"] == 1).all() and set(judged["instrument"]) == {name}
    if name != "tiles":
        scores = judged[judged["metric"].isin(["accuracy", "accuracy, forced choice"])]
        assert len(scores) and (scores["value"] == 1).all()
    own = Trials(tmp_path / "s-1.sqlite").frame()
    assert own["correct"].tolist() == pytest.approx(trials["correct"].tolist(), nan_ok=True)
    assert own["task"].tolist() == trials["task"].tolist() and own["score"].sum() == trials["score"].sum()


@pytest.mark.parametrize("name", sorted({*NAMES} - {"tiles"}))  # whose clicks would tell published boards
def test_what_version_1_0_collected_is_read(name, tmp_path):
    """Its items are numbered, and the hash of a set says how it was made; ``web_1_0.json`` was made by it."""
    before = json.loads(Path(__file__).with_name("web_1_0.json").read_text("utf-8"))
    rows = [row for row in before if row["instrument"] == name]
    old = collect([saved(tmp_path, rows)])
    new = collect([saved(tmp_path, answers(name, tmp_path, page=False), "new.json")])
    assert rows[0]["extra"]["schema"] == 1 and "-" in rows[0]["extra"]["items"]
    assert old.trials["response"].tolist() == [row["response"] for row in rows]
    columns = ["order", "task", "response", "correct", "score"]
    assert old.trials[columns].equals(new.trials[columns]) and old.sittings["reason"].tolist() == [""]
    assert old.rows[["metric", "value", "n"]].equals(new.rows[["metric", "value", "n"]])


def test_every_way_of_saving_gives_the_same_rows(tiles, tmp_path):
    wanted = collect([saved(tmp_path, tiles)]).trials
    lines = tmp_path / "jatos.txt"
    lines.write_text("\n".join(json.dumps([row]) for row in tiles) + "\n" + json.dumps(tiles), encoding="utf-8")
    file, excel, utf16 = (tmp_path / name for name in ("cognition.csv", "excel.csv", "utf16.txt"))
    rows = [row | {name: json.dumps(part) for name, part in row.items() if isinstance(part, dict)} for row in tiles]
    with file.open("w", encoding="utf-8", newline="") as table:
        writer = csv.DictWriter(table, [*tiles[0], "trial_type"])
        writer.writeheader()
        writer.writerows(row | {"trial_type": "cogkit-step"} for row in rows)
    text = pd.DataFrame(rows).to_csv(index=False, sep=";", decimal=",", lineterminator="\r\n")
    excel.write_text(f"sep=;\n{text}", encoding="utf-8-sig", newline="")
    utf16.write_text(json.dumps(tiles), encoding="utf-16")
    archive = tmp_path / "jatos_results.zip"
    with zipfile.ZipFile(archive, "w") as held:
        held.writestr("study_result_1/comp-result_2/data.txt", lines.read_text(encoding="utf-8"))
        held.writestr("study_result_1/metadata.json", "{}")
    for path in (lines, file, excel, utf16, archive):
        with case(path.name):
            assert collect([path]).trials.equals(wanted)


def test_people_of_a_task_stand_in_one_row_with_students_interval(tmp_path):
    for k in range(3):
        saved(tmp_path, answers("equivalence", tmp_path, f"s-{k}", f"p-{k}"), f"{k}.json")
    judged = collect([tmp_path]).rows
    row = judged[(judged["who"] == PEOPLE) & (judged["metric"] == "accuracy, forced choice")].iloc[0]
    assert (row["n"], row["value"], row["low"], row["high"], row["interval"]) == (3, 1.0, 1.0, 1.0, "95% t, people")


def test_people_on_a_ladder_have_rows_for_each_step_apart_from_those_of_the_papers_boards(tmp_path):
    ladder, family = answers("tiles", tmp_path, condition="cross/diagonal"), "cross/diagonal"
    paper = answers("tiles", tmp_path, "s-2", "p-2", condition="cross/abstract")
    trials, sittings, judged, *_ = collect([saved(tmp_path, ladder), saved(tmp_path, paper, "b.json")])
    assert sittings["reason"].tolist() == ["", ""] and sittings["condition"].tolist() == [family, "cross/abstract"]
    blue = judged[(judged["who"] == PEOPLE) & (judged["metric"] == "blue")].set_index("cell")
    cells = [f"tiles/collected/{task}" for task in ("cross/abstract/ladder", f"{family}/ladder", "cross/abstract")]
    assert sorted(blue.index) == sorted(cells) and (blue["n"] == 1).all()
    assert blue.loc[cells[1], "rung"] == "extrapolation"
    boards = trials[(trials["sitting"] == "s-1") & (trials["item"] != "begin")].drop_duplicates("item")
    assert boards["task"].tolist() == ["cross/abstract"] * 15 + [family] * 15
    with pytest.raises(InputError, match="two steps of 15 boards"):
        registry.part("online", "tiles").study().study(family, 3)


def test_who_left_early_or_was_simulated_is_kept_and_does_not_count(tiles, tmp_path):
    saved(tmp_path, tiles[:4])
    saved(tmp_path, [row | {"sitting": "s-2"} for row in begun(tiles, simulated="data-only")], "b.json")
    trials, sittings, judged, left_out, *_ = collect([tmp_path])
    assert left_out["reason"].tolist() == sittings["reason"].tolist()
    assert len(trials) == 4 + len(tiles) and sittings["reason"].tolist() == ["not finished", "simulated"]
    assert judged.empty


PILOT = {"tiles": 5, "bongard": 15, "mewl": 5, "equivalence": 5}  # items: five of each of the parts


@pytest.mark.parametrize("name", NAMES)
def test_a_pilot_has_five_items_of_each_part_and_never_counts(name, tmp_path):
    rows = answers(name, tmp_path, pilot=True)
    collected = collect([saved(tmp_path, rows)])
    sitting = collected.sittings.iloc[0]
    assert (sitting["finished"], sitting["reason"]) == (True, "pilot")
    assert collected.trials["extra"].iloc[0]["whole"] == rows[0]["extra"]["whole"]  # which tells what it is a pilot of
    assert len(rows[0]["extra"]["order"]) == PILOT[name]
    practised = sum("/practice " in row["item"] for row in rows)
    assert practised == {"mewl": 1, "equivalence": 5}.get(name, 0)


def test_practice_that_is_never_passed_ends_after_its_blocks(tmp_path):
    web = registry.part("online", "equivalence").study()
    study = on_a_page(web.study(web.conditions[0], 1))
    rows = answers("equivalence", tmp_path, until=1)
    for block in range(BLOCKS):
        trials = study.practice.items(web.conditions[0], 4, block)
        names = item_names(f"{web.conditions[0]}/practice {block}", trials)
        for trial, item in zip(trials, names, strict=True):
            wrong = f"O_{(int(trial.correct[0]) + 1) % 3 + 1}"
            rows.append(rows[0] | {"order": len(rows), "item": item, "response": wrong, "rt_s": 1.0, "extra": {}})
    collected = collect([saved(tmp_path, rows)])
    assert collected.sittings["reason"].tolist() == ["practice not passed"] and len(collected.trials) == len(rows)
    assert collected.trials["extra"].iloc[0]["tries"] == BLOCKS
    saved(tmp_path, [*rows, rows[-1] | {"order": len(rows)}])
    assert "after the last try of practice" in collect([tmp_path / "a.json"]).left_out["reason"].item()


def test_one_wrong_attention_check_leaves_a_person_out(tmp_path):
    rows = answers("mewl", tmp_path)
    study = registry.part("online", "mewl").study().study("shape", studied.SMALL["mewl"])
    place = next(k for k, index in enumerate(rows[0]["extra"]["order"]) if index in study.checks)
    k = len(rows) - len(rows[0]["extra"]["order"]) + place
    check = study.items(rows[0]["response"], 4)[rows[0]["extra"]["order"][place]]
    wrong = next(name for name in check.trial.options if name != rows[k]["response"])
    assert collect([saved(tmp_path, rows)]).sittings["reason"].tolist() == [""]
    collected = collect([saved(tmp_path, changed(rows, k, response=wrong))])
    assert collected.sittings["reason"].tolist() == ["attention check failed"]


def test_answers_are_read_with_the_items_of_the_studys_folder(tmp_path, home, capsys):
    """Published boards are not on every computer: a study made with them is read where there are others."""
    boards = records.items("copy/abstract", "generated", seed=3)
    rows = answers("tiles", tmp_path, boards=boards)
    folder = tmp_path / "study"
    shutil.copytree(studied.folder("tiles"), folder)
    made = json.loads((folder / "items.json").read_text(encoding="utf-8"))
    assert list(made["items"]) == [answers("tiles", tmp_path, "s-2")[0]["extra"]["items"]]
    packed = registry.part("online", "tiles").study().packed(boards)
    file = saved(tmp_path, rows)
    assert "name the study's folder" in collect([file]).left_out["reason"].item()
    for held, outcome in ((made["items"], 1), ({rows[0]["extra"]["items"]: packed}, 0)):
        (folder / "items.json").write_text(json.dumps(made | {"items": held}), encoding="utf-8")
        out = tmp_path / f"out{outcome}"
        assert cli.main(["collect", str(file), "--study", str(folder), "--out", str(out)]) == outcome
    assert (pd.read_csv(out / "trials.csv")["correct"].dropna() == 1).all()
    (folder / "items.json").write_text(json.dumps(made | {"items": {"00000000": packed}}), encoding="utf-8")
    capsys.readouterr()
    assert cli.main(["collect", str(file), "--study", str(folder), "--out", str(tmp_path / "bad")]) == 2
    assert "items.json" in capsys.readouterr().err and not (tmp_path / "bad").exists()


def test_who_counts_stands_in_the_study_and_with_what_is_collected(tmp_path, home):
    rules = (studied.folder("mewl") / "who_counts.txt").read_text(encoding="utf-8")
    for reason in ("simulated: ", "pilot: ", "practice not passed: ", "not finished: ", f"{AGAIN}: "):
        assert f"\n{reason}" in rules
    assert "one or more of the 2 attention checks" in rules and "in 2 attempts" in rules
    assert "attention" not in (studied.folder("tiles") / "who_counts.txt").read_text(encoding="utf-8")
    saved(tmp_path, answers("mewl", tmp_path))
    saved(tmp_path, answers("mewl", tmp_path, "s-2", "p-2", until=4), "b.json")
    assert cli.main(["collect", *map(str, tmp_path.glob("*.json")), "--out", str(tmp_path / "out")]) == 1
    log = (tmp_path / "out/who_counts.txt").read_text(encoding="utf-8")
    assert rules in log and log.endswith("Here: 1 counts, 1 not finished.\n")


def changed(rows: list[dict], k: int, **fields) -> list[dict]:
    return [row | fields if number == k else row for number, row in enumerate(rows)]


def begun(rows: list[dict], **extra) -> list[dict]:
    """Return rows whose beginning says more, or something else."""
    return changed(rows, 0, extra=rows[0]["extra"] | extra)


FAULTS = {  # what is done to rows: the field and the reason
    "a gap": (lambda rows: rows[:2] + rows[3:], "order", "row 2 of the sitting is missing"),
    "no beginning": (lambda rows: rows[1:], "order", "row 0 of the sitting is missing"),
    "two different rows of one order": (lambda rows: [*rows, rows[2] | {"rt_s": 9.0}], "order", "which differ"),
    "an item of another place": (lambda rows: changed(rows, 2, item="copy/abstract/99"), "item", "is wanted"),
    "a tile twice": (lambda rows: changed(rows, 2, response=rows[1]["response"]), "response", "open"),
    "a word for a tile": (lambda rows: changed(rows, 1, response="left"), "response", "left"),
    "a time before it began": (lambda rows: changed(rows, 1, rt_s=-5), "rt_s", ">= 0"),
    "a time without end": (lambda rows: changed(rows, 1, rt_s=1e308), "rt_s", "<= 1000000000"),
    "no number": (lambda rows: changed(rows, 1, rt_s=float("nan")), "rt_s", ">= 0"),
    "half a surrogate": (lambda rows: changed(rows, 1, extra={"note": "\ud800"}), "", "surrogates not allowed"),
    "half a surrogate for a name": (lambda rows: [row | {"who": "\ud800"} for row in rows], "who", "1 to 64 of A-Z"),
    "no time at all": (lambda rows: changed(rows, 1, at="soon"), "at", "RFC3339"),
    "an item twice": (lambda rows: changed(rows, 0, extra={"order": [1, 1]}), "extra", "each number once"),
    "items of another version": (lambda rows: begun(rows, items="0-00000000"), "extra", "0-00000000"),
    "another board": (lambda rows: changed(rows, 1, extra={"board": "0"}), "board", "is wanted"),
    "a condition that is none": (lambda rows: changed(rows, 0, response="copi/abstract"), "response", "no beginning"),
    "an instrument to come": (lambda rows: changed(rows, 0, instrument="chess"), "", "wanted an instrument"),
    "one answer more": (lambda rows: [*rows, rows[-1] | {"order": len(rows)}], "item", "after the last item"),
    "a name that is markup": (lambda rows: [row | {"who": HOSTILE} for row in rows], "who", "1 to 64 of A-Z"),
    "a name that is a formula": (lambda rows: [row | {"who": "=1+1"} for row in rows], "who", "1 to 64 of A-Z"),
}  # fmt: skip


def test_a_fault_leaves_one_sitting_out_with_its_place_and_nobody_else(tiles, tmp_path):
    good = [row | {"sitting": "s-2", "who": "p-2"} for row in tiles]
    for name, (spoil, field, reason) in FAULTS.items():
        with case(name):
            collected = collect([saved(tmp_path, [*good, *spoil(tiles)])])  # in one file, as some hosts save
            assert collected.sittings["sitting"].tolist() == ["s-2"] and (collected.sittings["reason"] == "").all()
            assert len(collected.trials) == len(tiles)
            (left,) = collected.left_out.itertuples(index=False)
            assert (left.sitting, left.field, left.line) == ("s-1", field, "1") and left.file.endswith("a.json")
            assert reason in left.reason and "\n" not in left.reason


def test_what_is_whole_of_a_cut_file_is_written_and_a_partial_copy_is_nobody(tiles, tmp_path):
    for cut in ("a.json", "a.jsonl", "a.csv"):
        folder = tmp_path / cut
        folder.mkdir()
        if cut.endswith("csv"):
            content = pd.DataFrame([row | {"extra": json.dumps(row["extra"])} for row in tiles]).to_csv(index=False)
        else:
            content = json.dumps(tiles) if cut == "a.json" else "\n".join(map(json.dumps, tiles))
        (folder / cut).write_text(content[: int(0.6 * len(content))], encoding="utf-8")
        collected = collect([folder])
        with case(cut):
            assert 1 < len(collected.trials) < len(tiles)
            assert collected.sittings["reason"].tolist() == ["not finished"] and collected.rows.empty
            assert {*collected.left_out["file"]} == {str(folder / cut)} and len(collected.left_out) == 2
            saved(folder, tiles, "whole.json")
            (folder / cut).rename(folder / f"{cut}.partial")
            collected = collect([folder])
            assert len(collected.trials) == len(tiles) and collected.left_out.empty
            assert collected.passed_over["file"].tolist() == [str(folder / f"{cut}.partial")]
            assert collected.sittings["reason"].tolist() == [""]
    for name, content in (("empty.json", ""), ("cut.json", '[{"sitting": "s-9", "or'), ("broken.zip", "PK\x03\x04")):
        (tmp_path / name).write_text(content)
    collected = collect([tmp_path])
    assert {Path(file).name for file in collected.left_out["file"]} == {"empty.json", "cut.json", "broken.zip"}


def test_two_files_of_one_sitting_that_differ_are_left_out_and_both_named(tiles, tmp_path):
    saved(tmp_path, tiles), saved(tmp_path, changed(tiles, 3, rt_s=9.0), "b.json")
    collected = collect([tmp_path])
    assert collected.sittings.empty and [Path(file).name for file in collected.left_out["file"]] == ["a.json", "b.json"]
    assert "b.json" in collected.left_out["reason"][0] and "a.json" in collected.left_out["reason"][1]


def test_a_person_counts_once_by_the_first_sitting(tiles, tmp_path):
    later = [row | {"sitting": "s-2", "at": row["at"].replace("T07", "T08")} for row in tiles]
    saved(tmp_path, later), saved(tmp_path, tiles, "b.json")
    collected = collect([tmp_path])
    reasons = collected.sittings.set_index("sitting")["reason"].to_dict()
    assert reasons == {"s-1": "", "s-2": AGAIN}
    assert (collected.rows["n"][collected.rows["who"] == PEOPLE] == 1).all()
    assert collected.left_out["reason"].tolist() == [f"{AGAIN}: s-1"]


def test_nobody_at_all_is_one_sentence(tmp_path):
    for content in ('{"a": 1}', "\x00", "[1]", "hello, you", '[{"trial_type": "html-button-response"}]'):
        (tmp_path / "a.json").write_text(content, encoding="utf-8")
        with case(content[:20]), pytest.raises(InputError, match="no row of a study in .*a.json"):
            collect([tmp_path / "a.json"])
    with pytest.raises(InputError, match="nowhere"):
        collect([tmp_path / "nowhere"])


def test_the_command_writes_tables_a_database_and_other_forms(tiles, tmp_path, capsys):
    file, out = saved(tmp_path, tiles), tmp_path / "out"
    assert cli.main(["collect", str(file), "--out", str(out), "--as", "psych101"]) == 0
    assert "1 sittings, 1 of them count" in capsys.readouterr().out
    names = "rows sittings trials left_out".split()
    others = {"trials.parquet", "trials.sqlite", "psych101.jsonl", "who_counts.txt"}
    assert {path.name for path in out.iterdir()} == {f"{name}.csv" for name in names} | others
    assert len(Trials(out / "trials.sqlite").frame()) == len(tiles)
    line = json.loads((out / "psych101.jsonl").read_text(encoding="utf-8"))
    assert line["participant"] == "p-1" and line["text"].count("<<") == len(tiles) - 1
    again = tmp_path / "again"
    assert cli.main(["collect", str(file), "--out", str(again), "--as", "jspsych"]) == 0
    rows = json.loads((again / "jspsych.json").read_text(encoding="utf-8"))
    assert [row["trial_index"] for row in rows] == list(range(len(tiles))) and rows[1]["rt"] == 1250
    assert collect([again / "jspsych.json"]).trials.equals(collect([file]).trials)


def test_the_exit_code_tells_whether_everybody_counts_and_strict_writes_nothing(tiles, tmp_path, capsys):
    saved(tmp_path, tiles), saved(tmp_path, tiles[1:], "b.json"), (tmp_path / "notes.txt").write_text("notes")
    out = tmp_path / "out"
    for name, options, code, message in (
        ("a.json", ["--as", "xls"], 2, "xsl"), ("a.json", ["--show", "a\nb"], 2, "a short name"),
        ("b.json", ["--strict"], 2, "row 0 of the sitting is missing"),
    ):  # fmt: skip
        assert cli.main(["collect", str(tmp_path / name), "--out", str(out), *options]) == code
        assert message in capsys.readouterr().err and not out.exists(), options
    assert cli.main(["collect", str(tmp_path / "b.json"), "--out", str(out)]) == 1
    assert "left out: " in capsys.readouterr().out
    assert pd.read_csv(out / "left_out.csv")["reason"].tolist() == ["'order': row 0 of the sitting is missing"]
    paths = [str(tmp_path / "a.json"), str(tmp_path / "notes.txt")]
    assert cli.main(["collect", *paths, "--out", str(tmp_path / "all"), "--strict", "--verbose"]) == 0
    assert "passed over: " in capsys.readouterr().out


def test_notebooks_show_collected_people_under_a_name(tmp_path, home):
    files = [saved(tmp_path, answers("mewl", tmp_path, f"s-{k}", f"p-{k}"), f"{k}.json") for k in (1, 2)]
    before = scale.result_rows("mewl")
    for out, paths in (("a", files[:1]), ("b", files)):
        options = ["--show", "our students", "--as", "xsl"]
        assert cli.main(["collect", *map(str, paths), "--out", str(tmp_path / out), *options]) == 0
    sets = json.loads((tmp_path / "b" / "xsl.json").read_text(encoding="utf-8"))
    assert sets and {each["data"]["n_subj"] for each in sets} == {2}
    rows, people = pd.read_csv(tmp_path / "b" / "rows.csv"), results.people("mewl")
    rows = rows[rows["who"] == PEOPLE]
    assert set(people["who"]) == {"our students"} and set(people["n"]) == {2}  # the first collection is replaced
    assert sorted(people["value"]) == pytest.approx(sorted(rows["value"]))
    after = scale.result_rows("mewl")
    assert len(after) == len(before) + len(people) and (after["who"] == "our students").sum() == len(people)
    assert results.people("tiles").empty
