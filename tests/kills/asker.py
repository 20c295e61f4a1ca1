"""Runs that ask a model behind an address, each in a process of its own that is forked from this one.

Each line of its input is a list: the file of answers, the address, and a file for the rows. It prints the number of the
process that asks, and its exit status when it has ended. To load all that a run needs takes longer than the run.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path

from cogkit.app import asking
from cogkit.lm.address import Address
from cogkit.lm.kept import Answers, Kept

WHAT = asking.Asking("mewl/shape", n=30, seed=5)
AT_ONCE = 3


def items():
    """Return the items that are asked."""
    return asking.interview(WHAT.task).items(WHAT.own_task, WHAT.n, profile=WHAT.profile, seed=WHAT.seed)


def model(url: str) -> Address:
    """Return the model that is asked; it is asked once for each question."""
    return Address(url, "m", at_once=AT_ONCE, seconds=30, tries=1)


def rows(asked: asking.Asked) -> list:
    """Return all that came of asking, as JSON has it, but for times."""
    trials = asked.trials().drop(columns="at").to_dict("records")
    for row in trials:
        row["extra"].pop("seconds", None)
    return json.loads(json.dumps([asked.rows, trials], default=str))


def main() -> None:
    """Ask until the input ends."""
    made = items()
    print("ready", flush=True)
    for line in sys.stdin:
        file, url, out = json.loads(line)
        process = os.fork()
        if not process:
            try:
                asked = asking.ask(Kept(model(url), Answers(file)), WHAT, made)
                Path(out).write_text(json.dumps(rows(asked)))
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        print(process, flush=True)
        print(os.waitpid(process, 0)[1], flush=True)


if __name__ == "__main__":
    main()
