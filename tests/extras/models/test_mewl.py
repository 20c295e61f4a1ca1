"""A language model on episodes: what it reads, word for word, and what its answers are worth."""

from __future__ import annotations

import numpy as np
import pytest
from saying import Saying

from cogkit.data import png
from cogkit.extras.models import mewl as lm_mewl
from cogkit.extras.models.lm.prompts import closing
from cogkit.extras.models.lm.replies import Completion
from cogkit.extras.models.mewl import WIDTH, Named
from cogkit.mewl.problems import captions, observations
from cogkit.mewl.problems.episodes import OPTIONS, TASKS


@pytest.fixture
def question(made):
    return observations.question([*made("number", "verified", 1), *made("relation", "verified", 1)], "captions")


def spelled(prompt) -> Completion:
    """Every letter of an ending is a token, of a probability that goes by its code."""
    logs = tuple(-sum(map(ord, ending)) / 100 for ending in prompt.endings)
    return Completion(logs=logs, sizes=tuple(map(len, prompt.endings)))


@pytest.mark.parametrize("how", ["mean", "sum"])
def test_scores_are_sums_or_means_over_tokens_of_the_prompt_of_the_paper(question, how):
    fake = Saying(spelled)
    learner = Named(fake, how)
    scores = learner.score(question)
    assert [(prompt.text, prompt.endings) for prompt in fake.prompts] == captions.prompts(question)
    assert all(prompt.text.endswith("\nName:") and not prompt.labelled for prompt in fake.prompts)
    for row, options in zip(scores, question.options, strict=True):
        for score, option in zip(row, options, strict=True):
            total = -sum(map(ord, f" {option}")) / 100
            assert score == pytest.approx(total if how == "sum" else total / (len(option) + 1))
    names = {"mean": "a fake, by likelihood", "sum": "a fake, by summed likelihood"}
    assert learner.inputs == "captions" and learner.name == names[how]
    assert np.allclose(learner.chances(learner.replies, OPTIONS).sum(axis=1), 1)


def test_a_likelihood_less_the_option_s_own_is_free_of_its_length(question):
    """A model that does not read the question prefers no option; read per token, it always takes the same one."""
    fake = Saying(spelled)
    learner = Named(fake, "prior")
    assert np.allclose(learner.score(question), 0)
    whole, bare = fake.prompts[:2], fake.prompts[2:]
    assert [prompt.text for prompt in bare] == ["Name:"] * 2
    assert [prompt.endings for prompt in bare] == [prompt.endings for prompt in whole]
    for reply in learner.replies:
        assert reply.completion.priors == reply.completion.logs and reply.record()["priors"] == reply.completion.logs

    def reads(prompt):  # the third option becomes e times as likely by the question
        logs = spelled(prompt).logs
        return Completion(logs=(*logs[:2], logs[2] + (len(prompt.turns[0][1]) > 5), *logs[3:]), sizes=(1,) * 5)

    learner = Named(Saying(reads), "prior")
    assert np.allclose(learner.score(question), [0, 0, 1, 0, 0]) and [r.choice for r in learner.replies] == [2, 2]
    silent = Named(Saying(lambda prompt: Completion("words") if prompt.text == "Name:" else spelled(prompt)), "prior")
    assert np.isnan(silent.score(question)).all() and {reply.outcome for reply in silent.replies} == {"failed"}


def test_probabilities_that_did_not_come_are_no_answer(question):
    fake = Saying(lambda prompt: Completion(problem="busy") if prompt.text.count("left") else spelled(prompt))
    learner = Named(fake, "sum")
    assert np.isnan(learner.score(question)).all(axis=1).tolist() == [False, True]
    assert [reply.outcome for reply in learner.replies] == ["answered", "failed"]


# In words


def knows(episode):
    """Return an answer by letter: the right option's, wherever it stands."""
    right = episode.trial.options[episode.answer]
    return lambda prompt: f"It is easy.\nANSWER: {'ABCDE'[prompt.options.index(right)]}"


@pytest.mark.parametrize("task", TASKS)
def test_whoever_knows_a_name_is_right_wherever_it_stands(made, task):
    for seed, episode in enumerate(made(task, "verified", 4)):
        learner = Named(Saying(knows(episode)), seed=seed)
        answers = lm_mewl.judge(learner, [episode])
        assert answers.score.tolist() == [1] and answers.choices.tolist() == [episode.answer]
        (reply,) = learner.replies
        assert reply.option == episode.answer and reply.order[reply.choice] == episode.answer
        (trial,) = answers.to_trials().to_dict("records")
        extra = trial["extra"]
        assert trial["correct"] == 1 and extra["shown"] == list(reply.prompt.options)
        assert extra["shown"][extra["place"]] == trial["response"] == extra["answer"]
        assert extra["prompt"] == [["user", reply.prompt.text]] and extra["text"] == reply.completion.text


def test_all_is_in_the_question(made):
    (episode,) = made("composite", "verified", 1)
    fake = Saying(lambda prompt: "A")
    lm_mewl.judge(Named(fake), [episode])
    (prompt,) = fake.prompts
    question = observations.question([episode], "captions")
    (texts,), (names,), (options,) = question.observations, question.utterances, question.options
    scenes = [f"Scene {k}: {text}\nName: {name}" for k, text, name in zip(range(1, 7), texts, names, strict=False)]
    lines = "\n".join(f"{letter}. {option}" for letter, option in zip("ABCDE", prompt.options, strict=True))
    expected = [*scenes, f"Scene 7: {texts[6]}", f"Which name fits scene 7?\n{lines}", closing()]
    assert prompt.text.split("\n\n")[1:] == expected and sorted(prompt.options) == sorted(options)
    assert prompt.labels == tuple("ABCDE") and not prompt.pictures and not prompt.endings


def test_options_are_turned_round_by_the_seed_and_by_nothing_else(made):
    episodes = made("shape", "verified", 40)

    def orders(seed: int, part) -> list:
        learner = Named(Saying(lambda prompt: "A"), seed=seed)
        lm_mewl.judge(learner, part)
        return [reply.order for reply in learner.replies]

    first = orders(0, episodes)
    assert orders(0, episodes) == first and orders(0, episodes[5:9]) == first[5:9] and orders(1, episodes) != first
    assert {order for order in first} == {tuple(np.roll(range(5), k)) for k in range(5)}


# In pictures


def test_pictures_are_those_of_the_scenes(made):
    fake = Saying(lambda prompt: "A")
    learner = Named(fake, pictures=True)
    answers = lm_mewl.judge(learner, made("shape", "verified", 2))
    assert answers.inputs == "pixels" and len(fake.prompts) == 2
    for prompt in fake.prompts:
        assert len(prompt.pictures) == 7 and len(set(prompt.pictures)) == 7
        for picture in prompt.pictures:
            image = png.unpack(picture, "RGB", lambda width, height: width == WIDTH, f"{WIDTH} pixels")
            assert image.ndim == 3 and image.std() > 1
        assert all(f"Scene {k}: [picture {k}]" in prompt.text for k in range(1, 8))
        assert "cube" not in prompt.text and "red" not in prompt.text
    assert fake.prompts[0].item != fake.prompts[1].item
