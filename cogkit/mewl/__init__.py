"""Learning words from a few pictures with more than one reading (MEWL; Jiang et al. 2023, ICML; arXiv 2306.00503).

Six pictures have a made-up name each; a learner says which of five names fits the seventh.

- ``tasks()``: the nine tasks, such as ``shape`` and ``pragmatic``
- ``items(task, n)``: episodes, certified under ``verified``
- ``learner(name)``: a floor, a simple model or the ideal observer, by name
- ``judge(learner, items)``: how a learner scores the five names of each episode
- ``summarise(answers)``: result rows: the share of right answers, and what is left above text alone
- ``train(name, task)``: the training run of a network, here and now
- ``load(name, task)``: a network that comes with the package, trained
- ``results()``: the result rows that come with the package
- ``figures``: every figure and widget
- ``sit()``: your own sitting, as a widget

Examples
--------
>>> from cogkit import mewl
>>> episodes = mewl.items("number", 5)
>>> answers = mewl.judge(mewl.learner("ideal-learner"), episodes)
>>> mewl.summarise(answers).value[0].item()
1.0
"""

from typing import TYPE_CHECKING

from cogkit.core import imports

if TYPE_CHECKING:
    from cogkit.mewl import views as figures
    from cogkit.mewl.instrument import INSTRUMENT
    from cogkit.mewl.scoring import judge, summarise
    from cogkit.mewl.views.learn import sit

    items, learner, train, load = INSTRUMENT.items, INSTRUMENT.learner, INSTRUMENT.train, INSTRUMENT.load
    tasks, results = INSTRUMENT.tasks, INSTRUMENT.results

__all__ = ["figures", "items", "judge", "learner", "load", "results", "sit", "summarise", "tasks", "train"]
__getattr__, __dir__ = imports.front(__name__, train="", load="", sit="views.learn")
