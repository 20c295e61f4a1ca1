"""A program that asks a model behind an address: ``python asker.py ANSWERS ADDRESS ROWS``, each of them a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cogkit.extras.models import asking
from cogkit.extras.models.lm.address import Address
from cogkit.extras.models.lm.cache import CachedModel, CompletionCache

WHAT = asking.Asking("mewl/shape", n=30, seed=5)


def items():
    """Return the items that are asked."""
    return asking.interview(WHAT.task).items(WHAT.own_task, WHAT.n, profile=WHAT.profile, seed=WHAT.seed)


def model(url: str) -> Address:
    """Return the model that is asked; it is asked once for each question."""
    return Address(url, "m", at_once=3, seconds=30, tries=1)


def rows(session: asking.Evaluation) -> list:
    """Return all that came of asking, as JSON has it, but for times."""
    trials = session.trials().drop(columns="at").to_dict("records")
    for row in trials:
        row["extra"].pop("seconds", None)
    return json.loads(json.dumps([session.rows, trials], default=str))


if __name__ == "__main__":
    answers, url, out = sys.argv[1:]
    session = asking.ask(CachedModel(model(url), CompletionCache(answers)), WHAT, items())
    Path(out).write_text(json.dumps(rows(session)))
