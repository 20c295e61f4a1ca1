"""Learning: `Fit` runs any learner step by step, stops on request, and resumes exactly."""

from cogkit.learning.checkpoints import State
from cogkit.learning.context import inference, one_thread
from cogkit.learning.fit import Fit, Result, run

__all__ = ["Fit", "Result", "State", "inference", "one_thread", "run"]
