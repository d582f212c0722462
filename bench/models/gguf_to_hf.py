"""
Turns the GGUF file of a Llama model with a byte-level tokenizer into a Hugging Face folder.

Run by smollm2.py inside its virtual environment: python gguf_to_hf.py FILE.gguf OUT
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFReader
from gguf.quants import dequantize

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "models"))

from maker.folder import write_json, write_safetensors
from maker.graph import write_onnx
from maker.numpy_llama import Config, Weights

# GGUF's name of a layer's tensor and Hugging Face's.
LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
CONTROL_TOKEN = 3  # GGUF's token type of special tokens


def convert(source: Path, folder: Path) -> None:
    reader = GGUFReader(source)
    meta = {name: field.contents() for name, field in reader.fields.items()}
    check_supported(meta)
    config = read_config(meta)
    weights = rename(read_tensors(reader), config)
    tokenizer, tokenizer_config = read_tokenizer(meta)

    (folder / "onnx").mkdir(parents=True)
    write_json(folder / "config.json", config)
    token_ids = {key: value for key, value in config.items() if key.endswith("_token_id")}
    write_json(folder / "generation_config.json", token_ids)
    write_json(folder / "tokenizer.json", tokenizer, compact=True)
    write_json(folder / "tokenizer_config.json", tokenizer_config)
    write_safetensors(folder / "model.safetensors", weights)
    write_onnx(folder / "onnx" / "model.onnx", weights, config)


def check_supported(meta: dict[str, Any]) -> None:
    """Raises ValueError for what this conversion would silently get wrong."""
    for key, wanted in {
        "general.architecture": "llama",
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm",
    }.items():
        if meta.get(key) != wanted:
            raise ValueError(f"{key} is {meta.get(key)!r}; only {wanted!r} is handled")


def read_config(meta: dict[str, Any]) -> Config:
    """config.json from the GGUF metadata."""

    def llama(key: str) -> Any:
        return meta[f"llama.{key}"]

    def token(key: str) -> int:
        return meta[f"tokenizer.ggml.{key}_token_id"]

    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "attention_bias": False,
        "attention_dropout": 0.0,
        "bos_token_id": token("bos"),
        "eos_token_id": token("eos"),
        "pad_token_id": token("padding"),
        "head_dim": llama("rope.dimension_count"),
        "hidden_act": "silu",
        "hidden_size": llama("embedding_length"),
        "intermediate_size": llama("feed_forward_length"),
        "max_position_embeddings": llama("context_length"),
        "mlp_bias": False,
        "num_attention_heads": llama("attention.head_count"),
        "num_hidden_layers": llama("block_count"),
        "num_key_value_heads": llama("attention.head_count_kv"),
        # Stored in fp32: 1e-05 reads as 9.99999974e-06.
        "rms_norm_eps": float(f"{llama('attention.layer_norm_rms_epsilon'):.6g}"),
        "rope_scaling": None,
        "rope_theta": llama("rope.freq_base"),
        "tie_word_embeddings": True,
        "torch_dtype": "float32",
        "use_cache": True,
        "vocab_size": llama("vocab_size"),
    }


def read_tensors(reader: GGUFReader) -> Weights:
    """Every tensor in fp32, [out, in]; GGUF gives shapes innermost first."""
    return {
        tensor.name: np.ascontiguousarray(
            dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        ).reshape([int(n) for n in reversed(tensor.shape)])
        for tensor in reader.tensors
    }


def rename(tensors: Weights, config: Config) -> Weights:
    """Hugging Face's names, and queries and keys in Hugging Face's order of rotary pairs."""
    if "output.weight" in tensors:
        raise ValueError("the head is not tied to the embedding; that is not handled")
    heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    weights = {
        "model.embed_tokens.weight": tensors["token_embd.weight"],
        "model.norm.weight": tensors["output_norm.weight"],
    }
    for layer in range(config["num_hidden_layers"]):
        for theirs, ours in LAYER_NAMES.items():
            weight = tensors[f"blk.{layer}.{theirs}.weight"]
            if theirs in heads:
                weight = part_rotary_pairs(weight, heads[theirs])
            weights[f"model.layers.{layer}.{ours}.weight"] = weight
    return weights


def part_rotary_pairs(weight: np.ndarray, heads: int) -> np.ndarray:
    """
    Undoes llama.cpp's interleaving of queries and keys: within a head, rows 2i and 2i + 1 are a
    rotary pair there, rows i and i + D/2 in Hugging Face's layout.
    """
    pairs = weight.reshape(heads, -1, 2, weight.shape[-1])
    return np.ascontiguousarray(pairs.swapaxes(1, 2).reshape(weight.shape))


def read_tokenizer(meta: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """tokenizer.json and tokenizer_config.json. Nothing is put in front: the template does that."""
    tokens = meta["tokenizer.ggml.tokens"]
    vocabulary = {token: index for index, token in enumerate(tokens)}
    if len(vocabulary) != len(tokens):
        raise ValueError("the vocabulary names a token twice")
    flags = dict.fromkeys(["single_word", "lstrip", "rstrip", "normalized"], False)
    special = {
        index: {"content": tokens[index], **flags, "special": True}
        for index, kind in enumerate(meta["tokenizer.ggml.token_type"])
        if kind == CONTROL_TOKEN
    }
    byte_level = {"type": "ByteLevel", "add_prefix_space": False}
    byte_level |= {"trim_offsets": True, "use_regex": True}
    # llama.cpp's `smollm`: each digit by itself, then GPT-2's pattern.
    steps = [{"type": "Digits", "individual_digits": True}, byte_level]
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": index, **token} for index, token in special.items()],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
        "post_processor": None,
        "decoder": {**byte_level, "add_prefix_space": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocabulary,
            "merges": meta["tokenizer.ggml.merges"],
        },
    }

    def name(key: str) -> str:
        return tokens[meta[f"tokenizer.ggml.{key}_token_id"]]

    tokenizer_config = {
        "add_bos_token": False,
        "add_prefix_space": False,
        "added_tokens_decoder": {str(index): token for index, token in special.items()},
        "bos_token": name("bos"),
        "chat_template": meta["tokenizer.chat_template"],
        "clean_up_tokenization_spaces": False,
        "eos_token": name("eos"),
        "model_max_length": meta["llama.context_length"],
        "pad_token": name("padding"),
        # Not GPT2Tokenizer, which may be rebuilt without the digits step.
        "tokenizer_class": "PreTrainedTokenizerFast",
        "unk_token": name("unknown"),
    }
    return tokenizer, tokenizer_config


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
