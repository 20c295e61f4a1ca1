"""The last cell of a lesson: a button that writes the reader's hand-in."""

from __future__ import annotations

import html
from collections import Counter
from pathlib import Path

import ipywidgets

from cogkit.app.own_data import number_of
from cogkit.core.errors import InputError, one_line, some
from cogkit.extras.classroom import hand_in


class HandIn(ipywidgets.VBox):
    """A field for a name, which may stay empty, and a button that writes the hand-in beside the notebook."""

    def __init__(self, folder: Path | str = ".") -> None:
        self.folder = Path(folder)
        # Not letter by letter: where the kernel is busy, the press of a button overtakes the last letters.
        self.name = ipywidgets.Text(
            description="Your name", placeholder="may stay empty", continuous_update=False,
            layout={"width": "min(420px, 100%)"},
        )  # fmt: skip
        self.button = ipywidgets.Button(description="Write my hand-in", layout={"width": "auto"})
        self.status = ipywidgets.HTML()
        self.button.on_click(lambda _: self.write())
        super().__init__([self.name, ipywidgets.HBox([self.button]), self.status])

    def __repr__(self) -> str:
        return "Run this cell to hand in."

    def write(self) -> None:
        """Write the file, and say what is in it."""
        try:
            text = write_hand_in(hand_in.of_folder(self.folder, self.name.value), self.folder)
            text = f"{text} {read_from(self.folder)}".strip()
        except (InputError, OSError) as error:
            text = one_line(error)
        self.status.value = f'<span role="status">{html.escape(text)}</span>'


def write_hand_in(handed: hand_in.HandIn, folder: Path) -> str:
    """Write a hand-in into a folder, and return what is in it, in words.

    Raises
    ------
    InputError
        Nothing was done yet.
    """
    counts = Counter(exercise.state for exercise in handed.exercises)
    if counts["open"] == len(handed.exercises) and not (handed.attempts or handed.trials):
        fix = "answer an exercise, save the notebook, and hand in again"
        raise InputError("notebooks in which nothing was done", "work to hand in", fix)
    path = hand_in.write(handed, Path(folder) / f"hand-in-{handed.student}{hand_in.ENDING}")
    sittings = len({row["sitting"] for row in handed.trials})
    whose = f"your name ({handed.name})" if handed.name else "no name"
    held = f"{counts['right']} of {number_of(len(handed.exercises), 'exercise')} solved"
    held += f", {number_of(counts['typed'], 'answer')} typed, not checked" * bool(counts["typed"])
    held += f", {number_of(len(handed.attempts), 'attempt')}"
    held += f", {number_of(len(handed.trials), 'row')} of your clicks in {number_of(sittings, 'sitting')}, and {whose}"
    return f"Written: {path.name}. It holds {held}. Give this file to your teacher."


def read_from(folder: Path) -> str:
    """Return in words which files a hand-in is read from, where they have names of their own."""
    work = hand_in.work_of(folder, hand_in.about_of(folder))
    names = [f"{path.name} for {stem}" for stem, (path, _) in work.items() if path.stem != stem]
    return f"Read from {some(names)}." if names else ""
