"""Each exercise of notebook 07 takes right answers, and tells every wrong one what is the matter."""

from __future__ import annotations

import pytest

from cogkit.app.exercises import check
from cogkit.mewl.exercises import EXERCISES


def first_comes_first(utterances, options):
    """Order of mention, by trying every order of six words."""
    from itertools import permutations

    pairs = {(text.split()[0], text.split()[2]) for text in utterances}
    ends = [(text.split()[0], text.split()[2]) for text in options]
    words = sorted({word for pair in (*pairs, *ends) for word in pair})
    votes = [0] * 5
    for order in permutations(words):
        place = {word: k for k, word in enumerate(order)}
        if all(place[a] < place[b] for a, b in pairs):
            fits = [place[a] < place[b] for a, b in ends]
            if sum(fits) == 1:
                votes[fits.index(True)] += 1
    return votes.index(max(votes))


def by_tables(panels, query, options):
    """The one option whose word, of one attribute in which words and values go together, has the query's value."""
    for place in (0, 1, 2):
        pairs = {(word, thing[place]) for thing, word in panels}
        if len(pairs) == len({word for word, _ in pairs}) == len({value for _, value in pairs}):
            return next(k for k, word in enumerate(options) if (word, query[place]) in pairs)
    return 0


def rational(things, target, alpha):
    chances = {value: 1.0 / len([thing for thing in things if value in thing]) for value in things[target]}
    total = sum(chance**alpha for chance in chances.values())
    return {value: chance**alpha / total for value, chance in chances.items()}


RIGHT = {
    "07-blind": [first_comes_first],
    "07-name": [by_tables],
    "07-speaker": [rational],
    # (34.2 - 33.3) / 66.7 and (57.3 - 58.9) / 41.1, by hand
    "07-above": [{"Aloe, shape": 0.0130, "Flamingo, bootstrap": -0.0389}],
}
WRONG = {
    "07-blind": [(lambda said, options: 0, "right in 0."), (None, "must be a function"), (lambda said, options: 7, "")],
    "07-name": [(lambda panels, query, options: 0, "60 episodes of shape"), ("tanse", "must be a function")],
    "07-speaker": [
        (lambda things, target, alpha: dict.fromkeys(things[target], 0.25), "it says"),
        (lambda things, target, alpha: {"red": 1.0}, "one can say"), (0.25, "must be a function"),
    ],
    "07-above": [
        ({"Aloe, shape": 0.342, "Flamingo, bootstrap": -0.0389}, "Aloe, shape is not 0.342"),
        ({"Aloe, shape": 0.013}, "Flamingo, bootstrap is not None"), (0.1, "Aloe"),
    ],
}  # fmt: skip


def test_all_are_tested():
    names = {name for name in EXERCISES if name.startswith("07")}
    assert names == set(RIGHT) == set(WRONG)


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_pass(name):
    for answer in RIGHT[name]:
        assert str(check(name, answer)).startswith("Correct")


@pytest.mark.parametrize("name", WRONG)
def test_wrong_answers_are_told_what_is_wrong(name):
    for answer, phrase in WRONG[name]:
        verdict = str(check(name, answer))
        assert verdict.startswith("Not yet") and phrase in verdict
