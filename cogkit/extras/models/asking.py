"""Asks a language model the items of any instrument, and turns its answers into rows: ``cogkit ask``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd

from cogkit.core import presets, registry
from cogkit.core.errors import InputError
from cogkit.core.identity import content_hash
from cogkit.core.records import slug
from cogkit.core.study import Sat
from cogkit.data import results
from cogkit.data.home import home
from cogkit.extras.models.interview import Interview
from cogkit.extras.models.lm.cache import Participant
from cogkit.extras.models.lm.prompts import CUE, Prompt
from cogkit.extras.models.lm.replies import Completion, Reply, outcomes
from cogkit.study.answers import OUTCOMES, Answers
from cogkit.study.trials import Trials, now

_UNSAID, _FAR = "no answer yet", -99.0
DEVELOPMENT = 0
"""The public seed, whose items are for trying out. Report results on another seed, whose items nobody has seen."""


@dataclass(frozen=True)
class Asking:
    """What is asked: everything that a run depends on but the model.

    Attributes
    ----------
    task : str
        Instrument and task, such as ``mewl/shape``.
    n : int
        How many items; by default as many as the instrument suggests.
    seed : int
        Seed of the items, and of the order in which options are shown.
    how : str
        One of `lm.learner.HOW`.
    pictures : bool
        Whether items are shown as pictures.
    profile : str
        Which rules.
    sitting : bool
        Whether the items are those of a person's sitting with this seed; ``n`` is then how many it has of this task.

    Raises
    ------
    InputError
        There is no such task or profile, people do not sit it, or a number of items is given for a sitting.
    """

    version: ClassVar[int] = 2

    task: str
    n: int = 0
    seed: int = DEVELOPMENT
    how: str = "text"
    pictures: bool = False
    profile: str = "verified"
    sitting: bool = field(default=False, metadata={"since": 2, "absent": False})

    def __post_init__(self) -> None:
        talk = interview(self.task)
        presets.profile(self.profile)
        n = len(self.sat.items) if self.sitting else self.n or talk.n
        if self.sitting and self.n not in (0, n):
            raise InputError(f"n={self.n} for a sitting", f"0 or {n}, as many as it has")
        object.__setattr__(self, "n", n)

    @property
    def instrument(self) -> str:
        """The instrument's name."""
        return self.task.partition("/")[0]

    @property
    def own_task(self) -> str:
        """The task, as its instrument names it."""
        return self.task.partition("/")[2]

    @property
    def item_set(self) -> str:
        """The hash of what the items hold: two runs with the same one had the same items."""
        return _item_set(self.task, self.n, self.seed, self.profile, self.sitting)

    @property
    def sat(self) -> Sat:
        """What a person's sitting with this seed has of the task, whether it is asked or not."""
        return _sat(self.task, self.profile, self.seed)


