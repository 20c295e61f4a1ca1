"""Inspect AI: its tasks ask what ``cogkit ask`` asks, and score it alike."""

from __future__ import annotations

import hashlib

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from saying import Saying

from cogkit.extras.models import asking, inspecting
from cogkit.extras.models.lm.prompts import LABELS


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


def test_a_task_of_inspect_scores_as_cogkit_ask(log):
    here = asking.ask(Saying(lambda prompt: words(prompt.text)), asking.Asking("mewl/shape", n=20, seed=3))
    ours = [sample.metadata[inspecting.OURS] for sample in log.samples]
    assert [outcome for one in ours for outcome in one["outcomes"]] == [reply.outcome for reply in here.replies]
    assert len(set(reply.outcome for reply in here.replies)) >= 3  # the words are not all alike
    assert [sample.scores["judged"].value for sample in log.samples] == here.answers.to_trials().score.tolist()
