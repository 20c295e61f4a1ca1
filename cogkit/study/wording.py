"""A sitting as natural language, with every choice in ``<<…>>``: the form of Psych-101 (Binz et al. 2025).

A person's answers get their words from the study that was sat; a model's are the prompts and words that it had.
"""

from __future__ import annotations

from collections.abc import Sequence

from cogkit.core.errors import InputError
from cogkit.core.study import Study, Wording
from cogkit.study.sitting import Sitting
from cogkit.study.trials import BEGIN, Trials

OPEN, CLOSE = "<<", ">>"
"""What stands around a choice."""


def wordings(sitting: str, study: Study, trials: Trials | None = None) -> list[Wording]:
    """Return the answers of a person's sitting in words, oldest first.

    Parameters
    ----------
    sitting : str
        Its id.
    study : Study
        The study that was sat.
    trials : Trials, optional
        The database that has it; the reader's own by default.

    Raises
    ------
    InputError
        There is no such sitting, it is of another study, or the study has no `Study.wording`.
    """
    if study.wording is None:
        raise InputError(f"a study of {study.instrument} without words", "one whose items can be put into words")
    return [study.wording(presentation) for presentation in Sitting.resume(study, sitting, trials).met]


def story(prompt: str, answers: Sequence[Wording]) -> list[tuple[str, Wording]]:
    """Return what a reader of a sitting has read before each of its choices, with the answer.

    ``prompt`` is what the person was told at the beginning. Each text ends right before a choice and holds all earlier
    choices in ``<<…>>``.

    Examples
    --------
    >>> answers = [Wording("A or B? You press", ("A", "B"), 1, "Wrong."), Wording("Again. You press", ("A", "B"), 0)]
    >>> [text for text, _ in story("Press a key.", answers)]
    ['Press a key.\\n\\nA or B? You press', 'Press a key.\\n\\nA or B? You press <<B>>. Wrong.\\n\\nAgain. You press']
    """
    text, parts = plain(prompt), []
    for answer in answers:
        text = "\n\n".join(filter(None, [text, plain(answer.text)]))
        parts.append((text, answer))
        text += continuation(answer)
    return parts


def to_transcript(sitting: str, study: Study | None = None, trials: Trials | None = None) -> str:
    """Return a sitting in words, every choice in ``<<…>>``, in the form of the data set Psych-101.

    Parameters
    ----------
    sitting, trials
        As for `wordings`.
    study : Study, optional
        The study that a person sat. A model's sitting needs none: its rows hold what it was asked and what it said.

    Raises
    ------
    InputError
        As for `wordings`; or a row has no words and no study is given.
    """
    trials = trials or Trials()
    if study is not None:
        parts = story(study.prompt, wordings(sitting, study, trials))
        if not parts:
            return plain(study.prompt)
        before, last = parts[-1]
        return before + continuation(last)
    rows = trials.frame(sitting=sitting)
    if rows.empty:
        raise InputError(repr(sitting), f"a sitting in {trials.path}", "its sittings() lists what has begun")
    return "\n\n".join(_asked(row) for row in rows.itertuples() if row.item != BEGIN)


def continuation(answer: Wording) -> str:
    """Return what follows the text of an answer: the choice, and what the person was told then."""
    choice = f" {OPEN}{plain(answer.options[answer.choice])}{CLOSE}."
    return f"{choice} {plain(answer.feedback)}" if answer.feedback else choice


def _asked(row) -> str:
    """Return one question to a model and its answer."""
    extra = row.extra
    if not isinstance(extra.get("prompt"), list):
        got = f"an answer of {row.who} to {row.item}, without words"
        raise InputError(got, "a model's answer with its prompt", "give the study that a person sat")
    answer = extra.get("text") or (extra["shown"][extra["place"]] if extra.get("place", -1) >= 0 else "")
    return f"{plain(chr(10).join(text for _, text in extra['prompt']))} {OPEN}{plain(answer.strip())}{CLOSE}"


def plain(text: str) -> str:
    """Return a text in which nothing looks like a choice.

    Examples
    --------
    >>> plain("a << b")
    'a < < b'
    """
    return text.replace(OPEN, "< <").replace(CLOSE, "> >")
