"""The blind trial: what is shown and stored, what shortcuts get by plain counting, and the widget without a browser."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import numpy as np
import pandas as pd
import pytest
from oracles import scores_of_orders

from cogkit.core.errors import InputError
from cogkit.core.identity import content_hash
from cogkit.study.trials import BEGIN, Trials
from cogkit.tiles.metamers import sampling
from cogkit.tiles.people import blind
from cogkit.tiles.problems import records
from cogkit.tiles.rules.boards import decode
from cogkit.tiles.views import BlindTrial
from cogkit.tiles.views.blind import scores
from cogkit.ui.alt import describe

REFERENCE = 10_000  # boards a side that shortcuts are counted on once more


@pytest.fixture(scope="module")
def floors() -> pd.DataFrame:
    return blind.floors(["tree", "zigzag"], n=2000)


def words(items) -> list[str]:
    return ["".join(map(str, board.ravel())) for board, _ in items]


def by_rule(rule: str) -> set[str]:
    """Every board of a rule, from its enumeration."""
    support = records.support(rule)
    return {format(int(bits), "049b")[::-1] for bits in support.bits}


def answer_all(trial: BlindTrial) -> None:
    """Say that every other board is of the rule."""
    while not trial.over:
        trial.answer(records.KINDS[trial.sitting.position % 2])


def test_a_fair_coin_decides_and_the_rule_made_the_abstract_ones():
    n, rule = 600, "tree"
    items = blind.boards(rule, n, seed=4)
    abstract = [word for word, (_, kind) in zip(words(items), items, strict=True) if kind == "abstract"]
    assert len(items) == n and {kind for _, kind in items} == {"abstract", "metamer"}
    assert abs(len(abstract) - n / 2) <= 4 * math.sqrt(n / 4)
    assert set(abstract) <= by_rule(rule)
    metamers = [word for word, (_, kind) in zip(words(items), items, strict=True) if kind == "metamer"]
    assert not set(metamers) <= by_rule(rule) and all(3 <= word.count("1") < 40 for word in metamers)
    flips = sum(a[1] != b[1] for a, b in zip(items, items[1:], strict=False))  # no pattern in the order
    assert abs(flips - (n - 1) / 2) <= 4 * math.sqrt((n - 1) / 4)


def test_a_trial_goes_on_after_a_kill_and_a_new_one_shows_new_boards(trials):
    first = blind.sit("tree", 5, seed=7, trials=trials)
    boards = words(first.items)
    first.answer("abstract")
    first.answer("metamer")
    again = blind.sit("tree", 9, seed=8, trials=Trials())  # another process knows of it by the file alone
    assert (again.id, again.position, words(again.items)) == (first.id, 2, boards)
    for _ in range(3):
        again.answer("metamer")
    assert again.finished
    second = blind.sit("tree", 5, seed=7, trials=trials)
    assert second.id != first.id and second.seed == 8 and words(second.items) != boards
    assert blind.sit("cross", 5, seed=7, trials=trials).seed == 7  # every rule has trials of its own


def test_an_answer_is_one_row_that_tells_what_was_shown(trials):
    sitting = blind.sit("tree", 4, seed=2, trials=trials)
    truth = [kind for _, kind in sitting.items]
    answers = ["abstract", "abstract", "metamer", "metamer"]
    right = [sitting.answer(kind, 0.5 + k) for k, kind in enumerate(answers)]
    assert right == [a == b for a, b in zip(answers, truth, strict=True)]
    rows = trials.frame()
    assert rows["item"].tolist() == [BEGIN, *(f"tree/blind/{content_hash(item)}" for item in sitting.items)]
    rows = rows.iloc[1:]
    assert set(rows["task"]) == {"tree/blind"} and set(rows["instrument"]) == {"tiles"}
    points = [float(each) for each in right]
    assert rows["response"].tolist() == answers and rows["correct"].tolist() == points == rows["score"].tolist()
    assert rows["rt_s"].tolist() == [0.5, 1.5, 2.5, 3.5] and rows["source"].unique().tolist() == ["generated"]
    for extra, (board, kind) in zip(rows["extra"], sitting.items, strict=True):
        assert (decode(extra["shown"]) == board).all() and (extra["was"], extra["phase"]) == (kind, "blind")


def test_your_rows_pool_what_is_finished(trials):
    assert blind.your_rows(trials).empty
    right = n = 0
    for seed in (0, 1):
        sitting = blind.sit("tree", 8, seed=seed, trials=trials)
        for _, truth in sitting.items:
            right, n = right + (truth == "metamer"), n + 1
            sitting.answer("metamer")
    open_one = blind.sit("cross", 8, trials=trials)
    assert blind.your_rows(trials).rule.tolist() == ["tree"]  # what has only begun is no score
    for _ in range(7):
        open_one.answer("abstract")
    row = blind.your_rows(trials).iloc[0]
    assert len(blind.your_rows(trials)) == 1 and (row.rule, row.who, row.kind) == ("tree", "you", "you")
    assert (row.value, row.n) == (right / n, n)
    # Wilson's interval, whose ends solve (p - v)² = z² v (1 - v) / n.
    for end in (row.low, row.high):
        assert (row.value - end) ** 2 == pytest.approx(1.959964**2 * end * (1 - end) / n, rel=1e-4)


def tally(rule: str, keys) -> float:
    """The share that the best judge of a key gets right, by plain counting on other boards than those tested."""
    abstract, metamers = records.sample(rule, REFERENCE, 99), sampling.sample(rule, REFERENCE, 99)
    first, second = (Counter(keys(word) for word in words((b, "") for b in boards)) for boards in (abstract, metamers))
    return sum(max(first[key], second[key]) for key in {*first, *second}) / (2 * REFERENCE)


@cache
def counts(word: str) -> tuple[int, ...]:
    return tuple(scores_of_orders(np.array([*map(int, word)]).reshape(7, 7).tolist()))


def test_shortcuts_get_what_plain_counting_gets(floors):
    rule = "tree"
    shares = floors[floors.rule == rule].set_index("who").value
    passing = by_rule(rule)
    metamers = sampling.sample(rule, REFERENCE, 99)
    passed = np.mean([word in passing for word in words([(board, "") for board in metamers])])
    in_order = sorted(passing, key=lambda word: int(word[::-1], 2))
    probability = dict(zip(in_order, records.support(rule).probability, strict=True))
    frequency = Counter(words([(board, "") for board in metamers]))
    overlap = sum(min(p, frequency[word] / REFERENCE) for word, p in probability.items())
    expected = {
        "counts reds": tally(rule, lambda word: word.count("1")),
        "counts reds, pairs and triples": tally(rule, counts),
        "checks the rule": 1 - passed / 2,
        "ideal observer": 1 - overlap / 2,
    }
    # Chains of a call share the order of visits: over 24 seeds the shares spread up to 1.5 times as far as binomial.
    for who, value in expected.items():
        assert shares[who] == pytest.approx(value, abs=4 * 1.5 * math.sqrt(value * (1 - value) / 4000)), who
    assert shares["counts reds"] < shares["counts reds, pairs and triples"] < shares["ideal observer"]


def test_the_widget_asks_each_board_and_tells_at_the_end(trials, floors):
    trial = BlindTrial("tree", n=5, trials=trials, floors=floors)
    truth = [kind for _, kind in trial.sitting.items]
    for number, kind in enumerate(truth):
        scene = trial.scene
        assert scene["head"][0] == f"Board {number + 1} of 5" and scene["shown"] == words(trial.sitting.items)[number]
        assert (trial.board == trial.sitting.items[number][0]).all() and scene["beside"]["rows"] == []
        assert "was" not in trial.to_frame() and not {"abstract", "metamer"} & set(map(str, scene.values()))
        trial.answer(kind if number else {"abstract": "metamer", "metamer": "abstract"}[kind])
    assert trial.over and trial.scene["status"].startswith("4 of 5 right; 95 % interval 38 to 96 %. 5 or more ")
    frame = trial.to_frame()
    assert frame.was.tolist() == truth and frame.right.tolist() == [False, True, True, True, True]
    rows = [(row["label"], row["text"]) for row in trial.scene["beside"]["rows"]]
    texts = [f"{100 * value:.0f} %" for value in floors.value[:4]]
    assert rows == [("You", "80 %"), *zip(
        ("Counts reds", "Counts reds, pairs and triples", "Checks the rule", "Ideal observer"), texts, strict=True
    ), ("Guesses", "50 %")]  # fmt: skip
    with pytest.raises(InputError, match="an item to answer"):
        trial.answer("abstract")
    assert len(trials.frame()) == 6


def test_a_click_and_the_method_are_one_and_a_second_press_counts_nothing(trials):
    trial = BlindTrial("tree", n=4, trials=trials)
    for _ in range(2):
        trial._handle_custom_msg({"answer": "metamer", "board": 0, "rt_s": 1.25}, [])
    trial.answer("abstract")
    assert trial.to_frame().said.tolist() == ["metamer", "abstract"]
    rt = trials.frame()["rt_s"].tolist()
    assert rt[1] == 1.25 and rt[2] >= 0
    trial._handle_custom_msg({"answer": "perhaps", "board": 2}, [])
    assert trial.scene["status"].startswith("Not stored, so not counted") and len(trials.frame()) == 3
    trial._handle_custom_msg({"answer": "metamer", "board": 2, "rt_s": "soon"}, [])
    assert trials.frame()["rt_s"].iloc[-1] >= 0


def test_the_figure_has_a_panel_a_judge_and_one_for_the_reader(floors):
    yours = pd.DataFrame([("zigzag", "you", "you", 0.4, 0.2, 0.6, 20)], columns=floors.columns)
    for trace, who in zip(scores(floors).data, blind.SHORTCUTS, strict=True):
        assert list(trace.x) == floors[floors.who == who].value.tolist()
        assert list(trace.y) == [0, -1]  # tree above zigzag, as in the paper's order
    star = scores(floors, yours).data[0]
    assert (star.marker.symbol, list(star.x), list(star.y)) == ("star", [0.4], [-1])
    assert "you on zigzag 0.400" in describe(scores(floors, yours))


def test_the_review_tells_each_board_and_rings_what_breaks_the_rule(trials):
    trial = BlindTrial("rectangle", n=20, seed=1, trials=trials)
    assert trial.scene["review"] == {}
    answer_all(trial)
    boards, frame = trial.scene["review"]["boards"], trial.to_frame()
    every = by_rule("rectangle")
    assert len(boards) == 20 and {kind for _, kind in trial.sitting.items} == {"abstract", "metamer"}
    for card, (board, kind), row in zip(boards, trial.sitting.items, frame.itertuples(), strict=True):
        word = "".join(map(str, board.ravel()))
        assert card["shown"] == word and card["why"] == row.why
        assert card["said"] == (f"✓ {kind}" if row.right else f"✗ {kind}, you said {row.said}")
        mended = [int(sign) ^ (tile in card["ringed"]) for tile, sign in enumerate(word)]
        assert "".join(map(str, mended)) in every
        nearest = min(sum(a != b for a, b in zip(word, other, strict=True)) for other in every)
        assert len(card["ringed"]) == nearest and (nearest == 0) == (word in every)
        reason = "made it" if kind == "abstract" else "breaks the rule" if nearest else "happens to follow"
        assert reason in card["why"]
    again = BlindTrial("rectangle", n=20, seed=1)  # a new trial tells nothing
    assert again.scene["review"] == {}
