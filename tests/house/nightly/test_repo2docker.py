"""Binder's own program finds the files that it builds from."""

from __future__ import annotations

import subprocess
import sys


def test_repo2docker_sees_both_files(clone):
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, timeout=120)
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    assert "binder/environment.yml" in output and "binder/postBuild" in output
    assert "Building conda environment for python=3.11" in output
