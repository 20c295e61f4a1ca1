"""A browser that is killed amid a study as a web page: the next one goes on with every answer that was confirmed."""

from __future__ import annotations

import os
import random
import signal
from contextlib import suppress

import psutil
import pytest
import studied
from looking import CHROMIUM, executable
from playwright.sync_api import Error, expect
from scripts import script
from websitting import FINISHED, address, agree, press, read, rows_of, to_the_end

KILLS = int(os.environ.get("COGKIT_KILLS", "13"))  # of the browser, in each of the four studies


@pytest.mark.parametrize("name", studied.SMALL)
def test_a_browser_killed_at_a_random_trial_loses_and_doubles_nothing(name, browser, tmp_path):
    """It is killed while an answer is on its way; the next one has what was in view, and at most that answer more."""
    rng, profile = random.Random(f"{name} {KILLS}"), tmp_path / "profile"

    def opened():
        own = browser.browser_type.launch_persistent_context(profile, executable_path=executable(), args=CHROMIUM)
        return own, own.pages[0]

    own, page = opened()
    page.goto(address(name))
    agree(page)
    k, confirmed = 0, rows_of(page)
    for _ in range(KILLS):
        for _ in range(rng.randrange(4)):
            if not page.evaluate(FINISHED):
                press(page, k := k + 1)
        confirmed = rows_of(page)
        if page.evaluate(FINISHED):  # then another sitting begins
            page.get_by_role("button", name="Delete my answers").click()
            expect(page.get_by_role("status").last).to_contain_text("Nothing of your sitting is left")
            page.reload()
            agree(page)
            confirmed = rows_of(page)
        page.evaluate(script("press"), k := k + 1)
        kill(profile)
        with suppress(Error):
            own.close()
        own, page = opened()
        page.goto(address(name))
        page.get_by_role("button", name="Go on").click()
        page.wait_for_selector(".ck-stage .cogkit-widget")
        rows = rows_of(page)
        # Beside the answer on its way, the one before it may have come to be stored since the rows were read.
        assert rows[: len(confirmed)] == confirmed and len(rows) - len(confirmed) in (0, 1, 2)
        assert [row["order"] for row in rows] == list(range(len(rows)))
    rows = to_the_end(page, k)
    own.close()
    assert [row["order"] for row in rows] == list(range(len(rows))) and rows[: len(confirmed)] == confirmed
    assert read(rows, tmp_path).trials["response"].tolist() == [row["response"] for row in rows]


def kill(profile) -> None:
    """Kill every process of the browser that has this profile, and wait until they are gone."""
    every = psutil.process_iter(["cmdline"])
    processes = [each for each in every if str(profile) in " ".join(each.info["cmdline"] or ())]
    assert processes
    for process in processes:
        with suppress(psutil.Error):
            process.send_signal(signal.SIGKILL)
    psutil.wait_procs(processes, timeout=30)
