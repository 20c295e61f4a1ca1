"""What ``cogkit ask`` does: it asks, keeps, prints and stores."""

from __future__ import annotations

import argparse
import fnmatch
from collections import Counter

import pandas as pd
from tqdm import tqdm

from cogkit.core.errors import InputError, some
from cogkit.data import results
from cogkit.extras.models import asking
from cogkit.extras.models.lm.address import Address
from cogkit.extras.models.lm.cache import CachedModel, CompletionCache
from cogkit.extras.models.lm.local import Local, local
from cogkit.extras.models.lm.replies import places
from cogkit.extras.models.lm.transcript import ENDINGS, Recording, Transcript, read_transcript

_PUBLIC = "These are the items of the public seed, for trying out. Report results on another one: --seed N."


def ask(options: argparse.Namespace) -> int:
    """Ask a language model tasks; return 0 if at least one question of each was answered, else 1."""
    known = asking.tasks(pictures=options.images)
    if not (wanted := fnmatch.filter(known, options.task)):
        what = "a task with pictures" if options.images else "a task"
        raise InputError(repr(options.task), f"{what}, or a pattern of tasks, among {some(known)}")
    ways = ("prior", "mean") if options.how == "prior" else (options.how,)  # the second is read from the same answers
    settings = options.images, options.profile, options.sitting
    runs = [asking.Asking(task, options.n, options.seed, how, *settings) for task in wanted for how in ways]
    model = _participant(options)
    participant = CachedModel(model, CompletionCache())
    if options.dry_run:
        left = participant.missing([prompt for run in runs for prompt in asking.prompts(run)])
        print(f"{len(left):,} questions would be sent" + (f": {model.priced(left)}" if len(left) else ""))
        return 0
    device = str(model.about.get("device", "")) if isinstance(model, Transcript) else results.device()
    recording, done = Recording(participant), []
    for run in tqdm(runs, "tasks", disable=len(runs) < 2, leave=False):
        done.append(evaluation := asking.ask(recording, run))
        evaluation.store(root=options.out, device=device)
    table = pd.concat([evaluation.table() for evaluation in done])
    print(table.to_string(index=False, float_format="{:.3f}".format, na_rep=""))
    if options.seed == asking.DEVELOPMENT:
        print(_PUBLIC)
    replies = [reply for evaluation in done for reply in evaluation.replies]
    if len(chosen := places(replies)):
        print("chosen by place: " + ", ".join(f"{share:.2f}" for share in chosen["chosen"]))
    for reason, n in Counter(reply.completion.problem for reply in replies if reply.completion.problem).most_common(3):
        print(f"{n} failed: {reason}")
    if options.save:
        print(recording.write(options.save, tasks=wanted, device=device))
    return int(any(evaluation.outcomes.n[0] == 0 for evaluation in done))


def _participant(options: argparse.Namespace) -> Address | Local | Transcript:
    """Return the model that the options name: behind an address, in a folder, or in a transcript."""
    if options.address:
        return Address(
            options.address, options.model, chat=not options.complete, tokens=options.tokens, at_once=options.at_once,
            temperature=options.temperature, prices=options.price or (0.0, 0.0), most=options.max_cost,
        )  # fmt: skip
    if options.model.endswith(ENDINGS):
        return read_transcript(options.model)
    return local(options.model, chat=not options.complete, tokens=options.tokens)
