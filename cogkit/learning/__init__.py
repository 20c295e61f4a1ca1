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

from cogkit.learning import compiler
from cogkit.learning.checkpoints import State
from cogkit.learning.context import inference, one_thread
from cogkit.learning.fit import Fit, Result, run

__all__ = ["Fit", "Result", "State", "inference", "one_thread", "run"]

compiler.wait()
