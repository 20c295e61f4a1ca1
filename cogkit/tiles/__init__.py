"""Tile revealing and task metamers (Kumar et al. 2023, PLoS Computational Biology 19(8): e1011316).

A player opens the tiles of a 7×7 board and looks for the red ones. Boards follow one of eight rules, or they are
metamers of it, which share the rule's statistics and not the rule.

- ``tasks()``: the sixteen conditions, such as ``copy/abstract``
- ``items(task, n)``: boards and their start tiles
- ``learner(name, task)``: a floor or the ideal observer, by name
- ``judge(learner, items)``: what a player does on every board
- ``summarise(answers)``: result rows: blue tiles, z, finished boards
- ``train(name, task)``: the training run of a network, here and now
- ``load(name, task)``: a network that comes with the package, trained
- ``results()``: the result rows that come with the package
- ``figures``: every figure and widget
- ``sit()``: your own sitting, as a widget

Examples
--------
>>> from cogkit import tiles
>>> boards = tiles.items("pyramid/abstract", 5)
>>> answers = tiles.judge(tiles.learner("nearest-neighbour"), boards)
>>> tiles.summarise(answers).metric.tolist()
['blue', 'z', 'finished']
"""

from typing import TYPE_CHECKING

import gymnasium

from cogkit.core import imports

if TYPE_CHECKING:
    from cogkit.tiles import views as figures
    from cogkit.tiles.instrument import INSTRUMENT
    from cogkit.tiles.scoring import judge, summarise
    from cogkit.tiles.views.board import sit

    items, learner, train, load = INSTRUMENT.items, INSTRUMENT.learner, INSTRUMENT.train, INSTRUMENT.load
    tasks, results = INSTRUMENT.tasks, INSTRUMENT.results

__all__ = ["figures", "items", "judge", "learner", "load", "results", "sit", "summarise", "tasks", "train"]
__getattr__, __dir__ = imports.front(__name__, train="", load="", sit="views.board")

if "cogkit/Tiles-v0" not in gymnasium.registry:
    gymnasium.register(
        "cogkit/Tiles-v0",
        entry_point="cogkit.tiles.problems.environments:TilesEnv",
        vector_entry_point="cogkit.tiles.problems.environments:TilesVectorEnv",
    )
