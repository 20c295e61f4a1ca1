"""Answers of people as data sets of cross-situational word learning, in the form of the R package XSLmodels.

The models of that field read trials of words and objects. Here each episode becomes a data set of its own: its six
pictures are the training trials, and its question is the one test trial. In R, these lines run a model on all of them::

    sets <- jsonlite::fromJSON("xsl.json", simplifyDataFrame = FALSE, simplifyMatrix = FALSE)
    xsl_run(uncfam(X = .1, C = 1, B = .98), lapply(sets, function(set) do.call(xslData, set$data)))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from cogkit.core.errors import InputError
from cogkit.mewl.learners.crosssituational import candidates, readings
from cogkit.mewl.people.items import item
from cogkit.mewl.people.study import answers
from cogkit.mewl.problems.episodes import Episode
from cogkit.mewl.problems.tasks import relation

DESCRIPTION = (
    "Six pictures with a name each, then a picture and five names. People chose a name for the last picture, "
    "so the accuracy is that of a name for an object. It is unknown (null) for the words that were not asked for."
)

NOTHING = "(nothing here)"


def datasets(trials: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a data set for each episode that people answered, without attention checks.

    Parameters
    ----------
    trials : DataFrame
        Trial rows; rows of other instruments are passed over.

    Returns
    -------
    list of dict
        See `dataset`.

    Raises
    ------
    InputError
        No row is an answer to an item of word learning.
    """
    mine = answers(trials, attention=False) if len(trials) else trials
    if mine.empty:
        raise InputError("no answer to an item of mewl", "at least one sitting of mewl that counts")
    return [dataset(item(name).episode, rows.to_dict("records"), name) for name, rows in mine.groupby("item")]


def dataset(episode: Episode, rows: Sequence[dict[str, Any]] = (), name: str = "") -> dict[str, Any]:
    """Return an episode, and what people answered, as a data set.

    Words and objects are numbers from 1. A word has the number of the object that it means. What a picture shows is its
    *objects*: each meaning that a word of its name could have there, such as the shape, colour, material and size of
    one thing. So an object is what a learner may link to a word, and not always a thing.

    Parameters
    ----------
    episode : Episode
    rows : sequence of dict, optional
        Trial rows of answers to it.
    name : str, optional
        The label of the data set.

    Returns
    -------
    dict
        ``data`` has the arguments of ``xslData`` in XSLmodels. ``words`` and ``objects`` tell what the numbers stand
        for. ``responses`` has a row for each answer: participant, the words chosen, correct, and seconds.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episodes_of
    >>> made = dataset(episodes_of("number", n=1)[0])
    >>> made["data"]["train"]["words"][0] == made["data"]["train"]["objects"][0], len(made["objects"])
    (True, 6)
    """
    trial, right = episode.trial, episode.trial.options[episode.answer]
    heard = [candidates(readings(trial.task, panel.scene, panel.utterance)) for panel in trial.panels]
    query = candidates(readings(trial.task, trial.query, right))
    options = {option: _words(trial.task, option) for option in trial.options}
    learned = list(dict.fromkeys(word for picture in heard for word in picture))
    new = dict.fromkeys(word for option in options.values() for word in option if word not in learned)
    words = learned + sorted(new, key=lambda word: word not in episode.lexicon)
    # A word without a meaning here keeps a number too, of an object that no picture has.
    objects = [str(episode.lexicon.get(word, NOTHING)) for word in words]
    meanings = dict.fromkeys(
        str(meaning) for picture in (*heard, query) for each in picture.values() for meaning in each
    )
    objects += [meaning for meaning in meanings if meaning not in objects]
    rate = sum(row["correct"] for row in rows) / len(rows) if len(rows) else None
    return {
        "data": {
            "train": _trials(heard, words, objects),
            "test": _trials([query], words, objects),
            "accuracy": [rate if word in query else None for word in learned] if len(rows) else [],
            "n_subj": len({row["sitting"] for row in rows}),
            "label": name,
            "condition": f"{episode.profile}/{trial.task}",
            "description": DESCRIPTION,
        },
        "words": words,
        "objects": objects,
        "responses": [
            {
                "participant": row["who"],
                "words": [words.index(word) + 1 for word in options[row["response"]]],
                "correct": int(row["correct"]),
                "rt_s": None if pd.isna(row["rt_s"]) else row["rt_s"],
            }
            for row in rows
        ],
    }


def _words(task: str, name: str) -> list[str]:
    """Return the unknown words of a name, without the English ones."""
    words = name.replace(" and ", " ").split()
    if task == "relation":
        return [relation.read(name)[1]]
    return [words[0], words[-1]] if task == "bootstrap" else [name] if task == "number" else words


def _trials(pictures: Sequence[dict], words: list[str], objects: list[str]) -> dict[str, list[list[int]]]:
    """Return trials as numbers: the words of each picture's name, and the objects that they may mean."""
    return {
        "words": [[words.index(word) + 1 for word in picture] for picture in pictures],
        "objects": [
            sorted({objects.index(str(meaning)) + 1 for each in picture.values() for meaning in each})
            for picture in pictures
        ],
    }
