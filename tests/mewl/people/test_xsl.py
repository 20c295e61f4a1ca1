"""Episodes as data sets of XSLmodels: what a picture shows, what a word means, and what people chose."""

from __future__ import annotations

import pandas as pd
import pytest

from cogkit.core.errors import InputError
from cogkit.core.records import TRIAL_COLUMNS
from cogkit.mewl.people import xsl
from cogkit.mewl.problems.episodes import OPTIONS, PANELS
from cogkit.mewl.problems.making import episodes_of


def test_each_word_has_the_number_of_the_object_that_it_means(task):
    for episode in episodes_of(task, n=20):
        made = xsl.dataset(episode)
        data, words, objects = made["data"], made["words"], made["objects"]
        assert len(set(words)) == len(words) and len(objects) >= len(words)
        for word, thing in zip(words, objects, strict=False):
            assert thing == (str(episode.lexicon[word]) if word in episode.lexicon else xsl.NOTHING)
        trials = [*zip(*data["train"].values(), strict=True), *zip(*data["test"].values(), strict=True)]
        assert len(trials) == PANELS + 1
        names = [panel.utterance for panel in episode.trial.panels] + [episode.trial.options[episode.answer]]
        for (word_ids, object_ids), name in zip(trials, names, strict=True):
            assert set(word_ids) <= set(object_ids) <= set(range(1, len(objects) + 1))  # what is meant is there
            assert all(words[number - 1] in name.split() or words[number - 1] == name for number in word_ids)
        # XSLmodels wants one value for each word of the training trials, in their order.
        learned = {number for word_ids in data["train"]["words"] for number in word_ids}
        assert learned == set(range(1, len(learned) + 1)) and data["accuracy"] == [] and data["n_subj"] == 0


def test_answers_are_counted_for_the_words_that_were_asked():
    episode = episodes_of("composite", n=1)[0]
    options, right = episode.trial.options, episode.answer
    wrong = (right + 1) % OPTIONS
    rows = [
        {"sitting": str(k), "who": f"p{k}", "response": options[choice], "correct": float(choice == right), "rt_s": rt}
        for k, (choice, rt) in enumerate([(right, 2.0), (right, 1.5), (wrong, float("nan")), (wrong, 1.0)])
    ]
    made = xsl.dataset(episode, rows, "one")
    word_ids, words = made["data"]["test"]["words"][0], made["words"]
    assert {words[number - 1] for number in word_ids} == set(options[right].split())
    for number, share in enumerate(made["data"]["accuracy"], start=1):
        assert share == (0.5 if number in word_ids else None)
    assert made["data"]["n_subj"] == 4 and made["data"]["label"] == "one"
    chosen = [" ".join(words[number - 1] for number in row["words"]) for row in made["responses"]]
    assert chosen == [options[right], options[right], options[wrong], options[wrong]]
    assert [row["rt_s"] for row in made["responses"]] == [2.0, 1.5, None, 1.0]


def test_no_answer_is_refused():
    with pytest.raises(InputError, match="at least one sitting of mewl"):
        xsl.datasets(pd.DataFrame(columns=list(TRIAL_COLUMNS)))
