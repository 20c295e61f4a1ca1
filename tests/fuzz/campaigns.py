"""Every loader of files that another program, version or person may have written, with sound files to spoil."""

from __future__ import annotations

import contextlib
import functools
import gzip
import io
import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pandas as pd
import studied
import training
from classes import sat
from executed import ran
from harness import GOOD, Campaign
from harness import run as spoilt
from lm.speaking import Handler, Request, Server, started
from mewl import tiny

from cogkit.app import notebooks
from cogkit.app.exercises import Attempt
from cogkit.bongard.learners import training as bongard_training
from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.core.identity import items_of
from cogkit.core.seeding import stream
from cogkit.data import pictures, results
from cogkit.equivalence.learners import training as equivalence_training
from cogkit.equivalence.problems.records import Design
from cogkit.extras.classroom import gathered, hand_in
from cogkit.extras.datasets.bongard import datasets as bongard_sets
from cogkit.extras.datasets.equivalence import datasets as trial_sets
from cogkit.extras.datasets.mewl import archives as mewl_archives
from cogkit.extras.datasets.mewl import datasets as mewl_sets
from cogkit.extras.datasets.mewl.layout import roots
from cogkit.extras.datasets.tiles import datasets as board_sets
from cogkit.extras.docs import notebook_pages
from cogkit.extras.models.lm.address import Address
from cogkit.extras.models.lm.cache import CompletionCache
from cogkit.extras.models.lm.prompts import Prompt
from cogkit.extras.models.lm.replies import Completion
from cogkit.extras.models.lm.replies import parse as read_reply
from cogkit.extras.models.lm.transcript import Recording, read_transcript
from cogkit.extras.online import collected, library, page
from cogkit.generalization.learners import predictions
from cogkit.generalization.suites import FitConfig, Suite
from cogkit.learning import pretrained as folders
from cogkit.learning.fit import run
from cogkit.mewl.learners import training as mewl_training
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials, plain, pseudonym
from cogkit.tiles.metamers import sampling
from cogkit.tiles.people import blind

# Results, weights, checkpoints


def _results(folder: Path) -> None:
    run, rows = next(results.Shipped(results.shipped_folder("tiles")).runs())
    results.Store(folder).write(run, rows[:6])


def _weights(folder: Path, module: Any, start: str) -> None:
    """Copy the smallest network that ships and begins with these letters."""
    files = module.REGISTRY.folder.glob(f"{start}*.safetensors")
    shutil.copy(min(files, key=lambda path: path.stat().st_size), folder / "network.safetensors")


def _network(registry: Any, folder: Path) -> Any:
    agent = registry.read(folder / "network.safetensors")
    return {name: value.numpy() for name, value in agent.network.state_dict().items()} | {"log": agent.log}


def _resumed(folder: Path) -> Any:
    """Go on from a checkpoint for two steps: what was restored must be able to."""
    result = run(training.fit(6, folder / "run.safetensors"))
    weights = [value.detach().numpy() for module in result.state.modules.values() for value in module.parameters()]
    (folder / "run.safetensors").unlink(missing_ok=True)
    return [weights, result.log, result.steps, result.state.scalars]


def _answers_read(folder: Path) -> list:
    held = predictions.load(folder / "answers.npz")
    return [held.config.players, held.seed, held.predicted, held.truth]


# Sets of items


def _mewl(folder: Path) -> None:
    mewl_sets.make(folder, n=9, jobs=1)


def _mewl_archive(folder: Path) -> Any:
    (root,) = roots(folder)
    return [repr(mewl_archives.episode(root, address)) for address in mewl_archives.addresses(root)]


def _mewl_audit(folder: Path) -> list:
    return mewl_sets.audit(folder, jobs=1)


def _mewl_again(folder: Path) -> Any:
    """Make the set again over what is there, and return what an audit finds, and every file."""
    _mewl(folder)
    return [_mewl_audit(folder), {f"{path.relative_to(folder)}": path.read_bytes() for path in folder.rglob("*.json")}]


