"""Bongard-LOGO: concepts in pictures drawn by programs (Nie et al. 2020, NeurIPS 33; arXiv 2010.00763).

A problem shows six pictures that have a concept and six that have not; a learner says of two more on which side they
belong.

- ``tasks()``: the four tests, free-form (FF), basic (BA), combined (CM) and novel (NV)
- ``items(task, n)``: problems, certified under ``verified``
- ``learner(name)``: a floor or an observer, by name
- ``judge(learner, items)``: what a learner answers to both queries of each problem
- ``summarise(answers)``: result rows: the share of right answers, in all and by kind of concept
- ``train(name)``: the training run of a network, here and now
- ``load(name)``: a network that comes with the package, trained
- ``results()``: the result rows that come with the package
- ``figures``: every figure and widget
- ``sit()``: your own sitting, as a widget

Examples
--------
>>> from cogkit import bongard
>>> problems = bongard.items("FF", 2)
>>> answers = bongard.judge(bongard.learner("program-oracle"), problems)
>>> bongard.summarise(answers).value[0].item()
1.0
"""

from typing import TYPE_CHECKING

from cogkit.core import imports

if TYPE_CHECKING:
    from cogkit.bongard import views as figures
    from cogkit.bongard.instrument import INSTRUMENT
    from cogkit.bongard.scoring import judge, summarise
    from cogkit.bongard.views.solve import sit

    items, learner, train, load = INSTRUMENT.items, INSTRUMENT.learner, INSTRUMENT.train, INSTRUMENT.load
    tasks, results = INSTRUMENT.tasks, INSTRUMENT.results

__all__ = ["figures", "items", "judge", "learner", "load", "results", "sit", "summarise", "tasks", "train"]
__getattr__, __dir__ = imports.front(__name__, train="", load="", sit="views.solve")
