"""
The same Llama decoder in numpy and float64: the reference that ONNX graphs are compared with.

Written head by head, without a cache or padding: it shares the rotary frequencies with the graph
and no other step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# Arrays by Hugging Face name, matrices [out, in]; and the content of config.json.
Weights = dict[str, np.ndarray]
Config = dict[str, Any]


def inverse_frequencies(config: Config) -> np.ndarray:
    """Rotary frequencies, D/2 values in fp32; worked out in float64, so equal on every CPU."""
    size = config["head_dim"]
    exponents = np.arange(0, size, 2, dtype=np.float64) / size
    return (1.0 / np.float64(config["rope_theta"]) ** exponents).astype(np.float32)


def hidden_states(weights: Weights, config: Config, ids: list[int]) -> np.ndarray:
    """The normed states in front of the head for one sequence: [S, H], float64."""
    # Rounded to fp32 as every fp32 model has them: at position 900 that is 3e-5 of an angle.
    positions = np.arange(len(ids), dtype=np.float32)
    angles = np.outer(positions, inverse_frequencies(config)).astype(np.float64)
    x = weights["model.embed_tokens.weight"][ids].astype(np.float64)
    for layer in range(config["num_hidden_layers"]):
        w = layer_weights(weights, layer)
        x = x + attention(w, config, rms_norm(x, w["input_layernorm"], config), angles)
        x = x + mlp(w, rms_norm(x, w["post_attention_layernorm"], config))
    return rms_norm(x, weights["model.norm.weight"].astype(np.float64), config)


def logits(weights: Weights, config: Config, ids: list[int]) -> np.ndarray:
    """Logits at every position of one sequence: [S, V], float64."""
    head = weights["model.embed_tokens.weight"].astype(np.float64)
    return hidden_states(weights, config, ids) @ head.T


def log_softmax(values: np.ndarray) -> np.ndarray:
    """Natural-log probabilities over the last axis."""
    shifted = values - values.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def layer_weights(weights: Weights, layer: int) -> Weights:
    """A layer's arrays in float64 under their short names, such as `q_proj`."""
    prefix = f"model.layers.{layer}."
    return {
        key.removeprefix(prefix).removesuffix(".weight").split(".")[-1]: value.astype(np.float64)
        for key, value in weights.items()
        if key.startswith(prefix)
    }


def rms_norm(x: np.ndarray, gain: np.ndarray, config: Config) -> np.ndarray:
    return gain * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + config["rms_norm_eps"])


def rotate(x: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Turns each pair (i, i + D/2) of one head, [S, D], by its angle, [S, D/2]."""
    first, second = np.split(x, 2, axis=-1)
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


def attention(w: Weights, config: Config, x: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Causal grouped-query attention of one sequence: [S, H] to [S, H]."""
    size = config["head_dim"]
    group = config["num_attention_heads"] // config["num_key_value_heads"]
    future = np.triu(np.ones((len(x), len(x)), bool), k=1)
    outputs = []
    for head in range(config["num_attention_heads"]):
        own = slice(head * size, (head + 1) * size)
        shared = slice(head // group * size, (head // group + 1) * size)
        query = rotate(x @ w["q_proj"][own].T, angles)
        key = rotate(x @ w["k_proj"][shared].T, angles)
        scores = np.where(future, -np.inf, query @ key.T / np.sqrt(size))
        outputs.append(np.exp(log_softmax(scores)) @ (x @ w["v_proj"][shared].T))
    return np.concatenate(outputs, axis=-1) @ w["o_proj"].T


def mlp(w: Weights, x: np.ndarray) -> np.ndarray:
    gate = x @ w["gate_proj"].T
    return (gate / (1 + np.exp(-gate)) * (x @ w["up_proj"].T)) @ w["down_proj"].T
