"""Processes side by side: one thread each, and none that outlives its work for long."""

from __future__ import annotations

import os

import joblib
import psutil

from cogkit.core.processes import end_idle, side_by_side


def threads() -> tuple[int, int]:
    import numpy  # noqa: F401, whose library has threads
    from threadpoolctl import threadpool_info

    return os.getpid(), max((pool["num_threads"] for pool in threadpool_info()), default=1)


def test_several_processes_of_one_thread_do_the_work_and_end_when_there_is_none():
    with side_by_side(2):
        pairs = joblib.Parallel()(joblib.delayed(threads)() for _ in range(40))
    workers = {pid for pid, _ in pairs}
    assert os.getpid() not in workers and {n for _, n in pairs} == {1}
    _, alive = psutil.wait_procs([psutil.Process(pid) for pid in workers if psutil.pid_exists(pid)], timeout=60)
    assert alive == []


def test_one_is_this_process():
    with side_by_side(1):
        assert joblib.Parallel()(joblib.delayed(os.getpid)() for _ in range(3)) == [os.getpid()] * 3


def test_idle_processes_end_at_once_and_others_do_the_next_work():
    for _ in range(2):
        with side_by_side(2):
            workers = {pid for pid, _ in joblib.Parallel()(joblib.delayed(threads)() for _ in range(4))}
        end_idle()
        assert not any(map(psutil.pid_exists, workers))
    end_idle()  # nothing is left to end
