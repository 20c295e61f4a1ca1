"""A widget to explore episodes: each panel strikes out hypotheses, and shortcuts can be compared."""

from __future__ import annotations

import traitlets

from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.mewl.problems import captions, hypotheses, making
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, SIZES, TASKS, Episode
from cogkit.mewl.views import pictures
from cogkit.mewl.world.scenes import IN_WORDS
from cogkit.ui import widget
from cogkit.ui.files import script


def _within(noun: str, number: int, most: int) -> int:
    if number not in range(most + 1):
        raise InputError(f"{noun} {number}", f"a number between 0 and {most}")
    return int(number)


class Explorer(widget.Explorer):
    """Browse the episodes of a task, and see which meanings of the words remain after each panel.

    Pictures appear one after another. With each, the widget strikes out the meanings that no consistent lexicon has any
    more: this is the version space of the ideal observer. The options that a shortcut keeps can be shown. The answer is
    revealed on demand; before that, neither the page nor the pictures' texts contain it. Clicks call the methods
    `look`, `turn`, `any`, `see`, `hear`, `shortcut` and `reveal`. ``task`` is one of `episodes.TASKS`, and ``part`` is
    ``train``, ``val`` or ``test``.

    Notes
    -----
    Keys: Left and Right, or 0 to 6, show fewer or more panels; N and P go to the next and the previous episode, A to a
    random one; C reveals the answer. In the table, the arrows, Home and End move between meanings, and each says why it
    is struck out.

    Examples
    --------
    >>> explorer = Explorer("number")
    >>> explorer.see(6).split("; ")[1]
    '1 of 5 options can be right.'
    """

    _esm = script(__file__, "base.js", "asker.js", "transport.js", "explorer.js")
    _css = script(__file__, "base.css", "explorer.css")
    pictures = traitlets.List().tag(sync=True)  # seven, and "" for those that are still hidden
    table = traitlets.Dict().tag(sync=True)  # the texts of the episode, and which panel strikes out what

    def __init__(self, task: str = "shape", profile: str = "verified", seed: int = 0, part: str = "train") -> None:
        super().__init__()
        self.seed, self.part = seed, presets.choose(part, SIZES, "part")
        self._rng = seeding.stream(seed, "mewl/explorer")
        self.task, self.profile, self.number, self.reading = task, profile, 0, "exhaustive"
        self.seen, self.taken, self._shows_answer, self._press = 0, "", False, 0
        self.still = {
            "tasks": [[name, name] for name in TASKS],
            "profiles": [["verified", "verified"], ["as_published", "as published"]],
            "readings": [[name, f"{name}: {words}"] for name, words in hypotheses.READINGS.items()],
            "count": SIZES[part],
        }
        self.look(task, 0, profile)

    @property
    def possible(self) -> tuple[bool, ...]:
        """Which of the five options can be right after the visible panels."""
        return tuple(self.space.options[self.seen].tolist())

    def look(self, task: str | None = None, number: int | None = None, profile: str | None = None) -> str:
        """Go to an episode by its task, number (from 0) and profile, and hide its panels; return the status line.

        What is not given stays the same. If one is unknown, it raises `InputError` and changes nothing.
        """
        task = presets.choose(self.task if task is None else task, TASKS, "task")
        profile = presets.profile(self.profile if profile is None else profile)
        number = _within("episode", self.number if number is None else number, SIZES[self.part] - 1)
        self.task, self.profile, self.number = task, profile, number
        self.episode: Episode = making.episode(task, self.number, profile, self.seed, self.part)
        self.space = hypotheses.space(self.episode.trial, self.reading)
        self._shortcuts = {s.name: s for s in hypotheses.shortcuts(self.episode.trial)}
        if self.taken not in self._shortcuts:
            self.taken = ""
        self.seen, self._shows_answer = 0, False
        self._lay()
        return self._draw(f"Episode {number} of {task}, nothing seen yet: {self._left()}.")

    def turn(self, by: int = 1) -> str:
        """Go some episodes forward or back, up to the last or first; return the status line."""
        return self.look(number=min(max(self.number + int(by), 0), SIZES[self.part] - 1))

    def any(self) -> str:
        """Go to a random episode of the task; return the status line."""
        return self.look(number=int(self._rng.integers(SIZES[self.part])))

    def see(self, k: int) -> str:
        """Show the first ``k`` panels, 0 to 6; return the status line."""
        self.seen = _within("panels", k, PANELS)
        if not k:
            return self._draw(f"Nothing seen yet: {self._left()}.")
        out = int((self._strikes == k).sum())
        name = self.episode.trial.panels[k - 1].utterance
        return self._draw(f"Panel {k}, “{name}”, strikes out {out or 'none'}: {self._left()}.")

    def hear(self, reading: str) -> str:
        """Interpret the words of ``pragmatic`` by a reading of `hypotheses.READINGS`; return the status line."""
        self.space = hypotheses.space(self.episode.trial, reading)
        self.reading = reading
        self._lay()
        return self._draw(f"Heard so that {hypotheses.READINGS[reading]}: {self._left()}.")

    def shortcut(self, name: str = "") -> str:
        """Mark the options that a shortcut keeps, or none; return the status line."""
        if name:
            presets.choose(name, self._shortcuts, f"shortcut of {self.task}")
        self.taken, took = name, self._shortcuts.get(name)
        keeps = took and f"{took.does} That keeps {sum(took.keeps)} of {OPTIONS} options."
        return self._draw(keeps or "No shortcut is shown.")

    def reveal(self, visible: bool = True) -> str:
        """Show the answer and the meanings of the words, or hide both again; return the status line."""
        self._shows_answer = bool(visible)
        answer = self.episode.trial.options[self.episode.answer]
        return self._draw(f"The answer: {answer}." if visible else "The answer is hidden.")

    def _left(self) -> str:
        alive, right = self.space.alive[self.seen], f"{sum(self.possible)} of {OPTIONS} options can be right"
        return f"{alive.sum()} of {alive.size} meanings are left; {right}"

    def _lay(self) -> None:
        """Send the data of the episode to the page, without the answer."""
        space, trial = self.space, self.episode.trial
        self._strikes = hypotheses.struck(space.alive)
        self.table = {
            "names": list(trial.utterances), "options": list(trial.options),
            "rows": list(space.rows), "columns": list(space.columns), "groups": list(map(list, space.groups)),
            "struck": self._strikes.tolist(), "why": list(map(list, space.why)),
            "abouts": list(space.abouts), "aboutStruck": hypotheses.struck(space.about).tolist(),
            "aboutWhy": list(space.about_why),
            "optionStruck": hypotheses.struck(space.options).tolist(), "optionWhy": list(space.option_why),
            "shortcuts": [["", "none"], *([name, name] for name in self._shortcuts)],
        }  # fmt: skip

    def _draw(self, status: str) -> str:
        scenes, show, took = self.episode.trial.scenes, self._shows_answer, self._shortcuts.get(self.taken)
        self.pictures = [
            pictures.uri(pictures.sharp(scene)) if k < self.seen or k == PANELS else ""
            for k, scene in enumerate(scenes)
        ]
        alts = [*(f"Panel {k}" for k in range(1, PANELS + 1)), "The picture asked about"]
        if show:
            rng = seeding.stream(self.seed, "mewl/explorer/alts")
            texts = [captions.caption(self.task, scene, rng) for scene in scenes]
            alts = [f"{alt}: {text}" for alt, text in zip(alts, texts, strict=True)]
        self.scene = {
            "task": self.task, "profile": self.profile, "number": self.number, "reading": self.reading,
            "seen": self.seen, "status": status, "alts": alts, "shortcut": self.taken,
            "took": took and {"does": took.does, "keeps": list(took.keeps), "why": list(took.why)},
            "answer": self.episode.answer if show else None,
            "meant": self._meanings() if show else [], "press": self._press,
        }  # fmt: skip
        return status

    def _meanings(self) -> list[int]:
        """Return the column of each word's meaning, or -1 if there is none."""
        columns, lexicon = self.space.columns, self.episode.lexicon
        meanings = [str(lexicon.get(row.strip(" …"))) for row in self.space.rows]
        names = [IN_WORDS.get(meaning, meaning) for meaning in meanings]
        return [columns.index(name) if name in columns else -1 for name in names]

    def _act(self, message: dict) -> None:
        self._press = int(message.get("press", self._press))
        if "any" in message:
            self.any()
        elif not self.call(message, "see", "turn", "hear", "shortcut", "reveal"):
            self.look(**{name: message[name] for name in ("task", "number", "profile") if name in message})
