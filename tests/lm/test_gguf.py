"""A GGUF file that is written here becomes a folder with the same numbers, once."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from cogkit.core.contracts import InputError
from cogkit.lm.gguf import folder_of
from cogkit.lm.local import local
from cogkit.lm.prompts import Prompt

pytestmark = pytest.mark.usefixtures("one_thread")

WIDE, LAYERS, HEADS, LONG = 32, 1, 2, 1024  # transformers takes no other length of GPT-2


@pytest.fixture(autouse=True)
def at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("COGKIT_HOME", str(tmp_path / "home"))


def letters() -> list[str]:
    """Return the 256 signs that stand for bytes in GPT-2's vocabulary."""
    from tokenizers.pre_tokenizers import ByteLevel

    return sorted(ByteLevel.alphabet())


def write(path) -> dict[str, np.ndarray]:
    """Write a GPT-2 of one layer as a GGUF file, and return its numbers by their names there."""
    import gguf

    rng = np.random.default_rng(0)
    tokens = [*letters(), "Ġt", "<s>"]
    sizes = {
        "token_embd.weight": (len(tokens), WIDE), "position_embd.weight": (LONG, WIDE),
        "blk.0.attn_norm.weight": (WIDE,), "blk.0.attn_norm.bias": (WIDE,),
        "blk.0.attn_qkv.weight": (3 * WIDE, WIDE), "blk.0.attn_qkv.bias": (3 * WIDE,),
        "blk.0.attn_output.weight": (WIDE, WIDE), "blk.0.attn_output.bias": (WIDE,),
        "blk.0.ffn_norm.weight": (WIDE,), "blk.0.ffn_norm.bias": (WIDE,),
        "blk.0.ffn_up.weight": (4 * WIDE, WIDE), "blk.0.ffn_up.bias": (4 * WIDE,),
        "blk.0.ffn_down.weight": (WIDE, 4 * WIDE), "blk.0.ffn_down.bias": (WIDE,),
        "output_norm.weight": (WIDE,), "output_norm.bias": (WIDE,),
    }  # fmt: skip
    numbers = {name: rng.normal(0, 0.3, size).astype(np.float32) for name, size in sizes.items()}
    writer = gguf.GGUFWriter(path, "gpt2")
    writer.add_vocab_size(len(tokens))
    writer.add_block_count(LAYERS)
    writer.add_context_length(LONG)
    writer.add_embedding_length(WIDE)
    writer.add_feed_forward_length(4 * WIDE)
    writer.add_head_count(HEADS)
    writer.add_layer_norm_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    writer.add_token_types([1] * (len(tokens) - 1) + [3])
    writer.add_token_merges(["Ġ t"])
    writer.add_bos_token_id(len(tokens) - 1)
    writer.add_eos_token_id(len(tokens) - 1)
    for name, values in numbers.items():
        writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return numbers


def test_a_file_is_turned_into_a_folder_once(tmp_path):
    numbers = write(tmp_path / "tiny.gguf")
    model = local(tmp_path / "tiny.gguf")
    assert model.name == "tiny"
    np.testing.assert_array_equal(model.model.transformer.wte.weight.detach().numpy(), numbers["token_embd.weight"])
    np.testing.assert_array_equal(
        model.model.transformer.h[0].mlp.c_fc.weight.detach().numpy().T, numbers["blk.0.ffn_up.weight"]
    )
    ((_, said),) = model.say([Prompt("0", (("user", "abc"),), ("a", "b"), (" a", " b"))])
    ids = model.tokenizer("<s>abc a", add_special_tokens=False)["input_ids"]
    with torch.no_grad():
        logs = model.model(torch.tensor([ids])).logits[0].log_softmax(dim=1)
    first = len(model.tokenizer("<s>abc", add_special_tokens=False)["input_ids"])
    assert said.logs[0] == pytest.approx(sum(float(logs[k - 1, ids[k]]) for k in range(first, len(ids))), abs=6e-4)

    folder = folder_of(tmp_path / "tiny.gguf")
    written = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    (tmp_path / "elsewhere").mkdir()
    moved = (tmp_path / "tiny.gguf").rename(tmp_path / "elsewhere" / "tiny.gguf")
    assert folder_of(moved) == folder
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == written
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_a_spoilt_file_is_told_or_becomes_a_folder(tmp_path):
    write(tmp_path / "tiny.gguf")
    content, rng = (tmp_path / "tiny.gguf").read_bytes(), np.random.default_rng(0)
    for at in rng.integers(4, 6000, size=10):  # the head, where everything but plain numbers stands
        (tmp_path / "spoilt.gguf").write_bytes(content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :])
        try:
            assert (folder_of(tmp_path / "spoilt.gguf") / "model.safetensors").is_file()
        except InputError as error:
            assert "spoilt.gguf" in str(error)


def test_what_is_no_gguf_file_is_told_and_leaves_nothing(tmp_path):
    with pytest.raises(InputError, match="GGUF"):
        local(tmp_path / "nowhere.gguf")
    (tmp_path / "text.gguf").write_text("GG, but no model")
    with pytest.raises(InputError, match="does not begin as one"):
        local(tmp_path / "text.gguf")
    write(tmp_path / "tiny.gguf")
    content = (tmp_path / "tiny.gguf").read_bytes()
    (tmp_path / "cut.gguf").write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match="cut.gguf"):
        local(tmp_path / "cut.gguf")
    assert not [*(tmp_path / "home" / "models").iterdir()]
