"""What ``cogkit study make`` and ``cogkit collect`` do."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from cogkit.app import experiments
from cogkit.app.studies import page
from cogkit.app.studies.collected import PEOPLE, Collected, collect, counted
from cogkit.core.contracts import InputError, slug, some
from cogkit.core.presets import choose
from cogkit.data import foreign, results
from cogkit.data.files import unused, whole_folder, write_whole
from cogkit.study import wording
from cogkit.study.trials import Trials, plain


def make(options: argparse.Namespace) -> int:
    """Write the study of an instrument as a web page, say what to do with it, and return 0."""
    studies = {name: each for name, each in experiments.instruments().items() if each.web}
    instrument = studies[choose(options.name, studies, "instrument with a study")]
    assert instrument.web is not None  # as chosen
    given = [name for name in ("post", "datapipe", "jatos", "cognition") if getattr(options, name)]
    if len(given) > 1:
        raise InputError(" and ".join(f"--{name}" for name in given), "one place for the answers")
    folder = page.make(
        options.out, instrument.web(), options.name, condition=options.condition, n=options.n or None,
        seed=options.seed, forms=options.forms, host=given[0] if given else "download", address=options.post or "",
        experiment=options.datapipe or "", finish=options.finish, words=options.words, jspsych=options.library,
        pipe=options.pipe,
    )  # fmt: skip
    print(folder)
    if options.words:
        texts = foreign.json(folder / "words.json", dict[str, Any], "words of a study")["texts"]
        if same := sum(text == own for text, own in texts.items()):
            print(f"{same} of {len(texts)} texts are not translated: see words.json in the folder.")
    print(_SAYS[given[0] if given else "download"].format(folder=folder, name=folder.name))
    return 0


_SAYS = {
    "download": "Open {folder}/index.html, or put the folder on a web server. Each person downloads a file at the end.",
    "post": "Put the folder on a web server. The address that you gave gets the answers.",
    "datapipe": "Put the folder on a web server. DataPipe passes the answers on to your project.",
    "jatos": "Import {folder}/{name}.jzip in JATOS.",
    "cognition": "Paste task.js as the code of a task at cognition.run, choose jsPsych 8, and add study.css.",
}


def gather(options: argparse.Namespace) -> int:
    """Read what people answered, write it as tables into a new folder, and return 0."""
    out, options.show = unused(options.out), checked_name(options.show)
    form = choose(options.form, FORMS, "form") if options.form else None
    collected = collect(options.paths)
    with whole_folder(out) as part:
        write(collected, part)
        if form is not None:
            file, write_form = FORMS[form]
            write_whole(part / file, write_form(collected, Trials(part / "trials.sqlite")).encode(), alone=True)
    show(collected.rows, options.show)
    n_counted = int((collected.sittings["reason"] == "").sum())
    reasons = collected.sittings["reason"].value_counts().drop("", errors="ignore")
    left = some(f"{n} {reason}" for reason, n in reasons.items())
    print(f"{out}: {len(collected.sittings)} sittings, {n_counted} of them count" + (f" ({left})" if left else ""))
    return 0


def write(collected: Collected, folder: Path) -> None:
    """Write trials, sittings and result rows as tables, and the trials as a database that notebooks can open."""
    trials = collected.trials.copy()
    store = Trials(folder / "trials.sqlite")
    for _, rows in collected.trials.groupby("sitting", sort=False):
        store.replace([plain(row) for row in rows.to_dict("records")])
    trials["response"] = [None if response is None else str(response) for response in trials["response"]]
    trials["extra"] = [json.dumps(extra, ensure_ascii=False, default=str) for extra in trials["extra"]]
    tables = {"trials": trials, "sittings": collected.sittings, "rows": collected.rows}
    for name, table in tables.items():
        write_whole(folder / f"{name}.csv", table.to_csv(index=False).encode(), alone=True)
    write_whole(folder / "trials.parquet", trials.to_parquet(index=False), alone=True)


def show(rows: pd.DataFrame, name: str) -> None:
    """Let the notebooks show all people of result rows together under a name; nothing happens without one."""
    if name:
        results.show_people(rows[rows["who"] == PEOPLE], name)


def checked_name(text: str) -> str:
    """Return a name for people, or "" for none; `InputError` if no folder can be called so.

    Examples
    --------
    >>> checked_name("our students")
    'our students'
    """
    if text and (not slug(text) or len(text) > 60 or not text.isprintable()):
        raise InputError(f"{text[:40]!r} as a name", "a short name with letters or digits")
    return text


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

    return json.dumps(xsl.datasets(counted(collected.trials, collected.sittings)), ensure_ascii=False, indent=1) + "\n"


def _psych101(collected: Collected, trials: Trials) -> str:
    """Return every sitting that counts as a line in the form of Psych-101, with choices in ``<<…>>``."""
    lines = []
    for line in collected.sittings[collected.sittings["reason"] == ""].itertuples(index=False):
        rows = trials.begun(line.sitting)
        study = experiments.instruments()[line.instrument].study
        assert study is not None  # it was read by it
        first = rows.iloc[0].to_dict() | {"source": "sitting"}
        text = wording.to_transcript(line.sitting, study(first), trials)
        lines.append({"text": text, "experiment": f"{line.instrument}/{line.condition}", "participant": line.who})
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


FORMS: dict[str, tuple[str, Callable[[Collected, Trials], str]]] = {
    "jspsych": ("jspsych.json", _jspsych),
    "xsl": ("xsl.json", _xsl),
    "psych101": ("psych101.jsonl", _psych101),
}
"""Other forms in which collected sittings can be written: the name of the file, and what returns its text."""
