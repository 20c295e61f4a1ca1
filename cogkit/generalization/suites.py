"""The configs of all cells: players, tasks and sizes. No scikit-learn here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cogkit.core.identity import content_hash
from cogkit.data.facts import facts

GENERATED = ("Linear", "Poly", "Moons", "Circles", "Imbalance", "Shift")
REAL = ("Iris", "Digits")  # one task each
FAMILIES = (*GENERATED, *REAL)
TABLE = facts(__file__, "families").set_index("family")  # letter, colour, symbol, n, s, classes
RECIPES = facts(__file__, "recipes", str)  # what the paper leaves open: choice, options, says
REPRO62, SHUFFLED = "generalization/repro62", "generalization/shuffled"  # the cells of suites
MULTIVERSE = "generalization/multiverse"  # a seed of this cell is a recipe
TASKS = {"quick": 2, "lab": 10, "paper": 10}  # tasks per family; ten are the paper's
STRESSES = ("spurious", "shift", "continual")
COMPONENTS = ("A_c", "P", "S", "L")  # of the calibrated definition
SIDES = {"proxy": "human proxies", "model": "machines"}
PLAYERS = {
    "L1 logistic regression": "proxy",
    "3 nearest neighbours": "proxy",
    "naive Bayes": "proxy",
    "RBF support vectors": "model",
    "random forest": "model",
    "MLP 64 × 64": "model",
    "majority class": "floor",
    "one column": "floor",
    "recipe": "observer",
}


def side(*kinds: str) -> tuple[str, ...]:
    """Return the players of some kinds.

    Examples
    --------
    >>> side("proxy")
    ('L1 logistic regression', '3 nearest neighbours', 'naive Bayes')
    """
    return tuple(name for name, kind in PLAYERS.items() if kind in kinds)


@dataclass(frozen=True)
class Suite:
    """A set of tasks; the defaults are the preset ``repro62``.

    Attributes
    ----------
    tasks : int
        Number of tasks of each generated family; Iris and Digits have one each.
    families : tuple of str
        In `FAMILIES`.
    """

    tasks: int = 10
    families: tuple[str, ...] = FAMILIES

    @property
    def names(self) -> list[str]:
        """The task names in order, such as ``Linear 0``.

        Examples
        --------
        >>> len(Suite().names), Suite(1, ("Moons", "Iris")).names
        (62, ['Moons 0', 'Iris 0'])
        """
        counts = {family: 1 if family in REAL else self.tasks for family in self.families}
        return [f"{family} {k}" for family in self.families for k in range(counts[family])]


@dataclass(frozen=True)
class FitConfig:
    """Players and the tasks on which they are trained.

    Attributes
    ----------
    labels : {"true", "shuffled"}
        Whether the training rows keep their classes. Relevance is computed from the same rows.
    players : tuple of str
        In `PLAYERS`.
    components : bool
        Whether players are also tested under shift and with shuffled columns, for the calibrated definition.
    """

    suite: Suite = field(default_factory=Suite)
    labels: str = "true"
    players: tuple[str, ...] = side("proxy", "model")
    components: bool = False


def measured(config: FitConfig) -> FitConfig:
    """Return a suite's config under ``verified``: with S and L, and with all players if labels are true."""
    players = tuple(PLAYERS) if config.labels == "true" else config.players
    return replace(config, players=players, components=True)


@dataclass(frozen=True)
class StressConfig:
    """A set of curves.

    Attributes
    ----------
    tasks : int
        Number of Linear tasks: one curve each, or the length of the stream.
    """

    kind: str
    tasks: int = 10


@dataclass(frozen=True)
class MultiverseConfig:
    """One recipe of the space that the paper leaves open; its number is the seed.

    Attributes
    ----------
    space : str
        Hash of the choices and their options, in order, from which recipes are drawn.
    """

    suite: Suite = field(default_factory=Suite)
    space: str = content_hash(RECIPES[["choice", "options"]].to_numpy())


def family_of(task: str) -> str:
    """Return the family of a task.

    Examples
    --------
    >>> family_of("Circles 3")
    'Circles'
    """
    return task.rsplit(" ", 1)[0]
