"""Stimulus equivalence by matching to sample (Carrillo & Betancort 2024, Future Internet 16(8): 289).

A learner is trained on some pairs of stimuli, such as A with B and B with C, and is then asked about pairs that it was
never shown, such as A with C.

- ``tasks()``: the conditions: a structure, a training relation and how wrong comparisons are drawn
- ``items(task, n)``: the trials that test a condition
- ``learner(name, task)``: a floor, an observer, or a model without a network, trained on the pairs of a condition
- ``judge(learner, items)``: what a learner answers in every trial
- ``summarise(answers)``: result rows: shares of right answers by type of trial, and of answers that are no option
- ``train(name, task)``: the training run of a network, here and now
- ``load(name, task)``: a network that comes with the package, trained
- ``results()``: the result rows that come with the package
- ``figures``: every figure and widget
- ``sit()``: your own sitting, as a widget

Examples
--------
>>> from cogkit import equivalence
>>> trials = equivalence.items("LS/select-only/standard", 600)
>>> answers = equivalence.judge(equivalence.learner("closure", "LS/select-only/standard"), trials)
>>> "accuracy, argmax" in set(equivalence.summarise(answers).metric)
True
"""

from typing import TYPE_CHECKING

from cogkit.core import imports

if TYPE_CHECKING:
    from cogkit.equivalence import views as figures
    from cogkit.equivalence.instrument import INSTRUMENT
    from cogkit.equivalence.scoring import judge, summarise
    from cogkit.equivalence.views.matching import sit

    items, learner, train, load = INSTRUMENT.items, INSTRUMENT.learner, INSTRUMENT.train, INSTRUMENT.load
    tasks, results = INSTRUMENT.tasks, INSTRUMENT.results

__all__ = ["figures", "items", "judge", "learner", "load", "results", "sit", "summarise", "tasks", "train"]
__getattr__, __dir__ = imports.front(__name__, train="", load="", sit="views.matching")
