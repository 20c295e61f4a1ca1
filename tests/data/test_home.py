"""The reader's own folder, and what is said where there is none."""

from __future__ import annotations

import os
import subprocess
import sys

NOBODY = """import os, pwd
def none(number):
    raise KeyError(number)
pwd.getpwuid = none
for name in ("HOME", "COGKIT_HOME", "COGKIT_MIRROR", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
    os.environ.pop(name, 0)
from cogkit.app import cli
from cogkit.core.errors import InputError
from cogkit.data import published
from cogkit.study.trials import Trials
for asked in (Trials, lambda: published.fetch("abstract_neural_metamers/data/copy_sample.npy")):
    try:
        asked()
    except InputError as error:
        print(error)
print(cli.main(["make", "mts", "--n", "1", "--out", "set"]))
"""


def test_a_user_without_a_home_is_told_in_a_sentence_and_can_make_sets(tmp_path):
    process = subprocess.run(
        [sys.executable, "-c", NOBODY], cwd=tmp_path, capture_output=True, text=True, check=True,
        env=os.environ | {"COGKIT_OFFLINE": "1"},
    )  # fmt: skip
    lines = process.stdout.splitlines()
    assert all(line.startswith("wanted a home folder, got a user without one (") for line in lines[:2])
    assert lines[-1] == "0"
    assert [path.name for path in tmp_path.iterdir()] == ["set"]
