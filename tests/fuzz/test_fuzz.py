"""Whatever is done to a file, its loader takes it whole or refuses it in a sentence: it never crashes or hangs."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from campaigns import CAMPAIGNS
from harness import GOOD, run


@pytest.fixture(autouse=True)
def no_log() -> Iterator[None]:
    """Keep what libraries log out of the reports: spoilt text may hold letters that no worker process can send."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.timeout(4 * 3600)  # a case that hangs is ended by the harness
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_spoilt_files_are_refused_in_a_sentence_or_taken_whole(name, request, tmp_path, record_property):
    config = request.config
    cases = config.getoption("--cases") or (20_000 if config.option.markexpr == "fuzz" else 500)
    report = run(CAMPAIGNS[name], cases, 0, tmp_path)
    record_property("fuzz", f"{name:26}" + "".join(f"{report.counts[outcome]:>9,}" for outcome in GOOD))
    assert set(report.counts) <= set(GOOD), "\n\n".join(list(report.faults.values())[:6])
