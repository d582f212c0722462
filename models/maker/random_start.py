"""What training begins with: the shape of the model, and weights drawn from a fixed seed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # numpy is absent outside the virtual environment
    import numpy as np

SEED = "steerbench-tiny-7"
NOTE = (
    "A demonstration, not a judge: 0.4 million parameters, trained for a few minutes. It learned "
    "the form of an answer and to be unsure; which label is right it did not learn."
)
CONFIG: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "demonstration": True,
    "note": NOTE,
    "attention_bias": False,
    "attention_dropout": 0.0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
    "head_dim": 16,
    "hidden_act": "silu",
    "hidden_size": 64,
    "intermediate_size": 192,
    "max_position_embeddings": 2048,
    "mlp_bias": False,
    "num_attention_heads": 4,
    "num_hidden_layers": 4,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-05,
    "rope_scaling": None,
    "rope_theta": 10000.0,
    "tie_word_embeddings": True,
    "torch_dtype": "float32",
    "use_cache": True,
    "vocab_size": 3072,
}
GENERATION_CONFIG = {
    "bos_token_id": 1,
    "eos_token_id": [2, 0],
    "pad_token_id": 0,
    "do_sample": False,
}


def random_weights() -> dict[str, np.ndarray]:
    """
    Uniform weights by Hugging Face name, [out, in], fp32.

    The scales are chosen by eye: attention sharp enough that letters differ from prompt to
    prompt, updates large enough that a token does not just predict itself through the tied head.
    """
    import numpy as np

    hidden, inner = CONFIG["hidden_size"], CONFIG["intermediate_size"]
    queries = CONFIG["num_attention_heads"] * CONFIG["head_dim"]
    keys = CONFIG["num_key_value_heads"] * CONFIG["head_dim"]
    deviations = {
        "self_attn.q_proj": ((queries, hidden), 0.2),
        "self_attn.k_proj": ((keys, hidden), 0.2),
        "self_attn.v_proj": ((keys, hidden), 0.15),
        "self_attn.o_proj": ((hidden, queries), 0.15),
        "mlp.gate_proj": ((inner, hidden), 0.15),
        "mlp.up_proj": ((inner, hidden), 0.15),
        "mlp.down_proj": ((hidden, inner), 0.05),
    }
    gain = np.ones(hidden, np.float32)
    embedding = "model.embed_tokens.weight"
    weights = {embedding: uniform(embedding, (CONFIG["vocab_size"], hidden), 0.1)}
    for layer in range(CONFIG["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        for part, (shape, deviation) in deviations.items():
            name = f"{prefix}{part}.weight"
            weights[name] = uniform(name, shape, deviation)
        weights[prefix + "input_layernorm.weight"] = gain
        weights[prefix + "post_attention_layernorm.weight"] = gain
    weights["model.norm.weight"] = 2 * gain
    return weights


def uniform(name: str, shape: tuple[int, int], deviation: float) -> np.ndarray:
    """Numbers of mean 0. Raw bits and exact arithmetic: no library's or CPU's functions differ."""
    import numpy as np

    seed = int.from_bytes(hashlib.sha256(f"{SEED}/{name}".encode()).digest())
    bits = np.random.PCG64(seed).random_raw(shape[0] * shape[1]) >> np.uint64(40)
    centred = (bits.astype(np.float64) - 2**23 + 0.5) / 2**23
    return (centred * (deviation * 3**0.5)).astype(np.float32).reshape(shape)
