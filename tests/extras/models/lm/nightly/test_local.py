"""Models in folders: tiny ones of random weights, whose probabilities are worked out again token by token."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from lm import tiny

from cogkit.core.errors import InputError
from cogkit.extras.models.lm.local import Local, local
from cogkit.extras.models.lm.prompts import CUE, Prompt
from cogkit.extras.models.lm.replies import Completion

pytestmark = pytest.mark.usefixtures("one_thread")
ROUNDED = 6e-4  # half of a thousandth, to which logarithms are rounded, and what float32 does
ENDINGS = (" pado", " tif gup wem", " w", " tif gup", " a name of many pieces, which goes on")


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    """A folder of each kind of model, as transformers saves it."""
    made = {}
    for name, make in tiny.KINDS.items():
        torch.manual_seed(3)
        made[name] = tmp_path_factory.mktemp("models") / name
        make().save_pretrained(made[name])
        tiny.tokenizer().save_pretrained(made[name])
    return made


@pytest.fixture(params=tiny.KINDS)
def model(request, folders) -> Local:
    return local(folders[request.param], tokens=12)


def likely(text: str, endings: Sequence[str] = ENDINGS) -> Prompt:
    return Prompt(text[:8], (("user", text),), tuple(endings), tuple(endings))


def completions(model: Local, *prompts: Prompt) -> list[Completion]:
    pairs = [*model.complete(prompts)]
    assert [number for number, _ in pairs] == list(range(len(prompts)))
    return [one for _, one in pairs]


def step_by_step(model: Local, text: str, ending: str) -> tuple[float, int]:
    """Return the logarithm of an ending's probability and its number of tokens, from a whole pass for each token."""
    whole = model.tokenizer("<s>" + text + ending, add_special_tokens=False, return_offsets_mapping=True)
    logs = []
    for k, (_, end) in enumerate(whole["offset_mapping"]):
        if end > len("<s>" + text):
            with torch.no_grad():
                logits = model.model(torch.tensor([whole["input_ids"][:k]]), use_cache=False).logits[0, -1].double()
            logs.append(float(logits[whole["input_ids"][k]] - logits.logsumexp(0)))
    return math.fsum(logs), len(logs)


def is_right(model: Local, prompt: Prompt, one: Completion) -> bool:
    """Whether an answer holds the probabilities of whole passes."""
    known = {ending: step_by_step(model, prompt.text, ending) for ending in {*prompt.endings}}
    wanted = [known[ending] for ending in prompt.endings]
    sums = all(math.isclose(log, sum_, abs_tol=ROUNDED) for log, (sum_, _) in zip(one.logs, wanted, strict=True))
    return sums and one.sizes == tuple(size for _, size in wanted) and (one.end, one.problem) == ("stop", "")


# Probabilities


def test_what_prompts_share_is_not_computed_again_and_changes_nothing(model, monkeypatch):
    """Prompts with the same beginning, longer and shorter ones, one twice, and one that shares nothing."""
    shared = "\n\n".join(tiny.SCENES)
    texts = [shared + "\n\nContext: A cube.\nName:", shared + "\n\nContext: A small sphere.\nName:", shared, shared,
             shared[: len(shared) // 2], "Name:", shared + "\n\nContext: A cube.\nName:", "x", shared * 2]  # fmt: skip
    random.Random(1).shuffle(texts)
    prompts = [likely(text) for text in [*texts, shared * 2 + "\n\nContext: A cube.\nName:"]]
    read, forward = [], type(model.model).forward

    def counted(self, *args, **named):
        read.append(named["input_ids"].shape[1])
        return forward(self, *args, **named)

    with monkeypatch.context() as patch:
        patch.setattr(type(model.model), "forward", counted)
        many = completions(model, *prompts)
    whole = sum(len(model.tokenizer("<s>" + prompt.text)["input_ids"]) for prompt in prompts)
    assert 0 < sum(size for size in read if size > 1) < 0.8 * whole  # endings are read token by token
    assert max(one.tokens_in for one in many) > 4 * tiny.WINDOW  # far more than a layer with a window sees
    assert all(is_right(model, prompt, one) for prompt, one in zip(prompts, many, strict=True))


def test_few_endings_many_and_a_token_over_the_edge_of_the_text(model):
    """The text "A small r" goes on with "ed": the tokenizer joins the two, so the endings part before the text ends."""
    edge = likely("Context: A small r", ("ed glass cube", "ubber", "ed", "x", "ed metal sphere and more"))
    many = [f" {a} {b}" for a in "abcdefghij" for b in ("pado", "wem gup", "x" * 9)] * 5
    for prompt in (edge, likely("Context: A cube.\nName:", (" tif",)), likely("Context: A sphere.\nName:", many)):
        (one,) = completions(model, prompt)
        assert is_right(model, prompt, one)


# Words


def greedy(model: Local, ids: list[int], tokens: int) -> list[int]:
    """Return what transformers itself says, without sampling."""
    out = model.model.generate(torch.tensor([ids]), do_sample=False, max_new_tokens=tokens, pad_token_id=1)
    return out[0, len(ids) :].tolist()


@pytest.mark.parametrize("chat", [False, True])
def test_words_are_those_of_transformers(model, chat):
    model.chat, model.tokenizer.chat_template, model.tokens = chat, tiny.TEMPLATE, 20
    for text in (*tiny.SCENES, "\n\n".join(tiny.SCENES), "Name: " * 30, "x"):
        turns = (("system", "Be brief."), ("user", text)) if chat else (("user", text),)
        (one,) = completions(model, Prompt("0", turns, ("pado", "tif")))
        prompt = f"<system>Be brief.\n<user>{text}\n<assistant>" if chat else f"<s>{text}\n\n{CUE}"
        ids = model.tokenizer(prompt, add_special_tokens=False)["input_ids"]
        wanted = greedy(model, ids, 20)
        words = model.tokenizer.decode(wanted, skip_special_tokens=True)
        assert one.tokens_in == len(ids)
        if not chat and "\n" in words.lstrip():  # a model that completes ends with its line
            assert words.startswith(one.text) and "\n" in one.text.lstrip() and one.end == "stop"
        else:
            assert one.text == words and one.end == ("stop" if 1 in wanted else "length")
            assert one.tokens_out == len([token for token in wanted if token != 1])


# What cannot be asked


def test_a_text_that_is_too_long_is_refused_before_it_is_read(model):
    long = "Context: A cube.\n" * 200
    for prompt in (likely(long), Prompt("0", (("user", long),), ("pado", "tif"))):
        with pytest.raises(InputError, match="512 at most for this model.*fewer examples"):
            completions(model, prompt)
    assert is_right(model, likely("Name:"), completions(model, likely("Name:"))[0])  # and the next is


def test_what_is_no_model_is_told(model, folders, tmp_path):
    with pytest.raises(InputError, match="pictures"):
        completions(model, Prompt("0", (("user", "[picture 1]"),), ("a", "b"), pictures=(b"1",)))
    with pytest.raises(InputError, match="config.json .No such file"):
        local(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(InputError, match="safetensors and a tokenizer"):
        local(tmp_path)


def test_a_model_is_known_by_its_weights(folders, tmp_path):
    one = local(folders["gpt2"])
    assert one.name == "gpt2" and one.identity == local(folders["gpt2"]).identity and len(one.digest) == 64
    torch.manual_seed(4)
    other = tmp_path / "gpt2"
    tiny.gpt2().save_pretrained(other)
    tiny.tokenizer().save_pretrained(other)
    identities = [one.identity, local(other).identity, local(folders["gpt2"], tokens=9).identity]
    assert len({str(identity) for identity in identities}) == 3
