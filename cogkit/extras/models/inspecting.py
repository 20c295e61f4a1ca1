"""Every task that a language model can be asked, as a task of Inspect AI: ``inspect eval cogkit/mewl_shape``.

Inspect finds this module by its entry point. The same code as in ``cogkit ask`` words, reads and scores each item; only
the model is Inspect's. Needs the extra ``[models]``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import msgspec
from inspect_ai import Task, task
from inspect_ai import model as ai
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from cogkit.extras.models import asking
from cogkit.extras.models.asking import Asking
from cogkit.extras.models.lm.address import messages
from cogkit.extras.models.lm.cache import Participant
from cogkit.extras.models.lm.prompts import Prompt
from cogkit.extras.models.lm.replies import Completion

OURS = "cogkit"  # the entry of metadata that is ours
_ROLES: dict[str, Callable[..., ai.ChatMessage]] = {
    "system": ai.ChatMessageSystem, "user": ai.ChatMessageUser, "assistant": ai.ChatMessageAssistant,
}  # fmt: skip
_ENDS = {"max_tokens": "length", "model_length": "length"}  # Inspect's names of ends, where they differ


class Voice(Participant):
    """The model of an Inspect run, as a participant; it speaks from a worker thread."""

    def __init__(self, model: ai.Model) -> None:
        self.model, self.name = model, str(model)
        self.identity = {"model": self.name}

    def answer(self, prompt: Prompt) -> Completion:
        """Return what the model says; Inspect runs many items side by side."""
        output = anyio.from_thread.run(self.model.generate, _messages(prompt))
        usage, reason = output.usage, output.stop_reason
        return Completion(
            text=output.completion, end=str(_ENDS.get(reason, reason)), seconds=output.time or 0.0,
            tokens_in=usage.input_tokens if usage else 0, tokens_out=usage.output_tokens if usage else 0,
            problem=output.error or "",
        )  # fmt: skip


def _messages(prompt: Prompt) -> list[ai.ChatMessage]:
    """Return the turns of a prompt as Inspect's messages."""
    return [_ROLES[turn["role"]](content=_content(turn["content"])) for turn in messages(prompt)]


def _content(content: str | list[dict[str, Any]]) -> str | list[ai.Content]:
    if isinstance(content, str):
        return content
    return [
        ai.ContentText(text=part["text"]) if part["type"] == "text" else ai.ContentImage(image=part["image_url"]["url"])
        for part in content
    ]


@solver
def sitting(what: Asking, items: Any) -> Solver:
    """Let the model answer one item, and keep what it chose and what it scored in the sample's metadata."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        k = state.metadata["item"]
        done = await anyio.to_thread.run_sync(partial(asking.ask, Voice(ai.get_model()), what, items[k : k + 1]))
        trials = done.trials()
        state.metadata[OURS] = {
            "responses": trials["response"].tolist(), "score": float(trials["score"].mean()),
            "outcomes": [reply.outcome for reply in done.replies],
        }  # fmt: skip
        for reply in done.replies:
            words = ai.ChatMessageAssistant(content=reply.completion.text)
            state.messages += [*_messages(reply.prompt)[len(state.messages) > 1 :], words]
        return state

    return solve


@scorer(metrics=[mean(), stderr()])
def judged() -> Scorer:
    """Return the score that the instrument's own judge gave: the mean of the item's trial rows."""

    async def score(state: TaskState, target: Target) -> Score:
        ours = state.metadata[OURS]
        answer = ", ".join(map(str, ours["responses"]))
        return Score(value=ours["score"], answer=answer, metadata={"outcomes": ours["outcomes"]})

    return score


def inspect_task(what: Asking) -> Task:
    """Return the Inspect task of what is asked; its metadata names the items."""
    items, samples = asking.asked_items(what), []
    for k in range(len(items)):
        first = asking.prompts(what, items[k : k + 1])[0]
        samples.append(Sample(id=k, input=first.text, metadata={"item": k}))
    about = {"asking": msgspec.to_builtins(what), "items": what.item_set}
    return Task(
        dataset=MemoryDataset(samples, name=what.task), solver=sitting(what, items), scorer=judged(),
        metadata={OURS: about}, version=what.item_set,
    )  # fmt: skip


def _registered(name: str) -> Callable[..., Task]:
    """Register one task with Inspect, such as ``tiles_copy_abstract``, and return it."""

    def made(
        n: int = 0, seed: int = asking.DEVELOPMENT, images: bool = False, profile: str = "verified",
        sitting: bool = False,
    ) -> Task:  # fmt: skip
        return inspect_task(Asking(name, n, seed, "text", images, profile, sitting))

    return task(name=re.sub(r"\W+", "_", name))(made)


TASKS = {name: _registered(name) for name in asking.tasks()}
