"""Many machines or one large one: sweeps on the workers of Dask, and agents side by side."""

from cogkit.core import imports

__getattr__, __dir__ = imports.lazy(__name__, {"on_workers": "workers", "ship_together": "shipping"})
