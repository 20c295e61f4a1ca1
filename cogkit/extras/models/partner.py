"""A language model at the same questions as a reader: who answers, what is asked, and which options are right.

The reader is a participant too (`Placed`). So the same ``ask`` judges a person and a model, and gives rows of both.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.special import softmax

from cogkit.core import presets, registry
from cogkit.core.errors import InputError
from cogkit.data import results
from cogkit.extras.models import asking
from cogkit.extras.models.asking import Asking, Evaluation, Placed
from cogkit.extras.models.lm import learner
from cogkit.extras.models.lm.address import Address
from cogkit.extras.models.lm.cache import CachedModel, CompletionCache, Participant
from cogkit.extras.models.lm.prompts import Prompt, closing, lettered
from cogkit.extras.models.lm.replies import Completion, Reply, parse
from cogkit.extras.models.lm.transcript import Transcript, read_transcript
from cogkit.study.answers import OUTCOMES

SEED, HOW = 1, "mean"
"""How the answers that come with the package were asked for: the seed of the items, and one of `lm.learner.HOW`."""
QUESTIONS, SENT = 20, 8  # of a task: to a model that is recorded, and to one behind an address
GAMES = "tiles/"  # here a question follows from the answer to the one before
_COLOUR = ("red", "seven")
_TRY = Prompt(
    "hello", (("user", f"Which of these is a colour?\n{lettered(_COLOUR)}\n\n{closing()}"),), _COLOUR, labelled=True
)


@dataclass(frozen=True)
class Partner:
    """A model that answers beside a reader.

    Attributes
    ----------
    name : str
    how : str
        One of `lm.learner.HOW`.
    tasks : tuple of str
        What it can be asked here, as ``instrument/task``; no games, such as tiles.
    most : int
        How many questions of a task it is asked.
    voices : mapping
        The participant that answers for each instrument.
    description : str
        Who answers, in one sentence.

    Examples
    --------
    >>> choose().ask("mewl/shape", 3).outcomes.n.tolist()
    [3, 0, 0, 0, 0]
    """

    name: str
    how: str
    tasks: tuple[str, ...]
    most: int
    voices: Mapping[str, Participant]
    description: str

    @property
    def who(self) -> str:
        """What result rows call it."""
        return f"{self.name}, {learner.HOW[self.how]}"

    @property
    def is_recorded(self) -> bool:
        """Whether its answers come with the package; then its result rows are among those shipped."""
        return all(isinstance(voice, Transcript) for voice in self.voices.values())

    def __repr__(self) -> str:
        return self.description

    def asking(self, task: str, n: int = 0, how: str = "") -> Asking:
        """Return what is asked: the first ``n`` items of a task, or as many as its instrument suggests."""
        return Asking(task, n=n, seed=SEED, how=how or self.how)

    def ask(self, task: str, n: int = 0, how: str = "") -> Evaluation:
        """Return its answers to the items of `asking`."""
        run = self.asking(task, n, how)
        return asking.ask(self.voices[run.instrument], run)


def recordings() -> dict[str, Partner]:
    """Return each model whose answers come with the package, by name.

    Examples
    --------
    >>> "mewl/shape" in next(iter(recordings().values())).tasks
    True
    """
    by_name: dict[str, dict[str, Transcript]] = {}
    # Episodes are the lightest items; other instruments follow in the order of their names.
    for instrument in sorted(registry.instruments(), key=lambda name: (name != "mewl", name)):
        for path in asking.recordings(instrument):
            voice = read_transcript(path)
            by_name.setdefault(voice.name, {})[instrument] = voice
    partners = {}
    for name, voices in by_name.items():
        tasks = [task for voice in voices.values() for task in voice.about["tasks"] if not task.startswith(GAMES)]
        description = f"{name} answers from its recording: {len(tasks)} tasks."
        partners[name] = Partner(name, HOW, tuple(tasks), QUESTIONS, voices, description)
    return partners


def choose(address: str = "", model: str = "") -> Partner:
    """Return who answers: a recorded model, or the one behind an address.

    One short question finds out if the address answers. If it does not, the recorded model answers in its place, and
    ``description`` tells why. Answers are kept, so that nothing is asked twice.

    Parameters
    ----------
    address : str
        Address of a server with OpenAI's interface, such as ``http://127.0.0.1:8080/v1``; empty for a recorded model.
        Its key is read from the environment, see `lm.address.KEY`.
    model : str
        The model's name, there or among `recordings`; empty for the first of these.

    Examples
    --------
    >>> choose().tasks[0], choose().is_recorded
    ('mewl/shape', True)
    """
    known = recordings()
    first = next(iter(known.values()))
    if not address:
        return known[presets.choose(model, known, "recorded model")] if model else first
    try:
        voice = CachedModel(Address(address, model, tries=2, seconds=60.0), CompletionCache())
        ((_, completion),) = voice.complete([_TRY])
        if completion.problem:
            raise InputError(completion.problem, "an answer")
    except InputError as error:
        reason = error.got + (f": {error.fix}" if error.fix else "")
        return replace(first, description=f"No model answers there: {reason}. {first.description}")
    tasks = tuple(dict.fromkeys(task for partner in known.values() for task in partner.tasks))
    voices = dict.fromkeys((task.partition("/")[0] for task in tasks), voice)
    description = f"{model} answers. A task that you open sends at most {SENT} questions; the answers are kept."
    return Partner(model, "text", tasks, SENT, voices, description)


@dataclass(frozen=True)
class Question:
    """One question: its prompt, and the places of the options that are right."""

    prompt: Prompt
    right: tuple[int, ...]

    @property
    def options(self) -> tuple[str, ...]:
        """The options as a person reads them; as endings of a text they begin with a space."""
        return tuple(map(str.strip, self.prompt.options))


class Sheet:
    """The first questions of a task, as a partner reads them, with its answers.

    Attributes
    ----------
    asking : Asking
        What is asked, as many items as give at most ``partner.most`` questions.
    questions : list of Question
        In the order in which the instrument judges them.
    beginning : str
        What all questions begin with, up to the end of a line.

    Examples
    --------
    >>> sheet = Sheet(choose(), "mewl/shape")
    >>> len(sheet.questions), {len(question.right) for question in sheet.questions}
    (20, {1})
    """

    def __init__(self, partner: Partner, task: str) -> None:
        self.partner, self.task = partner, task
        one = asking.ask(Placed("nobody", lambda prompt: 0), partner.asking(task, 1))
        self._each = len(one.answers.to_trials())  # questions of an item that a reader is asked
        items = max(1, partner.most // (self._each if partner.is_recorded else len(one.replies)))
        self.asking = partner.asking(task, items)
        self._items = asking.asked_items(self.asking)
        self.answers = self._asked(partner.voices[self.asking.instrument])
        self._replies = {reply.prompt: reply for reply in self.answers.replies}
        self.questions = self._judged()
        texts = [question.prompt.text for question in self.questions]
        self.beginning = texts[0][: os.path.commonprefix(texts).rfind("\n") + 1] if len(texts) > 1 else ""

    def _asked(self, participant: Participant) -> Evaluation:
        return asking.ask(participant, self.asking, self._items)

    def _judged(self) -> list[Question]:
        """Return the questions. A participant that always takes one place is judged, place by place."""
        prompts = {prompt.turns: prompt for prompt in self._replies}
        right: dict[Prompt, list[int]] = {}
        for place in range(max(len(prompt.options) for prompt in self._replies)):
            for trial in self._asked(Placed("nobody", lambda prompt, place=place: place)).trials().to_dict("records"):
                turns = tuple((role, text) for role, text in trial["extra"]["prompt"])
                right.setdefault(prompts[turns], []).extend([place] * bool(trial["correct"]))
        return [Question(prompt, tuple(places)) for prompt, places in right.items()]

    def reply(self, question: Question) -> Reply:
        """Return what the partner answered."""
        return self._replies[question.prompt]

    def is_right(self, question: Question) -> bool:
        """Return whether the partner's answer is right."""
        return self.reply(question).choice in question.right

    def chances(self, question: Question) -> list[float]:
        """Return the partner's chance of each option, in the order shown; an empty list if it gave no answer."""
        model = learner.PromptedLearner(self.partner.voices[self.asking.instrument], self.partner.how)
        (shares,) = model.chances([replace(self.reply(question), order=())], len(question.prompt.options))
        return [] if np.isnan(shares).any() else shares.tolist()

    def rows(self, places: Sequence[int]) -> pd.DataFrame:
        """Return the result rows of a reader who chose these places, one for each question from the first.

        Only items that are answered to their end count.
        """
        if not (n := len(places) // self._each):
            return results.table([])
        chosen = {question.prompt: place for question, place in zip(self.questions, places, strict=False)}
        evaluation = asking.ask(Placed("you", chosen.get), replace(self.asking, n=n))
        return result_rows(evaluation, who="you", kind="person")


_NAMES = ("pado", "tif", "lupnan", "safu")


def readings(texts: Mapping[str, str]) -> pd.DataFrame:
    """Return what counts of a model's words, if it was to choose among pado, tif, lupnan and safu with letters.

    ``texts`` has for each text why it ended, as servers say: ``stop``, ``length``, … Columns answer, outcome, option.

    Examples
    --------
    >>> readings({"ANSWER: B": "stop", "": "stop"}).outcome.tolist()
    ['answered', 'unparsed']
    """
    prompt = Prompt("", (("user", "Which name?"),), _NAMES, labelled=True)
    replies = [parse(prompt, Completion(text, end)) for text, end in texts.items()]
    options = [_NAMES[reply.choice] if reply.choice >= 0 else "none" for reply in replies]
    return pd.DataFrame({"answer": list(texts), "outcome": [one.outcome for one in replies], "option": options})


def likelihoods(reply: Reply) -> pd.DataFrame:
    """Return what the probabilities of one reply say of each option.

    Columns option, tokens, sum (of the logarithms, in nats), per token (their mean), and the chance of each option by
    the sum and by the mean; and if it was asked, without question (the sum after the cue alone) and the chance by the
    difference.

    Examples
    --------
    >>> table = likelihoods(choose().ask("mewl/shape", 1).replies[0])
    >>> table.option[table["chance per token"].idxmax()], table["chance by sum"].sum().round(6)
    ('lannel', np.float64(1.0))
    """
    logs, sizes = np.array(reply.completion.logs), np.array(reply.completion.sizes)
    table = pd.DataFrame({"option": map(str.strip, reply.prompt.options), "tokens": sizes, "sum": logs})
    table["per token"] = logs / sizes
    table = table.assign(**{"chance by sum": softmax(logs), "chance per token": softmax(logs / sizes)})
    if priors := reply.completion.priors:
        table = table.assign(**{"without question": priors, "chance by difference": softmax(logs - priors)})
    return table


def result_rows(evaluation: Evaluation, **player: str) -> pd.DataFrame:
    """Return the result rows of a run, with all columns, as stored ones have; without the shares of outcomes.

    ``player`` are other values of the columns who and kind.
    """
    run, records = evaluation.run, [row | player for row in evaluation.rows if row["metric"] not in OUTCOMES]
    shared = {"instrument": run.instrument, "profile": run.profile, "seed": run.seed}
    return results.table(records, cell=f"{run.instrument}/asked", preset="lab", **shared)
