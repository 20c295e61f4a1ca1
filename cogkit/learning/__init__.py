"""Learning: `Fit` runs any learner step by step, stops on request, and resumes exactly.

A learner of your own is a ``setup`` and a ``step``::

    from cogkit.learning import Fit, State, run


    def setup(config, rng):  # networks go into State(rng, {"network": ...}, {"adam": ...}), and so into checkpoints
        return State(rng, scalars={"guess": config["start"]})


    def step(state):
        state.scalars["guess"] += 0.1 * (state.rng.normal(3, 1) - state.scalars["guess"])
        return {"guess": state.scalars["guess"]}


    log = run(Fit(setup, step, {"start": 0.0}, steps=200, seed=0)).log
"""

from typing import TYPE_CHECKING

from cogkit.core import imports

if TYPE_CHECKING:
    from cogkit.learning.checkpoints import State
    from cogkit.learning.context import inference, one_thread
    from cogkit.learning.fit import Fit, Result, run
    from cogkit.learning.recipe import Recipe

__all__ = ["Fit", "Recipe", "Result", "State", "inference", "one_thread", "run"]
__getattr__, __dir__ = imports.lazy(__name__, {
    "Fit": "fit", "Recipe": "recipe", "Result": "fit", "State": "checkpoints", "inference": "context",
    "one_thread": "context", "run": "fit",
})  # fmt: skip
