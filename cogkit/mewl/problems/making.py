"""Making of episodes, each from its own seed (Jiang et al. 2023, § 3), and sequences of them as items."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from itertools import count
from typing import Any

from cogkit.core import items, presets, seeding
from cogkit.core.errors import InputError
from cogkit.core.identity import hashed
from cogkit.mewl.problems import captions
from cogkit.mewl.problems.drafts import shuffled
from cogkit.mewl.problems.episodes import CHANCE, OPTIONS, SIZES, Episode, Panel, Trial
from cogkit.mewl.problems.families import FAMILIES
from cogkit.mewl.problems.tasks import module
from cogkit.mewl.rendering import render
from cogkit.mewl.world import words


def episode(
    task: str, number: int, profile: str = "verified", seed: int = 0, part: str = "train",
    open_hypotheses: bool = False, generate: Callable | None = None,
) -> Episode:  # fmt: skip
    """Return one episode.

    ``as_published``: the published rules, which leave some episodes ambiguous. ``verified``: every word is heard; the
    task's exact solver finds one right option; the order of words and options gives no hint; words of different parts
    of the split share no syllable; and no word is English.

    ``open_hypotheses``, for ``shape``, ``color`` and ``material`` of verified episodes: one option is right even if a
    word may be about any attribute. Each word may then mean any value that all its pictures have and no picture of
    another word has (`tasks.attribute.solve_open`). Episodes that already satisfy this do not change.

    Raises `InputError` for an unknown task or profile.

    Examples
    --------
    >>> made = episode("number", 0)
    >>> made.lexicon[made.trial.options[made.answer]] == len(made.trial.query.things)
    True
    """
    verified, task_of = presets.profile(profile) == "verified", module(task)
    solvers = ("exact",) * verified + ("open",) * open_hypotheses  # these solvers must find one right option
    rng = seeding.stream(seed, f"mewl/{profile}/{part}/{task}/{number}")
    vocabulary = words.draw(task_of.WORDS, task_of.SYLLABLES, rng, part if verified else None, not verified)
    while True:
        draft = (generate or task_of.generate)(rng, vocabulary, profile)
        options = shuffled(draft.options, rng)
        problem = Trial(task, tuple(Panel(*panel) for panel in draft.panels), draft.query, tuple(options))
        if len(set(options)) < OPTIONS:
            continue
        answer = options.index(draft.answer)
        checks = certificate(problem, answer)
        if all(checks["consistent"][name] == 1 for name in solvers):
            return Episode(problem, answer, draft.lexicon, profile, seed, number, part, checks)


@lru_cache(maxsize=64)
def episodes_of(
    task: str, part: str = "test", n: int | None = None, profile: str = "verified", seed: int = 0
) -> tuple[Episode, ...]:
    """Return the first episodes of a part of a task's set: 3,000 for training, 600 each for validation and test.

    ``n`` is the number of episodes, by default all; the other arguments are as in `episode`. ``task`` may also be one
    of `FAMILIES`. Then they are the first clean episodes of the task, and for the test the first ones that the family
    tests, beyond the published numbers too.

    Examples
    --------
    >>> [episode.task for episode in episodes_of("number", n=2)]
    ['number', 'number']
    >>> [len(episode.trial.query.things) for episode in episodes_of("number/5-6", n=4)]
    [5, 6, 5, 5]
    """
    most = SIZES[presets.choose(part, SIZES, "part")]
    if n is not None and not 1 <= n <= most:
        raise InputError(f"{n} episodes of {part}", f"1 to {most}")
    one = partial(_fitting, task) if task in FAMILIES else partial(episode, task)
    return tuple(one(k, profile, seed, part) for k in range(n or most))


@cache
def _fitting(task: str, k: int, profile: str, seed: int, part: str) -> Episode:
    """Return the k-th episode of a family. Most that are drawn do not fit; the search goes on after the one before."""
    family, first = FAMILIES[task], _fitting(task, k - 1, profile, seed, part).number + 1 if k else 0
    check, generate = (family.tests, None) if part == "test" else (family.clean, family.generate)
    every = (episode(family.task, number, profile, seed, part, generate=generate) for number in count(first))
    return next(filter(check, every))


def episodes_of_all(tasks: Iterable[str], part: str, n: int | None = None, profile: str = "verified") -> list[Episode]:
    """Return the first episodes of each of some tasks, as `episodes_of`, one task after another.

    Examples
    --------
    >>> [episode.task for episode in episodes_of_all(("shape", "number"), "test", 1)]
    ['shape', 'number']
    """
    return [episode for task in tasks for episode in episodes_of(task, part, n, profile)]


def certificate(trial: Trial, answer: int) -> dict[str, dict[str, float]]:
    """Return the results of solvers and shortcuts on a question.

    ``consistent``: for each solver, the number of options that can be right; the task's exact solver comes first.
    ``floors``: for each shortcut, the chance to be right if one guesses among the options that it leaves.

    Examples
    --------
    >>> made = episode("shape", 0)
    >>> made.certificate["consistent"]["exact"], round(made.certificate["floors"]["elimination"], 3)
    (1, 0.333)
    """
    task_of = module(trial.task)
    consistent = {name: sum(solve(trial)[1]) for name, solve in task_of.SOLVERS.items()}
    floors = {
        name: keeps[answer] / sum(keeps) if any(keeps) else CHANCE for name, keeps in task_of.leaks(trial).items()
    }
    return {"consistent": consistent, "floors": floors}


class Items(items.Entries):
    """Episodes of one task.

    Examples
    --------
    >>> from cogkit import mewl
    >>> episodes = mewl.items("shape", 40)
    >>> episodes
    <40 items of mewl, shape: part test, verified, seed 0, cogkit>
    >>> episodes[:1].to_frame().columns.tolist()
    ['name', 'number', 'options', 'answer']
    """

    @property
    def contents(self) -> list[Any]:
        """The `captions.outline` of each episode."""
        return [captions.outline(episode.trial) for episode in self.entries]

    def name(self, index: int) -> str:
        """Return the name of an episode in its dataset, and the hash of what it holds."""
        return hashed(self.entries[index].name, self.entries[index])

    def row(self, index: int) -> dict[str, Any]:
        """Return an episode's number, its options and the right one."""
        episode, options = self.entries[index], self.entries[index].trial.options
        return {"number": episode.number, "options": ", ".join(options), "answer": options[episode.answer]}

    def png(self, index: int) -> bytes:
        return render.png(render.render(self.entries[index].trial.scenes[-1], width=96))
