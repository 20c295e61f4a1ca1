"""A participant of the tests: what it says is a function of what it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cogkit.extras.models.lm.prompts import Prompt
from cogkit.extras.models.lm.replies import Completion


class Saying:
    """Says ``answer(prompt)``, a text or a whole `Completion`, and keeps every prompt."""

    name, identity = "a fake", {"model": "a fake"}

    def __init__(self, answer: Callable) -> None:
        self.answer, self.prompts = answer, []

    def complete(self, prompts: Sequence[Prompt], begin=lambda number: None) -> Iterator[tuple[int, Completion]]:
        for number, prompt in enumerate(prompts):
            begin(number)
            self.prompts.append(prompt)
            response = self.answered(prompt, number)
            yield number, response if isinstance(response, Completion) else Completion(response, end="stop")

    def answered(self, prompt: Prompt, number: int) -> str | Completion:
        return self.answer(prompt)


class Numbered(Saying):
    """Says ``answer(prompt, number)``, where the number counts the prompts of a call."""

    def answered(self, prompt: Prompt, number: int) -> str | Completion:
        return self.answer(prompt, number)
