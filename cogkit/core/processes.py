"""Work done side by side: several processes of one thread each, which end when there is no more of it."""

from __future__ import annotations

from joblib import parallel_config

_IDLE = 10  # seconds until a process that has nothing to do ends: it holds some 200 MB, and another begins within two


def side_by_side(jobs: int | None) -> parallel_config:
    """Return a context in which `joblib.Parallel` works by so many processes; None and -1 are for one a core.

    Several threads in each were many times slower on a busy machine.

    Examples
    --------
    >>> import joblib
    >>> with side_by_side(1):
    ...     joblib.Parallel()(joblib.delayed(abs)(k) for k in (-1, 2))
    [1, 2]
    """
    return parallel_config(backend="loky", n_jobs=jobs or -1, inner_max_num_threads=1, idle_worker_timeout=_IDLE)
