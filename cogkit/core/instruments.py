"""What an instrument is, and what an extra adds to all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from cogkit.core.study import Study

if TYPE_CHECKING:
    from cogkit.core.items import Exposure
    from cogkit.core.splits import Split


class BaseLearner(Protocol):
    """What a learner says about itself. The protocol ``Learner`` in each instrument's ``scoring`` adds one method.

    A learner may leave out all of its attributes. Then its class gives the name, its kind is ``model``, it sees what
    the instrument shows by default, and nothing has taught it. The method gives scores or chances; the harness samples
    or takes the best.

    ``name`` is what result rows call it, ``kind`` one of `KINDS`, ``inputs`` one of `INPUTS` (in tiles the fields of
    the view). It may have ``supervision``, one of `SUPERVISION`, and ``abstains``: True if it may leave items
    unanswered, with a row of NaN for each (all but generalization, where a class of -1 stands for no answer).
    """

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def inputs(self) -> Any: ...


@dataclass(frozen=True)
class Cell:
    """One experiment: an id, what it runs, and its size under each preset.

    Attributes
    ----------
    id : str
        ``instrument/learner/task…``, such as ``tiles/nearest-neighbour/copy/abstract``.
    run : callable
        Module-level ``run(config, profile, seed) -> list of result rows`` (worker processes must be able to import it).
        A row is a dict of those ``RESULT_COLUMNS`` that the runner cannot fill in itself.
    weights : bool
        Whether ``run`` takes a fourth argument, ``keep``. It calls ``keep(save)``, and ``save(folder, manifest)``
        writes the weights that it has trained into a folder and returns their file.
    """

    id: str
    run: Callable[..., list[dict]]
    configs: Mapping[str, Any]
    weights: bool = False


class Instrument:
    """One instrument. Each is a subclass that overrides what it has; `registry` finds its instance, ``INSTRUMENT``.

    The methods `tasks` to `results` are names at the instrument's front door.

    Attributes
    ----------
    name : str
    chance : float, callable or None
        Accuracy of guessing: one number, or a method ``chance(task) -> float``. None if no single number holds for a
        whole task; `components` then gives the chance level of each value.
    absent : mapping
        Names of values that the instrument cannot give, such as ``GR*``, and the reasons.
    run_items : str
        What the runs of one learner have been asked, as in `stats.mean_over_runs`: all of them a sample of items that
        they share, items of their own, or items that are all there is (``fixed``).
    references, networks : collection of str
        Names that `learner` knows, and names that `train` and `load` know.
    """

    name: str
    references: Collection[str] = ()
    networks: Collection[str] = ()
    chance: Any = None
    run_items: str = "sample"
    absent: Mapping[str, str] = {}

    def tasks(self) -> tuple[str, ...]:
        """Return the names of what can be asked."""
        raise NotImplementedError

    def items(
        self, task: Any, n: int | None = None, *, profile: str = "verified", seed: int = 0, part: str = "test"
    ) -> Any:
        """Return items of a task; ``part`` is ``test``, ``train`` or ``val``."""
        raise NotImplementedError

    def learners(self) -> Any:
        """Return a DataFrame of all learners: name, and how to get one: by ``learner``, or by ``train`` or ``load``."""
        import pandas as pd

        how = [(name, "learner") for name in self.references] + [(name, "train or load") for name in self.networks]
        return pd.DataFrame(how, columns=["name", "by"])

    def learner(self, name: str, task: Any = None) -> Any:
        """Return a learner that needs no training by us; instruments may have more arguments."""
        raise NotImplementedError

    def train(self, name: str, task: Any, preset: str = "quick", *, profile: str = "verified", seed: int = 0) -> Any:
        """Return the training run of a network, a `learning.Fit`."""
        raise NotImplementedError

    def load(self, name: str, task: Any, *, profile: str = "verified", seed: int = 0) -> Any:
        """Return a trained network that comes with the package."""
        raise NotImplementedError

    def results(self, preset: str = "lab", profile: str = "verified", *, tasks: Any = None, who: Any = None) -> Any:
        """Return the result rows that come with the package, a DataFrame."""
        raise NotImplementedError

    def cells(self) -> Sequence[Cell]:
        """Return the experiments of this instrument."""
        return ()

    def exposures(self, config: Any, profile: str, seed: int) -> Iterable[Exposure]:
        """Yield what the learner of a cell's config has met, beside what it is tested on.

        A run whose `items.overlap` is not empty is refused before it begins. Nothing is yielded of a learner that is
        not trained here. What the test holds on purpose, such as the baseline trials of stimulus equivalence, is left
        out, and the instrument says so.
        """
        return ()

    def splits(self) -> tuple[str, ...]:
        """Return the names of the splits of the items: partitions with a rung, which say what is new in the test."""
        return ()

    def split(self, name: str) -> Split:
        """Return a split by its name."""
        raise NotImplementedError

    def place(self, cell: str, task: str) -> tuple[str, str]:
        """Return split and rung of the result rows of a cell about a task; empty where there is none.

        The cell is empty for answers outside any cell.
        """
        return "", ""

    def memory(self, name: str) -> Mapping[str, Any]:
        """Return what memory of its training items gets on the test of a split, as ``cogkit audit --memory`` tells it.

        Keys are split, rung, train, val and test (how many items), copies (test items with a copy in training), best
        floor (its name), floor (its skill), bound (what the split states) and family ideal (the skill of an observer
        that knows which items are held out).
        """
        raise NotImplementedError

    def components(self, rows: Any, trials: Any = None, **own: Any) -> Iterable[dict] | None:
        """Return result rows on the common scale, each made by `stats.scale.component`.

        None means accuracy, A_c and P from rows with the metric ``accuracy`` and ``chance``.
        """
        return None

    def all_rows(self, profile: str) -> Any:
        """Return the result rows of all players on the tasks that stand on the common scale, a DataFrame.

        They are our runs, floors, observers, published people, and sittings on this computer. None means all that are
        shipped.
        """
        return None

    def study(self, row: Mapping[str, Any]) -> Study | None:
        """Return the study that a stored first row of a person's sitting belongs to, or None if the row cannot tell."""
        return None

    def people(self, trials: Any) -> Any:
        """Return the result rows of each person in trial rows, a DataFrame; None for an instrument without people."""
        return None

    def warm(self) -> bool:
        """Compile every loop and keep it on the disk; return whether there is any."""
        return False


