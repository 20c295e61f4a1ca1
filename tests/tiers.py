"""Three tiers of tests: a test in a folder called nightly or weekly is of that tier, all others of the default one."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
COGKIT = TESTS.parent / "cogkit"
NAMES = ("nightly", "weekly")
ALONE = ("/test_execute.py::", "/test_person.py::")  # a test of these is a notebook


def tier(path: Path) -> str | None:
    """Return the tier of a test file; None is the default tier.

    Doctests are of the default tier in the front doors, `cogkit/<folder>/__init__.py`, and nightly everywhere else.
    """
    if COGKIT in path.parents:
        return None if path.name == "__init__.py" and path.parent.parent == COGKIT else "nightly"
    return next((name for name in NAMES if name in path.parts), None)


class Tiers:
    """A plugin of pytest: collects the tier that ``-m`` names, or the default one; ``--shard k/n`` is a part of it."""

    def __init__(self, config) -> None:
        self.wanted, self.shard = config.option.markexpr, config.option.shard
        self.named = {os.path.abspath(argument.split("::")[0]) for argument in config.args}

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out another tier's folders, doctests of another tier, and files of other shards; but nothing named."""
        if str(collection_path) in self.named:
            return None
        if collection_path.is_dir():
            return True if collection_path.name in NAMES and collection_path.name not in self.wanted else None
        if TESTS in collection_path.parents and not collection_path.name.startswith(("test_", "conftest")):
            return True  # no doctests of what helps the tests
        if self.shard:
            k, n = map(int, self.shard.split("/"))
            if zlib.crc32(collection_path.relative_to(TESTS.parent).as_posix().encode()) % n != k - 1:
                return True
        unwanted = (tier(collection_path) or "") not in self.wanted
        return True if unwanted and COGKIT in collection_path.parents else None

    def pytest_collection_modifyitems(self, items) -> None:
        """Mark each test with its tier; notebooks come first, for they take longest, and browsers last.

        Playwright keeps an event loop running in this thread from the first of its tests on.
        """
        for item in items:
            if name := tier(item.path):
                item.add_marker(name)
        items.sort(key=lambda item: ("browser" in item.path.parts) - ("notebooks" in item.path.parts))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config, log):
        """Give each process whole files, whose fixtures are made once, but notebooks, which take long, one by one."""
        if config.getoption("dist") != "loadfile":
            return None
        from xdist.scheduler import LoadFileScheduling  # only the process that hands out the tests needs it

        class Scheduling(LoadFileScheduling):
            def _split_scope(self, nodeid: str) -> str:
                return nodeid if any(name in nodeid for name in ALONE) else super()._split_scope(nodeid)

        return Scheduling(config, log)