@dataclass(frozen=True)
class Run(Asking):
    """What is asked of a model: with the model and its settings, as `lm.cache.Participant.identity` has them."""

    model: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What came of asking.

    Attributes
    ----------
    run : Run
    answers : study.answers.Answers
        As the instrument's ``judge`` returns them.
    rows : list of dict
        Result rows, as the instrument's ``summarise`` returns them. Their source names the set of items.
    """

    run: Run
    answers: Answers
    rows: list[dict[str, Any]]

    @property
    def replies(self) -> list[Reply]:
        """Every reply, in the order of the answers."""
        replies = self.answers.replies
        return [] if replies is None else [reply for reply in replies.ravel() if reply is not None]

    @property
    def outcomes(self) -> pd.DataFrame:
        """How many questions were answered, refused, …; see `lm.replies.outcomes`."""
        return outcomes(self.replies)

    def table(self) -> pd.DataFrame:
        """Return one row for each metric, with the shares of all outcomes beside it.

        Columns: task, who, metric, value, low, high, n, answered, refused, unparsed, truncated, failed, tokens, cost.
        """
        outcomes = self.outcomes.set_index("outcome")
        table = pd.DataFrame([row for row in self.rows if row["metric"] not in OUTCOMES])
        table = table[["task", "who", "metric", "value", "low", "high", "n"]].assign(**outcomes["share"])
        tokens = int(outcomes[["tokens_in", "tokens_out"]].to_numpy().sum())
        return table.assign(tokens=tokens, cost=outcomes["cost"].sum())

    def trials(self) -> pd.DataFrame:
        """Return every answer as a trial row, with prompt, words, outcome and the set of items in ``extra``."""
        trials, items = self.answers.to_trials(limit=10**9), self.run.item_set
        extra = [{**extra, "items": items} for extra in trials["extra"]]
        sitting = f"{slug(self.answers.who)}-{slug(self.run.task)}-{items}"
        return trials.assign(sitting=sitting, extra=extra, order=range(len(trials)), preset="lab", at=now())

    def store(self, root: Path | str | None = None, device: str = "") -> Path:
        """Write result rows and trial rows, in place of those of the same run before; return the file of results.

        ``root`` is by default the results of the reader. ``device`` is what the model ran on, by default this machine.
        """
        run, seconds = self.run, sum(reply.completion.seconds for reply in self.replies)
        cell = "/".join(map(slug, (run.instrument, self.answers.who, *run.own_task.split("/"))))
        made = results.manifest(cell, run, run.profile, "lab", run.seed, seconds)
        path = results.Store(root or home() / "results").write(replace(made, device=device or made.device), self.rows)
        Trials().replace(self.trials().to_dict("records"))
        return path


def tasks(*names: str, pictures: bool = False) -> list[str]:
    """Return every task that a language model can be asked, as ``instrument/task``; of these instruments, or of all.

    With ``pictures``, only those whose items can be shown as pictures.

    Examples
    --------
    >>> tasks("mewl")[0], tasks("equivalence", pictures=True)
    ('mewl/shape', [])
    """
    listing = []
    for name in names or sorted(registry.names()):
        if part := registry.part("models", name):
            listed = part.INTERVIEW.pictures if pictures else part.INTERVIEW.tasks
            listing += [f"{name}/{task}" for task in (listed() if listed else ())]
    return listing


def interview(task: str) -> Interview:
    """Return how the instrument of a task asks; `InputError` if there is no such task."""
    presets.choose(task, tasks(), "task to ask")
    return registry.parts("models")[task.partition("/")[0]].INTERVIEW


def ask(participant: Participant, asking: Asking, items: Any = None) -> Evaluation:
    """Return a model's answers to the items of a task, and their result rows.

    ``items`` are by default those of the task, of its seed and number. Raises `InputError` if there is no such task, or
    it has no pictures.

    Examples
    --------
    >>> ask(Placed("you", lambda prompt: 0), Asking("mewl/shape", n=3)).outcomes.n.tolist()
    [3, 0, 0, 0, 0]
    """
    talk = interview(asking.task)
    if asking.pictures and asking.task not in tasks(asking.instrument, pictures=True):
        raise InputError(f"pictures of {asking.task}", "a task with pictures", "ask it in words")
    items = asked_items(asking) if items is None else items
    task = asking.sat.task if asking.sitting else asking.own_task
    learner = talk.learner(participant, task, how=asking.how, pictures=asking.pictures, seed=asking.seed)
    answers = talk.judge(learner, items, profile=asking.profile, seed=asking.seed)
    run = Run(**(vars(asking) | {"model": participant.identity}))
    source = f"cogkit ask, items {run.item_set}"
    return Evaluation(run, answers, [row | {"source": source} for row in talk.result_rows(answers)])


def asked_items(asking: Asking) -> Any:
    """Return the items that are asked, as the instrument has them."""
    if asking.sitting:
        return asking.sat.items
    return interview(asking.task).items(asking.own_task, asking.n, profile=asking.profile, seed=asking.seed)


@lru_cache(maxsize=64)
def _item_set(task: str, n: int, seed: int, profile: str, sitting: bool) -> str:
    asking = Asking(task, n, seed, profile=profile, sitting=sitting)
    if sitting:  # of all that the person sees
        return content_hash(list(asking.sat.every))
    items = asked_items(asking)
    return getattr(items, "hash", None) or content_hash(list(items))


@lru_cache(maxsize=8)
def _sat(task: str, profile: str, seed: int) -> Sat:
    instrument, _, own = task.partition("/")
    sitting = interview(task).sitting
    if sitting is None:
        raise InputError(f"a sitting of {instrument}", "an instrument with a study of people")
    return sitting(own, profile=profile, seed=seed)


def recordings(instrument: str) -> list[Path]:
    """Return the transcripts that come with the package: answers of models to an instrument's tasks, by our own runs.

    `lm.transcript.read_transcript` makes participants of them; their result rows are among `data.results.shipped`.

    Examples
    --------
    >>> [path.name for path in recordings("mewl")]
    ['gemma-3-270m-q4-k-m.jsonl.xz']
    """
    return sorted((results.shipped_folder(instrument) / "asked").glob("*.jsonl.xz"))


class Placed(Participant):
    """A participant whose answers are places in the list of options, such as a person at the page.

    ``place`` gives the place that it chooses for a prompt; None for no answer.

    Examples
    --------
    >>> prompt = Prompt("shape/0", (("user", "Which name?"),), ("pado", "tif"), labelled=True)
    >>> Placed("you", lambda prompt: 1).answer(prompt).text
    'ANSWER: B'
    """

    def __init__(self, name: str, place: Callable[[Prompt], int | None]) -> None:
        self.name, self.place, self.identity = name, place, {"model": name}

    def answer(self, prompt: Prompt) -> Completion:
        """Return the chosen option of a prompt; as certain as can be, where probabilities are asked for."""
        place = self.place(prompt)
        if place is None or place >= len(prompt.options):
            return Completion(problem=_UNSAID)
        logs = tuple(0.0 if k == place else _FAR for k in range(len(prompt.endings)))
        return Completion(f"{CUE} {(prompt.labels or prompt.options)[place]}", "stop", logs, (1,) * len(logs))


def prompts(asking: Asking, items: Any = None) -> list[Prompt]:
    """Return the prompts that a run would send, if the model took the first option every time; nobody is asked.

    In a game they are as many as a player without any idea needs. ``items`` are as for `ask`.

    Examples
    --------
    >>> len(prompts(Asking("mewl/shape", n=3)))
    3
    """
    prompts: list[Prompt] = []

    def first(prompt: Prompt) -> int:
        prompts.append(prompt)
        return 0

    ask(Placed("first option", first), asking, items)
    return prompts