def _unfinished(folder: Path) -> None:
    """A set as a killed run leaves it: no manifest, two episodes short, the journal of its work beside."""
    _mewl(folder)
    root = folder / "MEWL_Release_V1"
    manifest = json.loads((root / "manifest.json").read_text())
    sums, bench = manifest["episodes"], root / ".making"
    bench.mkdir()
    made = ("cell", "seed", "counts", "sha256", "episodes")
    (bench / "asked.json").write_text(json.dumps({name: manifest[name] for name in manifest if name not in made}))
    (bench / "sums.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in [*sums.items()][:-2]))
    (root / "manifest.json").unlink()


def _trials(folder: Path) -> None:
    trial_sets.make(folder, n=1)
    for path in folder.glob("training_*"):
        if "LS_select-reject" not in path.name:
            path.unlink()


def _trial_tables(folder: Path) -> Any:
    design = Design()
    return [trial_sets.read(folder / name, design).tokens for name in ("tests.parquet", "tests_standard.csv")[:1]]


def _drawn(folder: Path) -> Any:
    images = pictures.read(folder / "a.npy", (3, 8, 8))
    if images is None:
        raise InputError("none", "drawn pictures")
    return np.array(images)


# People


_ABOUT = hand_in.About("c1a55", "A lesson", ("01_play_tiles",), seed=3)


def _hand_in(path: Path, who: str, rows: tuple[dict, ...] = ()) -> hand_in.HandIn:
    """Write and return what a student hands in."""
    done = (hand_in.Exercise("01-corner", "right", "corner = 36"), hand_in.Exercise("01-your-player", "open"))
    made = (Attempt("2026-11-22T06:45:00.000+00:00", "01-corner", True, "Correct.", "36"),)
    one = hand_in.HandIn(_ABOUT, who, "", "2026-11-22T06:46:00.000+00:00", "0.2.0", done, made, rows)
    hand_in.write(one, path)
    return one


def _handed_in(folder: Path) -> None:
    """A hand-in, and a class of it."""
    one = _hand_in(folder / "a.jsonl", "abc-1")
    gathered.write(gathered.merge([("a.jsonl", one)]), folder / "class")


def _read_hand_in(folder: Path) -> list[str]:
    return _all_of(gathered.collect(folder / "a.jsonl", _ABOUT)).students["student"].tolist()


def _two_handed_in(folder: Path) -> None:
    """What two students of one class hand in, with the trials of a sitting."""
    for who in ("abc", "def"):
        _hand_in(folder / f"{who}.jsonl", who, tuple(_rows_of("mewl", folder, who)))


def _rows_of(name: str, folder: Path, who: str) -> list[dict]:
    """What somebody answered in a study, row by row."""
    trials = Trials(folder / f"{who}.sqlite")
    sat(name, trials, who)
    rows = [plain(row) for row in trials.frame().to_dict("records")]
    (folder / f"{who}.sqlite").unlink()
    return rows


def _sealed_again(folder: Path) -> Any:
    """Collect both, after the spoilt one got the end that belongs to it: so its seal does not hide the rest."""
    path = folder / "abc.jsonl"
    with contextlib.suppress(ValueError, OSError, TypeError, RecursionError):
        if path.is_file() and path.stat().st_size < 2**24:
            lines = [*map(json.loads, path.read_text("utf-8").splitlines())]
            lines = [line for line in lines if "end" not in line]
            lines.append({"end": {"lines": len(lines), "sha256": hand_in.digest(lines)}})
            path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    held = gathered.collect(folder, _ABOUT)
    assert "def" in held.students["student"].tolist(), "a student is lost"
    counted = held.sittings[held.sittings["reason"] == ""]
    assert "def" in counted["who"].tolist(), "a sitting is lost"
    return _all_of(held).students["student"].tolist()


def _all_of(held: Any) -> Any:
    """Return what was collected, or raise an error if something in it does not count."""
    if len(held.left_out):
        raise InputError(held.left_out["reason"].iloc[0], "what counts")
    return held


def _lesson(folder: Path) -> None:
    """A lesson as students have it, of one notebook."""
    about = replace(_ABOUT, notebooks=("07_word_learning",))
    (folder / hand_in.ABOUT).write_text(json.dumps(asdict(about)), "utf-8")
    for path in notebooks.find(["07"]):
        shutil.copy(path, folder)


FORMS = ("json", "csv", "txt", "tsv", "jsonl", "json.gz", "zip")
"""How hosts and programs save what people answered: each file has another person."""


def _in_all_forms(folder: Path) -> None:
    """What seven people answered on the page of a study, each saved in another form."""
    for who, form in zip("abcdefg", FORMS, strict=True):
        _save(_rows_of("tiles", folder, who * 4), folder / f"{who}.{form}")


def _collected(folder: Path) -> None:
    """What one person answered on a page of version 1.0, saved in two forms: items have the names of their places."""
    rows = _rows_of("mewl", folder, "abc-1")
    condition, order = rows[0]["response"], rows[0]["extra"]["order"]
    rows[0]["extra"] = {"order": order, "items": items_of("mewl", "verified", 4, len(order))}
    names = [f"{condition}/practice 0/00", *(f"{condition}/{place:02d}" for place in order)]
    for row, name in zip(rows[-len(names) :], names, strict=True):
        row["item"] = name
    for form in ("json", "csv"):
        _save(rows, folder / f"data.{form}")


def _save(rows: list[dict], path: Path) -> None:
    """Write rows of the page of a study in the form of a file's name."""
    rows = [row | {"source": "web"} for row in rows]
    text, form = json.dumps(rows), path.name.partition(".")[2]
    if form in ("csv", "tsv"):
        cells = pd.DataFrame([row | {"extra": json.dumps(row["extra"])} for row in rows])
        cells.to_csv(path, index=False, sep="," if form == "csv" else "\t")
    elif form == "json.gz":
        path.write_bytes(gzip.compress(text.encode()))
    elif form == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("study_result_1/comp-result_2/data.txt", text)
            archive.writestr("study_result_1/metadata.json", "{}")
    elif form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    else:  # one list, or as JATOS appends them: a list for each row
        path.write_text(text if form == "json" else "\n".join(json.dumps([row]) for row in rows), "utf-8")


def _all_collected(folder: Path) -> Any:
    """Collect all files; whoever's own file is sound must count."""
    sound = {path.name: path.read_bytes() for path in (folder.parent / "sound").iterdir()}
    held = collected.collect([folder])
    counted = set(held.sittings["who"][held.sittings["reason"] == ""])
    for name, content in sound.items():
        path = folder / name
        if path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content:
            assert name[0] * 4 in counted, f"the person of {name} is lost"
    return _all_of(held).trials


def _sitting(folder: Path) -> Sitting:
    with _home(folder):
        return Sitting.open(blind.study_of("tree", 3), Trials(folder / "trials.sqlite"), seed=2)


def _sat(folder: Path) -> None:
    sitting = _sitting(folder)
    for _ in range(2):
        sitting.answer("metamer", 0.5)
        sitting.pending = False


def _went_on(folder: Path) -> Any:
    """Go on with a sitting, answer once more, and return the rows that can be read."""
    sitting = _sitting(folder)
    if not sitting.finished:
        sitting.answer("metamer", 0.5)
    store = Trials(folder / "trials.sqlite")
    store.unreadable(), store.sittings()
    return store.frame().drop(columns=["at", "sitting", "who"]).to_dict("list")


def _pseudonym(folder: Path) -> str:
    with _home(folder):
        return pseudonym()


# Models and services


def _library(folder: Path) -> None:
    shutil.copy(studied.package(), folder / "jspsych.tgz")


def _words(folder: Path) -> None:
    shutil.copy(studied.folder("equivalence") / "words.json", folder)


def _study_in_words(folder: Path) -> Any:
    web = registry.part("online", "equivalence").study()
    options = {"condition": web.conditions[0], "n": 1, "forms": 1, "host": "cognition", "jspsych": studied.package()}
    made = page.make(folder / "study", web, "equivalence", words=folder / "words.json", **options)
    return {path.name: path.read_bytes() for path in made.iterdir() if path.is_file()}


def _model(folder: Path) -> None:
    tiny.folder_of("bert", folder / "model")


def _parts(folder: Path) -> Any:
    wanted, classes = "a small model", {"AutoTokenizer": {}, "AutoModel": {}}
    tokenizer, model = folders.parts(folder / "model", wanted, classes, "bert")
    held = {name: value.numpy() for name, value in model.state_dict().items()}
    return [tokenizer("rono left of galu")["input_ids"], held, folders.digest(folder / "model")]


_SPOKEN = Prompt("0", (("user", "Which name?"),), ("pado", "tif"), labelled=True)
_LIKELY = Prompt("1", (("user", "A cube. Name:"),), ("pado", "tif gup"), (" pado", " tif gup"))


def _answer(folder: Path) -> None:
    """What a server says to a question in words, and of a text: the probability of each token, and its place."""
    message = {"role": "assistant", "content": "ANSWER: B", "refusal": None}
    usage = {"prompt_tokens": 9, "completion_tokens": 3}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    (folder / "said.json").write_text(json.dumps({"id": "a", "choices": [choice], "usage": usage}))
    logs = {"token_logprobs": [None, -0.5, -1.25, -2.0], "text_offset": [0, 3, 13, 15]}
    choice = {"index": 0, "text": "x", "logprobs": logs}
    (folder / "likely.json").write_text(json.dumps({"id": "a", "choices": [choice]}))


class _Folder:
    """Answers each question with the content of a file."""

    folder = Path()

    def __call__(self, handler: Handler, request: Request) -> None:
        path = self.folder / ("said.json" if request.path == "/v1/chat/completions" else "likely.json")
        content = path.read_bytes() if path.is_file() else b""
        handler.send(200, content[: 2**20], {"Connection": "close"})


@functools.cache
def _server() -> tuple[Server, _Folder]:
    act = _Folder()
    return started(act), act


def _asked(folder: Path) -> Any:
    """Ask both questions, and return what became of them."""
    server, act = _server()
    act.folder, model = folder, Address(server.url, "a model", seconds=5, tries=1, longest_wait=0)
    responses = dict(model.complete([_SPOKEN, _LIKELY]))
    for one in responses.values():
        if one.problem:
            assert len(one.problem) <= 300 and one.problem.isprintable(), one.problem
            raise InputError(one.problem, "an answer")
    replies = [read_reply(_SPOKEN, responses[0]), read_reply(_LIKELY, responses[1])]
    return [[reply.outcome, reply.choice, asdict(replace(reply.completion, seconds=0.0))] for reply in replies]


def _answered(folder: Path) -> None:
    answers = CompletionCache(folder / "answers.sqlite")
    for number, prompt in enumerate((_SPOKEN, _LIKELY)):
        answers.note(f"{number}" * 64, prompt, "sent")
        answers.put(f"{number}" * 64, "a model", prompt, _SAID[number])


def _kept(folder: Path) -> Any:
    """Read all that is kept, and keep one more."""
    answers = CompletionCache(folder / "answers.sqlite")
    held = {key: asdict(response) for key, response in answers.get(["0" * 64, "1" * 64]).items()}
    answers.put("2" * 64, "a model", _SPOKEN, _SAID[0])
    return [held, answers.log().drop(columns="at").to_dict("list"), len(answers.get(["2" * 64]))]


_SAID = (
    Completion("ANSWER: B", "stop", tokens_in=9, seconds=0.5),
    Completion("", "stop", (-1.5, -2.0), (1, 2), cost=0.25),
)


class _Says:
    """A participant that gives the two answers."""

    name, identity = "a model", {"model": "a model", "temperature": 0.0}

    def complete(self, prompts: Any, begin: Any = None) -> Iterator[tuple[int, Completion]]:
        yield from enumerate(_SAID)


def _told(folder: Path) -> None:
    recording = Recording(_Says())
    assert len([*recording.complete([_SPOKEN, _LIKELY])]) == 2
    recording.write(folder / "said.jsonl", note="for a test")


def _recorded(folder: Path) -> Any:
    """Read a transcript, and let it answer."""
    speaker, prompts = read_transcript(folder / "said.jsonl"), [_SPOKEN, _LIKELY]
    replies = [
        read_reply(prompt, response) for prompt, (_, response) in zip(prompts, speaker.complete(prompts), strict=True)
    ]
    return [speaker.name, speaker.about, [[reply.outcome, reply.choice, asdict(reply.completion)] for reply in replies]]


# Notebooks


def _copied(folder: Path) -> None:
    origin = folder / "origin"
    origin.mkdir()
    for path in notebooks.find(["10"]):
        shutil.copy(path, origin)
    notebooks.copy_to(folder / "copy", origin)


def _copied_again(folder: Path) -> Any:
    lines = notebooks.copy_to(folder / "copy", folder / "origin")
    return [lines, {path.name: path.read_bytes() for path in (folder / "copy").glob("*.ipynb")}]


def _executed(folder: Path) -> None:
    nbformat.write(ran("blue"), folder / "a.ipynb")


@contextlib.contextmanager
def _home(folder: Path) -> Iterator[None]:
    """Make the folder the reader's own."""
    before = os.environ["COGKIT_HOME"]
    os.environ["COGKIT_HOME"] = str(folder)
    try:
        yield
    finally:
        os.environ["COGKIT_HOME"] = before


def _life(module: Any, start: str) -> Campaign:
    return Campaign(lambda folder: _weights(folder, module, start), lambda folder: _network(module.REGISTRY, folder))


CAMPAIGNS = {
    "results": Campaign(_results, lambda folder: results.load(folder)),
    "weights of MEWL": _life(mewl_training, ""),
    "weights of Bongard-LOGO": _life(bongard_training, "proto"),
    "weights of equivalence": _life(equivalence_training, "embedding"),
    "conditional network": Campaign(
        lambda folder: shutil.copy(sampling.SHIPPED / "conditional-tree.safetensors", folder),
        lambda folder: [*sampling.read(folder / "conditional-tree.safetensors").weights],
    ),
    "checkpoint": Campaign(lambda folder: run(training.fit(4, folder / "run.safetensors")), _resumed),
    "answers on a suite": Campaign(
        lambda folder: predictions.empty(FitConfig(Suite(1, ("Moons",))), 0).save(folder / "answers.npz"), _answers_read
    ),
    "drawn pictures": Campaign(
        lambda folder: pictures.write(folder / "a.npy", stream(0, "fuzz").integers(0, 255, (3, 8, 8)).astype(np.uint8)),
        _drawn,
    ),
    "audit of Bongard-LOGO": Campaign(
        lambda folder: bongard_sets.make(folder, n=4, size=64, jobs=1),
        lambda folder: bongard_sets.audit(folder, jobs=1),
        0.05,
    ),
    "set of MEWL": Campaign(_mewl, _mewl_archive, 0.5),
    "audit of MEWL": Campaign(_mewl, _mewl_audit, 0.05),
    "MEWL made again": Campaign(_unfinished, _mewl_again, 0.05, "**/.making/*"),
    "audit of boards": Campaign(lambda folder: board_sets.make(folder, n=4), board_sets.audit, 0.5),
    "audit of trials": Campaign(_trials, trial_sets.audit, 0.2),
    "tables of trials": Campaign(_trials, _trial_tables, 1.0, "tests*"),
    "collected data": Campaign(
        _collected,
        lambda folder: [_all_of(collected.collect([folder / f"data.{end}"])).trials for end in ("json", "csv")],
    ),
    "hand-ins": Campaign(
        _handed_in,
        lambda folder: [_read_hand_in(folder), gathered.load(folder / "class").exercises],
        spoils="*.[cj]*",  # the database is empty
    ),
    "hand-ins, sealed again": Campaign(_two_handed_in, _sealed_again, 1.0, "abc.jsonl"),
    "study data in all forms": Campaign(_in_all_forms, _all_collected, 0.25),
    "lessons": Campaign(_lesson, lambda folder: hand_in.of_folder(folder).exercises),
    "trials": Campaign(_sat, _went_on, 0.5, "*.sqlite"),
    "program of jsPsych": Campaign(_library, lambda folder: library.program(path=folder / "jspsych.tgz")),
    "words of a study": Campaign(_words, _study_in_words, 0.2),
    "pretrained model": Campaign(_model, _parts, 0.1),
    "answer of a server": Campaign(_answer, _asked, 0.5),
    "answers of a model": Campaign(_answered, _kept, 0.5, "*.sqlite"),
    "transcript": Campaign(_told, _recorded),
    "pseudonym": Campaign(_pseudonym, _pseudonym),
    "notebook": Campaign(
        lambda folder: shutil.copy(*notebooks.find(["10"]), folder / "a.ipynb"),
        lambda folder: notebooks.parameters(folder / "a.ipynb"),
    ),
    "executed notebook": Campaign(_executed, lambda folder: notebook_pages.prepared(folder / "a.ipynb", True), 0.1),
    "stamp of copies": Campaign(_copied, _copied_again, 1.0, "copy/.*"),
}


def assert_sound(name: str, cases: int, folder: Path, record: Any) -> None:
    """Check a loader with so many spoilt files, and note the counts for the table at the end of the tests."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):  # such as progress bars
        report = spoilt(CAMPAIGNS[name], cases, 0, folder)
    record("fuzz", f"{name:26}" + "".join(f"{report.counts[outcome]:>9,}" for outcome in GOOD))
    assert set(report.counts) <= set(GOOD), "\n\n".join(list(report.faults.values())[:6])
