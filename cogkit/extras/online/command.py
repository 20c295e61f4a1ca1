"""What ``cogkit study make`` and ``cogkit collect`` do."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

import pandas as pd

from cogkit.core import registry
from cogkit.core.errors import some
from cogkit.core.presets import choose
from cogkit.data import readers
from cogkit.data.files import unused, whole_folder, write_whole
from cogkit.extras.online import page
from cogkit.extras.online.collected import collect
from cogkit.study import gathering, wording
from cogkit.study.gathering import Collected
from cogkit.study.rescoring import who_counts
from cogkit.study.trials import Trials, plain


def make(options: argparse.Namespace) -> int:
    """Write the study of an instrument as a web page, say what to do with it, and return 0."""
    parts = registry.parts("online")
    web = parts[choose(options.name, parts, "instrument with a study")].study()
    host = next((name for name in page.HOSTS[1:] if getattr(options, name)), page.HOSTS[0])
    folder = page.make(
        options.out, web, options.name, condition=options.condition, n=options.n, seed=options.seed,
        forms=options.forms, host=host, address=options.post, experiment=options.datapipe, finish=options.finish,
        words=options.words, jspsych=options.library, pipe=options.pipe, pilot=options.pilot,
    )  # fmt: skip
    print(folder)
    if options.words:
        texts = readers.json(folder / "words.json", dict[str, Any], "words of a study")["texts"]
        if same := sum(text == own for text, own in texts.items()):
            print(f"{same} of {len(texts)} texts are not translated: see words.json in the folder.")
    print(_SAYS[host].format(folder=folder, name=folder.name))
    return 0


_SAYS = {
    "download": "Open {folder}/index.html, or put the folder on a web server. Each person downloads a file at the end.",
    "post": "Put the folder on a web server. The address that you gave gets the answers.",
    "datapipe": "Put the folder on a web server. DataPipe passes the answers on to your project.",
    "jatos": "Import {folder}/{name}.jzip in JATOS.",
    "cognition": "Paste task.js as the code of a task at cognition.run, choose jsPsych 8, and add study.css.",
}


def page_of(options: argparse.Namespace) -> int:
    """Write the page of an instrument into a new folder, say what to do with it, and return 0."""
    pages = {name: part.page for name, part in registry.parts("online").items() if hasattr(part, "page")}
    build, out = pages[choose(options.name, pages, "instrument with a page")], unused(options.out)
    with whole_folder(out) as folder:
        write_whole(folder / "index.html", build().encode(), alone=True)
    print(out / "index.html")
    print("Open it in a browser, or put it on any web server: it is one file, and asks nobody for anything.")
    return 0


def gather(options: argparse.Namespace) -> int:
    """Read what people answered and write it as tables into a new folder; return 0 if everybody counts, else 1."""
    out, options.show = unused(options.out), gathering.checked_name(options.show)
    form = choose(options.form, FORMS, "form") if options.form else None
    collected = collect(options.paths, options.study)
    if options.strict and gathering.is_faulty(collected):
        return 2
    with whole_folder(out) as part:
        gathering.write(collected, part)
        write_whole(part / page.WHO, _log(collected).encode(), alone=True)
        if form is not None:
            file, write_form = FORMS[form]
            write_whole(part / file, write_form(collected, Trials(part / "trials.sqlite")).encode(), alone=True)
    gathering.show(collected.rows, options.show)
    reasons = collected.sittings["reason"].value_counts()
    left = some(f"{n} {reason}" for reason, n in reasons.items() if reason)
    print(f"{out}: {reasons.sum()} sittings, {reasons.get('', 0)} of them count" + (f" ({left})" if left else ""))
    return gathering.account(collected, options.verbose)


def _log(collected: Collected) -> str:
    """Return who counts in each instrument's study that came, and how many do."""
    parts = []
    for name, sittings in collected.sittings.groupby("instrument", sort=False):
        web = registry.parts("online")[name].study()
        reasons = sittings["reason"].replace("", "counts").value_counts()
        table = [f"{n} {reason}" for reason, n in reasons.items()]
        parts.append(f"{name}\n\n{who_counts(web.study(web.conditions[0], None))}\nHere: {', '.join(table)}.\n")
    return "\n".join(parts)


def _jspsych(collected: Collected, trials: Trials) -> str:
    """Return every answer as a trial of jsPsych, with its columns and times in ms beside ours."""
    rows = []
    for _, sitting in collected.trials.groupby("sitting", sort=False):
        began = pd.Timestamp(sitting["at"].iloc[0])
        for row in sitting.to_dict("records"):
            rt = None if pd.isna(row["rt_s"]) else round(1000 * row["rt_s"])
            elapsed = round((pd.Timestamp(row["at"]) - began).total_seconds() * 1000)
            more = {"trial_type": "cogkit-step", "trial_index": row["order"], "time_elapsed": elapsed, "rt": rt}
            rows.append(more | plain(row))
    return json.dumps(rows, ensure_ascii=False, indent=1, default=str) + "\n"


def _xsl(collected: Collected, trials: Trials) -> str:
    """Return what people who count answered in word learning as data sets of XSLmodels."""
    from cogkit.mewl.people import xsl  # brings word learning, which no other form needs

    sets = xsl.datasets(gathering.counted(collected.trials, collected.sittings))
    return json.dumps(sets, ensure_ascii=False, indent=1) + "\n"


def _psych101(collected: Collected, trials: Trials) -> str:
    """Return every sitting that counts as a line in the form of Psych-101, with choices in ``<<…>>``."""
    lines = []
    for line in collected.sittings[collected.sittings["reason"] == ""].itertuples(index=False):
        rows = trials.begun(line.sitting)
        first = rows.iloc[0].to_dict() | {"source": "sitting"}
        study = registry.instruments()[line.instrument].study(first)
        assert study is not None  # it was read by it
        text = wording.to_transcript(line.sitting, study, trials)
        lines.append({"text": text, "experiment": f"{line.instrument}/{line.condition}", "participant": line.who})
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


FORMS: dict[str, tuple[str, Callable[[Collected, Trials], str]]] = {
    "jspsych": ("jspsych.json", _jspsych),
    "xsl": ("xsl.json", _xsl),
    "psych101": ("psych101.jsonl", _psych101),
}
"""Other forms in which collected sittings can be written: the name of the file, and what returns its text."""
