"""Inspect AI: its tasks ask what ``cogkit ask`` asks, and its logs give the same rows."""

from __future__ import annotations

import hashlib
import zipfile

import pandas as pd
import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from saying import Saying

from cogkit.core.errors import InputError
from cogkit.extras.models import asking, inspecting
from cogkit.extras.models.lm.prompts import LABELS

OWN = ["who", "source"]


def words(text: str) -> str:
    """Some words for a question: an answer, two, none, or a refusal, by the question's hash."""
    number = hashlib.sha256(text.encode()).digest()[0]
    letter = LABELS[number % 5]
    forms = (f"ANSWER: {letter}", f"It is {letter}.", "A or B", "", "I'm sorry, I cannot say.", f"**{letter}**")
    return forms[number // 5 % len(forms)]


def spoken(input, tools, tool_choice, config) -> ModelOutput:
    output = ModelOutput.from_content("mockllm/model", words(input[-1].text))
    output.usage = ModelUsage(input_tokens=7, output_tokens=3)  # otherwise Inspect fetches a tokenizer
    return output


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    task = inspecting.inspect_task(asking.Asking("mewl/shape", n=20, seed=3))
    model = get_model("mockllm/model", custom_outputs=spoken)
    (log,) = inspect_eval(task, model=model, log_dir=str(tmp_path_factory.mktemp("logs")), display="none")
    assert log.status == "success", log.error
    return log


def test_an_inspect_log_gives_the_rows_of_cogkit_ask(log):
    there = inspecting.read_log(log.location)
    here = asking.ask(Saying(lambda prompt: words(prompt.text)), asking.Asking("mewl/shape", n=20, seed=3))
    rows = [pd.DataFrame(run.rows).drop(columns=OWN) for run in (there, here)]
    pd.testing.assert_frame_equal(*rows)
    assert there.outcomes.n.tolist() == here.outcomes.n.tolist() and there.outcomes.tokens_in.sum() == 140
    assert len(set(reply.outcome for reply in here.replies)) >= 3  # the words are not all alike
    scores = [sample.scores["judged"].value for sample in log.samples]
    assert scores == here.answers.to_trials().score.tolist()


def test_an_answer_that_was_changed_inside_a_log_is_told(log, tmp_path):
    """The archive opens, and what it holds can be read; only its checksum tells that an answer is another."""
    with zipfile.ZipFile(log.location) as archive:
        names = archive.namelist()
        held = {name: archive.read(name) for name in names}
    name = next(name for name in names if name.startswith("samples/") and b"ANSWER: " in held[name])
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for each in names:
            archive.writestr(each, held[each])
    content = path.read_bytes()
    at = content.index(b"ANSWER: ", content.index(held[name][:60])) + 8
    path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    with pytest.raises(InputError, match="damaged"):
        inspecting.read_log(path)


def test_what_is_no_log_of_ours_is_told(tmp_path):
    (tmp_path / "a.eval").write_bytes(b"no log")
    for name in ("a.eval", "nowhere.eval"):
        with pytest.raises(InputError, match="a finished log"):
            inspecting.read_log(tmp_path / name)
