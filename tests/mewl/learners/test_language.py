"""Language models: tiny ones of random weights, whose probabilities are worked out again token by token."""

from __future__ import annotations

import json
import math
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
import torch

from cogkit.core.contracts import InputError
from cogkit.mewl import scoring
from cogkit.mewl.learners import language
from cogkit.mewl.learners.endpoints import Endpoint
from cogkit.mewl.problems import captions, making, observations

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def question():
    episodes = [*making.episodes_of("number", n=1), *making.episodes_of("relation", n=1)]
    return observations.question(episodes, "captions")


@pytest.fixture(scope="module")
def folder(tmp_path_factory, question):
    """A language model as transformers saves it: one layer, random weights, a vocabulary of pieces of captions."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    pieces = Tokenizer(models.BPE())
    pieces.pre_tokenizer, pieces.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=["<s>"], initial_alphabet=alphabet)
    pieces.train_from_iterator([text for texts in question.shown for text in texts], trainer)
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=400, n_positions=1024, n_embd=16, n_layer=1, n_head=2, initializer_range=0.5)
    place = tmp_path_factory.mktemp("models") / "tiny"
    GPT2LMHeadModel(config).save_pretrained(place)
    PreTrainedTokenizerFast(tokenizer_object=pieces, bos_token="<s>").save_pretrained(place)
    return place


def test_prompts_are_the_published_ones_in_two_pieces(question):
    episode = making.episodes_of("relation", n=1)[0]
    for prefix in ("", captions.PREFIX):
        (_, (text, endings)) = language.prompts(question, prefix)
        trial = episode.trial  # things of a relation are told in one order only
        told = [captions.caption(trial.task, scene) for scene in trial.scenes]
        names = [f"{panel.utterance}\n\n" for panel in trial.panels]
        start = "".join(f"Context: {text}\nName: {name}" for text, name in zip(told, [*names, ""], strict=True))
        assert [text + ending for ending in endings] == [
            f"{prefix} " * bool(prefix) + start + option for option in trial.options
        ]


@pytest.mark.parametrize("how", language.SCORINGS)
def test_scores_are_sums_over_tokens_one_after_another(folder, question, how):
    learner = language.causal(folder, how)
    scores = learner.score(question)
    assert scores.shape == (2, 5) and learner.inputs == "captions" and "tiny" in learner.name
    for row, (text, endings) in zip(scores, language.prompts(question), strict=True):
        start = len(learner.tokenizer("<s>" + text, add_special_tokens=False)["input_ids"])
        for score, ending in zip(row, endings, strict=True):
            ids = learner.tokenizer("<s>" + text + ending, add_special_tokens=False)["input_ids"]
            logs = []
            for k in range(1 if how == "whole" else start, len(ids)):  # the model sees what stands before, and no more
                with torch.no_grad():
                    logits = learner.model(torch.tensor([ids[:k]])).logits[0, -1].double()
                logs.append(float(logits[ids[k]] - logits.logsumexp(0)))
            assert math.isclose(score, sum(logs) if how == "whole" else sum(logs) / len(logs), rel_tol=1e-4)


def test_a_language_model_is_judged_like_any_learner(folder):
    answers = scoring.judge(language.causal(folder), making.episodes_of("number", n=3))
    assert answers.inputs == "captions" and np.isfinite(answers.scores).all() and answers.kind == "model"


def test_what_is_no_model_is_told(folder, tmp_path, question):
    with pytest.raises(InputError, match="without a config.json"):
        language.causal(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(InputError, match="safetensors and a tokenizer"):
        language.causal(tmp_path)
    with pytest.raises(InputError, match="scoring"):
        language.causal(folder, "longest")
    learner = language.causal(folder)
    learner.model.config.max_position_embeddings = 50
    with pytest.raises(InputError, match="50 at most for this model"):
        learner.score(question)


# Behind an address


class Speaks(BaseHTTPRequestHandler):
    """Answers as OpenAI's program does: every character is a token, of a probability that goes by its code."""

    trial: list = []
    busy = 0

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Speaks.trial.append((self.path, self.headers.get("Authorization"), request))
        if Speaks.busy:
            Speaks.busy -= 1
            self.send_response(429)
            self.send_header("Retry-After", "0")
            self.end_headers()
            return
        if request["model"] == "mute":
            self.send_error(404)
            return
        if self.path == "/v1/completions" and request["model"] == "tells":
            choices = [
                {"index": k, "logprobs": {"token_logprobs": [None, *(-ord(letter) / 100 for letter in text[1:])],
                                          "text_offset": list(range(len(text)))}}
                for k, text in enumerate(request["prompt"])
            ][::-1]  # fmt: skip
        elif self.path == "/v1/completions":
            choices = [{"index": 0, "text": "no probabilities"}]
        else:
            choices = [{"message": {"content": "It is C, I think." if request["model"] == "chats" else None}}]
        body = json.dumps({"choices": choices}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def address():
    Speaks.trial, Speaks.busy = [], 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Speaks)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def test_an_address_that_tells_probabilities_is_scored_by_them(address, question):
    for how in language.SCORINGS:
        scores = Endpoint(address, "tells", how, key="secret").score(question)
        for row, (text, endings) in zip(scores, language.prompts(question), strict=True):
            for score, ending in zip(row, endings, strict=True):
                logs = [-ord(letter) / 100 for letter in (text[1:] + ending if how == "whole" else ending)]
                assert math.isclose(score, sum(logs) if how == "whole" else sum(logs) / len(logs))
    path, key, request = Speaks.trial[0]
    assert (
        path == "/v1/completions" and key == "Bearer secret" and request["echo"] is True and request["max_tokens"] == 0
    )
    learner = Endpoint(address, "tells", key="secret")
    assert "secret" not in repr(learner) + learner.name


def test_an_address_without_probabilities_answers_by_letter_and_says_so(address, question):
    learner = Endpoint(address, "chats", "letter")
    assert learner.score(question).tolist() == [[0, 0, 1, 0, 0]] * 2 and learner.name == "chats, by letter"
    _, _, request = Speaks.trial[0]
    assert all(f"{letter}. {name}\n" in request["messages"][0]["content"]
               for letter, name in zip("ABCDE", question.options[0], strict=True))  # fmt: skip
    assert Endpoint(address, "silent", "letter").score(question).tolist() == [[0] * 5] * 2
    with pytest.raises(InputError, match="how='letter'"):
        Endpoint(address, "chats").score(question)


def test_a_busy_address_is_asked_again_and_a_broken_one_is_told(address, question):
    Speaks.busy = 2
    assert Endpoint(address, "chats", "letter").score(question)[0].tolist() == [0, 0, 1, 0, 0]
    Speaks.busy = 9
    with pytest.raises(InputError, match="429"):
        Endpoint(address, "chats", "letter", tries=2).score(question)
    Speaks.busy = 0
    with pytest.raises(InputError, match="404"):
        Endpoint(address, "mute").score(question)
    with pytest.raises(InputError, match="no answer of http://127.0.0.1:9/v1/"):
        Endpoint("http://127.0.0.1:9/v1", "tells").score(question)
    for wrong in ("ftp://here", "here"):
        with pytest.raises(InputError, match="http://"):
            Endpoint(wrong, "tells")
