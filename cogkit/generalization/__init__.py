"""Generalization scored: GR* as published, and a calibrated definition.

The paper is "A unified metric of generalization across humans and machines" (anonymous, under review). A task is a
table of numbers with classes; any scikit-learn classifier can learn it.

- ``tasks()``: the 62 tasks, such as ``Moons 0``
- ``items(task)``: one task with its rows for training and its test rows
- ``learner(name, task)``: a proxy, a machine, a floor or the observer, trained on that task
- ``judge(learner, items)``: the answers of a trained classifier on the test rows
- ``summarise(answers)``: result rows: accuracy, and the calibrated components
- ``train_suite()``: a run that trains all learners on all tasks
- ``load_suite()``: the answers of all learners on all tasks, which come with the package
- ``results()``: the result rows that come with the package
- ``figures``: every figure and widget
- ``GRStar``: the score of any scikit-learn classifier on any table; ``compare`` compares several scores

Examples
--------
>>> from cogkit import generalization
>>> task = generalization.items("Moons 0")
>>> answers = generalization.judge(generalization.learner("majority class", "Moons 0"), task)
>>> generalization.summarise(answers).metric[0]
'accuracy'
"""

from typing import TYPE_CHECKING

from cogkit.core import imports

if TYPE_CHECKING:
    from cogkit.generalization import views as figures
    from cogkit.generalization.estimator import GRStar, compare
    from cogkit.generalization.instrument import INSTRUMENT
    from cogkit.generalization.scoring import judge, summarise

    items, learner, tasks, results = INSTRUMENT.items, INSTRUMENT.learner, INSTRUMENT.tasks, INSTRUMENT.results
    train_suite, load_suite = INSTRUMENT.train_suite, INSTRUMENT.load_suite

__all__ = [
    "GRStar", "compare", "figures", "items", "judge", "learner", "load_suite", "results", "summarise", "tasks",
    "train_suite",
]  # fmt: skip
__getattr__, __dir__ = imports.front(__name__, train_suite="", load_suite="", GRStar="estimator", compare="estimator")