@dataclass(frozen=True)
class Exercise:
    """One exercise in a notebook: the check of an answer, a hint, and why the right answer is right.

    Attributes
    ----------
    check : callable
        ``check(answer) -> True``, or ``False``, or a sentence that says what is wrong with the answer.
    hint : str
        Offered after a wrong answer; it is never the answer itself.
    why : str
        Shown with a right answer.
    """

    check: Callable[[Any], bool | str]
    hint: str
    why: str = ""


@dataclass(frozen=True)
class Command:
    """A command of ``cogkit``.

    Attributes
    ----------
    name, text : str
        What it is called, and what it does in one line.
    run : callable
        ``run(options) -> exit code``, from what was parsed.
    arguments : callable
        ``arguments(parser)`` adds what can be given to an `app.arguments.Parser`.
    """

    name: str
    text: str
    run: Callable[[Any], int]
    arguments: Callable[[Any], None] = lambda parser: None


@dataclass(frozen=True)
class Extra:
    """What one extra adds to the bench, which knows nothing of it; `registry` finds it.

    What it needs of an instrument is a module: ``cogkit.extras.<extra>.<instrument>``, see `registry.part`.

    Attributes
    ----------
    commands : sequence of Command
    exercises : callable
        ``exercises() -> mapping of str to Exercise``, those of notebooks that use the extra.
    warm : callable or None
        As `Instrument.warm`.
    """

    name: str
    commands: Sequence[Command] = ()
    exercises: Callable[[], Mapping[str, Exercise]] = dict
    warm: Callable[[], None] | None = None
