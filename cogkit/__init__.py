"""cogkit: a workbench for one question. Did a person or a machine grasp an abstraction, or something cheaper?

Five papers ask this with five instruments. Each instrument is a folder, and all five have the same rooms:

- ``tiles``: a player opens tiles of a board, and looks for the red ones;
- ``bongard``: six pictures have a concept and six do not, which is it?
- ``mewl``: six pictures have a name each, what is the seventh called?
- ``equivalence``: A goes with B and B with C, does A go with C?
- ``generalization``: tables of numbers, and a score of how well classifiers generalise.

The front door of an instrument is its package: ``from cogkit import tiles``. It offers about ten names, the same in
all five. ``items`` are what is asked, and ``learner`` gives somebody to ask. ``judge`` asks and returns answers, and
``summarise`` turns them into rows of results. ``train`` and ``load`` give networks, ``results`` gives the rows that
come with the package, ``figures`` draws, and ``sit`` lets you do the task yourself. Behind the door, a question goes
up through these rooms, and each of them imports only those before it:

- rooms with the instrument's own nouns, such as ``tiles.rules`` or ``mewl.world``;
- ``problems``: the items, how they are made and checked, and what a learner is shown of them;
- ``scoring``: from a learner and items to answers, and from answers to rows;
- ``learners``: floors, which ignore the abstraction; ideal observers; networks, and how they are trained;
- ``paper``: what the paper printed, and whether its claims hold here;
- ``people``: the study that a person sits, and what people are published to have done;
- ``views``: figures and widgets;
- ``instrument``: the class that the rest of cogkit reads: tasks, learners, and cells, which are experiments.

Below the instruments lie the folders that they share. ``core`` says what an instrument and a study are, and
``core.registry`` finds what is installed. ``stats`` and ``data`` take tables and give tables; ``data`` keeps results
and reads files from outside. ``learning`` runs anything that trains, so that it can be stopped and continued. ``study``
lets a person sit a study, step by step, and keeps every answer. ``ui`` has the parts of figures and widgets.

Above the instruments lies ``app``: the command ``cogkit``, the notebooks, sweeps over cells, and the map on which
people and machines stand side by side. All this is the bench. ``extras`` plugs into it from outside, and the bench
imports none of it: language models, studies on the web, classes, datasets, many machines, and the documentation.

A package of somebody else's can bring one more instrument or one more extra; `core.registry` says how. ``import
cogkit`` loads the standard library only; import the room you want from it. What most notebooks need is here by name:
``exercises``, ``experiments``, ``scale``, ``results``, ``seeding``, ``Trials`` and ``pseudonym``.

Examples
--------
>>> from cogkit import results, tiles
>>> {*tiles.results().cell} < {*results.shipped("tiles").cell}  # families of boards stand apart
True
"""

from typing import TYPE_CHECKING

from cogkit.core import imports

if TYPE_CHECKING:
    from cogkit.app import exercises, experiments, scale
    from cogkit.core import seeding
    from cogkit.data import results
    from cogkit.study.trials import Trials, pseudonym

__version__ = "1.0.0"
__all__ = ["Trials", "exercises", "experiments", "pseudonym", "results", "scale", "seeding"]
__getattr__, __dir__ = imports.lazy(__name__, {
    "exercises": "app.exercises:", "experiments": "app.experiments:", "scale": "app.scale:",
    "seeding": "core.seeding:", "results": "data.results:", "Trials": "study.trials", "pseudonym": "study.trials",
})  # fmt: skip
