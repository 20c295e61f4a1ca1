"""torch without its compiler, which takes 75 MB and a second, until somebody compiles.

torch's optimisers import the compiler only to tell it what to leave alone. A stand-in takes these calls, and whatever
else is asked of it loads the compiler.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

import torch

_NAME = "torch._dynamo"


class _StandIn(ModuleType):
    @staticmethod
    def graph_break(*ignored, **options) -> None:
        """Do nothing: no graph is being made."""

    @staticmethod
    def disable(function: Any = None, *ignored, **options) -> Any:
        """Return the function as it is, which nobody compiles."""
        return function

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__path__":  # what looks through all modules asks for these
            raise AttributeError(name)
        if sys.modules.get(_NAME) is self:
            del sys.modules[_NAME]
        return getattr(importlib.import_module(_NAME), name)


def wait() -> None:
    """Put the stand-in in the compiler's place, unless that is loaded."""
    if _NAME not in sys.modules:
        sys.modules[_NAME] = torch._dynamo = _StandIn(_NAME)
