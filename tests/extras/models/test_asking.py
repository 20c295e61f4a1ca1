"""``cogkit ask`` from its arguments to the stores, and a sixth instrument that joins it."""

from __future__ import annotations

import hashlib
import json
import lzma

import pandas as pd
import pytest
from cases import case
from lm.speaking import Handler, Request
from saying import Saying

from cogkit.app import cli
from cogkit.core.errors import InputError
from cogkit.data.results import Store
from cogkit.extras.models import asking
from cogkit.extras.models.lm.cache import CAME, SENT, CompletionCache
from cogkit.extras.models.lm.prompts import CUE
from cogkit.extras.models.lm.replies import Completion
from cogkit.extras.models.lm.transcript import read_transcript
from cogkit.study.answers import OUTCOMES
from cogkit.study.trials import Trials

SECRET = "sk-do-not-print"


def words(text: str) -> str:
    """What the server says to a question: the letter that its hash gives, or a refusal."""
    number = hashlib.sha256(text.encode()).digest()[0]
    return "I'm sorry, I cannot say." if number % 7 == 0 else f"{CUE} {'ABCDE'[number % 5]}"


def speak(handler: Handler, request: Request) -> None:
    """Answer a chat by `words`."""
    choice = {"message": {"content": words(request.text)}, "finish_reason": "stop"}
    answer = {"choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 10}}
    handler.send(200, json.dumps(answer).encode(), {})


@pytest.fixture
def server(serve):
    return serve(speak)


@pytest.fixture
def ask(home, monkeypatch, capsys):
    """The command, with a key: it returns the exit status, and what it printed."""
    monkeypatch.setenv("COGKIT_LM_KEY", SECRET)

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        return cli.main(["ask", *arguments]), *capsys.readouterr()

    return run


def test_a_run_writes_rows_trials_and_a_transcript(ask, server, tmp_path):
    how = ["mewl/shape", "--model", "small", "--address", server.url, "-n", "30", "--seed", "5"]
    status, out, err = ask(*how, "--price", "1000", "10000", "--save", str(tmp_path / "said.jsonl"))
    assert status == 0, err
    assert len(server.requests) == 30
    assert {request.headers["Authorization"] for request in server.requests} == {f"Bearer {SECRET}"}
    replies = [words(request.text) for request in server.requests]
    refused = sum("sorry" in text for text in replies)
    assert 0 < refused < 30

    rows = Store(tmp_path / "home" / "results").load().set_index("metric")
    assert rows.value["refused"] == pytest.approx(refused / 30)
    assert rows.value[["unparsed", "truncated", "failed"]].eq(0).all()
    assert (rows.who == "small, by its words").all()
    assert rows.source.str.fullmatch("cogkit ask, items [0-9a-f]{8}").all()
    trials = Trials().frame(kind="model")
    assert len(trials) == 30 and trials.correct.sum() == round(rows.value["accuracy"] * 30)
    assert [extra["text"] for extra in trials.extra].count("I'm sorry, I cannot say.") == refused
    assert {extra["outcome"] for extra in trials.extra} == {"answered", "refused"}
    assert all(extra["items"] == asking.Asking("mewl/shape", 30, 5).item_set for extra in trials.extra)
    spent = 30 * (100 * 1000 + 10 * 10000) / 1e6
    assert f"{30 * 110} {spent:.3f}" in " ".join(out.split())
    for file in [*(tmp_path / "home").rglob("*.*"), tmp_path / "said.jsonl"]:
        assert SECRET.encode() not in file.read_bytes()
    assert SECRET not in out + err

    again = asking.ask(read_transcript(tmp_path / "said.jsonl"), asking.Asking("mewl/shape", 30, 5))
    replayed = pd.DataFrame(again.rows).set_index("metric").value
    assert replayed.to_dict() == pytest.approx(rows.value.to_dict(), rel=1e-9)

    # nothing is asked twice, and the same run replaces its rows
    assert ask(*how)[0] == 0 and len(server.requests) == 30 and len(Trials().frame(kind="model")) == 30
    log = CompletionCache().log().event.value_counts()
    assert log.to_dict() == {SENT: 30, CAME: 30}


def test_a_transcript_is_asked_in_place_of_its_model(ask, server, tmp_path, monkeypatch):
    how, path = ["-n", "6", "--seed", "5"], str(tmp_path / "said.jsonl.xz")
    assert ask("mewl/sh*", "--model", "small", "--address", server.url, *how, "--save", path)[0] == 0
    ((manifest, rows),) = Store(tmp_path / "home" / "results").runs()
    head, answers = lzma.open(path, "rt", encoding="utf-8").read().split("\n", 1)
    moved = tmp_path / "moved.jsonl"
    moved.write_text(json.dumps(json.loads(head) | {"device": "a large card"}) + "\n" + answers, encoding="utf-8")
    monkeypatch.setenv("COGKIT_HOME", str(tmp_path / "another home"))  # where no answer is kept
    for file, device in ((path, manifest.device), (moved, "a large card")):  # where it was computed
        assert ask("mewl/shape", "--model", str(file), *how, "--out", str(tmp_path / "other"))[0] == 0
        ((again, same),) = Store(tmp_path / "other").runs()
        assert (same, again.config, again.items, again.device) == (rows, manifest.config, manifest.items, device)
    status, out, _ = ask("mewl/shape", "--model", path, "-n", "9", "--seed", "6", "--out", str(tmp_path / "a third"))
    assert status == 1 and "the transcript of small has no answer to this question" in out
    assert len(server.requests) == 6


def test_a_dry_run_sends_nothing_and_counts_what_is_left(ask, server, tmp_path):
    how = ["mewl/*", "--model", "small", "--address", server.url, "--seed", "5"]
    status, out, _ = ask(*how, "-n", "4", "--dry-run", "--price", "1", "2")
    assert status == 0 and "36 questions would be sent" in out and "at most" in out
    assert not server.requests and not Store(tmp_path / "home" / "results").load().size
    assert ask("mewl/color", *how[1:], "-n", "4")[0] == 0
    assert "32 questions would be sent" in ask(*how, "-n", "4", "--dry-run")[1]


SAID = {
    "refused": Completion("I'm sorry, I cannot help.", "stop"),
    "unparsed": Completion("", "stop"),
    "truncated": Completion("Let me think about", "length"),
    "failed": Completion(problem="no answer"),
}


def test_nothing_is_ever_credited_to_an_answer_that_did_not_come():
    """Of silence, of a refusal, of a cut answer and of a failure nothing is right, in no instrument."""
    one_of_each = {name.partition("/")[0]: name for name in reversed(asking.tasks())}
    for task in one_of_each.values():
        for outcome, completion in SAID.items():
            fake = Saying(lambda prompt, completion=completion: completion)
            evaluation = asking.ask(fake, asking.Asking(task, n=12, seed=1))
            trials, rows = evaluation.trials(), pd.DataFrame(evaluation.rows)
            shares = rows[rows.metric.isin(OUTCOMES)].groupby("metric").value.first()
            right = rows[rows.metric.str.startswith("accuracy") & ~rows.metric.str.contains("above")]
            with case((task, outcome)):
                assert len(evaluation.replies) >= 12 and {reply.outcome for reply in evaluation.replies} == {outcome}
                assert trials.correct.sum() == 0 and trials.score.sum() <= 0 and trials.response.isna().all()
                assert shares.to_dict() == {name: float(name == outcome) for name in OUTCOMES[1:]}
                assert (right.value == 0).all()


def test_an_instrument_that_is_not_there_is_one_sentence():
    with pytest.raises(InputError, match="wanted an instrument .*got 'mewll': did you mean 'mewl'"):
        asking.tasks("mewll")


def test_a_sixth_instrument_needs_only_its_own_folder(ask, server, sixth):
    status, out, err = ask("counting/*", "--model", "m", "--address", server.url, "-n", "9", "--seed", "2")
    assert status == 0, err
    assert len(server.requests) == 9 and "fours" in out and "and then?" in server.requests[0].text
