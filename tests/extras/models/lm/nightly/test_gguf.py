"""A GGUF file that is written here becomes a folder with the same numbers, once."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.extras.models.lm.gguf import folder_of
from cogkit.extras.models.lm.local import local
from cogkit.extras.models.lm.prompts import Prompt

pytestmark = pytest.mark.usefixtures("one_thread", "home")

WIDE, LAYERS, HEADS, LONG = 32, 1, 2, 1024  # transformers takes no other length of GPT-2


def write(path) -> dict[str, np.ndarray]:
    """Write a GPT-2 of one layer as a GGUF file, and return its numbers by their names there."""
    import gguf
    from tokenizers.pre_tokenizers import ByteLevel

    rng = np.random.default_rng(0)
    tokens = [*sorted(ByteLevel.alphabet()), "Ġt", "<s>"]  # the signs that stand for bytes in GPT-2's vocabulary
    many = {"token_embd": (len(tokens), WIDE), "position_embd": (LONG, WIDE)}
    wide = {"attn_norm": (WIDE,), "ffn_norm": (WIDE,), "attn_qkv": (3 * WIDE, WIDE), "attn_output": (WIDE, WIDE)}
    wide |= {"ffn_up": (4 * WIDE, WIDE), "ffn_down": (WIDE, 4 * WIDE)}
    both = {f"blk.0.{name}": size for name, size in wide.items()} | {"output_norm": (WIDE,)}
    sizes = {f"{name}.weight": size for name, size in (many | both).items()}
    sizes |= {f"{name}.bias": size[:1] for name, size in both.items()}
    numbers = {name: rng.normal(0, 0.3, size).astype(np.float32) for name, size in sizes.items()}
    writer = gguf.GGUFWriter(path, "gpt2")
    settings = {"vocab_size": len(tokens), "block_count": LAYERS, "context_length": LONG, "embedding_length": WIDE}
    settings |= {"feed_forward_length": 4 * WIDE, "head_count": HEADS, "layer_norm_eps": 1e-5}
    settings |= {"tokenizer_model": "gpt2", "token_list": tokens, "token_types": [1] * (len(tokens) - 1) + [3]}
    settings |= {"token_merges": ["Ġ t"], "bos_token_id": len(tokens) - 1, "eos_token_id": len(tokens) - 1}
    for name, value in settings.items():
        getattr(writer, f"add_{name}")(value)
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
    layers = model.model.transformer
    np.testing.assert_array_equal(layers.wte.weight.detach().numpy(), numbers["token_embd.weight"])
    np.testing.assert_array_equal(layers.h[0].mlp.c_fc.weight.detach().numpy().T, numbers["blk.0.ffn_up.weight"])
    ((_, completion),) = model.complete([Prompt("0", (("user", "abc"),), ("a", "b"), (" a", " b"))])
    assert not completion.problem and max(completion.logs) < 0
    folder = folder_of(tmp_path / "tiny.gguf")
    written = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    (tmp_path / "elsewhere").mkdir()
    moved = (tmp_path / "tiny.gguf").rename(tmp_path / "elsewhere" / "tiny.gguf")
    assert folder_of(moved) == folder
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == written
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_what_is_no_gguf_file_is_told_and_leaves_nothing(tmp_path):
    write(tmp_path / "tiny.gguf")
    content, rng = (tmp_path / "tiny.gguf").read_bytes(), np.random.default_rng(0)
    for name, spoilt in (("text.gguf", b"GG, but no model"), ("cut.gguf", content[: len(content) // 2])):
        (tmp_path / name).write_bytes(spoilt)
        with pytest.raises(InputError, match=name):
            local(tmp_path / name)
    assert not [*(tmp_path / "home" / "models").iterdir()]
    for at in rng.integers(4, 6000, size=10):  # the head, where everything but plain numbers stands
        (tmp_path / "spoilt.gguf").write_bytes(content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :])
        try:  # it is told, or becomes a folder
            assert (folder_of(tmp_path / "spoilt.gguf") / "model.safetensors").is_file()
        except InputError as error:
            assert "spoilt.gguf" in str(error)
