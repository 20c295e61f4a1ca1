"""Many writers of one database on a busy machine: none of their rows is lost, and none is there twice."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from playing import write_at_once


@pytest.mark.timeout(3600)
def test_four_writers_on_a_busy_machine_lose_and_double_nothing(tmp_path):
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        write_at_once(tmp_path / "trials.sqlite", "abcd", 2000)
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
