"""Each widget once, small enough to be made in seconds, to try pages, saved notebooks and other front ends on."""

from __future__ import annotations

import numpy as np

from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.views import Browser, Builder, Solve, Turtle
from cogkit.core import seeding
from cogkit.core.presets import changed
from cogkit.equivalence.learners import floors
from cogkit.equivalence.problems import records
from cogkit.equivalence.views import Explorer as Matches
from cogkit.equivalence.views import MatchingToSample
from cogkit.extras.models import partner
from cogkit.extras.models.beside import Beside
from cogkit.generalization.learners import training as fits
from cogkit.generalization.suites import FitConfig, Suite
from cogkit.generalization.views.explorer import Explorer as Scales
from cogkit.mewl.views.explorer import Explorer as Hypotheses
from cogkit.mewl.views.learn import Learn
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.learners.training import train
from cogkit.tiles.metamers import sampling
from cogkit.tiles.people import blind, scenarios
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.views import BlindTrial, ChoiceTrial, Replay, SweepPlayer, TileBoard, TrainPanel

CORNER = np.zeros((7, 7), int)
CORNER[1:5, 2:6] = 1
CORNER[2:4, 3:5] = 0
ITEMS = Items([CORNER], [9], "rectangle/abstract", "test")

EVERY = {
    "TileBoard": lambda: TileBoard(ITEMS),
    "Replay": lambda: Replay(ITEMS, answers=[[10, 0, 11]]),
    "BlindTrial": lambda: BlindTrial("zigzag", n=4, seed=3, floors=blind.floors(["zigzag"], n=20)),
    "ChoiceTrial": lambda: ChoiceTrial(scenarios.find("pyramid", 2)),
    "SweepPlayer": lambda: SweepPlayer(
        sampling.trace(sampling.load("zigzag"), seeding.stream(5, "browser")), rule="zigzag"
    ),
    "TrainPanel": lambda: TrainPanel(lambda: train(changed(AgentConfig("rectangle/abstract"), steps=10), seed=0)),
    "Turtle": lambda: Turtle((Line(1.0), Arc(0.5, 90, 30, "triangle"), Line(0.5, 90, "zigzag"))),
    "Builder": lambda: Builder(),
    "Browser": lambda: Browser("hd", source="catalogue"),
    "Solve": lambda: Solve(each=1, seed=4),
    "Hypotheses": lambda: Hypotheses("shape"),
    "Learn": lambda: Learn(),
    "Beside": lambda: Beside(partner.choose(), task="mewl/shape"),
    "MatchingToSample": lambda: MatchingToSample(seed=3),
    "Matches": lambda: Matches(
        floors.Associative(records.Design()), records.probe(records.Design(), 8, seeding.stream(0, "look"))
    ),
    "Scales": lambda: Scales(fits.fit_now(FitConfig(Suite(1)), 0)),
}  # fmt: skip


def every() -> dict:
    """Return one widget of each kind, by its name."""
    return {name: make() for name, make in EVERY.items()}
