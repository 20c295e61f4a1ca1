"""Tiny language models of random weights, and their tokenizer, trained on a few scenes."""

from __future__ import annotations

SCENES = [f"Context: A {size} {paint} {stuff} {thing}.\nName: {name}" for size, paint, stuff, thing, name in [
    ("small", "red", "glass", "cube", "pado"), ("large", "blue", "metal", "sphere", "tif gup"),
    ("small", "green", "rubber", "cylinder", "wem"), ("large", "gray", "glass", "cube", "tif"),
]]  # fmt: skip
TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
WINDOW = 16  # tokens that a layer of the model with a window sees
SMALL = {"vocab_size": 400, "hidden_size": 16, "intermediate_size": 32, "num_attention_heads": 2,
         "max_position_embeddings": 512, "initializer_range": 0.5, "bos_token_id": 0, "eos_token_id": 1,
         "pad_token_id": 1}  # fmt: skip


def tokenizer():
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    pieces = Tokenizer(models.BPE())
    pieces.pre_tokenizer, pieces.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=["<s>", "</s>"], initial_alphabet=alphabet)
    pieces.train_from_iterator(SCENES * 3, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=pieces, bos_token="<s>", eos_token="</s>")


def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(vocab_size=400, n_positions=512, n_embd=16, n_layer=2, n_head=2, initializer_range=0.5,
                        bos_token_id=0, eos_token_id=1)  # fmt: skip
    return GPT2LMHeadModel(config)


def gemma():
    from transformers import Gemma3ForCausalLM, Gemma3TextConfig

    layers = ["sliding_attention", "full_attention", "sliding_attention", "sliding_attention"]
    config = Gemma3TextConfig(
        **SMALL, num_hidden_layers=4, layer_types=layers, sliding_window=WINDOW, head_dim=8, num_key_value_heads=1
    )
    return Gemma3ForCausalLM(config)


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM

    return LlamaForCausalLM(LlamaConfig(**SMALL, num_hidden_layers=2))


KINDS = {"gpt2": gpt2, "gemma": gemma, "llama": llama}
