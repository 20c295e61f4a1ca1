"""A reader beside a model: what is right, what rows are given, what is told when, and who answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lm.speaking import says

from cogkit import mewl
from cogkit.app import scale
from cogkit.core.errors import InputError
from cogkit.data import results
from cogkit.extras.models import asking, beside, figures, partner
from cogkit.extras.models.lm.cache import SENT, CompletionCache
from cogkit.study.trials import BEGIN, Trials

pytestmark = pytest.mark.usefixtures("home")
TASKS = ("mewl/number", "equivalence/LS/select-only", "bongard/BA", "generalization/Iris 0")


@pytest.fixture(scope="module")
def opponent():
    return partner.choose()


@pytest.fixture(scope="module")
def sheet(opponent):
    return partner.Sheet(opponent, "mewl/shape")


def test_the_right_option_is_the_name_that_the_episode_holds(sheet):
    episodes = mewl.items("shape", 20, seed=partner.SEED)
    names = [question.options[place] for question in sheet.questions for place in question.right]
    assert names == [episode.trial.options[episode.answer] for episode in episodes]


def test_each_question_has_one_right_option_and_the_model_answered_each(opponent, mirror):
    for task in TASKS:
        sheet = partner.Sheet(opponent, task)
        assert 10 < len(sheet.questions) <= partner.QUESTIONS
        for question in sheet.questions:
            chances = sheet.chances(question)
            assert len(question.right) == 1 and len(chances) == len(question.options)
            assert sum(chances) == pytest.approx(1) and chances[sheet.reply(question).choice] == max(chances)
            assert question.prompt.text.startswith(sheet.beginning)
        few, many = (set(asking.prompts(opponent.asking(task, n))) for n in (2, 5))
        assert few < many  # fewer items are the first of more


def test_all_answers_to_a_recorded_task_are_in_its_shipped_row(opponent):
    rows = results.shipped("mewl", tasks="number")
    (row,) = rows[(rows.who == opponent.who) & (rows.metric == "accuracy")].to_dict("records")
    sheet = partner.Sheet(replace(opponent, most=200), "mewl/number")
    right = sum(map(sheet.is_right, sheet.questions))
    assert (right / 200, len(sheet.questions), row["n"]) == (row["value"], 200, 200)


def test_a_readers_rows_count_what_was_answered(sheet):
    assert sheet.rows([]).empty
    for answered, right in ((1, 1), (7, 3), (20, 20)):
        options = [(question.right[0] + (k >= right)) % 5 for k, question in enumerate(sheet.questions)]
        rows = sheet.rows(options[:answered])
        (row,) = rows[rows.metric == "accuracy"].to_dict("records")
        assert (row["value"], row["n"]) == (right / answered, answered)
        assert (row["who"], row["kind"], row["task"], row["instrument"]) == ("you", "person", "shape", "mewl")
        assert not {"refused", "failed"} & set(rows.metric)


def test_nothing_is_told_before_the_choice(opponent):
    seat = beside.Beside(opponent, task="mewl/shape")
    assert seat.scene["answer"] is None and len(seat.scene["head"]) == 1
    assert seat.scene["status"] == "No answer is stored yet." and set(seat.still) == {"tasks", "model"}
    question, right = seat.sitting.item, seat.correct
    reply = seat.sheet.reply(question)
    assert not seat.choose((right + 1) % 5, 2.5)
    answer = seat.scene["answer"]
    assert (answer["yours"], answer["right"], answer["model"]) == ((right + 1) % 5, [right], reply.choice)
    assert seat.scene["status"].startswith("Not right ✗") and seat.trials().rt_s.tolist() == [2.5]
    seat.next()
    assert seat.scene["answer"] is None and seat.scene["head"][1] == "★ you: 0 of 1 right"


def test_a_half_finished_task_goes_on_and_a_finished_one_stays(opponent):
    store = Trials()
    first = beside.Beside(opponent, store, "mewl/number")
    first.choose(first.correct)
    first.turn_to("mewl/color")
    first.choose((first.correct + 1) % 5)
    again = beside.Beside(opponent, store)  # the task that was begun last
    assert again.task == "mewl/color" and again.scene["answer"] is not None
    again.turn_to("mewl/number")
    assert again.scene["head"][1] == "★ you: 1 of 1 right" and again.scene["status"] == "It goes on where you stopped."
    while len(again.sitting.right) < len(again.sheet.questions):
        again.choose(again.correct)
    last = beside.Beside(opponent, store, "mewl/number")
    assert last.over and last.scene["head"][0] == "All done" and last.scene["options"] == []
    shares = last.rows().query("metric == 'accuracy'").set_index("task").value.to_dict()
    assert shares == {"number": 1.0, "color": 0.0}
    assert len(store.frame(item=BEGIN)) == 2
    mine = scale.result_rows("mewl")
    assert "you" not in set(mine.who)  # no sitting of the paper's study


def test_an_address_that_nobody_answers_and_what_is_none_give_one_sentence():
    chosen = partner.choose("http://127.0.0.1:9/v1", "any")
    with pytest.raises(InputError, match="recorded model"):
        partner.choose(model="no such model")
    beginning = "No model answers there: no server at http://127.0.0.1:9/v1"
    assert chosen.is_recorded and chosen.description.startswith(beginning)
    assert chosen.description.count("\n") == 0 and repr(chosen) == chosen.description
    for address in ("no address", "http://name:secret@host/v1"):
        message = partner.choose(address, "any").description
        assert message.startswith("No model answers there: ") and "secret" not in message


def count_sent() -> int:
    return int((CompletionCache().log().event == SENT).sum())


def test_a_model_behind_an_address_is_asked_so_many_questions_and_never_twice(serve):
    server = serve(says())
    chosen = partner.choose(server.url, "small")
    assert not chosen.is_recorded and chosen.description.startswith("small answers.") and chosen.how == "text"
    seat = beside.Beside(chosen, task="mewl/shape")
    sent = count_sent()
    assert sent == 1 + partner.SENT == 1 + len(seat.sheet.questions)
    for _ in range(partner.SENT):
        seat.choose(0)
    assert seat.scene["answer"]["words"] == "ANSWER: A" and seat.scene["answer"]["model"] == 0
    beside.Beside(partner.choose(server.url, "small"), task="mewl/shape")
    assert count_sent() == sent
    table = seat.rows().query("metric == 'accuracy'").set_index("who").value
    assert table["you"] == table["small, by its words"]  # both took the first letter
    assert set(figures.compared(chosen, seat.rows()).kind) == {"model", "you"}
    chosen_most = figures.by_place(chosen, ["mewl/shape"]).frame
    assert chosen_most.iloc[0, 2].strip() == "1" and count_sent() == sent
    few = beside.Beside(chosen, task="generalization/Iris 0")  # a row of the table is asked under four shifts
    assert len(few.sheet.questions) == 2 and count_sent() <= sent + partner.SENT
