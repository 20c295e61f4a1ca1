"""Parallel work: several processes with one thread each, which end when there is no more work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from joblib import Parallel, delayed, parallel_config
from joblib.externals.loky import get_reusable_executor

from cogkit.core.memory import give_back

_IDLE = 10  # seconds until an idle process ends: it holds about 200 MB, and a new one starts within two seconds


def side_by_side(jobs: int | None) -> parallel_config:
    """Return a context in which `joblib.Parallel` uses ``jobs`` processes; None and -1 mean one process per core.

    Several threads in each process were many times slower on a busy machine.

    Examples
    --------
    >>> import joblib
    >>> with side_by_side(1):
    ...     joblib.Parallel()(joblib.delayed(abs)(k) for k in (-1, 2))
    [1, 2]
    """
    return parallel_config(backend="loky", n_jobs=jobs or -1, inner_max_num_threads=1, idle_worker_timeout=_IDLE)


def in_parts(work: Callable, items: Sequence, size: int, jobs: int | None, *rest) -> Iterator:
    """Yield ``work(part, *rest)`` for each part of ``size`` items, in order, from ``jobs`` processes.

    Examples
    --------
    >>> list(in_parts(sum, [1, 2, 3], 2, 1))
    [3, 3]
    """
    with side_by_side(jobs):
        tasks = (delayed(work)(items[k : k + size], *rest) for k in range(0, len(items), size))
        yield from Parallel(return_as="generator")(tasks)


def end_idle() -> None:
    """End the processes that wait for more work, before something else takes much memory.

    What this process has freed goes back to the system as well, where the C library can do that.
    """
    get_reusable_executor().shutdown()
    give_back()
